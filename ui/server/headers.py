"""Security headers of every answer: sources from which a page may load, sites that may frame it, no referrer.

A page that shows the app in a frame could trick people into clicking in the app, and could send the app messages as
Streamlit's hosts do. So no other site may frame the app, unless the site is named when the app is started:
`evalcore app --framed-by https://learn.example.org`.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import pairwise

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evalcore.cli.app import FRAMED_BY, is_origin
from ui.server.library import inline_scripts

POLICY = "content-security-policy"
MEDIA = "/media/"  # files, never pages
_HOST = re.compile(r"[\w.:\[\]-]+")


@dataclass(frozen=True)
class Guarded:
    """The server, with security headers added to its answers."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with security headers."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _guard(MutableHeaders(scope=message), scope)
            await send(message)

        await self.app(scope, receive, guarded if scope["type"] == "http" else send)


MIDDLEWARE = (Middleware(Guarded),)


def _guard(answer: MutableHeaders, scope: Scope) -> None:
    answer["x-content-type-options"] = "nosniff"
    answer["referrer-policy"] = "no-referrer"
    if MEDIA in scope["path"]:
        answer[POLICY] = f"default-src 'none'; style-src 'unsafe-inline'; sandbox; {frames()}"
    else:
        answer[POLICY] = of_pages(Headers(scope=scope).get("host", ""))


def of_pages(host: str) -> str:
    """Return the content security policy for pages of this host; it allows only what Streamlit and plotly.js need.

    Scripts of components are blobs, styles are inline, and plotly.js compiles code to draw many points.
    """
    lines = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""  # some browsers need more than 'self'
    scripts = " ".join(f"'{script}'" for script in inline_scripts())
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' blob: 'unsafe-eval' {scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' blob: data:",
            "font-src 'self' data:",
            "media-src 'self' blob: data:",
            f"connect-src 'self' blob: data:{lines}",
            "worker-src 'self' blob:",
            "frame-src 'self'",
            "manifest-src 'self'",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'none'",
            frames(),
        )
    )


def frames() -> str:
    """Return the `frame-ancestors` directive, which names the sites that may show the app in a frame."""
    named = (value for flag, value in pairwise(sys.argv[1:]) if flag == FRAMED_BY and is_origin(value))  # if valid
    return " ".join(("frame-ancestors 'self'", *named))
