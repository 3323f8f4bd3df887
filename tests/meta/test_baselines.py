"""Systems and baselines: results equal loops and the tests of single pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore.direction import directed
from evalcore.meta import against_baselines, compare_systems, corrected
from evalcore.meta.baselines import BASELINE_TESTS

RANDOM = np.random.default_rng(3)
FRAME = pd.DataFrame(RANDOM.integers(0, 11, (20, 5)) / 10, columns=["base", "old", "x", "y", "z"])


def test_gain_wins_losses_and_ties_equal_a_loop_over_topics():
    for row in against_baselines(FRAME, ["base", "old"]).to_dict("records"):
        pairs = list(zip(FRAME[row["system"]], FRAME[row["baseline"]], strict=True))
        wins, losses = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
        gain = sum(a - b for a, b in pairs) / 20
        assert (row["wins"], row["losses"], row["ties"]) == (wins, losses, 20 - wins - losses)
        assert row["gain"] == pytest.approx(gain)
        assert row["gain_percent"] == pytest.approx(100 * gain / FRAME[row["baseline"]].mean())
        assert (row["mean"], row["baseline_mean"]) == (FRAME[row["system"]].mean(), FRAME[row["baseline"]].mean())


def test_every_system_is_compared_with_every_baseline_best_first():
    table = against_baselines(FRAME, ["old", "base"])
    best = FRAME[["x", "y", "z"]].mean().sort_values(ascending=False, kind="stable").index.tolist()
    assert table["baseline"].tolist() == ["old"] * 3 + ["base"] * 3
    assert table["system"].tolist() == best * 2


FIELDS = {"Wilcoxon": "p_wilcoxon", "t-test": "p_t", "permutation": "p_permutation", "bootstrap": "asl"}


@pytest.mark.parametrize("test", BASELINE_TESTS)
def test_p_is_that_of_the_pair(test):
    table = against_baselines(FRAME, ["base"], test, "none", n_resamples=200, seed=1)
    for row in table.to_dict("records"):
        pair = compare_systems(FRAME, row["system"], "base", 200, 1)
        assert row["p"] == getattr(pair, FIELDS[test])


def test_p_is_corrected_over_all_systems_and_all_baselines():
    table = against_baselines(FRAME, ["base", "old"], "t-test", "Holm")
    assert len(table) == 6
    assert table["p_corrected"].tolist() == corrected(table["p"], "Holm").tolist()


def test_topics_that_a_system_lacks_are_left_out_of_its_row():
    frame = FRAME.astype(float)
    frame.loc[:4, "x"] = np.nan
    row = against_baselines(frame, ["base"]).set_index("system").loc["x"]
    assert row["wins"] + row["losses"] + row["ties"] == 15
    assert row["baseline_mean"] == pytest.approx(frame["base"][5:].mean())


def test_an_infinite_score_counts_as_a_loss_but_not_as_a_test():
    frame = directed(pd.DataFrame({"base": [1.0, 2.0, 3.0], "x": [0.5, np.inf, 3.0], "y": [0.5, 1.0, 2.0]}), "low")
    y, x = against_baselines(frame, ["base"], "t-test", "Bonferroni").to_dict("records")
    assert (x["system"], x["wins"], x["losses"], x["ties"]) == ("x", 1, 1, 1)
    assert np.isnan([x["p"], x["p_corrected"]]).all()
    assert y["p"] == y["p_corrected"]  # one test was done


@pytest.mark.parametrize(("baselines", "test", "problem"), [
    ([], "t-test", "expected at least 1 baseline, found none"),
    (["nobody"], "t-test", "expected one of the systems as baseline, found 'nobody'"),
    (["base", "base"], "t-test", "expected each baseline once, found 'base' again"),
    (["base", "old", "x", "y", "z"], "t-test", "expected systems other than the baselines"),
    (["base"], "sign", "expected a test"),
])  # fmt: skip
def test_invalid_baselines_and_tests_are_refused(baselines, test, problem):
    with pytest.raises(ValueError, match=problem):
        against_baselines(FRAME, baselines, test)


def test_the_interval_of_a_gain_is_that_of_the_pair():
    row = against_baselines(FRAME, ["base"]).iloc[0]
    pair = compare_systems(FRAME, row["system"], "base", n_resamples=10)
    assert (row["low"], row["high"]) == (pytest.approx(pair.low), pytest.approx(pair.high))
