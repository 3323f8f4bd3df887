"""Requests that the server answers, and proof that it requests nothing from other hosts."""

from __future__ import annotations

import asyncio
import socket
import tomllib
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.datastructures import Headers
from streamlit import config
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from browser_support import ROOT, running_app
from ui.server import network

EVIL = "evil.example"
SET_HERE = ("server.allowedHosts", "server.corsAllowedOrigins", "server.address")
# The server's Python runs this before all else: it writes down each name looked up and each address called.
WATCHER = """
import sys
ASKS = {"socket.getaddrinfo": 0, "socket.gethostbyname": 0, "socket.connect": 1, "socket.sendto": 1}
def write(line):
    with open(%r, "a") as log:
        log.write(line + "\\n")
def watch(event, values):
    if event in ASKS:
        write(f"{event} {values[ASKS[event]]}")
sys.addaudithook(watch)
write("watching")
"""


@pytest.fixture
def options() -> Iterator[None]:
    """Reset the server's options to their defaults, and restore them afterwards."""
    before = {name: config.get_option(name) for name in SET_HERE}
    for name, value in zip(SET_HERE, ([], [], "127.0.0.1"), strict=True):
        config.set_option(name, value)
    yield
    for name, value in before.items():
        config.set_option(name, value)


def status(**headers: str) -> int | None:
    """Return the status with which a request with these headers is refused; None if it is not refused."""
    refused = network.refusal(Headers(headers))
    return refused.status_code if refused else None


# --- the rule ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "[::1]:8501", "LOCALHOST", "localhost."])
def test_the_server_answers_to_names_of_this_machine(options: None, host: str) -> None:
    assert status(host=host) is None


@pytest.mark.parametrize(
    "host", ["", EVIL, f"localhost.{EVIL}", "127.0.0.1.nip.io", "127.0.0.2", "localhost@evil.example", "0.0.0.0:8501"]
)
def test_a_request_under_another_name_is_misdirected(options: None, host: str) -> None:
    assert status(host=host) == 421


def test_a_request_with_two_names_is_misdirected(options: None) -> None:
    twice = Headers(raw=[(b"host", b"localhost:8501"), (b"host", EVIL.encode())])
    refused = network.refusal(twice)
    assert refused is not None
    assert refused.status_code == 421


def test_on_all_networks_the_server_still_answers_only_to_names_of_this_machine(options: None) -> None:
    config.set_option("server.address", "0.0.0.0")
    assert (status(host="localhost:8501"), status(host="192.0.2.7:8501")) == (None, 421)


def test_with_configured_names_the_server_answers_to_no_other(options: None) -> None:
    config.set_option("server.allowedHosts", ["eval.example.org", "*.lab.example"])
    assert status(host="eval.example.org") is None
    assert status(host="a.lab.example:8443") is None
    assert status(host="localhost") == 421


@pytest.mark.parametrize(
    "origin", [f"http://{EVIL}", "http://localhost:3000", "http://127.0.0.1:8501", "null", "localhost:8501"]
)
def test_a_page_of_another_name_or_port_is_refused(options: None, origin: str) -> None:
    assert status(host="localhost:8501", origin=origin) == 403


def test_a_configured_origin_is_answered(options: None) -> None:
    config.set_option("server.corsAllowedOrigins", ["https://eval.example.org"])
    assert status(host="127.0.0.1:8501", origin="https://eval.example.org") is None
    assert status(host="127.0.0.1:8501", origin="http://eval.example.org") == 403


def test_starting_prints_the_address_and_makes_no_request(options: None, capsys: pytest.CaptureFixture[str]) -> None:
    async def started() -> None:
        async with network.saying_where(None):
            pass

    config.set_option("server.address", "0.0.0.0")
    asyncio.run(started())
    assert "The app is at http://localhost:" in capsys.readouterr().out
    # Streamlit's own lines look up the address from outside: bootstrap._print_url.
    assert tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["logger"]["hideWelcomeMessage"] is True


# --- the server -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file in which the server's network calls are recorded."""
    return tmp_path_factory.mktemp("watched") / "asked.txt"


@pytest.fixture(scope="module")
def server(asked: Path) -> Iterator[str]:
    """Yield the host and port of the app, whose network calls are recorded."""
    (asked.parent / "sitecustomize.py").write_text(WATCHER % str(asked))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(asked.parent))
        patch.setenv("STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS", "https://named.example")
        with running_app(asked.parent / "app.log") as address:
            yield urlsplit(address).netloc


def answer(server: str, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    """Return the status and text of an answer."""
    connection = HTTPConnection(server, timeout=30)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    answered = response.status, response.read().decode(errors="replace")
    connection.close()
    return answered


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/topic"),
        ("GET", "/_stcore/health"),
        ("GET", "/_stcore/host-config"),
        ("GET", "/_stcore/metrics"),
        ("GET", "/_stcore/bidi-components/present"),
        ("GET", "/static/index.js"),
        ("GET", "/media/0.png"),
        ("GET", "/component/x"),
        ("GET", "/path/x"),
        ("GET", "/plotly/x/plotly.min.js"),
        ("GET", "/saving/README.md"),
        ("PUT", "/_stcore/upload_file/a/b"),
        ("DELETE", "/_stcore/upload_file/a/b"),
    ],
)
def test_no_address_of_the_server_answers_to_another_name_or_page(server: str, method: str, path: str) -> None:
    assert answer(server, path, method, Host=EVIL)[0] == 421
    assert answer(server, path, method, Origin=f"http://{EVIL}")[0] == 403


def test_a_request_under_the_apps_own_name_is_answered(server: str) -> None:
    assert answer(server, "/_stcore/health") == (200, "ok")
    assert answer(server, "/_stcore/health", Origin=f"http://{server}") == (200, "ok")


def web_socket_is_taken(server: str, host: str, origin: str | None) -> bool:
    """Return True unless the server, under this host name, refuses (403) a web socket from this origin."""
    name, port = server.split(":")
    try:
        with (
            socket.create_connection((name, int(port))) as line,
            connect(f"ws://{host}/_stcore/stream", sock=line, origin=Origin(origin) if origin else None),
        ):
            return True
    except InvalidStatus as refused:
        return refused.response.status_code != 403


def test_a_foreign_web_socket_is_refused_and_the_log_names_what_to_set(server: str, asked: Path) -> None:
    assert not web_socket_is_taken(server, server, f"http://{EVIL}")
    assert not web_socket_is_taken(server, "rebound.example", "http://rebound.example")
    log = (asked.parent / "app.log").read_text()
    assert f"found 'http://{EVIL}'. If there is a proxy, let it forward the Host header" in log
    assert "found 'rebound.example'. To serve under that name: evalcore app --host NAME" in log


def test_no_request_goes_to_another_host_whatever_the_origin(server: str, asked: Path) -> None:
    origins = {None: True, f"http://{server}": True, f"http://{EVIL}": False, "null": False, "http://": False}
    # Streamlit compares the named one with the machine's address from outside.
    for origin, taken in {**origins, "https://named.example": True}.items():
        assert web_socket_is_taken(server, server, origin) is taken, origin
    assert asked.read_text() == "watching\n"


def test_an_upload_without_the_token_of_its_page_is_refused(server: str) -> None:
    """The token in the cookie must also be sent in a header, which no other site can set."""
    one, other = (
        "2|f1317d26|0d9e9f4c858195ec7efdcb6070b2aaeb|1795318289",
        "2|9c6a9bd8|fb152c1e0bbcda7d08a70c8e2972460c|1",
    )
    cookie = f"_streamlit_xsrf={one}"
    for headers in ({}, {"Cookie": cookie}, {"X-Xsrftoken": one}, {"Cookie": cookie, "X-Xsrftoken": other}):
        for method in ("PUT", "DELETE"):
            code, body = answer(server, "/_stcore/upload_file/a/b", method, **headers)
            assert (code, "XSRF" in body) == (403, True), headers
    # With both tokens the upload is looked at: its session does not exist.
    assert answer(server, "/_stcore/upload_file/a/b", "PUT", Cookie=cookie, **{"X-Xsrftoken": one})[0] == 400
    assert answer(server, "/_stcore/upload_file/a/b", "POST", Cookie=cookie)[0] == 405
