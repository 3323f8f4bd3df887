"""Letters: two systems share one where they are not separable, and only there."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evalcore.meta.letters import letters_of, sharing


@st.composite
def graphs(draw):
    """Which pairs of systems are not separable: any symmetric relation."""
    count = draw(st.integers(1, 9))
    pairs = list(combinations(range(count), 2))
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    near = np.eye(count, dtype=bool)
    for (a, b), alike in zip(pairs, chosen, strict=True):
        near[a, b] = near[b, a] = alike
    return near


@given(graphs())
def test_two_systems_share_a_letter_exactly_where_they_are_not_separable(near):
    letters = [set(text.split()) for text in letters_of(sharing(near), len(near))]
    for a, b in combinations(range(len(near)), 2):
        assert bool(letters[a] & letters[b]) == near[a, b]


@given(graphs())
def test_every_system_has_a_letter_and_no_letter_could_go(near):
    groups = sharing(near)
    assert {system for group in groups for system in group} == set(range(len(near)))
    pairs: list[set[tuple[int, ...]]] = [set(combinations(group, 2)) or {(group[0],)} for group in groups]
    for at, own in enumerate(pairs):
        assert not own <= set().union(*pairs[:at], *pairs[at + 1 :])


def test_the_first_letter_is_the_leaders():
    near = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 1]], dtype=bool)
    assert sharing(near) == [(0, 2), (1, 2)]
