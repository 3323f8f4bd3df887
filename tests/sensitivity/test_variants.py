"""Settings are made one by one: work on many of them starts, reports and ends at once, in little memory."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import evalcore as ec
from evalcore.measures import Measure, nDCG
from evalcore.measures.paths import with_paths
from evalcore.sensitivity import outcomes, parameters_of, with_path
from evalcore.sensitivity import variants as module
from evalcore.sensitivity.first_places import PART

LARGE = "nDCG(gains={" + ", ".join(f"{grade}: {grade}" for grade in range(300)) + "})"


class EndedError(Exception):
    """Error that a person's Stop raises."""


def end(share: float) -> None:
    raise EndedError


def noting(calls: list[Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, with a note of the first argument of each call."""

    def noted(*given: Any, **named: Any) -> Any:
        calls.append(given[0])
        return function(*given, **named)

    return noted


def test_numbers_changed_at_once_are_those_changed_one_after_the_other() -> None:
    values = {"base.rho": 0.3, "weights[0]": 2.0, "weights[1]": 5.0, "base.cutoff": 7.0}
    one_by_one = ec.parse("CAM(RBP(rho=0.8))")
    for path, value in values.items():
        one_by_one = with_path(one_by_one, path, value)
    assert with_paths("CAM(RBP(rho=0.8))", values) == one_by_one


def test_a_million_settings_end_at_the_first_sign_of_life(few, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Measure] = []
    monkeypatch.setattr(module, "with_paths", noting(made, with_paths))
    parameters = parameters_of("uRBPgr(rho=0.8)", few)[:2]
    with pytest.raises(EndedError):
        module.outcomes_at("uRBPgr(rho=0.8)", parameters, np.full((1_000_000, 2), 0.5), few, end)
    assert len(made) <= PART


class Counted:
    """Settings that count how many of them exist at once."""

    def __init__(self, count: int) -> None:
        self.count, self.most = count, 0
        self._alive: weakref.WeakSet[Measure] = weakref.WeakSet()

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Measure]:
        for at in range(self.count):
            measure = with_path(LARGE, "gains[1]", 1 + at / self.count)
            self._alive.add(measure)
            self.most = max(self.most, len(self._alive))
            yield measure


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_large_settings(few, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module(outcomes.__module__), "NUMBERS_AT_ONCE", 300 * 20)
    settings = Counted(200)
    outcomes(ec.parse(LARGE), settings, few)
    assert settings.most <= 20 + 2 * PART  # what is kept to find equal ones, and a block beside it


def test_equal_settings_are_scored_once(few, monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[Measure] = []
    monkeypatch.setattr(nDCG, "scores_on", noting(scored, nDCG.scores_on))
    [cutoff] = [one for one in parameters_of("nDCG@3", few) if one.path == "cutoff"]
    settings = np.random.default_rng(0).integers(1, 6, size=(200, 1)).astype(float)
    module.outcomes_at("nDCG@3", [cutoff], settings, few)
    assert len(scored) == 1 + len(np.unique(settings))  # the default, and each cut-off
