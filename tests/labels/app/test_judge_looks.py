"""Views of the effect of other labels on the ranking: their sentences, and the Python code that recomputes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from labels.judges.made import judged, of_teams
from sources_support import with_sources
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import metric
from evalcore.data import Collection
from evalcore.data.small_collections import small_collection
from evalcore.labels.judges import noise_curve
from ui.data import as_python
from ui.labels import pool, ranking, wrong_labels
from ui.labels.few_human_labels import CombinedLook
from ui.labels.wrong_labels import NoiseLook
from ui.screen import calls
from ui.screen.calls import call
from ui.screen.items import Headline
from ui.stage import report


def page(look, collection):  # type: ignore[no-untyped-def]  # its text is run alone
    """Draw a view on a page, as the app does."""
    import streamlit as st

    from ui.address import settings
    from ui.computing import work
    from ui.data import as_python
    from ui.shell import live
    from ui.stage import report

    settings.begin("labels")
    work.above(st.container())
    report.begin("Labels")
    live.begin()
    look.draw(collection)
    as_python.show()
    live.box()


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the view's Python code, without the lines that open its collection."""
    found: list[str] = []

    def write() -> None:
        found[:] = calls.lines(one for _, item in report.on_screen() for one in getattr(item, "calls", ()))

    monkeypatch.setattr(as_python, "show", write)
    return found


def opened(look: Any, collection: Collection, **link: str | list[str]) -> AppTest:
    app = AppTest.from_function(page, kwargs={"look": look, "collection": collection}, default_timeout=30)
    for key, value in link.items():
        app.query_params[f"labels.{key}"] = value
    app.run()
    assert not app.exception, app.exception[0].value
    return app


def opened_noise(collection: Collection, **link: str | list[str]) -> AppTest:
    return opened(pool, collection, pool_take="Wrong labels", **link)


def made(lines: Sequence[str], collection: Collection) -> dict[str, Any]:
    """Return the names that the code defines."""
    import evalcore as ec

    names: dict[str, Any] = {"ec": ec, "c": collection}
    exec("\n".join(lines), names)
    return names


def page_text(app: AppTest) -> str:
    return " ".join(str(one.value) for kind in (app.markdown, app.caption, app.info) for one in kind)


def test_the_effect_of_noise_is_recomputed_by_the_python_code(lines: list[str]) -> None:
    collection = of_teams()
    app = opened(
        pool,
        pool_take="Wrong labels",
        collection=collection,
        noise_measure="nDCG@10",
        noise_level="0.2",
        noise_draws="20",
        noise_seed="4",
    )
    names = made(lines, collection)
    assert metric(app, "τ") == f"{names['here']['tau']:.3f}"
    assert f"({names['here']['tau_low']:.3f} to {names['here']['tau_high']:.3f} in 95% of 20 draws)" in page_text(app)
    curve = noise_curve("nDCG@10", collection, n_draws=20, seed=4)
    assert names["levels"] == [curve.level_where(0.9), curve.level_where(0.9, "tau_low")]
    assert f"**{1 - names['levels'][0]:.0%}" in page_text(app)


def test_noise_as_measured_needs_two_sources(lines: list[str]) -> None:
    settings = NoiseLook.read(judged(1), {"labels.noise_way": ["as two sources differ"]})
    assert (settings.first, settings.second) == ("nist", "b")
    assert "drawn from the disagreements of two sources" not in str(NoiseLook.read(of_teams(), {}).field("way"))
    app = opened_noise(judged(1), noise_way="drawn from the disagreements of two sources")
    assert "labels wrong" in page_text(app)


def test_a_position_of_the_slider_is_computed_only_from_the_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    """No labels are drawn while the slider moves."""
    look = NoiseLook.read(of_teams(), {"labels.noise_measure": ["AP"], "labels.noise_draws": ["20"]})
    curve = call("curve", ec.noise_curve, "AP", of_teams(), n_draws=20)
    table = curve.value.table
    monkeypatch.setattr(wrong_labels, "draws", None)
    for place in look.field("level").sliders("x", look.level)[0].values:  # type: ignore[union-attr]
        other = look.with_(level=place)
        row = table.iloc[int(np.argmin(np.abs(table.index.to_numpy() - place)))]
        assert row.name == place
        headline = next(iter(wrong_labels.along(other, curve)))
        assert isinstance(headline, Headline)
        assert f"{row['tau']:.3f}" in headline.text


def test_without_rankings_or_labels_the_page_states_what_is_missing() -> None:

    of_one_system = small_collection(pd.DataFrame({"relevance": [1.0, 0.0]}, index=list("ab")), {"s": ["a", "b"]})
    for look in (wrong_labels, ranking):
        assert "You need two systems for a ranking" in look.what_is_missing(of_one_system)
    none = small_collection(
        pd.DataFrame({"relevance": [-1.0, -1.0]}, index=list("ab")), {"s": ["a", "b"], "r": ["b", "a"]}
    )
    assert "labels with two grades" in wrong_labels.what_is_missing(none)


def test_an_aspect_with_one_grade_does_not_hide_the_others() -> None:
    labels = pd.DataFrame({"relevance": [1.0, 1.0], "credibility": [0.0, 1.0]}, index=list("ab"))
    scales = [ec.Scale("relevance", grades=(1.0,))]
    collection = small_collection(labels, {"s": ["a", "b"], "r": ["b", "a"]}, scales)
    measure = 'CAM(AP, aspects=["relevance", "credibility"])'
    assert wrong_labels.aspects_of(measure, collection) == ["credibility"]


def test_labels_are_hidden_by_default_unless_the_human_source_has_gaps() -> None:
    collection = judged(1)
    some = np.where(np.arange(len(collection.assessments)) % 2, np.nan, collection.assessments.column("relevance"))
    collection = with_sources(collection, some=some)
    for human, share in (("nist", 0.1), ("some", 1.0)):
        assert CombinedLook.read(collection, {CombinedLook.key("human"): [human]}).share == share


def test_the_noise_slider_shows_while_it_moves_what_the_page_shows_there(lines: list[str]) -> None:
    settings = {"noise_measure": "nDCG@10", "noise_draws": "20"}
    app = opened_noise(of_teams(), **settings)
    path = next(one for one in app.session_state["paths offered"] if one.key == "labels.noise_level")
    at = len(path.places) // 3
    sheet = path.sheet_at(at)
    assert sheet is not None
    there = opened(
        pool, pool_take="Wrong labels", collection=of_teams(), noise_level=f"{path.places[at]:g}", **settings
    )
    assert metric(there, "τ") in str(sheet)
    assert metric(there, "τ") != metric(app, "τ")


def test_scores_and_their_agreement_are_one_piece_of_work():
    told: list[float] = []
    rankings = ranking._with_pairs(call("rankings", ec.source_rankings, "RBP", judged(1), n_resamples=20), told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    assert "pairs" in vars(rankings)  # computed, and kept with the scores


@pytest.mark.parametrize("swapped", [False, True])
def test_the_effect_of_a_judges_gaps_is_shown_beside_that_of_its_judgement(swapped: bool, lines: list[str]) -> None:
    """The numbers on the screen equal those of a loop that removes labels and scores again."""
    whole = judged(1)
    pool = whole.assessments
    kept = np.arange(len(pool)) % 10 < 3
    labels = pool.sources["relevance"].labels
    gappy = with_sources(whole, b=np.where(kept, labels["b"], np.nan))
    pair = {"ranking_reference": "b", "ranking_test": "nist"} if swapped else {}
    app = opened(ranking, gappy, ranking_measure="RBP(rho=0.8)", **pair)
    own, other = (np.where(kept, labels[name], np.nan) for name in ("nist", "b"))
    pools = [replace(pool, columns={"relevance": one}, sources={}) for one in (labels["nist"], own, other)]
    by = [ec.evaluate("RBP(rho=0.8)", replace(whole, assessments=one, fingerprint="")).mean() for one in pools]
    gaps = 1.0 if swapped else ec.tau(by[0], by[1])  # all of b's labels are of documents that both labelled
    assert metric(app, "labelled by both") == "30%"
    assert metric(app, "τ, gaps alone") == f"{gaps:.3f}"
    assert metric(app, "τ, judgement alone") == f"{ec.tau(by[1], by[2]):.3f}"
    assert "of the documents labelled by either" in page_text(app)
    assert made(lines, gappy)["gap"]["tau_shared"] == ec.tau(by[1], by[2])


@pytest.mark.usefixtures("lines")
def test_without_gaps_the_whole_effect_is_judgement() -> None:
    app = opened(ranking, judged(1), ranking_measure="RBP(rho=0.8)")
    assert metric(app, "labelled by both") == "100%"
    assert "of the documents labelled by either" not in page_text(app)
