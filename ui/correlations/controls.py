"""How measures are compared: which correlation, over what, and the matrix that comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from evalcore.measures import ERR, RBP, TOMA, P, nDCG
from evalcore.measures.catalogue import BASES
from evalcore.meta import CORRELATIONS, EQUIVALENT, Correlation, CorrelationMatrix, correlation_matrix
from evalcore.progress import Tell, telling
from ui.frame.work import digest, results
from ui.widgets.compared import Compared, OneOf
from ui.widgets.embedding_note import OTHER, label_counts
from ui.widgets.fields import Choice, Many, Measures, Number, Switch
from ui.widgets.settings import setting
from ui.widgets.tau import RESAMPLES

LOOKS = ("Scatter", "Rank changes", "Topics", "All pairs", "Measures of aspects", "Aspects")
OVER = {"means": "system means", "topics": "topic by topic"}
OVER_HELP = (
    "system means: each system's score is averaged over topics, then the systems are compared. topic by topic: the "
    "systems are compared on each topic, then the correlations are averaged, as Maistro et al. 2021 do."
)
CORRELATION_HELP = "  \n".join(f"**{one.label}**: {one.description}" for one in CORRELATIONS.values())
DRAWN = {"resamples": RESAMPLES, "seed": 0}
THRESHOLD_HELP = "Rankings with a tau above 0.9 are usually read as equivalent (Voorhees 2001; Maistro et al. 2021)"
INTERVALS_HELP = (
    f"95 % intervals of {RESAMPLES:,} resamples of the topics (seed 0), the same for every pair: point at a cell. A "
    "resample repeats topics and so blurs both rankings: over system means the interval lies a little lower than the "
    "value itself."
)
MORE_BASES = [str(one) for one in (*BASES, nDCG(cutoff=10), P(cutoff=10), RBP(), ERR(cutoff=20))]


def _looks(page: Comparison) -> Choice:
    """Closer looks; those at aspects take two of them that tell documents apart."""
    scales = page.collection.assessments.scales
    several = sum(len(scales[name].grades) > 1 for name in page.collection.aspects) > 1
    return Choice("Look closer", LOOKS if several else LOOKS[:-2], segmented=True)


def _embedding(page: Comparison) -> Choice | None:
    """Where scales differ in length, and so embeddings."""
    differ = len(set(label_counts(page.collection, page.collection.aspects).values())) > 1
    help = TOMA.parameters()["embedding"].metadata["help"]
    return Choice("TOMA by", list(OTHER), segmented=True, help=help) if differ else None


def _test(page: Comparison) -> OneOf | None:
    return page.one("Look at" if page.kind.symmetric else "Test", 1, help="Or click a cell")


def _reference(page: Comparison) -> OneOf | None:
    return page.one("Against" if page.kind.symmetric else "Reference")


@dataclass(frozen=True)
class Comparison(Compared):
    """How measures are compared: which correlation, over what, and which two are looked at."""

    PAGE: ClassVar[str] = "correlations"

    correlation: str = setting(
        Choice("Correlation", list(CORRELATIONS), names=lambda one: CORRELATIONS[one].label, help=CORRELATION_HELP)
    )
    over: Literal["means", "topics"] = setting(
        Choice("Taken over", list(OVER), names=OVER.__getitem__, segmented=True, help=OVER_HELP)
    )
    threshold: float = setting(Number("Equivalent above", 0.5, 1.0, EQUIVALENT, 0.01, help=THRESHOLD_HELP))
    intervals: bool = setting(Switch("Bootstrap intervals", help=INTERVALS_HELP))
    test: str | None = setting(_test)
    reference: str | None = setting(_reference)
    look: str = setting(_looks)
    bases: tuple[str, ...] = setting(
        Measures("Instantiated with", MORE_BASES, tuple(map(str, BASES)), help="Measures of one aspect")
    )
    aspects: tuple[str, ...] = setting(
        lambda page: Many("Aspects", page.collection.aspects, placeholder="all graded ones")
    )
    embedding: str | None = setting(_embedding)

    @property
    def kind(self) -> Correlation:
        return CORRELATIONS[self.correlation]

    @property
    def pair(self) -> tuple[str, str]:
        """Test and reference."""
        assert self.test is not None
        assert self.reference is not None
        return self.test, self.reference


def computed(page: Comparison) -> CorrelationMatrix | None:
    """The correlation of every two measures; kept for the next run. None where the work was held."""
    digests = tuple((text, digest(frame)) for text, frame in page.scores.items())
    name = ("correlations", digests, page.correlation, page.over, page.intervals)
    resamples = RESAMPLES if page.intervals else 0

    def job(tell: Tell) -> CorrelationMatrix:
        with telling(tell):
            return correlation_matrix(page.scores, page.correlation, page.over, n_resamples=resamples)

    return results("correlations", "Comparing every two measures", {name: job}).get(name)


def cell(frame: pd.DataFrame, test: str, reference: str) -> float:
    return float(frame.to_numpy()[frame.index.get_loc(test), frame.columns.get_loc(reference)])


def number(value: float) -> str:
    return "none" if np.isnan(value) else f"{value:.3f}".replace("-", "−")
