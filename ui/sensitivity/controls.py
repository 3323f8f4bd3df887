"""What varies on the page Sensitivity: the measure, its parameters and their ranges, and what is looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.limits import of_settings
from evalcore.measures import Measure
from evalcore.measures.aggregates import Aggregate
from evalcore.measures.base import unwrapped
from evalcore.measures.rbp import RankBiased
from evalcore.meta import best_first, swapped_pairs
from evalcore.sensitivity import Parameter, usual_parameters, varied_of
from ui.address.families import all_short, short
from ui.address.settings import Settings, setting
from ui.computing.cached import cached
from ui.computing.measures import of_measure, offered, scores, suggested
from ui.computing.work import ResultCache, worked
from ui.screen.calls import Call, call
from ui.screen.text import listed, markdown
from ui.server.kept import once
from ui.server.limits import LIMITS
from ui.widgets.fields import Choice, Each, Field, Many, Number, OneMeasure, Span, Stepped

LOOKS = ONE, TWO, MANY, TOPICS = ("One parameter", "Two parameters", "Any number", "Topics")
QUESTIONS = LEAVE, BETWEEN, PAIR = "Leave one out", "Between two measures", "Two systems"
TELLING = "most telling"
TELLING_HELP = "most telling: the nearest setting to the default with another winner, else the one least like it"
FINENESS = {"coarse": (25, 15), "medium": (60, 40), "fine": (102, 52)}
FINENESS_HELP = "At most 25 × 15, 60 × 40 or 102 × 52 settings, at round values"
SAMPLES = {200: 32, 1_000: 128, 4_000: 512}  # random settings -> base points of the Sobol indices
VALUES = 100  # of one parameter, at most
MOST = 5  # parameters varied at first
HEIGHT = 465
FEW_LEVELS = 5  # of a border between fewer grades there is little to follow
MOST_FIRST = 10
MOST_KEPT, ROOM = 224, 512e6  # results of many settings for all sessions, and bytes of their scores together
FIRST = 5  # systems whose order is followed at first


@cached(16)
def default_text(collection: Collection) -> str:
    """The measure to begin with: one whose threshold moves freely, else uRBP with its rho, else weights, else any."""
    listed = [measure for measures in suggested(collection).values() for measure in measures]
    opened = {str(measure): _opens_on(usual_parameters(measure, collection)) for measure in listed}
    for wanted in (("threshold",), ("rho", "threshold"), ("rho",), ("weights[0]",)):
        for measure in listed:
            first = opened[str(measure)]
            if first and first.path == wanted[0] and set(wanted) <= set(measure.parameters()) | {first.path}:
                return str(measure)
    return str(listed[0])


def _opens_on(usual: Sequence[Parameter]) -> Parameter | None:
    """What is varied first: a number with many values, else a choice or a border between few grades."""
    many = [parameter for parameter in usual if not 0 < len(parameter.levels) < FEW_LEVELS]
    return next(iter([*many, *usual]), None)


def _of_measure(page: SensitivitySettings, label: str, default: str) -> OneMeasure:
    """The field of a measure that the collection can answer."""
    return replace(of_measure(page.collection, label, default), fits=lambda text: scores(page.collection, text))


def _of_parameter(page: SensitivitySettings, label: str, known: Sequence[Parameter]) -> Field | None:
    """The field of a parameter, by its path: first those that people vary; their meanings are in the help."""
    if not known:
        return None
    paths = [parameter.path for parameter in known]
    usual = [parameter for parameter in page.usual if parameter.path in paths]
    ordered = [
        *(parameter.path for parameter in usual),
        *(path for path in paths if path not in {parameter.path for parameter in usual}),
    ]
    first = _opens_on(usual) or known[0]
    by_path = {parameter.path: parameter for parameter in known}
    meanings = [
        markdown(f"{parameter.reading}: {parameter.help}")
        for parameter in map(by_path.__getitem__, ordered)
        if parameter.help
    ]
    return Choice(label, ordered, first.path, reads=lambda path: by_path[path].reading, help="  \n".join(meanings[:12]))


def _at(page: SensitivitySettings) -> Field | None:
    """A value of the parameter; at first its own, else the last."""
    varied = next((parameter for parameter in page.known if parameter.path == page.path), None)
    values = varied.round_values(VALUES) if varied else []
    if varied is None or len(values) < 2:
        return None
    own = varied.value if varied.value in values else values[-1]
    if varied.options:
        return Choice(f"Look at {markdown(varied.reading)}", values, own, names=varied.name)
    return Stepped(
        f"Look at {markdown(varied.reading)}", values, own, help="The line through the figure; the headline is of it"
    )


def _across(page: SensitivitySettings) -> Field | None:
    return _of_parameter(page, "Across", page.known) if len(page.known) > 1 else None


def _up(page: SensitivitySettings) -> Field | None:
    return _of_parameter(page, "Up", [parameter for parameter in page.known if parameter.path != page.across])


def _fineness(page: SensitivitySettings) -> Field:
    usually = "medium" if is_quick(page.varied) else "coarse"
    return Choice("Grid", list(FINENESS), usually, segmented=True, help=FINENESS_HELP)


def _place(page: SensitivitySettings, label: str, path: str | None, values: Sequence[float]) -> Field | None:
    """One of the values on a side of the map."""
    if not values:
        return None
    name = page.parameter(path).name
    return Choice(
        label, [TELLING, *values], names=lambda value: value if value == TELLING else name(value), help=TELLING_HELP
    )


def _many(page: SensitivitySettings) -> Field:
    first = ", ".join(parameter.reading for parameter in page.usual[:MOST])
    reading = {parameter.path: parameter.reading for parameter in page.known}
    most = int(min(LIMITS.parameters, len(page.known)))
    return Many("Parameters", list(reading), placeholder=first, most=most, reads=reading.__getitem__)


def _ranges(page: SensitivitySettings) -> Field:
    meant = {parameter.path: parameter for parameter in page.usual}
    ranges = {parameter.path: _range(parameter, meant.get(parameter.path, parameter)) for parameter in page.picked}
    return Each("Ranges", {path: field for path, field in ranges.items() if field is not None})


def _range(parameter: Parameter, meant: Parameter) -> Field | None:
    """The ends of a number, between which closer ones can be chosen; at first those that people use.

    None of a choice, and where nothing lies between the ends.
    """
    if parameter.options:
        return None
    # A round step, of which 20 to 200 make up the range; a whole one between levels.
    step = 1.0 if parameter.levels else float(10.0 ** math.floor(math.log10((parameter.high - parameter.low) / 20)))
    low, high = _rounded(parameter, step)
    first, last = (min(max(end, low), high) for end in _rounded(meant, step))
    begins = (first, last) if first < last else (low, high)
    text, help = markdown(parameter.reading), markdown(parameter.help) or None
    return Span(text, low, high, step, begins, help=help) if low < high else None


def _rounded(parameter: Parameter, step: float) -> tuple[float, float]:
    """The ends, on round steps between them."""
    low, high = math.ceil(parameter.low / step - 1e-9) * step, math.floor(parameter.high / step + 1e-9) * step
    return round(low, 9), round(high, 9)


def _count(page: SensitivitySettings) -> Field:
    usually = 1_000 if is_quick(page.varied) else 200
    return Choice("Settings", list(SAMPLES), usually, names="{:,}".format, help="Drawn uniformly between the ends")


def _other(page: SensitivitySettings) -> Field:
    """Another measure; at first the same of one aspect alone, if the collection can answer it."""
    single = page.varied.of_one_aspect()
    listed = [*([str(single)] if single is not None else []), *offered(page.collection)]
    others = [text for text in listed if text != page.measure] or listed
    if page.look == TOPICS:
        others = [text for text in others if page.can_answer(text)][:1] or others
    return _of_measure(page, "Against", others[0])


def _system(page: SensitivitySettings, label: str, at: int) -> Field:
    # Which pair is looked at first takes the scores of two measures: asked only where a pair is looked at.
    return Choice(label, page.collection.systems, page.usual_pair[at] if page.looks_at_pair else "", called=all_short)


@dataclass(frozen=True)
class SensitivitySettings(Settings, page="sensitivity", all_scored=True):
    """What varies, and what is looked at."""

    look: str = setting(Choice("What varies", LOOKS, segmented=True))
    measure: str = setting(lambda page: _of_measure(page, "Measure", default_text(page.collection)))
    path: str | None = setting(lambda page: _of_parameter(page, "Parameter", page.known))
    at: float | None = setting(_at)
    first: int = setting(Number("Order of the first", 1, MOST_FIRST, FIRST, 1, help="Whether these keep their order"))
    across: str | None = setting(_across)
    up: str | None = setting(_up)
    fineness: str = setting(_fineness)
    x: Any = setting(lambda page: _place(page, "Look at: across", page.across, page.xs))  # a number, or TELLING
    y: Any = setting(lambda page: _place(page, "and up", page.up, page.ys))
    many: tuple[str, ...] = setting(_many)
    ranges: tuple[tuple[float, float], ...] = setting(_ranges)
    count: int = setting(_count)
    seed: int = setting(Number("Seed", 0, 20, 0, 1))
    question: str = setting(Choice("Question", QUESTIONS))
    other: str = setting(_other)
    a: str = setting(lambda page: _system(page, "System", 0))
    b: str = setting(lambda page: _system(page, "minus", 1))

    @cached_property
    def varied(self) -> Measure:
        measure: Measure = ec.parse(self.measure)
        return measure

    @cached_property
    def known(self) -> list[Parameter]:
        """The numbers and choices of the measure that can be varied; none where the collection cannot answer it."""
        return self.known_of(self.varied)

    @cached_property
    def usual(self) -> list[Parameter]:
        """Those that people vary, between the ends that they use, what is varied first at the front."""
        return usual_parameters(self.varied, self.collection) if self.known else []

    def known_of(self, measure: Measure) -> list[Parameter]:
        """What can be varied of any measure; nothing where the collection cannot answer it."""
        try:
            return varied_of(measure, self.collection)
        except InputError:
            return []

    def parameter(self, path: str | None) -> Parameter:
        """The one at a path."""
        return next(parameter for parameter in self.known if parameter.path == path)

    def call_of(self, path: str | None, name: str = "parameter") -> Call[Parameter]:
        """What makes the parameter at a path."""
        assert path is not None
        return call(name, ec.sensitivity.parameter_of, self.measure, path, self.collection)

    def kept(self, made: Call[Any], n_settings: int, label: str = "") -> Call[Any]:
        """A call that scores so many settings: kept, its value None where the work was held."""
        n_parameters = len(self.picked) if self.look == MANY else 1
        asked = of_settings(n_settings, len(self.collection.systems), n_parameters)
        label = label or f"Scoring {n_settings:,} settings"
        return worked(made, self.collection, label, "tell", _cache(), asked) or made.known(None)

    @property
    def xs(self) -> list[float]:
        """The values across."""
        return self.parameter(self.across).round_values(FINENESS[self.fineness][0]) if self.across else []

    @property
    def ys(self) -> list[float]:
        """The values up."""
        return self.parameter(self.up).round_values(FINENESS[self.fineness][1]) if self.across else []

    @property
    def picked(self) -> list[Parameter]:
        """The parameters that vary at once, between their own ends."""
        paths = self.many or [parameter.path for parameter in self.usual[:MOST]]
        return [parameter for parameter in self.known if parameter.path in paths]

    @property
    def narrowed(self) -> list[Parameter]:
        """The parameters that vary at once, between the chosen ends. Raises InputError where none is left between."""
        field = self.field("ranges")
        assert isinstance(field, Each)
        ends = dict(zip(field.parts, self.ranges, strict=True))
        whole = {path: (part.low, part.high) for path, part in field.parts.items() if isinstance(part, Span)}
        chosen = {path: pair for path, pair in ends.items() if pair != whole[path]}
        return [
            parameter.within(*chosen[parameter.path]) if parameter.path in chosen else parameter
            for parameter in self.picked
        ]

    @property
    def looks_at_pair(self) -> bool:
        return self.look == TOPICS and self.question == PAIR

    @cached_property
    def usual_pair(self) -> tuple[str, str]:
        """The pair that the two measures order most differently, else the first two."""
        if not (self.can_answer(self.measure) and self.can_answer(self.other)):
            return self.collection.systems[0], self.collection.systems[1]
        own, other = (scores(self.collection, text).mean() for text in (self.measure, self.other))
        return most_different(own, other)

    def can_answer(self, text: str) -> bool:
        """Whether the collection has scores under a measure."""
        try:
            scores(self.collection, text)
        except InputError:
            return False
        return True


def most_different(own: pd.Series, other: pd.Series) -> tuple[str, str]:
    """The pair that two measures order most differently, else the first two."""
    swapped = swapped_pairs(other, own)
    if len(swapped):
        return str(swapped["system_a"].iloc[0]), str(swapped["system_b"].iloc[0])
    best = best_first(own).index
    return str(best[0]), str(best[1])


def is_quick(measure: Measure) -> bool:
    """Whether thousands of settings take seconds: weights of kept scores, or matrix products."""
    return isinstance(unwrapped(measure)[0], RankBiased | Aggregate)


@once
def _cache() -> ResultCache:
    """What was scored at many settings: at most so much of it together."""
    return ResultCache(MOST_KEPT, _size, ROOM)


def _size(result: Any) -> int:
    outcomes = getattr(result, "outcomes", None)
    return 0 if outcomes is None else 2 * int(outcomes.means.nbytes)  # and its ranks


def shorter(names: str) -> str:
    """Short names of tied systems, counted where there are many.

    >>> shorter("a, b"), shorter("a, b, c")
    ('a and b', '3 systems tied')
    """
    tied = [names] if ", " not in names else names.split(", ")
    return listed([*map(short, tied)]) if len(tied) < 3 else f"{len(tied)} systems tied"


def are_first(names: str) -> str:
    """Who is first, as a part of a sentence.

    >>> are_first("a"), are_first("a, b")
    ('**a** is first', '**a and b** are first')
    """
    return f"**{markdown(shorter(names))}** {'are' if ', ' in names else 'is'} first"
