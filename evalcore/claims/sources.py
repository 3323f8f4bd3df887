"""Sources of variance of a claim's effect: each choice, and the sample of topics.

For a random specification and a random sample of topics, the variance of the effect has two parts: the variance between
specifications, and the mean squared standard error over topics. The first is divided among the choices as in an
analysis of variance: a choice explains the variance of the means by option, among the specifications to which it
applies (its first-order Sobol index); the rest is due to interactions. If the combinations are a sample, the part
explained by chance is subtracted (epsilon squared).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from evalcore.claims.choices import Choice
from evalcore.claims.curve import Curve
from evalcore.claims.design import Design, shares
from evalcore.claims.scoring import Multiverse
from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.rounding import TIE
from evalcore.common.short_forms import shown

TOPICS, TOGETHER = "which topics are used", "choices together"


@dataclass(frozen=True)
class Turn:
    """The value of a numeric choice beyond which the claim no longer holds in most specifications."""

    choice: str
    way: Literal["exceeds", "falls below"]
    value: float

    def __str__(self) -> str:
        return f"{self.way} {self.value:g}"


@shown
@dataclass(frozen=True, eq=False)
class Sources:
    """Shares of the variance of an effect, largest first, and the values at which the verdict changes.

    `table` has a row for each source (the choices, TOPICS, TOGETHER): its share; the number of options; "holds least"
    and "holds most", the smallest and largest share, over its options, of specifications in which the claim holds.
    `variance` is the total; 0 if nothing varies.
    """

    table: pd.DataFrame
    variance: float
    turns: tuple[Turn, ...]
    choices: tuple[str, ...]

    @property
    def main(self) -> tuple[str, float] | None:
        """The choice, or the topics, with the largest share, and this share; None if nothing varies."""
        return self._first(self.table.drop(index=TOGETHER, errors="ignore")["share"])

    @property
    def largest(self) -> tuple[str, float] | None:
        """The source with the largest share, interactions included, and this share; None if nothing varies."""
        return self._first(self.table["share"])

    def _first(self, shares: pd.Series) -> tuple[str, float] | None:
        if self.variance == 0 or shares.empty or not shares.iloc[0] > 0:
            return None
        return str(shares.index[0]), float(shares.iloc[0])

    def turn_of(self, choice: str) -> Turn | None:
        """Return the value of a choice at which the verdict changes; None if there is not exactly one."""
        return next((turn for turn in self.turns if turn.choice == choice), None)


def sources_of(multiverse: Multiverse, curve: Curve) -> Sources:
    """Divide the variance of the effects among choices and topics.

    The variance is computed over all combinations, because options with equal scores share a specification.
    """
    design, of = multiverse.combinations, multiverse.specification_of
    known = np.isfinite(curve.effect)[of]
    weights = shares(np.where(known, design.weights, 0.0)) if known.any() else design.weights
    effect = np.where(known, curve.effect[of], 0.0)
    between = _variance(effect, weights)
    sure = known & np.isfinite(curve.error[of])
    topics = float(shares(weights[sure]) @ np.square(curve.error[of][sure]))
    explained = _explained(design, effect, weights, between, known)
    total = between + topics
    if total <= TIE * float(np.square(effect).max(initial=0.0)):
        total = between = topics = 0.0
    names = [choice.name for choice in design.choices]
    together = max(between - float(explained.sum()), 0.0)
    parts = {**dict(zip(names, explained.tolist(), strict=True)), TOPICS: topics, TOGETHER: together}
    holds = curve.decision[of] > 0
    held = [_held(design, holds, at) for at in range(len(names))]
    rows = {
        name: (part / total if total else 0.0, *(held[at] if at < len(names) else (0, np.nan, np.nan)))
        for at, (name, part) in enumerate(parts.items())
    }
    columns = ["share", "options", "holds least", "holds most"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("source")
    table = table.sort_values("share", ascending=False, kind="stable")
    turns = (_turn(design, holds, at, choice) for at, choice in enumerate(design.choices))
    return Sources(table, total, tuple(turn for turn in turns if turn is not None), tuple(names))


def options_behind(design: Design, which: BoolArray) -> pd.DataFrame:
    """Tabulate the frequency of options in marked specifications (N,), such as failing ones, and in all specifications.

    Columns: choice, option, share (among the marked specifications), share of all (both by weight, among specifications
    to which the choice applies), lift (the ratio of the two); largest lift first. Empty if no specification is marked.
    """
    rows = list[tuple[str, str, float, float, float]]()
    for at, choice in enumerate(design.choices):
        made = design.made[:, at]
        applies = made >= 0
        chosen = (applies & which, applies)
        own, every = (shares(np.bincount(made[some], design.weights[some]).astype(float)) for some in chosen)
        for option, share in enumerate(own.tolist()):
            if share > 0:
                name = choice.options[option].name
                rows.append((choice.name, name, share, float(every[option]), share / float(every[option])))
    table = pd.DataFrame(rows, columns=["choice", "option", "share", "share of all", "lift"])
    return table.sort_values("lift", ascending=False, kind="stable", ignore_index=True)


def _variance(values: FloatArray, weights: FloatArray) -> float:
    return float(weights @ np.square(values - weights @ values))


def _explained(design: Design, effect: FloatArray, weights: FloatArray, between: float, known: BoolArray) -> FloatArray:
    """Return, for each choice, the part of the variance between specifications that it explains."""
    sums, freedom = [], []
    for made in design.made.T:
        part, options = _by_option(np.where(known, made, -1), effect, weights)
        sums.append(part)
        freedom.append(max(options - 1, 0))
    explained = np.array(sums)
    if design.sampled:
        left = int(known.sum()) - 1 - sum(freedom)
        chance = max(between - float(explained.sum()), 0.0) / left if left > 0 else 0.0
        explained = np.maximum(explained - chance * np.array(freedom), 0.0)
    return np.asarray(explained)


def _by_option(made: IntArray, effect: FloatArray, weights: FloatArray) -> tuple[float, int]:
    """Return the variance of the means by option, where the choice applies, and the number of options that occur."""
    where = made >= 0
    options, of = np.unique(made[where], return_inverse=True)
    if len(options) < 2:
        return 0.0, len(options)
    own, values = weights[where], effect[where]
    mass = np.bincount(of, own)
    means = np.bincount(of, own * values) / np.where(mass > 0, mass, 1.0)
    centre = (mass @ means) / mass.sum() if mass.sum() > 0 else 0.0
    return float(mass @ np.square(means - centre)), len(options)


def _held_by_option(design: Design, holds: BoolArray, at: int) -> dict[int, float]:
    """Return a dict from each option of a choice to the share of its specifications in which the claim holds."""
    made, result = design.made[:, at], {}
    for option in np.unique(made[made >= 0]).tolist():
        of_option = made == option
        result[option] = float(shares(design.weights[of_option]) @ holds[of_option])
    return result


def _held(design: Design, holds: BoolArray, at: int) -> tuple[int, float, float]:
    by_option = _held_by_option(design, holds, at)
    return len(by_option), min(by_option.values(), default=np.nan), max(by_option.values(), default=np.nan)


def _turn(design: Design, holds: BoolArray, at: int, choice: Choice) -> Turn | None:
    """Return the value of a numeric choice beyond which the claim no longer holds in most specifications.

    None if there is not exactly one such value.
    """
    numbers = choice.numbers
    if numbers is None:
        return None
    held = sorted((numbers[option], share > 0.5 + TIE) for option, share in _held_by_option(design, holds, at).items())
    changes = [place for place in range(1, len(held)) if held[place][1] != held[place - 1][1]]
    if len(changes) != 1:
        return None
    (last, before), (first, _) = held[changes[0] - 1], held[changes[0]]
    return Turn(choice.name, "exceeds", last) if before else Turn(choice.name, "falls below", first)
