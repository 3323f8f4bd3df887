"""The specification curve: effects by size, with the options of each specification beneath."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore import figures
from evalcore.claims.figures import MOST_COLUMNS, MOST_ROWS

HOSTILE = "<img src=x>"
OPTIONS = {"measure": ["AP", HOSTILE], "rho": ["0.5", "0.9"], "one": ["only"]}
FRAME = pd.DataFrame(
    {
        "specification": [2, 0, 1],
        "measure": ["AP", HOSTILE, HOSTILE],
        "rho": ["", "0.5", "0.9"],
        "one": ["only"] * 3,
        "scored by": ["AP", HOSTILE, "RBP(rho=0.9)"],
        "effect": [-0.2, 0.05, 0.3],
        "low": [-0.3, -0.1, 0.1],
        "high": [-0.1, 0.2, 0.5],
        "decision": ["fails", "undecided", "holds"],
        "weight": [0.5, 0.25, 0.25],
    }
)


def drawn(frame: pd.DataFrame = FRAME, **more: object) -> go.Figure:
    return figures.specification_curve(frame, OPTIONS, **more)  # type: ignore[arg-type]


def traces(figure: go.Figure, kind: str) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.type == kind]


def cells(figure: go.Figure) -> np.ndarray:
    (heatmap,) = traces(figure, "heatmap")
    return np.asarray(heatmap.z)


def test_every_point_carries_the_number_of_its_specification() -> None:
    points = [trace for trace in traces(drawn(), "scatter") if trace.mode == "markers" and trace.customdata is not None]
    found = {(int(x), int(number)) for point in points for x, (number,) in zip(point.x, point.customdata, strict=True)}
    assert found == {(0, 2), (1, 0), (2, 1)}  # by size, not by number


def test_decisions_differ_in_colour_and_in_mark() -> None:
    points = [trace for trace in traces(drawn(), "scatter") if trace.mode == "markers" and trace.name]
    assert len({point.marker.color for point in points}) == len({point.marker.symbol for point in points}) == 3
    assert [point.name for point in points] == ["holds 25%", "undecided 25%", "is reversed 50%"]  # by weight


def test_marks_below_the_curve_show_the_chosen_options() -> None:
    # rows: measure, AP, HOSTILE, rho, 0.5, 0.9; a choice with one option tells nothing and has no row
    assert cells(drawn()).tolist() == [[0, 0, 0], [1, 0, 0], [0, 2, 3], [0, 0, 0], [0, 2, 0], [0, 0, 3]]


def test_each_option_shows_the_number_of_specifications_in_which_the_claim_holds() -> None:
    assert list(drawn().layout.yaxis3.ticktext) == ["holds", "0%", "50%", "0%", "100%"]


def test_a_line_marks_where_the_verdict_changes() -> None:
    assert [shape.y0 for shape in drawn().layout.shapes] == [0]
    ranks = drawn(kind="rank", top=3)
    assert [shape.y0 for shape in ranks.layout.shapes] == [3.5]
    assert ranks.layout.yaxis.autorange == "reversed"


@pytest.mark.parametrize("count", [1, 2000, 2 * MOST_COLUMNS])
def test_thousands_of_specifications_are_a_few_traces(count: int) -> None:
    many = pd.concat([FRAME] * count, ignore_index=True).head(count).assign(specification=np.arange(count))
    figure = drawn(many)
    assert len(figure.data) == 8
    assert cells(figure).shape[1] == min(count, MOST_COLUMNS)
    assert not [trace for trace in figure.data if "gl" in trace.type]  # WebGL: browsers allow few contexts


def test_many_options_of_a_choice_share_rows() -> None:
    names = [str(at) for at in range(30)]
    frame = pd.concat([FRAME] * 10, ignore_index=True).assign(rho=names, specification=range(30))
    figure = figures.specification_curve(frame, {"rho": names})
    assert len(figure.layout.yaxis2.ticktext) == 1 + MOST_ROWS
    assert figure.layout.yaxis2.ticktext[1] == "0 to 2"
    assert (cells(figure) > 0).sum() == 30
