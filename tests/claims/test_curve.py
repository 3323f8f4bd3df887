"""Effects, limits and decisions: equal to slow loops, and right if the answer is known by construction."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from claims.made import leading, multiverse_of, two_tastes
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.claims import Claim, Multiverse, parse_claim, specification_curve
from evalcore.common.constants import EffectKind
from evalcore.errors import InputError
from evalcore.meta import topic_resamples
from evalcore.meta.comparisons import ROUNDING, compared

CLAIM = parse_claim("a > b")
RNG = np.random.default_rng(5)
FIVE = ("a", "b", "c", "d", "e")
SPREAD = np.linspace(0.6, 0, 5)[:, None]
RANDOM = multiverse_of(RNG.random((12, 5, 9)) + SPREAD * RNG.random((12, 5, 1)), FIVE)
SETS = multiverse_of(
    RNG.random((12, 5, 9)) + SPREAD * RNG.random((12, 5, 1)),
    FIVE,
    topic_sets=[[True] * 9, [True] * 7 + [False] * 2],
    topic_set=[0, 1] * 6,
)
RESAMPLES, SEED = 300, 3  # of 9 topics, all 256 sign vectors are counted
BEYOND = 1 + ROUNDING  # a value must exceed a critical value by more than rounding


def v(lead: np.ndarray, square: float = 0.0) -> float:
    """Return the statistic v, with the sign of the lead; for a claim about a rank, with the mean variance."""
    return float(np.sum(lead) / np.sqrt(np.sum(np.square(lead) + square)))


def by_signs(*leads: np.ndarray, square: float = 0.0) -> float:
    """Return the critical value of |v|: at most 5% of all sign vectors give one of these leads a larger v."""
    signs = list(product((1, -1), repeat=len(leads[0])))
    largest = sorted(max(abs(v(lead * np.array(sign), square)) for lead in leads) for sign in signs)
    return largest[-1 - int(0.05 * len(signs))] * BEYOND


def by_resamples(lead: np.ndarray) -> float:
    """Return the critical value of |v|: under 5% of the resamples of the centred lead have a larger v."""
    centred = lead - lead.mean()
    drawn = [np.repeat(centred, counts) for counts in topic_resamples(len(lead), RESAMPLES, SEED)]
    found = sorted(abs(v(one)) if one.any() else 0.0 for one in drawn)
    return found[-int(np.ceil(0.05 * RESAMPLES))] * BEYOND


def limits(lead: np.ndarray, critical: float, square: float = 0.0) -> tuple[float, float]:
    """Return mean -+ t times standard error, with t from v: v^2 = n t^2 / (n - 1 + t^2)."""
    n = len(lead)
    t = np.sqrt((n - 1) * critical**2 / (n - critical**2))
    width = t * np.sqrt((lead.var() + square) / (n - 1))
    return float(lead.mean() - width), float(lead.mean() + width)


def leads_in(multiverse: Multiverse, at: int, pairs: list[tuple[int, int]]) -> list[np.ndarray]:
    topics = multiverse.design.topic_sets[multiverse.design.topic_set[at]]
    scores = multiverse.scores[multiverse.scored[at]][:, topics]
    return [scores[better] - scores[worse] for better, worse in pairs]


@pytest.mark.parametrize("multiverse", [RANDOM, SETS], ids=["all topics", "sets of topics"])
@pytest.mark.parametrize("text", ["a > b", "a > c", "a > c > e", "e > b > a"])
def test_orders_equal_a_slow_loop_over_sign_vectors_and_resamples(multiverse: Multiverse, text: str) -> None:
    claim = parse_claim(text)
    found = specification_curve(multiverse, claim, resamples=RESAMPLES, seed=SEED)
    pairs = [(FIVE.index(better), FIVE.index(worse)) for better, worse in claim.pairs]
    for at in range(len(multiverse)):
        leads = leads_in(multiverse, at, pairs)
        single = [max(by_signs(lead), by_resamples(lead)) for lead in leads]
        joint = [max(by_signs(*leads), by_resamples(lead)) for lead in leads]
        low = min(limits(one, critical)[0] for one, critical in zip(leads, single, strict=True))
        high = min(limits(one, critical)[1] for one, critical in zip(leads, joint, strict=True))
        holds = all(v(one) > critical for one, critical in zip(leads, single, strict=True))
        broken = [v(one) < -critical for one, critical in zip(leads, joint, strict=True)]
        assert found.decision[at] == holds - any(broken)
        assert found.broken[at].tolist() == broken
        assert found.effect[at] == pytest.approx(min(lead.mean() for lead in leads))
        assert (found.low[at], found.high[at]) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))


@pytest.mark.parametrize("multiverse", [RANDOM, SETS], ids=["all topics", "sets of topics"])
@pytest.mark.parametrize(("system", "top"), [("a", 1), ("a", 3), ("c", 2), ("e", 1), ("e", 4)])
def test_claims_about_ranks_are_decided_as_rank_intervals_are(multiverse: Multiverse, system: str, top: int) -> None:
    claim, own = Claim((system,), top), FIVE.index(system)
    found = specification_curve(multiverse, claim)
    ranks = specification_curve(multiverse, claim, kind="rank")
    for at in range(len(multiverse)):
        topics = multiverse.design.topic_sets[multiverse.design.topic_set[at]]
        scores = multiverse.scores[multiverse.scored[at]][:, topics]
        decided = compared(scores.T).each[own]
        beaten, beating = int((decided > 0).sum()), int((decided < 0).sum())
        assert found.decision[at] == (beaten >= 5 - top) - (beating >= top)
        assert (ranks.low[at], ranks.high[at]) == (1 + beating, 5 - beaten)
        leads = np.sort(scores[own].mean() - np.delete(scores.mean(axis=1), own))
        assert found.effect[at] == pytest.approx(leads[top - 1])
    assert np.array_equal(found.low > 0, found.decision == 1)
    assert np.array_equal(found.high < 0, found.decision == -1)
    assert np.array_equal(ranks.decision, found.decision)


def test_the_limits_of_an_undecided_claim_about_a_rank_hold_for_all_other_systems_at_once() -> None:
    alike = multiverse_of(np.random.default_rng(2).random((6, 5, 9)), FIVE)
    found = specification_curve(alike, parse_claim("a in top 2"), resamples=RESAMPLES, seed=SEED)
    for at in np.flatnonzero(found.decision == 0):
        leads = leads_in(alike, int(at), [(0, other) for other in range(1, 5)])
        square = np.mean([lead.var(ddof=1) for lead in leads_in(alike, int(at), list(combinations(range(5), 2)))])
        ends = np.array([limits(lead, by_signs(*leads, square=square), square) for lead in leads])
        assert (found.low[at], found.high[at]) == pytest.approx(tuple(np.sort(ends, axis=0)[1]), abs=1e-12)


def test_systems_that_are_equal_are_decided_in_at_most_6_of_100_specifications() -> None:
    # 1,000 specifications with different topics; for 5%, the exact binomial 99.9% bound is .076
    equal = multiverse_of(np.random.default_rng(9).normal(size=(1000, 10, 12)), [*FIVE, *"fghij"])
    for text in ("a > b", "a > b > c", "a first", "a in top 5"):
        decided = np.mean(specification_curve(equal, parse_claim(text)).decision != 0)
        assert decided < 0.076


def test_limits_cover_the_true_lead() -> None:
    # 1,000 specifications with different topics; for 95%, the exact binomial 99.9% bound is .924
    means = np.array([0.3, 0.2, 0.2, 0.1, 0.0])
    noisy = multiverse_of(np.random.default_rng(10).normal(means[:, None], 0.2, (1000, 5, 12)), FIVE)
    cases: list[tuple[str, EffectKind, float]] = [
        ("a > b", "difference", 0.1),
        ("a > b", "standardised", 0.1 / (0.2 * np.sqrt(2))),
        ("a > b > d", "difference", 0.1),
        ("a first", "difference", 0.1),
        ("d in top 2", "difference", -0.1),
        ("d first", "rank", 4),
    ]
    for text, kind, truth in cases:
        found = specification_curve(noisy, parse_claim(text), kind=kind)
        assert np.mean((found.low <= truth) & (truth <= found.high)) > 0.924


def test_computing_in_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = specification_curve(RANDOM, parse_claim("a first"), resamples=RESAMPLES)
    monkeypatch.setattr("evalcore.claims.curve.NUMBERS_AT_ONCE", 1)
    assert np.allclose(specification_curve(RANDOM, parse_claim("a first"), resamples=RESAMPLES).low, whole.low)


def test_with_five_topics_nothing_is_decided_and_no_limits_are_given() -> None:
    # 2 of 32 sign vectors are as extreme as the clearest lead: 6.25%
    five, six = (specification_curve(leading([[0.1, 0.2, 0.1, 0.2, 0.1, 0.2][:n]]), CLAIM) for n in (5, 6))
    assert (five.decision[0], six.decision[0]) == (0, 1)
    assert np.isnan([five.low[0], five.high[0]]).all()
    assert five.fewest == 6


def test_a_constant_lead_is_certain() -> None:
    found = specification_curve(leading([[0.1] * 6]), CLAIM)
    assert (found.low[0], found.high[0], found.decision[0]) == (pytest.approx(0.1), pytest.approx(0.1), 1)


def test_exact_ties_are_undecided_whatever_the_rounding() -> None:
    scores = np.array([[[0.1 + 0.2, 0.6, 0.35, 0.7, 0.2, 0.9], [0.3, 0.1 * 6, 0.35, 0.1 * 7, 0.2, 0.9]]])
    found = specification_curve(multiverse_of(scores), CLAIM)
    assert (found.effect[0], found.low[0], found.high[0], found.decision[0]) == (0, 0, 0, 0)
    assert specification_curve(multiverse_of(scores), CLAIM, kind="rank").effect[0] == 1  # ties share the better rank


def test_systems_are_compared_on_the_topics_that_both_have() -> None:
    scores = [[[0.9, 0.5, np.nan, 0.5], [np.nan, 0.4, 0.9, 0.3]]]
    assert specification_curve(multiverse_of(scores), CLAIM).effect[0] == pytest.approx(0.15)  # of .1 and .2


def test_systems_without_a_topic_in_common_are_undecided() -> None:
    found = specification_curve(multiverse_of([[[0.9, np.nan], [np.nan, 0.4]]]), CLAIM)
    assert np.isnan(found.effect[0])
    assert found.decision[0] == 0


def test_an_infinite_lead_has_no_interval() -> None:
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


def test_a_system_without_topics_has_no_rank_and_loses_to_all() -> None:
    rng = np.random.default_rng(3)
    scores = rng.random((1, 3, 9)) * 0.1 + np.array([[0.5], [0.3], [0.0]])
    scores[0, 2] = np.nan
    found = specification_curve(multiverse_of(scores, ("a", "b", "c")), parse_claim("a first"))
    pair = specification_curve(multiverse_of(scores[:, :2]), CLAIM)
    assert (found.decision[0], found.effect[0]) == (1, pytest.approx(pair.effect[0]))
    assert specification_curve(multiverse_of(scores, ("a", "b", "c")), parse_claim("c first")).decision[0] == 0


@given(st.integers(0, 99))
def test_reversing_the_claim_reverses_the_curve(seed: int) -> None:
    multiverse = leading(np.random.default_rng(seed).normal(0.02, 0.1, (5, 8)))
    one = specification_curve(multiverse, CLAIM, resamples=40)
    other = specification_curve(multiverse, Claim(("b", "a")), resamples=40)
    assert np.array_equal(one.decision, -other.decision)
    assert np.allclose(one.low, -other.high)


def test_a_standardised_lead_is_decided_as_the_difference_is() -> None:
    noisy = leading(np.random.default_rng(7).normal(0.1, 0.2, (200, 9)))
    one, other = (specification_curve(noisy, CLAIM, kind=kind) for kind in ("difference", "standardised"))
    assert np.array_equal(one.decision, other.decision)
    assert np.array_equal(other.low > 0, other.decision == 1)
    assert {0, 1} <= set(other.decision.tolist())


def test_only_a_lead_over_a_named_system_can_be_standardised() -> None:
    with pytest.raises(InputError, match="a first: expected an effect of this claim"):
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
    options = ", ".join(f"'{measure}'" for measure in measures)
    specs = f'[[choice]]\nname = "measure"\nmeasures = [{options}]\n'
    found = ec.claim("topical > easy", specs, two_tastes())
    assert (found.verdict.holds, found.verdict.fails, found.verdict.undecided) == (holds, fails, 0)
