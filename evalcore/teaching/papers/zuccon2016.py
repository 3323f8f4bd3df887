"""Zuccon (2016), "Understandability Biased Evaluation for Information Retrieval": its tables, and one formula."""

from __future__ import annotations

import pandas as pd

from evalcore.measures import ERR, RBP, ERRlike, evaluate, uRBP, uRBP1, uRBP2, uRBPgr
from evalcore.meta import prefix_overlap, tau, tau_ap
from evalcore.structures.documents import Collection
from evalcore.teaching.papers.base import IDENTITY, OTHER_DATA, Exhibit, beside

DOCUMENT = "Zuccon 2016"
FETCH_2015 = "evalcore fetch clef2015"
SYSTEMS_2015 = 110  # including the baseline and the readability run
TABLE_1 = {
    ("uRBP1", 10): (0.1277, -0.0255),
    ("uRBP1", 15): (0.5603, 0.2746),
    ("uRBP1", 20): (0.9574, 0.9261),
    ("uRBP2", 10): (0.5887, 0.2877),
    ("uRBP2", 15): (0.6791, 0.4102),
    ("uRBP2", 20): (0.9574, 0.9407),
}
SECTION_6 = {"RBP - uRBP": (0.8666, 0.8168), "RBP - uRBPgr": (0.9077, 0.8866)}


def table_1(collection: Collection) -> pd.DataFrame:
    """Return printed and computed tau and tau_AP between RBP and uRBP1 or uRBP2, at 3 FOG thresholds.

    What the paper prints as tau_AP is a prefix overlap.
    """
    x = evaluate(RBP(), collection).mean()
    published: dict[str, float] = {}
    computed: dict[str, float] = {}
    for (name, threshold), values in TABLE_1.items():
        kind = {"uRBP1": uRBP1, "uRBP2": uRBP2}[name]
        y = evaluate(kind(aspect="fog", threshold=float(threshold)), collection).mean()
        row = f"RBP - {name}, th = {threshold}"
        published |= {f"{row}: τ": values[0], f"{row}: τ_AP as printed": values[1]}
        computed |= {f"{row}: τ": float(tau(x, y)), f"{row}: τ_AP as printed": float(prefix_overlap(x, y))}
    return beside(published, computed)


def table_2(collection: Collection) -> pd.DataFrame:
    """Return computed tau and tau_AP between RBP and uRBP1, at 3 FOG thresholds; we lack the printed values.

    As in Table 1, tau_AP is a prefix overlap.
    """
    rows = {name: value for name, value in table_1(collection)["computed"].items() if "uRBP1" in str(name)}
    return beside({}, rows)


def section_6(collection: Collection) -> pd.DataFrame:
    """Return printed and computed tau and tau_AP between RBP and uRBP, and between RBP and uRBPgr.

    The tau_AP of Yilmaz et al. is added, because the tau_AP that the paper prints is a prefix overlap.
    """
    x = evaluate(RBP(), collection).mean()
    measures = {"RBP - uRBP": uRBP(threshold=2.0), "RBP - uRBPgr": uRBPgr()}
    published: dict[str, float] = {}
    computed: dict[str, float] = {}
    for row, (tau_printed, overlap_printed) in SECTION_6.items():
        y = evaluate(measures[row], collection).mean()
        published |= {f"{row}: τ": tau_printed, f"{row}: τ_AP as printed": overlap_printed}
        computed |= {f"{row}: τ": float(tau(x, y)), f"{row}: τ_AP as printed": float(prefix_overlap(x, y))}
        computed[f"{row}: τ_AP of Yilmaz et al."] = float(tau_ap(y, x))
    return beside(published, computed)


def section_3(collection: Collection) -> pd.DataFrame:
    """Return ERR for two documents of grade 1 on a scale up to 1: in the printed form, and with ERR's cascade."""
    return beside(
        {"(1/k) (2^P - 1) / 2^max": 0.75, "with the cascade: ERR": 0.625},
        {"(1/k) (2^P - 1) / 2^max": ERRlike().of([1, 1]), "with the cascade: ERR": ERR().of([1, 1])},
    )


def _lacks_fog(collection: Collection) -> str:
    return "" if "fog" in collection.signals and len(collection.systems) > 1 else "the FOG of the documents"


def _lacks_labels(collection: Collection) -> str:
    scales = collection.assessments.scales
    four = "understandability" in scales and len(scales["understandability"].grades) == 4
    return "" if four and len(collection.systems) > 1 else "understandability in four grades"


EXHIBITS = (
    Exhibit(
        "zuccon-3", DOCUMENT, "Section 3", "ERR written as gain and discount", section_3,
        "The printed form has no cascade: a ranking of two documents, each of which satisfies half of the readers, "
        "scores .75 with the printed form and .625 with ERR. Here the two forms are the measures ERRlike and ERR.",
        IDENTITY,
    ),
    Exhibit(
        "zuccon-table-1", DOCUMENT, "Table 1", "RBP against uRBP1 and uRBP2 at FOG 10, 15 and 20", table_1,
        "The published values are for 48 systems of CLEF eHealth 2013, which do not come with this program. Only the "
        "shape can be compared: as in the paper, τ should rise with the threshold. The values printed as τ_AP are "
        "mean overlaps of prefixes.", OTHER_DATA,
        "CLEF eHealth 2013 runs and qrels, and the texts of the documents (folder documents/) or their FOG (fog.csv)",
        _lacks_fog,
    ),
    Exhibit(
        "zuccon-table-2", DOCUMENT, "Table 2", "RBP against uRBP1 at FOG 10, 15 and 20, CLEF eHealth 2015", table_2,
        "Our copy of the paper lacks the numbers of this table. The paper's two claims can be checked: τ rises "
        "with the threshold, and is larger than in Table 1.", OTHER_DATA,
        "CLEF eHealth 2015 runs and qrels, and the texts of the documents (folder documents/) or their FOG (fog.csv)",
        _lacks_fog, fetch=FETCH_2015,
    ),
    Exhibit(
        "zuccon-6", DOCUMENT, "Section 6, Figure 2", "RBP against uRBP and uRBPgr with assessors' labels", section_6,
        "The published values are for all 110 systems of CLEF eHealth 2015, Task 2; with fewer systems, the values "
        "differ. τ is tau_b; the values printed as τ_AP are prefix overlaps, and Yilmaz's τ_AP is lower.", OTHER_DATA,
        "CLEF eHealth 2015 Task 2: all 110 runs in runs/, qrels.txt and qread.txt (graded) beside them",
        _lacks_labels, lambda collection: len(collection.topics) == 66 and len(collection.systems) == SYSTEMS_2015,
        FETCH_2015,
    ),
)  # fmt: skip
