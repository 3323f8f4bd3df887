"""A measure of which low scores are good, some of them infinite, on every page that ranks, correlates or tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import metric, open_app

SAMPLE = "navigation sample"
BOTH = ["EffortTo", "InverseEffort"]
UNTESTED = "45 of 66 pairs have an infinite score"  # 7 of 12 systems always get there: 21 pairs are left


def open_page(page: str, **link: object) -> AppTest:
    return open_app(page, data=SAMPLE, **link)


def fine(app: AppTest) -> AppTest:
    assert not app.exception
    assert not app.error
    assert not app.warning
    return app


def shows(app: AppTest, part: str) -> bool:
    return any(part in one.value for one in [*app.markdown, *app.caption])


def test_correlations_name_the_least_effort_first_and_agree_with_its_inverse() -> None:
    app = fine(open_page("correlations", measures=BOTH))
    assert metric(app, "τ_b") == "0.822"
    assert shows(app, "First by EffortTo: **section\\_dense** 8.8208 (in ")
    assert shows(app, "  \nFirst by InverseEffort: **section\\_dense** ")


@pytest.mark.parametrize("view", ["Rank changes", "Topics", "All pairs"])
@pytest.mark.parametrize("over", ["system means", "topic by topic"])
def test_every_view_of_correlations(view: str, over: str) -> None:
    app = fine(open_page("correlations", measures=BOTH, look=view, over=over, intervals="true"))
    if view == "Rank changes":
        table: Any = app.dataframe[0].value
        assert table["score_x"].iloc[:2].tolist() == pytest.approx([8.8208, 9.3123], abs=1e-4)
        assert table["rank_x"][np.isinf(table["score_x"])].tolist() == [8] * 5


def test_pearson_explains_what_it_needs() -> None:
    app = fine(open_page("correlations", measures=BOTH, correlation="Pearson r"))
    assert metric(app, "Pearson r") == "none"
    assert shows(app, "takes finite scores; there are infinite ones by EffortTo")


@pytest.mark.parametrize("view", ["One pair", "Needed difference", "Two measures", "What the top systems return"])
def test_every_view_of_discriminative_power(view: str) -> None:
    app = fine(open_page("discriminative_power", measures=BOTH, look=view, resamples="1,000", alpha="0.05"))
    assert shows(app, UNTESTED)
    if view == "One pair":
        assert [app.selectbox(key=f"discriminative_power.{key}").value for key in "ab"] == [
            "section_dense",
            "archive_boost",
        ]


@pytest.mark.parametrize("test", ["bootstrap", "t-test", "randomised Tukey HSD"])
def test_all_pairs_by_every_test(test: str) -> None:
    link = {"look": "All pairs", "test": test, "resamples": "1,000", "correction": "Holm"}
    app = fine(open_page("discriminative_power", measures=BOTH, **link))
    table: Any = app.dataframe[-1].value
    assert table["p"].isna().sum() == 45


def test_a_pair_that_cannot_be_tested_is_explained() -> None:
    link = {"a": "hub_rank", "b": "section_bm25", "resamples": "1,000", "correction": "Holm"}
    app = fine(open_page("discriminative_power", measures=BOTH, **link))
    assert shows(app, "hub\\_rank is better on 2 topics, section\\_bm25 on 14")
    assert shows(app, "Mean difference -∞, and no test: a score is infinite.")
    fine(open_page("discriminative_power", measures=BOTH, **{**link, "b": "hub_links"}))  # infinite on both sides


@pytest.mark.parametrize("view", ["One parameter", "Any number"])
def test_sensitivity(view: str) -> None:
    link = {"look": view, "path": "recall", "many": ["recall"], "count": "200", "ontopics": ["t06", "t13"]}
    fine(open_page("sensitivity", measure="EffortTo", **link))


def test_the_settings_of_two_parameters_name_the_least_effort(site: ec.Collection) -> None:
    link = {"look": "Two parameters", "across": "recall", "up": "effort.click", "ontopics": ["t06", "t13"]}
    means = ec.evaluate("EffortTo", ec.restrict(site, topics=["t06", "t13"])).mean()
    app = fine(open_page("sensitivity", measure="EffortTo(recall=0.3)", **link))
    table: Any = next(frame.value for frame in app.dataframe if "winner" in frame.value.columns)
    row = table[(table["recall"] == 0.5) & (table["effort.click"] == 0)].iloc[0]
    assert (row["winner"], row["score"]) == (means.idxmin(), pytest.approx(means.min()))


@pytest.mark.parametrize("question", ["Leave one out", "Between two measures", "Two systems"])
def test_topics_of_sensitivity(question: str) -> None:
    link = {"look": "Topics", "question": question, "other": "InverseEffort"}
    app = fine(open_page("sensitivity", measure="EffortTo", **link))
    if question == "Leave one out":
        assert shows(app, "Over all topics **section\\_dense** is first by EffortTo (first in ")


def test_two_systems_that_never_get_there_are_reported() -> None:
    link = {"look": "Topics", "question": "Two systems", "other": "InverseEffort"}
    app = fine(open_page("sensitivity", measure="EffortTo", a="hub_rank", b="hub_links", **link))
    assert shows(app, "infinite scores on both sides tell nothing")


@pytest.mark.parametrize("view", ["Rank by rank", "All topics and systems", "Difference of two measures"])
def test_topic(view: str) -> None:
    app = fine(open_page("topic", measure="EffortTo", look=view))
    if view == "Rank by rank":
        assert {one.label: one.value for one in app.metric} == {
            "section\\_dense": "5.9515",
            "archive\\_boost": "16.6533",
        }


def test_topic_shows_an_infinite_score_as_one() -> None:
    app = fine(open_page("topic", measure="EffortTo", topic="t06", compared=["text_bm25", "section_dense"]))
    assert metric(app, "text\\_bm25") == "∞"
    assert "rank 12 of 12" in next(one.help for one in app.metric if one.value == "∞")


def test_pins_and_measures() -> None:
    app = fine(open_page("pins", pins=["slow = EffortTo", "quick = InverseEffort"]))
    agreement: Any = app.dataframe[0].value
    assert agreement["first"].tolist() == ["section_dense"] * 2
    assert agreement.loc["quick", "τ"] == pytest.approx(0.822, abs=1e-3)
    table: Any = app.dataframe[1].value
    assert table.index[0] == "section_dense"
    fine(open_page("measures", other="EffortTo"))


@pytest.mark.parametrize("page", ["home", "navigation"])
def test_pages_of_a_collection_with_links(page: str) -> None:
    fine(open_page(page))


def test_imported_efforts_are_known_by_their_name_or_declared(site: ec.Collection) -> None:
    content = ec.evaluate("EffortTo", site).to_csv().encode()
    app = open_page("correlations", measures=["InverseEffort"])
    files = [("EffortTo.csv", content, "text/csv"), ("cost.csv", content, "text/csv")]
    app.file_uploader(key="score files").set_value(files).run()  # type: ignore[union-attr]
    low = next(one for one in app.multiselect if one.label == "Low scores are good")
    assert low.value == ["EffortTo"]
    app.selectbox(key="correlations.reference").set_value("InverseEffort")
    app.selectbox(key="correlations.test").set_value("cost (imported)").run()
    assert metric(app, "τ_b") == "−0.822"
    next(one for one in app.multiselect if one.label == "Low scores are good").set_value(["EffortTo", "cost"]).run()
    fine(app)
    assert metric(app, "τ_b") == "0.822"
