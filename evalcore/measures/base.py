"""Measures: values that turn a pool and rankings into one score for each system and topic.

Shapes: P pool rows, S systems, T topics. Scores are (S, T). A document nobody assessed gains 0.
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
    """A collection as measures need it: labels and rankings."""

    @property
    def assessments(self) -> Assessments: ...
    @property
    def rankings(self) -> Rankings: ...


def assessments_of(collection: HasPoolAndRankings) -> Assessments:
    """The labels of a collection. Raises InputError for other values, such as a path."""
    try:
        return collection.assessments
    except AttributeError:
        raise no_collection(collection) from None


EARN_NOTHING, LEFT_OUT = "earn nothing", "are left out of the rankings"  # documents without a label


@dataclass(frozen=True)
class Measure(Value, abstract=True):
    """A measure of rankings. Subclasses say which columns they read and how they score."""

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    good: ClassVar[Good] = "high"  # which of its scores are the good ones
    reference: ClassVar[str] = ""
    weighs_topics: ClassVar[bool] = False  # whether its topics count unlike, by groups
    unread: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # by part: those of its parameters that are not read there
    of_every: ClassVar[tuple[str, ...]] = ("source",)

    def with_(self, **changes: Any) -> Self:
        """The same measure with some parameters changed; `source`: whose labels it reads, "" those of the collection.

        With a source the measure stands inside a `JudgedBy`. Raises InputError for an unknown name.

        >>> str(parse("RBP(rho=0.5)@10").with_(source="umbrela"))
        'RBP(rho=0.5, source="umbrela")@10'
        """
        source = changes.pop("source", "")
        changed = super().with_(**changes) if changes else self
        known = JudgedBy(changed, source) if source != "" else changed
        return cast(Self, known)  # it has all parameters of this class

    @property
    def columns(self) -> tuple[str, ...]:
        """The aspects and signals it reads, in the order in which `of` takes them: the fields `aspects` or `aspect`."""
        one: str = getattr(self, "aspect", "")
        named: tuple[str, ...] = getattr(self, "names", (one,) if one else ())
        return named

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        """(S, T) scores."""
        raise NotImplementedError

    def covered(self, pool: Assessments) -> BoolArray:
        """(T,) the topics that have labels in each of the columns it reads: those that it can score."""
        return pool.covered(self.columns)

    def scores_on(self, collection: HasPoolAndRankings) -> FloatArray:
        """(S, T) scores of a collection, nan on a topic that is not `covered`.

        A measure that needs more of the collection than pool and rankings says so here.
        """
        pool = collection.assessments
        return where_covered(self.scores(pool, collection.rankings), self.covered(pool))

    def scales_of(self, part: str, pool: Assessments) -> tuple[Scale, ...]:
        """The scales that a part of it (a parameter that is a value) reads, if they are not those of its column."""
        return ()

    def with_aspect_weights(self, weights: Mapping[str, float]) -> Measure | None:
        """The measure with weights of its aspects, 1 if not named; None if its aspects have no weights.

        Raises InputError if all are 0.
        """
        return None

    def of_one_aspect(self) -> Measure | None:
        """The measure of one aspect alone, if it reads several."""
        return None

    @property
    def combined(self) -> tuple[Measure, ...]:
        """The measures whose scores it combines; one that combines none is its own."""
        return (self,)

    def combining(self, change: Callable[[Measure], Measure]) -> Measure:
        """The same of other measures: each that it combines is changed."""
        return change(self)

    def scores_by(self, scores: Callable[[Measure], FloatArray]) -> FloatArray:
        """(S, T) scores, made of those that a function gives for each measure that it combines."""
        return scores(self)

    @property
    def unassessed(self) -> str:
        """Say how documents without a label are treated: "earn nothing", or the rules of the measures inside."""
        inner = [item for part in self.arguments().values() for item in (part if isinstance(part, tuple) else (part,))]
        rules = dict.fromkeys(measure.unassessed for measure in inner if isinstance(measure, Measure))
        return " or ".join(rules) or EARN_NOTHING

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        """The formula with the current parameters in it; `scales` tell which end of each column is good."""
        return f"{name_latex(type(self).__name__)} = {self.right_side()}"

    def right_side(self) -> str:
        """Return the right side of the formula of a measure that reads no column."""
        raise NotImplementedError

    def _repr_latex_(self) -> str:
        """Return the formula that a notebook shows."""
        return f"$\\displaystyle {self.latex()}$"

    def of(self, *rankings: Sequence[float | None]) -> float:
        """The score of one ranking, given for each column the values of its documents from rank 1 on.

        The ranked documents are also all assessed documents. None, nan or a grade below 0: not assessed. Raises
        InputError where lists do not fit.
        """
        return float(self.scores(*one_list(self, rankings))[0, 0])

    def meant_of(self, pool: Assessments) -> Measure:
        """The measure resolved for these labels: with their aspects, if it combines some and names none."""
        return self

    def assumed_scale(self, name: str, values: FloatArray) -> Scale:
        """The scale that a plain list is read on: high is good, grades as `assumed_grades` has them."""
        return Scale(name, grades=assumed_grades(values) if len(values) else (0.0,))

    def _scale(self, name: str, scales: Mapping[str, Scale] | None) -> Scale:
        return (scales or {}).get(name) or self.assumed_scale(name, np.array([]))


@dataclass(frozen=True)
class GainMeasure(Measure, abstract=True):
    """A measure in two steps: the pool's columns become one gain per document, then the gains are scored.

    The gain is the product of one gain function per column (Zuccon 2016, Eq. 2).
    """

    def gain_functions(self) -> Mapping[str, Gain]:
        """The gain function of each column."""
        raise NotImplementedError

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        """(S, T) scores of (P,) gains."""
        raise NotImplementedError

    def latex_of(self, gain: str) -> str:
        """The right side of the formula, around a gain's LaTeX."""
        raise NotImplementedError(f"{type(self).__name__}.latex_of: the right side of its formula")

    @property
    def scorer(self) -> GainMeasure:
        """The measure that reads the gains: itself, or its base."""
        return self

    def needs_whole_pool(self, pool: Assessments) -> bool:
        """Return whether the gains of one topic depend on the labels of others."""
        gains = self.gain_functions().items()
        known = ((pool.find(name), gain) for name, gain in gains)
        return any(gain.needs_whole_pool(scale) for scale, gain in known if scale is not None)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.gain_functions())

    def continuation(self, ranks: Ranks) -> FloatArray:
        """(..., n) C(k): the probability that its reader goes on from each of these ranks to the next (see `Reading`).

        Raises InputError for a measure without a reader who goes down a ranking.
        """
        raise InputError("expected a measure with a user model, such as RBP, INST or P@10, found another", str(self))

    def above_cutoff(self, ranks: Ranks) -> BoolArray:
        """(n,) which of these ranks are not the last that counts, nor below it."""
        return np.asarray(ranks.rank < (self.depth or np.inf))

    @property
    def depth(self) -> int | None:
        """The cut-off: the deepest rank that counts, or None."""
        cutoff: int | None = getattr(self, "cutoff", None)
        return cutoff

    def document_gains(self, pool: Assessments) -> FloatArray:
        """(P,) the gain of every assessed document."""
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
    """One that joins the labels of several aspects to one gain, which another measure reads."""

    base: GainMeasure = parameter(help="the measure that reads it", positional=True)

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
    """A measure that scores another one on changed rankings or labels, or with unassessed documents."""

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
    """A measure on the labels of one source, as `Assessments.judged_by` has them; of composites the innermost counts.

    Its text is that of the measure with the source in its parentheses; what it has no own parameter for, `with_`
    changes in the measure. A topic without labels of the source is not covered.

    >>> JudgedBy(parse("nDCG@10"), "umbrela") == parse('nDCG(source="umbrela")@10')
    True
    """

    source: str = parameter(help="whose labels it reads", shown=True)
    misplaced: ClassVar[str] = "; name the source of labels in the whole measure, or in each part that is scored alone"

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.measure, JudgedBy):
            raise InputError(
                f"expected one source of labels, found two: {self.measure.source!r} too", repr(self.source)
            )
        if not self.source:
            raise InputError('expected the name of a source of labels, found ""', str(self.measure))

    def __str__(self) -> str:
        cutoff = getattr(self.measure, "cutoff", None)
        end = "" if cutoff is None else f"@{cutoff}"
        head = str(self.measure).removesuffix(end)
        begin = f"{head[:-1]}, " if head.endswith(")") else f"{head}("
        return f"{begin}source={written(self.source)}){end}"

    def __getattr__(self, name: str) -> Any:
        """A parameter of the measure; nothing else, as that would read the labels of the collection."""
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
        """(S, T) the residual of the measure, which has one (see `RankBiased`)."""
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
        """The score of one ranking, whose labels are taken for those of the source."""
        return self.measure.of(*rankings)


def where_covered(scores: FloatArray, covered: BoolArray) -> FloatArray:
    """Scores (..., T) with nan on the topics that a measure cannot score, (T,)."""
    return scores if covered.all() else np.where(covered, scores, np.nan)


def unwrapped(measure: Measure) -> tuple[Measure, str]:
    """The measure and its source of labels, "" if it names none.

    >>> [str(one) for one in unwrapped(parse('RBP(rho=0.5, source="umbrela")'))]
    ['RBP(rho=0.5)', 'umbrela']
    """
    return (measure.measure, measure.source) if isinstance(measure, JudgedBy) else (measure, "")


def labelled(measure: Measure, source: str) -> Measure:
    """The measure on the labels of a source, if it names none itself; "": as it is."""
    return measure.with_(source=source) if source and not isinstance(measure, JudgedBy) else measure


def parse(text: str) -> Measure:
    """Read a measure from its text, or from the name that trec_eval or papers give it.

    Raises InputError saying what was expected and found.

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
    """Return the good end of the scores of a measure by its text; "high" if the text is unknown here.

    >>> good_end("EffortTo(level=1)"), good_end("somebody's measure")
    ('low', 'high')
    """
    try:
        return parse(text).good
    except InputError:
        return "high"


def as_measure(measure: Measure | str, on: Assessments | HasPoolAndRankings | None) -> Measure:
    """A measure, given as itself or as its text, resolved for labels or for a collection (None: neither).

    One that combines aspects and names none means all that have labels: here, and nowhere else, it gets them.
    """
    read = measure if isinstance(measure, Measure) else parse(measure)
    return read if on is None else read.meant_of(on if isinstance(on, Assessments) else assessments_of(on))


class OfAspects:
    """A measure that combines aspects: those of the collection if it names none."""

    aspects: tuple[str, ...]
    without_collection: ClassVar[tuple[str, ...]] = ("relevance", "understandability")

    @property
    def names(self) -> tuple[str, ...]:
        """The aspects that it names, by default those of papers and plain lists."""
        return self.aspects or self.without_collection

    def meant_of(self, pool: Assessments) -> Any:
        """Return the measure of all aspects whose labels differ, the leading one first, if it names none and there are
        several.
        """
        known: Any = self
        if self.aspects:
            return self
        combined = combined_aspects(pool)
        return self if len(combined) < 2 else known.with_(aspects=combined)


MOST_COMBINED = 5  # aspects, of more the first ones: classes and weightings multiply with each


def combined_aspects(pool: Assessments) -> tuple[str, ...]:
    """The default aspects of TOMA, CAM and MM: the leading one first, at most five.

    An aspect on which every document has the same declared label separates nothing and is left out.

    >>> from evalcore.data import collection
    >>> labels = {"credibility": {"t": {"a": 1, "b": 0}}, "relevance": {"t": {"a": 1, "b": 0}}}
    >>> combined_aspects(collection({"run": {"t": {"a": 1.0}}}, labels).assessments)
    ('relevance', 'credibility')
    """
    return tuple(name for name in pool.leading_first if len(pool.scales[name].grades) > 1)[:MOST_COMBINED]


def one_list(measure: Measure, rankings: Sequence[Sequence[float | None]]) -> tuple[Assessments, Rankings]:
    """A pool and a ranking from plain lists of labels, one for each column, with the checks of `Measure.of`."""
    if len(rankings) != len(measure.columns) or len({len(values) for values in rankings}) != 1:
        wanted = ", ".join(measure.columns)
        raise InputError(f"expected a list of equal length for each of {wanted}, found {len(rankings)}", str(measure))
    columns = {
        name: np.array([_value(value, f"{measure} of {name}") for value in values], dtype=float)
        for name, values in zip(measure.columns, rankings, strict=True)
    }
    return _single(columns, {name: measure.assumed_scale(name, columns[name]) for name in columns})


def _value(value: float | None, where: str) -> float:
    """A value of a document, nan for none. Raises InputError for a whole number too large to compute with."""
    if value is None:
        return np.nan
    return refuse_huge(value, where) if isinstance(value, int) else value


def _single(columns: Mapping[str, FloatArray], scales: Mapping[str, Scale]) -> tuple[Assessments, Rankings]:
    """A pool and rankings of one topic and one system that ranks the given documents."""
    count = len(next(iter(columns.values())))
    documents: Any = np.array([f"d{rank}" for rank in range(1, count + 1)], dtype=object)
    pool = Assessments(("topic",), np.zeros(count, dtype=int), documents, columns, scales)
    # A document without any value is not in the pool; its rank counts all the same.
    known = np.flatnonzero(~np.all([np.isnan(values) for values in columns.values()], axis=0))
    rankings = Rankings(("system",), 1, count, np.array([0, len(known)]), known + 1, known, np.array([[count]]))
    return pool, rankings
