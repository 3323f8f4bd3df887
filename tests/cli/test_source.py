"""Whose labels a command reads."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
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


def test_a_file_names_whose_labels_were_read(two_judges, run: Run) -> None:
    run("score . -m AP --source umbrela -o scores.parquet")
    about = json.loads(pq.read_schema("scores.parquet").metadata[b"evalcore"])
    assert about["source"] == "umbrela"
    assert about["fingerprint"] == ec.judged_by(two_judges, "umbrela").fingerprint


@pytest.mark.parametrize("command", ["correlate . -m AP -m RR", "sweep . -m RBP --show parameters", "inspect ."])
def test_every_command_that_opens_a_collection_knows_the_option(two_judges, run: Run, command: str) -> None:
    ran = run(f"{command} --source majority")
    assert (ran.code, ran.err) == (0, "")


def test_a_sweep_over_sources_is_set_against_the_labels_read_unasked(two_judges, run: Run) -> None:
    """Of two systems, judges who say the opposite of each other put another one first: tau is -1."""
    table = pd.read_csv(io.StringIO(run("sweep . -m AP --vary source=nist,umbrela -f csv").out))
    assert table["source"].tolist() == ["nist", "umbrela"]
    assert table["tau"].tolist() == [1.0, -1.0]
    means = [ec.evaluate("AP", ec.judged_by(two_judges, name)).mean() for name in table["source"]]
    assert table["winner"].tolist() == [mean.idxmax() for mean in means]
    assert table["score"].tolist() == pytest.approx([mean.max() for mean in means])


def test_sources_are_swept_with_every_other_value(two_judges, run: Run) -> None:
    ran = run("sweep . -m RBP --vary rho=0.5,0.8 --vary source=nist,umbrela --show scores -f csv")
    table = pd.read_csv(io.StringIO(ran.out))
    assert len(table) == 8  # 2 sources, 2 values, 2 systems
    for row in table.to_dict("records"):
        expected = ec.evaluate(f'RBP(rho={row["rho"]}, source="{row["source"]}")', two_judges).mean()[row["system"]]
        assert row["score"] == pytest.approx(expected)


@pytest.mark.parametrize("more", ["--show systems", "--resamples 100", "--sample 5", "--show changes"])
def test_sources_are_no_numbers(two_judges, run: Run, more: str) -> None:
    ran = run(f"sweep . -m RBP --vary source=nist,umbrela {more}")
    assert "--vary source: expected" in ran.err or "--show settings" in ran.err


@pytest.mark.parametrize("text", ["source", "source="])
def test_sources_are_named(two_judges, run: Run, text: str) -> None:
    assert "expected source=NAME,NAME" in run(["sweep", ".", "-m", "AP", "--vary", text]).err
