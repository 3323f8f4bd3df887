"""Positions of the labels of aspects, set by sliders, with presets as starting points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore.data import Scale
from evalcore.measures.labels import bent_steps, equal_steps, grades_upwards, growing_steps, labels_upwards
from evalcore.measures.toma import EQUAL_RANGES, EQUAL_STEPS, FEW
from ui.screen.text import markdown
from ui.toma import texts
from ui.widgets.fields import Field, Number

Embedding = Mapping[str, tuple[float, ...]] | str
Knobs = tuple[tuple[float, ...], ...]  # slider values of each aspect
BESIDE = 3


@dataclass(frozen=True)
class Embedded:
    """An aspect and the sliders that place its labels.

    There is a slider for each label or, for a long scale, one for the range and one for the bend.
    """

    scale: Scale
    key: str  # its name in settings; for a graded signal without the cut points, which may change

    @property
    def name(self) -> str:
        return self.scale.name

    @property
    def last(self) -> int:
        return len(self.scale.grades) - 1

    @property
    def bent(self) -> bool:
        return len(self.scale.grades) > FEW  # a longer scale has only a range and a bend

    @property
    def labels(self) -> list[str]:
        """The labels, from worst to best."""
        return labels_upwards(self.scale)

    @property
    def parts(self) -> list[str]:
        """The names of the aspect's sliders, which are unique among all aspects."""
        if self.bent:
            return [f"{self.key} range", f"{self.key} bend"]
        return [f"{self.key} {grade:g}" for grade in grades_upwards(self.scale)]

    @property
    def foremost(self) -> list[str]:
        """The names of the sliders beside the figure.

        These are the first `BESIDE` above the worst label, or both sliders of a long scale.
        """
        return self.parts if self.bent else self.parts[1 : 1 + BESIDE]

    def fields(self, knobs: Sequence[float], unit: float) -> list[Field]:
        """Return the fields of the sliders; `knobs` are their defaults, and 2 * `unit` is the highest position."""
        if self.bent:
            ends = Number("Range", 0.0, 2 * unit, knobs[0], 0.01, help="Position of the best grade")
            return [ends, Number("Bend", 0.2, 5.0, knobs[1], 0.05, help=texts.BEND)]
        labels = self.labels if self.scale.names else [f"grade {label}" for label in self.labels]
        return [Number(markdown(label), 0.0, 2 * unit, at, 0.01) for label, at in zip(labels, knobs, strict=True)]

    def knobs(self, length: float, growing: bool = False) -> tuple[float, ...]:
        """Return the slider values that place the labels over a length, in equal or, with `growing`, growing steps."""
        if self.bent:
            return length, 2.0 if growing else 1.0
        steps = growing_steps if growing else equal_steps
        return tuple(round(position, 2) for position in steps(self.last + 1, length))

    def positions(self, knobs: Sequence[float]) -> tuple[float, ...]:
        """Return the positions of the labels for these slider values, from worst to best; they never decrease."""
        if self.bent:
            return bent_steps(self.last + 1, knobs[0], knobs[1])
        return tuple(np.maximum.accumulate(knobs).tolist())


def scenarios(aspects: Sequence[Embedded], unit: float) -> dict[str, Knobs]:
    """Map the name of each preset to the values of all sliders, as in the paper's Table 1.

    The presets are equal ranges, equal steps, and one aspect that counts more than the other.
    """
    own = [float(aspect.last) for aspect in aspects]
    first, second = aspects[:2]
    offered = {
        EQUAL_RANGES: tuple(aspect.knobs(unit) for aspect in aspects),
        EQUAL_STEPS: tuple(aspect.knobs(length) for aspect, length in zip(aspects, own, strict=True)),
        f"{first.key} counts double": tuple(aspect.knobs(2 * unit if aspect is first else unit) for aspect in aspects),
        f"{second.key} decides": tuple(
            aspect.knobs(2 * own[0], growing=True) if aspect is second else aspect.knobs(own[0]) for aspect in aspects
        ),
    }
    different: dict[str, Knobs] = {}
    for name, knobs in offered.items():
        if knobs not in different.values():
            different[name] = knobs
    return different


def embedding_of(
    name: str, knobs: Sequence[Sequence[float]], aspects: Sequence[Embedded], spread: Sequence[Sequence[float]]
) -> Embedding:
    """Return slider values as an embedding: "equal ranges" or "equal steps", if that is `name`, else a dict.

    The dict maps each aspect whose slider values differ from `spread` to the positions of its labels.
    """
    if name in (EQUAL_RANGES, EQUAL_STEPS):
        return name
    moved = zip(aspects, knobs, spread, strict=True)
    return {aspect.name: aspect.positions(now) for aspect, now, then in moved if list(now) != list(then)}


def warn_of_falling(aspect: Embedded, knobs: Sequence[float]) -> None:
    """Warn about labels whose slider is below the slider of a worse label."""
    moved = [] if aspect.bent else [k for k in range(1, len(knobs)) if knobs[k] < max(knobs[:k])]
    if moved:
        st.warning(texts.falling(aspect.name, (aspect.labels[k] for k in moved)), icon=":material/sort:")
