"""The view Grades and depth of Labels: its numbers on one aspect, on two aspects, and on depth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from odd_support import LABELLED, open_shape
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import open_app, shown_items


def opened(**link: Any) -> AppTest:
    app = open_app("labels", look="Grades and depth", **link)
    assert not app.exception
    return app


@pytest.mark.parametrize("pair", [("relevance", "understandability"), ("credibility", "fog")])
def test_two_aspects_are_compared_by_kendalls_tau(sample, pair):
    a, b = (sample.assessments.column(name) for name in pair)
    both = ~(np.isnan(a) | np.isnan(b))
    texts = [str(text.value) for text in opened(grades_pair=" and ".join(pair)).markdown]
    assert f"Kendall's tau_b over {both.sum():,} documents: **{ec.tau(a[both], b[both]):.3f}**." in texts


def test_grades_are_shown_with_their_names_and_good_direction(sample):
    text = "\n".join(caption.value for caption in opened().caption)
    scale = sample.assessments.scales["understandability"]
    names = " · ".join(f"{grade:g} {name}" for grade, name in zip(scale.grades, scale.names, strict=True))
    assert f"{names}; high is good" in text.replace("\\", "")


@pytest.fixture(params=LABELLED)
def shown(request, tmp_path, monkeypatch):
    """Open the view on the sample and on odd collections."""
    open_shape(request.param, tmp_path, monkeypatch)
    return opened()


def test_unjudged_documents_and_missing_values_are_counted(shown):
    pool = shown.session_state["open collection"].assessments
    texts = [caption.value.replace("\\", "") for caption in shown.caption]
    for name, scale in pool.scales.items():
        without = int(np.isnan(pool.columns[name]).sum())
        unjudged = int((np.isnan(pool.column(name)) & ~np.isnan(pool.columns[name])).sum())
        names = " · ".join(f"{grade:g} {label}" for grade, label in zip(scale.grades, scale.names, strict=False))
        facts = [
            names,
            f"{scale.good} is good",
            f"{without:,} documents without" if without else "",
            f"below 0: {unjudged:,} documents in the pool but not judged" if unjudged else "",
        ]
        assert "; ".join(filter(None, facts)) in texts


def test_the_assessed_share_is_of_documents_retrieved_down_to_each_depth(shown):
    collection = shown.session_state["open collection"]
    figure = next(one for alt, one in shown_items(shown) if alt.startswith("Share of retrieved"))
    drawn = {
        (system, depth): share
        for trace in figure.data
        for system, depth, share in zip(trace.text, trace.x, trace.y, strict=True)
        if depth == depth
    }
    deepest = int(collection.rankings.length.max())
    depths = [depth for depth in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if depth <= deepest]
    expected = collection.assessed_share(depths).stack().to_dict()
    assert drawn == pytest.approx(expected)


def test_the_headline_describes_the_median_system(sample):
    text = next(str(one.value) for one in opened().markdown if str(one.value).startswith("Assessors saw"))
    shares = sample.assessed_share([10])[10].median()
    assert f"**{shares:.0%}** of a system's first 10 documents" in text


@pytest.mark.parametrize("count", [1, 4, 5, 9])
def test_each_aspect_has_one_figure_of_its_grades(count, tmp_path, monkeypatch):
    for name in ["qrels", *(f"q{letter}" for letter in "abcdefgh")][:count]:
        (tmp_path / f"{name}.txt").write_text("1 0 a 1\n1 0 b 2\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 1 a\n")
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    app = opened()
    pictures = [alt for alt, _ in shown_items(app) if alt.startswith("Distribution of ")]
    assert pictures == [f"Distribution of {name}" for name in app.session_state["open collection"].assessments.scales]
    assert len(pictures) == count
