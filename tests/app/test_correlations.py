"""The page Correlations, tested without a browser."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pandas as pd
import plotly.graph_objects as go
import pytest
import scipy.stats
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, SAMPLE, figure_keys, fresh, metric, open_app, shown_items, things
from evalcore.measures import short_names, suggestions
from evalcore.meta import equivalent_groups, ranks
from ui.address import settings
from ui.correlations.correlation_settings import ASPECTS, PAIR
from ui.screen.items import Figure
from ui.screen.text import lines_in, markdown, measure_name


def open_page(**link: object) -> AppTest:
    return open_app("correlations", **link)


@pytest.fixture(scope="module")
def scores(sample: ec.Collection) -> dict[str, pd.DataFrame]:
    return ec.evaluate(next(iter(suggestions(sample).values())), sample)


def text_from(app: AppTest, beginning: str) -> str:
    """Return the text of the page with this beginning, including the lines that a click shows."""
    listed = ("  \n".join(lines_in(one.value)) for one in [*app.markdown, *app.caption])
    return next(text for text in listed if text.startswith(beginning))


def swaps_text(app: AppTest) -> str:
    return "  \n".join(next(lines_in(text.value) for text in app.markdown if "of systems swap" in text.value))


def test_tau_of_the_pair_equals_scipy(scores: dict[str, pd.DataFrame]) -> None:
    app = open_page()
    first, second = list(scores)[:2]
    expected = scipy.stats.kendalltau(ranks(scores[second].mean()), ranks(scores[first].mean())).statistic
    assert not app.exception
    assert metric(app, "τ_b") == f"{expected:.3f}"


def test_tau_ap_goes_from_test_to_reference(scores: dict[str, pd.DataFrame]) -> None:
    x, y = scores["AP"].mean(), scores["P@10"].mean()
    for test, reference, expected in (("AP", "P@10", ec.tau_ap(x, y)), ("P@10", "AP", ec.tau_ap(y, x))):
        app = open_page(correlation="τ_AP", test=test, reference=reference)
        assert metric(app, "τ_AP") == f"{expected:.3f}"


@pytest.mark.parametrize("view", [PAIR, ASPECTS])
@pytest.mark.parametrize("over", ["system means", "topic by topic"])
def test_every_view_of_correlations_opens(view: str, over: str) -> None:
    app = open_page(look=view, over=over, doubt="all")
    assert not app.exception
    assert not app.error
    assert not app.warning


@pytest.mark.parametrize("correlation", [one.label for one in ec.CORRELATIONS.values()])
def test_every_correlation_coefficient_can_be_shown(correlation: str) -> None:
    app = open_page(correlation=correlation, over="topic by topic")
    assert not app.exception
    assert not app.warning


def test_a_lower_threshold_makes_more_measures_equivalent() -> None:
    app = open_page(measures=["AP", "nDCG", "RBP(rho=0.5)"])
    assert text_from(app, "Equivalent").startswith("Equivalent (τ\\_b above 0.90): **AP, nDCG**")
    app.slider(key="correlations.threshold").set_value(0.5).run()
    assert "**RBP, AP, nDCG**" in text_from(app, "Equivalent")
    app.slider(key="correlations.threshold").set_value(1.0).run()
    assert "no two measures" in text_from(app, "Equivalent")


def test_the_same_measure_can_be_compared_with_itself() -> None:
    app = open_page(test="AP", reference="AP")
    assert not app.exception
    assert "pairbump" not in figure_keys(app)


def test_the_first_pair_shown_differs() -> None:
    """P@5 and NumRelRet@5, which is five times P@5, rank the systems identically."""
    app = open_page(measures=["P@5", "NumRelRet@5", "AP"])
    assert app.selectbox(key="correlations.reference").value == "P@5"
    assert app.selectbox(key="correlations.test").value == "AP"


def test_a_click_on_a_system_leads_to_the_topics_that_moved_it_and_back_to_the_matrix() -> None:
    app = open_page(test="P@10", reference="AP", threshold="0.8")
    bump = next(one for one in things(app) if isinstance(one, Figure) and one.key == "pairbump")
    there = clicked(bump, "bm25_base")
    assert there["compare.view"] == ["moved"]
    assert [there[f"moved.{key}"] for key in ("x", "y", "system")] == [["AP"], ["P@10"], ["bm25_base"]]
    moved = fresh("moved", there)
    steps = [one.proto for one in moved.get("page_link") if one.proto.label in ("Measures", "AP and P@10")]
    assert [one.label for one in steps] == ["Measures", "AP and P@10"]
    back = parse_qs(steps[0].query_string)
    assert (back["correlations.threshold"], back["correlations.test"]) == (["0.8"], ["P@10"])


def clicked(figure: Figure, system: str) -> dict[str, list[str]]:
    """Return the address after a click on a system."""
    written = dict[str, list[str]]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "write", written.update)
        patch.setattr(settings, "address", lambda: {"correlations.threshold": ["0.8"]})
        patch.setattr(settings, "page", lambda: "compare")
        assert figure.on_select is not None
        figure.on_select([system])
    return written


def test_a_missing_second_aspect_is_explained() -> None:
    app = open_page(look=ASPECTS, aspects=["relevance"])
    assert not app.exception
    assert any("expected at least two aspects" in error.value for error in app.error)


# --- every sentence and table agrees with the library -----------------------------------------------------------------

SAMPLES = {"sample data": ROOT / "sample_data" / "health", "navigation sample": ROOT / "sample_data" / "site"}


@pytest.fixture(scope="module", params=list(SAMPLES))
def any_sample(request: pytest.FixtureRequest) -> tuple[str, ec.Collection]:
    return request.param, ec.load(SAMPLES[request.param])


def texts_of(collection: ec.Collection) -> list[str]:
    return [str(one) for one in next(iter(suggestions(collection).values()))]


def number(value: Any) -> str:
    return f"{value:.3f}".replace("-", "−")


@pytest.mark.parametrize("threshold", [0.5, 0.9, 1.0])
def test_the_headline_counts_groups_and_names_the_least_similar_pair(
    any_sample: tuple[str, ec.Collection], threshold: float
) -> None:
    name, collection = any_sample
    matrix = ec.correlation_matrix(ec.evaluate(texts_of(collection), collection), "tau")
    several = [group for group in equivalent_groups(matrix.values, threshold) if len(group) > 1]
    names = {text: markdown(short) for text, short in short_names(matrix.measures).items()}
    listed = "; ".join(", ".join(names[one] for one in group) for group in several) or "no two measures"
    if sum(map(len, several)) > 6:
        groups = "1 group" if len(several) == 1 else f"{len(several)} groups"
        listed = f"{sum(map(len, several))} measures, in {groups}"
    pairs = matrix.pairs().sort_values("tau")
    least = pairs.iloc[0]
    others = int((pairs["tau"] < least["tau"] + 1e-9).sum()) - 1
    more = "" if not others else ", and 1 other pair" if others == 1 else f", and {others} other pairs"
    both = f"**{names[least['test']]}** and **{names[least['reference']]}**{more}"
    app = open_page(data=name, threshold=f"{threshold:g}")
    assert text_from(app, "Equivalent") == (
        f"Equivalent (τ\\_b above {threshold:.2f}): **{listed}**  \nLeast alike: {both}, τ\\_b {number(least['tau'])}"
    )


def test_the_pair_is_described_by_its_winners_and_its_swaps(any_sample: tuple[str, ec.Collection]) -> None:
    name, collection = any_sample
    test, reference = texts_of(collection)[2], texts_of(collection)[0]
    x, y = (ec.evaluate(text, collection).mean() for text in (reference, test))
    count = len(ec.meta.swapped_pairs(x, y))
    app = open_page(data=name, test=test, reference=reference, doubt="false")
    assert swaps_text(app) == (
        f"**{count}** of {len(x) * (len(x) - 1) // 2} pairs of systems swap{'s' * (count == 1)}.  \n"
        f"Under {measure_name(reference)}, **{markdown(ec.meta.winner(x))}** ({ec.best_first(x).iloc[0]:.4f}) leads  \n"
        f"Under {measure_name(test)}, **{markdown(ec.meta.winner(y))}** ({ec.best_first(y).iloc[0]:.4f}) leads"
    )


def test_two_measures_get_one_sentence_on_equivalence() -> None:
    for threshold, words in ((0.5, "are equivalent"), (1.0, "are not equivalent")):
        texts = [one.value for one in open_page(measures=["AP", "nDCG"], threshold=threshold).markdown]
        [text] = [text for text in texts if "equivalent:" in text]
        assert f"{words}: τ" in text
        assert "Least alike" not in text


def test_pairs_are_listed_from_the_least_similar(scores: dict[str, pd.DataFrame]) -> None:
    matrix = ec.correlation_matrix(scores, "tau")
    listed = open_page().dataframe[0].value
    assert list(listed.columns) == ["test", "reference", "tau"]
    assert listed["tau"].tolist() == pytest.approx(sorted(matrix.pairs()["tau"]))
    assert set(listed["test"]) <= set(short_names(matrix.measures).values())


# --- the selected pair is the one drawn -------------------------------------------------------------------------------


def test_a_selected_measure_stays_selected_if_its_short_name_changes() -> None:
    app = open_page(measures=["RBP(rho=0.8)", "AP"], test="RBP(rho=0.8)", reference="AP")
    assert "RBP" in app.selectbox(key="correlations.test").options
    app.multiselect(key="correlations.measures").set_value(["AP", "RBP(rho=0.5)", "RBP(rho=0.8)"]).run()
    assert app.selectbox(key="correlations.test").value == "RBP(rho=0.8)"
    assert not app.warning


def test_views_of_aspects_need_two_aspects() -> None:
    app = open_page(data="navigation sample", look=ASPECTS)
    assert not app.error
    assert any(f"found {ASPECTS}" in warning.value for warning in app.warning)
    assert swaps_text(app)


def test_a_measure_with_a_slider_keeps_its_row() -> None:
    listed = ["AP", "RBP(rho=0.8)", "nDCG@10", "P@10"]
    at_rest = open_app("correlations", measures=listed, vary="RBP(rho=0.8)", test="RBP(rho=0.8)")
    moved = open_app("correlations", measures=listed, vary="RBP(rho=0.8)", at="0.3", test="RBP(rho=0.8)")
    assert not moved.warning
    rows = [[name.split(",")[0] for name in _matrix(app).layout.yaxis.ticktext] for app in (at_rest, moved)]
    assert rows[0] == rows[1]
    means = [ec.evaluate(text, ec.load(SAMPLE)).mean() for text in ("RBP(rho=0.3)", "AP")]
    assert metric(moved, "τ_b") == f"{ec.tau(*means):.3f}"
    assert metric(at_rest, "τ_b") != metric(moved, "τ_b")


def _matrix(app: AppTest) -> Any:
    shown = dict(zip(figure_keys(app), _figures(app), strict=True))
    return shown["matrix"]


def _figures(app: AppTest) -> list[go.Figure]:
    return [one for _, one in shown_items(app) if isinstance(one, go.Figure)]


@pytest.mark.parametrize("look", ["Scatter", "Rank changes", "All pairs", "Aspects", "Measures of aspects", "Topics"])
def test_older_links_open_the_view_that_replaced_theirs(look: str) -> None:
    app = open_page(look=look)
    assert not app.warning
    assert [toast.value for toast in app.toast] == (
        ["*Topics* was removed; this is Compare > Measures."] if look == "Topics" else []
    )
    assert ("pairbump" in figure_keys(app)) == ("spects" not in look)
