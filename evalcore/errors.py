"""The one exception that bad input raises."""

from __future__ import annotations


class DataError(ValueError):
    """Input that cannot be used: the message says what was expected, what was found, and where.

    >>> raise DataError("expected 6 fields, found 5", "runs/a.txt.gz", 17)
    Traceback (most recent call last):
        ...
    evalcore.errors.DataError: runs/a.txt.gz line 17: expected 6 fields, found 5
    """

    def __init__(self, problem: str, where: str = "", line: int | None = None) -> None:
        self.problem, self.where, self.line = problem, where, line
        place = f"{where} line {line}" if line is not None else where
        super().__init__(f"{place}: {problem}" if place else problem)


def shorten(text: str | bytes, width: int = 60) -> str:
    """Quote a piece of foreign text for an error message, cut to `width` characters.

    >>> shorten("a" * 99, 6)
    "'aaaaaa…'"
    """
    if isinstance(text, bytes):
        text = text[: 4 * width].decode("utf-8", errors="replace")
    return repr(text if len(text) <= width else text[:width] + "…")
