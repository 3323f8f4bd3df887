"""Moves between two measures, and the contributions of topics: equal to slow loops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.meta import ranks


@st.composite
def two_frames(draw: st.DrawFn) -> tuple[pd.DataFrame, pd.DataFrame]:
    topics, systems = draw(st.integers(1, 5)), draw(st.integers(2, 5))
    score = st.integers(0, 4).map(lambda one: one / 4)
    labels = [f"t{at}" for at in range(topics)], [f"s{at}" for at in range(systems)]
    rows = st.lists(st.lists(score, min_size=systems, max_size=systems), min_size=topics, max_size=topics)
    return pd.DataFrame(draw(rows), *labels), pd.DataFrame(draw(rows), *labels)


def slow_crossed(x: pd.Series, y: pd.Series, system: str) -> set[str]:
    """Return the systems that a system crosses between its ranks under x and y."""
    if y[system] == x[system]:
        return set()
    if y[system] > x[system]:
        return {one for one in x.index if y[one] < y[system] and not x[one] < x[system]}
    return {one for one in x.index if x[one] < x[system] and not y[one] < y[system]}


@given(two_frames(), st.data())
def test_a_move_is_what_a_loop_over_systems_and_topics_finds(frames, data):
    x, y = frames
    system = data.draw(st.sampled_from(list(x.columns)))
    found = ec.move(x, y, system)
    assert (found.rank_x, found.rank_y) == (ranks(x.mean())[system], ranks(y.mean())[system])
    crossed = slow_crossed(ranks(x.mean()), ranks(y.mean()), system)
    assert set(found.crossed) == crossed
    for name, frame in (("x", x), ("y", y)):
        spread = np.std([frame[one].mean() for one in frame])
        for topic in x.index:
            gaps = [(frame.loc[topic, system] - frame.loc[topic, one]) / len(x) for one in crossed]
            expected = sum(gaps) / len(gaps) / spread if gaps and spread else 0.0
            assert found.topics.loc[topic, name] == pytest.approx(expected, abs=1e-9)


def test_a_topic_that_a_system_lacks_contributes_nothing():
    x = pd.DataFrame({"a": [1.0, np.nan], "b": [0.5, 0.5], "c": [0.1, 0.2]}, index=["t1", "t2"])
    y = pd.DataFrame({"a": [0.0, np.nan], "b": [0.5, 0.5], "c": [0.1, 0.2]}, index=["t1", "t2"])
    found = ec.move(x, y, "a")
    assert found.crossed == ("b", "c")
    assert found.topics.loc["t2", "shift"] == 0
    assert found.topics.index[0] == "t1"


def test_infinite_scores_are_refused():
    frame = pd.DataFrame({"a": [np.inf], "b": [0.5]}, index=["t"])
    with pytest.raises(ValueError, match="expected finite scores"):
        ec.move(frame, frame, "a")


def test_an_unknown_system_is_refused_by_name():
    frame = pd.DataFrame({"a": [1.0], "b": [0.5]}, index=["t"])
    with pytest.raises(ValueError, match="found 'c'"):
        ec.move(frame, frame, "c")


@given(two_frames(), st.data())
def test_the_shares_of_topics_add_up_to_one_if_anything_shifts(frames, data):
    x, y = frames
    found = ec.move(x, y, data.draw(st.sampled_from(list(frames[0].columns))))
    assert found.shares.index.equals(found.topics.index)
    assert found.shares.sum() == pytest.approx(1.0 if found.shift else 0.0)
    assert (found.shares * found.shift).tolist() == pytest.approx((found.topics["shift"] * bool(found.shift)).tolist())
