"""Refusals of input with which fuzzing once got through."""

from __future__ import annotations

import pytest

import evalcore as ec
from evalcore.data.score_tables import read_score_tables
from evalcore.data.sources import Source
from evalcore.data.tables import read_table
from evalcore.errors import InputError

RUN = b"1 Q0 d1 1 2 a\n"
QRELS = ("qrels.txt", b"1 0 d1 1\n")


def source(name: str, text: bytes) -> Source:
    return Source(name, lambda: text)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([QRELS, ("a.run", b"\x01\n")], "a.run: expected a TREC run, found an empty file"),
        ([QRELS, ("a.run", RUN), ("a.run", RUN)], "a.run: expected one file of this name, found 2"),
        ([("qrels.txt", b"1 0 d1 1e300\n"), ("a.run", RUN)], "qrels.txt line 1: expected a relevance grade whose "
         "absolute value is 0 or between 1e-100 and 1e+15, found 1e+300"),
        ([("qrels.txt", b"1 0 d1 1\n1 0 d2 5e-324\n"), ("a.run", RUN)], "qrels.txt line 2: expected a relevance grade "
         "whose absolute value is 0 or between 1e-100 and 1e+15, found 4.94066e-324"),
        ([("a.run", RUN), ("labels.csv", b'topic,document,grade\n1,d1,"1\n1,d2,0\n')], "labels.csv: expected a closing "
         "quotation mark for each opening one, found a cell that continues to the end"),
    ],
)  # fmt: skip
def test_uploads(files: list[tuple[str, bytes]], message: str) -> None:
    with pytest.raises(InputError) as refused:
        ec.load_files(files)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (b"1\twhich", "expected one query per topic, found a second for '1'"),
        (b"2 which", "expected a topic, a tab and its query, found '2 which'"),
    ],
)
def test_no_query_is_skipped_in_silence(second: bytes, message: str) -> None:
    """Once, the last query of a topic counted, and a line without a tab was passed over."""
    files = [QRELS, ("a.run", RUN), ("queries.tsv", b"1\twhat\n" + second)]
    found = ec.load_files(files)
    assert any(f"not read: line 2: {message}" in note.text for note in found.report.notes)
    with pytest.raises(InputError, match=message):
        ec.load_files(files, manifest='[aspects.relevance]\nfile = "qrels.txt"\n[topics]\nfile = "queries.tsv"\n')


def test_absolute_names_of_uploads() -> None:
    assert ec.load_files([("/a/qrels.txt", QRELS[1]), ("b/a.run", RUN)]).systems == ("a",)


def test_a_file_that_a_manifest_names_outside_of_the_collection() -> None:
    for name in ("../../etc/passwd", "/etc/passwd", "..\\\\secret", "runs/../../x"):
        manifest = f'runs = ["*.run"]\n[aspects.relevance]\nfile = "{name}"\n'
        with pytest.raises(InputError, match="found no file"):
            ec.load_files([QRELS, ("a.run", RUN)], manifest=manifest)


def test_scores_of_nothing() -> None:
    with pytest.raises(InputError, match="found only empty cells"):
        read_score_tables([source("AP.csv", b",,\n,,\n")])


def test_a_header_over_two_lines() -> None:
    with pytest.raises(InputError, match="expected a header in one line"):
        read_table(source("a.csv", b'topic,"doc\nument",x\n1,d,2\n'))


@pytest.mark.parametrize("weights", ["[1e999, 1]", "[0, 0]"])
def test_weights_that_cannot_be_shared(weights: str) -> None:
    with pytest.raises(InputError, match=r"at most 1e\+15 in size|one weight above 0"):
        ec.parse(f"CAM(AP, weights={weights})").of([1], [1])


def test_weights_as_large_as_they_may_be() -> None:
    assert ec.parse("CAM(AP, weights=[1e15, 1e15])").of([1], [0]) == 0.5


def test_a_grade_whose_power_of_2_no_float_holds() -> None:
    with pytest.raises(InputError, match=r"expected grades of at most 1000, as the gain is 2\^x - 1, found 2000"):
        ec.parse('DCG(dcg="exp-log2")').of([2000, 0])
