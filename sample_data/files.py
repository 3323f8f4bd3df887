"""Writing of the files of a sample collection: equal contents give equal bytes."""

from __future__ import annotations

import gzip
import io
from collections.abc import Mapping
from pathlib import Path


def write_all(folder: Path, contents: Mapping[str, str]) -> None:
    """Write contents to paths inside the folder; files that end in .gz are compressed."""
    for path, content in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(zipped(content) if path.endswith(".gz") else content.encode())


def zipped(content: str) -> bytes:
    """Return content compressed with gzip, without a time or a file name."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, compresslevel=9, mtime=0) as file:
        file.write(content.encode())
    return buffer.getvalue()
