"""Parquet may be a stranger's: a few kilobytes may stand for much, so its stated sizes and the reading are bounded."""

from __future__ import annotations

import contextlib
import io
import itertools
import resource

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from bounded_support import printed_within
from pyarrow import parquet

import evalcore as ec
from evalcore import InputError, limits
from evalcore.data.parquet import read_parquet
from evalcore.limits import Bound

MEMORY = 1_500_000_000  # bytes of address space, of which Arrow, numpy and pandas take half when they are imported
RUN = ("a.run", b"q1 Q0 d1 1 1.0 t\n")


def written(table: pa.Table, **how: object) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, **how)
    return buffer.getvalue()


def one_text(rows: int, length: int) -> bytes:
    """Return a column with the same text in every row: stored once."""
    same = pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), pa.array(["x" * length]))
    table = pa.table({"topic": np.zeros(rows, np.int8), "document": same, "grade": np.zeros(rows, np.int8)})
    return written(table, compression="zstd", store_schema=False)


def varint(number: int, length: int = 0) -> bytes:
    """Return a whole number in Thrift's compact protocol, padded to so many bytes."""
    number *= 2
    found = bytearray()
    while number > 127 or len(found) + 1 < length:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def with_lying_footer(content: bytes, true: int, claimed: int) -> bytes:
    """Return the file with one number of its footer replaced by another of as many bytes."""
    begin = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    number = varint(true)
    assert number in content[begin:]
    return content[:begin] + content[begin:].replace(number, varint(claimed, len(number)))


def long_text() -> bytes:
    """One text of 120 MB, which compresses to a few kilobytes."""
    table = pa.table({"topic": ["q1"], "document": ["d1"], "grade": ["1" * 120_000_000]})
    return written(table, compression="zstd", use_dictionary=False, write_statistics=False)


def with_a_lie_on_its_size() -> bytes:
    content = long_text()
    size = parquet.ParquetFile(io.BytesIO(content)).metadata.row_group(0).column(2).total_uncompressed_size
    return with_lying_footer(content, size, 100)


BOMBS = {
    "a text in every row": (lambda: one_text(1_000_000, 2000), "(a zip bomb?)"),
    "a number in every row": (
        lambda: written(pa.table({"document": np.zeros(101_000_000, np.int8)})),
        "cells of a table",
    ),
    "nothing in every row": (lambda: written(pa.table({"document": pa.nulls(101_000_000)})), "cells of a table"),
    "a long text": (long_text, "(a zip bomb?)"),
    "a footer that lies about its size": (with_a_lie_on_its_size, "(a zip bomb?)"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("bomb", "problem"), BOMBS.values(), ids=BOMBS)
def test_a_compression_bomb_is_refused_before_it_needs_memory(bomb, problem, tmp_path):
    content = bomb()
    assert len(content) < 500_000
    (tmp_path / "qrels.parquet").write_bytes(content)
    code = (
        "import sys, evalcore as ec\n"
        f"try:\n    ec.load_files([('qrels.parquet', open(sys.argv[1], 'rb').read()), {RUN!r}])\n"
        "except ec.InputError as error:\n    print(error)\n"
    )
    printed = printed_within({resource.RLIMIT_AS: MEMORY}, code, str(tmp_path / "qrels.parquet"))
    assert printed.startswith("qrels.parquet: expected at most")
    assert problem in printed


def test_a_footer_with_too_few_rows_yields_no_more():
    content = with_lying_footer(written(pa.table({"topic": np.arange(5000)})), 5000, 1000)
    with contextlib.suppress(OSError, InputError):  # as Arrow sees it
        assert len(read_parquet(content, "t.parquet")) <= 1000


def test_every_form_of_page_is_read_as_arrow_reads_it(subtests):
    for compression, version, dictionary, page in list(
        itertools.product(["none", "snappy", "gzip", "zstd"], ["1.0", "2.0"], [True, False], [None, 500])
    ):
        with subtests.test(f"{compression}, {version}"):
            count = 3000
            table = pa.table(
                {
                    "topic": [f"q{row // 100}" for row in range(count)],
                    "document": [None if row % 7 == 0 else f"d{row}" for row in range(count)],
                    "score": np.random.default_rng(1).random(count),
                    "rank": np.arange(count) % 100,
                    "relevant": [row % 2 == 0 for row in range(count)],
                    "nothing": pa.nulls(count),
                    "kind": pa.array(["a", "b"] * (count // 2)).dictionary_encode(),
                    "date": pd.date_range("2020", periods=count),
                }
            )
            how = {
                "compression": compression,
                "data_page_version": version,
                "data_page_size": page,
                "row_group_size": 1100,
            }
            content = written(table, use_dictionary=dictionary, write_page_checksum=True, **how)
            expected = parquet.read_table(io.BytesIO(content)).replace_schema_metadata().to_pandas()
            expected["kind"] = expected["kind"].astype(expected["topic"].dtype)
            pd.testing.assert_frame_equal(read_parquet(content, "t.parquet"), expected)


@pytest.mark.parametrize("kind", [pa.list_(pa.int8()), pa.struct([("a", pa.int8())]), pa.binary(1000)])
def test_columns_of_anything_but_numbers_and_texts_are_refused(kind):
    content = written(pa.table({"topic": ["q1"], "document": ["d1"], "odd": pa.nulls(1, kind)}))
    with pytest.raises(
        InputError, match=r"t\.parquet: expected columns of numbers or text, found 'odd' of .*leave it out"
    ):
        ec.load_files([("t.parquet", content), RUN])


@pytest.mark.parametrize(
    ("name", "most", "table"),
    [
        ("table_columns", 3, {"topic": ["q1"], "document": ["d1"], "grade": [1], "other": [1]}),
        ("table_cells", 5, {"topic": ["q1"] * 2, "document": ["d1", "d2"], "grade": [1, 0]}),
        ("parquet_pages", 2, {"topic": ["q1"], "document": ["d1"], "grade": [1]}),
    ],
)
def test_one_more_than_a_limit_is_refused(monkeypatch, name, most, table):
    content = written(pa.table(table), use_dictionary=False)
    read_parquet(content, "t.parquet")
    monkeypatch.setitem(limits.BOUNDS, name, Bound(most, f"of {name}"))
    with pytest.raises(InputError, match=f"t.parquet: expected at most {most} of {name}, found"):
        read_parquet(content, "t.parquet")
