"""The page Navigation, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, metric, open_app
from ui.text import markdown

SAMPLE = "navigation sample"
LOOKS = [
    "Ranking of systems",
    "Gain by rank",
    "ep by gain-recall",
    "Ideal lists",
    "Length of walks",
    "Exact or not",
    "The paper's example",
]


def open_page(**link: object) -> AppTest:
    return open_app("navigation", **{"data": SAMPLE, **link})


@pytest.fixture(scope="module")
def site() -> ec.Collection:
    return ec.load(ROOT / "sample_data" / "site")


def headline(app: AppTest) -> str:
    return next(one.value for one in app.markdown if one.value.startswith("First by "))


def test_opens_on_the_librarys_numbers(site: ec.Collection) -> None:
    app = open_page()
    assert not app.exception
    assert app.title[0].value == "What is a result worth if people follow its links?"
    without, along = (ec.evaluate(f"MAep(navigation={one})", site).mean() for one in ("Stay", "Walk(stop=0.3)"))
    assert metric(app, "τ") == f"{ec.tau(without, along):.3f}" == "0.394"
    assert f"**{markdown(along.idxmax())}** {along.max():.4f}" in headline(app)


def test_a_collection_without_links_is_answered_with_the_sample() -> None:
    app = open_page(data="sample data")
    assert not app.exception
    assert any(
        "no links between its documents: the *navigation sample* is shown instead" in c.value for c in app.caption
    )
    assert metric(app, "τ") == "0.394"


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("going", ["follow links and scroll", "read on until bored (T2I)", "not at all"])
def test_every_look_at_every_kind_of_user(look: str, going: str) -> None:
    app = open_page(walkview=look, going=going, walked=3)
    assert not app.exception
    assert not app.error


def test_users_who_go_nowhere_change_nothing() -> None:
    assert metric(open_page(going="not at all"), "τ") == "1.000"
    assert metric(open_page(stop=1.0), "τ") == "1.000"


def test_effort_weights_are_those_of_the_measure(site: ec.Collection) -> None:
    app = open_page(erank=5, eclick=2, esecond=1)
    text = "MAep(navigation=Walk(stop=0.3), effort=Effort(rank=5, click=2, second=1))"
    assert any(text in one.value for one in app.code)
    best = ec.evaluate(text, site).mean()
    assert f"**{markdown(best.idxmax())}** {best.max():.4f}" in headline(app)


def test_walking_down_gains() -> None:
    app = open_page(walked=0)
    assert metric(app, "gain at effort 0") == "0.00 of 22"
    app.slider(key="walked").set_value(3).run()
    assert not app.exception
    assert metric(app, "gain at effort 3") == "4.64 of 22"


def test_no_effort_at_all_is_put_right() -> None:
    app = open_page(erank=0)
    assert not app.exception
    assert not app.error
    assert any("a rank costs 1" in one.value for one in app.caption)


def test_the_papers_example_shows_printed_and_computed() -> None:
    app = open_page(walkview="The paper's example")
    texts = [one.value for one in app.markdown]
    assert sum("computed: **0.63**" in text for text in texts) == 2
    assert any("computed: **0.3333**" in text for text in texts)
    assert "printed: :red[0.625, 0.58]" in texts


def test_the_code_gives_what_is_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page(stop=0.5, esecond=1)
    code = next(one.value for one in reversed(app.code) if "ec.load(" in one.value)
    monkeypatch.chdir(ROOT)
    names: dict[str, float] = {}
    exec(code, names)
    assert f"{names['tau']:.3f}" == metric(app, "τ")


def test_walkers_are_set_beside_the_formula() -> None:
    app = open_page(walkview="Exact or not")
    assert any("20,000 simulated users" in one.value for one in app.caption)
    assert list(app.dataframe[-1].value.columns) == ["formula", "walkers", "standard error"]
