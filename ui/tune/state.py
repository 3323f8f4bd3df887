"""Settings shared by the views of Tune: the view, the other measure, and the varied parameters.

A page declares its own settings in a second base class, after `Tuned`, and builds a measure from them: `tuned`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd

import evalcore as ec
from evalcore import InputError
from evalcore.common.cached import cached_property
from evalcore.limits import of_settings
from evalcore.measures import Measure
from evalcore.measures.aggregates import Aggregate
from evalcore.measures.base import unwrapped
from evalcore.measures.rbp import RankBiased
from evalcore.sensitivity import Parameter, usual_parameters, varied_of
from ui.address.settings import Make, Settings, setting
from ui.computing.measures import of_measure, scored
from ui.computing.work import ResultCache, worked
from ui.screen.calls import Call, call
from ui.screen.text import markdown
from ui.server.browser_store import once
from ui.widgets.fields import Choice, Field, Stepped, Unread

SCATTER, RANKS, ALONG, MAP = "Scatter", "Ranks", "Along one parameter", "Map of two"
OWN_PICTURES = ("u(k) and gains", "Weights", "Plane of labels", "Gain and discount")  # each the own view of one family
READS = {ALONG: "Along", MAP: "Map", **dict.fromkeys(OWN_PICTURES, "Own picture")}
FINENESS = {"coarse": (25, 15), "medium": (60, 40), "fine": (102, 52)}
FINENESS_HELP = "The number of settings on the map: at most 25 × 15, 60 × 40 or 102 × 52, at round values"
VALUES = 100  # most values of one parameter
HEIGHT = 465
FEW_LEVELS = 5  # a threshold between fewer grades has too few values for a curve
MOST_KEPT, ROOM = 224, 512e6  # number of results kept for all sessions, and total bytes of their scores


def opens_on(usual: Sequence[Parameter]) -> Parameter | None:
    """Return the default parameter; None without parameters.

    It is the first parameter without a short list of values (1 to `FEW_LEVELS` - 1 values), or, if every parameter has
    a short list, the first parameter.
    """
    many = [parameter for parameter in usual if not 0 < len(parameter.levels) < FEW_LEVELS]
    return next(iter([*many, *usual]), None)


def _of_parameter(page: Tuned, label: str, known: Sequence[Parameter]) -> Field | None:
    """Return the field for a parameter, identified by its path; None if none can be varied.

    The commonly varied parameters come first; the help explains the parameters.
    """
    if not known:
        return None
    paths = [parameter.path for parameter in known]
    usual = [parameter for parameter in page.usual if parameter.path in paths]
    first = opens_on(usual) or known[0]
    by_path = {parameter.path: parameter for parameter in known}
    ordered = list(dict.fromkeys([*(parameter.path for parameter in usual), *paths]))
    meanings = [
        markdown(f"{parameter.reading}: {parameter.help}")
        for parameter in map(by_path.__getitem__, ordered)
        if parameter.help
    ]
    return Choice(label, ordered, first.path, reads=lambda path: by_path[path].reading, help="  \n".join(meanings[:12]))


def _at(page: Tuned) -> Field | None:
    """Return the field for a value of the chosen parameter; None if it has fewer than two values.

    The default is the parameter's own value if that is offered, otherwise the last value.
    """
    varied = next((parameter for parameter in page.known if parameter.path == page.path), None)
    values = varied.round_values(VALUES) if varied else []
    if varied is None or len(values) < 2:
        return None
    own = varied.value if varied.value in values else values[-1]
    label = f"Look at {markdown(varied.reading)}"
    if varied.options:
        return Choice(label, values, own, names=varied.name)
    return Stepped(label, values, own, help=page.AT_HELP)


def _horizontal(page: Tuned) -> Field | None:
    return _of_parameter(page, "Horizontal", page.known) if len(page.known) > 1 else None


def _vertical(page: Tuned) -> Field | None:
    return _of_parameter(page, "Vertical", [parameter for parameter in page.known if parameter.path != page.horizontal])


def _fineness(page: Tuned) -> Field:
    usually = "medium" if page.known and is_quick(page.tuned) else "coarse"
    return Choice("Grid", list(FINENESS), usually, segmented=True, help=FINENESS_HELP)


def _on(look: str, make: Make) -> Any:
    """Declare a setting that only one view reads; the other views keep its text in the address without reading it."""
    unread = Unread("")

    def field(page: Tuned) -> Field | None:
        return make(page) if page.look == look or (look == ALONG and page.ALWAYS_ALONG) else unread

    return setting(field)


def _other(page: Tuned) -> Field:
    return of_measure(page.collection, "Against", page.rival) if page.compares else Unread("")


def _look(page: Tuned) -> Field:
    """Return the field for the view.

    If a link names the own view of a different family, the own view of this family opens.
    """
    also = tuple((other, page.looks[-1]) for other in OWN_PICTURES if other != page.OWN)
    reads = {look: READS.get(look, look) for look in page.looks}.__getitem__
    return Choice("Look at", page.looks, page.opens_on, segmented=True, hide_label=True, also=also, reads=reads)


@dataclass(frozen=True)
class Tuned(Settings, page=None):
    """Settings of a page of Tune: its view, and what each view varies."""

    OWN: ClassVar[str] = ""  # the name of the family's own view; "" if it has none
    OPENS_ON: ClassVar[str] = SCATTER
    ALWAYS_ALONG: ClassVar[bool] = False  # true if the other views also vary the parameter of Along
    AT_HELP: ClassVar[str] = "The value marked by the line in the figure and described in the headline"

    look: str = setting(_look)
    other: str = setting(_other)
    path: str | None = _on(ALONG, lambda page: _of_parameter(page, "Parameter", page.known))
    at: float | None = _on(ALONG, _at)
    horizontal: str | None = _on(MAP, _horizontal)
    vertical: str | None = _on(MAP, _vertical)
    fineness: str = _on(MAP, _fineness)

    @property
    def looks(self) -> list[str]:
        """The views that the page offers, by name.

        With fewer than two systems, there is only the family's own view, or Scatter if it has none.
        """
        shared = [SCATTER, RANKS, ALONG, MAP] if len(self.collection.systems) > 1 else []
        return [*shared, *([self.OWN] if self.OWN else [])] or [SCATTER]

    @property
    def opens_on(self) -> str:
        return self.OPENS_ON if self.OPENS_ON in self.looks else self.looks[0]

    @property
    def compares(self) -> bool:
        """True if the view compares the measure with a different one."""
        return self.look not in (ALONG, MAP)

    @property
    def tuned(self) -> Measure:
        """The measure that the controls define. Raises InputError if they define none."""
        raise NotImplementedError

    @property
    def rival(self) -> str:
        """The text of the default measure for comparison, which differs from the tuned one."""
        raise NotImplementedError

    @property
    def variants(self) -> Sequence[Measure]:
        """The measures on the vertical axis of the scatter."""
        return [self.tuned]

    @property
    def variant_names(self) -> list[str]:
        return list(map(str, self.variants))

    @property
    def measured_by(self) -> tuple[str, ...]:
        return (self.other, *map(str, self.variants)) if self.compares else (str(self.tuned),)

    @cached_property
    def scores(self) -> list[Call[pd.DataFrame]]:
        """Calls that compute the scores under the other measure, then under each variant, topics x systems."""
        return [scored("other", self.other, self.collection), *(self.scored("tuned", one) for one in self.variants)]

    def scored(self, name: str, measure: Measure) -> Call[pd.DataFrame]:
        """Return the call that computes the scores under a measure of the family, topics x systems."""
        return scored(name, measure, self.collection)

    @property
    def ranked(self) -> dict[str, Call[pd.DataFrame]]:
        """Map each measure that the view Ranks compares to the call that computes its scores, from left to right."""
        return dict(zip((self.other, *map(str, self.variants)), self.scores, strict=True))

    @property
    def own_name(self) -> str:
        """The key of the tuned measure in `ranked`."""
        return str(self.variants[0])

    def scatter_options(self) -> dict[str, Any]:
        """Return further options that the family passes to the scatter."""
        return {}

    @cached_property
    def known(self) -> list[Parameter]:
        """The parameters of the measure that can be varied; [] if it has no scores on the collection."""
        try:
            return varied_of(self.tuned, self.collection)
        except InputError:
            return []

    @cached_property
    def usual(self) -> list[Parameter]:
        """The parameters that people commonly vary, within their usual limits, the most common first."""
        return usual_parameters(self.tuned, self.collection) if self.known else []

    def parameter(self, path: str | None) -> Parameter:
        """Return the parameter with this path."""
        return next(parameter for parameter in self.known if parameter.path == path)

    def call_of(self, path: str | None, name: str = "parameter") -> Call[Parameter]:
        """Return the call that makes the parameter with this path."""
        assert path is not None
        return call(name, ec.sensitivity.parameter_of, str(self.tuned), path, self.collection)

    def kept(self, made: Call[Any], n_settings: int, label: str = "") -> Call[Any]:
        """Return a call that scores `n_settings` settings. Its result is cached; it is None if work was stopped."""
        asked = of_settings(n_settings, len(self.collection.systems), 1)
        label = label or f"Scoring {n_settings:,} settings"
        return worked(made, self.collection, label, "tell", _cache(), asked) or made.known(None)

    @property
    def xs(self) -> list[float]:
        """The values on the horizontal axis of the map."""
        return self.parameter(self.horizontal).round_values(FINENESS[self.fineness][0]) if self.horizontal else []

    @property
    def ys(self) -> list[float]:
        """The values on the vertical axis of the map."""
        return self.parameter(self.vertical).round_values(FINENESS[self.fineness][1]) if self.horizontal else []


def is_quick(measure: Measure) -> bool:
    """Return True if thousands of settings take only seconds: for `RankBiased` and `Aggregate` measures."""
    return isinstance(unwrapped(measure)[0], RankBiased | Aggregate)


@once
def _cache() -> ResultCache:
    """Return the cache of results at many settings: at most `MOST_KEPT`, with `ROOM` bytes of scores in total."""
    return ResultCache(MOST_KEPT, _size, ROOM)


def _size(result: Any) -> int:
    outcomes = getattr(result, "outcomes", None)
    return 0 if outcomes is None else 2 * int(outcomes.means.nbytes)  # scores and ranks
