"""What comes in: requests and messages that pages of the app send, and newcomers while there is room for them.

Streamlit's server takes more, from anybody: to empty the caches of all, to start git, to measure its memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.logger import get_logger

from ui.server import connections
from ui.server.streamlit_inside import LINE, is_known, refusal

POLICY, PROTOCOL = 1008, 1002  # codes of a web socket that is closed by a rule, or for what is no message
FULL, MISSING = 503, 404
ASKED_FOR = ("health", "host-config", "stream", "upload_file", "bidi-components")  # below /_stcore
HOST_CONFIG = "/_stcore/host-config"
SAID = 3  # refused messages of a web socket that the log names
TURNED_AWAY = (
    "This server has no room for another visitor. Those who are here can go on; try again in a minute. To admit more "
    "people, raise ulimit -n or add copies of the app (docs/serving.md).\n"
)


@dataclass(frozen=True)
class Door:
    """The server, without what none of its pages asks for."""

    app: ASGIApp

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
            config.set_option("client.allowedOrigins", [])  # whose pages could tell ours what to do
        app: ASGIApp = self.app
        if "/_stcore/" in path and path.split("/_stcore/", 1)[1].split("/")[0] not in ASKED_FOR:
            app = PlainTextResponse("Not found\n", MISSING)
        elif "text/html" in Headers(scope=scope).get("accept", "") and connections.full():
            app = PlainTextResponse(TURNED_AWAY, FULL, headers={"Retry-After": "60", "Connection": "close"})
        await app(scope, receive, send)

    async def _line(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["path"].endswith(LINE) or (connections.full() and not _returns(scope)):
            await send({"type": "websocket.close", "code": POLICY})
            return
        line = Expected(receive, send)
        try:
            await self.app(scope, line, line.answer)
        except RuntimeError:
            if not line.gone:  # to whom Streamlit would still say something
                raise


MIDDLEWARE = (Middleware(Door),)


def _returns(scope: Scope) -> bool:
    """Whether a web socket is that of a session that there is: its id is the third of the protocols."""
    named = Headers(scope=scope).get("sec-websocket-protocol", "").split(",")
    return len(named) > 2 and is_known(named[2].strip())


@dataclass
class Expected:
    """The messages of a web socket, without those that its session is not to see."""

    receive: Receive
    send: Send
    refused: int = field(default=0, init=False)
    gone: bool = field(default=False, init=False)  # the browser

    async def __call__(self) -> Message:
        """The next message; the end of the web socket after what is no message."""
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
        """Send what the session says."""
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
    """An empty message, which there is. Raises ValueError for a text."""
    if message.get("text"):
        raise ValueError("no message of Streamlit's protocol, but a text")
    return b""
