"""Correlations of every pair of measures, over system means or topic by topic.

Scores are a mapping from each measure's name to a frame of topics x systems that declares if high or low is good.
Shapes: M measures, T topics. In every matrix, rows are the test and columns the reference; the direction matters only
for AP correlation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray
from scipy.special import stdtrit

from evalcore.common.arrays import FloatArray, divided
from evalcore.common.progress import part
from evalcore.common.short_forms import shown
from evalcore.common.statements_of_doubt import states
from evalcore.direction import has_gaps
from evalcore.drawing import heatmap
from evalcore.errors import InputError, check_level
from evalcore.meta.align import paired_frames, refuse_no_frame, refuse_no_frames, refuse_repeated
from evalcore.meta.correlation import Correlation, as_correlation
from evalcore.meta.order import TIE, means
from evalcore.meta.pairwise import all_pairs
from evalcore.meta.ranking_doubt import UNDEFINED, SampledMeans, interval_ends
from evalcore.meta.resampling import topic_resamples

Over = Literal["means", "topics"]
EQUIVALENT = 0.9
"""Rankings with a larger tau are treated as equivalent (Voorhees 2001; Maistro et al. 2021, section 4.3.1)."""

FEWEST_OF_MEAN = 20  # topics; with 10, Student's interval of a mean of correlations covers only 80 to 90%
DIGITS = 12  # to which distances are rounded before measures are grouped


@shown
@dataclass(frozen=True, eq=False)
class Intervals:
    """M x M limits of the correlations; `undefined` is the number of resamples without a value, which are left out.

    If a correlation has no valid interval, its limits are nan and `why` gives the reason; otherwise `why` is "".
    """

    low: pd.DataFrame
    high: pd.DataFrame
    undefined: pd.DataFrame
    why: pd.DataFrame


@shown
@dataclass(frozen=True, eq=False)
class CorrelationMatrix:
    """The correlation of every pair of measures; `intervals` is None unless resamples were requested."""

    correlation: Correlation
    values: pd.DataFrame  # M x M; topic by topic: the mean over the topics that have a value
    topics: tuple[str, ...]
    by_topic: FloatArray | None = None  # (T, M, M), nan if a topic has no value
    intervals: Intervals | None = None

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(self.values.index)

    @property
    def undefined_topics(self) -> pd.DataFrame:
        """M x M numbers of topics without a value; all 0 for correlations of system means.

        A topic has no value if one measure gives all systems the same score, or fewer than two systems have the topic.
        """
        count = 0 if self.by_topic is None else np.isnan(self.by_topic).sum(axis=0)
        return pd.DataFrame(count, self.values.index, self.values.columns)

    def of_topics(self, test: str, reference: str) -> pd.Series:
        """Return the correlation of two measures on every topic. Raises InputError for a matrix over system means."""
        if self.by_topic is None:
            raise InputError("expected a matrix of correlations topic by topic, found one of system means")
        row, column = self.measures.index(test), self.measures.index(reference)
        index = pd.Index(self.topics, name="topic", dtype=object)
        return pd.Series(self.by_topic[:, row, column], index=index, name=self.correlation.name)

    def pairs(self) -> pd.DataFrame:
        """Tabulate every pair of measures for export: test, reference, value, then interval and topics if known.

        Each pair has one row if the correlation is symmetric, otherwise two.
        """
        places = [(x, y) for x in range(len(self.measures)) for y in range(len(self.measures)) if self._counts(x, y)]
        names = [(self.measures[x], self.measures[y]) for x, y in places]
        table = pd.DataFrame(names, columns=["test", "reference"])
        for name, frame in self._columns().items():
            table[name] = [frame[place] for place in places]
        return table

    def _counts(self, x: int, y: int) -> bool:
        return x < y if self.correlation.symmetric else x != y

    def _columns(self) -> dict[str, NDArray[np.generic]]:
        columns: dict[str, NDArray[np.generic]] = {self.correlation.name: self.values.to_numpy()}
        if self.intervals is not None:
            columns |= {"low": self.intervals.low.to_numpy(), "high": self.intervals.high.to_numpy()}
            columns["undefined_resamples"] = self.intervals.undefined.to_numpy()
            columns["no_interval"] = self.intervals.why.to_numpy()
        if self.by_topic is not None:
            columns |= dict(zip(("lowest", "median", "highest"), _quantiles(self.by_topic, (0, 0.5, 1)), strict=True))
            columns["undefined_topics"] = self.undefined_topics.to_numpy()
        return columns

    def figure(self, **options: Any) -> Any:
        """Draw the correlations as a matrix, with measures that agree side by side."""
        return heatmap(self, **options)


@states("Correlations: separate {level} intervals over topics")
def correlation_matrix(
    scores: Mapping[str, pd.DataFrame],
    correlation: Correlation | str = "tau",
    over: Over = "means",
    *,
    n_resamples: int = 0,
    level: float = 0.95,
    seed: int = 0,
) -> CorrelationMatrix:
    """Return the correlations of every pair of measures.

    over : "means" correlates the systems' mean scores; "topics" correlates their scores on each topic, over the systems
    that have the topic, and averages over the topics with a value (Maistro et al. 2021, section 4.3.1; correlations of
    scores according to the erratum). With `n_resamples`, each correlation has an interval at `level` over topics, if a
    valid interval exists: for "means" the interval of `bootstrap_interval`, with the same resamples for all pairs; for
    "topics" Student's t interval of the mean, if there are FEWEST_OF_MEAN topics or more. Raises InputError if the
    measures were not scored on the same topics and systems; `shared_part` selects what all frames have.

    >>> x = pd.DataFrame({"a": [0.4, 0.2], "b": [0.1, 0.3]}, index=["t1", "t2"])
    >>> correlation_matrix({"x": x, "-x": -x}, over="topics").values.loc["x"].to_dict()
    {'x': 1.0, '-x': -1.0}
    """
    if over not in ("means", "topics"):
        raise InputError(f"expected `over` to be means or topics, found {over!r}")
    check_level(level)
    known, frames = as_correlation(correlation), _same_order(scores)
    stack = np.stack([frame.to_numpy(dtype=np.float64) for frame in frames], axis=1)  # (T, M, N)
    by_topic = _on_topics(known, stack) if over == "topics" else None
    with part(0, 3 if n_resamples and by_topic is None else 1):
        values = all_pairs(known, means(stack)[None])[0] if by_topic is None else _mean(by_topic)
    names = pd.Index(list(scores), dtype=object)
    frame = pd.DataFrame(values, names.rename("test"), names.rename("reference"))
    topics = tuple(map(str, frames[0].index))
    if not n_resamples:
        return CorrelationMatrix(known, frame, topics, by_topic)
    if by_topic is not None:
        return CorrelationMatrix(known, frame, topics, by_topic, _framed(_of_topics(by_topic, level), names))
    drawn = topic_resamples(len(topics), n_resamples, seed).astype(np.float64)
    return CorrelationMatrix(known, frame, topics, None, _framed(_of_means(known, stack, values, drawn, level), names))


def shared_part(scores: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return frames with only the topics, systems and scores that all frames have, in the order of the first frame.

    A frame has a topic if some system has a score for it. If all frames declare their gaps as known, a score that is
    missing in one becomes nan in all, and a system or topic left without scores is dropped. Raises InputError if fewer
    than two systems or no topic is left.

    >>> x = pd.DataFrame([[1, 2, 3]], ["t1"], ["a", "b", "c"])
    >>> shared_part({"x": x, "y": x[["c", "b"]]})["x"].columns.tolist()
    ['b', 'c']
    """
    frames = list(scores.values())
    for name, frame in scores.items():
        refuse_no_frame(frame, str(name))
        refuse_repeated(frame.index, "topic")
        refuse_repeated(frame.columns, "system")
    topics, systems = (
        _in_all(indexes) for indexes in ([_scored(frame) for frame in frames], [frame.columns for frame in frames])
    )
    if frames and (len(systems) < 2 or not len(topics)):
        raise InputError(
            f"expected at least 2 systems and 1 topic that all measures share, found {len(systems)} and {len(topics)}"
        )
    cut = {name: frame.loc[topics, systems] for name, frame in scores.items()}
    if not cut or not all(map(has_gaps, cut.values())):
        return cut
    gaps = np.any([frame.isna().to_numpy() for frame in cut.values()], axis=0)
    some_topics, some_systems = ~gaps.all(axis=1), ~gaps.all(axis=0)
    if some_systems.sum() < 2:
        raise InputError(f"expected at least 2 systems with scores that all measures share, found {some_systems.sum()}")
    return {name: frame.mask(gaps).loc[some_topics, some_systems] for name, frame in cut.items()}


def similar_together(values: pd.DataFrame) -> list[str]:
    """Return the measures of a matrix in an order in which similar ones are side by side.

    Complete-linkage clustering on 1 - correlation, with the leaves ordered so that neighbours are as alike as the tree
    allows (Bar-Joseph, Gifford, Jaakkola 2001). Of the two directions of a correlation, the smaller value counts; a
    missing value counts as -1. The measure given first is in the first half.
    """
    names: list[str] = list(values.index)
    if len(names) < 3:
        return names
    leaves: list[int] = scipy.cluster.hierarchy.leaves_list(_tree(values)).tolist()
    if leaves.index(0) > (len(names) - 1) / 2:
        leaves.reverse()
    return [names[leaf] for leaf in leaves]


def equivalent_groups(values: pd.DataFrame, threshold: float = EQUIVALENT) -> list[list[str]]:
    """Return groups of measures: all pairs within a group correlate by more than `threshold`, in both directions.

    Groups are branches of the tree of `similar_together`, cut at the threshold, so their members are neighbours in its
    order. Equivalence is not transitive: two measures of different groups may also exceed the threshold.

    >>> matrix = pd.DataFrame([[1, 0.95, 0.2], [0.95, 1, 0.3], [0.2, 0.3, 1]], list("abc"), list("abc"))
    >>> equivalent_groups(matrix)
    [['a', 'b'], ['c']]
    """
    names = similar_together(values)
    if len(names) < 2:
        return [names] if names else []
    labels = scipy.cluster.hierarchy.fcluster(_tree(values), 1 - threshold - TIE, criterion="distance")
    groups: dict[int, list[str]] = {label: [] for label in labels.tolist()}
    label_of = dict(zip(values.index, labels.tolist(), strict=True))
    for name in names:
        groups[label_of[name]].append(name)
    return sorted(groups.values(), key=lambda group: names.index(group[0]))


def named_pairs(
    columns: Mapping[str, Mapping[str, pd.DataFrame]],
    pairs: Iterable[tuple[str, str]],
    correlation: Correlation | str = "tau",
    over: Over = "topics",
) -> pd.DataFrame:
    """Tabulate correlations of chosen pairs of measures, one column per base, as in Maistro et al. 2021, Table 4.

    `columns` maps a base ("NDCG", "AP") to the scores of the measures that are built on it. With `over` "topics", a
    column beside each base has the number of topics with a value ("NDCG topics"). Raises InputError for a pair with an
    unknown measure.
    """
    listed = list(pairs)
    table: dict[str, list[float]] = {}
    for base, scores in columns.items():
        matrix = correlation_matrix(scores, correlation, over)
        if unknown := [name for pair in listed for name in pair if name not in matrix.measures]:
            raise InputError(f"expected pairs of {', '.join(matrix.measures)}, found {unknown[0]!r}", base)
        at = [[matrix.measures.index(name) for name in pair] for pair in listed]
        places = tuple(np.array(at, dtype=int).reshape(-1, 2).T)
        table[base] = matrix.values.to_numpy()[places].tolist()
        if over == "topics":
            defined = len(matrix.topics) - matrix.undefined_topics.to_numpy()
            table[f"{base} topics"] = defined[places].tolist()
    return pd.DataFrame(table, index=pd.Index([f"{a} - {b}" for a, b in listed], name="pair", dtype=object))


def _same_order(scores: Mapping[str, pd.DataFrame]) -> list[pd.DataFrame]:
    """Return the frames on their shared topics, with topics and systems in the order of the first frame.

    Raises InputError, which names the measure, if its systems or topics differ from those of the first frame.
    """
    refuse_no_frames(scores)
    first = next(iter(scores.values()))
    frames = []
    for name, frame in scores.items():
        try:
            frames.append(paired_frames(first, frame)[1])
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    shared = _in_all([frame.index for frame in frames])
    if not len(shared) and len(first):
        raise InputError("expected a topic with scores by all measures, found none")
    return [frame.loc[shared] for frame in frames]


def _scored(frame: pd.DataFrame) -> pd.Index:
    """Return the topics for which some system has a score."""
    return frame.index[frame.notna().any(axis=1)]


def _in_all(indexes: Sequence[pd.Index]) -> pd.Index:
    shared = indexes[0] if indexes else pd.Index([])
    for index in indexes[1:]:
        shared = shared[shared.isin(index)]
    return shared


def _on_topics(correlation: Correlation, stack: FloatArray) -> FloatArray:
    """Return (T, M, M) correlations of scores (T, M, N) by topic, over its systems; nan if there are fewer than two."""
    has = np.asarray(~np.isnan(stack).any(axis=1))
    whole = has.all(axis=1)
    values = np.full((len(stack), stack.shape[1], stack.shape[1]), np.nan)
    values[whole] = all_pairs(correlation, stack[whole])
    for topic in np.flatnonzero(~whole & (has.sum(axis=1) > 1)).tolist():
        values[topic] = all_pairs(correlation, stack[topic : topic + 1][:, :, has[topic]])[0]
    return values


def _framed(parts: Iterable[NDArray[np.generic]], names: pd.Index) -> Intervals:
    return Intervals(*(pd.DataFrame(part, names, names) for part in parts))


def _of_means(
    correlation: Correlation, stack: FloatArray, values: FloatArray, drawn: FloatArray, level: float
) -> tuple[NDArray[np.generic], ...]:
    """Return (M, M) arrays low, high, undefined, why for correlations of means of scores (T, M, N), counts (B, T)."""
    sampled = [SampledMeans.of(stack[:, at], drawn) for at in range(stack.shape[1])]
    drawn_means = [np.stack([getattr(sample, name) for sample in sampled], axis=1) for name in ("whole", "little")]
    with part(1, 3):
        whole = _in_resamples(correlation, drawn_means[0])
    with part(2, 3):
        little = _in_resamples(correlation, drawn_means[1])
    places = np.indices(values.shape).reshape(2, -1)
    rows, columns = places[:, places[0] <= places[1]] if correlation.symmetric else places
    pairs, at = np.stack([rows, columns], axis=1), (slice(None), rows, columns)
    ends = interval_ends(correlation, sampled, pairs, values[rows, columns], whole[at], little[at], level)
    answers = [np.empty(values.shape, dtype=bound.dtype) for bound in (ends.low, ends.high, ends.why)]
    for square, end in zip(answers, (ends.low, ends.high, ends.why), strict=True):
        square[columns, rows] = end  # fills the other half if the correlation is symmetric
        square[rows, columns] = end
    undefined = np.isnan(whole).sum(axis=0) + np.isnan(little).sum(axis=0)
    return answers[0], answers[1], undefined, answers[2]


def _in_resamples(correlation: Correlation, means: FloatArray) -> FloatArray:
    """Return (B, M, M) correlations of mean scores (B, M, N) in resamples; nan if a system has no drawn topic."""
    whole = ~np.isnan(means).any(axis=(1, 2))
    values = np.full((len(means), means.shape[1], means.shape[1]), np.nan)
    values[whole] = all_pairs(correlation, means[whole])
    return values


def _of_topics(by_topic: FloatArray, level: float) -> tuple[NDArray[np.generic], ...]:
    """Return (M, M) arrays low, high, undefined, why: Student's t intervals of mean correlations from (T, M, M)."""
    known = ~np.isnan(by_topic)
    count, mean = known.sum(axis=0), _mean(by_topic)
    squares = np.where(known, np.square(by_topic - mean), 0.0).sum(axis=0)
    deviation = np.sqrt(divided(squares, count - 1, np.nan))
    half = stdtrit(np.maximum(count - 1, 1), (1 + level) / 2) * divided(deviation, np.sqrt(count), np.nan)
    enough = count >= FEWEST_OF_MEAN
    few = f"fewer than {FEWEST_OF_MEAN} topics"
    why = np.select([count == 0, ~enough], [UNDEFINED, few], "").astype(object)
    low, high = (np.where(enough, np.clip(mean + side * half, -1.0, 1.0), np.nan) for side in (-1, 1))
    return low, high, np.zeros(count.shape, dtype=np.int64), why


def _mean(by_topic: FloatArray) -> FloatArray:
    """Return (M, M) means over the topics that have a value, nan if none has."""
    known = ~np.isnan(by_topic)
    return divided(np.where(known, by_topic, 0.0).sum(axis=0), known.sum(axis=0), np.nan)


def _quantiles(values: FloatArray, shares: Sequence[float]) -> FloatArray:
    """Return quantiles over the first axis, leaving out missing values; nan if all are missing."""
    result = np.full((len(shares), *values.shape[1:]), np.nan)
    known = ~np.isnan(values)
    whole, some = known.all(axis=0), known.any(axis=0)
    for chosen, quantile in ((whole, np.quantile), (some & ~whole, np.nanquantile)):  # the latter is slow: one by one
        if chosen.any():
            result[:, chosen] = quantile(values[:, chosen], shares, axis=0)
    return result


def _tree(values: pd.DataFrame) -> FloatArray:
    if not values.index.equals(values.columns):
        raise InputError(f"expected the same measures as rows and columns, found a table of shape {values.shape}")
    matrix = np.nan_to_num(values.to_numpy(dtype=np.float64), nan=-1.0)
    # rounded, so that equal distances are joined in the order given, despite rounding errors in means over topics
    distance = np.round(1 - np.minimum(matrix, matrix.T), DIGITS)
    np.fill_diagonal(distance, 0.0)
    return np.asarray(
        scipy.cluster.hierarchy.linkage(
            scipy.spatial.distance.squareform(distance, checks=False), "complete", optimal_ordering=True
        ),
        dtype=np.float64,
    )
