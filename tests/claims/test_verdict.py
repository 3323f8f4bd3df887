"""The sentence of a claim: true also in extreme cases."""

from __future__ import annotations

import re

import numpy as np
import pytest
from claims.made import leading, multiverse_of
from hypothesis import given
from hypothesis import strategies as st

from evalcore.claims import Multiverse, Verdict, parse_claim, sources_of, specification_curve, verdict_of
from evalcore.common.rounding import percent


def sentence(multiverse: Multiverse, text: str = "a > b") -> str:
    curve = specification_curve(multiverse, parse_claim(text))
    sources = sources_of(multiverse, curve)
    return verdict_of(curve, sources, multiverse).sentence


NO_CONTRARY = " (no topic contradicts it, but an unseen kind of topic may make up 39% of all topics)."


EASY = np.arange(8) / 1000  # scores must vary, because unseen topics count against systems with constant scores


def constant(*effects: float) -> list[list[float]]:
    return [[effect] * 6 for effect in effects]


def test_the_sentence_of_a_claim() -> None:
    verdict = Verdict(
        "A > B", 2160, 0.83, 0.04, 0.13, depends_on="readability threshold", variance_share=0.41,
        turns="exceeds 17", turns_of="readability threshold",
    )  # fmt: skip
    assert verdict.sentence == (
        "A > B holds in 83% of 2,160 specifications, is reversed in 4%, undecided in 13%; it depends most on the "
        "readability threshold (41% of the variance) and changes when it exceeds 17."
    )


@pytest.mark.parametrize(
    ("effects", "beginning"),
    [
        (
            [0.1, 0.1],
            f"a > b holds in all 2 specifications{NO_CONTRARY}",
        ),
        (
            [-0.1, -0.1],
            f"a > b is reversed in all 2 specifications{NO_CONTRARY}",
        ),
        ([0.0, 0.0], "a > b is undecided in all 2 specifications."),
        (
            [0.1],
            f"a > b holds in the one specification{NO_CONTRARY}",
        ),
        (
            [-0.1],
            f"a > b is reversed in the one specification{NO_CONTRARY}",
        ),
        ([0.0], "a > b is undecided in the one specification."),
        ([0.1, -0.1], "a > b holds in 50% of 2 specifications, is reversed in 50%"),
        ([0.0, -0.1], "a > b holds in none of 2 specifications, is reversed in 50%, undecided in 50%"),
        ([0.1, 0.0], "a > b holds in 50% of 2 specifications, undecided in 50%"),
    ],
)
def test_a_verdict_omits_numbers_that_are_not_there(effects: list[float], beginning: str) -> None:
    found = sentence(leading(constant(*effects)))
    assert found.startswith(beginning)


def test_the_verdict_counts_the_specifications_with_too_few_topics() -> None:
    sets = multiverse_of(
        np.stack([np.full((3, 8), 0.2), np.zeros((3, 8))], axis=1) + EASY[:8],
        topic_sets=[[True] * 8, [True] * 4 + [False] * 4],
        topic_set=[0, 1, 0],
    )
    assert sentence(sets) == (
        "a > b holds in 67% of 3 specifications, undecided in 33% (with fewer than 6 topics nothing can be decided, "
        "as in 1 of the specifications; no topic contradicts it, but an unseen kind of topic may make up 31% of all "
        "topics)."
    )


def test_an_order_breaks_at_a_pair_and_a_claim_about_a_rank_fails() -> None:
    scores = np.array([[[0.3] * 6, [0.1] * 6, [0.2] * 6], [[0.1] * 6, [0.2] * 6, [0.3] * 6]]) + EASY[:6]
    three = multiverse_of(scores, ("a", "b", "c"))
    assert sentence(three, "a > c > b") == (
        "a > c > b holds in 50% of 2 specifications, breaks in 50% (at a > c); it depends most on the measure (100% of "
        "the variance) (no topic contradicts it, but an unseen kind of topic may make up 39% of all topics)."
    )
    assert sentence(three, "a > b > c").startswith(
        "a > b > c breaks in all 2 specifications (at b > c in 100%, at a > b in 50%)"
    )
    assert sentence(three, "a first").startswith("a first holds in 50% of 2 specifications, fails in 50%")
    assert sentence(three, "b in top 2").startswith("b in top 2 holds in 50% of 2 specifications, fails in 50%")


@pytest.mark.parametrize(
    ("small", "contrary", "number", "decision"), [(0.2, 0.04, 145, 1), (0.17, 1.0, 4, 0), (0.136, 1.0, 3, 0)]
)
def test_the_verdict_states_how_many_unseen_topics_would_reverse_it(
    small: float, contrary: float, number: int, decision: int
) -> None:
    """29 topics have a small lead, t3 has an opposite one: `number` more topics like t3 reverse the mean."""
    lead = np.full(30, small) + np.linspace(-0.01, 0.01, 30)
    lead[3] = -contrary
    multiverse = leading([lead.tolist()])
    curve = specification_curve(multiverse, parse_claim("a > b"))
    total, count = lead.sum(), 0
    while total >= 0:
        total, count = total - contrary, count + 1
    assert count == number
    assert (curve.unseen.tolist(), curve.contrary.tolist(), curve.decision.tolist()) == ([number], [3], [decision])
    found = sentence(multiverse)
    assert ("undecided in 100%, as 3 unseen topics like t3 would reverse the decision" in found) == (number < 4)
    assert (f"({number} unseen topics like t3 would reverse the decision" in found) == (decision == 1)


@pytest.mark.parametrize("text", ["a > b", "b > a", "a first", "b first"])
@pytest.mark.parametrize(("success", "enough"), [(0.25, True), (0.5, False)])
def test_the_verdict_names_a_system_with_the_same_score_on_nearly_all_topics(
    text: str, success: float, enough: bool
) -> None:
    """b fails on 9 of 10 topics: 5.6 more successes of .5 would reverse the order, and successes of .25 would not."""
    scores = np.array([np.linspace(0.1, 0.3, 10), [0.0] * 9 + [success]])
    found = sentence(multiverse_of(scores[None]), text)
    assert ("b has a constant score on 9 of 10 topics, and more topics are needed" in found) != enough
    assert found.startswith(f"{text} is undecided") != enough
    assert ("may make up 26% of all topics" in found) == enough


@given(st.lists(st.sampled_from([-0.1, 0.0, 0.1]), min_size=1, max_size=40))
def test_the_percentages_are_those_of_the_decisions(effects: list[float]) -> None:
    found = sentence(leading(constant(*effects)))
    for word, value in (("holds in", 0.1), ("is reversed in", -0.1)):
        share = effects.count(value) / len(effects)
        shown = re.search(rf"{word} (\S+(?: \d+)?%)", found)
        assert (shown[1] if shown else "0%") in {percent(share), "0%"}
        assert bool(shown) == (0 < share < 1)
