"""Former paths of pages lead to the place of the page today, with its settings."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.types import Message

from app_support import address_of, an_app, fresh, go_by
from ui.address.old_paths import MIDDLEWARE
from ui.address.places import PAGES, PLACES, WAS, now, pages_of

APP = Starlette(middleware=MIDDLEWARE)


def location(path: str, query: str = "", method: str = "GET") -> str:
    """Return the address to which a request is redirected; "" if it is not redirected."""
    scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "headers": []}
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asyncio.run(APP({**scope, "query_string": query.encode()}, receive, send))
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}.get("location", "")


@pytest.mark.parametrize("stem", [stem for stem in PAGES if stem not in PLACES])
def test_an_old_path_opens_the_page_with_its_settings(stem: str) -> None:
    parts = urlsplit(location(f"/{stem}", f"{stem}.k=a%26b&data=health"))
    place = PAGES[stem].place
    assert parts.path == f"./{place}"
    query = parse_qs(parts.query)
    assert (query[f"{stem}.k"], query["data"], query[WAS]) == (["a&b"], ["health"], [stem])
    there = now(stem, {f"{stem}.k": ["a&b"]})
    assert (there.place, there.texts[f"{stem}.k"]) == (place, ["a&b"])
    assert there.texts.get(f"{place}.view") == ([stem] if len(pages_of(place)) > 1 else None)


def test_the_base_path_of_the_server_is_kept() -> None:
    there = urljoin("https://example.org/ir/eval/toma", location("/ir/eval/toma"))
    assert there.startswith("https://example.org/ir/eval/tune?")


def test_home_by_its_name_opens_the_base_path_with_its_settings() -> None:
    assert (
        urljoin("https://example.org/ir/home", location("/ir/home", "data=health"))
        == "https://example.org/ir/?data=health"
    )


def test_no_path_leads_to_another_host() -> None:
    there = urljoin("https://example.org//evil.org/toma", location("//evil.org/toma"))
    assert urlsplit(there).netloc == "example.org"


@pytest.mark.parametrize(
    ("path", "method"), [("/", "GET"), ("/tune", "GET"), ("/labels", "GET"), ("/toma/x", "GET"), ("/toma", "PUT")]
)
def test_other_requests_are_left_alone(path: str, method: str) -> None:
    assert location(path, method=method) == ""


def test_an_old_path_says_once_where_the_page_is_now() -> None:
    app = an_app()
    go_by(app, {WAS: ["toma"]})
    app.switch_page("pages/tune.py").run()
    assert [toast.value for toast in app.toast] == ["This link is from an older version. Its page is now Tune: TOMA."]
    assert WAS not in app.query_params
    assert address_of(app)["tune.view"] == ["toma"]
    assert not app.warning
    assert not app.run().toast


def test_pinned_measures_of_old_links_are_compared() -> None:
    assert location("/pins", "baseline=deep") == f"./compare?baseline=deep&{WAS}=pins"
    pins = ["gentle = RBP(rho=0.8) | uRBP(rho=0.8)", "deep = AP"]
    there = now("pins", {"pins": pins, "baseline": ["deep"], "pins.against": ["deep"]})
    assert there[:2] == (
        "compare", {"compare.view": ["correlations"], "correlations.measures": ["uRBP(rho=0.8)", "AP"]},
    )  # fmt: skip


@pytest.mark.parametrize("link", [{"pins": "a = AP"}, {"pins": "a = AP", "baseline": "a"}])
def test_an_old_link_with_a_pin_opens_its_view_and_reports_it(link: dict[str, str]) -> None:
    app = fresh("understandability", {**link, "understandability.rho": "0.5"})
    assert not app.exception
    gone = "The comparison with a pin was removed; this is the view without it; *Kept*, in the sidebar, compares views."
    assert [one.value for one in app.toast] == [gone]
    assert app.slider(key="understandability.rho").value == 0.5
