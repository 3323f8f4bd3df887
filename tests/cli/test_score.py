"""`evalcore score`: formats, and agreement with ir_measures' own command."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from cli.conftest import ROOT, Refused, Run
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.cli.output import table_text
from evalcore.cli.scores import compact, long, trec_eval_text, wide
from evalcore.cli.trec_eval import Plain

HEALTH = str(ROOT / "sample_data" / "health")

# By hand. AP: good (1/1 + 2/2) / 2 and 1; poor: b and a tie, b first, so a at rank 2 of 2 relevant; t2: a at rank 2.
MEANS = "runid                 \tall\tgood\nAP                    \tall\t1.0000\n"
MEANS += "runid                 \tall\tpoor\nAP                    \tall\t0.3750\n"


def test_means_as_trec_eval_prints_them(small, run: Run) -> None:
    assert run("score . -m AP").out == MEANS


def test_every_topic_as_trec_eval_q_prints_it(small, run: Run) -> None:
    assert run("score . -m AP -m P_2 -q --systems poor -d 2").lines == [
        "AP                    \tt1\t0.25",
        "P_2                   \tt1\t0.50",
        "AP                    \tt2\t0.50",
        "P_2                   \tt2\t0.50",
        "runid                 \tall\tpoor",
        "AP                    \tall\t0.38",
        "P_2                   \tall\t0.50",
    ]


def test_csv_json_and_parquet_hold_the_same(small, run: Run) -> None:
    csv = pd.read_csv(io.StringIO(run("score . -m 'AP, RR' -q -f csv").out))
    json_ = pd.DataFrame(json.loads(run("score . -m 'AP, RR' -q -f json").out))
    run("score . -m 'AP, RR' -q -o scores.parquet")
    parquet = pd.read_parquet("scores.parquet")
    assert list(csv.columns) == ["system", "measure", "topic", "score"]
    assert csv.values.tolist() == json_.values.tolist() == parquet.values.tolist()
    assert csv[csv["system"] == "poor"].values.tolist() == [
        ["poor", "AP", "t1", 0.25],
        ["poor", "AP", "t2", 0.5],
        ["poor", "RR", "t1", 0.5],
        ["poor", "RR", "t2", 0.5],
    ]


def test_parquet_records_where_it_is_from(small, run: Run) -> None:
    collection = ec.load(small)
    run("score . -m AP -o scores.parquet")
    about = json.loads(pq.read_schema("scores.parquet").metadata[b"evalcore"])
    assert about == {
        "version": ec.__version__,
        "collection": collection.title,
        "fingerprint": collection.fingerprint,
    }


def test_parquet_goes_into_a_pipe(small, run: Run) -> None:
    assert pd.read_parquet(io.BytesIO(run("score . -m AP -f parquet").raw)).values.tolist() == [
        ["good", "AP", 1.0],
        ["poor", "AP", 0.375],
    ]


def test_parquet_does_not_go_to_a_terminal(small, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    refused("score . -m AP -f parquet", 2, "expected --out FILE or a pipe for Parquet, found a terminal")


def test_a_table_for_reading(small, run: Run) -> None:
    assert run("score . -m 'AP, P_2' -f table -d 3").out == (
        "system     AP    P_2\ngood    1.000  0.750\npoor    0.375  0.500\n"
    )
    assert run("score . -m AP -q -f table --topics t1").lines[1].split() == ["good", "t1", "1.0000"]


def test_a_table_for_a_paper_describes_what_it_holds(small, run: Run) -> None:
    run("score . -m 'AP, P_2' -o scores.tex -d 3")
    lines = (small / "scores.tex").read_text().splitlines()
    assert r"good & 1.000 & 0.750 \\" in lines
    assert any(line.startswith(r"\caption{Scores of every system. Collection: ") for line in lines)


def test_the_ending_of_the_file_decides_the_format(small, run: Run) -> None:
    run("score . -m AP -o scores.json")
    run("score . -m AP -o scores.txt -f csv")
    assert json.loads((small / "scores.json").read_text())[1] == {"system": "poor", "measure": "AP", "score": 0.375}
    assert (small / "scores.txt").read_text() == "system,measure,score\ngood,AP,1.0\npoor,AP,0.375\n"


def test_full_precision_is_the_librarys(run: Run, in_checkout) -> None:
    text = "uRBP1(rho=0.7, threshold=12)"
    table = pd.read_csv(io.StringIO(run(["score", "sample_data/health", "-m", text, "-f", "csv"]).out))
    means = ec.evaluate(text, ec.load(ROOT / "sample_data" / "health")).mean()
    assert dict(zip(table["system"], table["score"], strict=True)) == means.to_dict()


def test_as_the_command_of_ir_measures(in_checkout, run: Run) -> None:
    """Line by line what `ir_measures -q` prints, and its means."""
    health, measures = ROOT / "sample_data" / "health", ["nDCG@10", "P(rel=2)@5", "AP", "RBP(p=0.5,rel=1)"]
    command = [sys.executable, "-m", "ir_measures", str(health / "qrels.txt"), str(health / "runs/bm25_base.run.gz")]
    ours = [option for text in measures for option in ("-m", text)]
    ours = ["score", "sample_data/health", "--systems", "bm25_base", *ours, "-f", "ir_measures"]
    for flags in (["-q"], []):
        theirs = subprocess.run([*command, *measures, *flags], capture_output=True, text=True, check=True).stdout
        found = run([*ours, *flags]).out.replace("rho=0.5", "p=0.5")
        assert sorted(found.splitlines()) == sorted(theirs.splitlines())


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


@given(
    st.lists(names, min_size=1, max_size=3, unique=True),
    st.lists(names, min_size=1, max_size=3, unique=True),
    st.lists(names, min_size=1, max_size=3, unique=True),
    st.randoms(use_true_random=False),
)
def test_long_and_wide_tables_hold_every_score_once(systems, topics, measures, random) -> None:
    scores: Any = {
        name: pd.DataFrame([[random.random() for _ in systems] for _ in topics], topics, systems) for name in measures
    }
    rows = long(scores, by_topic=True)
    assert len(rows) == len(systems) * len(topics) * len(measures)
    for system, name, topic, score in rows.itertuples(index=False, name=None):
        assert score == scores[name].loc[topic, system]
    for system, topic, *found in wide(scores, by_topic=True).itertuples(index=False, name=None):
        assert found == [scores[name].loc[topic, system] for name in measures]
    for line in trec_eval_text({name: Plain.of(one) for name, one in scores.items()}, True, 4).splitlines():
        assert line.count("\t") == 2  # whatever stands in a name


def test_names_without_white_space_outside_quotes() -> None:
    assert compact('MM(nDCG @ 10, aspects=["a b", \'c "d\'])') == 'MM(nDCG@10,aspects=["a b",\'c "d\'])'
    assert compact("a\tb\x07") == "ab\\x07"


def test_a_table_cuts_what_is_too_wide_and_shows_what_is_not_known() -> None:
    text = table_text(pd.DataFrame({"name": ["x" * 200, "é\n"], "value": [float("nan"), 1.5], "count": [1, 20]}), 1)
    assert [line.split() for line in text.splitlines()] == [
        ["name", "value", "count"],
        ["x" * 97 + "...", "-", "1"],
        ["é\\n", "1.5", "20"],
    ]


def test_a_depth_of_readers_sets_every_measure_that_has_one(small, run: Run) -> None:
    """Who goes on with probability 0.8 is expected to read 1 / (1 - 0.8) = 5 ranks."""
    ran = run("score . -m 'RBP(rho=0.5), P@10, Bpref' --reader-depth 5 -f table")
    assert ran.lines[0].split() == ["system", "RBP(rho=0.8)", "P@5", "Bpref"]
    assert "left as they are, as nothing sets a reader of theirs to 5: Bpref\n" in ran.err


def test_what_readers_do_is_that_of_the_library(small, run: Run) -> None:
    table = pd.read_csv(io.StringIO(run("score . -m RBP -m INST --reader -f csv").out), index_col=["measure", "system"])
    expected = ec.user_model("INST").means(ec.load(small)).rename(columns=lambda name: name.replace(" ", "_"))
    pd.testing.assert_frame_equal(
        table.loc[["INST"]].droplevel("measure"), expected, check_names=False, check_index_type=False
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("--reader-depth 0.5", "--reader-depth: expected at least 1 rank, found 0.5"),
        ("--reader --ranks", "--reader: expected no --ranks, found it"),
        ("--reader -q", "--reader: expected no -q, as it is over all topics, found it"),
    ],
)
def test_what_does_not_fit_readers_is_refused(small, refused: Refused, options: str, complaint: str) -> None:
    refused(f"score . -m RBP {options}", 2, complaint)


def test_a_measure_without_a_reader_is_refused(small, refused: Refused) -> None:
    refused("score . -m Bpref --reader", 1, "Bpref: expected a measure with a user model")
