"""The page Collection, run without a browser."""

from __future__ import annotations

import numpy as np
import pytest

import evalcore as ec
from app_support import SAMPLE, metric, open_app
from evalcore.data import Collection


@pytest.fixture(scope="module")
def sample() -> Collection:
    return ec.load(SAMPLE)


def captions(**link: object) -> str:
    return "\n".join(one.value for one in open_app("collection", **link).caption)


def test_the_headline_counts(sample):
    app = open_app("collection")
    systems = sample.report.systems
    assert metric(app, "systems") == f"{len(sample.systems)}"
    assert metric(app, "topics") == f"{len(sample.topics)}"
    assert metric(app, "assessed documents") == f"{sample.assessments.judged.sum():,}"
    assert metric(app, "lines read") == f"{systems['lines'].sum():,}"
    assert metric(app, "assessed @10") == f"{systems['assessed@10'].median():.0%}"
    assert metric(app, "assessed @100") == f"{systems['assessed@100'].median():.0%}"


@pytest.mark.parametrize("pair", [("relevance", "understandability"), ("credibility", "fog")])
def test_two_aspects_go_together_as_kendall_says(sample, pair):
    a, b = (sample.assessments.column(name) for name in pair)
    both = ~(np.isnan(a) | np.isnan(b))
    said = captions(pair=" and ".join(pair))
    assert f"Over {both.sum():,} documents Kendall's tau\\_b is **" in said.replace("tau_b", "tau\\_b")
    assert f"**{ec.tau(a[both], b[both]):.3f}**" in said


def test_a_pair_that_is_not_there_falls_back_to_the_first():
    app = open_app("collection", pair="relevance and beauty")
    assert app.selectbox(key="collection.pair").value == ("relevance", "understandability")
    assert "one of relevance and understandability" in app.warning[0].value


def test_an_aspect_of_one_label_has_no_correlation(tmp_path, monkeypatch):
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 1\n")
    (tmp_path / "qread.txt").write_text("1 0 a 1\n1 0 b 2\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 1 a\n")
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    assert "Kendall's tau_b is not defined, as one of them never varies" in captions()


def test_the_tables_are_those_of_the_loader(sample):
    shown = [one.value for one in open_app("collection").dataframe]
    assert shown[0].equals(sample.report.systems.drop(columns=["dropped_example"]))
    assert shown[1].equals(sample.report.columns)


def test_grades_have_their_names_and_their_good_end(sample):
    said = captions()
    scale = sample.assessments.scales["understandability"]
    names = " · ".join(f"{grade:g} {name}" for grade, name in zip(scale.grades, scale.names, strict=True))
    assert f"{names}; high is good" in said.replace("\\", "")
