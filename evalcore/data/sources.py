"""Files, folders, archives and uploads as one thing: a name and its bytes, opened with care.

Compression is recognised by content, never by name. Archives are read in memory and never unpacked to disk.
"""

from __future__ import annotations

import bz2
import io
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from evalcore.errors import DataError

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

    def read(self) -> bytes:
        """The content, decompressed (gzip, bzip2). Raises DataError on a bomb or a damaged file."""
        data = self.raw()
        if len(data) > self.limits.file_bytes:
            raise DataError(f"expected at most {_size(self.limits.file_bytes)}, found {_size(len(data))}", self.name)
        if data[:2] == b"\x1f\x8b":
            return _decompress(data, lambda: zlib.decompressobj(wbits=31), self)
        if data[:3] == b"BZh":
            return _decompress(data, bz2.BZ2Decompressor, self)
        return data

    def head(self, size: int = 1 << 16) -> bytes:
        """The beginning of the content, decompressed; empty where that cannot be."""
        data = self.raw()
        try:
            if data[:2] == b"\x1f\x8b":
                return zlib.decompressobj(wbits=31).decompress(data, size)
            if data[:3] == b"BZh":
                return bz2.BZ2Decompressor().decompress(data, size)
        except (zlib.error, OSError):
            return b""
        return data[:size]

    @property
    def stem(self) -> str:
        """The label, else the file name without folders, compression and text endings: what a system is called.

        >>> Source("runs/CUNI_Run.1.txt.gz", bytes).stem
        'CUNI_Run.1'
        """
        if self.label:
            return self.label
        name = PurePosixPath(self.name.replace("\\", "/")).name
        for endings in (COMPRESSED_ENDINGS, TEXT_ENDINGS):
            for ending in endings:
                if name.lower().endswith(ending) and len(name) > len(ending):
                    name = name[: -len(ending)]
                    break
        return name


COMPRESSED_ENDINGS = (".gz", ".bz2", ".zip")
TEXT_ENDINGS = (".txt", ".run", ".trec", ".csv", ".tsv", ".parquet")


def from_path(path: str | Path) -> list[Source]:
    """All files below a folder, the members of a zip, or the one file; hidden files are left out. Sorted by name."""
    path = Path(path)
    if not path.exists():
        raise DataError("expected a folder, a zip or a file, found nothing at this path", str(path))
    if path.is_dir():
        return _from_folder(path)
    return from_bytes([(path.name, path.read_bytes())])


def from_bytes(files: Iterable[tuple[str, bytes]]) -> list[Source]:
    """Uploaded files; a zip among them stands for its members."""
    sources: list[Source] = []
    for name, data in files:
        if _is_zip(data):
            sources += _from_zip(name, data)
        else:
            sources.append(Source(name, _constant(data)))
    return sources


def _from_folder(folder: Path) -> list[Source]:
    inside = folder.resolve()
    sources: list[Source] = []
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in relative.parts)
        # A link must not lead out of the folder that was opened.
        if hidden or not path.is_file() or not path.resolve().is_relative_to(inside):
            continue
        if path.suffix.lower() == ".zip":
            sources += _from_zip(relative.as_posix(), path.read_bytes())
        else:
            sources.append(Source(relative.as_posix(), path.read_bytes))
    return sources


def _from_zip(name: str, data: bytes) -> list[Source]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = [member for member in archive.infolist() if not member.is_dir()]
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise DataError(f"expected a readable zip archive, found a damaged one ({error})", name) from None
    _check_archive(name, members)
    wanted = [member for member in members if not _clutter(member.filename)]
    return [_member(name, archive, member) for member in sorted(wanted, key=lambda member: member.filename)]


def _check_archive(name: str, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > LIMITS.archive_members:
        raise DataError(f"expected at most {LIMITS.archive_members:,} files in a zip, found {len(members):,}", name)
    total = sum(member.file_size for member in members)
    if total > LIMITS.archive_bytes:
        raise DataError(
            f"expected at most {_size(LIMITS.archive_bytes)} once unpacked, found {_size(total)} (a zip bomb?)", name
        )
    for member in members:
        parts = PurePosixPath(member.filename.replace("\\", "/")).parts
        if ".." in parts or member.filename.startswith(("/", "\\")) or ":" in member.filename[:2]:
            raise DataError(f"expected paths inside the archive, found {member.filename!r}, which leads out of it", name)
        if member.flag_bits & 1:
            raise DataError(f"expected a zip without a password, found {member.filename!r} encrypted", name)
        if member.filename.lower().endswith(".zip"):
            raise DataError(f"expected runs and assessments, found a zip in the zip: {member.filename!r}; unpack it", name)


def _clutter(member_name: str) -> bool:
    parts = PurePosixPath(member_name).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)


def _member(archive_name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Source:
    name = f"{archive_name}/{member.filename}"

    def raw() -> bytes:
        limit = _unpacked_limit(member.compress_size, LIMITS)
        try:
            with archive.open(member) as file:
                data = file.read(limit + 1)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError) as error:
            raise DataError(f"expected a readable file, found a damaged one ({error})", name) from None
        if len(data) > limit:
            raise DataError(_too_large(limit), name)
        if _is_zip(data):
            raise DataError("expected a run or assessments, found a zip in the zip; unpack it first", name)
        return data

    return Source(name, raw)


def _decompress(data: bytes, stream_type: Callable[[], Any], source: Source) -> bytes:
    """One or more compressed streams in a row, stopped as soon as the limit is passed."""
    limit = _unpacked_limit(len(data), source.limits)
    parts: list[bytes] = []
    while data[:3] == b"BZh" or data[:2] == b"\x1f\x8b":  # what follows the last stream is padding
        stream, room = stream_type(), limit - sum(map(len, parts)) + 1
        try:
            parts.append(stream.decompress(data, room))
        except (zlib.error, OSError) as error:
            raise DataError(f"expected a readable compressed file, found a damaged one ({error})", source.name) from None
        if len(parts[-1]) >= room:
            raise DataError(_too_large(limit), source.name)
        if not stream.eof:
            raise DataError("expected a whole compressed file, found one that breaks off", source.name)
        data = stream.unused_data
    return b"".join(parts)


def _unpacked_limit(compressed: int, limits: Limits) -> int:
    return min(limits.file_bytes, max(limits.ratio_from, limits.ratio * compressed))


def _too_large(limit: int) -> str:
    return f"expected at most {_size(limit)} once unpacked for a file of this size, found more (a compression bomb?)"


def _is_zip(data: bytes) -> bool:
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def _constant(data: bytes) -> Callable[[], bytes]:
    return lambda: data


def _size(count: int) -> str:
    return f"{count / MiB:,.0f} MiB" if count >= MiB else f"{count:,} bytes"
