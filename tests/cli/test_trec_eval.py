"""`evalcore score` beside trec_eval (pytrec_eval) on files written to disk: every score, both kinds of means, -l -M -J.

The collections are random and unkind: negative grades, no grade 0, one label only, gaps in the scale; ties, huge and
tiny scores; documents that nobody assessed, topics that are only assessed or only retrieved, runs that lack topics.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from cli_support import Refused, Run

import evalcore as ec
from evalcore.cli.names import adapting, read_measures

OURS = {
    "AP": "map",
    "nDCG": "ndcg",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "infAP": "infAP",
    "nDCG@10": "ndcg_cut_10",
    "P@3": "P_3",
    "R@5": "recall_5",
    "AP@5": "map_cut_5",
}
ASKED = {"map", "ndcg", "recip_rank", "Rprec", "bpref", "infAP", "ndcg_cut.10", "P.3", "recall.5", "map_cut.5"}
SCALES = [(0, 1), (-2, 0, 1, 2), (-1, 1), (1, 2), (1,), (0,), (0, 1, 2, 3, 4), (-2, 0, 5, 100), (-1, 0, 2)]
SCORES = [1.0, 1.0, 2.5, 2.5000001, -3.0, 1e30, 1e-30, 0.0, 16777216.0, 16777217.0]
Lists = dict[str, dict[str, float]]  # topic -> document -> score


@dataclass(frozen=True)
class Files:
    """Files that were written, and the same data as dicts."""

    folder: Path
    qrels: dict[str, dict[str, int]]
    runs: dict[str, Lists]


def written(folder: Path, seed: int, scales: list[tuple[int, ...]]) -> Files:
    """A collection of a shape that its seed decides."""
    random = np.random.default_rng(seed)
    grades, documents = scales[seed % len(scales)], [f"d{at}" for at in range(12)]
    topics = [f"q{at}" for at in range(1, 8)]
    qrels = {
        topic: {d: int(random.choice(grades)) for d in random.permutation(documents)[: random.integers(1, 10)]}
        for topic in topics[:6]
    }
    runs = {f"run{at}": _run(random, topics, documents) for at in range(3)}
    (folder / "runs").mkdir()
    lines = [f"{topic} 0 {d} {grade}\n" for topic, judged in qrels.items() for d, grade in judged.items()]
    (folder / "qrels.txt").write_text("".join(lines))
    for name, run in runs.items():
        lines = [f"{topic} Q0 {d} 0 {score!r} x\n" for topic, ranked in run.items() for d, score in ranked.items()]
        (folder / "runs" / f"{name}.txt").write_text("".join(lines))
    return Files(folder, qrels, runs)


def _run(random: np.random.Generator, topics: list[str], documents: list[str]) -> Lists:
    """Rankings of the second topic, and of some others, one of which nobody assessed."""
    held = [topic for topic in topics if topic == "q2" or random.random() < 0.7]
    return {
        topic: {
            d: float(random.choice(SCORES))
            for d in random.permutation([*documents, "z1", "z2"])[: random.integers(1, 14)]
        }
        for topic in held
    }


def cut(run: Lists, depth: int) -> Lists:
    """The first documents of each topic in trec_eval's order: by 32-bit score, ties by id, both falling."""
    return {topic: dict(sorted(ranked.items(), key=_place, reverse=True)[:depth]) for topic, ranked in run.items()}


def _place(item: tuple[str, float]) -> tuple[np.float32, str]:
    return np.float32(item[1]), item[0]


def trec_eval(files: Files, level: int = 1, depth: int = 1000, judged_only: bool = False) -> dict[str, Lists]:
    """system -> topic -> trec_eval's measure -> value, for the topics that a run has."""
    judge = pytrec_eval.RelevanceEvaluator(files.qrels, ASKED, level, judged_only)
    return {name: judge.evaluate(cut(run, depth)) for name, run in files.runs.items()}


def by_topic(run: Run, files: Files, names: list[str], *options: str) -> dict[tuple[str, str, str], float]:
    """(system, measure, topic) -> score, as the command prints it."""
    table = scored(run, files, names, "-q", *options)
    rows = table[["system", "measure", "topic", "score"]].itertuples(index=False, name=None)
    return {(system, measure, topic): score for system, measure, topic, score in rows}


def means(run: Run, files: Files, names: list[str], *options: str) -> dict[tuple[str, str], float]:
    """(system, measure) -> mean, as the command prints it."""
    rows = scored(run, files, names, *options).itertuples(index=False, name=None)
    return {(system, measure): score for system, measure, score in rows}


def scored(run: Run, files: Files, names: list[str], *options: str) -> pd.DataFrame:
    asked = [option for name in names for option in ("-m", name)]
    ran = run(["score", str(files.folder), *asked, "-f", "csv", "--no-cache", *options])
    assert ran.code == 0, ran.err
    return ran.table


OPTIONS = [
    ((), {}),
    (("-l", "2"), {"level": 2}),
    (("-l", "3", "-M", "4"), {"level": 3, "depth": 4}),
    (("-M", "2"), {"depth": 2}),
    (("-J",), {"judged_only": True}),
    (("-J", "-l", "2", "-M", "5"), {"judged_only": True, "level": 2, "depth": 5}),
]


@pytest.mark.parametrize(("options", "theirs"), OPTIONS, ids=[" ".join(options) or "none" for options, _ in OPTIONS])
@pytest.mark.parametrize("seed", range(9))  # every scale once
def test_every_score_and_both_means_equal_trec_eval(seed: int, options, theirs, tmp_path: Path, run: Run) -> None:
    files = written(tmp_path, seed, SCALES)
    expected = trec_eval(files, **theirs)
    scores = by_topic(run, files, list(OURS.values()), *options)
    every = means(run, files, list(OURS.values()), "-c", *options)
    retrieved = means(run, files, list(OURS.values()), "--average", "retrieved", *options)
    assert len(scores) == len(files.qrels) * len(every) == len(files.qrels) * 3 * len(OURS)
    for system, topics in expected.items():
        for name in OURS.values():
            values = {topic: of[name] for topic, of in topics.items()}
            assert values.keys() == files.qrels.keys() & files.runs[system].keys()
            assert {topic: scores[system, name, topic] for topic in files.qrels} == pytest.approx(
                dict.fromkeys(files.qrels, 0.0) | values, abs=1e-9
            )
            assert every[system, name] == pytest.approx(sum(values.values()) / len(files.qrels), abs=1e-9)
            assert retrieved[system, name] == pytest.approx(np.mean(list(values.values())), abs=1e-9)


# --- what the options say ---------------------------------------------------------------------------------------------

LACKING = "t2 Q0 a 1 5 y\n"


def test_systems_that_lack_topics_are_noted(small: Path, run: Run) -> None:
    assert run("score . -m AP").err == ""
    (small / "runs" / "short.txt").write_text(LACKING)
    ran = run("score . -m AP -f csv")
    assert ran.lines[1:] == ["good,AP,1.0", "poor,AP,0.375", "short,AP,0.5"]
    assert ran.err == (
        "evalcore: note: 1 of 3 systems retrieved nothing for some of the 2 topics: 'short' lacks 1 ('t1'); means are "
        "over all assessed topics; missing topics score as empty rankings (--average)\n"
    )
    ran = run("score . -m AP -f csv --average retrieved")
    assert ran.lines[1:] == ["good,AP,1.0", "poor,AP,0.375", "short,AP,1.0"]
    assert ran.err.endswith(
        "'short' lacks 1 ('t1'); means are over the topics for which a system retrieved something (--average)\n"
    )


@pytest.mark.parametrize(
    "command", ["compare . -m AP -m RR", "compare . -m AP --pairs --resamples 9", "sweep . -m RBP --vary rho"]
)
def test_every_command_notes_lacking_topics_and_has_the_option(command: str, small: Path, run: Run) -> None:
    (small / "runs" / "short.txt").write_text(LACKING)
    means_of = [run(f"{command} -f csv --average {topics}") for topics in ("all", "retrieved")]
    assert [ran.code for ran in means_of] == [0, 0]
    assert means_of[0].out != means_of[1].out
    assert all("'short' lacks 1 ('t1')" in ran.err for ran in means_of)


def test_averages_over_retrieved_topics_can_be_read_again(small: Path, run: Run) -> None:
    (small / "runs" / "short.txt").write_text(LACKING)
    for form in ("csv", "trec_eval"):
        table = run(f"score . -m AP -m nDCG -q --average retrieved -f {form}").raw
        ran = run("compare --scores - --missing leave-out -f csv", table)
        assert ran.out == run("compare . -m AP -m nDCG -f csv --average retrieved").out
        assert "2 missing scores left out of means, such as AP of 'short' on topic 't1'" in ran.err
        assert run("compare --scores -", table).code == 1


@pytest.mark.parametrize(
    ("measures", "found"),
    [
        ("AP", ["AP(rel=2)"]),
        ("AP(rel=3), RBP(rho=0.8), nDCG", ["AP(rel=3)", "RBP(rho=0.8, rel=2)", "nDCG"]),
        ("AP(3), AP(rel=1)", ["AP(rel=3)", "AP(rel=1)"]),
        ("CAM(AP), MM([nDCG, AP])", ["CAM(AP(rel=2))", "MM([nDCG, AP(rel=2)])"]),
        ("map, P.5,10", ["AP(rel=2)", "P(rel=2)@5", "P(rel=2)@10"]),
        ("TOMA(AP)", ["TOMA(AP)"]),
    ],
)
def test_the_relevance_level_applies_to_measures_without_rel(measures: str, found: list[str]) -> None:
    adapt = adapting(argparse.Namespace(rel=2.0, judged_only=False))
    assert [measure for _, measure in read_measures(measures, adapt)] == list(map(ec.parse, found))


def test_a_changed_measure_is_printed_as_such_and_a_name_of_trec_eval_stays(small: Path, run: Run) -> None:
    lines = run("score . -m 'AP, map' -l 2 -J -f csv --systems good").lines
    assert lines[1:] == ['good,"AP(rel=2, judged_only=True)",0.5', "good,map,0.5"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("score . -m AP -M 0", "-M/--max-documents: expected 1 or more, found 0"),
        ("score . -m AP -M x", "argument -M/--max-documents: invalid int value: 'x'"),
        ("score . -m AP -l x", "argument -l/--rel: invalid float value: 'x'"),
        ("score . -m AP --average some", "argument --average: invalid choice: 'some'"),
        ("score . -m 'CAM(RBP)' -J", "-J/--judged-only: expected measures that can skip unassessed documents"),
    ],
)
def test_invalid_options_are_refused(line: str, complaint: str, small: Path, refused: Refused) -> None:
    refused(line, 2, complaint)


def test_option_c_equals_trec_eval(small: Path, run: Run) -> None:
    (small / "runs" / "short.txt").write_text(LACKING)
    assert run("score . -m map -c").out == run("score . -m map").out
    assert run("score . -m map --average retrieved -c").out == run("score . -m map").out


# --- several files after one option -----------------------------------------------------------------------------------


def test_all_files_of_a_shell_s_pattern_are_read(small: Path, run: Run) -> None:
    for name in ("good", "poor"):
        printed = run(f"score . -m map -m recip_rank -q --systems {name}").raw
        (small / f"{name}.dat").write_bytes(printed)
    expanded = run("compare --scores good.dat poor.dat -f csv")
    assert expanded.lines == ["test,reference,tau", "map,recip_rank,1.0"]
    for line in ("--scores '*.dat'", "--scores good.dat --scores poor.dat"):
        assert run(f"compare {line} -f csv").out == expanded.out
    assert len(run("convert --scores good.dat poor.dat -f csv").lines) == 1 + 8
