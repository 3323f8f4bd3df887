"""Settings of Passages: task, system, topic and parameters, with a leaderboard from which to choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from evalcore import InputError, figures
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.errors import counted
from evalcore.focused.document_scores import DocumentScore, EntryScore
from evalcore.focused.nearness import entry_distances, median_length, nearness_curves
from evalcore.focused.passages import Passages
from evalcore.measures import (
    TASKS,
    DocumentF,
    Entry,
    EntryScreen,
    Measure,
    Task,
    iP,
    official_table,
    precision_recall,
    ranked_documents,
)
from evalcore.meta import best_first
from ui.address import families
from ui.address.settings import Settings, setting
from ui.computing.measures import scored, scored_on_all, scores
from ui.screen.calls import Call, call, line, record, value_call
from ui.screen.items import Figure, Item, Text
from ui.screen.text import markdown, reading_name
from ui.stage import show
from ui.widgets.callback import callback
from ui.widgets.fields import Choice, Field, Number, Stepped, Switch, of_parameter

A_VALUES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10)
N_VALUES = (100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000)
BETAS = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10)
FOCUSED, RELEVANT, BEST = TASKS
EVERY = "mean over topics"
BY_LENGTH, BY_SCREEN = "relative to document length (Eq. 8)", "relative to a screen (Eq. 9)"
_ONCE = (("by the document (Eq. 8)", BY_LENGTH), ("by a screen (Eq. 9)", BY_SCREEN))  # names in older links
J_HELP = "The recall level j: iP[j] is the best precision once a share j of the highlighted text has been returned"
OVERLAP_HELP = (
    "Count parts that share text with a higher-ranked part. The task forbids overlap, so overlapping parts are left "
    "out by default; if they count, text returned twice counts twice."
)
EARLY_HELP = "Show recall only up to 0.1, where the four official levels are"
FORMS_HELP = "The formula for the distance from the best entry point (the paper has two)"
TASK_HELP = (
    "*focused* is a ranked list of parts, *relevant in context* is a ranking of documents with their parts, and *best "
    "in context* is a ranking of documents with one entry point each. Every run can be scored as any of the three."
)


LOOKS = DOCUMENT, TABLE = "The document", "Official table"


def _help(cls: type[DocumentScore], name: str) -> str:
    declared = cls.parameters()[name]
    help = str(declared.metadata["help"])
    return f"{help[:1].upper()}{help[1:]}; the official value is {declared.default:g}"


def _system(view: FocusedSettings) -> Field:
    best = best_first(scores(view.collection, TASKS[FOCUSED].official).mean()).index[0]
    help = "The system highlighted in the figure, and the one whose results you read below"
    return Choice("System", view.collection.systems, str(best), called=families.all_short, help=help)


def _rank(view: FocusedSettings) -> Field | None:
    """Return the field for the rank to read; None if the system returned nothing for the topic."""
    what = "Part" if view.by_part else "Document"
    return Number(f"{what} at rank", 1, len(view.rows.value), 1, 1) if len(view.rows.value) else None


def _overlaps(view: FocusedSettings) -> Field | None:
    """Return the switch that counts overlapping parts; None if no parts overlap."""
    count = view.passages.overlapping
    return Switch(f"Count {counted(count, 'overlapping part')}", help=OVERLAP_HELP) if count else None


@dataclass(frozen=True)
class FocusedSettings(Settings, page="focused_retrieval"):
    """Settings of Passages: a task with its parameters, a system, a topic, and the rank to read."""

    look: str = setting(Choice("View", LOOKS, segmented=True, hide_label=True))
    task: str = setting(Choice("Task", list(TASKS), help=TASK_HELP))
    system: str = setting(_system)
    topic: str = setting(lambda view: Choice("Topic", (EVERY, *view.collection.topics)))
    level: float | None = setting(of_parameter(iP, "recall", "Recall level j", step=0.01, help=J_HELP), task=FOCUSED)
    early: bool | None = setting(Switch("Early recall only", help=EARLY_HELP), task=FOCUSED)
    overlaps: bool | None = setting(_overlaps, task=FOCUSED)
    beta: float | None = setting(Stepped("Weight of recall β", BETAS, 1, help=_help(DocumentF, "beta")), task=RELEVANT)
    nearness: str | None = setting(
        Choice("Distance measured", (BY_LENGTH, BY_SCREEN), help=FORMS_HELP, also=_ONCE), task=BEST
    )
    A: float | None = setting(Stepped("A", A_VALUES, 0.1, help=_help(Entry, "A")), nearness=BY_LENGTH)
    n: float | None = setting(Stepped("n", N_VALUES, 1000, help=_help(EntryScreen, "n")), nearness=BY_SCREEN)
    of: str | None = setting(lambda view: Choice("Of topic", view.passages.highlights.topics), single=None)
    rank: int | None = setting(_rank)
    whole: bool = setting(Switch("Whole text", help="Also show text far from any mark"))

    @property
    def passages(self) -> Passages:
        if self.collection.passages is None:
            raise InputError("this page needs highlighted passages; there are none", self.collection.title)
        result: Passages = self.collection.passages
        return result

    @property
    def single(self) -> str | None:
        """The topic in the figure; None for the mean over topics."""
        return None if self.topic == EVERY else self.topic

    @property
    def given(self) -> Task:
        """The task with its official score."""
        return TASKS[self.task]

    @property
    def scored(self) -> Task:
        """The task with the score that the controls set."""
        if self.overlaps:
            return Task(self.task, overlaps="count")
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
        """True if people read the results part by part; False if they read document by document."""
        return self.task == FOCUSED

    @property
    def reading(self) -> str:
        """The topic whose results people read below the figure."""
        return self.single or str(self.of)

    @cached_property
    def rows(self) -> Call[pd.DataFrame]:
        """Call of the system's results for the topic `reading`: parts or documents, one row per rank."""
        return self.parts if self.by_part else self.documents

    @property
    def parts(self) -> Call[pd.DataFrame]:
        """Call of the parts that the system returned for the topic `reading`."""
        return call("", precision_recall, record(self.collection).passages, self.system, self.reading, **self.counting)

    @property
    def counting(self) -> dict[str, Any]:
        """The option of `evalcore` that counts overlapping parts, as a dict; {} if overlapping parts are left out."""
        return {"overlaps": "count"} if self.overlaps else {}

    @property
    def documents(self) -> Call[pd.DataFrame]:
        """Call of the documents that the system returned for the topic `reading`, with their scores."""
        score = (value_call(self.scored.score).it,) if self.scored.score else ()
        passages = record(self.collection).passages
        return call("documents", ranked_documents, passages, self.system, self.reading, *score)

    @cached_property
    def table(self) -> Call[pd.DataFrame]:
        """Call of the official measures by system (systems x measures), means over topics, best first."""
        return official("table", self.scored, self.collection)

    @cached_property
    def means(self) -> Call[pd.Series]:
        """Call of the mean score of each system over topics, under the official measure."""
        return line("scores", self.table.it[str(self.scored.official)])

    @cached_property
    def frame(self) -> Call[pd.DataFrame] | None:
        """Call of the scores under the official measure, topics x systems; None if the figure shows one topic."""
        return scored("by_topic", self.scored.official, self.collection) if self.single is None else None

    @cached_property
    def scores(self) -> Call[pd.Series]:
        """Call of the systems' scores under the official measure: means over topics, or scores on one topic."""
        return self.means if self.single is None else self.of_one("scores", self.scored.official)

    def of_one(self, name: str, measure: Measure) -> Call[Any]:
        """Return the call of the scores of all systems under a measure on the chosen topic."""
        scores = scored_on_all("", measure, self.collection)
        return line(name, scores.it.T[self.single])


def official(name: str, task: Task, collection: Collection) -> Call[pd.DataFrame]:
    """Return the call of a task's official measures by system (systems x measures), means over topics, best first."""
    given: Any = task.name
    if task != TASKS[task.name]:
        score = value_call(task.score).it if task.score else None
        given = record(Task)(task.name, score, task.overlaps)
    return call(name, official_table, given, collection)


def draw_choices(view: FocusedSettings) -> None:
    """Draw the controls for task, system and topic."""
    view.draw("task")
    view.draw_in_row("system", "topic")


def draw_settings(view: FocusedSettings) -> None:
    """Draw the parameters of the task, and below them the ranking or the curve that results."""
    view.draw("level", "early", "overlaps", "beta", "nearness", "A", "n")
    if isinstance(view.scored.score, EntryScore):
        show.screen(nearness(view, view.scored.score))
    else:
        leaderboard(view)


def nearness(view: FocusedSettings, score: EntryScore) -> Iterator[Item]:
    """Yield the figure of s(x, b) by distance, with the official score, and ticks at the chosen system's distances."""
    given = {"official": view.given.score} if score != view.given.score else {}
    forms: dict[str, Any] = {reading_name(score): score} | given
    length = call("length", median_length, record(view.collection).passages)
    made = {name: value_call(measure).it for name, measure in forms.items() if measure}
    curves = call("curves_of_nearness", nearness_curves, made, length.it)
    away = call("distances", entry_distances, record(view.collection).passages, view.system)
    figure = call("", figures.nearness, curves.it, away.it)
    alt = f"Score by distance from the best entry point under {reading_name(score)}"
    yield Figure(figure, "nearness curve", alt)
    about = (
        f"The curve is for a document of median length ({length.value:,} characters). Ticks mark the distances of "
        f"{markdown(view.system)} from the best entry points."
    )
    yield Text.note(about, (length,))


def leaderboard(view: FocusedSettings) -> None:
    """Show the ranking under the official measure; a click chooses a system."""
    text = str(view.scored.official)
    table = best_first(view.scores.value).rename(text).to_frame()
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
        placeholder=show.EMPTY,
    )


@callback
def take_system(view: FocusedSettings, listed: list[str]) -> None:
    rows = st.session_state["board"]["selection"]["rows"]
    if rows:
        view.change(system=listed[rows[0]])


def short(measure: Measure) -> str:
    """Return the class name of a measure with its cut-off, without other parameters."""
    cutoff = getattr(measure, "cutoff", None)
    return type(measure).__name__ + (f"@{cutoff}" if cutoff else "")
