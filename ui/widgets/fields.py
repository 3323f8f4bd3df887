"""Kinds of settings: their possible values, their text in the address, and their control.

A field does not depend on pages: `ui.address.settings` supplies its key and its value.
"""

from __future__ import annotations

import dataclasses
import math
import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import count
from types import UnionType
from typing import Any, ClassVar, Literal, get_args, get_origin

import numpy as np
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.common.cached import cached_property
from evalcore.errors import shorten
from evalcore.notation.values import FEW, Range, Value, parse_value
from ui.screen.text import markdown, reading_name, shortlist, text_named
from ui.server.limits import LIMITS
from ui.server.streamlit_inside import moved_together
from ui.widgets.callback import called

NONE = "none"
PLACES = 125  # most sampled positions of a slider
_DRAWN, _UNSURE = "fields drawn", "fields that a browser may have otherwise"
RECENT = 20  # most states of a control that a slow browser may still report
_ON_SCREEN = "fields on the screen"
_NOTHING = object()


@dataclass(frozen=True)
class Slider:
    """A slider on the screen: the key of its control, its positions, and the value of the setting at each of them."""

    key: str
    places: Sequence[float]  # ascending, in the units of the control
    values: Sequence[Any]  # values of the whole setting

    def through(self, value: Any, place: Any) -> Slider | None:
        """Return the slider with a position for `value`, which is added at `place` if necessary.

        Return None if `place` is not a number.

        >>> Slider("rho", [0.5, 0.9], [0.5, 0.9]).through(0.8, 0.8).values
        [0.5, 0.8, 0.9]
        """
        if value in self.values:
            return self
        if not isinstance(place, int | float):
            return None
        at = bisect_left(self.places, place)
        places, values = list(self.places), list(self.values)
        return Slider(self.key, [*places[:at], place, *places[at:]], [*values[:at], value, *values[at:]])


class MisfitError(ValueError):
    """Error for texts in an address that do not fit their field.

    It states what was expected and, if possible, a value to keep.
    """

    def __init__(self, expected: str, kept: Any = None) -> None:
        super().__init__(expected)
        self.kept = kept


@dataclass(frozen=True)
class Field(ABC):
    """One setting: its label, its possible values, and its default."""

    TYPED: ClassVar[bool] = False  # True if people can type values beyond those offered

    label: str
    _: KW_ONLY
    help: str | None = None

    @property
    @abstractmethod
    def usual(self) -> Any:
        """The default value."""

    @abstractmethod
    def read(self, texts: Sequence[str]) -> Any:
        """Return the value that the texts of one key in an address describe. Raises MisfitError if they do not fit."""

    def write(self, value: Any) -> list[str]:
        """Return a value as texts that `read` can read."""
        return [str(value)]

    def words(self, value: Any) -> str:
        """Return a value in words, for captions and reports."""
        return ", ".join(self.write(value)) or NONE

    def shown(self, value: Any) -> Any:
        """Return the state that the control has for a value."""
        return value

    def taken(self, key: str, value: Any) -> Any:
        """Return the value that the control with this key has now; `value` is the value when it was drawn."""
        return st.session_state[key]

    def draw(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        """Draw the control with a value; `changed` is called when a person changes the value."""
        # Setting the state sends it to the browser, where it could override a person's move. So it is set only if the
        # state differs, or if the options differ, which makes it a new control for Streamlit.
        put_on_screen(key)
        drawn, offers, state = _drawn(), self.offers(value), self.shown(value)
        before = st.session_state.get(key, _NOTHING)
        if drawn.get(key) != offers or before != state:
            if before not in (_NOTHING, state):
                _unsure().setdefault(key, deque(maxlen=RECENT)).extend((before, state))
            st.session_state[key] = state
            drawn[key] = offers
        elif called():
            _unsure().pop(key, None)  # the browser asked for this run with the current state
        self.control(key, value, changed)

    def offers(self, value: Any) -> list[Any]:
        """Return everything that defines the control; if this changes, Streamlit needs a new control."""
        return [*self._offered, self.write(value) if self.TYPED else []]

    @cached_property
    def _offered(self) -> list[Any]:
        parts = [getattr(self, field.name) for field in dataclasses.fields(self)]
        return [type(self).__name__, *[part for part in parts if not callable(part)]]

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        """Draw the control, whose state is already set.

        Fields without a control are set by a link, by a table, or by their parts.
        """
        raise NotImplementedError(f"{type(self).__name__} has no control of its own")

    def given(self, key: str, changed: Callable[[], None]) -> dict[str, Any]:
        """Return the arguments of Streamlit that all controls have, by name."""
        return {"key": key, "help": self.help, "on_change": changed}

    def sliders(self, key: str, value: Any) -> list[Slider]:
        """Return the sliders that set the value; [] if there are none."""
        return []


class Defaulted(Field):
    """A field whose default value is its attribute `default`."""

    default: Any

    @property
    def usual(self) -> Any:
        return self.default


def _drawn() -> dict[str, list[Any]]:
    """Map the key of each control that was drawn to its definition (see `offers`)."""
    drawn: dict[str, list[Any]] | None = st.session_state.get(_DRAWN)
    if drawn is None:
        drawn = st.session_state[_DRAWN] = {}
    return drawn


def _unsure() -> dict[str, deque[Any]]:
    """Map keys of controls to recent states that a browser may still show, because it lacks the newest one."""
    unsure: dict[str, deque[Any]] = st.session_state.setdefault(_UNSURE, {})
    return unsure


def is_stale(key: str) -> bool:
    """Return True if a browser reports an old state of a control because a newer one has not reached it.

    A default can depend on another control. If that control is moved twice before the first answer arrives, the second
    report still contains the old default, which nobody chose, together with the new value of the moved control.
    """
    return st.session_state.get(key, _NOTHING) in _unsure().get(key, ()) and moved_together() > 1


def begin() -> None:
    """Begin a run of a page: no control is on the screen yet."""
    st.session_state[_ON_SCREEN] = set()


def put_on_screen(key: str) -> None:
    """Record that the value of this key can be set on the screen in this run, for instance by a thumb in a figure."""
    st.session_state.setdefault(_ON_SCREEN, set()).add(key)


def on_screen(key: str) -> bool:
    """Return True if the value of this key can be set on the screen in this run."""
    return key in st.session_state.get(_ON_SCREEN, ())


def forget_drawn() -> None:
    """Make every control be drawn anew, as on a new page.

    There, the state under a key may be that of a different control.
    """
    for about in (_DRAWN, _UNSURE):
        st.session_state.pop(about, None)


def as_number(text: str) -> float:
    """Return the number in a text; nan if the text is not a number."""
    try:
        return float(text)
    except ValueError:
        return math.nan


@dataclass(frozen=True)
class Number(Field):
    """A number between two ends, set by a slider; with `none`, it is set in a box that may be empty."""

    low: float
    high: float
    default: float | None
    step: float = 0.01
    _: KW_ONLY
    format: str | None = None
    none: str = ""

    @cached_property
    def usual(self) -> float | int | None:
        return None if self.default is None else self.kind(min(max(self.default, self.low), self.high))

    @cached_property
    def kind(self) -> type[int] | type[float]:
        """The type of the values: int if both ends and the step are int, otherwise float."""
        return int if all(isinstance(part, int) for part in (self.low, self.high, self.step)) else float

    def read(self, texts: Sequence[str]) -> float | int | None:
        if self.none and list(texts) == [NONE]:
            return None
        value = as_number(texts[-1])
        if not self.low <= value <= self.high or (self.kind is int and value != int(value)):
            raise MisfitError(f"a {'whole ' * (self.kind is int)}number from {self.low:g} to {self.high:g}")
        return self.kind(value)

    def write(self, value: Any) -> list[str]:
        return [NONE if value is None else f"{value:.12g}"]

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        ends = {"min_value": self.kind(self.low), "max_value": self.kind(self.high)}
        common = {**self.given(key, changed), "format": self.format, **ends}
        if self.none:
            st.number_input(self.label, step=self.kind(self.step), placeholder=self.none, **common)
        elif self.low < self.high:
            st.slider(self.label, step=self.kind(self.step), **common)
        else:
            st.caption(f"{self.label}: {self.low:g}, the only possible value")

    def sliders(self, key: str, value: Any) -> list[Slider]:
        if self.none or not self.low < self.high:
            return []
        steps = round((self.high - self.low) / self.step)
        at = np.unique([*range(0, steps, self.stride), steps])
        places = list(map(self.kind, np.minimum(np.round(self.low + at * self.step, 10), self.high).tolist()))
        return [Slider(key, places, places)]

    @cached_property
    def stride(self) -> int:
        """The number of steps between the positions that are computed in advance.

        It is 1, 2 or 5 times a power of ten, so that these positions include round numbers.
        """
        steps = round((self.high - self.low) / self.step)
        result = (n * int(10**power) for power in count() for n in (1, 2, 5))
        return next(stride for stride in result if steps < PLACES * stride)


@dataclass(frozen=True)
class Stepped(Defaulted):
    """One of several numbers, for instance in equal logarithmic steps, set by a slider."""

    values: Sequence[float]
    default: float

    def read(self, texts: Sequence[str]) -> float:
        for value in self.values:
            if f"{value:g}" == texts[-1]:
                return value
        raise MisfitError(f"one of {shortlist([f'{value:g}' for value in self.values])}")

    def write(self, value: Any) -> list[str]:
        return [f"{value:g}"]

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        st.select_slider(self.label, self.values, format_func="{:g}".format, **self.given(key, changed))

    def sliders(self, key: str, value: Any) -> list[Slider]:
        at = np.unique(np.linspace(0, len(self.values) - 1, min(PLACES, len(self.values))).round().astype(int)).tolist()
        return [Slider(key, at, [self.values[place] for place in at])] if len(at) > 1 else []


@dataclass(frozen=True)
class Span(Field):
    """A range between two numbers; its default is `begins`, or the whole range."""

    low: float
    high: float
    step: float
    begins: tuple[float, float] | None = None

    @property
    def usual(self) -> tuple[float, float]:
        low, high = self.begins or (self.low, self.high)
        return float(low), float(high)

    def read(self, texts: Sequence[str]) -> tuple[float, float]:
        ends = tuple(map(as_number, texts[-1].split(" to ")))
        if len(ends) != 2 or not self.low <= ends[0] <= ends[1] <= self.high:
            raise MisfitError(f"two numbers from {self.low:g} to {self.high:g}")
        return ends[0], ends[1]

    def write(self, value: Any) -> list[str]:
        return [" to ".join(f"{end:.12g}" for end in value)]

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        st.slider(self.label, float(self.low), float(self.high), step=float(self.step), **self.given(key, changed))


@dataclass(frozen=True)
class Choice(Field):
    """One of several options.

    `names` returns the text of an option in the address, and `reads` turns that text into the text on the screen.
    `called` maps some names to different texts for the screen; it is called whenever the field is drawn. A hidden label
    is still read by screen readers. `also` maps further texts in an address to options.
    """

    options: Sequence[Any]
    default: Any = None
    _: KW_ONLY
    names: Callable[[Any], str] = str
    reads: Callable[[str], str] = str
    called: Callable[[], Mapping[str, str]] = dict
    segmented: bool = False
    hide_label: bool = False
    also: tuple[tuple[str, Any], ...] = ()

    @property
    def usual(self) -> Any:
        return self.options[0] if self.default is None else self.default

    def read(self, texts: Sequence[str]) -> Any:
        for option in self.options:
            if texts[-1] == self.names(option) or (texts[-1], option) in self.also:
                return option
        raise MisfitError(f"one of {shortlist(list(map(self.names, self.options)))}")

    def write(self, value: Any) -> list[str]:
        return [self.names(value)]

    def taken(self, key: str, value: Any) -> Any:
        # Nobody can choose nothing: a browser that reports it has lost the state of the control.
        taken = super().taken(key, value)
        return value if taken is None else taken

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        shown = _as_read(self, dict(zip(self.options, map(self.names, self.options), strict=True)))
        common = {**self.given(key, changed), "format_func": shown.__getitem__}
        seen: Literal["collapsed", "visible"] = "collapsed" if self.hide_label else "visible"
        if self.segmented:
            st.segmented_control(self.label, self.options, required=True, label_visibility=seen, **common)
        else:
            st.selectbox(self.label, self.options, label_visibility=seen, **common)


class Several(Field):
    """A field of several texts, listed one by one in the address and in the control; the default is empty."""

    @property
    def usual(self) -> tuple[Any, ...]:
        return ()

    def write(self, value: Any) -> list[str]:
        return list(value)

    def shown(self, value: Any) -> list[str]:
        return self.write(value)

    def taken(self, key: str, value: Any) -> tuple[str, ...]:
        return tuple(st.session_state[key])

    def typed(
        self,
        offered: Sequence[str],
        placeholder: str,
        most: int,
        key: str,
        changed: Callable[[], None],
        reads: Callable[[str], str] = str,
    ) -> None:
        """Draw a control that offers texts and also accepts typed ones; `reads` returns how a text is shown."""
        how = {**self.given(key, changed), "placeholder": placeholder, "max_selections": most}
        st.multiselect(self.label, list(dict.fromkeys(offered)), accept_new_options=True, format_func=reads, **how)


@dataclass(frozen=True)
class Unread(Several):
    """The texts of a setting that only a different view of the page uses; they are kept, but not shown here."""

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(texts)

    def words(self, value: Any) -> str:
        return ""


@dataclass(frozen=True)
class Many(Defaulted, Several):
    """Any number of options, in the order in which they were chosen."""

    options: Sequence[str]
    default: tuple[str, ...] = ()
    _: KW_ONLY
    placeholder: str = ""
    least: int = 0
    most: int | None = None
    reads: Callable[[str], str] = str
    called: Callable[[], Mapping[str, str]] = dict

    def write(self, value: Any) -> list[str]:
        return [NONE] if self.default and not value else list(value)

    def shown(self, value: Any) -> list[str]:
        return list(value)

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        known = set(self.options)
        if not self.least and list(texts) == [NONE] and NONE not in known:
            return ()
        fitting = tuple(dict.fromkeys(text for text in texts if text in known))
        chosen = fitting[: self.most] or self.default
        if len(fitting) > len(chosen):
            raise MisfitError(f"at most {self.most}", chosen)
        enough = len(chosen) >= self.least
        if not enough or not known.issuperset(texts):
            count = f"{self.least} or more" if self.least else "some"
            few = f"{count} of {', '.join(self.options) or 'nothing'}"
            expected = few if len(self.options) <= FEW else "names from this collection"
            raise MisfitError(expected, chosen if enough else None)
        return chosen

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        if not self.options:
            return
        shown = _as_read(self, dict(zip(self.options, self.options, strict=True)))
        how = {**self.given(key, changed), "format_func": shown.__getitem__}
        st.multiselect(self.label, self.options, placeholder=self.placeholder, max_selections=self.most, **how)


def _as_read(field: Choice | Many, names: Mapping[Any, str]) -> dict[Any, str]:
    """Map each option to its text in the control."""
    called = field.called()
    return {option: called.get(name) or field.reads(name) for option, name in names.items()}


@dataclass(frozen=True)
class Numbers(Several):
    """A few numbers, offered or typed."""

    TYPED = True

    low: float
    high: float
    offered: Sequence[float] = ()
    _: KW_ONLY
    most: int = 4

    def read(self, texts: Sequence[str]) -> tuple[float, ...]:
        values = dict.fromkeys(map(as_number, texts))
        within = tuple(value for value in values if self.low <= value <= self.high)[: self.most]
        if len(within) < min(len(values), self.most):
            raise MisfitError(f"numbers from {self.low:g} to {self.high:g}", within)
        return within

    def write(self, value: Any) -> list[str]:
        return [number if isinstance(number, str) else f"{number:.12g}" for number in value]

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        self.typed([*self.write(self.offered), *self.write(value)], "type a number", self.most, key, changed)


@dataclass(frozen=True)
class Switch(Defaulted):
    """A setting that is on or off."""

    default: bool = False

    def read(self, texts: Sequence[str]) -> bool:
        if texts[-1] not in ("true", "false"):
            raise MisfitError("true or false")
        return texts[-1] == "true"

    def write(self, value: Any) -> list[str]:
        return ["true" if value else "false"]

    def words(self, value: Any) -> str:
        return "on" if value else "off"

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        st.toggle(self.label, **self.given(key, changed))


@dataclass(frozen=True)
class Line(Defaulted):
    """A line of text."""

    default: str = ""
    _: KW_ONLY
    placeholder: str = ""

    def read(self, texts: Sequence[str]) -> str:
        return texts[-1].strip()

    def taken(self, key: str, value: Any) -> str:
        return str(st.session_state[key] or "").strip()

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        st.text_input(self.label, placeholder=self.placeholder, **self.given(key, changed))


class InParts(Field):
    """A field whose control has several parts that can be drawn separately."""

    @abstractmethod
    def draw_parts(self, names: Sequence[str], key: str, value: Any, changed: Callable[[], None]) -> None:
        """Draw the controls of the parts with these names."""


@dataclass(frozen=True)
class Each(InParts):
    """A setting with a value for each of several names, such as a gain for each grade; the address omits defaults."""

    parts: Mapping[str, Field]

    @property
    def usual(self) -> tuple[Any, ...]:
        return tuple(part.usual for part in self.parts.values())

    def read(self, texts: Sequence[str]) -> tuple[Any, ...]:
        values, problems = dict(zip(self.parts, self.usual, strict=True)), []
        for text in texts:
            name, _, given = text.rpartition(":")
            try:
                values[name] = self.parts[name].read([given])
            except KeyError:
                problems.append(f"a setting for one of {', '.join(self.parts)}")
            except MisfitError as problem:
                problems.append(f"{name}: {problem}")
        if problems:
            raise MisfitError("; ".join(dict.fromkeys(problems)), tuple(values.values()))
        return tuple(values.values())

    def write(self, value: Any) -> list[str]:
        both = zip(self.parts.items(), value, strict=True)
        return [f"{name}:{part.write(own)[0]}" for (name, part), own in both if own != part.usual]

    def words(self, value: Any) -> str:
        both = zip(self.parts.items(), value, strict=True)
        return ", ".join(f"{name} {part.words(own)}" for (name, part), own in both)

    def taken(self, key: str, value: Any) -> tuple[Any, ...]:
        keys = [f"{key}.{name}" for name in self.parts]
        return tuple(st.session_state.get(part, now) for part, now in zip(keys, value, strict=True))

    def sliders(self, key: str, value: Any) -> list[Slider]:
        return [
            replace(slider, values=[(*value[:at], new, *value[at + 1 :]) for new in slider.values])
            for at, (name, part) in enumerate(self.parts.items())
            for slider in part.sliders(f"{key}.{name}", value[at])
        ]

    def draw(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        self.draw_parts(list(self.parts), key, value, changed)

    def draw_parts(self, names: Sequence[str], key: str, value: Any, changed: Callable[[], None]) -> None:
        values = dict(zip(self.parts, value, strict=True))
        for name in names:
            self.parts[name].draw(f"{key}.{name}", values[name], changed)


@dataclass(frozen=True)
class OneMeasure(Field):
    """A measure, offered or typed; the value is its text.

    `fits` raises InputError for a measure that is not allowed.
    """

    TYPED = True

    offered: Sequence[str]
    default: str = ""
    _: KW_ONLY
    fits: Callable[[str], object] = str

    @property
    def usual(self) -> str:
        return self.default or self.offered[0]

    def read(self, texts: Sequence[str]) -> str:
        text = measure_text(texts[-1])
        try:
            self.fits(text)  # raises InputError if it is not allowed
        except InputError as error:
            raise MisfitError(error.problem.removeprefix("expected ")) from None
        return text

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        options = list(dict.fromkeys([self.usual, *self.offered, value]))
        how = {**self.given(key, changed), "format_func": text_named}
        st.selectbox(self.label, options, accept_new_options=True, **how)


@dataclass(frozen=True)
class Measures(Defaulted, Several):
    """Several measures, offered or typed; the value is a tuple of their texts."""

    TYPED = True

    offered: Sequence[str]
    default: tuple[str, ...]
    _: KW_ONLY
    most: int = 24

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        kept: dict[str, None] = {}
        problems = []
        for text in dict.fromkeys(texts):
            if len(kept) == self.most:
                problems.append(f"at most {self.most} measures; the others are left out")
                break
            try:
                kept[measure_text(text)] = None
            except MisfitError as problem:
                problems.append(f"{problem}; {shorten(text)} is left out")
        result = tuple(kept) or self.usual
        if problems:
            raise MisfitError("; ".join(problems), result)
        return result

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        self.typed([*self.offered, *value], "type a measure", self.most, key, changed, reading_name)


def measure_text(text: str) -> str:
    """Return the canonical text of the measure that `text` describes. Raises MisfitError if it describes none."""
    try:
        measure = ec.parse(text)
        LIMITS.check_measure(measure)
        return str(measure)
    except InputError as error:
        raise MisfitError(str(error).removeprefix("expected ")) from None


@dataclass(frozen=True)
class OneValue(Defaulted):
    """One of the registered values of a kind, such as discounts, with a control for each of its parameters.

    In the address, it is the text of the value, such as `Geometric(rho=0.8)`. `fields` returns the fields for the
    parameters of a class.
    """

    kind: type[Value]
    default: Value
    _: KW_ONLY
    fields: Callable[[type[Value]], Mapping[str, Field]] = lambda cls: fields_of(cls)

    @property
    def kinds(self) -> Choice:
        """The choice among the classes of the kind, listed by their names in words."""
        return Choice(self.label, list(values_of(self.kind)), help=self.help or help_of(values_of(self.kind)))

    def read(self, texts: Sequence[str]) -> Any:
        try:
            value = parse_value(texts[-1], self.kind)
            LIMITS.check_measure(value)
        except InputError as error:
            raise MisfitError(str(error).removeprefix("expected ")) from None
        if value == type(value)():
            return self.at_defaults(value)
        for name, field in self.fields(type(value)).items():
            try:
                if written := field.write(_shown(value, name, field)):
                    field.read(written)
            except MisfitError as problem:
                raise MisfitError(f"as {name} {problem}", self.at_defaults(value)) from None
        return value

    def at_defaults(self, value: Value) -> Value:
        """Return a value of the same class whose parameters have the defaults of their fields."""
        fields = self.fields(type(value)).items()
        return value.with_(**{name: _taken(value, name, field, field.usual) for name, field in fields})

    def draw(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        self.kinds.draw(key, in_words(type(value).__name__), changed)
        for name, field in self.fields(type(value)).items():
            field.draw(f"{key}.{name}", _shown(value, name, field), changed)

    def sliders(self, key: str, value: Any) -> list[Slider]:
        return [
            replace(slider, values=[value.with_(**{name: _taken(value, name, field, new)}) for new in slider.values])
            for name, field in self.fields(type(value)).items()
            for slider in field.sliders(f"{key}.{name}", _shown(value, name, field))
        ]

    def taken(self, key: str, value: Any) -> Any:
        kind = values_of(self.kind)[st.session_state[key]]
        if type(kind) is not type(value):
            return self.at_defaults(kind)
        now = {
            name: _taken(value, name, field, field.taken(f"{key}.{name}", _shown(value, name, field)))
            for name, field in self.fields(type(value)).items()
        }
        return value.with_(**now)


def _shown(value: Value, name: str, field: Field) -> Any:
    """Return a parameter of a value in the form that its field has.

    For a table, which may be incomplete, this is a tuple with an entry for each part of the field. Raises MisfitError
    if a list has the wrong length.
    """
    result = getattr(value, name)
    if not isinstance(field, Each):
        return result
    if get_origin(type(value).hints()[name]) is tuple:
        if len(result) != len(field.parts):
            raise MisfitError(f"{len(field.parts)} numbers")
        return result
    table = dict(result)
    return tuple(table.get(float(key), part.usual) for key, part in field.parts.items())


def _taken(value: Value, name: str, field: Field, entered: Any) -> Any:
    """Return the value entered in a field, in the form of the parameter."""
    if isinstance(field, Each) and get_origin(type(value).hints()[name]) is not tuple:
        return tuple(zip(map(float, field.parts), entered, strict=True))
    return entered


# --- fields of declared parameters ------------------------------------------------------------------------------------


def of_parameter(cls: type[Value], name: str, label: str = "", **changes: Any) -> Field:
    """Return the field for a declared parameter of a measure, gain, discount and so on.

    It is made from the parameter's range, default and help. `changes` replace parts of the declaration, such as
    `default` or `high` (the end of the slider).
    """
    declared = cls.parameters()[name]
    help = f"{declared.metadata['help'][:1].upper()}{declared.metadata['help'][1:]}" or None
    about = {"label": label or name.replace("_", " "), "help": help, "default": declared.default, **changes}
    hint = cls.hints()[name]
    kinds = [kind for kind in (get_args(hint) or (hint,)) if isinstance(kind, type) and issubclass(kind, Value)]
    if choices := declared.metadata["choices"]:
        return Choice(options=choices, **about)
    if kinds:
        return of_values(kinds[0], **about)
    if hint is bool:
        return Switch(**about)
    return _of_range(declared.metadata["range"] or Range(), hint, about)


def fields_of(cls: type[Value]) -> Mapping[str, Field]:
    """Map each declared parameter that is a number, a choice, a switch or a value to its field; omit the others."""
    return {name: of_parameter(cls, name) for name in cls.parameters() if _has_field(cls, name)}


def _has_field(cls: type[Value], name: str) -> bool:
    hint = cls.hints()[name]
    kinds = [kind for kind in (get_args(hint) or (hint,)) if isinstance(kind, type)]
    return bool(cls.parameters()[name].metadata["choices"]) or (
        get_origin(hint) in (None, UnionType) and any(issubclass(kind, bool | int | float | Value) for kind in kinds)
    )


def _of_range(allowed: Range, hint: Any, about: dict[str, Any]) -> Number:
    whole = int in (hint, *get_args(hint)) and float not in (hint, *get_args(hint))
    step = about.pop("step", None) or allowed.step or (1 if whole else 0.01)
    low = about.pop("low", allowed.low + (step if allowed.open_low else 0))
    high = about.pop("high", allowed.high - (step if allowed.open_high else 0))
    ends = [end if math.isfinite(end) else far for end, far in ((low, 0), (high, 100))]
    kind = int if whole else float
    if type(None) in get_args(hint):
        about.setdefault("none", NONE)
    return Number(low=kind(ends[0]), high=kind(ends[1]), step=kind(step), **about)


def of_values(kind: type[Value], label: str, default: Value | None = None, **about: Any) -> Choice:
    """Return the choice among all registered values of a kind (distances, gains, ...) with default parameters.

    Its help lists the first line of each value's documentation.
    """
    named = values_of(kind)
    about.setdefault("help", help_of(named))
    names = {value: name for name, value in named.items()}
    first = None if default is None else next((value for value in names if type(value) is type(default)), None)
    return Choice(label, list(named.values()), first, names=names.__getitem__, **about)


def values_of(kind: type[Value]) -> Mapping[str, Any]:
    """Map names in words to the registered values of a kind; values that need arguments are left out.

    >>> from evalcore.measures.toma import ClassWeights
    >>> list(values_of(ClassWeights))[:2]
    ['by class', 'by distance']
    """
    result = {}
    for cls in Value.registry.values():
        if issubclass(cls, kind):
            try:
                result[in_words(cls.__name__)] = cls()
            except (TypeError, InputError):
                continue  # it has a required argument
    return result


def help_of(named: Mapping[str, Value]) -> str:
    """Return the names of values, each with the first line of its documentation, in Markdown."""
    texts = {name: (type(value).__doc__ or "").partition("\n")[0].rstrip(".") for name, value in named.items()}
    return "  \n".join(f"**{markdown(name)}**: {markdown(line)}" for name, line in texts.items())


def in_words(name: str) -> str:
    """Return the name of a class in words.

    >>> in_words("TopHalf"), in_words("Euclidean"), in_words("nDCG")
    ('top half', 'Euclidean', 'nDCG')
    """
    parts = re.split("(?<=[a-z])(?=[A-Z])", name)
    return " ".join(parts).lower() if len(parts) > 1 and name[0].isupper() else name
