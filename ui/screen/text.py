"""Texts of a screen: readable numbers and names, with text from files escaped for Streamlit's Markdown."""

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

# Readable name of a measure, cached because long lists need all names in each run.
text_named: Callable[[str], str] = lru_cache(maxsize=1024)(reading_name)
_LINK = re.compile(r"https?:(?=//)|www(?=\.)|@(?=[-\w]+\.)", re.IGNORECASE)
_JOINER = "\u2060"  # invisible, prevents line breaks and automatic links in Markdown
_NUMBERED = re.compile(r"^(\d+)\.(?=\s|$)")
_INSIDE = r"\[((?:\\.|[^\]\\])*)\]"
_NAMED = re.compile(rf'(?<![\\!]){_INSIDE}\((?:\\.|[^)\\"]|"[^"]*")*\)')  # a link, with its title
_COLOURED = re.compile(rf"(?<!\\):(?:red|gray|small){_INSIDE}")
_LINES = re.compile(r"\n\n|  \n")
ROWS, ROW = 2, 96  # visible lines of a headline beside the settings, and characters per line
_ACTIVE = re.compile(r"([\\`*_{}\[\]()#+!|~<>$:&^=-])")


def markdown(text: object) -> str:
    r"""Return text escaped for Markdown, so that it is shown literally: no formatting, no links, one line.

    >>> markdown("*a* $b$")
    '\\*a\\* \\$b\\$'
    """
    joined = _LINK.sub(lambda match: match.group() + _JOINER, " ".join(readable(str(text)).split()))
    return _NUMBERED.sub(r"\1\\.", _ACTIVE.sub(r"\\\1", joined))


def measure_name(measure: object) -> str:
    r"""Return the readable name of a measure, given as an object or as text, in Markdown.

    >>> measure_name("RBP(rho=0.8)")
    'RBP, ρ \\= .8'
    """
    return markdown(text_named(str(measure)))


def listed(texts: Sequence[str]) -> str:
    """Join texts with commas, and with "and" before the last one.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def shortlist(texts: Sequence[str], room: int = 120) -> str:
    """Return as many whole texts as fit in `room` characters, but at least one, and the number of the others.

    >>> shortlist(["a", "b", "c"]), shortlist(["bm25", "dense", "expert", "plain"], 12)
    ('a, b, c', 'bm25, dense and 2 others')
    """
    widths = accumulate(len(text) + 2 for text in texts)
    count = max(sum(width <= room + 2 for width in widths), 1)
    left = len(texts) - count
    return ", ".join(texts[:count]) + (f" and {counted(left, 'other')}" if left > 0 else "")


def of_what(base: str, aspects: Sequence[str]) -> str:
    """Return the base and the aspects of a combined measure as text, because the winner may depend on them.

    >>> of_what("nDCG", ["relevance", "understandability", "credibility"])
    'nDCG of relevance, understandability and credibility'
    """
    return f"{markdown(base)} of {listed([*map(markdown, aspects)])}"


def sentence(words: str) -> str:
    """Return a phrase as a sentence, with a capital letter and a full stop.

    >>> sentence("all 2 systems are tied")
    'All 2 systems are tied.'
    """
    return f"{words[:1].upper()}{words[1:]}."


def lines_in(text: str) -> list[str]:
    """Return the lines of a headline, the visible ones first."""
    return _LINES.split(text)


def folded(text: str) -> str:
    r"""Return a headline with an empty line after the visible lines: the first, and the next ones that fit in two rows.

    A text that already has an empty line is not changed.

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
    r"""Return a page's Markdown as plain text, without emphasis, colours, escapes and link targets.

    >>> plain(r"First: **bm25\_a** 0.5"), plain('A [rank](/glossary?x=1 "place (from 1)") is :red[**low**]')
    ('First: bm25_a 0.5', 'A rank is low')
    """
    bare = _COLOURED.sub(r"\1", _NAMED.sub(r"\1", text.replace(_JOINER, "")))
    bare = re.sub(r"(?<!\\)\*\*?", "", bare)
    return re.sub(r"\\(.)", r"\1", bare)
