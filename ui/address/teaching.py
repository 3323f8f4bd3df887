"""Setting by which a teacher hides answers in a link: `answers=hidden`.

It is a courtesy, not a protection: anybody can edit an address.
"""

from __future__ import annotations

from dataclasses import dataclass

from ui.address.settings import Settings, setting, texts_of
from ui.widgets.fields import Choice

SHOWN, HIDDEN = "shown", "hidden"
WHY_HIDDEN = "This link does not show answers."


@dataclass(frozen=True)
class Teaching(Settings, lasts=True):
    """Setting that shows or hides answers."""

    answers: str = setting(Choice("Answers", (SHOWN, HIDDEN)))


def answers_hidden() -> bool:
    """Return True if the address hides answers."""
    return Teaching.read(None, {"answers": texts_of("answers")}).answers == HIDDEN
