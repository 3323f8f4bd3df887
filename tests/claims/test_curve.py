"""Effects, intervals and decisions: equal to slow loops, and right where the answer is built in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from claims.made import leading, multiverse_of, two_tastes
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.claims import Claim, Multiverse, parse_claim, specification_curve
from evalcore.errors import InputError
from evalcore.meta import topic_resamples

CLAIM = parse_claim("a > b")
RNG = np.random.default_rng(5)
FIVE = ("a", "b", "c", "d", "e")
RANDOM = multiverse_of(RNG.random((4, 5, 9)), FIVE)
SETS = multiverse_of(
    RNG.random((4, 5, 9)),
    FIVE,
    topic_sets=[[True] * 9, [True] * 4 + [False] * 5],
    topic_set=[0, 1, 0, 1],
)
RESAMPLES, SEED = 60, 3


def slowly(multiverse: Multiverse, statistic: Callable[..., Any]) -> np.ndarray:
    """(N, 4) a statistic of scores (S, T), its percentiles and deviation over resampled topics, one after the other."""
    found = []
    for at in range(len(multiverse)):
        topics = multiverse.design.topic_sets[multiverse.design.topic_set[at]]
        scores = multiverse.scores[multiverse.scored[at]][:, topics]
        counts = topic_resamples(scores.shape[1], RESAMPLES, SEED)
        drawn = [statistic(np.repeat(scores, count, axis=1)) for count in counts]
        found.append([statistic(scores), *np.quantile(drawn, [0.025, 0.975]), np.std(drawn, ddof=1)])
    return np.array(found).T


def difference(scores: np.ndarray) -> float:
    return float(np.mean(scores[0] - scores[1]))


def standardised(scores: np.ndarray) -> float:
    return float(np.mean(scores[0] - scores[1]) / np.std(scores[0] - scores[1], ddof=1))


def rank(scores: np.ndarray) -> float:
    means = scores.mean(axis=1)
    return float(1 + (means > means[0] + 1e-12).sum())


def lead_over_third(scores: np.ndarray) -> float:
    means = scores.mean(axis=1)
    return float(means[0] - np.sort(means[1:])[-3])


def lead_over_best(scores: np.ndarray) -> float:
    means = scores.mean(axis=1)
    return float(means[0] - means[1:].max())


@pytest.mark.parametrize("multiverse", [RANDOM, SETS], ids=["all topics", "sets of topics"])
@pytest.mark.parametrize(
    ("text", "kind", "statistic"),
    [
        ("a > b", "difference", difference),
        ("a > b", "standardised", standardised),
        ("a > b", "rank", rank),
        ("a in top 3", "difference", lead_over_third),
        ("a first", "difference", lead_over_best),
        ("a first", "rank", rank),
    ],
)
def test_effects_and_intervals_equal_a_slow_loop(multiverse, text, kind, statistic):
    found = specification_curve(multiverse, parse_claim(text), kind=kind, resamples=RESAMPLES, seed=SEED)
    slow = slowly(multiverse, statistic)
    assert np.allclose([found.effect, found.low, found.high, found.error], slow, rtol=0, atol=1e-12)


def test_blocks_of_specifications_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = specification_curve(RANDOM, parse_claim("a first"), resamples=RESAMPLES)
    monkeypatch.setattr("evalcore.claims.curve.NUMBERS_AT_ONCE", 1)
    assert np.allclose(specification_curve(RANDOM, parse_claim("a first"), resamples=RESAMPLES).low, whole.low)


def test_an_order_holds_where_all_neighbours_hold_and_fails_where_one_fails() -> None:
    rng = np.random.default_rng(8)
    base = rng.random((300, 1, 12))
    multiverse = multiverse_of(
        base + rng.normal(0, 0.3, (300, 3, 1)) + rng.normal(0, 0.2, (300, 3, 12)), ("a", "b", "c")
    )
    first, second, both = (
        specification_curve(multiverse, parse_claim(text)) for text in ("a > b", "b > c", "a > b > c")
    )
    assert np.array_equal(both.decision, np.minimum(first.decision, second.decision))
    assert {-1, 0, 1} == set(both.decision.tolist())
    assert np.array_equal(both.effect, np.minimum(first.effect, second.effect))
    assert np.array_equal(both.low > 0, both.decision == 1)


def test_a_claim_is_decided_by_where_its_interval_lies() -> None:
    sure, unsure = [0.1, 0.2, 0.1, 0.2], [0.3, -0.3, 0.1, -0.1]
    found = specification_curve(leading([sure, unsure, [-one for one in sure]]), CLAIM)
    assert found.decision.tolist() == [1, 0, -1]
    assert found.order.tolist() == [2, 1, 0]


def test_a_system_that_leads_by_the_same_everywhere_leads_for_sure() -> None:
    found = specification_curve(leading([[0.1] * 5]), CLAIM)
    assert (found.low[0], found.high[0], found.decision[0]) == (pytest.approx(0.1), pytest.approx(0.1), 1)


def test_exact_ties_are_undecided_however_they_were_rounded() -> None:
    scores = np.array([[[0.1 + 0.2, 0.6, 0.3], [0.3, 0.1 * 6, 0.3]]])
    found = specification_curve(multiverse_of(scores), CLAIM)
    assert (found.effect[0], found.low[0], found.high[0], found.decision[0]) == (0, 0, 0, 0)
    assert specification_curve(multiverse_of(scores), CLAIM, kind="rank").effect[0] == 1  # ties share the better rank


def test_on_one_topic_nothing_is_decided() -> None:
    found = specification_curve(leading([[0.4]]), CLAIM)
    assert found.effect[0] == pytest.approx(0.4)
    assert np.isnan([found.low[0], found.high[0], found.error[0]]).all()
    assert found.decision[0] == 0


def test_systems_are_compared_on_the_topics_that_both_have() -> None:
    scores = [[[0.9, 0.5, np.nan, 0.5], [np.nan, 0.4, 0.9, 0.3]]]
    assert specification_curve(multiverse_of(scores), CLAIM).effect[0] == pytest.approx(0.15)  # of .1 and .2


def test_systems_without_a_topic_in_common_are_undecided() -> None:
    found = specification_curve(multiverse_of([[[0.9, np.nan], [np.nan, 0.4]]]), CLAIM)
    assert np.isnan(found.effect[0])
    assert found.decision[0] == 0


def test_an_infinite_lead_is_no_interval() -> None:
    found = specification_curve(multiverse_of([[[-1.0, -2.0, -1.0], [-1.0, -np.inf, -1.5]]]), CLAIM)
    assert found.effect[0] == np.inf
    assert found.decision[0] == 0


def test_an_infinitely_bad_system_is_last_and_one_without_topics_has_no_rank() -> None:
    scores = [[[-np.inf, -1.0], [-2.0, -1.0], [-3.0, -1.0]]]
    bad = specification_curve(multiverse_of(scores, ("a", "b", "c")), parse_claim("a first"), kind="rank")
    assert bad.effect[0] == 3
    lacking = [[[np.nan, np.nan], [0.2, 0.1], [0.1, 0.1]]]
    none = multiverse_of(lacking, ("a", "b", "c"))
    assert np.isnan(specification_curve(none, parse_claim("a first"), kind="rank").effect[0])
    assert specification_curve(none, parse_claim("b first"), kind="rank").effect[0] == 1
    assert specification_curve(none, parse_claim("b first")).effect[0] == pytest.approx(0.05)


@given(st.integers(0, 99))
def test_turning_the_claim_round_turns_the_curve(seed: int) -> None:
    multiverse = leading(np.random.default_rng(seed).normal(0.02, 0.1, (5, 8)))
    one = specification_curve(multiverse, CLAIM, resamples=40)
    other = specification_curve(multiverse, Claim(("b", "a")), resamples=40)
    assert np.array_equal(one.decision, -other.decision)
    assert np.allclose(one.low, -other.high)


def test_resamples_of_one_topic_alone_do_not_hide_the_error_of_a_standardised_lead() -> None:
    # of three topics, one resample in nine draws one of them three times: no deviation, an infinite ratio
    found = specification_curve(leading([[0.1, 0.3, 0.2]]), CLAIM, kind="standardised")
    assert found.effect[0] == pytest.approx(2)
    assert np.isfinite(found.error[0])
    assert found.decision[0] == 1


def test_only_a_lead_over_a_named_system_can_be_standardised() -> None:
    with pytest.raises(InputError, match="a first: expected an effect that this claim has"):
        specification_curve(RANDOM, parse_claim("a first"), kind="standardised")


@pytest.mark.parametrize(
    ("measures", "holds", "fails"),
    [
        (["P@1", "AP", "RBP"], 1.0, 0.0),
        (["P@1", 'P(aspect="understandability")@1'], 0.5, 0.5),
        (['P(aspect="understandability")@1', 'AP(aspect="understandability")'], 0.0, 1.0),
    ],
    ids=["all", "half", "none"],
)
def test_a_system_better_by_construction_is_found_to_be(measures: list[str], holds: float, fails: float) -> None:
    options = ", ".join(f"'{one}'" for one in measures)
    specs = f'[[choice]]\nname = "measure"\nmeasures = [{options}]\n'
    found = ec.claim("topical > easy", specs, two_tastes())
    assert (found.verdict.holds, found.verdict.fails, found.verdict.undecided) == (holds, fails, 0)
