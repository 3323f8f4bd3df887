"""Options with the same scores for every system on every topic are one specification."""

from __future__ import annotations

import numpy as np
import pytest
from claims.made import random_collection

import evalcore as ec
from evalcore.claims import (
    Choice,
    Multiverse,
    Option,
    Specifications,
    Study,
    measure_choice,
    multiverse,
    options_behind,
    parameter_choice,
    parse_claim,
    sensible,
)
from evalcore.claims.alike import equal_rows

COLLECTION = random_collection()  # runs of 8 documents, grades to 2
SAME = parameter_choice("cutoff", [3, 8, 100])  # rankings end at 8


def of(*choices: Choice) -> Multiverse:
    return multiverse(Specifications(choices), COLLECTION)


def test_cut_offs_beyond_the_end_of_all_runs_are_one_specification() -> None:
    found = of(measure_choice(["RBP", "RR"]), SAME)
    assert [str(measure) for measure in found.design.measures] == ["RBP(rho=0.8)@3", "RBP(rho=0.8)@8", "RR@3", "RR@8"]
    assert found.counts.tolist() == [1, 2, 1, 2]
    assert len(found.combinations) == 6
    assert len(found.scored) == 4


def test_equal_specifications_count_once_with_the_largest_weight() -> None:
    weighted = SAME.weighted({"8": 2.0, "100": 3.0})
    assert of(measure_choice(["RR"]), weighted).design.weights.tolist() == [0.25, 0.75]
    assert of(measure_choice(["RR"]), SAME).design.weights.tolist() == [0.5, 0.5]


def test_specifications_equal_on_half_of_the_topics_are_merged_there_only() -> None:
    halves = Choice("topics", "topics", tuple(Option(one, one) for one in ("all", "half 1")))
    found = of(measure_choice(["RR@8"]), halves)
    assert len(found) == 2  # different topics are different specifications, whatever the scores
    named = Choice("topics", "topics", (Option("all", "all"), Option("each", tuple(COLLECTION.topics))))
    assert len(of(measure_choice(["RR@8"]), named)) == 1


def test_scores_equal_up_to_rounding_are_merged_and_missing_ones_are_not() -> None:
    rows = np.array([[0.3, np.nan, -np.inf], [0.1 + 0.2, np.nan, -np.inf], [0.3, 0.0, -np.inf], [0.3, np.nan, 0.0]])
    assert equal_rows(rows).tolist() == [0, 0, 2, 3]


def test_options_that_score_the_same_share_one_result() -> None:
    study = Study(parse_claim("s0 > s1"), of(measure_choice(["RBP", "RR"]), SAME))
    made = study.multiverse
    assert made.taken["cutoff"].sum(axis=0) == pytest.approx([1 / 2, 1 / 4, 1 / 4])
    table = options_behind(made.combinations, np.ones(6, dtype=bool)).set_index("option")
    assert table["share"][["3", "8", "100"]].tolist() == pytest.approx([1 / 2, 1 / 4, 1 / 4])
    same = of(measure_choice(["RBP", "RR"]), parameter_choice("cutoff", [8, 100]))
    assert Study(parse_claim("s0 > s1"), same).sources.table["share"]["cutoff"] == pytest.approx(0)


def test_an_unused_set_of_topics_is_no_error() -> None:
    topics = Choice("topics", "topics", (Option("all", "all"), Option("half", "half 1")), only=("AP",))
    measures = ["RR", 'AP(aspect="trust")']  # the second cannot be scored
    assert len(of(measure_choice(measures), topics)) == 1


def with_grades(grades: list[float]) -> ec.Collection:
    documents = {f"d{at}": grade for at, grade in enumerate(grades)}
    runs = {name: {"q": {one: 1.0 + at for at, one in enumerate(documents)}} for name in ("a", "b")}
    return ec.collection(runs, {"relevance": {"q": dict.fromkeys(documents, 1)}, "trust": {"q": documents}})


@pytest.mark.parametrize(
    ("grades", "thresholds"),
    [
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (2.5, 3.5, 4.5, 6.5, 7.5)),  # quartiles 2.5 and 7.5 in five steps
        ([0, 1, 3], (1, 3)),
    ],
)
def test_thresholds_with_the_same_split_of_labels_are_merged(
    grades: list[float], thresholds: tuple[float, ...]
) -> None:
    (choice,) = (one for one in sensible(with_grades(grades)).choices if one.name == "trust threshold")
    values = np.array(choice.numbers)
    parted = {tuple(np.array(grades) >= value) for value in values}
    assert len(parted) == len(values)
    assert values == pytest.approx(thresholds)
