"""Kinds of files, if no `collection.toml` says what they are."""

from __future__ import annotations

import pytest
from data.forms import zipped

import evalcore as ec
from evalcore.data.infer import LABELS_FORM, RUNS_FORM
from evalcore.data.kinds import kind_of
from evalcore.data.manifest import parse_manifest
from evalcore.data.names import aspect_name
from evalcore.data.roles import columns_text
from evalcore.data.sources import Source

QRELS = b"1 0 d1 1\n1 0 d2 0\n"
RUN = b"1 Q0 d1 1 3.0 x\n1 Q0 d2 2 2.0 x\n"
KINDS = {
    "run": b"1 Q0 d1 1 3.0 x\n",
    "table of runs": b"qid,docid,rank\n1,d1,1\n",
    "qrels": b"1 0 d1 1\n",
    "qrels with a word": b"1 0 d1 high\n",
    "qrels of two aspects": b"1 0 d1 1 0\n",
    "table of grades": b"topic\tdocid\trelevance\n1\td1\t1\n",
    "signal": b"d1 9.5\n",
    "signal without a header": b"d1,9.5\nd2,7\n",
    "no known kind of file: list": b"a,b,c\n",
    "no known kind of file: quotes": b"a,b\rc,docid\n",
    "no known kind of file: run of five columns": b"1 Q0 d1 1 3.0\n",
    "no known kind of file: page": b"<html>",
    "no known kind of file: prose": b"Dear reader,\nthis is prose.\n",
}


@pytest.mark.parametrize("case", KINDS)
def test_a_file_is_known_by_its_first_lines(case):
    assert case.startswith(kind_of(Source("file", lambda: KINDS[case])).name)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("documents/d1.txt", "text"),
        ("README.md", "no known kind of file"),
        ("a.run.png", "no known kind of file"),
        ("topics.tsv", "queries"),
    ],
)
def test_a_file_is_known_by_its_name(name, kind):
    assert kind_of(Source(name, lambda: b"1\tis asthma dangerous\n")).name == kind


@pytest.mark.parametrize(
    ("name", "aspect"),
    [
        ("qrels.eng.clef2015.qtest.graded.txt", "relevance"),
        ("qread.eng.txt", "understandability"),
        ("task2.qtrust", "trustworthiness"),
        ("misinfo-credibility.gz", "credibility"),
        ("qrels.understandability", "understandability"),  # qrels are labels, whatever the rest says
        ("task1-quality.qrels", "quality"),
        ("other.txt", "other"),
    ],
)
def test_an_aspect_is_called_after_its_file(name, aspect):
    assert aspect_name(Source(name, bytes)) == aspect


def notes(c: ec.Collection, kind: str) -> list[tuple[str, str]]:
    return [(note.where, note.text) for note in c.report.notes if note.kind == kind]


def test_inferred_facts_are_reported():
    c = ec.load_files([("a.run", RUN), ("qrels.txt", QRELS), ("fog.txt", b"d1 9\nd2 7\n"), ("notes.md", b"x")])
    assert notes(c, "inferred") == [
        ("collection", "no collection.toml: the purpose of each file was inferred"),
        ("a.run", "columns: topic, document, rank, score; not read: Q0, tag"),
        ("qrels.txt", "columns: topic, document, grade; not read: iteration"),
        ("fog.txt", "columns: column 1 is the document, column 2 is the value"),
        ("qrels.txt", "read as relevance, high is good"),
        ("fog.txt", "read as fog, low is good"),
        (
            "qrels.txt",
            "relevance labels 0, 1: assumed that above 0 is positive; declare grades in collection.toml to change this",
        ),
    ]
    assert notes(c, "dropped") == [("collection", "neither runs nor assessments, not read: notes.md")]


@pytest.mark.parametrize(
    ("files", "aspects"),
    [
        ({"gold.txt": QRELS, "qread.txt": QRELS}, ("relevance", "understandability")),
        ({"labels.txt": b"1 0 d1 1 2\n1 0 d2 0 1\n"}, ("relevance", "aspect2")),
        ({"gold.txt": QRELS, "qrels.txt": QRELS}, ("relevance", "gold")),
        ({"gold.txt": QRELS, "silver.txt": QRELS}, ("gold", "silver")),
        ({"labels.csv": b"topic,docid,novelty\n1,d1,1\n"}, ("novelty",)),
    ],
)
def test_the_one_unnamed_file_of_labels_holds_relevance_if_no_other_does(files, aspects):
    assert ec.load_files([("a.run", RUN), *files.items()]).aspects == aspects


def test_more_grades_are_preferred():
    graded = b"1 0 d1 2\n1 0 d2 0\n1 0 d3 1\n"
    c = ec.load_files([("a.run", RUN), ("qrels.bin.txt", QRELS), ("qrels.graded.txt", graded)])
    assert c.assessments.scale("relevance").grades == (0, 1, 2)
    note = "not read: qrels.graded.txt has the same relevance labels, with at least as many grades"
    assert ("qrels.bin.txt", note) in notes(c, "inferred")


def test_of_two_files_of_labels_the_one_named_relevance_is_read_by_default():
    c = ec.load_files([("a.run", RUN), ("qrels.llm.txt", QRELS), ("qrels.relevance.txt", QRELS)])
    assert c.assessments.sources["relevance"].default == "assessors"
    assert [*c.assessments.sources["relevance"].labels] == ["assessors", "llm"]


@pytest.mark.parametrize(
    ("name", "good"), [("flesch", "high"), ("flesch_kincaid", "low"), ("gunning_fog", "low"), ("pagerank", "high")]
)
def test_which_end_of_a_signal_is_good(name: str, good: str):
    c = ec.load_files([("a.run", RUN), ("qrels.txt", QRELS), (f"{name}.txt", b"d1 9\nd2 7\n")])
    assert c.assessments.scale(name).good == good


def test_low_is_good_for_harm():
    c = ec.load_files([("a.run", RUN), ("qrels.txt", QRELS), ("qrels.harmful", QRELS)])
    assert c.aspects == ("relevance", "harmfulness")
    assert c.assessments.scale("harmfulness").good == "low"


def test_a_list_of_harmful_documents_alone_says_how_few_it_covers():
    c = ec.load_files([("a.run", RUN), ("qrels.txt", QRELS), ("qrels.harmful-only", b"1 0 d1 2\n")])
    assert c.aspects == ("relevance", "harmfulness")
    assert any(where == "qrels.harmful-only" and "their gain is 0" in text for where, text in notes(c, "warning"))


@pytest.mark.parametrize(
    ("files", "systems"),
    [
        (["Elrond/output/run.txt", "Pippin Took/output/run.txt"], ("Elrond", "Pippin Took")),
        (["a/run1.txt", "a/run2.txt", "b/run1.txt"], ("a_run1", "b_run1", "run2")),
        (["bm25.txt", "old/bm25.txt"], ("bm25", "old_bm25")),
    ],
)
def test_runs_with_the_same_file_name_are_named_after_their_folders(files: list[str], systems: tuple[str, ...]):
    c = ec.load_files([("runs.zip", zipped({**dict.fromkeys(files, RUN), "qrels.txt": QRELS}))])
    assert c.systems == systems


def test_the_inferred_manifest_reads_the_same_files():
    files = [("my [1].zip", zipped({"c/qrels.txt": QRELS, "c/runs [a]/x.run": RUN, "c/runs [a]/old/y.txt": b"?"}))]
    c = ec.load_files(files)
    assert parse_manifest(c.manifest).runs == ("runs [[]a]/x.run",) or c.systems == ("x",)
    again = ec.load_files(files, manifest=c.manifest)
    assert (again.systems, again.aspects) == (c.systems, c.aspects) == (("x",), ("relevance",))


# Nothing usable, or something broken


def test_a_folder_without_runs(refusal):
    said = columns_text("qrels.txt")
    expected = f"expected {RUNS_FORM}, found only assessments (qrels.txt). If they are scores, name the columns in"
    assert refusal({"qrels.txt": QRELS}) == f"{expected} a collection.toml: {said}"


def test_a_folder_without_assessments(refusal):
    expected = f"expected assessments, {LABELS_FORM}, found files that all seem to be runs (a.run, b.run)"
    hint = "; name their file in a collection.toml: `aspects.relevance.file = NAME`"
    assert refusal({"a.run": RUN, "b.run": RUN}) == expected + hint


def test_an_empty_folder(tmp_path):
    with pytest.raises(ec.InputError, match=r"^expected TREC runs .*, found no files$"):
        ec.load(tmp_path)


def test_a_file_among_runs_that_is_not_a_run_is_refused(refusal):
    files = {"qrels.txt": QRELS, "runs/a.txt": RUN, "runs/b.txt": b"Dear reader,\n"}
    assert refusal(files).startswith("runs/b.txt line 1: expected 6 fields")


# Real files


@pytest.mark.slow
def test_clef_2015(clef2015):
    assert (len(clef2015.systems), len(clef2015.topics)) == (40, 66)
    assert clef2015.aspects == ("relevance", "understandability")
    assert clef2015.assessments.scale("relevance").grades == (0, 1, 2)
    assert clef2015.assessments.scale("understandability").grades == (0, 1, 2, 3)
    skipped = [where for where, text in notes(clef2015, "inferred") if text.startswith("not read")]
    assert sorted(skipped) == ["qread.eng.clef2015.qtest.bin.txt", "qrels.eng.clef2015.qtest.bin.txt"]
    assert "official/ECNU_EN_Run.1.dat.urbp" in notes(clef2015, "dropped")[0][1]


@pytest.mark.slow
def test_clef_2016(clef2016):
    assert (len(clef2016.systems), len(clef2016.topics)) == (16, 50)
    assert set(clef2016.aspects) == {"relevance", "understandability", "trustworthiness"}
    assert clef2016.assessments.scale("understandability").continuous
