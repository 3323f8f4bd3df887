from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evalcore import meta

values = st.integers(0, 20).map(lambda value: value / 4)


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    topics, systems = draw(st.integers(2, 6)), draw(st.integers(2, 5))
    table = draw(arrays(float, (topics, systems), elements=values))
    return pd.DataFrame(table, [f"t{at}" for at in range(topics)], [f"s{at}" for at in range(systems)])


@st.composite
def two_frames(draw: st.DrawFn) -> tuple[pd.DataFrame, pd.DataFrame]:
    x = draw(frames())
    y = draw(arrays(float, x.shape, elements=values))
    return x, pd.DataFrame(y, x.index, x.columns)


@given(frames())
def test_leaving_one_topic_out_equals_a_slow_loop(scores):
    every, without = scores.mean(), meta.means_without(scores)
    table = meta.leave_one_out(scores)
    assert table.index.tolist() == scores.index.tolist()
    for topic in scores.index:
        rest = scores.drop(index=topic).mean()
        assert without.loc[topic].to_numpy() == pytest.approx(rest.to_numpy())
        assert table.loc[topic, "tau"] == pytest.approx(meta.tau(rest, every), nan_ok=True)
        moves = (meta.ranks(rest) - meta.ranks(every)).abs()
        assert table.loc[topic, "moved"] == (moves > 0).sum()
        assert table.loc[topic, "largest"] == moves.max()
        first = list(rest.index[meta.ranks(rest) == 1])
        assert table.loc[topic, "first"] == ", ".join(first)
        assert table.loc[topic, "same first"] == (first == list(every.index[meta.ranks(every) == 1]))


@given(two_frames())
def test_influence_equals_a_slow_loop(pair):
    x, y = pair
    table = meta.driving_topics(x, y)
    every = meta.tau(x.mean(), y.mean())
    for topic in x.index:
        rest = meta.tau(x.drop(index=topic).mean(), y.drop(index=topic).mean())
        assert table.loc[topic, "tau without"] == pytest.approx(rest, nan_ok=True)
        assert table.loc[topic, "influence"] == pytest.approx((len(x) - 1) * (every - rest), nan_ok=True)
    known = table["influence"].dropna()
    assert known.is_monotonic_increasing


def test_topics_are_matched_by_name():
    x = pd.DataFrame({"a": [1.0, 0.0, 0.5], "b": [0.0, 0.3, 0.1]}, index=["t1", "t2", "t3"])
    y = x.loc[["t3", "t1", "t2"], ["b", "a"]]
    assert (meta.driving_topics(x, y)["tau without"].abs() == 1).all()


def test_what_is_refused():
    one_topic = pd.DataFrame({"a": [1.0], "b": [0.0]})
    with pytest.raises(ValueError, match="expected at least 2 topics to leave one out, found 1"):
        meta.leave_one_out(one_topic)
    with pytest.raises(ValueError, match="expected the same topics"):
        meta.driving_topics(one_topic, one_topic.rename(index={0: "other"}))
    with pytest.raises(ValueError, match="expected at least 2 topics of every system to leave one out, found 1 of 'a'"):
        meta.means_without(pd.DataFrame({"a": [1.0, np.nan], "b": [0.0, 1.0]}))
