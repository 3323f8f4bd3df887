"""A process that is killed while it writes leaves nothing for ever, and a renamed file is complete on the disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from test_writing import names

from evalcore.common import writing
from evalcore.common.writing import new_folder, sweep, temporary_folder, whole_file, write_file
from evalcore.data import cache

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
HEALTH = ROOT / "sample_data" / "health"
# As the last thing before the first file, or folder, gets its name, the process is killed.
AT_THE_END = (
    "import os, signal; from evalcore.common import writing\n"
    "writing._to_disk = lambda *_, **__: os.kill(os.getpid(), 9)\n"
)


def killed(code: str, folder: Path) -> None:
    """Run code in a process that kills itself once it has written everything, before the rename."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "EVALCORE_CACHE": str(folder / "cache")}
    done = subprocess.run([sys.executable, "-c", AT_THE_END + code], cwd=folder, env=environment, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr[-500:]


def command(line: str) -> str:
    return f"import sys; from evalcore.cli import main; sys.exit(main({line.split()!r}))"


@pytest.mark.parametrize("line", ["convert {} --no-cache -o out", "score {} --no-cache -m AP -o out"])
def test_a_command_that_was_killed_is_run_again_and_leaves_nothing_else(line, tmp_path):
    killed(command(line.format(HEALTH)), tmp_path)
    left = names(tmp_path) - {"cache"}
    assert len(left) == 1
    assert "out" not in left
    done = subprocess.run(
        [sys.executable, "-m", "evalcore", *line.format(HEALTH).split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "EVALCORE_CACHE": str(tmp_path / "cache")},
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    assert names(tmp_path) - {"cache"} == {"out"}


def test_what_was_killed_while_it_was_kept_goes_when_the_cache_is_next_looked_at(tmp_path, monkeypatch):
    killed(f"import evalcore as ec; ec.load({str(HEALTH)!r})", tmp_path)
    assert len(names(tmp_path / "cache")) == 1
    monkeypatch.setenv("EVALCORE_CACHE", str(tmp_path / "cache"))
    assert cache.recall("0" * 32) is None
    assert names(tmp_path / "cache") == set()


def test_what_is_being_written_is_left_to_who_writes_it(tmp_path):
    with whole_file(tmp_path / "file") as file, new_folder(tmp_path / "folder") as half:
        write_file(tmp_path / "other", "x")
        sweep(tmp_path)
        file.write(b"content")
        (half / "file").touch()
    assert names(tmp_path) == {"file", "folder", "other"}


def test_only_our_own_are_swept_and_no_link_is_followed(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    (tmp_path / ".evalcore-0123abcd").symlink_to(tmp_path / "there")
    (tmp_path / ".evalcore-notes").touch()
    sweep(tmp_path)
    assert names(tmp_path) == {"there", ".evalcore-0123abcd", ".evalcore-notes"}
    assert names(tmp_path / "there") == {"file"}


def test_a_file_that_is_swept_while_it_is_begun_is_begun_again(tmp_path, monkeypatch):
    makes = []

    def swept_at_once(place: Path) -> None:
        place.touch()
        makes.append(place)
        if len(makes) == 1:
            sweep(tmp_path)

    with writing._half(tmp_path / "file", swept_at_once) as half:
        assert half.exists()
    assert len(makes) == 2


@pytest.fixture
def order(monkeypatch) -> list[str]:
    """Record what is flushed to the disk and what is renamed, in order."""
    happened: list[str] = []
    fsync, rename, replace = os.fsync, Path.rename, Path.replace

    def synced(handle: int) -> None:
        happened.append(f"fsync {Path(os.readlink(f'/proc/self/fd/{handle}')).name}")
        fsync(handle)

    def named(how):
        def call(half: Path, place: Path) -> Path:
            happened.append(f"rename {Path(place).name}")
            return how(half, place)

        return call

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "rename", named(rename))
    monkeypatch.setattr(Path, "replace", named(replace))
    return happened


def at_the_end(order: list[str], name: str) -> list[str]:
    """Return what happened, with hidden names of what is under way in one word."""
    short = ["fsync half" if ".evalcore-" in one else one for one in order]
    return short[: short.index(f"rename {name}") + 2]


def test_a_file_is_on_the_disk_before_its_name_and_the_name_after_it(tmp_path, order):
    write_file(tmp_path / "file", "content")
    assert order[1:] == ["rename file", f"fsync {tmp_path.name}"]
    assert at_the_end(order, "file")[0] == "fsync half"


def test_a_folder_is_on_the_disk_with_all_its_files_before_its_name(tmp_path, order):
    with new_folder(tmp_path / "folder") as half:
        (half / "file").write_text("content")
    at = order.index("rename folder")
    assert "fsync file" in order[:at]
    assert ".evalcore-" in order[at - 1]
    assert order[at + 1] == f"fsync {tmp_path.name}"


def test_the_folder_of_a_server_that_was_killed_goes_when_the_next_one_starts(tmp_path, monkeypatch):
    code = (
        "import os; from evalcore.common.writing import temporary_folder as made\nwith made(): os.kill(os.getpid(), 9)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment).returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == 1
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with temporary_folder() as folder:
        assert names(tmp_path) == {folder.name}
    assert names(tmp_path) == set()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no users")
def test_what_another_user_left_in_a_folder_of_all_is_left(tmp_path, monkeypatch):
    (tmp_path / ".evalcore-0123abcd").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    sweep(tmp_path)
    assert names(tmp_path) == {".evalcore-0123abcd"}
