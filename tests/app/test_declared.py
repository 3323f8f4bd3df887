"""A link may contain only keys that settings declare."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from app_support import SHARED, address_of, fresh
from ui.address.places import PAGES, keys_of
from ui.address.settings import declared

STEMS = list(PAGES)


def link_warnings(app: AppTest) -> str:
    """Return the warnings about the link, without Markdown escapes."""
    return "\n".join(str(warning.value) for warning in app.warning).replace("\\", "")


def test_shared_settings_are_declared_once():
    assert declared("no page") == SHARED


def test_the_keys_of_a_page_are_known_before_it_is_opened(subtests):
    for stem in STEMS:
        with subtests.test(str(stem)):
            own = {key for key in declared(PAGES[stem].place) - SHARED if key.startswith(f"{keys_of(stem)}.")}
            assert own or stem == "home", f"no setting of {stem} is known: is there a ui/FOLDER/__init__.py?"


def test_unknown_keys_of_a_link_are_counted_listed_and_ignored():
    link = {"own collection": ["x"], "kept own collection": ["y"], "topic.topic": ["1"], "toma.nothing": ["z"]}
    app = fresh("toma", {**link, "toma.look": ["Scenarios"]})
    assert not app.exception
    named = ", ".join(map(repr, link))
    assert f"4 settings in this link are unknown here and were ignored: {named}" in link_warnings(app)
    assert not any(key in app.session_state for key in link)
    app.selectbox(key="data").set_value("focused sample").run()
    assert not set(address_of(app)) & set(link)  # the next move writes an address without them
    assert "unknown here" not in link_warnings(app)
