"""Loaded collections on disk: the same when they come back, never stale, never in the way."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.data import cache

FILES = {
    "qrels.txt": b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n",
    "qread.txt": b"1 0 d1 3\n",
    "fog.csv": b"docid,fog\nd1,9.5\n",
    "topics.tsv": b"1\tis asthma dangerous\n",
    "documents/d1.txt": b"Asthma is rarely dangerous.\n",
    "runs/a.run": b"1 Q0 d2 1 3 x\n1 Q0 new 2 2 x\n1 Q0 d1 3 1 x\n2 Q0 d1 1 1 x\n",
    "runs/b.run": b"2 Q0 new 1 1 y\n",
}


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "kept"
    monkeypatch.setenv("EVALCORE_CACHE", str(folder))
    return folder


def assert_equal(one: ec.Collection, other: ec.Collection) -> None:
    for name in ("title", "description", "manifest", "fingerprint", "topics", "systems", "texts", "queries"):
        assert getattr(one, name) == getattr(other, name), name
    assert dict(one.assessments.scales) == dict(other.assessments.scales)
    pd.testing.assert_frame_equal(one.assessments.frame(), other.assessments.frame())
    for name in ("indptr", "rank", "row", "length"):
        before, after = getattr(one.rankings, name), getattr(other.rankings, name)
        np.testing.assert_array_equal(before, after)
        assert before.dtype == after.dtype, name
    assert one.report.notes == other.report.notes
    pd.testing.assert_frame_equal(one.report.systems, other.report.systems)
    pd.testing.assert_frame_equal(one.report.columns, other.report.columns)


def test_what_is_kept_comes_back(folder_of):
    folder = folder_of(FILES)
    first, again = ec.load(folder), ec.load(folder)
    assert (first.report.from_cache, again.report.from_cache) == (False, True)
    assert all([first.texts, first.queries, first.signals])
    assert_equal(first, again)


def test_scores_are_the_same(folder_of):
    folder = folder_of(FILES)
    one, other = (ec.evaluate("RBP(rho=0.8)", ec.load(folder)) for _ in range(2))
    pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize("name", FILES)
def test_a_changed_byte_is_another_collection(name, folder_of):
    before = ec.load(folder_of(FILES))
    after = ec.load(folder_of({**FILES, name: FILES[name] + b"\n"}))
    assert before.fingerprint != after.fingerprint
    assert not after.report.from_cache


def test_settings_and_names_make_another_collection(folder_of):
    folder = folder_of(FILES)
    settings = [{}, {"order": "rank"}, {"labels": "by-document"}, {"good": {"relevance": "low"}}]
    keys = {ec.load(folder, **setting).fingerprint for setting in settings}  # type: ignore[arg-type]
    (folder / "runs" / "a.run").rename(folder / "runs" / "c.run")
    assert len(keys | {ec.load(folder).fingerprint}) == 5


def test_the_same_content_elsewhere_is_kept_with_its_own_words(folder_of, tmp_path):
    first = ec.load(folder_of(FILES))
    (tmp_path / "collection").rename(tmp_path / "renamed")
    other = ec.load(tmp_path / "renamed")
    assert first.fingerprint == other.fingerprint
    assert (first.title, other.title) == ("collection", "renamed")
    assert ec.load(tmp_path / "renamed").title == "renamed"


def test_a_file_that_is_not_read_changes_the_notes(folder_of):
    ec.load(folder_of(FILES))
    c = ec.load(folder_of({"notes.md": b"x"}))
    assert "neither runs nor assessments, not read: notes.md" in [note.text for note in c.report.notes]


@pytest.mark.parametrize("damage", ["gone", "cut", "flipped", "nonsense"])
@pytest.mark.parametrize("name", ["about.json", "pool.arrow", "hits.arrow", "rankings.arrow", "systems.arrow", "whole"])
def test_a_damaged_entry_is_made_anew(name, damage, folder_of, kept):
    folder = folder_of(FILES)
    first = ec.load(folder)
    path = next(kept.iterdir()) / name
    content = path.read_bytes()
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    path.unlink()
    if damage != "gone":
        path.write_bytes({"cut": content[:middle], "flipped": flipped, "nonsense": b"[1]"}[damage])
    again, third = ec.load(folder), ec.load(folder)
    assert (again.report.from_cache, third.report.from_cache) == (False, True)
    assert_equal(first, again)


def test_a_folder_that_cannot_be_written_is_no_error(folder_of, tmp_path, monkeypatch):
    # A file where the folder should be: that stops root as well.
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("EVALCORE_CACHE", str(tmp_path / "file" / "cache"))
    assert not ec.load(folder_of(FILES)).report.from_cache


def test_a_full_disk_is_no_error(folder_of, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "_write", full)
    assert not ec.load(folder_of(FILES)).report.from_cache


def test_it_can_be_left_out(folder_of, kept):
    ec.load(folder_of(FILES), use_cache=False)
    ec.load_files(FILES.items())
    assert not kept.exists()


def test_the_oldest_go_and_nothing_else(folder_of, kept, monkeypatch):
    monkeypatch.setattr(cache, "MOST_COLLECTIONS", 2)
    (kept / "precious").mkdir(parents=True)
    os.utime(kept / "precious", (0, 0))
    keys = []
    for number in range(3):
        before = set(kept.iterdir())
        ec.load(folder_of({**FILES, "fog.csv": b"docid,fog\nd1,%d\n" % number}))
        (new,) = set(kept.iterdir()) - before
        os.utime(new, (number + 1, number + 1))
        keys.append(new.name)
    assert {path.name for path in kept.iterdir()} == {"precious", *keys[1:]}


def test_a_clock_that_was_ahead_keeps_nothing_for_ever_and_deletes_nothing_new(folder_of, kept, monkeypatch):
    monkeypatch.setattr(cache, "MOST_COLLECTIONS", 2)
    seen: list[Path] = []
    for number in range(4):
        before = set(kept.iterdir()) if kept.exists() else set()
        ec.load(folder_of({**FILES, "fog.csv": b"docid,fog\nd1,%d\n" % number}))
        seen += set(kept.iterdir()) - before
        if number < 2:  # both were used in the year 2100, as this machine thought
            os.utime(seen[-1], (4102444800, 4102444800))
    assert set(kept.iterdir()) == set(seen[-2:])


def test_a_clock_that_goes_backwards_makes_no_negative_time(folder_of, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: -1e9)
    folder = folder_of(FILES)
    for _ in range(2):
        assert ec.load(folder).report.seconds >= 0


def test_where_it_is(monkeypatch):
    monkeypatch.delenv("EVALCORE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache.folder() == Path("/x/evalcore")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.folder() == Path.home() / ".cache" / "evalcore"
