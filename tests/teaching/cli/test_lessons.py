"""`evalcore lessons` writes all or nothing, and what is there stays. Its pages: tests/browser/test_offline.py."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_support import Run

from evalcore.teaching import command as lessons

PAGES = {"index.html": "all", "1.html": "one"}


@pytest.fixture(autouse=True)
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put PAGES in place of what is drawn, which another test covers."""
    monkeypatch.setattr(lessons, "_pages", lambda: PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_file_that_is_there_stays_and_nothing_comes_beside_it(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    ran = run(["lessons", "-o", str(tmp_path)])
    assert (ran.code, [path.name for path in tmp_path.iterdir()]) == (1, [name])
    assert f"{name}: expected a new file to write" in ran.err
    assert (tmp_path / name).read_text() == "mine"
    assert run(["lessons", "-o", str(tmp_path), "--force"]).code == 0
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == PAGES


def test_other_files_of_the_folder_stay(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert run(["lessons", "-o", str(tmp_path)]).code == 0
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *given: False)  # who runs tests as root may write anywhere
    monkeypatch.setattr(lessons, "_pages", lambda: pytest.fail("drawn"))
    ran = run(["lessons", "-o", str(tmp_path)])
    assert ran.code == 1
    assert "expected a writable folder" in ran.err
