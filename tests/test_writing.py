"""Files and folders are written whole or not at all, and never over what was there unasked."""

from __future__ import annotations

import errno
import os
import re
import resource
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from evalcore import InputError
from evalcore.common.writing import new_folder, whole_file, write_file


def names(folder: Path) -> set[str]:
    """Names of all that is in a folder, hidden or not."""
    return {path.name for path in folder.iterdir()}


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def half_a_file(place: Path, fail: Callable[[], object]) -> None:
    with whole_file(place, replace=True) as file:
        file.write(b"half")
        fail()


def half_a_folder(place: Path) -> None:
    with new_folder(place) as half:
        (half / "file").write_text("half")
        full()


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_new_file_holds_what_was_written_and_nothing_lies_beside_it(tmp_path):
    write_file(tmp_path / "new.txt", "ρ = 0.8\n")
    assert (tmp_path / "new.txt").read_bytes() == "ρ = 0.8\n".encode()
    assert names(tmp_path) == {"new.txt"}


def test_a_file_that_is_there_is_replaced_only_when_asked(tmp_path):
    place = tmp_path / "old.txt"
    place.write_text("old")
    with pytest.raises(InputError, match=r"old\.txt: expected a new file to write, found an existing one; --force"):
        write_file(place, "new")
    assert place.read_text() == "old"
    write_file(place, "new", replace=True)
    assert place.read_text() == "new"


@pytest.mark.parametrize("how", ["itself", "symbolic link", "hard link", "folder above", "other spelling"])
def test_an_input_is_never_replaced_by_whatever_name(tmp_path, how):
    (tmp_path / "in").mkdir()
    read = tmp_path / "in" / "qrels.txt"
    read.write_text("1 0 d 1\n")
    target, given = {
        "itself": (read, read),
        "symbolic link": (tmp_path / "link", read),
        "hard link": (tmp_path / "hard", read),
        "folder above": (read, tmp_path),
        "other spelling": (tmp_path / "in" / ".." / "in" / "qrels.txt", read),
    }[how]
    if how == "symbolic link":
        target.symlink_to(read)
    if how == "hard link":
        target.hardlink_to(read)
    with pytest.raises(InputError, match="expected a different file to write, found one that this command reads"):
        write_file(target, "new", replace=True, inputs=[given])
    assert read.read_text() == "1 0 d 1\n"


def test_an_error_while_writing_leaves_what_was_there(tmp_path):
    place = tmp_path / "old.txt"
    place.write_text("old")
    with pytest.raises(ZeroDivisionError):
        half_a_file(place, lambda: 1 // 0)
    assert (place.read_text(), names(tmp_path)) == ("old", {"old.txt"})


def test_a_full_disk_is_reported_with_the_name_of_the_file(tmp_path):
    with pytest.raises(InputError, match=r"out\.csv: cannot write the file: No space left on dev"):
        half_a_file(tmp_path / "out.csv", full)
    assert names(tmp_path) == set()


def test_permissions_are_those_of_the_file_that_is_replaced_else_by_the_umask(tmp_path):
    place = tmp_path / "out.csv"
    write_file(place, "one")
    (tmp_path / "plain").touch()
    assert stat.S_IMODE(place.stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)
    place.chmod(0o640)
    write_file(place, "two", replace=True)
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


def test_a_link_stays_a_link_to_what_is_replaced(tmp_path):
    (tmp_path / "far").write_text("old")
    (tmp_path / "link").symlink_to("far")
    write_file(tmp_path / "link", "new", replace=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "far").read_text() == "new"


def test_a_name_as_long_as_a_disk_allows(tmp_path):
    name = "n" * os.pathconf(tmp_path, "PC_NAME_MAX")
    write_file(tmp_path / name, "new")
    assert names(tmp_path) == {name}


@pytest.mark.threads  # who reads
def test_a_pipe_takes_what_comes(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_file(tmp_path / "pipe", "content")
    reader.join(60)
    assert found == [b"content"]
    write_file("/dev/null", "content")


# --- folders ---------------------------------------------------------------------------------------------------------


def test_a_folder_is_there_when_it_is_whole(tmp_path):
    with new_folder(tmp_path / "a" / "new") as half:
        (half / "file").write_text("content")
        assert not (tmp_path / "a" / "new").exists()
    assert names(tmp_path / "a") == {"new"}
    assert (tmp_path / "a" / "new" / "file").read_text() == "content"


def test_an_empty_folder_is_filled_another_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with new_folder(tmp_path / "empty") as half:
        (half / "file").touch()
    for place in (tmp_path / "empty", tmp_path / "empty" / "file"):
        with (
            pytest.raises(InputError, match="expected a new or an empty folder to write to, found one with files"),
            new_folder(place),
        ):
            pass
    assert names(tmp_path / "empty") == {"file"}


def test_a_disk_that_fills_leaves_no_half_folder(tmp_path):
    with pytest.raises(InputError, match="new: cannot write the folder: No space left on device"):
        half_a_folder(tmp_path / "new")
    assert names(tmp_path) == set()


# --- who writes ------------------------------------------------------------------------------------------------------


COMMANDS = (
    "score {data} -m AP -q -f csv -o out",
    "report {data} -m AP -o out",
    "convert {data} -o out",
)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_names_what_does_not_fit_on_the_disk_and_leaves_nothing(command, tmp_path):
    """A process may not write files above 4 kB, which is an OSError as a full disk is one."""
    code = "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nfrom evalcore.cli import main\nmain()"
    data = Path(__file__).parents[1] / "sample_data" / "health"
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}", *command.format(data=data).split()],
        cwd=tmp_path,
        # A module that it compiled would be cut off at 4 kB too, and stay so for the next process that imports it.
        env={**os.environ, "PYTHONPATH": str(data.parents[1]), "EVALCORE_CACHE": str(tmp_path / "cache")}
        | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert re.search("^evalcore: out: cannot write the (file|folder): File too large$", ran.stderr, re.MULTILINE)
    assert "Traceback" not in ran.stderr
    assert names(tmp_path) <= {"cache"}
    assert not (tmp_path / "cache").exists() or names(tmp_path / "cache") == set()


def test_an_error_within_a_new_folder_names_the_folder_that_was_asked_for(tmp_path):
    def lessons() -> None:
        with new_folder(tmp_path / "lessons") as half:
            (half / "index.html").mkdir()
            write_file(half / "index.html", "text")

    with pytest.raises(InputError) as caught:
        lessons()
    assert caught.value.where == str(tmp_path / "lessons" / "index.html")
    assert os.listdir(tmp_path) == []
