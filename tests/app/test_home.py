"""Home: one live figure on every kind of data, one link per question, and the open collection."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, address_of, as_figure, fresh, go_to, metric, open_app
from ui.address.places import PLACES
from ui.home.figure import Card
from ui.home.texts import DOORS
from ui.screen.items import Figure, Item
from ui.stage import report


@pytest.mark.parametrize("place", DOORS)
def test_every_card_on_home_leads_to_a_page(place):
    app = open_app("home")
    link = next(one.proto for one in app.get("page_link") if one.proto.label == DOORS[place])
    assert link.page == place
    assert not app.switch_page(f"pages/{place}.py").run().exception


def test_every_page_listed_exists_once():
    assert sorted(PLACES) == sorted({path.stem for path in (ROOT / "pages").glob("*.py")})


def test_home_names_the_open_collection():
    app = open_app("home")
    assert any("32 systems" in text.value for text in app.markdown)
    assert not app.exception


def test_a_link_made_on_other_data_warns_until_something_is_set():
    app = open_app("understandability", on="ffffffff")
    assert any("made with data other than" in warning.value for warning in app.run().warning)
    app.slider(key="understandability.rho").set_value(0.5).run()
    assert not app.warning


# --- collections of other shapes --------------------------------------------------------------------------------------


def opened(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Open Home on a folder with these files."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = open_app("home")
    assert not app.exception
    return app


def qrels(grades: Sequence[int]) -> str:
    return "".join(f"{topic} 0 {d} {grade}\n" for topic in "12" for d, grade in zip("abcd", grades, strict=True))


def run(ranking: str) -> str:
    return "".join(f"{topic} Q0 {d} {k} {-k} x\n" for topic in "12" for k, d in enumerate(ranking, start=1))


TWO = {"runs/one.run": run("abcd"), "runs/two.run": run("dcba")}
FEW = {**TWO, "runs/three.run": run("bdac")}
RELEVANCE = {"qrels.txt": qrels([1, 0, 2, 0])}
CREDIBILITY = {"qcred.txt": qrels([0, 1, 1, 0])}
FOG = {"fog.csv": "docid,fog\na,9\nb,12\nc,17\nd,22\n"}


def questions(app: AppTest) -> list[str]:
    return [one.proto.label for one in app.get("page_link")]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Record every figure that is drawn, with its text alternative."""
    drawn: list[tuple[str, Any]] = []

    def shown(key: str, item: Item) -> None:
        if isinstance(item, Figure):
            drawn.append((item.about, as_figure(item.figure)))

    monkeypatch.setattr(report, "shown", shown)
    return drawn


def drawn_as(shown: list[tuple[str, Any]], begins: str) -> tuple[str, Any]:
    return next((alt, figure) for alt, figure in shown if alt.startswith(begins))


@pytest.mark.parametrize(
    ("aspects", "question", "column"),
    [
        ({**CREDIBILITY, "qread.txt": qrels([0, 1, 2, 3])}, "Does readability change who wins?", "understandability"),
        ({**CREDIBILITY, **FOG}, "Does readability change who wins?", "fog"),
        (CREDIBILITY, "Does credibility change who wins?", "credibility"),
    ],
    ids=["understandability", "fog", "credibility"],
)
def test_the_question_of_the_first_card_fits_its_figure(aspects, question, column, shown, tmp_path, monkeypatch):
    app = opened({**FEW, **RELEVANCE, **aspects}, tmp_path, monkeypatch)
    assert question in questions(app)
    alt, figure = drawn_as(shown, "Scatter of 3 systems, ")
    assert alt.endswith(f" of {column} (vertical) against RBP (horizontal)")
    assert f" of {column}, th = " in figure.layout.yaxis.title.text
    page = go_to(app, "understandability").run()
    assert not page.exception
    assert page.selectbox(key="understandability.column").value == column
    collection = app.session_state["open collection"]
    for axis, measure in zip("xy", Card.read(collection, {}).pair, strict=True):
        plotted = np.concatenate([trace[axis] for trace in figure.data if trace.customdata is not None])
        assert sorted(plotted) == sorted(ec.evaluate(measure, collection).mean())


def test_sliders_on_home_change_the_rankings_of_the_first_figure():
    app = open_app("home")
    app.slider(key="home.rho").set_value(0.5).run()
    c = ec.load(ROOT / "sample_data" / "health")
    app.slider(key="home.threshold").set_value(3).run()
    x, y = (ec.evaluate(text, c).mean() for text in ("RBP(rho=0.5)", "uRBP(rho=0.5, threshold=3)"))
    assert metric(app, "τ") == f"{ec.tau(x, y):.3f}"
    assert metric(app, "τ_AP") == f"{ec.tau_ap(y, x):.3f}"
    assert (address_of(app)["home.rho"], address_of(app)["home.threshold"]) == (["0.5"], ["3"])


def test_the_question_of_the_first_figure_opens_the_page_that_answers_it():
    app = open_app("home", rho="0.5", threshold="3")
    link = next(one.proto for one in app.get("page_link") if one.proto.label == "Does readability change who wins?")
    there = fresh("understandability", parse_qs(link.query_string))
    assert not there.warning
    assert metric(there, "τ") == metric(app, "τ")


def test_scores_alone_show_the_best_systems_with_intervals(shown, tmp_path, monkeypatch):
    rows = [f"{topic},{system},{(topic * at) % 7 / 7}" for topic in range(1, 9) for at, system in enumerate("abc", 1)]
    app = opened({"scores.csv": "\n".join(["topic,system,AP", *rows])}, tmp_path, monkeypatch)
    alt, figure = drawn_as(shown, "The 3 systems")
    means = ec.evaluate('Score("AP")', app.session_state["open collection"]).mean()
    assert alt.endswith("with 95% intervals")
    drawn = np.concatenate([np.asarray(trace.x, dtype=float) for trace in figure.data if trace.x is not None])
    assert all(np.isclose(drawn, mean).any() for mean in means)


def test_labels_alone_show_two_judges(shown, tmp_path, monkeypatch):
    app = opened({"qrels.txt": qrels([1, 0, 2, 0]), "qrels.llm.txt": qrels([1, 1, 2, 0])}, tmp_path, monkeypatch)
    drawn_as(shown, "Matrix of documents by the labels of")
    assert any("give 75% of 8 documents the same label" in one.value for one in app.markdown)


def test_without_rankings_a_marked_sample_is_shown(shown, tmp_path, monkeypatch):
    app = opened({"runs/one.run": run("abcd"), **RELEVANCE}, tmp_path, monkeypatch)
    drawn_as(shown, "Scatter of 32 systems")
    assert any("Shown here: *sample data*" in one.value for one in app.caption)


@pytest.mark.parametrize("data", ["sample data", "focused sample", "navigation sample"])
def test_next_steps_fit_the_collection(data):
    app = open_app("home", data=data)
    collection = app.session_state["open collection"]
    asked = questions(app)
    assert ("How much of the returned text was worth reading?" in asked) == (collection.passages is not None)
    assert ("What is a result worth if people follow its links?" in asked) == (collection.navigation is not None)


def test_with_one_aspect_the_first_figure_has_a_slider_too(tmp_path, monkeypatch):
    """The most common case: plain TREC files."""
    random = np.random.default_rng(0)
    pool = {f"t{t}": {f"d{d}": int(random.integers(0, 3)) for d in range(12)} for t in range(5)}
    lines = (f"{topic} 0 {document} {grade}\n" for topic, grades in pool.items() for document, grade in grades.items())
    (tmp_path / "qrels.txt").write_text("".join(lines))
    for system in range(4):
        ranked = {topic: random.permutation(list(grades)) for topic, grades in pool.items()}
        rows = (f"{t} Q0 {d} {rank} {99 - rank} s{system}\n" for t, ds in ranked.items() for rank, d in enumerate(ds))
        (tmp_path / f"s{system}.run").write_text("".join(rows))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    app = open_app("home")
    app.slider(key="home.rho").set_value(0.5).run()
    assert not app.exception
    assert any("Under RBP" in text.value and "Under nDCG" in text.value for text in app.markdown)
