"""The page Any measure: does the winner depend on one of its parameters?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import evalcore as ec
from evalcore import InputError
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.measures import Measure
from evalcore.sensitivity import usual_parameters
from ui.address.highlight import Highlight
from ui.address.settings import Settings, setting
from ui.computing.cached import cached
from ui.computing.measures import of_measure, offered, scores, suggested
from ui.data import open_collection
from ui.tune import frame
from ui.tune.frame import Family
from ui.tune.state import RANKS, SCATTER, Tuned, opens_on
from ui.widgets.embedding_note import embedding_note
from ui.widgets.fields import OneMeasure


@cached(16)
def default_text(collection: Collection) -> str:
    """Return the text of the default measure.

    It is the first suggested measure whose default parameter (`opens_on`) is a threshold. If there is none, these are
    tried in turn: a measure with the default parameter rho and also a threshold, a measure with the default parameter
    rho, a measure whose default parameter is its first weight, and finally the first suggested measure.
    """
    listed = [measure for measures in suggested(collection).values() for measure in measures]
    opened = {str(measure): opens_on(usual_parameters(measure, collection)) for measure in listed}
    for wanted in (("threshold",), ("rho", "threshold"), ("rho",), ("weights[0]",)):
        for measure in listed:
            first = opened[str(measure)]
            if first and first.path == wanted[0] and set(wanted) <= set(measure.parameters()) | {first.path}:
                return str(measure)
    return str(listed[0])


def _measure(page: Named) -> OneMeasure:
    """Return the field for a measure; only measures that have scores on the collection are allowed."""
    field = of_measure(page.collection, "Measure", default_text(page.collection))
    return replace(field, fits=lambda text: scores(page.collection, text))


@dataclass(frozen=True)
class Named(Settings, page=None):
    """Setting of the page: the measure to vary."""

    measure: str = setting(_measure)


@dataclass(frozen=True)
class SensitivitySettings(Tuned, Named, page="sensitivity", all_scored=True):
    """Settings of the page: the measure, its parameter on the slider, and the settings of the views."""

    ALWAYS_ALONG = True
    AT_HELP = "The value of the parameter; the default is its value in the measure"

    @cached_property
    def tuned(self) -> Measure:
        measure: Measure = ec.parse(self.measure)
        return measure

    @cached_property
    def variants(self) -> list[Measure]:
        """A list with one measure: the tuned one with its parameter at the slider's value."""
        varied = next((one for one in self.known if one.path == self.path), None)
        if varied is None or self.at is None or self.at == varied.value:
            return [self.tuned]
        full = ec.sensitivity.written_out(self.tuned, self.collection)
        return [ec.sensitivity.with_settings(full, {varied.path: varied.setting(self.at)})]

    @property
    def rival(self) -> str:
        """The text of the default measure for comparison: the same measure on one aspect, else a different measure.

        It is the first of these measures that has scores, or the tuned measure itself if none of them has scores.
        """
        single = self.tuned.of_one_aspect()
        listed = [*([str(single)] if single is not None else []), *offered(self.collection)]
        others = (text for text in listed if text != self.measure and self._is_answered(text))
        return next(others, self.measure)

    @property
    def looks(self) -> list[str]:
        """The available views; only Scatter and Ranks if the measure has no parameters, as with given scores."""
        return [look for look in super().looks if self.known or look in (SCATTER, RANKS)]

    def _is_answered(self, text: str) -> bool:
        try:
            scores(self.collection, text)
        except InputError:
            return False
        return True


def main() -> None:
    collection = open_collection.ranked("sensitivity", "A winner")
    page, highlight = SensitivitySettings.now(collection), Highlight.now(collection)
    frame.draw(page, highlight, Family(draw))


def draw(page: SensitivitySettings) -> None:
    """Draw the controls for the measure and one of its parameters."""
    compared = page.look in (SCATTER, RANKS)
    page.draw(*(["at"] if compared else []), "measure")
    embedding_note(page.collection, [page.measure], lambda texts: page.change(measure=texts[0]))
    if compared:
        page.draw("path")
