"""Choices that together define a reasonable way to measure, each with its options.

A specification has one option of each choice that applies to its measure. Kinds of choices:

- `measures`: the measure, any registered one.
- `parameter`: a parameter at any depth of the measure (`rho`, also of the base of CAM), or a path into it
  (`weights[0]`). Options are numbers, texts (`Euclidean`, a base such as `nDCG@10`), lists, or None (unset).
- `aspect weights`: the weight of each aspect in CAM, MM, similar measures and TOMA; 1 for an aspect without one.
- `source`: the source of the labels; a measure that names its own source keeps it.
- `unassessed`: the gain of unassessed documents (`evalcore.measures.unassessed`).
- `topics`: the topics used: "all", "half N" (a random half drawn with seed N), "other half N" (the rest), or names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from evalcore.common.schema import is_number
from evalcore.common.short_forms import shown
from evalcore.errors import InputError, shorten
from evalcore.measures.base import parse
from evalcore.measures.catalogue import short_names
from evalcore.measures.unassessed import WORTH
from evalcore.notation.values import written

Kind = Literal["measures", "parameter", "aspect weights", "source", "unassessed", "topics"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 2500  # specifications; if there are more, a sample is drawn
LARGEST = 20_000  # upper limit for users
LONGEST_RANGE = 1000
_RANGE = re.compile(r"(?P<low>\S+) to (?P<high>\S+), (?P<count>[0-9]{1,9}) steps")
COLUMNS = ("specification", "scored by", "effect", "low", "high", "decision", "weight")
"""Columns of a table of specifications besides the columns of its choices; no choice may have one of these names."""

HALF = re.compile(r"(other )?half ([0-9]{1,9})")

OptionValue: TypeAlias = Any
"""A number, a text, None, a tuple (for a list), or (for weights by aspect) a tuple of pairs of a name and a number."""


@dataclass(frozen=True)
class Option:
    """One option of a choice: its name, its value, and a factor for the weights of specifications that have it."""

    name: str
    value: OptionValue
    weight: float = 1.0


@dataclass(frozen=True)
class Choice:
    """One choice and its options.

    `only` names the measures to which it applies, by kind or text; empty means all. Raises InputError if there is no
    option, or two have the same name; for invalid weights, and values that the kind does not allow; and for a choice
    with a name in COLUMNS.
    """

    name: str
    kind: Kind
    options: tuple[Option, ...]
    parameter: str = ""
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.name in COLUMNS:
            raise self._wrong(f"expected a name that is not a column of the table ({', '.join(COLUMNS)})")
        if not self.name or self.kind not in KINDS:
            raise self._wrong(f"expected a name and a kind ({', '.join(KINDS)}), found {self.name!r}, {self.kind!r}")
        if (self.kind == "parameter") != bool(self.parameter):
            raise self._wrong('expected a parameter if the kind is "parameter", and none otherwise')
        names = [option.name for option in self.options]
        if not all(names) or not names or len(set(names)) < len(names):
            raise self._wrong(f"expected options with different names, found {', '.join(names) or 'none'}")
        weights = [option.weight for option in self.options]
        if not all(0 <= weight < math.inf for weight in weights) or not any(weights):
            raise self._wrong(f"expected finite weights of 0 or more, not all 0, found {weights}")
        for option in self.options:
            self._check(option.value)

    def _check(self, value: OptionValue) -> None:
        try:
            if self.kind == "measures":
                parse(value)
        except InputError as error:
            raise self._wrong(str(error)) from None
        fits, expected = _FITTING.get(self.kind, (None, ""))
        if fits is not None and not fits(value):
            raise self._wrong(f"expected {expected}, found {shorten(str(value))}")

    def _wrong(self, problem: str) -> InputError:
        return InputError(problem, f"choice {self.name!r}")

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """The values of the options as numbers; None if any is not a number."""
        values = [option.value for option in self.options]
        return tuple(map(float, values)) if all(map(is_number, values)) else None

    def narrowed(self, names: Iterable[str]) -> Choice:
        """Return the choice with only the options of these names. Raises InputError if none is left."""
        kept = set(names)
        return replace(self, options=tuple(option for option in self.options if option.name in kept))

    def weighted(self, weights: Mapping[str, float]) -> Choice:
        """Return the choice with new weights for the named options. Raises InputError for invalid weights.

        >>> halves = Choice("cut-off", "parameter", (Option("10", 10), Option("20", 20)), "cutoff")
        >>> [option.weight for option in halves.weighted({"20": 3}).options]
        [1.0, 3]
        """
        options = (replace(option, weight=weights.get(option.name, option.weight)) for option in self.options)
        return replace(self, options=tuple(options))


@shown
@dataclass(frozen=True)
class Specifications:
    """The choices of a claim; if they make more than `most` specifications, a sample is drawn with `seed`.

    Raises InputError unless there is exactly one choice of measures and it comes first. Also raises it if two choices
    have the same name, or the same kind (only parameters and aspect weights may have several choices), and if `most` or
    `seed` is out of range.
    """

    choices: tuple[Choice, ...]
    title: str = ""
    most: int = MOST
    seed: int = 0

    def __post_init__(self) -> None:
        kinds = [choice.kind for choice in self.choices]
        if kinds.count("measures") != 1 or kinds[0] != "measures":
            raise InputError("expected one choice of measures, first in the list")
        for kind in ("source", "unassessed", "topics"):
            if kinds.count(kind) > 1:
                raise InputError(f"expected at most one choice of {kind}, found {kinds.count(kind)}")
        names = [choice.name for choice in self.choices]
        if len(set(names)) < len(names):
            raise InputError(f"expected choices with different names, found {', '.join(names)}")
        if not 1 <= self.most <= LARGEST or self.seed < 0:
            raise InputError(
                f"expected 1 to {LARGEST:,} specifications and a seed of 0 or more, found {self.most} and {self.seed}"
            )

    def with_choice(self, choice: Choice) -> Specifications:
        """Return the specifications with this choice: it replaces a choice of the same name, or is added at the end."""
        names = [other.name for other in self.choices]
        if choice.name not in names:
            return replace(self, choices=(*self.choices, choice))
        return replace(self, choices=tuple(choice if other.name == choice.name else other for other in self.choices))


def measure_choice(measures: Sequence[object], name: str = "measure") -> Choice:
    """Make a choice of measures, given as objects or text; each option has a short name (`short_names`)."""
    names = short_names(map(str, measures))
    return Choice(name, "measures", tuple(Option(short, text) for text, short in names.items()))


def parameter_choice(
    parameter: str, values: Sequence[Any] | str, *, name: str = "", only: Sequence[str] = ()
) -> Choice:
    """Make a choice of a parameter's values, which may be a range such as "8 to 20, 13 steps".

    >>> [option.name for option in parameter_choice("rho", "0.5 to 0.9, 3 steps").options]
    ['0.5', '0.7', '0.9']
    """
    listed = number_range(values, f"choice {name or parameter!r}") if isinstance(values, str) else values
    options = tuple(Option(option_name(value), value) for value in map(as_option_value, listed))
    return Choice(name or parameter, "parameter", options, parameter, tuple(only))


def source_choice(sources: Sequence[str], name: str = "labels") -> Choice:
    """Make a choice of the source of labels."""
    return Choice(name, "source", tuple(Option(source, source) for source in sources))


def unassessed_choice(worth: Sequence[str] = WORTH, name: str = "unassessed documents") -> Choice:
    """Make a choice of the gain of unassessed documents."""
    return Choice(name, "unassessed", tuple(Option(text, text) for text in worth))


def number_range(text: str, where: str) -> list[float]:
    """Parse a range into as many numbers as it has steps, evenly spaced, with both ends included.

    Raises InputError for text in a different form; `where` says in the error where the text is from.

    >>> number_range("8 to 20, 4 steps", "")
    [8.0, 12.0, 16.0, 20.0]
    """
    if match := _RANGE.fullmatch(text.strip()):
        try:
            low, high, count = float(match["low"]), float(match["high"]), int(match["count"])
        except ValueError:
            low, high, count = 0.0, 0.0, 0
        if 2 <= count <= LONGEST_RANGE and low < high < math.inf and low > -math.inf:
            spaced: list[float] = np.linspace(low, high, count).round(12).tolist()
            return spaced
    expected = f'expected a list, or "LOW to HIGH, N steps" with LOW < HIGH and N from 2 to {LONGEST_RANGE:,}'
    raise InputError(f"{expected}, found {shorten(text)}", where)


def as_option_value(value: Any) -> OptionValue:
    """Return a value in the form that an option has: lists and tables become tuples, numbers become floats."""
    if isinstance(value, dict):
        return tuple((str(key), as_option_value(part)) for key, part in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(as_option_value, value))
    return float(value) if is_number(value) else value


def option_name(value: OptionValue) -> str:
    """Return the default name of an option with this value.

    >>> option_name(0.5), option_name((1.0, 2.0)), option_name((("relevance", 2.0), ("fog", 1.0))), option_name(None)
    ('0.5', '[1, 2]', 'relevance 2, fog 1', 'none')
    """
    if value is None:
        return "none"
    if isinstance(value, tuple) and value and _is_table(value):
        return ", ".join(f"{name} {written(number)}" for name, number in value)
    return value if isinstance(value, str) else written(value)


def _is_plain(value: OptionValue) -> bool:
    """Return whether a value may be a parameter: a number, text, None, or a list of numbers and texts."""
    inside = value if isinstance(value, tuple) else (value,)
    return value is None or all(isinstance(part, str) or is_number(part) for part in inside)


def _is_table(value: OptionValue) -> bool:
    if not isinstance(value, tuple) or not value:
        return False
    pairs = all(isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], str) for part in value)
    return pairs and all(is_number(number) and number >= 0 for _, number in value)


def _is_set(value: OptionValue) -> bool:
    """Return whether a value is a set of topics: "all", a random half, or a list of topics."""
    if isinstance(value, str):
        return value == "all" or HALF.fullmatch(value) is not None
    return isinstance(value, tuple) and bool(value)


_FITTING: Mapping[str, tuple[Callable[[OptionValue], bool], str]] = {
    "parameter": (_is_plain, "finite numbers, strings or lists of these"),
    "source": (lambda value: isinstance(value, str) and bool(value), "the name of a source of labels"),
    "unassessed": (lambda value: value in WORTH, f"one of {', '.join(WORTH)}"),
    "aspect weights": (_is_table, "a weight of 0 or more for each aspect"),
    "topics": (_is_set, 'topics, "all", "half N" or "other half N"'),
}
