"""Given scores as measures: combined, weighted, and by groups of topics; expected values are computed by hand."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.measures import GroupWeights, Score, parse, suggestions

MAP = pd.DataFrame({"a": [0.2, 0.4, np.nan], "b": [0.1, 0.1, 0.7]}, index=["t1", "t2", "t3"])
MRR = pd.DataFrame({"a": [1.0, 0.5, 1.0], "b": [0.0, 0.5, 1.0]}, index=["t1", "t2", "t3"])
GROUPS = pd.DataFrame({"domain": ["law", "law", "news"]}, index=["t1", "t2", "t3"])
C = ec.collection(scores={"map": MAP, "mrr": MRR}, groups=GROUPS)


def test_weights_of_measures_are_those_of_the_convex_combination():
    found = ec.evaluate('CAM([Score("map"), Score("mrr")], weights=[3, 1])', C)
    np.testing.assert_allclose(found, (3 * MAP + MRR) / 4)


def test_a_sweep_over_a_weight_of_given_scores():
    """On t3, a has no score under one of the two measures, and so none under both."""
    measure = parse('CAM([Score("map"), Score("mrr")], weights=[1, 1])')
    found = ec.sweep(measure, "weights", [(1.0, 0.0), (0.0, 1.0)], C)
    np.testing.assert_allclose(found, [[0.3, 0.3], [0.75, 0.5]])


def test_the_weighted_mean_of_groups():
    """b has 0.1 over law and 0.7 over news; a has only law, so the weights do not matter for it."""
    found = ec.evaluate(GroupWeights(Score("map"), "domain", (1.0, 3.0)), C).mean()
    np.testing.assert_allclose(found, [0.3, (0.1 + 0.1 + 3 * 0.7) / 5])


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ('GroupWeights(Score("map"), by="language")', "expected a grouping of the topics (domain)"),
        ('GroupWeights(Score("map"), by="domain", weights=[1])', "expected a weight for each group (law, news)"),
        ('GroupWeights(Score("map"), by="domain", weights=[0, 0])', "expected at least one weight above 0"),
    ],
)
def test_weights_of_groups_are_refused_without_a_fitting_grouping(measure, message):
    with pytest.raises(ec.InputError, match=re.escape(message)):
        ec.evaluate(measure, C)


def test_given_scores_are_suggested_as_measures():
    assert [str(one) for one in suggestions(C)["First look"]] == ['Score("map")', 'Score("mrr")']
    one = ec.collection(scores={"map": MAP}, groups=GROUPS)
    assert list(map(str, suggestions(one)["First look"])) == ['Score("map")', 'GroupWeights(Score("map"), by="domain")']


def test_measures_with_other_gaps_are_compared_on_the_scores_that_both_have():
    """a has no map on t3, so its mrr there does not count either."""
    x, y = (ec.evaluate(text, C) for text in ('Score("map")', 'Score("mrr")'))
    third = ec.meta.shared_part({"x": x, "y": y})["y"].loc[["t3"]].iloc[0]
    assert third.tolist() == [
        pytest.approx(np.nan, nan_ok=True),
        1.0,
    ]
    assert ec.correlation_matrix({"x": x, "y": y}).topics == ("t1", "t2", "t3")
