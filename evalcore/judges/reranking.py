"""A judge that systems rank by: what its scores are worth then.

Every system is taken to re-rank its first d documents by the judge's own labels. The judge then scores all of them
higher, as it finds what it likes where it looks first; what it no longer sees is who found what people want (Clarke,
Dietz 2024, "LLM-based relevance assessment still can't replace human relevance assessment", arXiv 2412.17156).

Shapes: H hits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray
from evalcore.direction import directed
from evalcore.errors import InputError
from evalcore.judges.agreement import source_labels, usual_pair
from evalcore.judges.rescoring import graded_aspect, with_labels
from evalcore.measures import Measure
from evalcore.measures.base import as_measure
from evalcore.meta import best_first, ranks, tau
from evalcore.progress import checkpoint
from evalcore.structures.documents import Collection, Rankings

DEPTHS = (0, 1, 2, 3, 5, 10, 20, 30, 50, 100)


def reranked(collection: Collection, judge: str, depth: int, aspect: str | None = None) -> Collection:
    """The collection whose systems have their first `depth` documents in the order of the judge's labels.

    Documents with a label of the judge change places among themselves, the best label first and those with the same
    label in the system's own order; documents without one keep theirs. `aspect`: by default the first with grades.
    Raises InputError for an unknown source, and for a depth below 0.

    >>> import evalcore as ec
    >>> labels = {"people": {"t": {"x": 0, "y": 1}}, "judge": {"t": {"x": 0, "y": 1}}}
    >>> c = ec.collection({"a": {"t": {"x": 2.0, "y": 1.0}}}, {"relevance": labels})
    >>> [float(ec.evaluate("RR", reranked(c, "judge", depth)).mean().iloc[0]) for depth in (1, 2)]
    [0.5, 1.0]
    """
    if depth < 0:
        raise InputError(f"expected a depth from 0 on, found {depth}")
    name = aspect or collection.aspects[0]
    labels = source_labels(collection.assessments, name, judge)
    best = -labels if collection.assessments.scale(name).good == "high" else labels
    called = f"{collection.fingerprint}\nreranked {name} by {judge} to {depth}"
    rankings = _reordered(collection.rankings, best, depth)
    return replace(collection, rankings=rankings, fingerprint=hashlib.sha256(called.encode()).hexdigest())


def _reordered(rankings: Rankings, costs: FloatArray, depth: int) -> Rankings:
    """Rankings whose first hits stand by ascending costs of the pool rows, (P,); those of nan keep their ranks."""
    at = np.flatnonzero((rankings.rank <= depth) & ~np.isnan(costs[rankings.row]))
    order = np.lexsort((rankings.rank[at], costs[rankings.row[at]], rankings.hit_row[at]))
    row = rankings.row.copy()
    row[at] = rankings.row[at][order]
    return replace(rankings, row=row)


def circularity(
    measure: Measure | str,
    collection: Collection,
    judge: str,
    reference: str | None = None,
    depths: Sequence[int] = DEPTHS,
    *,
    aspect: str | None = None,
) -> pd.DataFrame:
    """What becomes of scores and ranking when every system re-ranks its first d documents by the judge's labels.

    A row for each depth: tau, Kendall's tau_b of the systems' means by the judge with those by the reference, both of
    the re-ranked systems; judge and reference, the means over systems; apart, the standard deviation over systems by
    the judge; winner, who is first by the judge, and rank_of_winner, its rank by the reference. `reference`: by default
    the aspect's own source. Raises InputError for unknown sources, or one that is both.
    """
    known = as_measure(measure)
    name = graded_aspect(known, collection, aspect)
    people = reference or usual_pair(collection.assessments, name)[0]
    if people == judge:
        raise InputError(f"expected a judge beside the reference {people!r}, found {judge!r} for both")
    given = {source: source_labels(collection.assessments, name, source) for source in (judge, people)}
    rows = []
    for depth in depths:
        other = reranked(collection, judge, depth, name)
        by_judge, by_people = (_means(known, with_labels(other, name, labels)) for labels in given.values())
        winner = str(best_first(by_judge).index[0])
        rows.append(
            {
                "tau": float(tau(by_judge, by_people)),
                "judge": float(by_judge.mean()),
                "reference": float(by_people.mean()),
                "apart": float(by_judge.std()),
                "winner": winner,
                "rank_of_winner": int(ranks(by_people)[winner]),
            }
        )
        checkpoint(len(rows) / len(depths))
    return pd.DataFrame(rows, index=pd.Index(list(depths), name="depth"))


def _means(measure: Measure, collection: Collection) -> pd.Series:
    means = collection.rankings.topic_means(measure.scores_on(collection))
    return directed(pd.Series(means, pd.Index(collection.systems, dtype=object)), measure.good)
