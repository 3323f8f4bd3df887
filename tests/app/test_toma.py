"""The page TOMA, run without a browser."""

from __future__ import annotations

from itertools import product

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, metric, open_app
from evalcore.measures import TOMA

ASPECTS = '["relevance", "understandability"]'
VIEWS = ("Order", "Partial order", "Systems", "What changed")


def open_page(**link: object) -> AppTest:
    return open_app("toma", **link)


@pytest.fixture(scope="module")
def sample() -> ec.Collection:
    return ec.load(SAMPLE)


def order_of(app: AppTest) -> str:
    """The order as text, without what Markdown needs."""
    text = next(one.value for one in app.markdown if one.value.startswith(r"\("))
    return text.replace("\\", "").replace("**", "")


def test_opens_on_a_finished_picture_of_the_sample_without_a_click() -> None:
    app = open_page()
    assert not app.exception
    assert not app.error
    assert app.title[0].value == "When is one document better than another?"
    assert metric(app, "classes") == "11"  # 0, 1.5 or 3 off on one aspect and 0, 1, 2 or 3 on the other
    best = "(highly relevant, very easy) > (highly relevant, somewhat easy) > (somewhat relevant, very easy) > "
    assert order_of(app).startswith(best)


def test_the_numbers_are_those_of_the_library(sample: ec.Collection) -> None:
    app = open_page(pos1_1="0.5", distance="Manhattan", classweights="by distance", reader="nDCG@10", imp0="2")
    toma = (
        f"TOMA(nDCG@10, aspects={ASPECTS}, distance=Manhattan, weights=ByDistance, importance={{'relevance': 2}}, "
        "embedding={'understandability': [0, 0.5, 2, 3]})"
    )
    own = ec.evaluate(toma, sample).mean()
    for name in ("CAM", "MM"):
        other = ec.evaluate(f"{name}(nDCG@10, aspects={ASPECTS}, weights=[2, 1])", sample).mean()
        assert metric(app, f"τ with {name}") == f"{ec.tau(other, own):.3f}"


def test_a_position_moved_makes_the_scenario_custom_and_a_scenario_moves_the_positions() -> None:
    app = open_page()
    assert app.selectbox(key="scenario").value == "equal ranges"
    app.slider(key="pos1_1").set_value(0.5).run()
    assert app.selectbox(key="scenario").value == "custom"
    app.selectbox(key="scenario").set_value("equal steps").run()
    assert [app.slider(key=f"pos0_{place}").value for place in range(3)] == [0, 1, 2]
    assert app.slider(key="pos1_1").value == 1
    assert app.selectbox(key="scenario").value == "equal steps"
    app.slider(key="pos1_1").set_value(0.5).run()
    assert metric(app, "classes") == "11"  # of 12 tuples: 1 step across is as far as 1 up


def written(app: AppTest) -> str:
    """The measure's text, as the page gives it."""
    return next(one.value for one in app.code if one.value.startswith("TOMA("))


def test_the_default_is_the_librarys() -> None:
    for link in ({}, {"further": "credibility"}, {"up": "credibility"}):
        names = ["relevance", *{"up": "understandability", **link}.values()]
        measure = TOMA(aspects=tuple(names))
        assert ec.parse(written(open_page(**link))) == measure
        assert "embedding" not in str(measure)


def test_a_scenario_is_named_where_the_library_has_a_name_for_it() -> None:
    app = open_page()
    app.selectbox(key="scenario").set_value("equal steps").run()
    assert ec.parse(written(app)) == TOMA(embedding="equal steps")


def test_a_scenario_stays_when_other_aspects_are_shown() -> None:
    app = open_page()
    app.selectbox(key="up").set_value("credibility").run()
    assert app.selectbox(key="scenario").value == "equal ranges"
    assert ec.parse(written(app)) == TOMA(aspects=("relevance", "credibility"))
    app.selectbox(key="up").set_value("understandability").run()
    assert ec.parse(written(app)) == TOMA()


def test_a_link_with_the_positions_of_a_preset_shows_its_name() -> None:
    assert open_page(pos0_1="1", pos0_2="2").selectbox(key="scenario").value == "equal steps"


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("distance", ["Euclidean", "Manhattan", "Chebyshev", "Minkowski"])
def test_every_view_of_every_distance_is_shown(view: str, distance: str) -> None:
    app = open_page(closer=view, distance=distance)
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("weights", ["by distance", "doubling", "top half", "above worst"])
@pytest.mark.parametrize("reader", ["nDCG@10", "AP", "ERR@20", "RBP(rho=0.8)", "P@10"])
def test_every_weight_is_read_by_every_measure(weights: str, reader: str) -> None:
    app = open_page(classweights=weights, reader=reader)
    assert not app.exception
    assert not app.error


def test_minkowski_of_order_1_is_manhattan() -> None:
    one, other = open_page(distance="Minkowski", order="1"), open_page(distance="Manhattan")
    assert order_of(one) == order_of(other)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("tuples", ["product", "observed"])
def test_a_third_aspect_joins(view: str, tuples: str) -> None:
    app = open_page(further="credibility", closer=view, tuples=tuples, hold2="not credible")
    assert not app.exception
    assert not app.error
    assert any("credibility “not credible”" in caption.value for caption in app.caption)


def test_what_changed_counts_against_the_reference() -> None:
    app = open_page(closer="What changed")
    assert any(text.value.startswith("**0** of 3,122") for text in app.markdown)
    app.selectbox(key="refdistance").set_value("Chebyshev").run()
    table = app.dataframe[0].value
    assert list(table.columns)[2:4] == ["class before (of 5)", "class now (of 11)"]
    documents = open_page(closer="What changed", refdistance="Chebyshev", changed="documents").dataframe[0].value
    assert len(documents) == min(table["documents"].sum(), 2000)


# --- input that does not fit ------------------------------------------------------------------------------------------


def test_decreasing_positions_are_explained_and_kept_in_order() -> None:
    app = open_page(pos1_1="2.5")
    assert not app.exception
    assert "“somewhat easy” would lie before a worse label" in app.warning[0].value
    assert order_of(app) == order_of(open_page(pos1_1="2.5", pos1_2="2.5"))


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ({"imp0": "0", "imp1": "0"}, "at least one aspect with an importance above 0"),
        ({"classweights": "your own"}, "a weight for each class"),
        ({"classweights": "your own", "ownweights": "0, many"}, "expected numbers separated by commas"),
        ({"classweights": "your own", "ownweights": "-1, 0, 1"}, "found \\-1"),
        ({"classweights": "your own", "ownweights": "nan"}, "nan"),
        ({"classweights": "your own", "ownweights": "0, 1"}, "a weight for each of 11 classes, found 2"),
        ({"classweights": "your own", "ownweights": "11 10 9 8 7 6 5 4 3 2 1"}, "do not decrease from the worst"),
        ({"tuples": "given", "leave": "(not relevant, very easy)"}, "they would have no class"),
    ],
)
def test_a_setting_that_cannot_be_is_explained(link: dict[str, str], says: str) -> None:
    app = open_page(**link)
    assert not app.exception
    assert says in app.error[0].value
    assert app.selectbox(key="distance").value == "Euclidean"  # the controls are still there


def test_no_admissible_tuple_is_explained() -> None:
    names = (("not", "somewhat", "highly"), ("very hard", "somewhat hard", "somewhat easy", "very easy"))
    every = [f"({a} relevant, {b})" for a, b in product(*names)]
    app = open_page(tuples="given", leave=every)
    assert not app.exception
    assert "at least one admissible tuple" in app.error[0].value


def test_weights_all_0_are_explained() -> None:
    app = open_page(classweights="your own", ownweights="0,0,0,0,0,0,0,0,0,0,0", closer="Systems")
    assert not app.exception
    assert "every system scores 0" in app.info[0].value


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("pos1_1", "99", "a number from 0 to 6"),
        ("distance", "far", "one of Euclidean"),
        ("across", "colour", "one of relevance"),
        ("closer", "9", "one of Order"),
        ("further", "colour", "names from this collection"),
    ],
)
def test_a_bad_value_in_a_link_falls_back_with_a_message(key: str, value: str, says: str) -> None:
    app = open_page(**{key: value})
    assert not app.exception
    assert any(says in one.value for one in app.warning)
    assert metric(app, "classes") == "11"


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


# Maistro et al. 2021, Table 1, by place on the scale: what is not relevant is not correct.
LABELS = [(0, 0), *product((1, 2, 3), (0, 1, 2))]
TABLE_1 = {
    ("equal ranges", "Euclidean"): "32 > 22 > 31 > 21 > 12 > 11 > 30 > 20 > 10 > 00",
    ("equal steps", "Manhattan"): "32 > 22 = 31 > 12 = 21 = 30 > 11 = 20 > 10 > 00",
    ("correctness decides", "Chebyshev"): "32 > 22 > 12 > 11 = 21 = 31 > 00 = 10 = 20 = 30",
    ("correctness decides", "Manhattan"): "32 > 22 > 12 > 31 > 21 > 11 = 30 > 20 > 10 > 00",
}


@pytest.mark.parametrize(("scenario", "distance"), TABLE_1)
def test_the_scenarios_are_those_of_table_1(scenario: str, distance: str) -> None:
    names = [f"d{at}" for at in range(len(LABELS))]
    relevance, correctness = (qrels(**dict(zip(names, column, strict=True))) for column in zip(*LABELS, strict=True))
    app = upload({**runs(*names), "qrels.txt": relevance, "correctness.txt": correctness}, tuples="observed")
    app.selectbox(key="scenario").set_value(scenario).run()
    app.selectbox(key="distance").set_value(distance).run()
    assert not app.exception
    assert order_of(app).replace("(", "").replace(")", "").replace(", ", "") == TABLE_1[scenario, distance]


def test_a_long_scale_is_bent_as_a_whole() -> None:
    names = [f"d{at}" for at in range(101)]
    files = {"qrels.txt": qrels(**{d: at % 3 for at, d in enumerate(names)})}
    files["trustworthiness.txt"] = qrels(**{d: at for at, d in enumerate(names)})
    for view in VIEWS:
        app = upload({**runs(*names), **files}, closer=view, reader="ERR@20")
        assert not app.exception
        assert not app.error
        keys = [one.key for one in app.slider]
        assert {"range1", "bend1", "pos0_2"} <= set(keys)
        assert "pos1_0" not in keys
        before = metric(app, "classes")
        app.slider(key="bend1").set_value(2.0).run()
        assert app.selectbox(key="scenario").value == "custom"
        assert metric(app, "classes") != before


def test_relevance_alone_is_explained() -> None:
    app = upload({**runs("a", "b"), "qrels.txt": qrels(a=1, b=0)})
    assert not app.exception
    assert "the open collection has relevance" in app.info[0].value


def test_an_aspect_with_one_label_is_explained() -> None:
    declared = (
        'runs = ["*.run"]\n[aspects.relevance]\nfile = "qrels.txt"\n'
        '[aspects.correctness]\nfile = "correctness.txt"\ngrades = [2]\n'
    )
    files = {**runs("a", "b"), "qrels.txt": qrels(a=1, b=0), "correctness.txt": qrels(a=2, b=2)}
    app = upload({**files, "collection.toml": declared})
    assert not app.exception
    assert "correctness: one label only" in app.info[0].value


def test_a_topic_without_a_positive_label_is_named() -> None:
    two = {name: content + "\n" + content.replace("q1", "q2") for name, content in runs("a", "b").items()}
    relevance = qrels(a=1, b=0) + "\nq2 0 a 1\nq2 0 b 0"
    correctness = qrels(a=0, b=0) + "\nq2 0 a 1\nq2 0 b 0"
    app = upload({**two, "qrels.txt": relevance, "correctness.txt": correctness}, closer="Systems")
    assert not app.exception
    assert any("than the worst label: correctness: 1" in caption.value for caption in app.caption)


def test_one_run_alone_still_has_its_plane() -> None:
    files = {"a.run": runs("a", "b")["a.run"], "qrels.txt": qrels(a=1, b=0), "correctness.txt": qrels(a=0, b=1)}
    app = upload(files, closer="Systems")
    assert not app.exception
    assert metric(app, "classes") == "3"
    assert "takes two systems" in app.info[0].value


def test_hostile_names_are_shown_as_they_are() -> None:
    bad = "[x](http:evil) $z$ <b>"
    files = {**runs("a", "b"), "qrels.txt": qrels(a=1, b=0), f"{bad}.txt": qrels(a=0, b=1)}
    for view in VIEWS:
        app = upload(files, closer=view)
        assert not app.exception
        shown = [one.value for kind in (app.markdown, app.caption, app.info) for one in kind]
        assert any(r"\[x\]" in one for one in shown)
        assert not any("[x](" in one for one in shown)
