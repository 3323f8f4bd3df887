"""`evalcore measures`: the list, and one explained."""

from __future__ import annotations

import json

import pytest
from cli_support import Run

from evalcore.measures import RBP, Measure
from evalcore.notation.values import Value


def test_the_list_holds_every_measure_and_part_with_its_parameters(run: Run) -> None:
    ran = run("measures")
    assert (ran.code, ran.err) == (0, "")
    headings = [line.split(":")[0].split(" ")[0] for line in ran.lines if line[:1] not in ("", " ")]
    assert sorted(headings) == sorted([*Value.registry, "Measures", "Parts"])
    assert headings.index("nDCG") < headings.index("Parts") < headings.index("Manhattan")
    assert "    rho, p  0.8" in ran.out
    assert "(0, 1)" in ran.out
    assert "persistence: the probability that the reader goes on to the next rank" in ran.out
    assert "\nManhattan (Distance): The sum of the gaps.\n" in ran.out
    assert "\nEffort: " in ran.out  # one of no kind
    assert "\nAP (also MAP): " in ran.out


@pytest.mark.parametrize("name", sorted(Value.registry))
def test_every_measure_and_part_can_be_explained(name: str, run: Run) -> None:
    ran = run(["measures", name])
    assert (ran.code, ran.err) == (0, "")
    assert ">>>" not in ran.out
    for parameter in Value.registry[name].parameters():
        assert f"    {parameter}" in ran.out


def test_other_names_lead_to_the_measure(run: Run) -> None:
    assert run("measures MAP").out == run("measures AP").out


def test_json(run: Run) -> None:
    known = {measure["name"]: measure for measure in json.loads(run("measures -f json").out)}
    assert set(known) == set(Value.registry)
    assert known["RBP"]["parameters"][0] == {
        "name": "rho",
        "default": "0.8",
        "range": "(0, 1)",
        "help": "persistence: the probability that the reader goes on to the next rank",
    }
    measures = {name for name, one in known.items() if one["kind"] == "Measure"}
    assert measures == {name for name, cls in Value.registry.items() if issubclass(cls, Measure)}


def test_a_custom_measure_needs_no_docstring(run: Run) -> None:
    class Half(RBP):
        __doc__ = None

    assert "\nHalf: \n" in run("measures").out
    assert run("measures Half").out.startswith("Half\n")


def test_an_unknown_name(run: Run) -> None:
    ran = run("measures ndgc")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.endswith("found 'ndgc'; did you mean nDCG, Rndcg or nDCGb?\n")
