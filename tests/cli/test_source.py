"""Whose labels a command reads."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from cli.conftest import Run
from sources_support import with_sources

import evalcore as ec
from evalcore import data


@pytest.fixture
def two_judges(small, monkeypatch: pytest.MonkeyPatch):
    """The collection of a few lines with a second judge, who says the opposite."""
    load = data.load

    def loaded(*given, **named):
        collection = load(*given, **named)
        return with_sources(collection, umbrela=1 - collection.assessments.column("relevance"))

    monkeypatch.setattr(data, "load", loaded)
    return loaded(small)


def of(ran) -> float:
    return float(ran.lines[-1].split("\t")[-1])


@pytest.mark.parametrize("how", ["-m AP --source umbrela", "-m 'AP(source=\"umbrela\")'"])
def test_scores_are_those_of_the_labels_of_the_source(two_judges, run: Run, how: str) -> None:
    expected = ec.evaluate("AP", ec.judged_by(two_judges, "umbrela")).mean()["good"]
    assert not np.isclose(expected, ec.evaluate("AP", two_judges).mean()["good"])
    assert of(run(f"score . {how} --systems good")) == pytest.approx(expected, abs=5e-5)


def test_a_source_that_is_not_there_is_an_error_that_names_those_that_are(two_judges, run: Run) -> None:
    ran = run("score . -m AP --source gpt")
    assert ran.code != 0
    assert "(nist, umbrela, majority, median, mean, union, agreed), found 'gpt'" in ran.err


def test_a_collection_of_one_source_has_none_to_choose(small, run: Run) -> None:
    assert "expected a source of labels of this collection (one for each aspect)" in run("score . --source a").err


def test_a_file_says_whose_labels_were_read(two_judges, run: Run) -> None:
    run("score . -m AP --source umbrela -o scores.parquet")
    about = json.loads(pq.read_schema("scores.parquet").metadata[b"evalcore"])
    assert about["source"] == "umbrela"
    assert about["fingerprint"] == ec.judged_by(two_judges, "umbrela").fingerprint


@pytest.mark.parametrize("command", ["correlate . -m AP -m RR", "sweep . -m RBP --show parameters", "inspect ."])
def test_every_command_that_opens_a_collection_knows_the_option(two_judges, run: Run, command: str) -> None:
    ran = run(f"{command} --source majority")
    assert (ran.code, ran.err) == (0, "")
