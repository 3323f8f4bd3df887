"""Collections without runs: scores in every form that people have them, groups of topics, labels of several judges."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.data.manifest import parse_manifest, write_manifest
from evalcore.measures import suggestions

SCORES = pd.DataFrame(
    [[0.5, 0.25], [0.0, 1.0], [0.75, np.nan]],
    pd.Index(["t1", "t2", "t10"], name="topic", dtype=object),
    pd.Index(["bm25", "ql"], name="system", dtype=object),
)
LONG = SCORES.reset_index().melt("topic", var_name="system", value_name="score").dropna()
TREC_EVAL = "map                   \t{topic}\t{score}\n"


def trec_eval(column: pd.Series) -> str:
    return "".join(TREC_EVAL.format(topic=topic, score=score) for topic, score in column.dropna().items())


WIDE = SCORES.to_csv()
FORMS = {
    "wide": {"map.csv": WIDE},
    "wide, a line for each model": {"map.csv": SCORES.T.rename_axis("model").to_csv()},
    "long": {"map.csv": LONG.to_csv(index=False)},
    "long, as leaderboards call it": {"map.csv": LONG.set_axis(["task", "model", "score"], axis=1).to_csv(index=False)},
    "measures side by side": {"all.csv": LONG.rename(columns={"score": "map"}).to_csv(index=False)},
    "records": {"map.json": LONG.to_json(orient="records")},
    "output of trec_eval": {f"{name}.txt": trec_eval(SCORES[name]) for name in SCORES},
    "output in a folder": {f"evals/{name}.eval": trec_eval(SCORES[name]) for name in SCORES},
}


@pytest.fixture
def opened(folder_of):
    def read(files: dict[str, str | bytes]) -> ec.Collection:
        content = {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
        return ec.load(folder_of(content))

    return read


@pytest.mark.parametrize("files", FORMS.values(), ids=FORMS)
def test_a_folder_of_scores_is_a_collection(opened, files):
    c = opened(files)
    assert c.has == {"scores"}
    pd.testing.assert_frame_equal(ec.evaluate('Score("map")', c), SCORES, check_dtype=False)


@pytest.mark.parametrize(
    "scores",
    [
        SCORES,
        {"score": SCORES},
        LONG,
        {"bm25": SCORES["bm25"].to_dict(), "ql": {"t1": 0.25, "t2": 1.0}},
        {"score": {"bm25": SCORES["bm25"].to_dict(), "ql": SCORES["ql"].to_dict()}},
    ],
)
def test_scores_in_memory(scores):
    pd.testing.assert_frame_equal(ec.evaluate("Score", ec.collection(scores=scores)), SCORES)


def test_what_was_inferred_is_written_and_read_back(opened, folder_of):
    c = opened(FORMS["output in a folder"])
    assert write_manifest(parse_manifest(c.manifest)) == c.manifest
    assert 'file = "*.eval"' in c.manifest
    again = ec.load(folder_of({n: t.encode() for n, t in FORMS["output in a folder"].items()}), manifest=c.manifest)
    assert again.fingerprint == c.fingerprint


def test_the_good_end_is_declared_and_is_in_the_text(folder_of):
    place = folder_of({"latency.csv": WIDE.encode()})
    c = ec.load(place)
    assert [str(one) for one in suggestions(c)["First look"]] == ['Score("latency", good="low")']
    assert ec.evaluate('Score("latency", good="low")', c).attrs["good"] == "low"
    with pytest.raises(ec.InputError, match=r'expected Score\("latency", good="low"\), as low scores are'):
        ec.evaluate('Score("latency")', c)
    assert [str(one) for one in suggestions(ec.load(place, good={"latency": "high"}))["First look"]] == [
        'Score("latency")'
    ]


def test_an_unknown_score_is_refused(opened):
    with pytest.raises(ec.InputError, match=r"of this collection \(map\), found \"mpa\"; did you mean map\?"):
        ec.evaluate('Score("mpa")', opened(FORMS["wide"]))


def test_a_restricted_collection_keeps_scores_and_groups():
    groups = pd.DataFrame({"domain": ["law", "news", "law"]}, index=SCORES.index)
    part = ec.restrict(ec.collection(scores=SCORES, groups=groups), ["ql"], ["t2", "t10"])
    pd.testing.assert_frame_equal(ec.evaluate("Score", part), SCORES.loc[["t2", "t10"], ["ql"]])
    assert part.assessments.groups == {"domain": ("news", "law")}


def test_scores_next_to_runs_are_measures_too(folder_of):
    manifest = '[aspects.relevance]\nfile = "q"\n[scores.map]\nfile = "map.csv"\n'
    files = {
        "q": b"t1 0 d 1\nt2 0 d 0\n",
        "runs/bm25": b"t1 Q0 d 1 1 x\nt2 Q0 d 1 1 x\n",
        "runs/ql": b"t1 Q0 d 1 1 x\n",
        "map.csv": WIDE.encode(),
        "collection.toml": manifest.encode(),
    }
    c = ec.load(folder_of(files))
    assert c.has == {"runs", "labels", "scores"}
    pd.testing.assert_frame_equal(ec.evaluate('Score("map")', c), SCORES.loc[["t1", "t2"]])
    assert any("1 topic not in this collection, such as 't10'" in note.text for note in c.report.notes)


def test_labels_by_one_source_without_runs_are_refused(folder_of):
    with pytest.raises(ec.InputError, match="found only assessments"):
        ec.load(folder_of({"qrels.txt": b"1 0 a 1\n"}))


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (
            {"map": pd.DataFrame({"a": ["x"]}, index=["t"])},
            r"scores\['map'\]\['a'\]\['t'\]: expected a number",
        ),
        (pd.DataFrame([[1.0, 2.0]], index=["t"], columns=["a", "a"]), "expected one system of each name, found two"),
        (pd.DataFrame({"a": [1.0, 2.0]}, index=["t", "t"]), "expected one topic of each name, found two"),
        ({}, "expected scores by at least one measure"),
        ([1, 2], "expected a frame or a dict of scores, found list"),
        ({"a": {"t": "high"}}, "expected"),
    ],
)
def test_a_file_that_is_not_a_table_is_refused_with_its_name(scores, message):
    with pytest.raises(ec.InputError, match=message):
        ec.collection(scores=scores)


NUMBERS = st.one_of(st.just(""), st.just("inf"), st.just("-inf"), st.integers(-2, 2).map(str), st.floats().map(repr))
NAMES = st.lists(st.sampled_from(["a", "b", "c", "1", "mean", "x y", ""]), min_size=1, max_size=4)


@given(NAMES, NAMES, st.data())
def test_gaps_of_scores_are_filled_or_refused_by_the_rule(models, tasks, data):
    """Gaps, ties, infinities, one row, one column, repeated names; `test_any_table` says which scores are read."""
    cells = [[data.draw(st.one_of(NUMBERS, st.just("n/a"))) for _ in tasks] for _ in models]
    rows = [["model", *tasks], *([model, *row] for model, row in zip(models, cells, strict=True))]
    text = "\n".join(map(",".join, rows)) + "\n"
    try:
        c = ec.load_files([("board.csv", text.encode())])
    except ec.InputError as error:
        problem = str(error)
    else:
        problem = ""
    if problem:
        assert "board.csv" in problem
        return
    found = ec.evaluate("Score", c)
    for by in ("Mean()", "Borda()", "WinRate()"):
        assert set(ec.aggregate(found, by).index) <= set(models)
    refused = []
    for rule in ec.leaderboard.GAP_RULES:
        try:
            ec.without_gaps(found, rule)
        except ec.InputError as error:
            refused.append((rule, error))
    assert [rule for rule, error in refused if type(rule).__name__ not in str(error)] == []


def test_json_of_pytrec_eval(opened):
    """{topic: {measure: score}} of one system in each file."""
    files = {
        f"{name}.json": json.dumps({topic: {"map": value} for topic, value in SCORES[name].dropna().items()})
        for name in SCORES
    }
    pd.testing.assert_frame_equal(ec.evaluate('Score("map")', opened(files)), SCORES)
