"""`evalcore sweep`: settings, scores, systems, changes, order."""

from __future__ import annotations

import json

import numpy as np
import pytest
from cli_support import HEALTH, Run

import evalcore as ec
from evalcore.sensitivity import changes_in_words


def test_scores_equal_the_sweep_of_the_library(run: Run, sample) -> None:
    found = run(f"sweep {HEALTH} -m RBP --vary rho=0.5,0.8,0.95 --show scores -f csv").table
    means = found.pivot(index="rho", columns="system", values="score")
    expected = ec.sweep("RBP", "rho", [0.5, 0.8, 0.95], sample)
    np.testing.assert_allclose(means.to_numpy(), expected[list(means.columns)].to_numpy(), atol=1e-12)
    best = found[found["rank"] == 1]
    assert dict(zip(best["rho"], best["system"], strict=True)) == expected.idxmax(axis=1).to_dict()


def test_settings_of_one_parameter(run: Run, sample) -> None:
    found = run(f"sweep {HEALTH} -m 'uRBP1(rho=0.8)' --vary threshold=10:20:3 -f csv").table
    assert list(found.columns) == ["threshold", "tau", "winner", "tied", "score", "same top 5"]
    assert found["threshold"].tolist() == [10, 15, 20]
    default = ec.evaluate("uRBP1(rho=0.8)", sample).mean()
    at_ten = ec.evaluate("uRBP1(rho=0.8, threshold=10)", sample).mean()
    assert found["tau"][0] == pytest.approx(ec.tau(at_ten, default), abs=1e-12)
    assert (found["winner"][0], found["score"][0]) == (at_ten.idxmax(), pytest.approx(at_ten.max(), abs=1e-12))


def test_every_combination_of_two_the_last_fastest(run: Run) -> None:
    found = run(f"sweep {HEALTH} -m uRBP1 --vary threshold=10,20 --vary rho=0.9,0.5 -f csv").table
    assert found[["threshold", "rho"]].to_numpy().tolist() == [[10, 0.5], [10, 0.9], [20, 0.5], [20, 0.9]]


def test_a_path_into_a_measure(run: Run, sample) -> None:
    text = 'CAM(RBP(rho=0.8), aspects=["relevance", "credibility"])'
    line = ["sweep", HEALTH, "-m", text, "--vary", "weights[0]=0,3", "--vary", "base.rho=0.5", "--show", "scores"]
    found = run([*line, "-f", "csv"]).table
    measure = ec.with_path(ec.with_path(text, "weights[0]", 3.0), "base.rho", 0.5)
    three = found[found["weights[0]"] == 3].set_index("system")["score"]
    expected = ec.evaluate(measure, sample).mean()
    assert three.to_dict() == pytest.approx(expected.to_dict(), abs=1e-12)


def test_changes_name_where_they_are_significant(run: Run, sample) -> None:
    result = run(f"sweep {HEALTH} -m 'CAM(nDCG@10)' --vary 'weights[0]=0.25:4:9' --show changes -f csv")
    found = ec.trajectory("CAM(nDCG@10)", "weights[0]", np.linspace(0.25, 4, 9).tolist(), sample)
    expected = ec.orders_along(found, sample).changes(found.changes)
    assert result.table["decided"].tolist() == expected["decided"].tolist()
    assert changes_in_words(expected, found.parameter) in result.err


def test_parameters_that_can_be_varied(run: Run, sample) -> None:
    found = json.loads(run(f"sweep {HEALTH} -m 'uRBP1(rho=0.8)' --show parameters -f json").out)
    assert [one["path"] for one in found] == [one.path for one in ec.parameters_of("uRBP1(rho=0.8)", sample)]


def test_a_table_explains_a_setting_without_a_score(run: Run) -> None:
    text = 'CAM(RBP(rho=0.8), aspects=["relevance", "credibility"])'
    line = ["sweep", HEALTH, "-m", text, "--vary", "weights[0]=0,1", "--vary", "weights[1]=0,1", "-f", "json"]
    first = json.loads(run(line).out)[0]
    assert first == {
        "weights[0]": 0.0,
        "weights[1]": 0.0,
        "tau": None,
        "winner": "",
        "tied": 0,
        "score": None,
        "same top 5": False,
    }


AT = [(1, "a"), (2, "b")]
