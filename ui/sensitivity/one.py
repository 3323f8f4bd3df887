"""One parameter: where every system stands while it moves, and where the winner changes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import InputError, figures
from evalcore.figures.endless import score_text
from evalcore.sensitivity import Trajectory, trajectory
from ui.frame import live, open_collection
from ui.frame.as_python import as_python
from ui.frame.highlight import Highlight
from ui.frame.parts import in_parts
from ui.sensitivity.controls import HEIGHT, VALUES, SensitivitySettings, are_first, computed, shorter
from ui.widgets import show
from ui.widgets.first import code as first_code
from ui.widgets.first import doubted, first_of, remark
from ui.widgets.measures import scores
from ui.widgets.text import markdown


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look One parameter."""
    with left:
        page.draw("path", "at")
        highlight.draw("systems")
    found = _followed(page)
    if found is None:
        return
    with left:
        _numbers(found)
    sure, lines = _how_sure(page, found), _lines(page, found, highlight)
    with right:
        # Of the figure the setting moves one line alone: elsewhere on its way the others are left away.
        live.follow(page, lambda one: _look(one, found, sure, lines if one is page else None, highlight), "at")
    show.explain(
        "Each line is a system: its rank while one number of the measure moves. The band on top says who is first; "
        "below, how alike the order of all systems is to that of the default setting.",
        "Ranks are spread out at the top. Where lines cross, two systems swap. A dotted line marks a change of the "
        "winner: on its two sides the same runs have different winners.",
        "Vary two parameters at once, to see whether the winner holds on a whole area around the default; or drag the "
        "parameter yourself under Motion.",
    )
    _tables(found)
    frame = _at_default(page, found)
    doubt = [] if frame is None else first_code("[scores]", frame)
    own = [f"scores = ec.evaluate({page.measure!r}, c)", "first = ec.best_first(scores.mean()).head(1)"]
    as_python(page.collection, *_code(page), *(own if doubt else []), *doubt, "ec.plot(found)")


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


def _numbers(found: Trajectory) -> None:
    changes, lowest = st.columns(2)
    winners = int(found.outcomes.first.any(axis=0).sum())
    show.metric(
        changes, "winner changes", len(found.changes), help=f"Systems first at a value looked at, or tied: {winners}"
    )
    known = found.tau.dropna()
    help = "" if known.empty else f"Kendall's tau_b with the default, at {found.parameter.path} = {known.idxmin():.4g}"
    show.metric(lowest, "lowest τ", "none" if known.empty else f"{known.min():.3f}", help=markdown(help) or None)


def _headline(found: Trajectory, wanted: float | None = None) -> str:
    """Who is first around a value, the default or the last, and beyond; and the value's tau with the default."""
    path, values, own = markdown(found.parameter.path), found.means.index.to_numpy(dtype=float), found.parameter.value
    known = (one for one in (wanted, own) if one is not None and values[0] <= one <= values[-1])
    at = next(known, float(values[-1]))
    tau = np.nan if wanted is None or at == own else found.tau.get(at, np.nan)
    alike = "" if np.isnan(tau) else f" At {at:.4g}, τ with the default is **{score_text(tau, 3)}**."
    rows = found.changes[["low", "high", "before", "after"]].values.tolist()
    below, above = [row for row in rows if row[1] <= at], [row for row in rows if row[0] >= at]
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


def _how_sure(page: SensitivitySettings, found: Trajectory) -> str:
    """How sure it is who is first at the default setting; empty where there is none among the values."""
    frame = _at_default(page, found)
    return f"  \nAt the default: {first_of(frame)}." if frame is not None and (doubted(frame) or remark(frame)) else ""


def _at_default(page: SensitivitySettings, found: Trajectory) -> pd.DataFrame | None:
    """The scores at the default setting; None where it has none, or none of the values looked at is near it."""
    own, values = found.parameter.value, found.means.index
    if own is None or not values[0] <= own <= values[-1] or in_parts(page.collection):
        return None
    try:
        return scores(page.collection, page.varied)
    except InputError:  # as the trajectory has an answer there, scores that are not computed yet
        return None


def _bold(names: str) -> str:
    return f"**{markdown(shorter(names))}**"


def _lines(page: SensitivitySettings, found: Trajectory, highlight: Highlight) -> go.Figure:
    return figures.rank_trajectories(
        found.ranks,
        found.means,
        found.tau,
        found.changes,
        open_collection.styles(page.collection),
        title=figures.plain(found.parameter.path),
        default=found.parameter.value,
        selected=highlight.systems,
        height=HEIGHT,
    )


def _look(
    page: SensitivitySettings, found: Trajectory, sure: str, lines: go.Figure | None, highlight: Highlight
) -> None:
    """What stands at the value that is looked at, and where it is in the figure, whose lines may be left away."""
    show.headline(_headline(found, page.at) + sure)
    figure = figures.standing_at(lines, page.at)
    count, path = len(found.ranks.columns), found.parameter.path
    alt = f"Ranks of {count} systems along {path}, and τ with the default under them; the values are in the tables"
    show.figure(figure, "trajectories", alt, on_select=highlight.take, modes=("points",))


def _tables(found: Trajectory) -> None:
    st.markdown("**Changes of the winner**")
    if found.changes.empty:
        st.caption("None between the values looked at.")
    else:
        show.table(found.changes, "changes of the winner", index=False, decimals={"low": 5, "high": 5})
    st.markdown("**Ranks and τ at every value**")
    show.table(found.ranks.assign(τ=found.tau), "ranks along the parameter", height=300, decimals={"τ": 3})
    st.markdown("**Mean scores at every value**")
    show.table(found.means, "scores along the parameter", height=300)
