"""A fingerprint depends on content alone: not on the place of the files, the way they came, or their order."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from data.forms import zipped

import evalcore as ec

FILES = {
    "qrels.txt": b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n",
    "qread.txt": b"1 0 d1 3\n1 0 d2 1\n",
    "fog.csv": b"docid,fog\nd1,9.5\n",
    "a.run": b"1 Q0 d2 1 3 x\n1 Q0 new 2 2 x\n1 Q0 d1 3 1 x\n2 Q0 d1 1 1 x\n",
    "b.run": b"2 Q0 new 1 1 y\n",
}
DECLARED = """
title = "{title}"
runs = "*.run"
{more}
[aspects.relevance]
file = "qrels.txt"
{relevance}
[aspects.understandability]
file = "qread.txt"
{understandability}
"""
WAYS = ("folder", "copy", "zip", "zip of a folder", "upload", "uploaded backwards", "uploaded zip")


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALCORE_CACHE", str(tmp_path / "kept"))


def opened(way: str, files: dict[str, bytes], place: Path) -> ec.Collection:
    """Open the same files, which came in one of several ways."""
    if way in ("folder", "copy"):
        folder = place / way
        folder.mkdir(parents=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        return ec.load(folder)
    if way == "upload":
        return ec.load_files(files.items())
    if way == "uploaded backwards":
        return ec.load_files(list(files.items())[::-1])
    archive = zipped(
        {f"some folder/{name}" if way == "zip of a folder" else name: data for name, data in files.items()}
    )
    if way == "uploaded zip":
        return ec.load_files([("mine.zip", archive)])
    place.mkdir(parents=True)
    (place / "any.zip").write_bytes(archive)
    return ec.load(place / "any.zip")


def declared(**settings: str) -> bytes:
    given = {"title": "One", "more": "", "relevance": "", "understandability": "", **settings}
    return DECLARED.format(**given).encode()


@pytest.mark.parametrize("files", [FILES, {**FILES, "collection.toml": declared()}], ids=["inferred", "declared"])
def test_it_is_the_same_however_the_files_come(files: dict[str, bytes], tmp_path: Path) -> None:
    found = {way: opened(way, files, tmp_path / way).fingerprint for way in WAYS}
    assert len(set(found.values())) == 1, found
    again = opened("copy", files, tmp_path / "again").fingerprint  # from the cache as well
    assert ec.load(tmp_path / "again" / "copy").fingerprint == again == found["folder"]


SETTINGS = {
    "order": {"more": 'order = "rank"'},
    "labels": {"more": 'labels = "by-document"'},
    "good end": {"understandability": 'good = "low"'},
    "scale": {"understandability": "grades = [0, 1, 2, 3, 4]"},
    "missing": {"understandability": "missing = [3]"},
    "gains": {"relevance": "gains = [0, 0.5, 1]\ngrades = [0, 1, 2]"},
    "threshold": {"relevance": "threshold = 2"},
}


def test_declarations_that_change_numbers_change_the_fingerprint(tmp_path: Path) -> None:
    texts = {"plain": declared(), **{name: declared(**settings) for name, settings in SETTINGS.items()}}
    found = {
        name: opened("upload", {**FILES, "collection.toml": text}, tmp_path).fingerprint for name, text in texts.items()
    }
    alike = [pair for pair in itertools.combinations(found, 2) if found[pair[0]] == found[pair[1]]]
    assert not alike


def test_a_title_and_a_description_do_not_count(tmp_path: Path) -> None:
    texts = [declared(), declared(title="Two"), declared(more='description = "some words"')]
    found = [opened("upload", {**FILES, "collection.toml": text}, tmp_path).fingerprint for text in texts]
    assert len(set(found)) == 1


def test_swapping_the_runs_of_systems_changes_the_fingerprint(tmp_path: Path) -> None:
    swapped = {**FILES, "a.run": FILES["b.run"], "b.run": FILES["a.run"]}
    assert opened("upload", swapped, tmp_path).fingerprint != opened("upload", FILES, tmp_path).fingerprint
