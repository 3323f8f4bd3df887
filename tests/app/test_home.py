"""Home: five pictures, each a link to what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, address_of, as_figure, go_to, open_app
from evalcore.measures.catalogue import suggestions
from ui.address.places import PLACES
from ui.home.first_card import Card
from ui.home.gallery import GALLERY, apart
from ui.screen.items import Figure, Item
from ui.stage import report


def gallery() -> list[tuple[str, dict[str, Any]]]:
    """Page and settings of every picture."""
    return [(picture.page, picture.settings) for picture in GALLERY]


@pytest.mark.parametrize(("page", "settings"), gallery())
def test_every_picture_leads_to_a_page_that_opens(page, settings):
    app = open_app(page, **settings)
    assert not app.exception
    assert not any("does not fit" in warning.value for warning in app.warning)


def test_every_page_listed_exists_once():
    assert sorted(PLACES) == sorted({path.stem for path in (ROOT / "pages").glob("*.py")})


def test_home_names_what_is_open():
    app = open_app("home")
    assert any("32 systems" in text.value for text in app.markdown)
    assert not app.exception


def test_a_link_made_on_other_data_warns_until_something_is_set():
    app = open_app("understandability", on="ffffffff")
    assert any("made on other data" in warning.value for warning in app.run().warning)
    app.slider(key="understandability.rho").set_value(0.5).run()
    assert not app.warning


# --- collections of other shapes --------------------------------------------------------------------------------------


def opened(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Home on a folder of these files."""
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
    """Every figure that is drawn, with its text alternative."""
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
def test_the_first_card_asks_of_what_it_plots(aspects, question, column, shown, tmp_path, monkeypatch):
    app = opened({**FEW, **RELEVANCE, **aspects}, tmp_path, monkeypatch)
    assert question in questions(app)
    alt, figure = drawn_as(shown, "Scatter of 3 systems, RBP across")
    assert alt.endswith(f" of {column} up")
    assert figure.layout.yaxis.title.text.endswith(f" of {column}")
    page = go_to(app, "understandability").run()
    assert not page.exception
    assert page.selectbox(key="understandability.column").value == column
    collection = app.session_state["open collection"]
    for axis, measure in zip("xy", Card.read(collection, {}).pair, strict=True):
        plotted = np.concatenate([trace[axis] for trace in figure.data if trace.customdata is not None])
        assert sorted(plotted) == sorted(ec.evaluate(measure, collection).mean())


def test_its_slider_moves_the_ranking_of_the_first_card():
    app = open_app("home")
    app.slider(key="home.rho").set_value(0.5).run()
    c = ec.load(ROOT / "sample_data" / "health")
    x, y = (ec.evaluate(text, c).mean() for text in ("RBP(rho=0.5)", "uRBPgr(rho=0.5)"))
    assert any(f"**{ec.tau(x, y):.3f}**" in one.value for one in app.markdown)
    assert address_of(app)["home.rho"] == ["0.5"]


def test_of_two_systems_first_places_are_counted(shown, tmp_path, monkeypatch):
    app = opened({**TWO, **RELEVANCE, **CREDIBILITY}, tmp_path, monkeypatch)
    collection = app.session_state["open collection"]
    expected = {"one": 0, "two": 0, "tied": 0}
    for measure in next(iter(suggestions(collection).values())):
        means = ec.evaluate(measure, collection).mean()
        gap = means["one"] - means["two"]
        expected["tied" if abs(gap) < 1e-12 else "one" if gap > 0 else "two"] += 1
    alt, figure = drawn_as(shown, "How many of")
    drawn = dict(zip(figure.data[0].y, figure.data[0].x, strict=True))
    assert {"tied": 0} | drawn == expected
    assert alt.startswith(f"How many of {sum(expected.values())} measures put a system first: one {expected['one']}")
    assert not any(one.startswith("Kendall") for one, _ in shown)


def test_of_more_systems_the_agreement_is_a_correlation(shown, tmp_path, monkeypatch):
    opened({**FEW, **RELEVANCE}, tmp_path, monkeypatch)
    _, figure = drawn_as(shown, "Kendall's tau_b")
    assert figure.data[0].zmin <= 0.5
    assert figure.data[0].zmax == 1


@pytest.mark.parametrize("data", ["sample data", "focused sample", "navigation sample"])
def test_what_to_do_next_is_what_the_collection_can_answer(data):
    app = open_app("home", data=data)
    collection = app.session_state["open collection"]
    asked = questions(app)
    assert ("How much of what was returned was worth reading?" in asked) == (collection.passages is not None)
    assert ("What is a result worth if people follow its links?" in asked) == (collection.navigation is not None)
    another = "Would the ranking stand with the labels of another judge?"
    assert (another in asked) == bool(collection.source_names)


def test_wrong_labels_are_drawn_where_some_can_be_wrong(shown, tmp_path, monkeypatch):
    app = opened({**FEW, **RELEVANCE}, tmp_path, monkeypatch)
    assert "How many labels may be wrong?" in questions(app)
    alt, figure = drawn_as(shown, "τ with the ranking by RBP")
    line = next(trace for trace in figure.data if trace.name == "τ to the original ranking, mean")
    assert line.y[0] == 1
    where = min((share for share, tau in zip(line.x, line.y, strict=True) if tau < 0.9), default=None)
    marked = float(alt.rpartition("at ")[2].removesuffix("%")) / 100
    assert where is not None
    assert where - 0.05 - 0.005 <= marked <= where + 0.005  # on the line between two of its points


def test_two_runs_of_the_same_first_results_are_not_what_the_card_sets_apart():
    """Of three systems the second returns what the first does: the first and the third are shown."""
    differ = {
        "a": {"1": {"d1": 2.0, "d2": 1.0}},
        "b": {"1": {"d1": 2.0, "d2": 1.0}},
        "c": {"1": {"d2": 2.0, "d1": 1.0}},
    }
    _, text = apart(ec.collection(runs=differ, aspects={"relevance": {"1": {"d1": 1, "d2": 0}}}))
    assert text == "Difference of two of the best systems, a and c, on every topic"


def test_on_one_aspect_the_first_figure_moves_too(tmp_path, monkeypatch):
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
    assert any("By RBP" in text.value and "By nDCG" in text.value for text in app.markdown)
