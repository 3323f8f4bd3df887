"""Machines that lack something: a home directory, a place to write, names in UTF-8."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, SAMPLE, go_to
from evalcore.cli import main
from evalcore.errors import readable

# A container: the user id is in no list, HOME is not set; and nothing may be written below the checkout.
CONTAINER = f"""
import errno, os, pwd, sys

def unknown(uid):
    raise KeyError("getpwuid(): uid not found")

def refuse(event, arguments):
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if writes or event in ("os.mkdir", "os.rename", "os.remove"):
        if str(arguments[0]).startswith({str(ROOT)!r} + os.sep):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), arguments[0])

pwd.getpwuid = unknown
sys.addaudithook(refuse)
"""
ANY_PAGE = "from app_support import open_app; app = open_app(); print(app.title[0].value, app.exception, app.error)"


@pytest.fixture
def container(tmp_path: Path) -> dict[str, str]:
    """The environment of a process on such a machine."""
    (tmp_path / "sitecustomize.py").write_text(CONTAINER)
    return {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT, ROOT / "tests")))}


@pytest.fixture
def command(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., str]:
    """A function that runs a command in this process and gives what it prints, which must be UTF-8."""

    def call(*arguments: str) -> str:
        assert main(arguments) == 0
        return capfdbinary.readouterr().out.decode()

    return call


def python(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_the_library_reads_without_a_cache_and_warns_once(container):
    twice = "import evalcore as ec; print([ec.load('sample_data/health').report.from_cache for _ in range(2)])"
    ran = python(container, "-c", twice)
    assert ran.stdout == "[False, False]\n"
    assert ran.stderr.count("\n") == 1
    assert "cannot be kept on disk (no home directory); set EVALCORE_CACHE to another folder" in ran.stderr


def test_the_command_line_answers_there_as_elsewhere(container, command):
    line = ("score", str(SAMPLE), "-m", "AP")
    there = python(container, "-m", "evalcore", *line)
    assert (there.returncode, there.stdout) == (0, command(*line))


@pytest.mark.slow
def test_a_page_opens_there(container, tmp_path):
    container["HOME"] = str(tmp_path)  # as `evalcore app` sees to: Streamlit asks for one
    ran = python(container, "-c", ANY_PAGE)
    assert ran.stdout == "Does readability change who wins? ElementList() ElementList()\n", ran.stderr


def test_a_cache_that_is_named_is_used_there(container, tmp_path):
    container["EVALCORE_CACHE"] = str(tmp_path / "kept")
    ran = python(container, "-m", "evalcore", "inspect", str(SAMPLE))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_durations_and_ages_are_measured_by_a_clock_that_does_not_jump():
    """The time of day is asked for once: to find entries of the cache from a day that has not come yet."""
    files = [path for part in ("evalcore", "ui", "pages") for path in (ROOT / part).rglob("*.py")]
    asking = [path.relative_to(ROOT).as_posix() for path in files if "time.time(" in path.read_text()]
    assert asking == ["evalcore/data/cache.py"]


# --- names that are not UTF-8 -----------------------------------------------------------------------------------------

QRELS = "t1 0 a 1\nt1 0 b 0\nt2 0 a 2\n"
ODD = os.fsdecode(b"caf\xe9")  # Latin-1


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """Write a folder, runs and an assessed aspect with such names."""
    folder = tmp_path / ODD
    (folder / "runs").mkdir(parents=True)
    for name in ("qrels.txt", f"q{ODD}.txt"):
        (folder / name).write_text(QRELS)
    for name, first in ((f"{ODD}.run", "a"), ("plain.run", "b")):
        (folder / "runs" / name).write_text("".join(f"{topic} Q0 {first} 1 9 x\n" for topic in ("t1", "t2")))
    return folder


def test_bytes_that_are_no_utf_8_are_written_out():
    assert readable(Path(ODD)) == r"caf\xe9"
    assert readable("é ρ") == "é ρ"
    assert readable("\ud800") == r"\ud800"  # half a letter of UTF-16, as JSON may hold it


def test_names_are_shown_and_two_of_them_stay_two(odd):
    (odd / "runs" / os.fsdecode(b"caf\xe8.run")).write_text("t1 Q0 a 1 9 x\n")
    c = ec.load(odd)
    assert c.title == r"caf\xe9"
    assert c.systems == (r"caf\xe8", r"caf\xe9", "plain")
    assert ec.load(odd).report.from_cache


def test_commands_take_such_paths_and_print_readable_names(odd, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert "caf\\xe9" in command("inspect", ODD)
    shown = command("score", ODD, "-m", "AP", "-f", "csv")
    assert shown == "system,measure,score\ncaf\\xe9,AP,1.0\nplain,AP,0.0\n"
    assert command("score", ODD, "-m", "AP", "-f", "csv", "-o", f"{ODD}.csv") == ""
    assert (tmp_path / f"{ODD}.csv").read_text() == shown
    files = ("--runs", f"{ODD}/runs/{ODD}.run", "--aspect", f"{ODD}={ODD}/qrels.txt")
    assert "caf\\xe9" in command("inspect", *files)


def test_an_error_names_such_a_path(odd):
    (odd / "runs" / f"{ODD}.run").write_text("no run\n")
    with pytest.raises(ec.InputError) as found:
        ec.load(odd)
    str(found.value).encode()


@pytest.mark.slow
@pytest.mark.threads  # the app
def test_such_a_folder_opens_in_the_app_by_a_link(odd, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["app.py", "--data", str(odd)])
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["data"] = r"caf\xe9"
    app.run()
    for page in ("home", "collection", "measures", "understandability"):
        go_to(app, page).run()
        assert (list(app.exception), [error.value for error in app.error]) == ([], []), page
        assert app.session_state["open collection"].systems == (r"caf\xe9", "plain")
