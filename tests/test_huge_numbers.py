"""Whole numbers of 25, 400 and 5,000 digits: refused in words wherever numbers are read, as they fit nowhere.

400 digits are more than a float holds (1.8e308), 5,000 more than Python reads or writes (4,300); hexadecimal digits
have no such limit.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.manifest import parse_manifest, write_manifest
from evalcore.errors import InputError
from evalcore.notation.values import LONGEST_TEXT

DIGITS = [25, 400, 5000]
QRELS, RUN = ("qrels.txt", b"1 0 d1 1\n"), ("a.run", b"1 Q0 d1 1 2 x\n")
ASPECT = '[aspects.relevance]\nfile = "qrels.txt"\n'


def test_in_the_text_of_a_measure(subtests: pytest.Subtests) -> None:
    for digits in [25, 400, 3900]:
        for text in [
            "RBP(rho={})",
            "RBP(rho=-{})",
            "AP@{}",
            "AP@0x{}",
            "AP + 0x{}",
            "P(rel={})@5",
            "AP({})",
            "nDCG(gains={{0: 0, 1: {}}})",
            "nDCG(gains={{{}: 1}})",
            "CAM(AP, weights=[{}, 1])",
            "{}",
        ]:
            with (
                subtests.test(f"{digits}, {text}"),
                pytest.raises(
                    InputError, match=r"expected a whole number below 2\^63 in size, found one with [\d,]+ bits"
                ),
            ):
                ec.parse(text.format("9" * digits))


def test_in_a_text_that_python_does_not_read() -> None:
    assert LONGEST_TEXT < 4300
    with pytest.raises(InputError, match="expected text of at most"):
        ec.parse("AP@" + "9" * 5000)


def test_in_python(subtests: pytest.Subtests) -> None:
    for digits in DIGITS:
        for make in [
            lambda number: ec.parse("RBP").with_(rho=number),
            lambda number: ec.parse("nDCG").with_(cutoff=number),
            lambda number: ec.parse("nDCG").with_(gains={0: number}),
            lambda number: ec.parse("AP").of([number, 0]),
            lambda number: ec.collection({"s": {"1": {"d1": number}}}, {"1": {"d1": 1}}),
            lambda number: ec.collection({"s": {"1": {"d1": 1}}}, {"1": {"d1": number}}),
            lambda number: ec.collection({"s": {"1": {"d1": 1}}}, {"1": {"d1": 1}}, {"fog": {"d1": number}}),
            lambda number: ec.collection(
                pd.DataFrame({"topic": ["1"], "document": ["d1"], "score": [number]}), {"1": {"d1": 1}}
            ),
        ]:
            refused = pytest.raises(InputError, match=r"expected a whole number below 2\^63 in size")
            with subtests.test(f"{digits}, {make}"), refused:
                make(10**digits)


def test_in_a_description(subtests: pytest.Subtests) -> None:
    for line in ["threshold = {}", "grades = [0, {}]", "gains = [{}]", "column = {}", "column = 0x{}"]:
        for digits in DIGITS:
            with (
                subtests.test(f"{line}, {digits}"),
                pytest.raises(
                    InputError, match=r"^collection.toml.*: expected (a whole number below 2\^63|TOML, found)"
                ),
            ):
                parse_manifest(ASPECT + line.format("9" * digits))


def test_a_large_grade_is_written_and_read_again() -> None:
    found = parse_manifest(ASPECT + "threshold = 1e20\n")  # whole, and more than 63 bits
    assert parse_manifest(write_manifest(found)) == found


FILES = {
    "a grade": ("qrels.txt", "1 0 d1 {}\n"),
    "a rank of three columns": ("a.run", "1 d1 {}\n"),
    "a grade in a table": ("qrels.csv", "topic,document,relevance\n1,d1,{}\n"),
    "a grade in JSON": ("qrels.jsonl", '{{"query-id": "1", "corpus-id": "d1", "score": {}}}\n'),
    "a rating in JSON": ("qrels.jsonl", '{{"query": "1", "ratings": [{{"docId": "d1", "rating": {}}}]}}\n'),
}


def test_in_a_file(subtests: pytest.Subtests) -> None:
    for digits in DIGITS:
        for case in FILES:
            with subtests.test(f"{digits}, {case}"):
                name, text = FILES[case]
                with pytest.raises(InputError, match=rf"^{name} line 1|2: expected"):
                    ec.load_files(
                        [file for file in (QRELS, RUN) if file[0] != name]
                        + [(name, text.format("9" * digits).encode())]
                    )


FINITE = {  # of 25 digits: numbers as any others
    "a score": ("a.run", "1 Q0 d1 1 {} x\n"),
    "a rank": ("a.run", "1 Q0 d1 {} 1 x\n"),
    "a score in a table": ("a.csv", "topic,document,score\n1,d1,{}\n"),
    "a score in JSON": ("run.json", '{{"1": {{"d1": {}}}}}'),
}


@pytest.mark.parametrize("case", FINITE)
def test_a_score_or_rank_is_a_number_while_it_is_finite(case: str) -> None:
    name, text = FINITE[case]
    assert ec.load_files([QRELS, (name, text.format("9" * 25).encode())]).systems == (name.split(".")[0],)
    for digits in (400, 5000):
        with pytest.raises(InputError, match=rf"^{name} line [12]: expected a finite"):
            ec.load_files([QRELS, (name, text.format("9" * digits).encode())])


@pytest.mark.parametrize("digits", DIGITS)
def test_a_depth_on_the_command_line(digits: int, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from evalcore.cli import main

    (tmp_path / "qrels.txt").write_bytes(QRELS[1])
    (tmp_path / "a.run").write_bytes(RUN[1])
    assert main(["score", str(tmp_path), "-m", "AP", "--no-cache", "-M", "9" * min(digits, 4300)])
    assert "-M/--max-documents: expected a whole number below 2^63" in capsys.readouterr().err
