"""Tables as papers and web pages print them, pasted into a file: Markdown, or the rows of LaTeX -> CSV, line by line.

What stands around the table is left out: the lines before and after, rules, emphasis, links, and commands of LaTeX.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain

_RULE = re.compile(r"[ \t|]*:?-{2,}:?([ \t]*\|[ \t]*:?-+:?)*[ \t|]*")  # below the header of Markdown
# Bounded, as a file may be a stranger's
_LINK = re.compile(r"!?\[([^\]]{0,300})\]\([^)]{0,2000}\)")
_EMPHASIS = re.compile(r"^([*_`~]{1,3})(.*)\1$")
_DEPTH = 5  # of emphasis, or commands, in one another
_ROW_END = re.compile(r"\\\\(\[[^\]]{0,20}\])?|\\(hline|toprule|midrule|bottomrule|addlinespace)\b")
_LINES = re.compile(r"\\(cline|cmidrule|rowcolor|cellcolor)(\([^)]{0,20}\))?(\[[^\]]{0,20}\])?\{[^}]{0,60}\}")
_COMMAND = re.compile(r"\\(?:textbf|textit|emph|underline|mathbf|text|texttt|textsc|mathrm)\{([^{}]{0,300})\}")
_ESCAPED = re.compile(r"\\([%&_#$])")


def is_pasted(text: str) -> bool:
    """Whether a text has a table of Markdown or LaTeX in it.

    >>> is_pasted("model | A\\n---|---\\nx | 0.5\\n"), is_pasted(r"x & 0.5 \\\\\\\\"), is_pasted("model,A\\nx,0.5\\n")
    (True, True, False)
    """
    return _is_markdown(text) or any("&" in line and "\\\\" in line for line in text.splitlines())


def as_csv(text: str) -> str:
    """A table of Markdown or LaTeX as CSV, its rows on the lines where they were.

    >>> print(as_csv("| model | A |\\n|---|---|\\n| **x** | `0.5` |"))
    model,A
    <BLANKLINE>
    x,0.5
    """
    return _written(_markdown(text.splitlines()) if _is_markdown(text) else _latex(text.splitlines()))


def in_columns(text: str) -> str:
    """A table whose columns blanks part, the names of which are in its first line, as CSV; "" for any other text.

    >>> print(in_columns("model  A    B\\nx      0.1  0.2\\n"))
    model,A,B
    x,0.1,0.2
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    names = first.split()
    if len(names) < 3 or {*first} & {*",;|\t"} or any(map(_is_number, names)):
        return ""
    lines = [line.split() for line in text.splitlines()]
    _, *rows = (cells for cells in lines if cells)
    if not rows or any(len(cells) != len(names) for cells in rows):
        return ""
    return _written(lines) if all(map(_is_number, chain.from_iterable(cells[1:] for cells in rows))) else ""


def _is_number(cell: str) -> bool:
    return bool(re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", cell, re.IGNORECASE))


def _is_markdown(text: str) -> bool:
    return any("|" in line and _RULE.fullmatch(line) for line in text.splitlines())


def _markdown(lines: list[str]) -> list[list[str]]:
    """The cells of the first table: what is joined to its rule by lines with bars."""
    rule = next(at for at, line in enumerate(lines) if "|" in line and _RULE.fullmatch(line))
    end = next((at for at in range(rule, len(lines)) if "|" not in lines[at]), len(lines))
    return [
        [_plain(cell) for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
        if rule - 1 <= at < end and at != rule
        else []
        for at, line in enumerate(lines)
    ]


def _plain(cell: str) -> str:
    text = _LINK.sub(r"\1", cell).strip()
    for _ in range(_DEPTH):
        text = _EMPHASIS.sub(r"\2", text).strip()
    return text


def _latex(lines: list[str]) -> Iterator[list[str]]:
    for line in lines:
        cells = re.split(r"(?<!\\)&", _ROW_END.sub("", _LINES.sub("", line))) if "&" in line else []
        yield [_without_commands(cell) for cell in cells if not cells[0].lstrip().startswith("%")]


def _without_commands(cell: str) -> str:
    text = cell
    for _ in range(_DEPTH):
        text = _COMMAND.sub(r"\1", text)
    return _ESCAPED.sub(r"\1", text.replace("$", "")).strip()


def _written(listed: Iterable[list[str]]) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for cells in listed:
        if cells:
            writer.writerow(cells)
        else:
            written.write("\n")
    return written.getvalue().rstrip("\n")
