"""`evalcore app`: the command that it runs, and its messages if it cannot."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from cli_support import ROOT, Run

from browser_support import free_port
from evalcore.cli import app

Started = list[list[str]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """The commands that would have been run."""
    commands: Started = []
    monkeypatch.setattr(subprocess, "call", commands.append)
    return commands


def test_it_runs_the_app_of_the_checkout_on_this_machine_only(started: Started, run: Run) -> None:
    assert run("app").code == 0
    assert started == [[sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.address=127.0.0.1"]]


def test_data_and_port_are_passed(started: Started, small, run: Run) -> None:
    assert run("app --data . --data runs --port 8599 --no-browser").code == 0
    assert started[0][5:] == [
        "--server.address=127.0.0.1",
        "--server.port=8599",
        "--server.headless=true",
        "--",
        "--data",
        str(small.resolve()),
        "--data",
        str(small.resolve() / "runs"),
    ]


def test_missing_data_are_refused(started: Started, small, run: Run) -> None:
    ran = run("app --data nowhere")
    assert (ran.code, ran.err) == (1, "evalcore: nowhere: expected a folder or a zip, found nothing at this path\n")
    assert started == []


def test_without_the_apps_files_it_explains_what_to_do(
    started: Started, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "FOLDER", None)
    for command in ("app", "sample"):
        ran = run(command)
        assert (ran.code, "expected the app in the package or beside it, found none at" in ran.err) == (1, True)
        assert "pip install 'ir-evalcore[app]'" in ran.err


def test_without_streamlit_it_explains_what_to_do(started: Started, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ran = run("app")
    assert (ran.code, "pip install 'ir-evalcore[app]'" in ran.err) == (1, True)


def test_the_exit_code_is_the_apps(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "call", lambda command: 3)
    assert run("app").code == 3


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP")
def test_closing_the_terminal_ends_the_app_except_with_nohup() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # these tests may run under nohup themselves
    reached = []
    try:
        with app.ended_by_a_signal():
            os.kill(os.getpid(), signal.SIGHUP)
            reached.append("not ended")
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with app.ended_by_a_signal():
            os.kill(os.getpid(), signal.SIGHUP)
            reached.append("nohup")
    finally:
        signal.signal(signal.SIGHUP, before)
    assert reached == ["nohup"]


NO_HOME = "import pwd\n\ndef unknown(uid):\n    raise KeyError(uid)\n\npwd.getpwuid = unknown\n"


@pytest.mark.parametrize("home", ["as it is", pytest.param("none", marks=pytest.mark.slow)])
def test_it_starts_and_answers_under_its_names(home: str, tmp_path: Path) -> None:
    environment = dict(os.environ)
    if home == "none":  # as in a container whose user is in no list
        (tmp_path / "sitecustomize.py").write_text(NO_HOME)
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    port = free_port()
    command = [sys.executable, "-m", "evalcore", "app", "--no-browser", "--port", str(port)]
    command += ["--host", "eval.example.org"]
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert _answers(f"http://127.0.0.1:{port}/_stcore/health", server)
        assert _status(port, "eval.example.org") == 200
        assert _status(port, "evil.example") == 421
        server.terminate()  # the parent alone, as `docker stop` and `kill` do
        assert server.wait(20) == 0
        with pytest.raises(OSError):  # noqa: PT011  refused or reset: nobody is there
            _status(port, "localhost")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait(20)


def _answers(address: str, server: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end and server.poll() is None:
        try:
            return bool(urllib.request.urlopen(address, timeout=5).status == 200)
        except OSError:
            time.sleep(0.1)
    return False


def _status(port: int, host: str) -> int:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", "/_stcore/health", headers={"Host": host})
        with connection.getresponse() as answer:
            return answer.status
