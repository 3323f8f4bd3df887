"""What the task's official measure says: its number, and its figure over levels or settings."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.measures import (
    TASKS,
    AgP,
    DocumentF,
    Entry,
    EntryScreen,
    Task,
    generalised_curves,
    interpolated_curves,
    iP,
    official_table,
    precision_recall,
)
from evalcore.meta import ranks
from ui.computing.first import first_of
from ui.computing.measures import scores as measured
from ui.computing.tau import intervals
from ui.data import open_collection
from ui.focused_retrieval.controls import A_VALUES, FOCUSED, N_VALUES, RELEVANT, FocusedSettings, short
from ui.screen.items import Figure, Headline
from ui.screen.text import markdown
from ui.stage import show


def draw(view: FocusedSettings) -> None:
    styles = open_collection.styles(view.collection)
    if view.task == FOCUSED:
        curves = interpolated_curves(view.passages, view.single, rankings=view.collection.rankings)
        points = None if view.single is None else precision_recall(view.passages, view.system, view.single)
        until = 0.105 if view.early else 1.0
        figure = figures.recall_curves(curves, styles, view.system, points=points, until=until)
        show.put(Figure(figure, "recall curves", "Interpolated precision by recall; the values are in Official table"))
    elif view.task == RELEVANT:
        score, rankings = view.scored.score or DocumentF(), view.collection.rankings
        curves = generalised_curves(view.passages, score, view.single, rankings=rankings)
        figure = figures.rank_curves(curves, styles, view.system)
        show.put(
            Figure(figure, "rank curves", "Generalised precision by document rank; the values are in Official table")
        )
    else:
        draw_settings(view, styles)


def draw_settings(view: FocusedSettings, styles: dict[str, figures.style.SystemStyle]) -> None:
    """The ranking under every A or n."""
    score = view.scored.score
    means = by_setting(view.collection.fingerprint, isinstance(score, Entry), view.single, view.collection)
    current = score.A if isinstance(score, Entry) else float(getattr(score, "n", 0))
    name = "AgP" if view.single else "MAgP (mean over topics)"
    figure = figures.setting_curves(means, styles, view.system, current, score=name)
    show.put(Figure(figure, "settings", f"{name} of every system while {means.index.name} moves"))


@st.cache_data(max_entries=32, show_spinner=False)
def by_setting(fingerprint: str, by_length: bool, topic: str | None, _collection: Collection) -> pd.DataFrame:
    """AgP of every system at many values of A or n: settings x systems."""
    values = A_VALUES if by_length else N_VALUES
    scores = [Entry(A=at) for at in A_VALUES] if by_length else [EntryScreen(n=int(at)) for at in N_VALUES]
    frames = [ec.evaluate(AgP(score), _collection, topics=None if topic is None else "all") for score in scores]
    rows = [(frame.mean() if topic is None else frame.loc[topic]).to_numpy() for frame in frames]
    index = pd.Index(values, name="A" if by_length else "n", dtype=float)
    return pd.DataFrame(rows, index=index, columns=frames[0].columns)


def headline(view: FocusedSettings) -> None:
    """Who is first by the official measure, where the chosen system stands, and how much depends on the measure."""
    scores, own = view.scores, float(view.scores[view.system])
    place = int(ranks(scores)[view.system])
    words, first, second = st.columns([3.6, 1.2, 1.2], vertical_alignment="center")
    leader = first_of(scores if view.frame is None else view.frame)
    with words:
        show.put(
            Headline(
                f"First by {short(view.scored.official)}: {leader}  \n"
                f"**{markdown(view.system)}**: {own:.4f}, rank {place} of {len(scores)}"
            )
        )
    if view.task == FOCUSED:
        early = ec.evaluate(iP(recall=0.01), view.collection, topics=None if view.single is None else "all")[
            view.system
        ]
        value = early.mean() if view.single is None else early[view.single]
        help = "Of the chosen system: interpolated precision at 1% of the highlighted text"
        show.metric(first, "iP[0.01]", f"{value:.4f}", help=help)
    else:
        alike(first, view, view.given, "τ with official")
    rival = TASKS[RELEVANT if view.task == FOCUSED else FOCUSED]
    alike(second, view, rival, f"τ with {short(rival.official)}")


def alike(place: st.delta_generator.DeltaGenerator, view: FocusedSettings, other: Task, label: str) -> None:
    """How alike two rankings of systems are."""
    theirs = official_table(other, view.collection)[str(other.official)]
    value = f"{ec.tau(view.means, theirs[view.means.index]):.3f}" if len(theirs) > 1 else "none"
    help = (
        f"Kendall's tau_b of the rankings by {markdown(view.scored.official)} and by {markdown(other.official)}, the "
        f"official measure of the task {other.name}; means over topics"
    )
    show.metric(place, label, value, help=help)
    if view.frame is not None:
        with place:
            show.screen(intervals({label: ("tau", view.frame, measured(view.collection, other.official))}))
