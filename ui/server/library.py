"""plotly.js for browsers: compressed once, cached permanently, and loaded before the page needs it.

A page first loads Streamlit's scripts, then connects, then waits for its first elements. Meanwhile a browser has time
to load the scripts that draw these: plotly.js, and those parts of Streamlit that its page loads only when an element
needs them.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import plotly
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.file_util import get_static_dir

from evalcore.figures import plotly_script

ADDRESS = f"plotly/{plotly.__version__}/plotly.min.js"  # relative to the app
FOR_GOOD = "public, immutable, max-age=31536000"  # every version has its own address
# Scripts that save a figure as PDF or PNG, loaded when needed; see saving/README.md.
SAVING = {
    "script": "saving/jspdf.umd.min.js",
    "converter": "saving/svg2pdf.umd.min.js",
    "normal": "saving/SourceSans3-Regular.ttf",
    "bold": "saving/SourceSans3-Bold.ttf",
}
# First elements of every page, named as Streamlit names their scripts.
ELEMENTS = (
    "Html", "BidiComponent", "PageLink", "Selectbox", "TextInput", "Multiselect", "FileUploader", "Slider",
    "ButtonGroup", "Checkbox", "Metric",
)  # fmt: skip
_SCRIPTS = Path(get_static_dir()) / "static" / "js"
_TAKEN = re.compile(rb'(?:from|import)"\./([\w.-]+\.js)"')  # scripts that another script imports
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_INDEX = b"./static/js/index"  # found in Streamlit's page and in no other HTML of the app
_LINK = f'<link rel="preload" as="script" href="./{ADDRESS}">\n'
# Hides the note on a stopped page (page_part.py) while a script runs. It is here because the app's styles come
# after its first elements.
_UNSEEN = """<style>.stApp:not([data-test-script-state="notRunning"]) .st-key-unfinished { display: none; }</style>
"""
# Runs when the page is connected, while the server draws it; earlier it would delay scripts. plot.js uses the id.
_EARLY = f"""<script>
addEventListener("load", () => new MutationObserver((_, observer) => {{
  if (!document.querySelector("[data-test-connection-state=CONNECTED]")) return;
  observer.disconnect();
  const script = Object.assign(document.createElement("script"), {{ id: "plotlyjs", src: "./{ADDRESS}" }});
  script.onload = script.onerror = () => script.remove();
  document.head.append(script);
}}).observe(document.body, {{ childList: true, subtree: true, attributeFilter: ["data-test-connection-state"] }}));
</script>
</head>"""


def answer(request: Request) -> Response:
    """Answer a request with plotly.js in the installed version, compressed if the browser accepts that."""
    packs = "gzip" in request.headers.get("Accept-Encoding", "")
    headers = {"Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
    headers |= {"Content-Encoding": "gzip"} if packs else {}
    content = packed() if packs else plotly_script.path().read_bytes()
    return Response(content, headers=headers, media_type="text/javascript")


@cache
def packed() -> bytes:
    """Return plotly.js compressed with gzip, which most browsers accept, as bytes."""
    return gzip.compress(plotly_script.path().read_bytes(), 6, mtime=0)


ROUTES = (
    Route("/plotly/{version}/plotly.min.js", answer),
    Mount("/saving", StaticFiles(directory=Path(__file__).parent / "saving")),
)


@dataclass(frozen=True)
class Early:
    """The server, whose page makes the browser load plotly.js and other scripts at once."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; add links to Streamlit's page, so that the browser loads more scripts early."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        begun: list[Message] = []
        body: list[bytes] = []

        async def changed(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message):
                begun.append(message)
            elif begun and message["type"] == "http.response.body":
                body.append(message.get("body", b""))
                if not message.get("more_body"):
                    await _send(begun.pop(), b"".join(body), send)
            else:
                await send(message)

        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self.app({**scope, "headers": plain}, receive, changed)


MIDDLEWARE = (Middleware(Early),)


@cache
def inline_scripts() -> list[str]:
    """Return the hashes ("sha256-...") of the inline scripts in Streamlit's page, for the content policy."""
    page = _early((Path(get_static_dir()) / "index.html").read_bytes())
    return [f"sha256-{b64encode(sha256(text).digest()).decode()}" for text in _INLINE.findall(page)]


@cache
def _early(page: bytes) -> bytes:
    """Return Streamlit's page with links to plotly.js, and to those `first_scripts` that it does not name yet."""
    new = [name for name in first_scripts() if f"/{name}".encode() not in page]
    links = [f'<link rel="modulepreload" crossorigin href="./static/js/{name}">\n' for name in new]
    return page.replace(b"</head>", "".join([_LINK, *links, _UNSEEN, _EARLY]).encode(), 1)


def first_scripts() -> list[str]:
    """Return the file names of the scripts of `ELEMENTS`, and of all scripts that these import.

    Scripts of `ELEMENTS` that Streamlit has renamed are left out.
    """
    result = [path.name for stem in ELEMENTS for path in sorted(_SCRIPTS.glob(f"{stem}.*.js"))]
    for name in result:  # the list grows meanwhile
        result += [taken for taken in _taken_by(name) if taken not in result]
    return result


def _taken_by(name: str) -> Iterator[str]:
    return (taken.decode() for taken in dict.fromkeys(_TAKEN.findall((_SCRIPTS / name).read_bytes())))


def _is_page(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    return start["status"] == 200 and headers.get("content-type", "").startswith("text/html")


async def _send(start: Message, body: bytes, send: Send) -> None:
    if _INDEX in body:
        body = _early(body)
        MutableHeaders(raw=start["headers"])["content-length"] = str(len(body))
    await send(start)
    await send({"type": "http.response.body", "body": body})
