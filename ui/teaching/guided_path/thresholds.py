"""Step Thresholds: where understanding ends, and how sharply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.common.arrays import FloatArray
from evalcore.common.cached import cached_property
from evalcore.common.rounding import TIE
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import RBP, uRBP1, uRBP2
from evalcore.measures.parts.gains import Gain
from evalcore.meta import swapped_pairs, winner, winners
from ui.address import families
from ui.address.settings import setting
from ui.computing.cached import cached_call
from ui.glossary.words import term
from ui.screen.calls import Call, call, each, line, mapped, record
from ui.screen.items import Figure
from ui.teaching.guided_path.base import (
    Lesson,
    LessonContent,
    LessonSettings,
    a_readability,
    lacks_a_readability,
    mean_scores,
)
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Field, Number

MODELS: dict[str, type[uRBP1] | type[uRBP2]] = {"step": uRBP1, "smooth": uRBP2}
MODEL_HELP = "The threshold's shape: with a step, only pages below it are understood (uRBP1); smooth: a slope (uRBP2)."
PAPER = 15.0
INTERVALS = 40
ASIDE = 2  # the answer compares thresholds this many steps to either side
MOST_NAMED = 3
CHANGE = "the gains of relevant documents change by {step_change:percent} (step) and {smooth_change:percent} (smooth)"
WHY = {  # does the threshold that swaps fewer pairs also change gains less?
    "less change": f", as {CHANGE}",
    "for all that": f", although {CHANGE}",
    "": "",
}


def _threshold(page: Border) -> Field:
    grid = page.grid
    low, high, middle = float(grid[ASIDE]), float(grid[-ASIDE - 1]), float(grid[len(grid) // 2])
    default = PAPER if low <= PAPER <= high else middle
    return Number("Threshold", low, high, default, float(grid[1] - grid[0]), format="%g")


@dataclass(frozen=True)
class Border(LessonSettings, lacks=lacks_a_readability):
    """Settings of the step: the threshold at which understanding ends, and how sharp it is."""

    border: str = setting(Choice("Shape", list(MODELS), segmented=True, help=MODEL_HELP))
    threshold: float = setting(_threshold)

    @property
    def signal(self) -> str:
        return a_readability(self.data)

    @property
    def grid(self) -> FloatArray:
        return thresholds(self.data.assessments.column(self.signal))


def show(page: Border, styles: Styles) -> LessonContent:
    border, name, scales = Sweeps(page), page.border, page.data.assessments.scales
    text = (
        "Above: the gain of a document by its {signal}; grey bars count documents. Below: ranks by {measure} as the "
        "threshold rises. Colours mark the winner under RBP, and the most frequent winners across thresholds."
    )
    return LessonContent(
        (ranks_figure(border, styles),),
        (state("drawn", text, signal=page.signal, measure=MODELS[name].__name__),),
        tuple(answer(border)),
        border.calls,
        formulas=tuple(model.latex(scales) for model in border.models.values()),
    )


@dataclass(frozen=True)
class Sweeps:
    """The scores for both shapes of the threshold at every threshold, as calls that are kept for the next run."""

    page: Border

    @property
    def models(self) -> dict[str, uRBP1 | uRBP2]:
        order = [self.page.border, *(name for name in MODELS if name != self.page.border)]
        return {name: MODELS[name](aspect=self.page.signal, threshold=self.page.threshold) for name in order}

    @cached_property
    def rbp(self) -> Call[pd.Series]:
        return mean_scores("rbp", RBP(), self.page.data)

    @cached_property
    def means(self) -> dict[str, Call[pd.DataFrame]]:
        """Map each shape of the threshold to the call that computes the mean scores, thresholds x systems."""
        grid = self.page.grid.tolist()
        plain = {name: str(MODELS[name](aspect=self.page.signal)) for name in MODELS}  # the sweep sets the threshold
        made = {key: call(key, ec.sweep, measure, "threshold", grid, self.page.data) for key, measure in plain.items()}
        return {name: cached_call(asked, self.page.data) for name, asked in made.items()}

    @cached_property
    def ranked(self) -> Call[pd.DataFrame]:
        """The call that computes the ranks of the systems at each threshold, for the shape in the figure."""
        return cached_call(line("ranked", self.means[self.page.border].it.apply(ec.ranks, axis=1)), self.page.data)

    @cached_property
    def passed(self) -> dict[str, Call[int]]:
        """Map each shape to the call that counts the swapped pairs of systems.

        Swaps are counted from each threshold to the next, and summed over all thresholds.
        """

        def passed(means: pd.DataFrame) -> int:
            steps = record(range)(record(len)(means) - 1)
            swaps = each(steps, lambda at: record(len)(record(swapped_pairs)(means.iloc[at], means.iloc[at + 1])))
            return record(sum)(swaps)

        made = {name: line(f"{name}_passed", passed(means.it)) for name, means in self.means.items()}
        return {name: cached_call(asked, self.page.data) for name, asked in made.items()}

    @cached_property
    def three(self) -> list[float]:
        """Three thresholds of the grid, in ascending order (see `around`): the current one is the second."""
        return around(self.page.grid, self.page.threshold)

    @cached_property
    def swaps(self) -> dict[str, Call[int]]:
        """Map each shape to the call that counts the pairs that swap between the first and the last of `three`."""
        low, _, high = self.three
        means: dict[str, Call[Any]] = dict(self.means)  # Any, because `loc` gets a number
        return {
            name: call(f"{name}_swaps", len, record(swapped_pairs)(m.it.loc[low], m.it.loc[high]))
            for name, m in means.items()
        }

    @cached_property
    def taus(self) -> dict[str, Call[float]]:
        """Map each shape to the call that computes τ with RBP at the current threshold."""
        at = self.three[1]
        return {name: call(f"{name}_tau", ec.tau, self.rbp.it, m.it.loc[at]) for name, m in self.means.items()}

    @cached_property
    def changes(self) -> dict[str, Call[float]]:
        """Map each shape to the call that computes `gain_change` between the first and the last of `three`."""
        low, _, high = self.three
        data, signal = self.page.data, self.page.signal
        ends = {name: [str(model.with_(threshold=at)) for at in (low, high)] for name, model in self.models.items()}
        return {name: call(f"{name}_change", gain_change, data, signal, *both) for name, both in ends.items()}

    @property
    def calls(self) -> tuple[Call[Any], ...]:
        return (*self.swaps.values(), *self.passed.values(), *self.taus.values(), *self.changes.values())


def ranks_figure(border: Sweeps, styles: Styles) -> Figure:
    """Return the figure of the gains of both shapes, and of the ranks of the systems at each threshold."""
    page, grid = border.page, border.page.grid
    scale = page.data.assessments.scale(page.signal)
    positions = call("positions", np.linspace, float(grid[0]), float(grid[-1]), 241)
    models = {f"{name} ({type(measure).__name__})": str(measure) for name, measure in border.models.items()}
    pool = record(page.data).assessments

    def gain_of(model: str) -> FloatArray:
        gain: Gain = record(ec.parse)(model).gain_functions()[page.signal]  # type: ignore[attr-defined]
        return gain.of(positions.it, pool.scale(page.signal))

    gains = line("gains", mapped(models, gain_of))
    named = first_somewhere(border.means[page.border].value, border.rbp.value)
    title = figures.plain(page.signal) + (f" ({figures.plain(scale.unit)})" if scale.unit else "")
    of = ((positions.it, gains.it), pool.column(page.signal), border.ranked.it, named, page.threshold)
    own = families.styles_of(page.data)
    figure = call("", figures.border_and_ranks, *of, title=title, styles=own).here(styles=styles)
    alt = f"Gain by {page.signal} under two kinds of threshold, and the ranks of the systems at each threshold"
    return Figure(figure, "path-thresholds", alt)


def around(grid: FloatArray, threshold: float) -> list[float]:
    """Return three thresholds of the grid: the nearest to the given one, and those `ASIDE` steps below and above it.

    They ascend; at an end of the grid, the end itself replaces a threshold beyond it.
    """
    at = int(np.abs(grid - threshold).argmin())
    return [float(grid[place]) for place in (max(at - ASIDE, 0), at, min(at + ASIDE, len(grid) - 1))]


def thresholds(values: FloatArray) -> FloatArray:
    """Return evenly spaced thresholds from the lowest value to just above the highest.

    Their step is 1, 2 or 5 times a power of ten. There are about 20 to 45, or 3 if all values are equal.
    """
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    rough = (high - low) / INTERVALS or 1.0
    unit = 10.0 ** np.floor(np.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first, last = np.ceil(low / step), np.ceil(high / step) + ASIDE
    return np.asarray(np.round(np.arange(first, last + 1) * step, 10), dtype=np.float64)


def first_somewhere(means: pd.DataFrame, reference: pd.Series) -> list[str]:
    """Return the winner under RBP, then the systems that win most often; at most `MOST_NAMED` systems in total."""
    often = winners(means).value_counts()
    return list(dict.fromkeys([winner(reference), *map(str, often.index)]))[:MOST_NAMED]


def answer(border: Sweeps) -> Iterator[Statement]:
    """Yield statements on the pairs that each shape swaps near the threshold and in total, and on τ with RBP.

    The last statement names the threshold from which uRBP1 equals RBP, if there is one.
    """
    low, at, high = border.three
    swaps, passed = ({name: made.value for name, made in both.items()} for both in (border.swaps, border.passed))
    changes = {name: made.value for name, made in border.changes.items()}
    pairs = "pair" if swaps["step"] == 1 else "pairs"
    because = why(swaps, changes)
    text = (
        f"{less_changed(swaps)}: from {{low:g}} to {{high:g}} the step swaps **{{step}}** {pairs} of systems, the "
        f"smooth threshold **{{smooth}}**{WHY[because]}."
    )
    changed = {f"{name}_change": value for name, value in changes.items()}
    yield state("swaps", text, low=low, high=high, **swaps, why=because, **changed)
    yield with_rbp(at, {name: made.value for name, made in border.taus.items()})
    text = "In total, over all thresholds, the step swaps {step} pairs of systems, the smooth threshold {smooth}."
    yield state("swaps on the way", text, **passed)
    yield from all_understood(border.means["step"].value, border.rbp.value)


def less_changed(swaps: dict[str, int]) -> str:
    """Return the name of the shape that swaps fewer pairs, in Markdown, for the beginning of a sentence.

    >>> less_changed({"step": 3, "smooth": 2}), less_changed({"step": 2, "smooth": 2})
    ('**The smooth threshold**', '**Both alike**')
    """
    if swaps["smooth"] == swaps["step"]:
        return "**Both alike**"
    return f"**The {'smooth threshold' if swaps['smooth'] < swaps['step'] else 'step'}**"


def why(swaps: dict[str, int], changes: dict[str, float]) -> str:
    """Return the key of `WHY` that states whether the shape that swaps fewer pairs also changes gains less.

    Return "" if the swaps or the changes are tied, or if a change is nan.
    """
    more, change = swaps["step"] - swaps["smooth"], changes["step"] - changes["smooth"]
    if not more or np.isnan(change) or abs(change) < TIE:
        return ""
    return "less change" if (more > 0) == (change > 0) else "for all that"


def gain_change(collection: Collection, signal: str, low: str, high: str) -> float:
    """Return the relative difference between the gains of relevant documents under two measures (their texts).

    It is the sum of |v - u| divided by the sum of (u + v) / 2, from 0 to 2; nan if all gains are 0.
    """
    pool = collection.assessments
    border, values = pool.scale("relevance").border, pool.column(signal)
    values = values[(pool.column("relevance") >= border) & ~np.isnan(values)]
    measures: list[Any] = [ec.parse(text) for text in (low, high)]
    u, v = (measure.gain_functions()[signal].of(values, pool.scale(signal)) for measure in measures)
    total = float((u + v).sum() / 2)
    return float(np.abs(v - u).sum()) / total if total else float("nan")


def with_rbp(at: float, taus: dict[str, float]) -> Statement:
    """Return the statement on τ with RBP for each shape, at the threshold `at`."""
    known = [f"{{{name}:.3f}} ({name})" for name, tau in taus.items() if not np.isnan(tau)]
    how = f"{term('tau', 'τ')} with RBP is {' and '.join(known)}" if known else "τ with RBP is undefined due to ties"
    return state("with RBP", f"At {{at:g}}, {how}.", at=at, **taus)


def all_understood(means: pd.DataFrame, reference: pd.Series) -> Iterator[Statement]:
    """Yield a statement on the first threshold from which all pages that RBP credits count as understood, if any."""
    same = means.index[np.abs(means.to_numpy() - reference[means.columns].to_numpy()).max(axis=1) < TIE]
    if len(same) and reference.any():
        text = "From {threshold:g} on, every page RBP credits counts as understood, so uRBP1 equals RBP."
        yield state("all is understood", text, threshold=float(same[0]))


LESSON = Lesson("Thresholds", Border, {"border": 0.38, "threshold": 0.62}, show)
