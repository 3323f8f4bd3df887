"""The page Discriminative power, run without a browser."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, metric, open_app
from evalcore.meta import corrected_pairs
from evalcore.top_documents import cut_rankings

VIEWS = ("One pair", "All pairs", "Needed difference", "Two measures", "What the top systems return")
MEASURES = ["RBP(rho=0.8)", "nDCG@10", "MM(nDCG@10)"]


def open_page(**link: object) -> AppTest:
    return open_app("discriminative_power", **{"measures": MEASURES, "power_resamples": "1,000", **link})


@pytest.fixture(scope="module")
def sample() -> ec.Collection:
    return ec.load(SAMPLE)


@pytest.fixture(scope="module")
def power(sample: ec.Collection) -> pd.DataFrame:
    return ec.discriminative_power(ec.evaluate(MEASURES, sample), alpha=0.05, n_resamples=1000)


def table(app: AppTest, at: int) -> pd.DataFrame:
    """The tables of a page, from top to bottom."""
    frame: pd.DataFrame = app.dataframe[at].value
    return frame


def test_power_is_the_librarys(power: pd.DataFrame) -> None:
    app = open_page(alpha="0.05")
    shown = table(app, 0).set_index("measure")["power"]
    assert not app.exception
    assert shown["RBP"] == pytest.approx(100 * power["power"]["RBP(rho=0.8)"])
    assert shown["nDCG@10"] == pytest.approx(100 * power["power"]["nDCG@10"])
    assert shown.is_monotonic_decreasing
    best = power["power"].max()
    assert any(f"**{best:.1%}** of 496 pairs" in one.value for one in app.markdown)


def test_the_seed_and_the_number_of_resamples_are_in_the_link(sample: ec.Collection) -> None:
    scores = ec.evaluate("nDCG@10", sample)
    app = open_page(measures=["nDCG@10"], power_seed="7", alpha="0.03")
    expected = ec.paired_bootstrap(scores, 1000, seed=7).power(0.03)
    assert table(app, 0)["power"].tolist() == [pytest.approx(100 * expected)]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("measures", [MEASURES, ["AP"], ["AP", "AP", "nDCG@10"]])
def test_every_view(view: str, measures: list[str]) -> None:
    app = open_page(power_view=view, measures=measures)
    assert not app.exception
    assert not app.error


def test_one_pair_is_the_librarys(sample: ec.Collection) -> None:
    a, b = "bm25_base.run", "plain_fog.run"
    if a not in sample.systems:
        a, b = sample.systems[3], sample.systems[20]
    app = open_page(pair_a=a, pair_b=b, pair_correction="Holm")
    shown = table(app, 1).T["nDCG@10"]
    scores = ec.evaluate("nDCG@10", sample)
    pair = ec.compare_systems(scores, a, b, 1000)
    assert shown[["difference", "low", "high", "t"]].tolist() == pytest.approx([pair.mean, pair.low, pair.high, pair.t])
    assert shown[["p (t-test)", "ASL", "p (permutation)"]].tolist() == [pair.p_t, pair.asl, pair.p_permutation]
    assert shown[["d_z", "g_z"]].tolist() == pytest.approx([pair.d_z, pair.g_z])
    listed = corrected_pairs(ec.paired_bootstrap(scores, 1000), "t-test", "Holm")
    both = listed["system_a"].isin([a, b]) & listed["system_b"].isin([a, b])
    assert shown["p (t-test), corrected"] == listed["p"][both].item()


def test_a_system_against_itself_is_explained(sample: ec.Collection) -> None:
    app = open_page(pair_a=sample.systems[0], pair_b=sample.systems[0])
    assert not app.exception
    assert any("does not differ from itself" in one.value for one in app.info)


@pytest.mark.parametrize("correction", ["none", "Bonferroni", "Holm", "Benjamini-Hochberg"])
def test_all_pairs_under_each_correction(sample: ec.Collection, correction: str) -> None:
    app = open_page(power_view="All pairs", pair_test="t-test", pair_correction=correction, alpha="0.05")
    tests = ec.paired_bootstrap(ec.evaluate(MEASURES[0], sample), 1000)
    share = (corrected_pairs(tests, "t-test", correction)["p"] < 0.05).mean()
    assert metric(app, "told apart") == f"{share:.1%}"


def test_randomised_tukey_needs_no_correction(sample: ec.Collection) -> None:
    app = open_page(power_view="All pairs", pair_test="randomised Tukey HSD", alpha="0.05")
    share = (ec.tukey_p(ec.evaluate(MEASURES[0], sample), 1000)["p"] < 0.05).mean()
    assert metric(app, "told apart") == f"{share:.1%}"
    assert "Correction" not in [one.label for one in app.selectbox]


def test_needed_differences_are_the_librarys(power: pd.DataFrame) -> None:
    app = open_page(power_view="Needed difference", alpha="0.05")
    shown = table(app, 1)
    assert shown["needed"].tolist() == pytest.approx(power["needed_difference"].tolist())
    assert shown["power"].tolist() == pytest.approx(power["power"].tolist())


def test_two_measures_count_all_pairs(sample: ec.Collection) -> None:
    app = open_page(power_view="Two measures", alpha="0.05")
    x, y = (ec.paired_bootstrap(ec.evaluate(text, sample), 1000) for text in MEASURES[:2])
    counts = ec.pair_decisions(x, y, alpha=0.05)["decision"].value_counts()
    assert int(metric(app, "both")) == counts["both"]
    assert int(metric(app, "only nDCG@10")) == counts.get("y only", 0)
    assert len(table(app, 1)) == counts.get("x only", 0)


def test_what_the_top_systems_return_is_the_librarys(sample: ec.Collection) -> None:
    app = open_page(power_view="What the top systems return", top_depth="3", top_sum_depth="20", top_bands="2")
    zero = ec.zero_aspect_documents({"m": ec.evaluate("RBP(rho=0.8)", cut_rankings(sample, 3))}, sample, depth=3)
    last = zero.to_dict("records")[-1]
    in_all = f"{last['zero']:.4g} ({last['share']:.2%})"
    shown = table(app, 1)
    assert shown.columns.tolist() == ["1", "2", "3", "1-3", "unassessed", "documents"]
    assert shown.T["RBP"].tolist()[3:] == [in_all, f"{last['unassessed']:.4g}", "120"]
    sums = ec.label_sums_by_rank({"m": ec.evaluate("RBP(rho=0.8)", cut_rankings(sample, 20))}, sample, None, 20, 2)
    assert table(app, 2).T["RBP"].tolist()[:2] == pytest.approx(sums["mean_sum"].tolist())


def test_an_unknown_pair_in_a_link_falls_back() -> None:
    app = open_page(pair_a="nobody")
    assert not app.exception
    assert any("found nobody" in one.value for one in app.warning)


def test_no_measure_that_fits_is_explained() -> None:
    app = open_page(measures=['uRBP1(aspect="nothing")'])
    assert not app.exception
    assert any("at least two systems and two topics" in one.value for one in app.info)


# --- long work --------------------------------------------------------------------------------------------------------


def works() -> None:
    """A script with two pieces of work that count how often they are done."""
    from typing import Any

    import streamlit as st

    from ui import work

    done = st.session_state.setdefault("done", [])

    def job(name: str) -> Any:
        def run(progress: Any) -> str:
            for step in range(4):
                progress(step / 4)
            done.append(name)
            return name.upper()

        return run

    place = st.session_state.get("place", "first")
    found = work.results("x", "Working", {(place, name): job(name) for name in ("a", "b")})
    st.text(" ".join(sorted(found.values())))


def test_results_are_kept() -> None:
    app = AppTest.from_function(works).run()
    assert app.text[0].value == "A B"
    assert app.run().session_state["done"] == ["a", "b"]


def test_stopped_work_waits_until_told_to_go_on() -> None:
    app = AppTest.from_function(works)
    app.session_state["place"] = "second"
    app.session_state["x stopped"] = [("second", "a"), ("second", "b")]
    app.run()
    assert app.text[0].value == ""
    assert "0 of 2" in app.info[0].value
    app.button(key="x go on").click().run()
    assert app.text[0].value == "A B"
    assert not app.info


def test_a_stop_holds_for_the_same_work_only() -> None:
    app = AppTest.from_function(works)
    app.session_state["place"] = "third"
    app.session_state["x stopped"] = [("second", "a"), ("second", "b")]
    assert app.run().text[0].value == "A B"


def test_slow_work_shows_a_bar_and_a_button(monkeypatch: pytest.MonkeyPatch) -> None:
    from ui import work

    drawn: list[float] = []
    monkeypatch.setattr(work, "PATIENCE", 0.0)
    monkeypatch.setattr(work, "BETWEEN", 0.0)
    monkeypatch.setattr("streamlit.progress", lambda share, text: _Bar(drawn, share))
    app = AppTest.from_function(works)
    app.session_state["place"] = "fourth"
    app.run()
    assert app.text[0].value == "A B"
    assert drawn == [0.0, *np.arange(8) / 8]
    assert not app.button  # gone with the work


class _Bar:
    def __init__(self, drawn: list[float], share: float) -> None:
        self.drawn = drawn
        drawn.append(share)

    def progress(self, share: float, text: str) -> None:
        self.drawn.append(share)
