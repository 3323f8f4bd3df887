"""Statements of the guided path as data: a kind, a template, and named values, from which the English is made.

Tests compare the values, not the English, with independent computations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, TypeAlias

from ui.screen.text import markdown, percent, score_text

MOST_DIGITS = 4


@dataclass(frozen=True, eq=False)
class Statement:
    """A sentence, or a part of one: `values` fill the named fields of `template`, which is Markdown.

    >>> half = state("half", "The first **{ranks}** ranks hold {share:.0%}.", ranks=4, share=0.59)
    >>> half.text, half["ranks"]
    ('The first **4** ranks hold 59%.', 4)
    """

    kind: str
    template: str
    values: Mapping[str, Any]

    @property
    def text(self) -> str:
        return _WRITER.vformat(self.template, (), self.values)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


Statements: TypeAlias = tuple[Statement, ...]


def state(kind: str, template: str, /, **values: Any) -> Statement:
    """Return a statement with this kind, template and values. Text values, such as names of systems, are escaped."""
    return Statement(kind, template, values)


def joined(statements: Sequence[Statement]) -> str:
    """Return the texts of statements, joined by spaces."""
    return " ".join(statement.text for statement in statements)


def named(names: list[str]) -> str:
    """Return tied systems as text in Markdown: up to two by name, three or more as a number.

    >>> named(["a"]), named(["a", "b"]), named(["a", "b", "c"])
    ('a', 'a and b', '3 tied systems')
    """
    return " and ".join(map(markdown, names)) if len(names) < 3 else f"{len(names)} tied systems"


def are(names: list[str]) -> str:
    """Return tied systems as the subject of a sentence, followed by "is" or "are"."""
    return f"{named(names)} {'is' if len(names) == 1 else 'are'}"


def inside(value: float, digits: int = 2) -> str:
    """Return a share between 0 and 1 as text, with enough digits to show that the share is not exactly 0 or 1.

    >>> inside(0.67), inside(0.9988), inside(0.0004), inside(1 - 1e-9)
    ('0.67', '0.999', '0.0004', 'just below 1')
    """
    texts = [f"{value:.{more}f}" for more in range(digits, MOST_DIGITS + 1)]
    return next((text for text in texts if 0 < float(text) < 1), "just below 1" if value > 0.5 else "just above 0")


WAYS: dict[str, Callable[[Any], str]] = {
    "systems": named,
    "are": are,
    "inside": inside,
    "percent": percent,
    "score": lambda value: score_text(value, 3),
    "score2": lambda value: score_text(value, 2),
}
"""Formats of values in templates, in addition to Python's, keyed by the name after the colon."""


class _Writer(Formatter):
    def format_field(self, value: Any, spec: str) -> Any:
        if spec in WAYS:
            return WAYS[spec](value)
        return markdown(value) if isinstance(value, str) else super().format_field(value, spec)


_WRITER = _Writer()
