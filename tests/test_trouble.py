"""Killed, starved and crowded: what was there is there afterwards, and no half of anything is taken for a whole."""

from __future__ import annotations

import hashlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
HEALTH = ROOT / "sample_data" / "health"
KILLS = int(os.environ.get("KILLS", "2"))  # of each kind; KILLS=50 tries each fifty times
LOADED = f"import evalcore as ec; print(ec.evaluate('nDCG@10', ec.load({str(HEALTH)!r})).to_numpy().sum())"
CONVERTED = f"import sys; from evalcore.cli import main; sys.exit(main(['convert', {str(HEALTH)!r}, '-o', 'out']))"


def started(code: str, folder: Path, limits: Callable[[], None] | None = None) -> subprocess.Popen[str]:
    """A process that runs code with a cache of its own in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "EVALCORE_CACHE": str(folder / "cache")}
    command, pipe = [sys.executable, "-c", code], subprocess.PIPE
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True, preexec_fn=limits
    )


def finished(process: subprocess.Popen[str]) -> str:
    """What it prints; it may not fail."""
    printed, said = process.communicate(timeout=300)
    assert process.returncode == 0, said[-500:]
    return printed


def content(folder: Path) -> dict[str, str]:
    """The digest of every file below a folder; hidden ones are under way."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def hidden(folder: Path) -> list[str]:
    return [path.name for path in folder.glob(".evalcore-*")]


@pytest.mark.parametrize("code", [LOADED, CONVERTED], ids=["kept", "converted"])
def test_killed_at_any_moment_it_leaves_a_whole_or_nothing(code: str, tmp_path: Path) -> None:
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
        assert content(folder / "out") in ({}, wanted)
        shutil.rmtree(folder / "out", ignore_errors=True)
        assert finished(started(code, folder)) == printed
        assert content(folder / "out") == wanted
        assert hidden(folder) + hidden(folder / "cache") == []
        shutil.rmtree(folder)


def test_several_processes_share_a_cache(tmp_path: Path) -> None:
    """All begin at once on an empty one, then on one whose entry is broken in the middle of each file."""
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


@pytest.mark.parametrize("megabytes", [400, 600, 1000])
def test_too_little_memory_is_said_or_enough(megabytes: int, tmp_path: Path) -> None:
    """Of address space, as `ulimit -v` bounds it: a result, or the end of the process; never half of an entry."""

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
