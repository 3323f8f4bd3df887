"""Pages that show TOMA say which embedding it has, where that matters, and offer the other one."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, open_app
from evalcore.measures import TOMA, parse
from evalcore.measures.catalogue import suggestions
from evalcore.measures.toma import tomas_in, with_embedding
from evalcore.papers.aspect_correlation import measure_correlations
from ui.widgets.embedding_note import label_counts

PAIR = 'TOMA(nDCG, aspects=["relevance", "understandability"], distance=Euclidean)'  # 3 labels and 4
STEPS = 'TOMA(nDCG, aspects=["relevance", "understandability"], distance=Euclidean, embedding="equal steps")'


def notes(app: AppTest) -> list[str]:
    return [caption.value for caption in app.caption if caption.value.startswith("TOMA by")]


def take_other(app: AppTest) -> AppTest:
    return app.button(key="other embedding").click().run()


@pytest.mark.parametrize("page", ["correlations", "discriminative_power"])
def test_a_click_replaces_the_measures_compared_and_a_second_brings_them_back(page: str) -> None:
    app = open_app(page)
    before = list(app.multiselect(key=f"{page}.measures").value)
    assert sum("TOMA" in text for text in before) == 1
    assert notes(app)[0].startswith("TOMA by *equal ranges*")
    take_other(app)
    assert not app.exception
    after = list(app.multiselect(key=f"{page}.measures").value)
    assert after == [str(with_embedding(parse(text), "equal steps")) for text in before]
    assert notes(app)[0].startswith("TOMA by *equal steps*")
    assert list(take_other(app).multiselect(key=f"{page}.measures").value) == before


def test_the_measure_varied_is_replaced() -> None:
    app = take_other(open_app("sensitivity", measure=PAIR))
    assert not app.exception
    assert app.selectbox(key="sensitivity.measure").value == STEPS


def test_the_page_toma_offers_the_other_scenario() -> None:
    app = open_app("toma")
    assert notes(app) == ["TOMA by *equal ranges*"]
    help_text = next(caption.proto.help for caption in app.caption if caption.value.startswith("TOMA by"))
    assert help_text == (
        "*equal ranges*: every aspect is equally long from its worst label to its best, so none counts more for having "
        "more of them (labels: relevance 3, understandability 4, credibility 3)."
    )
    take_other(app)
    assert app.selectbox(key="toma.scenario").value == "equal steps"
    assert notes(app)[0].startswith("TOMA by *equal steps*")
    assert take_other(app).selectbox(key="toma.scenario").value == "equal ranges"


@pytest.mark.parametrize(
    "varied",
    [
        'TOMA(nDCG, aspects=["relevance", "credibility"], distance=Euclidean)',  # three labels each
        'TOMA(nDCG, embedding={"understandability": [0, 1, 2, 5]})',
        "nDCG",
    ],
)
def test_there_is_no_note_where_it_makes_no_difference(varied: str) -> None:
    app = open_app("sensitivity", measure=varied)
    assert not app.exception
    assert not notes(app)


def test_both_are_explained_where_both_are_compared() -> None:
    app = open_app("correlations", measures=[PAIR, STEPS])
    assert len(notes(app)) == 1
    assert "*equal ranges*" in notes(app)[0]
    assert "*equal steps*" in notes(app)[0]


def test_a_toma_inside_another_measure_is_found_and_replaced() -> None:
    inside = parse(f"CAM([{PAIR}, nDCG])")
    assert tomas_in(inside) == [parse(PAIR)]
    assert str(with_embedding(inside, "equal steps").parts[0]) == STEPS


def test_positions_given_one_by_one_stay() -> None:
    given = TOMA(embedding={"relevance": (0.0, 1.0, 5.0)})
    assert with_embedding(given, "equal steps") == given


def test_the_table_of_measures_takes_either() -> None:
    app = open_app("correlations", look="Measures of aspects")
    assert app.segmented_control(key="correlations.embedding").value == "equal ranges"
    before = app.dataframe[0].value
    app.segmented_control(key="correlations.embedding").set_value("equal steps").run()
    assert not app.exception
    expected = measure_correlations(ec.load(SAMPLE), embedding="equal steps")
    shown = app.dataframe[0].value
    assert shown["nDCG"].tolist() == pytest.approx(expected["nDCG"].tolist())
    assert shown["nDCG"].tolist() != before["nDCG"].tolist()


def write(folder: Path, labels: int) -> Path:
    """Two systems, two aspects of which the second has so many labels."""
    (folder / "runs").mkdir(parents=True)
    documents = [f"d{at}" for at in range(12)]
    for name, grades in (("qrels", 3), ("qread", labels)):
        lines = [f"{t} 0 {d} {at % grades}" for t in (1, 2) for at, d in enumerate(documents)]
        (folder / f"{name}.txt").write_text("\n".join(lines))
    for name, step in (("a", 1), ("b", -1)):
        lines = [f"{t} Q0 {d} {k} {-k} x" for t in (1, 2) for k, d in enumerate(documents[::step], start=1)]
        (folder / "runs" / f"{name}.run").write_text("\n".join(lines))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("page", ["toma", "correlations", "discriminative_power", "sensitivity"])
@pytest.mark.parametrize("labels", [3, 11])
def test_every_page_has_the_note_where_scales_differ(page: str, labels: int, tmp_path: Path, monkeypatch) -> None:
    folder = write(tmp_path / "scales", labels)
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    collection = ec.load(folder)
    assert label_counts(collection, collection.aspects) == {"relevance": 3, "understandability": labels}
    measure = next(one for one in suggestions(collection)["TOMA, CAM and MM"] if isinstance(one, TOMA))
    app = open_app(page, **({"measure": str(measure)} if page == "sensitivity" else {}))
    assert not app.exception
    assert bool(notes(app)) == (labels == 11)
