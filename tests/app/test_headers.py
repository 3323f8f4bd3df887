"""Headers of answers: no other site may frame the app, and pages load only the app's own files."""

from __future__ import annotations

import argparse
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from protocol_support import SECONDS

from browser_support import running_app
from evalcore.cli.app import is_origin, streamlit_command
from evalcore.cli.base import UsageError
from ui.server import headers, library


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_app(tmp_path_factory.mktemp("app") / "app.log") as address:
        yield address


def headers_of(address: str, accept: str = "text/html") -> dict[str, str]:
    """Return the headers of an answer, with names in lower case."""
    try:
        asked = urllib.request.Request(address, headers={"Accept": accept})
        with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
            return {name.lower(): value for name, value in answer.headers.items()}
    except urllib.error.HTTPError as error:
        error.close()
        return {name.lower(): value for name, value in error.headers.items()}


def policy(address: str) -> dict[str, str]:
    lines = (line.strip().partition(" ") for line in headers_of(address)["content-security-policy"].split(";"))
    return {name: rest for name, _, rest in lines}


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/toma",
        "/nowhere/at/all",
        "/static/none.js",
        "/_stcore/health",
        "/_stcore/host-config",
        "/_stcore/metrics",
        "/media/none.png",
        "/path/none",
        f"/{library.ADDRESS}",
    ],
)
def test_every_answer_has_headers_against_framing_and_sniffing(address: str, path: str) -> None:
    headers = headers_of(address + path)
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")


def test_pages_load_only_from_their_own_server(address: str) -> None:
    rules = policy(address)
    assert rules["default-src"] == "'none'"
    assert rules["object-src"] == rules["form-action"] == "'none'"
    assert "'unsafe-inline'" not in rules["script-src"]
    hosts = re.findall(r"\b(?:wss?|https?)://[^ ]+", " ".join(rules.values()))
    own = address.removeprefix("http://")
    assert hosts == [f"ws://{own}", f"wss://{own}"]


def test_inline_scripts_are_allowed_by_their_hashes(address: str) -> None:
    with urllib.request.urlopen(urllib.request.Request(address, headers={"Accept": "text/html"})) as answer:
        page = answer.read()
    assert len(library._INLINE.findall(page)) == len(library.inline_scripts()) > 0
    assert all(f"'{script}'" in policy(address)["script-src"] for script in library.inline_scripts())


def test_static_files_cannot_act_as_pages(address: str) -> None:
    rules = policy(f"{address}/media/none.svg")
    assert rules["default-src"] == "'none'"
    assert "sandbox" in rules


def test_named_origins_may_frame_the_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["app.py", "--data", "x", "--framed-by", "https://learn.example.org"])
    assert headers.frames() == "frame-ancestors 'self' https://learn.example.org"


@pytest.mark.parametrize("origin", ["learn.example.org", "https://a; script-src *", "https://a b", "*", "data:", ""])
def test_an_invalid_origin_is_not_put_into_a_header(origin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["app.py", "--framed-by", origin])
    assert not is_origin(origin)
    assert headers.frames() == "frame-ancestors 'self'"


def test_the_command_refuses_an_invalid_origin() -> None:
    options = argparse.Namespace(data=None, port=None, host=None, framed_by=["learn.example.org"], no_browser=True)
    with pytest.raises(UsageError, match="expected an origin such as"):
        streamlit_command(options)


@pytest.mark.parametrize("host", ["a;script-src *", "a b", "a,b", "'self'"])
def test_an_invalid_host_adds_no_rule(host: str) -> None:
    assert "ws://" not in headers.of_pages(host)
