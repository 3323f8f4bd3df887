"""What a link for a class says on every page: which settings stay as they are, and from when on answers are shown.

It is a courtesy: the address says it, and anybody can edit an address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from ui.address.settings import Address, Settings, address, setting, texts_of, unless_locked
from ui.widgets.fields import Defaulted, MisfitError, Several

SHOWN, HIDDEN = "shown", "hidden"
MOST_LOCKED = 100


@dataclass(frozen=True)
class Keys(Several):
    """Keys of settings, "page.name"; a link says them, and no control."""

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        kept = tuple(text for text in dict.fromkeys(texts) if text and len(text) <= MOST_LOCKED)[:MOST_LOCKED]
        if len(kept) < len(set(texts)):
            raise MisfitError(f"at most {MOST_LOCKED} keys of settings", kept)
        return kept

    def words(self, value: Any) -> str:
        return ", ".join(key.rpartition(".")[2] for key in value)


@dataclass(frozen=True)
class Until(Defaulted):
    """Whether answers are shown: "shown", "hidden", or the day from which on they are."""

    default: str = SHOWN

    def read(self, texts: Sequence[str]) -> str:
        text = texts[-1]
        if text in (SHOWN, HIDDEN) or _day(text):
            return text
        raise MisfitError("shown, hidden or a day such as 2026-12-01")


@dataclass(frozen=True)
class Teaching(Settings, lasts=True):
    """What a link for a class says."""

    locked: tuple[str, ...] = setting(Keys("Locked"))
    answers: str = setting(Until("Answers"))


def kept(given: Address) -> dict[str, list[str]]:
    """An address to open from here, that of a view of the list: what is locked and hidden here stays so."""
    here = address()
    hidden = {key: here[key] for key in [Teaching.key("answers")] if key in here}
    return unless_locked({**given, **hidden}, here)


def answers_hidden(today: date | None = None) -> str:
    """Why answers are not shown, in Markdown; "" where they are. Days are those of the server."""
    until = Teaching.read(None, {"answers": texts_of("answers")}).answers
    if until == SHOWN:
        return ""
    if until == HIDDEN:
        return "This link does not show answers."
    day = _day(until)
    if day is None or (today or date.today()) >= day:
        return ""
    return f"Answers are shown from {day.day} {day:%B %Y} on."


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None
