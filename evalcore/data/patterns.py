"""Patterns of file names in a `collection.toml`: *, ? and [...] match text within one folder.

`{system}`, `{topic}`, `{judge}`, `{measure}`, `{repeat}` and `{fold}` match as * does, and give the matched text
a role, as in `{system}.{judge}.eval`.

A pattern may come from a stranger. Its length is limited, as the time that Python needs grows with its square. It is
compiled only once. And the number of names times the number of patterns is limited before any are compared.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from evalcore.errors import InputError, shorten
from evalcore.limits import most, refuse_more

OF_EACH = 32  # added to the length of each pattern or name, as even a short one takes time
_PLACE = re.compile(r"\{(system|topic|judge|measure|repeat|fold)\}")
_TOKEN = re.compile(rf"\[!?\]?[^\]]*\]|\*+|{_PLACE.pattern.replace('(', '(?:')}|.", re.DOTALL)
_SPECIAL = re.compile(rf"[*?\[]|{_PLACE.pattern}")
_Fits = tuple[Callable[[str], re.Match[str] | None], ...]


def is_pattern(text: str) -> bool:
    """Return true if a pattern may match names other than its own text.

    >>> is_pattern("runs/*"), is_pattern("runs/a.txt")
    (True, False)
    """
    return bool(_SPECIAL.search(text))


def fits(pattern: str, parts: Sequence[str]) -> bool:
    """Return true if a pattern matches a path, given as its parts. A star matches only within one folder.

    >>> fits("runs/*", ["runs", "a"]), fits("*", ["runs", "a"])
    (True, False)
    """
    wanted = _compiled(pattern)
    return len(parts) == len(wanted) and all(match(part) for match, part in zip(wanted, parts, strict=True))


def places(pattern: str, name: str) -> dict[str, str]:
    """Return the text for each role in a pattern, such as `{system}`, if a path matches the pattern; else {}.

    If the pattern or the path has more folders than the other, its first folders are ignored.

    >>> places("{system}.nist.*", "evals/bm25.nist.eval"), places("*.eval", "bm25.eval")
    ({'system': 'bm25'}, {})
    """
    if not _PLACE.search(pattern):
        return {}
    wanted, parts = _compiled(pattern), name.split("/")
    width = min(len(wanted), len(parts))  # uploads of single files have lost their folders
    hits = [match(part) for match, part in zip(wanted[-width:], parts[-width:], strict=True)]
    return {place: text for match in hits if match for place, text in match.groupdict().items()} if all(hits) else {}


def refuse_costly(texts: Iterable[str], names: Collection[str], where: str = "") -> None:
    """Raise InputError for costly patterns: too many, too long, or too many for this number of names."""
    texts = set(texts)
    refuse_more("patterns", len(texts), where=where)
    patterns = [text for text in texts if is_pattern(text)]
    for pattern in patterns:
        if len(pattern) > most("pattern_characters"):
            problem = f"expected patterns of at most {most('pattern_characters'):,} characters"
            raise InputError(f"{problem}, found {shorten(pattern, 20)} of {len(pattern):,}", where)
    lengths = (sum(len(text) + OF_EACH for text in listed) for listed in (patterns, names))
    refuse_more("pattern_pairs", *lengths, where=where)


@lru_cache(maxsize=1 << 12)
def _compiled(pattern: str) -> _Fits:
    return tuple(re.compile(_translated(part)).match for part in pattern.split("/"))


def _translated(part: str) -> str:
    """Return a pattern without folders as a regular expression, with a group for each role.

    A role that occurs again is treated as a star.

    As in fnmatch, every star except the last matches as little text as possible and is never extended to more text, so
    that matching is fast for every name.
    """
    if not _PLACE.search(part):
        return fnmatch.translate(part)
    first, *others = _between_stars(part)
    seen, text = set[str](), _plain(first[1])
    for at, (star, following) in enumerate(others):
        last = at == len(others) - 1
        named = f"?P<{star[1:-1]}>" if star[0] == "{" and star not in seen else "?:"
        seen.add(star)
        group = f"({named}.*{'' if last else '?'}){_plain(following)}"
        text += group if last else f"(?>{group})"
    return f"(?s:{text})\\Z"


def _between_stars(part: str) -> list[tuple[str, str]]:
    """List the stars and roles of a pattern as (star or role, text after it).

    The first entry is ("", text before all of them).
    """
    pieces = [("", "")]
    for token in _TOKEN.findall(part):
        if token[0] == "*" or _PLACE.fullmatch(token):
            pieces.append((token, ""))
        else:
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + token)
    return pieces


def _plain(text: str) -> str:
    """Return a regular expression for a piece of a pattern that has no star."""
    return fnmatch.translate(text).removeprefix("(?s:").rpartition(")")[0]
