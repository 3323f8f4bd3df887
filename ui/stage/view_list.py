"""The presenter's list: views in their order, as slides that a browser opens, and as a file that opens again.

Its file holds the page and the settings of each view, and all that it shows, so that it is the same wherever it is
opened, whatever data are there.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import chain
from typing import Any
from urllib.parse import parse_qs
from weakref import WeakValueDictionary

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from plotly.io import to_json
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import evalcore as ec
from evalcore import InputError
from evalcore.data.json_text import parse_json
from evalcore.errors import shorten
from evalcore.figures.draw import Drawn
from evalcore.figures.offline import Thumb
from evalcore.figures.path import checked
from evalcore.figures.report import Formula, Heading, Item, Rests, View
from evalcore.schema import refuse_huge_inside

LARGEST = 60_000_000  # bytes of a file: of 20 views with 2 MB of sliders each, and room
LONGEST = 200  # characters of a title
LARGEST_NUMBER = 2**53  # of those that are whole
_WRONG = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError)
_TEXTS = ("title", "link", "note", "about", "caption")
# Views may be a stranger's: their page has no part in what the browser keeps for the app.
ALONE = "sandbox allow-scripts allow-downloads allow-modals"
_SLIDES = "slides of this session"


# --- as slides ------------------------------------------------------------------------------------------------------


class Slides:
    """Slides that a session offers, by a word that only it knows; made when a browser asks for them."""

    def __init__(self, make: Callable[[], bytes]) -> None:
        self.word, self.make = secrets.token_hex(16), make


_OFFERED: WeakValueDictionary[str, Slides] = WeakValueDictionary()  # as long as a session shows them


def offer(make: Callable[[], bytes]) -> str:
    """The address, below that of the app, of the slides of this session."""
    slides = st.session_state.setdefault(_SLIDES, Slides(make))
    slides.make = make
    _OFFERED[slides.word] = slides
    return f"slides/{slides.word}"


async def answer(request: Request) -> Response:
    """The slides of a word."""
    slides = _OFFERED.get(request.path_params["word"])
    if slides is None:
        return Response("These slides are gone: present them anew from the app.\n", 404, media_type="text/plain")
    content = await run_in_threadpool(slides.make)
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": ALONE}
    return Response(content, headers=headers, media_type="text/html; charset=utf-8")


ROUTES = (Route("/slides/{word}", answer),)


# --- as a file ------------------------------------------------------------------------------------------------------


def write(views: Sequence[View]) -> str:
    """The text of a list, whose views are finished."""
    return json.dumps(
        {"evalcore": ec.__version__, "views": [_written(view) for view in views]}, ensure_ascii=False, default=str
    )


def read(content: bytes, where: str) -> list[View]:
    """The views of a list from the bytes of its file. Raises InputError saying what was expected and found."""
    if len(content) > LARGEST:
        raise InputError(f"expected a list of at most {LARGEST:,} bytes, found {len(content):,}", where)
    listed = parse_json(content, where, what="a list of views", kind=dict)
    views = listed.get("views")
    if not isinstance(views, list) or not views:
        raise InputError("expected a list of views, found a file without", where)
    refuse_huge_inside(views, where, "views")
    try:
        return [_read(view) for view in views]
    except _WRONG as error:
        other = listed.get("evalcore")
        by = f", in a list made by evalcore {shorten(str(other))}; this is {ec.__version__}"
        result = shorten(" ".join(str(error).split()), 80) + by * (other not in (None, ec.__version__))
        raise InputError(f"expected views as a list has them, found {result}", where) from None


def _written(view: View) -> dict[str, Any]:
    page, _, query = view.link.lstrip("/").partition("?")
    data = None if view.data is None else {field.name: getattr(view.data, field.name) for field in fields(Rests)}
    return {
        "page": page,
        "settings": parse_qs(query),
        **{name: getattr(view, name) for name in _TEXTS},
        "told": dict(view.settings),
        "headline": list(view.headline),
        "data": data,
        "shown": [[caption, *_item(item)] for caption, item in view.shown],
        "sliders": [_slider(slider) for slider in view.sliders],
    }


def _item(item: Item) -> tuple[str, Any]:
    if isinstance(item, Drawn):
        return "figure", json.loads(to_json(item.to_dict(), validate=False))
    if isinstance(item, pd.DataFrame):
        return "table", _table(item)
    if isinstance(item, Formula):
        return "formula", item.latex
    return ("heading", item.text) if isinstance(item, Heading) else ("text", str(item))


def _table(frame: pd.DataFrame) -> dict[str, Any]:
    """All of a table, infinite numbers too; a gap is null."""
    rows = frame.astype(object).to_numpy().tolist()
    cells = [
        [None if pd.isna(cell) else cell if isinstance(cell, bool | int | float) else str(cell) for cell in row]
        for row in rows
    ]
    names = [None if name is None else str(name) for name in (frame.index.name, frame.columns.name)]
    return {"columns": frame.columns.tolist(), "index": frame.index.tolist(), "data": cells, "names": names}


def _slider(slider: Thumb) -> dict[str, Any]:
    about = {"label": slider.label, "texts": list(slider.texts), "start": slider.start, "lacks": slider.lacks}
    return {**about, "stays": list(slider.stays), "frames": base64.b64encode(slider.frames).decode()}


def _read(entry: Mapping[str, Any]) -> View:
    data = entry["data"]
    texts = {name: _text(entry[name]) for name in _TEXTS}
    return View(
        " ".join(texts.pop("title").split())[:LONGEST] or "Untitled",
        **texts,
        settings=_pairs(entry["told"]),
        headline=[_text(line) for line in entry["headline"]],
        data=None if data is None else Rests(_text(data["title"]), _pairs(data["facts"]), _pairs(data["provenance"])),
        shown=[(_text(caption), _item_of(kind, content)) for caption, kind, content in entry["shown"]],
        sliders=[_slider_of(slider) for slider in entry["sliders"]],
    )


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text")
    text.encode()  # what no file can hold would end every report
    return text


def _pairs(table: Mapping[str, Any]) -> dict[str, str]:
    return {_text(name): _text(text) for name, text in table.items()}


def _item_of(kind: str, content: Any) -> Item:
    if kind == "figure":
        _text(json.dumps(content, ensure_ascii=False))
        return go.Figure(content)
    if kind == "table":
        return _table_of(content)
    made: dict[str, Callable[[str], Item]] = {"formula": Formula, "heading": Heading, "text": str}
    return made[kind](_text(content))


def _table_of(table: Mapping[str, Any]) -> pd.DataFrame:
    for cell in chain.from_iterable(table["data"]):
        if isinstance(cell, int) and abs(cell) > LARGEST_NUMBER:
            raise ValueError("a whole number that is too large")
        if not isinstance(cell, bool | int | float | None):
            _text(cell)
    index, columns = (_labels(table[axis]) for axis in ("index", "columns"))
    for axis, name in zip((index, columns), table.get("names", ()), strict=False):
        axis.name = None if name is None else _text(name)
    return pd.DataFrame(table["data"], index=index, columns=columns)


def _labels(names: Sequence[Any]) -> pd.Index:
    """The names of rows or columns, in several levels where each is a list."""
    several = bool(names) and all(isinstance(name, list) for name in names)
    for text in (part for name in names for part in (name if several else [name])):
        if not isinstance(text, bool | int | float | None):
            _text(text)
    return pd.MultiIndex.from_tuples([tuple(pair) for pair in names]) if several else pd.Index(names)


def _slider_of(slider: Mapping[str, Any]) -> Thumb:
    frames, texts, start = (
        base64.b64decode(slider["frames"], validate=True),
        list(map(_text, slider["texts"])),
        slider["start"],
    )
    if frames and (type(start) is not int or checked(frames) != len(texts) or not 0 <= start < len(texts)):
        raise ValueError("slider positions do not match its frames")
    stays = [_text(text) for text in slider["stays"]]
    return Thumb(_text(slider["label"]), texts, start, frames, stays, _text(slider["lacks"]))
