"""Scores that come in steps: their corrected p equal those of flipped signs; the p of other scores are unchanged."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from benchmarks.coverage.populations import LAWS
from evalcore.meta import against_baselines, corrected, corrected_pairs, paired_bootstrap
from evalcore.meta.steps import least_p

STEPS = next(law for law in LAWS if "six values" in law.name)
TESTS = ("bootstrap", "t-test")


def frame(seed: int, topics: int = 6, systems: int = 13) -> pd.DataFrame:
    return STEPS.draw(topics, systems, np.random.default_rng(seed))


def slow(scores: pd.DataFrame) -> list[float]:
    """Return the lower limit of p for every pair of systems, by a loop over signs."""
    values = [[round(5 * score) for score in scores[name]] for name in scores]  # whole numbers
    leads = [[x - y for x, y in zip(a, b, strict=True)] for at, a in enumerate(values) for b in values[at + 1 :]]
    reached = [0] * len(leads)
    flips = list(product((1, -1), repeat=len(scores)))
    own = [sum(d * d for d in lead) for lead in leads]
    lengths = [square and len(leads) * square + sum(own) for square in own]  # with the mean of all, as whole numbers
    for signs in flips:
        totals = [sum(s * d for s, d in zip(signs, lead, strict=True)) ** 2 for lead in leads]
        for at, lead in enumerate(leads):
            seen = sum(lead) ** 2  # compared as fractions: seen / length with total / other length
            reached[at] += any(
                total * (lengths[at] or 1) >= seen * length
                for total, length in zip(totals, lengths, strict=True)
                if length
            )
    found = []
    for at, lead in enumerate(leads):
        sizes = [abs(d) for d in lead if d]
        found.append(reached[at] / len(flips) / len(leads) if len(set(sizes)) < len(sizes) else 0.0)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_the_least_p_is_that_of_a_slow_loop_over_signs(seed: int) -> None:
    scores = frame(seed)
    assert least_p(scores.to_numpy().T, *np.triu_indices(13, 1)).tolist() == pytest.approx(slow(scores))


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("correction", ["Bonferroni", "Holm", "Benjamini-Hochberg"])
def test_equal_differences_on_few_topics_are_not_significant_among_many_pairs(test: str, correction: str) -> None:
    """The pair differs by a fifth on all of five topics, for which a t-test gives p = 0."""
    scores = frame(1, topics=5, systems=12)
    scores["s1"] = scores["s0"] + 0.2
    tests = paired_bootstrap(scores, 2000)
    pair = tests.pairs[["system_a", "system_b"]].eq(["s0", "s1"]).all(axis=1)
    assert tests.pairs.loc[pair, "p_t"].item() == 0
    assert corrected_pairs(tests, test, correction).loc[pair, "p"].item() > 0.05
    assert corrected_pairs(tests, test).loc[pair, "p"].item() == 0  # nothing is corrected: Sakai's, and the textbook's
    bases = ["s0", *(f"s{at}" for at in range(7, 12))]  # 36 tests
    table = against_baselines(scores, bases, test, correction, 2000)
    own = table[(table["baseline"] == "s0") & (table["system"] == "s1")]
    assert own["p"].item() == 0
    assert own["p_corrected"].item() > 0.05


@pytest.mark.parametrize("test", TESTS)
def test_scores_without_steps_and_many_topics_keep_their_p(test: str) -> None:
    column = {"bootstrap": "asl", "t-test": "p_t"}[test]
    for scores in (LAWS[0].draw(5, 12, np.random.default_rng(2)), frame(3, 7)):  # 78 pairs, and 128 signs
        tests = paired_bootstrap(scores, 500)
        p = tests.pairs[column].to_numpy()
        p = (500 * p + 1) / 501 if test == "bootstrap" else p
        assert corrected_pairs(tests, test, "Holm")["p"].tolist() == corrected(p, "Holm").tolist()


def test_topics_that_a_pair_lacks_do_not_make_it_significant() -> None:
    """Two systems share five of 40 topics, and differ by the same amount on them."""
    scores = frame(4, 40, 10)
    scores.loc[:, "s1"] = np.where(np.arange(40) < 5, scores["s0"] + 0.2, np.nan)
    tests = paired_bootstrap(scores, 500)
    assert (tests.pairs["p_t"][0], tests.pairs["topics"][0]) == (0, 5)
    assert corrected_pairs(tests, "t-test", "Holm")["p"][0] > 0.05


def test_pairs_with_infinite_scores_do_not_count() -> None:
    scores = frame(5)
    without = corrected_pairs(paired_bootstrap(scores, 100), "t-test", "Bonferroni")["p"]
    scores["never"] = [np.inf, *[0.2] * 5]
    found = corrected_pairs(paired_bootstrap(scores, 100), "t-test", "Bonferroni")
    rest = found[found["system_b"] != "never"]["p"]
    assert found[found["system_b"] == "never"]["p"].isna().all()
    assert rest.tolist() == without.tolist()
