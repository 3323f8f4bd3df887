"""Sentences for papers on documents without a label are true of each measure, and a residual is good if it is small."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import evalcore as ec
from evalcore.citation import cite
from evalcore.common.statements_of_doubt import stated
from evalcore.measures import RBP
from evalcore.measures.unassessed import with_unassessed

LISTED = ["seen1", "new1", "seen2", "new2", "seen3"]
LABELS = {"relevance": {"q1": {"seen1": 1, "seen2": 0, "seen3": 1}}}


def collection(documents: list[str]) -> ec.Collection:
    return ec.collection({"a": {"q1": {name: -float(at) for at, name in enumerate(documents)}}}, LABELS)


@pytest.mark.parametrize(
    ("measure", "treatment"),
    [
        ("AP", "earn nothing"),
        ("AP(judged_only=True)", "are left out of the rankings"),
        ("nDCG(judged_only=True)@2", "are left out of the rankings"),
        ("Bpref", "are skipped"),
        ('CAM(Bpref, aspects=["relevance", "relevance"])', "are skipped"),
    ],
)
def test_documents_without_a_label_are_treated_as_described(measure: str, treatment: str) -> None:
    with_new, without = collection(LISTED), collection([one for one in LISTED if one.startswith("seen")])
    assert f"Documents without a label {treatment}." in cite(measure, with_new)
    same = ec.evaluate(measure, with_new).equals(ec.evaluate(measure, without))
    assert same == (treatment != "earn nothing")


def test_measures_that_differ_are_named() -> None:
    citation = cite(["AP", "Bpref", "RBP"], collection(LISTED))
    assert "Documents without a label earn nothing under AP, RBP(rho=0.8); are skipped under Bpref." in citation


def test_answers_for_unassessed_documents_say_what_they_are() -> None:
    treatments = {worth: with_unassessed(RBP(), worth).unassessed for worth in ("0", "left out", "1")}
    assert treatments == {"0": "earn nothing", "left out": "are left out of the rankings", "1": "earn 1"}


def test_the_less_is_left_open_the_better() -> None:
    found = ec.residual("RBP(rho=0.5)", ec.collection(
        {"sure": {"q1": {"seen1": 2.0, "seen2": 1.0}}, "open": {"q1": {"new1": 2.0, "new2": 1.0}}}, LABELS
    ))  # fmt: skip
    assert list(ec.best_first(found.mean()).index) == ["sure", "open"]
    marks = pd.Series(ec.plot(found.mean()).data[0].x, index=ec.plot(found.mean()).data[0].y)
    assert marks["sure"] < marks["open"]


def test_of_scores_alone_no_order_of_rankings_is_stated():
    c = ec.collection(scores={"map": {"a": {"t": 0.5}, "b": {"t": 0.25}}})
    text = ec.cite('Score("map")', c)
    assert "Rankings are ordered" not in text
    assert 'Measure: Score("map") (Computed elsewhere).' in text


def test_each_statement_of_doubt_names_its_test_family_and_level() -> None:
    frame = pd.DataFrame({"a": [0.5, 0.25], "b": [0.25, 0.0]})
    named: dict[Callable[..., Any], tuple[Any, ...]] = {
        ec.rank_intervals: ({}, "max-T", "all pairs", "95%"),
        ec.swaps: ({"level": 0.9}, "t-tests", "false discovery rate over all swaps", "90%"),
        ec.meta.corrected_pairs: ({"test": "t-test", "correction": "Holm"}, "t-test", "over all pairs", "Holm"),
        ec.correlation_intervals: ({}, "resampled topics", "separate", "95%"),
    }
    for function, (given, *words) in named.items():
        arguments = inspect.signature(function).bind_partial(frame, **given)
        arguments.apply_defaults()
        sentence = stated(function, arguments.arguments)
        assert all(word in sentence for word in words), sentence
        assert f"Confidence: {sentence}." in cite("AP", collection(LISTED), doubt=[sentence])
    assert stated(ec.correlation_matrix, {"n_resamples": 0, "level": 0.95}) == ""
