"""Files that leave the app: formulas are inert in CSV, names are text in LaTeX and in names of files."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from hostile import DOCUMENTS, SYSTEMS, TOPICS

from evalcore.common.writing import csv_text
from ui.screen.items import Table
from ui.stage.show import _latex, file_name

FORMULA = ("=", "+", "-", "@", "\t", "\r")
FRAME = pd.DataFrame(
    np.arange(len(SYSTEMS) * 3.0).reshape(3, -1) - 5,
    index=pd.Index(TOPICS[-3:], name="=topic"),
    columns=pd.Index(SYSTEMS, name="system"),
)


def _cells(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


@pytest.mark.parametrize("index", [True, False])
def test_no_cell_of_a_csv_is_a_formula(index: bool) -> None:
    frame = FRAME.assign(**{"-note": DOCUMENTS[6]}) if index else FRAME.T.reset_index()
    rows = _cells(csv_text(frame, index=index))
    assert [len(row) for row in rows] == [len(frame.columns) + index] * (len(frame) + 1)
    assert any(cell.startswith(f"'{sign}") for row in rows for cell in row for sign in FORMULA)
    for row in rows:
        for cell in row:
            number = re.fullmatch(r"-?[\d.]+", cell)
            assert number or not cell.startswith(FORMULA), cell


def test_no_cell_is_a_formula_however_a_spreadsheet_parts_the_lines(subtests: pytest.Subtests) -> None:
    for delimiter in [",", ";", "\t"]:
        for text in ["x;=1+1", "x\t=1+1", "x;+1", 'x; "@a', "x;\uff1d1", "x\n=1", "a;b;-c", "=1;=2"]:
            with subtests.test(f"{delimiter}, {text}"):
                frame = pd.DataFrame(
                    {"system": ["bm25", text], text: [0.5, 1.0]}, index=pd.Index([text, "b"], name=text)
                )
                lines = csv_text(frame, index=True)
                cells = [cell.strip(' "') for row in _cells(lines, delimiter) for cell in row]
                cells += [cell.strip(' "') for line in lines.splitlines() for cell in line.split(delimiter)]
                assert not [cell for cell in cells if cell.startswith((*FORMULA, "\uff1d"))]


def test_raw_is_as_it_is_for_another_program() -> None:
    assert csv_text(pd.DataFrame({"=a": ["=1+1"], "AP": [0.5]}), raw=True) == "=a,AP\n=1+1,0.5\n"


def test_numbers_and_plain_names_stay_as_they_are() -> None:
    frame = pd.DataFrame({"system": ["bm25", "=1"], "score": [-0.1, 1 / 3]})
    assert _cells(csv_text(frame)) == [["system", "score"], ["bm25", "-0.1"], ["'=1", repr(1 / 3)]]


def test_names_are_escaped_in_latex() -> None:
    text = _latex(Table(FRAME.reset_index(), "", index=False), "").decode()
    text = re.sub(r"\$-[\d.]+\$|\{[\[\]*]\}|-\{\}(?=-)", "", text)  # numbers; what tables would take for their own
    escaped = r"\\[$&%#_{}]|\\text(ascii\w+|backslash|less|greater|bar)(\{\}| )?"
    body = re.sub(rf"{escaped}|\\(begin|end)\{{tabular\}}(\{{\w+\}})?", "", text)
    body = re.sub(r" & |\\\\|\\(top|mid|bottom)rule", "", body)
    assert not re.search(r"[\\$&%#_{}^~]", body), re.findall(r".{9}[\\$&%#_{}^~].{9}", body)


def test_a_table_is_saved_under_a_plain_name(subtests: pytest.Subtests) -> None:
    for name in [*SYSTEMS, "../../a\r\nSet-Cookie: b", "", "con\0"]:
        with subtests.test(str(name)):
            assert re.fullmatch(r"[\w .,()=@-]{1,100}", file_name(name))
            assert not file_name(name).startswith(".")
