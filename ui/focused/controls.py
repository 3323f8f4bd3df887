"""Which task, topic, system and setting are looked at, with the leaderboard to choose from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.data.passages import Passages
from evalcore.data.structures import Floats
from evalcore.measures import TASKS, DocumentF, Entry, EntryScreen, Measure, Task, official_table
from evalcore.measures.document_scores import EntryScore
from evalcore.meta import best_first
from ui import show
from ui.controls import choose, stepped_slider, switch
from ui.text import markdown

A_VALUES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10)
N_VALUES = (100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000)
BETAS = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10)
FOCUSED, RELEVANT, BEST = TASKS
EVERY = "mean over topics"
BY_LENGTH, BY_SCREEN = "by the document (Eq. 8)", "by a screen (Eq. 9)"
TASK_HELP = (
    "focused: a ranked list of parts. relevant in context: ranked documents, each with its parts. best in context: "
    "ranked documents, each with one place to begin reading. Any run can be looked at as any of the three."
)


@dataclass(frozen=True)
class View:
    """What the controls say, on passages to look at."""

    collection: Collection
    passages: Passages
    task: Task  # with the score of the controls
    system: str
    topic: str | None  # None: the mean over topics

    @property
    def as_given(self) -> Task:
        """The task with its official score."""
        return TASKS[self.task.name]

    @cached_property
    def table(self) -> pd.DataFrame:
        """Systems x official measures, means over topics, the best first."""
        return official_table(self.task, self.collection)

    @cached_property
    def means(self) -> pd.Series:
        return self.table[str(self.task.official)]

    @cached_property
    def scores(self) -> pd.Series:
        """By the official measure, over what the figure shows."""
        if self.topic is None:
            return self.means
        return ec.evaluate(self.task.official, self.collection, topics="all").T[self.topic]


def choices(collection: Collection, passages: Passages) -> View:
    """Task, system and topic."""
    places = st.columns([1.75, 1.1, 1.1], gap="medium")
    with places[0]:
        task = TASKS[choose("Task", "task", list(TASKS), segmented=True, help=TASK_HELP)]
    with places[1]:
        best = str(official_table(FOCUSED, collection).index[0])
        system = choose("System", "reading", collection.systems, best, help="Drawn strongly, and read below")
    with places[2]:
        topic = choose("Topic", "fortopic", (EVERY, *collection.topics))
    return View(collection, passages, task, system, None if topic == EVERY else topic)


def settings(view: View) -> View:
    """What the task leaves open, and the ranking that follows."""
    if view.task.name == BEST:
        return choose_entry(view)
    if view.task.name == RELEVANT:
        help = "1 is the official F-score. Above, returning all highlighted text counts more; below, only such text"
        beta = stepped_slider("Weight of recall β", "beta", BETAS, 1, help=help)
        view = replace(view, task=replace(view.task, score=DocumentF(beta=beta)))
    else:
        switch("Early recall only", "early", help="The four official levels of recall lie between 0 and 0.1")
    leaderboard(view)
    return view


def choose_entry(view: View) -> View:
    """The form of s(x, b) and its parameter, and the curve they make."""
    form = choose("Distance counts", "nearness", (BY_LENGTH, BY_SCREEN), help="The two formulas of the paper")
    score: EntryScore
    if form == BY_LENGTH:
        help = f"{Entry.parameters()['A'].metadata['help'].capitalize()}; the official value is 0.1"
        score = Entry(A=stepped_slider("A", "A", A_VALUES, 0.1, help=help))
    else:
        help = EntryScreen.parameters()["n"].metadata["help"].capitalize()
        score = EntryScreen(n=int(stepped_slider("n", "n", N_VALUES, 1000, help=help)))
    draw_nearness(view, score)
    return replace(view, task=replace(view.task, score=score))


def draw_nearness(view: View, score: EntryScore) -> None:
    """s(x, b) by distance, beside the official one, and where the chosen system begins to read."""
    highlights = view.passages.highlights
    known = highlights.length[(highlights.best_entry >= 0) & (highlights.length > 0)]
    length = int(np.median(known)) if len(known) else 1000
    distances = np.arange(0, length + 1, max(length // 200, 1))
    forms = {str(score): score, "official": TASKS[BEST].score} if score != TASKS[BEST].score else {str(score): score}
    lengths = np.full(len(distances), length)
    curves = {name: one.by_distance(distances, lengths) for name, one in forms.items() if isinstance(one, EntryScore)}
    figure = figures.nearness(distances.astype(float), curves, entry_distances(view))
    show.figure(figure, "nearness curve", f"What a distance from the best entry point scores by {score}")
    st.caption(f"In a document of {length:,} characters, the median. Ticks: where {markdown(view.system)} begins.")


def entry_distances(view: View) -> Floats:
    """How far from the best entry points the chosen system begins, wherever both are known."""
    found, highlights = view.passages.relevant_documents, view.passages.highlights
    system = found.line // view.passages.parts.n_topics
    known = (system == view.collection.systems.index(view.system)) & (highlights.best_entry[found.row] >= 0)
    own = found.at(np.flatnonzero(known & (found.start >= 0)))
    return np.asarray(np.abs(own.start - highlights.best_entry[own.row]), dtype=float)


def leaderboard(view: View) -> None:
    """The ranking by the official measure; a click chooses a system."""
    text = str(view.task.official)
    table = best_first(view.scores).rename(text).to_frame()
    columns = {
        "system": st.column_config.Column(width=155),
        text: st.column_config.NumberColumn(short(view.task.official), format="%.4f", help=text, width=70),
    }
    st.dataframe(
        table,
        key="board",
        height=370 if view.task.name == FOCUSED else 330,
        row_height=28,
        column_config=columns,
        on_select=lambda: take_system(list(map(str, table.index))),
        selection_mode="single-row",
        alt=f"Systems ranked by {text}",
    )


def take_system(listed: list[str]) -> None:
    rows = st.session_state["board"]["selection"]["rows"]
    if rows:
        st.session_state["reading"] = listed[rows[0]]


def short(measure: Measure) -> str:
    """The name of a measure with its cut-off, without its other settings."""
    cutoff = getattr(measure, "cutoff", None)
    return type(measure).__name__ + (f"@{cutoff}" if cutoff else "")
