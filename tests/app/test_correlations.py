"""The page Correlations, run without a browser."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, metric, open_app
from evalcore.measures import suggestions
from evalcore.meta import ranks

VIEWS = ("Scatter", "Rank changes", "Topics", "All pairs", "Measures of aspects", "Aspects")


def open_page(**link: object) -> AppTest:
    return open_app("correlations", **link)


@pytest.fixture(scope="module")
def sample() -> ec.Collection:
    return ec.load(SAMPLE)


@pytest.fixture(scope="module")
def scores(sample: ec.Collection) -> dict[str, pd.DataFrame]:
    return ec.evaluate(next(iter(suggestions(sample).values())), sample)


def said(app: AppTest, beginning: str) -> str:
    return next(one.value for one in [*app.markdown, *app.caption] if one.value.startswith(beginning))


def test_the_pairs_tau_is_scipys(scores: dict[str, pd.DataFrame]) -> None:
    app = open_page()
    first, second = list(scores)[:2]
    expected = scipy.stats.kendalltau(ranks(scores[second].mean()), ranks(scores[first].mean())).statistic
    assert not app.exception
    assert metric(app, "τ_b") == f"{expected:.3f}"


def test_topic_by_topic_tau_is_the_mean_of_scipys(scores: dict[str, pd.DataFrame]) -> None:
    app = open_page(over="topic by topic", test="AP", reference="P@10")
    rows = zip(scores["AP"].to_numpy(), scores["P@10"].to_numpy(), strict=True)
    expected = np.nanmean([scipy.stats.kendalltau(np.round(x, 12), np.round(y, 12)).statistic for x, y in rows])
    assert metric(app, "τ_b") == f"{expected:.3f}"


def test_the_direction_of_tau_ap_is_that_of_test_and_reference(scores: dict[str, pd.DataFrame]) -> None:
    x, y = scores["AP"].mean(), scores["P@10"].mean()
    for test, reference, expected in (("AP", "P@10", ec.tau_ap(x, y)), ("P@10", "AP", ec.tau_ap(y, x))):
        app = open_page(corr="τ_AP", test=test, reference=reference)
        assert metric(app, "τ_AP") == f"{expected:.3f}"


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("over", ["system means", "topic by topic"])
def test_every_view(view: str, over: str) -> None:
    app = open_page(corrview=view, over=over, intervals="true")
    assert not app.exception
    assert not app.error
    assert not app.warning


@pytest.mark.parametrize("correlation", [one.label for one in ec.CORRELATIONS.values()])
def test_every_correlation(correlation: str) -> None:
    app = open_page(corr=correlation, corrview="Topics")
    assert not app.exception
    assert not app.warning


def test_a_lower_threshold_makes_more_measures_equivalent() -> None:
    app = open_page(measures=["AP", "nDCG", "RBP(rho=0.5)"])
    assert said(app, "Equivalent").startswith("Equivalent (τ\\_b above 0.90): **AP, nDCG**")
    app.slider(key="equivalent").set_value(0.5).run()
    assert "**RBP, AP, nDCG**" in said(app, "Equivalent")
    app.slider(key="equivalent").set_value(1.0).run()
    assert "no two measures" in said(app, "Equivalent")


def test_the_same_measure_on_both_sides_is_no_error() -> None:
    for view in VIEWS:
        app = open_page(corrview=view, test="AP", reference="AP")
        assert not app.exception


def test_one_measure_alone_is_explained() -> None:
    app = open_page(measures=["AP"])
    assert not app.exception
    assert any("at least two measures" in one.value for one in app.info)


def test_measures_of_aspects_are_the_librarys(sample: ec.Collection) -> None:
    app = open_page(corrview="Measures of aspects", bases=["P@10"], aspects=["relevance", "credibility"])
    table: Any = app.dataframe[0].value
    assert table.columns.tolist() == ["P@10", "P@10 topics"]
    expected = ec.evaluate(
        [
            'TOMA(P@10, aspects=["relevance", "credibility"], distance=Euclidean)',
            'CAM([P@10, P(aspect="credibility")@10], aspects=["relevance", "credibility"])',
        ],
        sample,
    )
    x, y = expected.values()
    values = [ec.tau(x.loc[topic], y.loc[topic]) for topic in x.index]
    assert table.loc["EUCL - CAM", "P@10"] == pytest.approx(np.nanmean(values))


def test_one_aspect_alone_is_an_error_with_words() -> None:
    app = open_page(corrview="Aspects", aspects=["relevance"])
    assert not app.exception
    assert any("expected at least two aspects" in one.value for one in app.error)


# --- scores of other tools --------------------------------------------------------------------------------------------


@pytest.fixture
def imported(scores: dict[str, pd.DataFrame]) -> bytes:
    """Scores of AP, as another tool could have computed them, of all systems but one."""
    table = scores["AP"].rename(columns={scores["AP"].columns[0]: "unknown"})
    return table.to_csv().encode()


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    return app.file_uploader(key="score files").set_value([(*file, "text/csv") for file in files]).run()  # type: ignore[union-attr]


def test_imported_scores_are_compared_with_ours(imported: bytes) -> None:
    app = upload(open_page(), ("other.csv", imported))
    assert not app.exception
    assert any("of 32 systems" in one.value and "On the 31" in one.value for one in app.caption)
    assert any("1 systems that are not in this collection, such as 'unknown'" in one.value for one in app.caption)
    app.selectbox(key="test").set_value("other (imported)")
    app.selectbox(key="reference").set_value("AP").run()
    assert not app.exception
    assert metric(app, "τ_b") == "1.000"


def test_imported_scores_stay_when_another_page_was_open_and_go_on_request(imported: bytes) -> None:
    app = upload(open_page(), ("other.csv", imported))
    app.switch_page("pages/measures.py").run()
    app.switch_page("pages/correlations.py").run()
    assert "other (imported)" in app.selectbox(key="test").options
    next(one for one in app.button if one.label == "Remove them").click().run()
    assert "other (imported)" not in app.selectbox(key="test").options


def test_a_file_that_is_no_table_of_scores_is_explained_and_nothing_changes(imported: bytes) -> None:
    app = upload(open_page(), ("other.csv", imported.replace(b"0.", b"O.")))
    assert not app.exception
    assert any("expected a number as score" in one.value for one in app.error)
    assert metric(app, "τ_b")


def test_holes_are_refused_until_they_are_said_to_be_0() -> None:
    text = "topic,system,measure,score\n" + "".join(
        f"{topic},{system},mine,{at % 7}\n"
        for at, (topic, system) in enumerate((t, s) for t in (1, 2) for s in ec.load(SAMPLE).systems[:4])
    )
    topics = ec.load(SAMPLE).topics[:2]
    text = text.replace("\n1,", f"\n{topics[0]},").replace("\n2,", f"\n{topics[1]},")
    app = upload(open_page(), ("scores.csv", text.rsplit("\n", 2)[0].encode()))
    assert any("found none for mine" in one.value for one in app.error)
    next(one for one in app.toggle if one.label == "A missing score is 0").set_value(True).run()
    assert not app.error
    assert any("1 missing scores set to 0" in one.value for one in app.caption)
