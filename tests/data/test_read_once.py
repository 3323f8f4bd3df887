"""A file is read once: the bytes parsed are the bytes digested, so no change meanwhile is kept under their digest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import evalcore as ec
from evalcore.data import cache
from evalcore.data.collection_files import from_place
from evalcore.data.loading import open_package
from evalcore.data.sources import Source, stamps
from evalcore.errors import InputError

QRELS = b"1 0 d1 1\n1 0 d2 0\n"
GOOD, BAD = b"1 Q0 d1 1 2 x\n1 Q0 d2 2 1 x\n", b"1 Q0 d2 1 2 x\n1 Q0 d1 2 1 x\n"  # AP 1 and 0.5
CHANGED = "a.run: expected a file that does not change while it is read, found changes: try again"


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVALCORE_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_a_change_between_digest_and_parsing_is_refused(folder_of, kept, monkeypatch):
    folder = folder_of({"qrels.txt": QRELS, "a.run": GOOD})

    def changed_meanwhile(key: str) -> None:  # called when all files are digested
        (folder / "a.run").write_bytes(BAD)

    recall = cache.recall
    monkeypatch.setattr(cache, "recall", changed_meanwhile)
    with pytest.raises(InputError) as error:
        ec.load(folder)
    assert str(error.value) == CHANGED
    (folder / "a.run").write_bytes(GOOD)
    monkeypatch.setattr(cache, "recall", recall)
    assert ec.evaluate("AP", ec.load(folder)).loc["1", "a"] == 1


def test_without_a_cache_every_file_is_read_once():
    read = []
    sources = {"qrels.txt": QRELS, "a.run": GOOD}

    def source(name: str) -> Source:
        def raw() -> bytes:
            read.append(name)
            return sources[name]

        return Source(name, raw, peek=lambda size: sources[name][:size])

    manifest = 'runs = "a.run"\n[aspects.relevance]\nfile = "qrels.txt"\n'
    open_package(from_place(list(map(source, sources)), "", manifest), False, None, 0.0)
    assert sorted(read) == ["a.run", "qrels.txt"]


def test_a_file_read_twice_with_another_content_is_refused():
    contents = iter([GOOD, BAD])
    source = Source("a.run", lambda: next(contents))
    source.read()
    with pytest.raises(InputError) as error:
        source.read()
    assert str(error.value) == CHANGED


# The notice of changes


def test_two_files_that_swap_names_are_seen(folder_of):
    folder = folder_of({"a.run": GOOD, "b.run": BAD})
    for name in ("a.run", "b.run"):
        os.utime(folder / name, ns=(0, 0))  # so that neither count nor time shows it
    before = stamps(folder)
    (folder / "a.run").rename(folder / "c")
    (folder / "b.run").rename(folder / "a.run")
    (folder / "c").rename(folder / "b.run")
    assert stamps(folder) != before


@pytest.mark.parametrize("change", ["content", "name", "place"])
def test_a_file_that_changes_is_seen(folder_of, change):
    folder = folder_of({"a.run": GOOD, "runs/b.run": GOOD})
    before, time = stamps(folder), (folder / "a.run").stat().st_mtime_ns
    if change == "content":
        (folder / "a.run").write_bytes(GOOD + BAD)
        os.utime(folder / "a.run", ns=(time, time))
    else:
        (folder / "a.run").rename(folder / ("c.run" if change == "name" else "runs/a.run"))
    assert stamps(folder) != before


def test_without_changes_nothing_is_reported(folder_of):
    folder = folder_of({"a.run": GOOD, "runs/b.run": BAD, ".hidden": b""})
    before = stamps(folder)
    (folder / ".hidden").write_bytes(b"more")
    assert stamps(folder) == before
    assert [name for name, *_ in before] == ["a.run", "runs/b.run"]
