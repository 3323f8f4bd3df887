"""What stands under a figure: one text on stage, in the report, on slides and in saved files, or what a person wrote.

A text of several paragraphs begins with the finding, or where there is none with what the figure is. What a person
wrote belongs to a figure of a view: it is there again where that view is, and others have their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from evalcore.figures.report import under
from ui.screen.items import Finding
from ui.server import kept

MOST = 100  # that are kept
LONGEST = 2000  # characters
_WRITTEN = "captions of figures"


def composed(finding: Finding, what: str, about: str) -> str:
    """A caption as the page makes it: what it found, then what the figure is, on which data, measured and set how.

    >>> print(composed(Finding(["First: a", "Second: b"], ["τ: 0.9"]), "Scores", "Collection: Health."))
    First: a · Second: b
    τ: 0.9
    Scores. Collection: Health.
    """
    title, more = map(in_one, (finding.seen, finding.more))
    rest = [title, more, under(what, about)] if title else [under(what, ""), about]
    return "\n".join(filter(None, rest))


def in_one(lines: Sequence[str]) -> str:
    """Lines as one; sentences need no sign between them.

    >>> in_one(["a 0.5", "b 0.4"]), in_one(["It holds.", "It depends."])
    ('a 0.5 · b 0.4', 'It holds. It depends.')
    """
    joints = ("" if not at else " " if lines[at - 1].endswith(".") else " · " for at in range(len(lines)))
    return "".join(f"{joint}{line}" for joint, line in zip(joints, lines, strict=True))


def written(path: str, key: str) -> str:
    """What a person wrote under the figure of a view, known by its path; "" where nobody did."""
    return _all().get((same(path), key), "")


def write(path: str, key: str, text: str, usual: str) -> None:
    """Keep what a person wrote; nothing, or what stands there anyway, is what stands there anyway."""
    text = "\n".join(" ".join(line.split()) for line in text[:LONGEST].splitlines()).strip()
    place = same(path), key
    others = {other: one for other, one in _all().items() if other != place}
    own = {} if text in ("", usual) else {place: text}
    kept.put(_WRITTEN, dict([*others.items(), *own.items()][-MOST:]))


def same(path: str) -> str:
    """A path with its settings in one order, whatever the order in which they were made.

    >>> same("/toma?b=1&a=2"), same("/toma")
    ('/toma?a=2&b=1', '/toma?')
    """
    page, _, query = path.partition("?")
    return f"{page}?{'&'.join(sorted(query.split('&')))}"


def _all() -> dict[tuple[str, str], str]:
    return cast(dict[tuple[str, str], str], kept.latest(_WRITTEN) or {})
