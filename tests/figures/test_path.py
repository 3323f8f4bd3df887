"""Paths of a figure: what a browser is sent for many places of a slider."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.figures.path import packed


def unpacked(data: bytes, first: Any) -> list[Any]:
    """Return the sheets of a path as the browser makes them: the first one, and what differs from it."""
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    numbers = np.frombuffer(data, "<f4", offset=4 + length)
    sheets = []
    for row in range(len(header["positions"])):
        sheet = copy.deepcopy(first)
        for track in header["tracks"]:
            *way, last = track["keys"]
            part = sheet
            for key in way:
                part = part[key]
            if "values" in track:
                part[last] = track["values"][track["at"][row]]
            else:
                begun = track["from"] + row * track["length"]
                part[last] = numbers[begun : begun + track["length"]].tolist()
        sheets.append(sheet)
    return sheets


def tracks(data: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])["tracks"]
    return found


def test_what_stays_is_not_sent() -> None:
    figure = {"data": [{"type": "scatter", "name": "a", "y": [1.0, 2.0]}]}
    assert tracks(packed([0, 1], [figure, copy.deepcopy(figure)])) == []


def test_what_is_seen_under_the_mouse_alone_is_not_sent() -> None:
    marks = [{"type": "scatter", "mode": "markers", "y": [1.0], "text": [name], "customdata": [name]} for name in "ab"]
    assert tracks(packed([0, 1], marks)) == []
    written = [{"type": "scatter", "mode": "text", "text": [name]} for name in "ab"]
    assert [track["keys"] for track in tracks(packed([0, 1], written))] == [["text"]]


def test_a_line_that_is_shorter_elsewhere_ends_in_gaps() -> None:
    lines: list[dict[str, Any]] = [{"y": [1.0, None, 3.0]}, {"y": [1.5]}]
    rows = [sheet["y"] for sheet in unpacked(packed([0, 1], lines), lines[0])]
    np.testing.assert_array_equal(rows, [[1.0, np.nan, 3.0], [1.5, np.nan, np.nan]])


def test_traces_with_arrays_may_come_and_go() -> None:
    bars: list[dict[str, Any]] = [{"type": "bar", "y": np.array([1.0, last])} for last in (2.0, 3.0)]
    sheets = [{"data": bars[:1]}, {"data": bars[1:]}, {"data": bars}]
    data = [sheet["data"] for sheet in unpacked(packed([0, 1, 2], sheets), sheets[0])]
    assert [[bar["y"] for bar in shown] for shown in data] == [[[1, 2]], [[1, 3]], [[1, 2], [1, 3]]]


@pytest.mark.parametrize("array", [[0.5, 1.0], np.array([0.5, 1.0]), np.array([1, 2]), (0.5, 1.0)])
def test_numbers_of_any_kind_are_numbers(array: Any) -> None:
    data = packed([0, 1], [{"y": array}, {"y": np.asarray(array) + 1}])
    assert tracks(data)[0]["length"] == 2
    assert unpacked(data, {"y": []})[1]["y"] == (np.asarray(array) + 1).tolist()


def test_maps_of_colours_are_sent_row_by_row() -> None:
    maps = [{"z": np.array([[0.5, np.nan], [1.0, 0.0]]) + at} for at in range(2)]
    assert unpacked(packed([0, 1], maps), maps[0])[1] == {"z": [[1.5, None], [2.0, 1.0]]}


def test_true_is_not_one() -> None:
    sheets: list[dict[str, Any]] = [{"text": True}, {"text": 1}]
    assert [type(sheet["text"]) for sheet in unpacked(packed([0, 1], sheets), sheets[0])] == [bool, int]


leaf = st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from([0.5, 0.25, 1.5]) | st.sampled_from("ab")
numbers = st.lists(st.sampled_from([0.5, 0.25, -2.0]), min_size=2, max_size=2)


@given(
    st.lists(
        st.fixed_dictionaries(
            {"x": numbers, "text": leaf, "shapes": st.lists(st.fixed_dictionaries({"x0": leaf}), max_size=2)}
        ),
        min_size=1,
        max_size=4,
    )
)
def test_the_browser_gets_back_every_sheet(sheets: list[Any]) -> None:
    def plain(value: Any) -> Any:  # a number alone comes as a list of one
        return [value] if isinstance(value, int | float) and not isinstance(value, bool) else value

    def bare(sheet: Any) -> Any:
        shapes = [{"x0": plain(shape["x0"])} for shape in sheet["shapes"]]
        return {"x": sheet["x"], "text": plain(sheet["text"]), "shapes": shapes}

    back = unpacked(packed(range(len(sheets)), sheets), sheets[0])
    assert [bare(sheet) for sheet in back] == [bare(sheet) for sheet in sheets]
