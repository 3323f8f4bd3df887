"""Reading TREC runs: order, ties, repeats, and every way in which a run can be broken."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass

import numpy as np
import pytest
import pytrec_eval
from hypothesis import example, given, settings
from hypothesis import strategies as st

import evalcore as ec
from evalcore.common.constants import ORDERS
from evalcore.data import pool_index as index
from evalcore.data import runs
from evalcore.data.assessments import read_qrels
from evalcore.data.build_pool import build_pool
from evalcore.data.fields import blocks
from evalcore.data.pool_index import PoolIndex
from evalcore.data.runs import read_rankings
from evalcore.data.sources import Source, from_path
from evalcore.structures.documents import Assessments, Scale

QRELS = b"1 0 d1 1\n1 0 d2 0\n1 0 d3 2\n2 0 d1 1\n"
GOOD = b"1 Q0 d1 1 3.0 good\n1 Q0 d2 2 2.0 good\n2 Q0 d1 1 1.0 good\n"


def pool_of(qrels: bytes) -> Assessments:
    return build_pool([read_qrels(Source("qrels.txt", lambda: qrels), Scale("relevance"))])


def ranked(run: bytes, order: str = "score", qrels: bytes = QRELS) -> dict[str, list[tuple[int, str]]]:
    """Rank and id of the assessed documents of each topic."""
    pool = pool_of(qrels)
    rankings, _, _ = read_rankings([Source("a.run", lambda: run)], pool, order)  # type: ignore[arg-type]
    bounds = zip(pool.topics, rankings.indptr, rankings.indptr[1:], strict=False)
    return {
        topic: [(int(rankings.rank[hit]), pool.documents[rankings.row[hit]]) for hit in range(begin, end)]
        for topic, begin, end in bounds
    }


def facts(run: bytes, order: str = "score") -> dict[str, object]:
    return read_rankings([Source("a.run", lambda: run)], pool_of(QRELS), order)[1][0]  # type: ignore[arg-type]


# Order


def test_ties_are_ordered_by_document_id_descending():
    assert ranked(b"1 Q0 d2 1 7 x\n1 Q0 d3 2 7 x\n1 Q0 d1 3 7 x\n")["1"] == [(1, "d3"), (2, "d2"), (3, "d1")]


def test_the_urbp_tool_reads_a_constant_rank_column_as_1_3_4():
    run = b"1 Q0 d2 0 1 x\n1 Q0 d1 0 3 x\n1 Q0 d3 0 2 x\n2 Q0 d1 0 1 x\n"
    assert ranked(run, "urbp-tool") == {"1": [(1, "d2"), (3, "d1"), (4, "d3")], "2": [(1, "d1")]}


@dataclass(frozen=True)
class Line:
    topic: str
    document: str
    rank: int
    score: str


def single(score: str) -> np.float32:
    with np.errstate(over="ignore"):
        return np.float32(float(score))


def slow_ranking(lines: list[Line], order: str, assessed: set[tuple[str, str]]) -> dict[str, list[tuple[int, str]]]:
    """The obvious reader: lists and sorts of Python objects."""
    constant = len(lines) > 1 and len({line.rank for line in lines}) == 1
    found: dict[str, list[tuple[int, str]]] = {topic: [] for topic, _ in assessed}
    for topic, hits in found.items():
        ranking = [line for line in lines if line.topic == topic]
        if order == "score":
            ranking.sort(key=lambda line: (single(line.score), line.document.encode()), reverse=True)
        elif order != "file":
            ranking.sort(key=lambda line: line.rank)
        seen = set()
        for place, line in enumerate(ranking, start=1):
            if (topic, line.document) in assessed and line.document not in seen:
                hits.append((place + (order == "urbp-tool" and constant and place > 1), line.document))
            seen.add(line.document)
    return found


LONG = "clueweb12-0000tw-00-00013-é"
IDS = st.one_of(
    st.integers(1, len(LONG)).map(lambda end: LONG[:end]),  # prefixes of one another, over 8, 16 and 24 bytes
    st.sampled_from(["NA", "nan", "null", "a", "b", "Z", "日本", "ß", "d.1", "d-1", '"q"', "#1", LONG + "x" * 40]),
)
LINES = st.lists(
    st.builds(
        Line,
        st.sampled_from(["1", "10", "2", "NA", "qtest.1", "topic-number-7"]),
        IDS,
        st.integers(0, 4),
        st.sampled_from(["1", "1.0", "1.00000001", "+1", "1e0", "0.5", "-0.0", "0", "-3", "2.25", "99999999", "1e39"]),
    ),
    min_size=1,
    max_size=25,
)
GAPS = st.sampled_from([" ", "\t", "  ", " \t "])


@st.composite
def files(draw: st.DrawFn) -> tuple[list[Line], bytes]:
    """Lines and a file that holds them, as untidy as files are."""
    lines = draw(LINES)
    if draw(st.booleans()):
        lines = [Line(line.topic, line.document, 0, line.score) for line in lines]
    gap, end = draw(GAPS), draw(st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n \n"]))
    text = end.join(
        f"{line.topic}{gap}Q0{gap}{line.document}{gap}{line.rank}{gap}{line.score}{gap}tag" for line in lines
    )
    start = draw(st.sampled_from(["", "\ufeff", "\n", "  "]))
    return lines, (start + text + draw(st.sampled_from(["", end]))).encode()


@settings(max_examples=2 * settings().max_examples)
@given(files(), st.sampled_from(ORDERS), st.data(), st.sampled_from([16, 200, 1 << 20]))
@example(
    ([Line("1", "a", 0, "1e39"), Line("1", "b", 0, "2e39")], b"1 Q0 a 0 1e39 t\n1 Q0 b 0 2e39 t"), "score", None, 8
)
def test_order_is_that_of_the_obvious_reader(file, order, data, block):
    lines, content = file
    pairs = sorted({(line.topic, line.document) for line in lines})
    chosen = data.draw(st.sets(st.sampled_from(pairs))) if data else set(pairs)
    assessed = chosen | {(lines[0].topic, "never-retrieved")}
    qrels = "".join(f"{topic} 0 {document} 1\n" for topic, document in sorted(assessed)).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "blocks", functools.partial(blocks, size=block))
        assert ranked(content, order, qrels) == slow_ranking(lines, order, assessed)


def test_scores_are_compared_as_32_bit_floats_as_in_trec_eval():
    run = {"1": {"d1": 1.00000001, "d2": 1.0}}
    official = pytrec_eval.RelevanceEvaluator({"1": {"d1": 1, "d2": 0}}, {"recip_rank"}).evaluate(run)
    assert official["1"]["recip_rank"] == 0.5
    assert ranked(b"1 Q0 d1 1 1.00000001 x\n1 Q0 d2 2 1.0 x\n")["1"] == [(1, "d2"), (2, "d1")]


# Report


def test_the_report_counts_repairs():
    run = (
        b"1 Q0 d1 1 5 mytag\n1 Q0 d2 2 5 mytag\n1 Q0 d1 3 4 mytag\n1 Q0 new 4 9 mytag\n"
        b"8 Q0 d1 1 1 mytag\n9 Q0 d1 1 1 mytag\n9 Q0 d2 2 0 mytag\n"
    )
    assert facts(run) == {
        "file": "a.run",
        "tag": "mytag",
        "lines": 7,
        "topics": 1,
        "assessed": 2,
        "tied": 2,
        "repeated": 1,
        "constant_rank": False,
        "contradictions": 1,
        "dropped_lines": 3,
        "dropped_topics": 2,
        "dropped_example": "8",
    }


def test_notes_say_what_was_repaired_and_dropped():
    run = b"1 Q0 d1 0 5 x\n1 Q0 d2 0 5 x\n1 Q0 d1 0 4 x\n9 Q0 d1 0 1 x\n"
    notes = read_rankings([Source("a.run", lambda: run)], pool_of(QRELS), "rank")[2]
    assert [(note.kind, note.text) for note in notes] == [
        ("dropped", "1 line of 1 topic that nobody assessed, such as '9'"),
        ("warning", "nothing for 1 assessed topic: scored 0 there"),
        ("repaired", "1 document repeated in a ranking: only the first occurrence counts"),
        ("repaired", "every rank is the same: read in file order"),
    ]


@pytest.mark.parametrize(
    ("order", "used"),
    [
        ("score", "the score"),
        ("rank", "the rank"),
        ("file", "the order of the lines"),
        ("urbp-tool", "the rank"),
    ],
)
def test_a_note_on_contradictions_names_what_decides(order, used):
    run = b"1 Q0 d1 1 5 x\n1 Q0 d2 2 6 x\n"
    notes = read_rankings([Source("a.run", lambda: run)], pool_of(QRELS), order)[2]
    assert f"scores contradict ranks 1 time: {used} decides" in [note.text for note in notes]


def test_a_run_without_assessed_documents_is_noted():
    notes = read_rankings([Source("a.run", lambda: b"1 Q0 D1 1 2 x\n2 Q0 D1 1 1 x\n")], pool_of(QRELS))[2]
    assert "none of its documents is assessed: do their ids match the assessments?" in [n.text for n in notes]


def test_progress_is_by_runs(tmp_path):
    shares: list[float] = []
    for name in "ab":
        (tmp_path / name).write_bytes(b"1 Q0 d1 1 2 x\n" + b"1 Q0 d2 2 1.000000 x\n")
    read_rankings(from_path(tmp_path), pool_of(QRELS), progress=lambda share, text: shares.append(share))
    assert shares == [1 / 2, 1]


def test_rows_whose_keys_collide_stay_separate(monkeypatch):
    monkeypatch.setattr(index, "_keys", lambda words, topic, salt: words[0] * np.uint64(salt > 1))
    found = PoolIndex.of(pool_of(b"1 0 d1 1\n1 0 d2 0\n1 0 d3 2\n"))
    assert (found.salt, len(np.unique(found.keys))) == (2, 3)


# Broken runs

HEADER = b"topic Q0 docid rank score tag\n" + GOOD
HTML = b"\n<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n"

BROKEN = {
    "five columns": (
        GOOD + b"2 Q0 d2 2 0.5\n",
        "b.run line 4: expected 6 fields (topic Q0 document rank score tag), found 5: '2 Q0 d2 2 0.5'",
    ),
    "a line broken in two at the end": (
        GOOD + b"2 Q0 d2 2\n0.5 good",
        "b.run line 4: expected 6 fields (topic Q0 document rank score tag), found 4: '2 Q0 d2 2'",
    ),
    "a header": (
        HEADER,
        "b.run line 1: expected a number as score, found 'score'; is the first line a header? Remove it",
    ),
    "a web page": (
        HTML,
        "b.run: expected a TREC run, found a web page or XML (it begins with '<!DOCTYPE html>'): "
        "was the download an error page?",
    ),
    "a word as score": (GOOD + b"2 Q0 d2 2 high x\n", "b.run line 4: expected a number as score, found 'high'"),
    "a score that is no number": (GOOD + b"2 Q0 d2 2 NaN x\n", "b.run line 4: expected a finite score, found 'NaN'"),
    "a word as rank": (GOOD + b"2 Q0 d2 two 1 x\n", "b.run line 4: expected a number as rank, found 'two'"),
    "nothing": (b"", "b.run: expected a TREC run, found an empty file"),
    "binary": (b"\0\1\2" * 99, "b.run: expected a TREC run as text (UTF-8), found a binary file"),
    "UTF-16 that breaks off": (
        GOOD.decode().encode("utf-16") + b"x",
        "b.run: expected a TREC run in UTF-8, found UTF-16 that is damaged: save it as UTF-8",
    ),
    "Latin-1": (
        GOOD + "2 Q0 café 2 0.5 x\n".encode("latin-1"),
        "b.run line 4: expected a TREC run in UTF-8, found '2 Q0 caf\ufffd 2 0.5 x' in a different encoding",
    ),
    "an endless id": (
        GOOD + b"2 Q0 " + b"d" * 2000 + b" 2 0.5 x\n",
        "b.run line 4: expected an id of at most 512 bytes, found one of 2,000",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_run_among_good_ones_is_refused(case, refusal):
    content, message = BROKEN[case]
    assert refusal({"qrels.txt": QRELS, "a.run": GOOD, "b.run": content}) == message


def test_a_broken_line_far_down_is_named():
    run = GOOD * 50_000 + b"2 Q0 d2 2 x x\n"
    with pytest.raises(ec.InputError, match=r"^b\.run line 150001: expected a number as score, found 'x'$"):
        read_rankings([Source("b.run", lambda: run)], pool_of(QRELS))


def test_blank_lines_longer_than_a_block():
    assert ranked(GOOD + b"\n" * (5 << 20) + b"1 Q0 d3 3 9 x\n")["1"][0] == (1, "d3")


def test_a_file_as_long_as_a_block():
    assert list(blocks(GOOD, size=len(GOOD))) == [(0, len(GOOD))]


def test_two_systems_of_one_name_are_refused(refusal):
    files = {"qrels.txt": QRELS, "runs/a.run": GOOD, "runs/a.txt": GOOD}
    assert refusal(files) == (
        "expected a name for each system, found 'runs/a.run' and 'runs/a.txt' both named 'a'; rename one"
    )


def test_no_topic_in_common_is_refused(refusal):
    files = {"qrels.txt": QRELS, "a.run": b"x Q0 d1 1 1 t\n"}
    assert refusal(files) == (
        "a.run: expected runs and assessments on the same topics, found 'x' in the runs and '1' in the assessments"
    )


@pytest.mark.parametrize(("theirs", "ours"), [("1", "qtest.1"), ("001", "1"), ("qtest.1", "1"), ("Q1", "001")])
def test_topics_that_differ_only_in_form_get_a_suggestion(theirs, ours, refusal):
    files = {"qrels.txt": f"{ours} 0 d1 1\n".encode(), "a.run": f"{theirs} Q0 d1 1 1 t\n".encode()}
    hint = f"if these are one topic, use the same form in both: {ours!r} or {theirs!r}"
    assert refusal(files).endswith(f"found {theirs!r} in the runs and {ours!r} in the assessments; {hint}")


@pytest.mark.slow
def test_a_run_with_a_million_topics_loads_in_seconds():
    run = b"".join(b"t%d Q0 d1 1 1 x\n" % number for number in range(1_000_000)) + GOOD
    begun = time.process_time()
    found = facts(run)
    assert time.process_time() - begun < 20
    assert (found["topics"], found["dropped_topics"], found["dropped_lines"]) == (2, 1_000_000, 1_000_000)


def test_no_run_at_all():
    with pytest.raises(ec.InputError, match="expected at least one run, found none"):
        read_rankings([], pool_of(QRELS))


def test_an_unknown_order_is_refused():
    with pytest.raises(ec.InputError, match="expected `order` to be one of score, rank, file, urbp-tool, found"):
        ec.load_files([("qrels.txt", QRELS), ("a.run", GOOD)], order="docid")
