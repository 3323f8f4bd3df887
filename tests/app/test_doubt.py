"""Every page that ranks shows the uncertainty of its ranks; one switch turns this off."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import fresh, open_app, shown_items
from evalcore.direction import directed
from evalcore.meta import quickly_resampled, topic_resamples
from ui.computing.doubt import DRAWN

SURE = re.compile(r"\(95 %\)|too few topics to show which system is the best")
VIEWS: list[tuple[str, dict[str, object]]] = [
    ("understandability", {}),
    ("aspect_weights", {"look": "Ranks"}),
    ("toma", {"look": "Ranks"}),
    ("correlations", {}),
    ("sensitivity", {}),
    ("sensitivity", {"look": "Along one parameter"}),
    ("focused_retrieval", {"look": "Official table"}),
    ("navigation", {}),
]


def texts(app: AppTest) -> str:
    """Return the sentences of the page."""
    return "\n".join(text.value for text in app.main.markdown)


def columns(app: AppTest) -> set[str]:
    return {str(name) for table in app.main.dataframe for name in table.value}


def hovers(app: AppTest) -> str:
    return " ".join(item.to_json() for _, item in shown_items(app) if not hasattr(item, "columns"))


def id_of(view: str | dict[str, Any]) -> str:
    return view if isinstance(view, str) else " ".join(map(str, view.values()))


@pytest.mark.parametrize(("page", "link"), VIEWS, ids=id_of)
def test_the_winner_is_shown_with_its_confidence_until_that_is_switched_off(page, link):
    app = open_app(page, **link)
    assert not app.exception
    assert SURE.search(texts(app))
    app.button_group(key="doubt").set_value("false").run()
    assert not app.exception
    assert app.query_params["doubt"] in ("false", ["false"])
    assert not SURE.search(texts(app))
    assert not [name for name in columns(app) if name.startswith(("share first", "rank from"))]
    assert "over topics" not in hovers(app)
    assert not [block for block in app.code if "rank_intervals" in block.value]


@pytest.mark.parametrize(("page", "switched"), [("glossary", False), ("topic", True)])
def test_every_page_that_ranks_systems_has_the_confidence_switch(page: str, switched: bool) -> None:
    assert ("doubt" in {one.key for one in open_app(page).button_group}) == switched


def test_the_sentence_equals_the_one_of_the_library(sample: ec.Collection) -> None:
    found = ec.rank_intervals(ec.evaluate("RBP(rho=0.8)", sample))
    app = open_app("understandability")
    score = f" ({found.table['mean'].iloc[0]:.4f})"
    assert ec.first_in_words(found, "RBP") in texts(app).replace("\\", "").replace("*", "").replace(score, "")


def test_one_topic_gives_no_confidence() -> None:
    app = open_app("toma", ontopics=["q01"], look="Ranks")
    assert not app.exception
    assert not SURE.search(texts(app))


def test_the_intervals_of_tau_are_shown_on_demand(sample: ec.Collection) -> None:
    app = open_app("understandability")
    assert not [caption for caption in app.caption if caption.value.startswith("95% intervals over topics")]
    app.button_group(key="doubt").set_value("all").run()
    variant = next(one for one in app.session_state["settings on the screen"] if one.PAGE == "understandability")
    x, y = (ec.evaluate(one, sample) for one in (variant.variants[0], variant.baseline))
    table = ec.correlation_intervals(x, y)
    low, high = table.loc["tau", ["low", "high"]]
    assert any(f"τ {low:.3f} to {high:.3f}, τ_AP" in caption.value for caption in app.caption)


def test_cached_resamples_equal_those_of_the_library(sample: ec.Collection) -> None:
    frame = ec.evaluate("AP", sample)
    found = ec.rank_intervals(frame)
    assert found.n_resamples == DRAWN["resamples"]
    counts = topic_resamples(len(frame), DRAWN["resamples"], DRAWN["seed"])
    assert ec.rank_intervals(frame, counts=counts).table.equals(found.table)


def test_long_resampling_needs_consent() -> None:
    few = directed(pd.DataFrame(np.zeros((50, 40))), "high")
    many = directed(pd.DataFrame(np.zeros((8000, 2))), "high")
    assert [quickly_resampled(one) for one in (few, few.iloc[:1], few.iloc[:, :1], many)] == [True, False, False, False]
    assert not quickly_resampled(few.assign(none=np.nan))


@pytest.mark.parametrize("key", ["correlations.intervals", "tau"])
def test_an_old_link_with_the_former_switch_of_correlations_turns_on_their_intervals(key: str) -> None:
    app = fresh("correlations", {key: "true"})
    assert app.button_group(key="doubt").value == "all"
    assert not app.warning
    assert key not in app.query_params
