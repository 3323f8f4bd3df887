"""The step of the guided path in which students follow links by hand."""

from __future__ import annotations

from evalcore.measures import Browse, ep
from evalcore.navigation.browsing import hand_walk
from evalcore.navigation.paper_example import SYSTEM, example
from ui.navigation import lesson as browsing


def test_a_page_that_is_visited_again_adds_nothing_more() -> None:
    """Section 6.1: d3 is reached by a link, left, and consulted as a result, which adds no further gain."""
    steps = ["next", "follow:d3", "back", "next", "next", "stop"]
    walk = hand_walk(example(), ep(navigation=Browse()).users, "topic", SYSTEM, steps)
    news = browsing.added(walk)
    assert news == ["", "", "gain 1", "", "", "", ""]
    assert browsing.at_first(walk, news) == {"d1": "", "d2": "", "d3": "gain 1"}
