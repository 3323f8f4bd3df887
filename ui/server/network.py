"""Network guard: the server answers only requests to its names from its own pages, and sends none to other hosts.

Any web page that a person has open can send requests to this machine: with its own `Origin`, or, if its name resolves
to this machine (DNS rebinding), with its own `Host`. Streamlit checks both only on its web socket, and with an empty
`server.allowedHosts` it accepts every `Host`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config, net_util
from streamlit.logger import get_logger
from streamlit.web.server import server_util
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from evalcore.cli.app import THIS_MACHINE
from evalcore.errors import shorten

EVERYWHERE = ("0.0.0.0", "::")
FORBIDDEN, MISDIRECTED, UNAVAILABLE = 403, 421, 503
_LACKING = ""  # message on failed guards; "" if all work
POLICY = 1008  # code of web sockets closed because of a rule

# Streamlit would ask outside hosts for this machine's address, to compare an origin with it.
net_util.get_external_ip = net_util.get_internal_ip = lambda: None


@dataclass(frozen=True)
class OnlyOwn:
    """The server behind a filter that refuses requests to other names or from pages of other sites."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or a web socket."""
        refused = None if scope["type"] == "lifespan" else closed(scope) or refusal(Headers(scope=scope))
        if refused and scope["type"] == "websocket":
            # Browsers do not show why a web socket was refused, so the log does.
            get_logger(__name__).warning("%s", bytes(refused.body).decode().strip())
            await send({"type": "websocket.close", "code": POLICY})
        else:
            await (refused or self.app)(scope, receive, send)


MIDDLEWARE = (Middleware(OnlyOwn),)


@asynccontextmanager
async def saying_where(_: object) -> AsyncIterator[None]:
    """Print the app's address when the server starts.

    Unlike Streamlit's own lines, this needs no outside host that reports this machine's address.
    """
    address = config.get_option("server.address") or EVERYWHERE[0]
    print(f"\n  The app is at {server_util.get_url(server_util.get_display_address(address))}\n", flush=True)
    yield


def refusal(headers: Headers) -> Response | None:
    """Return the response that refuses a request with these headers; None if it is allowed."""
    host, origin = (", ".join(headers.getlist(name)) for name in ("host", "origin"))
    names = own_names()
    if not is_host_allowed(host):
        return _said(
            MISDIRECTED,
            f"Host: expected one of {', '.join(names)}, found {shorten(host, 80)}. To serve under that name: "
            "evalcore app --host NAME, or streamlit run app.py --server.allowedHosts NAME",
        )
    if origin and urlsplit(origin).netloc != host and not server_util.is_allowed_origin(origin):
        return _said(
            FORBIDDEN,
            f"Origin: expected a page of {shorten(host, 80)}, found {shorten(origin, 80)}. If there is a proxy, let it "
            "forward the Host header, or name the origin: streamlit run app.py --server.corsAllowedOrigins ORIGIN",
        )
    return None


def close(lacking: Sequence[str]) -> None:
    """Answer only requests from this machine from now on, because the guards in `lacking` do not work; print why."""
    global _LACKING
    _LACKING = f"This app is not tested with Streamlit {streamlit.__version__} and cannot guarantee that "
    _LACKING += f"{'; '.join(lacking)}. To serve others, install the versions in requirements.lock."
    print(f"\n  {_LACKING} Until then the app answers only requests from this machine.\n", flush=True)


def closed(scope: Scope) -> Response | None:
    """Return the response that refuses other machines if some guards do not work; None if the request is allowed."""
    asks = (scope.get("client") or ("",))[0]
    return _said(UNAVAILABLE, _LACKING) if _LACKING and asks not in THIS_MACHINE else None


def own_names() -> list[str]:
    """Return the server's names: `server.allowedHosts` if set, else this machine's names and the bound address."""
    if not config.get_option("server.allowedHosts"):  # read each time: a change of config.toml takes effect at once
        bound = {config.get_option("server.address"), config.get_option("browser.serverAddress")}
        names = dict.fromkeys([*THIS_MACHINE, *sorted(bound - {None, *EVERYWHERE})])
        config.set_option("server.allowedHosts", list(names))
    named: list[str] = config.get_option("server.allowedHosts")
    return named


def _said(status: int, sentence: str) -> Response:
    return PlainTextResponse(f"{sentence}\n", status, headers={"X-Content-Type-Options": "nosniff"})
