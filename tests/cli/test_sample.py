"""`evalcore sample`: the collections as files, and nothing lost that is there already."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import ROOT, Run

import evalcore as ec
from evalcore.cli import sample


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_copy_is_the_collection_itself(run: Run, tmp_path: Path) -> None:
    assert run("sample").lines[0] == "sample_data/health: Consumer health (synthetic), 1.5 MB"
    for name in sample.COLLECTIONS:
        copied, original = (ec.load(folder / "sample_data" / name) for folder in (tmp_path, ROOT))
        assert copied.fingerprint == original.fingerprint
    assert run("score sample_data/health -m AP").code == 0


def test_a_list_copies_nothing(run: Run, tmp_path: Path) -> None:
    ran = run("sample --list")
    assert [line.split(":")[0] for line in ran.lines] == ["health", "manual", "site"]
    assert list(tmp_path.iterdir()) == []


def test_existing_files_stay_without_force_and_other_files_always(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "claim.toml").write_text("edited")
    (tmp_path / "mine" / "notes.txt").write_text("kept")
    ran = run("sample -o mine")
    assert (ran.code, ran.err) == (
        1,
        "evalcore: mine: expected a new or an empty folder to write to, found one with files\n",
    )
    assert (tmp_path / "mine" / "claim.toml").read_text() == "edited"
    assert run("sample -o mine --force").code == 0
    assert (tmp_path / "mine" / "claim.toml").read_bytes() == (ROOT / "sample_data" / "claim.toml").read_bytes()
    assert (tmp_path / "mine" / "notes.txt").read_text() == "kept"


def test_the_samples_are_not_written_onto_themselves(run: Run, in_checkout: Path) -> None:
    ran = run("sample --force")
    assert (ran.code, "found one that this command reads" in ran.err) == (1, True)


def test_a_file_as_output_folder_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    assert run("sample -o file --force").code == 1
    assert (tmp_path / "file").read_text() == "kept"
