"""The path of a figure: what of it changes while one number is moved, packed for a browser.

A figure at some 50 to 100 positions of a slider is one figure and the places in it that differ. Numbers that differ
are kept as a table of positions x numbers, which a browser may read between two positions too; anything else as the
values that occur and which of them stands at each position.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from evalcore.common.arrays import FloatArray

# Axes hold still while a slider moves; what is seen of a mark under the mouse alone, or keeps a figure as it was left.
AXES_AND_STATE = frozenset({"range", "autorange", "autorangeoptions", "uirevision", "meta", "selectionrevision"})
# What a figure without a server needs too: nobody sends it the words under the mouse after a move.
UNDER_THE_MOUSE = frozenset({"customdata", "hovertemplate", "hovertext", "hoverinfo"})
UNSEEN = AXES_AND_STATE | UNDER_THE_MOUSE
_MISSING = object()

Keys = tuple[str | int, ...]
Part = tuple[Keys, FloatArray | None, list[Any]]  # a place in sheets with its numbers, or where it has none its values


def packed(positions: Sequence[float], sheets: Sequence[Mapping[str, Any]], unseen: Collection[str] = UNSEEN) -> bytes:
    """The places that differ between sheets, each what is seen at one position; figures as plain dicts.

    `unseen` are names of what is left out, beside the text of marks where it is seen under the mouse alone; without
    `customdata` among them that text is kept too.

    Four bytes with the length n of what follows (little-endian), n bytes of JSON (padded to a multiple of 4), then
    numbers of 32 bits. The JSON holds `positions` and `tracks`: each has `keys`, which lead to a place in a sheet, and
    either `from` and `length`, where its rows of numbers begin and how long each is, or `values` and `at`, which of
    them stands at each position. No number is written as nan.

    >>> data = packed([0.1, 0.2], [{"tau": "0.9", "y": [1, 2]}, {"tau": "0.8", "y": [1, 3]}])
    >>> unpacked(data)[0]["tracks"][0]
    {'keys': ['tau'], 'values': ['0.9', '0.8'], 'at': [0, 1]}
    """
    places = _differing((), list(sheets), unseen)
    return _written(positions, ((keys, _as_numbers(values), values) for keys, values in places))


def unpacked(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON of a path, and the bytes of its numbers."""
    end = 4 + int.from_bytes(data[:4], "little")
    return json.loads(data[4:end]), data[end:]


def thinned(data: bytes, kept: Sequence[int]) -> bytes:
    """A path with some of its positions only, by their numbers, in ascending order.

    >>> data = packed([0.1, 0.2, 0.3], [{"tau": "0.9", "y": [1]}, {"tau": "0.8", "y": [2]}, {"tau": "0.9", "y": [3]}])
    >>> data = thinned(data, [0, 2])
    >>> unpacked(data)[0]["positions"]
    [0.1, 0.3]
    """
    header, rest = unpacked(data)
    numbers, count = np.frombuffer(rest, "<f4"), len(header["positions"])

    def part(track: Mapping[str, Any]) -> Part:
        if "values" in track:
            return track["keys"], None, [track["values"][track["at"][at]] for at in kept]
        wide = track["length"]
        table = numbers[track["from"] : track["from"] + count * wide].reshape(count, wide)
        return track["keys"], table[list(kept)], []

    return _written([header["positions"][at] for at in kept], map(part, header["tracks"]))


def numbered(data: bytes) -> bytes:
    """The same path, its positions counted from 0."""
    header, numbers = unpacked(data)
    return _joined({**header, "positions": list(range(len(header["positions"])))}, numbers)


def _written(positions: Sequence[float], parts: Iterable[Part]) -> bytes:
    tracks: list[dict[str, Any]] = []
    tables: list[FloatArray] = []
    begun = 0
    for keys, table, values in parts:
        if table is None:
            tracks.append({"keys": keys, **_occurring(values)})
            continue
        tracks.append({"keys": keys, "from": begun, "length": table.shape[1]})
        tables.append(table)
        begun += table.size
    numbers = np.concatenate([table.ravel() for table in tables]) if tables else np.empty(0)
    return _joined({"positions": list(positions), "tracks": tracks}, numbers.astype("<f4").tobytes())


def _joined(header: Mapping[str, Any], numbers: bytes) -> bytes:
    text = json.dumps(header, default=_plain).encode()
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + numbers


def sharing(value: Any, first: Any) -> Any:
    """A sheet whose parts that are as in another one are those of that one, so that many take little room.

    >>> first = {"figure": {"x": [1, 2], "y": [3, 4]}}
    >>> other = sharing({"figure": {"x": [1, 2], "y": [3, 5]}}, first)
    >>> other["figure"]["x"] is first["figure"]["x"], other["figure"]["y"]
    (True, [3, 5])
    """
    if value is first:
        return first
    if isinstance(value, Mapping) and isinstance(first, Mapping):
        parts: Any = {key: sharing(part, first.get(key, _MISSING)) for key, part in value.items()}
        same = len(value) == len(first) and all(part is first.get(key, _MISSING) for key, part in parts.items())
        return first if same else parts
    if _of_parts(value) and _of_parts(first):
        parts = [sharing(*both) for both in zip(value, first, strict=False)] + list(value[len(first) :])
        same = len(value) == len(first) and all(one is other for one, other in zip(parts, first, strict=True))
        return first if same else parts
    return first if _same(value, first) else value


def _differing(keys: Keys, values: list[Any], unseen: Collection[str]) -> list[tuple[Keys, list[Any]]]:
    """The innermost places where the values differ."""
    first = values[0]
    if all(value is first for value in values):
        return []
    if all(isinstance(value, Mapping) for value in values):
        names = dict.fromkeys(name for value in values for name in value if name not in unseen)
        if "customdata" in unseen and _hidden_text(first):
            names.pop("text", None)
        return [
            place
            for name in names
            for place in _differing((*keys, name), [value.get(name, _MISSING) for value in values], unseen)
        ]
    if _of_parts(first) and all(_of_parts(value) and len(value) == len(first) for value in values):
        parts = range(len(first))
        return [place for at in parts for place in _differing((*keys, at), [value[at] for value in values], unseen)]
    return [] if all(_same(value, first) for value in values) else [(keys, values)]


def _hidden_text(trace: Any) -> bool:
    """Whether the text of a trace is shown under the mouse alone."""
    return trace.get("type") == "scatter" and "text" not in trace.get("mode", "")


def _of_parts(value: Any) -> bool:
    """Whether a value is a list of things that have names, such as traces."""
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)


def _same(one: Any, other: Any) -> bool:
    if hasattr(one, "__array__") or hasattr(other, "__array__"):
        a, b = np.asarray(one), np.asarray(other)
        return a.shape == b.shape and bool(((a == b) | ((a != a) & (b != b))).all())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and (_equal(one, other) or all(map(_same, one, other)))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(part, other[name]) for name, part in one.items())
    if isinstance(one, bool) is not isinstance(other, bool):  # to Python True is 1, to plotly it is not
        return False
    return bool(one is other or one == other or (one != one and other != other))


def _equal(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether lists are equal as Python has it, which is quickly told; arrays in them it cannot compare."""
    try:
        return type(one) is type(other) and bool(one == other)
    except ValueError:
        return False


def _as_numbers(values: list[Any]) -> FloatArray | None:
    """Positions x numbers, a gap as nan, as is what shorter ones lack; None where a value is not of numbers."""
    rows = [np.atleast_1d(_with_gaps(value)) for value in values]
    if any(row.dtype.kind not in "fiu" or row.ndim != 1 for row in rows):
        return None
    table = np.full((len(rows), max(map(len, rows))), np.nan)
    for at, row in enumerate(rows):
        table[at, : len(row)] = row
    return table


def _with_gaps(value: Any) -> np.ndarray[Any, Any]:
    if isinstance(value, list | tuple) and any(number is None for number in value):
        value = [np.nan if number is None else number for number in value]
    if isinstance(value, str | bool | Mapping) or value is None or value is _MISSING:
        return np.empty(0, dtype=object)
    try:
        return np.asarray(value)
    except ValueError:  # rows of different lengths
        return np.empty(0, dtype=object)


def _occurring(values: list[Any]) -> dict[str, Any]:
    """The values that occur, in order, and which of them stands at each position."""
    counts: dict[str, int] = {}
    distinct: list[Any] = []
    at = []
    for value in values:
        value = None if value is _MISSING else value
        text = json.dumps(value, default=_plain)
        if text not in counts:
            counts[text] = len(distinct)
            distinct.append(json.loads(text))
        at.append(counts[text])
    return {"values": distinct, "at": at}


def _plain(value: Any) -> Any:
    """What JSON has no word for: arrays and their numbers; a gap is null."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(number) if isinstance(number, float | list | tuple) else number for number in value]
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return str(value)
