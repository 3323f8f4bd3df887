"""The official measure of a task: its finding, and its figure over recall, ranks or settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pandas as pd
import plotly.graph_objects as go

import evalcore as ec
from evalcore import figures
from evalcore.focused.text_measures import LEVELS
from evalcore.measures import (
    TASKS,
    AgP,
    DocumentF,
    Entry,
    EntryScreen,
    Task,
    generalised_curves,
    interpolated_curves,
    precision_recall,
)
from ui.address import families
from ui.computing.cached import cached_call
from ui.computing.doubt import first_calls, intervals_of_tau, leads
from ui.computing.measures import scored
from ui.focused import texts
from ui.focused.passage_settings import A_VALUES, FOCUSED, N_VALUES, RELEVANT, FocusedSettings, official, short
from ui.screen.calls import Call, call, keyed, line, record, value_call
from ui.screen.items import Columns, Figure, Headline, Item, Metric
from ui.screen.text import markdown


def draw(view: FocusedSettings) -> Iterator[Item]:
    """Yield the leader and the chosen system's rank, two metrics, and the figure of the task."""
    rival = TASKS[RELEVANT if view.task == FOCUSED else FOCUSED]
    if view.task == FOCUSED:
        second: tuple[Item, ...] = (precision_at(view),)
    else:
        second = tuple(alike(view, view.given, "τ with official"))
    third = tuple(alike(view, rival, f"τ with {short(rival.official)}"))
    yield Columns(((firsts(view),), second, third), (3.6, 1.2, 1.2), align="center")
    yield {FOCUSED: by_recall, RELEVANT: by_rank}.get(view.task, by_setting)(view)


def firsts(view: FocusedSettings) -> Headline:
    """Return the headline with the leader under the official measure, and the rank of the chosen system."""
    scores, frame = view.scores, view.frame
    places = call("places", ec.ranks, scores.it)
    text = (
        f"Under {short(view.scored.official)}, {leads((frame or scores).value)}  \n"
        f"**{markdown(view.system)}**: {scores.value[view.system]:.4f}, rank {places.value[view.system]} of "
        f"{len(scores.value)}"
    )
    return Headline(text, (scores, places, *(first_calls(frame) if frame else ())))


def precision_at(view: FocusedSettings) -> Metric:
    """Return a metric with the interpolated precision of the chosen system at the recall level j."""
    value = line("at_level", curves_of(view).it[view.system].iloc[round((view.level or 0.0) * (LEVELS - 1))])
    return Metric.of(f"iP[{view.level:.2f}]", value, texts.precision_at(view.level or 0.0), form=".4f")


def curves_of(view: FocusedSettings) -> Call[pd.DataFrame]:
    """Return the call of interpolated precision at 101 levels of recall, levels x systems."""
    c = record(view.collection)
    return call("curves", interpolated_curves, c.passages, view.single, rankings=c.rankings, **view.counting)


def alike(view: FocusedSettings, other: Task, label: str) -> Iterator[Item]:
    """Yield the correlation of the task's ranking of systems with the ranking of another task."""
    theirs, means, help = official("theirs", other, view.collection), view.means, texts.tau(view.scored, other)
    if len(theirs.value) < 2:
        yield Metric(label, "none", help=help)
    else:
        yield Metric.of(label, call("tau", ec.tau, means.it, theirs.it.loc[means.it.index, str(other.official)]), help)
    if view.frame:
        yield from intervals_of_tau({label: ("tau", view.frame, scored("", other.official, view.collection))})


def by_recall(view: FocusedSettings) -> Figure:
    """Return the figure of interpolated precision by recall."""
    points = None
    if view.single is not None:
        of = record(view.collection).passages, view.system, view.single
        points = call("points", precision_recall, *of, **view.counting).it
    until = 0.105 if view.early else None
    figure = drawn(view, figures.recall_curves, curves_of(view), until=until, points=points, level=view.level)
    return Figure(figure, "recall curves", texts.BY_RECALL)


def by_rank(view: FocusedSettings) -> Figure:
    """Return the figure of generalised precision by document rank."""
    c, score = record(view.collection), value_call(view.scored.score or DocumentF()).it
    curves = call("curves", generalised_curves, c.passages, score, view.single, rankings=c.rankings)
    figure = drawn(view, figures.rank_curves, curves)
    return Figure(figure, "rank curves", texts.BY_RANK)


def by_setting(view: FocusedSettings) -> Figure:
    """Return the figure of every system's score at many values of the setting A or n."""
    score = view.scored.score
    name, current = ("A", score.A) if isinstance(score, Entry) else ("n", getattr(score, "n", 0))
    curves = settings_curves(view, Entry if name == "A" else EntryScreen, name)
    mean = "AgP" if view.single else "MAgP (mean over topics)"
    score_name = mean if view.single else None
    figure = drawn(view, figures.setting_curves, curves, current=float(current), score=score_name)
    return Figure(figure, "settings", f"{mean} of every system by {name}")


def settings_curves(view: FocusedSettings, kind: type[Entry] | type[EntryScreen], name: str) -> Call[pd.DataFrame]:
    """Return the call of AgP at many values of A or n, settings x systems, kept for the next run."""

    def scores(at: float) -> pd.Series:  # only the whole table is kept
        measure = record(AgP)(record(cast(Any, kind))(**{name: at}))
        if view.single is None:
            return record(ec.evaluate)(measure, view.collection).mean()
        return record(ec.evaluate)(measure, view.collection, topics="all").T[view.single]

    along = keyed(A_VALUES if name == "A" else N_VALUES, scores)
    made = line("curves", record(pd.DataFrame)(along).T.rename_axis(name))
    return cached_call(made, view.collection)


def drawn(view: FocusedSettings, function: Any, curves: Call[pd.DataFrame], **options: Any) -> Call[go.Figure]:
    """Return the call of a figure of curves in which the chosen system is emphasised."""
    own = families.styles_of(view.collection)
    there = {name: option for name, option in options.items() if option is not None}
    return call("", function, curves.it, chosen=view.system, **there, styles=own)
