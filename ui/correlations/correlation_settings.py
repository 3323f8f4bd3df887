"""Settings of the page Correlations: the coefficient, the scores that it compares, and the resulting matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore import InputError, figures
from evalcore.common.cached import cached_property
from evalcore.common.progress import Tell, telling
from evalcore.data import Collection
from evalcore.measures import ERR, RBP, TOMA, P, nDCG, short_names
from evalcore.measures.catalogue import BASES
from evalcore.measures.paths import with_path
from evalcore.meta import CORRELATIONS, EQUIVALENT, Correlation, CorrelationMatrix, correlation_matrix
from evalcore.notation.display_names import reading_path
from evalcore.sensitivity import Parameter, parameters_of
from evalcore.sensitivity.parameters import written_out
from ui.address.settings import setting
from ui.computing import doubt
from ui.computing.cached import cached
from ui.computing.doubt import RESAMPLES
from ui.computing.measures import answered, unlike
from ui.computing.work import digest, results
from ui.data.compared import Compared, OneOf
from ui.screen.calls import Call, call, line
from ui.screen.items import Calls
from ui.screen.text import markdown
from ui.widgets.embedding_note import OTHER, label_counts
from ui.widgets.fields import Choice, Many, Measures, Number, Stepped

PAIR, ASPECTS = "The pair", "Measures of aspects"
OVER = {"means": "system means", "topics": "topic by topic"}
OVER_HELP = (
    "*system means* correlates the mean scores of the systems. *topic by topic* correlates the scores on each topic "
    "and averages the correlations, as Maistro et al. 2021 do."
)
CORRELATION_HELP = "  \n".join(f"**{each.label}**: {each.description}" for each in CORRELATIONS.values())
DRAWN = {"resamples": RESAMPLES, "seed": 0}
THRESHOLD_HELP = "The τ above which measures count as equivalent, usually 0.9 (Voorhees 2001; Maistro et al. 2021)"
MORE_BASES = [str(measure) for measure in (*BASES, nDCG(cutoff=10), P(cutoff=10), RBP(), ERR(cutoff=20))]


VARY_HELP = "The measure whose parameter the slider changes. Cells follow the slider; rows keep their order."
NOTHING = "nothing"
PLACES = 100  # most values of the moving parameter


def _vary(page: Comparison) -> OneOf:
    short = {NOTHING: NOTHING, **short_names(page.measures)}
    return OneOf("Vary", list(short), names=short.__getitem__, help=VARY_HELP)


def _parameter(page: Comparison) -> Choice | None:
    known = [parameter.path for parameter in page.parameters]
    return Choice("its", known) if known else None


def _at(page: Comparison) -> Stepped | None:
    if page.parameter is None:
        return None
    moved = page.moved
    values = moved.round_values(PLACES)
    own = moved.value if moved.value in values else values[-1]
    return Stepped(figures.plain(moved.path), values, own, help=markdown(moved.help) or None)


@cached(64)
def _parameters(text: str, collection: Collection) -> list[Parameter]:
    """Return a measure's parameters that a slider can move, first those that are not limited to certain values.

    Return [] if the measure does not fit the collection.
    """
    try:
        known = parameters_of(text, collection)
    except InputError:
        return []
    return sorted(
        (parameter for parameter in known if len(parameter.round_values(PLACES)) > 1),
        key=lambda parameter: bool(parameter.levels),
    )


def _looks(page: Comparison) -> Choice:
    """Return the field that selects the section below the matrix: the pair or, with several aspects, their measures."""
    offered = (PAIR, ASPECTS) if several_aspects(page.collection) else (PAIR,)
    return Choice("Below the matrix", offered, segmented=True)


def several_aspects(collection: Collection) -> bool:
    """Return True if at least two aspects have more than one grade."""
    scales = collection.assessments.scales
    return sum(len(scales[name].grades) > 1 for name in collection.aspects) > 1


def _embedding(page: Comparison) -> Choice | None:
    """Return the field for the embedding; None if all scales are equally long, because embeddings then agree."""
    differ = len(set(label_counts(page.collection, page.collection.aspects).values())) > 1
    help = TOMA.parameters()["embedding"].metadata["help"]
    return Choice("TOMA by", list(OTHER), segmented=True, help=help) if differ else None


def _test(page: Comparison) -> OneOf | None:
    """Return the field for the test measure.

    Its default is the first measure that orders systems differently from the reference.
    """
    listed = list(page.called)
    at = listed.index(unlike(listed[0], listed[1:], page.collection)) if len(listed) > 1 else 0
    return page.field_of_measure("Look at" if page.kind.symmetric else "Test", at, help="You can also click a cell")


def _reference(page: Comparison) -> OneOf | None:
    return page.field_of_measure("Against" if page.kind.symmetric else "Reference")


@dataclass(frozen=True)
class Comparison(Compared, page="correlations"):
    """Settings: the measures, how they are correlated, and the pair shown below the matrix."""

    vary: str = setting(_vary)
    parameter: str | None = setting(_parameter)
    at: float | None = setting(_at)
    correlation: str = setting(
        Choice("Correlation", list(CORRELATIONS), names=lambda name: CORRELATIONS[name].label, help=CORRELATION_HELP)
    )
    over: Literal["means", "topics"] = setting(
        Choice("Taken over", list(OVER), names=OVER.__getitem__, segmented=True, help=OVER_HELP)
    )
    threshold: float = setting(Number("Equivalent above", 0.5, 1.0, EQUIVALENT, 0.01, help=THRESHOLD_HELP))
    test: str | None = setting(_test)
    reference: str | None = setting(_reference)
    look: str = setting(_looks)
    bases: tuple[str, ...] = setting(
        Measures("Instantiated with", MORE_BASES, tuple(map(str, BASES)), help="Measures of one aspect")
    )
    aspects: tuple[str, ...] = setting(
        lambda page: Many("Aspects", page.collection.aspects, placeholder="all graded aspects")
    )
    embedding: str | None = setting(_embedding)

    @cached_property
    def parameters(self) -> list[Parameter]:
        """The parameters of the varied measure, as far as a slider can move them; [] if no measure varies."""
        return _parameters(self.vary, self.collection) if self.vary != NOTHING else []

    @property
    def moved(self) -> Parameter:
        """The parameter that the slider moves."""
        return next(parameter for parameter in self.parameters if parameter.path == self.parameter)

    @cached_property
    def varied(self) -> dict[str, str]:
        """Map the text of each chosen measure to the text of the measure that is compared.

        The two texts are the same, except for the varied measure if the slider has moved its parameter.
        """
        texts = {text: text for text in self.measures}
        if self.at is not None and self.parameter is not None and self.at != self.moved.value:
            texts[self.vary] = str(with_path(written_out(self.vary, self.collection), self.parameter, self.at))
        return texts

    @cached_property
    def answers(self) -> tuple[dict[str, pd.DataFrame], dict[str, InputError]]:
        """Scores of the compared measures, and the errors of those without scores, both by the text of the measure."""
        return answered(self.collection, list(dict.fromkeys(self.varied.values())))

    @cached_property
    def names(self) -> dict[str, str]:
        """Map each compared measure to its short name, which for the varied measure contains the parameter's value."""
        names = short_names(self.scores)
        varied = self.varied.get(self.vary, "")
        if varied in names and self.parameter and self.at is not None:
            name = short_names([self.vary, *(text for text in names if text != varied)])[self.vary]
            names[varied] = f"{name}, {reading_path(self.parameter)} = {self.at:g}"
        return names

    @property
    def kept(self) -> list[str]:
        """The texts of the compared measures as they were chosen; these stay the same while a parameter moves."""
        return [self.chosen(text) for text in self.scores]

    def chosen(self, text: str) -> str:
        """Return the text of a compared measure as it was chosen, before its parameter moved."""
        return next((own for own, now in self.varied.items() if now == text), text)

    @property
    def called(self) -> dict[str, str]:
        """Map the text of each compared measure, as it was chosen, to its short name."""
        return dict(zip(self.kept, map(self.names.__getitem__, self.scores), strict=True))

    @property
    def kind(self) -> Correlation:
        return CORRELATIONS[self.correlation]

    @property
    def pair(self) -> tuple[str, str]:
        """The texts of the test and the reference measure, as they are compared."""
        assert self.test is not None
        assert self.reference is not None
        return self.varied.get(self.test, self.test), self.varied.get(self.reference, self.reference)

    def value(self, matrix: Call[CorrelationMatrix]) -> Call[float]:
        """Return the call of the correlation of the pair."""
        value: Call[Any] = line("value", matrix.it.values.loc[self.pair])
        return value

    @property
    def intervals(self) -> bool:
        """True if every pair gets an interval; this is a setting shared by all pages."""
        return doubt.of_correlations()

    def bounds(self, matrix: Call[CorrelationMatrix]) -> Calls:
        """Return the calls of both ends of the pair's interval, and of the reason if there is no interval."""
        return tuple(line(name, getattr(matrix.it.intervals, name).loc[self.pair]) for name in ("low", "high", "why"))

    def matrix(self, intervals: bool) -> Call[CorrelationMatrix]:
        """Return the call that correlates all pairs of measures."""
        drawn = {"n_resamples": RESAMPLES} if intervals else {}
        return call("matrix", ec.correlation_matrix, self.scored.it, self.correlation, self.over, **drawn)


def kept_matrix(page: Comparison) -> Call[CorrelationMatrix]:
    """Return the call of the correlations of all pairs of measures, which are cached.

    Its value is None if the work was stopped.
    """
    digests = tuple((text, digest(frame)) for text, frame in page.scores.items())
    name = ("correlations", digests, page.correlation, page.over, page.intervals)

    def kept(scores: Mapping[str, pd.DataFrame], *how: Any, **options: Any) -> CorrelationMatrix | None:
        def job(tell: Tell) -> CorrelationMatrix:
            with telling(tell):
                return correlation_matrix(scores, *how, **options)

        return results("correlations", "Comparing all pairs of measures", {name: job}).get(name)

    return page.matrix(page.intervals).by(kept)


def number(value: float) -> str:
    return "none" if np.isnan(value) else f"{value:.3f}".replace("-", "−")
