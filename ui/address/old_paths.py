"""Redirects to places: from the former paths of pages, and from /home."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.address.places import GONE, HOME, PAGES, PLACES, WAS


@dataclass(frozen=True)
class OldPaths:
    """The server `app` with redirects from old paths to places; `places.now` translates the settings of the link."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Redirect a request for a former path of a page or for /home; pass on all other requests."""
        stem = scope["path"].rpartition("/")[2] if scope["type"] == "http" else ""
        page = PAGES.get(GONE.get(stem, stem))
        if page is None or (stem in PLACES and stem != HOME) or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        texts = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        # A relative target works under any base path of the app, and never leads to another host.
        # Streamlit serves the first page only at the base path; people guess /home from the other addresses.
        to = (
            f"./?{urlencode(texts, doseq=True)}"
            if stem == HOME
            else f"./{page.place}?{urlencode({**texts, WAS: stem}, doseq=True)}"
        )
        await RedirectResponse(to)(scope, receive, send)


MIDDLEWARE = [Middleware(OldPaths)]
