"""The page Measures, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from app_support import open_app

PRESETS = ["RBP", "DCG", "nDCG", "P@10", "ERR-like (Zuccon 2016)"]


def open_page(**link: object) -> AppTest:
    return open_app("measures", **link)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_the_known_measure(preset: str) -> None:
    app = open_page(preset=preset)
    assert not app.exception
    assert any("The two are one measure" in one.value for one in app.caption)


def test_another_part_makes_another_measure() -> None:
    app = open_page(preset="nDCG", gain2="2^grade - 1")
    assert not app.exception
    assert not any("The two are one measure" in one.value for one in app.caption)


@pytest.mark.parametrize("other", ["AP", "ERR@20", "TOMA(nDCG)", "CAM(nDCG)", "uRBP1(threshold=12)", "NLRE"])
def test_any_measure_may_stand_beside(other: str) -> None:
    app = open_page(other=other)
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ("Nope", "expected a measure such as"),
        ("RBP(rho=2)", "a number in"),
        ("AP(aspect='colour')", "of this collection"),
    ],
)
def test_a_measure_that_cannot_be_is_explained(other: str, says: str) -> None:
    app = open_page(other=other)
    assert not app.exception
    assert says in app.error[0].value.replace("\\", "")
