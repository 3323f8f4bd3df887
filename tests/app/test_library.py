"""The scripts that draw a page are sent with it: plotly.js, compressed and cached by browsers, and Streamlit's own."""

from __future__ import annotations

import asyncio
import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import Message
from streamlit.file_util import get_static_dir

from evalcore.figures import plotly_script
from ui.server import library

INDEX = '<html><head><script type="module" src="./static/js/index.abc.js"></script></head><body></body></html>'
STREAMLITS = (Path(get_static_dir()) / "index.html").read_text()
PAGES = {"/": INDEX, "/own": STREAMLITS, "/slides": "<html><head></head><body>slides</body></html>"}


async def page(request: Request) -> Response:
    return HTMLResponse(PAGES[request.url.path], headers={"ETag": '"1"'})


APP = Starlette(routes=[*library.ROUTES, *(Route(path, page) for path in PAGES)], middleware=list(library.MIDDLEWARE))


def asked(path: str, **headers: str) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of the answer to a request."""
    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "headers": given, "query_string": b""}
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asyncio.run(APP(scope, receive, send))
    fields = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return fields, b"".join(one.get("body", b"") for one in sent[1:])


def test_the_page_preloads_plotly() -> None:
    headers, body = asked("/", accept="text/html", accept_encoding="gzip")
    assert f'<link rel="preload" as="script" href="./{library.ADDRESS}">' in body.decode()
    assert body.endswith(b"</head><body></body></html>")
    assert headers["content-length"] == str(len(body))


def scripts_of(page: str) -> list[str]:
    """Return the scripts that the browser loads before the page needs them, in order."""
    return re.findall(r'<link rel="modulepreload" crossorigin href="\./static/js/(.+?)">', page)


@pytest.mark.parametrize("element", library.ELEMENTS)
def test_each_page_comes_with_the_scripts_of_its_elements(element: str) -> None:
    linked = scripts_of(asked("/own", accept="text/html")[1].decode())
    assert [name for name in linked if name.startswith(f"{element}.")]


def test_scripts_are_loaded_once_after_those_of_streamlit() -> None:
    before, linked = scripts_of(STREAMLITS), scripts_of(asked("/own", accept="text/html")[1].decode())
    assert linked[: len(before)] == before
    assert len(set(linked)) == len(linked) > len(before)
    assert [name for name in linked if not (Path(get_static_dir()) / "static" / "js" / name).is_file()] == []


@pytest.mark.parametrize(("path", "accept"), [("/slides", "text/html"), ("/", "*/*")])
def test_other_answers_are_unchanged(path: str, accept: str) -> None:
    assert asked(path, accept=accept)[1].decode() == PAGES[path]


def test_plotly_is_compressed_once() -> None:
    headers, body = asked(f"/{library.ADDRESS}", accept_encoding="gzip, br")
    assert headers["content-encoding"] == "gzip"
    assert "immutable" in headers["cache-control"]
    assert gzip.decompress(body) == plotly_script.path().read_bytes()
