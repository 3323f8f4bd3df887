"""Pages on answers and their nuggets: those that need only scores work, the others state what they need."""

from __future__ import annotations

import pytest

from app_support import open_app
from ui.address.places import PAGES


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if page])
def test_every_page_on_answers_opens(page):
    app = open_app(page, data="answers sample")
    assert not app.exception
    assert not app.error
