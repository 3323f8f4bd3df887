"""The plane and the diagram of a TOMA measure: refusals; tests of the app cover what they draw."""

from __future__ import annotations

import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore import figures
from evalcore.measures import TOMA

THREE = ("relevance", "understandability", "credibility")


@pytest.fixture(scope="module")
def c() -> ec.Collection:
    return ec.load(SAMPLE)


def classes(figure: object) -> dict[tuple[float, float], str]:
    """The class beside each pair of positions."""
    marks = figure.data[1]  # type: ignore[attr-defined]
    return dict(zip(zip(marks.x, marks.y, strict=True), marks.text, strict=True))


def test_the_best_pair_is_of_class_1(c: ec.Collection) -> None:
    found = classes(figures.tuple_plane(TOMA(), c.assessments))
    assert found[max(found)] == "1"


def test_classes_are_those_at_the_grade_of_a_further_aspect(c: ec.Collection) -> None:
    toma, worst = TOMA(aspects=THREE), c.assessments.scale("credibility").grades[0]
    best = classes(figures.tuple_plane(toma, c.assessments))
    held = classes(figures.tuple_plane(toma, c.assessments, held={"credibility": worst}))
    assert best[max(best)] == "1" != held[max(held)]


def test_a_grade_that_an_aspect_does_not_have(c: ec.Collection) -> None:
    with pytest.raises(ec.InputError, match=r"expected a grade of credibility \(0, 1, 2\), found 9"):
        figures.tuple_plane(TOMA(aspects=THREE), c.assessments, held={"credibility": 9})


def test_one_aspect_is_no_plane(c: ec.Collection) -> None:
    with pytest.raises(ec.InputError, match="expected a measure of at least two aspects"):
        figures.tuple_plane(TOMA(aspects=("relevance",)), c.assessments)
