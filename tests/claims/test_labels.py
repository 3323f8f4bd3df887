"""A choice of the source of labels: a claim over several judges."""

from __future__ import annotations

import numpy as np
import pytest
from claims.made import random_collection
from sources_support import with_sources

import evalcore as ec
from evalcore.claims import (
    Specifications,
    design_of,
    measure_choice,
    multiverse,
    parameter_choice,
    parse_specifications,
    sensible,
    source_choice,
    unassessed_choice,
    write_specifications,
)
from evalcore.errors import InputError

ONE = random_collection()
FIRST = ONE.aspects[0]
GRADES = ONE.assessments.scale(FIRST).grades
LABELS = np.random.default_rng(1).choice([*GRADES, np.nan], len(ONE.assessments))
TWO = with_sources(ONE, FIRST, umbrela=LABELS)
SOURCES = source_choice(["nist", "umbrela"])


def laid_out(measures, *choices):
    return design_of(Specifications((measure_choice(measures), *choices)), TWO)


def test_every_measure_is_combined_with_every_source() -> None:
    design = laid_out(["AP", "RBP"], SOURCES, parameter_choice("rho", [0.5, 0.8]))
    expected = {f"AP(source={one})" for one in ('"nist"', '"umbrela"')}
    expected |= {f"RBP(rho={rho}, source={one})" for rho in (0.5, 0.8) for one in ('"nist"', '"umbrela"')}
    assert set(map(str, design.measures)) == expected
    assert design[0].chosen["labels"] == "nist"


def test_other_choices_apply_inside_measures_in_any_order() -> None:
    others = (parameter_choice("rho", [0.5]), parameter_choice("weights[0]", [3.0]), unassessed_choice(["0"]))
    for choices in ((SOURCES, *others), (*others, SOURCES)):
        texts = [str(measure) for measure in laid_out(["CAM(RBP)"], *choices).measures]
        assert all("rho=0.5" in text and "weights=[3, 1]" in text for text in texts)
        assert len(texts) == 2


def test_a_measure_that_names_its_own_source_keeps_it() -> None:
    assert [str(measure) for measure in laid_out(['AP(source="umbrela")'], SOURCES).measures] == [
        'AP(source="umbrela")'
    ]


def test_scores_are_those_of_each_source() -> None:
    choices = (SOURCES, unassessed_choice(["0", "left out", "1"]))
    found = multiverse(Specifications((measure_choice(["RBP(rho=0.5)"]), *choices)), TWO)
    assert len(found) == 6
    for source in ("nist", "umbrela"):
        judged = ec.judged_by(TWO, source)
        of_one = multiverse(Specifications((measure_choice(["RBP(rho=0.5)"]), choices[1])), judged)
        mine = [at for at in range(6) if found.design[at].chosen["labels"] == source]
        at = [found.topics.index(topic) for topic in judged.topics]
        np.testing.assert_array_equal(found.scores[found.scored[mine]][:, :, at], of_one.scores[of_one.scored])


def test_an_unknown_source_is_refused() -> None:
    with pytest.raises(InputError, match="nist, umbrela, majority"):
        laid_out(["AP"], source_choice(["gpt"]))


@pytest.mark.parametrize("sources", ["[1]", "[[1, 2]]", '[{ name = "nist" }]'])
def test_a_source_must_be_a_name(sources: str) -> None:
    text = f'[[choice]]\nname = "m"\nmeasures = ["AP"]\n[[choice]]\nname = "labels"\nsources = {sources}'
    with pytest.raises(InputError, match="name of a source of labels"):
        parse_specifications(text)


def test_parsing_the_text_gives_the_same_value() -> None:
    specifications = Specifications((measure_choice(["AP"]), SOURCES))
    text = write_specifications(specifications)
    assert 'sources = ["nist", "umbrela"]' in text
    assert parse_specifications(text) == specifications


def test_two_choices_of_sources_are_refused() -> None:
    with pytest.raises(InputError, match="at most one choice of source"):
        Specifications((measure_choice(["AP"]), SOURCES, source_choice(["nist"], name="judge")))


def test_the_default_set_includes_the_judges() -> None:
    assert [choice.kind for choice in sensible(ONE).choices].count("source") == 0
    (found,) = (choice for choice in sensible(TWO).choices if choice.kind == "source")
    assert [option.value for option in found.options] == ["nist", "umbrela"]
