"""Measures of novelty and diversity: topics have subtopics, and a document is relevant or not to each of them.

Grades by subtopic come from qrels with subtopics in their second column (`Collection.subtopics`); in a collection
without such qrels, each topic is its only subtopic. A subtopic counts if some document is relevant to it; M(t) is the
number of subtopics that count. In alpha-nDCG, ERR-IA, NRBP and their variants, a document is worth (1 - alpha)^c to a
subtopic if c documents above it are relevant to the same subtopic. These measures agree with ndeval, the tool of TREC's
Web track.

Shapes: P pool rows, S systems, T topics, Q subtopics, E pairs of a document and a subtopic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.lazy_imports import pd
from evalcore.common.rounding import first_largest
from evalcore.errors import InputError
from evalcore.measures.base import GainMeasure, HasPoolAndRankings, Measure, where_covered
from evalcore.measures.dcg import CUTOFF, nDCG
from evalcore.measures.parts.discounts import Discount, Geometric, Logarithmic, Reciprocal
from evalcore.measures.parts.gains import Gain, rel_parameter, relevant
from evalcore.measures.parts.hits import places
from evalcore.measures.precision import AP
from evalcore.notation.formula import name_latex
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings

ALPHA = Range(0, 1, step=0.05)
WEIGHT = Range(0, 1_000_000)
MOVED = 3  # subtopics whose weights have sliders if none are given
INSIDE = Range(0, 1, open_low=True, open_high=True, step=0.05)


@dataclass(frozen=True, eq=False)
class Subtopics:
    """Grades of documents for subtopics: one entry for each pair of a document and a subtopic that has a grade."""

    topic: IntArray  # (Q,) topic of each subtopic
    nth: IntArray  # (Q,) number within its topic among the kept subtopics, from 0
    place: IntArray  # (Q,) number within its topic among all subtopics of the collection
    row: IntArray  # (E,) pool rows, ascending
    subtopic: IntArray  # (E,)
    grade: FloatArray  # (E,)

    @classmethod
    def of(cls, pool: Assessments, aspect: str, table: Any = None) -> Subtopics:
        """Return the pairs in a table of grades by subtopic; without a table, each topic is its only subtopic."""
        name = pool.scale(aspect).name
        own = None if table is None else table[table["aspect"] == name]
        if own is None or not len(own):
            row = np.flatnonzero(~np.isnan(pool.column(aspect)))
            topics = np.arange(len(pool.topics))
            only = np.zeros(len(topics), dtype=int)
            return cls(topics, only, only, row, pool.topic[row], pool.column(aspect)[row])
        topic = own["topic"].map({topic: at for at, topic in enumerate(pool.topics)}).to_numpy(dtype=float)
        keys = pd.MultiIndex.from_arrays([pool.topic, pool.documents])
        row = keys.get_indexer(pd.MultiIndex.from_arrays([topic, own["document"]]))
        known = np.flatnonzero(row >= 0)
        known = known[np.argsort(row[known], kind="stable")]
        pairs = pd.MultiIndex.from_arrays([topic[known].astype(int), own["subtopic"].to_numpy()[known]])
        factors: Any = pairs.factorize(sort=True)
        subtopic, names = factors
        of_topic = names.get_level_values(0).to_numpy()
        grade = pool.scale(aspect).judged(own["grade"].to_numpy(dtype=float)[known])
        nth = places(of_topic) - 1
        return cls(of_topic, nth, nth, row[known], subtopic, grade)

    def kept(self, which: Any) -> Subtopics:
        """Return only the entries selected by `which`, and only the subtopics of these entries, in unchanged order."""
        subtopic = self.subtopic[which]
        there = np.unique(subtopic)
        topic = self.topic[there]
        renumbered = np.searchsorted(there, subtopic)
        return Subtopics(topic, places(topic) - 1, self.place[there], self.row[which], renumbered, self.grade[which])

    def weighed(self, weights: tuple[float, ...]) -> FloatArray:
        """Return the (Q,) weights of subtopics: `weights` by position in the topic, and 1 for all other subtopics.

        If `weights` are given, all weights of a topic are scaled to sum to M, unless they are all 0.
        """
        if not weights:
            return np.ones(len(self.topic))
        given = np.append(np.array(weights, dtype=float), 1.0)[np.minimum(self.place, len(weights))]
        sums = np.bincount(self.topic, given)[self.topic] if len(given) else given
        return divided(given * np.bincount(self.topic)[self.topic], sums) if len(given) else given

    def counts(self, topics: int) -> FloatArray:
        """Return the (T,) numbers of subtopics of each topic, M."""
        return np.bincount(self.topic, minlength=topics).astype(float)


@dataclass(frozen=True, eq=False)
class Met:
    """Pairs of a ranked document and a subtopic to which it is relevant, in the order of rankings: arrays (N,)."""

    line: IntArray
    rank: IntArray
    subtopic: IntArray
    before: IntArray  # number of documents above that are relevant to the subtopic

    @classmethod
    def of(cls, subtopics: Subtopics, rankings: Rankings, depth: int | None) -> Met:
        start = np.searchsorted(subtopics.row, np.arange(rankings.n_pool + 1))
        hits = np.flatnonzero(rankings.rank <= (depth or math.inf))
        times = (start[1:] - start[:-1])[rankings.row[hits]]
        hit = np.repeat(hits, times)
        entry = start[rankings.row[hit]] + places(hit) - 1
        line, rank, subtopic = rankings.hit_row[hit], rankings.rank[hit], subtopics.subtopic[entry]
        group = line * (len(subtopics.topic) + 1) + subtopic
        order = np.argsort(group, kind="stable")  # the hits of a line are ordered by rank
        before = np.empty(len(hit), dtype=int)
        before[order] = places(group[order]) - 1
        return cls(line, rank, subtopic, before)


@dataclass(frozen=True)
class OfSubtopics(Measure, abstract=True):
    """A measure that reads grades by subtopic."""

    rel: float | None = rel_parameter()
    aspect: str = parameter("relevance", "the aspect to read")
    weights: tuple[float, ...] = parameter(
        (), "weights of the first, second, ... subtopic of a topic; others have weight 1", within=WEIGHT, role="weight"
    )
    reference: ClassVar[str] = "Clarke et al. 2008"

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self.score(Subtopics.of(pool, self.aspect), pool, rankings)

    def scores_on(self, collection: HasPoolAndRankings) -> FloatArray:
        pool = collection.assessments
        subtopics = Subtopics.of(pool, self.aspect, getattr(collection, "subtopics", None))
        return where_covered(self.score(subtopics, pool, collection.rankings), self.covered(pool))

    def score(self, subtopics: Subtopics, pool: Assessments, rankings: Rankings) -> FloatArray:
        """Return the (S, T) scores of rankings, given the pairs of documents and subtopics."""
        raise NotImplementedError

    def written_out(self, pool: Assessments | None = None) -> dict[str, Any]:
        """Return weights of 1 for the first three subtopics, which most topics have; empty if weights are listed."""
        return {} if self.weights else {"weights": (1.0,) * MOVED}

    def relevant(self, subtopics: Subtopics, pool: Assessments) -> Subtopics:
        """Return the pairs of a document and a subtopic to which the document is relevant."""
        return subtopics.kept(relevant(self.rel).of(subtopics.grade, pool.scale(self.aspect)) > 0)


@dataclass(frozen=True)
class Novelty(OfSubtopics, abstract=True):
    """(1 / N) * sum over ranks k of d(k) * sum over the subtopics of document k of (1 - alpha)^c.

    c is the number of documents above rank k that are relevant to the same subtopic. N is the same sum for a ranking
    whose documents are all relevant to all M subtopics; or, if a subclass sets `ideal`, for the topic's assessed
    documents in greedy order: the document that adds most comes next.
    """

    alpha: float = parameter(0.5, "share of the gain lost for each earlier document on a subtopic", within=ALPHA)
    ideal: ClassVar[bool] = False

    @property
    def discount(self) -> Discount:
        """The discount d: the weight of each rank."""
        raise NotImplementedError

    def score(self, subtopics: Subtopics, pool: Assessments, rankings: Rankings) -> FloatArray:
        pairs, depth = self.relevant(subtopics, pool), getattr(self, "cutoff", None)
        met = Met.of(pairs, rankings, depth)
        added = self.discount.of(max(rankings.depth, 1))[met.rank - 1] * (1 - self.alpha) ** met.before
        added = added * pairs.weighed(self.weights)[met.subtopic]
        sums = np.bincount(met.line, added, minlength=rankings.length.size).reshape(rankings.length.shape)
        if self.ideal:
            return divided(sums, greedy(pairs, pool, self.alpha, self.discount, depth, self.weights))
        return divided(sums, pairs.counts(len(pool.topics)) * self.most(depth))

    def most(self, depth: int | None) -> float:
        """Return the largest possible gain for one subtopic, reached if every document is relevant to it."""
        if depth is None:
            depth = 1000  # further ranks add nothing that a float can hold, unless alpha is 0
        weights = self.discount.of(depth)
        return float((weights * (1 - self.alpha) ** np.arange(depth)).sum())

    def right_side(self) -> str:
        last = getattr(self, "cutoff", None) or "K"
        most = r"\mathrm{ideal}" if self.ideal else r"M \sum_k d_k (1 - \alpha)^{k-1}"
        return (
            rf"\frac{{1}}{{{most}}} \sum_{{k=1}}^{{{last}}} d_k \sum_{{i \ni k}} (1 - \alpha)^{{c_{{i,k}}}},\quad "
            rf"\alpha = {self.alpha:g},\ d_k = {self.discount.latex()}"
        )


def greedy(
    pairs: Subtopics,
    pool: Assessments,
    alpha: float,
    discount: Discount,
    depth: int | None,
    given: tuple[float, ...] = (),
) -> FloatArray:
    """Return the (T,) sums of greedy rankings: the document that adds most comes next (ties: last id first).

    Finding the best ranking is NP-hard; ndeval uses the greedy ranking instead (Clarke et al. 2008).
    """
    sums, weighed = np.zeros(len(pool.topics)), pairs.weighed(given)
    for topic in np.unique(pairs.topic).tolist():
        mine = pairs.topic[pairs.subtopic] == topic
        rows = np.unique(pairs.row[mine])
        rows = rows[np.argsort(pool.documents[rows], kind="stable")[::-1]]
        row = np.argsort(rows)[np.searchsorted(np.sort(rows), pairs.row[mine])]
        names, name = np.unique(pairs.subtopic[mine], return_inverse=True)
        covers = np.zeros((len(rows), len(names)))
        covers[row, name] = 1.0
        worth, weights = weighed[names], discount.of(min(depth or len(rows), len(rows)))
        for weight in weights.tolist():
            gains = covers @ worth
            best = int(first_largest(gains))
            sums[topic] += weight * gains[best]
            worth *= 1 - alpha * covers[best]
            covers[best] = 0.0
    return sums


@dataclass(frozen=True)
class alphaDCG(Novelty, also=("alpha_DCG",)):
    """alpha-DCG: novelty discounted by 1 / log2(1 + k), as a share of its maximum for M subtopics.

    Clarke et al. 2008, 2009.

    >>> alphaDCG(cutoff=2).of([1, 0])  # 1 / (1 + 0.5 / log2(3))
    0.7601875334318685
    """

    cutoff: int | None = parameter(10, "deepest rank that counts", within=CUTOFF)
    discount = Logarithmic()


@dataclass(frozen=True)
class alphanDCG(alphaDCG, also=("alpha_nDCG",)):
    """alpha-nDCG: alpha-DCG / alpha-DCG of the topic's documents in greedy order (Clarke et al. 2008).

    >>> round(alphanDCG(cutoff=2).of([0, 1]), 4)  # (1 / log2(3)) / 1
    0.6309
    """

    ideal: ClassVar[bool] = True


@dataclass(frozen=True)
class ERRIA(Novelty, also=("ERR_IA",)):
    """Intent-aware ERR, in the binary form of ndeval: novelty discounted by 1 / k (Chapelle et al. 2011; Clarke 2011).

    It is the mean of ERR over subtopics, divided by its largest possible value; a relevant document satisfies readers
    with probability alpha. ERR with grades by subtopic is `IA(ERR)`.

    >>> ERRIA(cutoff=2).of([1, 0])  # 1 / (1 + 0.5 / 2)
    0.8
    """

    cutoff: int | None = parameter(10, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Chapelle, Ji, Liao, Velipasaoglu, Lai & Wu 2011"
    discount = Reciprocal()


@dataclass(frozen=True)
class nERRIA(ERRIA, also=("nERR_IA",)):
    """Normalised ERR-IA: ERR-IA / ERR-IA of the topic's documents in greedy order.

    >>> nERRIA(cutoff=2).of([0, 1])
    0.5
    """

    ideal: ClassVar[bool] = True


@dataclass(frozen=True)
class NRBP(Novelty):
    """Novelty- and rank-biased precision: novelty discounted by beta^(k - 1) (Clarke, Kolla & Vechtomova 2009).

    (1 - (1 - alpha) * beta) / M * sum over ranks k of beta^(k - 1) * sum over subtopics of (1 - alpha)^c,
    with c as in `Novelty`.

    >>> NRBP().of([1, 0])
    0.75
    """

    beta: float = parameter(0.5, "persistence: probability that the reader goes on to the next rank", within=INSIDE)
    reference: ClassVar[str] = "Clarke, Kolla & Vechtomova 2009"

    @property
    def discount(self) -> Discount:
        return Geometric(rho=self.beta)

    def most(self, depth: int | None) -> float:
        return 1 / (1 - (1 - self.alpha) * self.beta)


@dataclass(frozen=True)
class nNRBP(NRBP):
    """Normalised NRBP: NRBP / NRBP of the topic's documents in greedy order.

    >>> nNRBP().of([0, 1])
    0.5
    """

    ideal: ClassVar[bool] = True


@dataclass(frozen=True)
class STREC(OfSubtopics, also=("I_rec", "strec")):
    """Subtopic recall: the share of a topic's subtopics with a relevant document among the first K.

    Zhai, Cohen & Lafferty 2003; NTCIR calls it I-rec.

    >>> STREC(cutoff=1).of([0, 1]), STREC(cutoff=2).of([0, 1])
    (0.0, 1.0)
    """

    cutoff: int | None = parameter(10, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Zhai, Cohen & Lafferty 2003"

    def score(self, subtopics: Subtopics, pool: Assessments, rankings: Rankings) -> FloatArray:
        pairs = self.relevant(subtopics, pool)
        met = Met.of(pairs, rankings, self.cutoff)
        new, weighed = met.before == 0, pairs.weighed(self.weights)
        credit = np.bincount(met.line[new], weighed[met.subtopic[new]], minlength=rankings.length.size)
        credit = credit.reshape(rankings.length.shape)
        return divided(credit, pairs.counts(len(pool.topics)))

    def right_side(self) -> str:
        return rf"\frac{{1}}{{M}} \left|\bigcup_{{k \le {self.cutoff or 'K'}}} \{{i: i \ni k\}}\right|"


@dataclass(frozen=True)
class WithBase(Measure, abstract=True):
    """A measure built on a base measure, which comes first in its text."""

    base: GainMeasure = parameter(AP(), "the measure of each subtopic", positional=True)

    def of_one_aspect(self) -> Measure:
        return self.base

    def read_by(self, aspect: str) -> tuple[GainMeasure, Gain]:
        """Return the base for an aspect, and its gain function.

        Raises InputError unless the base reads exactly one aspect.
        """
        if not self.base.takes("aspect") or len(self.base.columns) != 1:
            raise InputError(f"expected a measure of one aspect, found {self.base}", str(self))
        base = self.base.with_(aspect=aspect)
        (gain,) = base.gain_functions().values()
        return base, gain


@dataclass(frozen=True)
class IA(OfSubtopics, WithBase):
    """The intent-aware form of any measure of one aspect: its mean over the topic's subtopics (Agrawal et al. 2009).

    Only subtopics with a relevant document count. `IA(AP)` is MAP-IA, `IA(P@10)` is P-IA@10 of ndeval.

    >>> IA(AP()).of([0, 1])
    0.5
    """

    reference: ClassVar[str] = "Agrawal, Gollapudi, Halverson & Ieong 2009"

    def score(self, subtopics: Subtopics, pool: Assessments, rankings: Rankings) -> FloatArray:
        base, gain = self.read_by(self.aspect)
        hit = relevant(self.rel).of(subtopics.grade, pool.scale(self.aspect)) > 0
        pairs = subtopics.kept(np.isin(subtopics.subtopic, subtopics.subtopic[hit]))
        total = np.zeros(rankings.length.shape)
        gains, weighed = gain.of(pairs.grade, pool.scale(self.aspect)), pairs.weighed(self.weights)
        for nth in range(int(pairs.nth.max(initial=-1)) + 1):
            mine = pairs.nth[pairs.subtopic] == nth
            of_rows = np.zeros(len(pool))
            of_rows[pairs.row[mine]] = gains[mine]
            of_topic = np.bincount(pairs.topic[pairs.nth == nth], weighed[pairs.nth == nth], len(pool.topics))
            total += of_topic * base.score_gains(of_rows, pool, rankings)
        return divided(total, pairs.counts(len(pool.topics)))

    def right_side(self) -> str:
        return rf"\frac{{1}}{{M}} \sum_i {name_latex(str(self.base))}_i"


@dataclass(frozen=True)
class DSharp(OfSubtopics, WithBase):
    """D#-measure: gamma * I-rec@K + (1 - gamma) * the base, which reads global gains (Sakai & Song 2011).

    The global gain of a document is its mean grade over the topic's equally likely subtopics; K is the base's cut-off.
    gamma = 0 is the D-measure.

    >>> DSharp(nDCG(cutoff=2)).of([0, 1])  # (1 + 1 / log2(3)) / 2
    0.8154648767857288
    """

    base: GainMeasure = parameter(nDCG(cutoff=10), "the measure that reads global gains", positional=True)
    gamma: float = parameter(0.5, "weight of subtopic recall", within=Range(0, 1, step=0.05))
    reference: ClassVar[str] = "Sakai & Song 2011"

    def score(self, subtopics: Subtopics, pool: Assessments, rankings: Rankings) -> FloatArray:
        base, gain = self.read_by(self.aspect)
        pairs = self.relevant(subtopics, pool)
        worths = gain.of(pairs.grade, pool.scale(self.aspect)) * pairs.weighed(self.weights)[pairs.subtopic]
        count = pairs.counts(len(pool.topics))[pool.topic]
        gains = divided(np.bincount(pairs.row, worths, minlength=len(pool)), count)
        recall = STREC(self.rel, self.aspect, self.weights, cutoff=base.depth).score(subtopics, pool, rankings)
        return self.gamma * recall + (1 - self.gamma) * base.score_gains(gains, pool, rankings)

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        return (0.0, max(self.base.bounds[1], 1.0))

    def right_side(self) -> str:
        rest = 1 - self.gamma
        return rf"{self.gamma:g} \cdot \mathrm{{I{{-}}rec}} + {rest:g} \cdot {name_latex('D-' + str(self.base))}"
