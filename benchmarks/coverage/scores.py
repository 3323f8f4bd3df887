"""Questions about one table of scores: ranks, pairs, families of pairs, aggregates, topics needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy

from benchmarks.coverage.cells import Answer, Cell, Question, Sample, within
from benchmarks.coverage.populations import (
    LAWS,
    Equal,
    Population,
    Random,
    at_least,
    collections,
    half_steady,
    in_steps,
    mostly_one,
    rare_successes,
    rarely_apart,
    real,
    some_zeros,
    spaced,
    with_gaps,
)
from evalcore.common.arrays import FloatArray
from evalcore.common.cached import cached_property
from evalcore.leaderboard import aggregate, aggregate_intervals, aggregate_of
from evalcore.meta import (
    against_baselines,
    compare_systems,
    corrected,
    corrected_pairs,
    difference_sd,
    difference_sd_interval,
    paired_bootstrap,
    permutation_p,
    rank_intervals,
    topic_resamples,
    topics_for_interval,
    topics_needed,
    tukey_p,
)
from evalcore.meta.differences import Draws
from evalcore.meta.discrimination import largest_needed_difference
from evalcore.meta.order import ahead
from evalcore.meta.significance import with_the_observed

ALPHA = 0.05


def cells(data: Path | None) -> Iterator[Cell]:
    """Yield the cells to measure, each with a question, a population and a number of topics."""
    yield from _of(ranks, [*_apart(), *_real(data)], (6, 10, 20, 50))
    few = [make(systems) for systems in (5, 40) for make in (half_steady, rare_successes, some_zeros)]
    yield from _of(best, [*_few_best(), half_steady(20), *few, *_real(data)], (6, 10, 25, 50))
    yield from _of(ranks, few, (6, 10, 25, 50))
    for systems, shape in product((2, 5, 10, 40), ("normal", "skewed", "uneven")):
        yield from _of(separable, [spaced(systems, 0.0, shape=shape)], (5, 6, 10, 25, 66))
    yield from _of(pair, [spaced(2, 0.0, shape=shape) for shape in ("normal", "skewed")], (5, 6, 8, 10, 15, 25, 66))
    yield from _of(pair, [rarely_apart()], (6, 10, 25, 66, 200))
    yield from _of(separable, [rarely_apart(), *few, rare_successes(2), some_zeros(10)], (6, 10, 25, 50, 66, 200))
    for question, topics in ((all_pairs, (4, 6, 25)), (families, (6, 25))):
        yield from _of(question, [Equal(law, 8) for law in LAWS], (5, 10, 25, 50))
        yield from _of(question, [Equal(law, 40) for law in LAWS], topics)
    yield from _of(aggregates, [*_nowhere_below_zero(), *_real(data, "clef2016task2", ("nDCG@10",))], (5, 12, 30))
    for population in (spaced(8, 0.01), spaced(8, 0.01, shape="zeros")):
        for sizes in ((6, 6, 6), (2, 2, 14), (1, 5, 12), (2, 2, 2, 2), (8,) * 7):
            yield Cell(grouped, Groups(population, sizes), sum(sizes))
    for law, effect in product(LAWS[:3], (1.2, 0.8, 0.5, 0.3)):
        yield Cell(found_with(effect), Equal(law, 2), topics_needed(effect, wanted=0.8))
        yield Cell(as_wide_as(effect), Equal(law, 2), topics_for_interval(effect))
    yield from _of(spread, [Equal(law, systems) for law in LAWS for systems in (2, 8, 40)], (5, 10, 25, 50))
    yield from _of(needed, [Equal(law, 8, gap) for law in LAWS[:3] for gap in (0.0, 0.05)], (5, 10, 50))


def _of(question: Question, populations: Sequence[Any], topics: tuple[int, ...]) -> Iterator[Cell]:
    yield from (Cell(question, population, count) for population in populations for count in topics)


def _apart() -> list[Population]:
    grid = ((5, 0.01), (10, 0.01), (10, 0.002), (40, 0.005), (40, 0.0005), (60, 0.002))
    others = ((10, 0.01, "skewed"), (40, 0.002, "uneven"), (40, 0.005, "zeros"))
    return [spaced(*one) for one in grid] + [spaced(systems, gap, shape=shape) for systems, gap, shape in others]


def _few_best() -> list[Population]:
    """Return populations of equal systems and of systems a small gap apart; rounded scores make ties in two of them."""
    equal = [spaced(systems, 0.0, shape=shape) for systems in (5, 20, 40) for shape in ("normal", "skewed", "zeros")]
    apart = [spaced(20, gap, shape=shape) for gap in (0.05, 0.005) for shape in ("normal", "uneven")]
    return [*equal, *apart, *[in_steps(one) for one in (equal[3], apart[0])]]


def _real(data: Path | None, names: str = "", measures: tuple[str, ...] = ("AP", "nDCG@10", "RR")) -> list[Population]:
    folders = collections(data, *(names or "clef2015 clef2016task2 dl2021judges").split())
    return [real(folder, [text]) for folder in folders for text in measures]


def _nowhere_below_zero() -> list[Population]:
    """Return populations without scores below 0, as the geometric mean requires; one has some scores of 0."""
    some = [spaced(8, 0.0), spaced(3, 0.1, noise=0.1), spaced(8, 0.02, shape="skewed"), spaced(8, 0.02, shape="zeros")]
    some = [at_least(one, 0.02) for one in some]
    return [*some, with_gaps(some[0], 0.5), at_least(spaced(8, 0.02), 0.0), mostly_one(3)]


# --- ranks ------------------------------------------------------------------------------------------------------------


def ranks(sample: Sample) -> Iterator[Answer]:
    """Check the rank intervals of three systems, and the rank intervals of all systems together.

    For comparison, the middle 95% of the three systems' ranks in resamples are checked too.
    """
    truth, scores = sample.population.means[0], sample.drawn[0]
    order, lowest, highest = np.argsort(-truth, kind="stable"), 1 + ahead(truth), len(truth) - ahead(-truth)
    table = rank_intervals(scores, 50).table.loc[sample.population.systems]
    one, every, plain = (
        np.array(ends, dtype=float)
        for ends in (table[["rank_low", "rank_high"]].T, table[["all_low", "all_high"]].T, _percentiles(scores))
    )
    hold, hold_all, held_before = ((low <= lowest) & (highest <= high) for low, high in (one, every, plain))
    for who, at in (("the best", order[0]), ("the median", order[len(order) // 2]), ("the worst", order[-1])):
        widths = [float(ends[1][at] - ends[0][at]) for ends in (one, plain)]
        yield Answer("Rank interval of one system", bool(hold[at]), who, widths[0], float(held_before[at]), widths[1])
    yield Answer("Rank intervals of all systems", bool(hold_all.all()), "", float((every[1] - every[0]).mean()))


def best(sample: Sample) -> Iterator[Answer]:
    """Check the set that may contain the best, the limits of all leads, and the rank interval of the observed leader.

    The width of the set is its number of systems; for comparison, the answer also has the number of systems that are
    not separable from the leader.
    """
    truth, names = sample.population.means[0], sample.population.systems
    table = rank_intervals(sample.drawn[0], 2).table
    known = table.loc[names]
    alike = float((~table["separable"]).sum())
    assert known["may_be_best"].sum() <= alike
    holds = bool(known["may_be_best"].iloc[int(truth.argmax())])  # if several systems are the best, one of them
    yield Answer("Who may be the best", holds, "", float(known["may_be_best"].sum()), width_before=alike)
    others = np.array([np.delete(truth, at).max() for at in range(len(truth))])
    inside = (known["lead_low"] <= truth - others + 1e-9) & (truth - others <= known["lead_high"] + 1e-9)
    unknown = bool(known["lead_low"].isna().any())
    yield Answer("Lead over the best of the others", None if unknown else bool(inside.all()))
    first = names.index(str(table.index[0]))
    low, high = table[["rank_low", "rank_high"]].iloc[0]
    held = low <= 1 + ahead(truth)[first] and len(truth) - ahead(-truth)[first] <= high
    yield Answer("Rank interval of the observed first", bool(held), "", float(high - low))


def _percentiles(scores: pd.DataFrame) -> FloatArray:
    means = topic_resamples(len(scores), 500, 0) @ scores.to_numpy() / len(scores)
    return np.quantile(1.0 + ahead(means), [0.025, 0.975], axis=0, method="inverted_cdf")


def separable(sample: Sample) -> Iterator[Answer]:
    """Count an error if any two of the equal systems are called separable."""
    yield Answer("Separable, and letters", len(rank_intervals(sample.drawn[0], 2).groups) > 1, "any pair")


# --- two equal systems, and many --------------------------------------------------------------------------------------


def pair(sample: Sample) -> Iterator[Answer]:
    """Check the interval of the difference of two systems, and four tests of it."""
    scores = sample.drawn[0]
    found, row = compare_systems(scores, "s0", "s1", 10), paired_bootstrap(scores, 1000).pairs.iloc[0]
    yield Answer("Interval of a difference", within(found.low, 0, found.high))
    yield Answer("Paired bootstrap (ASL)", row["asl"] < ALPHA)
    yield Answer("Paired t-test", row["p_t"] < ALPHA)
    yield Answer("Wilcoxon's signed-rank test", row["p_wilcoxon"] < ALPHA)
    yield Answer("Permutation test", permutation_p(scores["s0"] - scores["s1"], 1000)[0] < ALPHA)


def all_pairs(sample: Sample) -> Iterator[Answer]:
    """Count an error if any pair of equal systems is called different.

    For comparison, errors of the t-test and the bootstrap are also counted with p corrected without sign flips.
    """
    tests = paired_bootstrap(sample.drawn[0], 2000)
    plain = {
        "t-test": tests.pairs["p_t"].to_numpy(),
        "bootstrap": with_the_observed(tests.pairs["asl"].to_numpy(), 2000),
    }
    names = {"t-test": "the t-test", "Wilcoxon": "Wilcoxon's test", "bootstrap": "the bootstrap (ASL)"}
    for (test, name), correction in product(names.items(), ("Bonferroni", "Holm", "Benjamini-Hochberg")):
        wrong = corrected_pairs(tests, test, correction)["p"].min() < ALPHA
        before = float(corrected(plain[test], correction).min() < ALPHA) if test in plain else float("nan")
        yield Answer(f"All pairs, {correction} on {name}", wrong, "any", before=before)


def families(sample: Sample) -> Iterator[Answer]:
    """Check the randomised Tukey test, and tests of all systems against one.

    For comparison, the Tukey test is also checked with p from shuffled scores only.
    """
    scores = sample.drawn[0]
    tukey = tukey_p(scores, 500)
    before = float(tukey["p_shuffled"].min() < ALPHA)
    yield Answer("All pairs, Tukey", tukey["p"].min() < ALPHA, "any", before=before)
    for test, correction in (("Wilcoxon", "Benjamini-Hochberg"), ("t-test", "Holm")):
        p = against_baselines(scores, ["s0"], test, correction)["p_corrected"].min()
        yield Answer(f"All against a baseline, {test} with {correction}", p < ALPHA, "any")


# --- aggregates -------------------------------------------------------------------------------------------------------

RULES = ("Mean()", "GeometricMean()", "Standardised()", "WinRate()", "Borda()", "BradleyTerry(prior=0.1)")


@dataclass(frozen=True, eq=False)
class Groups:
    """A population whose topics are in groups, and the number of topics drawn from each group."""

    population: Population
    sizes: tuple[int, ...]

    @property
    def name(self) -> str:
        return self.population.name

    @property
    def size(self) -> int:
        return self.population.size

    @cached_property
    def of_topic(self) -> np.ndarray:
        return np.arange(len(self.population.scores[0])) % len(self.sizes)

    @cached_property
    def truth(self) -> FloatArray:
        return pd.DataFrame(self.population.scores[0]).groupby(self.of_topic).mean().mean().to_numpy()

    def draw(self, topics: int, random: Random) -> tuple[pd.DataFrame, dict[str, str]]:
        chosen = [random.choice(np.flatnonzero(self.of_topic == group), size) for group, size in enumerate(self.sizes)]
        names = [f"t{at}" for at in range(topics)]
        groups = np.repeat([f"g{at}" for at in range(len(self.sizes))], self.sizes)
        table = self.population.scores[0][np.concatenate(chosen)]
        return pd.DataFrame(table, names, self.population.systems), dict(zip(names, groups.tolist(), strict=True))


@cache
def _aggregate_truth(population: Population, rule: str) -> FloatArray:
    """Return the aggregate of each system over all topics, (S,); sums are divided by the number of topics."""
    table = pd.DataFrame(population.scores[0], columns=population.systems)
    whole = aggregate(table, rule).to_numpy(dtype=float)
    return np.asarray(whole / (1 if aggregate_of(rule).averaged else len(table)))


def aggregates(sample: Sample) -> Iterator[Answer]:
    """Check the interval under every rule of aggregation, for the best system and for one in the middle."""
    order = np.argsort(-_aggregate_truth(sample.population, "Mean()"), kind="stable")
    for rule in RULES:
        table, truth = aggregate_intervals(sample.drawn[0], rule), _aggregate_truth(sample.population, rule)
        low, high = (table[end].to_numpy() / (1 if aggregate_of(rule).averaged else sample.topics) for end in _ENDS)
        for who, at in (("a system in the middle", order[len(order) // 2]), ("the best", order[0])):
            held = within(low[at], truth[at], high[at])
            yield Answer("Interval of an aggregate", held, f"{rule}, {who}", float(high[at] - low[at]))


def grouped(sample: Sample) -> Iterator[Answer]:
    """Check the interval of the mean of the means of groups of topics."""
    (scores, groups), sizes = sample.drawn, sample.population.sizes
    truth, at = sample.population.truth, sample.population.size // 2
    low, high = aggregate_intervals(scores, "ByGroup(Mean())", groups).iloc[at][list(_ENDS)]
    what = f"ByGroup(Mean()), {len(sizes)} groups of {', '.join(map(str, sorted(set(sizes))))} topics"
    yield Answer("Interval of an aggregate", within(low, truth[at], high), what, float(high - low))


_ENDS = ("low", "high")

# --- topics needed, and differences needed ----------------------------------------------------------------------------


@cache
def _spread(population: Equal) -> float:
    """Return the standard deviation of the differences of systems, from 50,000 topics."""
    return float(difference_sd(population.draw(50_000, np.random.default_rng(0))[0]))


def found_with(effect: float) -> Question:
    """Return a question: is a difference of `effect` standard deviations found with the stated number of topics?"""

    def question(sample: Sample) -> Iterator[Answer]:
        scores = sample.drawn[0]
        differences = scores["s0"] + effect * _spread(sample.population) - scores["s1"]
        found = scipy.stats.ttest_1samp(differences, 0.0).pvalue <= ALPHA
        yield Answer("Topics needed", bool(found), f"{effect:g} standard deviations")

    return question


def as_wide_as(effect: float) -> Question:
    """Return a question about the interval of a difference with the stated number of topics.

    The width in the answer is relative to the requested width.
    """

    def question(sample: Sample) -> Iterator[Answer]:
        found = compare_systems(sample.drawn[0], "s0", "s1", 10)
        width = (found.high - found.low) / (effect * _spread(sample.population))
        what = f"{effect:g} standard deviations"
        yield Answer("Topics for an interval", within(found.low, 0, found.high), what, width)

    return question


def spread(sample: Sample) -> Iterator[Answer]:
    """Check that the limits contain the true standard deviation of differences, and yield the answer.

    The width in the answer is the difference of the limits' logarithms.
    """
    low, high = difference_sd_interval(sample.drawn[0])
    held = within(low, _spread(sample.population), high)
    width = float(np.log(high / low)) if held is not None else float("nan")
    yield Answer("Limits of the spread used for topics needed", held, "", width)


def needed(sample: Sample) -> Iterator[Answer]:
    """Check that a random pair that differs by more than the needed difference is significant.

    This is checked on these topics, and on as many new ones.
    """
    here, draws = sample.drawn[0], Draws.of(sample.topics, 1000, 0)
    (there,) = sample.population.draw(sample.topics, sample.random)
    least = largest_needed_difference(here, ALPHA, draws)
    for name, scores in (("these topics", here), ("other topics", there)):
        pairs = paired_bootstrap(scores, counts=draws).pairs
        beyond = pairs.loc[pairs["difference"].abs() > least, "asl"].to_numpy()
        held = bool(sample.random.choice(beyond) < ALPHA) if len(beyond) else None
        yield Answer(f"Needed difference, {name}", held, "a pair that differs by more")
