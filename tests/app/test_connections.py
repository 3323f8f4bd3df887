"""Slow connections are ended, some room is always left, and new clients are told when there is none."""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from protocol_support import SECONDS, Visitor
from websockets.exceptions import InvalidStatus

from browser_support import ROOT, free_port, running_app
from ui.server import connections
from ui.server.connections import HEAD, UNREAD, Lines, Room

LIMIT = 100  # descriptors of a small server


def descriptors(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


# --- the end of connections -------------------------------------------------------------------------------------------


class Connection:
    """A stand-in for a connection of uvicorn with a request at some stage."""

    def __init__(self, **cycle: bool) -> None:
        self.cycle = SimpleNamespace(**{"response_complete": False, "more_body": False, **cycle}) if cycle else None
        self.timeout_keep_alive_task: Any = None
        self.unread, self.ended = 0, False
        self.transport = SimpleNamespace(
            get_write_buffer_size=lambda: self.unread, abort=self._end, is_closing=lambda: self.ended
        )

    def _end(self) -> None:
        self.ended = True


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def ends(connection: Connection, seconds: float, step: float = 5.0) -> bool:
    """Return True if the connection is ended within this number of seconds."""
    clock = Clock()
    lines = Lines({connection}, clock)
    lines.began(connection)
    for _ in range(int(seconds / step)):
        clock.now += step
        lines.end_slow()
    return connection.ended


def test_a_request_without_headers_ends() -> None:
    assert ends(Connection(), HEAD + 10)
    assert not ends(Connection(), HEAD - 5)


def test_an_idle_connection_is_left_to_the_server() -> None:
    idle = Connection(response_complete=True)
    idle.timeout_keep_alive_task = object()
    assert not ends(idle, HEAD + 10)


def test_slow_uploads_are_answered_elsewhere() -> None:
    assert not ends(Connection(more_body=True), 3600)


def test_an_answer_that_is_being_computed_may_take_long() -> None:
    assert not ends(Connection(response_complete=False), 3600)


def test_an_answer_that_nobody_reads_ends() -> None:
    unread = Connection(response_complete=True)
    unread.unread = 100_000
    assert ends(unread, UNREAD + 20)


def test_the_oldest_unfinished_request_ends_when_the_server_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, half = Clock(), [Connection() for _ in range(3)]
    busy = Connection(more_body=True)
    lines = Lines({busy, *half}, clock)
    for connection in (busy, *half):
        clock.now += 1
        lines.began(connection)
    monkeypatch.setattr(connections, "_ROOM", Room(most=100, connections=lambda: 99))
    newest = Connection()
    lines.began(newest)
    assert [one.ended for one in (busy, *half, newest)] == [False, True, False, False, False]


def test_this_version_of_uvicorn_has_the_internals_that_are_used() -> None:
    config = uvicorn.Config(app="none:none")
    protocols = config.http_protocol_class if config.loaded else None
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    server = uvicorn.Server(config)
    protocol: Any = protocols or AutoHTTPProtocol
    made = protocol(
        config=SimpleNamespace(
            loaded=True, loaded_app=None, h11_max_incomplete_event_size=None, ws_protocol_class=None, root_path="",
            asgi_version="3.0", limit_concurrency=None, timeout_keep_alive=5,
        ),
        server_state=server.server_state,
        app_state={},
        _loop=SimpleNamespace(),
    )  # fmt: skip
    assert {"cycle", "timeout_keep_alive_task", "transport"} <= set(vars(made))
    assert server.server_state.connections == set()


# --- a server ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def small_server(folder: Path) -> Iterator[tuple[str, int]]:
    """Start the app with few file descriptors and no way to get more; yield its address and process id."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1"]

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, LIMIT))

    streams: dict[str, Any] = {"stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
    with (folder / "small.log").open("wb") as out:
        server = subprocess.Popen(command, cwd=ROOT, stdout=out, preexec_fn=few, **streams)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(lambda: answer(address, "/_stcore/health") == 200)
        yield address, server.pid
    finally:
        server.terminate()
        server.wait(60)


def _wait(until: Any) -> None:
    end = time.monotonic() + SECONDS
    while not until():
        assert time.monotonic() < end
        time.sleep(0.1)


def answer(address: str, path: str, **headers: str) -> int:
    """Return the status of an answer; 0 if the server does not answer."""
    try:
        request = urllib.request.Request(address + path, headers=headers)
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except OSError:
        return 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
def test_a_full_server_refuses_new_visitors_and_serves_present_ones(tmp_path: Path) -> None:
    with small_server(tmp_path) as (address, process), contextlib.ExitStack() as ending:
        anna = Visitor(address).run()
        ending.callback(anna.close)
        assert answer(address, "/", Accept="text/html") == 200
        while answer(address, "/", Accept="text/html") == 200:
            other = Visitor(address)
            ending.callback(other.close)
            assert descriptors(process) < LIMIT
        with pytest.raises(urllib.error.HTTPError, match="503") as refused:
            urllib.request.urlopen(urllib.request.Request(address, headers={"Accept": "text/html"}), timeout=SECONDS)
        assert "no room for another visitor. Try again in a minute" in refused.value.read().decode()
        refused.value.close()
        with pytest.raises(InvalidStatus):
            Visitor(address)
        anna.run("understandability").upload()
        assert "two.run" in anna.run("collection", data="your files").seen()
        assert "Traceback" not in (tmp_path / "small.log").read_text()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
def test_unfinished_requests_keep_no_visitor_out(tmp_path: Path) -> None:
    with small_server(tmp_path) as (address, process), contextlib.ExitStack() as ending:
        host = urlsplit(address)
        for _ in range(3 * LIMIT):
            line = ending.enter_context(socket.create_connection((host.hostname, host.port), timeout=SECONDS))
            with contextlib.suppress(OSError):
                line.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert descriptors(process) < LIMIT
        assert answer(address, "/", Accept="text/html") == 200
        Visitor(address).run("understandability").close()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
def test_a_tab_uses_one_descriptor_and_releases_it(tmp_path: Path) -> None:
    with running_app(tmp_path / "app.log") as address:
        process = int(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()[-1])
        Visitor(address).run().close()
        before = descriptors(process)
        people = [Visitor(address).run() for _ in range(6)]
        assert descriptors(process) <= before + 6 + 2
        for person in people:
            person.close()
        _wait(lambda: descriptors(process) <= before + 1)
        soft = Path(f"/proc/{process}/limits").read_text().split("Max open files")[1].split()[:2]
        assert soft[0] == soft[1] or int(soft[0]) >= connections.MOST
