"""Loaded collections on disk: the same when they come back, never stale, never in the way."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from invented_support import assert_same
from pyarrow import feather

import evalcore as ec
from evalcore.data import cache

FILES = {
    "qrels.txt": b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n",
    "qread.txt": b"1 0 d1 3\n",
    "fog.csv": b"docid,fog\nd1,9.5\n",
    "systems.csv": b"system,stemmer\na,porter\nb,\n",
    "topics.tsv": b"1\tis asthma dangerous\n",
    "documents/d1.txt": b"Asthma is rarely dangerous.\n",
    "runs/a.run": b"1 Q0 d2 1 3 x\n1 Q0 new 2 2 x\n1 Q0 d1 3 1 x\n2 Q0 d1 1 1 x\n",
    "runs/b.run": b"2 Q0 new 1 1 y\n",
}

TABLES = ("pool", "hits", "rankings", "texts")


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "kept"
    monkeypatch.setenv("EVALCORE_CACHE", str(folder))
    return folder


def test_a_cached_collection_is_read_again(folder_of):
    folder = folder_of(FILES)
    first, again = ec.load(folder), ec.load(folder)
    assert (first.report.from_cache, again.report.from_cache) == (False, True)
    assert all([first.texts, first.queries, first.signals])
    assert_same(first, again)


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


def test_the_same_content_elsewhere_keeps_its_own_notes(folder_of, tmp_path):
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
@pytest.mark.parametrize("name", ["collection.json", *(f"{one}.arrow" for one in TABLES)])
def test_a_damaged_cache_entry_is_made_again(name, damage, folder_of, kept):
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
    assert_same(first, again)


# Entries of another form, whose digests are right


def sealed(entry: Path, **changes: Any) -> None:
    """Give an entry the digests of its present content, and other words in collection.json."""
    contents = json.loads((entry / "collection.json").read_text())
    del contents["digest"]
    contents["digests"] = {path.stem: digest(path.read_bytes()) for path in entry.glob("*.arrow")}
    contents |= changes
    (entry / "collection.json").write_text(json.dumps({**contents, "digest": digest(json.dumps(contents).encode())}))


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def without_column(entry: Path) -> None:
    path = entry / "hits.arrow"
    table = feather.read_table(str(path), memory_map=False)
    feather.write_feather(table.drop_columns(["row"]), str(path))
    sealed(entry)


def altered(**changes: Any) -> Callable[[Path], None]:
    """Write other words in collection.json."""
    return partial(sealed, **changes)


def pickled(entry: Path) -> None:
    (entry / "pool.arrow").write_bytes(pickle.dumps(Unpickled()))
    sealed(entry)


def nested(entry: Path) -> None:
    (entry / "collection.json").write_text("[" * 100_000)


class Unpickled:
    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a pickled object was made",)


OTHERS = {
    "a column less": without_column,
    "topics that are none": altered(topics=None),
    "scales of no kind": altered(scales=5),
    "nothing said": altered(notes=None),
    "a pickled object": pickled,
    "nested too deep": nested,
}


@pytest.mark.parametrize("other", OTHERS)
def test_an_entry_of_another_form_is_made_again(other, folder_of, kept):
    folder = folder_of(FILES)
    first = ec.load(folder)
    (entry,) = kept.iterdir()
    OTHERS[other](entry)
    assert cache.recall(entry.name) is None
    assert not entry.exists()
    again, third = ec.load(folder), ec.load(folder)
    assert (again.report.from_cache, third.report.from_cache) == (False, True)
    assert_same(first, again)


@pytest.mark.skipif(os.name != "posix", reason="links and pipes need no privilege there")
@pytest.mark.parametrize("kind", ["entry", "file", "pipe", "a file for a folder"])
def test_a_link_or_pipe_in_the_cache_is_deleted_but_not_its_target(kind, folder_of, kept, tmp_path):
    folder = folder_of(FILES)
    ec.load(folder)
    (entry,) = kept.iterdir()
    elsewhere = tmp_path / "elsewhere"
    if kind == "entry":
        entry.rename(elsewhere)
        entry.symlink_to(elsewhere)
    elif kind == "file":
        (entry / "pool.arrow").rename(elsewhere)
        (entry / "pool.arrow").symlink_to(elsewhere)
    elif kind == "pipe":
        (entry / "pool.arrow").unlink()
        os.mkfifo(entry / "pool.arrow")
    else:
        entry.rename(tmp_path / "moved")
        entry.write_bytes(b"")
    assert [ec.load(folder).report.from_cache for _ in range(2)] == [False, True]
    assert elsewhere.exists() == (kind in ("entry", "file"))


@pytest.mark.parametrize("sample", ["answers", "board", "diversity", "health", "manual", "site"])
def test_the_samples_are_cached(sample):
    place = Path(__file__).parents[2] / "sample_data" / sample
    first, again = ec.load(place), ec.load(place)
    assert (first.report.from_cache, again.report.from_cache) == (False, True)
    assert_same(first, again)


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_the_cache_folder_is_private(folder_of, kept):
    before = os.umask(0)
    try:
        ec.load(folder_of(FILES))
    finally:
        os.umask(before)
    assert [oct(path.stat().st_mode & 0o777) for path in (kept, *kept.iterdir())] == ["0o700", "0o700"]


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_a_cache_folder_that_others_may_write_to_is_not_used(mode, folder_of, kept):
    folder = folder_of(FILES)
    ec.load(folder)
    kept.chmod(mode)
    assert [ec.load(folder).report.from_cache for _ in range(2)] == [False, False]


def test_an_unwritable_cache_folder_is_no_error(folder_of, tmp_path, monkeypatch):
    # A file where the folder should be: that stops root as well.
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("EVALCORE_CACHE", str(tmp_path / "file" / "cache"))
    assert not ec.load(folder_of(FILES)).report.from_cache


def test_the_cache_can_be_switched_off(folder_of, kept):
    ec.load(folder_of(FILES), use_cache=False)
    ec.load_files(FILES.items())
    assert not kept.exists()


def test_only_the_oldest_cache_entries_are_deleted(folder_of, kept, monkeypatch):
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


def test_a_wrong_clock_neither_keeps_entries_forever_nor_deletes_new_ones(folder_of, kept, monkeypatch):
    monkeypatch.setattr(cache, "MOST_COLLECTIONS", 2)
    seen: list[Path] = []
    for number in range(4):
        before = set(kept.iterdir()) if kept.exists() else set()
        ec.load(folder_of({**FILES, "fog.csv": b"docid,fog\nd1,%d\n" % number}))
        seen += set(kept.iterdir()) - before
        if number < 2:  # both were used in the year 2100, as this machine thought
            os.utime(seen[-1], (4102444800, 4102444800))
    assert set(kept.iterdir()) == set(seen[-2:])


def test_the_cache_folder_follows_the_environment(monkeypatch):
    monkeypatch.delenv("EVALCORE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache.folder() == Path("/x/evalcore")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.folder() == Path.home() / ".cache" / "evalcore"
