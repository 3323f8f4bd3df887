"""Qrels and signals into the pool: one aspect per file, several in one, and what is wrong with a label."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import evalcore as ec
from evalcore.data.assessments import Labels, read_qrels, read_signal
from evalcore.data.build_pool import build_pool, document_values
from evalcore.data.sources import Source
from evalcore.limits import most
from evalcore.structures.documents import Assessments, Scale

RUN = b"1 Q0 d1 1 3.0 x\n1 Q0 d2 2 2.0 x\n2 Q0 d1 1 1.0 x\n"


def labels(text: str, *names: str, **more: Any) -> list[Labels]:
    columns = enumerate(names or ("relevance",), start=1)
    return [
        read_qrels(Source("qrels.txt", text.encode), Scale(name), at, **more) for at, name in columns if name != "-"
    ]


def pool(*aspects: tuple[str, str]) -> Assessments:
    return build_pool([labels(text, name)[0] for name, text in aspects])


def rows(assessments: Assessments) -> list[list[object]]:
    return assessments.frame().values.tolist()


def test_the_pool_is_the_union_of_the_aspects():
    found = pool(("relevance", "1 0 d1 1\n1 0 d2 0\n"), ("credibility", "1 0 d2 2\n1 0 d3 1\n"))
    assert [row[:2] for row in rows(found)] == [["1", "d1"], ["1", "d2"], ["1", "d3"]]
    np.testing.assert_array_equal(found.column("relevance"), [1, 0, math.nan])
    np.testing.assert_array_equal(found.column("credibility"), [math.nan, 2, 1])


@pytest.mark.parametrize("names", [("relevance", "credibility"), ("relevance", "usefulness", "credibility")])
def test_several_aspects_in_one_file(names):
    line = "1 0 d1 " + " ".join(map(str, range(len(names)))) + "\n"
    assert [(label.scale.name, label.grades.tolist()) for label in labels(line, *names)] == [
        (name, [grade]) for grade, name in enumerate(names)
    ]


def test_a_column_can_be_skipped():
    found = labels("1 0 d1 bad 2\n", "-", "credibility")
    assert [(one.scale.name, one.grades.tolist()) for one in found] == [("credibility", [2])]


def test_an_undeclared_scale_is_0_and_what_occurs_above():
    assert labels("1 0 d1 2\n1 0 d2 -1\n1 0 d3 0.5\n")[0].scale.grades == (0, 0.5, 2)


def test_a_missing_grade_is_not_assessed():
    found = labels("1 0 d1 2\n1 0 d2 -1\n", missing=(-1,))[0]
    assert (found.documents.tolist(), found.scale.grades) == (["d1"], (0, 2))


def test_the_same_label_twice_counts_once_and_is_counted():
    found = labels("1 0 d1 2\n1 0 d1 2.0\n1 0 d1 2\n")[0]
    assert (found.grades.tolist(), found.repeated) == ([2], 2)
    c = ec.load_files([("qrels.txt", b"1 0 d1 2\n1 0 d1 2\n"), ("a.run", RUN)])
    assert ("repaired", "qrels.txt", "1 relevance label repeated: counted once") in [
        (note.kind, note.where, note.text) for note in c.report.notes
    ]


def test_by_document_the_first_label_counts_under_every_topic():
    one = labels("1 0 d1 1\n2 0 d1 1\n", "relevance")[0]
    other = labels("1 0 d1 3\n2 0 d1 0\n", "understandability")[0]
    assert build_pool([one, other]).column("understandability").tolist() == [3, 0]
    assert build_pool([one, other], ["understandability"]).column("understandability").tolist() == [3, 3]


def test_a_signal_is_the_same_under_every_topic():
    fog = document_values(read_signal(Source("fog.txt", lambda: b"d1 9.5\n"), Scale("fog", kind="signal")))
    found = build_pool(labels("1 0 d1 1\n2 0 d1 0\n2 0 d2 0\n"), signals={"fog": (Scale("fog", kind="signal"), fog)})
    np.testing.assert_array_equal(found.column("fog"), [9.5, 9.5, math.nan])
    assert (found.aspects, found.signals) == (("relevance",), ("fog",))


@pytest.mark.parametrize(
    "text",
    ["d1 9.5\nd2 7", "d1\t9.5\r\nd2\t7\r\n", "d1,9.5\nd2,7\n", "doc fog\nd1 9.5\nd2 7\n", "url,fog\nd1,9.5\nd2,7"],
)
def test_a_signal_with_and_without_header(text):
    found = document_values(read_signal(Source("fog.txt", text.encode), Scale("fog", kind="signal")))
    assert found.to_dict() == {"d1": 9.5, "d2": 7}


# Refused

QRELS = "1 0 d1 1\n1 0 d2 0\n"
BROKEN = {
    "a word at once": (
        "1 0 d3 high\n" + QRELS,
        "qrels.txt line 1: expected a number as relevance label, found 'high'; is the first line a header? Remove it",
    ),
    "not a number": (QRELS + "1 0 d3 nan\n", "qrels.txt line 3: expected a finite relevance label, found 'nan'"),
    "three fields further down": (
        QRELS + "1 d1 1\n",
        "qrels.txt line 3: expected 4 fields (topic iteration document relevance), found 3: '1 d1 1'",
    ),
    "two labels": (
        QRELS + "1 0 d1 2\n",
        "qrels.txt line 3: expected one relevance label for topic '1', document 'd1', found 2 after 1 in line 1",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_qrels(case, refusal):
    content, message = BROKEN[case]
    assert refusal({"qrels.txt": content.encode(), "a.run": RUN}) == message


def test_a_grade_outside_the_declared_scale(refusal):
    toml = b'runs = "a.run"\n[aspects.relevance]\nfile = "qrels.txt"\ngrades = [0, 1]\n'
    message = refusal({"collection.toml": toml, "qrels.txt": QRELS.encode() + b"2 0 d1 2\n", "a.run": RUN})
    assert message == "qrels.txt line 3: expected a relevance grade of the declared scale (0, 1), found 2"


def test_only_missing_grades(refusal):
    toml = b'runs = "a.run"\n[aspects.relevance]\nfile = "qrels.txt"\nmissing = [0, 1]\n'
    message = refusal({"collection.toml": toml, "qrels.txt": QRELS.encode(), "a.run": RUN})
    assert message == "qrels.txt: expected relevance labels, found none"


@pytest.mark.slow
def test_too_many_topics(refusal):
    qrels = b"".join(b"%d 0 d 1\n" % topic for topic in range(most("topics") + 1))
    expected = "qrels.txt: expected at most 200,000 assessed topics, found 200,001"
    assert refusal({"qrels.txt": qrels, "a.run": RUN}) == expected


def test_topics_longer_than_python_reads_numbers():
    topics = ["9" * 500, "1" * 500]
    assert pool(("relevance", "".join(f"{topic} 0 d1 1\n" for topic in topics))).topics == tuple(topics[::-1])


SIGNALS = {
    "missing": (
        b"d1 n/a\nd2 5\n",
        "fog.txt line 1: expected a number as fog, found 'n/a'; is the first line a header? Remove it",
    ),
    "infinite": (b"d1 9\nd2 inf\n", "fog.txt line 2: expected a finite fog, found 'inf'"),
    "two values": (
        b"d1 9\nd1 8\n",
        "fog.txt line 2: expected one fog label for document 'd1', found 8 after 9 in line 1",
    ),
    "nothing but a header": (b"doc fog\n", "fog.txt: expected fog labels, found none"),
}


@pytest.mark.parametrize("case", SIGNALS)
def test_broken_signals(case, refusal):
    content, message = SIGNALS[case]
    toml = b'runs = "a.run"\n[aspects.relevance]\nfile = "qrels.txt"\n[signals.fog]\nfile = "fog.txt"\n'
    files = {"collection.toml": toml, "qrels.txt": QRELS.encode(), "a.run": RUN, "fog.txt": content}
    assert refusal(files) == message


def test_no_aspect_at_all():
    with pytest.raises(ec.InputError, match="expected assessments of at least one aspect, found none"):
        build_pool([])
