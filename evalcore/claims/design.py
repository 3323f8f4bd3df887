"""Specifications from choices and a collection: every combination of options, or a seeded sample of them.

A choice that does not apply to a measure (AP has no rho) does not multiply its specifications; an option that a measure
does not accept (P without a cut-off) is left out for it; no specification occurs twice. Shapes: N specifications, C
choices, K sets of topics, T topics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from evalcore.claims.changes import changed, has, is_path, takes
from evalcore.claims.choices import LARGEST, Choice, Specifications
from evalcore.claims.topic_sets import sets_of
from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.short_forms import shown
from evalcore.errors import MOST_BITS, InputError, did_you_mean
from evalcore.measures.base import HasPoolAndRankings, Measure, as_measure, parse, unwrapped
from evalcore.notation.values import Value

ZERO = "0"  # default gain of unassessed documents


@dataclass(frozen=True)
class Specification:
    """One way to measure: its options by the name of the choice, and the resulting measure."""

    chosen: Mapping[str, str]
    measure: Measure
    unassessed: str
    topics: str


@shown
@dataclass(frozen=True, eq=False)
class Design:
    """All specifications that the choices make on a collection, or a sample of them.

    `made` has the index of each choice's option in a specification, -1 if the choice does not apply; `possible` is
    the number of combinations of options; `notes` lists the options that were left out.
    """

    specifications: Specifications
    made: IntArray  # (N, C)
    measures: tuple[Measure, ...]  # N
    unassessed: tuple[str, ...]  # N
    topic_set: IntArray  # (N,) index of the set
    topic_sets: BoolArray  # (K, T)
    set_names: tuple[str, ...]  # K
    weights: FloatArray  # (N,) weights that sum to 1
    possible: int
    notes: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices, in the order of the columns of `made`."""
        return self.specifications.choices

    def __len__(self) -> int:
        return len(self.measures)

    def __getitem__(self, at: int) -> Specification:
        """Return the specification at an index."""
        pairs = zip(self.choices, self.made[at].tolist(), strict=True)
        chosen = {choice.name: choice.options[option].name for choice, option in pairs if option >= 0}
        name = self.set_names[int(self.topic_set[at])]
        return Specification(chosen, self.measures[at], self.unassessed[at], name)

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """A dict of columns (N,): for each choice, the option ("" if it does not apply); "scored by", the measure."""
        options = {
            choice.name: np.array([*(option.name for option in choice.options), ""], dtype=object)[self.made[:, at]]
            for at, choice in enumerate(self.choices)
        }
        return {**options, "scored by": np.array(list(map(str, self.measures)), dtype=object)}

    @property
    def sampled(self) -> bool:
        """Return whether the specifications are only a sample of all possible ones."""
        return self.possible > self.specifications.most

    def part(self, which: BoolArray) -> Design:
        """Return a design of only the marked specifications (N,), with weights that again sum to 1."""
        if which.all():
            return self
        at = np.flatnonzero(which).tolist()
        return replace(
            self,
            made=self.made[at],
            measures=tuple(self.measures[place] for place in at),
            unassessed=tuple(self.unassessed[place] for place in at),
            topic_set=self.topic_set[at],
            weights=shares(self.weights[at]),
        )


def shares(weights: FloatArray) -> FloatArray:
    """Return the weights divided by their sum."""
    return np.asarray(weights / weights.sum()) if len(weights) else weights


def design_of(specifications: Specifications, collection: HasPoolAndRankings) -> Design:
    """Return the design of all specifications, or of a sample if more than `specifications.most` are possible.

    Raises InputError for a parameter that no measure has, for unknown aspects, sources and topics, for too many
    combinations, and if no specification is left.
    """
    _refuse_unknown(specifications, collection)
    notes = dict[str, None]()
    frames = [_opened(skeleton, specifications, notes) for skeleton in _skeletons(specifications, notes, collection)]
    sizes = [frame.size for frame in frames]
    possible = sum(sizes)
    if possible >= 1 << MOST_BITS:
        raise InputError(f"expected fewer than 2^{MOST_BITS} combinations of options, found more")
    topics, sets, names = sets_of(specifications, collection.assessments.topics)
    rows = list(_distinct(_drawn(frames, sizes, specifications), topics))
    if not rows:
        raise InputError("expected at least one specification, found none: no measure has all the parameters chosen")
    return Design(
        specifications,
        np.array([row.made for row in rows]),
        tuple(row.measure for row in rows),
        tuple(row.unassessed for row in rows),
        np.array([topics(row.made) for row in rows]) % len(sets),
        sets,
        names,
        shares(np.array([row.weight for row in rows])),
        possible,
        tuple(notes),
    )


# --- measures ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Row:
    """A measure that is being made into a specification, with the options applied so far."""

    measure: Measure
    made: tuple[int, ...]
    weight: float
    unassessed: str = ZERO

    def took(self, at: int, option: int, choice: Choice, measure: Measure) -> _Row:
        made = (*self.made[:at], option, *self.made[at + 1 :])
        worth = choice.options[option].value if choice.kind == "unassessed" else self.unassessed
        return _Row(measure, made, self.weight * choice.options[option].weight, worth)


@dataclass(frozen=True)
class _Frame:
    """A measure whose parts, such as its base, are already chosen; and the other choices, with options that apply."""

    row: _Row
    left: tuple[tuple[int, Choice, tuple[int, ...]], ...]
    known: dict[tuple[int, ...], _Row] = field(default_factory=dict, compare=False)

    @property
    def size(self) -> int:
        return math.prod(len(options) for _, _, options in self.left)

    def at(self, place: int) -> _Row | None:
        """Return the row at a position, where the last choice varies fastest; None if options contradict each other."""
        digits = list[int]()
        for _, _, options in reversed(self.left):
            place, digit = divmod(place, len(options))
            digits.append(digit)
        try:
            return self._with(tuple(reversed(digits)))
        except InputError:
            return None

    def _with(self, digits: tuple[int, ...]) -> _Row:
        """Return the row with the first choices set to the options at these positions; cached, as many rows use it."""
        if not digits:
            return self.row
        if digits not in self.known:
            before, (at, choice, options) = self._with(digits[:-1]), self.left[len(digits) - 1]
            option = options[digits[-1]]
            self.known[digits] = before.took(at, option, choice, changed(before.measure, choice, option))
        return self.known[digits]


def _skeletons(specifications: Specifications, notes: dict[str, None], collection: HasPoolAndRankings) -> list[_Row]:
    """Return a row for each measure and each combination of options for its parts, such as a base.

    The parts decide which other choices apply.
    """
    first, *others = specifications.choices
    none = (-1,) * len(specifications.choices)
    measures = [as_measure(option.value, collection) for option in first.options]
    start = _Row(measures[0], none, 1.0)
    rows = [start.took(0, at, first, measure) for at, measure in enumerate(measures)]
    for at, choice in enumerate(others, start=1):
        if _is_structure(choice):
            taken = (new for row in rows for new in _taken(row, at, choice, specifications, notes))
            rows = list(islice(taken, LARGEST + 1))
        if len(rows) > LARGEST:
            raise InputError(f"expected at most {LARGEST:,} combinations of measures and their parts, found more")
    return rows


def _is_structure(choice: Choice) -> bool:
    return choice.kind == "parameter" and any(isinstance(option.value, str) for option in choice.options)


def _taken(
    row: _Row, at: int, choice: Choice, specifications: Specifications, notes: dict[str, None]
) -> Iterator[_Row]:
    if not _applies(choice, row, specifications):
        yield row
        return
    for option in _admitted(row, choice, notes):
        yield row.took(at, option, choice, changed(row.measure, choice, option))


def _opened(row: _Row, specifications: Specifications, notes: dict[str, None]) -> _Frame:
    left = [
        (at, choice, tuple(_admitted(row, choice, notes)))
        for at, choice in enumerate(specifications.choices)
        if at and not _is_structure(choice) and _applies(choice, row, specifications)
    ]
    return _Frame(row, tuple(left))


def _kind(measure: Measure) -> str:
    return type(unwrapped(measure)[0]).__name__


def _applies(choice: Choice, row: _Row, specifications: Specifications) -> bool:
    named = specifications.choices[0].options[row.made[0]]
    if choice.only and not {_kind(row.measure), named.name, named.value} & set(choice.only):
        return False
    return has(row.measure, choice)


def _admitted(row: _Row, choice: Choice, notes: dict[str, None]) -> Iterator[int]:
    """Yield the indices of the options that a measure accepts, and add a note for each option that it rejects."""
    for at, option in enumerate(choice.options):
        if takes(row.measure, choice, at):
            yield at
        else:
            notes[f"choice {choice.name!r}: {option.name} is left out for {row.measure}, which rejects it"] = None


# --- combinations -----------------------------------------------------------------------------------------------------


def _drawn(frames: Sequence[_Frame], sizes: Sequence[int], specifications: Specifications) -> Iterator[_Row]:
    """Yield the rows of all combinations of options, or of a sample of them, in order.

    Rows whose options contradict each other, and rows of weight 0, are left out.
    """
    possible = sum(sizes)
    if possible <= specifications.most:
        chosen = np.arange(possible)
    else:
        rng = np.random.default_rng(specifications.seed)
        chosen = np.sort(rng.choice(possible, specifications.most, replace=False))
    starts = np.concatenate([[0], np.cumsum(np.array(sizes, dtype=np.int64))])
    of = np.searchsorted(starts, chosen, side="right") - 1
    for frame, place in zip(of.tolist(), (chosen - starts[of]).tolist(), strict=True):
        row = frames[frame].at(place)
        if row is not None and row.weight > 0:
            yield row


def _distinct(rows: Iterator[_Row], topics: Callable[[tuple[int, ...]], int]) -> Iterator[_Row]:
    seen = set[tuple[Measure, str, int]]()
    for row in rows:
        key = (row.measure, row.unassessed, topics(row.made))
        if key not in seen:
            seen.add(key)
            yield row


# --- unknown names ----------------------------------------------------------------------------------------------------


def _refuse_unknown(specifications: Specifications, collection: HasPoolAndRankings) -> None:
    """Raise InputError for unknown parameters and measures, and for sources and aspects not in the collection."""
    measures = specifications.choices[0].options
    named = {text for measure in measures for text in (measure.name, measure.value, _kind(parse(measure.value)))}
    fields = {name for cls in Value.registry.values() for name in cls.parameters()}
    for choice in specifications.choices:
        place = f"choice {choice.name!r}"
        named_field = choice.kind == "parameter" and not is_path(choice.parameter)
        if named_field and choice.parameter not in fields:
            near = did_you_mean(choice.parameter, fields)
            raise InputError(f"expected a measure's parameter, found {choice.parameter!r}{near}", place)
        for only in set(choice.only) - named:
            try:
                parse(only)  # a measure that is not selected at present
            except InputError as error:
                raise InputError(f"only: {error}", place) from None
        if choice.kind == "source":
            for option in choice.options:
                collection.assessments.judged_by(option.value)
        if choice.kind == "aspect weights":
            for aspect in {aspect for option in choice.options for aspect, _ in option.value}:
                collection.assessments.scale(aspect)
