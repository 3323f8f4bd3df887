"""Work in a process of its own gives the same as here, and ends with whoever waits for it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from apart_support import broken, endless, killed, nothing, process, refused, taking, telling_much

from evalcore.common import own_process
from evalcore.common.progress import telling
from evalcore.data import process_handover as handed
from evalcore.data.adding import origin_of
from evalcore.data.loading import add_to, load_files
from evalcore.data.sources import from_bytes
from evalcore.errors import InputError

pytestmark = pytest.mark.skipif(not own_process.can_start(), reason="takes processes with pipes to wait for")
FILES = (
    ("one.run", b"1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n2 Q0 a 1 3 r\n"),
    ("qrels.txt", b"1 0 a 0\n1 0 b 2\n2 0 a 1\n2 0 b 0\n"),
)


class OverError(Exception):
    """Error that ends the work, as a person would."""


# --- what whoever waits sees ------------------------------------------------------------------------------------------


def test_it_is_another_process() -> None:
    assert own_process.run(process, progress=nothing) != os.getpid()


def test_it_tells_its_progress_but_not_all_the_time() -> None:
    progress: list[tuple[float, str]] = []
    assert own_process.run(telling_much, progress=lambda share, text: progress.append((share, text))) == "done"
    assert progress[0] == (0.0, "Reading *runs*")
    assert len(progress) < 100


def test_its_refusal_is_the_same_by_file_and_line() -> None:
    with pytest.raises(InputError, match=r"^a\.run line 17: expected 6 fields, found 5$") as caught:
        own_process.run(refused, progress=nothing)
    assert (caught.value.where, caught.value.line) == ("a.run", 17)


def test_a_fault_of_ours_is_no_refusal() -> None:
    with pytest.raises(RuntimeError, match="a fault of ours"):
        own_process.run(broken, progress=nothing)


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="Linux holds processes to a bound of memory")
def test_memory_is_bounded_there_and_not_here() -> None:
    assert own_process.run(taking, 10, progress=nothing, memory=2000) == 10 * 10**6
    with pytest.raises(InputError, match="the work needs more than 2,000 MB; use less data or allow more memory"):
        own_process.run(taking, 4000, progress=nothing, memory=2000)


def test_one_that_the_system_kills_is_reported() -> None:
    with pytest.raises(InputError, match="the work needs more than the available memory"):
        own_process.run(killed, progress=nothing)


def test_it_ends_at_once_when_nobody_waits_any_more(tmp_path: Path) -> None:
    file, begun = tmp_path / "process", time.monotonic()

    def end(share: float) -> None:
        if file.exists() and file.read_text():
            raise OverError

    with telling(end), pytest.raises(OverError):
        own_process.run(endless, str(file), progress=nothing)
    assert time.monotonic() - begun < 60
    assert not is_there(int(file.read_text()))


def test_it_ends_when_the_process_that_waits_is_killed(tmp_path: Path) -> None:
    import subprocess
    import sys

    file = tmp_path / "process"
    waits = f"""
from evalcore.common import own_process
from apart_support import endless, nothing
own_process.run(endless, {str(file)!r}, progress=nothing)
"""
    with subprocess.Popen(
        [sys.executable, "-c", waits], env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ) as it:
        wait_until(lambda: file.exists() and bool(file.read_text()))
        it.kill()
    wait_until(lambda: not is_there(int(file.read_text())))


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


# --- collections ------------------------------------------------------------------------------------------------------


def test_a_collection_is_handed_over_as_it_would_be_read_here() -> None:
    here = load_files(FILES)
    there = own_process.run(handed.read, FILES, None, progress=nothing).with_files(from_bytes(FILES))
    assert (there.title, there.fingerprint, there.manifest) == (here.title, here.fingerprint, here.manifest)
    assert there.assessments.documents.tolist() == here.assessments.documents.tolist()
    assert there.rankings.rank.tolist() == here.rankings.rank.tolist()
    package, same = origin_of(there), origin_of(here)
    assert package is not None
    assert same is not None
    assert package.fingerprint == same.fingerprint


def test_more_files_join_it_there_as_they_would_here() -> None:
    more = (("two.run", b"1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n2 Q0 b 1 3 r\n"),)
    before = load_files(FILES)
    here, additions = add_to(before, from_bytes(more), use_cache=False)
    package = origin_of(before)
    assert package is not None
    found, added = own_process.run(handed.add, package, more, progress=nothing)
    there = found.with_files([*package.files.sources, *from_bytes(more)])
    assert (added, there.fingerprint, there.systems) == (additions, here.fingerprint, ("one", "two"))
    again, _ = add_to(there, from_bytes([("three.run", more[0][1])]), use_cache=False)
    assert set(again.systems) == {"one", "two", "three"}
