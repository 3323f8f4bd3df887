"""How much of what was returned was worth reading? Parts of documents, by the characters highlighted in them."""

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
from evalcore.measures import (
    TASKS,
    AgP,
    DocumentF,
    Entry,
    EntryScreen,
    Measure,
    Task,
    generalised_curves,
    interpolated_curves,
    iP,
    official_table,
    precision_recall,
)
from evalcore.measures.document_scores import EntryScore
from evalcore.measures.focused_tables import CUTOFFS, RECALL_LEVELS
from evalcore.meta import ranks
from ui import collections, show
from ui.code import as_python
from ui.controls import choose, stepped_slider, switch
from ui.reading import read_documents
from ui.text import markdown

FOCUSED, RELEVANT, BEST = TASKS
EVERY = "mean over topics"
VIEWS = ("The document", "Official table")
BY_LENGTH, BY_SCREEN = "by the document (Eq. 8)", "by a screen (Eq. 9)"
TASK_HELP = (
    "focused: a ranked list of parts. relevant in context: ranked documents, each with its parts. best in context: "
    "ranked documents, each with one place to begin reading. Any run can be looked at as any of the three."
)
A_VALUES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10)
N_VALUES = (100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000)
BETAS = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10)


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
        return pd.Series(ec.evaluate(self.task.official, self.collection).loc[self.topic])


def main() -> None:
    opened = collections.current()
    st.title("How much of what was returned was worth reading?", anchor=False)
    collection = opened if opened.passages else collections.sample(collections.FOCUSED_NAME)
    if collection.passages is None:
        st.info("Neither the open collection nor the sample has highlighted passages.", icon=":material/info:")
        return
    if collection is not opened:
        st.caption(
            f":material/info: {markdown(opened.title)} has whole documents only, without highlighted passages: the "
            f"*{collections.FOCUSED_NAME}* is shown instead, {markdown(collection.summary)}."
        )
    view = choices(collection, collection.passages)
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        view = settings(view)
    with right:
        headline(view)
        draw(view)
    show.explain(*explanation(view))
    formulas(view)
    if collection is opened:
        as_python(collection, *python_lines(view))
    details(view)


# --- controls ---------------------------------------------------------------------------------------------------------


def choices(collection: Collection, passages: Passages) -> View:
    """Task, system and topic."""
    places = st.columns([1.75, 1.1, 1.1], gap="medium")
    with places[0]:
        task = TASKS[choose("Task", "task", list(TASKS), segmented=True, help=TASK_HELP)]
    with places[1]:
        best = str(official_table(FOCUSED, collection).index[0])
        system = choose("System", "reader", collection.systems, best, help="Drawn strongly, and read below")
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
    return np.abs(own.start - highlights.best_entry[own.row]).astype(float)


def leaderboard(view: View) -> None:
    """The ranking by the official measure; a click chooses a system."""
    text = str(view.task.official)
    table = view.scores.sort_values(ascending=False, kind="stable").rename(text).to_frame()
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
        st.session_state["reader"] = listed[rows[0]]


def short(measure: Measure) -> str:
    """The name of a measure with its cut-off, without its other settings."""
    cutoff = getattr(measure, "cutoff", None)
    return type(measure).__name__ + (f"@{cutoff}" if cutoff else "")


# --- the figure -------------------------------------------------------------------------------------------------------


def headline(view: View) -> None:
    """Who is first by the official measure, where the chosen system stands, and how much depends on the measure."""
    scores, own = view.scores, float(view.scores[view.system])
    winner, place = str(scores.idxmax()), int(ranks(scores)[view.system])
    words, first, second = st.columns([3.6, 1.2, 1.2], vertical_alignment="center")
    words.markdown(
        f"First by {short(view.task.official)}: **{markdown(winner)}** {scores.max():.4f}  \n"
        f"**{markdown(view.system)}**: {own:.4f}, rank {place} of {len(scores)}"
    )
    if view.task.name == FOCUSED:
        early = ec.evaluate(iP(recall=0.01), view.collection)[view.system]
        value = early.mean() if view.topic is None else early[view.topic]
        help = "Of the chosen system: interpolated precision at 1 % of the highlighted text"
        first.metric("iP[0.01]", f"{value:.4f}", help=help)
    else:
        alike(first, view, view.as_given, "τ with official")
    rival = TASKS[RELEVANT if view.task.name == FOCUSED else FOCUSED]
    alike(second, view, rival, f"τ with {short(rival.official)}")


def alike(place: st.delta_generator.DeltaGenerator, view: View, other: Task, label: str) -> None:
    """How alike two rankings of systems are."""
    theirs = official_table(other, view.collection)[str(other.official)]
    value = f"{ec.tau(view.means, theirs[view.means.index]):.3f}" if len(theirs) > 1 else "none"
    help = (
        f"Kendall's tau_b of the rankings by {markdown(view.task.official)} and by {markdown(other.official)}, the "
        f"official measure of the task {other.name}; means over topics"
    )
    place.metric(label, value, help=help)


def draw(view: View) -> None:
    styles = collections.styles(view.collection)
    if view.task.name == FOCUSED:
        curves = interpolated_curves(view.passages, view.topic)
        points = None if view.topic is None else precision_recall(view.passages, view.system, view.topic)
        until = 0.105 if st.session_state.get("early") else 1.0
        figure = figures.recall_curves(curves, styles, view.system, RECALL_LEVELS, points, until)
        show.figure(figure, "recall curves", "Interpolated precision by recall; the values are in Official table")
    elif view.task.name == RELEVANT:
        curves = generalised_curves(view.passages, view.task.score or DocumentF(), view.topic)
        figure = figures.rank_curves(curves, styles, view.system, CUTOFFS)
        show.figure(figure, "rank curves", "Generalised precision by document rank; the values are in Official table")
    else:
        draw_settings(view, styles)


def draw_settings(view: View, styles: dict[str, figures.style.SystemStyle]) -> None:
    """The ranking under every A or n."""
    score = view.task.score
    means = by_setting(view.collection.fingerprint, isinstance(score, Entry), view.topic, view.collection)
    if isinstance(score, Entry):
        current, title = score.A, "A: the distance, as a share of the document, that halves the score"
    else:
        current, title = float(getattr(score, "n", 0)), "n: characters on a screen"
    name = "AgP" if view.topic else "MAgP (mean over topics)"
    figure = figures.setting_curves(means, styles, view.system, current, title, name)
    show.figure(figure, "settings", f"{name} of every system while {means.index.name} moves")


@st.cache_data(max_entries=32, show_spinner=False)
def by_setting(fingerprint: str, by_length: bool, topic: str | None, _collection: Collection) -> pd.DataFrame:
    """AgP of every system at many values of A or n: settings x systems."""
    values = A_VALUES if by_length else N_VALUES
    scores = [Entry(A=at) for at in A_VALUES] if by_length else [EntryScreen(n=int(at)) for at in N_VALUES]
    frames = [ec.evaluate(AgP(score), _collection) for score in scores]
    rows = [(frame.mean() if topic is None else frame.loc[topic]).to_numpy() for frame in frames]
    index = pd.Index(values, name="A" if by_length else "n", dtype=float)
    return pd.DataFrame(rows, index=index, columns=frames[0].columns)


def explanation(view: View) -> tuple[str, str, str]:
    if view.task.name == FOCUSED:
        return (
            "Each line is a system: the best precision it still has once it has returned a share of the highlighted "
            "text (recall). Precision counts characters: of all the text returned, how much an assessor highlighted. "
            "The uprights are the four official levels.",
            "A line that starts high and falls early: little text, but good. A low, long one: whole documents, much to "
            "read past. iAP, the official measure, is the area under the line.",
            "Choose one topic: the dots are precision after each part, the line the best of what follows. Then read "
            "the parts below, rank by rank.",
        )
    if view.task.name == RELEVANT:
        return (
            "Each line is a system: gP[r], the mean score of its first r documents. A document scores F, which is high "
            "where the parts returned of it are the text that was highlighted, no more and no less.",
            "Who returns whole documents misses nothing, and much of it is not worth reading; who returns single "
            "paragraphs the reverse. β says which of the two hurts more.",
            "Move β up to 3: long parts gain. Down to 0.3: short ones do. τ with official says how far the ranking "
            "moved.",
        )
    return (
        "Each line is a system: its MAgP while s(x, b) grows more lenient from left to right. The upright is the "
        "setting now. s is 1 where a system begins to read exactly at the best entry point.",
        "Where lines cross, the choice of A (or n) decides who is better. Far to the right everyone begins near "
        "enough, and only finding the right documents counts.",
        "Move A to 10, then to 0.01, and watch τ with official. Then count by a screen: beyond n characters nothing "
        "is gained.",
    )


def formulas(view: View) -> None:
    with st.expander("The formulas, with today's numbers in them"):
        for measure in view.task.measures[-2:]:
            st.latex(measure.latex())
        st.code(str(view.task.official), language=None)
        st.caption(
            "Any 0 / 0 is 0. A document ranks where its first part does, and that part is where reading begins. iP is "
            "0 above the recall that a list reaches."
        )


def python_lines(view: View) -> list[str]:
    task, score = view.task.name, view.task.score
    if score is None:
        return ["from evalcore.measures import official_table", "", f'table = official_table("{task}", c)']
    names = ", ".join(sorted([type(score).__name__, "Task", "official_table"]))
    return [f"from evalcore.measures import {names}", "", f'table = official_table(Task("{task}", {score}), c)']


# --- closer looks -----------------------------------------------------------------------------------------------------


def details(view: View) -> None:
    if choose("Look closer", "closerlook", VIEWS, segmented=True) == VIEWS[0]:
        read_documents(view.passages, view.task, view.system, view.topic, view.collection.queries)
    else:
        table(view)


def table(view: View) -> None:
    shown, as_given = view.table.copy(), view.as_given
    shown.insert(0, "rank", ranks(view.means).astype(int))
    end = "."
    if view.task != as_given:
        official = official_table(as_given, view.collection)[str(as_given.official)]
        shown["official rank"] = ranks(official).astype(int)
        end = f"; official rank: by {markdown(as_given.official)}."
    st.caption(
        f"The table of the task {view.task.name}: means over {len(view.collection.topics)} topics, ranked by "
        f"{markdown(view.task.official)}{end}"
    )
    columns = {
        str(one): st.column_config.NumberColumn(column_name(one), format="%.4f", help=str(one))
        for one in view.task.measures
    }
    show.table(shown, view.task.name, height=min(35 * len(shown) + 38, 560), columns=columns)


def column_name(measure: Measure) -> str:
    return f"iP[{measure.recall:.2f}]" if isinstance(measure, iP) else short(measure)


main()
