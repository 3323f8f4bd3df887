"""Specifications from choices: every combination that makes sense, once, or a seeded sample."""

from __future__ import annotations

import pytest
from claims.made import random_collection

import evalcore as ec
from evalcore.claims import Choice, Design, Option, Specifications, design_of, parameter_choice, unassessed_choice
from evalcore.claims.choices import measure_choice
from evalcore.errors import InputError

COLLECTION = random_collection()


def laid_out(measures: list[str], *choices: Choice, most: int = 2500, seed: int = 0) -> Design:
    return design_of(Specifications((measure_choice(measures), *choices), most=most, seed=seed), COLLECTION)


def texts(design: Design) -> list[str]:
    return [str(measure) for measure in design.measures]


def test_few_combinations_are_all_enumerated() -> None:
    design = laid_out(["RBP"], parameter_choice("rho", [0.5, 0.8]), parameter_choice("cutoff", [5, None]))
    assert texts(design) == ["RBP(rho=0.5)@5", "RBP(rho=0.5)", "RBP(rho=0.8)@5", "RBP(rho=0.8)"]
    assert (design.possible, design.sampled) == (4, False)


def test_a_choice_that_does_not_apply_to_a_measure_does_not_duplicate_it() -> None:
    design = laid_out(["AP", "RBP"], parameter_choice("rho", [0.5, 0.8]))
    assert texts(design) == ["AP", "RBP(rho=0.5)", "RBP(rho=0.8)"]
    assert design[0].chosen == {"measure": "AP"}
    assert design[1].chosen == {"measure": "RBP", "rho": "0.5"}


def test_an_option_that_a_measure_cannot_have_is_left_out_for_it_with_a_note() -> None:
    design = laid_out(["P", "AP"], parameter_choice("cutoff", [5, None]))
    assert texts(design) == ["P@5", "AP@5", "AP"]
    assert design.notes == ("choice 'cutoff': none is left out for P@10, which rejects it",)


def test_the_upper_end_of_the_residual_is_for_measures_that_have_one() -> None:
    design = laid_out(["AP", "RBP", "CAM(RBP)", "CAM(AP)"], unassessed_choice())
    taken = [(at.measure.__class__.__name__, at.unassessed) for at in (design[one] for one in range(len(design)))]
    assert [worth for name, worth in taken if name == "RBP"] == ["0", "left out", "1"]
    assert [worth for name, worth in taken if name == "AP"] == ["0", "left out"]
    assert len(taken) == 2 + 3 + 3 + 2


def test_a_parameter_is_found_inside_composites_and_a_base_brings_its_own() -> None:
    bases = parameter_choice("base", ["nDCG", "RBP"])
    design = laid_out(["CAM"], bases, parameter_choice("rho", [0.5, 0.9]))
    assert texts(design) == [
        'CAM(nDCG, aspects=["relevance", "understandability"])',
        'CAM(RBP(rho=0.5), aspects=["relevance", "understandability"])',
        'CAM(RBP(rho=0.9), aspects=["relevance", "understandability"])',
    ]


def test_a_path_leads_to_one_number() -> None:
    design = laid_out(["CAM(nDCG)", "AP"], parameter_choice("weights[0]", [1, 3]))
    assert [getattr(measure, "weights", None) for measure in design.measures] == [(1, 1), (3, 1), None]


def test_aspect_weights_set_weights_of_averages_and_importance_in_toma() -> None:
    weights = Choice("w", "aspect weights", (Option("x", (("relevance", 2.0),)),))
    cam, toma, ap = laid_out(["CAM(nDCG)", "TOMA(nDCG)", "AP"], weights).measures
    both = 'aspects=["relevance", "understandability"]'  # those of the collection
    assert ec.parse(str(cam)) == ec.parse(f"CAM(nDCG, {both}, weights=[2, 1])")
    assert dict(ec.parse(str(toma)).importance) == {"relevance": 2, "understandability": 1}  # type: ignore[attr-defined]
    assert str(ap) == "AP"


def test_weights_multiply_and_options_of_weight_0_are_left_out() -> None:
    options = (Option("0.5", 0.5, 3.0), Option("0.8", 0.8), Option("0.9", 0.9, 0.0))
    design = laid_out(["RBP"], Choice("rho", "parameter", options, "rho"))
    assert design.weights.tolist() == [0.75, 0.25]


def test_a_sample_is_the_same_for_the_same_seed_and_contains_nothing_twice() -> None:
    def sample(seed: int) -> list[str]:
        choices = [parameter_choice("rho", "0.01 to 0.9, 900 steps"), parameter_choice("cutoff", list(range(1, 500)))]
        design = laid_out(["RBP"], *choices, most=50, seed=seed)
        assert design.sampled
        assert design.possible == 900 * 499
        return texts(design)

    assert sample(1) == sample(1)
    assert sample(1) != sample(2)
    assert len(set(sample(1))) == 50


def test_halves_of_the_topics_are_random_and_complementary() -> None:
    sets = ("all", "half 1", "other half 1", ("q0", "q3"))
    options = tuple(Option(str(one), one) for one in sets)
    design = laid_out(["AP"], Choice("topics", "topics", options))
    all_topics, half, rest, named = design.topic_sets
    assert all_topics.all()
    assert half.sum() == 3
    assert (half ^ rest).all()
    assert [COLLECTION.topics[at] for at in named.nonzero()[0]] == ["q0", "q3"]
    assert len(design) == 4


def test_one_topic_has_no_halves() -> None:
    choice = Choice("topics", "topics", (Option("half 4", "half 4"),))
    with pytest.raises(InputError, match="choice 'topics': expected at least two topics to halve, found 1"):
        design_of(Specifications((measure_choice(["AP"]), choice)), random_collection(n_topics=1))


def test_measures_without_chosen_topics_use_all() -> None:
    topics = Choice("topics", "topics", (Option("half 1", "half 1"), Option("hard", ("q0",))), only=("RR",))
    design = laid_out(["AP", "RR"], topics)
    assert [design[at].topics for at in range(3)] == ["all", "half 1", "hard"]
    assert design.topic_sets[design.topic_set].sum(axis=1).tolist() == [6, 3, 1]


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        (parameter_choice("roh", [1]), "choice 'roh': expected a measure's parameter, found 'roh'; did you mean rho"),
        (parameter_choice("rho", [1], only=["RPB"]), "choice 'rho': only: expected a measure, found 'RPB'"),
        (Choice("w", "aspect weights", (Option("x", (("trust", 2.0),)),)), "expected an aspect or signal of this"),
        (Choice("t", "topics", (Option("x", ("q9",)),)), "choice 't': expected topics of this collection, found 'q9'"),
    ],
)
def test_an_unknown_name_is_refused(choice: Choice, problem: str) -> None:
    with pytest.raises(InputError) as error:
        laid_out(["RBP"], choice)
    assert problem in str(error.value)


def test_choices_without_any_combination_are_refused() -> None:
    with pytest.raises(InputError, match="expected at least one specification, found none"):
        laid_out(["AP"], unassessed_choice(["1"]))
