"""A folder that changes while it is open: the app notices every change, and names the files that it cannot read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app_support import open_app

GOOD, BAD = "1 Q0 d1 1 2 x\n1 Q0 d2 2 1 x\n", "1 Q0 d2 1 2 x\n1 Q0 d1 2 1 x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a collection of two systems, the better one first; all files have the same modification time."""
    place = tmp_path / "mine"
    (place / "runs").mkdir(parents=True)
    for name, content in {"qrels.txt": "1 0 d1 1\n1 0 d2 0\n", "runs/a.run": GOOD, "runs/b.run": BAD}.items():
        (place / name).write_text(content)
        os.utime(place / name, ns=(0, 0))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(place)])
    return place


def first_of(app: AppTest) -> object:
    """Return the pool rows of the rankings in the open collection."""
    return app.session_state["open collection"].rankings.row.tolist()


def test_two_files_that_swap_names_are_read_again(folder: Path) -> None:
    app = open_app("collection")
    before = first_of(app)
    (folder / "runs/a.run").rename(folder / "c")
    (folder / "runs/b.run").rename(folder / "runs/a.run")
    (folder / "c").rename(folder / "runs/b.run")
    assert first_of(app.run()) != before


def test_a_pipe_among_the_files_is_reported_and_the_sample_is_shown(folder: Path) -> None:
    os.mkfifo(folder / "runs" / "c.run")
    app = open_app("collection")
    assert "**runs/c.run**: expected a file, found a named pipe" in app.error[0].value
    assert not app.exception
