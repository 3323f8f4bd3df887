"""Ids as long as a text are refused where they are read, with file and line: each would be kept in memory."""

from __future__ import annotations

import pytest

import evalcore as ec
from evalcore.data.text_files import LONGEST_ID
from evalcore.errors import InputError

RUN = ("a.run", b"1 Q0 d1 1 2 r\n1 Q0 d2 2 1 r\n")
QRELS = ("qrels.txt", b"1 0 d1 1\n1 0 d2 0\n")
LONG = "d" * (LONGEST_ID + 1)


def forms(name: str) -> dict[str, tuple[str, bytes]]:
    """Return files whose second line of data has this id."""
    return {
        "qrels": ("qrels.txt", f"1 0 d1 1\n1 0 {name} 0\n".encode()),
        "run": ("b.run", f"1 Q0 d1 1 2 r\n1 Q0 {name} 2 1 r\n".encode()),
        "topic": ("b.run", f"1 Q0 d1 1 2 r\n{name} Q0 d2 2 1 r\n".encode()),
        "table of runs": ("runs.csv", f"topic,document,score,system\n1,d1,2,s\n1,{name},1,s\n".encode()),
        "table of labels": ("labels.csv", f"topic,document,relevance\n1,d1,1\n1,{name},0\n".encode()),
    }


@pytest.mark.parametrize("form", forms(""))
def test_a_long_id_is_refused_with_file_and_line(form: str) -> None:
    file = forms(LONG)[form]
    line = 3 if file[0].endswith("csv") else 2
    with pytest.raises(InputError, match=rf"{file[0]}.* line {line}: expected .*at most {LONGEST_ID}"):
        ec.load_files([one for one in (RUN, QRELS) if one[0] != file[0]] + [file])


@pytest.mark.parametrize("form", forms(""))
def test_one_a_letter_shorter_is_read(form: str) -> None:
    file = forms(LONG[1:])[form]
    ec.load_files([one for one in (RUN, QRELS) if one[0] != file[0]] + [file])
