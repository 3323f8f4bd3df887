"""A measure with low scores that are good: winners, ranks and maps are those of the same scores reversed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evalcore as ec
from evalcore.measures import EffortTo
from evalcore.sensitivity import grid, outcomes, ranks_over_settings, trajectory

SITE = Path(__file__).parents[2] / "sample_data" / "site"
RECALLS = [0.2, 0.4, 0.6, 0.7]  # at the last two some systems never get there


@pytest.fixture(scope="module")
def site() -> ec.Collection:
    whole = ec.load(SITE)
    return ec.restrict(whole, topics=whole.topics[:6])


@pytest.fixture
def turned(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Yield a switch; once on, EffortTo gives its scores with the other sign, and high ones are good."""
    score = EffortTo.score
    with monkeypatch.context() as patch:

        def turn() -> None:
            patch.setattr(EffortTo, "score", lambda self, *lists: -score(self, *lists))
            patch.setattr(EffortTo, "good", "high")

        patch.turn = turn  # type: ignore[attr-defined]
        yield patch


def say(site: ec.Collection) -> dict[str, Any]:
    """Return all that a sweep says of the order of systems."""
    followed = trajectory("EffortTo", "recall", RECALLS, site)
    maps = grid("EffortTo", "recall", RECALLS, "effort.click", [0.0, 1.0], site)
    over_all = ranks_over_settings(followed.outcomes)
    return {
        "ranks": followed.ranks.to_numpy().tolist(),
        "tau": followed.tau.tolist(),
        "changes": followed.changes.to_numpy().tolist(),
        "winners": maps.winner.tolist(),
        "tied": maps.tied.tolist(),
        "shares": maps.shares().to_dict(),
        "frame": maps.frame().drop(columns="score").to_numpy().tolist(),
        "table": over_all.to_numpy().tolist(),
        "first in the table": list(over_all.index),
    }


@pytest.mark.slow
def test_sweeps_say_the_same_of_an_effort_as_of_the_same_scores_turned_round(site: ec.Collection, turned: Any) -> None:
    efforts = say(site)
    turned.turn()
    assert say(site) == efforts


def test_a_setting_at_which_some_never_get_there_is_defined(site: ec.Collection) -> None:
    measure = ec.parse("EffortTo(recall=0.6)")
    found = outcomes(measure, [measure], site)
    assert np.isinf(found.means).any()
    assert found.defined.tolist() == [True]
    infinite = np.isinf(found.means[0])
    assert set(found.ranks[0][infinite].tolist()) == {int((~infinite).sum()) + 1}  # all tied behind all others
    assert found.tau[0] == 1


def test_a_parameter_that_the_collection_knows_only_at_0_is_followed_to_where_nobody_is_first(
    site: ec.Collection,
) -> None:
    found = trajectory("EffortTo(recall=0.2)", "effort.given", [0.0, 0.5, 1.0], site)  # no component has an effort
    assert found.changes["after"].tolist() == ["nobody"]
    assert found.means.isna().all(axis=1).tolist() == [False, True, True]
