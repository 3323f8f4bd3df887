"""Where do RBP and uRBP agree? tau between them while persistence or threshold moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.measures import Measure
from evalcore.progress import Tell
from evalcore.sensitivity import tau_between, with_path
from ui.computing.tau import RESAMPLES
from ui.computing.work import results
from ui.data import open_collection
from ui.screen.items import Figure, Headline, Item, Table
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show
from ui.understandability.controls import Reader
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
            if (found := _followed(reader, name)) is not None:
                live.follow(reader, partial(_curve, found, name), name)
                show.put(Table(found.rename_axis(name), f"tau along {name}", height=200, drawn=DRAWN))


def code(reader: Reader) -> list[str]:
    """The lines that recompute the curves."""
    lines = [
        "from evalcore.sensitivity import tau_between, with_path",
        "",
        f"x, y = ec.parse({str(reader.baseline)!r}), ec.parse({str(reader.variants[0])!r})",
    ]
    for name in followed(reader):
        pair = f"(with_path(y, {name!r}, one), {'with_path(x, name, one)' if name == 'rho' else 'x'})"
        lines += [
            f"name, values = {name!r}, {values(reader, name)!r}",
            f"by_{name} = tau_between([{pair} for one in values], c).set_axis(values)",
            f"least_by_{name} = by_{name}['tau'].min(), by_{name}['tau'].idxmin()",
        ]
    return lines


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
    return [float(one) for one in np.round(field.low + at * field.step, 10)]


def _curve(found: pd.DataFrame, name: str, reader: Reader) -> Iterator[Item]:
    """The curve, and where on it the slider stands."""
    taus = found["tau"]
    if taus.notna().any():
        where = f"least alike at {taus.idxmin():.4g}" if taus.nunique() > 1 else "alike everywhere"
        yield Headline(f"**{LABELS[name]}**: {where}, τ {taus.min():.3f}")
    figure = figures.tau_along(found, float(getattr(reader, name)), LABELS[name])
    alt = f"τ of RBP and uRBP along {LABELS[name]}; the values are in the table below"
    take = partial(_set, reader, name)
    yield Figure(figure, f"along {name}", alt, take, ("points",), DRAWN)


def _set(reader: Reader, name: str, clicked: list[str]) -> None:
    """A mark that was clicked sets the slider."""
    if clicked:
        reader.change(**{name: float(clicked[0])})


def _followed(reader: Reader, name: str) -> pd.DataFrame | None:
    """tau, low, high and why by value; None where the work was held."""
    chosen, swept = values(reader, name), open_collection.for_sweeps(reader.collection)
    y, x = reader.variants[0], reader.baseline
    pairs = [(_with(y, name, one), _with(x, name, one)) for one in chosen]

    def job(tell: Tell) -> pd.DataFrame:
        return tau_between(pairs, swept, RESAMPLES, tell=tell).set_axis(pd.Index(chosen))

    known_by = ("along", reader.collection.fingerprint, tuple(str(one) for pair in pairs for one in pair))
    return results(f"along {name}", f"Following τ along {LABELS[name]}", {known_by: job}).get(known_by)


def _with(measure: Measure, name: str, value: float) -> Measure:
    """The measure with another value, where it has such a number."""
    return with_path(measure, name, value) if name in measure.parameters() else measure
