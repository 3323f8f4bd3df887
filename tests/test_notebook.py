"""Displays in a notebook: short results, formulas, figures of results."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

import evalcore as ec
from evalcore.explain.weightings import means_by_weighting, weightings
from evalcore.labels import pools
from evalcore.measures import CAM, MAep, Walk
from evalcore.navigation.walk_tables import Walkthrough, walkthrough
from evalcore.sensitivity import grid

SAMPLE = Path(__file__).parents[1] / "sample_data" / "health"
MEASURES = ["AP", "uRBP(rho=0.8)", "nDCG@10"]


def as_html(result: Any) -> str:
    text: str = result._repr_html_()
    return text


@pytest.fixture(scope="module")
def c() -> ec.Collection:
    whole = ec.load(SAMPLE, use_cache=False)
    return ec.restrict(whole, list(whole.systems)[:6], list(whole.topics)[:12])


@pytest.fixture(scope="module")
def tables(c: ec.Collection) -> dict[str, pd.DataFrame]:
    return ec.evaluate([ec.parse(text) for text in MEASURES], c)


def a_walk() -> Walkthrough:
    site = ec.load(SAMPLE.parent / "site", use_cache=False)
    return walkthrough(site, MAep(navigation=Walk(stop=0.3)).users, site.topics[0], site.systems[0])


@pytest.fixture(scope="module")
def results(c: ec.Collection, tables: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """One of each result that has a figure, by the name of its class."""
    first, (a, b) = tables["AP"], c.systems[:2]
    judge = next(name for name in c.source_names if name != "assessors")
    made = [
        ec.rank_intervals(first, 200),
        ec.trajectory("RBP(rho=0.5)", "rho", [0.2, 0.5, 0.9], c),
        ec.correlation_matrix(tables),
        ec.paired_bootstrap(first, 200),
        ec.compare_systems(first, a, b, 200),
        ec.claim(f"{a} > {b}", None, c, resamples=200, permutations=99),
        ec.noise_curve("AP", c, levels=(0.0, 0.2), n_draws=5),
        ec.source_agreement(c),
        ec.combine("P@5", c, judge, kept="KeptLabels(share=0.3)"),
        ec.source_rankings("AP", c, n_resamples=99),
        ec.move(first, tables["nDCG@10"], a),
        grid("RBP(rho=0.5)", "rho", [0.2, 0.9], "rel", [1, 2], c),
        pools.rescored("AP", c, pools.without_groups(c, None, 10)),
        a_walk(),
    ]
    return {type(one).__name__: one for one in made}


def test_no_result_with_a_figure_is_forgotten(results: dict[str, Any]) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (SAMPLE.parents[1] / "evalcore").rglob("*.py")]
    assert len(results) == sum(text.count("    def figure(self, **options: Any)") for text in texts)


def test_every_result_has_a_figure_that_plotly_accepts(subtests: pytest.Subtests, results: dict[str, Any]) -> None:
    for name in sorted(results):
        with subtests.test(str(name)):
            figure = ec.plot(results[name])
            assert figure.data
            go.Figure(figure.to_dict())  # checks every property, which the house's own figures leave out
            assert "plotly-graph-div" in figure.to_html(include_plotlyjs=False)


def test_every_result_shows_itself_in_short(subtests: pytest.Subtests, results: dict[str, Any]) -> None:
    for name in sorted(results):
        with subtests.test(str(name)):
            assert len(repr(results[name]).splitlines()) <= 60
            assert len(as_html(results[name])) < 10_000
            assert " at 0x" not in repr(results[name]) + as_html(results[name])


def test_collections_and_their_parts_show_themselves_in_short(c: ec.Collection) -> None:
    known = (*ec.CORRELATIONS.values(), *ec.public_collections().values())
    for one in (c, c.assessments, c.rankings, c.report, ec.specifications(c), *known):
        assert len(repr(one).splitlines()) <= 60
        assert " at 0x" not in repr(one) + as_html(one)


def test_html_of_foreign_names_is_text() -> None:
    from evalcore.data.small_collections import small_collection

    odd = small_collection(pd.DataFrame({"relevance": [1]}, index=["a"]), {"<script>x": ["a"]})
    assert "<script>" not in as_html(odd.rankings) + as_html(odd)


@pytest.fixture(scope="module")
def frames(c: ec.Collection, tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """One of each table that has a figure of its own, by what makes it."""
    x, y = tables["AP"], tables["nDCG@10"]
    return {
        "rank_changes": ec.rank_changes(x.mean(), y.mean()),
        "movers": ec.movers(x.mean(), y.mean()),
        "upper_bounds": ec.upper_bounds("CAM", c.assessments, ["relevance", "credibility"]),
        "zero_aspect_documents": ec.zero_aspect_documents(tables, c),
        "label_sums_by_rank": ec.label_sums_by_rank(tables, c),
    }


def test_tables_have_figures_of_their_own_and_not_those_of_scores(frames: dict[str, pd.DataFrame]) -> None:
    documentation = str(ec.plot.__doc__)
    for name, frame in frames.items():
        figure = ec.plot(frame)
        assert figure.data, name
        assert f"`{name}`" in documentation
        drawn = {trace.name for trace in figure.data}
        assert not drawn & set(frame.columns), name  # no column is taken for a system
        go.Figure(figure.to_dict())


@pytest.mark.parametrize(
    "aspects", [["relevance", "understandability"], ["relevance", "understandability", "credibility"]]
)
def test_who_wins_under_which_weights_is_drawn_with_the_weights_marked(c: ec.Collection, aspects: list[str]) -> None:
    cam, at = CAM(aspects=tuple(aspects)), [0.25, 0.75, 0][: len(aspects)]
    means = means_by_weighting(cam, c.assessments, c.rankings, weightings(len(aspects), 8))
    assert means.index.names == aspects
    figure = ec.plot(means, at=at)
    marked = figure.layout.shapes[-1].x0 if len(aspects) == 2 else figure.data[-1].a[0]
    assert marked == 0.25
    with pytest.raises(ec.InputError, match=f"expected a weight for each of {len(aspects)} aspects, found 1"):
        ec.plot(means, at=[1])


def test_all_measures_over_one(tables: dict[str, pd.DataFrame]) -> None:
    figure = ec.plot(tables, across="AP")
    assert figure.layout.xaxis.title.text.startswith("AP")
    assert "nDCG@10" in str(figure.to_dict())
    with pytest.raises(ec.InputError, match="expected `across` to be one of AP, uRBP"):
        ec.plot(tables, across="MAP")


def test_correlations_of_one_system_are_refused(tables: dict[str, pd.DataFrame]) -> None:
    with pytest.raises(ec.InputError, match="expected at least two systems"):
        ec.plot({name: frame.iloc[:, :1] for name, frame in tables.items()})


def test_tables_that_are_no_scores_are_refused_and_not_drawn_as_such(tables: dict[str, pd.DataFrame]) -> None:
    x, y = tables["AP"], tables["nDCG@10"]
    intervals = ec.correlation_intervals(x, y, n_resamples=20)
    for table in (intervals, ec.discriminative_power(tables, n_resamples=20)):
        with pytest.raises(ec.InputError, match="found a different kind of table"):
            ec.plot(table)


def test_options_are_those_of_the_figure(results, c: ec.Collection) -> None:
    ec.plot(results["RankIntervals"], selected=[c.systems[0]])
    with pytest.raises(ec.InputError, match="expected options of this figure, found 'colour'"):
        ec.plot(results["RankIntervals"], colour="red")


@pytest.mark.parametrize("nothing", [3, {}, {"a": 1}, pd.DataFrame(), pd.DataFrame({"name": ["x"]})])
def test_what_has_no_figure_is_refused(nothing: Any) -> None:
    with pytest.raises(ec.InputError, match="expected"):
        ec.plot(nothing)


def test_without_plotly_the_install_line_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalcore import drawing

    drawing.figures.cache_clear()
    monkeypatch.setitem(sys.modules, "evalcore.figures", None)
    monkeypatch.delattr(ec, "figures", raising=False)
    with pytest.raises(ec.InputError, match=r"pip install 'ir-evalcore\[figures\]'"):
        ec.plot(pd.DataFrame())
