"""The list of kept views while presenting: each view is a page of the app that knows its position and its note."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from app_support import open_app
from evalcore.figures.document import Document, Rests, Section
from ui.shell import present

REPORT = "kept report"
ONE = Section("One", link="/understandability?understandability.rho=0.5&strange=1", note="Ask them.")
HOME, GONE = Section("Two", link="/"), Section("Three", link="/nowhere?x=1")
OTHER = Section("Four", link="/toma?on=01234567", data=Rests("Theirs", {"Fingerprint": "0123456789"}))


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Record the data about the presentation that the browser receives, the latest run last."""
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(present, "_mount", lambda data, **_: found.append(data))
    return found


def presenting(*views: Section, page: str = "understandability", **link: object) -> AppTest:
    """Return the app at the first view of a list."""
    app = open_app(page)
    app.session_state[REPORT] = Document("", views)
    for key, value in {"present": "true", "entry": views[0].mark, **link}.items():
        app.query_params[key] = str(value)
    return app.run()


def test_a_presented_view_shows_its_position_and_note(heard: list[dict[str, Any]]) -> None:
    presenting(HOME, ONE, entry=ONE.mark, **{"understandability.rho": "0.5"})
    listed = heard[-1]["list"]
    assert [one["title"] for one in listed["views"]] == ["Two", "One"]
    assert (listed["word"], listed["title"], listed["note"], listed["missing"]) == (ONE.mark, "One", "Ask them.", "")


def test_each_presented_view_has_its_own_address(heard: list[dict[str, Any]]) -> None:
    presenting(ONE, HOME)
    first, second = (urlsplit(one["address"]) for one in heard[-1]["list"]["views"])
    assert first.path == "./tune"
    assert parse_qs(first.query) == {
        "tune.view": ["understandability"],
        "understandability.rho": ["0.5"],
        "present": ["true"],
        "entry": [ONE.mark],
    }
    assert second.path == "./"


@pytest.mark.parametrize("word", ["", "nobody"])
def test_a_link_to_a_view_outside_the_list_opens_that_page_alone(word: str, heard: list[dict[str, Any]]) -> None:
    presenting(ONE, entry=word)
    assert heard[-1]["on"]
    assert heard[-1]["list"] is None


def test_a_view_without_its_data_or_page_shows_a_message(heard: list[dict[str, Any]]) -> None:
    presenting(OTHER, page="toma")
    message = heard[-1]["list"]["missing"]
    assert message.startswith("This view needs Theirs (fingerprint 01234567), which is not open here")
    presenting(GONE)
    assert "that this app does not have" in heard[-1]["list"]["missing"]
    presenting(replace(OTHER, data=Rests()))  # a view without data
    assert heard[-1]["list"]["missing"] == ""


def test_presenting_starts_at_the_first_view() -> None:
    app = open_app("home")
    app.session_state[REPORT] = Document("", [ONE, HOME])
    link = next(one for one in app.run().get("page_link") if one.proto.label == "Present the list")
    assert link.proto.page == "tune"
    assert parse_qs(link.proto.query_string)["entry"] == [ONE.mark]
