"""From files to a collection: the options of `load`, and what the report says."""

from __future__ import annotations

import gzip
import math
import zipfile

import numpy as np
import pytest

import evalcore as ec

QRELS = b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n"
QREAD = b"1 0 d1 3\n2 0 d1 0\n"
RUN = b"1 Q0 d2 1 3 x\n1 Q0 new 2 2 x\n1 Q0 d1 3 4 x\n2 Q0 d1 1 1 x\n"
FILES = {"qrels.txt": QRELS, "qread.txt": QREAD, "runs/a.run": RUN, "runs/b.run": b"2 Q0 new 1 1 y\n"}

TOML = """
title = "Small"
description = "Two systems"
runs = ["runs/*"]
[aspects.relevance]
file = "qrels.txt"
grades = [0, 1, 2]
names = ["no", "some", "yes"]
missing = [-1]
[signals.spam]
file = "spam.txt"
[topics]
file = "topics.tsv"
"""
DECLARED = {
    "collection.toml": TOML.encode(),
    "qrels.txt": QRELS + b"2 0 d2 -1\n2 0 d3 0\n",
    "spam.txt": b"d1 85\nd2 95\n",
    "topics.tsv": b"1\tis asthma dangerous\n2\twhat is eczema\n",
    "runs/a.run.gz": gzip.compress(RUN),
}


def test_a_declared_collection(folder_of):
    c = ec.load(folder_of(DECLARED))
    assert (c.title, c.description, c.systems) == ("Small", "Two systems", ("a",))
    assert (c.aspects, c.signals) == (("relevance",), ("spam",))
    assert c.queries == {"1": "is asthma dangerous", "2": "what is eczema"}
    assert c.assessments.scale("relevance").names == ("no", "some", "yes")
    assert not [note for note in c.report.notes if note.kind == "inferred"]


def test_a_manifest_in_a_subfolder_names_files_of_its_folder(folder_of, tmp_path):
    around = {"notes.txt": b"see small", "small/old/qrels.txt": b"1 0 d1 9\n", "other/runs/c.run": RUN}
    files = around | {f"small/{name}": content for name, content in DECLARED.items()}
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    alone = ec.load(folder_of(DECLARED), use_cache=False)
    (tmp_path / "collection").rename(tmp_path / "alone")
    for c in (ec.load(folder_of(files)), ec.load(tmp_path / "all.zip"), ec.load_files(files.items())):
        assert (c.title, c.systems, c.queries) == ("Small", ("a",), alone.queries)
        assert c.assessments.frame().equals(alone.assessments.frame())
        assert c.rankings.rank.tolist() == alone.rankings.rank.tolist()


def test_files_one_by_one(folder_of):
    folder = folder_of({**FILES, "fog.txt": b"d1 9\n"})
    c = ec.load(
        runs=[folder / "runs" / "a.run", folder / "runs" / "b.run"],
        aspects={"runs": folder / "qrels.txt", "understandability": folder / "qread.txt"},
        signals={"fog": folder / "fog.txt"},
    )
    assert (c.systems, c.aspects, c.signals) == (("a", "b"), ("runs", "understandability"), ("fog",))
    assert (c.assessments.scale("fog").good, c.assessments.scale("fog").threshold) == ("low", 15)


def test_labels_by_document(folder_of):
    folder = folder_of(FILES)
    np.testing.assert_array_equal(ec.load(folder).assessments.column("understandability"), [3, math.nan, 0])
    c = ec.load(folder, labels="by-document")
    np.testing.assert_array_equal(c.assessments.column("understandability"), [3, math.nan, 3])
    assert "understandability: the first label of a document counts for all topics" in [n.text for n in c.report.notes]


def test_good_is_overruled(folder_of):
    c = ec.load(folder_of(FILES), good={"understandability": "low"})
    assert [c.assessments.scale(name).good for name in c.aspects] == ["high", "low"]


@pytest.mark.parametrize("good", [{"trust": "low"}, {"relevance": "left"}])
def test_a_good_end_needs_a_name_and_a_direction(good, folder_of):
    with pytest.raises(
        ec.InputError, match="expected `good` to map one of relevance, understandability to high or low, found"
    ):
        ec.load(folder_of(FILES), good=good)


# Report


def test_the_report_on_aspects(folder_of):
    columns = ec.load(folder_of(FILES)).report.columns
    assert columns.loc["understandability"].to_dict() == {
        "kind": "grades",
        "file": "qread.txt",
        "good": "high",
        "lowest": 0,
        "highest": 3,
        "levels": 2,
        "assessed": 2,
        "topics": 2,
    }


def test_the_report_on_the_real_runs(clef2015):
    systems = clef2015.report.systems
    assert systems["lines"].sum() == 2_649_598
    assert (systems["topics"] == 66).all()
    assert sorted(systems.index[systems["constant_rank"]]) == [f"KISTI_EN_RUN.{number}.dat" for number in range(1, 9)]
    assert set(systems["dropped_example"]) == {"", "qtest.62"}
    assert systems["assessed"].sum() == len(clef2015.rankings.rank)
    assert systems["assessed@10"].between(0, 1).all()


# Refused


def test_loading_needs_a_path_or_parts():
    with pytest.raises(ec.InputError, match=r"^expected a folder or zip, or runs and aspects, found neither$"):
        ec.load()


def test_loading_refuses_a_path_together_with_parts(folder_of):
    folder = folder_of(FILES)
    with pytest.raises(ec.InputError, match=r"expected a folder or zip, or runs and aspects, found both$"):
        ec.load(folder, signals={"fog": folder / "fog.txt"})


def test_several_files_for_one_aspect(folder_of):
    folder = folder_of(FILES)
    with pytest.raises(ec.InputError, match=r"runs: expected one file for relevance, found 2$"):
        ec.load(runs=folder / "runs", aspects={"relevance": folder / "runs"})


def test_one_name_for_an_aspect_and_a_signal(folder_of):
    folder = folder_of(FILES)
    with pytest.raises(ec.InputError, match="different names for aspects and signals, found one name for both"):
        ec.load(runs=folder / "runs", aspects={"x": folder / "qrels.txt"}, signals={"x": folder / "qread.txt"})
