"""NLRE, NGRE and nWCS against plain loops, the worst of all permutations, and what is wrong with them."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import SCALES, Small, collections

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.measures import NGRE, NLRE, nDCG, nWCS
from evalcore.structures.documents import Scale

NAMES = ("relevance", "difficulty", "credibility")
ALL = [NLRE(), NGRE(), nWCS()]
each = pytest.mark.parametrize("measure", ALL, ids=lambda measure: type(measure).__name__)


def goodness(name: str, document: str, judged: dict[str, dict[str, float]]) -> float:
    """The grade, reversed if low is good; for an unassessed document, the worst grade."""
    scale = SCALES[name]
    worst = scale.grades[0] if scale.good == "high" else scale.grades[-1]
    grade = judged[document][name] if document in judged else worst
    return grade if scale.good == "high" else scale.grades[-1] - grade


def ideal_places(labels: list[float]) -> list[int]:
    ideal = sorted(range(len(labels)), key=lambda at: (-labels[at], at))
    return [ideal.index(at) + 1 for at in range(len(labels))]


def local_error(places: list[list[int]], weights: tuple[float, ...]) -> float:
    error = 0.0
    for k in range(1, len(places[0])):
        steps = [max(0, place[k - 1] - place[k]) for place in places]
        product = math.prod(w + e for w, e in zip(weights, steps, strict=True))
        error += (product - math.prod(weights)) / math.log2(1 + k)
    return error


def global_error(places: list[list[int]], weights: tuple[float, ...]) -> float:
    product = 1.0
    for place, weight in zip(places, weights, strict=True):
        product *= 1 + weight * sum(max(0, place[k - 1] - place[k]) / math.log2(1 + k) for k in range(1, len(place)))
    return product - 1


def worst_places(n: int) -> list[int]:
    """n, 1, n - 1, 2, ..."""
    return [n - at // 2 if at % 2 == 0 else at // 2 + 1 for at in range(n)]


def by_loop(small: Small, score) -> np.ndarray:
    return np.array([[score(ranking, small.judged[t]) for t, ranking in enumerate(system)] for system in small.lists])


def slow_error(error, aspects, weights, cutoff):
    def score(ranking, judged):
        top = ranking[:cutoff]
        places = [ideal_places([goodness(name, document, judged) for document in top]) for name in aspects]
        largest = error([worst_places(len(top))] * len(aspects), weights) if top else 0
        return 1 - error(places, weights) / largest if largest else float(len(top) > 0)

    return score


def slow_nwcs(aspects, weights, cutoff, ideal="retrieved"):
    def total(worths):
        return sum(z / math.log2(1 + k) for k, z in enumerate(worths, start=1))

    def worth(document, judged):
        return sum(w * goodness(name, document, judged) for w, name in zip(weights, aspects, strict=True))

    def score(ranking, judged):
        top = ranking[:cutoff]
        worths = [worth(document, judged) for document in top]
        candidates = top if ideal == "retrieved" else [*judged, *["nobody assessed it"] * len(top)]
        best = total(sorted((worth(document, judged) for document in candidates), reverse=True)[: len(top)])
        return total(worths) / best if best else float(len(worths) > 0 and ideal == "retrieved")

    return score


settings = st.integers(1, 3).flatmap(
    lambda count: st.tuples(
        st.permutations(NAMES).map(lambda names: tuple(names[:count])),
        st.tuples(*[st.sampled_from([0.0, 0.5, 1.0, 7.0])] * count).filter(any),
        st.integers(1, 10),
    )
)


@given(collections(columns=NAMES), settings)
def test_each_measure_is_what_a_loop_finds(small, setting):
    aspects, weights, cutoff = setting
    references = {
        NLRE: slow_error(local_error, *setting),
        NGRE: slow_error(global_error, *setting),
        nWCS: slow_nwcs(*setting),
    }
    for cls, score in references.items():
        measure = cls(aspects=aspects, weights=weights, cutoff=cutoff)
        np.testing.assert_allclose(small.scores(measure), by_loop(small, score), atol=1e-12, err_msg=str(measure))
    measure = nWCS(aspects=aspects, weights=weights, cutoff=cutoff, ideal="assessed")
    expected = by_loop(small, slow_nwcs(aspects, weights, cutoff, "assessed"))
    np.testing.assert_allclose(small.scores(measure), expected, atol=1e-12)


# --- the largest error ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [(0.5, 0.5), (3.0, 0.0), (0.01, 5.0)])
@pytest.mark.parametrize("error", [local_error, global_error])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_no_two_rankings_err_more_than_the_worst(n, error, weights):
    orders = [list(order) for order in permutations(range(1, n + 1))]
    found = max(error([one, other], weights) for one in orders for other in orders)
    assert found == pytest.approx(error([worst_places(n)] * 2, weights), rel=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 10])
def test_the_largest_error_is_the_constant_of_the_paper(n):
    mu, nu = 0.3, 0.9
    terms = [(n - 2 * j - 1, 1 + math.log2(1 + j)) for j in range(n // 2)]
    local = sum((x**2 + (mu + nu) * x) / d for x, d in terms)
    once = sum(x / d for x, d in terms)
    worst = [worst_places(n)] * 2
    assert local_error(worst, (mu, nu)) == pytest.approx(local)
    assert global_error(worst, (mu, nu)) == pytest.approx(mu * nu * once**2 + (mu + nu) * once)


@pytest.mark.parametrize("cls", [NLRE, NGRE])
@pytest.mark.parametrize("n", [2, 3, 4, 7, 10])
def test_the_worst_ranking_scores_0_and_the_best_1(cls, n):
    worst = [n - place for place in worst_places(n)]
    best = sorted(worst, reverse=True)
    assert cls().of(worst, worst) == pytest.approx(0, abs=1e-12)
    assert cls().of(best, best) == 1
    three = cls(aspects=NAMES)
    assert three.of(worst, worst, worst) == pytest.approx(0, abs=1e-12)
    assert three.of(best, best, best) == 1


# --- by hand --------------------------------------------------------------------------------------------------------


def test_weights_that_are_not_given_are_equal_and_sum_to_1():
    lists = [0, 1, 2, 1], [2, 0, 1, 1], [0, 0, 1, 2]
    for cls in (NLRE, NGRE, nWCS):
        given_ = cls(aspects=NAMES, weights=(1 / 3, 1 / 3, 1 / 3))
        assert cls(aspects=NAMES).of(*lists) == given_.of(*lists)
    for cls in (NLRE, NGRE):
        assert cls(weights=(1, 1)).of(*lists[:2]) != cls().of(*lists[:2])
    assert nWCS(weights=(2, 2)).of(*lists[:2]) == pytest.approx(nWCS().of(*lists[:2]))


@each
def test_lists_of_none_and_of_one(measure):
    assert measure.of([], []) == 0
    assert measure.of([0], [0]) == measure.of([1], [0]) == measure.of([None], [None]) == 1


@each
def test_the_worst_label_of_a_scale_may_be_above_0(measure):
    scales = [Scale(name, grades=(1, 2, 3, 4)) for name in ("relevance", "credibility")]
    table = pd.DataFrame({"relevance": [1, 4], "credibility": [1, 3]}, index=["bad", "good"])
    c = small_collection(table, {"assessed": ["bad", "good"], "unassessed": ["?", "good"]}, scales)
    assert ec.evaluate(measure, c).loc["topic", "assessed"] == ec.evaluate(measure, c).loc["topic", "unassessed"] < 1


# --- what is wrong with them (Maistro et al. 2021, section 2) -------------------------------------------------------


@pytest.fixture
def bad() -> ec.Collection:
    """Systems that retrieve nothing relevant and nothing credible though there is much of both, and one that errs."""
    table = pd.DataFrame(
        {"relevance": [0, 0, 0, 3, 2, 1], "credibility": [0, 0, 0, 2, 2, 1]}, index=["x", "y", "z", "a", "b", "c"]
    )
    return small_collection(table, {"worthless": ["x", "y", "z"], "unassessed": ["?", "!"], "good": ["b", "a", "c"]})


@each
def test_a_list_with_nothing_relevant_and_nothing_credible_scores_1(measure, bad):
    scores = ec.evaluate(measure, bad).loc["topic"]
    assert scores["worthless"] == scores["unassessed"] == 1
    assert scores["good"] < 1
    assert ec.evaluate(nDCG(), bad).loc["topic", "worthless"] == 0


@pytest.mark.parametrize("cls", [NLRE, NGRE])
def test_a_better_document_further_up_may_lower_the_score(cls):
    # Places 3, 2, 1 take two steps of 1; after the swap, 3, 1, 2 take one of 2 further up.
    assert cls().of([0, 1, 2], [0, 1, 2]) > cls().of([0, 2, 1], [0, 2, 1])


def test_a_document_that_rises_into_the_top_may_lower_nwcs():
    assert nWCS(cutoff=3).of([1, 0, 0, 1], [1, 0, 0, 1]) == 1
    assert nWCS(cutoff=3).of([1, 0, 1, 0], [1, 0, 1, 0]) < 1


# --- settings that cannot be ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"weights": (1, 2, 3)}, "a weight for each of 2 aspects, found 3"),
        ({"weights": (0, 0)}, "at least one weight above 0"),
        ({"aspects": ("relevance", "beauty")}, "'beauty'"),
    ],
)
@pytest.mark.parametrize("cls", [NLRE, NGRE, nWCS])
def test_an_impossible_setting_is_explained(bad, cls, options, problem):
    with pytest.raises(ec.InputError) as error:
        ec.evaluate(cls(**options), bad)
    assert problem in str(error.value)


@pytest.mark.parametrize("weight", [-1, math.inf])
def test_a_weight_is_0_or_more_and_finite(weight):
    with pytest.raises(ec.InputError, match="expected a number in"):
        NLRE(weights=(1, weight))


def test_a_rank_error_needs_grades():
    table = pd.DataFrame({"relevance": [1, 0], "fog": [3.5, 9.0]}, index=["a", "b"])
    c = small_collection(table, {"s": ["a", "b"]}, [SCALES["fog"]])
    for cls in (NLRE, NGRE, nWCS):
        with pytest.raises(ec.InputError, match="an aspect with grades, found the signal fog"):
            ec.evaluate(cls(aspects=("relevance", "fog")), c)
