"""Choices and a collection -> the specifications: every combination of options, or a seeded sample of them.

A choice that does not apply to a measure (AP has no rho) does not multiply it, an option that a measure cannot take (P
without a cut-off) is left out for it, and no specification is there twice. Shapes: N specifications, C choices, K sets
of topics, T topics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from evalcore.arrays import BoolArray, FloatArray, IntArray
from evalcore.claims.choices import HALF, LARGEST, Choice, OptionValue, Specifications
from evalcore.claims.unassessed import can_be_worth
from evalcore.errors import MOST_BITS, DataError, did_you_mean
from evalcore.measures.aggregates import Aggregate
from evalcore.measures.base import HasPoolAndRankings, Measure, parse
from evalcore.measures.toma import TOMA
from evalcore.measures.values import Value, parse_value
from evalcore.sensitivity.paths import leaves, with_path

ALL, ZERO = "all", "0"  # topics and worth of unassessed documents where nothing is chosen


@dataclass(frozen=True)
class Specification:
    """One way to measure: what was chosen, by the name of the choice, and what that makes."""

    chosen: Mapping[str, str]
    measure: Measure
    unassessed: str
    topics: str


@dataclass(frozen=True, eq=False)
class Design:
    """The specifications of choices on a collection.

    `made` says which option of each choice a specification took, -1 where the choice does not apply to it; `possible`
    is how many combinations there are, of which these are all, or a sample. `notes`: what was left out.
    """

    specifications: Specifications
    made: IntArray  # (N, C)
    measures: tuple[Measure, ...]  # N
    unassessed: tuple[str, ...]  # N
    topic_set: IntArray  # (N,) into the sets
    topic_sets: BoolArray  # (K, T)
    set_names: tuple[str, ...]  # K
    weights: FloatArray  # (N,) how much each counts; they sum to 1
    possible: int
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.measures)

    def __getitem__(self, at: int) -> Specification:
        """The specification at a place."""
        pairs = zip(self.specifications.choices, self.made[at].tolist(), strict=True)
        chosen = {choice.name: choice.options[option].name for choice, option in pairs if option >= 0}
        name = self.set_names[int(self.topic_set[at])]
        return Specification(chosen, self.measures[at], self.unassessed[at], name)

    @property
    def sampled(self) -> bool:
        """Whether these are fewer than there could be."""
        return self.possible > self.specifications.most

    def part(self, which: BoolArray) -> Design:
        """Some of the specifications, with their weights in proportion."""
        if which.all():
            return self
        at = np.flatnonzero(which).tolist()
        return replace(
            self,
            made=self.made[at],
            measures=tuple(self.measures[one] for one in at),
            unassessed=tuple(self.unassessed[one] for one in at),
            topic_set=self.topic_set[at],
            weights=shares(self.weights[at]),
        )


def shares(weights: FloatArray) -> FloatArray:
    """The weights as shares of their sum."""
    return np.asarray(weights / weights.sum()) if len(weights) else weights


def design_of(specifications: Specifications, collection: HasPoolAndRankings) -> Design:
    """Lay out all specifications, or a sample of `most` of them.

    Raises DataError for a parameter that no measure has, unknown aspects and topics, and where nothing is left.
    """
    _refuse_unknown(specifications, collection)
    notes = dict[str, None]()
    frames = [_opened(one, specifications, notes) for one in _skeletons(specifications, notes)]
    sizes = [frame.size for frame in frames]
    possible = sum(sizes)
    if possible >= 1 << MOST_BITS:
        raise DataError(f"expected fewer than 2^{MOST_BITS} combinations of options, found more")
    topics, sets, names = _sets_of(specifications, collection)
    rows = list(_distinct(_drawn(frames, sizes, specifications), topics))
    if not rows:
        raise DataError("expected at least one specification, found none: no measure takes the options of each choice")
    return Design(
        specifications,
        np.array([row.made for row in rows]),
        tuple(row.measure for row in rows),
        tuple(row.unassessed for row in rows),
        np.array([topics(row.made) for row in rows]),
        sets,
        names,
        shares(np.array([row.weight for row in rows])),
        possible,
        tuple(notes),
    )


# --- measures ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Row:
    """A measure under way to a specification, with the options taken so far."""

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
    """A measure whose parts are chosen, and the choices that are left, with the options that it takes."""

    row: _Row
    left: tuple[tuple[int, Choice, tuple[int, ...]], ...]
    known: dict[tuple[int, ...], _Row] = field(default_factory=dict, compare=False)

    @property
    def size(self) -> int:
        return math.prod(len(options) for _, _, options in self.left)

    def at(self, place: int) -> _Row | None:
        """The specification at a place, the last choice fastest; None where its options do not go together."""
        digits = list[int]()
        for _, _, options in reversed(self.left):
            place, digit = divmod(place, len(options))
            digits.append(digit)
        try:
            return self._with(tuple(reversed(digits)))
        except DataError:
            return None

    def _with(self, digits: tuple[int, ...]) -> _Row:
        """The row with the options of the first choices; those that many specifications share are made once."""
        if not digits:
            return self.row
        if digits not in self.known:
            before, (at, choice, options) = self._with(digits[:-1]), self.left[len(digits) - 1]
            option = options[digits[-1]]
            self.known[digits] = before.took(at, option, choice, _changed(before.measure, choice, option))
        return self.known[digits]


def _skeletons(specifications: Specifications, notes: dict[str, None]) -> list[_Row]:
    """Measures with the parts that are chosen in them, such as a base: what decides which other choices apply."""
    first, *others = specifications.choices
    none = (-1,) * len(specifications.choices)
    start = _Row(parse(first.options[0].value), none, 1.0)
    rows = [start.took(0, at, first, parse(option.value)) for at, option in enumerate(first.options)]
    for at, choice in enumerate(others, start=1):
        if _is_structure(choice):
            rows = [new for row in rows for new in _taken(row, at, choice, specifications, notes)]
        if len(rows) > LARGEST:
            raise DataError(f"expected at most {LARGEST:,} measures with their parts, found more")
    return rows


def _is_structure(choice: Choice) -> bool:
    return choice.kind == "parameter" and any(isinstance(one.value, str) for one in choice.options)


def _taken(
    row: _Row, at: int, choice: Choice, specifications: Specifications, notes: dict[str, None]
) -> Iterator[_Row]:
    if not _applies(choice, row, specifications):
        yield row
        return
    for option in _admitted(row, choice, notes):
        yield row.took(at, option, choice, _changed(row.measure, choice, option))


def _opened(row: _Row, specifications: Specifications, notes: dict[str, None]) -> _Frame:
    left = [
        (at, choice, tuple(_admitted(row, choice, notes)))
        for at, choice in enumerate(specifications.choices)
        if at and not _is_structure(choice) and _applies(choice, row, specifications)
    ]
    return _Frame(row, tuple(left))


def _applies(choice: Choice, row: _Row, specifications: Specifications) -> bool:
    named = specifications.choices[0].options[row.made[0]]
    if choice.only and not {type(row.measure).__name__, named.name, named.value} & set(choice.only):
        return False
    if choice.kind == "aspect weights":
        return _takes_weights(row.measure)
    if choice.kind != "parameter":
        return True
    if _is_path(choice.parameter):
        return choice.parameter in {leaf.path for leaf in leaves(row.measure)}
    return _has_field(row.measure, choice.parameter)


def _admitted(row: _Row, choice: Choice, notes: dict[str, None]) -> Iterator[int]:
    """The options that a measure takes."""
    for at, option in enumerate(choice.options):
        try:
            if choice.kind == "unassessed" and not can_be_worth(row.measure, option.value):
                raise DataError("expected another")
            _changed(row.measure, choice, at)
        except DataError:
            notes[f"choice {choice.name!r}: {option.name} is left out for {row.measure}, which does not take it"] = None
        else:
            yield at


def _changed(measure: Measure, choice: Choice, option: int) -> Measure:
    """The measure with an option of a choice. Raises DataError where it cannot be."""
    value = choice.options[option].value
    if choice.kind == "aspect weights":
        return _weighted(measure, dict(value))
    if choice.kind != "parameter":
        return measure
    if _is_path(choice.parameter):
        if not isinstance(value, float):
            raise DataError("expected a number", choice.parameter)
        return with_path(measure, choice.parameter, value)
    changed: Measure = _with_field(measure, choice.parameter, value)
    return changed


def _is_path(parameter: str) -> bool:
    return not parameter.isidentifier()


def _parts(node: Any, name: str) -> dict[str, Any]:
    """By field, what a value holds in which a parameter of that name is read."""
    unread = dict(node.unread) if isinstance(node, Measure) else {}
    if name == "aspect" and "aspects" in node.parameters():  # which a base is given one after the other
        return {}
    return {own: getattr(node, own) for own in node.parameters() if name not in unread.get(own, ())}


def _has_field(node: Any, name: str) -> bool:
    if isinstance(node, tuple):
        return any(_has_field(one, name) for one in node)
    if not isinstance(node, Value):
        return False
    return name in node.parameters() or any(_has_field(child, name) for child in _parts(node, name).values())


def _with_field(node: Any, name: str, value: OptionValue) -> Any:
    """The value with a field of that name changed, wherever in it one stands."""
    if isinstance(node, tuple):
        return tuple(_with_field(one, name, value) for one in node)
    if not isinstance(node, Value):
        return node
    if name in node.parameters():
        return node.with_(**{name: _as_field(node, name, value)})
    inside = {own: child for own, child in _parts(node, name).items() if _has_field(child, name)}
    return node.with_(**{own: _with_field(child, name, value) for own, child in inside.items()})


def _as_field(node: Value, name: str, value: OptionValue) -> Any:
    """An option as the field wants it: a text of a value as that value, a whole number as one."""
    kinds = [one for one in _flat(node.hints()[name]) if isinstance(one, type) and issubclass(one, Value)]
    if isinstance(value, str) and kinds:
        return parse_value(value, kinds[0])
    if isinstance(value, float) and value.is_integer() and float not in _flat(node.hints()[name]):
        return int(value)
    return value


def _flat(hint: Any) -> list[Any]:
    """The plain types in a declared one."""
    inside = getattr(hint, "__args__", ())
    return [one for part in inside for one in _flat(part)] if inside else [hint]


def _takes_weights(measure: Measure) -> bool:
    return isinstance(measure, TOMA) or (isinstance(measure, Aggregate) and isinstance(measure.base, Measure))


def _weighted(measure: Measure, weights: Mapping[str, float]) -> Measure:
    if isinstance(measure, TOMA):
        return measure.with_(importance={name: weights.get(name, 1.0) for name in measure.aspects})
    changed = measure.with_(weights=tuple(weights.get(name, 1.0) for name in getattr(measure, "aspects", ())))
    if isinstance(changed, Aggregate):
        _ = changed.shares  # refuses weights that are all 0
    return changed


# --- combinations -----------------------------------------------------------------------------------------------------


def _drawn(frames: Sequence[_Frame], sizes: Sequence[int], specifications: Specifications) -> Iterator[_Row]:
    """All combinations, or a sample of them, in their order."""
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


# --- topics -----------------------------------------------------------------------------------------------------------


def _sets_of(
    specifications: Specifications, collection: HasPoolAndRankings
) -> tuple[Callable[[tuple[int, ...]], int], BoolArray, tuple[str, ...]]:
    """Which set a row's options name, the sets of topics, and their names."""
    known = collection.assessments.topics
    for at, choice in enumerate(specifications.choices):
        if choice.kind == "topics":
            sets = np.array([_topic_set(option.value, known, choice.name) for option in choice.options])
            return partial(_own_set, at=at), sets, tuple(option.name for option in choice.options)
    return partial(_own_set, at=None), np.ones((1, len(known)), dtype=bool), (ALL,)


def _own_set(made: tuple[int, ...], at: int | None) -> int:
    return 0 if at is None else max(made[at], 0)


def _topic_set(value: OptionValue, known: Sequence[str], name: str) -> BoolArray:
    """(T,) which topics a set has. Raises DataError for a topic that is not known, and half of one topic."""
    if value == ALL:
        return np.ones(len(known), dtype=bool)
    if isinstance(value, tuple):
        for topic in value:
            if topic not in known:
                near = did_you_mean(topic, known)
                raise DataError(f"expected topics of this collection, found {topic!r}{near}", f"choice {name!r}")
        return np.isin(np.array(known, dtype=object), list(value))
    found = HALF.fullmatch(value)
    if found is None or len(known) < 2:
        raise DataError(f"expected two topics or more to halve, found {len(known)}", f"choice {name!r}")
    half = np.zeros(len(known), dtype=bool)
    half[np.random.default_rng(int(found[2])).permutation(len(known))[: (len(known) + 1) // 2]] = True
    return ~half if found[1] else half


# --- what is not there ------------------------------------------------------------------------------------------------


def _refuse_unknown(specifications: Specifications, collection: HasPoolAndRankings) -> None:
    """Raise DataError for names that no measure has, or that this collection lacks."""
    measures = specifications.choices[0].options
    named = {text for one in measures for text in (one.name, one.value, type(parse(one.value)).__name__)}
    fields = {name for cls in Value.registry.values() for name in cls.parameters()}
    for choice in specifications.choices:
        place = f"choice {choice.name!r}"
        if choice.parameter and not _is_path(choice.parameter) and choice.parameter not in fields:
            near = did_you_mean(choice.parameter, fields)
            raise DataError(f"expected a parameter of measures, found {choice.parameter!r}{near}", place)
        for only in set(choice.only) - named:
            try:
                parse(only)  # a measure that is not chosen now
            except DataError as error:
                raise DataError(f"only: {error}", place) from None
        if choice.kind == "aspect weights":
            for aspect in {aspect for option in choice.options for aspect, _ in option.value}:
                collection.assessments.scale(aspect)
