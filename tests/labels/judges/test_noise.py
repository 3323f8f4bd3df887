"""Errors in labels: their number, their kinds, and their effect on the ranking."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invented_support import invented
from labels.judges.made import judged, of_teams
from sources_support import with_sources

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.labels.judges import WAYS, Noise, NoiseCurve, Way, noise_curve
from evalcore.labels.judges.noise import any_other, as_measured, neighbour
from evalcore.labels.judges.rescoring import with_labels

ONE = small_collection(pd.DataFrame({"relevance": [1, 0, 2]}, index=list("abc")), {"s": ["b", "a", "c"]})


@pytest.mark.parametrize("text", ["RBP", "nDCG@5", "AP", "uRBP"])
def test_the_effect_of_a_noise_level_equals_a_slow_loop(text: str) -> None:
    collection = invented(5)
    noise = Noise.of(text, collection, "any", n_draws=4, seed=2)
    own = ec.evaluate(text, collection).mean()
    taus, firsts = [], []
    for draw in range(4):
        labels = noise.scorer.labels(noise.places(0.3)[:, draw])
        means = ec.evaluate(text, with_labels(collection, "relevance", labels)).mean()
        taus.append(ec.tau(means, own))
        firsts.append(ec.best_first(means).index[0] == ec.best_first(own).index[0])
    found = noise.at(0.3)
    assert found["tau"] == pytest.approx(np.mean(taus))
    assert (found["tau_low"], found["tau_high"]) == pytest.approx(
        tuple(np.quantile(taus, [0.025, 0.975], method="weibull"))
    )
    assert found["winner_stays"] == pytest.approx(np.mean(firsts))


@given(st.sampled_from(["neighbour", "any"]), st.floats(0, 1), st.floats(0, 1), st.integers(0, 5))
def test_a_higher_level_keeps_all_errors_of_a_lower_one(way: str, one: float, other: float, seed: int) -> None:
    noise = Noise.of("nDCG", invented(seed), way, n_draws=2, seed=seed)
    few, many = (noise.places(level) for level in sorted((one, other)))
    wrong = few != noise.own[:, None]
    np.testing.assert_array_equal(few[wrong], many[wrong])


@pytest.mark.parametrize("way", WAYS)
def test_the_share_of_wrong_labels_is_the_level(way: str) -> None:
    noise = Noise.of("RBP", judged(1), way, n_draws=200)
    level = 0.7 * noise.way.most
    assert (noise.places(level) != noise.own[:, None]).mean() == pytest.approx(level, abs=0.005)  # 288,000 labels


def test_wrong_labels_are_drawn_from_the_confusion() -> None:
    way = as_measured(np.array([[70.0, 20, 10], [5, 5, 0], [0, 3, 9]]), np.array([0.5, 0.3, 0.2]))
    collection = small_collection(pd.DataFrame({"relevance": [0, 1, 2]}, index=list("abc")), {"s": ["a", "b", "c"]})
    noise = Noise.of("nDCG", collection, way, n_draws=20_000)
    found = [np.bincount(row, minlength=3) / 20_000 for row in noise.places(0.2)]
    assert np.array(found) == pytest.approx(way.confusion(0.2), abs=0.015)


def test_kappa_is_that_of_the_joint_distribution() -> None:
    # by hand: half of each grade, 0.2 wrong: p_o = .8, p_e = .5
    assert any_other(2).kappa(0.2, np.array([0.5, 0.5])) == pytest.approx(0.6)
    assert np.isnan(neighbour(2).kappa(0.0, np.array([1.0, 0.0])))


def test_unlabelled_documents_stay_unlabelled_under_noise() -> None:
    noise = Noise.of("AP", invented(3), n_draws=3)
    np.testing.assert_array_equal(noise.places(1.0)[noise.own < 0], -1)


def test_more_draws_begin_with_the_same_ones() -> None:
    few, many = (Noise.of("AP", invented(3), n_draws=count) for count in (2, 5))
    np.testing.assert_array_equal(few.places(0.4), many.places(0.4)[:, :2])


def curve(taus: list[float]) -> NoiseCurve:
    table = pd.DataFrame({"tau": taus, "kappa": np.linspace(1, 0, len(taus))}, np.arange(len(taus)) / 10)
    return NoiseCurve("AP", "relevance", table, ("s",), 1, 0, neighbour(2))


@pytest.mark.parametrize(
    ("taus", "level"), [([1.0, 0.8, 0.7], 0.05), ([1.0, 0.95, 0.92], np.nan), ([0.5, 0.4], 0.0), ([1.0, 0.9, 0.8], 0.1)]
)
def test_the_level_at_which_tau_falls_below_a_value_is_interpolated(taus: list[float], level: float) -> None:
    assert curve(taus).level_where(0.9) == pytest.approx(level, nan_ok=True)


def test_kappa_at_a_level_is_interpolated() -> None:
    assert curve([1.0, 0.9, 0.8]).kappa_at(0.05) == pytest.approx(0.75)


def test_one_system_has_no_tau_and_stays_first() -> None:
    found = Noise.of("RBP", ONE, n_draws=5).at(0.5)
    assert np.isnan(found["tau"])
    assert (found["winner_stays"], found["undefined"]) == (1.0, 5)


def refused(problem: str, **changes: object) -> None:
    given = {"measure": "AP", "collection": of_teams(), "n_draws": 2, **changes}
    with pytest.raises(ec.InputError, match=problem):
        noise_curve(given.pop("measure"), given.pop("collection"), **given)  # type: ignore[arg-type]


def test_invalid_noise_is_refused() -> None:
    of_none = pd.DataFrame({"relevance": [-1.0, -1.0]}, index=list("ab"))
    refused("expected labels of relevance, found none", collection=small_collection(of_none, {"s": ["a"]}))
    refused("expected a kind of label noise", way="often")
    refused("expected several sources of relevance labels, found one", way="as measured")
    refused("expected a source of relevance labels", collection=judged(1), way="as measured", sources=("b", "c"))
    refused("expected at least 1 draw", n_draws=0)
    refused("expected at most 138,888 draws of 1,440 labels", n_draws=10**6)
    refused("expected levels of 0 to", levels=[])
    refused("expected levels of 0 to", levels=[-0.1])
    refused("expected noise for 2 grades", way=neighbour(3))
    refused("expected a band between 0 and 1", band=1.0)


def test_noise_cannot_be_measured_between_sources_that_agree() -> None:
    collection = of_teams()
    same = with_sources(collection, b=collection.assessments.columns["relevance"])
    refused("expected two sources that differ", collection=same, way="as measured")


def test_a_level_that_no_confusion_reaches_is_refused() -> None:
    way = Way(np.array([2.0, 0.5]), any_other(2).into)
    assert way.most == 0.5
    with pytest.raises(ec.InputError, match=r"expected a level from 0 to 0\.5"):
        Noise.of("AP", of_teams(), way, n_draws=2).places(0.6)


def test_one_grade_cannot_go_wrong() -> None:
    labels = pd.DataFrame({"relevance": [0.0, 0.0]}, index=list("ab"))
    scale = ec.Scale("relevance", grades=(0,))
    refused("expected at least two grades", collection=small_collection(labels, {"s": ["a"]}, [scale]))
