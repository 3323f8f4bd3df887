"""Step 3: where understanding ends, and how sharply."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.arrays import FloatArray
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import RBP, uRBP1, uRBP2
from evalcore.meta import ranks, swapped_pairs, winner, winners
from evalcore.rounding import TIE, percent
from ui.address.settings import setting
from ui.computing.measures import scores
from ui.glossary.words import term
from ui.guided_path.base import (
    STEPS,
    Lesson,
    LessonContent,
    LessonSettings,
    a_readability,
    lacks_a_readability,
)
from ui.screen.items import Figure
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Field, Number

MODELS: dict[str, type[uRBP1] | type[uRBP2]] = {"step": uRBP1, "smooth": uRBP2}
MODEL_HELP = (
    "step: understood below the threshold, not at all from it on (uRBP1). smooth: the same with a slope (uRBP2)."
)
PAPER = 15.0
INTERVALS = 40
ASIDE = 2  # thresholds to either side that the answer compares
MOST_NAMED = 3
FEW = 0.05  # of the documents


def _threshold(page: Border) -> Field:
    grid = page.grid
    low, high, middle = float(grid[ASIDE]), float(grid[-ASIDE - 1]), float(grid[len(grid) // 2])
    default = PAPER if low <= PAPER <= high else middle
    return Number("Threshold", low, high, default, float(grid[1] - grid[0]), format="%g")


@dataclass(frozen=True)
class Border(LessonSettings):
    """Where understanding ends, and how sharply."""

    lacks = staticmethod(lacks_a_readability)
    border: str = setting(Choice("Border", list(MODELS), segmented=True, help=MODEL_HELP))
    threshold: float = setting(_threshold)

    @property
    def signal(self) -> str:
        return a_readability(self.data)

    @property
    def grid(self) -> FloatArray:
        return thresholds(self.data.assessments.column(self.signal))


def show(page: Border, styles: Styles) -> LessonContent:
    collection, signal, name, at, grid = page.data, page.signal, page.border, page.threshold, page.grid
    scale, values = collection.assessments.scale(signal), collection.assessments.column(signal)
    whose, places = collection.fingerprint, tuple(grid.tolist())
    sweeps = {one: swept(whose, one, signal, places, collection) for one in MODELS}
    passed = {one: swaps_on_the_way(whose, one, signal, places, means) for one, means in sweeps.items()}
    reference = scores(collection, RBP()).mean()
    named = first_somewhere(sweeps[name], reference)
    positions = np.linspace(grid[0], grid[-1], 241)
    order = [name, *(one for one in MODELS if one != name)]
    gains = {f"{one} ({MODELS[one].__name__})": gain(one, signal, at, collection, positions) for one in order}
    figure = figures.border_and_ranks(
        (positions, gains),
        values,
        ranked(whose, name, signal, places, sweeps[name]),
        named,
        at,
        styles,
        figures.plain(signal) + (f" ({figures.plain(scale.unit)})" if scale.unit else ""),
    )
    return LessonContent(
        (
            Figure(
                figure, "path-thresholds", f"Gain by {signal} under two borders, ranks of the systems at each threshold"
            ),
        ),
        f"Above: what a document gains by its {markdown(signal)}; grey, how many have it. Below: ranks by "
        f"{MODELS[name].__name__} as its threshold moves to the right; in colour who is first by "
        "RBP and who is first at the most thresholds.",
        answer(sweeps, passed, at, reference, values),
        formulas=tuple(MODELS[one](aspect=signal, threshold=at).latex(collection.assessments.scales) for one in order),
        code=code(signal, grid.tolist(), around(grid, at)),
    )


def around(grid: FloatArray, threshold: float) -> list[float]:
    """The threshold of the grid nearest to one, between two that lie aside."""
    at = int(np.abs(grid - threshold).argmin())
    return [float(grid[place]) for place in (max(at - ASIDE, 0), at, min(at + ASIDE, len(grid) - 1))]


def code(signal: str, grid: list[float], three: list[float]) -> tuple[str, ...]:
    models = {name: str(model(aspect=signal)) for name, model in MODELS.items()}
    return (
        "from evalcore.meta import swapped_pairs",
        "",
        f"models = {models!r}",
        f"sweeps = {{name: ec.sweep(text, 'threshold', {grid!r}, c) for name, text in models.items()}}",
        f"low, at, high = {three!r}",
        f"rbp = ec.evaluate({str(RBP())!r}, c).mean()",
        "swaps = {name: len(swapped_pairs(means.loc[low], means.loc[high])) for name, means in sweeps.items()}",
        "steps = {name: list(zip(means.index, means.index[1:])) for name, means in sweeps.items()}",
        "swaps_on_the_way = {",
        "    name: sum(len(swapped_pairs(means.loc[a], means.loc[b])) for a, b in steps[name])",
        "    for name, means in sweeps.items()",
        "}",
        "tau = {name: ec.tau(rbp, means.loc[at]) for name, means in sweeps.items()}",
    )


def thresholds(values: FloatArray) -> FloatArray:
    """Evenly spaced thresholds over what the documents have: steps of 1, 2 or 5 times a power of ten, about 40."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    rough = (high - low) / INTERVALS or 1.0
    unit = 10.0 ** np.floor(np.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first, last = np.ceil(low / step), np.ceil(high / step) + ASIDE
    return np.asarray(np.round(np.arange(first, last + 1) * step, 10), dtype=np.float64)


def gain(model: str, signal: str, threshold: float, collection: Collection, at: FloatArray) -> FloatArray:
    """u at some readabilities."""
    measure = MODELS[model](aspect=signal, threshold=threshold)
    gains: FloatArray = measure.gain_functions()[signal].of(at, collection.assessments.scale(signal))
    return gains


@st.cache_resource(max_entries=16, show_spinner=False)
def swept(fingerprint: str, model: str, signal: str, grid: tuple[float, ...], _collection: Collection) -> pd.DataFrame:
    """Mean scores at every threshold, thresholds x systems. Not to be written to."""
    return ec.sweep(MODELS[model](aspect=signal), "threshold", list(grid), _collection)


@st.cache_resource(max_entries=16, show_spinner=False)
def ranked(fingerprint: str, model: str, signal: str, grid: tuple[float, ...], _means: pd.DataFrame) -> pd.DataFrame:
    """Ranks at every threshold, thresholds x systems. Not to be written to."""
    return _means.apply(ranks, axis=1)


def first_somewhere(means: pd.DataFrame, reference: pd.Series) -> list[str]:
    """Who is first by RBP, then who is first at the most thresholds."""
    often = winners(means).value_counts()
    return list(dict.fromkeys([winner(reference), *map(str, often.index)]))[:MOST_NAMED]


def answer(
    sweeps: dict[str, pd.DataFrame],
    passed: dict[str, int],
    threshold: float,
    reference: pd.Series,
    values: FloatArray,
) -> str:
    grid = sweeps["step"].index.to_numpy(dtype=float)
    low, at, high = around(grid, threshold)
    swaps = {one: len(swapped_pairs(means.T[low], means.T[high])) for one, means in sweeps.items()}
    pairs = "pair" if swaps["step"] == 1 else "pairs"
    return (
        f"From {low:g} to {high:g} the step swaps **{swaps['step']}** {pairs} of systems, the smooth border "
        f"**{swaps['smooth']}**{why(swaps, passed, share_within(values, low, high))}. At {at:g}, "
        f"{with_rbp({one: ec.tau(reference, means.T[at]) for one, means in sweeps.items()})}. "
        f"Over all thresholds, one after the other, the two swap {passed['step']} and {passed['smooth']} pairs."
        f"{all_understood(sweeps['step'], reference)}"
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def swaps_on_the_way(fingerprint: str, model: str, signal: str, grid: tuple[float, ...], _means: pd.DataFrame) -> int:
    """How many pairs of systems swap from a threshold to the next, over all of them."""
    rows = [_means.iloc[at] for at in range(len(_means))]
    return sum(len(swapped_pairs(one, other)) for one, other in pairwise(rows))


def share_within(values: FloatArray, low: float, high: float) -> float:
    """The share of the documents that pass at one of two thresholds alone."""
    known = values[~np.isnan(values)]
    return float(((known >= low) & (known < high)).mean())


def why(swaps: dict[str, int], passed: dict[str, int], moved: float) -> str:
    """What explains which border swaps more pairs here, where the numbers bear it out."""
    if swaps["smooth"] < swaps["step"] and passed["smooth"] < passed["step"]:
        return ", for it lets a document just beyond the threshold count a little"
    if swaps["smooth"] > swaps["step"] and moved < FEW:
        return f", for only {percent(moved)} of the documents change sides here, while a slope moves the gain of all"
    return ""


def with_rbp(taus: dict[str, float]) -> str:
    """τ of each border with RBP."""
    known = [f"{tau:.3f} ({one})" for one, tau in taus.items() if not np.isnan(tau)]
    return (
        f"{term('tau', 'τ')} with RBP is {' and '.join(known)}" if known else "all systems are tied by one of the two"
    )


def all_understood(means: pd.DataFrame, reference: pd.Series) -> str:
    """From where on the step lets every document pass, where there is such a threshold."""
    same = means.index[np.abs(means.to_numpy() - reference[means.columns].to_numpy()).max(axis=1) < TIE]
    if not len(same) or not reference.any():
        return ""
    return f" From {same[0]:g} on all is understood that RBP credits: uRBP1 is RBP."


LESSON = Lesson(
    name=STEPS[2],
    title="Where does understanding end?",
    text=(
        f"Grades are expensive. FOG, a {term('signal')}, estimates from the length of words and sentences how many "
        f"school years a text takes. To turn it into a {term('gain')} one needs a {term('threshold')}. "
        f"{term('uRBP1')} has a step there, all or nothing; {term('uRBP2')} a slope (an arctangent). Nobody knows the "
        "right threshold, so the winner should not depend on it."
    ),
    question="Move the threshold a little. Which border, step or smooth, changes the ranking less, and why?",
    settings=Border,
    controls={"border": 0.38, "threshold": 0.62},
    show=show,
    page="understandability",
    page_label="On your own data: Understandability",
)
