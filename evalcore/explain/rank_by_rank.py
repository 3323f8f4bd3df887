"""Read one ranking from the top: every document with its labels and its contribution to the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.common.lazy_imports import pd
from evalcore.common.rounding import TIE, first_largest
from evalcore.common.short_forms import shown
from evalcore.errors import InputError, place_of
from evalcore.explain.arithmetic import Arithmetic, arithmetic
from evalcore.measures.aggregates import CAM
from evalcore.measures.base import Measure, as_measure, unwrapped
from evalcore.measures.parts.gains import relevant
from evalcore.structures.documents import RELEVANCE, Assessments, Collection, Rankings, natural_key

CUT = "cut"  # key in a table's attrs: "sum so far" holds scores of the ranking cut after each rank


@shown
@dataclass(frozen=True, eq=False)
class LargestGap:
    """The rank at which one ranking gains most on another, the gain at this rank, and the lead over all ranks."""

    rank: int
    gain: float
    lead: float


def walk(measure: Measure, pool: Assessments, rankings: Rankings, system: int, topic: int, depth: int) -> pd.DataFrame:
    """Return a row for each of the first `depth` ranks of a system on a topic, with labels from the measure's source.

    Columns: document ("" if unassessed) and its value on every aspect and signal (nan if not assessed); for a sum over
    ranks also `adds` and `sum so far`, which reaches the score at the end of the ranking; for a sum of gains also
    `gain` and `discount`.

    >>> from evalcore.data.small_collections import small_collection
    >>> from evalcore.measures import RBP
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"s": ["b", "x", "a"]})
    >>> walk(RBP(rho=0.5), c.assessments, c.rankings, 0, 0, 3)[["document", "relevance", "adds"]].values.tolist()
    [['b', 0.0, 0.0], ['', nan, 0.0], ['a', 1.0, 0.125]]
    """
    measure, source = unwrapped(measure.meant_of(pool))
    pool = pool.judged_by(source) if source else pool
    count = min(int(rankings.length[system, topic]), depth)
    places, rows = rankings.hits(system, topic, count)
    table = pd.DataFrame(index=pd.RangeIndex(1, count + 1, name="rank"))
    documents = np.full(count, "", dtype=object)
    documents[places] = pool.documents[rows]
    table["document"] = documents
    for name, values in pool.columns.items():
        column = np.full(count, np.nan)
        column[places] = values[rows]
        table[name] = column
    added = _added(measure, pool, rankings, system, topic)
    if not len(added.columns):
        return table
    added = added.reindex(table.index).fillna(0.0)  # ranks after the cut-off add nothing
    return table.join(added.assign(**{"sum so far": added["adds"].cumsum()}))


def read_down(
    measure: Measure | str, collection: Collection, system: str, topic: str, depth: int | None = None
) -> pd.DataFrame:
    """Return the table of `walk` for a system and a topic, given by name.

    It ends at `depth`, or at the end of the ranking. If the measure is not a sum over ranks, `sum so far` is the score
    of the ranking cut after each rank, `adds` is its increase, and `attrs["cut"]` is set. If qrels have subtopics, the
    column `subtopics` lists those to which a document is relevant, and `new` those without a relevant document above.
    Raises InputError for an unknown name.

    >>> from evalcore.data.small_collections import small_collection
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"s": ["b", "x", "a"]})
    >>> read_down("RBP(rho=0.5)", c, "s", "topic")["sum so far"].tolist()
    [0.0, 0.0, 0.125]
    """
    s, t = place_of(system, collection.systems, "a system"), place_of(topic, collection.topics, "a topic")
    rankings = collection.rankings
    count = int(rankings.length[s, t]) if depth is None else depth
    table = walk(as_measure(measure, collection), collection.assessments, rankings, s, t, count)
    if "adds" not in table:
        grown = _as_it_grows(as_measure(measure, collection), collection, rankings, s, t, len(table))
        if grown is not None:
            table = table.assign(**{"adds": np.diff(grown, prepend=0.0), "sum so far": grown})
            table.attrs[CUT] = True
    of = subtopics_of(collection, topic)
    return table if of is None else _with_subtopics(table, of)


def _as_it_grows(
    measure: Measure, collection: Collection, rankings: Rankings, system: int, topic: int, count: int
) -> FloatArray | None:
    """Return the (count,) scores of a ranking cut after each rank; None if they cannot be computed from labels."""
    if not isinstance(collection, Collection) or collection.more or not count or not measure.columns:
        return None
    places, rows = rankings.hits(system, topic, count)
    cuts = np.arange(1, count + 1)
    inside = places < cuts[:, None]
    lengths = np.zeros((count, rankings.n_topics), dtype=int)
    lengths[:, topic] = cuts
    hits = np.zeros_like(lengths)
    hits[:, topic] = inside.sum(axis=1)
    at = np.nonzero(inside)[1]
    starts, names = np.append(0, np.cumsum(hits)), tuple(map(str, cuts))
    cut = Rankings(names, rankings.n_topics, rankings.n_pool, starts, places[at] + 1, rows[at], lengths)
    try:
        return measure.scores_on(replace(collection, rankings=cut))[:, topic]
    except InputError:
        return None


def subtopics_of(collection: Collection, topic: str) -> dict[str, list[str]] | None:
    """Map each subtopic of a topic to the documents relevant to it on the leading aspect; None without subtopics.

    >>> from evalcore.data import collection
    >>> labels = pd.DataFrame({"topic": "t", "subtopic": ["1", "2"], "document": ["a", "b"], "grade": [1, 0]})
    >>> subtopics_of(collection({"s": {"t": {"a": 1.0}}}, labels), "t")
    {'1': ['a'], '2': []}
    """
    every = getattr(collection, "subtopics", None)
    if every is None:
        return None
    scale = collection.assessments.scale(RELEVANCE)
    own = every[(every["aspect"] == scale.name) & (every["topic"] == topic)]
    positive = relevant(None).of(scale.judged(own["grade"].to_numpy(dtype=float)), scale) > 0
    names = sorted(own["subtopic"].astype(str).unique(), key=natural_key)
    of = own["subtopic"].astype(str)
    return {name: own["document"][positive & (of == name)].tolist() for name in names}


def _with_subtopics(table: pd.DataFrame, of: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    met, columns = set[str](), {"subtopics": list[str](), "new": list[str]()}
    for document in table["document"]:
        names = [name for name, documents in of.items() if document in documents]
        columns["subtopics"].append(", ".join(names))
        columns["new"].append(", ".join(name for name in names if name not in met))
        met.update(names)
    return table.assign(**columns)


def largest_gap(adds: Sequence[float], others: Sequence[float]) -> LargestGap | None:
    """Return the rank at which the first ranking gains most on the second (or loses most, if it is behind).

    Of equal gains, the first counts. None if the scores are tied.

    >>> largest_gap([0.5, 0.25], [0.5, 0.0])
    LargestGap(rank=2, gain=0.25, lead=0.25)
    """
    count = max(len(adds), len(others))
    first, second = (np.pad(np.asarray(values, dtype=float), (0, count - len(values))) for values in (adds, others))
    gaps = first - second
    lead = float(gaps.sum())
    if abs(lead) <= TIE * max(np.abs(first).sum(), np.abs(second).sum()):
        return None
    rank = int(first_largest(gaps * np.sign(lead)))
    return LargestGap(rank + 1, float(gaps[rank]), lead)


def _added(measure: Measure, pool: Assessments, rankings: Rankings, system: int, topic: int) -> pd.DataFrame:
    """Return the contribution of each rank to the score; no columns for a measure that is not a sum over ranks."""
    try:
        if isinstance(measure, CAM):
            parts = [_adds(arithmetic(part, pool, rankings, system, topic)) for part in measure.parts]
            adds = pd.concat(parts, axis=1).fillna(0.0).to_numpy() @ measure.shares
            return pd.DataFrame({"adds": adds}, index=pd.RangeIndex(1, len(adds) + 1))
        table = arithmetic(measure, pool, rankings, system, topic)
    except InputError:
        return pd.DataFrame()
    return table.terms[["gain", "discount"]].assign(adds=_adds(table))


def _adds(table: Arithmetic) -> pd.Series:
    shares: FloatArray = divided(table.terms["contribution"].to_numpy(), table.normaliser)
    return pd.Series(shares, index=table.terms.index)
