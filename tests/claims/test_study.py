"""A claim from Python: one call, its tables and its paragraph; default specifications that fit a collection."""

from __future__ import annotations

import pytest
from claims.made import SPECS, random_collection, two_tastes

import evalcore as ec
from evalcore.claims import Study, latex_table, multiverse, sensible
from evalcore.errors import InputError


@pytest.fixture(scope="module")
def study() -> Study:
    return ec.claim("s0 > s1", SPECS, random_collection())


def test_another_claim_reuses_the_scores(study: Study) -> None:
    other = ec.claim("s2 first", study.multiverse, random_collection())
    assert other.multiverse is study.multiverse
    assert other.sentence == ec.claim("s2 first", SPECS, random_collection()).sentence


def test_the_effects_are_differences_of_the_means_of_evaluate(study: Study) -> None:
    frame = study.frame()
    for text, effect in zip(frame["scored by"], frame["effect"], strict=True):
        means = ec.evaluate(text, random_collection()).mean()
        assert effect == pytest.approx(means["s0"] - means["s1"], abs=1e-15)
    assert frame["effect"].is_monotonic_increasing


def test_an_unknown_system_is_refused_before_anything_is_scored() -> None:
    with pytest.raises(InputError, match="did you mean s0"):
        ec.claim("s00 > s1", None, random_collection())


def test_the_methods_paragraph_names_specifications_digest_data_and_test(study: Study) -> None:
    text = study.methods()
    for part in (
        'The claim "s0 > s1" was tested over 3 specifications',
        f"digest {study.digest}",
        "measure (AP or RBP); persistence (0.5 or 0.9)",
        f"fingerprint {random_collection().fingerprint[:12]}",
        "5 systems and 6 topics",
        "(all 64 sign vectors)",  # 2^6, fewer than 1,000
        study.sentence,
    ):
        assert part in text


def test_latex_tables_escape_special_characters(study: Study) -> None:
    assert latex_table(study.choices()).count(r"\\") == 1 + len(study.choices())
    assert r"s0 \textgreater{} s1" in study.latex()


def test_a_collection_of_several_aspects_gets_combinations_weights_and_thresholds() -> None:
    found = sensible(random_collection())
    kinds = {option.value.split("(")[0] for option in found.choices[0].options}
    assert kinds == {"nDCG", "AP", "RBP", "ERR", "uRBP", "uRBPgr", "CAM", "MM", "TOMA"}
    names = [choice.name for choice in found.choices]
    assert {"distance of TOMA", "aspect weights", "understandability threshold"} <= set(names)


@pytest.mark.parametrize("make", [random_collection, two_tastes])
def test_every_sensible_specification_can_be_scored(make):
    collection = make()
    found = multiverse(sensible(collection), collection)
    assert (found.undefined, found.problems, found.design.notes) == (0, (), ())


def test_a_signal_gets_thresholds_between_its_quartiles() -> None:
    runs = {"a": {"q": {f"d{at}": float(at) for at in range(9)}}}
    signals = {"fog": {f"d{at}": 8.0 + at for at in range(9)}}
    collection = ec.collection(runs, {"q": {f"d{at}": at % 2 for at in range(9)}}, signals, good={"fog": "low"})
    (choice,) = (one for one in sensible(collection).choices if one.name == "fog threshold")
    assert choice.numbers == (9.5, 10.5, 11.5, 12.5, 13.5)  # below 10, 11, ..., 14: quartiles of 8, 9, ..., 16
