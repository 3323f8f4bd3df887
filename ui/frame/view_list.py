"""The presenter's list: views in their order, as slides that a browser opens, and as a file that opens again.

Its file holds the page and the settings of each view as a saved view does (`ui.frame.saved_views`), and all that it
shows, so that it is the same wherever it is opened, whatever data are there.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
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
from evalcore.errors import shorten
from evalcore.figures.offline import Thumb
from evalcore.figures.report import Formula, Heading, Item, Rests, View

LARGEST = 60_000_000  # bytes of a file: of 20 views with 2 MB of sliders each, and room
_TEXTS = ("title", "link", "note", "about", "caption")
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
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(content, headers=headers, media_type="text/html; charset=utf-8")


ROUTES = (Route("/slides/{word}", answer),)


# --- as a file ------------------------------------------------------------------------------------------------------


def write(views: Sequence[View]) -> str:
    """The text of a list, whose views are finished."""
    return json.dumps({"evalcore": ec.__version__, "views": [_written(one) for one in views]}, ensure_ascii=False)


def read(content: bytes, where: str) -> list[View]:
    """The views of a list from the bytes of its file. Raises InputError saying what was expected and found."""
    if len(content) > LARGEST:
        raise InputError(f"expected a list of at most {LARGEST:,} bytes, found {len(content):,}", where)
    try:
        said = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"expected a list of views (JSON), found a mistake: {error}", where) from None
    views = said.get("views") if isinstance(said, dict) else None
    if not isinstance(views, list) or not views:
        raise InputError("expected a list of views, found a file without", where)
    try:
        return [_read(one) for one in views]
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(f"expected views as a list has them, found {shorten(str(error), 80)!r}", where) from None


def _written(view: View) -> dict[str, Any]:
    page, _, said = view.link.lstrip("/").partition("?")
    data = None if view.data is None else {one.name: getattr(view.data, one.name) for one in fields(Rests)}
    return {
        "page": page,
        "settings": parse_qs(said),
        **{name: getattr(view, name) for name in _TEXTS},
        "told": dict(view.settings),
        "headline": list(view.headline),
        "data": data,
        "shown": [[said, *_item(item)] for said, item in view.shown],
        "sliders": [_slider(one) for one in view.sliders],
    }


def _item(item: Item) -> tuple[str, Any]:
    if isinstance(item, go.Figure):
        return "figure", json.loads(to_json(item, validate=False))
    if isinstance(item, pd.DataFrame):
        return "table", json.loads(item.to_json(orient="split", double_precision=15, default_handler=str))
    if isinstance(item, Formula):
        return "formula", item.latex
    return ("heading", item.text) if isinstance(item, Heading) else ("text", str(item))


def _slider(one: Thumb) -> dict[str, Any]:
    said = {"label": one.label, "texts": list(one.texts), "start": one.start, "lacks": one.lacks}
    return {**said, "stays": list(one.stays), "frames": base64.b64encode(one.frames).decode()}


def _read(said: Mapping[str, Any]) -> View:
    data = said["data"]
    return View(
        **{name: _text(said[name]) for name in _TEXTS},
        settings=_pairs(said["told"]),
        headline=[_text(one) for one in said["headline"]],
        data=None if data is None else Rests(_text(data["title"]), _pairs(data["facts"]), _pairs(data["provenance"])),
        shown=[(_text(caption), _item_of(kind, content)) for caption, kind, content in said["shown"]],
        sliders=[_slider_of(one) for one in said["sliders"]],
    )


def _text(said: Any) -> str:
    if not isinstance(said, str):
        raise TypeError(f"{said!r} is no text")
    return said


def _pairs(said: Mapping[str, Any]) -> dict[str, str]:
    return {_text(name): _text(text) for name, text in said.items()}


def _item_of(kind: str, content: Any) -> Item:
    if kind == "figure":
        return go.Figure(content)
    if kind == "table":
        return pd.DataFrame(content["data"], index=content["index"], columns=content["columns"])
    made: dict[str, Callable[[str], Item]] = {"formula": Formula, "heading": Heading, "text": str}
    return made[kind](_text(content))


def _slider_of(said: Mapping[str, Any]) -> Thumb:
    frames, texts = base64.b64decode(said["frames"], validate=True), [_text(one) for one in said["texts"]]
    start = int(said["start"])
    if frames:
        length = int.from_bytes(frames[:4], "little")
        if len(json.loads(frames[4 : 4 + length])["positions"]) != len(texts) or not 0 <= start < len(texts):
            raise ValueError("a slider of other places than it says")
    return Thumb(
        _text(said["label"]), texts, start, frames, [_text(one) for one in said["stays"]], _text(said["lacks"])
    )
