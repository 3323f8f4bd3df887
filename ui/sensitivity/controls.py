"""What the views share: parameters to choose from, ranges, long work, names."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import streamlit as st

from evalcore.data import Collection
from evalcore.measures import Measure, Product
from evalcore.measures.aggregates import Aggregate
from evalcore.measures.rbp import RBP, RankBiased
from evalcore.measures.toma import TOMA
from evalcore.measures.urbp import UnderstandabilityBiased
from evalcore.sensitivity import Parameter, parameters_of
from ui.controls import choose, span
from ui.measures import suggested
from ui.text import markdown
from ui.work import Job, Result, results

HEIGHT = 500
# What people vary first; the rest follows in the order of the measure's fields.
ORDER = ("threshold", "rho", "gains", "weights", "exponents", "importance", "order", "factor", "cutoff", "rel")


def default_text(collection: Collection) -> str:
    """The measure to begin with: one whose border can move freely, else graded gains, else weights, else any."""
    listed = [one for measures in suggested(collection).values() for one in measures]
    for wanted in ("threshold", "gains[1]", "weights[0]"):
        for measure in listed:
            if any(one.path == wanted and not one.levels for one in parameters_of(measure, collection)):
                return str(measure)
    return str(listed[0])


def usual(known: Sequence[Parameter]) -> list[Parameter]:
    """The parameters with those first that people vary first; a border between few grades comes late."""
    return sorted(known, key=_place)


def _place(parameter: Parameter) -> float:
    names = [at for at, name in enumerate(ORDER) if name in parameter.path.replace("[", ".").split(".")]
    late = len(ORDER) if 0 < len(parameter.levels) < 5 else 0
    at_an_end = parameter.value in (parameter.low, parameter.high)
    return min(names, default=len(ORDER)) + late + 0.5 * at_an_end


def choose_parameter(label: str, key: str, known: Sequence[Parameter], first: Parameter) -> Parameter:
    """One of the parameters, by its path; their meanings are in the help."""
    by_path = {one.path: one for one in known}
    meanings = [f"{markdown(one.path)}: {markdown(one.help)}" for one in known if one.help]
    return by_path[choose(label, key, list(by_path), first.path, help="  \n".join(meanings[:12]))]


def narrowed(varied: Sequence[Parameter]) -> list[Parameter]:
    """The parameters between ends that the user may draw closer."""
    with st.popover("Ranges", width="stretch", icon=":material/tune:"):
        st.caption("Settings are drawn between these ends")
        return [_narrowed(one) for one in varied]


def _narrowed(one: Parameter) -> Parameter:
    step = _step(one)
    low = round(math.ceil(one.low / step - 1e-9) * step, 9)
    high = round(math.floor(one.high / step + 1e-9) * step, 9)
    if high <= low:
        return one
    picked = span(markdown(one.path), f"in {one.path}", low, high, step, help=markdown(one.help) or None)
    return one if picked == (low, high) else one.within(*picked)


def _step(one: Parameter) -> float:
    """A round step of which 20 to 200 make up the range; a whole one between levels."""
    return 1.0 if one.levels else float(10.0 ** math.floor(math.log10((one.high - one.low) / 20)))


def counterpart(measure: Measure) -> Measure | None:
    """The same measure of one aspect alone, where it reads several: RBP for uRBP, the base of CAM or TOMA."""
    if isinstance(measure, UnderstandabilityBiased):
        return RBP(rho=measure.rho, rel=measure.rel, aspect=measure.relevance, cutoff=measure.depth)
    if isinstance(measure, Aggregate):
        return measure.parts[0]
    return measure.base if isinstance(measure, TOMA | Product) else None


def is_quick(measure: Measure) -> bool:
    """Whether thousands of settings take seconds: weights of kept scores, or matrix products."""
    return isinstance(measure, RankBiased | Aggregate)


def computed(key: str, label: str, name: Hashable, job: Job[Result]) -> Result | None:
    """The result of one job, kept or computed now with a bar; None where a person stopped it."""
    return results(key, label, {name: job}).get(name)


def shorter(names: str) -> str:
    """Names of tied systems, counted where there are many.

    >>> shorter("a, b"), shorter("a, b, c")
    ('a, b', '3 systems tied')
    """
    count = names.count(", ") + 1
    return names if count < 3 else f"{count} systems tied"


def highlighted(collection: Collection) -> list[str]:
    """The highlighted systems that this collection has."""
    return [name for name in st.session_state.get("systems", []) if name in collection.systems]


def take_systems(systems: list[str]) -> None:
    """Systems clicked in a figure become the highlighted ones."""
    st.session_state["systems"] = systems
