"""The labels of aspects placed by sliders, with presets to begin from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.data import Scale
from evalcore.measures.labels import bent_steps, equal_steps, growing_steps, labels_upwards
from evalcore.measures.toma import EQUAL_RANGES, EQUAL_STEPS
from ui.controls import slider
from ui.embedding_note import OTHER, offer
from ui.text import markdown

Embedding = Mapping[str, tuple[float, ...]] | str
CUSTOM = "custom"
_PLACED = "aspects placed"
MOST_SLIDERS = 8  # labels that get a slider each; a longer scale is bent as a whole
BEND_HELP = "1: equal steps. Above 1 the low grades lie close together, far from the best; below 1 the high ones."


@dataclass(frozen=True)
class Embedded:
    """An aspect and how its labels are placed: a knob for each label, or range and bend of a long scale."""

    scale: Scale
    at: int  # among the aspects of the collection: its keys in the link

    @property
    def name(self) -> str:
        return self.scale.name

    @property
    def last(self) -> int:
        return len(self.scale.grades) - 1

    @property
    def bent(self) -> bool:
        return len(self.scale.grades) > MOST_SLIDERS

    @property
    def labels(self) -> list[str]:
        """From worst to best."""
        return labels_upwards(self.scale)

    @property
    def keys(self) -> list[str]:
        if self.bent:
            return [f"range{self.at}", f"bend{self.at}"]
        return [f"pos{self.at}_{place}" for place in range(self.last + 1)]

    def knobs(self, length: float, growing: bool = False) -> list[float]:
        """Where the knobs stand for equal steps over a length, or for growing ones."""
        if self.bent:
            return [length, 2.0 if growing else 1.0]
        steps = growing_steps if growing else equal_steps
        return [round(position, 2) for position in steps(self.last + 1, length)]

    def positions(self, knobs: Sequence[float]) -> tuple[float, ...]:
        """Of the labels, worst to best; never decreasing."""
        if self.bent:
            return bent_steps(self.last + 1, knobs[0], knobs[1])
        return tuple(np.maximum.accumulate(knobs).tolist())


def scenarios(aspects: Sequence[Embedded], unit: float) -> dict[str, list[list[float]]]:
    """Presets of all knobs, in the spirit of the paper's Table 1: the same range, the same steps, one aspect first."""
    own = [float(one.last) for one in aspects]
    first, second = aspects[:2]
    offered = {
        EQUAL_RANGES: [one.knobs(unit) for one in aspects],
        EQUAL_STEPS: [one.knobs(length) for one, length in zip(aspects, own, strict=True)],
        f"{first.name} counts double": [one.knobs(2 * unit if one is first else unit) for one in aspects],
        f"{second.name} decides": [
            one.knobs(2 * own[0], growing=True) if one is second else one.knobs(own[0]) for one in aspects
        ],
    }
    different: dict[str, list[list[float]]] = {}
    for name, knobs in offered.items():
        if knobs not in different.values():
            different[name] = knobs
    return different


def embedding_of(
    name: str, knobs: Sequence[Sequence[float]], aspects: Sequence[Embedded], spread: Sequence[Sequence[float]]
) -> Embedding:
    """What a measure says of positions: the library's own embeddings by name, else aspects that are not spread."""
    if name in (EQUAL_RANGES, EQUAL_STEPS):
        return name
    moved = zip(aspects, knobs, spread, strict=True)
    return {one.name: one.positions(now) for one, now, then in moved if list(now) != list(then)}


def positions(
    aspects: Sequence[Embedded], offered: Mapping[str, list[list[float]]], unit: float, picker: DeltaGenerator
) -> Embedding:
    """The positions of all labels: the sliders hold them; the scenario is whichever preset they agree with."""
    start = offered[EQUAL_RANGES]
    keys = [key for one in aspects for key in one.keys]
    values = {name: dict(zip(keys, _flat(preset), strict=True)) for name, preset in offered.items()}
    follow_aspects(values, [one.name for one in aspects])
    knobs = [label_sliders(one, at, unit, one is aspects[1]) for one, at in zip(aspects, start, strict=True)]
    now = next((name for name, preset in offered.items() if np.allclose(_flat(preset), _flat(knobs))), CUSTOM)
    st.session_state["scenario"] = now
    picker.selectbox(
        "Scenario",
        [*offered, *([CUSTOM] if now == CUSTOM else [])],
        key="scenario",
        on_change=take_scenario,
        args=(values,),
        help="Positions to begin with, as the three scenarios of Table 1 in the paper; move any label afterwards. "
        "equal ranges: every aspect is as long as the longest. equal steps: all labels are one apart.",
    )
    if now in OTHER and EQUAL_STEPS in offered:
        with picker:
            counts = {one.name: one.last + 1 for one in aspects}
            offer(now, counts, lambda: st.session_state.update(values[OTHER[now]]))
    return embedding_of(now, knobs, aspects, start)


def follow_aspects(values: Mapping[str, Mapping[str, float]], names: list[str]) -> None:
    """A scenario stays the same scenario when other aspects are shown: ranges and steps depend on them."""
    before, scenario = st.session_state.get(_PLACED), st.session_state.get("scenario")
    st.session_state[_PLACED] = names
    if before not in (None, names) and scenario != CUSTOM:
        st.session_state.update(values.get(str(scenario), values[EQUAL_RANGES]))


def _flat(knobs: Sequence[Sequence[float]]) -> list[float]:
    return [value for one in knobs for value in one]


def take_scenario(values: Mapping[str, Mapping[str, float]]) -> None:
    """The scenario picked moves the sliders."""
    st.session_state.update(values.get(st.session_state["scenario"], {}))


def label_sliders(one: Embedded, start: Sequence[float], unit: float, expanded: bool) -> list[float]:
    """A slider for each label from worst to best; for a long scale its range and its bend."""
    with st.expander(f"Positions of {markdown(one.name)}", icon=":material/tune:", expanded=expanded):
        if one.bent:
            length = slider("Range", one.keys[0], 0.0, 2 * unit, start[0], 0.01, help="Position of the best grade")
            return [length, slider("Bend", one.keys[1], 0.2, 5.0, start[1], 0.05, help=BEND_HELP)]
        places = [
            slider(markdown(label if one.scale.names else f"grade {label}"), key, 0.0, 2 * unit, at, 0.01)
            for label, key, at in zip(one.labels, one.keys, start, strict=True)
        ]
    moved = [k for k in range(1, len(places)) if places[k] < max(places[:k])]
    if moved:
        names = ", ".join(f"“{markdown(one.labels[k])}”" for k in moved)
        st.warning(
            f"{markdown(one.name)}: expected positions that do not decrease from the worst label to the best; {names} "
            "would lie before a worse label and is moved up to it.",
            icon=":material/sort:",
        )
    return places
