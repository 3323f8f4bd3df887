"""The view Pool of the page Labels, run without a browser."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, open_app
from evalcore.labels import pools
from ui.labels.pool_settings import DEPTH, FEWER, SYSTEM

RBP = "RBP(rho=0.8)"


@pytest.fixture(scope="module")
def collection() -> ec.Collection:
    return ec.load(SAMPLE)


def open_pool(**link: str) -> AppTest:
    app = open_app("labels", look="Pool and noise", **{f"pool_{name}": value for name, value in link.items()})
    assert not app.exception
    assert not app.error
    return app


def shown(app: AppTest, *columns: str) -> pd.DataFrame:
    """Return the first table with these columns."""
    return next(frame.value for frame in app.dataframe if set(columns) <= set(frame.value.columns))


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Assert that the table on the page equals the library's, whatever the types of its indexes."""
    pd.testing.assert_frame_equal(found, expected, check_dtype=False, check_index_type=False)


def test_the_view_pool_opens_with_each_team_left_out(collection: ec.Collection) -> None:
    app = open_pool()
    selections = pools.without_groups(collection, pools.teams(collection).of, pools.pool_depth(collection).depth)
    found = pools.rescored(RBP, collection, selections)
    expected = pools.without_table(selections, found, collection, RBP)
    same(shown(app, "own largest"), expected)
    group = expected["own largest"].abs().idxmax()
    sentence = next(text.value for text in app.markdown if text.value.startswith("Without"))
    assert sentence.startswith(f"Without **{group}** in the pool, its systems ")
    assert f"**{expected['own'][str(group)]:,} documents** that no other" in sentence


@pytest.mark.slow
@pytest.mark.parametrize("take", FEWER)
def test_every_part_is_drawn_whatever_is_left_out(take: str) -> None:
    app = open_pool(take=take, measure="P@5")
    assert len(app.dataframe) >= 2


def test_depths_are_those_of_the_library(collection: ec.Collection) -> None:
    app = open_pool(take=DEPTH, depth="20", measure="AP")
    table = shown(app, "tau", "moved")
    found = pools.rescored("AP", collection, pools.top_documents(collection, list(table.index)))
    same(table, found.table())
    at = list(table.index).index(20)
    systems = shown(app, "rank to depth 20")
    unassessed = pools.unassessed_table("AP", collection)
    same(systems[list(unassessed)].loc[unassessed.index], unassessed)
    assert systems["change"].to_dict() == dict(zip(found.systems, found.changes[at], strict=True))


@pytest.mark.parametrize(("take", "how"), [(SYSTEM, "one at a time"), ("Team", "left out with their whole team")])
def test_the_effect_on_a_new_system_equals_that_of_the_library(collection: ec.Collection, take: str, how: str) -> None:
    app = open_pool(take=take, within="5")
    groups = pools.teams(collection).of if take == "Team" else None
    without = pools.without_groups(collection, groups, 5)
    moves = pools.own_moves(without, pools.rescored(RBP, collection, without))
    sentence = next(str(text.value) for text in app.markdown if "A new system" in str(text.value))
    assert f"{how}, {pools.trust_in_words(moves, 0.95)}" in sentence


def test_the_slider_of_depth_updates_the_page_while_it_moves() -> None:
    app = open_pool(take=DEPTH)
    path = next(one for one in app.session_state["paths offered"] if one.key == "labels.pool_depth")
    sheet = path.sheet_at(0)
    assert sheet is not None
    texts = [text for text in sheet["texts"].values() if "pool of depth **1**" in text]
    assert ["would stay first" in text or "would be first" in text for text in texts] == [True]  # it is supposed
