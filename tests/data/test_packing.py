"""An upload packed into one zip, a description written beside files: opened again they give the same."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.packing import zip_of

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
