"""What stands under a figure: one text on stage and in saved files.

It begins with the finding, or where there is none with what the figure is.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.figures.report import under
from ui.screen.items import Finding


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
    joints = ["" if not at else " " if lines[at - 1].endswith(".") else " · " for at in range(len(lines))]
    return "".join([f"{joint}{line}" for joint, line in zip(joints, lines, strict=True)])
