"""The students' side of a class: one static page, which needs no Streamlit session, and the requests that it sends.

A phone waits for news with one request at a time; a cookie that scripts cannot read keeps its seat.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ui.server import connections
from ui.server.browser_store import network_of
from ui.teaching.classroom.sessions import HOURS, Classroom, RefusedError, Seat, classrooms

FOLDER = Path(__file__).with_name("student")
COOKIE = "evalcore_seat"
WAIT, LOOK = 20.0, 0.2  # seconds that a request waits for news, and between checks
TABS = 3  # most waiting requests of one seat; older ones are answered
MOST_BYTES = 4000  # most bytes of a request
Answer = Callable[[Request], Awaitable[dict[str, Any]]]


def told(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """Wrap a handler so that its result, or the reason for a refusal, is sent as JSON.

    A new seat also gets its cookie.
    """

    async def sent(request: Request) -> Response:
        try:
            content, status = await answer(request), 200
        except RefusedError as refusal:
            content, status = {"error": str(refusal)}, refusal.status
        cookie = content.pop(COOKIE, None)
        response = JSONResponse(content, status, headers={"Cache-Control": "no-store"})
        if cookie:
            path, secure = request.url.path.removesuffix("/join"), request.url.scheme == "https"
            look: dict[str, Any] = {"path": path, "secure": secure, "httponly": True, "samesite": "strict"}
            response.set_cookie(COOKIE, cookie, int(HOURS * 3600), **look)
        return response

    return sent


async def page(_: Request) -> Response:
    """Answer with the students' page, which is the same for all students."""
    return FileResponse(FOLDER / "student.html", headers={"Cache-Control": "no-cache"})


@told
async def join(request: Request) -> dict[str, Any]:
    """Give the browser a seat in a class, or confirm its seat; return the code of the class and the cookie."""
    given, network = await _given(request), _network(request)
    room = classrooms().find(str(given.get("code", ""))[:20], network)
    cookie = request.cookies.get(COOKIE, "")
    cookie = cookie if len(cookie) == 32 else secrets.token_hex(16)
    here = _known(cookie) in room.seats
    (classrooms().sent if here else classrooms().joins).use(_known(cookie) if here else network)
    room.join(_known(cookie), str(given.get("name", "")))
    return {"code": room.code, COOKIE: cookie}


@told
async def state(request: Request) -> dict[str, Any]:
    """Return everything that the phone shows, as soon as it changes, or after `WAIT` seconds."""
    room, seat = _seat(request)
    classrooms().reads.use(f"{room.code} {seat.number}")
    seen, until = request.query_params.get("seen", ""), time.monotonic() + WAIT
    seat.waits += 1
    mine = seat.waits
    while room.mark(seat) == seen and time.monotonic() < until and seat.waits < mine + TABS:
        if connections.ending():
            break
        await asyncio.sleep(LOOK)
        classrooms().of(room.owner)  # ends the class after its hours
    if room.ended:
        raise RefusedError("This class has ended.", 404)
    return room.seen_by(seat)


@told
async def say(request: Request) -> dict[str, Any]:
    """Record an answer, or whether a student is stuck; return an empty dict."""
    room, seat = _seat(request)
    classrooms().sent.use(f"{room.code} {seat.number}")
    given = await _given(request)
    if "stuck" in given:
        seat.stuck = given["stuck"] is True
        seat.changes += 1
    else:
        room.take(seat, given.get("question"), given.get("value"))
    return {}


def _seat(request: Request) -> tuple[Classroom, Seat]:
    """Return the class in the request's address, and the browser's seat.

    Raises RefusedError if the class is unknown, or if the browser has no seat in it.
    """
    room = classrooms().find(request.path_params["code"], _network(request))
    seat = room.seats.get(_known(request.cookies.get(COOKIE, "")))
    if seat is None:
        raise RefusedError("Join the class first.", 403)
    return room, seat


async def _given(request: Request) -> dict[str, Any]:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise RefusedError("This request is too long.", 413)
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise RefusedError("This request is not a JSON object.", 400)
    return given


def _network(request: Request) -> str:
    return network_of(request.client.host if request.client else None)


def _known(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()


ROUTES = (
    Route("/class", page),
    Mount("/class/files", StaticFiles(directory=FOLDER)),
    Route("/class/join", join, methods=["POST"]),
    Route("/class/{code}/state", state),
    Route("/class/{code}/say", say, methods=["POST"]),
)
