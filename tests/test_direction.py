"""The good end of a score: what pandas keeps of it, and where it must not be lost."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.direction import directed, good_of, upwards

SITE = Path(__file__).parents[1] / "sample_data" / "site"
EFFORT = directed(pd.DataFrame({"a": [3.0, 5.0], "b": [2.0, np.inf]}, index=["t1", "t2"]), "low")

# Steps of the project on scores between `evaluate` and meta-evaluation.
STEPS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "mean": lambda scores: scores.mean(),
    "a topic": lambda scores: scores.loc["t1"],
    "a row": lambda scores: scores.iloc[0],
    "turned": lambda scores: scores.T,
    "turned, a topic": lambda scores: scores.T["t1"],
    "a system": lambda scores: scores["a"],
    "some systems": lambda scores: scores[["b"]],
    "some of both": lambda scores: scores.loc[["t2"], ["b", "a"]],
    "means of some": lambda scores: scores.mean()[["b"]],
    "means in another order": lambda scores: scores.mean().reindex(["b", "a"]),
    "sorted means": lambda scores: scores.mean().sort_values(),
    "renamed": lambda scores: scores.mean().rename("x"),
    "as floats": lambda scores: scores.astype(float),
    "without holes": lambda scores: scores.fillna(0.0),
    "finite ones": lambda scores: scores.where(np.isfinite(scores)),
    "a copy": lambda scores: scores.copy(),
    "to a worker and back": lambda scores: pickle.loads(pickle.dumps(scores)),
    "best first": lambda scores: ec.best_first(scores.mean()),
    "shared part": lambda scores: ec.meta.shared_part({"x": scores, "y": scores})["y"],
}


def test_scores_keep_their_good_end(subtests: pytest.Subtests) -> None:
    for step in STEPS.values():
        with subtests.test(str(step)):
            assert good_of(step(EFFORT)) == "low"


def test_evaluate_marks_the_good_end_and_gives_the_scores_themselves() -> None:
    site = ec.load(SITE)
    found = ec.evaluate(["EffortTo", "InverseEffort"], site)
    assert {text: good_of(frame) for text, frame in found.items()} == {"EffortTo": "low", "InverseEffort": "high"}
    assert good_of(ec.evaluate("EffortTo", site)) == "low"
    assert good_of(ec.sweep("EffortTo", "recall", [0.2, 0.5], site)) == "low"
    assert (found["EffortTo"] > 0).all(axis=None)


def test_unmarked_scores_are_read_as_higher_is_better() -> None:
    assert [good_of(one) for one in ([1.0], np.ones(2), pd.Series([1.0]), pd.DataFrame([[1.0]]))] == ["high"] * 4


def test_scores_turned_by_hand_are_not_turned_again() -> None:
    with pytest.raises(ValueError, match=r'all scores are 0 or below, .*, or use directed\(scores, "high"\)'):
        ec.ranks(-EFFORT.mean())
    assert ec.ranks(directed(-EFFORT.mean(), "high")).to_dict() == {"a": 1, "b": 2}


def test_zeros_alone_are_no_scores_turned_by_hand() -> None:
    assert upwards(directed(pd.Series([0.0, 0.0]), "low")).tolist() == [0.0, 0.0]


def test_another_end_than_high_or_low_is_refused() -> None:
    scores = pd.Series([1.0, 2.0])
    scores.attrs["good"] = "left"
    with pytest.raises(ValueError, match="expected attrs\\['good'\\] of scores to be high or low, found 'left'"):
        ec.ranks(scores)


def test_the_winner_by_an_effort_has_the_least() -> None:
    site = ec.load(SITE)
    effort, inverse = ec.evaluate("EffortTo", site).mean(), ec.evaluate("InverseEffort", site).mean()
    assert ec.meta.winner(effort) == effort.idxmin() == "section_dense"
    assert ec.ranks(effort)[np.isinf(effort)].tolist() == [8] * 5  # of 12: those who may never get there, last
    assert ec.tau(effort, inverse) == pytest.approx(0.8224, abs=1e-4)
    assert ec.tau(effort, effort) == 1
