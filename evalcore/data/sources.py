"""Files, folders, archives and uploads as one thing: a name and its bytes, opened with care.

Compression is recognised by content, never by name. Archives are read in memory and never unpacked to disk.
"""

from __future__ import annotations

import bz2
import functools
import gzip
import hashlib
import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from evalcore.errors import DataError, readable

MiB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """How much a file may hold once decompressed; what is larger is refused, not truncated."""

    file_bytes: int = 2048 * MiB - 64
    archive_bytes: int = 8192 * MiB
    archive_members: int = 20_000
    ratio: int = 250  # decompressed : compressed; TREC runs reach about 15
    ratio_from: int = 64 * MiB  # small files may compress as well as they like


LIMITS = Limits()


@dataclass(frozen=True)
class Source:
    """A named piece of input; `raw` gives its bytes as stored, `read` gives them decompressed."""

    name: str
    raw: Callable[[], bytes]
    label: str = ""  # what a system read from it is called, where that is not the file name
    limits: Limits = LIMITS
    peek: Callable[[int], bytes] | None = None  # the first bytes, where that is less work than all of them
    of_archive: Callable[[], bytes] | None = None  # a digest of the zip it is in, which need not be unpacked for it
    said: tuple[str, ...] = ()  # of a run that was another file before: what a report says of that

    @functools.cached_property
    def digest(self) -> bytes:
        """A digest of the content."""
        return hashlib.sha256(self.raw()).digest()

    def read(self) -> bytes:
        """The content, decompressed (gzip, bzip2). Raises DataError on a bomb or a damaged file."""
        data = self.raw()
        if len(data) > self.limits.file_bytes:
            raise DataError(_too_large_file(len(data), self.limits), self.name)
        if not _is_compressed(data):
            return data
        limit = _unpacked_limit(len(data), self.limits)
        content = _decompressed(data, limit + 1, self.name)
        if len(content) > limit:
            raise DataError(_too_large(limit), self.name)
        return content

    def head(self, size: int = 1 << 16) -> bytes:
        """The beginning of the content, decompressed. Raises DataError on a damaged file."""
        data = self.peek(size) if self.peek else self.raw()
        try:
            if data[:2] == b"\x1f\x8b":
                return zlib.decompressobj(wbits=31).decompress(data, size)
            return bz2.BZ2Decompressor().decompress(data, size) if data[:3] == b"BZh" else data[:size]
        except (zlib.error, OSError) as error:
            raise DataError(_damaged("compressed file", error), self.name) from None

    @property
    def stem(self) -> str:
        """The label, else the file name without folders, compression and text endings: what a system is called.

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


COMPRESSED_ENDINGS = (".gz", ".bz2", ".zip")
TEXT_ENDINGS = (".txt", ".run", ".trec", ".csv", ".tsv", ".parquet", ".xml", ".json", ".jsonl")


def from_path(path: str | Path) -> list[Source]:
    """All files below a folder, the members of a zip, or the one file; hidden files are left out. Sorted by name.

    Raises DataError for a path that is not there or cannot be read, and for a link that leads out of the folder.
    """
    path = Path(path)
    try:
        if path.is_dir():
            return _from_folder(path)
        if path.exists():
            return _from_file(path, readable(path.name))
    except (OSError, ValueError) as error:
        raise error if isinstance(error, DataError) else _unreadable(error, str(path)) from None
    raise DataError("expected a folder, a zip or a file, found nothing at this path", str(path))


def from_bytes(files: Iterable[tuple[str, bytes]]) -> list[Source]:
    """Uploaded files; a zip among them stands for its members. Raises DataError for too many or too much."""
    files, sources = list(files), []
    total = sum(len(data) for _, data in files)
    if len(files) > LIMITS.archive_members:
        raise DataError(f"expected at most {LIMITS.archive_members:,} files at once, found {len(files):,}")
    if total > LIMITS.archive_bytes:
        raise DataError(f"expected at most {_size(LIMITS.archive_bytes)} at once, found {_size(total)}")
    for name, data in files:
        sources += _from_zip(name, data) if _is_zip(data) else [Source(name, _constant(data))]
    return sources


def _from_folder(folder: Path) -> list[Source]:
    sources: list[Source] = []
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if any(part.startswith(".") for part in relative.parts):
            continue
        _refuse_escape(path, relative, folder)
        if path.is_file():
            sources += _from_file(path, readable(relative.as_posix()))
    return sources


def _from_file(path: Path, name: str) -> list[Source]:
    def raw() -> bytes:
        try:
            size = path.stat().st_size
            if size > LIMITS.file_bytes:
                raise DataError(_too_large_file(size, LIMITS), name)
            return path.read_bytes()
        except OSError as error:
            raise _unreadable(error, name) from None

    def peek(size: int) -> bytes:
        try:
            with path.open("rb") as file:
                return file.read(size)
        except OSError as error:
            raise _unreadable(error, name) from None

    is_zip = _is_zip(peek(4)) or path.suffix.lower() == ".zip"
    return _from_zip(name, raw()) if is_zip else [Source(name, raw, peek=peek)]


def _refuse_escape(path: Path, relative: Path, folder: Path) -> None:
    """A link must lead to something inside the folder that was opened."""
    if path.is_symlink():
        target = os.path.realpath(path)
        if not Path(target).is_relative_to(folder.resolve()):
            problem = f"expected files inside the folder, found a link that leads out of it, to {target}"
            raise DataError(f"{problem}: copy the file instead", relative.as_posix())
        if not os.path.exists(target):
            raise DataError(f"expected a file, found a link to nothing: {target}", relative.as_posix())


def _from_zip(name: str, data: bytes) -> list[Source]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = [member for member in archive.infolist() if not member.filename.endswith("/")]
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise DataError(_damaged("zip archive", error), name) from None
    _check_archive(name, members)
    wanted = [member for member in members if not _clutter(member.filename)]
    members = sorted(wanted, key=lambda member: member.filename)
    digest = functools.cache(lambda: hashlib.sha256(data).digest())
    return [replace(_member(name, archive, member), of_archive=digest) for member in members]


def _check_archive(name: str, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > LIMITS.archive_members:
        found = f"found {len(members):,}"
        raise DataError(f"expected at most {LIMITS.archive_members:,} files in a zip, {found}", name)
    total = sum(member.file_size for member in members)
    if total > LIMITS.archive_bytes:
        found = f"found {_size(total)} (a zip bomb?)"
        raise DataError(f"expected at most {_size(LIMITS.archive_bytes)} once unpacked, {found}", name)
    for member in members:
        _check_member(name, member)


def _check_member(name: str, member: zipfile.ZipInfo) -> None:
    found = member.filename
    parts = PurePosixPath(found.replace("\\", "/")).parts
    if not found:
        raise DataError("expected a name for each file in a zip, found none", name)
    if ".." in parts or found.startswith(("/", "\\")) or ":" in found[:2]:
        raise DataError(f"expected paths inside the archive, found {found!r}, which leads out of it", name)
    if member.flag_bits & 1:
        raise DataError(f"expected a zip without a password, found {found!r} encrypted", name)
    if found.lower().endswith(".zip"):
        raise DataError(f"expected runs and assessments, found a zip in the zip: {found!r}; unpack it", name)


def _clutter(member_name: str) -> bool:
    parts = PurePosixPath(member_name).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)


_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, NotImplementedError, ValueError)


def _member(archive_name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Source:
    inside = member.filename.replace("\\", "/")  # which some zips of Windows have in place of /
    name = f"{archive_name}/{inside}"

    def peek(size: int) -> bytes:
        try:
            with archive.open(member) as file:
                data = file.read(size)
        except _ZIP_ERRORS as error:
            raise DataError(_damaged("file", error), name) from None
        if _is_zip(data):
            raise DataError("expected a run or assessments, found a zip in the zip; unpack it first", name)
        return data

    def raw() -> bytes:
        limit = _unpacked_limit(member.compress_size, LIMITS)
        data = peek(limit + 1)
        if len(data) > limit:
            raise DataError(_too_large(limit), name)
        return data

    return Source(name, raw, peek=peek)


def _decompressed(data: bytes, most: int, name: str) -> bytes:
    """The first `most` bytes that compressed data hold, in one stream or several in a row."""
    try:
        if data[:2] == b"\x1f\x8b":  # at once, which is faster, where there is only one stream
            whole = zlib.decompressobj(wbits=31)
            content = whole.decompress(data, most)
            if (whole.eof and not whole.unused_data) or len(content) >= most:
                return content
        with _stream(data) as file:
            return file.read(most)
    except EOFError:
        raise DataError("expected a whole compressed file, found one that breaks off", name) from None
    except (zlib.error, OSError) as error:
        raise DataError(_damaged("compressed file", error), name) from None


def _stream(data: bytes) -> bz2.BZ2File | gzip.GzipFile:
    return bz2.BZ2File(io.BytesIO(data)) if data[:3] == b"BZh" else gzip.GzipFile(fileobj=io.BytesIO(data))


def _is_compressed(data: bytes) -> bool:
    return data[:2] == b"\x1f\x8b" or data[:3] == b"BZh"


def _is_zip(data: bytes) -> bool:
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def _unpacked_limit(compressed: int, limits: Limits) -> int:
    return min(limits.file_bytes, max(limits.ratio_from, limits.ratio * compressed))


def _too_large(limit: int) -> str:
    return f"expected at most {_size(limit)} once unpacked for a file of this size, found more (a compression bomb?)"


def _too_large_file(size: int, limits: Limits) -> str:
    return f"expected at most {_size(limits.file_bytes)}, found {_size(size)}"


def _damaged(what: str, error: Exception) -> str:
    return f"expected a readable {what}, found a damaged one ({error})"


def _unreadable(error: Exception, name: str) -> DataError:
    reason = getattr(error, "strerror", None) or str(error)
    return DataError(f"expected a file that can be read, found: {reason}", name)


def _constant(data: bytes) -> Callable[[], bytes]:
    return lambda: data


def _size(count: int) -> str:
    return f"{count / MiB:,.0f} MiB" if count >= MiB else f"{count:,} bytes"
