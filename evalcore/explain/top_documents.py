"""Documents returned by the best systems: how many are worthless, and their quality by rank.

Maistro, Lima, Simonsen, Lioma 2021, sections 4.3.3 and 4.3.4, Tables 5 and 6.

For each topic, only the best system under a measure counts. Tied best systems share the topic equally, so that names
and the order of files do not matter, and counts may be fractions.

A document's label on an aspect is its distance from the worthless label (`Scale.zero`: 0, or the highest grade if low
is good). A missing label counts as the worst, as in TOMA; a document without any label is unassessed and counted
separately. The sum of its labels is the document's quality.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.lazy_imports import pd
from evalcore.direction import upwards
from evalcore.errors import InputError, refuse_no_collection
from evalcore.measures.base import HasPoolAndRankings, assessments_of
from evalcore.meta.align import refuse_no_frames
from evalcore.meta.order import ahead
from evalcore.structures.documents import Assessments, Collection, Rankings, Scale

Bands = Sequence[tuple[int, int]]


def zero_aspect_documents(
    tables: Mapping[str, pd.DataFrame],
    collection: HasPoolAndRankings,
    aspects: Sequence[str] | None = None,
    depth: int = 5,
) -> pd.DataFrame:
    """Count how often the best system ranks a document whose labels are all the worst (Maistro et al. 2021, Table 5).

    `tables` maps a measure's text to its scores (topics x systems); the paper scores rankings cut at `depth` (see
    `cut_rankings`). Returns a row per measure and rank, and one for all ranks: measure, ranks, documents, zero (the
    number of such documents), share (zero / the documents at all ranks together, as in the paper), unassessed.
    `aspects` are by default all that have grades.
    """
    _check_depth(depth)
    bands = [(rank, rank) for rank in range(1, depth + 1)] + ([(1, depth)] if depth > 1 else [])
    table = _counted(tables, collection, aspects, bands, False)
    total = table.groupby("measure", sort=False)["documents"].transform("last")
    table["share"] = divided(table["zero"], total)
    return table[["measure", "ranks", "documents", "zero", "share", "unassessed"]]


def label_sums_by_rank(
    tables: Mapping[str, pd.DataFrame],
    collection: HasPoolAndRankings,
    aspects: Sequence[str] | None = None,
    depth: int = 100,
    bands: int = 4,
    as_shares: bool = False,
) -> pd.DataFrame:
    """Return the mean sum of labels of the best system's documents, by band of ranks (Maistro et al. 2021, Table 6).

    There are up to `bands` bands of equal size down to `depth`; the last may be shorter. The table has a row per
    measure and band: measure, ranks, documents, unassessed, mean_sum (over assessed documents) and mean_sum_all (with
    unassessed documents as 0). `as_shares` divides each label by the length of its scale, so that a scale of 100 grades
    does not outweigh a scale of 3.
    """
    if not 1 <= bands <= depth:
        raise InputError(f"expected from 1 to {depth} bands of ranks, found {bands}")
    size = -(-depth // bands)
    edges = [(start, min(start + size - 1, depth)) for start in range(1, depth + 1, size)]
    table = _counted(tables, collection, aspects, edges, as_shares)
    for name, number in (("mean_sum", table["documents"] - table["unassessed"]), ("mean_sum_all", table["documents"])):
        table[name] = divided(table["total"], number, np.nan)
    return table[["measure", "ranks", "documents", "unassessed", "mean_sum", "mean_sum_all"]]


def cut_rankings(collection: Collection, depth: int) -> Collection:
    """Return the collection with every ranking cut after `depth` documents, which acts as a cut-off for any measure."""
    _check_depth(depth)
    refuse_no_collection(collection)
    rankings = collection.rankings
    keep = np.flatnonzero(rankings.rank <= depth)
    counts = np.bincount(rankings.hit_row[keep], minlength=len(rankings.indptr) - 1)
    cut = replace(
        rankings,
        indptr=np.append(0, np.cumsum(counts)),
        rank=rankings.rank[keep],
        row=rankings.row[keep],
        length=np.minimum(rankings.length, depth),
    )
    return replace(collection, rankings=cut, fingerprint=f"{collection.fingerprint} cut at {depth}")


def best_shares(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each system's share of the win on each topic: 1, or 1/k if k systems are tied for best, or 0.

    The best score is the highest, or the lowest if low scores are good (`attrs`). A system without a score on a topic
    (nan) has share 0.

    >>> best_shares(pd.DataFrame({"a": [0.5, 0.2], "b": [0.5, 0.1]})).to_numpy().tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """
    known = scores.notna().to_numpy()
    values = np.where(known, upwards(scores).to_numpy(dtype=np.float64), -np.inf)
    best = known & (ahead(values) == 0)
    shares = best / np.maximum(best.sum(axis=1, keepdims=True), 1)
    return pd.DataFrame(shares, index=scores.index, columns=scores.columns)


def label_sums(pool: Assessments, aspects: Sequence[str] | None = None, as_shares: bool = False) -> FloatArray:
    """Return the (P,) sum of each document's labels, counted from 0 for the worst; nan if it has no label.

    Raises InputError for a column without grades.
    """
    names = list(aspects if aspects is not None else pool.aspects)
    if not names:
        raise InputError("expected at least one aspect with grades, found none")
    labels = np.array([_from_worst(pool.column(name), pool.scale(name), as_shares) for name in names])
    known = ~np.isnan(labels)
    return np.where(known.any(axis=0), np.where(known, labels, 0.0).sum(axis=0), np.nan)


def _check_depth(depth: int) -> None:
    if depth < 1:
        raise InputError(f"expected a depth of 1 or more, found {depth}")


def _from_worst(values: FloatArray, scale: Scale, as_share: bool) -> FloatArray:
    if scale.kind != "grades":
        raise InputError(f"expected an aspect with grades, found the signal {scale.name}")
    best, sign = (scale.low, -1) if scale.good == "low" else (scale.high, 1)
    labels: FloatArray = np.maximum(sign * (values - scale.zero), 0.0)
    longest = max(sign * (best - scale.zero), 0.0)
    return labels / (longest or 1.0) if as_share else labels


def _counted(
    tables: Mapping[str, pd.DataFrame],
    collection: HasPoolAndRankings,
    aspects: Sequence[str] | None,
    bands: Bands,
    as_shares: bool,
) -> pd.DataFrame:
    """Return a table by measure and band: documents, unassessed, zero (all labels worst), total (sum of all labels)."""
    pool, rankings = assessments_of(collection), collection.rankings
    refuse_no_frames(tables)
    sums = label_sums(pool, aspects, as_shares)[rankings.row]
    lines, known = len(rankings.indptr) - 1, ~np.isnan(sums)
    counts = {}
    for first, last in bands:
        inside = known & (rankings.rank >= first) & (rankings.rank <= last)
        line, label = rankings.hit_row[inside], sums[inside]
        documents = np.clip(rankings.length.ravel() - first + 1, 0, last - first + 1)
        unassessed = documents - np.bincount(line, minlength=lines)
        zero, total = (np.bincount(line, values, minlength=lines) for values in (label == 0, label))
        counts[str(first) if first == last else f"{first}-{last}"] = (documents, unassessed, zero, total)
    rows = []
    for text, scores in tables.items():
        sharing = _sharing(scores, pool, rankings)
        rows += [(text, name, *(_shared(value, sharing) for value in counted)) for name, counted in counts.items()]
    return pd.DataFrame(rows, columns=["measure", "ranks", "documents", "unassessed", "zero", "total"])


def _sharing(scores: pd.DataFrame, pool: Assessments, rankings: Rankings) -> IntArray:
    """Return, for each system and topic (S * T,), the number of tied best systems; 0 for a system that is not best."""
    for kind, index, known in (("topic", scores.index, pool.topics), ("system", scores.columns, rankings.systems)):
        if unknown := [str(name) for name in index if name not in set(known)]:
            raise InputError(f"expected {kind}s of the collection, found {', '.join(unknown[:5])}")
    shares = best_shares(scores).reindex(index=pool.topics, columns=rankings.systems, fill_value=0.0)
    share = shares.to_numpy().T.ravel()
    return np.where(share > 0, np.rint(1 / np.where(share > 0, share, 1.0)), 0).astype(int)


def _shared(counts: IntArray | FloatArray, sharing: IntArray) -> float:
    """Return the sum of counts, each divided by the number of systems that share its topic."""
    # sum before dividing: three thirds do not always make a whole in floats
    by_number = np.bincount(sharing, weights=counts)[1:]
    return float((by_number / np.arange(1, len(by_number) + 1)).sum())
