"""Coefficients of agreement: equal to printed examples and to exact fractions; and on hostile labels."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from sources_support import confused, with_sources

import evalcore as ec
from evalcore.labels.judges import COEFFICIENTS, disagreements, source_agreement
from evalcore.labels.judges.agreement import (
    agreement_weights,
    alpha,
    alpha_distances,
    gwet,
    kappa,
    paired_labels,
    specific_agreement,
)
from evalcore.structures.documents import Scale

# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section C: 4 observers, 12 units.
OBSERVERS = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
COHEN_1960 = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])  # Table 2
COHEN_1968 = np.array([[44, 7, 9], [5, 20, 5], [1, 3, 6]])  # Table 1, of 100
GWET = np.array([[118, 5], [2, 0]])  # Gwet 2002, "Kappa statistic is not satisfactory", Table 2


def observers() -> np.ndarray:
    """(4, 12) positions on a scale of 5; -1 if there is no label."""
    lines = OBSERVERS.strip().splitlines()
    return np.array([[-1 if part == "." else int(part) - 1 for part in line.split()] for line in lines])


def pairs(places: np.ndarray, n_grades: int, each: Any) -> np.ndarray:
    return paired_labels(places, np.zeros(places.shape[1], dtype=int), (1, n_grades), each)[0]


# --- printed examples -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("metric", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_equals_the_example_of_krippendorff_2011(metric, printed):
    found = alpha(pairs(observers(), 5, "label"), alpha_distances(range(1, 6), metric))
    assert round(float(found), 3) == printed


def test_kappa_equals_the_example_of_cohen_1960():
    assert round(float(kappa(COHEN_1960, np.eye(3))), 3) == 0.492


def test_weighted_kappa_equals_the_example_of_cohen_1968():
    disagreement = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]])
    assert round(float(kappa(COHEN_1968, 1 - disagreement / 6)), 3) == 0.348


def test_if_almost_all_labels_are_equal_kappa_is_low_and_ac1_high_as_in_gwet_2002():
    assert round(float(kappa(GWET, np.eye(2))), 4) == -0.0234
    assert round(float(gwet(GWET, np.eye(2))), 4) == 0.9408


def test_specific_agreement_is_positive_and_negative_agreement():
    # Cicchetti and Feinstein 1990: 2a / (f1 + g1) and 2d / (f2 + g2)
    assert specific_agreement([[80, 10], [5, 5]]).tolist() == [160 / 175, 10 / 25]


# --- a second implementation, document by document, in fractions ------------------------------------------------------


def of_units(places: np.ndarray) -> list[list[int]]:
    return [kept for unit in places.T.tolist() if len(kept := [one for one in unit if one >= 0]) > 1]


def slow_alpha(units: list[list[int]], apart) -> Fraction:
    values = [one for unit in units for one in unit]
    observed = sum(Fraction(apart(a, b, values), len(unit) - 1) for unit in units for a, b in permutations(unit, 2))
    expected = sum(apart(a, b, values) for a, b in permutations(values, 2))
    return 1 - observed * (len(values) - 1) / expected


def slow_ordinal(a: int, b: int, values: list[int]) -> Fraction:
    low, high = sorted((a, b))
    between = sum(low <= one <= high for one in values)
    return (between - Fraction(values.count(low) + values.count(high), 2)) ** 2 if a != b else Fraction(0)


SLOW_DISTANCES = {
    "nominal": lambda a, b, _: int(a != b),
    "ordinal": slow_ordinal,
    "interval": lambda a, b, _: (a - b) ** 2,
}
SLOW_WEIGHTS = {
    "none": lambda a, b, _: Fraction(a == b),
    "linear": lambda a, b, most: 1 - Fraction(abs(a - b), most),
    "quadratic": lambda a, b, most: 1 - Fraction((a - b) ** 2, most**2),
}


def slow_kappa(units: list[list[int]], alike, n_grades: int) -> Fraction:
    n, most = len(units), n_grades - 1
    observed = sum(alike(a, b, most) for a, b in units) / n
    expected = sum(alike(a, b, most) for a, _ in units for _, b in units) / n**2
    return (observed - expected) / (1 - expected)


def slow_gwet(units: list[list[int]], alike, n_grades: int) -> Fraction:
    n, most = len(units), n_grades - 1
    within = (list(permutations(unit, 2)) for unit in units)
    observed = sum(sum(alike(a, b, most) for a, b in both) / len(both) for both in within) / n
    given = [sum(Fraction(unit.count(grade), len(unit)) for unit in units) / n for grade in range(n_grades)]
    weight = sum(alike(a, b, most) for a in range(n_grades) for b in range(n_grades))
    expected = weight / (n_grades * most) * sum(one * (1 - one) for one in given)
    return (observed - expected) / (1 - expected)


def drawn(seed: int) -> tuple[np.ndarray, int]:
    """(J, P) labels of 2 to 4 judges who mostly agree, on 2 to 5 grades; the first two judges have no gaps."""
    rng = np.random.default_rng(seed)
    shape, n_grades = (int(rng.integers(2, 5)), int(rng.integers(4, 25))), int(rng.integers(2, 6))
    truth = rng.integers(0, n_grades, shape[1])
    places = np.where(rng.random(shape) < 0.5, truth, rng.integers(0, n_grades, shape))
    places[2:][rng.random((shape[0] - 2, shape[1])) < 0.3] = -1
    places[0, :2] = 0, 1
    return places, n_grades


@pytest.mark.parametrize("seed", range(8))
def test_every_coefficient_equals_a_slow_one_in_fractions(seed):
    places, n = drawn(seed)
    units, two = of_units(places), of_units(places[:2])
    confusion = np.zeros((n, n))
    np.add.at(confusion, (places[0], places[1]), 1)
    for metric, apart in SLOW_DISTANCES.items():
        found = alpha(pairs(places, n, "label"), alpha_distances(range(n), metric))
        assert float(found) == pytest.approx(float(slow_alpha(units, apart)), abs=1e-12)
    for kind, alike in SLOW_WEIGHTS.items():
        weights = agreement_weights(range(n), kind)
        assert float(kappa(confusion, weights)) == pytest.approx(float(slow_kappa(two, alike, n)), abs=1e-12)
        found = gwet(pairs(places, n, "document"), weights)
        assert float(found) == pytest.approx(float(slow_gwet(units, alike, n)), abs=1e-12)


# --- a collection -----------------------------------------------------------------------------------------------------


def two_judges(first, second, topics=None, grades=(0, 1, 2)) -> ec.Collection:
    """Make a collection of one system whose documents two sources labelled; nan means no label."""
    topics = topics or ["t"] * len(first)
    names = [f"d{at}" for at in range(len(first))]
    seen: dict[Any, dict[Any, Any]] = {topic: {} for topic in topics}
    for at, (topic, name) in enumerate(zip(topics, names, strict=True)):
        seen[topic][name] = float(at)
    scale = Scale("relevance", grades=grades)
    given = {topic: dict.fromkeys(listed, 0) for topic, listed in seen.items()}
    made = ec.collection({"run": seen}, {"relevance": given}, scales=[scale])
    place = [names.index(name) for name in made.assessments.documents]
    labels = [np.asarray(one, dtype=float)[place] for one in (first, second)]
    columns = {**made.assessments.columns, "relevance": labels[0]}
    made = replace(made, assessments=replace(made.assessments, columns=columns))
    return with_sources(made, other=labels[1])


@pytest.fixture(scope="module")
def health() -> ec.Collection:
    c = ec.load("sample_data/health")
    return with_sources(c, llm=confused(c, np.array([[0.9, 0.08, 0.02], [0.2, 0.6, 0.2], [0.05, 0.25, 0.7]])))


def test_a_source_agrees_fully_with_itself(health):
    same = with_sources(health, twin=health.assessments.columns["relevance"].copy())
    found = source_agreement(same, ("nist", "twin"))
    assert found.coefficients()["value"].to_numpy() == pytest.approx(1.0, abs=1e-12)
    assert found.coefficients()[["low", "high"]].isna().all(axis=None)
    assert found.why_no_interval("kappa") == "it is the same whichever topic is left out, so topics show no variation"


def test_the_confusion_matrix_counts_documents(health):
    found, llm = source_agreement(health).confusion(), health.assessments.sources["relevance"].labels["llm"]
    expected = pd.crosstab(health.assessments.columns["relevance"], llm)
    assert (found.to_numpy() == expected.to_numpy()).all()
    assert (found.index.name, found.columns.name) == ("nist", "llm")


def test_a_label_below_the_scale_counts_as_missing():
    assert source_agreement(two_judges([-2, 0, 1], [0, 0, 1])).n_documents == 2


def slow_interval(estimate, without, freedom, share=False):
    """Return the interval by the jackknife: error times sqrt(n / (n - 2)), on the scale of Fisher's z."""
    n = len(without)
    error = math.sqrt(n / (n - 2) * (n - 1) / n * sum((one - sum(without) / n) ** 2 for one in without))
    middle, error = (2 * estimate - 1, 2 * error) if share else (estimate, error)
    reach = student.ppf(0.975, freedom) * error / (1 - middle**2)
    ends = [math.tanh(math.atanh(middle) + sign * reach) for sign in (-1, 1)]
    return [(end + 1) / 2 for end in ends] if share else ends


def slow_freedom(without, rests):
    n, mean = len(without), sum(without) / len(without)
    kurtosis = n * sum((one - mean) ** 4 for one in without) / sum((one - mean) ** 2 for one in without) ** 2
    return max(1, min(n - 1, sum(rests) ** 2 / sum(rest**2 for rest in rests) - 1, 2 * n / (kurtosis - 1)))


@pytest.mark.parametrize("name", ["agreement", "kappa"])
def test_intervals_come_from_leaving_out_each_topic(health, name):
    """Agreement weights topics by documents; kappa by the documents that would differ by chance."""
    found = source_agreement(health)
    alone = [ec.restrict(health, topics=[one for one in found.topics if one != topic]) for topic in found.topics]
    without = [source_agreement(one).coefficient(name).estimate for one in alone]
    given = found.counts.sum(axis=1) + found.counts.sum(axis=2)
    shares = given.sum(axis=0) / given.sum()
    rests = found.documents if name == "agreement" else given @ (1 - shares)
    interval = found.coefficient(name)
    expected = slow_interval(interval.estimate, without, slow_freedom(without, rests), name == "agreement")
    assert [interval.low, interval.high] == pytest.approx(expected, abs=1e-12)


def test_intervals_within_a_topic_come_from_leaving_out_each_document(health):
    found = source_agreement(health)
    table, at = found.by_topic("agreement"), 3
    same, count = int(np.trace(found.counts[at])), int(found.counts[at].sum())
    without = [(same - 1) / (count - 1)] * same + [same / (count - 1)] * (count - same)
    expected = slow_interval(same / count, without, slow_freedom(without, [1] * count), share=True)
    assert table.iloc[at][["low", "high"]].tolist() == pytest.approx(expected, abs=1e-12)


def test_alpha_and_ac_cover_all_of_three_sources(health):
    third = with_sources(
        health, llm=health.assessments.sources["relevance"].labels["llm"], third=confused(health, np.eye(3))
    )
    found = source_agreement(third, ("nist", "llm", "third"))
    assert set(found.coefficients()["coefficient"]) == {"alpha", "AC"}
    with pytest.raises(ec.InputError, match="one of the coefficients alpha, AC"):
        found.coefficient("kappa")


# --- undefined, and hostile -------------------------------------------------------------------------------------------


def test_if_all_labels_are_one_grade_kappa_and_alpha_are_undefined_with_the_reason():
    found = source_agreement(two_judges([0, 0, 0], [0, 0, 0]))
    assert [np.isnan(found.coefficient(name).estimate) for name in COEFFICIENTS] == [False, True, True, False]
    assert "no disagreement is expected" in found.why_undefined("kappa")
    assert found.why_undefined("AC") == ""


def test_sources_without_a_document_in_common_have_no_agreement():
    found = source_agreement(two_judges([0, np.nan], [np.nan, 1]))
    assert found.coefficients()[["value", "low", "high"]].isna().all(axis=None)
    assert found.why_undefined("kappa") == "no document has labels from both sources"
    assert (len(found.by_topic()), found.confusion().to_numpy().sum()) == (0, 0)
    assert found.cells()["share"].isna().all()
    assert found.by_grade()["value"].isna().all()


def test_one_topic_has_no_interval():
    interval = source_agreement(two_judges([0, 1, 2], [0, 1, 1])).coefficient("kappa")
    assert not np.isnan(interval.estimate)
    assert np.isnan([interval.low, interval.high]).all()


def in_topics(topics, first, second):
    """Make a collection in which each topic has these labels."""
    return two_judges(first * topics, second * topics, [f"t{topic}" for topic in range(topics) for _ in first])


RARE = [0] * 20 + [1] * 6


@pytest.mark.parametrize(
    ("collection", "name", "why"),
    [
        (in_topics(4, [0, 1] * 15, [0] * 10 + [1] * 20), "kappa", "there are fewer than 5 topics"),
        (in_topics(5, [0, 1, 0], [0, 1, 1]), "agreement", "there are fewer than 20 documents"),
        (
            in_topics(5, [0, 1] * 3, [0, 1] * 3),
            "alpha",
            "there are fewer than 20 documents whose labels would be expected to differ",
        ),
        (in_topics(5, RARE, RARE[::-1]), "kappa", "fewer than 5 documents have a less frequent grade from"),
        (in_topics(5, [0] * 20, [1] * 20), "AC", "fewer than 5 documents have the same grade from both"),
        (in_topics(5, RARE, RARE), "kappa", "it is the same whichever topic is left out"),
    ],
)
def test_a_missing_interval_has_a_reason(collection, name, why):
    assert source_agreement(collection).why_no_interval(name).startswith(why)


@pytest.mark.parametrize("seed", range(20))
def test_an_interval_always_contains_its_estimate(seed):
    """Labels are random, with rare grades, guessing judges, and topics of very different sizes."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 80, rng.integers(2, 12))
    topics = [f"t{at:02}" for at, size in enumerate(sizes) for _ in range(size)]
    first = rng.choice(3, len(topics), p=rng.dirichlet([3, 1, 0.3]))
    second = np.where(rng.random(len(topics)) < rng.random(), first, rng.choice(3, len(topics)))
    found = source_agreement(two_judges(first, second, topics))
    for table in (
        found.coefficients(),
        found.by_topic(),
        found.by_grade(),
        found.cells().rename(columns={"share": "value"}),
    ):
        known = table.dropna(subset=["low"])
        assert (known["low"] <= known["value"]).all()
        assert (known["value"] <= known["high"]).all()


def test_grades_off_the_scale_count_as_grades():
    assert source_agreement(two_judges([0, 1, 7], [0, 1, 2])).grades == (0, 1, 2, 7)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"sources": ("nist",)}, "two or more different sources, found nist"),
        ({"sources": ("nist", "nist")}, "different sources"),
        ({"sources": ("nist", "nobody")}, "a source of relevance labels .* found 'nobody'"),
        ({"aspect": "credibility"}, "several sources of 'credibility', found them only for relevance"),
        ({"level": 1.5}, "a level between 0 and 1"),
    ],
)
def test_invalid_sources_aspects_and_levels_are_refused(health, asked, message):
    with pytest.raises(ec.InputError, match=message):
        source_agreement(health, **asked)


def test_a_collection_with_one_source_is_refused(health):
    alone = replace(health, assessments=replace(health.assessments, sources={}))
    with pytest.raises(ec.InputError, match="several sources of labels, found none"):
        source_agreement(alone)


def test_too_many_grades_for_a_table_are_refused():
    with pytest.raises(ec.InputError, match="at most 50 grades, found 60"):
        source_agreement(two_judges(range(60), range(60)))


@pytest.mark.parametrize(("name", "weights"), [("kappa", "ordinal"), ("alpha", "none"), ("agreement", "linear")])
def test_weights_that_a_coefficient_does_not_have_are_refused(health, name, weights):
    with pytest.raises(ec.InputError, match=f"{name} with weights"):
        source_agreement(health).coefficient(name, weights)


@pytest.fixture(scope="module")
def five_documents() -> ec.Collection:
    first, second = "1 0 x 0\n1 0 y 1\n1 0 z 2\n1 0 w 2\n", "1 0 x 2\n1 0 y 1\n1 0 z 1\n1 0 v 0\n"
    return ec.load_files([("nist.qrels", first.encode()), ("gpt4.qrels", second.encode())])


@pytest.mark.parametrize(
    ("cell", "expected"),
    [(None, [["1", "x", 0, 2], ["1", "z", 2, 1]]), ((2, 1), [["1", "z", 2, 1]]), ((1, 1), [["1", "y", 1, 1]])],
)
def test_documents_are_listed_by_their_two_labels_the_furthest_apart_first(five_documents, cell, expected):
    found = disagreements(five_documents, ("nist", "gpt4"), cell=cell)
    assert found.to_numpy().tolist() == expected


@pytest.mark.parametrize("sources", [("nist",), ("nist", "nist"), ("nist", "x")])
def test_other_than_two_known_sources_are_refused(five_documents, sources):
    with pytest.raises(ec.InputError, match="expected"):
        disagreements(five_documents, sources)
