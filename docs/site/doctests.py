"""Show doctests as blocks of code on the site, because Markdown would read `>>>` as quotations."""

from __future__ import annotations

import doctest
from typing import Any

import griffe

FENCE = "```"


class Fenced(griffe.Extension):
    """Extension of griffe that puts the examples of every docstring into blocks of code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the examples in the docstring of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(docstring: str) -> str:
    """Return a docstring with its examples in fenced blocks of code."""
    lines, inside = [], False
    for part in doctest.DocTestParser().parse(docstring):
        if isinstance(part, str):
            if part.strip():
                lines += [FENCE] * inside
                inside = False
                lines.append(part.strip("\n"))
            continue
        lines += ["", f"{FENCE}pycon"] * (not inside)
        inside = True
        first, *more = part.source.rstrip("\n").splitlines()
        lines += [f">>> {first}", *(f"... {line}" for line in more), *part.want.rstrip("\n").splitlines()]
    return "\n".join([*lines, *[FENCE] * inside])
