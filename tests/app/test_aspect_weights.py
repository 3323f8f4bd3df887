"""The page Aspect weights, tested without a browser."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from odd_support import write
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import address_of, metric, open_app
from evalcore.data import Collection
from evalcore.explain import upper_bounds
from evalcore.explain.weightings import means_by_weighting, nearest_change, weightings
from evalcore.meta import winner, winners

THREE = '["relevance", "understandability", "credibility"]'


def open_page(**link: object) -> AppTest:
    return open_app("aspect_weights", **link)


def text(app: AppTest) -> str:
    """Return the texts of the page without Markdown markup."""
    return "\n".join(str(one.value) for one in (*app.markdown, *app.caption)).replace("\\", "").replace("**", "")


@pytest.mark.parametrize("weights", [(0.5, 0.5), (1.0, 0.25), (0.0, 1.0)])
def test_the_page_shows_the_weight_at_which_the_winner_changes(
    sample: Collection, weights: tuple[float, float]
) -> None:
    aspect_weights = [f"{name}:{one:g}" for name, one in zip(("relevance", "credibility"), weights, strict=True)]
    app = open_page(aspects=["relevance", "credibility"], weights=aspect_weights)
    measure: Any = ec.parse(f'CAM(nDCG, aspects=["relevance", "credibility"], weights={list(weights)})')
    grid = weightings(2, 200)
    by_weights = means_by_weighting(measure, sample.assessments, sample.rankings, grid)
    firsts = by_weights.columns.get_indexer(pd.Index(winners(by_weights)))
    now = sample.systems.index(winner(ec.evaluate(measure, sample).mean()))
    moved, where = nearest_change(grid, firsts, measure.shares, now) or (0, np.zeros(2))
    assert metric(app, "weight to move") == f"{moved:.1%}"
    assert metric(app, "winners") == str(len(set(firsts)))
    assert f"A different system wins at relevance {where[0]:.0%}, credibility {where[1]:.0%}" in text(app)
    share = weights[0] / sum(weights)
    assert f"Shares: relevance {share:.0%}, credibility {1 - share:.0%}" in text(app)


def test_a_weight_moves_the_winner(sample: Collection) -> None:
    app = open_page()
    app.slider(key="aspect_weights.weights.relevance").set_value(0.0).run()
    app.slider(key="aspect_weights.weights.credibility").set_value(0.0).run()
    means = ec.evaluate('nDCG(aspect="understandability")', sample).mean()
    assert f"{means.idxmax()} ({means.max():.4f}) " in text(app)


@pytest.mark.parametrize("view", ["Scatter", "Ranks", "Along one parameter", "Map of two", "Weights"])
@pytest.mark.parametrize("base", ["nDCG", "AP", "RBP(rho=0.8)", "ERR@20", "Compat", "nDCG@3"])
def test_every_view_works_with_every_kind_of_base(view: str, base: str) -> None:
    app = open_page(look=view, base=base)
    assert not app.exception
    assert not app.error
    assert not app.warning


def test_any_registered_measure_of_one_aspect_is_offered_and_no_other() -> None:
    offered = open_page().selectbox(key="aspect_weights.base").options
    assert {"nDCG", "AP", "DCG", "Rprec", "Compat", "ERR@20", "RBP, ρ = .95"} <= set(offered)
    assert not [one for one in offered if one.startswith(("CAM", "uRBP", "EffortTo"))]


@pytest.mark.parametrize("base", ["uRBP", "CAM", "EffortTo"])
def test_a_base_that_reads_several_aspects_is_refused(base: str) -> None:
    app = open_page(base=base)
    assert "a measure of one aspect (such as nDCG@10)" in app.warning[0].value.replace("\\", "")
    assert app.selectbox(key="aspect_weights.base").value == "nDCG"


@pytest.mark.parametrize("aspects", [["relevance", "fog"], ["relevance", "credibility"], ["credibility"], []])
def test_any_choice_of_aspects_can_be_shown(aspects: list[str]) -> None:
    app = open_page(aspects=aspects)
    assert not app.exception
    shown = app.multiselect(key="aspect_weights.aspects").value
    assert len(shown) >= 2
    weighed = shown if len(shown) > 2 else shown[:1]  # two aspects have one slider: the other aspect has the rest
    assert [slider.label for slider in app.slider if slider.label.startswith("Weight of")] == [
        f"Weight of {one}" for one in weighed
    ]


@pytest.mark.parametrize(
    ("weights", "share"),
    [(["relevance:0.1"], 1 / 6), (["relevance:0.2", "credibility:0.8"], 0.2), (["relevance:0", "credibility:0"], 0.5)],
)
def test_a_link_with_two_weights_opens_with_their_share(sample: Collection, weights: list[str], share: float) -> None:
    aspects = ["relevance", "credibility"]
    app = open_page(aspects=aspects, weights=weights)
    assert app.slider(key="aspect_weights.weights.relevance").value == pytest.approx(share)
    measure = f'CAM(nDCG, aspects=["relevance", "credibility"], weights=[{share}, {1 - share}])'
    assert f"{ec.evaluate(measure, sample).mean().max():.4f}" in text(app)


def test_one_slider_moves_both_weights() -> None:
    app = open_page(aspects=["relevance", "credibility"])
    app.slider(key="aspect_weights.weights.relevance").set_value(0.15).run()
    assert "Shares: relevance 15%, credibility 85%" in text(app)
    assert address_of(app)["aspect_weights.weights"] == ["relevance:0.15", "credibility:0.85"]


def test_weights_that_are_all_0_are_explained(sample: Collection) -> None:
    app = open_page(weights=["relevance:0", "understandability:0", "credibility:0"])
    assert not app.exception
    assert "equal weights are used" in text(app)
    assert f"{ec.evaluate(f'CAM(nDCG, aspects={THREE})', sample).mean().max():.4f}" in text(app)


def test_h_of_rbp_has_a_free_threshold_and_persistence(sample: Collection) -> None:
    """H_RBP(rho) of Palotti et al. 2018, with any rho and any threshold U of understandability."""
    aspects = ["relevance", "understandability"]
    asked: dict[str, Any] = {"aspects": aspects, "mean": "MM", "base": "RBP", "rho": 0.6}
    app = open_page(**asked, positive="set by hand", borders=["understandability:2"])
    parts = 'RBP(rho=0.6, rel=1), RBP(rho=0.6, rel=2, aspect="understandability")'
    means = ec.evaluate(f'MM([{parts}], aspects=["relevance", "understandability"])', sample).mean()
    assert f"{means.idxmax()} ({means.max():.4f}) " in text(app)
    assert "aspect_weights.rho" not in [slider.key for slider in open_page().slider]


@pytest.mark.parametrize("other", ["MM", "nDCG(aspect='credibility')", "AP"])
def test_a_mean_can_be_compared_with_any_measure(sample: Collection, other: str) -> None:
    other = f"MM(nDCG, aspects={THREE})" if other == "MM" else other
    app = open_page(look="Scatter", other=other, weights=["relevance:1"])
    measure = f"CAM(nDCG, aspects={THREE}, weights=[1, 0.5, 0.5])"
    x, y = (ec.evaluate(one, sample).mean() for one in (other, measure))
    assert metric(app, "τ") == f"{ec.tau(x, y):.3f}"
    assert metric(app, "τ_AP") == f"{ec.tau_ap(y, x):.3f}"


def test_the_ranks_by_a_mean_and_by_each_aspect(sample: Collection) -> None:
    app = open_page(look="Ranks", mean="GM", weights=["relevance:1"])
    table = next(one.value for one in app.dataframe if "unassessed@10" in one.value)
    measure = f"GM(nDCG, aspects={THREE}, weights=[1, 0.5, 0.5])"
    for one in (measure, *(f'nDCG(aspect="{name}")' for name in ("understandability", "credibility")), "nDCG"):
        expected, name = ec.evaluate(one, sample).mean(), str(ec.parse(one))
        assert table[name].to_dict() == pytest.approx(expected.to_dict())
        assert table[f"rank by {name}"].to_dict() == ec.ranks(expected).to_dict()
    assert table[f"rank by {ec.parse(measure)}"].is_monotonic_increasing


@pytest.mark.parametrize("weights", [[], ["relevance:0"]])
def test_a_mean_is_defined_if_an_aspect_scores_0(sample: Collection, weights: list[str]) -> None:
    app = open_page(base="P@10", weights=weights)
    measure: Any = ec.parse(f"MM(P@10, aspects={THREE}, weights={[0 if weights else 0.5, 0.5, 0.5]})")
    parts = measure.part_scores(sample.assessments, sample.rankings)
    table = next(one.value for one in app.dataframe if "MM is 0" in one.value)
    assert f"In {(parts == 0).any(axis=0).mean():.1%} of {parts[0].size:,} rankings some aspect scores 0." in text(app)
    assert table["MM is 0"].to_dict() == pytest.approx((ec.evaluate(measure, sample) == 0).mean().to_dict())
    expected = dict(zip(sample.systems, (parts[2] == 0).mean(axis=1), strict=True))
    assert table["credibility is 0"].to_dict() == pytest.approx(expected)


@pytest.mark.parametrize("base", ["nDCG", "RBP(rho=0.5)"])
def test_upper_bounds_of_the_means_are_shown(sample: Collection, base: str) -> None:
    app = open_page(base=base)
    names = ("relevance", "understandability", "credibility")
    best = upper_bounds(f"CAM({base}, aspects={THREE})", sample.assessments, names).max(axis=1)
    assert (
        f"A ranking can reach 1 on {(best > 1 - 1e-9).mean():.0%} of the topics. On {(best < 0.9).mean():.0%}"
        in text(app)
    )
    assert f"the lowest maximum is {best.min():.3f} (topic {best.idxmin()})" in text(app)


def test_too_many_aspects_for_the_figure_are_explained(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "odd", "1 to 5")
    for name in ("trust", "time"):
        (folder / f"q{name}.txt").write_text(
            "".join(f"{t} 0 {d} {at % 3}\n" for t in (1, 2) for at, d in enumerate("abcdefgh"))
        )
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = open_page(aspects=ec.load(folder).aspects)
    assert not app.exception
    assert "Share of weightings won by each system, out of 455 weightings of 4 aspects" in text(app)  # 15 over 3
    assert app.dataframe[0].value["share of weightings won"].sum() == pytest.approx(1)
    assert "If more than one system wins" in text(app)


def test_equal_scores_are_reported_as_a_tie(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(write(tmp_path / "odd", "nothing judged"))])
    app = open_page()
    assert not app.exception
    assert "all 4 systems are tied" in text(app)
    assert "No weighting changes the winner." in text(app)
    assert metric(app, "weight to move") == "none"
