"""Addresses of pages that had a path of their own, before they stood in places: each leads on to its place."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.address.places import GONE, PAGES, PLACES, now

OPENED_ON = {"sensitivity": {"sensitivity.look": "Along one parameter"}}  # what a page showed unasked, and now does not
WAS = "was"  # the key that says which page a link was made to


@dataclass(frozen=True)
class OldPaths:
    """The server, which leads old addresses on."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        stem = scope["path"].rpartition("/")[2] if scope["type"] == "http" else ""
        if GONE.get(stem, stem) not in PAGES or stem in PLACES or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        place, texts = now(stem, parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        opened = {} if f"{stem}.look" in texts else OPENED_ON.get(stem, {})
        # Relative: below whatever path the app is served at, and never on another host.
        await RedirectResponse(f"./{place}?{urlencode({**texts, **opened, WAS: stem}, doseq=True)}")(
            scope, receive, send
        )


MIDDLEWARE = [Middleware(OldPaths)]
