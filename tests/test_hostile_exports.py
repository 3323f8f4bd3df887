"""What leaves the app as a file: formulas are inert in CSV, names are text in LaTeX and in names of files."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from hostile import DOCUMENTS, SYSTEMS, TOPICS

from ui.widgets.show import _csv, _latex, file_name

FORMULA = ("=", "+", "-", "@", "\t", "\r")
FRAME = pd.DataFrame(
    np.arange(len(SYSTEMS) * 3.0).reshape(3, -1) - 5,
    index=pd.Index(TOPICS[-3:], name="=topic"),
    columns=pd.Index(SYSTEMS, name="system"),
)


def _cells(text: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.decode(), newline="")))


@pytest.mark.parametrize("index", [True, False])
def test_no_cell_of_a_csv_is_a_formula(index: bool) -> None:
    frame = FRAME.assign(**{"-note": DOCUMENTS[6]}) if index else FRAME.T.reset_index()
    rows = _cells(_csv(frame, index))
    assert [len(row) for row in rows] == [len(frame.columns) + index] * (len(frame) + 1)
    assert any(cell.startswith(f"'{sign}") for row in rows for cell in row for sign in FORMULA)
    for row in rows:
        for cell in row:
            number = re.fullmatch(r"-?[\d.]+", cell)
            assert number or not cell.startswith(FORMULA), cell


def test_numbers_and_plain_names_stay_as_they_are() -> None:
    frame = pd.DataFrame({"system": ["bm25", "=1"], "score": [-0.1, 1 / 3]})
    assert _cells(_csv(frame, False)) == [["system", "score"], ["bm25", "-0.1"], ["'=1", repr(1 / 3)]]


def test_names_are_escaped_in_latex() -> None:
    text = _latex(FRAME.reset_index(), False, {}, {}).decode()
    text = re.sub(r"\$-[\d.]+\$|\{[\[\]*]\}|-\{\}(?=-)", "", text)  # numbers; what tables would take for their own
    escaped = r"\\[$&%#_{}]|\\text(ascii\w+|backslash|less|greater|bar)(\{\}| )?"
    body = re.sub(rf"{escaped}|\\(begin|end)\{{tabular\}}(\{{\w+\}})?", "", text)
    body = re.sub(r" & |\\\\|\\(top|mid|bottom)rule", "", body)
    assert not re.search(r"[\\$&%#_{}^~]", body), re.findall(r".{9}[\\$&%#_{}^~].{9}", body)


@pytest.mark.parametrize("name", [*SYSTEMS, "../../a\r\nSet-Cookie: b", "", "con\0"])
def test_a_table_is_saved_under_a_plain_name(name: str) -> None:
    assert re.fullmatch(r"[\w .,()=@-]{1,100}", file_name(name))
    assert not file_name(name).startswith(".")
