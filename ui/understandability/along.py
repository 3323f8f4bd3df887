"""Where do RBP and uRBP agree? tau between them while persistence or threshold moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.sensitivity import tau_between
from ui.computing import work
from ui.computing.tau import RESAMPLES
from ui.data import open_collection
from ui.screen.calls import Call, call, call_of
from ui.screen.items import Figure, Headline, Item, Table
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show
from ui.understandability.reader import Reader
from ui.widgets.fields import Number, Stepped

VALUES = 25  # at most, along each of the two
LABELS = {"rho": "Persistence ρ", "threshold": "Threshold"}
DRAWN = {"resamples": RESAMPLES, "seed": 0}


def along(reader: Reader) -> None:
    """The two curves side by side; clicked, one sets its slider."""
    both = f"{markdown(reader.baseline)} and by {markdown(reader.variants[0])}"
    st.caption(
        f"τ of the rankings by {both} while one number moves, with its 95% interval over topics ({RESAMPLES:,} "
        "resamples, seed 0): where τ of the true rankings of these systems may lie. No band: it cannot be said; the "
        "table says why. The upright line is the slider above; click a mark to set it."
    )
    names = followed(reader)
    for name, place in zip(names, st.columns(len(names), gap="medium"), strict=True):
        with place:
            if (taus := taus_along(reader, name)) is not None:
                live.follow(reader, partial(curve, taus, name), name)
                frame = taus.value.rename_axis(name)
                show.put(Table(frame, f"tau along {name}", height=200, drawn=DRAWN, calls=(taus,)))


def followed(reader: Reader) -> list[str]:
    """The numbers along which tau is followed: those that this reader has."""
    return [name for name in LABELS if getattr(reader, name) is not None]


def values(reader: Reader, name: str) -> list[float]:
    """The values along which tau is followed: those of the slider, or evenly spread ones of them."""
    field = reader.field(name)
    if isinstance(field, Stepped):
        return list(field.values)
    assert isinstance(field, Number)
    steps = round((field.high - field.low) / field.step)
    at = np.unique(np.linspace(0, steps, min(VALUES, steps + 1)).round())
    return [float(value) for value in np.round(field.low + at * field.step, 10)]


def curve(along: Call[pd.DataFrame], name: str, reader: Reader) -> Iterator[Item]:
    """The curve, and where on it the slider stands."""
    taus = along.value["tau"]
    if taus.notna().any():
        where = f"least alike at {taus.idxmin():.4g}" if taus.nunique() > 1 else "alike everywhere"
        yield Headline(f"**{LABELS[name]}**: {where}, τ {taus.min():.3f}", (along,))
    parts = {"table": along, "at": float(getattr(reader, name)), "label": LABELS[name]}
    figure = call_of("", figures.tau_along, "{table}, {at}, {label}", **parts)
    alt = f"τ of RBP and uRBP along {LABELS[name]}; the values are in the table below"
    yield Figure(figure, f"along {name}", alt, partial(_set, reader, name), ("points",), DRAWN)


def _set(reader: Reader, name: str, clicked: list[str]) -> None:
    """A mark that was clicked sets the slider."""
    if clicked:
        reader.change(**{name: float(clicked[0])})


def taus_along(reader: Reader, name: str) -> Call[pd.DataFrame] | None:
    """tau, low, high and why by value; None where the work was held."""
    x = call("x", "ec.parse({text})", text=reader.baseline)
    y = call("y", "ec.parse({text})", text=reader.variants[0])
    swept = "ec.with_path({x}, {name}, value)" if name in reader.baseline.parameters() else "{x}"
    pairs = f"[(ec.with_path({{y}}, {{name}}, value), {swept}) for value in {{values}}]"
    text = f"{{tau_between}}({pairs}, {{c}}).set_axis({{values}})"
    parts = {"tau_between": tau_between, "x": x, "y": y, "name": name, "values": values(reader, name)}
    made = call(f"by_{name}", text, **parts, c=open_collection.for_sweeps(reader.collection))
    return work.worked(made, reader.collection, f"Following τ along {LABELS[name]}", tells="tell")
