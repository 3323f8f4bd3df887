"""Systems ahead, tied or first: equal to exact means of scores in hundredths, for every function that orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.explain.top_documents import best_shares
from evalcore.meta import (
    CORRELATIONS,
    correlation_matrix,
    distinguished_pairs,
    ranks,
    similar_together,
)
from evalcore.meta.correlation import tau
from evalcore.meta.order import ahead, means
from evalcore.meta.pairwise import all_pairs
from evalcore.sensitivity.first_places import Outcomes

Hundredths = list[list[int]]  # systems x topics


@st.composite
def tables(draw: st.DrawFn, lowest: int = 0) -> Hundredths:
    """Draw up to 6 systems; some have another's scores on other topics, and some scores are small."""
    topics = draw(st.integers(2, 12))
    row = st.lists(st.one_of(st.integers(lowest, 100), st.integers(0, 3)), min_size=topics, max_size=topics)
    systems = draw(st.lists(row, min_size=1, max_size=3))
    return [*systems, *(draw(st.permutations(system)) for system in systems)]


def frame_of(table: Hundredths) -> pd.DataFrame:
    scores = np.array(table, dtype=float).T / 100
    topics, systems = ([f"{kind}{at}" for at in range(count)] for kind, count in zip("ts", scores.shape, strict=True))
    return pd.DataFrame(scores, topics, systems)


def exact_ahead(sums: list[Any]) -> list[int]:
    """Count the systems that are better than each, with exact numbers."""
    return [sum(other > one for other in sums) for one in sums]


@given(tables())
def test_ranks_are_those_of_the_exact_means(table):
    scores, exact = frame_of(table), exact_ahead([sum(row) for row in table])
    assert (ranks(scores.mean()) - 1).tolist() == exact
    assert ahead(scores.to_numpy().mean(axis=0)).tolist() == exact
    assert ahead(np.ones(len(scores)) @ scores.to_numpy()).tolist() == exact


@given(tables(lowest=-100))
def test_the_same_scores_of_both_signs_have_the_same_mean(table):
    """The means must be equal to the last bit, because no tolerance helps if scores cancel."""
    found, half = means(frame_of(table).to_numpy()), len(table) // 2
    assert found[:half].tolist() == found[half:].tolist()


@given(st.lists(tables(), min_size=2, max_size=2))
def test_correlations_are_those_of_the_exact_orders(pair):
    shared = min(map(len, pair)), min(len(table[0]) for table in pair)
    cut = [[row[: shared[1]] for row in table[: shared[0]]] for table in pair]
    x, y = map(frame_of, cut)
    exact = [-np.array(exact_ahead([sum(row) for row in table]), dtype=float) for table in cut]
    for name, correlation in CORRELATIONS.items():
        if name != "pearson":
            wanted = correlation(*exact)
            assert correlation(x.mean(), y.mean()) == pytest.approx(wanted, nan_ok=True, abs=1e-12), name
            matrix = correlation_matrix({"x": x, "y": y}, name)
            assert matrix.values.loc["x", "y"] == pytest.approx(wanted, nan_ok=True, abs=1e-12), name
            both = all_pairs(name, np.array([[x.mean(), y.mean()]]))
            assert both[0, 0, 1] == pytest.approx(wanted, nan_ok=True, abs=1e-12), name


@given(tables())
def test_winners_at_a_setting_and_on_a_topic_are_those_of_exact_scores(table):
    scores, exact = frame_of(table), np.array(exact_ahead([sum(row) for row in table]))
    settings = np.array([scores.mean(), scores.iloc[::-1].to_numpy().mean(axis=0)])
    found = Outcomes(tuple(scores.columns), settings[0], settings, tau(settings, settings[0]))
    assert found.first.tolist() == [(exact == 0).tolist()] * 2
    assert found.winner.tolist() == [int(np.argmax(exact == 0))] * 2
    on_topic = np.array(table).T
    assert (best_shares(scores).to_numpy() > 0).tolist() == (on_topic == on_topic.max(axis=1, keepdims=True)).tolist()


@given(tables())
def test_equal_means_are_not_distinguished(table):
    """Equal means do not differ, whatever difference is asked for."""
    scores = frame_of(table)
    found = distinguished_pairs(scores, scores, same=2.0, apart=0.0)
    sums = dict(zip(scores.columns, [sum(row) for row in table], strict=True))
    wanted = {(a, b) for a in sums for b in sums if sums[a] > sums[b]}
    assert set(zip(found["system_a"], found["system_b"], strict=True)) == wanted


@given(tables(), st.randoms())
def test_the_order_of_topics_does_not_change_the_order_of_measures(table, dice):
    """Means over topics of equal correlations differ in the last bits, but the order of measures must not."""
    frames = {f"m{at}": frame_of(table) ** power for at, power in enumerate([1, 2, 0.5, 1, 3])}
    topics = list(frames["m0"].index)
    dice.shuffle(topics)
    before, after = (
        correlation_matrix({name: one.loc[order] for name, one in frames.items()}, "tau", "topics").values
        for order in (list(frames["m0"].index), topics)
    )
    assert similar_together(before) == similar_together(after)
