"""Every form of runs and assessments, however it comes: known by content, reported, and scored as TREC files are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from data.forms import (
    METADATA,
    QREL_FORMS,
    RUN_FORMS,
    Qrels,
    Run,
    commented_qrels,
    json_dict,
    same,
    subtopic_qrels,
    three_columns,
    trec,
    trec_qrels,
    with_metadata,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore as ec

RUN: Run = {"1": {"d1": 3.0, "d2": 2.5, "d3": 0.1}, "2": {"d9": 1.25, "d1": -1e-05}}
QRELS: Qrels = {"1": {"d1": 0, "d2": 2, "d4": 1}, "2": {"d9": 1, "d1": -1}}
PAIRS = [
    *((("a.run", trec), form) for form in QREL_FORMS),
    *((form, ("qrels.txt", trec_qrels)) for form in RUN_FORMS[1:]),
]
Writer = Callable[[Mapping[str, Mapping[str, float]]], bytes]
Form = tuple[str, Writer]


def expected(run: Run = RUN, qrels: Qrels = QRELS) -> ec.Collection:
    return ec.load_files([("a.run", trec(run)), ("qrels.txt", trec_qrels(qrels))])


def notes(c: ec.Collection) -> list[tuple[str, str]]:
    return [(note.where, note.text) for note in c.report.notes]


@pytest.mark.parametrize(("run", "qrels"), PAIRS, ids=lambda form: form[1].__name__)
def test_every_format_gives_the_same_as_trec_files(run: Form, qrels: Form, folder_of: Callable[..., Path]):
    found = ec.load(folder_of({run[0]: run[1](RUN), qrels[0]: qrels[1](QRELS)}))
    assert found.aspects == ("relevance",)
    same(found, expected())


IDS = st.text(st.sampled_from("abcé1#-_."), min_size=1, max_size=6)
TOPICS = IDS.filter(lambda text: text[0] != "#")
SCORES = st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda x: x + 0.0) | st.sampled_from([0.1, 0.3, 1e-7])
RUNS = st.dictionaries(TOPICS, st.dictionaries(IDS, SCORES, min_size=1, max_size=6), min_size=1, max_size=4)
GRADES = st.dictionaries(
    TOPICS, st.dictionaries(IDS, st.integers(-2, 3), min_size=1, max_size=6), min_size=1, max_size=4
)


@pytest.mark.slow
@settings(max_examples=60)
@given(RUNS, GRADES, st.sampled_from(RUN_FORMS), st.sampled_from(QREL_FORMS))
def test_any_content_is_read_equally_from_every_format(run: Run, qrels: Qrels, run_form: Form, qrel_form: Form):
    shared = next(iter(qrels))
    run = {**run, shared: dict(next(iter(run.values())))}
    found = ec.load_files([(f"runs/{run_form[0]}", run_form[1](run)), (qrel_form[0], qrel_form[1](qrels))])
    same(found, ec.load_files([("runs/a.run", trec(run)), ("qrels.txt", trec_qrels(qrels))]))


# Written by their own tools


# Comments


QREL_LINES = b"1 0 d1 1\n1 0 d2 0\n"


def test_a_comment_is_no_topic():
    c = ec.load_files([("a.run", trec(RUN)), ("qrels.txt", b"# a b 1\n" + QREL_LINES)])
    assert c.topics == ("1",)
    assert ("qrels.txt", "1 comment line (#): kept as provenance") in notes(c)
    assert c.report.provenance == {"qrels.txt": "a b 1"}


def test_metadata_is_kept_as_it_is_written():
    c = ec.load_files([("a.run", with_metadata(RUN)), ("qrels.txt", commented_qrels(QRELS))])
    lines = [line.removeprefix("#").removeprefix(" ") for line in METADATA.splitlines()]
    assert c.report.provenance["a.run"] == "\n".join(lines)
    assert c.report.provenance["qrels.txt"].splitlines()[-2:] == ["a b 1", "topic iteration document grade"]


@pytest.mark.parametrize("line", [b"# 3 0 d1 1\n", b"#\n", b" # x\n", b"#qid iter docno rel\n", b"#by hand\n"])
def test_a_comment_may_stand_anywhere(line: bytes):
    for qrels in (line + QREL_LINES, QREL_LINES + line, line.join(QREL_LINES.splitlines(keepends=True))):
        assert ec.load_files([("a.run", trec(RUN)), ("qrels.txt", qrels)]).topics == ("1",)


def test_a_topic_may_begin_with_the_sign_of_comments():
    c = ec.load_files([("a.run", b"#1 Q0 d1 1 2 x\n"), ("qrels.txt", QREL_LINES + b"#1 0 d1 1\n")])
    assert c.topics == ("1", "#1")
    assert ec.evaluate("AP", c)["a"].tolist() == [0, 1]


def test_beside_such_a_topic_a_broken_line_is_no_comment(refusal):
    qrels = QREL_LINES + b"#1 0 d1 1\n#1 0 d2\n"
    expected = "qrels.txt line 4: expected 4 fields (topic iteration document relevance), found 3: '#1 0 d2'"
    assert refusal({"qrels.txt": qrels, "a.run": trec(RUN)}) == expected


@pytest.mark.slow
def test_a_header_longer_than_what_is_looked_at_first():
    header = b"# ir_metadata.start\n" + b"# line of metadata\n" * 10_000 + b"# ir_metadata.end\n"
    files = [
        ("a.run", header + trec(RUN)),
        ("qrels.txt", header + trec_qrels(QRELS)),
        ("b.csv", header + b"qid,docno,score\n1,d1,1\n"),
    ]
    c = ec.load_files(files)
    assert (c.systems, c.topics) == (("a", "b"), ("1", "2"))
    kept = "their first 100,000 characters kept as provenance"
    assert ("b.csv", f"10,002 comment lines (#): {kept}") in notes(c)


def test_errors_below_comments_name_the_line_of_the_file(refusal):
    expected = "qrels.txt line 4: expected a number as relevance label, found 'high'"
    assert refusal({"qrels.txt": b"# a\n" + QREL_LINES + b"1 0 d3 high\n", "a.run": trec(RUN)}) == expected


@pytest.mark.parametrize("run", [b"# nothing\n# at all\n", b"#\n", b" # "])
def test_a_file_of_comments_alone_is_refused(run: bytes, refusal):
    expected = "runs/a.run: expected a TREC run, found only comments"
    assert refusal({"qrels.txt": QREL_LINES, "runs/a.run": run}) == expected


# Runs


def test_in_three_columns_the_ranks_decide():
    run = b"1\td2\t2\n1\td1\t1\n2\td9\t1\n"
    c = ec.load_files([("a.tsv", run), ("qrels.txt", trec_qrels(QRELS))])
    assert [c.assessments.documents[row] for row in c.rankings.row] == ["d1", "d2", "d9"]
    assert ("a.tsv", "columns: topic, document, rank") in notes(c)


NO_RANKS = (
    "expected topic, document and rank (ranks are whole numbers, start at 0 or 1 and do not repeat within a topic)"
)
BROKEN_RUNS = {
    "scores in place of ranks": (b"1 d1 1\n1 d2 0.5\n", f"runs/a.tsv line 2: {NO_RANKS}, found 0.5"),
    "a rank twice": (b"1 d1 1\n1 d2 1\n", f"runs/a.tsv line 2: {NO_RANKS}, found rank 1 twice in one topic"),
    "ranks from 7": (b"1 d1 1\n2 d2 7\n", f"runs/a.tsv line 2: {NO_RANKS}, found 7 as the first rank of its topic"),
    "four columns": (
        b"1 d1 1\n1 0 d2 2\n",
        "runs/a.tsv line 2: expected 3 fields (topic document rank), found 4: '1 0 d2 2'",
    ),
    "a JSON mistake": (
        b'{"1": {"d1": 0.5,\n "d2": }}',
        "runs/a.json line 2: expected scores by topic (JSON), found an error: Expecting value",
    ),
    "a JSON word": (
        b'{"1": {"d1": 0.5,\n "d2": "x"}}',
        "runs/a.json: expected a number for topic '1', document 'd2', found 'x'",
    ),
    "a JSON list": (
        b'{"1": {"d1": 0.5},\n "2": ["d1"]}',
        "runs/a.json: expected an object of documents for topic '2', found a list",
    ),
    "a JSON line": (
        b'{"qid": "1", "docno": "d1", "score": 1}\n{"qid": "1"\n',
        "runs/a.jsonl line 2: expected an object (JSON), found an error: Expecting ',' delimiter",
    ),
    "a JSON line without a document": (
        b'{"qid": "1", "docno": "d1", "score": 1}\n{"qid": "1", "score": 2}\n',
        "runs/a.jsonl line 2: expected a document id without spaces, found an empty cell",
    ),
    "a JSON key twice": (
        b'{"qid": "1", "docno": "d1", "score": 1}\n{"qid": "1", "docno": "d2", "score": 2, "score": 3}\n',
        "runs/a.jsonl line 2: expected an object (JSON), found: 'score' twice in one object",
    ),
    "a CSV below comments": (
        b"# a\nqid,docno,score\n# b\n1,d1,high\n",
        "runs/a.csv line 4: expected a finite number as score, found 'high'",
    ),
    "CSV comments alone": (b"# qid,docno,score\n# b\n", "runs/a.csv: expected a TREC run, found only comments"),
}


@pytest.mark.parametrize("case", BROKEN_RUNS)
def test_a_broken_run_is_refused(case: str, refusal: Callable[[Mapping[str, bytes]], str]):
    content, message = BROKEN_RUNS[case]
    name = message.split(" ")[0].rstrip(":")
    assert refusal({"qrels.txt": QREL_LINES, "runs/b.run": trec(RUN), name: content}) == message


def test_a_run_without_ranks_is_refused_with_its_line(refusal):
    expected = "a.run line 2: expected a number as rank, found '-'"
    assert refusal({"qrels.txt": QREL_LINES, "a.run": b"1 Q0 d1 1 2 x\n1 Q0 d2 - 1 x\n"}) == expected


def test_a_run_of_passages_with_plain_assessments_gives_a_warning():
    c = ec.load_files([("qrels.txt", QREL_LINES), ("a.run", b"1 Q0 d2 1 1 x 12 30\n1 Q0 d1 2 2 x 0 9\n")])
    note = "these seem to be parts of documents (offset and length, or a path): read as whole documents"
    assert ("a.run", note) in notes(c)


def test_a_topic_given_twice_in_json_is_refused(refusal):
    text = b'{"1": {"d1": 0.5}, "1": {"d1": 0.25, "d2": 0.125}}'
    expected = "a.json line 1: expected scores by topic (JSON), found: '1' twice in one object"
    assert refusal({"a.json": text, "qrels.txt": QREL_LINES}) == expected


def test_other_json_is_not_read():
    about = [("meta.json", b'{"name": "bm25", "k1": 0.9}'), ("runs/config.json", b'{"b": 0.4}'), ("x.json", b"[1]")]
    c = ec.load_files([("runs/a.run", trec(RUN)), ("qrels.txt", QREL_LINES), about[0], about[2]])
    assert ("collection", "neither runs nor assessments, not read: meta.json, x.json") in notes(c)
    assert ec.load_files([("runs/a.run", trec(RUN)), ("qrels.txt", QREL_LINES), about[1]]).systems == ("a",)


def test_the_description_in_a_run_of_ntcir_is_a_comment():
    c = ec.load_files([("a.run", b"<SYSDESC>BM25, title</SYSDESC>\r\n" + trec(RUN)), ("qrels.txt", DIVERSITY)])
    assert c.report.provenance == {"a.run": "BM25, title"}
    same(c, ec.load_files([("a.run", trec(RUN)), ("qrels.txt", DIVERSITY)]))


# Assessments


def test_levels_of_ntcir_are_grades():
    c = ec.load_files([("a.run", trec(RUN)), ("www.qrels", b"1 d1 L2\r\n1 d2 L0\r\n2 d1 L4\r\n")])
    assert c.assessments.frame()["relevance"].tolist() == [2, 0, 4]
    assert ("www.qrels", "columns: topic, document, grade") in notes(c)


def test_a_bad_level_is_refused_where_it_stands(refusal):
    message = "www.qrels line 2: expected a number as relevance label, found 'Lx'"
    assert refusal({"a.run": trec(RUN), "www.qrels": b"1 d1 L2\n1 d2 Lx\n"}) == message


DIVERSITY = b"1 1 d1 0\n1 2 d1 2\n1 1 d2 1\n2 a d1 1\n"


def test_subtopics_are_kept_and_the_highest_grade_counts():
    c = ec.load_files([("a.run", trec(RUN)), ("qrels.txt", DIVERSITY)])
    assert c.assessments.frame()["relevance"].tolist() == [2, 1, 1]
    kept = [("1", "1", "d1", 0), ("1", "2", "d1", 2), ("1", "1", "d2", 1), ("2", "a", "d1", 1)]
    assert c.subtopics is not None
    assert list(c.subtopics.drop(columns="aspect").itertuples(index=False, name=None)) == kept
    assert (
        "qrels.txt",
        "the second column has several values within a topic: read as subtopics; a document's grade is the "
        "highest relevance in its lines (1 line merged)",
    ) in notes(c)


def test_two_grades_for_one_subtopic(refusal):
    expected = "expected one relevance label for topic '1', document 'd1', subtopic '2', found 1 after 2 in line 2"
    assert refusal({"a.run": trec(RUN), "qrels.txt": DIVERSITY + b"1 2 d1 1\n"}) == f"qrels.txt line 5: {expected}"


def test_an_iteration_is_no_subtopic():
    assert expected().subtopics is None


def test_a_part_of_a_collection_has_its_subtopics():
    c = ec.load_files([("a.run", trec(RUN)), ("qrels.txt", subtopic_qrels(QRELS))])
    one = ec.restrict(c, topics=["2"])
    assert one.subtopics is not None
    assert one.subtopics["topic"].unique().tolist() == ["2"]


BROKEN_QRELS = {
    "JSON with two grades": (
        "qrels.json",
        b'{"1": {"d1": 1,\n"d1": 2}}',
        "qrels.json line 1: expected scores by topic (JSON), found: 'd1' twice in one object",
    ),
    "ratings that are no list": (
        "qrels.json",
        b'{"judgmentRatings": 3}',
        "qrels.json line 1: expected a list under the key judgmentRatings, found a number",
    ),
    "no JSON after all": (
        "qrels.json",
        b"1 d1 1\n",
        "qrels.json line 1: expected TREC qrels (topic iteration document grade), found '1 d1 1'",
    ),
}


@pytest.mark.parametrize("case", BROKEN_QRELS)
def test_broken_assessments_are_refused(case: str, folder_of: Callable[..., Path]):
    name, content, message = BROKEN_QRELS[case]
    with pytest.raises(ec.InputError) as refused:
        ec.load(folder_of({"a.run": trec(RUN), name: content}))
    assert str(refused.value) == message


# Several files of one aspect


def test_other_judgements_called_binary_are_kept():
    graded, binary = b"1 0 d1 2\n1 0 d2 1\n1 0 d3 0\n", b"1 0 d1 0\n1 0 d2 1\n1 0 d3 0\n"
    files = [("a.run", trec(RUN)), ("qrels.graded.txt", graded), ("qrels.bin.txt", binary)]
    assert ec.load_files(files).aspects == ("relevance", "relevance (bin)")


# A folder of BEIR


BEIR = {
    "corpus.jsonl": b'{"_id": "d1", "title": "One", "text": "First text."}\n{"_id": "x", "title": "", "text": ""}\n',
    "queries.jsonl": b'{"_id": "1", "text": "what is it", "metadata": {}}\n{"_id": "77", "text": "of another split"}\n',
    "qrels/test.tsv": b"query-id\tcorpus-id\tscore\n1\td1\t1\n1\td2\t0\n",
    "qrels/train.tsv": b"query-id\tcorpus-id\tscore\n77\td1\t1\n",
    "runs/a.json": json_dict(RUN),
}


def test_a_folder_of_beir(folder_of: Callable[..., Path]):
    c = ec.load(folder_of(BEIR))
    assert (c.topics, c.systems, c.aspects) == (("1",), ("a",), ("relevance",))
    assert c.texts == {"d1": "One\n\nFirst text."}
    assert c.queries == {"1": "what is it"}
    assert ("corpus.jsonl", "read as the texts of the documents") in notes(c)
    assert ("queries.jsonl", "read as the queries of the topics") in notes(c)
    note = "not read: systems are scored on test, which has other topics; to read this file, name it in collection.toml"
    assert ("qrels/train.tsv", note) in notes(c)
    assert ec.load(folder_of(BEIR), manifest=c.manifest).texts == c.texts


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"_id": "d1", "text": "a"}\n{"_id": "d2"}', "line 2: expected an id (_id) and a text, found"),
        (
            b'{"_id": "d1", "text": "a"}\n{"_id": "d1", "text": "b"}',
            "line 2: expected each id once, found",
        ),
    ],
)
def test_broken_texts_do_not_prevent_loading(content: bytes, message: str):
    c = ec.load_files([*{**BEIR, "corpus.jsonl": content}.items()])
    assert not c.texts
    assert c.aspects == ("relevance",)
    (text,) = (note.text for note in c.report.notes if note.where == "corpus.jsonl" and note.kind == "dropped")
    assert text.startswith(f"not read: {message}")
    assert ec.load_files([*BEIR.items()], manifest=c.manifest).texts == {}


def test_three_columns_called_qrels_are_no_run(refusal):
    message = "qrels.tsv line 1: expected TREC qrels (topic iteration document grade), found '1\\td1\\t1'"
    assert refusal({"a.run": trec(RUN), "qrels.tsv": three_columns(RUN)}).startswith(message[:75])
