"""The sidebar has five parts: data, filter, own files, kept views, uncertainty."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from app_support import open_app


def top_level(app: AppTest) -> list[str]:
    """Return the labels of everything in the sidebar outside its boxes, and of the boxes."""
    inside = {id(one) for box in app.sidebar.expander for kind in KINDS for one in getattr(box, kind)}
    outside = [one.label for kind in KINDS for one in getattr(app.sidebar, kind) if id(one) not in inside]
    return [*outside, *(box.label for box in app.sidebar.expander)]


KINDS = ("selectbox", "multiselect", "text_input", "toggle", "checkbox", "button", "button_group", "slider")


def test_the_sidebar_has_five_controls_and_a_link_to_the_data_page() -> None:
    app = open_app("leaderboard")
    assert top_level(app) == ["Collection", "Confidence", "Filter", "Open your own files", "Kept"]
    assert len(app.sidebar.get("page_link")) == 1
    assert app.main.toggle(key="present").label == "Present"
