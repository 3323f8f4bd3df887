"""Files, folders, archives and uploads in one form: a name and its bytes, opened with care.

Compression is recognised by content, never by name. Archives are read in memory and never unpacked to disk.
"""

from __future__ import annotations

import codecs
import functools
import hashlib
import io
import os
import stat
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from evalcore.common.cached import cached_property
from evalcore.common.lazy_imports import lzma, pa, zipfile
from evalcore.common.progress import checkpoint
from evalcore.errors import InputError, readable
from evalcore.limits import MiB, most

RATIO_FROM = 64 * MiB  # up to which any file may be unpacked: TREC runs reach a ratio of about 15


@dataclass(frozen=True)
class Source:
    """A named piece of input; `raw` gives its bytes as stored, `read` gives them decompressed."""

    name: str
    raw: Callable[[], bytes]
    label: str = ""  # name of the system read from it, if not the file name
    peek: Callable[[int], bytes] | None = None  # the first bytes, if they can be read without the rest
    of_archive: Callable[[], bytes] | None = None  # a digest of the zip that holds it, without unpacking
    remarks: tuple[str, ...] = ()  # for the report, on a run that was made from other files
    size: int = 0  # bytes as stored, for the progress; 0 if unknown
    columns: tuple[str, ...] = ()  # roles of its columns, if they are declared (`declared_columns`)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the present content, so that another process can read it."""
        return _holding, (self.name, self.raw(), self.label, self.remarks, self.columns)

    @cached_property
    def digest(self) -> bytes:
        """A digest of the stored bytes; after `read`, a digest of the bytes that were read."""
        return hashlib.sha256(self.raw()).digest()

    def read(self) -> bytes:
        """Return the content, decompressed (gzip, bzip2, Zstandard). UTF-16 with a byte order mark becomes UTF-8.

        Raises InputError for a compression bomb, for a damaged file, and for a file that has changed since its digest
        was taken. So the content that is parsed always matches the digest.
        """
        checkpoint()
        data = self._digested()
        checkpoint()
        if len(data) > most("file_bytes"):
            raise InputError(_too_large_file(len(data)), self.name)
        if (codec := _codec(data)) is None:
            return _as_utf8(data)
        limit = unpacked_limit(len(data))
        content = _unpacked(data, codec, limit + 1, self.name)
        if len(content) > limit:
            raise InputError(_too_large(limit), self.name)
        return _as_utf8(content)

    def head(self, size: int = 1 << 16) -> bytes:
        """Return the first `size` bytes of the content, decompressed. Raises InputError for a damaged file."""
        checkpoint()
        peek = self.peek or (lambda count: self.raw()[:count])
        data = peek(max(size, _MAGIC))
        if (codec := _codec(data)) is None:
            return _as_utf8(data[:size], whole=False)
        begun = peek(size + (_GZIP_HEADER if codec == "gzip" else _BLOCK))
        if codec == "gzip":  # Arrow would unpack a whole megabyte
            with suppress(zlib.error):
                content = zlib.decompressobj(31).decompress(begun, size)
                if len(content) == size:
                    return _as_utf8(content, whole=False)
        content = _unpacked(begun, codec, size, self.name, whole=False)
        return _as_utf8(content, whole=False)

    def _digested(self) -> bytes:
        """Return the bytes as stored, after recording their digest.

        Raises InputError if an earlier digest is different.
        """
        data = self.raw()
        digest = hashlib.sha256(data).digest()
        if self.__dict__.setdefault("digest", digest) != digest:  # where `cached_property` keeps it
            problem = "expected a file that does not change while it is read, found changes: try again"
            raise InputError(problem, self.name)
        return data

    @property
    def stem(self) -> str:
        """The name of the system: the label, else the file name without folders and endings such as .gz and .txt.

        >>> Source("runs/CUNI_Run.1.txt.gz", bytes).stem
        'CUNI_Run.1'
        """
        if self.label:
            return self.label
        name = PurePosixPath(self.name).name
        for endings in (COMPRESSED_ENDINGS, TEXT_ENDINGS):
            for ending in endings:
                if name.lower().endswith(ending) and len(name) > len(ending):
                    name = name[: -len(ending)]
                    break
        return name


_CODECS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}  # by the first bytes of a file
_MAGIC = max(map(len, _CODECS))
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_FILE, _END, _END_SIZE = b"PK\x03\x04", b"PK\x05\x06", 22  # in a zip: before each file, after its directory
_GZIP_HEADER, _BLOCK = 1 << 16, 1 << 20  # bytes before there is any content
_PIECE = 1 << 16  # bytes decompressed at a time
COMPRESSED_ENDINGS = (".gz", ".bz2", ".zip", ".zst")
OFFICE_ENDINGS = (".xlsx", ".xlsm", ".ods", ".odt", ".docx", ".pptx")  # zips whose members cannot be read as data
TEXT_ENDINGS = (".txt", ".run", ".res", ".trec", ".csv", ".tsv", ".parquet", ".xml", ".json", ".jsonl")


def from_path(path: str | Path) -> list[Source]:
    """Return all files below a folder, the members of a zip, or the one file, sorted by name.

    Hidden files and folders, such as .DS_Store, are left out. Raises InputError for a path that does not exist or
    cannot be read, for anything that is not a file (a pipe, a device, a socket), and for a link that leads out of the
    folder.
    """
    return [source for name, file, about in _files(Path(path)) for source in _from_file(file, name, about.st_size)]


def from_paths(paths: str | Path | Iterable[str | Path]) -> list[Source]:
    """Return the files at one path or at several, as `from_path` does."""
    listed = [paths] if isinstance(paths, str | Path) else paths
    return [source for path in listed for source in from_path(path)]


def is_hidden(name: str) -> bool:
    """Return true if a file, or a folder that it is in, is hidden or was added to an archive by macOS.

    >>> [is_hidden(name) for name in (".DS_Store", "__MACOSX/runs/._a.run", "runs/a.run")]
    [True, True, False]
    """
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)


Stamps = tuple[tuple[str, int, int, int], ...]


def stamps(path: str | Path) -> Stamps:
    """Return the name, size, time and inode of every file that `from_path` opens; they differ once a file has changed.

    Raises InputError as `from_path` does.
    """
    return tuple((name, about.st_size, about.st_mtime_ns, about.st_ino) for name, _, about in _files(Path(path)))


def read_file(path: str | Path, name: str = "", size: int = -1) -> bytes:
    """Return the content of a file, or its first `size` bytes; `name` is its name in errors.

    Raises InputError for a file that cannot be read or is too large, and at once for a pipe, a device or a socket.
    """
    name = name or str(path)
    try:
        refuse_special(os.stat(path), name)
        with open(path, "rb", opener=_without_waiting) as file:
            about = os.fstat(file.fileno())
            refuse_special(about, name)  # again, as it may have been put there since the first check
            if size < 0 and about.st_size > most("file_bytes"):
                raise InputError(_too_large_file(about.st_size), name)
            return file.read(size)
    except OSError as error:
        raise _unreadable(error, name) from None


def refuse_special(about: os.stat_result, name: str) -> None:
    """Raise InputError for pipes, devices and the like, which might never end or never begin."""
    kind = _SPECIAL.get(stat.S_IFMT(about.st_mode))
    if kind:
        raise InputError(f"expected a file, found {kind}", name)


def from_bytes(files: Iterable[tuple[str, bytes]]) -> list[Source]:
    """Return uploaded files, with each zip replaced by its members; hidden files are left out.

    Raises InputError if there are too many files, or if they are too large.
    """
    files, sources = list(files), []
    total = sum(len(data) for _, data in files)
    if len(files) > most("archive_members"):
        raise InputError(f"expected at most {most('archive_members'):,} files at once, found {len(files):,}")
    if total > most("archive_bytes"):
        raise InputError(f"expected at most {_size(most('archive_bytes'))} at once, found {_size(total)}")
    for name, data in files:
        if _is_zip(data) and not name.lower().endswith(OFFICE_ENDINGS):
            sources += _from_zip(name, data)
        elif not is_hidden(name):
            sources.append(Source(name, _constant(data), size=len(data)))
    return sources


_SPECIAL = {
    stat.S_IFIFO: "a named pipe (FIFO)",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def _without_waiting(path: str, flags: int) -> int:
    """Open a file and return its descriptor, without waiting for a pipe that nobody writes to."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


_Listed = tuple[str, str, os.stat_result]  # name, path, and result of os.stat


def _files(path: Path) -> list[_Listed]:
    """List the files below a folder, or only the file at this path."""
    try:
        if path.is_dir():
            return _below(path)
        if path.exists():
            return [(readable(path.name), str(path), path.stat())]
    except (OSError, ValueError) as error:
        raise error if isinstance(error, InputError) else _unreadable(error, str(path)) from None
    raise InputError("expected a folder, a zip or a file, found nothing at this path", str(path))


def _below(folder: Path) -> list[_Listed]:
    """List all files below a folder, except hidden ones, by their paths relative to the folder.

    Raises InputError for a folder that cannot be read.
    """
    files: list[_Listed] = []
    folders = [(str(folder), "")]
    while folders:
        place, name = folders.pop()
        for entry in _listed(place, name or place):
            inner = readable(f"{name}/{entry.name}".removeprefix("/"))
            if is_hidden(entry.name):
                continue
            if entry.is_symlink():
                _refuse_escape(entry.path, inner, folder)
            if entry.is_dir(follow_symlinks=False):
                folders.append((entry.path, inner))
            elif not entry.is_dir():  # a link to a folder below: its files are read where they are
                refuse_special(about := entry.stat(), inner)
                files.append((inner, entry.path, about))
    return sorted(files, key=lambda entry: entry[0].split("/"))


def _listed(place: str, name: str) -> list[os.DirEntry[str]]:
    """Return the entries of a folder. Raises InputError if it cannot be read."""
    try:
        with os.scandir(place) as entries:
            return list(entries)
    except OSError as error:
        raise _unreadable(error, name, "the folder") from None


def _from_file(path: str, name: str, stored: int) -> list[Source]:
    read = functools.partial(read_file, path, name)
    is_zip = _is_zip(read(4)) or path.lower().endswith(".zip")
    if is_zip and not path.lower().endswith(OFFICE_ENDINGS):
        return _from_zip(name, read())
    return [Source(name, read, peek=read, size=stored)]


def _refuse_escape(link: str, name: str, folder: Path) -> None:
    """Raise InputError for a link that leads out of the folder that was opened, or to nothing."""
    target = os.path.realpath(link)
    if not Path(target).is_relative_to(folder.resolve()):
        problem = f"expected files inside the folder, found a link that leads out of it, to {target}"
        raise InputError(f"{problem}: copy the file instead", name)
    if not os.path.exists(target):
        raise InputError(f"expected a file, found a link to nothing: {target}", name)


def _from_zip(name: str, data: bytes) -> list[Source]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        listed = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise InputError(_damaged("zip archive", error), name) from None
    members = [member for member in listed if not member.filename.endswith("/")]
    _check_archive(name, members)
    wanted = [member for member in members if not is_hidden(member.filename)]
    passed_over = [entry for entry in listed if entry.filename.endswith("/") or is_hidden(entry.filename)]
    _refuse_gaps(name, data, archive, passed_over)
    digest = functools.cache(lambda: hashlib.sha256(data).digest())
    wanted = sorted(wanted, key=lambda member: member.filename)
    return [replace(_member(name, archive, member), of_archive=digest) for member in wanted]


def _check_archive(name: str, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > most("archive_members"):
        raise InputError(f"expected at most {most('archive_members'):,} files in a zip, found {len(members):,}", name)
    total = sum(member.file_size for member in members)
    if total > most("archive_bytes"):
        found = f"found {_size(total)} (a zip bomb?)"
        raise InputError(f"expected at most {_size(most('archive_bytes'))} once unpacked, {found}", name)
    for member in members:
        _check_path(name, member.filename)
        if member.flag_bits & 1:
            raise InputError(f"expected a zip without a password, found {member.filename!r} encrypted", name)


def _refuse_gaps(name: str, data: bytes, archive: zipfile.ZipFile, passed_over: list[zipfile.ZipInfo]) -> None:
    """Raise InputError if the directory of a zip does not list all contents, so that nothing is lost silently."""
    listed = archive.infolist()
    first = min((member.header_offset for member in listed), default=0)
    if first != 0:
        problem = f"expected the first file of a zip at byte 0, found it at byte {first:,}"
        raise InputError(f"{problem}: the zip is damaged, or two archives were joined", name)
    end = len(data) - _END_SIZE if data[-_END_SIZE:].startswith(_END) else data.rfind(_END)
    count = int.from_bytes(data[end + 10 : end + 12], "little")
    if count not in (len(listed), 0xFFFF) or bool(listed) != data.startswith(_FILE):  # 0xFFFF: too many for this field
        problem = f"found {len(listed):,} listed, though it states {count:,}"
        raise InputError(f"expected a zip whose directory lists all its files, {problem}: the zip is damaged", name)
    for member in listed:
        if not _same_sum(data, member):
            raise InputError(_damaged("zip archive", ValueError(f"two checksums for {member.filename!r}")), name)
    for member in passed_over:  # a damaged name may look like one that is not to be read
        try:
            with suppress(NotImplementedError, RuntimeError, ValueError):
                archive.open(member).close()  # compares it with the name before the content
        except (zipfile.BadZipFile, OSError) as error:
            raise InputError(_damaged("zip archive", error), name) from None


def _same_sum(data: bytes, member: zipfile.ZipInfo) -> bool:
    """Return true if the checksum before a file in a zip is missing, or equal to the one in the zip's directory."""
    at = member.header_offset
    streamed = int.from_bytes(data[at + 6 : at + 8], "little") & 8
    return bool(streamed) or int.from_bytes(data[at + 14 : at + 18], "little") == member.CRC


def _check_path(name: str, found: str) -> None:
    """Raise InputError if the name of a file in an archive is empty, leads out of the archive, or ends in .zip."""
    parts = PurePosixPath(found.replace("\\", "/")).parts
    if not found:
        raise InputError("expected a name for each file in a zip, found none", name)
    if ".." in parts or found.startswith(("/", "\\")) or ":" in found[:2]:
        raise InputError(f"expected paths inside the archive, found {found!r}, which leads out of it", name)
    if found.lower().endswith(".zip") and not is_hidden(found):
        raise InputError(f"expected runs and assessments, found a zip in the zip: {found!r}; unpack it", name)


def _member(archive_name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Source:
    inside = member.filename.replace("\\", "/")  # some zips from Windows have \ in place of /
    name = f"{archive_name}/{inside}"

    def peek(size: int) -> bytes:
        try:
            with archive.open(member) as file:
                data = file.read(size)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, RuntimeError) as error:
            raise InputError(_damaged("file", error), name) from None
        if _is_zip(data) and not inside.lower().endswith(OFFICE_ENDINGS):
            raise InputError("expected a run or assessments, found a zip in the zip; unpack it first", name)
        return data

    def raw() -> bytes:
        limit = unpacked_limit(member.compress_size)
        data = peek(limit + 1)
        if len(data) > limit:
            raise InputError(_too_large(limit), name)
        return data

    return Source(name, raw, peek=peek, size=member.compress_size)


def _as_utf8(data: bytes, whole: bool = True) -> bytes:
    """Convert data in UTF-16 with a byte order mark (spreadsheets save these) to UTF-8; return other data as they are.

    XML is not converted, as it names its own encoding.
    """
    if data[:2] not in _UTF16:
        return data
    try:
        text = (data if whole else data[: len(data) // 2 * 2]).decode("utf-16", "strict" if whole else "ignore")
    except UnicodeError:
        return data
    return data if text.lstrip().startswith("<") else text.encode()


def _codec(data: bytes) -> str | None:
    """Name the format in which data are compressed; None for other data."""
    return next((codec for magic, codec in _CODECS.items() if data.startswith(magic)), None)


def _unpacked(data: bytes, codec: str, count: int, name: str, *, whole: bool = True) -> bytes:
    """Return the first `count` bytes of compressed data, which may be several streams in a row.

    Raises InputError for a stream that is damaged or breaks off, and for anything else after the last stream. If
    `whole` is false, the bytes before such a problem are returned instead, unless there are none.
    """
    parts: list[bytes] = []
    try:
        stream = pa.CompressedInputStream(pa.BufferReader(data), codec)
        while count > 0 and (part := stream.read(min(count, _PIECE))):
            checkpoint()
            parts.append(part)
            count -= len(part)
    except (OSError, pa.ArrowException) as error:
        if whole or not parts:
            raise InputError(_damaged("compressed file", error), name) from None
    return b"".join(parts)


def _is_zip(data: bytes) -> bool:
    return data[:4] in (_FILE, _END)


def unpacked_limit(compressed: int) -> int:
    """Return the maximum number of bytes that compressed data of this size may expand to."""
    return min(most("file_bytes"), max(RATIO_FROM, most("ratio") * compressed))


def _too_large(limit: int) -> str:
    return f"expected at most {_size(limit)} once unpacked for a file of this size, found more (a compression bomb?)"


def _too_large_file(size: int) -> str:
    return f"expected at most {_size(most('file_bytes'))}, found {_size(size)}"


def _damaged(what: str, error: Exception) -> str:
    return f"expected a readable {what}, found a damaged one ({error})"


def _unreadable(error: Exception, name: str, what: str = "the file") -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"cannot read {what}: {reason}", name)


def _constant(data: bytes) -> Callable[[], bytes]:
    return lambda: data


def _holding(name: str, data: bytes, label: str, remarks: tuple[str, ...], columns: tuple[str, ...]) -> Source:
    return Source(name, _constant(data), label, remarks=remarks, size=len(data), columns=columns)


def _size(count: int) -> str:
    return f"{count / MiB:,.0f} MiB" if count >= MiB else f"{count:,} bytes"
