"""Patterns of file names, as a `collection.toml` has them: *, ? and [...], each within one folder.

A pattern may be a stranger's. Its length is bounded, as Python takes time with the square of it; it is compiled once;
and how many names meet how many patterns is bounded before the first of them does.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from evalcore.errors import InputError, shorten
from evalcore.limits import most, refuse_more

_SPECIAL = re.compile(r"[*?\[]")
_Fits = tuple[Callable[[str], object], ...]


def is_pattern(text: str) -> bool:
    """Whether a text may fit other names than itself.

    >>> is_pattern("runs/*"), is_pattern("runs/a.txt")
    (True, False)
    """
    return bool(_SPECIAL.search(text))


def fits(pattern: str, parts: Sequence[str]) -> bool:
    """Whether a pattern fits a path, given as its parts: a star stays within its folder.

    >>> fits("runs/*", ["runs", "a"]), fits("*", ["runs", "a"])
    (True, False)
    """
    wanted = _compiled(pattern)
    return len(parts) == len(wanted) and all(match(part) for match, part in zip(wanted, parts, strict=True))


def refuse_costly(texts: Iterable[str], names: Collection[str], where: str = "") -> None:
    """Raise InputError for texts that would be at work for long: too many, too long, or too much for so many names."""
    texts = set(texts)
    refuse_more("patterns", len(texts), where=where)
    patterns = [text for text in texts if is_pattern(text)]
    for pattern in patterns:
        if len(pattern) > most("pattern_characters"):
            problem = f"expected patterns of at most {most('pattern_characters'):,} characters"
            raise InputError(f"{problem}, found {shorten(pattern, 20)} of {len(pattern):,}", where)
    refuse_more("pattern_pairs", sum(map(len, patterns)), sum(map(len, names)), where=where)


@lru_cache(maxsize=1 << 12)
def _compiled(pattern: str) -> _Fits:
    return tuple(re.compile(fnmatch.translate(part)).match for part in pattern.split("/"))
