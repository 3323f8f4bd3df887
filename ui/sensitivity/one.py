"""One parameter: where every system stands while it moves, and where the winner changes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import InputError, figures
from evalcore.figures.endless import score_text
from evalcore.progress import Tell
from evalcore.sensitivity import (
    Orders,
    Trajectory,
    changes_in_words,
    order_in_words,
    orders_along,
    quickly_ordered,
    trajectory,
)
from ui.address import doubt, families
from ui.address.highlight import Highlight
from ui.computing.first import code as first_code
from ui.computing.first import doubted, first_of, remark
from ui.computing.measures import scores
from ui.computing.parts import in_parts
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.screen.items import Figure, Headline, Item, Table
from ui.screen.text import markdown
from ui.sensitivity.controls import HEIGHT, VALUES, SensitivitySettings, are_first, computed, shorter
from ui.shell import live
from ui.stage import show

LINE = 28  # pixels of a line of text
SENTENCES = 3 * LINE  # over the figure: what is decided


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look One parameter."""
    with left:
        page.draw("path", "at")
        highlight.draw("systems")
    with left:
        page.draw("first")
    found = _followed(page)
    if found is None:
        return
    orders, changes = _decided(page, found)
    first = None if orders is None else orders.of_first(page.first)
    with left:
        _numbers(found, changes)
    sure, lines = _how_sure(page, found, changes, first), _lines(page, found, first, highlight)
    with right:
        # Of the figure the setting moves one line alone: elsewhere on its way the others are left away.
        live.follow(page, lambda one: _look(one, found, orders, sure, lines if one is page else None, highlight), "at")
    strip = (
        f" The strip over τ is dark where the first {page.first} keep their order, pale where they do not, and red "
        "where a swap with one of them is decided."
        if first is not None
        else ""
    )
    how_decided = (
        " It is decided where the one beats the other before it, and the other the one after it, by tests over topics "
        "that are corrected for all pairs of systems at all values."
        if orders is not None
        else ""
    )
    show.explain(
        "Each line is a system: its rank while one number or choice of the measure moves. The band on top says who is "
        f"first; below, how alike the order of all systems is to that of the default setting.{strip}",
        "Ranks are spread out at the top. Where lines cross, two systems swap. A dotted line marks a change of the "
        f"winner: on its two sides the same runs have different winners.{how_decided}",
        "Vary two parameters at once, to see whether the winner holds on a whole area around the default; or drag the "
        "parameter yourself under Motion.",
    )
    _tables(page, found, changes, first)
    frame = _at_default(page, found)
    how_sure = [] if frame is None else first_code("[scores]", frame)
    own = [f"scores = ec.evaluate({page.measure!r}, c)", "first = ec.best_first(scores.mean()).head(1)"]
    decided = [] if orders is None else _decided_code(page)
    plot = families.plot_code(page.collection, "found" if orders is None else "found, orders=order['order']")
    as_python(page.collection, *_code(page), *decided, *(own if how_sure else []), *how_sure, *plot)


def _code(page: SensitivitySettings) -> list[str]:
    """What recomputes the figure and the tables."""
    return [
        f"parameter = ec.sensitivity.parameter_of({page.measure!r}, {page.path!r}, c)",
        f"found = ec.trajectory({page.measure!r}, {page.path!r}, parameter.round_values({VALUES}), c)",
        "changes, ranks, means, tau = found.changes, found.ranks, found.means, found.tau",
        "n_changes, lowest = len(changes), tau.min()",
        f"tau_here = found.tau.get({page.at!r})",
        "first_somewhere = means.columns[found.outcomes.first.any(axis=0)]",
    ]


def _decided_code(page: SensitivitySettings) -> list[str]:
    """What recomputes which changes are decided."""
    return [
        "orders = ec.orders_along(found, c)",
        "changes = orders.changes(found.changes)",
        "n_decided = changes['decided'].sum()",
        f"order = orders.of_first({page.first})",
        "kept = order.index[order['order'] == 'kept']",
        "another = order.index[order['order'] == 'decided']",
    ]


def _decided(page: SensitivitySettings, found: Trajectory) -> tuple[Orders | None, pd.DataFrame]:
    """Which orders, and changes of the winner, are decided; the changes alone where doubt is off, or takes long."""
    values, systems = found.means.shape
    if not doubt.shown() or in_parts(page.collection) or not quickly_ordered(systems, values + 1):
        return None, found.changes

    def job(tell: Tell) -> tuple[Orders, pd.DataFrame]:
        orders = orders_along(found, page.collection, tell=tell)
        return orders, orders.changes(found.changes)

    name = ("orders", page.collection.fingerprint, page.measure, found.parameter)
    return computed(page, "orders", name, values, job, "Which changes are decided") or (None, found.changes)


def _followed(page: SensitivitySettings) -> Trajectory | None:
    parameter = page.parameter(page.path)
    values = parameter.round_values(VALUES)
    return computed(
        page,
        "trajectory",
        ("trajectory", page.collection.fingerprint, page.measure, parameter),
        len(values),
        lambda tell: trajectory(
            page.varied, parameter.path, values, open_collection.for_sweeps(page.collection), tell=tell
        ),
    )


def _numbers(found: Trajectory, table: pd.DataFrame) -> None:
    changes, lowest = st.columns(2)
    winners = int(found.outcomes.first.any(axis=0).sum())
    show.metric(changes, "winner changes", len(table), help=f"Systems first at a value looked at, or tied: {winners}")
    if "decided" in table:
        help = "Changes before which the one beats the other, and after which the other the one, in tests over topics"
        show.metric(st.columns(2)[0], "decided", int(table["decided"].sum()), help=help)
    known = found.tau.dropna()
    at = "" if known.empty else found.parameter.name(float(known.index[int(known.argmin())]))
    help = "" if known.empty else f"Kendall's tau_b with the default, at {found.parameter.path} = {at}"
    show.metric(lowest, "lowest τ", "none" if known.empty else f"{known.min():.3f}", help=markdown(help) or None)


def _headline(found: Trajectory, wanted: float | None = None) -> str:
    """Who is first around a value, the default or the last, and beyond; and the value's tau with the default."""
    path, values, own = markdown(found.parameter.path), found.means.index.to_numpy(dtype=float), found.parameter.value
    known = (one for one in (wanted, own) if one is not None and values[0] <= one <= values[-1])
    at = next(known, float(values[-1]))
    tau = np.nan if wanted is None or at == own else found.tau.get(at, np.nan)
    here = markdown(found.parameter.name(at)) if found.parameter.options else f"{at:.4g}"
    alike = "" if np.isnan(tau) else f" At {here}, τ with the default is **{score_text(tau, 3)}**."
    rows = found.changes[["low", "high", "before", "after"]].values.tolist()
    below, above = [row for row in rows if row[1] <= at], [row for row in rows if row[0] >= at]
    if found.parameter.options:
        return _of_choice(found, at) + alike
    if not rows:
        first = ", ".join(found.ranks.columns[found.ranks.iloc[0] == 1])
        return f"{are_first(first)} at every value of {path} looked at.{alike}"
    first, ends, sides = below[-1][3] if below else above[0][2], [], []
    if below:
        ends.append(f"from {below[-1][1]:.4g}" + ("" if above else " on"))
        sides.append(f"below that, {_bold(below[-1][2])}")
    if above:
        ends.append(f"up to {above[0][0]:.4g}")
        sides.append(f"above that, {_bold(above[0][3])}")
    return f"At {path} = {at:.4g} {are_first(first)}, {' '.join(ends)}; {'; '.join(sides)}.{alike}"


def _of_choice(found: Trajectory, at: float) -> str:
    """Who is first with an option, and with which others somebody else is."""
    values = found.ranks.index.to_numpy(dtype=float).tolist()
    first = {value: ", ".join(found.ranks.columns[found.ranks.loc[value] == 1]) for value in values}
    here, path, name = first[at], markdown(found.parameter.path), found.parameter.name
    others = dict[str, list[str]]()
    for value, names in first.items():
        if names != here and names:
            others.setdefault(names, []).append(markdown(name(value)))
    start = f"With {path} = {markdown(name(at))} {are_first(here) if here else 'nobody is first'}"
    if not others:
        return f"{start}, as with every other option."
    return f"{start}; " + "; ".join(f"with {', '.join(options)}, {_bold(who)}" for who, options in others.items()) + "."


def _how_sure(page: SensitivitySettings, found: Trajectory, changes: pd.DataFrame, order: pd.DataFrame | None) -> str:
    """How sure it is who is first at the default, which changes are decided, and what becomes of the first k."""
    frame = _at_default(page, found)
    lines = [f"At the default: {first_of(frame)}."] if frame is not None and (doubted(frame) or remark(frame)) else []
    if order is not None:
        lines += [markdown(changes_in_words(_short(changes), found.parameter)), _of_first(page, order)]
    return "".join(f"  \n{line}" for line in lines if line)


def _of_first(page: SensitivitySettings, order: pd.DataFrame) -> str:
    return markdown(order_in_words(order, page.first, page.parameter(page.path)))


def _at_default(page: SensitivitySettings, found: Trajectory) -> pd.DataFrame | None:
    """The scores at the default setting; None where it has none, or none of the values looked at is near it."""
    own, values = found.parameter.value, found.means.index
    if own is None or not values[0] <= own <= values[-1] or in_parts(page.collection):
        return None
    try:
        return scores(page.collection, page.varied)
    except InputError:  # as the trajectory has an answer there, scores that are not computed yet
        return None


def _short(changes: pd.DataFrame) -> pd.DataFrame:
    """Changes of the winner by short names."""
    return changes.assign(**{side: changes[side].map(shorter) for side in ("before", "after")})


def _bold(names: str) -> str:
    return f"**{markdown(shorter(names))}**"


def _lines(page: SensitivitySettings, found: Trajectory, order: pd.DataFrame | None, highlight: Highlight) -> go.Figure:
    return figures.rank_trajectories(
        found.ranks,
        found.means,
        found.tau,
        found.changes,
        open_collection.styles(page.collection),
        title=figures.plain(found.parameter.path),
        default=found.parameter.value,
        selected=highlight.systems,
        height=HEIGHT - SENTENCES,
        orders=None if order is None else order["order"],
        names=found.parameter.names,
    )


def _look(
    page: SensitivitySettings,
    found: Trajectory,
    orders: Orders | None,
    sure: str,
    lines: go.Figure | None,
    highlight: Highlight,
) -> Iterator[Item]:
    """What stands at the value that is looked at, and where it is in the figure, whose lines may be left away."""
    swapped = "" if orders is None or page.at is None else markdown(orders.swap_in_words(page.at))
    yield Headline(f"{_headline(found, page.at)}{' ' * bool(swapped)}{swapped}{sure}")
    figure = figures.standing_at(lines, page.at)
    count, path = len(found.ranks.columns), found.parameter.path
    alt = f"Ranks of {count} systems along {path}, and τ with the default under them; the values are in the tables"
    yield Figure(figure, "trajectories", alt, highlight.take, ("points",))


def _tables(page: SensitivitySettings, found: Trajectory, changes: pd.DataFrame, order: pd.DataFrame | None) -> None:
    st.markdown("**Changes of the winner**")
    if changes.empty:
        st.caption("None between the values looked at.")
    else:
        ends = dict.fromkeys(("low", "high", "decided low", "decided high"), 5)
        show.put(Table(changes, "changes of the winner", index=False, decimals=ends))
    ranks = found.ranks.assign(τ=found.tau)
    if order is not None:  # beside the ranks, as one more table would take longer at each move of the slider
        beside = order.rename(columns=f"first {page.first}: {{}}".format)
        ranks = pd.concat([beside, ranks], axis=1).rename_axis(
            index=str(found.ranks.index.name or found.parameter.path)
        )
    st.markdown("**Ranks and τ at every value**")
    show.put(Table(_named(ranks, found), "ranks along the parameter", height=300, decimals={"τ": 3}))
    st.markdown("**Mean scores at every value**")
    show.put(Table(_named(found.means, found), "scores along the parameter", height=300))


def _named(table: pd.DataFrame, found: Trajectory) -> pd.DataFrame:
    """The table by the names of options, of a choice."""
    if not found.parameter.options:
        return table
    return table.set_axis(pd.Index(list(map(found.parameter.name, table.index)), name=found.parameter.path))
