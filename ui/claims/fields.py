"""Fields of the page Claim: the options left out, the specifications as text, and a section of the curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import streamlit as st

from evalcore import InputError
from evalcore.claims import Choice as ClaimChoice
from evalcore.claims import Option, Specifications, parse_specifications, write_specifications
from evalcore.claims.text import FILE_NAME
from ui.screen.text import markdown
from ui.widgets.fields import InParts, Line, Many, MisfitError, Span

LONGEST_TEXT = 6000  # most characters of specifications that a link may contain


def in_link(choice: ClaimChoice, option: str) -> str:
    """Return "CHOICE: OPTION", as a link writes an option."""
    return f"{choice.name}: {option}"


@dataclass(frozen=True)
class LeftOut(Many, InParts):
    """Field of the options that are left out, with one control for each choice."""

    _: KW_ONLY
    choices: tuple[ClaimChoice, ...] = ()

    @classmethod
    def of(cls, label: str, specifications: Specifications | None) -> LeftOut:
        """Return the field for the choices that have more than one option."""
        choices = specifications.choices if specifications else ()
        open_ones = tuple(choice for choice in choices if len(choice.options) > 1)
        texts = [in_link(choice, option.name) for choice in open_ones for option in choice.options]
        return cls(label, texts, choices=open_ones)

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        result = super().read(texts)
        lost = [choice for choice in self.choices if not any(option.weight for option in self.of_those(choice, result))]
        if lost:
            emptied = {in_link(choice, option.name) for choice in lost for option in choice.options}
            kept = tuple(text for text in result if text not in emptied)
            raise MisfitError(f"at least one option of {', '.join(sorted(choice.name for choice in lost))}", kept)
        return result

    def counted(self, choice: ClaimChoice, value: Sequence[str]) -> tuple[str, ...]:
        """Return the names of a choice's options that are in use; `value` lists the options left out, as in a link."""
        return tuple(option.name for option in self.of_those(choice, value))

    def of_those(self, choice: ClaimChoice, value: Sequence[str]) -> list[Option]:
        """Return a choice's options that are in use; `value` lists the options left out, as in a link."""
        return [option for option in choice.options if in_link(choice, option.name) not in value]

    def taken(self, key: str, value: Any) -> tuple[str, ...]:
        left_out = list[str]()
        for choice in self.choices:
            counted = st.session_state.get(_row_key(key, choice), self.counted(choice, value))
            left_out += [in_link(choice, option.name) for option in choice.options if option.name not in counted]
        return tuple(left_out)

    def draw(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        self.draw_parts([choice.name for choice in self.choices], key, value, changed)

    def draw_parts(self, names: Sequence[str], key: str, value: Any, changed: Callable[[], None]) -> None:
        for choice in self.choices:
            if choice.name in names:
                options, counted = [option.name for option in choice.options], self.counted(choice, value)
                Many("What counts", options, help=_about(choice)).draw(_row_key(key, choice), counted, changed)


def _row_key(key: str, choice: ClaimChoice) -> str:
    return f"{key}.{choice.name}"


def _refused(key: str) -> str:
    return f"{key} refused"


def _about(choice: ClaimChoice) -> str:
    """Return a sentence on what a choice varies, and on the measures to which it is restricted, if any."""
    words = {"parameter": f"the parameter {choice.parameter} of the measures", "source": "whose labels count"}
    what = words.get(choice.kind, choice.kind)
    only = f", only for {', '.join(choice.only)}" if choice.only else ""
    return markdown(f"Chooses {what}{only}")


@dataclass(frozen=True)
class AsText(Line):
    """Field of specifications as TOML. Empty text stands for the defaults for the collection, `sensible`."""

    _: KW_ONLY
    sensible: str = ""
    fits: Callable[[Specifications], object] = str

    def read(self, texts: Sequence[str]) -> str:
        text = texts[-1].strip()
        if not text:
            return ""
        try:
            specifications = parse_specifications(text)
            self.fits(specifications)  # raises InputError if they do not fit
        except InputError as error:
            where = "" if error.where in ("", FILE_NAME) else f" ({error.where})"
            raise MisfitError(error.problem.removeprefix("expected ") + where) from None
        canonical = write_specifications(specifications)
        if len(canonical) > LONGEST_TEXT:
            raise MisfitError(f"at most {LONGEST_TEXT:,} characters, because the link contains them")
        return "" if canonical == self.sensible else canonical

    def write(self, value: Any) -> list[str]:
        return [value] if value else []

    def taken(self, key: str, value: Any) -> str:
        """Return the text in the control, or the previous value if the text has a mistake.

        The mistaken text stays on the screen for correction.
        """
        text = super().taken(key, value)
        st.session_state.pop(_refused(key), None)
        try:
            self.read([text])
        except MisfitError as problem:
            st.session_state[_refused(key)] = (text, str(problem), value)
            return str(value)
        return text

    def draw(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        text, problem, kept = st.session_state.get(_refused(key), ("", "", None))
        if not problem or kept != value:
            super().draw(key, value, changed)
            return
        st.session_state[key] = text
        self.control(key, value, changed)
        st.error(
            f"This text needs {markdown(problem)}. Until you correct it, the previous text is used.",
            icon=":material/error:",
        )

    def words(self, value: Any) -> str:
        return "given as text" if value else "the defaults for this collection"

    def shown(self, value: Any) -> Any:
        return value or self.sensible

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        st.text_area(self.label, height=260, **self.given(key, changed))


@dataclass(frozen=True)
class Stretch(Span):
    """Field of a section of the curve: its first and last position, counted from 1 and within the curve."""

    def read(self, texts: Sequence[str]) -> tuple[float, float]:
        low, high = Span(self.label, self.low, float("inf"), 1).read(texts)
        low, high = float(round(low)), min(float(round(min(high, 1e9))), self.high)
        return (low, high) if low <= high else self.usual

    def shown(self, value: Any) -> tuple[int, int]:
        return int(value[0]), int(value[1])

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        if self.low < self.high:
            st.slider(self.label, int(self.low), int(self.high), **self.given(key, changed))
