"""Tables of scores as people publish them: gaps in words, means beside the topics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalcore as ec

PLAIN = "system,t1,t2,t3\na,0.1,0.2,0.3\nb,0.2,0.25,0.4\n"


def opened(tmp_path: Path, text: str | bytes) -> ec.Collection:
    (tmp_path / "score.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    return ec.load(tmp_path, use_cache=False)


def table(c: ec.Collection) -> list[list[float]]:
    found: list[list[float]] = ec.evaluate(f'Score("{next(iter(c.rankings.given))}")', c).T.to_numpy().tolist()
    return found


def told(c: ec.Collection) -> str:
    return "\n".join(note.text for note in c.report.notes if note.where == "score.csv")


@pytest.mark.parametrize("gap", ["", "n/a", "NA", "nan", "null", "None", "-", "--", "–", "—"])
def test_a_gap_written_as_a_word_is_no_score(tmp_path, gap):
    c = opened(tmp_path, PLAIN.replace("0.25", gap))
    np.testing.assert_equal(table(c), [[0.1, 0.2, 0.3], [0.2, np.nan, 0.4]])
    assert ("1 cell read as missing" in told(c)) == bool(gap)


@pytest.mark.parametrize(("text", "says"), [
    ("system,t1,t2,t3,Average\na,0.1,0.2,0.3,0.2\nb,0.2,0.25,0.4,0.28\n", "column 'Average' is not a topic: left out"),
    ("rank,system,t1,t2,t3\n1,a,0.1,0.2,0.3\n2,b,0.2,0.25,0.4\n", "column 'rank' is not a topic: left out"),
    ("system,t1,t1_std,t2,t3\na,0.1,9,0.2,0.3\nb,0.2,9,0.25,0.4\n", "column 't1_std' is not a topic: left out"),
    ("system,Year,t1,t2,t3\na,2020,0.1,0.2,0.3\nb,2021,0.2,0.25,0.4\n", "column 'Year' is not a topic: left out"),
    (PLAIN + "Average,0.15,0.22,0.35\n", "row 'Average' is a summary or a remark: left out"),
    (PLAIN + "best in bold,,,\n", "row 'best in bold' is a summary or a remark: left out"),
])  # fmt: skip
def test_rows_and_columns_without_scores_are_left_out(tmp_path, text, says):
    c = opened(tmp_path, text)
    assert table(c) == [[0.1, 0.2, 0.3], [0.2, 0.25, 0.4]]
    assert says in told(c)


@pytest.mark.parametrize("text", [
    "\n".join(f"{line}," for line in PLAIN.splitlines()),
    PLAIN.replace("system", ",system").replace("a,", "0,a,").replace("b,", "1,b,"),
    PLAIN.replace("system", "Unnamed: 0,system").replace("a,", "0,a,").replace("b,", "1,b,"),
])  # fmt: skip
def test_text_around_a_table_does_not_change_it(tmp_path, text):
    c = opened(tmp_path, text)
    assert (c.systems, table(c)) == (("a", "b"), [[0.1, 0.2, 0.3], [0.2, 0.25, 0.4]])


@pytest.mark.parametrize("frame", [
    pd.DataFrame({"t1": [0.1, 0.2], "t2": [0.2, 0.25]}, index=pd.Index(["a", "b"], name="model")),
])  # fmt: skip
def test_a_frame_in_parquet_has_its_index(tmp_path, frame):
    frame.to_parquet(tmp_path / "score.parquet")
    assert table(ec.load(tmp_path, use_cache=False)) == [[0.1, 0.2], [0.2, 0.25]]


@pytest.mark.parametrize(("text", "problem", "line"), [
    ("system;t1;t2\na;0,1;0,2\nb;0,2;0,3\n", "expected a number as score, such as 0.25, found '0,1'", 2),
    (PLAIN.replace("0.25", "12 ms"), "expected a number as score, such as 0.25, found '12 ms'", 3),
    (PLAIN.replace("0.25", "25 %"), "expected a number as score, such as 0.25, found '25 %'", 3),
])  # fmt: skip
def test_a_cell_that_is_not_a_number_is_named(tmp_path, text, problem, line):
    with pytest.raises(ec.InputError, match=problem) as found:
        opened(tmp_path, text)
    assert (found.value.where, found.value.line) == ("score.csv", line)


@pytest.mark.parametrize("text", ["", "\n\n", "system,t1,t2\n", PLAIN.encode("utf-16-le")])
def test_no_scores_at_all_are_refused_by_the_name_of_the_file(tmp_path, text):
    with pytest.raises(ec.InputError, match=r"score\.csv"):
        opened(tmp_path, text)


@pytest.mark.parametrize("text", ["system,t1\na,0.1\n", "system,t1\na,0.1\nb,0.3\n", "system,t1,t2\na,0.1,inf\n"])
def test_one_row_one_column_and_infinity_are_scores(tmp_path, text):
    assert np.isfinite(table(opened(tmp_path, text))[0][0])
