"""Letters: two systems share one exactly if they are not separable."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from evalcore.meta import rank_intervals
from evalcore.meta.letters import letters_of, letters_of_pairs, sharing


@st.composite
def graphs(draw):
    """Draw the pairs of systems that are not separable, as any symmetric relation."""
    count = draw(st.integers(1, 9))
    pairs = list(combinations(range(count), 2))
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    near = np.eye(count, dtype=bool)
    for (a, b), alike in zip(pairs, chosen, strict=True):
        near[a, b] = near[b, a] = alike
    return near


@given(graphs())
def test_two_systems_share_a_letter_exactly_if_they_are_not_separable(near):
    letters = [set(text.split()) for text in letters_of(sharing(near), len(near))]
    for a, b in combinations(range(len(near)), 2):
        assert bool(letters[a] & letters[b]) == near[a, b]


@given(graphs())
def test_every_system_has_a_letter_and_no_letter_is_superfluous(near):
    groups = sharing(near)
    assert {system for group in groups for system in group} == set(range(len(near)))
    pairs: list[set[tuple[int, ...]]] = [set(combinations(group, 2)) or {(group[0],)} for group in groups]
    for at, own in enumerate(pairs):
        assert not own <= set().union(*pairs[:at], *pairs[at + 1 :])


def test_the_leader_has_the_first_letter():
    near = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 1]], dtype=bool)
    assert sharing(near) == [(0, 2), (1, 2)]


def test_more_groups_than_letters_of_the_alphabet_still_match_the_pairs():
    """Names of groups are whole words: systems in a and in aa share no letter."""
    systems = 80
    scores = pd.DataFrame(np.random.default_rng(1).normal(0, 0.2, (50, systems)) - 0.005 * np.arange(systems))
    found = rank_intervals(scores.rename(columns=str), 50)
    assert len(found.groups) > 26
    letters = found.table["groups"].map(lambda text: set(text.split())).tolist()
    near = np.array([[bool(one & other) for other in letters] for one in letters])
    assert near[0].tolist() == (~found.table["separable"]).tolist()
    low, high = 1 + np.tril(~near).sum(axis=1), systems - np.triu(~near).sum(axis=1)  # the rows stand best first
    assert (low.tolist(), high.tolist()) == (found.table["all_low"].tolist(), found.table["all_high"].tolist())
    assert set(found.may_be_best) <= set(found.table.index[near[0]])


@given(graphs())
def test_letters_of_pairs_show_which_pairs_differ(near):
    systems = [f"s{at}" for at in range(len(near))]
    rows = [(systems[a], systems[b], 0.5 if near[a, b] else 0.01) for a, b in combinations(range(len(near)), 2)]
    letters = letters_of_pairs(systems, pd.DataFrame(rows, columns=["system_a", "system_b", "p"]), 0.05)
    for a, b, p in rows:
        assert bool(set(letters[a].split()) & set(letters[b].split())) == (p > 0.05)


def test_a_pair_without_a_p_does_not_differ():
    pairs = pd.DataFrame({"system_a": ["x"], "system_b": ["y"], "p": [np.nan]})
    assert letters_of_pairs(["x", "y"], pairs, 0.05).tolist() == ["a", "a"]
