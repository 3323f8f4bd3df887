"""The page Leaderboard on the invented leaderboard, and every page on collections of only scores or only labels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

import evalcore as ec
from app_support import ROOT, an_app, figure_keys, go_to, open_app, things
from evalcore.common.latex import latex_table
from evalcore.leaderboard import aggregate_effects
from ui.address.page import IN_WORDS
from ui.address.places import PAGES, now
from ui.leaderboard.leaderboard_settings import LeaderboardSettings
from ui.screen.items import Table

BOARD, BOARD_FOLDER = {"data": "leaderboard sample"}, ROOT / "sample_data" / "board"
WITH_SCORES = {
    *("sensitivity", "leaderboard", "rules", "claim", "correlations", "discriminative_power", "topics_needed", "moved")
}


def page_text(app) -> str:
    return "\n".join(text.value for text in app.main.markdown)


def test_who_leads_and_how_many_lack_scores():
    app = open_app("leaderboard", **BOARD)
    assert "** (0.8209) is the best (95 %), ahead of the next, birch" in page_text(app)
    assert "of 40 systems lack scores" in page_text(app)


def test_another_rule_has_another_leader():
    app = open_app("leaderboard", **BOARD, by="Borda()")
    assert "birch" in page_text(app).partition(" leads under Borda")[0]


def shown_table(app, name="leaderboard") -> Table:
    return next(one for _, one in app.session_state["on the screen"] if isinstance(one, Table) and one.name == name)


def test_a_row_has_its_rank_its_interval_and_a_score_by_each_measure(sample):
    app = open_app("leaderboard", measure="AP", measures=["P@10", "uRBP"])
    table, ap = shown_table(app), ec.evaluate("AP", sample)
    expected = ec.leaderboard.standings(ap)
    assert list(table.frame) == ["rank", "95% interval", "may be best", "AP", "P@10", "uRBP"]
    assert table.frame.index.tolist() == expected.index.tolist()
    assert table.frame["AP"].tolist() == expected["estimate"].tolist()
    assert table.frame["uRBP"].tolist() == ec.evaluate("uRBP", sample).mean()[expected.index].tolist()
    assert table.frame["95% interval"].iloc[0] == "{low:.4f} to {high:.4f}".format(**expected.iloc[0])
    may = table.frame.index[table.frame["may be best"] == "yes"]
    assert set(may) == set(ec.rank_intervals(ap).may_be_best)


def test_the_drawn_intervals_lie_where_the_numbers_do(sample):
    pictures = shown_table(open_app("leaderboard", measure="AP")).pictures["95% interval"]
    table = ec.leaderboard.standings(ec.evaluate("AP", sample))
    drawn = [
        re.findall(r'<path d="M([\d.]+) 14.5H([\d.]+)".*<circle cx="([\d.]+)"', unquote(one))[0] for one in pictures
    ]
    at = np.array(drawn, dtype=float)
    values = table[["low", "high", "estimate"]].to_numpy()
    slope = (at.max() - at.min()) / (values.max() - values.min())
    assert np.abs(at - (at.min() + slope * (values - values.min()))).max() < 0.11  # pixels


def test_one_searches_a_system_by_a_part_of_its_name_and_its_rank_stays(sample):
    table = shown_table(open_app("leaderboard", measure="AP", find="BM25"))
    whole = ec.leaderboard.standings(ec.evaluate("AP", sample))
    kept = [name for name in whole.index if "bm25" in name]
    assert table.frame.index.tolist() == kept
    assert table.frame["rank"].tolist() == whole["rank"][kept].tolist()
    assert shown_table(open_app("leaderboard", find="nobody")).frame.empty


def test_a_clicked_cell_is_looked_into_by_its_measure():
    app = open_app("leaderboard", measure="AP", measures=["P@10"])
    table = shown_table(app)
    with pytest.MonkeyPatch.context() as patch:
        changed: dict[str, Any] = {}
        patch.setattr(LeaderboardSettings, "change", lambda _, **changes: changed.update(changes))
        assert table.on_click is not None
        table.on_click(2, "P@10")
        assert changed == {"system": table.frame.index[2], "score": "P@10"}
        table.on_click(1, "rank")
        assert changed == {"system": table.frame.index[1], "score": "AP"}
    app = open_app("leaderboard", measure="P@10", measures=["AP", "P@10"], system="plain_fog", score="AP")
    assert list(shown_table(app).frame)[3:] == ["AP", "P@10"]
    links = {one.proto.label: one.proto.query_string for one in app.main.get("page_link")}
    topic = next(text for label, text in links.items() if "rank by rank" in label)
    assert {"topic.compared=plain_fog", "topic.measure=AP"} <= set(topic.split("&"))
    moved = next(text for label, text in links.items() if "does it move" in label)
    assert {"moved.system=plain_fog", "moved.x=AP", "moved.y=P%4010"} <= set(moved.split("&"))


def test_missing_scores_have_a_column_where_there_are_some():
    assert shown_table(open_app("leaderboard", **BOARD)).frame["missing"].sum() == 104
    assert "missing" not in shown_table(open_app("leaderboard")).frame


def test_the_score_is_that_by_the_chosen_rule_and_says_so():
    app = open_app("leaderboard", **BOARD, by="Borda()", gaps="Fixed()")
    scores = ec.evaluate('Score("score")', ec.load(BOARD_FOLDER))
    expected = ec.leaderboard.standings(scores, "Borda", "Fixed")
    frame = shown_table(app).frame
    assert frame["Borda of score"].tolist() == expected["estimate"].tolist()
    assert "may be best" not in frame


def test_rules_say_who_leads_by_how_many_of_them():
    app = open_app("rules", **BOARD)
    groups = ec.load(BOARD_FOLDER).assessments.groups["group"]
    scores = ec.evaluate('Score("score")', ec.load(BOARD_FOLDER))
    ranks = aggregate_effects(scores, groups=dict(zip(scores.index, groups, strict=True)))
    first = (ranks == 1).sum(axis=1).sort_values(kind="stable").index[-1]
    text = page_text(app).replace("\\", "")
    assert f"**{first}** leads under {(ranks.loc[first] == 1).sum()} of {len(ranks.columns)} rules for topics" in text
    assert "104 scores (5%) are missing" in text
    table = shown_table(app, "ranks by rule").frame
    assert table["Borda"].tolist() == ranks["Borda"][table.index].tolist()
    assert table["Fixed"].tolist() == ec.gap_effects(scores)["Fixed"][table.index].tolist()


@pytest.mark.parametrize(
    ("page", "look", "stem"),
    [
        ("leaderboard", "Ranking", "leaderboard"),
        ("leaderboard", "Missing scores", "rules"),
        ("leaderboard", "Pairwise wins", "rules"),
        ("discriminative_power", "One pair", "discriminative_power"),
        ("discriminative_power", "All pairs", "discriminative_power"),
        ("discriminative_power", "Topics needed", "topics_needed"),
        ("discriminative_power", "What the top systems return", "top_documents"),
    ],
)
def test_old_links_open_the_page_that_the_look_is_now(page, look, stem):
    place, texts, _ = now(page, {f"{page}.look": [look], f"{page}.measure": ["AP"]})
    assert (place, texts) == ("rank", {"rank.view": [stem], f"{page}.measure": ["AP"]})


def test_by_group_without_groups_names_what_it_lacks():
    app = open_app("leaderboard", by="ByGroup(Mean())")
    assert any("the topics have no groups" in info.value for info in app.info)


def test_a_table_by_groups_of_tasks_has_the_best_of_each_in_bold():
    app = open_app("leaderboard", **BOARD, gaps="Fixed()")
    shown = shown_table(app, "leaderboard by group")
    assert list(shown.frame)[:3] == ["rank", "Mean", "classification"]
    text = latex_table(shown.frame, index=True, decimals={}, best=shown.best)
    assert text.count("textbf") == 8  # of all tasks, and of each of seven groups


def test_the_table_with_doubt_has_intervals_letters_and_a_caption_that_names_the_family(sample: ec.Collection) -> None:
    with_doubt = shown_table(open_app("leaderboard", measures=["RBP(rho=0.8)"]), "leaderboard").with_doubt
    assert with_doubt
    text = with_doubt()
    known = ec.rank_intervals(ec.evaluate(ec.parse("RBP(rho=0.8)"), sample), 2000, seed=0).table
    body = text[text.index(r"\midrule") : text.index(r"\bottomrule")].splitlines()[1:]
    cells = [line.removesuffix(r" \\").split(" & ") for line in body]
    assert [row[4] for row in cells] == known["groups"].tolist()
    assert [row[1] for row in cells] == [f"{mean:.4f}" for mean in known["mean"]]
    spans = [
        f"{low:.0f}–{high:.0f}" if low < high else f"{low:.0f}"
        for low, high in known[["all_low", "all_high"]].to_numpy()
    ]
    assert [row[3].replace("--", "–") for row in cells] == spans
    assert "separable systems among all pairs, here 496." in text
    assert text.count("{") == text.count("}")
    assert r"95\% interval & groups" in text


@pytest.fixture(params=["scores", "labels"])
def alone(request, tmp_path: Path, monkeypatch) -> str:
    """Open a folder that contains only scores, or only labels of three judges."""
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
        lacks = any("This page needs " in caption.value for caption in app.caption)
        assert not lacks or things(app), page
        working |= {page} if PAGES[page].needs and not lacks else set()
    assert working == (WITH_SCORES if alone == "scores" else {"labels"})


def test_home_has_pictures_of_what_works(alone):
    expected = {"home judges"} if alone == "labels" else {"home leaders"}
    assert {*figure_keys(an_app(120).run())} == expected


def test_a_page_that_lacks_something_shows_a_sample_and_says_what_is_lacking(alone):
    app = an_app(120)
    app.run()
    go_to(app, "toma").run()
    said = (
        f"This page needs {IN_WORDS['rankings']}; the open collection has {alone} alone.  \nShown here: *sample data*"
    )
    assert any(said in caption.value for caption in app.caption)
    assert any(text.value.startswith("Under TOMA") for text in app.markdown)


@pytest.mark.parametrize("page", sorted({*WITH_SCORES, "exercises"}))
def test_a_measure_that_some_systems_lack_altogether(page):
    """In the sample's rerun, 28 of 40 models have no score."""
    app = open_app(page, **BOARD)
    assert not app.exception
    assert not app.error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "settings"),
    [
        ("sensitivity", {}),
        ("correlations", {}),
        ("discriminative_power", {}),
        ("topics_needed", {}),
        ("rules", {}),
        ("moved", {}),
        ("leaderboard", {}),
    ],
)
def test_weights_of_groups_where_scores_are_missing_have_no_test_and_no_doubt(page, settings):
    """The weights of topics depend on a system's missing scores; a test would take this for a difference."""
    named = 'GroupWeights(Score("score"), by="group")'
    many = {"measures": [named, 'Score("score")']}
    given: dict[str, Any] = {"correlations": many, "discriminative_power": many, "topics_needed": many}
    given["moved"] = {"x": named}
    app = open_app(page, **BOARD, **given.get(page, {"measure": named}), **settings)
    assert not app.exception
    assert not any("Traceback" in error.value for error in app.error)


def test_of_very_many_systems_the_first_are_drawn(tmp_path, monkeypatch):
    cells = (f"s{at},{at / 400},{(at * 7 % 400) / 400}," + ("" if at % 9 == 0 else "0.5") for at in range(320))
    (tmp_path / "score.csv").write_text("\n".join(["system,t1,t2,t3", *cells, ""]))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    app = open_app("rules")
    assert not app.exception
    assert any("The figure shows the best 300 of 320 systems" in caption.value for caption in app.caption)
    assert len(shown_table(app, "ranks by rule").frame) == 320
