"""The page TOMA, run without a browser."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from odd_support import write
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, as_figure, metric, open_app
from evalcore.data import Scale
from evalcore.measures import TOMA, suggestions
from evalcore.measures.tuple_orders import Distance, pool_tuples
from evalcore.notation.values import Value
from ui.screen.items import Figure, Item
from ui.stage import report
from ui.toma.toma_settings import TomaSettings

ASPECTS = '["relevance", "understandability"]'
VIEWS = ("Scatter", "Ranks", "Along one parameter", "Map of two", "Plane of labels")


def open_page(**link: object) -> AppTest:
    """Open the page with only the two aspects of the plane, unless the link names further ones."""
    return open_app("toma", **{"further": "none", **link})


def order_of(app: AppTest) -> str:
    """Return the order as text, without Markdown escapes."""
    text = next(one.value for one in app.markdown if one.value.startswith(r"\("))
    return text.replace("\\", "").replace("**", "")


def test_the_page_toma_opens_with_a_complete_figure_of_the_sample() -> None:
    app = open_page()
    assert not app.exception
    assert not app.error
    assert app.title[0].value == "When is one document better than another?"
    assert metric(app, "classes") == "11"  # 0, 1.5 or 3 off on one aspect and 0, 1, 2 or 3 on the other
    best = "(highly relevant, very easy) > (highly relevant, somewhat easy) > (somewhat relevant, very easy) > "
    assert order_of(app).startswith(best)


@pytest.mark.parametrize("page", ["toma", "aspect_weights"])
def test_pages_that_combine_aspects_open_with_the_same_base_and_aspects(page: str) -> None:
    lines = next(block.value for block in reversed(open_app(page).code) if "import evalcore as ec" in block.value)
    combined = 'CAM(nDCG, aspects=["relevance", "understandability", "credibility"])'
    assert combined in lines
    assert combined in [str(one) for one in suggestions(ec.load(SAMPLE))["First look"]]


def test_the_numbers_of_toma_equal_those_of_the_library(sample: ec.Collection) -> None:
    app = open_page(
        positions="understandability 1:0.5",
        distance="Manhattan",
        weights="ByDistance",
        base="nDCG@10",
        importance="relevance:2",
    )
    toma = (
        f"TOMA(nDCG@10, aspects={ASPECTS}, distance=Manhattan, weights=ByDistance, importance={{'relevance': 2}}, "
        "embedding={'understandability': [0, 0.5, 2, 3]})"
    )
    own = ec.evaluate(toma, sample).mean()
    for name in ("CAM", "MM"):
        other = ec.evaluate(f"{name}(nDCG@10, aspects={ASPECTS}, weights=[2, 1])", sample).mean()
        assert metric(app, f"τ with {name}") == f"{ec.tau(other, own):.3f}"


def test_a_moved_position_makes_the_scenario_custom_and_a_scenario_sets_the_positions() -> None:
    app = open_page()
    assert app.selectbox(key="toma.scenario").value == "equal ranges"
    app.slider(key="toma.positions.understandability 1").set_value(0.5).run()
    assert app.selectbox(key="toma.scenario").value == "your own"
    app.selectbox(key="toma.scenario").set_value("equal steps").run()
    assert [app.slider(key=f"toma.positions.relevance {place}").value for place in range(3)] == [0, 1, 2]
    assert app.slider(key="toma.positions.understandability 1").value == 1
    assert app.selectbox(key="toma.scenario").value == "equal steps"
    app.slider(key="toma.positions.understandability 1").set_value(0.5).run()
    assert metric(app, "classes") == "11"  # of 12 tuples: 1 step across is as far as 1 up


def written(app: AppTest) -> str:
    """Return the text of the measure on the page."""
    return next(block.value for block in app.code if block.value.startswith("TOMA("))


def test_the_default_measure_is_that_of_the_library() -> None:
    for link in ({}, {"further": "credibility"}, {"up": "credibility"}):
        names = ["relevance", *{"up": "understandability", **link}.values()]
        measure = TOMA(aspects=tuple(names))
        assert ec.parse(written(open_page(**link))) == measure
        assert "embedding" not in str(measure)


def test_a_scenario_has_the_name_from_the_library() -> None:
    app = open_page()
    app.selectbox(key="toma.scenario").set_value("equal steps").run()
    assert ec.parse(written(app)) == TOMA(embedding="equal steps", aspects=("relevance", "understandability"))


def test_the_chosen_scenario_is_among_those_of_table_1() -> None:
    app = open_page(picture="nine orders")
    scenarios = app.selectbox(key="toma.scenario")
    assert len(scenarios.options) == 4
    for chosen in scenarios.options:
        app.selectbox(key="toma.scenario").set_value(chosen).run()
        words = "".join(one.value for one in app.markdown)
        shown = [name for name in scenarios.options if f"**{name}**:" in words]
        assert (chosen in shown, len(shown)) == (True, 3)


def test_a_scenario_stays_when_other_aspects_are_shown() -> None:
    app = open_page()
    app.selectbox(key="toma.up").set_value("credibility").run()
    assert app.selectbox(key="toma.scenario").value == "equal ranges"
    assert ec.parse(written(app)) == TOMA(aspects=("relevance", "credibility"))
    app.selectbox(key="toma.up").set_value("understandability").run()
    assert app.selectbox(key="toma.scenario").value == "equal ranges"


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("distance", ["Euclidean", "Manhattan", "Chebyshev", "Minkowski"])
def test_every_view_of_every_distance_is_shown(view: str, distance: str) -> None:
    app = open_page(look=view, distance=distance)
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("tuples", ["product", "observed"])
def test_a_third_aspect_can_be_added(view: str, tuples: str) -> None:
    app = open_page(further="credibility", look=view, tuples=tuples, held="credibility:not credible")
    assert not app.exception
    assert not app.error
    if view == "Plane of labels":
        assert any("credibility “not credible”" in caption.value for caption in app.caption)


# --- input that does not fit ------------------------------------------------------------------------------------------


def test_decreasing_positions_are_explained_and_kept_in_order() -> None:
    app = open_page(positions="understandability 1:2.5")
    assert not app.exception
    assert "were moved up: “somewhat easy”" in app.warning[0].value
    assert order_of(app) == order_of(open_page(positions=["understandability 1:2.5", "understandability 2:2.5"]))


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ({"importance": ["relevance:0", "understandability:0"]}, "at least one aspect with an importance above 0"),
        ({"weights": "CustomWeights", "own": "0, many"}, "is not a number; separate weights by commas"),
        ({"weights": "CustomWeights", "own": "-1, 0, 1"}, "found \\-1"),
        ({"weights": "CustomWeights", "own": "nan"}, "nan"),
        ({"weights": "CustomWeights", "own": "0, 1"}, "a weight for each of 11 classes, found 2"),
        ({"weights": "CustomWeights", "own": "11 10 9 8 7 6 5 4 3 2 1"}, "do not decrease from the worst"),
        ({"tuples": "given", "leave": "(not relevant, very easy)"}, "would have no class"),
    ],
)
def test_an_impossible_setting_is_explained(link: dict[str, str], problem: str) -> None:
    app = open_page(**link)
    assert not app.exception
    assert problem in app.error[0].value
    assert app.selectbox(key="toma.distance").value == "Euclidean"  # the controls are still there


# --- other collections ------------------------------------------------------------------------------------------------


def upload(files: dict[str, str], **link: object) -> AppTest:
    app = open_page(**link)
    sent = [(name, content.encode(), "text/plain") for name, content in files.items()]
    app.file_uploader(key="upload files").set_value(sent).run()
    next(button for button in app.button if button.label == "Open").click().run()
    return app


def runs(*documents: str) -> dict[str, str]:
    orders = {"a.run": documents, "b.run": documents[::-1]}
    return {name: "\n".join(f"q1 Q0 {d} {k} {-k} x" for k, d in enumerate(order, 1)) for name, order in orders.items()}


def qrels(**grades: int) -> str:
    return "\n".join(f"q1 0 {document} {grade}" for document, grade in grades.items())


@pytest.mark.slow
def test_positions_on_a_long_scale_are_set_by_one_curve() -> None:
    at, long = "toma.positions", "trustworthiness"
    names = [f"d{number}" for number in range(101)]
    files = {"qrels.txt": qrels(**{d: number % 3 for number, d in enumerate(names)})}
    files["trustworthiness.txt"] = qrels(**{d: number for number, d in enumerate(names)})
    for view in VIEWS:
        app = upload({**runs(*names), **files}, look=view, base="ERR@20")
        assert not app.exception
        assert not app.error
        keys = [slider.key for slider in app.slider]
        assert {f"{at}.{name}" for name in (f"{long} range", f"{long} bend", "relevance 2")} <= set(keys)
        assert f"{at}.{long} 0" not in keys
        app.slider(key=f"{at}.{long} bend").set_value(2.0).run()
        assert app.selectbox(key="toma.scenario").value == "your own"


@pytest.mark.slow
def test_hostile_names_are_shown_as_they_are() -> None:
    bad = "[y](http:evil) $z$ <s>"
    files = {**runs("a", "b"), "qrels.txt": qrels(a=1, b=0), f"{bad}.txt": qrels(a=0, b=1)}
    for view in VIEWS:
        app = upload(files, look=view)
        assert not app.exception
        shown = [one.value for kind in (app.markdown, app.caption, app.info) for one in kind]
        assert any(r"\[y\]" in one for one in shown)
        assert not any("[y](" in one for one in shown)


# --- what is shown ----------------------------------------------------------------------------------------------------


def text(app: AppTest) -> str:
    """Return texts and metrics of the page, without Markdown markup."""
    elements = (*app.markdown, *app.caption, *app.metric)
    return "\n".join(str(element.value) for element in elements).replace("\\", "").replace("**", "")


def test_the_base_of_toma_can_be_any_measure_of_one_aspect(sample: ec.Collection) -> None:
    app = open_page(base="nDCG@3", up="credibility")
    means = ec.evaluate('TOMA(nDCG@3, aspects=["relevance", "credibility"])', sample).mean()
    assert f"Under TOMA, {means.idxmax()} ({means.max():.4f}) " in text(app)
    assert "a measure of one aspect" in open_page(base="uRBP").warning[0].value


def test_typed_weights_start_from_the_default_ones() -> None:
    app = open_page()
    before = [metric(app, "classes"), metric(app, "τ with CAM"), metric(app, "τ with MM")]
    app.selectbox(key="toma.weights").set_value("custom weights").run()
    assert app.text_input(key="toma.own").value == ", ".join(map(str, range(11)))
    assert [metric(app, "classes"), metric(app, "τ with CAM"), metric(app, "τ with MM")] == before


@dataclass(frozen=True)
class _Half(Distance, abstract=True):
    """A distance with exponent 1, like the Manhattan distance, but with another name."""

    @property
    def power(self) -> float:
        return 1.0


def test_a_new_distance_is_offered_wherever_one_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Value.registry, "_Half", _Half)
    app = open_page(distance="_Half")
    assert not app.warning
    assert "With the _Half distance they are straight" in text(app)


@pytest.mark.parametrize("link", [{}, {"distance": "Chebyshev", "importance": "relevance:0", "weights": "ByDistance"}])
def test_the_classes_of_labels_are_shown(sample: ec.Collection, link: dict[str, str]) -> None:
    app = open_page(**link)
    table = next(one.value for one in app.dataframe if "tuples" in one.value)
    measure: Any = ec.parse(written(app))
    order, documents = measure.order(sample.assessments), pool_tuples(sample.assessments, measure.aspects)
    place = order.n_classes - order.class_of(documents)
    assert list(table) == ["distance", "weight", "documents", "tuples"]
    assert list(table.index) == list(range(1, order.n_classes + 1))
    assert table["distance"].to_numpy() == pytest.approx(order.distances[::-1])
    assert table["weight"].to_numpy() == pytest.approx(measure.weights.of(order)[::-1])
    assert table["documents"].tolist() == [int((place == one).sum()) for one in table.index]
    assert metric(app, "classes") == str(order.n_classes)


def test_the_systems_under_toma_are_shown(sample: ec.Collection) -> None:
    app = open_page(look="Ranks", base="AP", importance="understandability:0.5")
    table = next(one.value for one in app.dataframe if "unassessed@10" in one.value)
    weights = {"TOMA": "importance={'understandability': 0.5}", "CAM": "weights=[1, 0.5]", "MM": "weights=[1, 0.5]"}
    means = {
        name: ec.evaluate(f"{name}(AP, aspects={ASPECTS}, {option})", sample).mean() for name, option in weights.items()
    }
    texts = {name: str(ec.parse(f"{name}(AP, aspects={ASPECTS}, {option})")) for name, option in weights.items()}
    for name, one in means.items():
        assert table[texts[name]].to_dict() == pytest.approx(one.to_dict())
        assert table[f"rank by {texts[name]}"].to_dict() == ec.ranks(one).to_dict()
    assert table[f"rank by {texts['TOMA']}"].is_monotonic_increasing
    assert metric(app, "τ") == f"{ec.tau(means['CAM'], means['TOMA']):.3f}"
    assert f"{ec.tau(means['MM'], means['TOMA']):.3f} for MM" in text(app)


@pytest.mark.parametrize(
    ("scenario", "relevance", "ease"),
    [
        ("equal ranges", (0, 1.5, 3), (0, 1, 2, 3)),
        ("equal steps", (0, 1, 2), (0, 1, 2, 3)),
        ("relevance counts double", (0, 3, 6), (0, 1, 2, 3)),
        ("understandability decides", (0, 1, 2), (0, 0.67, 2, 4)),  # steps of 1, 2 and 3 sixths of 4
    ],
)
def test_the_positions_of_labels_in_a_scenario_are_shown(
    scenario: str, relevance: tuple[float], ease: tuple[float]
) -> None:
    """As in the paper's Table 1, with equal steps, double range, or growing steps that let one aspect decide."""
    app = open_page()
    picker = app.selectbox(key="toma.scenario")
    assert picker.options[:4] == [
        "equal ranges", "equal steps", "relevance counts double", "understandability decides",
    ]  # fmt: skip
    picker.set_value(scenario).run()
    for aspect, places in {"relevance": relevance, "understandability": ease}.items():
        sliders = [app.slider(key=f"toma.positions.{aspect} {place}").value for place in range(len(places))]
        assert sliders == pytest.approx(places)


def test_one_score_of_0_is_not_reported_as_all_0(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "odd", "1 to 5")
    (folder / "runs" / "nothing.run").write_text("1 Q0 zz 1 1 x\n2 Q0 zz 1 1 x\n")
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = open_page(look="Ranks")
    assert 0 in next(one.value for one in app.dataframe if "unassessed@10" in one.value).iloc[:, 1].tolist()
    assert not app.info


@pytest.mark.parametrize("link", [{}, {"distance": "Chebyshev", "weights": "GeometricWeights"}])
def test_the_plane_has_each_pair_of_labels_where_it_lies_with_its_class(
    link: dict[str, str], sample: ec.Collection, drawn: dict[str, Any]
) -> None:
    measure: Any = ec.parse(written(open_page(**link)))
    order, documents = measure.order(sample.assessments), pool_tuples(sample.assessments, measure.aspects)
    weights, positions = measure.weights.of(order), measure.positions(sample.assessments)
    marks = drawn["plane"].data[-1]
    expected = {}
    for pair in product(range(3), range(4)):
        at, count = np.array([pair]), int((documents == pair).all(axis=1).sum())
        place = int(order.class_of(at)[0])
        expected[tuple(float(positions[name][k]) for name, k in zip(measure.aspects, pair, strict=True))] = (
            f"class {order.n_classes - place} of {order.n_classes}, weight {weights[place]:.4g}"
            f"<br>distance {order.distance_of(at)[0]:.4g}<br>{count:,} documents"
        )
    hovers = [text.partition("<br>")[2] for text in marks.customdata]
    assert dict(zip(zip(marks.x, marks.y, strict=True), hovers, strict=True)) == expected
    sizes = dict(zip(zip(marks.x, marks.y, strict=True), marks.marker.symbol, strict=True))
    assert [place for place, symbol in sizes.items() if "star" in symbol] == [max(expected)]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Record the figures of a page, by key."""
    figures: dict[str, Any] = {}

    def shown(key: str, item: Item) -> None:
        if isinstance(item, Figure):
            figures[key] = as_figure(item.figure)

    monkeypatch.setattr(report, "shown", shown)
    return figures


@pytest.mark.parametrize(("most", "one_by_one"), [(12, True), (11, False)])  # the sample has 3 times 4 labels
@pytest.mark.parametrize("link", [{}, {"further": "credibility"}])
def test_tuples_get_separate_marks_while_they_can_be_distinguished(
    most: int, one_by_one: bool, link: dict[str, str], drawn: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_page()  # imports the modules
    monkeypatch.setattr("ui.toma.toma_settings.MOST_TUPLES", most)
    monkeypatch.setattr("ui.toma.page.MOST_TUPLES", most)
    monkeypatch.setattr("evalcore.figures.tuples.MOST_TUPLES", most)
    app = open_page(**link)
    texts = [text for trace in drawn["plane"].data for text in (trace.text if trace.text is not None else ())]
    assert ("1" in texts) == one_by_one
    page_text = "\n".join(one.value for kind in (app.markdown, app.caption) for one in kind)
    assert ("Each mark is a pair of labels" in page_text) == one_by_one
    assert ("Each mark represents documents" in page_text) == (not one_by_one)


def graded(values: dict[str, float], points: list[float]) -> dict[str, int]:
    return {document: sum(value >= point for point in points) for document, value in values.items()}


@pytest.mark.parametrize(("best", "middle"), [(0.05, 0.1), (0.2, 0.3), (0.49, 0.49)])
def test_shares_of_a_signal_make_grades_that_toma_reads(best: float, middle: float, sample: ec.Collection) -> None:
    """A low FOG is good, so the best grade has the lowest values.

    Grades are sorted and counted by hand, then scored.
    """
    pool = sample.assessments
    fog = dict(zip(pool.documents, pool.column("fog"), strict=True))
    ordered = sorted(fog.values())
    borders = [round(share * len(ordered)) for share in (best, round(best + middle, 2))]
    points = [min(value for value in ordered if ordered.index(value) >= border) for border in borders]
    at = graded(fog, points)
    app = open_page(graded="fog", shares=[f"best:{best}", f"middle:{middle}"])
    held = [np.mean([grade == one for grade in at.values()]) for one in (0, 1, 2)]
    caption = next(one.value for one in app.caption if one.value.startswith("Grades of fog"))
    assert [f"{share:.0%}" for share in held] == re.findall(r"\d+%", caption)
    columns = {"relevance": pool.columns["relevance"], "easy": np.array([2.0 - at[one] for one in pool.documents])}
    scales = {"relevance": pool.scale("relevance"), "easy": Scale("easy", grades=(0, 1, 2))}
    by_hand = replace(sample, assessments=replace(pool, columns=columns, scales=scales, sources={}))
    expected = ec.evaluate('TOMA(nDCG, aspects=["relevance", "easy"])', by_hand).mean().max()
    assert f"({expected:.4f})" in next(one.value for one in app.markdown if one.value.startswith("Under TOMA"))


def test_spam_and_pagerank_begin_with_the_papers_cut_points_and_shares() -> None:
    """20 documents: percentiles of 80 and 90; 5% and 10% of the documents are one and two documents."""
    labels = {"t": {f"d{at}": at % 2 for at in range(20)}}
    signals = {"spam": {f"d{at}": 5.0 * at for at in range(20)}, "pagerank": {f"d{at}": at / 7 for at in range(20)}}
    run = {"t": {f"d{at}": float(at) for at in range(20)}}
    c = ec.collection({"one": run, "two": run}, labels, signals)
    spam = TomaSettings.read(c, {"toma.graded_by": ["cut points"], "toma.graded": ["spam"]})
    assert (spam.cuts, spam.up, spam.misfits) == ((80.0, 90.0), "spam", ())
    pool = c.assessments
    assert pool.column(spam.graded_name).tolist() == [0] * 16 + [1] * 2 + [2] * 2
    popular = TomaSettings.read(c, {"toma.graded": ["pagerank"]})
    assert pool.column(popular.graded_name).tolist() == [0] * 17 + [1] * 2 + [2]
    crossed = spam.with_(cuts=(95.0, 60.0))
    assert pool.column(crossed.graded_name).tolist() == [0] * 12 + [1] * 7 + [2]
    assert TomaSettings.read(c, crossed.address()) == crossed
    assert TomaSettings.read(c, {}).graded == "spam"  # one aspect alone has no second one but a signal
