"""Guard of the server: it admits requests and messages of the app's pages, and new visitors while there is room.

Streamlit's server itself would also accept, from anybody, requests to empty all caches, start git, or measure memory.
"""

from __future__ import annotations

import asyncio
import errno
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.logger import get_logger

from ui.server import connections
from ui.server.streamlit_inside import LINE, Uploads, is_known, refusal

POLICY, PROTOCOL = 1008, 1002  # codes of web sockets closed because of a rule or an invalid message
FULL, MISSING, STALLED, NO_SPACE = 503, 404, 408, 507
GRACE, SLOWEST = 30.0, 1000.0  # seconds of grace, then the fewest bytes per second of an upload
TOO_SLOW = "The upload was too slow, or stopped for half a minute. Choose the file again.\n"
DISK_FULL = "The server's disk is too full for this file. Tell its administrator, or try a smaller file.\n"
UPLOAD = "/_stcore/upload_file/"
ASKED_FOR = ("health", "host-config", "stream", "upload_file", "bidi-components")  # allowed paths under /_stcore
HOST_CONFIG = "/_stcore/host-config"
SAID = 3  # most refused messages of a web socket in the log
TURNED_AWAY = (
    "This server has no room for another visitor. Try again in a minute; current visitors are not affected. To admit "
    "more people, raise ulimit -n or add copies of the app (docs/serving.md).\n"
)


@dataclass(frozen=True)
class Door:
    """The server behind a filter that refuses requests that no page of the app sends."""

    app: ASGIApp
    uploads: Uploads = field(default_factory=Uploads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or a web socket."""
        if scope["type"] == "websocket":
            await self._line(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path.endswith(HOST_CONFIG):
            config.set_option("client.allowedOrigins", [])  # pages of such origins could control ours
        app: ASGIApp = self.app
        if "/_stcore/" in path and path.split("/_stcore/", 1)[1].split("/")[0] not in ASKED_FOR:
            app = PlainTextResponse("Not found\n", MISSING)
        elif "text/html" in Headers(scope=scope).get("accept", "") and connections.full():
            app = PlainTextResponse(TURNED_AWAY, FULL, headers={"Retry-After": "60", "Connection": "close"})
        if scope["method"] != "PUT" or UPLOAD not in path:
            await app(scope, Body(receive), send)
            return
        stated = Headers(scope=scope).get("content-length", "")
        try:
            session = path.split(UPLOAD, 1)[1].split("/")[0]
            with self.uploads.sent(session, int(stated) if stated.isdecimal() else 0) as upload:
                await app(scope, Body(receive, lambda size: self.uploads.came(upload, size)), send)
        except OSError as error:  # raised while the upload is written to its file
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            await PlainTextResponse(DISK_FULL, NO_SPACE, {"Connection": "close"})(scope, receive, send)
        except HTTPException as no_room:  # raised before anything was read
            await PlainTextResponse(no_room.detail, no_room.status_code, no_room.headers)(scope, receive, send)

    async def _line(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["path"].endswith(LINE) or (connections.full() and not _returns(scope)):
            await send({"type": "websocket.close", "code": POLICY})
            return
        line = Expected(receive, send)
        try:
            await self.app(scope, line, line.answer)
        except RuntimeError:
            if not line.gone:  # Streamlit still sends after the browser has left
                raise


MIDDLEWARE = (Middleware(Door),)


@dataclass
class Body:
    """The body of a request, which must arrive in time.

    If it stalls, the request is answered with an error, because proxies would take silence for a crash.
    """

    receive: Receive
    came: Callable[[int], None] = lambda size: None
    received: int = field(default=0, init=False)
    waited: float = field(default=0.0, init=False)  # seconds waited for the client
    whole: bool = field(default=False, init=False)

    async def __call__(self) -> Message:
        """Return the next part of the body.

        Raises HTTPException if it arrives too slowly, or if there is no room for it.
        """
        if self.whole:  # the next message reports that the client left
            return await self.receive()
        begun = time.monotonic()
        try:
            async with asyncio.timeout(GRACE + self.received / SLOWEST - self.waited):
                message = await self.receive()
        except TimeoutError:
            raise HTTPException(STALLED, TOO_SLOW, {"Connection": "close"}) from None
        self.waited += time.monotonic() - begun
        self.received += len(message.get("body", b""))
        self.whole = not message.get("more_body", False)
        self.came(len(message.get("body", b"")))
        return message


def _returns(scope: Scope) -> bool:
    """Return True if a web socket belongs to a known session, whose id is the third of the socket's protocols."""
    named = Headers(scope=scope).get("sec-websocket-protocol", "").split(",")
    return len(named) > 2 and is_known(named[2].strip())


@dataclass
class Expected:
    """The messages of a web socket, without those that its session must not receive."""

    receive: Receive
    send: Send
    refused: int = field(default=0, init=False)
    gone: bool = field(default=False, init=False)  # True if the browser has left

    async def __call__(self) -> Message:
        """Return the next allowed message for the session.

        If the browser sends something that is not a message, close the web socket and return the message that announces
        a disconnection.
        """
        while True:
            message = await self.receive()
            if message["type"] != "websocket.receive":
                return message
            try:
                problem = refusal(message.get("bytes") or _no_text(message))
            except ValueError as error:
                self._say(str(error))
                await self.send({"type": "websocket.close", "code": PROTOCOL})
                return {"type": "websocket.disconnect", "code": PROTOCOL}
            if not problem:
                return message
            self._say(problem)

    async def answer(self, message: Message) -> None:
        """Send a message of the session to the browser; if that fails, record that the browser has left."""
        try:
            await self.send(message)
        except Exception:
            self.gone = True
            raise

    def _say(self, problem: str) -> None:
        self.refused += 1
        if self.refused <= SAID:
            get_logger(__name__).warning("A message was refused: %s", problem)


def _no_text(message: Message) -> bytes:
    """Return b"" for an empty message, which is allowed. Raises ValueError if the message contains text."""
    if message.get("text"):
        raise ValueError("expected a binary message of Streamlit's protocol, found text")
    return b""
