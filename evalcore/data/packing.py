"""Packing an upload and its description into one zip, which can be opened again later."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from pathlib import PurePosixPath

from evalcore.data.collection_files import Files, from_place, named_files, run_files, texts_pattern
from evalcore.data.manifest import FILE_NAME, Manifest
from evalcore.data.sources import Source, from_bytes

_MADE = (1980, 1, 1, 0, 0, 0)  # so the same files give the same zip


def zip_of(files: Iterable[tuple[str, bytes]], manifest: str) -> bytes:
    """Return a zip of these files and this description, which `load` reads as `load_files` reads the files."""
    package = from_place(from_bytes(files), "", manifest, flat=True)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, source in _placed(package.manifest, package.files).items():
            _write(archive, name, source.raw())
        _write(archive, FILE_NAME, manifest.encode())
    return buffer.getvalue()


def _placed(manifest: Manifest, files: Files) -> dict[str, Source]:
    """Return a dict from new name to file, for each file except `collection.toml`.

    New names fit the description: they include the folders that uploaded files have lost.
    """
    names: dict[str, str] = {}
    runs = {source.name for source in run_files(manifest, files)}
    for patterns, only in ((named_files(manifest), None), (manifest.runs, runs), (texts_pattern(manifest), None)):
        for pattern in patterns:
            for name in (source.name for source in files.matching(pattern)):
                if name not in names and (only is None or name in only):
                    names[name] = _below(pattern, name.removeprefix(files.base))
    others = (source for source in files.sources if PurePosixPath(source.name).name != FILE_NAME)
    return {names.get(source.name, source.name.removeprefix(files.base)): source for source in others}


def _below(pattern: str, name: str) -> str:
    """Return a file name within the folder of a pattern, unless it has a folder already."""
    folder = PurePosixPath(pattern).parent.as_posix()
    if "/" in name or folder == ".":
        return name
    literal = re.sub(r"\[(.)\]", r"\1", folder)  # as glob.escape writes a literal character
    return f"{re.sub(r'[*?]', '_', literal)}/{name}"


def _write(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _MADE), content, zipfile.ZIP_DEFLATED, compresslevel=1)
