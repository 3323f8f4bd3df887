"""Words of a screen: numbers and names as they are read, foreign text made harmless where Streamlit reads Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate

from evalcore.common.rounding import percent as percent
from evalcore.errors import counted as counted
from evalcore.errors import readable
from evalcore.figures.draw import score_text as score_text
from evalcore.notation.display_names import reading_name as reading_name

# The name of a measure's text: long lists are named each time they are drawn.
text_named: Callable[[str], str] = lru_cache(maxsize=1024)(reading_name)
_LINK = re.compile(r"https?:(?=//)|www(?=\.)|@(?=[-\w]+\.)", re.IGNORECASE)
_JOINER = "\u2060"  # shows nothing and holds together; Markdown sees no address where it stands
_NUMBERED = re.compile(r"^(\d+)\.(?=\s|$)")
_INSIDE = r"\[((?:\\.|[^\]\\])*)\]"
_NAMED = re.compile(rf'(?<![\\!]){_INSIDE}\((?:\\.|[^)\\"]|"[^"]*")*\)')  # a link, with its title
_COLOURED = re.compile(rf"(?<!\\):(?:red|gray|small){_INSIDE}")
_LINES = re.compile(r"\n\n|  \n")
ROWS, ROW = 2, 96  # lines of a headline that are seen at once beside what is set, and letters in a line
_ACTIVE = re.compile(r"([\\`*_{}\[\]()#+!|~<>$:&^=-])")


def markdown(text: object) -> str:
    r"""Show text as it is in Markdown: nothing is interpreted, no address becomes a link, lines are joined.

    >>> markdown("*a* $b$")
    '\\*a\\* \\$b\\$'
    """
    joined = _LINK.sub(lambda match: match.group() + _JOINER, " ".join(readable(str(text)).split()))
    return _NUMBERED.sub(r"\1\\.", _ACTIVE.sub(r"\\\1", joined))


def measure_name(measure: object) -> str:
    r"""A measure, or its text, as it is read, in Markdown.

    >>> measure_name("RBP(rho=0.8)")
    'RBP, ρ \\= .8'
    """
    return markdown(text_named(str(measure)))


def listed(texts: Sequence[str]) -> str:
    """Texts in a sentence.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def shortlist(texts: Sequence[str], room: int = 120) -> str:
    """As many of them, whole, as there is room for, and how many there are besides.

    >>> shortlist(["a", "b", "c"]), shortlist(["bm25", "dense", "expert", "plain"], 12)
    ('a, b, c', 'bm25, dense and 2 others')
    """
    widths = accumulate(len(text) + 2 for text in texts)
    count = max(sum(width <= room + 2 for width in widths), 1)
    left = len(texts) - count
    return ", ".join(texts[:count]) + (f" and {counted(left, 'other')}" if left > 0 else "")


def of_what(base: str, aspects: Sequence[str]) -> str:
    """What a combined measure is of: of another base or other aspects it may name another winner.

    >>> of_what("nDCG", ["relevance", "understandability", "credibility"])
    'nDCG of relevance, understandability and credibility'
    """
    return f"{markdown(base)} of {listed([*map(markdown, aspects)])}"


def sentence(words: str) -> str:
    """A sentence of words that also stand inside of sentences.

    >>> sentence("all 2 systems are tied")
    'All 2 systems are tied.'
    """
    return f"{words[:1].upper()}{words[1:]}."


def lines_in(text: str) -> list[str]:
    """The lines of a headline, those that are seen at once before those that a click shows."""
    return _LINES.split(text)


def folded(text: str) -> str:
    r"""The lines of a headline in Markdown, an empty line after those that fill two rows; the first is one of them.

    Where an empty line is already, it stays.

    >>> folded("a  \nb"), folded("a  \nb  \nc"), folded("a" * 101 + "  \nb  \nc")[101:], folded("a\n\nb")
    ('a  \nb', 'a  \nb\n\nc', '\n\nb  \nc', 'a\n\nb')
    """
    if "\n\n" in text:
        return text
    first, *lines = lines_in(text)
    rows, seen = _rows(first), [first]
    while lines and rows + _rows(lines[0]) <= ROWS:
        rows += _rows(lines[0])
        seen.append(lines.pop(0))
    return "\n\n".join("  \n".join(part) for part in (seen, lines) if part)


def _rows(line: str) -> int:
    return -(-len(plain(line)) // ROW)


def plain(text: str) -> str:
    r"""Markdown of a page's sentences as plain text: emphasis, colours, escapes and what shows nothing are taken away.

    >>> plain(r"First: **bm25\_a** 0.5"), plain('A [rank](/glossary?x=1 "place (from 1)") is :red[**low**]')
    ('First: bm25_a 0.5', 'A rank is low')
    """
    bare = _COLOURED.sub(r"\1", _NAMED.sub(r"\1", text.replace(_JOINER, "")))
    bare = re.sub(r"(?<!\\)\*\*?", "", bare)
    return re.sub(r"\\(.)", r"\1", bare)
