"""Home: five pictures, each a link to what it shows."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from app_support import ROOT, open_app
from ui import site, views


def gallery() -> list[tuple[str, dict[str, str]]]:
    """Page and settings of every picture, read from the page's own list without showing the page."""
    module = sys.modules["home"] = ModuleType("home")
    exec((ROOT / "pages" / "home.py").read_text().removesuffix("main()\n"), module.__dict__)
    return [(picture.page, picture.settings) for picture in module.GALLERY]


@pytest.mark.parametrize(("page", "settings"), gallery())
def test_every_picture_leads_to_a_page_that_opens(page, settings):
    app = open_app(page, **settings)
    assert not app.exception
    assert not any("does not fit" in one.value for one in app.warning)


def test_every_page_listed_exists_once():
    stems = [stem for listed in site.SITE.values() for stem, _, _ in listed]
    assert sorted(stems) == sorted({path.stem for path in (ROOT / "pages").glob("*.py")})


def test_home_says_what_is_open():
    app = open_app("home")
    assert any("32 systems" in one.value for one in app.markdown)
    assert not app.exception


def test_a_link_made_on_other_data_says_so():
    app = open_app("home", on="ffffffff")
    assert any("made on other data" in one.value for one in app.warning)
    app.run()
    assert not app.warning


def test_a_link_made_on_these_data_says_nothing():
    made_on = views.fingerprint(open_app("home").session_state["open collection"])
    assert not open_app("home", on=made_on).warning


def test_a_saved_view_reads_back():
    collection = open_app("home").session_state["open collection"]
    text = views.write("toma", {"closer": ["Systems"]}, collection)
    page, settings = views.read(text.encode(), "view.json", {"toma": None})
    assert page == "toma"
    assert settings == {"closer": ["Systems"], "on": [collection.fingerprint[:8]]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "expected a saved view"),
        (b"[]", "expected page to be one of toma, found 'None'"),
        (b'{"page": "x"}', "expected page to be one of toma, found 'x'"),
        (b'{"page": "toma", "settings": {"a": 1}}', "expected settings to be lists of texts by name"),
        (b" " * 200_000, "at most 100,000 bytes, found 200,000"),
    ],
)
def test_a_file_that_is_no_view_is_refused(content, message):
    with pytest.raises(ValueError, match=message):
        views.read(content, "view.json", {"toma": None})
