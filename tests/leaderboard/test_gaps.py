"""Rules for gaps: what each of them fills in, and that none changes known scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from leaderboard.tables import SCORES

from evalcore import InputError
from evalcore.direction import directed
from evalcore.leaderboard import GAP_RULES, gap_effects, without_gaps

WITH_GAPS = directed(SCORES.mask(np.random.default_rng(5).random(SCORES.shape) < 0.15), "high")
RULES = list(map(str, GAP_RULES))


@pytest.mark.parametrize("rule", RULES)
def test_what_is_known_stays(rule):
    filled = without_gaps(WITH_GAPS, rule)
    known = WITH_GAPS.loc[filled.index, filled.columns]
    pd.testing.assert_frame_equal(filled.where(known.notna()), known)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "KeepGaps"])
def test_no_gap_is_left(rule):
    assert without_gaps(WITH_GAPS.iloc[:, :5] if rule == "LeaveSystemsOut" else WITH_GAPS, rule).notna().all(axis=None)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "Fixed"])
def test_a_table_turned_upside_down_is_filled_alike(rule):
    low = directed(1 - WITH_GAPS, "low")
    pd.testing.assert_frame_equal(1 - without_gaps(low, rule), without_gaps(WITH_GAPS, rule), check_names=False)


def test_nothing_left_is_an_error():
    with pytest.raises(InputError, match="expected a topic or system without gaps"):
        without_gaps(pd.DataFrame({"a": [0.5, np.nan], "b": [np.nan, 0.2]}), "LeaveTopicsOut()")


def test_each_rule_has_its_order():
    effects = gap_effects(WITH_GAPS, "Mean()")
    assert effects["missing"].tolist() == WITH_GAPS.isna().sum().tolist()
    assert set(effects.columns[1:]) <= set(RULES)
    assert not effects["KeepGaps"].equals(effects["Fixed"])
