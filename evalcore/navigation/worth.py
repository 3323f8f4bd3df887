"""Gains and costs of components: gain models and the effort model.

Shapes: C components, P pool rows, T topics, W rows of worths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.errors import InputError, counted
from evalcore.measures.parts.gains import ABOVE_ZERO, Gain
from evalcore.navigation.links import Components, Navigation
from evalcore.notation.formula import name_latex, number
from evalcore.notation.values import Range, Value, parameter
from evalcore.structures.documents import Assessments, Scale

WEIGHT = Range(0, math.inf, open_high=True, step=0.1)

Worth = tuple[IntArray, IntArray, FloatArray]  # topic, component, gain above 0


@dataclass(frozen=True)
class GainModel(Value, abstract=True):
    """A gain that is read from the table of components, not from a grade."""

    def of(self, navigation: Navigation) -> FloatArray:
        """Return the (W,) gains, NaN if unknown."""
        raise NotImplementedError

    def latex(self) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class Specificity(GainModel):
    """rsize / size: the share of a component's characters that is highlighted (Eq. 1)."""

    def of(self, navigation: Navigation) -> FloatArray:
        worths, size = navigation.worths, navigation.components.size[navigation.worths.component]
        return divided(worths.rsize, size)

    def latex(self) -> str:
        return r"\frac{rsize(c)}{size(c)}"


@dataclass(frozen=True)
class GivenGain(GainModel):
    """The gain in the table of components."""

    def of(self, navigation: Navigation) -> FloatArray:
        return navigation.worths.gain

    def latex(self) -> str:
        return "gain(c)"


@dataclass(frozen=True)
class Effort(Value):
    """Effort of consulting a rank: a weighted sum of user actions.

    e = rank + click * links followed + sum over components read of (character * size + second * size / speed
    + given * effort in the table). The numbers of components read and links followed are expectations under the
    navigation model, so browsing is included. `size` replaces unknown sizes. At least one weight is above 0.

    >>> Effort(rank=5, second=1, speed=20).of_reading(Components(*[np.zeros(1)] * 3, np.array([100.0]), np.zeros(1)))
    array([5.])
    """

    rank: float = parameter(1.0, "effort of each rank consulted", within=WEIGHT)
    click: float = parameter(0.0, "effort of each link followed", within=WEIGHT)
    character: float = parameter(0.0, "effort of each character read", within=WEIGHT)
    second: float = parameter(0.0, "effort of each second of reading", within=WEIGHT)
    given: float = parameter(0.0, "weight of the efforts in the table of components", within=WEIGHT)
    speed: float = parameter(20.0, "characters read in a second (240 words a minute)", within=ABOVE_ZERO)
    size: float | None = parameter(None, "assumed number of characters of a component of unknown size", within=Range(0))

    @property
    def per_character(self) -> float:
        return self.character + self.second / self.speed

    def of_reading(self, components: Components) -> FloatArray:
        """Return the (C,) effort of reading each component once. Raises InputError for an unknown size or effort."""
        self._require_a_weight()
        cost = np.zeros(len(components))
        if self.per_character:
            size = (
                components.size
                if self.size is None
                else np.where(np.isnan(components.size), self.size, components.size)
            )
            cost += self.per_character * _known(size, components, "a size", "give Effort(size=...)")
        if self.given:
            cost += self.given * _known(components.effort, components, "an effort", "leave `given` out")
        return cost

    def of_plain_rank(self) -> float:
        """Return a rank's effort if documents have no known sizes: the rank itself plus reading `size` characters.

        Raises InputError if this effort needs a size or a given effort, or if all its weights are 0.
        """
        self._require_a_weight()
        if (self.per_character and self.size is None) or self.given:
            raise InputError("expected components with sizes or efforts, found a collection without either", str(self))
        return self.rank + self.per_character * (self.size or 0.0)

    def _require_a_weight(self) -> None:
        """Raise InputError if all weights are 0; checked only on use, as weights may be set to 0 one by one."""
        if not any((self.rank, self.click, self.character, self.second, self.given)):
            raise InputError("expected at least one weight above 0, found none", str(self))

    def latex(self) -> str:
        parts = [
            (self.rank, ""),
            (self.click, r"\mathrm{links}[j]"),
            (self.per_character, r"\mathrm{characters}[j]"),
            (self.given, r"\mathrm{effort}[j]"),
        ]
        shown = [number(round(weight, 6)) + (rf" \cdot {unit}" if unit else "") for weight, unit in parts if weight]
        return "e[j] = " + " + ".join(shown)


def graded(gain: Gain, aspect: str, pool: Assessments) -> FloatArray:
    """Return the (P,) gains of the assessed documents from their grades."""
    return gain.of(pool.column(aspect), pool.scale(aspect))


def gain_latex(gain: Gain | GainModel, aspect: str, scale: Scale) -> str:
    """Return g[c] as LaTeX."""
    return gain.latex(f"{name_latex(aspect)}_c", scale) if isinstance(gain, Gain) else gain.latex()


def worthwhile(gain: Gain | GainModel, aspect: str, pool: Assessments, navigation: Navigation) -> Worth:
    """Return the topic, component and gain of each (topic, component) pair with a gain above 0, by topic.

    Raises InputError if gains come from a table of components, and no gain in it is known.
    """
    if isinstance(gain, Gain):
        topic, component, gains = pool.topic, navigation.pool, graded(gain, aspect, pool)
    else:
        topic, component, gains = navigation.worths.topic, navigation.worths.component, gain.of(navigation)
        if not np.isfinite(gains).any():
            raise InputError("expected a table of components with this gain, found none", str(gain))
    relevant = np.flatnonzero(gains > 0)
    relevant = relevant[np.argsort(topic[relevant], kind="stable")]
    return topic[relevant], component[relevant], gains[relevant]


def _known(values: FloatArray, components: Components, what: str, hint: str) -> FloatArray:
    lacking = np.flatnonzero(np.isnan(values))
    if len(lacking):
        name, more = components.ids[lacking[0]], len(lacking) - 1
        others = f" and {counted(more, 'other')}" if more else ""
        raise InputError(f"expected {what} for every component, found none for {name!r}{others}; {hint}")
    return values
