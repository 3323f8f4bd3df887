"""Judges as choices: factors, which of them turns the verdict, and panels by cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from judges.made import of_teams
from sources_support import FIRST, with_sources

import evalcore as ec
from evalcore.data import Collection
from evalcore.judges import multiverse, panels, read_judges
from evalcore.progress import telling
from evalcore.structures.sources import combined

RATES = {"good": 0.05, "bad": 0.35}


@pytest.fixture(scope="module")
def eight() -> Collection:
    """Two models, of which one errs much, each with two prompts twice."""
    whole = of_teams(1)
    true = whole.assessments.columns["relevance"]
    random = np.random.default_rng(0)
    labels: dict[str, Any] = {}
    for model, prompt, repeat in product(RATES, ("short", "long"), ("a", "b")):
        wrong = random.random(len(true)) < RATES[model] + 0.02 * (prompt == "long")
        labels[f"{model}-{prompt}-{repeat}"] = np.where(wrong, 1 - true, true)
    return with_sources(whole, **labels)


def test_each_judge_is_set_against_the_reference(eight: Collection) -> None:
    found = multiverse("nDCG@10", eight)
    assert found.table["tau"].is_monotonic_increasing
    truth = ec.evaluate("nDCG@10", eight)
    for judge, row in found.table.iterrows():
        scores = ec.evaluate("nDCG@10", ec.judged_by(eight, str(judge)))
        assert row["tau"] == pytest.approx(ec.tau(scores.mean(), truth.mean()))
        assert row["winner"] == ec.best_first(scores.mean()).index[0]
        assert row["rank_of_winner"] == ec.ranks(truth.mean())[row["winner"]]
        both = ec.source_agreement(eight, (FIRST, str(judge)))
        assert row["kappa"] == pytest.approx(both.coefficient("kappa").estimate)


def test_shares_of_variance_are_those_of_a_slow_analysis(eight: Collection) -> None:
    """Balanced: the sum of squares of a factor is that of the means of its levels, taken one by one."""
    found = multiverse("AP", eight)
    table = found.anova().table
    values = found.by_topic
    grand = values.to_numpy().mean()
    for factor in found.factors:
        levels = found.factors[factor]
        slow = 0.0
        for level in levels.unique():
            inside = values[levels.index[levels == level]].to_numpy()
            slow += inside.size * (inside.mean() - grand) ** 2
        assert table["sum_of_squares"][str(factor)] == pytest.approx(slow)
    assert table["sum_of_squares"].drop("topic").drop("error").idxmax() == "part 1"


def test_the_model_turns_the_verdict_and_the_repeat_does_not(eight: Collection) -> None:
    found = multiverse("P@5", eight)
    levels = found.levels()
    for place, row in levels.iterrows():
        factor, level = cast(tuple[str, str], place)
        judges = found.table[found.table[factor] == level]
        assert row["same_winner"] == judges["same_winner"].mean()
        assert row["tau"] == pytest.approx(judges["tau"].mean())
    assert found.turning().loc["part 1"] == abs(np.diff(levels["same_winner"]["part 1"].to_numpy()))[0]


def test_matrices_and_the_map_are_of_all_judges_and_the_reference(eight: Collection) -> None:
    found = multiverse("RBP", eight)
    scores = found.rankings.scores
    tau, same = found.matrix("tau"), found.matrix("winner")
    for a, b in (("good-short-a", "bad-long-b"), (FIRST, "good-long-a")):
        assert tau.loc[a, b] == pytest.approx(ec.tau(scores[a].mean(), scores[b].mean()))
        first = [ec.best_first(scores[name].mean()).index[0] for name in (a, b)]
        assert same.loc[a, b] == float(first[0] == first[1])
        assert found.matrix("kappa").loc[a, b] == pytest.approx(
            ec.source_agreement(eight, (a, b)).coefficient("kappa").estimate
        )
    distance = ((found.map - found.map.loc[FIRST]) ** 2).sum(axis=1)
    assert distance["good-short-a"] < distance["bad-long-b"]
    with pytest.raises(ec.InputError, match="expected a matrix of tau, kappa, winner, found 'rho'"):
        found.matrix("rho")


def test_panels_are_majorities_by_cost(eight: Collection) -> None:
    costs = {name: 1.0 if name.startswith("bad") else 10.0 for name in eight.assessments.sources["relevance"].labels}
    found = panels("RBP(rho=0.8)", eight, costs=costs)
    assert len(found) == 8 + 56
    assert found["cost"].is_monotonic_increasing
    truth = ec.evaluate("RBP(rho=0.8)", eight).mean()
    sources = eight.assessments.sources["relevance"].labels
    for row in found.iloc[[0, 30, 63]].to_dict("records"):
        names = row["judges"].split(" + ")
        labels = combined(np.array([sources[name] for name in names]), "majority", (0.0, 1.0))
        means = ec.evaluate("RBP(rho=0.8)", ec.judged_by(with_sources(eight, x=labels), "x")).mean()
        assert row["tau"] == pytest.approx(ec.tau(means, truth))
        assert row["cost"] == sum(costs[name] for name in names)
    best = -2.0
    for row in found.to_dict("records"):
        assert row["frontier"] == (row["tau"] > best + 1e-9)
        best = max(best, row["tau"])


@pytest.mark.parametrize("work", [multiverse, panels])
def test_what_is_done_only_grows(work: Callable[..., Any], eight: Collection) -> None:
    shares: list[float] = []
    with telling(shares.append):
        work("nDCG@10", eight)
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_many_panels_are_drawn() -> None:
    from evalcore.judges.factors import _some_panels

    drawn = _some_panels(20, 3, 50, 0)
    assert len(set(drawn)) == 50
    assert _some_panels(5, 2, 50, 0) == list(combinations(range(5), 2))


def test_a_table_of_judges_names_factors_and_costs(eight: Collection, tmp_path: Path) -> None:
    path = tmp_path / "judges.csv"
    path.write_text("judge,model,cost\ngood-short-a,good,2.5\nbad-short-a,bad,0.1\nnobody,bad,1\n")
    table = read_judges(path)
    found = multiverse("AP", eight, factors=table)
    assert found.table.index.tolist() in (["bad-short-a", "good-short-a"], ["good-short-a", "bad-short-a"])
    assert found.levels().index.tolist() == [("model", level) for level in found.table["model"]]
    assert table["cost"].to_list() == [2.5, 0.1, 1.0]


def test_the_table_of_a_collection_is_read_unasked(eight: Collection) -> None:
    """A judge that it lacks is a level of its own, and has no price."""
    rows = {"model": ["good", "bad"], "t": [0.0, 0.7], "cost": [2.5, 0.1]}
    with_table = replace(eight, judge_table=pd.DataFrame(rows, ["good-short-a", "bad-short-a"]))
    found = multiverse("AP", with_table)
    assert set(found.table["model"]) == {"good", "bad", "not said"}
    assert list(found.factors.loc["bad-short-a"]) == ["bad", "0.7"]
    assert panels("AP", with_table, sizes=[1])["cost"].tolist() == [0.1, 2.5]


def test_too_few_judges_and_odd_panels_are_refused(eight: Collection) -> None:
    with pytest.raises(ec.InputError, match="expected at least two judges beside 'nist', found none"):
        multiverse("AP", eight, factors=pd.DataFrame(index=["x"]))
    with pytest.raises(ec.InputError, match="expected sizes from 1 to 8, found 9"):
        panels("AP", eight, sizes=[9])
    with pytest.raises(ec.InputError, match="expected one of majority"):
        panels("AP", eight, how="best")
