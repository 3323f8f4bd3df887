"""Adding to a collection that is open: a run, another judge, an aspect; what was open stays as it was."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import evalcore as ec
from evalcore import limits
from evalcore.data.adding import files_of, origin_of, topic_text
from evalcore.data.loading import add_to
from evalcore.data.sources import from_bytes

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 1\n"
RUN = "1 Q0 a 1 3 one\n1 Q0 b 2 2 one\n2 Q0 b 1 3 one\n"
MINE = "1 Q0 x 1 3 mine\n1 Q0 a 2 2 mine\n2 Q0 a 1 3 mine\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "open" / "runs").mkdir(parents=True)
    (tmp_path / "open" / "qrels.txt").write_text(QRELS)
    (tmp_path / "open" / "runs" / "one.run").write_text(RUN)
    (tmp_path / "mine.run").write_text(MINE)
    (tmp_path / "qrels.llm.txt").write_text("1 0 a 0\n1 0 x 1\n2 0 b 1\n")
    (tmp_path / "qtrust.txt").write_text("1 0 a 1\n2 0 x 0\n")
    return tmp_path


def together(folder: Path, *names: str) -> ec.Collection:
    """Load the same files in one folder, from the beginning."""
    files = [("qrels.txt", QRELS.encode()), ("runs/one.run", RUN.encode())]
    return ec.load_files([*files, *((name, (folder / Path(name).name).read_bytes()) for name in names)])


def test_an_added_run_scores_as_if_loaded_from_the_start(folder):
    c = ec.load(folder / "open")
    more = ec.load(c, add=folder / "mine.run")
    assert more.systems == ("mine", "one")
    assert c.systems == ("one",)
    expected = ec.evaluate("RBP", together(folder, "runs/mine.run"))
    pd.testing.assert_frame_equal(ec.evaluate("RBP", more), expected)


def test_added_labels_of_an_existing_aspect_are_another_source(folder):
    more = ec.load(ec.load(folder / "open"), add=folder / "qrels.llm.txt")
    assert more.source_names[:2] == ("assessors", "llm")
    assert ec.evaluate("AP", more).equals(ec.evaluate("AP", ec.load(folder / "open")))
    assert ec.evaluate('AP(source="llm")', more)["one"].tolist() == [0.0, 1.0]


def test_each_addition_is_described(folder):
    files = [(name, (folder / name).read_bytes()) for name in ("mine.run", "qrels.llm.txt", "qtrust.txt")]
    _, additions = add_to(ec.load(folder / "open"), from_bytes(files))
    assert [addition.text for addition in additions] == [
        "a run, the system mine",
        "relevance labels by another source, llm",
        "labels of a new aspect, trustworthiness",
    ]


def test_the_topics_of_an_added_run_are_counted(folder):
    more, (addition,) = add_to(ec.load(folder / "open"), from_bytes([("a.run", b"1 Q0 a 1 3 a\n9 Q0 a 1 3 a\n")]))
    words = "on 1 of 2 topics, 0 on the other topics, without 1 more topic that nobody assessed"
    assert topic_text(more, addition) == words


def test_a_run_on_other_topics_is_refused_and_changes_nothing(folder):
    (folder / "mine.run").write_text(MINE.replace("1 Q0", "q7 Q0").replace("2 Q0", "q8 Q0"))
    c = ec.load(folder / "open")
    problem = r"a run on topics of this collection \(such as '1'\), found other topics \(such as 'q7'\)"
    with pytest.raises(ec.InputError, match=problem):
        ec.load(c, add=folder / "mine.run")
    assert c.systems == ("one",)


def test_a_run_whose_name_is_taken_is_refused(folder):
    (folder / "one.run").write_text(MINE)
    with pytest.raises(ec.InputError, match="found 'one' again: rename the file"):
        ec.load(ec.load(folder / "open"), add=folder / "one.run")


def test_files_cannot_be_added_to_a_part_of_a_collection(folder):
    part = ec.restrict(ec.load(folder / "open"), topics=["1"])
    with pytest.raises(ec.InputError, match="expected a whole collection"):
        ec.load(part, add=folder / "mine.run")


def test_added_files_count_towards_the_limit_of_files(folder, monkeypatch):
    collection = ec.load(folder / "open")
    origin = origin_of(collection)
    assert origin
    count = len(origin.files.sources)
    more = from_bytes([("mine.run", b"1 Q0 a 1 2 mine\n")])
    monkeypatch.setitem(limits.BOUNDS, "archive_members", limits.Bound(count, "files of an archive or upload"))
    with pytest.raises(
        ec.InputError, match=f"expected at most {count} files of an archive or upload, found {count + 1}"
    ):
        add_to(collection, more)


def test_added_files_count_towards_the_limit_of_bytes(folder, monkeypatch):
    collection = ec.load(folder / "open")
    size = sum(len(content) for _, content in files_of(collection))
    words = "bytes of an archive or upload, once unpacked"
    monkeypatch.setitem(limits.BOUNDS, "archive_bytes", limits.Bound(size, words))
    files_of(collection)
    monkeypatch.setitem(limits.BOUNDS, "archive_bytes", limits.Bound(size - 1, words))
    with pytest.raises(ec.InputError, match=words):
        files_of(collection)


def test_labels_of_other_topics_alone_cannot_join(tmp_path: Path) -> None:
    """They would be another source without a topic in common: open all parts together."""
    for at, topic in enumerate("12", start=1):
        (tmp_path / f"qrels.part{at}.txt").write_text(f"{topic} 0 a 1\n{topic} 0 b 0\n")
    (tmp_path / "one.run").write_text(RUN + "3 Q0 a 1 3 one\n")
    part = from_bytes([("qrels.part3.txt", b"3 0 a 1\n3 0 b 2\n")])
    with pytest.raises(ec.InputError, match="expected relevance labels of at least one topic"):
        add_to(ec.load(tmp_path), part, use_cache=False)


# --- scores -----------------------------------------------------------------------------------------------------------

MAP = "topic,a,b\n1,0.5,0.25\n2,0.1,0.9\n"


@pytest.fixture
def board(tmp_path: Path) -> ec.Collection:
    (tmp_path / "board").mkdir()
    (tmp_path / "board" / "map.csv").write_text(MAP)
    return ec.load(tmp_path / "board")


def joined(collection: ec.Collection, **files: str) -> tuple[ec.Collection, list[str]]:
    named = [(name.replace("__", "."), text.encode()) for name, text in files.items()]
    more, additions = add_to(collection, from_bytes(named))
    return more, [addition.text for addition in additions]


def test_scores_by_another_measure_are_added(board):
    more, texts = joined(board, latency__csv="topic,a,b\n1,12,30\n2,11,28\n")
    assert texts == ["scores by latency (low is good)"]
    assert ec.evaluate('Score("latency", good="low")', more)["b"].tolist() == [30, 28]
    assert ec.evaluate("Score", more).equals(ec.evaluate("Score", board))


def test_scores_of_another_system_extend_a_measure(board):
    outputs = {
        f"{name}__eval": f"map\t1\t{score}\nmap\t2\t0.3\nmap\tall\t0.5\n" for name, score in (("c", 1), ("d", 0))
    }
    more, texts = joined(board, **outputs)
    assert texts == ["more scores by map"] * 2
    assert ec.evaluate("Score", more).loc["1"].to_dict() == {"a": 0.5, "b": 0.25, "c": 1, "d": 0}


def test_scores_of_the_same_cells_become_another_measure(board):
    more, texts = joined(board, map__csv=MAP.replace("0.5", "0.6"))
    assert texts == ["scores by map 2 (high is good)"]
    assert ec.evaluate('Score("map 2")', more).loc["1", "a"] == 0.6
    again, texts = joined(more, map__csv=MAP)
    assert texts == ["scores by map 3 (high is good)"]
    assert again.systems == ("a", "b")


def test_scores_can_be_added_to_runs_and_labels(folder):
    c = ec.load(folder / "open", add=folder / "mine.run")
    more, texts = joined(c, bert__csv="topic,one,mine\n1,0.5,0.1\n2,0.75,0.2\n")
    assert texts == ["scores by bert (high is good)"]
    assert ec.evaluate('Score("bert")', more)["one"].tolist() == [0.5, 0.75]
    assert ec.evaluate("AP", more).equals(ec.evaluate("AP", c))


def test_scores_of_other_systems_than_those_with_runs_are_refused(folder):
    c = ec.load(folder / "open", add=folder / "mine.run")
    with pytest.raises(ec.InputError, match=r"two or more systems \(such as mine, one\) on at least one topic"):
        joined(c, bert__csv="topic,two,three\n1,0.5,0.1\n2,0.75,0.2\n")
