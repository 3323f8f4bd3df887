"""Addresses of pages that had a path of their own, before they stood in places: each leads on to its place."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.address.places import PAGES, PLACES, to_page

WAS = "was"  # the key that says which page a link was made to


@dataclass(frozen=True)
class OldPaths:
    """The server, which leads old addresses on."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        stem = scope["path"].rpartition("/")[2] if scope["type"] == "http" else ""
        if stem not in PAGES or stem in PLACES or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        query = scope["query_string"].decode("latin-1")
        more = urlencode({**to_page(stem), WAS: stem}, doseq=True)
        # Relative: below whatever path the app is served at, and never on another host.
        there = f"./{PAGES[stem].place}?{more}{'&' if query else ''}{query}"
        await RedirectResponse(there)(scope, receive, send)


MIDDLEWARE = [Middleware(OldPaths)]
