"""User models of measures: curves and numbers that describe a measure's reader.

Shapes: S systems, T topics, n ranks down to a horizon.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError
from evalcore.measures.base import LEFT_OUT, GainMeasure, HasPoolAndRankings, Measure, as_measure, one_list, unwrapped
from evalcore.measures.cwl.expected_utility import costs_of
from evalcore.measures.parts.hits import assessed
from evalcore.measures.parts.reading import HORIZON, Ranks, Reading
from evalcore.structures.documents import Assessments, Rankings

NUMBERS = ("utility", "total utility", "cost", "total cost", "depth")
LEAST_COST = 1.0  # lowest cost assumed for a document of unknown cost
_LINES = 256  # lines read at once, over all ranks


@dataclass(frozen=True)
class UserModel:
    """The reader of a measure: C(k), W(k) and L(k), and the expected depth, gain and cost.

    `horizon` is the last rank; a shorter ranking is filled up with documents without gain, as in cwl_eval (Azzopardi,
    Thomas & Moffat 2019). `highest` is the largest gain that an unassessed document may have.
    """

    measure: GainMeasure
    source: str = ""
    horizon: int = HORIZON
    highest: float = 1.0

    def of(self, *rankings: Sequence[float | None]) -> Reading:
        """Return the reading of one ranking, given as in `Measure.of`: for each column the labels from rank 1 on.

        >>> reading = user_model("RBP(rho=0.5)").of([1, 0, 1])
        >>> reading.continuation[:2].tolist(), reading.weight[:2].tolist(), reading.last[:2].tolist()
        ([0.5, 0.5], [0.5, 0.25], [0.5, 0.25])
        >>> float(reading.depth), float(reading.utility), float(reading.total_utility)
        (2.0, 0.625, 1.25)
        """
        pool, ranking = one_list(self.measure, rankings)
        read = next(self._readings(pool, ranking, self._costs(pool)))
        return Reading(Ranks.of(read.ranks.gain[0], read.ranks.cost[0]), read.continuation[0])

    def curves(self, collection: HasPoolAndRankings, ranks: int = 25) -> pd.DataFrame:
        """Return C, W and L at the first ranks over all rankings: a frame of ranks x continuation, weight, last.

        W and L are means over systems and topics; C is the share of the readers at a rank who go on.
        """
        pool, shown = self._pool(collection), np.zeros((4, ranks))
        for reading in self._readings(pool, collection.rankings, self._costs(pool)):
            every = (reading.survival, reading.survival * reading.continuation, reading.weight, reading.last)
            shown += np.array([numbers[..., :ranks].sum(axis=0) for numbers in every])
        reached, gone_on, weight, last = shown
        count = collection.rankings.length.size
        curves = {"continuation": divided(gone_on, reached), "weight": weight / count, "last": last / count}
        return pd.DataFrame(curves, index=pd.RangeIndex(1, ranks + 1, name="rank"))

    def numbers(self, collection: HasPoolAndRankings, residual: bool = False) -> dict[str, pd.DataFrame]:
        """Return the expected gain and cost of readers: a frame of topics x systems for each of `NUMBERS`.

        Utility and cost are per rank read, total utility and total cost per whole reading; depth is in ranks. Documents
        have the costs that the measure defines, or 1. With `residual`, each result is a change: the amount by which the
        number rises or falls if unassessed documents gain `highest`, and every unknown cost is 1.
        """
        pool = self._pool(collection)
        by_name = self._numbers(pool, collection.rankings, self._costs(pool))
        if residual:
            best = self._costs(pool, LEAST_COST)
            by_name = self._numbers(pool, collection.rankings, best, best=True) - by_name
        covered = self.measure.covered(pool)
        topics, systems = (pd.Index(names, name=name, dtype=object) for names, name in (
            (pool.topics, "topic"), (collection.rankings.systems, "system")))  # fmt: skip
        frames = np.where(covered, by_name, np.nan).swapaxes(1, 2)
        return {name: pd.DataFrame(numbers, topics, systems) for name, numbers in zip(NUMBERS, frames, strict=True)}

    def _costs(self, pool: Assessments, other: float | None = None) -> tuple[FloatArray, float]:
        """Return the (P,) costs of documents, and the cost outside the pool: `other`, or else the measure's."""
        column = getattr(self.measure.scorer, "cost", "")
        of_others = getattr(self.measure.scorer, "other_cost", 1.0) if other is None else other
        known = costs_of(pool, column, of_others) if column else np.full(len(pool), of_others)
        return known, of_others

    def _numbers(
        self, pool: Assessments, rankings: Rankings, costs: tuple[FloatArray, float], best: bool = False
    ) -> FloatArray:
        """Return the values of all `NUMBERS` as (5, S, T); with `best`, unassessed documents gain `highest`."""
        parts = [
            [reading.utility, reading.total_utility, reading.cost, reading.total_cost, reading.depth]
            for reading in self._readings(pool, rankings, costs, best)
        ]
        return np.concatenate(parts, axis=1).reshape(len(NUMBERS), *rankings.length.shape)

    def _pool(self, collection: HasPoolAndRankings) -> Assessments:
        return collection.assessments.judged_by(self.source) if self.source else collection.assessments

    def _readings(
        self, pool: Assessments, rankings: Rankings, costs: tuple[FloatArray, float], best: bool = False
    ) -> Iterator[Reading]:
        """Yield the readings of all rankings, one block at a time; with `best`, unassessed documents gain `highest`."""
        gains, other_gain = self.measure.document_gains(pool), 0.0
        if best:
            known = np.all([assessed(pool, name) for name in self.measure.columns], axis=0)
            gains, other_gain = np.where(known, gains, self.highest), self.highest
        for begin in range(0, rankings.length.size, _LINES):
            end = min(begin + _LINES, rankings.length.size)
            gain = self._dense(gains, other_gain, rankings, begin, end)
            ranks = Ranks.of(gain, self._dense(*costs, rankings, begin, end))
            yield Reading(ranks, np.broadcast_to(self.measure.scorer.continuation(ranks), gain.shape))

    def _dense(self, values: FloatArray, other: float, rankings: Rankings, begin: int, end: int) -> FloatArray:
        """Return the (lines, n) values of the documents at each rank of some rankings; `other` outside the pool."""
        dense = np.full((end - begin, self.horizon), other)
        hits = slice(rankings.indptr[begin], rankings.indptr[end])
        line, rank, row = rankings.hit_row[hits] - begin, rankings.rank[hits], rankings.row[hits]
        inside = rank <= self.horizon
        dense[line[inside], rank[inside] - 1] = values[row[inside]]
        return dense


def user_model(measure: Measure | str, horizon: int | None = None, highest: float = 1.0) -> UserModel:
    """Return the user model of a measure; `horizon` is by default the horizon of the measure, or 1,000.

    Raises InputError for a measure without a user model, such as Bpref or CAM, and for one that skips unassessed
    documents.

    >>> float(user_model("P@5").of([1, 0, 0]).depth)
    5.0
    """
    inside, source = unwrapped(as_measure(measure, None))
    if not isinstance(inside, GainMeasure):
        raise InputError("expected a measure with a user model (RBP, INST, P@10, ...), found one without", str(measure))
    if inside.unassessed == LEFT_OUT:
        raise InputError("expected a measure whose reader reads every document, found judged_only=True", str(measure))
    inside.scorer.continuation(Ranks.of(np.zeros(1)))  # raises if there is none
    own: int = getattr(inside.scorer, "horizon", HORIZON)
    return UserModel(inside, source, horizon or own, highest)


def has_user_model(measure: Measure | str) -> bool:
    """Return whether a measure has a user model.

    >>> has_user_model("INST"), has_user_model("Bpref")
    (True, False)
    """
    try:
        user_model(measure)
    except InputError:
        return False
    return True
