"""Scores of the measures that a page compares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from evalcore import InputError
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.measures import short_names
from evalcore.meta import shared_part
from ui.address.settings import Settings, setting
from ui.computing.measures import answered, draw_measures, of_measures, say_left_out, scored_by
from ui.computing.work import found_or_why
from ui.data import texts
from ui.screen.calls import Call, line
from ui.screen.text import markdown
from ui.widgets.embedding_note import embedding_note
from ui.widgets.fields import Choice, MisfitError

Page = TypeVar("Page", bound="Compared")


@dataclass(frozen=True)
class OneOf(Choice):
    """A choice among texts; the link contains the text, and the screen shows its name."""

    def read(self, texts: Sequence[str]) -> str:
        if texts[-1] not in self.options:
            raise MisfitError("one of " + ", ".join(self.options))
        return texts[-1]

    def write(self, value: Any) -> list[str]:
        return [value]


def one_of(label: str, at: int, listed: Callable[[Any], Sequence[str] | None], help: str | None = None) -> Any:
    """Return the setting of one text from a list; the default is the text at index `at`, or the last text.

    The setting does not apply if the list is empty.
    """

    def field(page: Settings) -> OneOf | None:
        texts = listed(page)
        return OneOf(label, texts, texts[min(at, len(texts) - 1)], help=help) if texts else None

    return setting(field)


@dataclass(frozen=True)
class Compared(Settings, page=None):
    """Settings of a page that compares measures."""

    measures: tuple[str, ...] = setting(lambda page: of_measures(page.collection))

    @cached_property
    def answers(self) -> tuple[dict[str, pd.DataFrame], dict[str, InputError]]:
        """Scores of the chosen measures, and the errors of those without scores, both by measure."""
        return answered(self.collection, self.measures)

    @property
    def scores(self) -> dict[str, pd.DataFrame]:
        """Scores by measure, topics x systems, cut to the shared topics and systems; {} if too few are shared."""
        return self._shared if isinstance(self._shared, dict) else {}

    @property
    def lack(self) -> str:
        """Explain why the measures have too few topics or systems in common; "" if they have enough."""
        return "" if isinstance(self._shared, dict) else str(self._shared)

    @cached_property
    def names(self) -> dict[str, str]:
        """Map the text of each compared measure to its short name."""
        return short_names(self.scores)

    @property
    def systems(self) -> list[str]:
        """The systems that all compared measures score; [] if the measures have too little in common."""
        return [str(name) for name in next(iter(self.scores.values())).columns] if self.scores else []

    def field_of_measure(self, label: str, at: int = 0, help: str | None = None) -> OneOf | None:
        """Return the field for one compared measure; None if no measures are compared.

        The default is the measure at index `at`, or the last measure.
        """
        listed, names = list(self.called), self.called
        return OneOf(label, listed, listed[: at + 1][-1], names=names.__getitem__, help=help) if listed else None

    @property
    def called(self) -> dict[str, str]:
        """Map the text of each compared measure, as it was chosen, to its short name."""
        return self.names

    @cached_property
    def scored(self) -> Call[dict[str, pd.DataFrame]]:
        """The call that computes the scores (topics x systems) by measure."""
        return scored_by("scores", list(self.scores), self.collection).known(self.scores)

    def of(self, text: str) -> Call[pd.DataFrame]:
        """Return the call that computes the scores under one measure, topics x systems."""
        return line("", self.scored.it[text])

    @cached_property
    def _shared(self) -> dict[str, pd.DataFrame] | InputError:
        return _cut(self.answers[0])


_LATEST: list[tuple[dict[str, pd.DataFrame], dict[str, pd.DataFrame] | InputError]] = []


def _cut(frames: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame] | InputError:
    """Return the frames cut to the topics and systems they share, or an error if these are too few.

    The result is cached.
    """
    for known, shared in _LATEST[:]:
        if list(known) == list(frames) and all(known[text] is frame for text, frame in frames.items()):
            return shared
    shared = found_or_why(lambda: shared_part(frames))
    _LATEST[:] = [(frames, shared)]
    return shared


def compared(kind: type[Page], collection: Collection) -> Page:
    """Draw the choice of measures for a page that compares them, and return the settings of the page."""
    page = kind.now(collection)
    draw_measures(page)
    say_left_out(page.answers[1])
    collection = page.collection
    embedding_note(collection, list(page.answers[0]), lambda texts: page.change(measures=tuple(texts)))
    if page.lack:
        st.warning(markdown(page.lack), icon=":material/join_inner:")
    topics, systems = next(iter(page.scores.values())).shape if page.scores else (0, 0)
    if page.scores and (topics, systems) != (len(collection.topics), len(collection.systems)):
        st.caption(texts.in_common(systems, len(collection.systems), topics, len(collection.topics)))
    return page
