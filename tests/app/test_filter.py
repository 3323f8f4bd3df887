"""The filter of the sidebar: by name, by choice, by rank, by topic; in the link."""

from __future__ import annotations

import gzip
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, metric, open_app
from ui.address.site import PAGES
from ui.data.filter import averaged_over

CURRENT = "open collection"


def left(app: AppTest) -> ec.Collection:
    """What the pages work on."""
    collection: ec.Collection = app.session_state[CURRENT]
    return collection


def test_a_pattern_in_the_link_keeps_the_systems_it_fits():
    app = open_app(like="bm25*")
    assert left(app).systems == tuple(system for system in ec.load(SAMPLE).systems if system.startswith("bm25"))
    assert not app.exception


def test_several_patterns_add_up():
    app = open_app(like="bm25*, dense*")
    assert {system.split("_")[0] for system in left(app).systems} == {"bm25", "dense"}


def test_the_best_by_the_first_measure():
    app = open_app(best="5")
    means = ec.evaluate("RBP(rho=0.8)", ec.load(SAMPLE)).mean()
    assert set(left(app).systems) == set(means.nlargest(5).index)


def test_topics():
    app = open_app(ontopics=ec.load(SAMPLE).topics[3])
    assert left(app).topics == (ec.load(SAMPLE).topics[3],)
    assert not app.exception


def test_groups_of_topics_of_one_column_add_up_and_of_several_go_together():
    board = ec.load(SAMPLE.parent / "board")
    kinds = dict(zip(board.topics, zip(*board.assessments.groups.values(), strict=True), strict=True))
    first, asked = {"data": "leaderboard sample"}, ["group: retrieval", "group: other languages"]
    app = open_app("leaderboard", **first, topicsof=asked)
    of_groups = [topic for topic, (group, _) in kinds.items() if group in ("retrieval", "other languages")]
    assert list(left(app).topics) == of_groups
    app = open_app("leaderboard", **first, topicsof=[*asked, "language: several"])
    assert list(left(app).topics) == [topic for topic in of_groups if kinds[topic][1] == "several"]
    assert not app.exception


def test_a_pattern_that_fits_nothing_shows_all_with_a_warning():
    app = open_app(like="nobody*")
    assert len(left(app).systems) == 32
    assert any("No system fits" in warning.value for warning in app.warning)


def test_the_filter_is_visible_and_can_be_cleared():
    app = open_app(like="bm25*", best="3")
    assert any("3 of 32 systems" in caption.value for caption in app.sidebar.caption)
    next(button for button in app.button if button.label == "Clear the filter").click().run()
    assert len(left(app).systems) == 32


# --- what means are over ----------------------------------------------------------------------------------------------

SHORT, LEFT = "bm25_tuned", ("q01", "q07")  # a run, and the only topics that it has in the collection below


@pytest.fixture(scope="module")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample data with a run that lacks topics."""
    folder = tmp_path_factory.mktemp("lacking") / "lacking"
    shutil.copytree(SAMPLE, folder)
    run = folder / "runs" / f"{SHORT}.run.gz"
    lines = gzip.decompress(run.read_bytes()).decode().splitlines(keepends=True)
    run.write_bytes(gzip.compress("".join(line for line in lines if line.startswith(LEFT)).encode()))
    return folder


@pytest.fixture
def started(lacking: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The app as if started with --data lacking."""
    monkeypatch.setattr(sys, "argv", ["app.py", "--data", str(lacking)])
    return lacking


@pytest.mark.slow
def test_every_page_opens_with_means_over_what_was_retrieved(started):
    opened = 0
    for page in PAGES:
        app = open_app(page, data="lacking", average="retrieved")
        assert left(app).rankings.average_over == "retrieved", page
        assert not app.exception, page
        assert not app.error, page
        opened += 1
    assert opened == len(PAGES) > 10


@pytest.mark.parametrize("average", ["all", "retrieved"])
def test_the_means_are_those_of_python_and_the_sidebar_names_them(started, average):
    app = open_app("topic", data="lacking", average=average, measure="AP", topic="q01", compared=SHORT)
    mean = ec.evaluate("AP", ec.load(started), topics=average)[SHORT].mean()
    (caption,) = (one.value for one in app.sidebar.caption if "retrieved nothing for some" in one.value)
    words = {
        "all": "means are over all assessed topics",
        "retrieved": "means are over the topics that a system retrieved",
    }
    assert words[average] in caption
    assert any(f"mean over topics {mean:.4f}" in one.help for one in app.metric)


def test_a_topic_that_a_system_lacks_is_an_empty_ranking_where_it_is_looked_at(started):
    app = open_app("topic", data="lacking", average="retrieved", measure="AP", topic="q02", compared=SHORT)
    assert not app.exception
    assert metric(app, SHORT.replace("_", "\\_")) == "0.0000"


def test_the_rank_and_the_weights_follow(started):
    app = open_app("aspect_weights", data="lacking", average="retrieved", mean="MM", base="nDCG", look="Leaderboard")
    shown = next(frame.value for frame in app.dataframe if "rank" in frame.value)
    retrieved = ec.average_over(ec.load(started), "retrieved")
    expected = ec.evaluate(ec.parse(f"MM(nDCG, aspects={list(retrieved.aspects[:3])!r})".replace("'", '"')), retrieved)
    assert shown["MM"][SHORT] == pytest.approx(expected[SHORT].mean())


def test_python_averages_as_the_page_does(started, monkeypatch):
    app = open_app("aspect_weights", data="lacking", average="retrieved", like="bm25*")
    code = next(block.value for block in reversed(app.code) if "ec.load(" in block.value)
    assert code.index("ec.restrict(") < code.index('c = ec.average_over(c, "retrieved")')
    monkeypatch.chdir(started.parent)
    names: dict[str, object] = {}
    exec(code, names)
    assert any(f"First: **{names['first'].index[0]}**".replace("_", "\\_") in text.value for text in app.markdown)  # type: ignore[attr-defined]


def test_where_no_run_lacks_a_topic_there_is_nothing_to_choose():
    app = open_app(average="retrieved")
    assert left(app).rankings.average_over == "all"
    assert not [selectbox for selectbox in app.selectbox if selectbox.label == "Means over topics"]


CLOSER_LOOKS = [
    ("discriminative_power", {"measures": ["AP", "P@10"], "power_view": view})
    for view in ("One pair", "All pairs", "Needed difference", "What the top systems return")
] + [
    ("correlations", {"over": "topic by topic"}),
    ("correlations", {"corrview": "Topics"}),
    ("correlations", {"corrview": "Measures of aspects"}),
    ("understandability", {"view": "Correlation"}),
    ("understandability", {"view": "Told apart"}),
    ("aspect_weights", {"look": "Zeros"}),
    ("toma", {"look": "What changed"}),
    ("topic", {"look": "All topics and systems"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "link"), CLOSER_LOOKS, ids=[f"{page} {[*link.values()][-1]}" for page, link in CLOSER_LOOKS]
)
def test_a_closer_look_opens_with_means_over_what_was_retrieved(started, page, link):
    app = open_app(page, data="lacking", average="retrieved", **link)
    assert left(app).rankings.average_over == "retrieved"
    assert not app.exception
    assert not app.error


def test_a_part_of_the_same_files_under_another_title_has_that_title() -> None:
    first = ec.load(SAMPLE)
    other = replace(first, title="The same elsewhere")
    assert first.fingerprint == other.fingerprint
    titles = [averaged_over(one, "retrieved").title for one in (first, other)]
    assert titles == [first.title, "The same elsewhere"]
