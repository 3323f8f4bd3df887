"""The table of kinds: the one place that says what files are and how they are read."""

from __future__ import annotations

from dataclasses import replace

import pytest

import evalcore as ec
from evalcore.data import kinds
from evalcore.data.file_kind import Kind
from evalcore.data.kinds import KINDS, kind_of
from evalcore.data.sources import Source

QRELS = b"1 0 d1 1\n1 0 d2 0\n"
RUN = b"1 Q0 d1 1 3.0 x\n1 Q0 d2 2 2.0 x\n"
LISTED = b"%LIST 1: d2 d1\n"  # an invented kind of run: a topic, and its documents from rank 1 on


def read_listed(source: Source) -> list[Source]:
    """Return the same run in TREC's form."""
    topic, documents = source.read().decode().removeprefix("%LIST ").split(": ")
    lines = (f"{topic} Q0 {name} {rank} {-rank} x\n" for rank, name in enumerate(documents.split(), start=1))
    text = "".join(lines).encode()
    return [replace(source, raw=lambda: text, peek=None)]


LIST_KIND = Kind("listed run", "run", lambda look: look.head.startswith(b"%LIST"), read_listed)


@pytest.fixture
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "KINDS", (LIST_KIND, *KINDS))


def test_a_folder_with_an_invented_kind_of_run_loads_once_the_table_has_a_row_for_it(folder_of, invented):
    c = ec.load(folder_of({"qrels.txt": QRELS, "runs/a.txt": RUN, "runs/b.txt": LISTED}), use_cache=False)
    assert c.systems == ("a", "b")
    assert list(ec.evaluate("RR", c).loc["1"]) == [1, 0.5]  # b has the relevant d1 at rank 2


def test_the_last_row_accepts_any_file():
    assert kind_of(Source("file", lambda: b"Dear reader,\n")) is KINDS[-1]


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [  # two rows know each of them: the first row decides
        ("documents/d1.txt", RUN, "text"),
        ("topics.tsv", b"d1\t9\n", "queries"),
    ],
)
def test_the_first_row_that_knows_a_file_decides(name, content, kind):
    assert kind_of(Source(name, lambda: content)).name == kind


@pytest.mark.parametrize("tag", ["tag", "run", "system", "metric"])
def test_a_run_by_tabs_whose_tag_is_a_word_of_headers_is_a_run(tag):
    lines = "".join(f"1\tQ0\td{rank}\t{rank}\t{9 - rank}\t{tag}\n" for rank in range(1, 5))
    assert kind_of(Source("runs/a.txt", lines.encode)).name == "run"
