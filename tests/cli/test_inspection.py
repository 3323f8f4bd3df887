"""`evalcore inspect`: what is in a collection."""

from __future__ import annotations

import json

from cli_support import Run

import evalcore as ec
from evalcore.data.manifest import parse_manifest


def test_the_text_lists_the_contents(small, run: Run) -> None:
    ran = run("inspect .")
    assert (ran.code, ran.err) == (0, "")
    assert "2 systems, 2 topics, 5 assessed documents" in ran.out
    headings = ["Aspects and signals", "Systems", "Notes", '--set "First look"']
    assert [line for line in ran.lines if line in headings] == headings
    assert "repaired: runs/poor.txt: 2 tied scores: ordered by document id, descending, as trec_eval does" in ran.lines
    assert "inferred: qread.txt: read as understandability, high is good" in ran.lines
    row = next(line.split() for line in ran.lines if line.startswith("good "))
    assert row == ["good", "2", "5", "4", "0.8000", "0.8000", "0", "0"]


def test_json_has_the_same_content_as_the_text(small, run: Run) -> None:
    found, collection = json.loads(run("inspect . -f json").out), ec.load(small)
    assert (found["fingerprint"], found["topics"], found["assessed"]) == (collection.fingerprint, ["t1", "t2"], 5)
    assert [one["column"] for one in found["columns"]] == ["relevance", "understandability"]
    assert [one["system"] for one in found["systems"]] == ["good", "poor"]
    assert len(found["notes"]) == len(collection.report.notes)
    assert found["collection.toml"] == collection.manifest


def test_labels_are_counted_by_source(small, run: Run) -> None:
    assert "Sources of labels" not in run("inspect .").out
    (small / "qrels.llm.txt").write_text("t1 0 d1 1\n")
    (line,) = (line.split() for line in run("inspect .").lines if line.startswith("relevance  llm"))
    assert line[:4] == ["relevance", "llm", "1", "1"]
    assert [one["source"] for one in json.loads(run("inspect . -f json").out)["sources"]] == ["assessors", "llm"]


def test_toml_reads_the_same_collection_again(small, run: Run) -> None:
    text = run("inspect . --toml").out
    assert [column.scale.name for column in parse_manifest(text).columns] == ["relevance", "understandability"]
    before = run("score . -q -f csv").out
    (small / "collection.toml").write_text(text)
    assert run("score . -q -f csv").out == before
    assert "were inferred" not in run("inspect .").out


def test_a_folder_without_a_collection_is_refused(tmp_path, run: Run, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.txt").write_text("<html>not found</html>")
    ran = run("inspect .")
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "expected" in ran.err


def test_comments_of_files_are_shown(small, run: Run) -> None:
    path = small / "runs" / "good.txt"
    path.write_bytes(b"# made by hand\n" + path.read_bytes())
    assert "Comments in runs/good.txt\n\nmade by hand\n" in run("inspect .").out
    assert json.loads(run("inspect . -f json").out)["provenance"] == {"runs/good.txt": "made by hand"}
