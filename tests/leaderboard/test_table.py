"""The table of a leaderboard, and who beats whom; small enough to check by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalcore.errors import InputError
from evalcore.leaderboard import standings
from evalcore.meta import winners

THREE = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9], "b": [0.5, 0.5, 0.5, 0.5], "c": [0.4, 0.3, 0.2, 0.1]})


def test_a_gap_is_counted_and_filled_by_the_rule():
    scores = THREE.mask((THREE.index == 0)[:, None] & (THREE.columns == "a")[None])
    table = standings(scores, gaps="Fixed()")
    assert (table.at["a", "estimate"], table.at["a", "missing"]) == (pytest.approx(0.6), 1)


def test_a_system_that_the_rule_leaves_out_has_no_line():
    scores = THREE.mask((THREE.index == 0)[:, None] & (THREE.columns == "a")[None])
    assert standings(scores, gaps="LeaveSystemsOut()").index.tolist() == ["b", "c"]


def test_a_system_without_any_score_has_no_rank_and_stands_last() -> None:
    found = standings(pd.DataFrame({"none": [np.nan, np.nan], "low": [0.1, 0.2], "high": [0.5, np.nan]}))
    assert found.index.tolist() == ["high", "low", "none"]
    assert found["rank"].fillna(-1).tolist() == [1, 2, -1]
    assert found["missing"].tolist() == [1, 0, 2]


@pytest.mark.parametrize("table_of", [standings, winners])
@pytest.mark.parametrize("scores", [None, [0.5, 0.4], THREE.mean()])
def test_what_is_no_frame_is_refused(table_of: Callable[[Any], object], scores: object) -> None:
    with pytest.raises(InputError, match="expected a frame of topics x systems, found"):
        table_of(scores)
