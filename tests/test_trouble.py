"""Killed, starved and crowded: what was there is there afterwards, and no half of anything counts as a whole."""

from __future__ import annotations

import ctypes
import hashlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from github_support import GitHub, contents, serving
from protocol_support import FILES, Visitor

from browser_support import running_app
from evalcore.common import own_process
from evalcore.common.progress import telling
from evalcore.data import process_handover as handed
from evalcore.data.adding import origin_of
from evalcore.data.loading import load_files
from evalcore.errors import InputError
from ui.server import door

pytestmark = [pytest.mark.slow, pytest.mark.threads]

ROOT = Path(__file__).parents[1]
HEALTH = ROOT / "sample_data" / "health"
KILLS = int(os.environ.get("KILLS", "2"))  # of each kind; KILLS=50 tries each fifty times
OWN = "annas-own"
MINE = ((f"{OWN}.run", FILES[0][1]), *FILES[1:])
LOADED = f"import evalcore as ec; print(ec.evaluate('nDCG@10', ec.load({str(HEALTH)!r})).to_numpy().sum())"
FETCHED = """
from evalcore.data.public import download, fetch
download.API, download.RAW = "{0}/api", "{0}/raw"
print(fetch("clef2015", "out").systems)
"""
CONVERTED = f"import sys; from evalcore.cli import main; sys.exit(main(['convert', {str(HEALTH)!r}, '-o', 'out']))"


def started(code: str, folder: Path, limits: Callable[[], None] | None = None) -> subprocess.Popen[str]:
    """Start a process that runs code with a cache of its own in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "EVALCORE_CACHE": str(folder / "cache")}
    command, pipe = [sys.executable, "-c", code], subprocess.PIPE
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True, preexec_fn=limits
    )


def finished(process: subprocess.Popen[str]) -> str:
    """Return what the process prints; it may not fail."""
    printed, said = process.communicate(timeout=300)
    assert process.returncode == 0, said[-500:]
    return printed


def content(folder: Path) -> dict[str, str]:
    """Digests of all files below a folder, except unfinished ones, whose names are hidden."""
    files = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    whole = {name: path for name, path in files.items() if not name.startswith(".") and "/." not in name}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in whole.items()}


def hidden(folder: Path) -> list[str]:
    return [path.name for path in folder.glob(".evalcore-*")]


@pytest.fixture
def github() -> Iterator[str]:
    """A server in place of GitHub's."""
    made = GitHub()
    made.put(contents("clef2015"))
    with serving(made) as address:
        yield address


@pytest.mark.parametrize("code", [LOADED, CONVERTED, FETCHED], ids=["kept", "converted", "fetched"])
def test_killed_at_any_moment_it_leaves_a_whole_or_nothing(code: str, tmp_path: Path, github: str) -> None:
    """A collection that is fetched comes file by file, each whole or not at all."""
    code = code.replace("{0}", github)
    (whole := tmp_path / "whole").mkdir()
    begun = time.monotonic()
    printed = finished(started(code, whole))
    seconds, wanted = time.monotonic() - begun, content(whole / "out")
    draw = random.Random(56)
    for at in range(KILLS):
        (folder := tmp_path / str(at)).mkdir()
        process = started(code, folder)
        time.sleep(draw.uniform(0.3, 1.1) * seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        left = content(folder / "out")
        assert left.items() <= wanted.items()
        if "fetched.toml" not in wanted:
            assert left in ({}, wanted)
            shutil.rmtree(folder / "out", ignore_errors=True)
        assert finished(started(code, folder)) == printed
        assert content(folder / "out") == wanted
        assert hidden(folder) + hidden(folder / "cache") + hidden(folder / "out") == []
        shutil.rmtree(folder)


def children() -> set[int]:
    """Return the processes that this one has started; multiprocessing keeps one of its own among them."""
    listed = Path(f"/proc/{os.getpid()}/task/{threading.get_native_id()}/children").read_text()
    return {int(one) for one in listed.split()}


@pytest.mark.parametrize("what", ["uploaded", "added"])
def test_the_process_that_reads_an_upload_is_killed_at_any_moment(what: str) -> None:
    """The upload is refused in words or read whole; what was open before is as it was, and the next upload is read."""
    before, more = load_files(FILES), (("three.run", b"1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n2 Q0 b 1 3 r\n"),)
    package = origin_of(before)
    given: Any = (handed.read, FILES, None) if what == "uploaded" else (handed.add, package, more)
    begun = time.monotonic()
    wanted = read_apart(given)
    seconds, draw, others = time.monotonic() - begun, random.Random(57), children()
    for _ in range(KILLS):
        at = time.monotonic() + draw.uniform(0.0, 1.1) * seconds

        def kill(share: float, text: str = "", at: float = at) -> None:
            if time.monotonic() > at:
                for child in children() - others:
                    os.kill(child, signal.SIGKILL)

        with suppress(InputError), telling(kill):
            assert read_apart(given) == wanted
        assert load_files(FILES).fingerprint == before.fingerprint
        assert origin_of(before) is package
    assert read_apart(given) == wanted


def read_apart(given: Any) -> str:
    """Return the fingerprint of a collection that is read in a process of its own."""
    found: Any = own_process.run(*given, progress=lambda share, text: None)
    return str((found[0] if isinstance(found, tuple) else found).collection.fingerprint)


def test_a_server_that_is_killed_during_uploads_starts_again_as_it_was(tmp_path: Path, monkeypatch: Any) -> None:
    """The server leaves the folders that it was started with alone, and nothing that its next start does not remove."""
    for name in ("TMPDIR", "EVALCORE_CACHE"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    shutil.copytree(HEALTH, tmp_path / "data")
    before, draw = content(tmp_path / "data"), random.Random(58)
    for _ in range(max(KILLS // 2, 1)):
        others = children()
        with running_app(tmp_path / "log", tmp_path / "data") as address:
            [server] = children() - others
            anna = Visitor(address)
            anna.run()
            assert hidden(tmp_path / "TMPDIR") == []
            uploading = threading.Thread(target=uploads, args=(anna,), daemon=True)
            uploading.start()
            time.sleep(draw.uniform(0.0, 3.0))
            os.kill(server, signal.SIGKILL)
            uploading.join()
        assert content(tmp_path / "data") == before
        assert "Traceback" not in (tmp_path / "log").read_text()
    with running_app(tmp_path / "log", tmp_path / "data") as address:
        anna = Visitor(address)
        anna.run()
        assert OWN in anna.upload(MINE).seen()
        anna.close()
    assert hidden(tmp_path / "TMPDIR") == []


def uploads(who: Visitor) -> None:
    """Upload and open files until the server is gone."""
    with suppress(Exception):
        while True:
            who.upload()


def test_several_processes_share_a_cache(tmp_path: Path) -> None:
    """All begin at once on an empty cache, then on one whose entry is broken in the middle of each file."""
    printed = {finished(one) for one in [started(LOADED, tmp_path) for _ in range(4)]}
    assert len(printed) == 1
    [entry] = (tmp_path / "cache").iterdir()
    for path in entry.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert {finished(one) for one in [started(LOADED, tmp_path) for _ in range(4)]} == printed
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [entry.name]


@pytest.mark.parametrize("most", [0, 20_000])
def test_a_disk_that_is_full_costs_the_cache_and_nothing_else(most: int, tmp_path: Path) -> None:
    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    (enough := tmp_path / "enough").mkdir()
    (little := tmp_path / "little").mkdir()
    assert finished(started(LOADED, little, full)) == finished(started(LOADED, enough))
    assert content(little / "cache") == {}


def test_an_upload_that_finds_the_disk_full_is_refused_in_words(tmp_path: Path) -> None:
    """Once, this was an error of the server, with its code in the log; others go on, and so do small files."""
    others = children()
    with running_app(tmp_path / "log", HEALTH) as address:
        [server] = children() - others
        anna = Visitor(address)
        assert OWN in anna.run().upload(MINE).seen()
        resource.prlimit(server, resource.RLIMIT_FSIZE, (100_000, 100_000))
        with pytest.raises(HTTPError) as refused:
            anna.put(anna.urls("large.run").upload_url, "large.run", b"1 Q0 a 1 3 r\n" * 300_000)
        assert (refused.value.code, refused.value.read().decode()) == (door.NO_SPACE, door.DISK_FULL)
        assert OWN in anna.run().seen()
        bob = Visitor(address)
        assert OWN in bob.run().upload(MINE).seen()
        anna.close()
        bob.close()
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_folders_that_cannot_be_written_to_cost_the_cache_and_nothing_else(tmp_path: Path) -> None:
    (enough := tmp_path / "enough").mkdir()
    wanted = finished(started(LOADED, enough))
    (closed := tmp_path / "closed").mkdir()
    (closed / "cache").mkdir(mode=0o500)
    closed.chmod(0o500)
    begun = started(LOADED, closed, as_others_are)
    printed, said = begun.communicate()
    assert (begun.returncode, printed) == (0, wanted)
    assert said.count("\n") == 1
    converting = started(CONVERTED, closed, as_others_are)
    _, said = converting.communicate()
    assert converting.returncode != 0
    assert "cannot write the folder: Permission denied" in said
    assert content(closed) == {}


def as_others_are() -> None:
    """Have permissions hold for root as well: give up the capability that passes over them."""
    drop, to_pass_over = 24, 1  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE
    ctypes.CDLL(None).prctl(drop, to_pass_over, 0, 0, 0)


OTHER_TIME = """
import os, time
offset, now, now_ns = os.environ["OFFSET"], time.time, time.time_ns
time.time = lambda: now() + float(open(offset).read())
time.time_ns = lambda: now_ns() + 10**9 * int(open(offset).read())
"""


# A library that gives every program another time, also its C code, for which Python's own clocks are not enough.
FAKETIME = [str(path) for path in Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")]


@pytest.mark.parametrize("library", ["", *FAKETIME], ids=["python", *("faketime" for _ in FAKETIME)])
def test_a_clock_that_jumps_takes_nothing_from_anybody(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offset = tmp_path / "offset"
    offset.write_text("+0")
    if library:
        names = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_CACHE_DURATION": "1"}
        for name, value in {**names, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}.items():
            monkeypatch.setenv(name, value)
    else:
        (tmp_path / "sitecustomize.py").write_text(OTHER_TIME)
        monkeypatch.setenv("OFFSET", str(offset))
        monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{ROOT}")
    with running_app(tmp_path / "log", HEALTH) as address:
        anna = Visitor(address)
        assert OWN in anna.run().upload(MINE).seen()
        for days in (400, -3000, 0):
            offset.write_text(f"{86_400 * days:+}")
            time.sleep(2 if library else 0)  # it looks every second
            assert OWN in anna.run().seen()
            tab = Visitor(address, anna.cookie)
            assert OWN in tab.run(data="your files").seen()
            tab.close()
            bob = Visitor(address)
            assert OWN in bob.run().upload(MINE).seen()
            bob.close()
        anna.close()
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.skipif(not FAKETIME, reason="needs faketime")
def test_faketime_moves_the_clock_of_a_server(tmp_path: Path) -> None:
    (offset := tmp_path / "offset").write_text("+86400")
    names = {"LD_PRELOAD": FAKETIME[0], "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    code = "import time; print(time.time(), time.monotonic())"
    printed = subprocess.check_output([sys.executable, "-c", code], env={**os.environ, **names}, text=True)
    there, steady = map(float, printed.split())
    assert there - time.time() == pytest.approx(86_400, abs=60)
    assert steady - time.monotonic() == pytest.approx(0, abs=60)


@pytest.mark.parametrize("megabytes", [400, 600, 1000])
def test_too_little_memory_is_said_or_enough(megabytes: int, tmp_path: Path) -> None:
    """Bound address space as `ulimit -v` does: a result, or the end of the process; never half of an entry."""

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 10**6, megabytes * 10**6))

    one = started(LOADED, tmp_path, little)
    printed, said = one.communicate(timeout=300)
    whole = finished(started(LOADED, tmp_path))
    if one.returncode == 0:
        assert printed == whole
    else:
        assert said.strip(), one.returncode
    assert hidden(tmp_path / "cache") == []


@pytest.mark.parametrize("do", ["truncated", "deleted", "changed"])
def test_files_that_change_under_an_open_collection_change_nothing_of_it(do: str, tmp_path: Path) -> None:
    import evalcore as ec

    shutil.copytree(HEALTH, tmp_path / "open")
    opened = ec.load(tmp_path / "open")
    before = ec.evaluate("CAM(nDCG@10)", opened)
    for path in (tmp_path / "open").rglob("*.*"):
        if path.is_file():
            half = path.read_bytes()[: path.stat().st_size // 2]
            path.unlink() if do == "deleted" else path.write_bytes(half if do == "truncated" else b"x" + half)
    assert ec.evaluate("CAM(nDCG@10)", opened).equals(before)
    with pytest.raises(ec.InputError):
        ec.load(tmp_path / "open")
