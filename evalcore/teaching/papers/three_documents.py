"""The three documents of Maistro et al. (2021), "Principled Multi-Aspect Evaluation Measures of Rankings".

Labels, admissible tuples and positions are from sections 3.4 and 4.2, scores from Table 3 (document 003). Numbers are
as printed, including misprints (see the errata of Table 3). The measures have the settings behind these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from evalcore.data.small_collections import small_collection
from evalcore.measures import TOMA, Measure, parse
from evalcore.measures.tuple_orders import Distance
from evalcore.notation.values import parse_value
from evalcore.structures.documents import Collection, Scale

RELEVANCE = Scale("relevance", grades=(0, 1, 2, 3), names=("nr", "mr", "fr", "hr"))
CORRECTNESS = Scale("correctness", grades=(0, 1, 2), names=("nc", "pc", "c"))
SCALES = (RELEVANCE, CORRECTNESS)
ASPECTS = (RELEVANCE.name, CORRECTNESS.name)

# Section 4.2: GT(d1) = (mr, c), GT(d2) = (hr, pc), GT(d3) = (hr, nc), as (relevance, correctness).
LABELS = {"d1": (1, 2), "d2": (3, 1), "d3": (3, 0)}

# Section 3.4: not relevant implies not correct, so ten tuples, not twelve.
ADMISSIBLE = ((0, 0), *((relevance, correctness) for relevance in (1, 2, 3) for correctness in (0, 1, 2)))

# Table 1, first row, which section 4.2 uses for Table 3.
POSITIONS = {"relevance": (0.0, 1.0, 2.0, 3.0), "correctness": (0.0, 1.5, 3.0)}

# Table 1: all nine orders, by positions of correctness and distance, best tuple first (see the erratum). A tuple is
# written as its places on the two scales, so that 31 is (hr, pc).
EMBEDDED = {"equal ranges": (0.0, 1.5, 3.0), "equal steps": (0.0, 1.0, 2.0), "correctness decides": (0.0, 2.0, 6.0)}
TABLE_1 = {
    ("equal ranges", "Euclidean"): "32 > 22 > 31 > 21 > 12 > 11 > 30 > 20 > 10 > 00",
    ("equal ranges", "Manhattan"): "32 > 22 > 31 > 12 > 21 > 30 > 11 > 20 > 10 > 00",
    ("equal ranges", "Chebyshev"): "32 > 22 > 31 = 21 > 12 = 11 > 30 = 20 = 10 = 00",
    ("equal steps", "Euclidean"): "32 > 31 = 22 > 21 > 30 = 12 > 20 = 11 > 10 > 00",
    ("equal steps", "Manhattan"): "32 > 31 = 22 > 30 = 21 = 12 > 20 = 11 > 10 > 00",
    ("equal steps", "Chebyshev"): "32 > 31 = 21 = 22 > 30 = 20 = 10 = 11 = 12 > 00",
    ("correctness decides", "Euclidean"): "32 > 22 > 12 > 31 > 21 > 11 > 30 > 20 > 10 > 00",
    ("correctness decides", "Manhattan"): "32 > 22 > 12 > 31 > 21 > 11 = 30 > 20 > 10 > 00",
    ("correctness decides", "Chebyshev"): "32 > 22 > 12 > 31 = 21 = 11 > 30 = 20 = 10 = 00",
}

_SETTING = (
    'aspects=["relevance", "correctness"], distance={distance}, '
    'embedding={{"relevance": [0, 1, 2, 3], "correctness": [0, 1.5, 3]}}, '
    f"tuples=[{', '.join(f'[{relevance}, {correctness}]' for relevance, correctness in ADMISSIBLE)}]"
)
_DISTANCES = {"EUCL": "Euclidean", "MANH": "Manhattan", "CHEB": "Chebyshev"}

# Section 4.2. AP: relevant from fr on, correct from c on; the top half of the classes is 1. NDCG: the grades, to which
# the paper's 15, 10, 5, 0 and 10, 5, 0 are in proportion; each class one more than the one below.
MEASURES = {
    "AP": {
        "CAM": 'CAM([AP(rel=2, aspect="relevance"), AP(rel=2, aspect="correctness")])',
        "MM": 'MM([AP(rel=2, aspect="relevance"), AP(rel=2, aspect="correctness")])',
        **{name: f"TOMA(AP, {_SETTING.format(distance=value)}, weights=TopHalf)" for name, value in _DISTANCES.items()},
    },
    "NDCG": {
        "CAM": 'CAM(nDCG, aspects=["relevance", "correctness"])',
        "MM": 'MM(nDCG, aspects=["relevance", "correctness"])',
        **{name: f"TOMA(nDCG, {_SETTING.format(distance=distance)})" for name, distance in _DISTANCES.items()},
    },
}

# Ranking (numbers of the documents from rank 1 on), then CAM, MM, EUCL, MANH, CHEB.
_TABLE_3 = {
    "AP": """
123 .7917 .3684 1 1 .5
132 .7917 .3684 .8333 .8333 .3333
213 .6667 .3125 1 1 1
231 .6667 .25 .8333 .8333 1
312 .6667 .3125 .5833 .5833 .3333
321 .6667 .25 .5833 .5833 .5
12 .6250 .25 1 1 .5
13 .6250 .25 .5 .5 0
21 .5 .25 1 1 1
23 .5 0 .5 .5 1
31 .5 .25 .25 .25 0
32 .5 0 .25 .25 .5
1 .5 0 .5 .5 0
2 .25 0 .5 .5 1
3 .25 0 0 0 0
""",
    "NDCG": """
123 .9073 .4489 .9367 .9711 .8597
132 .8824 .4386 .8917 .9404 .7602
213 .9056 .4516 1 1 1
231 .8801 .4319 .9775 .9795 .9502
312 .8106 .3930 .8284 .8827 .6199
321 .8100 .3827 .8509 .8929 .6697
12 .7682 .3491 .8080 .8147 .8597
13 .6483 .3145 .5914 .6667 .3801
21 .7665 .3776 .8713 .8436 1
23 .6437 .2679 .7630 .7449 .7602
31 .5765 .2801 .5281 .6089 .2398
32 .5735 .1897 .6364 .6583 .4796
1 .4728 .1491 .4290 .4693 .3801
2 .4682 .2258 .6006 .5475 .7602
3 .2781 0 .2574 .3129 0
""",
}

# Cells that fit neither Eq. 6 nor half of it (erratum of Maistro et al. 2021, Table 3).
MISPRINTS: dict[str, tuple[tuple[str, str], ...]] = {"AP": (("12", "MM"), ("13", "MM")), "NDCG": ()}


def table_3(base: str) -> pd.DataFrame:
    """Return the scores printed for "AP" or "NDCG": fifteen rankings, such as "213", x CAM, MM, EUCL, MANH, CHEB.

    >>> float(table_3("NDCG").loc["213", "CAM"])
    0.9056
    """
    rows = [line.split() for line in _TABLE_3[base].split("\n") if line]
    return pd.DataFrame({row[0]: row[1:] for row in rows}, index=list(MEASURES[base])).T.astype(float)


# The documents of each ranking from rank 1 on.
RANKINGS = {name: [f"d{digit}" for digit in name] for name in table_3("AP").index}


def labelled(labels: Mapping[str, Sequence[int]] = LABELS) -> Collection:
    """Return a collection of the fifteen rankings of three documents, with these labels (relevance, correctness).

    By default, the labels are those of the paper.

    >>> labelled().systems[:3], labelled().aspects
    (('123', '132', '213'), ('relevance', 'correctness'))
    """
    return small_collection(pd.DataFrame(dict(labels), index=list(ASPECTS)).T, RANKINGS, SCALES)


def measures_over(base: str, labels: Mapping[str, Sequence[int]] = LABELS) -> dict[str, Measure]:
    """Map the names CAM, MM, EUCL, MANH and CHEB to the measures, with the base "AP" or "NDCG".

    All twelve tuples are admissible if the labels include one that the paper excludes.

    >>> str(measures_over("NDCG")["CAM"]), measures_over("NDCG", {"d1": (0, 2)})["EUCL"].tuples
    ('CAM(nDCG, aspects=["relevance", "correctness"])', 'product')
    """
    measures = {name: parse(text) for name, text in MEASURES[base].items()}
    if set(map(tuple, labels.values())) <= set(ADMISSIBLE):
        return measures
    return {
        name: measure.with_(tuples="product") if isinstance(measure, TOMA) else measure
        for name, measure in measures.items()
    }


def order_of(scenario: str, distance: str) -> dict[tuple[int, int], int]:
    """Map each admissible tuple to its class in Table 1; 1 is the best.

    >>> order_of("equal steps", "Chebyshev")[3, 0]
    3
    """
    classes = TABLE_1[scenario, distance].split(" > ")
    return {(int(part[0]), int(part[1])): place for place, tied in enumerate(classes, 1) for part in tied.split(" = ")}


def toma_of(scenario: str, distance: str) -> TOMA:
    """Return TOMA with the embedding and the distance of one row of Table 1."""
    embedding = {RELEVANCE.name: POSITIONS[RELEVANCE.name], CORRECTNESS.name: EMBEDDED[scenario]}
    return TOMA(aspects=ASPECTS, distance=parse_value(distance, Distance), embedding=embedding, tuples=ADMISSIBLE)
