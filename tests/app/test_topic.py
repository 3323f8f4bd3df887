"""The page Topic: one topic rank by rank, the map of all topics, and the way from a cell to its explanation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, address_of, metric, open_app
from evalcore.explain.rank_by_rank import walk
from evalcore.explain.what_if import edited
from ui.screen.text import markdown
from ui.topic.topic_settings import WHAT_IF, TopicSettings, by_difference
from ui.widgets.ranking_table import rows_of

PAIR = ["bm25_rm3", "plain_fog"]


def texts(app: AppTest) -> str:
    return "\n".join(one.value for one in (*app.markdown, *app.caption))


def test_it_opens_on_the_two_best_systems(sample):
    app = open_app("topic")
    frame = ec.evaluate("RBP(rho=0.8)", sample)
    topic = app.selectbox(key="topic.topic").value
    for system in frame.mean().nlargest(2).index:
        assert metric(app, markdown(system)) == f"{frame[system][topic]:.4f}"


@pytest.mark.parametrize("pair", [PAIR, ["dense_base", "bm25_rm3", "plain_fog"]])
def test_topics_are_ordered_by_the_difference_of_the_systems(sample, pair):
    app = open_app("topic", measure="AP", compared=pair)
    frame = ec.evaluate("AP", sample)[pair]
    apart = frame.max(axis=1) - frame.min(axis=1)
    picker = app.selectbox(key="topic.topic")
    assert [round(apart[topic], 12) for topic in picker.options] == sorted(apart.round(12), reverse=True)
    assert picker.value == apart.idxmax()


def test_infinite_scores_of_some_systems_are_the_largest_difference():
    frame = ec.evaluate("EffortTo", ec.load(ROOT / "sample_data" / "site"))[["text_bm25", "section_dense"]]
    first = by_difference(frame)[0]
    assert (frame.loc[first] == float("inf")).sum() == 1


def test_topics_on_which_all_score_0_have_no_difference():
    frame = pd.DataFrame({"a": [np.inf, 0.0], "b": [np.inf, 0.5]}, index=["never", "apart"])
    assert by_difference(frame) == ["apart", "never"]
    level = pd.DataFrame({"a": [np.nan, 0.2], "b": [np.nan, 0.2]}, index=["none", "level"])
    assert by_difference(level) == ["none", "level"]  # both 0: as listed


@pytest.mark.parametrize("measure", ["AP", "ERR", "CAM(nDCG)", "MM(nDCG)", "Bpref", "uRBP1(threshold=15)"])
def test_every_kind_of_measure_can_be_shown_on_a_topic(measure):
    app = open_app("topic", measure=measure, compared=["bm25_rm3", "dense_base", "plain_fog"], depth="50")
    assert not app.exception
    assert not app.error


def test_a_measure_that_is_not_a_sum_over_ranks_is_explained():
    app = open_app("topic", measure="MM(nDCG)")
    page_text = texts(app)
    assert (
        "is not a sum over ranks: a bar is the rise of the score if the ranking is extended to this rank" in page_text
    )
    assert all("sum so far" in frame.value for frame in app.dataframe)
    assert "Within these ranks" not in page_text


def test_the_sentence_names_the_leader_and_its_lead_at_the_depth(sample):
    app = open_app("topic", measure="RBP(rho=0.8)", compared=PAIR, topic="q03", depth="10")
    at = sample.topics.index("q03")
    measure = ec.parse("RBP(rho=0.8)")
    sums = {
        name: walk(measure, sample.assessments, sample.rankings, sample.systems.index(name), at, 10)["adds"].sum()
        for name in PAIR
    }
    ahead, behind = sorted(PAIR, key=lambda name: float(sums[name]), reverse=True)
    lead = sums[ahead] - sums[behind]
    assert f"**{markdown(ahead)}** leads **{markdown(behind)}** by {lead:.4f}." in texts(app)


def odd(folder: Path, monkeypatch: pytest.MonkeyPatch, **rankings: str) -> Path:
    """Write a topic with relevant documents a and b; each system ranks the letters of its word."""
    (folder / "qrels.txt").write_text("1 0 a 1\n1 0 b 1\n1 0 c 0\n")
    for system, letters in rankings.items():
        lines = [f"1 Q0 {letter} {rank} {-rank} {system}\n" for rank, letter in enumerate(letters, start=1)]
        (folder / f"{system}.run").write_text("".join(lines))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    return folder


def test_tied_systems_are_called_level(tmp_path, monkeypatch):
    odd(tmp_path, monkeypatch, one="ab", two="ba")
    page_text = texts(open_app("topic", measure="P@2"))
    assert "**one** and **two** are level" in page_text
    assert "leads" not in page_text


def test_ranks_after_the_end_of_a_ranking_are_empty(tmp_path, monkeypatch):
    odd(tmp_path, monkeypatch, long="acb", short="a")
    page_text = texts(open_app("topic", measure="P@3"))
    assert "leads **short** by 0.3333." in page_text
    assert "The lead grows most at rank 3, by 0.3333: b (relevance 1) against nothing" in page_text
    assert "against nothing, because its ranking has ended." in page_text


@pytest.mark.parametrize("measure", ["RBP(rho=0.8)", "nDCG@10"])
def test_of_three_systems_the_first_two_are_compared(sample, measure):
    three = [*PAIR, "dense_base"]
    app = open_app("topic", measure=measure, compared=three)
    assert not app.exception
    sentence = next(line for line in texts(app).splitlines() if line.startswith("Within these ranks"))
    assert all(markdown(name) in sentence for name in PAIR)
    assert "dense" not in sentence
    topic = app.selectbox(key="topic.topic").value
    assert [one.value for one in app.metric] == [f"{ec.evaluate(measure, sample)[name][topic]:.4f}" for name in three]


# --- what if? ---------------------------------------------------------------------------------------------------------


def what_if_page(*edits: str, **link: object) -> AppTest:
    default = {"look": WHAT_IF, "topic": "q03", "system": "bm25_base", "measure": "RBP(rho=0.8)", "edits": list(edits)}
    return open_app("topic", **{**default, **link})


def best_and_worst(sample: ec.Collection) -> tuple[str, str]:
    """Return two edits: the deepest relevant document in the first 20 of bm25_base moves to rank 1, or is regraded."""
    s, t = sample.systems.index("bm25_base"), sample.topics.index("q03")
    places, rows = sample.rankings.hits(s, t, 20)
    at = next(i for i in reversed(range(len(rows))) if sample.assessments.column("relevance")[rows[i]] > 0)
    document = sample.assessments.documents[rows[at]]
    return f"move:q03:bm25_base:{places[at] + 1}:1", f"regrade:q03:{document}:relevance:-"


def test_what_if_shows_the_scores_of_the_edited_collection(sample):
    edits = best_and_worst(sample)
    app = what_if_page(*edits)
    after = edited(sample, edits)
    frame = ec.evaluate("RBP(rho=0.8)", after)
    assert not app.exception
    assert metric(app, "Score on the topic") == f"{frame['bm25_base']['q03']:.4f}"
    assert metric(app, "Score mean") == f"{frame['bm25_base'].mean():.4f}"
    table = app.dataframe[0].value
    assert np.allclose(table["score edited"], frame.loc["q03"][table.index])
    assert np.allclose(table["score"], ec.evaluate("RBP(rho=0.8)", sample).loc["q03"][table.index])


def test_undo_and_redo_are_steps_in_the_link(sample):
    edits = best_and_worst(sample)
    app = what_if_page(*edits)
    app.button(key="edits Undo").click().run()
    assert address_of(app)["topic.undone"] == ["1"]
    assert metric(app, "Score on the topic") == metric(what_if_page(edits[0]), "Score on the topic")
    app.button(key="edits Redo").click().run()
    assert "topic.undone" not in address_of(app)
    app.button(key="edits Undo all").click().run()
    assert "There are no edits yet" in texts(app)
    assert metric(app, "τ on the topic") == "1.000"
    assert app.button(key="edits Undo").disabled
    assert not app.button(key="edits Redo").disabled


def test_a_new_edit_clears_redo(sample):
    edits = best_and_worst(sample)
    app = what_if_page(*edits, undone="2")
    app.button(key="edits best").click().run()
    (edit,) = address_of(app)["topic.edits"]
    assert edit.startswith("order:q03:bm25_base:")
    assert "topic.undone" not in address_of(app)
    assert not app.warning


def test_best_gains_first_sorts_the_shown_documents(sample):
    app = what_if_page(depth="10")
    app.button(key="edits best").click().run()
    (edit,) = address_of(app)["topic.edits"]
    at = sample.systems.index("bm25_base"), sample.topics.index("q03")
    after = edited(sample, [edit])
    adds = walk(ec.parse("RBP(rho=0.8)"), after.assessments, after.rankings, *at, 10)["gain"]
    assert adds.is_monotonic_decreasing
    assert app.button(key="edits best").disabled


def test_edits_that_do_not_apply_are_left_out_and_named(sample):
    move = best_and_worst(sample)[0]
    app = what_if_page(move, "move:q03:nobody:1:2", "move:q03:bm25_base:100000:1")
    assert "expected a system of this collection, found 'nobody'" in app.warning[0].value.replace("\\", "")
    assert metric(app, "Score on the topic") == metric(what_if_page(move), "Score on the topic")


def test_too_many_edits_are_cut_with_a_warning():
    app = what_if_page(*["move:q03:bm25_base:1:2"] * 101)
    assert "at most 100 edits" in app.warning[0].value
    assert "After 100 edits" in texts(app)


def test_a_collection_of_passages_cannot_be_edited():
    app = open_app("topic", data="focused sample", look=WHAT_IF)
    assert not app.exception
    assert any("found a collection with passages" in error.value for error in app.error)


def test_the_table_shows_where_documents_stood_and_what_labels_were(sample):
    move, regrade = best_and_worst(sample)
    page = TopicSettings.read(sample, {"topic.look": [WHAT_IF], "topic.topic": ["q03"], "topic.edits": [move, regrade]})
    after = edited(sample, page.made)
    at = after.systems.index("bm25_base"), after.topics.index("q03")
    down = walk(ec.parse("RBP(rho=0.8)"), after.assessments, after.rankings, *at, 20)
    rows = rows_of(sample, page.made, "bm25_base", "q03", down, 100)["rows"]
    rank = int(move.split(":")[3])
    assert [row["was"] for row in rows] == [rank, *(one for one in range(1, 21) if one != rank)]
    assert rows[0]["document"] == regrade.split(":")[2]
    assert rows[0]["labels"][0]["value"] == "-"
    assert "relevant" in rows[0]["labels"][0]["was"]
    assert all(label["was"] is None for row in rows[1:] for label in row["labels"])


@pytest.mark.parametrize("measure", ["MM(nDCG)", "AP", 'RBP(source="llm")'])
def test_what_if_works_for_every_kind_of_measure(measure, sample):
    app = what_if_page(*best_and_worst(sample), measure=measure)
    assert not app.exception
    assert not app.error


def test_documents_to_insert_are_those_of_the_pool_outside_the_ranking(sample):
    edits = ["remove:q03:bm25_base:2", "remove:q03:bm25_base:1"]
    after, at = edited(sample, edits), (sample.systems.index("bm25_base"), sample.topics.index("q03"))
    down = walk(ec.parse("RBP(rho=0.8)"), after.assessments, after.rankings, *at, 20)
    others = rows_of(sample, edits, "bm25_base", "q03", down, 100)["others"]
    pool = set(sample.assessments.documents[sample.assessments.topic == at[1]])
    retrieved = set(sample.assessments.documents[after.rankings.hits(*at, 10**6)[1]])
    assert {document for document, _ in others} == pool - retrieved != set()
    for document, _ in others:
        assert edited(sample, [*edits, f"insert:q03:bm25_base:{document}:1"])


@pytest.mark.parametrize(
    ("link", "lost"),
    [
        ({"look": "All topics and systems"}, "*All topics and systems*"),
        ({"look": "Difference of two measures", "less": "P@10"}, "*Difference of two measures*"),
        ({"both": "true"}, "*Difference of two measures*"),
    ],
)
def test_an_older_link_to_a_map_opens_rank_by_rank_and_says_so(link, lost):
    app = open_app("topic", measure="AP", **link)
    assert not app.exception
    assert [toast.value for toast in app.toast] == [f"{lost} was removed; this is Compare > Topic."]
    assert app.dataframe
