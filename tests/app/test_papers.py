"""The page that recomputes the papers' numbers."""

from __future__ import annotations

import pytest

from app_support import open_app
from evalcore.exhibits import EXHIBITS

NAMES = {one.key: f"{one.document}: {one.place}" for one in EXHIBITS}


@pytest.mark.parametrize("key", NAMES)
def test_every_exhibit_opens_from_its_link(key):
    app = open_app("papers", exhibit=NAMES[key])
    assert not app.exception
    assert app.selectbox(key="exhibit").value == key


def test_it_says_how_many_printed_values_are_met():
    app = open_app("papers", exhibit=NAMES["maistro-table-3-ap"])
    assert any("of 75" in one.value and "printed values" in one.value for one in app.markdown)


def test_what_is_lacking_is_named_with_where_to_put_it():
    app = open_app("papers", exhibit=NAMES["zuccon-6"], like="nobody-at-all")
    assert not app.exception
