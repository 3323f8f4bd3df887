"""The filter of the sidebar: by name, by selection, by rank, by topic; it is part of the link."""

from __future__ import annotations

import gzip
import shutil
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, open_app
from ui.address.places import PAGES

CURRENT = "open collection"


def left(app: AppTest) -> ec.Collection:
    """Return the collection that the pages use."""
    collection: ec.Collection = app.session_state[CURRENT]
    return collection


def test_a_pattern_in_the_link_keeps_the_systems_it_fits():
    app = open_app(like="bm25*")
    assert left(app).systems == tuple(system for system in ec.load(SAMPLE).systems if system.startswith("bm25"))
    assert not app.exception


def test_the_filter_can_keep_the_best_systems_under_the_first_measure():
    app = open_app(best="5")
    means = ec.evaluate("RBP(rho=0.8)", ec.load(SAMPLE)).mean()
    assert set(left(app).systems) == set(means.nlargest(5).index)


def test_groups_of_topics_in_one_column_add_up_and_several_columns_intersect():
    board = ec.load(SAMPLE.parent / "board")
    kinds = dict(zip(board.topics, zip(*board.assessments.groups.values(), strict=True), strict=True))
    first, asked = {"data": "leaderboard sample"}, ["group: retrieval", "group: other languages"]
    app = open_app("leaderboard", **first, topicsof=asked)
    of_groups = [topic for topic, (group, _) in kinds.items() if group in ("retrieval", "other languages")]
    assert list(left(app).topics) == of_groups
    app = open_app("leaderboard", **first, topicsof=[*asked, "language: several"])
    assert list(left(app).topics) == [topic for topic in of_groups if kinds[topic][1] == "several"]
    assert not app.exception


def test_a_pattern_without_a_match_shows_all_with_a_warning():
    app = open_app(like="nobody*")
    assert len(left(app).systems) == 32
    assert any("No system fits" in warning.value for warning in app.warning)


def test_the_filter_is_visible_and_can_be_cleared():
    app = open_app(like="bm25*", best="3")
    assert any("3 of 32 systems" in caption.value for caption in app.sidebar.caption)
    next(button for button in app.button if button.label == "Clear the filter").click().run()
    assert len(left(app).systems) == 32


# --- topics of the means ----------------------------------------------------------------------------------------------

SHORT, LEFT = "bm25_tuned", ("q01", "q07")  # a run, and the only topics that it has in the collection below


@pytest.fixture(scope="module")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the sample data with one run that lacks some topics."""
    folder = tmp_path_factory.mktemp("lacking") / "lacking"
    shutil.copytree(SAMPLE, folder)
    run = folder / "runs" / f"{SHORT}.run.gz"
    lines = gzip.decompress(run.read_bytes()).decode().splitlines(keepends=True)
    run.write_bytes(gzip.compress("".join(line for line in lines if line.startswith(LEFT)).encode()))
    return folder


@pytest.fixture
def started(lacking: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start the app as with `--data lacking`."""
    monkeypatch.setattr(sys, "argv", ["app.py", "--data", str(lacking)])
    return lacking


@pytest.mark.slow
def test_every_page_opens_with_means_over_retrieved_topics(started):
    opened = 0
    for page in PAGES:
        app = open_app(page, data="lacking", average="retrieved")
        assert left(app).rankings.average_over == "retrieved", page
        assert not app.exception, page
        assert not app.error, page
        opened += 1
    assert opened == len(PAGES) > 10


@pytest.mark.parametrize("average", ["all", "retrieved"])
def test_means_over_retrieved_topics_equal_those_of_python(started, average):
    app = open_app("topic", data="lacking", average=average, measure="AP", topic="q01", compared=SHORT)
    mean = ec.evaluate("AP", ec.load(started), topics=average)[SHORT].mean()
    (caption,) = (one.value for one in app.sidebar.caption if "retrieved nothing for some" in one.value)
    words = {
        "all": "means are over all assessed topics",
        "retrieved": "means are over the topics for which a system retrieved",
    }
    assert words[average] in caption
    assert any(f"mean over topics {mean:.4f}" in one.help for one in app.metric)
