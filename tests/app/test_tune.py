"""Tune: the choice of the family above five views, and the papers' formulas under sliders, checked by slow loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import pytest
from odd_support import write
from scipy.stats import kendalltau
from streamlit.testing.v1 import AppTest
from test_sample_data import HEALTH, read_pool, read_run

import evalcore as ec
from app_support import address_of, metric, open_app
from evalcore.figures.draw import as_spec
from ui.screen.items import Figure, Item
from ui.stage import report

Pool = Mapping[tuple[str, str], int]
ASPECTS = {"relevance": "qrels.txt", "understandability": "qread.txt", "credibility": "qcred.txt"}
FAMILIES = ("understandability", "aspect_weights", "toma", "sensitivity", "measures")


@pytest.fixture(scope="module")
def pools() -> dict[str, Pool]:
    return {aspect: read_pool(name) for aspect, name in ASPECTS.items()}


@pytest.fixture(scope="module")
def rankings() -> dict[str, dict[str, list[str]]]:
    """Return documents by system and topic: by descending score, ties by descending document id."""
    listed: dict[str, dict[str, list[str]]] = {}
    for path in sorted(HEALTH.glob("runs/*.run.gz")):
        by_topic: dict[str, list[tuple[float, str]]] = {}
        for topic, _, docid, _, score, _ in read_run(path):
            by_topic.setdefault(topic, []).append((float(score), docid))
        listed[path.name.removesuffix(".run.gz")] = {
            topic: [docid for _, docid in sorted(rows, reverse=True)] for topic, rows in by_topic.items()
        }
    return listed


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Record the figures of a page, by key."""
    figures: dict[str, Any] = {}

    def shown(key: str, item: Item) -> None:
        if isinstance(item, Figure):
            figures[key] = as_spec(item.figure)  # type: ignore[arg-type]

    monkeypatch.setattr(report, "shown", shown)
    return figures


def means(rankings: Mapping[str, Mapping[str, list[str]]], score: Callable[[str, list[str]], float]) -> pd.Series:
    """Return each system's mean over topics of a function of a topic's ranking."""
    return pd.Series({name: fmean(score(*pair) for pair in by_topic.items()) for name, by_topic in rankings.items()})


def tau_with(app: AppTest, other: str, own: pd.Series, sample: ec.Collection) -> None:
    """Assert that the page shows tau between these means and those of another measure."""
    tau = kendalltau(ec.evaluate(other, sample).mean()[own.index].to_numpy(), own.to_numpy()).statistic
    assert metric(app, "τ") == f"{tau:.3f}"


# --- one chooser, five views ------------------------------------------------------------------------------------------


def test_all_families_share_five_views(sample: ec.Collection) -> None:
    views = set()
    for family in FAMILIES:
        app = open_app(family)
        chooser = app.selectbox(key="tune.view")
        assert chooser.value == family
        assert all(option.startswith("Measure family: ") for option in chooser.options)
        views.update(app.button_group(key=f"{family}.look").options)
    assert len(views) == 5


def test_the_view_stays_when_the_family_changes() -> None:
    app = open_app("understandability", look="Ranks")
    app.selectbox(key="tune.view").set_value("toma").run()
    assert app.button_group(key="toma.look").value == "Ranks"
    app.button_group(key="toma.look").set_value("Plane of labels").run()
    app.selectbox(key="tune.view").set_value("aspect_weights").run()
    assert app.button_group(key="aspect_weights.look").value == "Weights"
    assert not app.warning
    app.selectbox(key="tune.view").set_value("sensitivity").run()  # it has no picture of its own
    assert not app.warning


def test_settings_of_a_family_are_kept() -> None:
    app = open_app("understandability", rho="0.6")
    app.selectbox(key="tune.view").set_value("measures").run()
    app.selectbox(key="tune.view").set_value("understandability").run()
    assert app.slider(key="understandability.rho").value == 0.6


@pytest.mark.parametrize("family", FAMILIES)
def test_the_first_control_of_a_family_is_a_slider(family: str) -> None:
    app = open_app(family)
    controls = [node for node in app.main if str(getattr(node, "key", "")).startswith(f"{family}.")]
    assert next(node for node in controls if node.key != f"{family}.look").type in ("slider", "select_slider")


def test_the_legend_names_each_shape_of_a_family(drawn: dict[str, Any], sample: ec.Collection) -> None:
    open_app()
    for trace in drawn["scatter"].data:
        symbols = trace.get("marker", {}).get("symbol")
        if trace.get("showlegend") and isinstance(symbols, list):
            assert trace["name"].count("<span") == len(set(symbols)) - 1  # beside the first one's, which plotly draws


# --- formulas under sliders -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exponent", [0.0, 2.0])
@pytest.mark.parametrize("f", ["P", "2^P - 1"])
def test_the_product_of_all_aspects_equals_a_loop(
    exponent: float, f: str, pools: dict[str, Pool], rankings: Any, sample: ec.Collection
) -> None:
    """f(product of g_a^w_a) of Zuccon 2016, section 4, under DCG."""
    app = open_app("aspect_weights", mean="Product", base="DCG", look="Scatter", other="AP", f=f)
    assert app.multiselect(key="aspect_weights.aspects").value == [*ASPECTS]
    app.slider(key="aspect_weights.exponents.credibility").set_value(exponent).run()
    app.slider(key="aspect_weights.gains.understandability 1").set_value(0.1).run()
    gains = {"relevance": [0, 0.5, 1], "understandability": [0, 0.1, 0.8, 1], "credibility": [0, 0.5, 1]}

    def score(topic: str, docids: list[str]) -> float:
        total = 0.0
        for rank, docid in enumerate(docids, start=1):
            gain = 1.0
            for name, pool in pools.items():
                known = gains[name][pool[topic, docid]] if (topic, docid) in pool else 0.0
                gain *= known ** (exponent if name == "credibility" else 1)
            total += (gain if f == "P" else 2**gain - 1) / math.log2(1 + rank)
        return total

    tau_with(app, "AP", means(rankings, score), sample)


@pytest.mark.parametrize("threshold", [1.0, 3.0])
def test_understandability_under_ndcg_has_a_threshold(
    threshold: float, pools: dict[str, Pool], rankings: Any, sample: ec.Collection
) -> None:
    """u-nDCG of Zuccon 2016, section 7: the share of the relevance grade, multiplied by a step function."""
    app = open_app(base="nDCG", model="step", other="RBP")
    app.slider(key="understandability.threshold").set_value(threshold).run()
    easy = {key for key, grade in pools["understandability"].items() if grade >= threshold}
    gains = {key: grade / 2 * (key in easy) for key, grade in pools["relevance"].items()}

    def score(topic: str, docids: list[str]) -> float:
        ideal = sorted((gain for (own, _), gain in gains.items() if own == topic), reverse=True)
        best = sum(gain / math.log2(1 + rank) for rank, gain in enumerate(ideal, start=1))
        own = (gains.get((topic, docid), 0.0) / math.log2(1 + rank) for rank, docid in enumerate(docids, start=1))
        return sum(own) / best if best else 0.0

    tau_with(app, "RBP", means(rankings, score), sample)


@pytest.mark.parametrize("threshold", [1.0, 3.0])
def test_understandability_under_err_has_a_threshold(
    threshold: float, pools: dict[str, Pool], rankings: Any, sample: ec.Collection
) -> None:
    """u-ERR: the probability of satisfaction is (2^P - 1) / 2."""
    app = open_app(base="ERR", model="step", other="RBP")
    app.slider(key="understandability.threshold").set_value(threshold).run()

    def score(topic: str, docids: list[str]) -> float:
        left, total = 1.0, 0.0
        for rank, docid in enumerate(docids, start=1):
            grade = pools["understandability"].get((topic, docid), 0)
            gain = pools["relevance"].get((topic, docid), 0) / 2 * (grade >= threshold)
            chance = (2**gain - 1) / 2
            total, left = total + left * chance / rank, left * (1 - chance)
        return total

    tau_with(app, "RBP", means(rankings, score), sample)


@pytest.mark.parametrize("threshold", [12, 15])
def test_u_of_eq_7_can_be_normalised_by_its_integral(
    threshold: float, drawn: dict[str, Any], sample: ec.Collection
) -> None:
    link = {"column": "fog", "model": "smooth", "threshold": str(threshold), "look": "u(k) and gains"}
    app = open_app(**link)
    before, tau = drawn["gains"].data[1], metric(app, "τ")
    app.toggle(key="understandability.normalised").set_value(True).run()
    after = drawn["gains"].data[1]
    fog = sample.assessments.column("fog")
    low, high = float(np.nanmin(fog)), float(np.nanmax(fog))
    x = np.linspace(low, high, 100_001)
    area = float(np.mean(0.5 - np.arctan(x - threshold) / np.pi)) * (high - low)
    np.testing.assert_allclose(np.asarray(before["y"]) / area, after["y"], rtol=1e-3)
    assert metric(app, "τ") == tau
    assert any(f"{area:.3f} (th = {threshold})" in one.value for one in app.caption)


def rbp_by_loop(pools: Mapping[str, Pool], u: Callable[[tuple[str, str]], float]) -> Callable[[str, list[str]], float]:
    """RBP with rho = .8 of relevant documents, each multiplied by its understandability u."""

    def score(topic: str, docids: list[str]) -> float:
        pairs = [(topic, docid) for docid in docids]
        gains = [u(pair) if pools["relevance"].get(pair, 0) >= 1 else 0.0 for pair in pairs]
        return 0.2 * math.fsum(0.8**at * gain for at, gain in enumerate(gains))

    return score


def by_document(u: Mapping[str, float], pair: tuple[str, str]) -> float:
    return u[pair[1]]


def test_figure_1_of_the_paper_has_both_panels_and_thresholds_to_drag(
    drawn: dict[str, Any], pools: dict[str, Pool], rankings: Any, sample: ec.Collection
) -> None:
    pool = sample.assessments
    fog = dict(zip(map(str, pool.documents), pool.column("fog").tolist(), strict=True))
    borders: dict[str, Callable[[float, float], float]] = {
        "step panel": lambda value, th: float(value < th),
        "smooth panel": lambda value, th: 0.5 - math.atan(value - th) / math.pi,
    }
    app = open_app(column="fog", model="step", threshold="12", look="u(k) and gains")
    next(button for button in app.button if "as in Figure 1" in button.label).click().run()
    assert address_of(app)["understandability.also"] == ["10", "20"]
    keys = [handle["key"] for handle in drawn["gains"].layout["meta"]["handles"]]
    at = "understandability"
    assert keys == [f"{at}.threshold", f"{at}.also.0", f"{at}.also.1"]
    across = means(rankings, rbp_by_loop(pools, lambda pair: 1.0)).to_dict()
    for panel, border in borders.items():
        marks = {trace["name"]: trace for trace in drawn[panel].data if trace.get("customdata") is not None}
        assert list(marks) == ["th = 15", "th = 10", "th = 20"]
        for name, trace in marks.items():
            th = float(name[5:])
            u = {docid: border(value, th) for docid, value in fog.items()}
            own = means(rankings, rbp_by_loop(pools, partial(by_document, u))).to_dict()
            for axis, slow in (("x", across), ("y", own)):
                shown = {row[0]: value for row, value in zip(trace["customdata"], trace[axis], strict=True)}
                assert shown == pytest.approx(slow)


def test_dragging_a_second_threshold_sets_it() -> None:
    from ui.understandability.reader import Reader

    page = Reader.read(ec.load(HEALTH), {
        "understandability.column": ["fog"], "understandability.model": ["step"], "understandability.also": ["10", "20"]
    })  # fmt: skip
    thumb = next(slider for name, slider in page.sliders() if slider.key == "understandability.also.1")
    assert thumb.values[thumb.places.index(18.0)] == (10.0, 18.0)


@pytest.mark.parametrize(("model", "u"), [("step", [0, 0, 1, 1]), ("graded", [0, 0.4, 0.8, 1])])
def test_figure_2_of_the_paper_is_redrawn_with_its_middle(
    model: str, u: list[float], drawn: dict[str, Any], pools: dict[str, Pool], rankings: Any
) -> None:
    app = open_app(model=model)
    own = means(rankings, rbp_by_loop(pools, lambda pair: u[pools["understandability"].get(pair, 0)])).to_dict()
    marks = [trace for trace in drawn["scatter"].data if trace.get("customdata") is not None]
    shown = {row[0]: y for trace in marks for row, y in zip(trace["customdata"], trace["y"], strict=True)}
    assert {name: shown[name] for name in own} == pytest.approx(own)
    app.toggle(key="understandability.zoom").set_value(True).run()
    layout = drawn["scatter"].layout
    assert (layout["xaxis"]["range"], layout["yaxis"]["range"]) == ([0.25, 0.4], [0.15, 0.35])


# --- TOMA's Table 1 and Figure 1 --------------------------------------------------------------------------------------

PRINTED = {  # Maistro et al. 2021, Table 1, by positions; errata: none in these nine
    ("equal ranges", "Euclidean"): "33 23 3h 2h 13 1h 30 20 10 00",
    ("equal ranges", "Manhattan"): "33 23 3h 13 2h 30 1h 20 10 00",
    ("equal ranges", "Chebyshev"): "33 23 3h=2h 13=1h 30=20=10=00",
}


def misinformation(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write documents with 4 labels of relevance and 3 of correctness; irrelevant documents are not correct."""
    tuples = [(0, 0), *product((1, 2, 3), (0, 1, 2))]
    folder.mkdir()
    for name, order in (("a", tuples), ("b", tuples[::-1])):
        rows = (f"q1 Q0 d{r}{c} {k} {-k} x" for k, (r, c) in enumerate(order, start=1))
        (folder / f"{name}.run").write_text("\n".join(rows))
    for at, name in enumerate(("qrels", "correctness")):
        (folder / f"{name}.txt").write_text("\n".join(f"q1 0 d{r}{c} {(r, c)[at]}" for r, c in tuples))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])


def nine(app: AppTest) -> dict[tuple[str, str], list[set[tuple[int, ...]]]]:
    """Return the orders on the page by scenario and distance, each as classes, best first."""
    shown, scenario = {}, ""
    for one in (node for node in app.main if node.type in ("markdown", "caption")):
        text = str(getattr(one, "value", "")).replace("\\", "").replace("**", "")
        name, _, rest = text.partition(":")
        distance = name.partition(",")[0]
        if distance in ("Euclidean", "Manhattan", "Chebyshev") and "(" in rest:
            classes = [part.split(" = ") for part in rest.strip().split(" > ")]
            shown[scenario, distance] = [{tuple(map(int, one.strip("()").split(", "))) for one in c} for c in classes]
        elif name in ("equal ranges", "equal steps") or name.endswith("decides"):
            scenario = name
    return shown


DISTANCES: dict[str, Callable[[Sequence[float]], float]] = {
    "Euclidean": lambda gaps: sum(gap**2 for gap in gaps),
    "Manhattan": sum,
    "Chebyshev": max,
}


def by_loop(up: list[float], across: list[float], distance: str) -> list[set[tuple[int, ...]]]:
    """Return the classes of all possible tuples, by distance to the best one."""
    far: dict[float, set[tuple[int, ...]]] = {}
    for r, c in [(0, 0), *product((1, 2, 3), (0, 1, 2))]:
        gaps = across[-1] - across[r], up[-1] - up[c]
        far.setdefault(round(DISTANCES[distance](gaps), 9), set()).add((r, c))
    return [far[size] for size in sorted(far)]


SCENARIOS: dict[str, list[float]] = {
    "equal ranges": [0, 1.5, 3],
    "equal steps": [0, 1, 2],
    "correctness decides": [0, 2, 6],
}


def test_the_nine_orders_of_table_1_and_what_moves_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    misinformation(tmp_path / "misinformation", monkeypatch)
    app = open_app("toma", picture="nine orders", tuples="given", leave=["(0, 1)", "(0, 2)"])
    assert not app.exception
    relevance: list[float] = [0, 1, 2, 3]
    shown = nine(app)
    assert shown == {
        (name, distance): by_loop(up, relevance, distance)
        for name, up in SCENARIOS.items()
        for distance in ("Euclidean", "Manhattan", "Chebyshev")
    }
    for key, printed in PRINTED.items():
        places = {"3": 2, "h": 1, "0": 0}
        assert shown[key] == [{(int(one[0]), places[one[1]]) for one in c.split("=")} for c in printed.split()]
    app.slider(key="toma.positions.relevance 2").set_value(2.75).run()
    moved = nine(app)
    assert moved == {
        (name, distance): by_loop(up, [0, 1, 2.75, 3], distance)
        for name, up in SCENARIOS.items()
        for distance in ("Euclidean", "Manhattan", "Chebyshev")
    }
    assert moved != shown


def test_figure_1_of_toma_shows_the_labels_alone_and_with_each_distance(drawn: dict[str, Any]) -> None:
    app = open_app("toma", picture="all distances", further="none")
    app.slider(key="toma.positions.understandability 1").set_value(0.5).run()
    bare = drawn["plane labels alone"]
    assert not len(bare.data[0]["x"])
    assert bare.layout["meta"]["handles"]
    positions = {"relevance": (0, 1.5, 3), "understandability": (0, 0.5, 2, 3)}
    for name, size in DISTANCES.items():
        far = {place: round(size([3 - place[0], 3 - place[1]]), 9) for place in product(*positions.values())}
        classes = sorted(set(far.values()))
        marks = drawn[f"plane {name}"].data[-1]
        for x, y, text in zip(marks["x"], marks["y"], marks["text"], strict=True):
            assert text.strip() == str(1 + classes.index(far[x, y]))


def test_compatibility_is_among_the_first_measures_of_toma() -> None:
    assert "Compat" in open_app("toma").selectbox(key="toma.base").options[:3]


def test_a_collection_without_grades_shows_no_broken_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(write(tmp_path / "odd", "1 to 5"))])
    for picture in ("all distances", "nine orders"):
        app = open_app("toma", picture=picture)
        assert not app.exception
        assert not app.error
