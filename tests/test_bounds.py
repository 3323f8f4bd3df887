"""Bounds of files: each reader is given one more than its bound, and says so before it takes memory for it."""

from __future__ import annotations

import io
import resource
import textwrap
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from bounded_support import printed_within
from pyarrow import parquet

import evalcore as ec
from evalcore import InputError
from evalcore.data import sources
from evalcore.data.score_tables import read_score_tables
from evalcore.data.sources import Source
from evalcore.limits import BOUNDS

QRELS = ("qrels.txt", b"q1 0 d1 1\nq2 0 d1 1\n")
RUN = ("runs/a.txt", b"q1 Q0 d1 1 1.0 t\nq2 Q0 d1 1 1.0 t\n")
MANIFEST = '[aspects.relevance]\nfile = "qrels.txt"\n'
DOCS = Path(__file__).parents[1] / "docs" / "security.md"


def load(*files: tuple[str, bytes], manifest: str | None = None) -> None:
    ec.load_files(files, manifest=manifest)


def scores(text: str) -> None:
    read_score_tables([Source("scores.csv", text.encode)], missing="zero")


def runs(count: int) -> list[tuple[str, bytes]]:
    return [(f"runs/{number}.txt", RUN[1]) for number in range(count)]


def a_zip(*members: tuple[str, bytes]) -> tuple[str, bytes]:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return "a.zip", buffer.getvalue()


def table(**columns: object) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def wide(columns: int) -> bytes:
    names = [f"c{number}" for number in range(columns)]
    return f"system,{','.join(names)}\na,{','.join(names)}\n".encode()


def with_links(table: str) -> list[tuple[str, bytes]]:
    return [QRELS, RUN, ("links.csv", b"source,target\nd1,d2\n"), ("components.csv", table.encode())]


def sourced(count: int) -> str:
    return "".join(f'[aspects.relevance.sources.s{number}]\nfile = "qrels.txt"\n' for number in range(count))


NAVIGATION = f'{MANIFEST}[navigation]\nlinks = "links.csv"\ncomponents = "components.csv"\n'
TWO_ASPECTS = 'runs = "runs/*"\n[aspects.a]\nfile = "qrels.txt"\n[aspects.b]\nfile = "qrels.txt"\n'

# For each bound: a smaller one in its place, an input that holds exactly that much, and one that holds one more.
Feed = tuple[int, Callable[[], object], Callable[[], object]]
FEEDS: dict[str, Feed] = {
    "file_bytes": (34, lambda: load(a_zip(QRELS, RUN)), lambda: load(a_zip(QRELS, (RUN[0], RUN[1] + b"\n")))),
    "archive_bytes": (54, lambda: load(QRELS, RUN), lambda: load(QRELS, (RUN[0], RUN[1] + b"\n"))),
    "archive_members": (2, lambda: load(a_zip(QRELS, RUN)), lambda: load(a_zip(QRELS, RUN, ("more.txt", b"")))),
    "ratio": (10, lambda: load(a_zip(QRELS, RUN)), lambda: load(a_zip((QRELS[0], QRELS[1] * 1000), RUN))),
    "toml_characters": (
        250_000,
        lambda: load(QRELS, RUN, manifest=MANIFEST.ljust(250_000, "#")),
        lambda: load(QRELS, RUN, manifest=MANIFEST.ljust(250_001, "#")),
    ),
    "toml_depth": (16, lambda: load(QRELS, RUN), lambda: load(QRELS, RUN, manifest=f"x = {'[' * 17}{']' * 17}")),
    "patterns": (
        2,
        lambda: load(QRELS, RUN, manifest=f"runs = 'runs/*'\n{MANIFEST}"),
        lambda: load(QRELS, RUN, manifest=f"runs = ['runs/*', 'runs/a*']\n{MANIFEST}"),
    ),
    "pattern_characters": (
        6,
        lambda: load(QRELS, RUN, manifest=f"runs = 'runs/*'\n{MANIFEST}"),
        lambda: load(QRELS, RUN, manifest=f"runs = 'runs/a*'\n{MANIFEST}"),
    ),
    "pattern_pairs": (
        (6 + 32) * (19 + 2 * 32),
        lambda: load(QRELS, RUN, manifest=f"runs = 'runs/*'\n{MANIFEST}"),
        lambda: load(QRELS, RUN, manifest=f"runs = 'runs/a*'\n{MANIFEST}"),
    ),
    "named": (
        2,
        lambda: load(QRELS, RUN, manifest=f"runs = 'runs/*'\n{MANIFEST}"),
        lambda: load(QRELS, RUN, manifest=f"runs = ['runs/*', 'runs/a*']\n{MANIFEST}"),
    ),
    "columns": (1, lambda: load(QRELS, RUN), lambda: load(QRELS, RUN, manifest=TWO_ASPECTS)),
    "sources": (
        100,
        lambda: load(QRELS, RUN, manifest=MANIFEST + sourced(99)),
        lambda: load(QRELS, RUN, manifest=MANIFEST + sourced(100)),
    ),
    "systems": (2, lambda: load(QRELS, *runs(2)), lambda: load(QRELS, *runs(3))),
    "topics": (2, lambda: load(QRELS, RUN), lambda: load(("qrels.txt", b"1 0 a 1\n2 0 a 1\n3 0 a 1\n"), RUN)),
    "rankings": (4, lambda: load(QRELS, *runs(2)), lambda: load(QRELS, *runs(3))),
    "labels": (2, lambda: load(QRELS, RUN), lambda: load(QRELS, RUN, manifest=TWO_ASPECTS)),
    "ids": (4, lambda: load(QRELS, RUN), lambda: load((QRELS[0], QRELS[1].replace(b"d1", b"d12")), RUN)),
    "id_bytes": (
        512,
        lambda: load((QRELS[0], QRELS[1].replace(b"d1", b"d" * 512)), RUN),
        lambda: load((QRELS[0], QRELS[1].replace(b"d1", b"d" * 513)), RUN),
    ),
    "components": (
        6,
        lambda: load(*with_links("id\nd1\nd2\nd3\n"), manifest=NAVIGATION),
        lambda: load(*with_links("id\nd1\nd2\nd3\nd4\n"), manifest=NAVIGATION),
    ),
    "line_bytes": (
        16,
        lambda: load(QRELS, RUN),
        lambda: load(QRELS, (RUN[0], RUN[1].replace(b" t\n", b" tag\n"))),
    ),
    "fields": (12, lambda: load(QRELS, RUN), lambda: load(QRELS, (RUN[0], RUN[1].replace(b" t\n", b" t\n\n")))),
    "table_columns": (
        5,
        lambda: load(QRELS, RUN, ("systems.csv", wide(4))),
        lambda: load(QRELS, RUN, ("systems.csv", wide(5))),
    ),
    "table_cells": (
        12,
        lambda: load(QRELS, RUN, ("systems.csv", wide(5))),
        lambda: load(QRELS, RUN, ("systems.csv", wide(6))),
    ),
    "parquet_pages": (
        6,
        lambda: load(("qrels.parquet", table(topic=["q1"], document=["d1"], grade=[1])), RUN),
        lambda: load(("qrels.parquet", table(topic=["q1"], document=["d1"], a=[1], b=[1])), RUN),
    ),
    "score_lines": (2, lambda: scores("topic,a\n1,1\n2,1\n"), lambda: scores("topic,a\n1,1\n2,1\n3,1\n")),
    "score_measures": (
        1,
        lambda: scores("topic,system,measure,score\n1,a,AP,1\n1,b,AP,1\n"),
        lambda: scores("topic,system,measure,score\n1,a,AP,1\n1,a,RR,1\n"),
    ),
    "scores": (
        4,
        lambda: scores("topic,system,score\n1,a,1\n2,b,1\n"),
        lambda: scores("topic,system,score\n1,a,1\n2,b,1\n3,b,1\n"),
    ),
}


def with_most(monkeypatch: pytest.MonkeyPatch, name: str, most: int) -> None:
    monkeypatch.setitem(BOUNDS, name, replace(BOUNDS[name], most=most))
    monkeypatch.setattr(sources, "RATIO_FROM", 0)


@pytest.mark.parametrize("name", BOUNDS)
def test_as_much_as_a_bound_is_read_and_one_more_is_refused(name, monkeypatch):
    most, as_much, more = FEEDS[name]
    with_most(monkeypatch, name, most)
    as_much()
    with pytest.raises(InputError, match=r"expected (at most|.* at most|an id of at most)"):
        more()


def test_each_bound_is_in_the_documentation():
    text = DOCS.read_text()
    assert [line for line in rows() if line not in text] == []


def rows() -> list[str]:
    return [f"| {bound.words} | {bound.most:,} |" for bound in BOUNDS.values()]


# Inputs that each file alone may hold, multiplied. Without a bound each takes more than 5 GB, or many minutes.
PRODUCTS = {
    "runs x topics": """
        files = [("qrels.txt", b"".join(b"%d 0 d 1\\n" % topic for topic in range(199_499)))]
        files += [(f"runs/{run}.txt", b"1 Q0 d 1 1.0 t\\n") for run in range(2_000)]
        ec.load_files(files)
    """,
    "aspects x documents": """
        lines = b"".join(b"1 0 d%d %s\\n" % (row, b"1 " * 499) for row in range(50_000))
        ec.load_files([("qrels.txt", lines), ("runs/a.txt", b"1 Q0 d 1 1.0 t\\n")])
    """,
    "keys of rows of JSON": """
        rows = b"".join(b'{"topic": "1", "document": "d%d", "k%d": 1}\\n' % (row, row) for row in range(30_000))
        ec.load_files([("qrels.jsonl", rows), ("runs/a.txt", b"1 Q0 d 1 1.0 t\\n")])
    """,
    "fields of one line": """
        ec.load_files([("qrels.txt", b"1 0 d 1\\n" + b"1 " * 200_000_000), ("runs/a.txt", b"1 Q0 d 1 1.0 t\\n")])
    """,
}


@pytest.mark.slow
@pytest.mark.parametrize("code", PRODUCTS.values(), ids=PRODUCTS)
def test_a_product_of_bounded_numbers_is_refused_in_words(code):
    script = f"import evalcore as ec\ntry:\n{textwrap.indent(textwrap.dedent(code), '    ')}\n"
    script += "except ec.InputError as error:\n    print(error)\n"
    most = {resource.RLIMIT_AS: 4_000_000_000, resource.RLIMIT_CPU: 60}
    assert "expected at most" in printed_within(most, script)
