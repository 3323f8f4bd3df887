"""Collections of a few lines, written to a folder and uploaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import evalcore as ec

Files = Mapping[str, bytes]


@pytest.fixture
def folder_of(tmp_path: Path) -> Callable[[Files], Path]:
    """A function that writes files, by their names, into a folder."""

    def write(files: Files) -> Path:
        folder = tmp_path / "collection"
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder

    return write


@pytest.fixture
def refusal(folder_of: Callable[[Files], Path]) -> Callable[[Files], str]:
    """A function that says why files cannot be loaded: as a folder and as an upload, for the same reason."""

    def reason(files: Files) -> str:
        with pytest.raises(ec.InputError) as of_folder:
            ec.load(folder_of(files))
        with pytest.raises(ec.InputError) as of_upload:
            ec.load_files(sorted(files.items()))
        assert str(of_folder.value) == str(of_upload.value)
        return str(of_folder.value)

    return reason
