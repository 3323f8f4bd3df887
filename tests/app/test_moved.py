"""The page Who moved: from systems to topics to documents, and its sentences on each level."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, fresh, open_app

X, Y = "RBP(rho=0.8)", "P@5"


def opened(**link: str) -> AppTest:
    app = fresh("moved", {f"moved.{key}": value for key, value in {"x": X, "y": Y, **link}.items()})
    assert not app.exception
    return app


def page_text(app: AppTest) -> str:
    return " ".join(text.value for text in app.main.markdown).replace("\\", "")  # names are escaped


def test_a_system_that_keeps_its_rank_has_nothing_to_explain() -> None:
    c = ec.load(SAMPLE)
    table = ec.movers(ec.evaluate(X, c).mean(), ec.evaluate(Y, c).mean())
    stays = str(table.index[table["change"] == 0][0])
    assert "so there is no move to explain" in page_text(opened(system=stays))
    text = page_text(opened(system=stays, topic=c.topics[0]))
    assert "so there is no move to explain" in text
    assert "loses most" not in text


def test_each_step_names_what_moved_most() -> None:
    c = ec.load(SAMPLE)
    x, y = ec.evaluate(X, c), ec.evaluate(Y, c)
    first = str(ec.movers(x.mean(), y.mean()).index[0])
    assert first in page_text(opened())
    topic = str(ec.move(x, y, first).topics.index[0])
    assert f"Topic **{topic}** alone" in page_text(opened(system=first))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "link", "links"),
    [
        ("aspect_weights", {"look": "Scatter"}, 1),
        ("measures", {"look": "Scatter"}, 1),
        ("toma", {"look": "Ranks"}, 1),
        ("understandability", {}, 1),
    ],
)
def test_two_measures_on_any_page_link_to_the_systems_that_moved(page: str, link: dict[str, Any], links: int) -> None:
    app = open_app(page, **link)
    found = [one for one in app.get("page_link") if one.proto.label.endswith("and why?")]
    assert len(found) == links
    for one in found:
        there = fresh("moved", parse_qs(one.proto.query_string))
        assert not [warning for warning in there.warning if "do not fit" in warning.value]
        assert not there.exception
