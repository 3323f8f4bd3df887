from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.meta import topic_resamples
from evalcore.meta.resampling import weighted_means


def frame(seed: int, topics: int = 12, systems: int = 6) -> pd.DataFrame:
    values = np.random.default_rng(seed).random((topics, systems))
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)])


@given(st.integers(1, 30), st.integers(1, 20), st.integers(0, 2**32))
def test_every_resample_draws_as_many_topics_as_there_are(n_topics, n_resamples, seed):
    counts = topic_resamples(n_topics, n_resamples, seed)
    assert counts.shape == (n_resamples, n_topics)
    assert (counts >= 0).all()
    assert (counts.sum(axis=1) == n_topics).all()


@pytest.mark.parametrize("n_resamples", [10**8, 10**25, 10**400])
def test_more_resamples_than_fit_in_memory_are_refused(n_resamples):
    with pytest.raises(ValueError, match="expected at most 12,500,000 resamples of 40 topics, found 1"):
        topic_resamples(40, n_resamples, seed=0)


def test_means_equal_drawing_the_topics_one_by_one():
    scores, counts = frame(1), topic_resamples(12, 7, 3)
    for row, drawn in zip(weighted_means(scores.to_numpy(), counts.astype(float)), counts, strict=True):
        assert row == pytest.approx(scores.to_numpy()[np.repeat(np.arange(12), drawn)].mean(axis=0))


def test_zero_topics_or_resamples_are_refused():
    with pytest.raises(ValueError, match="at least 1 topic and 1 resample, found 0 and 3"):
        topic_resamples(0, 3, 1)
