"""The pages Pairs, Topics needed and Top documents of Rank, tested without a browser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, metric, open_app
from evalcore.figures.draw import score_text
from evalcore.measures import short_names
from evalcore.meta import best_first, corrected_pairs
from ui.discriminative_power.pair_settings import Power
from ui.screen.text import markdown

MEASURES = ["RBP(rho=0.8)", "nDCG@10", "MM(nDCG@10)"]


def open_page(page: str = "discriminative_power", **link: str | list[str]) -> AppTest:
    return open_app(page, **{"measures": MEASURES, "resamples": "1,000", **link})


def table(app: AppTest, at: int) -> pd.DataFrame:
    """Return one table of a page; tables are numbered from top to bottom."""
    frame: pd.DataFrame = app.dataframe[at].value
    return frame


@pytest.mark.parametrize("page", ["discriminative_power", "topics_needed", "top_documents"])
@pytest.mark.parametrize("measures", [MEASURES, ["AP"], ["AP", "AP", "nDCG@10"]])
def test_every_view_of_power_opens(page: str, measures: list[str]) -> None:
    app = open_page(page, measures=measures)
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize(
    ("test", "correction"),
    [*(("t-test", one) for one in ("none", "Bonferroni", "Holm", "Benjamini-Hochberg")), ("Wilcoxon", "Holm")],
)
def test_all_pairs_under_each_correction(sample: ec.Collection, test: str, correction: str) -> None:
    app = open_page(test=test, correction=correction, alpha="0.05")
    tests = ec.paired_bootstrap(ec.evaluate(MEASURES[0], sample), 1000)
    share = (corrected_pairs(tests, test, correction)["p"] < 0.05).mean()
    assert metric(app, "significant pairs") == f"{share:.1%}"


def test_randomised_tukey_needs_no_correction(sample: ec.Collection) -> None:
    app = open_page(test="randomised Tukey HSD", alpha="0.05")
    share = (ec.tukey_p(ec.evaluate(MEASURES[0], sample), 1000)["p"] < 0.05).mean()
    assert metric(app, "significant pairs") == f"{share:.1%}"
    assert "Correction" not in [selectbox.label for selectbox in app.selectbox]


# --- every sentence and table agrees with the library -----------------------------------------------------------------

SAMPLES = {"sample data": ROOT / "sample_data" / "health", "navigation sample": ROOT / "sample_data" / "site"}
COMPARED = {"sample data": MEASURES, "navigation sample": ["AP", "EffortTo", "P@10"]}


def text_with(app: AppTest, part: str) -> str:
    return next(one.value for one in [*app.markdown, *app.caption] if part in one.value)


@pytest.fixture(scope="module", params=list(SAMPLES))
def case(request: pytest.FixtureRequest) -> tuple[str, dict[str, pd.DataFrame]]:
    return request.param, ec.evaluate(COMPARED[request.param], ec.load(SAMPLES[request.param]))


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.2])
def test_the_headline_names_the_most_and_least_powerful_measure(
    case: tuple[str, dict[str, pd.DataFrame]], alpha: float
) -> None:
    name, scores = case
    tests = {text: ec.paired_bootstrap(frame, 1000) for text, frame in scores.items()}
    powers = {text: one.power(alpha) for text, one in tests.items()}
    names = {text: markdown(short) for text, short in short_names(scores).items()}
    best, worst = max(powers, key=lambda one: powers[one]), min(powers, key=lambda one: powers[one])
    pairs = len(tests[best].pairs)
    expected = f"**{names[best]}** separates **{powers[best]:.1%}** of {pairs} pairs"
    if powers[worst] < powers[best]:
        expected += f", **{names[worst]}** {powers[worst]:.1%}"
    app = open_page(data=name, measures=COMPARED[name], alpha=f"{alpha:g}", correction="none")
    assert text_with(app, "separates") == f"{expected} at α = {alpha:g}."
    shown = table(app, 0)
    assert list(shown.columns) == ["measure", "power"]
    assert shown["power"].tolist() == pytest.approx(sorted((100 * one for one in powers.values()), reverse=True))


@pytest.mark.parametrize("alpha", [0.001, 0.2])
def test_one_pair_is_described_in_a_sentence(case: tuple[str, dict[str, pd.DataFrame]], alpha: float) -> None:
    name, scores = case
    text = COMPARED[name][0]
    a, b = best_first(scores[text].mean()).index[:2]
    pair = ec.compare_systems(scores[text], a, b, 1000)
    wins, losses = int((pair.differences > 0).sum()), int((pair.differences < 0).sum())
    app = open_page(data=name, measures=COMPARED[name], alpha=f"{alpha:g}")
    topics = "1 topic" if wins == 1 else f"{wins} topics"
    assert text_with(app, "is better on") == (
        f"Under {markdown(text)}, {markdown(a)} is better on {topics}, {markdown(b)} on {losses}. "
        f"Mean difference {score_text(pair.mean, sign='+')}, 95% interval {pair.low:+.4f} to {pair.high:+.4f} "
        "(dashed line and band)."
    )
    assert "are corrected with Benjamini-Hochberg for all" in text_with(app, "p (permutation)")


def test_choosing_the_same_system_twice_moves_to_the_next(sample: ec.Collection) -> None:
    best = best_first(ec.evaluate(MEASURES[0], sample).mean()).index
    page = Power.read(sample, {"discriminative_power.measures": MEASURES, "discriminative_power.a": [str(best[1])]})
    assert page.pair == (best[1], best[0])


def test_pairs_are_listed_by_significance(sample: ec.Collection) -> None:
    listed = corrected_pairs(ec.paired_bootstrap(ec.evaluate("nDCG@10", sample), 1000), "t-test", "Holm")
    app = open_page(measure="nDCG@10", test="t-test", correction="Holm", alpha="0.05")
    shown = table(app, 3)
    assert list(shown.columns) == ["system_a", "system_b", "difference", "p", "significant"]
    assert shown["p"].tolist() == pytest.approx(sorted(listed["p"]))
    assert shown["significant"].sum() == (listed["p"] < 0.05).sum()


def test_an_equivalence_margin_adds_a_sentence_and_columns(sample: ec.Collection) -> None:
    tests = ec.paired_bootstrap(ec.evaluate("AP", sample), 1000)
    app = open_page(measures=["AP"], margin="0.1", alpha="0.05")
    found = corrected_pairs(tests, "bootstrap", "Benjamini-Hochberg", 0.1)
    assert metric(app, "equivalent pairs") == f"{(found['p_equivalent'] < 0.05).mean():.1%}"
    assert {"p_equivalent", "equivalent"} <= set(table(app, 3))


@pytest.mark.parametrize(("resamples", "warned"), [("1,000", True), ("100,000", False)])
def test_too_few_resamples_for_a_correction_give_a_warning(resamples: str, warned: bool) -> None:
    app = open_page(resamples=resamples, correction="Bonferroni", alpha="0.02", measures=["AP"], best="10")
    assert any("it may exceed α" in caption.value for caption in app.caption) == warned  # 45 pairs / 1,000 = .045


def test_bands_of_label_sums_end_at_the_chosen_depth(sample: ec.Collection) -> None:
    page = Power.read(sample, {}).with_(sum_depth=4, bands=10)
    assert page.bands == 4
    assert "from 1 to 4" in page.misfits[0]


def test_systems_share_a_letter_exactly_where_their_pair_does_not_differ(sample: ec.Collection) -> None:
    pairs = corrected_pairs(ec.paired_bootstrap(ec.evaluate("AP", sample), 1000), "t-test", "Holm")
    app = open_page(measures=["AP"], test="t-test", correction="Holm", alpha="0.05")
    letters = {system: set(text.split()) for system, text in table(app, 1)["letters"].items()}
    assert list(letters) == list(best_first(ec.evaluate("AP", sample).mean()).index)
    for a, b, p in pairs[["system_a", "system_b", "p"]].itertuples(index=False):
        assert bool(letters[a] & letters[b]) == (p >= 0.05)


# --- long work --------------------------------------------------------------------------------------------------------


def works() -> None:
    """Script with two jobs that count how often they run."""
    from typing import Any

    import streamlit as st

    from ui.computing import work

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


def test_stopped_work_waits_until_it_is_resumed() -> None:
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
    from ui.computing import work

    drawn: list[float] = []
    for name in ("STEP", "PATIENCE"):
        monkeypatch.setattr(work, name, 0.0)
    monkeypatch.setattr(work, "BETWEEN", 0.0)
    monkeypatch.setattr(work, "STEP", 0.0)
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


@pytest.mark.parametrize(("shared", "refused"), [(0, True), (1, True), (2, False)])
def test_a_pair_is_tested_on_the_topics_that_both_have(
    shared: int, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both systems retrieve documents for four topics, and for `shared` of them both do."""
    topics = {"one": range(1, 5), "two": range(5 - shared, 9 - shared)}
    (tmp_path / "runs").mkdir()
    for at, (name, found) in enumerate(topics.items()):
        lines = [f"{topic} Q0 {'abc'[(topic + at + k) % 3]} {k} {9 - k} {name}" for topic in found for k in range(1, 4)]
        (tmp_path / "runs" / f"{name}.run").write_text("\n".join(lines))
    (tmp_path / "runs" / "all.run").write_text("\n".join(f"{topic} Q0 a 1 1 all" for topic in range(1, 9)))
    grades = [(topic, document, "abc".index(document)) for topic in range(1, 9) for document in "abc"]
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in grades))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    app = open_page(measures=["nDCG"], a="one", b="two", average="retrieved")
    assert not app.exception
    info = f"A test needs two topics that both systems have; these two systems share {shared}."
    assert (info in [one.value for one in app.info]) == refused
    if not refused:
        a, b = (ec.evaluate("nDCG", app.session_state["open collection"])[name] for name in ("one", "two"))
        gap = (a - b).dropna()
        assert len(gap) == shared
        assert f"better on {(gap > 0).sum()} topic" in text_with(app, "Under nDCG, ")
        assert f"Mean difference {score_text(gap.mean(), sign='+')}" in text_with(app, "Under nDCG, ")


def test_few_topics_with_coarse_scores_get_a_note_on_corrections() -> None:
    few = ["q01", "q03", "q04", "q06"]
    app = open_page(ontopics=few, measures=["P@5"], test="t-test", correction="Benjamini-Hochberg", alpha="0.2")
    (note,) = [text.value for text in app.caption if "signs of" in text.value]
    assert "The signs of 4 topics can be flipped in 16 ways" in note
    # a correction that controls the false discovery rate may find some on any number of topics
    assert "none" not in note
