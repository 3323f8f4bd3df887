"""Sliders of a page without a server: what a view shows at their places is in the file, and moves in the browser."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.endless import score_text
from evalcore.figures.path import AXES_AND_STATE, numbered, packed, thinned, unpacked
from evalcore.figures.scripts import FOLLOWING, joined

PLACES = 41  # of a slider, at most
FEWEST = 11  # places: a slider of fewer is left out, unless it has no more
MOST_BYTES = 2_000_000  # of a view, apart from plotly.js
REST = 60_000  # bytes of scripts and styles
EXACT = 100.0  # numbers above are kept as text: 32 bits hold seven digits
DECIMALS = 4  # of the numbers of a table
HEADLINE = "headline"  # what a view says over its figures, among the texts of a sheet
TITLE = "title"


@dataclass(frozen=True, eq=False)
class Thumb:
    """A slider of a view: its label, what it is set to at each of its places, and which of them is the view's own.

    `frames` are packed sheets (`evalcore.figures.path`) of what differs between places, whose keys are `figures`,
    `tables` or `texts`, then the number of the thing in what the view shows, as text. `stays` are the numbers of
    figures and tables that do not follow it. Without frames it is not there, and `lacks` says why.
    """

    label: str
    texts: Sequence[str]
    start: int
    frames: bytes = b""
    stays: Sequence[str] = ()
    lacks: str = ""


def thumb(
    label: str, texts: Sequence[str], start: int, sheets: Sequence[Mapping[str, Any]], stays: Sequence[str] = ()
) -> Thumb:
    """A slider of the sheets at its places.

    >>> thumb("rho", ["0.5", "0.8"], 1, [{"texts": {"0": "a"}}, {"texts": {"0": "b"}}]).lacks
    ''
    """
    return Thumb(label, texts, start, packed(range(len(sheets)), sheets, AXES_AND_STATE), stays)


def lacking(label: str, why: str) -> Thumb:
    """A slider that is not in the file, and why."""
    return Thumb(label, (), 0, lacks=why)


def chosen(count: int, start: int, most: int = PLACES) -> list[int]:
    """The numbers below `count` of at most about `most` places: every so many, both ends, and the view's own.

    >>> chosen(7, 3, 4), chosen(3, 0)
    ([0, 2, 3, 4, 6], [0, 1, 2])
    """
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, count) if count <= (most - 1) * step + 1)
    return sorted({*range(0, count, every), count - 1, start})


def fitting(slider: Thumb, room: int) -> Thumb:
    """The slider in at most so many bytes of text: at fewer places, or not there at all."""
    whole = slider
    while slider.frames and size(slider) > room:
        positions = sorted({*range(0, len(slider.texts), 2), len(slider.texts) - 1, slider.start})
        if len(slider.texts) <= FEWEST or len(positions) == len(slider.texts):
            return lacking(whole.label, f"what it moves takes more than the {room / 1e6:.1f} MB that are left for it")
        texts = [slider.texts[at] for at in positions]
        slider = replace(
            slider, texts=texts, start=positions.index(slider.start), frames=numbered(thinned(slider.frames, positions))
        )
    return slider


def moves(slider: Thumb) -> bool:
    """Whether anything but captions differs between the places of a slider."""
    if not slider.frames:
        return False
    header, _ = unpacked(slider.frames)
    return any(not str(track["keys"][1]).endswith(" caption") for track in header["tracks"])


def size(slider: Thumb) -> int:
    """The bytes that a slider takes in a file, in which its frames are text."""
    return 4 * len(slider.frames) // 3 + len(json.dumps(list(slider.texts)))


def sheet(
    headline: Iterable[str], shown: Iterable[Any], title: str = "", captions: Iterable[str] = ()
) -> dict[str, Any]:
    """What a view shows, by the numbers of its things: the sheet that `thumb` takes; with title and captions if given.

    >>> sheet(["First: a"], ["Words", pd.DataFrame()])["texts"]
    {'headline': 'First: a', '0': 'Words'}
    """
    parts: dict[str, Any] = {"figures": {}, "tables": {}, "texts": {HEADLINE: "\n".join(headline)}}
    parts["texts"] |= {f"{at} caption": caption for at, caption in enumerate(captions) if caption}
    if title:
        parts["texts"][TITLE] = title
    for at, item in enumerate(shown):
        if isinstance(item, draw.Drawn):
            parts["figures"][str(at)] = draw.as_spec(item).to_dict()
        elif isinstance(item, pd.DataFrame):
            parts["tables"][str(at)] = cells(item)
        elif isinstance(item, str):
            parts["texts"][str(at)] = item
        elif text := getattr(item, "text", ""):  # what is folded
            parts["texts"][str(at)] = text
    return parts


def cells(frame: pd.DataFrame) -> dict[str, Any]:
    """A table: its heads, the names of its rows, and its columns by their numbers.

    A column is of numbers, rounded as they are shown, where 32 bits are exact enough for that; else of texts.
    """
    names = {"heads": [str(name) for name in frame.columns], "rows": [str(name) for name in frame.index]}
    return {**names, **{str(at): _column(frame.iloc[:, at]) for at in range(frame.shape[1])}}


def _column(column: pd.Series) -> Any:
    if pd.api.types.is_float_dtype(column.dtype):
        numbers = column.to_numpy(dtype=float)
        finite = np.isfinite(numbers)
        if not finite.any() or np.abs(numbers[finite]).max() <= EXACT:
            # A browser rounds ties, and what 32 bits hold of a number, to the other side.
            return np.array([float(f"{number:.{DECIMALS}f}") for number in numbers])
    return [_cell(cell) for cell in column]


def _cell(value: Any) -> str:
    if pd.isna(value):
        return ""
    return score_text(value, DECIMALS) if isinstance(value, float) else str(value)


# --- as HTML -------------------------------------------------------------------------------------------------------


@cache
def script() -> str:
    """The script of a page without a server."""
    return f'<script type="module">\n{joined(FOLLOWING / "offline.js")}</script>'  # it runs when the page is there


@cache
def style() -> str:
    """How sliders and the stage look."""
    return (FOLLOWING / "offline.css").read_text(encoding="utf-8")


def within(thumbs: Sequence[Thumb], room: int) -> list[Thumb]:
    """The sliders of a view in at most so many bytes together: each has an equal part, and what others leave."""
    kept: dict[int, Thumb] = {}
    for left, at in enumerate(sorted(range(len(thumbs)), key=lambda at: size(thumbs[at]))):
        kept[at] = fitting(thumbs[at], max(room, 0) // (len(thumbs) - left))
        room -= size(kept[at])
    return [kept[at] for at in range(len(thumbs))]


def sliders(thumbs: Sequence[Thumb], name: str) -> str:
    """The sliders of the view of a name as HTML; nothing where there are none."""
    if not thumbs:
        return ""
    moving = [thumb for thumb in thumbs if thumb.frames]
    lacks = "".join(
        f'<p class="quiet">No slider for {escape(thumb.label)}: {escape(thumb.lacks)}.</p>'
        for thumb in thumbs
        if thumb.lacks
    )
    if not moving:
        return lacks
    several = len(moving) > 1
    chooser = "".join(f"<option>{escape(thumb.label)}</option>" for thumb in moving)
    return "\n".join(
        [
            f'<div class="thumbs{" several" * several}">',
            f'<select aria-label="What moves; the others go back" autocomplete="off">{chooser}</select>' * several,
            *(_slider(thumb, f"{name}-slider-{at}", at == 1) for at, thumb in enumerate(moving, start=1)),
            '<p class="state"><span class="moved" role="status"></span> '
            '<button type="button" class="as-made" hidden>As it was made</button></p>',
            f"</div>{lacks}",
        ]
    )


def _slider(slider: Thumb, name: str, seen: bool) -> str:
    text, content = slider.texts[slider.start], base64.b64encode(slider.frames).decode()
    data = {"start": str(slider.start), "label": slider.label, "texts": json.dumps(list(slider.texts))}
    data |= {"frames": f"{name}-frames", "stays": json.dumps(list(slider.stays))}
    attributes = " ".join(f'data-{key}="{escape(value)}"' for key, value in data.items())
    return (
        f'<div class="thumb"{"" if seen else " hidden"}><label for="{name}">{escape(slider.label)}</label>'
        f'<input type="range" id="{name}" min="0" max="{len(slider.texts) - 1}" step="1" value="{slider.start}" '
        f'autocomplete="off" aria-valuetext="{escape(text)}" {attributes}><output for="{name}">{escape(text)}</output>'
        f'<script type="application/octet-stream" id="{name}-frames">{content}</script></div>'
    )
