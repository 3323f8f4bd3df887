"""Warnings of a report before systems are compared."""

from __future__ import annotations

import re

import pytest

import evalcore as ec
from evalcore.data.report_warnings import MISLEADING

QRELS = b"1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 1\n"


def run(name: str, *lists: tuple[str, str], step: float = 1) -> bytes:
    rows = ((t, at, d) for t, documents in lists for at, d in enumerate(documents, start=1))
    return "".join(f"{t} Q0 {d} {at} {step * (20 - at):g} {name}\n" for t, at, d in rows).encode()


def warnings(qrels: bytes = QRELS, **runs: bytes) -> list[str]:
    files = [("qrels.txt", qrels), *((f"runs/{name}.run", data) for name, data in runs.items())]
    c = ec.load_files(files)
    return [note.text for note in c.report.notes if note.where in MISLEADING]


def test_identical_rankings_are_named_although_scores_and_tags_differ():
    one, same = run("one", ("1", "xab"), ("2", "ba")), run("same", ("2", "ba"), ("1", "xab"), step=2)
    other = run("other", ("1", "yab"), ("2", "ba"))
    text = "'one' and 'same' rank all documents identically: one run in 2 files? Each counts as a system"
    assert text in warnings(one=one, same=same, other=other)


def test_runs_that_differ_in_unassessed_documents_are_not_identical():
    assert not any("alike" in text for text in warnings(a=run("a", ("1", "xab")), b=run("b", ("1", "yab"))))


def test_topics_of_one_relevant_document_are_counted():
    found = warnings(a=run("a", ("1", "ab"), ("2", "ab")), b=run("b", ("1", "ba"), ("2", "ba")))
    assert found == [
        "1 of 2 topics have one document with positive relevance ('1'): scores there depend on one label and the rank "
        "of one document"
    ]


def test_labels_that_one_run_alone_retrieved_are_noted():
    qrels = b"1 0 a 1\n1 0 b 1\n1 0 c 0\n1 0 d 1\n"
    found = warnings(qrels, judged=run("judged", ("1", "abcd")), late=run("late", ("1", "xyzd")))
    assert found == [
        "3 of 4 assessed documents (75%) retrieved by any run were retrieved only by 'judged': "
        "documents of the other systems are hardly assessed, which lowers their scores"
    ]


def in_folds(names: str) -> dict[str, bytes]:
    return {names.format(system, fold): run(system, (str(fold), "ab")) for system in ("bm25", "ql") for fold in (1, 2)}


@pytest.mark.parametrize(
    "names", ["runs/{0}.fold{1}.txt", "runs/{0}-part{1}.txt", "split{1}/{0}.txt", "runs/{0}_batch_{1}.run"]
)
def test_systems_in_folds_are_asked_about_and_joined_by_the_line_of_the_question(names):
    files = [("qrels.txt", QRELS), *in_folds(names).items()]
    asked = ec.load_files(files)
    question = asked.report.notes[0]
    assert (question.kind, len(asked.systems)) == ("question", 4)
    line = re.search("`(runs = .*)`", question.text)
    assert line
    joined = ec.load_files(files, manifest=f'{line[1]}\n[aspects.relevance]\nfile = "qrels.txt"\n')
    assert joined.systems == ("bm25", "ql")
    assert joined.rankings.length.tolist() == [[2, 2], [2, 2]]


def test_systems_without_a_common_topic_are_named():
    found = warnings(a=run("a", ("1", "ab")), b=run("b", ("2", "ab")), c=run("c", ("1", "ba"), ("2", "ba")))
    assert any(text.startswith("no topic in common for 1 of 3 pairs of systems, such as 'a' and 'b'") for text in found)
    scored = ec.load_files([("map.csv", b"topic,system,score\n1,a,.1\n2,a,.2\n3,b,.3\n4,b,.1\n")])
    assert any("no topic in common for 1 of 1 pair" in note.text for note in scored.report.notes)
