"""The page Leaderboard on the invented leaderboard, and every page on scores or labels alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app_support import an_app, figure_keys, go_to, open_app
from evalcore.common.latex import latex_table
from ui.address.page import IN_WORDS
from ui.address.places import PAGES
from ui.screen.items import Table

BOARD = {"data": "leaderboard sample"}
WITH_SCORES = {"sensitivity", "leaderboard", "claim", "correlations", "discriminative_power", "moved"}


def page_text(app) -> str:
    return "\n".join(text.value for text in app.main.markdown)


def test_who_leads_and_how_many_lack_scores():
    app = open_app("leaderboard", **BOARD)
    assert "** (0.8209) is the best (95 %), ahead of the next, birch" in page_text(app)
    assert "systems of 40 lack scores" in page_text(app)


def test_another_rule_has_another_leader():
    app = open_app("leaderboard", **BOARD, by="Borda()")
    assert "birch" in page_text(app).partition(" leads by Borda")[0]


def test_letters_are_of_the_means():
    table = open_app("leaderboard", **BOARD, gaps="Fixed()").main.dataframe[0].value
    assert table["letters"].iloc[0].startswith("a")
    assert "letters" not in open_app("leaderboard", **BOARD, by="Borda()").main.dataframe[0].value


def test_by_group_without_groups_names_what_it_lacks():
    app = open_app("leaderboard", by="ByGroup(Mean())")
    assert any("expected groups of the topics" in info.value for info in app.info)


def test_a_table_by_groups_of_tasks_has_the_best_of_each_in_bold():
    app = open_app("leaderboard", **BOARD, gaps="Fixed()")
    shown = [one for _, one in app.session_state["on the screen"] if isinstance(one, Table)][1]
    assert (shown.name, list(shown.frame)[:3]) == ("leaderboard by group", ["rank", "Mean", "classification"])
    text = latex_table(shown.frame, index=True, decimals={}, best=shown.best)
    assert text.count("textbf") == 8  # of all tasks, and of each of seven groups


@pytest.fixture(params=["scores", "labels"])
def alone(request, tmp_path: Path, monkeypatch) -> str:
    """A folder of scores alone, or of labels of three judges alone, is open."""
    rng = np.random.default_rng(0)
    if request.param == "scores":
        for name in ("map", "latency"):
            rows = (
                ",".join([f"t{t}", *(f"{one:.3f}" if one > 0.1 else "" for one in rng.random(6))]) for t in range(9)
            )
            (tmp_path / f"{name}.csv").write_text("\n".join(["topic,a,b,c,d,e,f", *rows]) + "\n")
    else:
        truth = rng.integers(0, 3, (6, 12))
        for judge in ("nist", "gpt4", "llama"):
            labels = np.where(rng.random(truth.shape) < 0.7, truth, rng.integers(0, 3, truth.shape))
            lines = (f"{t} 0 d{t}.{d} {labels[t, d]}\n" for t in range(6) for d in range(12))
            (tmp_path / f"{judge}.qrels").write_text("".join(lines))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    return request.param


@pytest.mark.slow
def test_every_page_works_on_scores_or_labels_alone_or_shows_a_sample(alone):
    app = an_app(120)
    app.run()
    working = set()
    for page in PAGES:
        go_to(app, page).run()
        assert not app.exception, (page, app.exception[0].value)
        assert not app.error, (page, app.error[0].value)
        assert not app.warning, (page, app.warning[0].value)
        assert app.title, page
        lacks = any("This page takes " in caption.value for caption in app.caption)
        assert not lacks or figure_keys(app), page
        working |= {page} if PAGES[page].needs and not lacks else set()
    assert working == (WITH_SCORES if alone == "scores" else {"labels"})


def test_home_has_pictures_of_what_works(alone):
    expected = {"home judges"} if alone == "labels" else {"home leaders", "home agree", "home apart"}
    assert {*figure_keys(an_app(120).run())} == expected


def test_a_page_that_lacks_something_shows_a_sample_and_says_what_is_lacking(alone):
    app = an_app(120)
    app.run()
    go_to(app, "toma").run()
    said = (
        f"This page takes {IN_WORDS['rankings']}; the open collection has {alone} alone.  \nShown here: *sample data*"
    )
    assert any(said in caption.value for caption in app.caption)
    assert any(text.value.startswith("By TOMA") for text in app.markdown)


@pytest.mark.parametrize("page", sorted({*WITH_SCORES, "exercises"}))
def test_a_measure_that_some_systems_lack_altogether(page):
    """Of the sample's rerun 28 of 40 models have no score."""
    app = open_app(page, **BOARD)
    assert not app.exception
    assert not app.error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "settings"),
    [
        ("sensitivity", {}),
        ("correlations", {}),
        ("discriminative_power", {"look": "All pairs"}),
        ("moved", {}),
        ("leaderboard", {}),
    ],
)
def test_weights_of_groups_where_scores_are_missing_have_no_test_and_no_doubt(page, settings):
    """Topics weigh by what each system has: a test of two of them would take that for a difference."""
    named = 'GroupWeights(Score("score"), by="group")'
    many = {"measures": [named, 'Score("score")']}
    given: dict[str, Any] = {"correlations": many, "discriminative_power": many, "moved": {"x": named}}
    app = open_app(page, **BOARD, **given.get(page, {"measure": named}), **settings)
    assert not app.exception
    assert not any("Traceback" in error.value for error in app.error)


@pytest.mark.parametrize("look", ["Pairwise wins", "Missing scores"])
def test_of_very_many_systems_the_first_are_drawn(look, tmp_path, monkeypatch):
    """All pairs of 3,000 systems would be more than a browser takes."""
    cells = (f"s{at},{at / 400},{(at * 7 % 400) / 400}," + ("" if at % 9 == 0 else "0.5") for at in range(320))
    (tmp_path / "score.csv").write_text("\n".join(["system,t1,t2,t3", *cells, ""]))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    app = open_app("leaderboard", look=look)
    assert not app.exception
    drawn = "The first 100 of 320 systems" if look == "Pairwise wins" else "Drawn: the first 300 of 320 systems"
    assert any(drawn in caption.value for caption in app.caption)
    assert app.main.dataframe[0].value.shape[0] == (100 if look == "Pairwise wins" else 320)
