"""A path: the screens at the positions of one slider, packed for a browser.

The content of a screen at one position is a sheet: its `figures` as plain dicts, its `tables` and its `texts`, by key.
The sheets at some 50 to 100 positions of a slider are stored as one sheet and the parts that differ. Numbers that
differ are a table of positions x numbers, between which a browser may interpolate; anything else is stored as the
distinct values, with an index into them for each position.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from typing import Any, TypeAlias

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError

MOST_BYTES = 2_000_000  # of a screen in a file, apart from plotly.js
PLACES = 41  # positions of a slider in a file, at most
FEWEST = 11  # positions; a slider with fewer is left out, unless it has no more
Sheet: TypeAlias = Mapping[str, Any]

# Axes, which stay still while a slider moves, and the state in which a reader left a figure.
AXES_AND_STATE = frozenset({"range", "autorange", "autorangeoptions", "uirevision", "meta", "selectionrevision"})
# Hover texts; only a figure without a server needs them in a path, because no server sends them after a move.
UNDER_THE_MOUSE = frozenset({"customdata", "hovertemplate", "hovertext", "hoverinfo"})
UNSEEN = AXES_AND_STATE | UNDER_THE_MOUSE
_MISSING = object()

Keys = tuple[str | int, ...]
Part = tuple[Keys, FloatArray | None, list[Any]]  # a place in sheets with its numbers or, without numbers, its values


@dataclass(eq=False)
class Path:
    """The screens at the positions of one slider, drawn one by one and then packed, for a file.

    `texts` are the slider's values, one for each position; `start` is the position of the present screen. `draw`
    returns the sheet of a position by its index, None if nothing can be shown there; it is called for about `PLACES`
    positions at most, from coarse to fine, for at most `seconds`. `keys` are the figures and tables that follow the
    slider. If the path is left out of the file, `lacks` gives the reason.
    """

    label: str
    texts: Sequence[str]
    start: int
    draw: Callable[[int], Sheet | None] | None = None
    seconds: float = inf
    frames: bytes = b""
    keys: Collection[str] = ()
    lacks: str = ""
    spent: float = 0.0  # seconds of computing so far
    left: list[int] = field(default_factory=list)  # positions to draw, the next one last
    sheets: dict[int, Sheet] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.draw is not None:
            places = chosen(len(self.texts), self.start)
            order = dict.fromkeys([self.start, *(places[at] for at in coarse_to_fine(len(places)))])
            self.left = list(reversed(order))

    def step(self) -> bool:
        """Draw one more position; return whether more positions are to be drawn."""
        if not self.left or self.draw is None:
            return False
        at, begun = self.left.pop(), time.thread_time()
        try:
            sheet = self.draw(at)
        except InputError:
            sheet = None
        if sheet is not None:
            self.sheets[at] = sharing(sheet, next(iter(self.sheets.values()), None))
        self.spent += time.thread_time() - begun
        if self.left and self.spent <= self.seconds:
            return True
        self._finish(stopped=bool(self.left))
        return False

    def drawn(self) -> Path:
        """Draw all positions that are left, and return the path."""
        while self.step():
            pass
        return self

    def give_up(self, why: str) -> None:
        """Leave the path out of the file, with the reason `why`."""
        self.lacks, self.texts, self.start, self.draw, self.left, self.sheets = why, (), 0, None, [], {}

    def _finish(self, stopped: bool) -> None:
        places, sheets = sorted(self.sheets), self.sheets
        if self.start not in places:
            self.give_up("it could not be drawn again for the current value")
        elif stopped and len(places) < min(FEWEST, len(self.texts)):
            self.give_up(f"drawing its values needs more than {self.seconds:.0f} s")
        elif len(places) < 2:
            self.give_up("there is nothing to draw at its other values")
        else:
            ordered = [sheets[at] for at in places]
            self.frames = packed(range(len(places)), ordered, AXES_AND_STATE)
            self.keys = {key for kind in ("figures", "tables") for key in ordered[0].get(kind, ())}
            self.texts, self.start = [self.texts[at] for at in places], places.index(self.start)
            self.draw, self.left, self.sheets = None, [], {}

    @property
    def size(self) -> int:
        """The number of bytes that the path needs in a file, where its frames are base64 text."""
        return 4 * len(self.frames) // 3 + len(json.dumps(list(self.texts)))

    @property
    def moves(self) -> bool:
        """Return whether anything but captions differs between the positions."""
        tracks = unpacked(self.frames)[0]["tracks"] if self.frames else []
        return any(not str(track["keys"][1]).endswith(" caption") for track in tracks)

    def fitting(self, room: int) -> Path:
        """Return the path fitted into `room` bytes of text: with fewer positions, or left out."""
        path = self
        while path.frames and path.size > room:
            kept = sorted({*range(0, len(path.texts), 2), len(path.texts) - 1, path.start})
            if len(path.texts) <= FEWEST or len(kept) == len(path.texts):
                lacks = f"the moving figures need more than the {room / 1e6:.1f} MB left for them"
                return Path(self.label, (), 0, lacks=lacks)
            texts = [path.texts[at] for at in kept]
            path = replace(path, texts=texts, start=kept.index(path.start), frames=thinned(path.frames, kept))
        return path


def within(paths: Sequence[Path], room: int) -> list[Path]:
    """Return a screen's paths fitted into `room` bytes: each gets an equal share, plus what smaller paths leave."""
    kept: dict[int, Path] = {}
    for left, at in enumerate(sorted(range(len(paths)), key=lambda at: paths[at].size)):
        kept[at] = paths[at].fitting(max(room, 0) // (len(paths) - left))
        room -= kept[at].size
    return [kept[at] for at in range(len(paths))]


def chosen(count: int, start: int, most: int = PLACES) -> list[int]:
    """Return about `most` numbers below `count`: evenly spaced, with both ends and `start`.

    >>> chosen(7, 3, 4), chosen(3, 0)
    ([0, 2, 3, 4, 6], [0, 1, 2])
    """
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, count) if count <= (most - 1) * step + 2)
    return sorted({*range(0, count, every), count - 1, start})


@cache
def coarse_to_fine(count: int) -> tuple[int, ...]:
    """Return the numbers below `count`, both ends first, then the middle of the gap, and so on in each half.

    >>> coarse_to_fine(6)
    (0, 5, 2, 1, 3, 4)
    """
    order, gaps = dict.fromkeys((0, count - 1)), [(0, count - 1)]
    while gaps:
        middles = [((low + high) // 2, low, high) for low, high in gaps if high - low > 1]
        order |= dict.fromkeys(middle for middle, _, _ in middles)
        gaps = [gap for middle, low, high in middles for gap in ((low, middle), (middle, high))]
    return tuple(order)


# --- packed ----------------------------------------------------------------------------------------------------------


def packed(positions: Sequence[float], sheets: Sequence[Mapping[str, Any]], unseen: Collection[str] = UNSEEN) -> bytes:
    """Return the parts that differ between sheets, packed; figures in the sheets are plain dicts.

    `unseen` are names of properties that are left out; if `customdata` is one of them, texts of marks that show only
    under the mouse are left out too.

    The result is four bytes with the length n of the JSON (little-endian), n bytes of JSON (padded to a multiple of 4),
    and then 32-bit numbers. The JSON holds `positions` and `tracks`. Each track has `keys`, which lead to a place in a
    sheet, and either `from` and `length` (the start and the length of its rows of numbers), or `values` and `at` (the
    distinct values, and an index into them for each position). A missing number is written as nan.

    >>> data = packed([0.1, 0.2], [{"tau": "0.9", "y": [1, 2]}, {"tau": "0.8", "y": [1, 3]}])
    >>> unpacked(data)[0]["tracks"][0]
    {'keys': ['tau'], 'values': ['0.9', '0.8'], 'at': [0, 1]}
    """
    places = _differing((), list(sheets), unseen)
    return _written(positions, ((keys, _as_numbers(values), values) for keys, values in places))


def unpacked(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the JSON of a packed path, and the bytes of its numbers."""
    end = 4 + int.from_bytes(data[:4], "little")
    return json.loads(data[4:end]), data[end:]


def thinned(data: bytes, kept: Sequence[int]) -> bytes:
    """Return a packed path with only some positions, given by ascending indices; they are counted from 0 again.

    >>> sheets = [{"tau": "0.9", "y": [1]}, {"tau": "0.8", "y": [2]}, {"tau": "0.9", "y": [3]}]
    >>> unpacked(thinned(packed([0.1, 0.2, 0.3], sheets), [0, 2]))[0]["positions"]
    [0, 1]
    """
    header, rest = unpacked(data)
    numbers, count = np.frombuffer(rest, "<f4"), len(header["positions"])

    def part(track: Mapping[str, Any]) -> Part:
        if "values" in track:
            return track["keys"], None, [track["values"][track["at"][at]] for at in kept]
        wide = track["length"]
        table = numbers[track["from"] : track["from"] + count * wide].reshape(count, wide)
        return track["keys"], table[list(kept)], []

    return _written(range(len(kept)), map(part, header["tracks"]))


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
    text = json.dumps({"positions": list(positions), "tracks": tracks}, default=_plain).encode()
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + numbers.astype("<f4").tobytes()


def sharing(value: Any, first: Any) -> Any:
    """Return a sheet equal to `value` in which parts equal to those of `first` are the same objects, to save memory.

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
    """Return (keys, values) for each innermost place at which the values differ."""
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
    """Return whether the text of a trace is shown only under the mouse."""
    return trace.get("type") == "scatter" and "text" not in trace.get("mode", "")


def _of_parts(value: Any) -> bool:
    """Return whether a value is a list of mappings, such as traces."""
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)


def _same(one: Any, other: Any) -> bool:
    if hasattr(one, "__array__") or hasattr(other, "__array__"):
        a, b = np.asarray(one), np.asarray(other)
        return a.shape == b.shape and bool(((a == b) | ((a != a) & (b != b))).all())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and (_equal(one, other) or all(map(_same, one, other)))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(part, other[name]) for name, part in one.items())
    if isinstance(one, bool) is not isinstance(other, bool):  # True equals 1 in Python, but not in plotly
        return False
    return bool(one is other or one == other or (one != one and other != other))


def _equal(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether lists are equal by Python's ==, which is quick; false if they hold arrays."""
    try:
        return type(one) is type(other) and bool(one == other)
    except ValueError:
        return False


def _as_numbers(values: list[Any]) -> FloatArray | None:
    """Return a table of positions x numbers, with nan for gaps and after short rows; None unless all are numbers."""
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
    """Return the distinct values, in order, as "values", and the index of the value at each position as "at"."""
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
    """Convert a value of a type that JSON lacks, such as an array, and return it; inf and nan become null."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(number) if isinstance(number, float | list | tuple) else number for number in value]
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return str(value)
