"""Runs and labels are distinguished by their content, if neither name nor form says it."""

from __future__ import annotations

import json

import pytest

import evalcore as ec
from evalcore.data.kinds import kind_of
from evalcore.data.runs_or_labels import is_measure
from evalcore.data.sources import Source

TOPICS, DOCUMENTS = ("101", "102", "103"), [f"d{at}" for at in range(1, 9)]
RUN = "".join(f"{t} Q0 {d} {at} {9.5 - at} x\n" for t in TOPICS for at, d in enumerate(DOCUMENTS)).encode()
QRELS = "".join(f"{t} 0 {d} {at % 3}\n" for t in TOPICS for at, d in enumerate(DOCUMENTS)).encode()
RANKED = json.dumps({t: {d: 20 - at for at, d in enumerate(DOCUMENTS)} for t in TOPICS}).encode()
GRADED = json.dumps({t: {d: at % 3 for at, d in enumerate(DOCUMENTS)} for t in TOPICS}).encode()
EITHER = b'{"101": {"d1": 2}, "102": {"d2": 1}}'


def lines(text: str) -> bytes:
    """A line for each document of each topic; {at} is its number."""
    return "".join(
        text.format(t=t, d=d, at=at, g=at % 3) + "\n" for t in TOPICS for at, d in enumerate(DOCUMENTS, 1)
    ).encode()


@pytest.mark.parametrize(
    ("name", "content", "purpose"),
    [
        ("a.json", RANKED, "run"),
        ("a.json", GRADED, "aspect"),
        ("run.json", GRADED, "run"),  # the name says it
        ("qrels.json", RANKED, "aspect"),
        ("a.csv", b"qid,docno,score\n" + lines("{t},{d},{g}"), "aspect"),
        ("a.csv", b"qid,docno,score\n" + lines("{t},{d},{at}0"), "run"),
        ("a.txt", lines("{t} 0 {d} {at} 30 7"), "run"),  # ranks 1, 2, 3, ... and numbers as scores and tag
        ("a.txt", lines("{t} 0 {d} {g} 1 0"), "aspect"),
        ("qrels.txt", lines("{t} Q0 {d} {g} 1 1"), "aspect"),
        ("a.txt", b"101 Q0 doc 1 1 1\n", "run"),
        ("a.txt", lines("{t} {d} {g}"), "aspect"),
        ("a.txt", lines("{t} {d} {at}"), "run"),
    ],
)
def test_numbers_beside_documents(name: str, content: bytes, purpose: str):
    assert kind_of(Source(name, lambda: content)).purpose == purpose


def test_ambiguous_numbers_are_asked_about_whatever_files_surround_them():
    c = ec.load_files([("a.run", RUN), ("x.json", EITHER)])
    (question,) = (note for note in c.report.notes if note.kind == "question")
    assert question.where == "x.json"
    assert (
        "whole numbers that could be ranks or grades of documents: read as assessments; are they a run?"
        in question.text
    )


@pytest.mark.parametrize("other", [("qrels.txt", QRELS), ("y.json", EITHER)])
def test_ambiguous_files_are_not_read_as_runs_only_because_runs_are_missing(other: tuple[str, bytes]):
    c = ec.load_files([other, ("x.json", EITHER)])
    assert not c.systems
    assert "x.json" in [note.where for note in c.report.notes if note.kind == "question"]


@pytest.mark.parametrize(
    "name", ["map", "P_10", "ndcg_cut_10", "nDCG@10", "Rprec", "AP(rel=2)", "num_rel_ret", "recip_rank"]
)
def test_names_of_measures_of_tools_are_recognised(name: str):
    assert is_measure(name)


@pytest.mark.parametrize(
    "name", ["d1", "clueweb09-en0000-00-00000", "q1", "MB01", "relevance", "fog", "APW19980601.0001"]
)
def test_other_names_are_not_taken_for_measures(name: str):
    assert not is_measure(name)


# --- files beside them -----------------------------------------------------------------------------------------------


def test_our_own_scores_beside_the_runs_are_not_runs():
    c = ec.load_files([("runs/a.txt", RUN), ("qrels.txt", QRELS)])
    table = ec.evaluate("AP", c).rename_axis("topic").reset_index().to_csv(index=False).encode()
    assert ec.load_files([("runs/a.txt", RUN), ("qrels.txt", QRELS), ("runs/AP.csv", table)]).systems == ("a",)


def test_a_spreadsheet_with_the_only_labels_gets_advice(refusal):
    text = refusal({"runs/a.txt": RUN, "qrels.xlsx": b"PK\3\4"})
    assert text.endswith("; qrels.xlsx: a spreadsheet workbook; save its sheet as CSV")


# --- topics that a table made decimal numbers -------------------------------------------------------------------------


def test_decimal_topics_of_a_run_are_refused_with_what_to_write(refusal):
    said = refusal({"a.run": RUN.replace(b" Q0", b".0 Q0"), "qrels.txt": QRELS})
    assert "in the assessments; if these are one topic, use the same form in both: '101' or '101.0'" in said


def test_a_run_that_lists_1_and_1_0_has_two_topics_of_which_one_is_assessed():
    run = b"1.0 Q0 d1 1 3 a\n1 Q0 d2 1 2 a\n"
    c = ec.load_files([("a.run", run), ("qrels.txt", b"1.0 0 d1 1\n1.0 0 d2 1\n")])
    assert c.topics == ("1.0",)
    assert ec.evaluate("AP", c).loc["1.0", "a"] == 0.5  # d2 stands under the other topic


# --- numbers that could be either, beside runs and labels -----------------------------------------------------------


def either(documents: list[str], numbers: list[int]) -> ec.Collection:
    """Load a run with unlabelled documents, labels, and JSON of whole numbers, under names that do not say its kind."""
    run = "".join(f"{t} Q0 x{at} {at} {40 - at} r\n{t} Q0 d{at} {at} {39.5 - at} r\n" for t in "12" for at in range(9))
    labels = "".join(f"{t} 0 {d} {at % 3}\n" for t in "12" for at, d in enumerate(f"d{at}" for at in range(20)))
    found = {t: dict(zip(documents, numbers, strict=True)) for t in "12"}
    files = {"a.txt": run, "qrels.txt": labels, "odd.json": json.dumps(found)}
    return ec.load_files([(name, text.encode()) for name, text in files.items()])


def notes_on(c: ec.Collection, name: str) -> set[str]:
    return {note.kind for note in c.report.notes if note.where == name and "could" in note.text}


TIED = [30 - at // 2 for at in range(30)]  # as whole-number scores with ties: more levels than grades have


def test_ambiguous_numbers_are_asked_about():
    assert notes_on(either([f"z{at}" for at in range(30)], TIED), "odd.json") == {"question"}


# --- shapes of files in use -------------------------------------------------------------------------------------------


def test_products_are_documents_and_a_variance_is_no_label():
    rows = [f"{t},{d},{at % 3},0.5" for t in TOPICS for at, d in enumerate(DOCUMENTS)]
    labels = "\n".join(["query,product_id,median_relevance,relevance_variance", *rows]).encode()
    ranked = "\n".join(["query,product_id,score", *(f"{t},d1,0.5" for t in TOPICS)]).encode()
    c = ec.load_files([("train.csv", labels), ("submission.csv", ranked)])
    assert (c.systems, c.aspects) == (("submission",), ("relevance",))


def test_texts_beside_a_run_are_no_broken_run():
    texts = b"101\td1\twhat is it\tsome passage of text\n102\td1\twhat is that\tanother passage\n"
    ranked = "".join(f"{t}\t{d}\t{at}\n" for t in TOPICS for at, d in enumerate(DOCUMENTS, 1)).encode()
    c = ec.load_files([("run.dev.tsv", ranked), ("top1000.dev.tsv", texts), ("qrels.dev.tsv", QRELS)])
    assert any(note.where == "top1000.dev.tsv" for note in c.report.notes if note.kind == "dropped")
