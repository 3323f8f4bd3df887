"""Maistro, Lima, Simonsen and Lioma (2021), "Principled Multi-Aspect Evaluation Measures of Rankings"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.data.small_collections import small_collection
from evalcore.explain.aspect_correlation import aspect_correlations, measure_correlations, several_aspect_measures
from evalcore.explain.top_documents import cut_rankings, label_sums_by_rank, zero_aspect_documents
from evalcore.measures import Measure, evaluate
from evalcore.measures.toma import EQUAL_STEPS
from evalcore.meta import discriminative_power, tau
from evalcore.structures.documents import Collection
from evalcore.teaching.papers import three_documents as printed
from evalcore.teaching.papers.base import IDENTITY, OTHER_DATA, SAME_DATA, Exhibit, beside, two_aspects
from evalcore.teaching.papers.maistro2021_table4 import (
    BASES,
    TRACKS,
    printed_aspects,
    printed_measures,
    printed_powers,
)

DOCUMENT = "Maistro et al. 2021"
ON_TRACKS = "The published values are for ten TREC tracks with other runs and labels: only the shape can be compared. "
NEEDS = "any collection with two graded aspects; for the paper's own numbers, the TREC tracks of its Table 2"
EMBEDDING = EQUAL_STEPS  # section 4.1: one unit separates each grade, on every aspect
# Topics and runs of each track, as printed.
TABLE_2 = dict(
    zip(
        TRACKS,
        [(50, 71), (48, 56), (50, 61), (50, 48), (50, 61), (50, 30), (35, 6), (50, 9), (50, 32), (46, 51)],
        strict=True,
    )
)
TABLE_5 = """
CAM MM EUCL MANH CHEB
1 .0118 .0302 .0090 .0076 .0355
2 .0150 .0367 .0115 .0111 .0413
3 .0238 .0466 .0203 .0180 .0417
4 .0235 .0399 .0199 .0171 .0423
5 .0247 .0453 .0219 .0187 .0473
1-5 .0988 .1988 .0827 .0725 .2092
"""
TABLE_6 = """
CAM MM EUCL MANH CHEB
1-25 1.70 1.49 1.67 1.69 1.39
26-50 0.85 0.78 0.91 0.94 0.70
51-75 0.57 0.53 0.63 0.64 0.48
76-100 0.40 0.39 0.43 0.44 0.36
"""


def table_1(collection: Collection) -> pd.DataFrame:
    """Return classes of ten tuples (1 is best), printed and computed, in nine orders: 3 embeddings x 3 distances."""
    tuples = np.array(printed.ADMISSIBLE)
    pool = small_collection(
        pd.DataFrame(tuples, columns=list(printed.ASPECTS), index=[f"d{at}" for at in range(len(tuples))]),
        {"all": [f"d{at}" for at in range(len(tuples))]},
        printed.SCALES,
    ).assessments
    published: dict[str, float] = {}
    computed: dict[str, float] = {}
    for scenario, distance in printed.TABLE_1:
        order = printed.toma_of(scenario, distance).order(pool)
        places = order.rank_of(tuples)
        as_printed = printed.order_of(scenario, distance)
        for (relevance, correctness), place in zip(tuples.tolist(), places.tolist(), strict=True):
            position = printed.EMBEDDED[scenario][correctness]
            row = f"{scenario}, {distance}: ({relevance}, {position:g})"
            published[row], computed[row] = as_printed[relevance, correctness], place
    return beside(published, computed)


def table_3(base: str, collection: Collection) -> pd.DataFrame:
    """Return printed and computed scores of fifteen rankings of three documents: CAM, MM, TOMA with 3 distances."""
    table = printed.table_3(base)
    labels = pd.DataFrame(printed.LABELS, index=list(printed.ASPECTS)).T
    example = small_collection(labels, {name: [f"d{digit}" for digit in name] for name in table.index}, printed.SCALES)
    published: dict[str, float] = {}
    computed: dict[str, float] = {}
    for name, text in printed.MEASURES[base].items():
        scores = evaluate(text, example).iloc[0]
        for ranking in table.index:
            published[f"{name} of {ranking}"] = float(table.loc[ranking, name])
            computed[f"{name} of {ranking}"] = float(scores[ranking])
    return beside(published, computed)


def table_2(collection: Collection) -> pd.DataFrame:
    """Return the printed number of runs of each track, and the nearest number that agrees with Table 4's powers."""
    published: dict[str, float] = {}
    computed: dict[str, float] = {}
    for base in BASES:
        for track, powers in printed_powers(base).items():
            runs = TABLE_2[str(track)][1]
            fitting = [n for n in range(2, 2 * runs) if _are_shares(powers.to_numpy(), n * (n - 1) // 2)]
            row = f"runs of {track}, by {base}"
            published[row], computed[row] = runs, min(fitting, key=lambda n: abs(n - runs))
    return beside(published, computed)


def _are_shares(percent: FloatArray, pairs: int) -> bool:
    """Return true if each printed percentage can be a whole number of pairs out of `pairs`."""
    whole = np.round(percent * pairs / 100)
    return bool((np.abs(100 * whole / pairs - percent) <= 0.005 + 1e-9).all())


def table_4_measures(collection: Collection) -> pd.DataFrame:
    """Return tau of each pair of measures: printed (the mean over ten tracks) and computed (the mean over topics)."""
    return _means_beside(printed_measures, measure_correlations(collection, embedding=EMBEDDING))


def table_4_aspects(collection: Collection) -> pd.DataFrame:
    """Return tau of each pair of aspects: printed (mean over tracks with both aspects), computed (mean over topics)."""
    return _means_beside(lambda base: printed_aspects(base).rename(index=str.lower), aspect_correlations(collection))


def table_4_power(collection: Collection) -> pd.DataFrame:
    """Return the share of pairs that differ significantly at .01: printed (ten tracks), computed (10,000 resamples)."""
    computed: dict[str, float] = {}
    for base, measures in _measures(collection).items():
        tables = {name: evaluate(measure, collection) for name, measure in measures.items()}
        power = discriminative_power(tables, alpha=0.01)["power"]
        computed |= {f"{name}, {base}": float(value) for name, value in power.items()}
    published = {
        f"{name}, {base}": float(value) / 100
        for base in BASES
        for name, value in printed_powers(base).mean(axis=1).items()
    }
    return beside(published, computed)


def table_5(collection: Collection) -> pd.DataFrame:
    """Return printed and computed shares of documents with only the worst labels, by rank in each topic's best run.

    Measures based on nDCG and on AP are counted together.
    """
    tables = [zero_aspect_documents(scores, collection, depth=5) for scores in _scores(collection, 5)]
    sums = pd.concat(tables).groupby(["measure", "ranks"], sort=False)[["zero", "documents"]].sum()
    shares = sums["zero"] / sums["documents"].groupby("measure").transform("max").replace(0, np.nan)
    return _banded_beside(TABLE_5, shares)


def table_6(collection: Collection) -> pd.DataFrame:
    """Return printed and computed mean sums of labels in each topic's best run, by band of ranks.

    Measures based on nDCG and on AP are counted together.
    """
    tables = [label_sums_by_rank(scores, collection, depth=100) for scores in _scores(collection, 100)]
    rows = pd.concat(tables)
    assessed = rows["documents"] - rows["unassessed"]
    sums = rows.assign(total=rows["mean_sum"] * assessed, n=assessed).groupby(["measure", "ranks"], sort=False)
    totals = sums[["total", "n"]].sum()
    return _banded_beside(TABLE_6, totals["total"] / totals["n"].replace(0, np.nan))


def _banded_beside(printed: str, computed: pd.Series) -> pd.DataFrame:
    """Return a printed table of ranks x measures with the values computed for the same (measure, ranks)."""
    names, *rows = (line.split() for line in printed.strip().splitlines())
    published = {
        f"{name}, ranks {ranks}": float(value)
        for ranks, *values in rows
        for name, value in zip(names, values, strict=True)
    }
    pairs: dict[Any, float] = computed.to_dict()
    made = {f"{name}, ranks {str(ranks).replace('–', '-')}": float(value) for (name, ranks), value in pairs.items()}
    return beside(published, {row: made.get(row, np.nan) for row in published})


def tau_of_names(collection: Collection) -> pd.DataFrame:
    """Return tau of two rankings of five invented runs, the first two swapped, and tau from the published code.

    The published code correlates the lists of the runs' names, best first, as if each name were a score.
    """
    x, y = (pd.Series(range(5, 0, -1), index=list(order), dtype=float) for order in ("eabcd", "aebcd"))
    places = {name: float(at) for at, name in enumerate(sorted(x.index))}
    as_scores = [np.array([places[str(name)] for name in ranking.index]) for ranking in (x, y)]
    computed = {
        "tau of the rankings": tau(x.to_numpy(), y[x.index].to_numpy()),
        "tau of the lists of names (as in the published code)": tau(*as_scores),
    }
    return beside({"tau of the rankings": 0.8, "tau of the lists of names (as in the published code)": -0.4}, computed)


def _measures(collection: Collection) -> dict[str, Mapping[str, Measure]]:
    """Map each base, under its name in the paper, to its measures by name: EUCL, MANH, CHEB, CAM and MM."""
    made = several_aspect_measures(collection.assessments, embedding=EMBEDDING)
    return {base: made[_own(base)] for base in BASES}


def _own(base: str) -> str:
    return "nDCG" if base == "NDCG" else base


def _scores(collection: Collection, depth: int) -> list[dict[str, pd.DataFrame]]:
    """Return, for each base, a dict from each measure to its scores of the rankings cut at a depth."""
    cut = cut_rankings(collection, depth)
    return [
        {name: evaluate(measure, cut) for name, measure in measures.items()}
        for measures in _measures(collection).values()
    ]


def _means_beside(printed: Callable[[str], pd.DataFrame], ours: pd.DataFrame) -> pd.DataFrame:
    """Return, for each pair and base, the mean of the printed values over tracks, and our value."""
    published, computed = dict[str, float](), dict[str, float]()
    for base in BASES:
        rows = printed(base).mean(axis=1)
        published |= {f"{pair}, {base}": float(value) for pair, value in rows.items()}
        computed |= {f"{pair}, {base}": float(value) for pair, value in ours[_own(base)].items()}
    return beside(published, computed)


EXHIBITS = (
    Exhibit(
        "maistro-table-1", DOCUMENT, "Table 1", "classes of ten tuples in nine orders (class 1 is best)", table_1,
        "The nine orders combine three embeddings of correctness with three distances. The signs between tuples are "
        "printed in the wrong direction: the first tuple listed is the best. Otherwise all nine orders are right. "
        "Section 3.4 claims the order of scenario 2 for all distances, but Chebyshev gives (3,0) = (1,1) < (2,1) = "
        "(3,1), and Manhattan gives (3,0) = (2,1).", SAME_DATA,
    ),
    Exhibit(
        "maistro-table-2", DOCUMENT, "Table 2", "runs of ten TREC tracks, printed and derived from Table 4", table_2,
        "The tracks are Web 2009 to 2014 (relevance, popularity by PageRank, non-spam by Waterloo's ranking), Task "
        "2015 and 2016 (with usefulness), Decision 2019 and Misinformation 2020 (relevance, credibility, correctness), "
        "with 35 to 50 topics and 6 to 71 runs. A track has at most 4 aspects, and all tracks together have 6, "
        "though the abstract says 5. `evalcore fetch` downloads none of these tracks, because NIST gives runs only to "
        "participants in TREC. The shares of pairs in Table 4 show how many runs were compared: 54 on Web 2010 under "
        "NDCG, where 56 are printed.", IDENTITY, expected=0.5,
    ),
    *(
        Exhibit(
            f"maistro-table-3-{base.lower()}", DOCUMENT, f"Table 3, {base}", "fifteen rankings of three documents",
            partial(table_3, base),
            "CAM and TOMA agree in every cell. The column MM is half of Eq. 6 almost everywhere, because the weights "
            "were left out of the denominator; Eq. 6 is implemented.", SAME_DATA, misprints=misprints,
        )
        for base, misprints in (("AP", 10), ("NDCG", 14))
    ),
    Exhibit(
        "maistro-table-4-measures", DOCUMENT, "Table 4, measures", "τ of pairs of measures, mean over topics",
        table_4_measures,
        ON_TRACKS + "The published code correlates sorted lists of run names, not rankings.",
        OTHER_DATA, NEEDS, two_aspects,
    ),
    Exhibit(
        "maistro-table-4-aspects", DOCUMENT, "Table 4, aspects", "τ of pairs of aspects, mean over topics",
        table_4_aspects, ON_TRACKS + "Measuring several aspects pays off because the aspects hardly agree.",
        OTHER_DATA, NEEDS, two_aspects,
    ),
    Exhibit(
        "maistro-table-4-power", DOCUMENT, "Table 4, discriminative power", "separated pairs at .01",
        table_4_power,
        ON_TRACKS + "Measures with equal scores have equal power here, because all use the same resamples.",
        OTHER_DATA, NEEDS, two_aspects, drawn={"resamples": 10_000, "seed": 0},
    ),
    Exhibit(
        "maistro-table-5", DOCUMENT, "Table 5", "zero-aspect documents among the first five", table_5,
        ON_TRACKS + "In the paper, MANH has the fewest, and CHEB and MM have the most.", OTHER_DATA, NEEDS, two_aspects,
    ),
    Exhibit(
        "maistro-table-6", DOCUMENT, "Table 6", "mean sum of labels by band of ranks", table_6,
        ON_TRACKS + "The sums depend on the numbers of aspects and grades.", OTHER_DATA, NEEDS, two_aspects,
    ),
    Exhibit(
        "maistro-names", DOCUMENT, "Section 4.3.1, its code", "τ of five invented runs, and of their names",
        tau_of_names,
        "The published code gives kendalltau the two lists of run names, best first. Here the first two of five runs "
        "swap, so τ is .8. The code would print -.4, because the runs are not ranked in alphabetical order.",
        IDENTITY, expected=1e-12,
    ),
)  # fmt: skip
