"""Walks step by step: section 6.1 of the paper, and steps that are not allowed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import evalcore as ec
from app_support import ROOT
from evalcore import InputError
from evalcore.measures import Browse, Effort, Stay, Walk, ep
from evalcore.navigation import browsing
from evalcore.navigation.paper_example import SYSTEM, example
from evalcore.navigation.walk_tables import walkthrough


def walked(*steps: str, click: float = 0.0) -> browsing.HandWalk:
    users = ep(navigation=Browse(), effort=Effort(click=click)).users
    return browsing.hand_walk(example(), users, "topic", SYSTEM, steps)


@pytest.mark.parametrize(
    ("steps", "effort"),
    [
        (["next", "follow:d3"], 1.0),
        (["next", "next", "follow:d3"], 2.0),
        (["next", "next", "next"], 3.0),
        (["next", "follow:d3", "back", "back", "next", "next", "stop"], 3.0),
    ],
)
def test_the_effort_of_each_path_through_section_6_1(steps: Sequence[str], effort: float) -> None:
    walk = walked(*steps)
    assert (walk.effort[-1], walk.gain[-1], walk.recall) == (effort, 1.0, 1.0)  # d3 counts once
    assert walk.precision == pytest.approx(1 / effort)


def test_the_paths_weighted_by_their_shares_give_the_printed_effort_precision() -> None:
    ways = {0.4: ["next", "follow:d3"], 0.6 * 0.3: ["next", "next", "follow:d3"], 0.6 * 0.7: ["next"] * 3}
    assert sum(share * walked(*steps).precision for share, steps in ways.items()) == pytest.approx(0.63, abs=0.005)


def test_a_link_costs_a_click_and_going_back_nothing() -> None:
    walk = walked("next", "follow:d3", "back", "stop", click=0.5)
    assert walk.effort.tolist() == [0, 1, 1.5, 1.5, 1.5]
    assert walk.page == ("", "d1", "d3", "d1", "")
    assert walk.ended


@pytest.mark.parametrize(
    "steps",
    [
        ["follow:d3"],
        ["back"],
        ["next", "follow:d2"],
        ["next", "follow:"],
        ["next"] * 4,
        ["stop", "next"],
        ["fly"],
        [""],
    ],
)
def test_a_step_that_cannot_be_made_is_refused_and_what_came_before_is_kept(steps: list[str]) -> None:
    with pytest.raises(InputError, match="expected"):
        walked(*steps)
    kept, problem = browsing.longest_walk(example(), ep(navigation=Browse()).users, "topic", SYSTEM, steps)
    assert list(kept) == steps[:-1]
    assert problem


def test_users_who_follow_no_links_cannot_go_on() -> None:
    with pytest.raises(InputError, match="follow links"):
        browsing.hand_walk(example(), ep(navigation=Stay()).users, "topic", SYSTEM, ["next"])


def test_the_expected_curve_equals_section_6_1() -> None:
    curves = browsing.gain_by_effort(example(), ep(navigation=Browse()).users, "topic", SYSTEM)
    assert curves["list"]["gain"].tolist() == pytest.approx([0, 0.4, 0.58, 1])
    assert curves["ideal"].values.tolist() == [[0, 0], [1, 1]]
    assert [browsing.gain_at(curves["list"], effort) for effort in (0, 0.9, 2, 99)] == pytest.approx([0, 0, 0.58, 1])


def test_on_a_site_the_curve_is_that_of_the_walkthrough_and_gain_only_grows() -> None:
    site = ec.load(ROOT / "sample_data" / "site")
    users = ep(navigation=Walk(stop=0.3), effort=Effort(click=0.5)).users
    curve = browsing.gain_by_effort(site, users, "t02", "hub_rank")["list"]
    second = walkthrough(site, users, "t02", "hub_rank", len(curve) - 1)  # all components, not only those of worth
    np.testing.assert_allclose(curve["gain"], second.expected)
    np.testing.assert_allclose(curve["effort"], second.effort)
    random, steps = np.random.default_rng(1), list[str]()
    for _ in range(30):
        walk = browsing.hand_walk(site, users, "t02", "hub_rank", steps)
        steps.append(
            f"follow:{random.choice([one for one, _ in walk.ways])}" if walk.ways and random.random() < 0.6 else "next"
        )
    walk = browsing.hand_walk(site, users, "t02", "hub_rank", steps)
    assert (np.diff(walk.gain) >= 0).all()
    assert (np.diff(walk.effort) > 0).all()
    assert walk.effort[-1] == steps.count("next") + 0.5 * (len(steps) - steps.count("next"))
    assert walk.gain[-1] <= walk.total


@pytest.mark.parametrize("topic", ["t01", "t02"])
def test_the_curve_without_links_equals_a_walk_from_result_to_result(topic: str) -> None:
    site = ec.load(ROOT / "sample_data" / "site")
    users = ep(navigation=Walk(stop=0.3), effort=Effort(click=0.5)).users
    curve = browsing.without_links(site, users, topic, "hub_rank")
    walk = browsing.hand_walk(site, users, topic, "hub_rank", ["next"] * (len(curve) - 1))
    assert curve["effort"].tolist() == pytest.approx(walk.effort.tolist())
    assert curve["gain"].tolist() == pytest.approx(walk.gain.tolist())
    assert browsing.effort_to(curve, walk.gain[-1]) == walk.effort[int(np.argmax(walk.gain == walk.gain[-1]))]
    assert browsing.effort_to(curve, walk.gain[-1] + 1) == float("inf")
