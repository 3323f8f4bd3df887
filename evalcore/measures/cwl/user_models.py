"""The reader that a measure has in mind: curves and numbers of how they go down rankings, for every measure with one.

Shapes: S systems, T topics, n ranks down to a horizon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError
from evalcore.measures.base import LEFT_OUT, GainMeasure, HasPoolAndRankings, Measure, as_measure, one_list, unwrapped
from evalcore.measures.cwl.expected_utility import costs_of
from evalcore.measures.parts.hits import assessed
from evalcore.measures.parts.reading import HORIZON, Ranks, Reading
from evalcore.measures.paths import with_path
from evalcore.notation.values import Range
from evalcore.structures.documents import Assessments, Rankings

NUMBERS = ("utility", "total utility", "cost", "total cost", "depth")
NEARLY = 1e-6  # of a rank
LEAST_COST = 1.0  # of a document at best, whose cost is not known
_LINES = 256  # that are read at once, over all ranks


@dataclass(frozen=True)
class UserModel:
    """The reader of a measure: C(k), W(k) and L(k), and the expected reading, gain and cost.

    `horizon` is the last rank there is; a ranking that ends above it is followed by documents of no worth, as in
    cwl_eval (Azzopardi, Thomas & Moffat 2019). `highest` is the gain of an unassessed document at best.
    """

    measure: GainMeasure
    source: str = ""
    horizon: int = HORIZON
    highest: float = 1.0

    def of(self, *rankings: Sequence[float | None]) -> Reading:
        """One ranking as it is read, given as `Measure.of` takes it: for each column the labels from rank 1 on.

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
        """C, W and L at the first ranks, over all rankings of a collection: ranks x continuation, weight, last.

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

    def numbers(
        self, collection: HasPoolAndRankings, cost: str = "", other_cost: float | None = None, residual: bool = False
    ) -> dict[str, pd.DataFrame]:
        """Return the expected gain and cost of readers: a frame of topics x systems for each of `NUMBERS`.

        utility and cost are those of each rank read, total utility and total cost of a whole reading, depth is in
        ranks. `cost` names the column of what documents cost, `other_cost` is that of a document without one; without
        them they are the measure's own, or 1. With `residual`, how much each rises, or falls, if unassessed documents
        gain `highest` and documents of unknown cost cost 1.
        """
        pool = self._pool(collection)
        by_name = self._numbers(pool, collection.rankings, self._costs(pool, cost, other_cost))
        if residual:
            best = self._costs(pool, cost, LEAST_COST)
            by_name = self._numbers(pool, collection.rankings, best, best=True) - by_name
        covered = self.measure.covered(pool)
        topics, systems = (pd.Index(names, name=name, dtype=object) for names, name in (
            (pool.topics, "topic"), (collection.rankings.systems, "system")))  # fmt: skip
        frames = np.where(covered, by_name, np.nan).swapaxes(1, 2)
        return {name: pd.DataFrame(numbers, topics, systems) for name, numbers in zip(NUMBERS, frames, strict=True)}

    def means(self, collection: HasPoolAndRankings) -> pd.DataFrame:
        """The numbers of `numbers` as means over topics, and their residuals: systems x (5 numbers, 5 residuals).

        >>> from evalcore.data import collection
        >>> c = collection({"s": {"t": {"a": 2.0, "b": 1.0}}}, {"t": {"a": 1}})
        >>> user_model("P@2").means(c).loc["s", ["utility", "depth", "residual utility"]].tolist()
        [0.5, 2.0, 0.5]
        """
        residuals = self.numbers(collection, residual=True)
        frames = self.numbers(collection) | {f"residual {name}": frame for name, frame in residuals.items()}
        return pd.DataFrame({name: frame.mean() for name, frame in frames.items()})

    def _costs(self, pool: Assessments, cost: str = "", other: float | None = None) -> tuple[FloatArray, float]:
        """(P,) what documents cost, and what others do: as given, else as the measure has it."""
        column = cost or getattr(self.measure.scorer, "cost", "")
        of_others = getattr(self.measure.scorer, "other_cost", 1.0) if other is None else other
        known = costs_of(pool, column, of_others) if column else np.full(len(pool), of_others)
        return known, of_others

    def _numbers(
        self, pool: Assessments, rankings: Rankings, costs: tuple[FloatArray, float], best: bool = False
    ) -> FloatArray:
        """(5, S, T) the numbers."""
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
        """All rankings, some at a time; at best, what is not assessed gains all there is."""
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
        """(lines, n) a value for each rank of some lines."""
        dense = np.full((end - begin, self.horizon), other)
        hits = slice(rankings.indptr[begin], rankings.indptr[end])
        line, rank, row = rankings.hit_row[hits] - begin, rankings.rank[hits], rankings.row[hits]
        inside = rank <= self.horizon
        dense[line[inside], rank[inside] - 1] = values[row[inside]]
        return dense


def user_model(measure: Measure | str, horizon: int | None = None, highest: float = 1.0) -> UserModel:
    """The reader that a measure has in mind; `horizon`: that of the measure, else 1,000 ranks.

    Raises InputError for a measure without one, such as Bpref or CAM, and for one that passes over unassessed
    documents.

    >>> float(user_model("P@5").of([1, 0, 0]).depth)
    5.0
    """
    inside, source = unwrapped(as_measure(measure, None))
    if not isinstance(inside, GainMeasure):
        raise InputError("expected a measure with a user model, such as RBP, INST or P@10, found another", str(measure))
    if inside.unassessed == LEFT_OUT:
        raise InputError("expected a measure whose reader reads every document, found judged_only=True", str(measure))
    inside.scorer.continuation(Ranks.of(np.zeros(1)))  # refuses what has none
    own: int = getattr(inside.scorer, "horizon", HORIZON)
    return UserModel(inside, source, horizon or own, highest)


def has_user_model(measure: Measure | str) -> bool:
    """Return whether a measure has a reader.

    >>> has_user_model("INST"), has_user_model("Bpref")
    (True, False)
    """
    try:
        user_model(measure)
    except InputError:
        return False
    return True


def expected_depth(measure: Measure | str, collection: HasPoolAndRankings | None = None) -> float:
    """Return the expected number of ranks that the reader of a measure reads, on a mean ranking of a collection or of
    no use.

    >>> round(expected_depth("RBP(rho=0.9)"), 6), round(expected_depth("nDCG@2"), 4)
    (10.0, 1.6309)
    """
    model = user_model(measure)
    if collection is None:
        ranks = Ranks.of(np.zeros(model.horizon))
        return float(Reading(ranks, model.measure.scorer.continuation(ranks)).depth)
    return float(np.nanmean(model.numbers(collection)["depth"].to_numpy()))


def at_depth(measure: Measure | str, depth: float, collection: HasPoolAndRankings | None = None) -> Measure:
    """The same measure with a reader who is expected to read down to `depth`: rho, T, k or the cut-off set for that.

    Which parameter is set is what its class calls `patience`. Readers who go by what they find are those of a
    collection's rankings, all systems and topics together, or without one those of a ranking of no use. A number is
    solved for to 6 digits; of cut-offs it is the one whose depth is nearest. Raises InputError if no value of the
    parameter leads there, and as `user_model` does.

    >>> str(at_depth("RBP", 5)), str(at_depth("P", 5)), str(at_depth("SDCG", 5))
    ('RBP(rho=0.8)', 'P@5', 'SDCG@12')
    """
    measure = as_measure(measure, collection)
    model = user_model(measure)
    path, within = _path_of_patience(model.measure), _within(model.measure)

    def depth_at(value: float) -> float:
        return expected_depth(with_path(measure, path, value), collection)

    value = _nearest_whole(depth_at, depth) if within.step == 1 else _solved(depth_at, depth, within)
    if value is None:
        raise InputError(f"expected a depth that some {path} leads to, found {depth:g}", str(measure))
    return with_path(measure, path, value)


def all_at_depth(measures: Iterable[Measure | str], depth: float) -> dict[str, Measure]:
    """Each of several measures, by its text, as `at_depth` has it; as it is where it has no such reader.

    >>> [str(one) for one in all_at_depth(["RBP", "Bpref"], 5).values()]
    ['RBP(rho=0.8)', 'Bpref']
    """
    return {str(measure): _at_depth_or_as_it_is(as_measure(measure, None), depth) for measure in measures}


def _at_depth_or_as_it_is(measure: Measure, depth: float) -> Measure:
    try:
        return at_depth(measure, depth)
    except InputError:
        return measure


def _path_of_patience(measure: GainMeasure) -> str:
    """The path of the parameter that says how far a reader goes: of the measure, of its base, of its discount."""
    scorer = measure.scorer
    return scorer.patience if scorer is measure else f"base.{scorer.patience}"


def _within(measure: GainMeasure) -> Range:
    """Return the range of that parameter. Raises InputError if it has none."""
    inside: Any = measure.scorer
    *parts, name = inside.patience.split(".")
    for part in parts:
        inside = getattr(inside, part)
    if name not in inside.parameters():
        raise InputError("expected a measure with a parameter for how far its reader goes, found none", str(measure))
    within: Range = inside.parameters()[name].metadata["range"]
    return within


def _solved(depth_at: Callable[[float], float], depth: float, within: Range) -> float | None:
    """The value that leads to a depth, to 6 digits."""
    from scipy.optimize import brentq

    low = within.low + (1e-9 if within.open_low else 0.0)
    high = within.high - 1e-9 if np.isfinite(within.high) else 1e9
    # Half-lives and the like reach far: they are looked for by their logarithm.
    far = high > 1
    there, back = (np.log, np.exp) if far else (lambda x: x, lambda x: x)
    edges = there(max(low, 1e-9)), there(high)
    gap_low, gap_high = (depth_at(float(back(edge))) - depth for edge in edges)
    if min(abs(gap_low), abs(gap_high)) < NEARLY:
        return float(f"{back(edges[abs(gap_high) < NEARLY]):.6g}")
    if gap_low * gap_high > 0:
        return None
    root = brentq(lambda x: depth_at(float(np.clip(back(x), low, high))) - depth, *edges, xtol=1e-10, rtol=1e-10)
    return float(f"{back(root):.6g}")


def _nearest_whole(depth_at: Callable[[float], float], depth: float) -> int | None:
    """The whole number whose depth is nearest; of two as near the smaller."""
    low, high = 1, HORIZON
    if not depth_at(low) - 0.5 < depth <= depth_at(high) + 0.5:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if depth_at(middle) >= depth else (middle + 1, high)
    near = [value for value in (low - 1, low) if value >= 1]
    return min(near, key=lambda value: abs(depth_at(value) - depth))
