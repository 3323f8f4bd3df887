"""Measures: values that turn a pool and rankings into one score for each system and topic.

Shapes: P pool rows, S systems, T topics. Scores are (S, T). An unassessed document gains 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self, cast

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray
from evalcore.errors import InputError, no_collection, refuse_huge
from evalcore.measures.parts.gains import Gain
from evalcore.measures.parts.reading import Ranks
from evalcore.notation.formula import name_latex
from evalcore.notation.trec_eval import one_of_trec_eval
from evalcore.notation.values import Value, parameter, parse_value, written
from evalcore.structures.documents import Assessments, Good, Rankings, Scale, assumed_grades


class HasPoolAndRankings(Protocol):
    """The parts of a collection that measures read: labels and rankings."""

    @property
    def assessments(self) -> Assessments: ...
    @property
    def rankings(self) -> Rankings: ...


def assessments_of(collection: HasPoolAndRankings) -> Assessments:
    """Return the labels of a collection. Raises InputError for other values, such as a path."""
    try:
        return collection.assessments
    except AttributeError:
        raise no_collection(collection) from None


EARN_NOTHING, LEFT_OUT = "earn nothing", "are left out of the rankings"  # documents without a label


@dataclass(frozen=True)
class Measure(Value, abstract=True):
    """A measure of rankings. Subclasses define which columns they read and how they compute scores."""

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    good: ClassVar[Good] = "high"  # whether high or low scores are good
    reference: ClassVar[str] = ""
    weighs_topics: ClassVar[bool] = False  # true if topics are weighted by group
    unread: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # by part: names of parameters that the part ignores
    of_every: ClassVar[tuple[str, ...]] = ("source",)

    def with_(self, **changes: Any) -> Self:
        """Return the measure with changed parameters; `source` names the assessors whose labels it reads ("": default).

        With a source, the result is a `JudgedBy` around the measure. Raises InputError for an unknown name.

        >>> str(parse("RBP(rho=0.5)@10").with_(source="umbrela"))
        'RBP(rho=0.5, source="umbrela")@10'
        """
        source = changes.pop("source", "")
        changed = super().with_(**changes) if changes else self
        known = JudgedBy(changed, source) if source != "" else changed
        return cast(Self, known)  # it has all parameters of this class

    @property
    def columns(self) -> tuple[str, ...]:
        """The aspects and signals that the measure reads, in the order of the arguments of `of`."""
        one: str = getattr(self, "aspect", "")
        named: tuple[str, ...] = getattr(self, "names", (one,) if one else ())
        return named

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        """Return the (S, T) scores."""
        raise NotImplementedError

    def covered(self, pool: Assessments) -> BoolArray:
        """Mark the (T,) topics that the measure can score: topics with labels in every column that it reads."""
        return pool.covered(self.columns)

    def scores_on(self, collection: HasPoolAndRankings) -> FloatArray:
        """Return the (S, T) scores of a collection, nan on a topic that is not `covered`.

        Override it in a measure that needs more of a collection than its pool and rankings.
        """
        pool = collection.assessments
        return where_covered(self.scores(pool, collection.rankings), self.covered(pool))

    def scales_of(self, part: str, pool: Assessments) -> tuple[Scale, ...]:
        """Return the scales that a part (a parameter such as `base`) reads; () if it reads the scale of its column."""
        return ()

    def with_aspect_weights(self, weights: Mapping[str, float]) -> Measure | None:
        """Return the measure with these weights of aspects (1 if not listed); None if it does not weight aspects.

        Raises InputError if all weights are 0.
        """
        return None

    def of_one_aspect(self) -> Measure | None:
        """Return the inner measure, which reads a single aspect; None unless this measure combines aspects."""
        return None

    @property
    def combined(self) -> tuple[Measure, ...]:
        """The measures whose scores are combined; only this measure if it combines none."""
        return (self,)

    def combining(self, change: Callable[[Measure], Measure]) -> Measure:
        """Return the measure with a change applied to each measure that it combines."""
        return change(self)

    def scores_by(self, scores: Callable[[Measure], FloatArray]) -> FloatArray:
        """Return the (S, T) scores, combined from the results of `scores` for each measure that this one combines."""
        return scores(self)

    @property
    def unassessed(self) -> str:
        """The rule for documents without a label: "earn nothing", or the rules of the measures inside."""
        inner = [item for part in self.arguments().values() for item in (part if isinstance(part, tuple) else (part,))]
        rules = dict.fromkeys(measure.unassessed for measure in inner if isinstance(measure, Measure))
        return " or ".join(rules) or EARN_NOTHING

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        """Return the formula as LaTeX, with the current parameters; `scales` give the good end of each column."""
        return f"{name_latex(type(self).__name__)} = {self.right_side()}"

    def right_side(self) -> str:
        """Return the right side of the formula as LaTeX; not needed in a measure that defines `latex` itself."""
        raise NotImplementedError

    def _repr_latex_(self) -> str:
        """Return the formula for a notebook, as LaTeX."""
        return f"$\\displaystyle {self.latex()}$"

    def of(self, *rankings: Sequence[float | None]) -> float:
        """Return the score of one ranking, given as the values of its documents from rank 1 on, one list per column.

        No other documents are assessed. None, nan and grades below 0 mean not assessed.
        Raises InputError unless there is one list for each column, all of the same length.
        """
        return float(self.scores(*one_list(self, rankings))[0, 0])

    def meant_of(self, pool: Assessments) -> Measure:
        """Return the measure; if it combines aspects but names none, with the aspects of the pool filled in."""
        return self

    def assumed_scale(self, name: str, values: FloatArray) -> Scale:
        """Return the scale assumed for a plain list of labels: high is good, with the grades of `assumed_grades`."""
        return Scale(name, grades=assumed_grades(values) if len(values) else (0.0,))

    def _scale(self, name: str, scales: Mapping[str, Scale] | None) -> Scale:
        return (scales or {}).get(name) or self.assumed_scale(name, np.array([]))


@dataclass(frozen=True)
class GainMeasure(Measure, abstract=True):
    """A measure in two steps: the pool's columns become one gain per document, then the gains are scored.

    The gain is the product of one gain function per column (Zuccon 2016, Eq. 2).
    """

    def gain_functions(self) -> Mapping[str, Gain]:
        """Map each column to its gain function."""
        raise NotImplementedError

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        """Return the (S, T) scores of rankings for the (P,) gains of documents."""
        raise NotImplementedError

    def latex_of(self, gain: str) -> str:
        """Return the right side of the formula as LaTeX; `gain` is the LaTeX of a document's gain."""
        raise NotImplementedError(f"{type(self).__name__}.latex_of: the right side of its formula")

    @property
    def scorer(self) -> GainMeasure:
        """The measure that scores the gains: this one, or its base."""
        return self

    def needs_whole_pool(self, pool: Assessments) -> bool:
        """Return whether the gains on one topic depend on the labels of other topics."""
        gains = self.gain_functions().items()
        known = ((pool.find(name), gain) for name, gain in gains)
        return any(gain.needs_whole_pool(scale) for scale, gain in known if scale is not None)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.gain_functions())

    def continuation(self, ranks: Ranks) -> FloatArray:
        """Return C(k), (..., n): the probability of going on from each of these ranks to the next (see `Reading`).

        Raises InputError for a measure without a reader who goes down a ranking.
        """
        raise InputError("expected a measure with a user model (RBP, INST, P@10, ...), found one without", str(self))

    def above_cutoff(self, ranks: Ranks) -> BoolArray:
        """Mark the (n,) ranks before the cut-off, or all ranks if there is no cut-off."""
        return np.asarray(ranks.rank < (self.depth or np.inf))

    @property
    def depth(self) -> int | None:
        """The cut-off: the deepest rank that counts, or None."""
        cutoff: int | None = getattr(self, "cutoff", None)
        return cutoff

    def document_gains(self, pool: Assessments) -> FloatArray:
        """Return the (P,) gains of the documents in the pool."""
        product = np.ones(len(pool))
        for name, gain in self.gain_functions().items():
            product *= gain.of(pool.column(name), pool.scale(name))
        return product

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self.score_gains(self.document_gains(pool), pool, rankings)

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        parts = [
            gain.latex(f"{name_latex(name)}_k", self._scale(name, scales))
            for name, gain in self.gain_functions().items()
        ]
        product = r" \cdot ".join(parts)
        return f"{name_latex(type(self).__name__)} = {self.latex_of(product)}"


@dataclass(frozen=True)
class Joined(GainMeasure, abstract=True):
    """A measure that joins the labels of several aspects into one gain, which its base scores."""

    base: GainMeasure = parameter(help="the measure that scores the gains", positional=True)

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        return self.base.bounds

    @property
    def scorer(self) -> GainMeasure:
        return self.base.scorer

    def of_one_aspect(self) -> Measure:
        return self.base

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self.base.score_gains(gains, pool, rankings)


@dataclass(frozen=True)
class Around(Measure, abstract=True):
    """A measure that wraps another one and changes the rankings or labels that are scored, or the scores."""

    measure: Measure = parameter(help="the measure", positional=True)

    def covered(self, pool: Assessments) -> BoolArray:
        return self.measure.covered(pool)

    def meant_of(self, pool: Assessments) -> Measure:
        meant = self.measure.meant_of(pool)
        return self if meant is self.measure else self.with_(measure=meant)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.measure.columns

    @property
    def good(self) -> Good:  # type: ignore[override]
        return self.measure.good

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        return self.measure.bounds

    def scales_of(self, part: str, pool: Assessments) -> tuple[Scale, ...]:
        return self.measure.scales_of(part, pool)

    def assumed_scale(self, name: str, values: FloatArray) -> Scale:
        return self.measure.assumed_scale(name, values)


@dataclass(frozen=True)
class JudgedBy(Around, abstract=True):
    """A measure on the labels of one source (`Assessments.judged_by`); a measure inside may name a different source.

    The text is the measure's text, with the source inside the parentheses. `with_` passes all other parameters
    to the measure. A topic without labels by the source is not covered.

    >>> JudgedBy(parse("nDCG@10"), "umbrela") == parse('nDCG(source="umbrela")@10')
    True
    """

    source: str = parameter(help="the source whose labels are read", shown=True)
    misplaced: ClassVar[str] = "; give the source of labels for the whole measure, or for each part scored separately"

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.measure, JudgedBy):
            raise InputError(f"expected one source of labels, also found {self.measure.source!r}", repr(self.source))
        if not self.source:
            raise InputError('expected the name of a source of labels, found ""', str(self.measure))

    def __str__(self) -> str:
        cutoff = getattr(self.measure, "cutoff", None)
        end = "" if cutoff is None else f"@{cutoff}"
        head = str(self.measure).removesuffix(end)
        begin = f"{head[:-1]}, " if head.endswith(")") else f"{head}("
        return f"{begin}source={written(self.source)}){end}"

    def __getattr__(self, name: str) -> Any:
        """Return a parameter of the measure inside.

        Raises AttributeError for its other attributes, which would read the labels of the collection.
        """
        measure = self.__dict__.get("measure")
        if measure is not None and name in measure.parameters():
            return getattr(measure, name)
        raise AttributeError(name)

    def with_(self, **changes: Any) -> Self:
        own = {name: changes.pop(name) for name in ("measure", "source") if name in changes}
        measure, source = own.get("measure", self.measure), own.get("source", self.source)
        changed = (measure.with_(**changes) if changes else measure).with_(source=source)
        return cast(Self, changed)

    def takes(self, name: str) -> bool:
        return super().takes(name) or self.measure.takes(name)

    def written_out(self, pool: Assessments | None = None) -> dict[str, Any]:
        return self.measure.written_out(pool)

    def covered(self, pool: Assessments) -> BoolArray:
        return self.measure.covered(pool.judged_by(self.source))

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self.measure.scores(pool.judged_by(self.source), rankings)

    def scores_on(self, collection: HasPoolAndRankings) -> FloatArray:
        return self.measure.scores_on(self._on(collection))

    @property
    def combined(self) -> tuple[Measure, ...]:
        return self.measure.combined

    def combining(self, change: Callable[[Measure], Measure]) -> Measure:
        return self.with_(measure=self.measure.combining(change))

    def scores_by(self, scores: Callable[[Measure], FloatArray]) -> FloatArray:
        return self.measure.scores_by(lambda measure: scores(labelled(measure, self.source)))

    def residual_on(self, collection: HasPoolAndRankings) -> FloatArray:
        """Return the (S, T) residual of the measure, which must have one (see `RankBiased`)."""
        inside: Any = self.measure
        residual: FloatArray = inside.residual_on(self._on(collection))
        return residual

    def _on(self, collection: HasPoolAndRankings) -> HasPoolAndRankings:
        known: Any = collection
        changed: HasPoolAndRankings = replace(known, assessments=known.assessments.judged_by(self.source))
        return changed

    def of_one_aspect(self) -> Measure | None:
        alone = self.measure.of_one_aspect()
        return alone and labelled(alone, self.source)

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        return self.measure.latex(scales)

    def of(self, *rankings: Sequence[float | None]) -> float:
        """Return the score of one ranking, given as labels by the source."""
        return self.measure.of(*rankings)


def where_covered(scores: FloatArray, covered: BoolArray) -> FloatArray:
    """Return scores (..., T) with nan on topics outside `covered` (T,)."""
    return scores if covered.all() else np.where(covered, scores, np.nan)


def unwrapped(measure: Measure) -> tuple[Measure, str]:
    """Return the measure without its source of labels, and the source ("" if the measure names none).

    >>> [str(one) for one in unwrapped(parse('RBP(rho=0.5, source="umbrela")'))]
    ['RBP(rho=0.5)', 'umbrela']
    """
    return (measure.measure, measure.source) if isinstance(measure, JudgedBy) else (measure, "")


def labelled(measure: Measure, source: str) -> Measure:
    """Return the measure on the labels of a source; unchanged if it names a source itself or the source is ""."""
    return measure.with_(source=source) if source and not isinstance(measure, JudgedBy) else measure


def parse(text: str) -> Measure:
    """Parse a measure from its text, or from its name in trec_eval or in papers.

    Raises InputError for any other text.

    >>> parse("RBP(rho=0.5)").of([1, 0, 1])
    0.625
    >>> str(parse("ndcg_cut_10")), str(parse("gm_map"))
    ('nDCG@10', 'Log(AP)')
    >>> str(parse("alpha-nDCG@10")), str(parse("Q-measure"))
    ('alphanDCG@10', 'Q')
    """
    try:
        measure: Measure = parse_value(text, Measure)
    except InputError:
        from evalcore.notation.paper_names import as_in_papers

        ours = one_of_trec_eval(str(text)) or as_in_papers(str(text))
        if ours is None:
            raise
        measure = parse_value(ours, Measure)
    return measure


def good_end(text: str) -> Good:
    """Return the good end of a measure's scores, "high" or "low", from its text; "high" for an unknown text.

    >>> good_end("EffortTo(level=1)"), good_end("somebody's measure")
    ('low', 'high')
    """
    try:
        return parse(text).good
    except InputError:
        return "high"


def as_measure(measure: Measure | str, on: Assessments | HasPoolAndRankings | None) -> Measure:
    """Return a measure, given as an object or as text, with its aspects filled in from `on` (labels or a collection).

    A measure that combines aspects but names none gets those of `combined_aspects`. If `on` is None, nothing is filled
    in.
    """
    read = measure if isinstance(measure, Measure) else parse(measure)
    return read if on is None else read.meant_of(on if isinstance(on, Assessments) else assessments_of(on))


class OfAspects:
    """A measure that combines aspects, by default those of the collection."""

    aspects: tuple[str, ...]
    without_collection: ClassVar[tuple[str, ...]] = ("relevance", "understandability")

    @property
    def names(self) -> tuple[str, ...]:
        """The aspects that the measure names; if it names none, the default aspects for plain lists."""
        return self.aspects or self.without_collection

    def meant_of(self, pool: Assessments) -> Any:
        """Return the measure, with the aspects of `combined_aspects` if it names none and there are at least two."""
        known: Any = self
        if self.aspects:
            return self
        combined = combined_aspects(pool)
        return self if len(combined) < 2 else known.with_(aspects=combined)


MOST_COMBINED = 5  # aspects at most: each one multiplies the classes and weightings


def combined_aspects(pool: Assessments) -> tuple[str, ...]:
    """Return the default aspects of TOMA, CAM and MM: the leading aspect first, at most five.

    An aspect with a single grade cannot separate documents and is left out.

    >>> from evalcore.data import collection
    >>> labels = {"credibility": {"t": {"a": 1, "b": 0}}, "relevance": {"t": {"a": 1, "b": 0}}}
    >>> combined_aspects(collection({"run": {"t": {"a": 1.0}}}, labels).assessments)
    ('relevance', 'credibility')
    """
    return tuple(name for name in pool.leading_first if len(pool.scales[name].grades) > 1)[:MOST_COMBINED]


def one_list(measure: Measure, rankings: Sequence[Sequence[float | None]]) -> tuple[Assessments, Rankings]:
    """Build a pool and a ranking from plain lists of labels, one per column, with the checks of `Measure.of`."""
    if len(rankings) != len(measure.columns) or len({len(values) for values in rankings}) != 1:
        wanted = ", ".join(measure.columns)
        found = lengths_in_words(rankings)
        raise InputError(f"expected a list of equal length for each of {wanted}, found {found}", str(measure))
    columns = {
        name: np.array([_value(value, f"{measure} of {name}") for value in values], dtype=float)
        for name, values in zip(measure.columns, rankings, strict=True)
    }
    return _single(columns, {name: measure.assumed_scale(name, columns[name]) for name in columns})


def lengths_in_words(lists: Sequence[Sequence[float | None]]) -> str:
    """Return the lengths of lists, for an error.

    >>> lengths_in_words([[1, 0, 1], [1, 0]])
    'one of length 3 and one of length 2'
    """
    return " and ".join(f"one of length {len(values)}" for values in lists) or "none"


def _value(value: float | None, where: str) -> float:
    """Return a document's value as a float, nan for None. Raises InputError for an integer too large for a float."""
    if value is None:
        return np.nan
    return refuse_huge(value, where) if isinstance(value, int) else value


def _single(columns: Mapping[str, FloatArray], scales: Mapping[str, Scale]) -> tuple[Assessments, Rankings]:
    """Build a pool and rankings for one topic and one system; each column has its values by rank, from rank 1 on."""
    count = len(next(iter(columns.values())))
    documents: Any = np.array([f"d{rank}" for rank in range(1, count + 1)], dtype=object)
    pool = Assessments(("topic",), np.zeros(count, dtype=int), documents, columns, scales)
    # A document without any value is outside the pool, but takes up a rank.
    known = np.flatnonzero(~np.all([np.isnan(values) for values in columns.values()], axis=0))
    rankings = Rankings(("system",), 1, count, np.array([0, len(known)]), known + 1, known, np.array([[count]]))
    return pool, rankings
