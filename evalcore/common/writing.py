"""Files and folders written completely or not at all, and never over existing files without permission.

An unfinished file has a hidden name beside its target, and is locked by its writer. So the remains of a killed process
are recognised, and removed at the next write to its folder. Everything is synced to the disk before the rename.
"""

from __future__ import annotations

import csv
import errno
import importlib.util
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from evalcore.common.lazy_imports import tempfile
from evalcore.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

PathLike = str | Path
fcntl: Any = importlib.import_module("fcntl") if importlib.util.find_spec("fcntl") else None  # none on Windows
_HALF = re.compile(r"\.evalcore-[0-9a-f]{8}")
# Spreadsheets run a cell that begins with one of these as a formula; the last four are full width.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


# Separators that split a cell in spreadsheets with another locale or setting, before the start of a formula.
_PARTED = re.compile(r'([;\t\r\n][\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])')
_PARTS = re.compile(r"[;\t]")


def inert(cell: Any) -> Any:
    """Return a cell of a CSV for spreadsheets, with an apostrophe before text that would run as a formula.

    >>> inert("=1+1"), inert("a=1"), inert(-1), inert("x;=1+1")
    ("'=1+1", 'a=1', -1, "x;'=1+1")
    """
    if not isinstance(cell, str):
        return cell
    cell = _PARTED.sub(r"\1'", cell)
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def csv_text(frame: pd.DataFrame, *, index: bool = False, header: bool = True, raw: bool = False) -> str:
    """Return a table as CSV, with texts and names made `inert`; with `raw` they are unchanged, for other programs.

    All texts are quoted if one contains a separator that other programs use (a semicolon, a tab), or would begin a
    line like a comment (#).

    >>> import pandas as pd
    >>> print(csv_text(pd.DataFrame({"system": ["=1+1"], "score": [-0.5]})), end="")
    system,score
    '=1+1,-0.5
    """
    if raw:
        first = frame.index if index else frame.iloc[:, 0] if frame.shape[1] else ()
        hidden = any(isinstance(text, str) and text.startswith("#") for text in first)
        how: Literal[0, 2] = csv.QUOTE_NONNUMERIC if hidden else csv.QUOTE_MINIMAL
        return str(frame.to_csv(index=index, header=header, lineterminator="\n", quoting=how))
    safe = frame.rename(columns=inert)
    if index:
        safe = safe.rename(index=inert).rename_axis(index=inert)
    parted = any(map(_is_parted, [*safe.columns, *(safe.index if index else ())]))
    for at, kind in enumerate(frame.dtypes):
        if kind.kind not in "biuf":
            cells = safe.iloc[:, at].map(inert)
            parted |= any(map(_is_parted, cells))
            safe.isetitem(at, cells.array)
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if parted else csv.QUOTE_MINIMAL
    return str(safe.to_csv(index=index, header=header, lineterminator="\n", quoting=quoting))


def _is_parted(cell: Any) -> bool:
    texts = cell if isinstance(cell, tuple) else (cell,)
    return any(isinstance(text, str) and (text.startswith("#") or _PARTS.search(text)) for text in texts)


def refuse_file(target: PathLike, *, replace: bool = False, inputs: Iterable[PathLike] = ()) -> None:
    """Raise InputError if a file must not be written: over an input, or, unless `replace`, over any other file.

    `inputs` are files and folders; links to them and the contents of folders count too. A target that is not a regular
    file, such as a pipe or /dev/stdout, may be written to.
    """
    status = _stat(target)
    if status is None or _takes_all(target, status):
        return
    if stat.S_ISDIR(status.st_mode):
        raise InputError("expected a file to write, found a folder", str(target))
    if any(os.path.samestat(status, file) for place in inputs for file in _files(place)):
        raise InputError("expected a different file to write, found one that this command reads", str(target))
    if not replace:
        raise InputError("expected a new file to write, found an existing one; --force replaces it", str(target))


@contextmanager
def whole_file(target: PathLike, *, replace: bool = False, inputs: Iterable[PathLike] = ()) -> Iterator[BinaryIO]:
    """Open a file that appears under its name only when it is complete; after an error nothing has changed.

    It is written beside its target and moved there, following links, with the permissions of the file that it replaces.
    Raises InputError as `refuse_file` does, and if the disk is full or the folder is not writable.
    """
    refuse_file(target, replace=replace, inputs=inputs)
    status = _stat(target)
    if status and _takes_all(target, status):
        with _naming("file", target), open(target, "wb") as file:
            yield file
        return
    place = Path(os.path.realpath(target))
    with _naming("file", target), _half(place, Path.touch) as half:
        with half.open("r+b") as file:
            yield file
        if status:
            half.chmod(stat.S_IMODE(status.st_mode))
        _to_disk(half)
        half.replace(place)
        _to_disk(place.parent, deep=False)


def write_file(
    target: PathLike, content: bytes | str, *, replace: bool = False, inputs: Iterable[PathLike] = ()
) -> None:
    """Write a file as `whole_file` does; text in UTF-8."""
    with whole_file(target, replace=replace, inputs=inputs) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def new_folder(folder: PathLike) -> Iterator[Path]:
    """Make a temporary folder that gets the requested name when it is complete; after an error nothing is left.

    Raises InputError for a folder that is not empty, and if the disk is full or the path is not writable.
    """
    place = Path(os.path.realpath(folder))
    with _naming("folder", folder):
        if os.path.lexists(place) and (not place.is_dir() or any(place.iterdir())):
            raise InputError("expected a new or an empty folder to write to, found one with files", str(folder))
        place.parent.mkdir(parents=True, exist_ok=True)
        with _half(place, Path.mkdir) as half:
            try:
                yield half
            except InputError as error:
                if str(half) not in error.where:
                    raise
                where = error.where.replace(str(half), str(folder))  # the name that the user gave
                raise InputError(error.problem, where, error.line) from None
            if place.exists():
                place.rmdir()
            move(half, place)


@contextmanager
def scratch_folder(place: Path) -> Iterator[Path]:
    """Make a hidden folder for unfinished files; files that are not moved out (`move`) are deleted. Raises OSError."""
    with _half(place / "new", lambda half: half.mkdir(mode=0o700)) as half:
        yield half


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder that is deleted at the end or, if the process is killed, by the next call. Raises OSError."""
    with scratch_folder(Path(tempfile.gettempdir())) as folder:
        yield folder


def move(half: Path, place: Path) -> None:
    """Sync an unfinished file or folder to the disk, then give it its final name. Raises OSError."""
    _to_disk(half)
    half.rename(place)
    _to_disk(place.parent, deep=False)


def sweep(folder: Path) -> None:
    """Delete unfinished files that killed processes left in a folder."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _HALF.fullmatch(entry.name) and not entry.is_symlink() and _is_ours(entry):
                half = Path(entry.path)
                with suppress(OSError), _lock(half, fcntl.LOCK_EX | fcntl.LOCK_NB) as ours:
                    if ours:
                        _remove(half)


def _is_ours(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry belongs to this user, because anybody may write to a folder for temporary files."""
    return entry.stat(follow_symlinks=False).st_uid == os.geteuid()


@contextmanager
def _half(place: Path, make: Callable[[Path], None]) -> Iterator[Path]:
    """Make a file or folder beside its target, locked while it is written; delete it at the end unless it was moved."""
    sweep(place.parent)
    with ExitStack() as held:
        while True:
            half = place.with_name(f".evalcore-{os.urandom(4).hex()}")
            make(half)
            lock = _lock(half) if fcntl else nullcontext(True)
            if held.enter_context(lock):
                break  # else another process swept it before the lock
        try:
            yield half
        finally:
            _remove(half)


@contextmanager
def _lock(half: Path, how: int | None = None) -> Iterator[bool]:
    """Lock a file or folder, and yield whether it still exists.

    Raises OSError if `how` contains LOCK_NB (do not wait) and another process holds the lock.
    """
    try:
        handle = os.open(half, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        yield False
        return
    try:
        with suppress(*([] if how else [OSError])):  # file systems without locks are not swept
            fcntl.flock(handle, fcntl.LOCK_EX if how is None else how)
        yield os.path.lexists(half) and os.path.samestat(os.fstat(handle), os.lstat(half))
    finally:
        os.close(handle)


def _remove(half: Path) -> None:
    if half.is_dir():
        shutil.rmtree(half, ignore_errors=True)
    else:
        half.unlink(missing_ok=True)


def _to_disk(place: Path, *, deep: bool = True) -> None:
    """Sync a file, or a folder with its content, to the disk. Raises OSError if the disk is full or broken."""
    if place.is_dir():
        for entry in os.scandir(place) if deep else ():
            if not entry.is_symlink():
                _to_disk(Path(entry.path))
        if fcntl is None:
            return  # Windows opens no folders
    handle = os.open(place, os.O_RDONLY if place.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # file systems without sync
            raise
    finally:
        os.close(handle)


def _stat(target: PathLike) -> os.stat_result | None:
    """Return the status of a file, following links; None if it does not exist. Raises InputError for other problems."""
    try:
        return os.stat(target)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unwritable("file", target, error) from None


def _takes_all(target: PathLike, status: os.stat_result) -> bool:
    """Return whether a target is a pipe, a terminal, a device, or a stream of this process, also if redirected."""
    stream = os.fspath(target).startswith(("/dev/", "/proc/self/fd/"))
    return not stat.S_ISDIR(status.st_mode) and (stream or not stat.S_ISREG(status.st_mode))


@contextmanager
def _naming(what: str, target: PathLike) -> Iterator[None]:
    """In this block, turn an OSError into an InputError that names the final file, not the unfinished one."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(what, target, error) from None


def _unwritable(what: str, target: PathLike, error: OSError) -> InputError:
    problem = f"cannot write the {what}: {error.strerror or error}"
    return InputError(problem, str(target))


def _files(place: PathLike) -> Iterator[os.stat_result]:
    """Yield the status of a file, or of a folder and all files below it."""
    with suppress(OSError):
        yield os.stat(place)
    for folder, _, names in os.walk(place):
        for name in names:
            with suppress(OSError):
                yield os.stat(os.path.join(folder, name))
