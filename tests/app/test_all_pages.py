"""Rules for the tables of all pages, and for all pages whose data are missing."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import plotly.graph_objects as go
import pytest
from odd_support import write

from app_support import go_to, open_app, shown_items
from ui.address.places import PAGES, PLACES

WORDS_ALONE = {
    "classroom",
    "collection",
    "exercises",
    "glossary",
    "home",
    "leaderboard",
    "learn",
    "papers",
    "worked_examples",
}  # pages without a figure
LOOKS = [
    ("labels", "look", ("Ranking", "Few human labels", "Pool and noise", "Grades and depth")),
    ("sensitivity", "look", ("Scatter", "Along one parameter")),
    ("toma", "look", ("Plane of labels", "Scatter", "Ranks")),
    ("understandability", "look", ("Scatter", "Ranks", "Along one parameter", "u(k) and gains")),
]
LINKS: list[tuple[str, dict[str, str]]] = [(page, {}) for page in PAGES] + [
    (page, {key: look}) for page, key, looks in LOOKS for look in looks
]


@pytest.mark.parametrize(
    ("page", "link"), [pytest.param(*one, marks=[pytest.mark.slow] if one[1] else []) for one in LINKS]
)
def test_a_page_asks_its_question_and_the_rows_of_its_tables_are_named_or_hidden(
    page: str, link: dict[str, str]
) -> None:
    """Uninformative row numbers are hidden; names of rows are not."""
    app = open_app(page, **link)
    assert not app.exception
    assert app.title[0].value == PAGES[page].question
    names = [one.proto.body for one in app.get("html") if '"page-name"' in one.proto.body]
    place = PLACES[PAGES[page].place].name
    assert [place in name for name in names] == [True] * (page != "home")
    for shown in app.main.dataframe:
        assert shown.proto.HasField("placeholder"), "a cell without a value would read None"
        hidden = json.loads(shown.proto.columns or "{}").get("_index", {}).get("hidden", False)
        index = shown.value.index
        typed_in = shown.proto.editing_mode != shown.proto.READ_ONLY  # has the names in cells that can be edited
        if not typed_in and (index.name or pd.api.types.is_integer_dtype(index)):
            assert hidden == (not index.name), (page, list(shown.value))


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "few"), [("TREC Web, one aspect", True), ("nothing judged", False)])
def test_a_page_without_its_figure_explains_why(
    shape: str, few: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "odd", shape)
    if few:
        for path in sorted((folder / "runs").iterdir())[1:]:
            path.unlink()
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = open_app("home")
    for page in PAGES:
        go_to(app, page).run()
        figures = [one for _, one in shown_items(app) if isinstance(one, go.Figure)]
        messages = [*app.main.info, *app.main.warning, *app.main.error, *app.main.caption]
        assert page in WORDS_ALONE or figures or any(len(message.value) > 30 for message in messages), page


def menu(**link: str) -> list[str]:
    """Return the places in the menu, in order."""
    return [one.proto.label for one in open_app("home", **link).get("page_link") if one.proto.label in NAMES]


NAMES = {place.name for place in PLACES.values()}


def test_the_menu_has_seven_places_for_data_without_passages_and_links():
    assert menu() == ["Home", "Rank", "Tune", "Compare", "Labels", "Claim", "Learn"]


@pytest.mark.parametrize(("data", "name"), [("navigation sample", "Links"), ("focused sample", "Passages")])
def test_passages_or_links_come_first_in_the_menu_if_the_data_have_them(data: str, name: str):
    assert menu(data=data)[1] == name
