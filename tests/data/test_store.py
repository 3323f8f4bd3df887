"""Folders of collections that are damaged, mixed up or of another time."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from functools import partial
from operator import attrgetter

import pandas as pd
import pytest
from scale.invented import invented

import evalcore as ec
from evalcore.data.store import read_about, read_part, read_report, write_about, write_part

OTHER = "expected the file that was written with this collection, found another content"


@pytest.fixture
def folder(tmp_path):
    return ec.partition(invented(1), tmp_path / "parts", topics_per_part=4)


def test_other_tools_read_it(folder):
    whole = invented(1)
    pool, hits, rankings = (
        pd.read_feather(folder / "part-00000" / f"{name}.arrow") for name in ("pool", "hits", "rankings")
    )
    at = 2 * 4 + 3  # system 2, topic 3 of the 4 in this part
    first = hits[rankings["hits"][:at].sum() :][: rankings["hits"][at]]
    line = slice(*whole.rankings.indptr[2 * 11 + 3 : 2 * 11 + 5])
    assert first["rank"].tolist() == whole.rankings.rank[line].tolist()
    assert pool["document"][first["row"]].tolist() == whole.assessments.documents[whole.rankings.row[line]].tolist()


def test_a_folder_without_parts(tmp_path):
    with pytest.raises(ec.InputError, match=r"found no partitions\.json; ec\.partition writes one"):
        ec.open_partitions(tmp_path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", r"expected a collection in parts \(JSON\), found"),
        ("[" * 100_000, r"expected a collection in parts \(JSON\), found"),
        ("[]", "an object, found a list"),
        ('{"format": 3}', r"format 4, found 3: partition it again"),  # of before there were sources
        ('{"format": 4}', "expected what ec.partition wrote"),
    ],
)
def test_a_description_that_cannot_be_used(folder, text, problem):
    (folder / "partitions.json").write_text(text)
    with pytest.raises(ec.InputError, match=problem):
        ec.open_partitions(folder)


def test_a_missing_part(folder):
    shutil.rmtree(folder / "part-00001")
    with pytest.raises(ec.InputError, match=r"pool\.arrow: expected a file that can be read, found: No such file"):
        ec.evaluate("AP", ec.open_partitions(folder))


def test_a_part_of_another_collection(folder, tmp_path):
    other = ec.partition(invented(2), tmp_path / "other", topics_per_part=4)
    shutil.rmtree(folder / "part-00001")
    shutil.copytree(other / "part-00001", folder / "part-00001")
    with pytest.raises(ec.InputError, match=OTHER):
        ec.evaluate("AP", ec.open_partitions(folder))


def test_parts_that_changed_places(folder):
    for old, new in (("part-00000", "x"), ("part-00001", "part-00000"), ("x", "part-00001")):
        (folder / old).rename(folder / new)
    with pytest.raises(ec.InputError, match=OTHER):
        ec.evaluate("AP", ec.open_partitions(folder))


@pytest.mark.parametrize("place", ["systems", "part-00002/hits", "part-00002/rankings"])
def test_a_flipped_bit(folder, place):
    path = folder / f"{place}.arrow"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(ec.InputError, match=rf"{place}\.arrow: {OTHER}"):
        ec.open_partitions(folder).in_memory()


@pytest.mark.skipif(os.name != "posix", reason="pipes are files only there")
@pytest.mark.parametrize("name", ["partitions.json", "part-00000/pool.arrow"])
def test_a_pipe_in_the_place_of_a_file_is_refused_at_once(folder, name):
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(ec.InputError, match=rf"{name}: expected a file, found a named pipe \(FIFO\)$"):
        ec.evaluate("AP", ec.open_partitions(folder))


def test_another_number_of_rows_than_was_written(folder):
    path = folder / "partitions.json"
    path.write_text(path.read_text().replace('"rows": ', '"rows": 1'))
    with pytest.raises(ec.InputError, match=r"partitions\.json: expected what ec\.partition wrote.*its digest differs"):
        ec.open_partitions(folder)


# What somebody made up, with digests as they should be


@pytest.mark.parametrize(
    ("structure", "field", "moved_by", "ask", "problem"),
    [
        ("rankings", "row", 10**6, partial(ec.evaluate, "AP"), "expected row from 0 to below"),
        ("rankings", "length", -100, partial(ec.evaluate, "AP"), "expected length from 0 to below"),
        ("assessments", "topic", 4, attrgetter("assessments"), "expected topic from 0 to below 4"),  # as many in a part
    ],
)
def test_numbers_out_of_range_are_refused_first(folder, structure, field, moved_by, ask, problem):
    about, part = read_about(folder), read_part(folder, read_about(folder), 0)
    numbers = getattr(part, structure)
    part = replace(part, **{structure: replace(numbers, **{field: getattr(numbers, field) + moved_by})})
    facts = write_part(folder, 0, part.assessments, part.rankings, {})
    write_about(folder, replace(about, parts=(facts, *about.parts[1:])), read_report(folder, about))
    with pytest.raises(ec.InputError, match=f"part-00000: {problem}"):
        ask(ec.open_partitions(folder))


def test_systems_that_no_file_knows(folder):
    about = read_about(folder)
    write_about(folder, replace(about, systems=(*about.systems, "x")), read_report(folder, about))
    parts = ec.open_partitions(folder)
    with pytest.raises(ec.InputError, match="expected a report on the systems"):
        parts.report  # noqa: B018
    with pytest.raises(ec.InputError, match=r"part-00000: expected what ec\.partition wrote"):
        parts.rankings.length  # noqa: B018


def test_a_folder_that_became_another_while_open(folder, tmp_path):
    opened = ec.open_partitions(folder)
    shutil.rmtree(folder)
    ec.partition(invented(2), folder, topics_per_part=4)
    with pytest.raises(ec.InputError, match=f"expected the collection that was opened|{OTHER}"):
        ec.evaluate("AP", opened)
