"""Scores that other tools printed, held against those computed here."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import pytrec_eval

import evalcore as ec
from evalcore.integrations.other_tools import lying_beside

MEASURES = {"map", "ndcg_cut.10", "P.5,10", "recip_rank", "bpref", "gm_map"}
TOPICS, DOCUMENTS = [str(at) for at in range(101, 109)], [f"d{at}" for at in range(30)]


@pytest.fixture(scope="module")
def judged() -> dict[str, dict[str, int]]:
    draw = Random(1)
    return {topic: {one: draw.choice([0, 0, 1, 2]) for one in draw.sample(DOCUMENTS, 20)} for topic in TOPICS}


@pytest.fixture(scope="module")
def ranked() -> dict[str, dict[str, dict[str, float]]]:
    draw = Random(2)
    return {
        system: {topic: {one: draw.random() for one in draw.sample(DOCUMENTS, 25)} for topic in TOPICS}
        for system in ("bm25", "dense")
    }


def printed(run: dict[str, dict[str, float]], judged: dict[str, dict[str, int]]) -> str:
    """Text that trec_eval -q prints for a run."""
    scores = pytrec_eval.RelevanceEvaluator(judged, MEASURES).evaluate(run)
    lines = [f"{name:22}\t{topic}\t{value:.4f}" for topic in scores for name, value in sorted(scores[topic].items())]
    return "\n".join([*lines, "map                   \tall\t0.1234", ""])


@pytest.fixture
def folder(tmp_path: Path, judged, ranked) -> Path:
    """Runs, labels, and beside each run what trec_eval printed of it."""
    qrels = (f"{topic} 0 {one} {grade}\n" for topic, labels in judged.items() for one, grade in labels.items())
    (tmp_path / "qrels.txt").write_text("".join(qrels))
    (tmp_path / "runs").mkdir()
    for system, run in ranked.items():
        lines = (f"{topic} Q0 {one} 1 {score!r} x\n" for topic, found in run.items() for one, score in found.items())
        (tmp_path / "runs" / f"{system}.run").write_text("".join(lines))
        (tmp_path / "runs" / f"{system}.run.eval").write_text(printed(run, judged))
    return tmp_path


def test_what_trec_eval_printed_agrees(folder: Path) -> None:
    c = ec.load(folder, use_cache=False)
    assert [source.name for source in lying_beside(c)] == ["runs/bm25.run.eval", "runs/dense.run.eval"]
    found = ec.compare_scores(c)
    # map, ndcg_cut_10, P_5, P_10, recip_rank and bpref of 2 systems on 8 topics
    assert found.in_words() == "All 96 values of 6 measures in 2 files agree with those computed here."
    assert set(found.table["ours"]) == {"AP", "nDCG@10", "P@5", "P@10", "RR", "Bpref"}
    assert found.table["largest"].max() <= 5e-5  # of a value that is printed to 4 decimals
    assert {where.split(", ")[1] for where, _ in found.left_out} == {"gm_map"}  # we have none


def test_what_differs_is_listed(folder: Path) -> None:
    file = folder / "runs" / "bm25.run.eval"
    lines = file.read_text().splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("map ") and "\t103\t" in line)
    lines[at] = "map                   \t103\t0.9999"
    file.write_text("\n".join(lines) + "\n")
    c = ec.load(folder, use_cache=False)
    found = ec.compare_scores(c)
    (row,) = found.differences.to_dict("records")
    assert (row["topic"], row["system"], row["measure"], row["theirs"]) == ("103", "bm25", "map", 0.9999)
    assert row["ours"] == ec.evaluate("AP", c).loc["103", "bm25"]
    assert found.in_words().startswith("1 of 96 values of 6 measures in 2 files differ: map of bm25 on topic 103")


def test_files_that_lie_elsewhere_and_our_own_tables(folder: Path, tmp_path: Path) -> None:
    c = ec.load(folder, use_cache=False)
    scores = ec.evaluate("nDCG@10", c)
    table = scores.rename_axis("topic").reset_index().melt("topic", var_name="system", value_name="score")
    table.assign(measure="nDCG@10").to_csv(tmp_path / "ours.csv", index=False)
    found = ec.compare_scores(c, tmp_path / "ours.csv")
    assert found.table[["measure", "values", "differ"]].values.tolist() == [["nDCG@10", 16, 0]]


def test_what_is_no_table_of_scores_is_refused_by_name(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text("no scores here\n")
    with pytest.raises(ec.InputError, match=r"odd\.txt"):
        ec.compare_scores(ec.load(folder, use_cache=False), tmp_path / "odd.txt")


def test_without_other_scores_there_is_nothing_to_report(judged, ranked) -> None:
    found = ec.compare_scores(ec.collection(ranked, judged))
    assert (len(found.table), found.left_out, found.in_words()) == (0, (), "")


def test_scores_of_other_systems_are_passed_over(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs.csv").write_text("topic,other,another\n101,0.5,0.25\n")
    found = ec.compare_scores(ec.load(folder, use_cache=False), tmp_path / "theirs.csv")
    assert len(found.table) == 0
    assert found.left_out[0][0].endswith("theirs.csv, theirs")
