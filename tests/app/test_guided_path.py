"""The guided path, run without a browser: its answers are recomputed here by slow, obvious means."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from odd_support import write
from python_support import run, snippet
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import assert_a_report_can_set, metric, open_app, reopened, shown_items
from evalcore.data import Collection, Scale
from evalcore.data.small import small_collection
from evalcore.explain import upper_bounds
from evalcore.explain.browsing import hand_walk
from evalcore.measures import Browse, ep
from evalcore.measures.rbp import ranks_holding
from evalcore.papers.browsing_example import SYSTEM, example
from ui.guided_path import LESSONS, browsing, combining, correlation, ideal
from ui.guided_path.base import a_readability, lacks_a_readability, lacks_an_aspect, lacks_relevance, second_aspect

NAMES = [lesson.name for lesson in LESSONS]


def answer(app: AppTest) -> str:
    """The answer, without its links and as it reads."""
    text = next(expander for expander in app.main.expander if expander.label == "Answer").markdown[0].value
    return re.sub(r"\[(.*?)\]\(/glossary.*?\"\)", r"\1", str(text)).replace("\\", "").replace("*", "")


def step(at: int, **link: object) -> AppTest:
    return open_app("guided_path", step=NAMES[at - 1], **link)


# --- the path ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", range(1, len(LESSONS) + 1))
def test_every_step_has_a_question_a_figure_and_an_answer(at: int) -> None:
    app = step(at)
    assert not app.exception
    assert not app.error
    assert not app.warning
    assert app.title[0].value == "What does a measure believe about its reader?"
    assert app.header[0].value == LESSONS[at - 1].title
    assert LESSONS[at - 1].question in [str(text.value).strip("*") for text in app.markdown]
    assert answer(app)
    assert_a_report_can_set(one.value for one in app.latex)


def test_back_and_next_walk_the_path() -> None:
    app = open_app("guided_path")
    assert app.button_group(key="guided_path.step").value == NAMES[0]
    assert next(button for button in app.button if button.label == "Back").disabled
    for name in NAMES[1:]:
        next(button for button in app.button if button.label == "Next").click().run()
        assert app.button_group(key="guided_path.step").value == name
    assert next(button for button in app.button if button.label == "Next").disabled
    next(button for button in app.button if button.label == "Back").click().run()
    assert app.button_group(key="guided_path.step").value == NAMES[-2]


def test_a_link_with_an_unknown_step_starts_at_the_first_with_a_warning() -> None:
    app = open_app("guided_path", step="8 Fame")
    assert app.header[0].value == LESSONS[0].title
    assert "one of 1 Reader" in app.warning[0].value


@pytest.mark.parametrize("lesson", LESSONS, ids=NAMES)
def test_a_step_leads_to_a_page(lesson: object) -> None:
    assert (Path(__file__).parents[2] / "pages" / f"{lesson.page}.py").is_file()  # type: ignore[attr-defined]


def test_the_sample_is_used_whatever_is_open_unless_asked() -> None:
    app = step(1, ontopics="q02")
    assert metric(app, "RBP of this ranking") == metric(step(1), "RBP of this ranking")
    app.toggle(key="guided_path.own").set_value(True).run()
    assert not app.exception
    assert app.selectbox(key="guided_path.topic").options == ["q02"]


def test_the_sample_itself_offers_no_choice() -> None:
    assert "guided_path.own" not in [toggle.key for toggle in step(1).toggle]


def test_what_a_collection_lacks_is_named() -> None:
    runs = {name: ["a", "b"] for name in "xyz"}
    labels = pd.DataFrame({"relevance": [1, 0], "ease": [2, 1], "fog": [8.0, 12.0]}, index=["a", "b"])
    fog = Scale("fog", kind="signal", good="low")
    full = small_collection(labels, runs, [fog])
    assert [lacks(full) for lacks in (lacks_relevance, lacks_an_aspect, lacks_a_readability)] == ["", "", ""]
    assert (second_aspect(full), a_readability(full)) == ("ease", "fog")
    alone = small_collection(labels[["relevance"]], runs)
    assert lacks_relevance(alone) == ""
    assert "second aspect" in lacks_an_aspect(alone)
    assert "FOG" in lacks_a_readability(alone)
    assert "relevance" in lacks_relevance(small_collection(labels[["ease"]], runs))
    assert "three systems" in lacks_relevance(small_collection(labels, {"x": ["a"]}))


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["nothing relevant", "all the same", "0 to 100"])
@pytest.mark.parametrize("at", range(1, len(LESSONS) + 1))
def test_every_step_works_on_data_of_ones_own(
    shape: str, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(write(tmp_path / "odd", shape))])
    app = step(at, own="true")
    assert not app.exception
    assert not app.error
    assert answer(app)


def test_another_step_leaves_the_settings_of_this_one_behind_but_not_the_choice_of_data() -> None:
    app = step(1, ontopics="q02", own="true", rho="0.5")
    next(button for button in app.button if button.label == "Next").click().run()
    assert not app.warning
    assert app.toggle(key="guided_path.own").value
    assert "guided_path.rho" not in app.query_params


def test_the_address_holds_the_step_and_its_settings() -> None:
    app = step(2)
    app.selectbox(key="guided_path.understood").set_value(3).run()
    app.selectbox(key="guided_path.alike").set_value(app.selectbox(key="guided_path.alike").options[-1]).run()
    again = reopened(app, "guided_path")
    assert answer(again) == answer(app) != answer(step(2))


@pytest.mark.slow
@pytest.mark.parametrize("own", ["false", "true"])
def test_as_python_gives_every_number(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def of(at: int, **link: object) -> tuple[AppTest, dict[str, Any]]:
        app = step(at, own=own, like="bm25*, dense*, plain*", **link)
        return app, run(snippet(app), monkeypatch)

    app, names = of(1, rho="0.5")
    assert metric(app, "RBP of this ranking") == f"{names['score']:.3f}"
    assert metric(app, "documents read on average") == f"{names['documents_read']:.3g}"
    app, names = of(2)
    (a, (x_a, y_a)), (b, (x_b, y_b)) = names["pair"].items()
    assert f"{a}: RBP gives it {x_a:.3f} and {b} {x_b:.3f}, uRBP {y_a:.3f} and {y_b:.3f}." in answer(app)
    assert names["first"][0] in answer(app)
    app, names = of(3, threshold="12")
    assert f"the step swaps {names['step_swaps']} pair" in answer(app)
    assert f"RBP is {names['step_tau']:.3f} (step) and {names['smooth_tau']:.3f} (smooth)" in answer(app)
    app, names = of(4, weight="0.8")
    assert f"give {names['table'].loc['CAM'].iloc[0]:.2f} to both" in answer(app)
    assert f"agree to τ = {names['tau']:.2f}," in answer(app)
    app, names = of(5, measure="MM")
    assert f"(τ of the two rankings: {names['tau']:.3f})" in answer(app)
    assert answer(app).startswith(names["first"][0])
    app, names = of(8, level="0.1")
    assert metric(app, "τ") == f"{names['tau_here']:.3f}"
    assert f"τ with its ranking is {names['judges_tau']:.3f}" in answer(app)
    app, names = of(6, event="tie", place="2")
    assert (metric(app, "τ"), metric(app, "τ_AP")) == (f"{names['tau']:.3f}", f"{names['tau_ap']:.3f}")
    assert f"agree to τ = {names['real_tau']:.3f}" in answer(app)


# --- the answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rho", [0.01, 0.3, 0.5, 0.8, 0.93, 0.99])
def test_half_of_the_weight_is_where_a_loop_finds_it(rho: float) -> None:
    k, held = 0, 0.0
    while held < 0.5 - 1e-12:
        held += (1 - rho) * rho**k
        k += 1
    assert ranks_holding(0.5, rho) == k
    numbers = re.findall(r"[\d.]+", answer(step(1, rho=f"{rho:g}")))
    assert (numbers[0] if k > 1 else "1") == str(k)
    assert f"{100 * held:.0f}" in numbers
    assert f"{1 / (1 - rho):.3g}" in numbers


@pytest.mark.parametrize("rho", [0.5, 0.8, 0.95])
def test_the_ranking_stays_when_the_reader_changes(sample: Collection, rho: float) -> None:
    """That of the best system by RBP(rho=0.8): at ρ = .95 another one leads, and a score could rise for that alone."""
    best = ec.evaluate("RBP(rho=0.8)", sample).mean().idxmax()
    app = step(1, rho=f"{rho:g}", topic="q07")
    assert app.selectbox(key="guided_path.system").value == best
    assert metric(app, "RBP of this ranking") == f"{ec.evaluate(f'RBP(rho={rho!r})', sample)[best]['q07']:.3f}"
    assert metric(app, "documents read on average") == f"{1 / (1 - rho):.3g}"


@pytest.mark.parametrize("topic", ["q01", "q07"])
def test_the_blue_bars_times_what_is_left_are_rbp(sample: Collection, topic: str) -> None:
    app = step(1, rho="0.5", topic=topic)
    scores = ec.evaluate("RBP(rho=0.5)", sample)
    system = ec.evaluate("RBP(rho=0.8)", sample).mean().idxmax()
    ((_, figure),) = shown_items(app)
    bars = {trace.name: dict(zip(trace.x, trace.y, strict=True)) for trace in figure.data if trace.type == "bar"}
    # What lies beyond the 20 ranks shown weighs .5 to the power 20.
    assert 0.5 * sum(bars["relevant"].values()) == pytest.approx(scores[system][topic], abs=0.5**20)
    assert sorted(rank for ranks in bars.values() for rank in ranks) == list(range(1, 21))


def test_what_only_uRBP_tells_apart(sample: Collection) -> None:
    app = step(2, alike="plain_rerank3 and dense_multi")
    x, y = (ec.evaluate(text, sample).mean() for text in ("RBP(rho=0.8)", "uRBP(rho=0.8, threshold=2)"))
    a, b = "plain_rerank3", "dense_multi"
    assert abs(x[a] - x[b]) <= 0.01  # sample_data/README.md
    expected = f"{a}: RBP gives it {x[a]:.3f} and {b} {x[b]:.3f}, uRBP {y[a]:.3f} and {y[b]:.3f}."
    assert answer(app).startswith(expected)
    assert f"{100 * y[a] / x[a]:.0f}% and {100 * y[b] / x[b]:.0f}%" in answer(app)
    assert "expert_large is first by RBP, plain_rerank3 by uRBP" in answer(app)


def test_asking_for_very_easy_pages_changes_the_answer() -> None:
    assert answer(step(2)) != answer(step(2, understood="very easy"))


@pytest.mark.parametrize("understood", ["somewhat hard", "somewhat easy", "very easy"])
def test_the_pair_stays_when_another_border_is_set(understood: str) -> None:
    app = step(2, alike="plain_rerank3 and dense_multi", understood=understood)
    assert not app.warning
    assert app.selectbox(key="guided_path.alike").options == step(2).selectbox(key="guided_path.alike").options
    for name in ("plain_rerank3", "dense_multi"):
        assert name in answer(app)


def test_without_equals_the_nearest_pair_is_taken() -> None:
    from ui.guided_path.aspects import nearest_pair

    x, y = pd.Series({"a": 0.1, "b": 0.5, "c": 0.55}), pd.Series({"a": 0.1, "b": 0.2, "c": 0.1})
    assert nearest_pair(x, y).values.tolist() == [["b", "c"]]


def swaps(x: pd.Series, y: pd.Series) -> int:
    return sum((x[a] - x[b]) * (y[a] - y[b]) < 0 for a, b in combinations(x.index, 2))


@pytest.mark.parametrize("threshold", [10.0, 15.0])
def test_pairs_swapped_by_a_moving_threshold(sample: Collection, threshold: float) -> None:
    expected = []
    for name in ("uRBP1", "uRBP2"):
        low, high = (
            ec.evaluate(f"{name}(rho=0.8, threshold={threshold + aside})", sample).mean().round(12) for aside in (-1, 1)
        )
        expected.append(swaps(low, high))
    text = answer(step(3, threshold=f"{threshold:g}"))
    which = "The smooth border" if expected[1] < expected[0] else "The step"
    assert text.startswith(f"{which}: from {threshold - 1:g} to {threshold + 1:g} the step swaps {expected[0]} pairs")
    assert f"smooth border {expected[1]}, as the gains of relevant documents" in text


@pytest.mark.parametrize(("threshold", "why"), [(5, "as"), (10, "as"), (20, "as"), (23, "although")])
def test_why_a_border_changes_the_ranking_less_is_what_its_gains_do(threshold: float, why: str) -> None:
    """At 23 hardly any document passes, and the step still swaps more pairs: what explains 5 to 20 does not there."""
    assert f", {why} the gains of relevant documents change by" in answer(step(3, threshold=threshold))


def test_from_the_hardest_document_on_the_step_is_RBP(sample: Collection) -> None:
    end = float(re.findall(r"From ([\d.]+) on all is understood", answer(step(3)))[0])
    at_end, before = (ec.evaluate(f"uRBP1(rho=0.8, threshold={one})", sample).mean() for one in (end, end - 0.5))
    rbp = ec.evaluate("RBP(rho=0.8)", sample).mean()
    assert (at_end - rbp).abs().max() < 1e-12
    assert (before - rbp).abs().max() > 1e-6


@pytest.mark.parametrize("weight", ["0.05", "0.5", "0.8", "0.95"])
@pytest.mark.parametrize(("good", "prefers"), [("both aspects", "A"), ("any aspect", "B")])
def test_no_weight_lets_means_of_scores_see_documents(weight: str, good: str, prefers: str) -> None:
    text = answer(step(4, weight=weight, good=good))
    assert "so CAM and MM give 0.50 to both" in text  # one of two relevant, one of two readable
    assert f"TOMA prefers {prefers}." in text


def test_the_two_rankings_by_hand() -> None:
    example = small_collection(combining.LABELS, combining.RANKINGS)
    scores = {name: ec.evaluate(one, example).iloc[0] for name, one in combining.measures_of(0.3, "any aspect").items()}
    assert scores["Product"].tolist() == [0.5, 0.0]
    assert scores["TOMA"].tolist() == [0.5, 1.0]
    assert scores["CAM"].tolist() == pytest.approx([0.5, 0.5])


def test_dcg_divided_by_its_ideal_is_ndcg(sample: Collection) -> None:
    measure = ideal.measures("understandability")["DCG"]
    best = upper_bounds(measure, sample.assessments, ["relevance", "understandability"]).max(axis=1)
    divided = ec.evaluate(measure, sample).div(best, axis=0)
    pd.testing.assert_frame_equal(divided, ec.evaluate("nDCG", sample), rtol=1e-12)
    assert "Divided by the best, fusion_hybrid is first" in answer(step(5))
    assert divided.mean().idxmax() == "fusion_hybrid"


def test_the_limit_of_rbp_counts_the_relevant_documents(sample: Collection) -> None:
    measure = ideal.measures("understandability")["RBP"]
    best = upper_bounds(measure, sample.assessments, ["relevance", "understandability"]).max(axis=1)
    pool = sample.assessments.frame()
    relevant = pool[pool["relevance"] >= 1].groupby("topic").size()
    assert best.to_dict() == pytest.approx((1 - 0.8**relevant).to_dict())
    limits = re.findall(r"\(limits from ([\d.]+) to ([\d.]+)\)", answer(step(5, measure="RBP")))[0]
    assert [float(limit) for limit in limits] == pytest.approx([best.min(), best.max()], abs=0.005)
    assert float(limits[1]) < 1  # which no list reaches


@pytest.mark.parametrize("name", ["CAM", "MM"])
def test_no_topic_allows_a_perfect_mean_of_aspects(name: str) -> None:
    text = answer(step(5, measure=name, divided="true"))
    assert f"No topic allows a 1 by {name}" in text
    assert "stays first" in text


@pytest.mark.parametrize("place", [1, 4, 7])
def test_a_swap_costs_by_its_place(place: int) -> None:
    n = correlation.BEST
    app = step(6, place=str(place))
    # One pair of n (n - 1) / 2 is discordant; down the list only place k + 1 misses one of its k.
    assert metric(app, "τ") == f"{1 - 4 / (n * (n - 1)):.3f}"
    assert metric(app, "τ_AP") == f"{1 - 2 / ((n - 1) * place):.3f}"
    assert ("large" in metric(app, "first")) == (place > 1)


def test_a_tie_is_no_disagreement() -> None:
    app = step(6, event="tie", place="1")
    pairs = correlation.BEST * (correlation.BEST - 1) / 2
    assert metric(app, "τ") == f"{(pairs - 1) / (pairs * (pairs - 1)) ** 0.5:.3f}"
    assert metric(app, "first") == "2 tied"
    assert f"τ_a, over all {pairs:g} pairs, {(pairs - 1) / pairs:.3f}" in answer(app)


def test_rankings_that_agree_may_have_different_winners(sample: Collection) -> None:
    x, y = (ec.evaluate(text, sample).mean() for text in ("RBP(rho=0.8)", "nDCG"))
    assert ec.tau(x, y) > 0.9
    assert x.idxmax() != y.idxmax()
    expected = f"τ = {ec.tau(x, y):.3f}, yet {x.idxmax()} is first by RBP, {y.idxmax()} by nDCG."
    assert answer(step(6)).endswith(expected)


def test_a_page_that_one_comes_back_to_keeps_what_it_added() -> None:
    """Section 6.1: d3 is found by a link, left, and consulted as a result, which adds nothing more."""
    steps = ["next", "follow:d3", "back", "next", "next", "stop"]
    walk = hand_walk(example(), ep(navigation=Browse()).users, "topic", SYSTEM, steps)
    news = browsing.added(walk)
    assert news == ["", "", "gain 1", "", "", "", ""]
    assert browsing.at_first(walk, news) == {"d1": "", "d2": "", "d3": "gain 1"}
