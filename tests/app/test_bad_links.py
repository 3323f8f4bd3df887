"""A link with a value that a setting cannot have: the page opens with the default, and states what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from streamlit.testing.v1 import AppTest

from app_support import metric, open_app

# For each page: a key, an invalid value of it, and the message.
BAD = {
    "understandability": [
        ("rho", "7", "from 0.01 to 0.99"),
        ("model", "magic", "one of step, smooth, graded"),
        ("systems", "nobody", "names from this collection"),
    ],
    "toma": [
        ("positions", "understandability 1:99", "a number from 0 to 6"),
        ("distance", "far", "expected a distance"),
        ("further", "colour", "some of credibility"),
    ],
    "sensitivity": [
        ("path", "phi", "one of threshold, rho, rel, cutoff"),
        ("fineness", "7", "one of coarse, medium, fine"),
        ("measure", "Blub(3)", "found Blub"),
    ],
    "worked_examples": [
        ("one", "four", "one of nDCGb, ERR"),
        ("measures", "Blub(3)", "found Blub"),
    ],
    "measures": [
        ("gain", "Magic", "Magic"),
        ("discount", "Geometric(rho=2)", "a number in (0, 1)"),
        ("cutoff", "101", "a whole number from 0 to 100"),
    ],
}


def _link(page: str, key: str) -> Mapping[str, str]:
    """Return other settings that the link needs, so that the tested setting is on the page."""
    if page == "sensitivity":
        return {"look": "Map of two" if key == "fineness" else "Along one parameter"}
    return {"further": "none"} if page == "toma" else {}


def _classes(app: AppTest, key: str) -> bool:
    return metric(app, "classes") == ("21" if key == "further" else "11")  # as the page opens, with all three aspects


AT_DEFAULT: Mapping[str, Callable[[AppTest, str], bool]] = {
    "understandability": lambda app, key: metric(app, "τ") == "0.710",
    "toma": _classes,
    "sensitivity": lambda app, key: True,
    "worked_examples": lambda app, key: app.selectbox(key="worked_examples.one").value == "TOMA",
    "measures": lambda app, key: app.selectbox(key="measures.start").value == "RBP(rho=0.8)",
}


def test_a_message_names_a_few_options_and_counts_the_rest() -> None:
    warned = [one.value for one in open_app("moved", topic="nowhere", system="nobody").warning]
    assert all(
        re.search(r" and \d+ others, found nowhere|and \d+ others, found nobody", one)
        for one in warned[0].split("  \n")[1:]
    )


@pytest.mark.parametrize(
    ("page", "key", "value", "message"), [(page, *one) for page, bad in BAD.items() for one in bad]
)
def test_a_page_with_a_bad_link_opens_at_its_defaults_and_names_the_expected_value(
    page: str, key: str, value: str, message: str
) -> None:
    app = open_app(page, **{**_link(page, key), key: value})
    assert not app.exception
    assert any(message in warning.value.replace("\\", "") for warning in app.warning)
    assert AT_DEFAULT[page](app, key)
