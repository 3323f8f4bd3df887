"""Trajectories, grids and settings of several parameters against one evaluation after the other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st
from measures.small import Small, collections, numbers

import evalcore as ec
from evalcore.errors import InputError
from evalcore.measures import Measure
from evalcore.measures.base import as_measure
from evalcore.meta import ranks as ranks_of
from evalcore.sensitivity import (
    grid,
    outcomes,
    parameter_of,
    parameters_of,
    ranks_over_settings,
    settings_table,
    trajectory,
    with_path,
)
from evalcore.sensitivity.first_places import PART, Outcomes
from evalcore.sensitivity.over_settings import share_in_top
from evalcore.sensitivity.variants import outcomes_at
from evalcore.structures.documents import Assessments, Rankings


@dataclass(frozen=True)
class Pair:
    assessments: Assessments
    rankings: Rankings


def opened(small: Small) -> Pair:
    """Some collection with a topic on which both aspects have labels."""
    assume(small.pool.covered(["relevance", "understandability"]).any())
    return Pair(small.pool, small.rankings)


# Two of the three aspects of `few`: an aggregate that names none combines all that have labels.
CAM_OF_TWO = 'CAM(nDCG, aspects=["relevance", "understandability"])'


def slow_tau(x: np.ndarray, y: np.ndarray) -> float:
    """tau_b by scipy, once scores that differ by rounding only are made equal."""
    return float(scipy.stats.kendalltau(x.round(11), y.round(11)).statistic)


def slow_means(measure: Measure, collection: Pair | ec.Collection) -> np.ndarray:
    return ec.evaluate(measure, collection).mean().to_numpy()


MEASURES: dict[str, tuple[str, list[float], str, list[float]]] = {
    "RBP(rho=0.5)": ("rho", [0.1, 0.5, 0.9], "rel", [1, 2]),
    "uRBP(rho=0.8)": ("rho", [0.3, 0.9], "threshold", [1, 2, 3]),
    "uRBPgr(rho=0.8)": ("gains[1]", [0, 0.5, 1], "gains[3]", [0.2, 1]),
    "nDCG": ("cutoff", [1, 3, 9], "cutoff", [2]),
    "CAM(RBP)": ("base.rho", [0.2, 0.9], "weights[1]", [0, 1, 3]),
    "MM(AP)": ("weights[0]", [0.5, 2], "base.rel", [1, 2]),
    'TOMA(nDCG, weights=GeometricWeights)': ("weights.factor", [1.5, 4], 'importance["relevance"]', [0, 0.5]),
    'Product(ERR)': ('exponents["relevance"]', [0, 1, 2], "base.cutoff", [2, 5]),
}  # fmt: skip


@pytest.mark.parametrize("text", MEASURES)
@given(small=collections(columns=("relevance", "understandability")))
def test_a_trajectory_equals_one_evaluation_after_the_other(text, small):
    path, values, _, _ = MEASURES[text]
    c = opened(small)
    found = trajectory(text, path, values, c)
    default = slow_means(ec.parse(text), c)
    for value in values:
        means = slow_means(with_path(text, path, value), c)
        assert found.means.T[value].to_numpy() == pytest.approx(means, abs=1e-12)
        assert found.ranks.T[value].tolist() == ranks_of(found.means.T[value]).tolist()
        tau = slow_tau(means, default) if len(means) > 1 else np.nan
        assert found.tau[value] == pytest.approx(tau, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("text", [text for text in MEASURES if text != "nDCG"])
@given(small=collections(columns=("relevance", "understandability")))
def test_a_grid_equals_one_evaluation_after_the_other(text, small):
    path_x, xs, path_y, ys = MEASURES[text]
    c = opened(small)
    found = grid(text, path_x, xs, path_y, ys, c)
    default = slow_means(ec.parse(text), c)
    for row, y in enumerate(ys):
        for column, x in enumerate(xs):
            means = slow_means(with_path(with_path(text, path_x, x), path_y, y), c)
            assert found.means[row, column] == pytest.approx(means, abs=1e-12)
            best = np.flatnonzero(np.isclose(means, means.max(), rtol=0, atol=1e-11))
            assert found.winner[row, column] == best[0]
            assert found.tied[row, column] == len(best)
            tau = slow_tau(means, default) if len(means) > 1 else np.nan
            assert found.tau[row, column] == pytest.approx(tau, abs=1e-12, nan_ok=True)


def test_a_grid_as_a_table_and_the_shares_of_the_winners(few):
    found = grid("uRBP(rho=0.8)", "rho", [0.1, 0.5, 0.9], "threshold", [1, 2, 3], few)
    table = found.frame()
    assert table.columns.tolist() == ["rho", "threshold", "tau", "winner", "tied", "score"]
    assert table["rho"].tolist() == [0.1, 0.5, 0.9] * 3
    assert table["winner"].tolist() == [found.systems[at] for at in found.winner.ravel()]
    assert table["score"].to_numpy() == pytest.approx(found.means.max(axis=2).ravel())
    shares = found.shares()
    assert shares.sum() == pytest.approx(1)
    for system, share in shares.items():
        won = table["winner"] == system
        assert share == pytest.approx((won / table["tied"]).sum() / len(table)) or (table["tied"] > 1).any()


def test_a_setting_that_is_no_measure_is_undefined_and_the_rest_is_not(few):
    found = grid(CAM_OF_TWO, "weights[0]", [0, 1], "weights[1]", [0, 1], few)
    assert found.winner[0, 0] == -1
    assert found.tied[0, 0] == 0
    assert np.isnan(found.tau[0, 0])
    assert np.isfinite(found.tau.ravel()[1:]).all()
    assert found.frame().loc[0, "winner"] == ""
    assert found.shares().sum() == pytest.approx(1)
    alone = trajectory(ec.parse(CAM_OF_TWO).with_(weights=(1.0, 0.0)), "weights[0]", [0, 1], few)
    assert alone.changes.iloc[0]["before"] == "nobody"
    with pytest.raises(InputError, match="expected at least one weight above 0"):
        outcomes(ec.parse("nDCG"), [ec.parse("CAM(nDCG, weights=[0, 0])")], few)


@pytest.mark.parametrize(
    ("path_x", "xs", "path_y", "ys", "problem"),
    [
        ("rho", [0.5], "rho", [0.5], "expected two parameters"),
        ("rho", [], "rel", [1], "expected two parameters"),
        ("rho", [0.5], "phi", [1], "expected a parameter"),
        ("rho", [0.5, 2], "rel", [1], r"expected a number in \(0, 1\), found 2"),
    ],
)
def test_what_a_grid_refuses(path_x, xs, path_y, ys, problem, few):
    with pytest.raises(InputError, match=problem):
        grid("RBP", path_x, xs, path_y, ys, few)


@given(st.data())
def test_winner_changes_are_where_the_winner_changes(few, data):
    text, path = data.draw(st.sampled_from([("RBP", "rho"), ("CAM(nDCG)", "weights[0]"), ("uRBPgr", "gains[1]")]))
    ends = parameter_of(text, path, few)
    low, high = sorted(data.draw(st.lists(numbers(ends.low, ends.high), min_size=2, max_size=2, unique=True)))
    found = trajectory(text, path, [low, high], few, precision=1e-3)
    at = low
    for start, end, before, after in found.changes.values.tolist():
        assert at <= start < end <= high
        assert end - start <= 1e-3
        assert before == first_at(text, path, start, few)
        assert after == first_at(text, path, end, few)
        at = end
    if not found.changes.empty:
        assert found.changes["before"].iloc[0] == first_at(text, path, low, few)
        assert found.changes["after"].iloc[-1] == first_at(text, path, high, few)
        assert found.changes["after"].tolist()[:-1] == found.changes["before"].tolist()[1:]
    else:
        assert first_at(text, path, low, few) == first_at(text, path, high, few)


def first_at(text: str, path: str, value: float, collection: ec.Collection) -> str:
    means = ec.evaluate(with_path(as_measure(text, collection), path, value), collection).mean()
    best = means[np.isclose(means, means.max(), rtol=1e-11, atol=0)]
    return ", ".join(best.index)


def test_the_place_of_a_change_is_the_crossing_of_two_lines(few):
    # s at w: (w r + u) / (w + 1); two systems cross at w = (u2 - u1) / (r1 - r2).
    r, u = (ec.evaluate(f'nDCG(aspect="{name}")', few).iloc[0] for name in ("relevance", "understandability"))
    found = trajectory(CAM_OF_TWO, "weights[0]", [0.01, 4], few, precision=1e-6).changes
    for low, high, a, b in found.values.tolist():
        assert low <= (u[b] - u[a]) / (r[a] - r[b]) <= high
    assert len(found) >= 1


@pytest.mark.parametrize("count", [1, PART, PART + 1, 3 * PART + 2])
def test_progress_rises_to_1(count, few):
    shares: list[float] = []
    values = np.linspace(0.1, 4, count).tolist()
    trajectory("MM(nDCG)", "weights[0]", values, few, tell=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) >= count  # one by one: each may take seconds


# --- several parameters -----------------------------------------------------------------------------------------------


def drawn_settings(
    measure: str, count: int, seed: int, few: ec.Collection, most: int = 99
) -> tuple[pd.DataFrame, Outcomes]:
    """Draw settings of a measure between the ends of its parameters; return them and the systems' outcomes there."""
    random, parameters = np.random.default_rng(seed), parameters_of(measure, few)[:most]
    settings = np.column_stack(
        [
            random.choice(one.levels, count) if one.levels else random.uniform(one.low, one.high, count)
            for one in parameters
        ]
    )
    return settings_table(parameters, settings), outcomes_at(measure, parameters, settings, few)


def test_several_parameters_at_once_equal_one_evaluation_after_the_other(few):
    settings, found = drawn_settings("uRBPgr(rho=0.8)", 40, 3, few)
    for at, row in enumerate(settings.to_dict("records")):
        measure = ec.parse("uRBPgr(rho=0.8)")
        for path, value in row.items():
            measure = with_path(measure, str(path), value)
        assert found.means[at] == pytest.approx(slow_means(measure, few), abs=1e-12)


def test_ranks_over_settings_by_a_slow_loop(few):
    settings, found = drawn_settings("RBP(rho=0.8)", 60, 1, few, 2)
    table = ranks_over_settings(found, top=3)
    texts = [f"RBP(rho={rho!r}, rel={rel!r})" for rho, rel in settings.values.tolist()]
    ranks = [ranks_of(ec.evaluate(text, few).mean()) for text in texts]
    for system in few.systems:
        own = sorted(int(rank[system]) for rank in ranks)
        assert table.loc[system, "rank median"] == own[29]
        assert table.loc[system, "rank low"] == own[2]
        assert table.loc[system, "rank high"] == own[56]
        first = [1 / (rank == 1).sum() if rank[system] == 1 else 0 for rank in ranks]
        assert table.loc[system, "share first"] == pytest.approx(np.mean(first))
    assert table["share first"].sum() == pytest.approx(1)
    assert table["share top 3"].sum() == pytest.approx(3)
    assert table["rank"].to_dict() == ranks_of(ec.evaluate("RBP(rho=0.8)", few).mean())[table.index].to_dict()


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.integers(1, 7))
def test_shares_of_the_top_add_up_and_equal_a_mean_over_tie_breakings(scores, top):
    ranks = np.array([[1 + sum(other > score for other in scores) for score in scores]])
    shares = share_in_top(ranks, top)
    assert shares.sum() == pytest.approx(min(top, len(scores)))
    rng = np.random.default_rng(0)
    broken = np.array([np.argsort(np.argsort(ranks[0] + rng.random(len(scores)) / 2)) for _ in range(400)])
    assert shares == pytest.approx((broken < top).mean(axis=0), abs=0.12)


@pytest.mark.parametrize(("count", "share"), [(100, 0.55), (60, 0.05), (60, 0.95), (7, 0.5), (1, 0.05), (180, 0.55)])
def test_rank_intervals_hold_exactly_their_share(few, count, share):
    """0.55 * 100 is 55.00000000000001, and still 55 settings hold 55% of 100."""
    means = np.random.default_rng(2).random((count, len(few.systems)))
    found = ranks_over_settings(Outcomes(few.systems, means[0], means, np.zeros(count)), low=share)
    ranks = np.sort((means[:, None, :] > means[:, :, None]).sum(axis=2) + 1, axis=0)
    place = math.ceil(Fraction(str(share)) * count) - 1
    assert found["rank low"][list(few.systems)].tolist() == ranks[place].tolist()


def test_systems_that_the_measure_gives_no_score_have_no_place_in_the_order() -> None:
    topics = ["t1", "t2", "t3"]
    both = pd.DataFrame({"a": [0.9, 0.8, 0.7], "b": [0.5, 0.6, 0.4], "c": [0.1, 0.2, 0.3]}, index=topics)
    again = both[["a", "b"]] - 0.05
    whole = ec.collection(scores={"score": both, "rerun": again})
    measure = ec.parse('CAM(base=[Score("score"), Score("rerun")])')
    found = trajectory(measure, "weights[0]", [0.5, 1.0, 2.0], whole)
    assert found.outcomes.systems == ("a", "b")
    assert found.ranks.to_numpy().tolist() == [[1, 2]] * 3
    assert found.tau.tolist() == [1.0] * 3
    assert ec.sensitivity.orders_along(found, whole).systems == ("a", "b")
