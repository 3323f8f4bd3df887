"""An upload packed into one zip, a description written beside files: opened again they give the same."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.packing import save_manifest, zip_of

RUN = b"1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n1 Q0 c 3 1 r\n"
QRELS = b"1 0 a 0\n1 0 b 2\n1 0 c 1\n"
FLAT = [("one.run", RUN), ("two.run", RUN[::-1].strip()[::-1] + b"\n"), ("qrels.txt", QRELS)]
IN_FOLDERS = """
runs = ["runs/*.run"]
[aspects.relevance]
file = "labels/qrels.txt"
grades = [0, 1, 2]
[documents]
folder = "texts"
signals = ["fog"]
"""
UPLOADS = {
    "inferred": FLAT,
    "declared in folders that the upload has lost": [
        *FLAT,
        ("collection.toml", IN_FOLDERS.encode()),
        *((f"{document}.txt", b"A plain text of one sentence.") for document in "abc"),
    ],
}


def again(files: list[tuple[str, bytes]], folder: Path, manifest: str | None = None) -> tuple[pd.DataFrame, ...]:
    """nDCG of the files, and of the zip of them."""
    collection = ec.load_files(files, manifest=manifest)
    (folder / "your-files.zip").write_bytes(zip_of(files, collection.manifest))
    packed = ec.load(folder / "your-files.zip", use_cache=False)
    assert packed.manifest == collection.manifest
    assert (packed.aspects, packed.signals) == (collection.aspects, collection.signals)
    return ec.evaluate("nDCG", collection), ec.evaluate("nDCG", packed)


@pytest.mark.parametrize("kind", UPLOADS)
def test_a_zip_of_an_upload_gives_the_same_scores(kind: str, tmp_path: Path):
    uploaded, packed = again(UPLOADS[kind], tmp_path)
    pd.testing.assert_frame_equal(uploaded, packed)


def test_a_zip_of_an_uploaded_zip(tmp_path: Path):
    inner = zip_of(FLAT, ec.load_files(FLAT).manifest)
    uploaded, packed = again([("mine.zip", inner)], tmp_path)
    pd.testing.assert_frame_equal(uploaded, packed)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FLAT:
        (tmp_path / name).write_bytes(content)
    return tmp_path


def corrected(folder: Path) -> str:
    return ec.load(folder, use_cache=False).manifest + "\n# corrected\n"


def test_a_description_is_saved_beside_the_files(folder: Path):
    assert save_manifest(folder, corrected(folder)) is None
    assert (folder / "collection.toml").read_text().endswith("# corrected\n")
    assert len(ec.load(folder, use_cache=False).systems) == 2


def test_what_it_replaces_is_kept_each_time(folder: Path):
    manifest = corrected(folder)
    for text in ("# 1\n", "# 2\n", "# 3\n"):
        save_manifest(folder, manifest + text)
    assert (folder / "collection.toml.bak").read_text() == f"{manifest}# 1\n"
    assert (folder / "collection.toml.bak2").read_text() == f"{manifest}# 2\n"


def test_what_was_replaced_is_no_run(folder: Path):
    everything = 'runs = ["*"]\n[aspects.relevance]\nfile = "qrels.txt"\n'
    save_manifest(folder, everything)
    save_manifest(folder, everything)
    assert ec.load(folder, use_cache=False).systems == ("one", "two")


def test_it_replaces_the_one_there_is_in_a_folder_below(tmp_path: Path):
    below = tmp_path / "below"
    below.mkdir()
    for name, content in FLAT:
        (below / name).write_bytes(content)
    (below / "collection.toml").write_text(ec.load(below, use_cache=False).manifest)
    assert save_manifest(tmp_path, ec.load(tmp_path, use_cache=False).manifest) == below / "collection.toml.bak"
    assert not (tmp_path / "collection.toml").exists()


def test_a_mistake_changes_nothing(folder: Path):
    before = sorted(folder.iterdir())
    with pytest.raises(ec.InputError, match="expected TOML"):
        save_manifest(folder, "runs = ")
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC])
def test_a_description_that_cannot_be_written_leaves_the_folder_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
):
    save_manifest(folder, corrected(folder))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def refused(*args: object, **options: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(ec.InputError, match=f"expected a file that can be written, found: {os.strerror(number)}"):
        save_manifest(folder, corrected(folder))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
