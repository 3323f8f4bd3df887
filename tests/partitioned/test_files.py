"""Folders of parts that are damaged, mixed up or of another time."""

from __future__ import annotations

import json
import os
import shutil

import pyarrow.parquet as pq
import pytest
from partitioned.invented import invented

import evalcore as ec


@pytest.fixture
def folder(tmp_path):
    return ec.partition(invented(1), tmp_path / "parts", topics_per_part=4)


def test_other_tools_read_it(folder):
    whole = invented(1)
    hits = pq.read_table(folder / "part-00000" / "hits.parquet").to_pandas()
    pool = pq.read_table(folder / "part-00000" / "pool.parquet").to_pandas()
    first = hits[(hits["system"] == 2) & (hits["topic"] == 3)]
    line = slice(*whole.rankings.indptr[2 * 11 + 3 : 2 * 11 + 5])
    assert first["rank"].tolist() == whole.rankings.rank[line].tolist()
    assert pool["document"][first["row"]].tolist() == whole.assessments.documents[whole.rankings.row[line]].tolist()


def test_a_folder_without_parts(tmp_path):
    with pytest.raises(ec.InputError, match=r"found no partitions\.json; ec\.partition writes one"):
        ec.open_partitions(tmp_path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "expected JSON"),
        ("[]", "format 2, found \\[\\]"),
        ('{"format": 99}', "format 2, found 99"),
        ('{"format": 2}', "expected what ec.partition wrote"),
    ],
)
def test_a_description_that_says_nothing(folder, text, problem):
    (folder / "partitions.json").write_text(text)
    with pytest.raises(ec.InputError, match=problem):
        ec.open_partitions(folder)


def test_a_missing_part(folder):
    shutil.rmtree(folder / "part-00001")
    with pytest.raises(ec.InputError, match=r"pool\.parquet: expected a readable file of the collection"):
        ec.evaluate("AP", ec.open_partitions(folder))


def test_a_part_of_another_collection(folder, tmp_path):
    other = ec.partition(invented(2), tmp_path / "other", topics_per_part=4)
    shutil.rmtree(folder / "part-00001")
    shutil.copytree(other / "part-00001", folder / "part-00001")
    with pytest.raises(ec.InputError, match="expected a file of this collection, found one of another"):
        ec.evaluate("AP", ec.open_partitions(folder))


def test_parts_that_changed_places(folder):
    for old, new in (("part-00000", "x"), ("part-00001", "part-00000"), ("x", "part-00001")):
        (folder / old).rename(folder / new)
    with pytest.raises(ec.InputError, match="found one of another"):
        ec.evaluate("AP", ec.open_partitions(folder))


def test_a_flipped_bit(folder):
    path = folder / "part-00002" / "hits.parquet"
    content = bytearray(path.read_bytes())
    meta = pq.read_metadata(path)
    column = meta.row_group(0).column(2)
    assert column.path_in_schema == "rank"
    content[(column.dictionary_page_offset or column.data_page_offset) + column.total_compressed_size - 5] ^= 1
    path.write_bytes(content)
    with pytest.raises(ec.InputError, match=r"hits\.parquet: expected a readable file"):
        ec.evaluate("AP", ec.open_partitions(folder))


@pytest.mark.skipif(os.name != "posix", reason="pipes are files only there")
@pytest.mark.parametrize("name", ["partitions.json", "part-00000/pool.parquet"])
def test_a_pipe_in_the_place_of_a_file_is_refused_at_once(folder, name):
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(ec.InputError, match=rf"{name}: expected a file, found a named pipe \(FIFO\)$"):
        ec.evaluate("AP", ec.open_partitions(folder))


def test_fewer_rows_than_were_written(folder):
    said = json.loads((folder / "partitions.json").read_text())
    said["parts"][0]["hits"] += 1
    (folder / "partitions.json").write_text(json.dumps(said))
    with pytest.raises(ec.InputError, match=r"rows as partitions\.json says, found"):
        ec.evaluate("AP", ec.open_partitions(folder))


def test_a_folder_that_became_another_while_open(folder, tmp_path):
    opened = ec.open_partitions(folder)
    shutil.rmtree(folder)
    ec.partition(invented(2), folder, topics_per_part=4)
    with pytest.raises(ec.InputError, match=r"expected the collection that was opened|found one of another"):
        ec.evaluate("AP", opened)
