"""The contents of the pages for learning."""

from __future__ import annotations

from app_support import open_app
from ui.address.page import LEARN
from ui.address.site import SITE


def test_the_contents_lead_to_every_page_for_learning_and_say_what_it_holds() -> None:
    app = open_app("learn")
    links = [one.proto.page for one in app.main.get("page_link") if one.proto.label.startswith("**")]
    assert sorted(links) == sorted(page.stem for page in SITE[LEARN] if page.stem != "learn")
    assert sum(len(text.value) > 60 for text in app.main.markdown) >= len(links)
