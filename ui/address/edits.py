"""Edits of a collection as a setting in the link, with undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from evalcore import InputError
from evalcore.data import Collection
from evalcore.explain.what_if import Edit, fitting
from ui.address.settings import Settings, address
from ui.widgets.callback import callback
from ui.widgets.fields import MisfitError, Number, Several

MOST = 100  # most edits, limited by the length of a link


@dataclass(frozen=True)
class Edits(Several):
    """Field of edits, applied in order; its value is a tuple of texts. People edit a table, not the field's control."""

    collection: Collection
    shown_here: bool = True

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        try:
            edits, problems = fitting(self.collection, texts[:MOST])
        except InputError as error:
            raise MisfitError(error.problem.removeprefix("expected ")) from None
        if len(texts) > MOST:
            problems = (*problems, f"at most {MOST} edits")
        kept = tuple(map(str, edits))
        if problems:
            raise MisfitError("; ".join(problem.removeprefix("expected ") for problem in problems), kept)
        return kept

    def words(self, value: Any) -> str:
        return str(len(value)) if self.shown_here else ""


def undone_of(edits: Sequence[str] | None) -> Number:
    """Return the field for the number of undone edits, counted from the last."""
    return Number("Edits undone", 0, len(edits or ()), 0, 1)


if TYPE_CHECKING:  # `Editing` is a mix-in for the settings of a page and adds no setting
    _Settings = Settings
else:
    _Settings = object


class Editing(_Settings):
    """Settings with the fields `edits` and `undone`, and actions that change both fields."""

    edits: tuple[str, ...]
    undone: int

    @property
    def made(self) -> tuple[str, ...]:
        """The texts of the edits in effect, without those that were undone."""
        return (self.edits or ())[: len(self.edits or ()) - (self.undone or 0)]

    @callback
    def make(self, edits: Sequence[Edit | str]) -> None:
        """Replace all edits by these; undone edits can then no longer be redone."""
        now = self.read(self.collection, address())
        now.with_(undone=0).with_(edits=tuple(map(str, edits))).show()

    @callback
    def add(self, edit: Edit | str) -> None:
        """Add an edit to the current ones in the address."""
        self.make((*self.read(self.collection, address()).made, edit))

    @callback
    def take_back(self, by: int) -> None:
        """Undo the last `by` edits in effect; if `by` is negative, redo that many instead."""
        now = self.read(self.collection, address())
        now.with_(undone=min(max(now.undone + by, 0), len(now.edits))).show()


def buttons(page: Editing) -> None:
    """Draw the buttons Undo, Redo and Undo all; each changes the link."""
    made = page.made
    steps = (
        ("Undo", ":material/undo:", 1, made),
        ("Redo", ":material/redo:", -1, page.undone),
        ("Undo all", ":material/restart_alt:", len(made), made),
    )
    for label, icon, by, possible in steps:
        st.button(label, icon=icon, disabled=not possible, on_click=page.take_back, args=(by,), key=f"edits {label}")
