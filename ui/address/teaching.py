"""What a teacher adds to an address to hide answers: `answers=hidden`.

It is a courtesy: the address says it, and anybody can edit an address.
"""

from __future__ import annotations

from dataclasses import dataclass

from ui.address.settings import Settings, setting, texts_of
from ui.widgets.fields import Choice

SHOWN, HIDDEN = "shown", "hidden"
WHY_HIDDEN = "This link does not show answers."


@dataclass(frozen=True)
class Teaching(Settings, lasts=True):
    """Whether answers are shown."""

    answers: str = setting(Choice("Answers", (SHOWN, HIDDEN)))


def answers_hidden() -> bool:
    """Whether the address says that answers are not shown."""
    return Teaching.read(None, {"answers": texts_of("answers")}).answers == HIDDEN
