"""The view Along one parameter: the rank of every system as the parameter changes, and where the winner changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import InputError, figures
from evalcore.common.cached import cached_property
from evalcore.sensitivity import Orders, Trajectory, changes_in_words, quickly_ordered
from ui.address.families import plotted
from ui.address.highlight import Highlight
from ui.computing import doubt
from ui.computing.doubt import doubt_of, doubted, leads
from ui.computing.measures import scored
from ui.screen.calls import Call, call, line, record
from ui.screen.items import At, Calls, Columns, Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import listed, markdown, score_text
from ui.shell import live
from ui.stage import show
from ui.tune import texts
from ui.tune.state import HEIGHT, VALUES, Tuned

LINE = 28  # height of a line of text in pixels
SENTENCES = 3 * LINE  # height of the text above the figure


def draw(page: Tuned, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the view Along one parameter."""
    with left:
        page.draw("at", "path")
    along = Along(page)
    if along.trajectory.value is None:
        return
    show.screen([At("left", tuple(_numbers(along)))], {"left": left})
    figure = along.figure(highlight)
    lines, sure = figure.value, _how_sure(along)
    with right:
        # The slider only moves the marker in the figure, so its other positions are drawn without the curves.
        def look(there: Tuned) -> Iterator[Item]:
            return _look(there, along, sure, figure, lines if there is page else None, highlight)

        live.follow(page, look, "at")
    show.explain(*texts.reading_along(along.orders is not None))
    show.numbers(lambda: show.screen(_tables(along)))


class Along:
    """The scores and ranks of all systems along the chosen parameter, and the changes of the winner, as calls."""

    def __init__(self, page: Tuned) -> None:
        self.page, self.parameter = page, page.parameter(page.path)

    @cached_property
    def trajectory(self) -> Call[Any]:
        page, values = self.page, self.page.call_of(self.page.path).it.round_values(VALUES)
        made = call("found", ec.trajectory, str(page.tuned), str(page.path), values, page.collection)
        return page.kept(made, len(self.parameter.round_values(VALUES)))

    @cached_property
    def orders(self) -> Call[Orders] | None:
        """The call that computes which orders are significant along the parameter.

        None if intervals are switched off, or if the tests would take long or were stopped.
        """
        page, (values, systems) = self.page, self.trajectory.value.means.shape
        if not doubt.shown() or not quickly_ordered(systems, values + 1):
            return None
        made = call("orders", ec.orders_along, self.trajectory.it, page.collection)
        orders = page.kept(made, values, "Testing changes of the winner")
        return None if orders.value is None else orders

    @cached_property
    def changes(self) -> Call[pd.DataFrame]:
        """The call that computes the changes of the winner, with marks on significant ones if they are tested."""
        if self.orders is None:
            return line("changes", self.trajectory.it.changes)
        return line("changes", self.orders.it.changes(self.trajectory.it.changes))

    @cached_property
    def scores(self) -> Call[pd.DataFrame] | None:
        """The call that computes the scores at the default value of the parameter.

        None if there is no default, if the default lies outside the curve, or if the scores are not computed yet.
        """
        own, values = self.trajectory.value.parameter.value, self.trajectory.value.means.index
        if own is None or not values[0] <= own <= values[-1]:
            return None
        made = scored("scores", self.page.tuned, self.page.collection)
        try:
            return made if len(made.value) else None
        except InputError:  # scores exist along the curve, so these are only not computed yet
            return None

    def figure(self, highlight: Highlight) -> Call[go.Figure]:
        made = plotted("", self.page.collection, self.trajectory.it)
        title, height = figures.plain(self.parameter.reading), HEIGHT - SENTENCES
        return made.here(title=title, selected=highlight.systems, height=height)


def _numbers(along: Along) -> Iterator[Item]:
    trajectory, changes = along.trajectory.value, along.changes
    count = call("n_changes", len, changes.it)
    first = line("first_somewhere", along.trajectory.it.means.columns[along.trajectory.it.outcomes.first.any(axis=0)])
    winning = Metric("winner changes", count.value, help=texts.WINNING.format(len(first.value)), calls=(count, first))
    tau = line("tau", along.trajectory.it.tau)
    least = line("lowest", tau.it.min())
    text, help, known = "none", None, trajectory.tau.dropna()
    if not known.empty:
        at = trajectory.parameter.name(float(known.index[int(known.argmin())]))
        text, help = f"{least.value:.3f}", texts.tau_along(trajectory.parameter.reading, at)
    yield in_row(winning, Metric("lowest τ", text, help=help, calls=(least,)))
    if along.orders is not None:
        decided = line("n_decided", changes.it["decided"].sum())
        yield Columns(((Metric.of("decided", decided, texts.DECIDED, form="d"),), ()))


def _headline(trajectory: Trajectory, wanted: float | None = None) -> list[str]:
    """Return sentences on the winner at a value, on the winners below and above it, and on τ with the default order.

    The value is `wanted`, else the default, else the last one.
    """
    path, values, own = (
        markdown(trajectory.parameter.reading),
        trajectory.means.index.to_numpy(dtype=float),
        trajectory.parameter.value,
    )
    known = (value for value in (wanted, own) if value is not None and values[0] <= value <= values[-1])
    at = next(known, float(values[-1]))
    tau = np.nan if wanted is None or at == own else trajectory.tau.get(at, np.nan)
    here = markdown(trajectory.parameter.name(at)) if trajectory.parameter.options else f"{at:.4g}"
    alike = [] if np.isnan(tau) else [f"At {here}, τ with the default is **{score_text(tau, 3)}**."]
    rows = trajectory.changes[["low", "high", "before", "after"]].values.tolist()
    below, above = [row for row in rows if row[1] <= at], [row for row in rows if row[0] >= at]
    if trajectory.parameter.options:
        return [_of_choice(trajectory, at), *alike]
    if not rows:
        first = ", ".join(trajectory.ranks.columns[trajectory.ranks.iloc[0] == 1])
        return [f"{texts.in_the_lead(first)} at every value of {path} shown.", *alike]
    first, ends, sides = below[-1][3] if below else above[0][2], [], []
    if below:
        ends.append(f"from {below[-1][1]:.4g}" + ("" if above else " on"))
        sides.append(f"below that, {_bold(below[-1][2])}")
    if above:
        ends.append(f"up to {above[0][0]:.4g}")
        sides.append(f"above that, {_bold(above[0][3])}")
    return [f"At {path} = {at:.4g} {texts.in_the_lead(first)}, {' '.join(ends)}; {'; '.join(sides)}.", *alike]


def _of_choice(trajectory: Trajectory, at: float) -> str:
    """Return a sentence on the winner with one option, and on the options with other winners."""
    values = trajectory.ranks.index.to_numpy(dtype=float).tolist()
    first = {value: ", ".join(trajectory.ranks.columns[trajectory.ranks.loc[value] == 1]) for value in values}
    here, path, name = first[at], markdown(trajectory.parameter.reading), trajectory.parameter.name
    others = dict[str, list[str]]()
    for value, names in first.items():
        if names != here and names:
            others.setdefault(names, []).append(markdown(name(value)))
    start = f"With {path} = {markdown(name(at))} {texts.in_the_lead(here) if here else 'no system leads'}"
    if not others:
        return f"{start}, as with all other options."
    return f"{start}; " + "; ".join(f"with {listed(options)}, {_bold(who)}" for who, options in others.items()) + "."


def _how_sure(along: Along) -> tuple[list[str], Calls]:
    """Return sentences on how certain the lead at the default is, and on significant changes, with their calls."""
    lines, calls, scores = list[str](), list[Call[Any]](), along.scores
    if scores is not None and doubted(scores.value):
        doubt = doubt_of(scores)
        lines.append(f"At the default: {leads(scores.value)}.")
        calls.append(line("first", record(ec.best_first)(scores.it.mean()).head(1)))
        calls += [doubt] if doubt else []
    if along.orders is not None:
        sides = {side: along.changes.value[side].map(texts.shorter) for side in ("before", "after")}
        shown = along.changes.value.assign(**sides)
        lines.append(markdown(changes_in_words(shown, along.trajectory.value.parameter)))
    return list(filter(None, lines)), tuple(calls)


def _bold(names: str) -> str:
    return f"**{markdown(texts.shorter(names))}**"


def _look(
    page: Tuned,
    along: Along,
    sure: tuple[list[str], Calls],
    figure: Call[go.Figure],
    lines: go.Figure | None,
    highlight: Highlight,
) -> Iterator[Item]:
    """Yield the finding at the slider's value, and the figure with a marker there.

    If `lines` is None, the figure has the marker but not the curves.
    """
    trajectory, orders = along.trajectory.value, None if along.orders is None else along.orders.value
    swapped = "" if orders is None or page.at is None else markdown(orders.swap_in_words(page.at))
    here = line("tau_here", along.trajectory.it.tau.get(page.at))
    sentences = [*_headline(trajectory, page.at), *filter(None, [swapped]), *sure[0]]
    yield Headline("  \n".join(sentences), (along.changes, here, *sure[1]))
    count, path = len(trajectory.ranks.columns), trajectory.parameter.reading
    standing = figures.standing_at(lines, page.at)
    yield Figure(standing, "trajectories", texts.along(count, path), highlight.take, ("points",), calls=(figure,))


def _tables(along: Along) -> Iterator[Item]:
    trajectory, changes = along.trajectory.value, along.changes
    yield Text("**Changes of the winner**")
    if changes.value.empty:
        yield Text.note(texts.NO_CHANGE)
    else:
        ends = dict.fromkeys(("low", "high", "decided low", "decided high"), 5)
        yield Table(changes, "changes of the winner", ends, index=False)
    ranks, tau = line("ranks", along.trajectory.it.ranks), line("tau", along.trajectory.it.tau)
    table = ranks.value.assign(τ=tau.value)
    yield Text("**Ranks and τ at every value**")
    yield Table(_named(table, trajectory), "ranks along the parameter", {"τ": 3}, 300, calls=(ranks, tau))
    means = line("means", along.trajectory.it.means)
    yield Text("**Mean scores at every value**")
    yield Table(_named(means.value, trajectory), "scores along the parameter", height=300, calls=(means,))


def _named(table: pd.DataFrame, trajectory: Trajectory) -> pd.DataFrame:
    """Return the table with the names of options as its index, if the parameter is a choice; otherwise unchanged."""
    if not trajectory.parameter.options:
        return table
    return table.set_axis(pd.Index(list(map(trajectory.parameter.name, table.index)), name=trajectory.parameter.path))
