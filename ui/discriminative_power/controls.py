"""What is tested on the page Discriminative power, and how."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import streamlit as st

from evalcore.data import Collection
from evalcore.limits import of_resamples
from evalcore.meta import CORRECTIONS, best_first
from evalcore.meta.differences import Draws
from evalcore.meta.discrimination import DECISIONS
from evalcore.meta.significance import TESTS
from ui.frame import work
from ui.widgets.compared import Compared, OneOf
from ui.widgets.fields import Choice, Field, Many, Number, Switch
from ui.widgets.settings import setting

LOOKS = ONE_PAIR, ALL_PAIRS, NEEDED, TWO_MEASURES, TOP_SYSTEMS = (
    "One pair",
    "All pairs",
    "Needed difference",
    "Two measures",
    "What the top systems return",
)
RESAMPLES = (1_000, 10_000, 100_000)
TUKEY = "randomised Tukey HSD"
ALPHA_HELP = (
    "A pair is told apart when its ASL is below α: how often equally good systems may be called different. Maistro et "
    "al. use 0.01, Sakai 0.05."
)
RESAMPLES_HELP = "Drawn once and shared by all pairs and measures. The smallest ASL above 0 is one in so many."
TEST_HELP = (
    "bootstrap: Sakai's ASL. t-test: the paired t-test. Randomised Tukey HSD shuffles the scores of all systems within "
    "each topic: it looks at all pairs at once and needs no further correction."
)
CORRECTION_HELP = (
    "With many pairs some look different by chance. Bonferroni and Holm: the chance of any false one is at most α. "
    "Benjamini-Hochberg: on average at most a share α of those called different is false."
)
SHARES_HELP = "Divide each label by the length of its scale, so that a scale to 100 does not drown one to 2"


def _system(page: Power) -> Field | None:
    return Choice("System", page.systems, page.best[0]) if page.systems else None


def _against(page: Power) -> Field | None:
    """Another system; at first the best one that is not looked at yet."""
    if not page.systems:
        return None
    return Choice("against", page.systems, next(name for name in page.best if name != page.a))


def _decided(page: Power) -> Field | None:
    """What two measures can decide about a pair."""
    if page.x is None or page.y is None:
        return None
    only = {"x only": f"only {page.names[page.x]}", "y only": f"only {page.names[page.y]}"}
    return OneOf("List the pairs told apart by", DECISIONS, "x only", names=lambda one: only.get(one, one))


def _shares(page: Power) -> Field:
    return Switch("Shares of each scale", uneven(page.collection, page.looked_at), help=SHARES_HELP)


def uneven(collection: Collection, aspects: Sequence[str]) -> bool:
    """Whether one scale is so long that its labels would drown the others."""
    lengths = [scale.high - scale.low for scale in map(collection.assessments.scale, aspects)]
    return bool(lengths) and max(lengths) > 10 * min(lengths)


@dataclass(frozen=True)
class Power(Compared):
    """Which measures are tested and how, and what is looked at closely."""

    PAGE: ClassVar[str] = "discriminative_power"

    alpha: float = setting(Number("α", 0.001, 0.2, 0.01, 0.001, format="%.3f", help=ALPHA_HELP))
    resamples: int = setting(Choice("Resamples of topics", RESAMPLES, 10_000, names="{:,}".format, help=RESAMPLES_HELP))
    seed: int = setting(Number("Seed", 0, 100, 0, 1, help="Another seed, other resamples"))
    look: str = setting(Choice("Look closer", LOOKS, segmented=True))
    a: str | None = setting(_system)
    b: str | None = setting(_against)
    measure: str | None = setting(lambda page: page.one("Measure"))
    test: str = setting(Choice("Test", [*TESTS, TUKEY], help=TEST_HELP))
    correction: str = setting(Choice("Correction", list(CORRECTIONS), help=CORRECTION_HELP))
    x: str | None = setting(lambda page: page.one("One measure"))
    y: str | None = setting(lambda page: page.one("Another", 1))
    decided: str | None = setting(_decided)
    aspects: tuple[str, ...] = setting(lambda page: Many("Aspects", page.collection.aspects, placeholder="all"))
    depth: int = setting(Number("Depth: zero-aspect", 1, 20, 5, 1))
    sum_depth: int = setting(Number("Depth: label sums", 4, 1000, 100, 4))
    bands: int = setting(lambda page: Number("Bands", 1, min(10, page.sum_depth), 4, 1))
    shares: bool = setting(_shares)

    @property
    def best(self) -> list[str]:
        """The systems, best first by the first measure."""
        return [str(name) for name in best_first(next(iter(self.scores.values())).mean()).index]

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two systems looked at below the figure, if two are."""
        if self.look != ONE_PAIR or self.a is None or self.b is None or self.a == self.b:
            return None
        return self.a, self.b

    @property
    def looked_at(self) -> tuple[str, ...]:
        """The aspects whose labels are looked at."""
        return self.aspects or self.collection.aspects

    @property
    def n_topics(self) -> int:
        return len(next(iter(self.scores.values()))) if self.scores else 0

    @property
    def draws(self) -> Draws:
        return _draws(self.n_topics, self.resamples, self.seed)

    @property
    def drawn(self) -> dict[str, int]:
        return {"resamples": self.resamples, "seed": self.seed}

    def asked(self, n_measures: int) -> dict[str, float]:
        """How much a test of all pairs under some measures asks for."""
        return of_resamples(self.resamples, self.n_topics, len(self.systems), n_measures)

    def kept_as(self, text: str, *more: Hashable) -> Hashable:
        """What the result for a measure depends on."""
        return (work.digest(self.scores[text]), self.resamples, self.seed, *more)


@st.cache_resource(max_entries=2, show_spinner=False)
def _draws(n_topics: int, resamples: int, seed: int) -> Draws:
    return Draws.of(n_topics, resamples, seed)
