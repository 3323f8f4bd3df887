"""The page Worked examples, run without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import address_of, open_app
from evalcore.data.readability import FORMULAS, counted
from evalcore.measures import MM, TOMA
from evalcore.teaching.papers.by_hand import hand_examples
from evalcore.teaching.papers.three_documents import MEASURES
from evalcore.teaching.typed_rankings import written_collection
from ui.teaching.worked_examples.example_settings import READABILITY, TEXT

WRITTEN = "document relevance/2 ease/3 trust\na 0 1 1\nb 2 3 0\nx - - -\n---\nc 1 1 1\n"


def open_page(**link: object) -> AppTest:
    return open_app("worked_examples", **link)


def text(app: AppTest) -> str:
    return "\n".join(str(one.value) for one in (*app.markdown, *app.caption, *app.info))


@pytest.mark.slow
@pytest.mark.parametrize("name", hand_examples())
def test_each_measure_is_worked_out(name: str) -> None:
    app = open_page(one=name)
    assert not app.exception
    one = hand_examples()[name]
    score = ec.evaluate(one.measure, one.collection).to_numpy()[0, 0]
    assert f"scores **{score:.4f}**" in text(app)
    assert one.words in text(app)


def test_the_example_of_toma_is_that_of_table_3() -> None:
    """In the first row of Table 1, the classes of d1, d2 and d3 are the 6th, 8th and 4th of ten: their weights."""
    app = open_page()
    assert not app.exception
    example = hand_examples()["TOMA"]
    assert example.parsed == ec.parse(MEASURES["NDCG"]["EUCL"])
    assert isinstance(example.parsed, TOMA)
    steps = next(frame.value for frame in app.dataframe if "weight" in frame.value)
    assert steps["weight"].tolist() == [5, 7, 3]
    assert steps["distance"].tolist() == pytest.approx([2.0, 1.5, 3.0])


def test_an_edit_is_noticed_is_in_the_link_and_can_be_taken_back() -> None:
    app = open_page(written=WRITTEN, measures=["RBP(rho=0.5)", "P@2"], edits=["move:topic:ranking:2:1"])
    assert app.dataframe[0].value["edited"].tolist() == [0.5, 0.5]
    assert "1 edit changes the score under 1 of 2 measures." in text(app)
    app.button(key="edits Undo").click().run()
    assert app.dataframe[0].value["as given"].tolist() == [0.25, 0.5]
    assert "edited" not in app.dataframe[0].value


def test_a_ranking_of_ones_own_is_scored_by_each_measure() -> None:
    measures = ["RBP(rho=0.5)", 'AP(aspect="ease")']
    app = open_page(written=WRITTEN, measures=measures)
    c = written_collection(WRITTEN)
    assert not app.exception
    for name in measures:
        assert app.dataframe[0].value["as given"][name] == ec.evaluate(name, c).to_numpy()[0, 0]
    assert app.dataframe[1].value["adds"].tolist() == [0.0, 0.25, 0.0]
    assert hand_examples()["TOMA"].words not in text(app)


def test_each_aspect_of_a_mean_has_its_score() -> None:
    app = open_page(one="MM")
    parts = next(frame.value for frame in app.dataframe if list(frame.value) == ["score"])["score"]
    example = hand_examples()["MM"]
    assert isinstance(example.parsed, MM)
    assert 2 / np.sum(1 / parts) == pytest.approx(ec.evaluate(example.measure, example.collection).iloc[0, 0])


def test_a_mistake_in_a_ranking_names_its_line() -> None:
    app = open_page(written="document relevance\na 1\nb yes")
    assert not app.exception
    assert "line 3: expected a grade of relevance" in app.error[0].value


def test_an_example_without_ranking_to_change_has_no_edits() -> None:
    app = open_page(one="NuggetRecall", edits=["move:topic:ranking:2:1"])
    assert not app.exception
    assert not [one for one in app.text_area if one.key == "worked_examples.written"]
    assert "worked_examples.edits" not in address_of(app) or app.warning


def test_what_is_typed_finds_measures_by_family() -> None:
    menu = open_page().selectbox(key="worked_examples.one")
    assert {"Subtopics: NRBP", "Readers (C/W/L): BPM", f"Readability: {READABILITY}"} <= set(menu.options)


def test_a_text_is_read_as_the_formulas_read_it() -> None:
    app = open_page(one=READABILITY)
    assert not app.exception
    counts = counted(TEXT)
    assert (counts.sentences, counts.words) == (3, 22)
    # By hand: physician, antihypertensive, medication, cardiologist, immediately, palpitations, dizziness.
    assert counts.hard == 7
    assert "**antihypertensive**" in text(app)
    assert f"FOG: **{0.4 * (22 / 3 + 100 * 7 / 22):.1f}** years of schooling" in text(app)
    written = " ".join(formula.value for formula in app.latex)
    for formula in FORMULAS.values():
        assert rf"\mathbf{{{formula.of(counts):.2f}}}" in written
    app = open_page(one=READABILITY, text="...")
    assert "The text has no words" in text(app)


@pytest.mark.parametrize(
    "link",
    [{"example": "Three documents", "inner": "NDCG", "ranking": "d3, d1"}, {"example": "Your own", "written": WRITTEN}],
)
def test_links_to_the_views_of_before_lead_on(link: dict[str, str]) -> None:
    app = open_page(**link)
    assert not app.exception
    assert not app.error
    assert any("was removed" in one.value for one in app.toast) or any(
        "was removed" in one.value for one in app.warning
    )
