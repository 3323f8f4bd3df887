"""Settings of the pages Pairs, Topics needed and Top documents, which share one state."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import pandas as pd

import evalcore as ec
from evalcore.common.cached import cached_property
from evalcore.common.progress import Tell
from evalcore.data import Collection
from evalcore.limits import of_resamples
from evalcore.measures import short_names
from evalcore.meta import CORRECTIONS, best_first, difference_sd, difference_sd_interval
from evalcore.meta.differences import Draws
from evalcore.meta.needed_topics import DESIGNS
from evalcore.meta.significance import TESTS
from ui.address.families import all_short, rival
from ui.address.settings import setting
from ui.computing import work
from ui.computing.cached import cached
from ui.computing.measures import scored
from ui.data.compared import Compared
from ui.screen.calls import Call, call, keyed, line
from ui.widgets.fields import Choice, Field, Many, Number, Switch

Result = TypeVar("Result")

BH = "Benjamini-Hochberg"
RESAMPLES = (1_000, 10_000, 100_000)
TUKEY = "randomised Tukey HSD"
ALPHA_HELP = (
    "The accepted error rate: how often two equally good systems may be called different. A pair differs significantly "
    "if its ASL is below α (0.01 in Maistro et al., 0.05 in Sakai)."
)
RESAMPLES_HELP = "Number of resamples, shared by all pairs and measures. The smallest ASL above 0 is its reciprocal."
TEST_HELP = (
    "The test of a pair: Sakai's bootstrap (ASL), the paired t-test, Wilcoxon's signed-rank test or randomised Tukey "
    "HSD. Tukey HSD shuffles the scores of all systems within each topic and needs no further correction; because "
    "the variance may differ between systems, the higher of its p and the p of a sign-flip test is used."
)
CORRECTION_HELP = (
    "Among many pairs some look different by chance. To explore, Benjamini-Hochberg keeps the expected share of false "
    "differences at most α; to conclude, Bonferroni and Holm keep the chance of any false difference at most α."
)
MARGIN_HELP = (
    "A difference of means that does not matter to you (0: no test): pairs are equivalent if two one-sided t-tests "
    "show that the true difference is smaller. A pair without a significant difference need not be equivalent."
)
DIFFERENCE_HELP = "The smallest difference of two means that matters to you, in units of the measure"
WANTED_HELP = "The probability of detecting a true difference of the chosen size"
DESIGN_HELP = (
    "Paired compares two systems on the same topics, and two-sample compares them on different topics. ANOVA compares "
    "all systems; the difference is between the best and the worst."
)
SHARES_HELP = "Divide each label by the length of its scale. Otherwise a scale up to 100 outweighs one up to 2."


def _against(page: Power) -> Field | None:
    """Return the field for the second system; None without systems.

    The default is the leader; if the leader is the first system, it is the best system of another family.
    """
    if not page.systems:
        return None
    leader = page.best[0]
    return Choice("against", page.systems, leader if page.a != leader else rival(page.best), called=all_short)


def _difference(page: Power, label: str = "Difference", help: str = DIFFERENCE_HELP, off: bool = False) -> Field | None:
    """Return the slider for a difference, in steps that fit the spread of the scores; None if no steps fit.

    If p is the largest power of ten that is not above the spread, the slider runs from p / 20 to 5 p. With `off` it
    begins at 0, which is then the default.
    """
    decade = 10.0 ** math.floor(math.log10(page.sd)) if page.sd > 0 and math.isfinite(page.sd) else 0.0
    if not (1e-12 < decade < 1e12):  # beyond these limits a slider has no steps
        return None
    digits = max(0, 2 - round(math.log10(decade)))
    ends = (0.0, 5 * decade, 0.0, decade / 20) if off else (decade / 20, 5 * decade, decade / 2, decade / 20)
    return Number(label, *(round(end, digits) for end in ends), format=f"%.{digits}f", help=help)


def _shares(page: Power) -> Field:
    return Switch("Shares of each scale", uneven(page.collection, page.looked_at), help=SHARES_HELP)


def uneven(collection: Collection, aspects: Sequence[str]) -> bool:
    """Return True if the longest scale is more than 10 times as long as the shortest, so that its labels dominate."""
    lengths = [scale.high - scale.low for scale in map(collection.assessments.scale, aspects)]
    return bool(lengths) and max(lengths) > 10 * min(lengths)


@dataclass(frozen=True)
class Power(Compared, page="discriminative_power"):
    """Settings: the measures, their tests, and the chosen systems and labels."""

    alpha: float = setting(Number("α", 0.001, 0.2, 0.01, 0.001, format="%.3f", help=ALPHA_HELP))
    resamples: int = setting(Choice("Resamples of topics", RESAMPLES, 10_000, names="{:,}".format, help=RESAMPLES_HELP))
    seed: int = setting(Number("Seed", 0, 100, 0, 1, help="A different seed draws different resamples"))
    a: str | None = setting(
        lambda page: Choice("System", page.systems, page.best[0], called=all_short) if page.systems else None
    )
    b: str | None = setting(_against)
    measure: str | None = setting(lambda page: page.field_of_measure("Measure"))
    test: str = setting(Choice("Test", [*TESTS, TUKEY], help=TEST_HELP))
    correction: str = setting(Choice("Correction", list(CORRECTIONS), BH, help=CORRECTION_HELP))
    margin: float | None = setting(partial(_difference, label="Equivalence margin", help=MARGIN_HELP, off=True))
    difference: float | None = setting(_difference)
    wanted: float = setting(Number("Target power", 0.5, 0.99, 0.8, 0.01, help=WANTED_HELP))
    design: str = setting(Choice("Design", DESIGNS, help=DESIGN_HELP))
    aspects: tuple[str, ...] = setting(lambda page: Many("Aspects", page.collection.aspects, placeholder="all"))
    depth: int = setting(Number("Depth: zero-aspect", 1, 20, 5, 1))
    sum_depth: int = setting(Number("Depth: label sums", 4, 1000, 100, 4))
    bands: int = setting(lambda page: Number("Bands", 1, min(10, page.sum_depth), 4, 1))
    shares: bool = setting(_shares)

    def cut_scores(self, depth: int) -> Call[dict[str, pd.DataFrame]]:
        """Return the call of the scores under each measure, with rankings cut at a depth."""
        cut = call("cut", ec.cut_rankings, self.collection, depth)
        return line("cut_scores", keyed(self.scored.it, lambda text: scored("", text, cut.it).it))

    @cached_property
    def named(self) -> Call[dict[str, str]]:
        """Call of the short name of each measure, by its text."""
        return call("names", short_names, self.scored.it).known(self.names)

    def kept(
        self,
        name: str,
        label: str,
        run: Callable[[pd.DataFrame, Tell], Result],
        known_by: tuple[Hashable, ...],
        frames: Mapping[str, pd.DataFrame],
        asked: Mapping[str, float] | None = None,
    ) -> dict[str, Result]:
        """Return the results of `run` by measure, which are cached; some are missing if the work was stopped."""
        keys = {text: (work.digest(frame), *known_by) for text, frame in frames.items()}
        jobs: dict[Hashable, work.Job[Result]] = {keys[text]: partial(run, frame) for text, frame in frames.items()}
        results = work.results(name, label, jobs, asked)
        return {text: results[key] for text, key in keys.items() if key in results}

    def each(
        self, name: str, make: Callable[[pd.DataFrame], Result], results: Mapping[str, Result]
    ) -> Call[dict[str, Result]]:
        """Return a call that applies `make` to the scores under each measure; its results are already known."""
        texts = self.scored.it if len(results) == len(self.scores) else list(results)
        return line(name, keyed(texts, lambda text: make(self.scored.it[text]))).known(dict(results))

    @property
    def sd(self) -> float:
        """Standard deviation over topics of differences between systems; nan if no measure is chosen."""
        return spread(self.scores[self.measure]) if self.measure else math.nan

    @cached_property
    def best(self) -> list[str]:
        """The systems, best first under the first measure."""
        return [str(name) for name in best_first(next(iter(self.scores.values())).mean()).index]

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two systems compared below the figure; None if they are the same, or if one is missing."""
        return None if self.a is None or self.b is None or self.a == self.b else (self.a, self.b)

    @property
    def looked_at(self) -> tuple[str, ...]:
        """The chosen aspects; all aspects if none is chosen."""
        return self.aspects or self.collection.aspects

    @property
    def n_topics(self) -> int:
        return len(next(iter(self.scores.values()))) if self.scores else 0

    @property
    def draws(self) -> Draws:
        return _draws(self.n_topics, self.resamples, self.seed)

    @property
    def known_by(self) -> tuple[Hashable, ...]:
        """The settings that the resamples depend on, in addition to the scores: their number, and the seed."""
        return self.resamples, self.seed

    @property
    def drawn(self) -> dict[str, int]:
        return {"resamples": self.resamples, "seed": self.seed}

    def asked(self, n_measures: int) -> dict[str, float]:
        """Map "tests" and "memory" (MB) to the amounts needed to test all pairs under `n_measures` measures."""
        return of_resamples(self.resamples, self.n_topics, len(self.systems), n_measures)


@cached(64)
def spread(scores: pd.DataFrame) -> float:
    """Return the standard deviation of the differences between two systems, pooled over all pairs; it is cached."""
    return difference_sd(scores)


@cached(64)
def limits_of_spread(scores: pd.DataFrame) -> tuple[float, float]:
    """Return the 95% confidence limits of `spread`, which are cached."""
    return difference_sd_interval(scores)


@cached(2)
def _draws(n_topics: int, resamples: int, seed: int) -> Draws:
    return Draws.of(n_topics, resamples, seed)
