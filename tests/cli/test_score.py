"""`evalcore score`: formats and readers."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
from cli_support import HEALTH, SITE, Run
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.cli.output import table_text
from evalcore.cli.scores import compact, long, trec_eval_text, wide
from evalcore.cli.trec_eval import Plain

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


def test_csv_and_json_hold_the_same(small, run: Run) -> None:
    csv = run("score . -m 'AP, RR' -q -f csv").table
    assert list(csv.columns) == ["system", "measure", "topic", "score"]
    assert csv.values.tolist() == pd.DataFrame(json.loads(run("score . -m 'AP, RR' -q -f json").out)).values.tolist()
    assert csv[csv["system"] == "poor"].values.tolist() == [
        ["poor", "AP", "t1", 0.25],
        ["poor", "AP", "t2", 0.5],
        ["poor", "RR", "t1", 0.5],
        ["poor", "RR", "t2", 0.5],
    ]


def test_infinite_scores_are_shown_as_such(run: Run) -> None:
    line = f"score {SITE} -m EffortTo"
    assert run(f"{line} -f table").out.count("∞") == 5
    assert run(line).out.count("\tinf\n") == 5
    assert [row["score"] for row in json.loads(run(f"{line} -f json").out)].count("Infinity") == 5
    assert run(f"{line} -f csv").table["score"].max() == float("inf")


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


def test_full_precision_equals_the_library(run: Run, sample) -> None:
    text = "uRBP1(rho=0.7, threshold=12)"
    table = run(["score", HEALTH, "-m", text, "-f", "csv"]).table
    means = ec.evaluate(text, sample).mean()
    assert dict(zip(table["system"], table["score"], strict=True)) == means.to_dict()


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


def test_a_table_truncates_wide_cells_and_shows_missing_values() -> None:
    text = table_text(pd.DataFrame({"name": ["x" * 200, "é\n"], "value": [float("nan"), 1.5], "count": [1, 20]}), 1)
    assert [line.split() for line in text.splitlines()] == [
        ["name", "value", "count"],
        ["x" * 97 + "...", "-", "1"],
        ["é\\n", "1.5", "20"],
    ]
