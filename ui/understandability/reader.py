"""Settings of the page Readability: RBP's persistence, the user models of uRBP, their thresholds and gains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.common.cached import cached_property
from evalcore.data import Collection, Scale
from evalcore.data.names import readability_first
from evalcore.measures import ERR, HRBP, RBP, GainMeasure, Product, nDCG, uRBP, uRBP1, uRBP2, uRBPgr
from evalcore.measures.catalogue import PAPER_THRESHOLDS, like_fog, usual_thresholds
from evalcore.measures.parts.gains import Arctan, Gain, Grade, Probability, Share, Step, Table
from evalcore.measures.urbp import UnderstandabilityBiased
from ui.address.settings import Settings, setting
from ui.screen.calls import Call, record
from ui.screen.text import markdown
from ui.tune.scatter import short
from ui.tune.state import Tuned
from ui.widgets import handles
from ui.widgets.fields import Choice, Field, Number, Numbers, Slider, Stepped, Switch, of_parameter
from ui.widgets.gains import of_grades
from ui.widgets.positive import borders

MODELS = ("step", "smooth", "graded", "mean")
MODEL_HELP = (
    "How much of a document counts as understood. *step* is all or nothing (uRBP1), *smooth* is a gradual threshold "
    "(uRBP2), *graded* is a gain for each grade (uRBPgr), and *mean* is the harmonic mean of a score for relevance and "
    "a score for understandability (HRBP)."
)
INTEGRAL_HELP = "Divide u(k) by its integral over the range of the aspect or signal. No ranking changes."
SAME, APART = 0.01, 0.03  # difference of means up to which systems are alike; from which they differ
JOINED = 3  # most pairs of each kind joined by lines
Variant = UnderstandabilityBiased | HRBP | Product
BASES: dict[str, GainMeasure] = {"RBP": RBP(), "nDCG": nDCG(), "ERR": ERR()}
BASE_HELP = "The measure applied to relevance times understandability: uRBP, u-nDCG or u-ERR (Zuccon 2016, section 7)"
ZOOM = (0.25, 0.40), (0.15, 0.35)  # horizontal and vertical ranges of the middle panel of Figure 2


def columns(collection: Collection) -> list[str]:
    """Return the columns that may measure understandability: all signals, and all aspects except the leading one."""
    return [name for name in (*collection.aspects, *collection.signals) if name != collection.leading]


def _column(page: Model) -> Field:
    known = columns(page.collection)
    return Choice("Understandability from", known, _usual_column(tuple(known)))


@lru_cache(maxsize=8)
def _usual_column(known: tuple[str, ...]) -> str:
    return readability_first(known)[0]


def _model(page: Model) -> Field:
    left_out = {"graded"} if page.scale.continuous else set[str]()
    offered = [name for name in MODELS if name not in left_out | ({"mean"} if page.base != "RBP" else set())]
    usual = "graded" if "graded" in offered and page.scale.kind == "grades" else "step"
    return Choice("User model", offered, usual, segmented=True, help=MODEL_HELP)


def _threshold(page: Model) -> Field | None:
    """Return the slider of the threshold; None if each grade has a gain.

    It has even steps; for grades that are not 1 apart, its positions are the grades themselves.
    """
    if page.model == "graded":
        return None
    scale, label = page.scale, "Understandable from" if page.scale.good == "high" else "Understandable below"
    help = "The threshold th of the user model" + (f", in {scale.unit}" if scale.unit else "")
    low, high = page.ends
    if not scale.continuous and list(scale.grades[1:] or scale.grades) != list(np.arange(low, high + 1)):
        return Stepped(label, sorted({*(scale.grades[1:] or scale.grades), scale.border}), scale.border, help=help)
    whole = scale.kind == "grades"
    middle = scale.border if whole else usual_thresholds(page.collection.assessments, scale)[0]
    return Number(label, low, max(high, low + 1), middle, 1.0 if whole else 0.5 if high - low > 5 else 0.01, help=help)


def _also(page: Model) -> Field | None:
    if page.model == "graded":
        return None
    offered = sorted(PAPER_THRESHOLDS) if like_fog(page.collection.assessments.column(page.column)) else ()
    help = "Further thresholds, as in Figure 1 of the paper"
    return Numbers("More thresholds", *page.ends, offered, help=help)


def _relevant_from(page: Model) -> Field:
    scale = page.collection.assessments.scale(page.collection.leading)
    help = f"The lowest grade of {markdown(scale.name)} that counts as relevant"
    return Choice("Relevant from grade", borders(scale), scale.positive_from, names="{:g}".format, help=help)


@dataclass(frozen=True)
class Model(Settings, page=None):
    """Settings of the user model of understandability."""

    base: str = setting(Choice("Measure", list(BASES), segmented=True, help=BASE_HELP))
    rho: float | None = setting(of_parameter(RBP, "rho", "Persistence ρ"), base="RBP")
    column: str = setting(_column)
    model: str = setting(_model)
    threshold: float | None = setting(_threshold)
    also: tuple[float, ...] | None = setting(_also)
    gains: tuple[float, ...] | None = setting(lambda page: of_grades(page.scale, "Gains of the grades"), model="graded")
    pairs: bool = setting(
        Switch("Red and blue pairs", True, help="Join pairs of systems that differ under only one of the two measures")
    )
    zoom: bool = setting(Switch("Zoom as in Figure 2", help="The middle panel: RBP .25 to .40, uRBP .15 to .35"))
    normalised: bool | None = setting(Switch("u(k) normalised by its integral", help=INTEGRAL_HELP), model="smooth")
    rel: float | None = setting(_relevant_from, base="RBP")
    cutoff: int = setting(Number("Cut-off (0: none)", 0, 100, 0, 1, help="The last rank K counted, for both measures"))

    @property
    def scale(self) -> Scale:
        scale: Scale = self.collection.assessments.scale(self.column)
        return scale

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest threshold."""
        scale = self.scale
        if scale.continuous:
            low, high = scale.ends(self.collection.assessments.column(scale.name))
            return float(np.floor(low)), float(np.ceil(high))
        return (scale.grades[1:] or scale.grades)[0] if scale.grades else scale.low, scale.high

    @property
    def common(self) -> dict[str, Any]:
        """The parameters that the measures with and without understandability share, by name."""
        if self.base != "RBP":
            return {"cutoff": self.cutoff or None}
        usual = self.collection.assessments.scale(self.collection.leading).positive_from
        rel = None if self.rel == usual else self.rel
        return {"rho": self.rho, "rel": rel, "cutoff": self.cutoff or None}

    @cached_property
    def baseline(self) -> GainMeasure:
        return BASES[self.base].with_(aspect=self.collection.leading, **self.common)

    @cached_property
    def models(self) -> list[Variant]:
        """The measures with understandability: one for each threshold, or a single one with a gain for each grade.

        They are forms of uRBP or HRBP; for nDCG and ERR, products with a gain.
        """
        if self.gains is not None:
            return [self.graded(self.gains)]
        return [self.variant(self.model, at) for at in self.thresholds]

    @property
    def thresholds(self) -> list[float]:
        """The thresholds to compare; [] if each grade has a gain."""
        return [] if self.threshold is None else list(dict.fromkeys([self.threshold, *(self.also or ())]))

    def variant(self, model: str, threshold: float) -> Variant:
        """Return the measure with this user model at this threshold."""
        if self.base != "RBP":
            return self.product((Arctan if model == "smooth" else Step)(at=threshold))
        step = uRBP if self.scale.kind == "grades" else uRBP1  # the paper's measure for grades; for a readability score
        kinds: dict[str, type[uRBP | uRBP1 | uRBP2 | HRBP]] = {"smooth": uRBP2, "mean": HRBP}
        return kinds.get(model, step)(threshold=threshold, **self.columns_read, **self.common)

    def graded(self, gains: tuple[float, ...]) -> Variant:
        """Return the measure with these gains, one for each grade of understandability."""
        if self.base != "RBP":
            return self.product(Table(gains=gains))
        return uRBPgr(gains=gains, **self.columns_read, **self.common)

    def product(self, gain: Gain) -> Product:
        """Return the base measure on the product of relevance (a share of its highest grade) and understandability."""
        base, read = BASES[self.base].with_(**self.common), Probability(max=1) if self.base == "ERR" else Grade()
        return Product(base, gains={self.collection.leading: Share(), self.column: gain}, f=read)

    @property
    def columns_read(self) -> dict[str, Any]:
        """The two columns that uRBP multiplies, by the names of its parameters."""
        return {"aspect": self.column, "relevance": self.collection.leading}


@dataclass(frozen=True)
class Reader(Tuned, Model, page="understandability", lasts=True):
    """Settings of the page: the settings of the user model and of the views."""

    OWN = "u(k) and gains"

    @property
    def tuned(self) -> Variant:
        return self.models[0]

    @property
    def variants(self) -> list[Variant]:
        return self.models

    @property
    def rival(self) -> str:
        return str(self.baseline)

    @property
    def variant_names(self) -> list[str]:
        return list(map(setting_of, self.models))

    @property
    def ranked(self) -> dict[str, Call[pd.DataFrame]]:
        """Map each measure, as text, to the call that computes its scores.

        The base measure comes first, then the variants in ascending order of threshold.
        """
        first, *others = self.scores
        ordered = sorted(zip(self.models, others, strict=True), key=lambda pair: threshold_of(pair[0]) or 0.0)
        return {self.other: first, **{str(variant): result for variant, result in ordered}}

    def scatter_options(self) -> dict[str, Any]:
        """Return those of the options "window" (the zoom), "y_title" and "apart" that apply, by name.

        "apart" lists the pairs of systems that differ under only one measure (red and blue in the paper).
        """
        options: dict[str, Any] = {"window": ZOOM} if self.zoom else {}
        if len(self.models) > 1:
            options["y_title"] = figures.plain(f"{short(self.own_name)} of {self.column}")
        if self.pairs:
            across, up = self.scores[:2]
            options["apart"] = {
                f"differ under {short(self.own_name)} only": self._pairs(across, up),
                f"differ under {short(self.other)} only": self._pairs(up, across),
            }
        return options

    def sliders(self) -> list[tuple[str, Slider]]:
        """Return (name, slider) for each slider, including those in the figure for further thresholds."""
        field, also, key = self.field("threshold"), self.also or (), self.key("also")
        places = [slider.places for slider in field.sliders("", self.threshold)] if isinstance(field, Number) else []
        thumbs = [
            ("also", Slider(f"{key}.{at}", values, [(*also[:at], value, *also[at + 1 :]) for value in values]))
            for values in places
            for at in range(len(also))
        ]
        return [*super().sliders(), *thumbs]

    def handles(self) -> list[dict[str, Any]]:
        """Return the draggable lines of the thresholds in the figure; [] if no threshold has a slider in even steps."""
        field = self.field("threshold")
        if not isinstance(field, Number):
            return []
        keys = [self.key("threshold"), *(f"{self.key('also')}.{at}" for at in range(len(self.also or ())))]
        step, ends = field.step * field.stride, (field.low, field.high)
        at = zip(keys, (self.threshold or 0.0, *(self.also or ())), strict=True)
        return [handles.line(key, "x", value, ends, step, f"Drag the threshold {value:g}") for key, value in at]

    def _pairs(self, alike: Call[pd.DataFrame], different: Call[pd.DataFrame]) -> pd.DataFrame:
        """Return the first `JOINED` pairs of systems that are alike under one measure but differ under the other."""
        return record(ec.distinguished_pairs)(alike.it, different.it, most=JOINED, tests=False, same=SAME, apart=APART)


def draw(reader: Reader) -> None:
    """Draw the main controls: persistence, threshold, base measure, user model, and the gains of the grades."""
    if reader.base != "RBP" and reader.gains is not None:
        reader.draw("cutoff")  # so that a slider comes first
    reader.draw("rho", "threshold", "base", "model")
    if reader.gains is not None:
        with st.popover("Gains of the grades", width="stretch", icon=":material/tune:"):
            reader.draw("gains")


def draw_more(reader: Reader) -> None:
    """Draw the controls under "More settings", such as the column, further thresholds and the zoom."""
    rest = () if reader.base != "RBP" and reader.gains is not None else ("rel", "cutoff")
    reader.draw("column", "also", "zoom", "pairs", *rest)


def threshold_of(measure: Variant) -> float | None:
    """Return the threshold of a variant's understandability gain; None if each grade has a gain."""
    return getattr([*measure.gain_functions().values()][-1], "at", None)


def setting_of(measure: Variant) -> str:
    """Return the setting that distinguishes a variant from the others, as text: "th = ..." or "gain per grade"."""
    threshold = threshold_of(measure)
    return "gain per grade" if threshold is None else f"th = {threshold:g}"
