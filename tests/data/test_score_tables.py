"""Scores of other tools: the same numbers in every format, and reasons to refuse a file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import evalcore as ec
from evalcore.data import ScoreTables, aligned, read_score_tables
from evalcore.data.sources import from_bytes

WIDE = "topic,bm25,ql\n1,0.5,0.25\n2,0,1\n"
LONG = "topic,system,measure,score\n1,bm25,AP,0.5\n1,ql,AP,0.25\n2,bm25,AP,0\n2,ql,AP,1\n"
TREC_EVAL = """map                   \t1\t0.5000
map                   \t2\t0.0000
runid                 \tall\tbm25
num_q                 \tall\t2
map                   \tall\t0.2500
map                   \t1\t0.2500
map                   \t2\t1.0000
runid                 \tall\tql
map                   \tall\t0.6250
"""
IR_BM25 = "1\tAP\t0.5000\n2\tAP\t0.0000\nall\tAP\t0.2500\n"
IR_QL = "1\tAP\t0.2500\n2\tAP\t1.0000\nall\tAP\t0.6250\n"
EXPECTED = pd.DataFrame(
    [[0.5, 0.25], [0.0, 1.0]],
    pd.Index(["1", "2"], name="topic", dtype=object),
    pd.Index(["bm25", "ql"], name="system", dtype=object),
)
# the words that messages begin with
SCORES = "expected a table of scores (CSV) or the output of trec_eval -q or ir_measures -q"
TWICE = "expected one score for scores of 'a' on topic '1'"
COLUMNS = "expected columns topic, system, score (or topic and one column for each system)"


def read(files: dict[str, str], **options: object) -> ScoreTables:
    return read_score_tables(from_bytes([(name, text.encode()) for name, text in files.items()]), **options)  # type: ignore[arg-type]


def refusal(text: str, name: str = "scores.csv", **more: str) -> str:
    with pytest.raises(ec.InputError) as error:
        read({name: text, **more})
    return str(error.value)


def json_lines(text: str) -> str:
    rows = (line.split("\t") for line in text.splitlines())
    return "\n".join(f'{{"query_id": "{topic}", "measure": "{m}", "value": {value}}}' for topic, m, value in rows)


def test_every_format_gives_the_same_frame(subtests):
    for files, measure in [
        ({"AP.csv": WIDE}, "AP"),
        ({"AP.tsv": WIDE.replace(",", "\t")}, "AP"),
        ({"AP.csv": WIDE.replace("\n", "\n\n").replace(",", " , ").replace("0.5", '"0.5"')}, "AP"),
        ({"any.csv": LONG}, "AP"),
        ({"any.csv": LONG.replace("topic,system,measure,score", "query_id,run,metric,value")}, "AP"),
        ({"any.txt": TREC_EVAL}, "map"),
        ({"bm25.txt": TREC_EVAL[: TREC_EVAL.index("runid")], "ql.txt": "map \t1\t0.25\nmap \t2\t1\n"}, "map"),
        ({"bm25.tsv": IR_BM25, "ql.tsv": IR_QL}, "AP"),
        ({"bm25.jsonl": json_lines(IR_BM25), "ql.jsonl": json_lines(IR_QL)}, "AP"),
    ]:
        with subtests.test(f"{files}, {measure}"):
            scores = read(files).scores
            assert list(scores) == [measure]
            pd.testing.assert_frame_equal(scores[measure], EXPECTED)


def test_topics_and_systems_stand_in_their_natural_order():
    table = read({"AP.csv": "topic,run10,run9\nq10,1,2\nq2,3,4\n"}).scores["AP"]
    assert (table.index.tolist(), table.columns.tolist()) == (["q2", "q10"], ["run9", "run10"])


def test_several_measures_keep_their_order():
    text = "1\tnDCG@10\t0.5\n1\tP(rel=1,judged_only=True)@5\t0.2\n"
    assert list(read({"a.txt": text}).scores) == ["nDCG@10", "P(rel=1,judged_only=True)@5"]


# --- the tools themselves ---------------------------------------------------------------------------------------------

QRELS = "1 0 d1 1\n1 0 d2 0\n1 0 d3 1\n2 0 d1 1\n3 0 d9 1\n"
RUN = "1 Q0 d2 1 3 tag\n1 Q0 d1 2 2 tag\n2 Q0 d1 1 2 tag\n3 Q0 d1 1 1 tag\n"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["tsv", "jsonl"])
@pytest.mark.parametrize("summary", [True, False])
def test_the_output_of_ir_measures(tmp_path: Path, form, summary):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    command = [sys.executable, "-m", "ir_measures", "qrels", "run", "AP nDCG@10 P(rel=2)@5", "-q", "-o", form]
    command += [] if summary else ["-n"]
    output = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    scores = read({"bm25.txt": output}).scores
    assert set(scores) == {"AP", "nDCG@10", "P(rel=2)@5"}
    assert scores["AP"]["bm25"].tolist() == pytest.approx([0.25, 1, 0])


def test_the_organisers_own_scores(data_folder: Path):
    paths = sorted((data_folder / "clef2015" / "official").glob("*.urbp"))
    scores = ec.load_scores(paths)
    assert {name: frame.shape for name, frame in scores.items()} == dict.fromkeys(
        ("RBP(0.8)", "uRBP(0.8)", "uRBPgr(0.8)"), (66, 40)
    )
    for path in paths:
        system = path.name.removesuffix(".urbp")
        for line in path.read_text().splitlines():
            name, topic, value = line.split()[0], line.split()[1], line.split()[-1]
            if topic == "all":
                assert scores[name][system].mean() == pytest.approx(float(value), abs=1e-4)
            else:
                assert scores[name].loc[topic, system] == float(value)


# --- names of systems -------------------------------------------------------------------------------------------------


def trec_eval(tag: str, value: str = "0.5") -> str:
    return f"map                   \t1\t{value}\nrunid                 \tall\t{tag}\n"


def test_a_shared_runid_gives_way_to_the_files_name():
    files = {"x.txt": trec_eval("tag"), "y.txt": trec_eval("tag")}
    assert read(files).scores["map"].columns.tolist() == ["x", "y"]


@pytest.mark.parametrize(
    ("file", "known", "name"),
    [("x.txt", "tag", "tag"), ("x.txt", "x", "x"), ("x.eval.txt", "x", "x"), ("x.txt", "other", "tag")],
)
def test_a_system_name_of_the_collection_is_used(file, known, name):
    assert read({file: trec_eval("tag")}, systems=[known]).scores["map"].columns.tolist() == [name]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (IR_BM25 + IR_QL, "found one without"),
        (trec_eval("tag") + trec_eval("tag"), "found 'tag' twice"),
    ],
)
def test_several_outputs_in_one_file_need_names(text, found):
    expected = "x.txt: expected a name (a line `runid all NAME`) for each of several outputs in a file, "
    assert refusal(text, "x.txt") == expected + found


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"scores.csv: {SCORES}, found an empty file"),
        ("topic,a,b\n1,nan,?\n", "scores.csv line 2: expected a number as score, such as 0.25, found '?'"),
        ("topic,a,b\n1,1\n", "scores.csv line 2: expected 3 cells, as in the header, found 2"),
        ("topic,score\n1,1\n", f"scores.csv line 1: {COLUMNS}, found 'topic', 'score'"),
        ("topic,system\n1,a\n", f"scores.csv line 1: {COLUMNS}, found 'topic', 'system'"),
        ("topic,system,score\n1,,1\n", "scores.csv line 2: expected a system, found an empty cell"),
        ("topic,a\n1,1\n\n1,2\n", f"scores.csv line 4: {TWICE}, found another in scores.csv line 2"),
        ("topic,a\n", f"scores.csv: {SCORES}, found no score of any topic: did trec_eval run with -q?"),
        ("map \tall\t0.5\n", f"scores.csv: {SCORES}, found no score of any topic: did trec_eval run with -q?"),
        ("a b\n", f"scores.csv line 1: {SCORES}, found 'a b'"),
        ('{"query_id": "1"}\n', f"scores.csv line 1: {COLUMNS}, found 'query_id'"),
        ("q1\tword\t0.5\n", f"scores.csv: {SCORES}, including its lines for the topic `all`, found none"),
        ("1 Q0 d1 1 3.0 tag\n", f"scores.csv line 1: {SCORES}, found '1 Q0 d1 1 3.0 tag'"),
        ("{" * 100_000, "scores.csv line 1: expected a record (JSON)"),
        ('topic,"' + "x" * 200_000, "scores.csv line 1: expected"),
    ],
)  # fmt: skip
def test_refused_with_file_and_line(text, message):
    found = refusal(text)
    assert found == message or (len(text) > 50_000 and found.startswith(message))


def test_a_score_given_twice_names_both_places():
    found = refusal(LONG, "a.csv", **{"b.csv": LONG[: LONG.index("1,ql")]})
    assert found == "b.csv line 2: expected one score for AP of 'bm25' on topic '1', found another in a.csv line 2"


def test_a_missing_score_is_named_with_its_line():
    expected = "expected a score of every system on every topic, found none for AP of 'ql' on topic '2'"
    assert refusal(LONG.replace("2,ql,AP,1\n", "")).startswith(expected)
    assert refusal(LONG.replace("2,ql,AP,1", "2,ql,AP,")).startswith(f"scores.csv line 5: {expected}; ")
    assert 'missing="zero"' in refusal(LONG.replace("2,ql,AP,1", "2,ql,AP,"))
    assert 'missing="leave-out"' in refusal(LONG.replace("2,ql,AP,1", "2,ql,AP,"))


def test_missing_scores_read_as_0_are_counted():
    tables = read({"s.csv": WIDE.replace("0.25", "").replace("0,1", ",1")}, missing="zero")
    assert tables.scores["s"].to_numpy().tolist() == [[0.5, 0], [0, 1]]
    assert [note.text for note in tables.notes][1:] == ["2 missing scores set to 0, such as s of 'ql' on topic '1'"]


def test_missing_scores_left_out_are_counted():
    tables = read({"s.csv": WIDE.replace("0.25", "")}, missing="leave-out")
    assert tables.scores["s"].isna().to_numpy().sum() == 1
    assert tables.scores["s"].sum().sum() == read({"s.csv": WIDE}).scores["s"].sum().sum() - 0.25
    (note,) = (note for note in tables.notes if note.kind == "repaired")
    assert note.text == "1 missing score left out of means, such as s of 'ql' on topic '1'"


def test_an_unknown_rule_for_missing_scores_is_refused():
    with pytest.raises(ec.InputError, match="expected `missing` to be refuse, zero, leave-out, found 'guess'"):
        read({"s.csv": WIDE}, missing="guess")


def test_measures_may_cover_different_topics():
    tables = read({"s.csv": LONG + "3,bm25,RR,1\n3,ql,RR,0\n"})
    assert tables.scores["RR"].index.tolist() == ["3"]


# --- beside a collection ----------------------------------------------------------------------------------------------


@pytest.fixture
def tables() -> ScoreTables:
    return read({"AP.csv": "topic,a,b,x\n1,1,2,3\n2,4,5,6\n9,7,8,9\n"})


def test_only_what_the_collection_has_is_kept_in_its_order_and_the_rest_counted(tables: ScoreTables):
    part = aligned(tables, ["2", "1", "3"], ["b", "a"])
    assert part.scores["AP"].to_numpy().tolist() == [[5, 4], [2, 1]]
    assert [note.text for note in part.notes] == [
        "columns: topic; a, b, x: each is read as the values of one system",
        "1 topic not in this collection, such as '9'",
        "scores of only 2 of the 3 topics of this collection",
        "1 system not in this collection, such as 'x'",
    ]


@pytest.mark.parametrize(
    ("topics", "systems", "found"), [(["7"], ["a", "b"], "2 and 0"), (["1"], ["a", "c"], "1 and 1")]
)
def test_tables_with_too_little_in_common_are_left_out(tables: ScoreTables, topics, systems, found):
    part = aligned(tables, topics, systems)
    assert not part.scores
    expected = f"left out: expected at least 2 systems and 1 topic, found {found} in this collection"
    assert [note.text for note in part.notes][1:] == [expected]


def test_from_a_folder_and_a_zip(folder_of: Callable[..., Path]):
    folder = folder_of({"bm25.tsv": IR_BM25.encode(), "ql.tsv": IR_QL.encode()})
    pd.testing.assert_frame_equal(ec.load_scores(folder)["AP"], EXPECTED)


# --- which end is good, and infinite scores ---------------------------------------------------------------------------

EFFORT = "topic,a,b\n1,2.5,inf\n2,3,4\n"


def test_load_scores_accepts_the_good_end(tmp_path: Path) -> None:
    (tmp_path / "effort.csv").write_text(EFFORT)
    path = tmp_path / "effort.csv"
    assert ec.ranks(ec.load_scores(path, good={"effort": "low"})["effort"].mean()).to_dict() == {"a": 1, "b": 2}
    assert ec.ranks(ec.load_scores(path)["effort"].mean()).to_dict() == {"a": 2, "b": 1}
    with pytest.raises(ec.InputError, match=r"expected `good` to name measures of the tables \(effort\), found 'cost'"):
        ec.load_scores(path, good={"cost": "low"})


def test_a_missing_effort_is_the_worst_there_is_and_not_the_best() -> None:
    found = read({"effort.csv": "topic,a,b\n1,2,\n"}, missing="zero", good=lambda name: "low")
    assert found.scores["effort"].T["1"].tolist() == [2, float("inf")]
    assert "1 missing score set to infinity, as low is good" in found.notes[-1].text


def test_negated_efforts_are_refused() -> None:
    with pytest.raises(ec.InputError, match="expected at least one score of effort above 0"):
        read({"effort.csv": "topic,a,b\n1,-2,-3\n"}, good=lambda name: "low")
