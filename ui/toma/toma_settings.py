"""Settings of TOMA: the aspects, the positions of their labels, the distance, the weights and the base measure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.common.arrays import FloatArray
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.errors import shorten
from evalcore.figures.tuples import MOST_TUPLES
from evalcore.measures import CAM, MM, TOMA, ByClass, CustomWeights, Euclidean, GainMeasure
from evalcore.measures.base import combined_aspects
from evalcore.measures.labels import grades_upwards
from evalcore.measures.toma import EQUAL_RANGES, ClassWeights
from evalcore.measures.tuple_orders import Distance
from evalcore.notation.values import Value, parse_value
from evalcore.structures.discretise import graded_name, points_of_shares
from ui.address.presets import agreeing, draw_presets
from ui.address.settings import Settings, setting
from ui.computing.measures import of_base
from ui.screen.calls import Call
from ui.screen.text import markdown
from ui.toma.embedding import Embedded, Embedding, Knobs, embedding_of, scenarios, warn_of_falling
from ui.tune.state import Tuned
from ui.widgets.fields import Choice, Each, Field, Line, Many, Number, OneValue, fields_of, of_parameter

NO_SIGNAL, SHARES, CUTS = "none", "shares", "cut points"
BEST, MIDDLE, SPAM = 0.05, 0.1, (80.0, 90.0)  # Maistro et al. 2021, section 4.1: popularity, and non-spamminess
GRADED_HELP = (
    "Turn a signal into three grades, to use it as an aspect: by shares of the documents, as the paper does for "
    "PageRank, or by cut points, as for spam."
)
HIGHEST_ORDER = 20.0  # highest Minkowski order on the slider: close to Chebyshev
SCENARIO_HELP = (
    "The initial positions of the labels, as in the three scenarios of Table 1 in the paper. With equal ranges, every "
    "aspect is as long as the longest; with equal steps, neighbouring labels are 1 apart."
)
PLANE, FIGURE_1, TABLE_1 = "plane", "all distances", "nine orders"
PICTURE_HELP = (
    "*plane* shows labels and lines of equal distance, *all distances* shows Figure 1 of the paper, and *nine orders* "
    "shows its Table 1, with three scenarios and three distances. A label that you move also moves in the other "
    "pictures; in scenarios that are not selected, only a label of the horizontal aspect moves."
)
HELD_HELP = "The label of this aspect for which the figure draws classes and lines"
TUPLES_HELP = (
    "*product* keeps every combination of labels, *observed* keeps those that documents have, and *given* keeps all "
    "except those you leave out. The paper leaves out combinations in which a document is correct but not relevant."
)


def usable(collection: Collection) -> list[str]:
    """Return the names of the aspects that have at least two grades."""
    return [name for name in collection.aspects if len(collection.assessments.scale(name).grades) > 1]


def _graded(page: Placed) -> Field | None:
    """Return the field for the signal to turn into grades; None without signals.

    If fewer than two aspects have grades, a signal must be chosen.
    """
    signals = page.collection.signals
    needed = len(usable(page.collection)) < 2
    offered = [*([] if needed else [NO_SIGNAL]), *signals]
    return Choice("Grades from a signal", offered, help=GRADED_HELP) if signals else None


def _shares(page: Placed) -> Field:
    label = f"of documents with the {{}} grade of {markdown(page.graded or '')}"
    best, middle = (Number(f"Share {label.format(which)}", 0.01, 0.49, share, 0.01, format="percent")
                    for which, share in (("best", BEST), ("middle", MIDDLE)))  # fmt: skip
    return Each("Shares of the grades", {"best": best, "middle": middle})


def _cuts(page: Placed) -> Field:
    """Return the field for the two cut points of a signal.

    The default is the paper's for spam, otherwise the cut points that give the default shares of the grades.
    """
    low, high = page.collection.assessments.scale(page.graded).ends(page.signal)
    step = 10.0 ** math.floor(math.log10((high - low) / 50)) if high > low else 1.0
    first = SPAM if "spam" in (page.graded or "").lower() else points_of_shares(page.signal, page.parts((BEST, MIDDLE)))
    usual = [round(step * round(min(point, high) / step), 12) for point in first]
    low, high = (round(step * end(value / step), 12) for end, value in ((math.floor, low), (math.ceil, high)))
    names = ("Grade 1", "Grade 2")
    points = {name: Number(f"Lowest {markdown(page.graded)} for {name.lower()}", low, high, at, step)
              for name, at in zip(names, usual, strict=True)}  # fmt: skip
    return Each("Cut points", points)


def _across(page: Placed) -> Field:
    names = page.usable
    leading = page.collection.leading
    return Choice("Horizontal", names, leading if leading in names else None)


def _up(page: Placed) -> Field:
    names = [name for name in page.usable if name != page.across]
    return Choice("Vertical", names, page.graded if page.graded in names else None)


def _further(page: Placed) -> Field | None:
    rest = [name for name in page.usable if name not in (page.across, page.up)]
    opening = combined_aspects(page.collection.assessments)
    begun = opening[2:] if opening[:2] == (page.across, page.up) else ()  # if people chose other aspects, add none
    return Many("Further aspects", rest, begun, placeholder="none") if rest else None


def _distance_fields(cls: type[Value]) -> Mapping[str, Field]:
    help = "The order of the distance: 1 is Manhattan, 2 Euclidean; a higher order is closer to Chebyshev."
    if "order" not in cls.parameters():
        return fields_of(cls)
    return {**fields_of(cls), "order": of_parameter(cls, "order", "Order p", high=HIGHEST_ORDER, help=help)}


def _positions(page: Placed) -> Field:
    start, unit = page.scenarios[page.scenario], page.unit
    fields = {
        name: field
        for aspect, knobs in zip(page.aspects, start, strict=True)
        for name, field in zip(aspect.parts, aspect.fields(knobs, unit), strict=True)
    }
    return Each("Positions", fields)


def _own(page: Placed) -> Field | None:
    """Return the field for typed weights of classes; None unless the weights are custom.

    The default is the weights by class.
    """
    if not isinstance(page.weights, CustomWeights):
        return None
    try:
        count = page.unweighted().order(page.collection.assessments).n_classes
    except ec.InputError:
        count = 0  # the page shows the error
    return Line("Weights, worst to best", ", ".join(map(str, range(count))) if count <= MOST_TUPLES else "")


def _held(page: Placed) -> Field | None:
    """Return the field that fixes the label of each aspect not on an axis, for drawing the plane.

    Aspects with a long scale are left out; None if there are no other aspects.
    """
    parts = {
        aspect.key: Choice(
            f"Shown at {markdown(aspect.name)}",
            list(range(aspect.last, -1, -1)),
            names=aspect.labels.__getitem__,
            help=HELD_HELP,
        )
        for aspect in page.aspects[2:]
        if not aspect.bent
    }
    return Each("Shown at", parts) if parts else None


def _importance(page: Placed) -> Field:
    names = [aspect.key for aspect in page.aspects]
    return Each("Importance", {name: Number(f"Importance of {markdown(name)}", 0.0, 5.0, 1.0, 0.1) for name in names})


def _tuples(page: Placed) -> Field:
    few = page.count <= MOST_TUPLES
    return Choice("Admissible tuples", ["product", "observed", *(["given"] if few else [])], help=TUPLES_HELP)


@dataclass(frozen=True)
class Placed(Settings, page=None):
    """Settings of TOMA: positions of labels, distance, weights and others, from which `measure` builds TOMA."""

    graded: str | None = setting(_graded)
    graded_by: str | None = setting(
        lambda page: (
            Choice("Graded by", [SHARES, CUTS], segmented=True) if page.graded not in (None, NO_SIGNAL) else None
        )
    )
    shares: tuple[float, ...] | None = setting(_shares, graded_by=SHARES)
    cuts: tuple[float, ...] | None = setting(_cuts, graded_by=CUTS)
    across: str = setting(_across)
    up: str = setting(_up)
    further: tuple[str, ...] | None = setting(_further)
    scenario: str = setting(lambda page: Choice("Scenario", list(page.scenarios), help=SCENARIO_HELP))
    distance: Distance = setting(OneValue("Distance to the best", Distance, Euclidean(), fields=_distance_fields))
    positions: tuple[float, ...] = setting(_positions)
    importance: tuple[float, ...] = setting(_importance)
    tuples: str = setting(_tuples)
    leave: tuple[str, ...] | None = setting(
        lambda page: Many("Leave out", list(page.named_tuples), placeholder="none"), tuples="given"
    )
    weights: ClassWeights = setting(OneValue("Class weights", ClassWeights, ByClass()))
    own: str | None = setting(_own)
    base: str = setting(
        lambda page: of_base(page.collection, "Base measure", "The measure that uses the weights as grades.")
    )
    held: tuple[int, ...] | None = setting(_held)
    picture: str = setting(Choice("Picture", [PLANE, FIGURE_1, TABLE_1], segmented=True, help=PICTURE_HELP))

    @property
    def usable(self) -> list[str]:
        """The names of the aspects with at least two grades, and of the signal that is turned into grades, if any."""
        made = [self.graded] if self.graded and self.graded_by else []
        return [*usable(self.collection), *made]

    @property
    def signal(self) -> FloatArray:
        """The values of the signal to grade, one for each document."""
        pool = self.collection.assessments
        values: FloatArray = pool.column(self.graded)[~pd.Series(pool.documents).duplicated().to_numpy()]
        return values

    def parts(self, shares: Sequence[float]) -> list[float]:
        """Return the shares of all three grades, from the lowest values of the signal to the highest.

        `shares` are the shares of the best and of the middle grade.
        """
        best, middle = shares
        upwards = [round(1 - best - middle, 2), middle, best]
        return upwards if self.collection.assessments.scale(self.graded).good == "high" else upwards[::-1]

    @cached_property
    def graded_name(self) -> str:
        """The name of the graded signal, which contains its cut points; "" if no signal is graded."""
        if self.shares is not None:
            return graded_name(self.graded or "", points_of_shares(self.signal, self.parts(self.shares)))
        return graded_name(self.graded or "", sorted(self.cuts)) if self.cuts is not None else ""

    @cached_property
    def aspects(self) -> tuple[Embedded, ...]:
        keys = (self.across, self.up, *(self.further or ()))
        names = (self.graded_name if key == self.graded else key for key in keys)
        return tuple(Embedded(self.collection.assessments.scale(name), k) for name, k in zip(names, keys, strict=True))

    @property
    def unit(self) -> float:
        """The common length of the aspects under equal ranges."""
        return float(max(aspect.last for aspect in self.aspects))

    @cached_property
    def scenarios(self) -> dict[str, Knobs]:
        return scenarios(self.aspects, self.unit)

    @property
    def presets(self) -> dict[str, dict[str, tuple[float, ...]]]:
        """Map the name of each scenario to its settings: a dict with the values of all sliders under "positions"."""
        return {key: {"positions": tuple(at for knob in knobs for at in knob)} for key, knobs in self.scenarios.items()}

    @property
    def knobs(self) -> Knobs:
        """The slider values, as a tuple for each aspect."""
        left = iter(self.positions)
        return tuple(tuple(next(left) for _ in aspect.parts) for aspect in self.aspects)

    def key_of_position(self, part: str) -> str:
        """Return the key of the slider with this name in the page's state."""
        return f"{self.key('positions')}.{part}"

    @property
    def stride(self) -> float:
        """The step of a dragged line in the figure; the line stops only at positions that are computed in advance."""
        position = Number("", 0.0, 2 * self.unit, 0.0, 0.01)
        return round(position.step * position.stride, 2)

    @property
    def embedding(self) -> Embedding:
        return self.embedding_of(agreeing(self, self.presets), self.knobs)

    def moved(self, scenario: str) -> Knobs:
        """Return the slider values of a scenario; labels that were moved by hand keep their positions.

        For the chosen scenario, return the current values of all aspects. For another scenario, only the first aspect
        has its current values, and only if it was moved.
        """
        now, begun = self.knobs, self.scenarios[self.scenario]
        if scenario == self.scenario:
            return now
        own = self.scenarios[scenario]
        return (own[0] if now[0] == begun[0] else now[0], *own[1:])

    def embedding_of(self, scenario: str, knobs: Knobs) -> Embedding:
        """Return slider values as the embedding of a measure (see `embedding.embedding_of`)."""
        return embedding_of(scenario, knobs, self.aspects, self.scenarios[EQUAL_RANGES])

    @property
    def count(self) -> int:
        """The number of tuples of labels."""
        return math.prod(aspect.last + 1 for aspect in self.aspects)

    @property
    def named_tuples(self) -> dict[str, tuple[int, ...]]:
        """Map the name of each tuple of labels to the tuple, as positions of the labels from the worst (0)."""
        return {name_of(self.aspects, at): at for at in np.ndindex(*(aspect.last + 1 for aspect in self.aspects))}

    @property
    def admissible(self) -> str | tuple[tuple[float, ...], ...]:
        """The tuples that form the classes: the name of a rule, or all tuples except those left out, as grades."""
        if self.leave is None:
            return self.tuples
        grades = [grades_upwards(aspect.scale) for aspect in self.aspects]
        tuples = [labels for name, labels in self.named_tuples.items() if name not in self.leave]
        return tuple(tuple(grades[at][place] for at, place in enumerate(places)) for places in tuples)

    @property
    def importances(self) -> dict[str, float]:
        return {aspect.name: weight for aspect, weight in zip(self.aspects, self.importance, strict=True)}

    @property
    def held_places(self) -> tuple[int, ...]:
        """The position of the fixed label (0: worst) of each aspect not on an axis, for drawing the plane.

        For an aspect with a long scale, the best label is fixed.
        """
        chosen = iter(self.held or ())
        return tuple(aspect.last if aspect.bent else next(chosen) for aspect in self.aspects[2:])

    @property
    def held_grades(self) -> dict[str, float]:
        """Map each aspect not on an axis to the fixed grade at which the plane is drawn."""
        at = zip(self.aspects[2:], self.held_places, strict=True)
        return {aspect.name: grades_upwards(aspect.scale)[place] for aspect, place in at}

    def unweighted(self) -> TOMA:
        """Return the measure with the current settings, but without the weights of classes."""
        return TOMA(
            parse_value(self.base, GainMeasure) if self.base else TOMA().base,
            aspects=tuple(aspect.name for aspect in self.aspects),
            distance=self.distance,
            embedding=self.embedding,
            importance={name: weight for name, weight in self.importances.items() if weight != 1},
            tuples=self.admissible,
        )

    def measure(self) -> TOMA:
        return self.unweighted().with_(weights=self.weights if self.own is None else own_weights(self.own))


@dataclass(frozen=True)
class TomaSettings(Tuned, Placed, page="toma"):
    """Settings of the page: the settings of TOMA and of the views."""

    OWN = OPENS_ON = "Plane of labels"

    @cached_property
    def tuned(self) -> TOMA:
        return self.measure()

    @property
    def rival(self) -> str:
        """The text of the default measure for comparison: CAM of the same aspects."""
        try:
            return str(rival(CAM, self.tuned))
        except ec.InputError:  # the page shows the error
            return str(CAM())

    @property
    def ranked(self) -> dict[str, Call[pd.DataFrame]]:
        """Map each measure, as text, to the call that computes its scores.

        The measures are the one chosen for comparison, TOMA, CAM and MM.
        """
        rivals = {str(one): self.scored("rival", one) for one in (rival(CAM, self.tuned), rival(MM, self.tuned))}
        return super().ranked | {text: one for text, one in rivals.items() if text != self.other}


def rival(kind: type[CAM] | type[MM], measure: TOMA) -> CAM | MM:
    """Return CAM or MM of the same aspects and base, with the importance of the aspects as weights."""
    importance = dict(measure.importance)
    weights = tuple(importance.get(name, 1.0) for name in measure.aspects) if importance else ()
    return kind(measure.base, aspects=measure.aspects, weights=weights)


def draw(page: TomaSettings) -> None:
    """Draw the main controls: positions of the labels of the vertical aspect, presets, and the distance."""
    up = page.aspects[1]
    page.draw("shares", "cuts")
    st.caption(f"Positions of {markdown(up.key)}")
    page.draw_parts("positions", *up.foremost)
    draw_presets(page, "scenario", page.presets)
    page.draw("distance")
    for aspect, knobs in zip(page.aspects, page.knobs, strict=True):
        warn_of_falling(aspect, knobs)


def draw_more(page: TomaSettings) -> None:
    """Draw the controls under "More settings", such as the aspects, the base measure and the other positions."""
    page.draw("graded", "graded_by")
    page.draw_in_row("across", "up")
    page.draw("base", "weights", "own")
    up = page.aspects[1]
    for aspect in page.aspects:
        st.caption(f"Positions of {markdown(aspect.key)}")
        page.draw_parts("positions", *(part for part in aspect.parts if aspect is not up or part not in up.foremost))
    page.draw("further", "held", "importance", "tuples", "leave")


def name_of(aspects: Sequence[Embedded], places: Sequence[int]) -> str:
    return "(" + ", ".join(aspect.labels[place] for aspect, place in zip(aspects, places, strict=True)) + ")"


def own_weights(written: str) -> ClassWeights:
    """Return typed weights of classes.

    Raises InputError if there is no weight, or if one is not a number or is negative.
    """
    parts = [part for part in re.split(r"[,;\s]+", written) if part]
    if not parts:
        raise ec.InputError("Enter a weight for each class, from the worst to the best, such as 0, 1, 2")
    for part in parts:
        try:
            float(part)
        except ValueError:
            raise ec.InputError(f"{shorten(part)} is not a number; separate weights by commas") from None
    return CustomWeights(weights=tuple(map(float, parts)))
