"""If the weights of topics differ by system, two systems cannot be compared by topic, so tests are refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore import meta

RANDOM = np.random.default_rng(5)
WHOLE = pd.DataFrame(RANDOM.random((12, 4)), index=[f"t{at}" for at in range(12)], columns=list("abcd"))
GROUPS = pd.DataFrame({"domain": ["law", "news", "news"] * 4}, index=WHOLE.index)
TESTS = {
    "rank_intervals": lambda frame: ec.rank_intervals(frame),
    "compare_systems": lambda frame: meta.compare_systems(frame, "a", "b", 20),
    "paired_bootstrap": lambda frame: meta.paired_bootstrap(frame, 20),
    "tukey_p": lambda frame: meta.tukey_p(frame, 20),
    "against_baselines": lambda frame: ec.against_baselines(frame, ["a"]),
    "swaps": lambda frame: meta.swaps(frame, frame),
}


def weighted(scores: pd.DataFrame) -> pd.DataFrame:
    return ec.evaluate('GroupWeights(Score("map"), by="domain")', ec.collection(scores={"map": scores}, groups=GROUPS))


@pytest.mark.parametrize("test", TESTS.values(), ids=list(TESTS))
def test_tests_are_refused_if_systems_lack_different_topics(test):
    with pytest.raises(ec.InputError, match="with ByGroup and a rule for missing scores"):
        test(weighted(WHOLE.mask(RANDOM.random(WHOLE.shape) < 0.2)))


@pytest.mark.parametrize("test", TESTS.values(), ids=list(TESTS))
def test_tests_are_not_refused_without_gaps(test):
    test(weighted(WHOLE))


def test_a_topic_that_all_systems_lack_is_not_a_gap():
    ec.rank_intervals(weighted(WHOLE.mask(np.repeat((WHOLE.index == "t3")[:, None], 4, axis=1))))
