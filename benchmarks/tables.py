"""Tables as plain text or Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MISSING = "not installed"


@dataclass(frozen=True)
class Table:
    """A title, a heading for each column, rows, and remarks below them."""

    title: str
    heading: Sequence[str]
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = ()

    def text(self, markdown: bool) -> str:
        """Return the table as text, with the first column aligned left, the others right."""
        widths = [max(map(len, column)) for column in zip(self.heading, *self.rows, strict=True)]
        lines = [_line(row, widths, markdown) for row in (self.heading, *self.rows)]
        rule = [":" + "-" * (widths[0] - 1), *("-" * (width - 1) + ":" for width in widths[1:])]
        lines.insert(1, _line(rule if markdown else ["-" * width for width in widths], widths, markdown))
        title = f"### {self.title}\n" if markdown else f"{self.title}\n{'=' * len(self.title)}"
        remarks = ["", *self.remarks] if self.remarks else []
        return "\n".join([title, *lines, *remarks, ""])


def number(value: float, digits: int = 3) -> str:
    """Return a number as text with some significant digits, without an exponent.

    >>> number(0.012345), number(1234.5), number(3.0)
    ('0.0123', '1234', '3.00')
    """
    whole = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    if not whole and value:
        while abs(value) * 10 ** (1 - whole) < 1:
            whole -= 1
    return f"{value:.{max(digits - whole, 0)}f}"


def _line(cells: Sequence[str], widths: Sequence[int], markdown: bool) -> str:
    padded = [
        cells[0].ljust(widths[0]),
        *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)),
    ]
    return f"| {' | '.join(padded)} |" if markdown else "  ".join(padded).rstrip()
