"""The page Collection, run without a browser."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from odd_support import DECLARED, write

import evalcore as ec
from app_support import SAMPLE, metric, open_app, shown_items


def captions(**link: object) -> str:
    return "\n".join(caption.value for caption in open_app("collection", **link).caption)


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
def test_two_aspects_go_together_by_kendalls_tau(sample, pair):
    a, b = (sample.assessments.column(name) for name in pair)
    both = ~(np.isnan(a) | np.isnan(b))
    text = captions(pair=" and ".join(pair))
    assert f"Over {both.sum():,} documents Kendall's tau\\_b is **" in text.replace("tau_b", "tau\\_b")
    assert f"**{ec.tau(a[both], b[both]):.3f}**" in text


def test_grades_have_their_names_and_their_good_end(sample):
    text = captions()
    scale = sample.assessments.scales["understandability"]
    names = " · ".join(f"{grade:g} {name}" for grade, name in zip(scale.grades, scale.names, strict=True))
    assert f"{names}; high is good" in text.replace("\\", "")


SHAPES = {"sample": "", "TREC Web, one aspect": "", "0 to 100": DECLARED["0 to 100"], "nothing judged": ""}


@pytest.fixture(params=SHAPES)
def shown(request, tmp_path, monkeypatch):
    """The page on the sample and on odd collections."""
    if request.param != "sample":
        folder = write(tmp_path / "odd", request.param, SHAPES[request.param] or "")
        monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = open_app("collection")
    assert not app.exception
    return app


def test_what_is_not_judged_and_what_has_no_value_is_counted(shown):
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
            f"below 0: {unjudged:,} documents in the pool, not judged" if unjudged else "",
        ]
        assert "; ".join(filter(None, facts)) in texts


def test_notes_are_counted_and_listed_the_most_urgent_first(shown):
    notes = shown.session_state["open collection"].report.notes
    counts = Counter(note.kind for note in notes)
    ordered = [kind for kind in ("warning", "dropped", "repaired", "inferred") if kind in counts]
    summary = ", ".join(f"{counts[kind]} {kind}{'s' * (kind == 'warning' and counts[kind] > 1)}" for kind in ordered)
    assert any(f"Notes: {summary or 'none'}. Content" in caption.value for caption in shown.caption)
    listed = [frame.value for frame in shown.dataframe if set(frame.value.get("kind", [])) & set(ordered)]
    if notes:
        assert listed[0]["kind"].tolist() == [kind for kind in ordered for _ in range(counts[kind])]
        assert sorted(listed[0]["where"]) == sorted(note.where for note in notes)


def test_the_share_assessed_is_of_what_was_retrieved_down_to_each_depth(shown):
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


def test_one_aspect_goes_together_with_none(shown):
    pool = shown.session_state["open collection"].assessments
    explained = any(info.value == "There is one aspect only." for info in shown.info)
    assert explained == (len(pool.scales) < 2)


@pytest.mark.parametrize("count", [1, 4, 5, 9])
def test_each_aspect_has_one_picture_of_its_grades(count, tmp_path, monkeypatch):
    for name in ["qrels", *(f"q{letter}" for letter in "abcdefgh")][:count]:
        (tmp_path / f"{name}.txt").write_text("1 0 a 1\n1 0 b 2\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 1 a\n")
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    app = open_app("collection")
    assert not app.exception
    pictures = [alt for alt, _ in shown_items(app) if alt.startswith("Distribution of ")]
    assert pictures == [f"Distribution of {name}" for name in app.session_state["open collection"].assessments.scales]
    assert len(pictures) == count


def test_scores_of_other_tools_beside_the_runs_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "sample"
    shutil.copytree(SAMPLE, folder)
    scores = ec.evaluate("AP", ec.load(SAMPLE))["bm25_base"]
    (folder / "runs" / "bm25_base.run.eval").write_text("".join(f"map \t{t}\t{v:.4f}\n" for t, v in scores.items()))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    texts = [one.value for one in open_app("collection").markdown]
    assert any(text.startswith("All 40 values of 1 measure in") for text in texts)
