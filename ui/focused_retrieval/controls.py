"""Which task, topic, system and setting are looked at, with the leaderboard to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.arrays import FloatArray
from evalcore.measures import (
    TASKS,
    DocumentF,
    Entry,
    EntryScreen,
    Measure,
    Task,
    official_table,
    precision_recall,
    ranked_documents,
)
from evalcore.measures.focused.document_scores import DocumentScore, EntryScore
from evalcore.meta import best_first
from evalcore.structures.passages import Passages
from ui.address.settings import Settings, setting
from ui.computing.measures import scores
from ui.screen.items import Figure
from ui.screen.text import markdown
from ui.stage import show
from ui.widgets.callback import callback
from ui.widgets.fields import Choice, Field, Number, Stepped, Switch

A_VALUES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10)
N_VALUES = (100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000)
BETAS = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10)
FOCUSED, RELEVANT, BEST = TASKS
EVERY = "mean over topics"
BY_LENGTH, BY_SCREEN = "by the document (Eq. 8)", "by a screen (Eq. 9)"
EARLY_HELP = "The four official levels of recall lie between 0 and 0.1"
FORMS_HELP = "The two formulas of the paper"
TASK_HELP = (
    "focused: a ranked list of parts. relevant in context: ranked documents, each with its parts. best in context: "
    "ranked documents, each with one place to begin reading. Any run can be looked at as any of the three."
)


LOOKS = DOCUMENT, TABLE = "The document", "Official table"


def _help(cls: type[DocumentScore], name: str) -> str:
    declared = cls.parameters()[name]
    help = str(declared.metadata["help"])
    return f"{help[:1].upper()}{help[1:]}; the official value is {declared.default:g}"


def _system(view: FocusedSettings) -> Field:
    best = best_first(scores(view.collection, TASKS[FOCUSED].official).mean()).index[0]
    return Choice("System", view.collection.systems, str(best), help="Drawn strongly, and read below")


def _beta(view: FocusedSettings) -> Field | None:
    label = "Weight of recall β"
    return Stepped(label, BETAS, 1, help=_help(DocumentF, "beta")) if view.task == RELEVANT else None


def _screen(view: FocusedSettings) -> Field | None:
    return Stepped("n", N_VALUES, 1000, help=_help(EntryScreen, "n")) if view.nearness == BY_SCREEN else None


def _of(view: FocusedSettings) -> Field | None:
    return Choice("Of topic", view.passages.highlights.topics) if view.single is None else None


def _rank(view: FocusedSettings) -> Field | None:
    """The rank to read at, where the system returned something for the topic."""
    what = "Part" if view.by_part else "Document"
    return Number(f"{what} at rank", 1, len(view.rows), 1, 1) if len(view.rows) else None


@dataclass(frozen=True)
class FocusedSettings(Settings):
    """What is looked at: a task, a system, a topic, what the task leaves open, and a place to read."""

    PAGE: ClassVar[str] = "focused_retrieval"

    task: str = setting(Choice("Task", list(TASKS), segmented=True, help=TASK_HELP))
    system: str = setting(_system)
    topic: str = setting(lambda view: Choice("Topic", (EVERY, *view.collection.topics)))
    early: bool | None = setting(
        lambda view: Switch("Early recall only", help=EARLY_HELP) if view.task == FOCUSED else None
    )
    beta: float | None = setting(_beta)
    nearness: str | None = setting(
        lambda view: Choice("Distance counts", (BY_LENGTH, BY_SCREEN), help=FORMS_HELP) if view.task == BEST else None
    )
    A: float | None = setting(
        lambda view: Stepped("A", A_VALUES, 0.1, help=_help(Entry, "A")) if view.nearness == BY_LENGTH else None
    )
    n: float | None = setting(_screen)
    look: str = setting(Choice("Details", LOOKS, segmented=True))
    of: str | None = setting(_of)
    rank: int | None = setting(_rank)
    whole: bool = setting(Switch("Whole text", help="Shows also what lies far from any mark"))

    @property
    def passages(self) -> Passages:
        if self.collection.passages is None:
            raise InputError("expected highlighted passages, found whole documents", self.collection.title)
        found: Passages = self.collection.passages
        return found

    @property
    def single(self) -> str | None:
        """The topic that is drawn; none for the mean over topics."""
        return None if self.topic == EVERY else self.topic

    @property
    def given(self) -> Task:
        """The task with its official score."""
        return TASKS[self.task]

    @property
    def scored(self) -> Task:
        """The task with the score that the controls say."""
        if self.beta is not None:
            return Task(self.task, DocumentF(beta=self.beta))
        if self.A is not None:
            return Task(self.task, Entry(A=self.A))
        return self.given if self.n is None else Task(self.task, EntryScreen(n=int(self.n)))

    @property
    def measured_by(self) -> tuple[str, ...]:
        return (str(self.scored.official),)

    @property
    def by_part(self) -> bool:
        """Whether parts are read, one by one; else documents."""
        return self.task == FOCUSED

    @property
    def reading(self) -> str:
        """The topic that is read."""
        return self.single or str(self.of)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """What the system returned for the topic that is read: parts or documents, one row per rank."""
        return (precision_recall if self.by_part else ranked_documents)(self.passages, self.system, self.reading)

    @cached_property
    def table(self) -> pd.DataFrame:
        """Systems x official measures, means over topics, the best first."""
        return official_table(self.scored, self.collection)

    @cached_property
    def means(self) -> pd.Series:
        return self.table[str(self.scored.official)]

    @cached_property
    def frame(self) -> pd.DataFrame | None:
        """By the official measure, topics x systems; None where one topic is shown."""
        return ec.evaluate(self.scored.official, self.collection) if self.single is None else None

    @cached_property
    def scores(self) -> pd.Series:
        """By the official measure, over what the figure shows."""
        if self.single is None:
            return self.means
        return ec.evaluate(self.scored.official, self.collection, topics="all").T[self.single]


def draw_choices(view: FocusedSettings) -> None:
    """Task, system and topic."""
    for place, name in zip(st.columns([1.75, 1.1, 1.1], gap="medium"), ("task", "system", "topic"), strict=True):
        with place:
            view.draw(name)


def draw_settings(view: FocusedSettings) -> None:
    """What the task leaves open, and the ranking or the curve that follows."""
    view.draw("early", "beta", "nearness", "A", "n")
    if isinstance(view.scored.score, EntryScore):
        draw_nearness(view, view.scored.score)
    else:
        leaderboard(view)


def draw_nearness(view: FocusedSettings, score: EntryScore) -> None:
    """s(x, b) by distance, beside the official one, and where the chosen system begins to read."""
    highlights = view.passages.highlights
    known = highlights.length[(highlights.best_entry >= 0) & (highlights.length > 0)]
    length = int(np.median(known)) if len(known) else 1000
    distances = np.arange(0, length + 1, max(length // 200, 1))
    forms = {str(score): score, "official": view.given.score} if score != view.given.score else {str(score): score}
    lengths = np.full(len(distances), length)
    curves = {name: one.by_distance(distances, lengths) for name, one in forms.items() if isinstance(one, EntryScore)}
    figure = figures.nearness(distances.astype(float), curves, entry_distances(view))
    show.put(Figure(figure, "nearness curve", f"What a distance from the best entry point scores by {score}"))
    st.caption(f"In a document of {length:,} characters, the median. Ticks: where {markdown(view.system)} begins.")


def entry_distances(view: FocusedSettings) -> FloatArray:
    """How far from the best entry points the chosen system begins, wherever both are known."""
    found, highlights = view.passages.relevant_documents, view.passages.highlights
    system = found.line // view.passages.parts.n_topics
    known = (system == view.collection.systems.index(view.system)) & (highlights.best_entry[found.row] >= 0)
    own = found.at(np.flatnonzero(known & (found.start >= 0)))
    return np.asarray(np.abs(own.start - highlights.best_entry[own.row]), dtype=float)


def leaderboard(view: FocusedSettings) -> None:
    """The ranking by the official measure; a click chooses a system."""
    text = str(view.scored.official)
    table = best_first(view.scores).rename(text).to_frame()
    columns = {
        "system": st.column_config.Column(width=155),
        text: st.column_config.NumberColumn(short(view.scored.official), format="%.4f", help=text, width=70),
    }
    st.dataframe(
        table,
        key="board",
        height=370 if view.task == FOCUSED else 330,
        row_height=28,
        column_config=columns,
        on_select=lambda: take_system(view, list(map(str, table.index))),
        selection_mode="single-row",
        alt=f"Systems ranked by {text}",
    )


@callback
def take_system(view: FocusedSettings, listed: list[str]) -> None:
    rows = st.session_state["board"]["selection"]["rows"]
    if rows:
        view.change(system=listed[rows[0]])


def short(measure: Measure) -> str:
    """The name of a measure with its cut-off, without its other settings."""
    cutoff = getattr(measure, "cutoff", None)
    return type(measure).__name__ + (f"@{cutoff}" if cutoff else "")
