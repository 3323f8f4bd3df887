"""The page Navigation, tested without a browser."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import metric, open_app
from evalcore.navigation.normal_approximation import largest_errors
from evalcore.navigation.walk_tables import walkthrough
from ui.navigation.navigation_settings import LOOKS
from ui.screen.text import markdown

WALK = "Walk(stop=0.3)"
SAMPLE = "navigation sample"


def open_page(**link: object) -> AppTest:
    return open_app("navigation", **{"data": SAMPLE, **link})


def headline(app: AppTest) -> str:
    return next(text.value for text in app.markdown if text.value.startswith("Under "))


def test_the_page_opens_with_the_numbers_of_the_library(site: ec.Collection) -> None:
    app = open_page()
    assert not app.exception
    assert app.title[0].value == "What is a result worth if people follow its links?"
    without, along = (ec.evaluate(f"MAep(navigation={one})", site).mean() for one in ("Stay", "Walk(stop=0.3)"))
    assert metric(app, "τ") == f"{ec.tau(without, along):.3f}" == "0.394"
    assert f"**{markdown(along.idxmax())}** ({along.max():.4f})" in headline(app)


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("going", ["follow links and scroll", "read on until bored (T2I)", "not at all"])
def test_every_view_opens_for_every_kind_of_user(look: str, going: str) -> None:
    app = open_page(look=look, going=going, rank=3)
    assert not app.exception
    assert not app.error


def test_users_who_go_nowhere_change_nothing() -> None:
    assert metric(open_page(going="not at all"), "τ") == "1.000"
    assert metric(open_page(stop=1.0), "τ") == "1.000"


def test_effort_weights_are_those_of_the_measure(site: ec.Collection) -> None:
    app = open_page(per_rank=5, click=2, second=1)
    text = "MAep(navigation=Walk(stop=0.3), effort=Effort(rank=5, click=2, second=1))"
    assert any(text in block.value for block in app.code)
    best = ec.evaluate(text, site).mean()
    assert f"**{markdown(best.idxmax())}** ({best.max():.4f})" in headline(app)


def test_walking_down_the_ranking_gains() -> None:
    app = open_page(rank=0)
    assert metric(app, "gain at effort 0") == "0.00 of 22"
    app.slider(key="navigation.rank").set_value(3).run()
    assert not app.exception
    assert metric(app, "gain at effort 3") == "4.64 of 22"


@pytest.mark.parametrize(("second", "rank"), [(0, 1.0), (1, 0.0)])
def test_a_rank_may_cost_nothing_only_if_reading_costs_something(second: float, rank: float) -> None:
    app = open_page(per_rank=0, second=second)
    assert not app.exception
    assert not app.error
    assert app.slider(key="navigation.per_rank").value == rank
    assert any("a number from 0.5 to 20" in warning.value for warning in app.warning) == (second == 0)


DOUBT = [f"{what} with" for what in ("share first", "rank from", "rank to")]


def test_the_winner_is_shown_with_its_rank_without_navigation(site: ec.Collection) -> None:
    without, along = (ec.evaluate(f"MAep(navigation={one})", site).mean() for one in ("Stay", "Walk(stop=0.3)"))
    place = 1 + (without > without[str(along.idxmax())]).sum()
    text = headline(open_page(doubt="false"))
    assert f"**{markdown(along.idxmax())}** ({along.max():.4f})" in text
    assert text.endswith(f"; its rank without navigation is {place}")


def test_the_table_of_ranks_contains_both_measures(site: ec.Collection) -> None:
    table = next(one.value for one in open_page(look="All systems").dataframe if "rank with" in one.value)
    without, along = (ec.evaluate(f"MAep(navigation={one})", site).mean() for one in ("Stay", "Walk(stop=0.3)"))
    assert list(table.columns) == ["without", "with", "change", "rank without", "rank with", *DOUBT]
    assert table["change"].to_dict() == pytest.approx((along - without).to_dict())
    assert table["rank with"].to_dict() == along.rank(ascending=False).astype(int).to_dict()


def test_the_papers_example_shows_printed_and_computed() -> None:
    app = open_page()
    texts = [one.value for one in app.markdown]
    assert sum("computed: **0.63**" in text for text in texts) == 2
    assert any("computed: **0.3333**" in text for text in texts)
    assert "printed: :red[0.625, 0.58]" in texts


@pytest.mark.parametrize("rank", [0, 1, 5])
def test_the_map_names_the_result_that_is_consulted(site: ec.Collection, rank: int) -> None:
    system, topic = "archive_boost", "t06"
    app = open_page(system=system, topic=topic, rank=str(rank))
    users: Any = ec.parse(f"MAep(navigation={WALK})")
    places = walkthrough(site, users.users, topic, system).components["rank"]
    at_rank = [markdown(str(name)) for name, place in places.items() if place == rank]
    where = f"Rank {rank}: " + (f"**{at_rank[0]}**" if at_rank else "already listed") if rank else "No result has been"
    assert any(caption.value.startswith(where) and f"Topic {topic}" in caption.value for caption in app.caption)


# --- the paper's examples ---------------------------------------------------------------------------------------------


def words(app: AppTest) -> str:
    return " ".join(one.value for one in (*app.markdown, *app.caption))


@pytest.mark.parametrize(("one", "two"), [(0.3, 0.9), (0.5, 0.2)])
def test_two_results_lead_to_one_component(one: float, two: float) -> None:
    app = open_page(paper_one=one, paper_two=two)
    assert f"(1 - {one:g})(1 - {two:g}) = **{1 - (1 - one) * (1 - two):.4g}**" in words(app)


def test_section_6_1_is_computed_for_other_shares() -> None:
    app = open_page(paper_first=0.75, paper_second=0.2)
    inverse = 0.75 + 0.25 * 0.2 / 2 + 0.25 * 0.8 / 3
    assert words(app).count(f"computed: **{inverse:.4g}**") == 2
    assert "printed: " not in words(app)


@pytest.mark.parametrize(("n", "p"), [(11, 0.3), (40, 0.1)])
def test_the_error_of_the_normal_approximation(n: int, p: float) -> None:
    app = open_page(paper_n=n, paper_p=p)
    errors = largest_errors(p).loc[n]
    assert metric(app, "largest error, as in the paper") == f"{errors['normal']:.4f}"
    assert metric(app, "with continuity correction") == f"{errors['corrected']:.4f}"


def test_related_measures_assume_the_same_users(site: ec.Collection) -> None:
    app = open_page(look="All systems", recall=0.4, stop=0.5)
    table = next(one.value for one in app.dataframe if "PRUM" in one.value)
    for name, text in {
        "EPRUM": "EPRUM(navigation=Walk(stop=0.5), recall=0.4)",
        "PRUM": "PRUM(navigation=Walk(stop=0.5), recall=0.4)",
        "expected ratio": "ExpectedRatio(navigation=Walk(stop=0.5))@10",
    }.items():
        scores = ec.evaluate(text, site).mean()
        assert table[name].to_dict() == pytest.approx(scores.to_dict())
        along = ec.evaluate("MAep(navigation=Walk(stop=0.5))", site).mean()
        assert metric(app, f"τ, {name}") == f"{ec.tau(along, scores):.3f}"


def test_the_lengths_of_walks_follow_the_chosen_law(site: ec.Collection) -> None:
    app = open_page(going="follow links, rarely far", alpha=2.0)
    best = ec.evaluate("MAep(navigation=Walk(alpha=2))", site).mean()
    assert f"**{markdown(best.idxmax())}** ({best.max():.4f})" in headline(app)
