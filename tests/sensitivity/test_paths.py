from __future__ import annotations

import dataclasses

import pytest

from evalcore.errors import InputError
from evalcore.measures import CAM, RBP, parse, suggestions
from evalcore.measures.paths import leaves
from evalcore.notation.values import Value
from evalcore.sensitivity import with_path

PATHS = {
    "RBP": ["rho", "rel", "cutoff"],
    "nDCG(gains={1: 0.5, 3: 10})@3": ["gains[1]", "gains[3]", "cutoff"],
    "uRBPgr": ["rho", "rel", "gains[0]", "gains[1]", "gains[2]", "gains[3]", "cutoff"],
    "MM([AP(rel=2), RBP], weights=[2, 3])": [
        "base[0].rel", "base[0].cutoff", "base[1].rho", "base[1].rel", "base[1].cutoff", "weights[0]", "weights[1]",
    ],
    'Product(RBP, gains={"relevance": Step(at=1), "fog": Arctan})': [
        "base.rho", "base.rel", "base.cutoff", 'gains["relevance"].at', 'gains["fog"].at',
        'exponents["relevance"]', 'exponents["fog"]',
    ],
    'TOMA(nDCG, aspects=["r"], distance=Minkowski, embedding={"r": [0, 2]}, weights=GeometricWeights)': [
        "base.cutoff", "distance.order", 'embedding["r"][0]', 'embedding["r"][1]', 'importance["r"]', "weights.factor",
    ],
    'CAM([TOMA(AP, aspects=["r"]), RBP])': [
        "base[0].base.rel", "base[0].base.cutoff", 'base[0].importance["r"]', "base[1].rho", "base[1].rel",
        "base[1].cutoff", "weights[0]", "weights[1]",
    ],
}  # fmt: skip


@pytest.mark.parametrize("text", PATHS)
def test_every_number_has_a_path(text):
    assert [leaf.path for leaf in leaves(parse(text))] == PATHS[text]


@pytest.mark.parametrize("text", PATHS)
def test_what_is_set_can_be_read_and_nothing_else_changes(text):
    measure = parse(text)
    before = {leaf.path: leaf.value for leaf in leaves(measure)}
    for path, value in before.items():
        new = 7 if path.endswith(("cutoff", "order", "factor")) else 0.5
        changed = with_path(measure, path, new)
        assert {leaf.path: leaf.value for leaf in leaves(changed)} == {**before, path: new}
        if value is not None:
            assert {leaf.path: leaf.value for leaf in leaves(with_path(changed, path, value))} == before


def test_a_name_with_any_sign_in_it_is_quoted():
    name = 'a "b" [c].d \\ é'
    measure = parse("TOMA").with_(aspects=(name,))
    path = next(leaf.path for leaf in leaves(measure) if leaf.path.startswith("importance"))
    assert dict(with_path(measure, path, 3).importance) == {name: 3.0}  # type: ignore[attr-defined]


def test_a_number_stays_of_its_kind():
    cutoff = with_path("P@5", "cutoff", 7.0)
    assert str(cutoff) == "P@7"
    assert with_path("CAM(nDCG, weights=[1, 2])", "weights[1]", 4) == CAM(weights=(1, 4))
    assert with_path("RBP", "rel", 2) == RBP(rel=2.0)


def test_what_does_not_fit_is_refused_with_a_message(subtests):
    for text, path, problem in [
        ("RBP", "phi", r"expected a numeric parameter \(rho, rel, cutoff\), found 'phi'"),
        ("RBP", "aspect", "expected a numeric parameter"),
        ("CAM(nDCG)", "weights", "expected a numeric parameter"),
        ("CAM(nDCG)", "weights[2]", "expected a numeric parameter"),
        ("CAM(nDCG)", "weights[-1]", "expected a numeric parameter"),
        ("CAM(nDCG)", "base", "expected a numeric parameter"),
        ("CAM(nDCG)", "base.cutoff.rho", "expected a numeric parameter"),
        ("nDCG", "judged_only", "expected a numeric parameter"),
        ("RBP", "", "expected a path such as"),
        ("RBP", "rho.", "expected a path such as"),
        ("RBP", ".rho", "expected a path such as"),
        ("RBP", "[0]", "expected a path such as"),
        ("RBP", 'gains["\\q"]', "expected a path such as"),
        ("RBP", "weights[01]", "expected a path such as"),
        ("RBP", "rho", r"expected a number in \(0, 1\), found 7"),
        ("P@5", "cutoff", "expected a whole number"),
        ("Blub", "rho", "expected a measure such as"),
    ]:
        with subtests.test(f"{text}, {path}"), pytest.raises(InputError, match=problem):
            with_path(text, path, 2.5 if path == "cutoff" else 7)


def test_no_number_of_any_suggested_measure_is_forgotten(few):
    numbers = 0
    for measures in suggestions(few).values():
        for measure in measures:
            own = {name for name in measure.parameters() if _plain_number(getattr(measure, name))}
            assert {leaf.path for leaf in leaves(measure)} >= own
            numbers += len(own)
    assert numbers > 20


def _plain_number(value: object) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool | Value) and not dataclasses.is_dataclass(value)
    )
