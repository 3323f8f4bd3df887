"""The page Sensitivity, run without a browser."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, metric, open_app
from evalcore.common.rounding import percent
from evalcore.sensitivity import (
    changes_in_words,
    grid,
    orders_along,
    parameter_of,
    parameters_of,
    trajectory,
    usual_parameters,
    varied_of,
)
from ui.screen.text import lines_in, markdown
from ui.sensitivity.page import default_text

BEGUN_WITH = "uRBP1(rho=0.8, threshold=15)"


def open_page(**link: object) -> AppTest:
    """Open the page, with the view Along one parameter unless the link names another."""
    return open_app("sensitivity", **{"look": "Along one parameter", **link})


@pytest.fixture(scope="module")
def collection() -> ec.Collection:
    return ec.load(SAMPLE)


def test_the_page_sensitivity_opens_with_a_complete_figure_of_the_sample(collection: ec.Collection) -> None:
    app = open_page()
    assert not app.exception
    assert app.title[0].value == "Does the winner depend on the setting?"
    assert app.selectbox(key="sensitivity.measure").value == BEGUN_WITH
    assert app.selectbox(key="sensitivity.path").value == "threshold"


def test_the_page_sensitivity_can_compare_with_another_measure(collection: ec.Collection) -> None:
    app = open_app("sensitivity", at="20")
    assert app.select_slider(key="sensitivity.at").value == 20
    x, y = (ec.evaluate(text, collection).mean() for text in ("RBP(rho=0.8)", "uRBP1(rho=0.8, threshold=20)"))
    assert metric(app, "τ") == f"{ec.tau(x, y):.3f}"
    assert metric(app, "τ_AP") == f"{ec.tau_ap(y, x):.3f}"


def test_the_numbers_of_sensitivity_equal_those_of_the_library(collection: ec.Collection) -> None:
    app = open_page(measure="uRBPgr(rho=0.8)", path="rho")
    parameter = next(one for one in parameters_of("uRBPgr(rho=0.8)", collection) if one.path == "rho")
    found = trajectory("uRBPgr(rho=0.8)", "rho", parameter.round_values(100), collection)
    assert metric(app, "winner changes") == str(len(found.changes))
    assert metric(app, "lowest τ") == f"{found.tau.min():.3f}"
    shown = next(frame.value for frame in app.dataframe if "τ" in frame.value)
    assert shown["τ"].tolist() == pytest.approx(found.tau.tolist())


@pytest.mark.parametrize("view", ["Scatter", "Ranks", "Along one parameter", "Map of two"])
@pytest.mark.parametrize(
    "measure",
    [
        "uRBPgr(rho=0.8)",
        pytest.param("Rprec", marks=pytest.mark.slow),
        pytest.param('CAM(nDCG@10, aspects=["relevance", "credibility"])', marks=pytest.mark.slow),
        pytest.param('TOMA(nDCG@10, aspects=["relevance", "credibility"], distance=Euclidean)', marks=pytest.mark.slow),
    ],
)
def test_every_view_opens_for_every_kind_of_measure(view: str, measure: str) -> None:
    app = open_page(look=view, measure=measure, fineness="coarse")
    assert not app.exception
    assert not app.error


def test_the_default_measure_has_parameters_to_vary(collection: ec.Collection) -> None:
    assert default_text(collection) == BEGUN_WITH
    assert [parameter.path for parameter in usual_parameters(BEGUN_WITH, collection)] == ["threshold", "rho", "rel"]


@pytest.mark.parametrize(
    ("measure", "single"),
    [
        ("uRBPgr(rho=0.5, rel=2)", "RBP(rho=0.5, rel=2)"),
        ("uRBP@10", "RBP(rho=0.8)@10"),
        ("CAM(AP)", "AP"),
        ("TOMA(nDCG@5)", "nDCG@5"),
        ("Product(ERR)", "ERR"),
        ("AP", "None"),
    ],
)
def test_a_measure_of_several_aspects_has_a_form_for_one(measure: str, single: str) -> None:
    assert str(ec.parse(measure).of_one_aspect()) == single


# --- every sentence and table says what the library computes ----------------------------------------------------------


def text_with(app: AppTest, part: str) -> str:
    return next(one.value for one in [*app.markdown, *app.caption, *app.info] if part in one.value)


def number_help(app: AppTest, label: str) -> str:
    return next(one.help for one in app.metric if one.label == label)


def names_first(found: Any, value: float) -> str:
    return ", ".join(found.ranks.columns[found.ranks.loc[value] == 1])


@pytest.mark.parametrize("at", [15, 18, 22])  # below all changes, between two, above all
def test_one_parameter_shows_the_winner_around_a_value(collection: ec.Collection, at: int) -> None:
    found = trajectory(
        BEGUN_WITH, "threshold", parameter_of(BEGUN_WITH, "threshold", collection).round_values(100), collection
    )
    rows = found.changes.to_dict("records")
    below, above = [row for row in rows if row["high"] <= at][-1:], [row for row in rows if row["low"] >= at][:1]
    first = names_first(found, float(at))
    assert ", " not in first
    ends = [
        *(f"from {row['high']:.4g}" + " on" * (not above) for row in below),
        *(f"up to {row['low']:.4g}" for row in above),
    ]
    sides = [
        *(f"below that, **{markdown(row['before'])}**" for row in below),
        *(f"above that, **{markdown(row['after'])}**" for row in above),
    ]
    expected = f"At threshold = {at} **{markdown(first)}** leads, {' '.join(ends)}; {'; '.join(sides)}."
    assert text_with(open_page(at=str(at)), expected).startswith(expected)


def test_one_parameter_counts_the_systems_that_are_first_somewhere(collection: ec.Collection) -> None:
    values = parameter_of(BEGUN_WITH, "threshold", collection).round_values(100)
    found = trajectory(BEGUN_WITH, "threshold", values, collection)
    app = open_page()
    winners = (found.ranks == 1).any().sum()
    assert number_help(app, "winner changes") == f"Systems that win at some value, alone or tied: {winners}"
    at = f"{found.tau.idxmin():.4g}"
    assert number_help(app, "lowest τ") == markdown(f"Kendall's tau_b with the default, at threshold = {at}")
    changes, ranks, means = (frame.value for frame in app.dataframe)
    assert changes["before"].tolist() == found.changes["before"].tolist()
    assert ranks[list(found.ranks.columns)].to_numpy().tolist() == found.ranks.to_numpy().tolist()
    assert means.to_numpy() == pytest.approx(found.means.to_numpy())


@pytest.mark.parametrize("fineness", ["coarse", "medium"])
def test_two_parameters_show_the_shares_of_the_winners(collection: ec.Collection, fineness: str) -> None:
    columns, rows = {"coarse": (25, 15), "medium": (60, 40)}[fineness]
    threshold, rho = (parameter_of(BEGUN_WITH, path, collection) for path in ("threshold", "rho"))
    maps = grid(BEGUN_WITH, "threshold", threshold.round_values(columns), "rho", rho.round_values(rows), collection)
    shares = maps.shares()
    winners = int((shares > 0).sum())
    listed = [f"**{markdown(name)}** {percent(share)}" for name, share in shares.head(8).items() if share > 0]
    app = open_page(look="Map of two", fineness=fineness)
    lines = lines_in(text_with(app, "Winners, with their shares"))
    assert lines[0] == f"Winners, with their shares of the settings: {', '.join(listed[:3])}."
    others = f"; {winners - 8} more, each with a smaller share" if winners > 8 else ""
    assert lines[1:] == ([f"Other winners: {', '.join(listed[3:])}{others}."] if winners > 3 else [])
    assert metric(app, "winners") == str(winners)
    assert metric(app, "τ ≥ 0.9") == f"{(maps.tau.ravel() >= 0.9 - 1e-9).mean():.0%}"
    table, settings = (frame.value for frame in app.dataframe)
    assert table["share first"].tolist() == pytest.approx(shares[shares > 0].tolist())
    assert settings["tau"].tolist() == pytest.approx(maps.frame()["tau"].tolist())


# Two topics of sixteen: each setting of a model of users takes a while.
EFFORT = {"measure": "EffortTo", "data": "navigation sample", "ontopics": ["t01", "t02"]}


@pytest.mark.slow
def test_the_default_pair_of_parameters_of_an_effort_can_be_computed() -> None:
    app = open_page(look="Map of two", **EFFORT)
    assert not app.exception
    assert not app.error
    assert text_with(app, "Winners, with their shares")


@pytest.mark.slow
@pytest.mark.parametrize("up", ["effort.rank", "effort.click"])
def test_a_map_counts_the_settings_without_a_valid_measure(up: str) -> None:
    link = {"horizontal": "effort.rank" if up == "effort.click" else "recall", "vertical": up, "fineness": "coarse"}
    app = open_page(look="Map of two", **EFFORT, **link)
    assert not app.error
    undefined = int((app.dataframe[1].value["tied"] == 0).sum())
    assert undefined > 0
    assert f"The measure is undefined at {undefined} setting{'s' * (undefined > 1)}." in text_with(
        app, "Winners, with their shares"
    )


def shown(app: AppTest) -> list[pd.DataFrame]:
    return [frame.value for frame in app.dataframe]


@pytest.mark.parametrize("measure", ["nDCG", "AP", "RBP"])  # with one, two and three numbers
def test_any_two_parameters_of_a_measure_can_be_varied_together(collection: ec.Collection, measure: str) -> None:
    app = open_page(look="Map of two", measure=measure, fineness="coarse")
    assert not app.exception
    names = {one.path: one.reading for one in varied_of(measure, collection)}
    assert any("has only one parameter to vary" in info.value for info in app.info) == (len(names) == 1)
    offered = {
        selectbox.key: set(selectbox.options)
        for selectbox in app.selectbox
        if selectbox.key in ("sensitivity.horizontal", "sensitivity.vertical")
    }
    if len(names) > 1:
        across = app.selectbox(key="sensitivity.horizontal").value
        assert offered == {
            "sensitivity.horizontal": set(names.values()),
            "sensitivity.vertical": {name for path, name in names.items() if path != across},
        }
    else:
        assert not offered


# --- what is decided --------------------------------------------------------------------------------------------------

WEIGHTS = {"measure": "CAM(nDCG@10)", "path": "weights[0]"}


def test_one_parameter_names_the_significant_changes(collection: ec.Collection) -> None:
    app = open_page(**WEIGHTS)
    values = parameter_of(WEIGHTS["measure"], "weights[0]", collection).round_values(100)
    found = trajectory(WEIGHTS["measure"], "weights[0]", values, collection)
    orders = orders_along(found, collection)
    assert text_with(app, markdown(changes_in_words(orders.changes(found.changes), found.parameter)))


def test_without_confidence_no_change_is_called_significant() -> None:
    app = open_page(**WEIGHTS).button_group(key="doubt").set_value("false").run()
    assert not app.exception
    assert not any("decided" in text.value for text in app.markdown)


TWO_ASPECTS = 'TOMA(nDCG@10, aspects=["relevance", "understandability"])'


def test_the_slider_of_a_choice_shows_the_names_of_its_options() -> None:
    app = open_page(measure=TWO_ASPECTS, look="Along one parameter", path="distance", at="Chebyshev")
    assert not app.exception
    assert text_with(app, "With distance = Chebyshev **plain\\_rerank3** leads, as with all other options")
    assert "Manhattan" in shown(app)[-1].index
