"""Sources of an effect: shares that are known by construction, and values at which the verdict changes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from claims.made import multiverse_of, numbers
from numpy.typing import ArrayLike

from evalcore.claims import (
    Choice,
    Multiverse,
    Option,
    Sources,
    options_behind,
    parse_claim,
    sources_of,
    specification_curve,
)
from evalcore.claims.sources import TOGETHER, TOPICS, Turn

CLAIM = parse_claim("a > b")


def with_leads(leads: np.ndarray, made: np.ndarray, choices: list[Choice], **more: object) -> Multiverse:
    """Make a multiverse in which a leads b by these amounts (N, T)."""
    easy = (
        np.zeros_like(leads) + np.arange(leads.shape[-1]) / 1000
    )  # with the same score everywhere, nothing is decided
    return multiverse_of(np.stack([leads + easy, easy], axis=1), made=made, choices=choices, **more)  # type: ignore[arg-type]


def sources(leads: np.ndarray, made: np.ndarray, choices: list[Choice], **more: object) -> Sources:
    multiverse = with_leads(leads, made, choices, **more)
    return sources_of(multiverse, specification_curve(multiverse, CLAIM))


def constant(effects: ArrayLike, n_topics: int = 6) -> np.ndarray:
    """Return the same lead on every topic, so that topics add no variance."""
    return np.repeat(np.asarray(effects, dtype=float)[:, None], n_topics, axis=1)


def test_shares_of_a_full_product_are_those_of_an_analysis_of_variance() -> None:
    # effect = 3 x + 4 y with x, y in -1, 1: variances 9 and 16 of 25
    made = np.array(list(product((0, 1), repeat=2)))
    x, y = 2 * made.T - 1
    found = sources(constant(3 * x + 4 * y), made, [numbers("x", [1, 2]), numbers("y", [1, 2])])
    assert found.table["share"][["x", "y", TOPICS, TOGETHER]].tolist() == pytest.approx([9 / 25, 16 / 25, 0, 0])
    assert found.main == ("y", pytest.approx(16 / 25))


def test_interactions_of_choices_are_reported_separately() -> None:
    made = np.array(list(product((0, 1), repeat=2)))
    x, y = 2 * made.T - 1
    found = sources(constant(x * y), made, [numbers("x", [1, 2]), numbers("y", [1, 2])])
    assert found.table["share"][TOGETHER] == pytest.approx(1)
    assert found.main is None  # no choice alone


def test_a_choice_is_judged_among_the_specifications_that_it_applies_to() -> None:
    # the first measure has no y, and effects 1 and 1; the second has y, and effects -2 and 0: the variance is 1 between
    # measures, and 1 from y on half of the specifications
    made = np.array([[0, -1], [0, -1], [1, 0], [1, 1]])
    found = sources(constant([1, 1, -2, 0]), made, [numbers("kind", [1, 2]), numbers("y", [1, 2])])
    assert found.variance == pytest.approx(1.5)
    assert found.table["share"][["kind", "y", TOGETHER]].tolist() == pytest.approx([2 / 3, 1 / 3, 0])


def test_topics_are_a_source_of_variance_like_choices() -> None:
    rng = np.random.default_rng(2)
    noise = rng.normal(size=50)
    noise = (noise - noise.mean()) / noise.std()
    made = np.array([[0], [1]])
    leads = np.stack([noise - 0.1, noise + 0.1])  # between: .01; over topics: 1 / 50 = .02
    found = sources(leads, made, [numbers("x", [1, 2])])
    assert found.table["share"][TOPICS] == pytest.approx(2 / 3, abs=0.03)  # of 1,000 resamples
    assert found.main == (TOPICS, pytest.approx(2 / 3, abs=0.03))


def test_a_sample_is_corrected_for_what_chance_explains() -> None:
    # y does nothing; in samples its means differ by chance
    rng = np.random.default_rng(0)
    made = rng.integers(0, 10, (200, 1))
    multiverse = with_leads(constant(rng.normal(size=200)), made, [numbers("y", list(range(10)))])
    curve = specification_curve(multiverse, CLAIM)
    as_full = sources_of(multiverse, curve).table["share"]["y"]
    object.__setattr__(multiverse.design, "possible", 10**6)
    object.__setattr__(multiverse.design.specifications, "most", 200)
    assert sources_of(multiverse, curve).table["share"]["y"] < as_full - 0.02


@pytest.mark.parametrize("scale", [1.0, 1e-9])
def test_without_variation_there_is_no_source(scale: float) -> None:
    found = sources(scale * constant([0.1, 0.1]), np.array([[0], [1]]), [numbers("x", [1, 2])])
    assert (found.variance, found.main, found.turns) == (0, None, ())
    assert not found.table["share"].any()


def test_a_threshold_of_the_verdict_lies_below_the_first_number_that_holds() -> None:
    found = sources(constant([-0.1, 0.1, 0.2]), np.arange(3)[:, None], [numbers("threshold", [20, 8, 14])])
    # by value: 8 holds, 14 holds, 20 does not
    assert found.turns == (Turn("threshold", "exceeds", 14),)
    found = sources(constant([-0.1, 0.1, 0.2]), np.arange(3)[:, None], [numbers("threshold", [2, 8, 14])])
    assert found.turns == (Turn("threshold", "falls below", 8),)


def test_no_threshold_is_reported_for_unordered_options_or_mixed_verdicts() -> None:
    back = sources(constant([0.1, -0.1, 0.1]), np.arange(3)[:, None], [numbers("threshold", [1, 2, 3])])
    assert back.turns == ()
    texts = Choice("t", "unassessed", (Option("0", "0"), Option("1", "1")))
    assert sources(constant([0.1, -0.1]), np.arange(2)[:, None], [texts]).turns == ()


def test_overrepresented_options_of_selected_specifications_are_found() -> None:
    made = np.array([[0, 0], [0, 1], [1, -1], [1, -1]])
    design = with_leads(constant([1, 1, 1, 1]), made, [numbers("x", [1, 2]), numbers("y", [3, 4])]).design
    found = options_behind(design, np.array([False, True, True, True]))
    assert found.iloc[0].tolist() == ["y", "4", 1.0, 0.5, 2.0]  # y applies to one of the three, and there it is 4
    assert found.iloc[1].tolist() == ["x", "2", pytest.approx(2 / 3), 0.5, pytest.approx(4 / 3)]
    assert ["y", "3"] not in found[["choice", "option"]].values.tolist()
    assert len(options_behind(design, np.zeros(4, dtype=bool))) == 0
