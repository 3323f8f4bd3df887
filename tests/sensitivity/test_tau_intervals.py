"""The interval of tau between settings and the default."""

from __future__ import annotations

import sys

import pytest

import evalcore as ec
from evalcore.measures import Measure
from evalcore.sensitivity import tau_between


def pairs(*tested: str, reference: str = "RBP") -> list[tuple[Measure, Measure]]:
    return [(ec.parse(one), ec.parse(reference)) for one in tested]


def test_each_setting_has_the_interval_that_the_two_measures_have_alone(sample):
    settings = ("RBP(rho=0.5)", "RBP(rho=0.95)")
    table = tau_between(pairs(*settings), sample, 100, 0.9, seed=2)
    base = ec.evaluate("RBP(rho=0.8)", sample)
    for measure, row in zip(settings, table.to_numpy().tolist(), strict=True):
        expected = ec.bootstrap_interval(ec.tau, ec.evaluate(measure, sample), base, 100, 0.9, 2)
        assert row[:3] == pytest.approx([expected.estimate, expected.low, expected.high])
        assert row[3] == expected.why


def test_a_setting_that_is_the_default_has_a_tau_of_1_in_every_resample(sample):
    assert tau_between(pairs("RBP"), sample, 50).to_numpy().tolist() == [[1, 1, 1, ""]]


def test_a_pair_without_scores_has_none_and_the_others_have_theirs(sample):
    table = tau_between(pairs('RBP(aspect="unheard_of")', "AP"), sample, 50)
    assert table.iloc[0, :3].isna().all()
    assert table.loc[0, "why"] == "the measure has no scores here"
    expected = ec.bootstrap_interval(ec.tau, ec.evaluate("AP", sample), ec.evaluate("RBP", sample), 50)
    assert table.iloc[1].tolist() == [expected.estimate, expected.low, expected.high, expected.why]


def test_a_reference_that_stays_is_scored_once(sample, monkeypatch):
    asked: list[str] = []
    module = sys.modules[tau_between.__module__]

    def noted(measure, collection):
        asked.append(str(measure))
        return ec.evaluate(measure, collection)

    monkeypatch.setattr(module, "evaluate", noted)
    tau_between(pairs("AP", "RR"), sample, 20)
    assert sorted(asked) == ["AP", "RBP(rho=0.8)", "RR"]


def test_a_default_without_scores_is_an_error(sample):
    with pytest.raises(ec.InputError, match="unheard_of"):
        tau_between(pairs("AP", reference='RBP(aspect="unheard_of")'), sample, 20)
