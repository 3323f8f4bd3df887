"""The page Correlations, run without a browser."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
import scipy.stats
from python_support import run, snippet
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, SAMPLE, figure_keys, metric, open_app, shown_items
from evalcore.measures import short_names, suggestions
from evalcore.meta import equivalent_groups, ranks
from evalcore.papers.aspect_correlation import aspect_correlations
from ui.correlations.controls import LOOKS, SEVERAL_ASPECTS, Comparison
from ui.screen.text import lines_in, markdown, measure_name


def open_page(**link: object) -> AppTest:
    return open_app("correlations", **link)


@pytest.fixture(scope="module")
def scores(sample: ec.Collection) -> dict[str, pd.DataFrame]:
    return ec.evaluate(next(iter(suggestions(sample).values())), sample)


def text_from(app: AppTest, beginning: str) -> str:
    """The text of the page that begins so, with what a click shows."""
    listed = ("  \n".join(lines_in(one.value)) for one in [*app.markdown, *app.caption])
    return next(text for text in listed if text.startswith(beginning))


def swaps_text(app: AppTest) -> str:
    return "  \n".join(next(lines_in(text.value) for text in app.markdown if "of systems swap" in text.value))


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
        app = open_page(correlation="τ_AP", test=test, reference=reference)
        assert metric(app, "τ_AP") == f"{expected:.3f}"


@pytest.mark.parametrize("view", LOOKS)
@pytest.mark.parametrize("over", ["system means", "topic by topic"])
def test_every_view(view: str, over: str) -> None:
    app = open_page(look=view, over=over, tau="true")
    assert not app.exception
    assert not app.error
    assert not app.warning


@pytest.mark.parametrize("correlation", [one.label for one in ec.CORRELATIONS.values()])
def test_every_correlation(correlation: str) -> None:
    app = open_page(correlation=correlation, look="Topics")
    assert not app.exception
    assert not app.warning


def test_a_lower_threshold_makes_more_measures_equivalent() -> None:
    app = open_page(measures=["AP", "nDCG", "RBP(rho=0.5)"])
    assert text_from(app, "Equivalent").startswith("Equivalent (τ\\_b above 0.90): **AP, nDCG**")
    app.slider(key="correlations.threshold").set_value(0.5).run()
    assert "**RBP, AP, nDCG**" in text_from(app, "Equivalent")
    app.slider(key="correlations.threshold").set_value(1.0).run()
    assert "no two measures" in text_from(app, "Equivalent")


@pytest.mark.slow
def test_the_same_measure_on_both_sides_is_no_error() -> None:
    for view in LOOKS:
        app = open_page(look=view, test="AP", reference="AP")
        assert not app.exception


def test_one_measure_alone_is_explained() -> None:
    app = open_page(measures=["AP"])
    assert not app.exception
    assert any("at least two measures" in info.value for info in app.info)


def test_measures_of_aspects_are_the_librarys(sample: ec.Collection) -> None:
    app = open_page(look="Measures of aspects", bases=["P@10"], aspects=["relevance", "credibility"])
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
    app = open_page(look="Aspects", aspects=["relevance"])
    assert not app.exception
    assert any("expected at least two aspects" in error.value for error in app.error)


# --- every sentence and table says what the library computes ----------------------------------------------------------

SAMPLES = {"sample data": ROOT / "sample_data" / "health", "navigation sample": ROOT / "sample_data" / "site"}


@pytest.fixture(scope="module", params=list(SAMPLES))
def any_sample(request: pytest.FixtureRequest) -> tuple[str, ec.Collection]:
    return request.param, ec.load(SAMPLES[request.param])


def texts_of(collection: ec.Collection) -> list[str]:
    return [str(one) for one in next(iter(suggestions(collection).values()))]


def assert_same(shown: pd.DataFrame, expected: pd.DataFrame) -> None:
    """The same numbers under the same names; Streamlit sends names as another kind of text."""
    pd.testing.assert_frame_equal(shown, expected, check_names=False, check_index_type=False)


def number(value: Any) -> str:
    return f"{value:.3f}".replace("-", "−")


@pytest.mark.parametrize("threshold", [0.5, 0.9, 1.0])
def test_the_headline_counts_groups_and_names_the_pair_least_alike(
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
        f"First by {measure_name(reference)}: **{markdown(ec.meta.winner(x))}** {ec.best_first(x).iloc[0]:.4f}  \n"
        f"First by {measure_name(test)}: **{markdown(ec.meta.winner(y))}** {ec.best_first(y).iloc[0]:.4f}"
    )


def test_one_swap_of_one_pair_is_in_the_singular(sample: ec.Collection) -> None:
    x, y = (ec.evaluate(text, sample).mean() for text in ("AP", "P@10"))
    a, b = ec.meta.swapped_pairs(x, y)[["system_a", "system_b"]].iloc[0]
    app = open_page(measures=["AP", "P@10"], only=[a, b])
    assert "**1** of 1 pair of systems swaps." in swaps_text(app)


def test_intervals_are_the_librarys_and_stand_beside_the_pair(scores: dict[str, pd.DataFrame]) -> None:
    matrix = ec.correlation_matrix(scores, "tau", n_resamples=1000)
    assert matrix.intervals
    low, high = (part.loc["AP", "P@10"] for part in (matrix.intervals.low, matrix.intervals.high))
    app = open_page(tau="true", test="AP", reference="P@10")
    assert text_from(app, "95% interval") == f"95% interval {number(low)} to {number(high)}"


def test_rank_changes_are_the_librarys(any_sample: tuple[str, ec.Collection]) -> None:
    name, collection = any_sample
    test, reference = texts_of(collection)[1], texts_of(collection)[0]
    x, y = (ec.evaluate(text, collection).mean() for text in (reference, test))
    app = open_page(data=name, look="Rank changes")
    assert_same(app.dataframe[0].value, ec.rank_changes(x, y))
    assert (
        text_from(app, "x: ")
        == f"x: {markdown(reference)}, y: {markdown(test)}. A positive change is a move up under y."
    )


def test_topics_are_the_librarys(scores: dict[str, pd.DataFrame]) -> None:
    both = {name: scores[name] for name in ("AP", "P@10")}
    matrix = ec.correlation_matrix(both, "tau", "topics", n_resamples=1000)
    values = matrix.of_topics("AP", "P@10")
    assert matrix.intervals
    parts = (matrix.values, matrix.intervals.low, matrix.intervals.high)
    mean, low, high = (number(part.loc["AP", "P@10"]) for part in parts)
    app = open_page(look="Topics", test="AP", reference="P@10")
    assert text_from(app, "τ\\_b of AP") == (
        f"τ\\_b of AP and P@10 on {values.notna().sum()} topics: mean **{mean}**, "
        f"95% interval of the mean {low} to {high}."
    )
    shown: Any = app.dataframe[0].value
    assert list(shown.columns) == ["τ_b"]
    assert shown["τ_b"].tolist() == pytest.approx(sorted(values.dropna()))


def test_all_pairs_stand_from_the_least_alike_on(scores: dict[str, pd.DataFrame]) -> None:
    matrix = ec.correlation_matrix(scores, "tau")
    app = open_page(look="All pairs")
    listed, square = (frame.value for frame in app.dataframe)
    assert list(listed.columns) == ["test", "reference", "tau"]
    assert listed["tau"].tolist() == pytest.approx(sorted(matrix.pairs()["tau"]))
    assert square.to_numpy() == pytest.approx(matrix.values.to_numpy())
    assert list(square.columns) == list(short_names(matrix.measures).values())


def test_aspects_are_the_librarys(sample: ec.Collection) -> None:
    app = open_page(look="Aspects", bases=["AP"])
    expected = aspect_correlations(sample, bases=[ec.parse("AP")])  # type: ignore[list-item]
    shown: Any = app.dataframe[0].value
    assert shown[list(expected.columns)].to_numpy() == pytest.approx(expected.to_numpy(), nan_ok=True)
    assert list(shown.index) == list(expected.index)


def test_a_base_of_several_aspects_is_an_error_with_words() -> None:
    app = open_page(look="Aspects", bases=["CAM(AP)"])
    assert not app.exception
    assert any("expected a measure of one aspect" in error.value for error in app.error)


# --- what is looked at is what is drawn -------------------------------------------------------------------------------


@pytest.mark.slow
def test_another_set_of_measures_never_leaves_a_measure_that_is_gone_to_be_looked_at(sample: ec.Collection) -> None:
    sets = suggestions(sample)
    app = open_page()
    app.selectbox(key="correlations.test").set_value("AP").run()
    for name, listed in sets.items():
        next(button for button in app.button if button.label == name).click().run()
        texts = list(map(str, listed))
        for key in ("test", "reference"):
            picker = app.selectbox(key=f"correlations.{key}")
            assert picker.options == list(short_names(texts).values())
            assert picker.value in texts
        assert not app.exception


def test_a_measure_that_stays_is_still_looked_at_whatever_its_short_name_is() -> None:
    app = open_page(measures=["RBP(rho=0.8)", "AP"], test="RBP(rho=0.8)", reference="AP")
    assert "RBP" in app.selectbox(key="correlations.test").options
    app.multiselect(key="correlations.measures").set_value(["AP", "RBP(rho=0.5)", "RBP(rho=0.8)"]).run()
    assert app.selectbox(key="correlations.test").value == "RBP(rho=0.8)"
    assert not app.warning


def test_a_measure_that_the_collection_cannot_answer_is_not_offered_to_be_looked_at() -> None:
    app = open_page(measures=["AP", 'RBP(aspect="colour")', "nDCG"])
    assert app.selectbox(key="correlations.test").options == ["AP", "nDCG"]
    assert any("is left out" in warning.value for warning in app.warning)


def test_a_click_on_a_cell_is_in_the_address_and_opens_again(sample: ec.Collection) -> None:
    page = Comparison.read(sample, {}).with_(test="AP", reference="P@10", correlation="tau_ap", look="Topics")
    assert page.address() == {
        "correlations.correlation": ["τ_AP"],
        "correlations.test": ["AP"],
        "correlations.reference": ["P@10"],
        "correlations.look": ["Topics"],
    }
    assert Comparison.read(sample, page.address()) == page


def test_looks_at_aspects_take_two_of_them() -> None:
    app = open_page(data="navigation sample", look="Aspects")
    assert not app.error
    assert any("found Aspects" in warning.value for warning in app.warning)
    assert swaps_text(app)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "look"),
    [
        *(("sample data", look) for look in LOOKS),
        *(("navigation sample", look) for look in LOOKS if look not in SEVERAL_ASPECTS),
    ],
)
def test_as_python_gives_what_is_shown(name: str, look: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page(data=name, look=look, tau="true", threshold="0.7")
    names = run(snippet(app), monkeypatch)
    several = [group for group in names["equivalent"] if len(group) > 1]
    assert text_from(app, "Equivalent").count(", ") >= 1
    assert ("no two measures" in text_from(app, "Equivalent")) == (not several)
    if look == "Scatter":
        assert metric(app, "τ_b") == number(names["value"])
        assert f"**{len(names['swapped'])}** of" in swaps_text(app)
        assert text_from(app, "95% interval") == f"95% interval {number(names['low'])} to {number(names['high'])}"
    elif look == "Rank changes":
        assert_same(app.dataframe[0].value, names["changes"])
    elif look == "Topics":
        assert f"mean **{number(names['mean'])}**" in text_from(app, "τ\\_b of")
    elif look == "All pairs":
        assert app.dataframe[0].value["tau"].tolist() == pytest.approx(sorted(names["pairs"]["tau"]))
    else:
        shown: Any = app.dataframe[0].value
        assert shown[list(names["table"].columns)].to_numpy() == pytest.approx(names["table"].to_numpy(), nan_ok=True)


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
    assert any("of 32 systems" in caption.value and "On the 31" in caption.value for caption in app.caption)
    assert any(
        "1 systems that are not in this collection, such as 'unknown'" in caption.value for caption in app.caption
    )
    app.selectbox(key="correlations.test").set_value("other (imported)")
    app.selectbox(key="correlations.reference").set_value("AP").run()
    assert not app.exception
    assert metric(app, "τ_b") == "1.000"


def test_imported_scores_stay_when_another_page_was_open_and_go_on_request(imported: bytes) -> None:
    app = upload(open_page(), ("other.csv", imported))
    app.switch_page("pages/measures.py").run()
    app.switch_page("pages/correlations.py").run()
    assert "other (imported)" in app.selectbox(key="correlations.test").options
    next(button for button in app.button if button.label == "Remove them").click().run()
    assert "other (imported)" not in app.selectbox(key="correlations.test").options


def test_a_file_that_is_no_table_of_scores_is_explained_and_nothing_changes(imported: bytes) -> None:
    app = upload(open_page(), ("other.csv", imported.replace(b"0.", b"O.")))
    assert not app.exception
    assert any("expected a number as score" in error.value for error in app.error)
    assert metric(app, "τ_b")


def test_holes_are_refused_until_they_are_declared_to_be_0() -> None:
    text = "topic,system,measure,score\n" + "".join(
        f"{topic},{system},mine,{at % 7}\n"
        for at, (topic, system) in enumerate((t, s) for t in (1, 2) for s in ec.load(SAMPLE).systems[:4])
    )
    topics = ec.load(SAMPLE).topics[:2]
    text = text.replace("\n1,", f"\n{topics[0]},").replace("\n2,", f"\n{topics[1]},")
    app = upload(open_page(), ("scores.csv", text.rsplit("\n", 2)[0].encode()))
    assert any("found none for mine" in error.value for error in app.error)
    next(toggle for toggle in app.toggle if toggle.label == "A missing score is 0").set_value(True).run()
    assert not app.error
    assert any("1 missing scores set to 0" in caption.value for caption in app.caption)


def test_a_measure_that_varies_keeps_its_row_and_is_scored_at_its_place() -> None:
    listed = ["AP", "RBP(rho=0.8)", "nDCG@10", "P@10"]
    at_rest = open_app("correlations", measures=listed, vary="RBP(rho=0.8)", test="RBP(rho=0.8)")
    moved = open_app("correlations", measures=listed, vary="RBP(rho=0.8)", at="0.3", test="RBP(rho=0.8)")
    assert not moved.warning
    rows = [[name.split(",")[0] for name in _matrix(app).layout.yaxis.ticktext] for app in (at_rest, moved)]
    assert rows[0] == rows[1]
    means = [ec.evaluate(text, ec.load(SAMPLE)).mean() for text in ("RBP(rho=0.3)", "AP")]
    assert metric(moved, "τ_b") == f"{ec.tau(*means):.3f}"
    assert metric(at_rest, "τ_b") != metric(moved, "τ_b")


def test_a_depth_of_all_readers_sets_every_measure_that_has_one() -> None:
    """A reader of RBP(rho=0.8) is expected to read 1 / (1 - 0.8) = 5 ranks, as one of P@5 is; Bpref has none."""
    listed = ["RBP(rho=0.95)", "P@10", "Bpref"]
    app = open_app("correlations", measures=listed, vary="depth of all readers", at="5", test="P@10")
    assert not app.exception
    assert not app.warning
    means = [ec.evaluate(text, ec.load(SAMPLE)).mean() for text in ("P@5", "RBP(rho=0.8)")]
    assert metric(app, "τ_b") == f"{ec.tau(*means):.3f}"
    assert any(name.startswith("Bpref") for name in _matrix(app).layout.yaxis.ticktext)


def _matrix(app: AppTest) -> Any:
    shown = dict(zip(figure_keys(app), _figures(app), strict=True))
    return shown["matrix"]


def _figures(app: AppTest) -> list[go.Figure]:
    return [one for _, one in shown_items(app) if isinstance(one, go.Figure)]
