"""An error of one visitor does not harm the server, and nobody can use up the room of others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from ui.server import door, streamlit_inside
from ui.server.door import UPLOAD, Door
from ui.server.streamlit_inside import Uploads
from ui.stage import paths

MB = 10**6


async def taken(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


Parts = Callable[[], Awaitable[dict[str, Any]]]


async def put(app: Door, session: str, stated: int | None, receive: Parts) -> tuple[int, str]:
    """Return the status and the text of the answer to an upload."""
    sent: list[Any] = []
    headers = [] if stated is None else [(b"content-length", str(stated).encode())]
    scope = {"type": "http", "method": "PUT", "path": f"{UPLOAD}{session}/f", "headers": headers, "query_string": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent).decode()


def parts(*sizes: int, then: Callable[[], Awaitable[Any]] | None = None) -> Parts:
    """Return a request body that arrives in parts; after the last part it waits for `then`, or ends."""
    left = list(sizes)

    async def receive() -> dict[str, Any]:
        if not left and then is not None:
            await then()
        size = left.pop(0) if left else 0
        return {"type": "http.request", "body": b"x" * size, "more_body": bool(left) or then is not None}

    return receive


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Door:
    """Return a server with room for 100 kB per tab and 250 kB in total."""
    monkeypatch.setattr(streamlit_inside, "UPLOADED_EACH", 100_000)
    monkeypatch.setattr(streamlit_inside, "UPLOADED", 250_000)
    inside = Starlette(routes=[Route(f"{UPLOAD}{{session}}/f", taken, methods=["PUT"])])
    return Door(inside, Uploads(MemoryUploadedFileManager("/upload")))


def test_uploads_under_way_count_with_the_tab_that_sends_them(app: Door) -> None:
    """In the past, 30 requests of one tab occupied 1,200 MB of temporary files."""

    async def both() -> list[tuple[int, str]]:
        never = asyncio.Event()
        open_ones = [asyncio.create_task(put(app, "anna", 40_000, parts(10, then=never.wait))) for _ in range(2)]
        await asyncio.sleep(0)
        third = await put(app, "anna", 40_000, parts(40_000))
        other = await put(app, "bob", 90_000, parts(90_000))  # sizes that others only state take nothing from him
        for one in open_ones:
            one.cancel()
        await asyncio.gather(*open_ones, return_exceptions=True)
        return [third, other, await put(app, "anna", 40_000, parts(40_000))]

    third, other, afterwards = asyncio.run(both())
    assert third[0] == 413
    assert "The files exceed the limit" in third[1]
    assert (other, afterwards) == ((200, "90000"), (200, "40000"))


def test_received_bytes_count_whatever_size_was_stated(app: Door) -> None:
    status, words = asyncio.run(put(app, "anna", None, parts(*[10_000] * 20)))
    assert (status, words.startswith("The files exceed the limit")) == (413, True)


def test_received_bytes_count_towards_the_limit_of_all(app: Door) -> None:
    async def several() -> tuple[int, str]:
        never = asyncio.Event()
        names = ("anna", "bob")
        open_ones = [asyncio.create_task(put(app, who, 100_000, parts(90_000, then=never.wait))) for who in names]
        await asyncio.sleep(0.05)
        third = await put(app, "carl", 90_000, parts(90_000))
        for one in open_ones:
            one.cancel()
        await asyncio.gather(*open_ones, return_exceptions=True)
        return third

    assert asyncio.run(several())[0] == 413


@pytest.mark.parametrize("came", [(), (10,)])
def test_a_stalled_upload_is_answered_with_a_sentence(
    app: Door, monkeypatch: pytest.MonkeyPatch, came: tuple[int, ...]
) -> None:
    """For a proxy, a connection that ends without an answer means that the server is down."""
    monkeypatch.setattr(door, "GRACE", 0.2)
    status, words = asyncio.run(put(app, "anna", 40_000, parts(*came, then=asyncio.Event().wait)))
    assert (status, words) == (408, door.TOO_SLOW)


def test_an_upload_may_take_as_long_as_we_do(app: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the time spent waiting for the sender counts, not the time in which the server is busy."""
    monkeypatch.setattr(door, "GRACE", 0.1)

    async def slow(request: Request) -> Response:
        async for _ in request.stream():
            await asyncio.sleep(0.1)
        return PlainTextResponse("all")

    inside = Starlette(routes=[Route(f"{UPLOAD}{{session}}/f", slow, methods=["PUT"])])
    patient = Door(inside, app.uploads)
    assert asyncio.run(put(patient, "anna", 50, parts(*[10] * 5))) == (200, "all")


def test_invented_path_words_do_not_count_as_activity(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the past, eight connections that requested invented words delayed half of another visitor's requests."""
    monkeypatch.setattr(paths, "turns", lambda: type("Nobody", (), {"people": lambda self: 0})())

    def asked(word: str, query: bytes = b"") -> Awaitable[Response]:
        return paths.answer(Request({"type": "http", "query_string": query, "path_params": {"word": word}}))

    async def all_at_once() -> list[Response]:
        return await asyncio.gather(*(asked(f"made up {at}") for at in range(8)), asked("another", b"ahead"))

    assert [response.headers["X-Path"] for response in asyncio.run(all_at_once())] == ["gone"] * 9
