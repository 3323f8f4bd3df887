"""Figures of the confusion matrix of two sources, and of their agreement on each topic."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures
from evalcore.labels.figures.judges import MOST_NAMED, MOST_NUMBERED, MOST_WRITTEN


def counts(size: int = 2) -> pd.DataFrame:
    grades = [float(grade) for grade in range(size)][::-1]
    values = np.arange(size * size).reshape(size, size)
    return pd.DataFrame(values, pd.Index(grades, name="nist<b>"), pd.Index(grades, name="llm"))


def names(size: int = 2) -> list[str]:
    return [f"grade {at}" for at in range(size)][::-1]


def by_topic(values: list[float]) -> pd.DataFrame:
    table = pd.DataFrame(
        {"documents": 10, "value": values, "low": np.subtract(values, 0.1), "high": np.add(values, 0.1)}
    )
    return table.set_axis([f"q{at}<i>" for at in range(len(values))])


def test_a_cell_has_its_count_and_the_share_of_its_row_and_reports_both_labels():
    marks = figures.confusion_matrix(counts(), names()).data[1]
    assert list(marks.text) == ["0<br>0%", "1<br>100%", "2<br>40%", "3<br>60%"]
    assert [one[0] for one in marks.customdata] == ["1 1", "1 0", "0 1", "0 0"]
    assert "3 documents</b>, 60% of the row" in marks.customdata[3][1]


def test_the_chosen_cell_is_framed_in_the_row_of_the_first_source():
    frame = figures.confusion_matrix(counts(), names(), chosen=(1.0, 0.0)).layout.shapes[-1]
    assert (round(frame.x0 + frame.x1), round(frame.y0 + frame.y1)) == (2, 0)
    assert frame.line.width == 3


@pytest.mark.parametrize(
    ("size", "shares", "numbers"),
    [(MOST_WRITTEN, True, True), (MOST_NUMBERED, False, True), (MOST_NUMBERED + 1, False, False)],
)
def test_cells_show_as_much_as_they_have_room_for(size, shares, numbers):
    texts = figures.confusion_matrix(counts(size), names(size)).data[1].text
    assert ("%" in texts[1], bool(texts[1])) == (shares, numbers)


def test_topics_are_ordered_from_the_least_agreement_without_undefined_ones():
    figure = figures.topic_agreement(by_topic([0.5, np.nan, 0.1]), "kappa", (0.4, 0.3, 0.5))
    dots = figure.data[0]
    assert [one[0] for one in dots.customdata] == ["q2<i>", "q0<i>"]
    assert dots.customdata[0][1] == "q2&lt;i&gt;"
    assert list(dots.error_y.array) == pytest.approx([0.1, 0.1])
    assert len(figure.layout.shapes) == 2


def test_many_topics_are_not_named_and_an_undefined_whole_has_no_line():
    table = by_topic([0.5] * (MOST_NAMED + 1))
    figure = figures.topic_agreement(table, "kappa", (np.nan, np.nan, np.nan))
    assert not figure.layout.xaxis.ticktext
    assert not figure.layout.shapes
