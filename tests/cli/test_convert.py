"""`evalcore convert`: its output reads back to the same scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli_support import ROOT, SCORES, Run

import evalcore as ec
from evalcore.cli.exports import own_source

HEALTH = ROOT / "sample_data" / "health"
MEASURES = [
    "AP",
    "RBP(rho=0.9)",
    "uRBP",
    "uRBP2(rho=0.8)",
    'CAM(nDCG@10, aspects=["relevance", "credibility"])',
    "Bpref",
]


def same_scores(a: ec.Collection, b: ec.Collection, measures: list[str]) -> None:
    for one, other in zip(ec.evaluate(measures, a).values(), ec.evaluate(measures, b).values(), strict=True):
        pd.testing.assert_frame_equal(one, other, check_exact=True)


@pytest.mark.parametrize("form", ["trec", "csv"])
def test_a_converted_collection_has_the_same_scores(form: str, tmp_path: Path, run: Run) -> None:
    ran = run(["convert", str(HEALTH), "--systems", "bm25*", "-f", form, "-o", str(tmp_path / "new")])
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    after = ec.load(tmp_path / "new")
    before = ec.restrict(ec.load(HEALTH), after.systems)
    assert len(after.systems) == 6
    assert after.assessments.scales == before.assessments.scales
    assert (after.rankings.length == before.rankings.length).all()
    same_scores(before, after, MEASURES)
    labels = [one.assessments.judged_by("llm").columns["relevance"] for one in (before, after)]
    np.testing.assert_array_equal(labels[0], labels[1])
    assert after.assessments.sources["relevance"].default == "assessors"


@pytest.mark.parametrize(("source", "own"), [("llm", ("llm", ["assessors"])), ("majority", ("", []))])
def test_labels_are_written_with_their_source(source: str, own: tuple[str, list[str]]) -> None:
    assert own_source(ec.load(HEALTH).assessments.judged_by(source), "relevance") == own


@pytest.mark.parametrize("order", ["rank", "file", "score"])
def test_every_order_is_kept_for_tools_that_only_know_scores(
    order: str, tmp_path: Path, run: Run, data_folder: Path
) -> None:
    """Runs of CLEF 2015 in which ranks are constant, contradict scores, or are tied."""
    clef = data_folder / "clef2015"
    names = ("KISTI_EN_RUN.1", "ECNU_EN_Run.1", "GRIUM_EN_Run.1")
    files = [str(path) for name in names for path in (clef / "runs").glob(f"{name}.*")]
    parts = {name: next(clef.glob(f"{stem}*graded*")) for name, stem in (("relevance", "qrels"), ("ease", "qread"))}
    named = [option for name, path in parts.items() for option in ("--aspect", f"{name}={path}")]
    assert run(["convert", "--runs", *files, *named, "--order", order, "-o", str(tmp_path / "new")]).code == 0
    before, after = ec.load(runs=files, aspects=parts, order=order), ec.load(tmp_path / "new", order="score")
    assert len(after.systems) == len(names)
    same_scores(before, after, ["AP", "RBP(rho=0.8)", 'uRBP(rho=0.8, aspect="ease")', "RR", "Bpref"])


def test_runs_named_after_folders_keep_these_names(tmp_path: Path, run: Run) -> None:
    for team, score in (("a", 1), ("b", 2)):
        (tmp_path / "in" / team).mkdir(parents=True)
        (tmp_path / "in" / team / "run.txt").write_text(f"1 Q0 d 1 {score} x\n")
    (tmp_path / "in" / "qrels.txt").write_text("1 0 d 1\n")
    assert run(["convert", str(tmp_path / "in"), "-f", "trec", "-o", str(tmp_path / "new")]).code == 0
    assert ec.load(tmp_path / "new").systems == ("a", "b")
    assert (tmp_path / "new" / "runs" / "b.txt").read_text() == "1 Q0 d 1 2.0 b\n"


@pytest.fixture
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside of the collection."""
    return tmp_path_factory.mktemp("out")


def test_runs_are_written_in_the_order_in_which_they_are_scored(small, out: Path, run: Run) -> None:
    assert run(f"convert . -f trec -o {out / 'new'}").code == 0
    assert (out / "new" / "runs" / "poor.txt").read_text().splitlines() == [
        "t1 Q0 b 1 9.0 poor",  # a tie: document id descending
        "t1 Q0 a 2 9.0 poor",
        "t2 Q0 d 1 5.0 poor",
        "t2 Q0 a 2 4.0 poor",
    ]
    assert run(f"convert . -f csv -o {out / 'tables'}").code == 0
    table = pd.read_csv(out / "tables" / "runs" / "runs.csv")
    assert list(table.columns) == ["system", "topic", "document", "rank", "score"]
    assert len(table) == 9  # the unassessed document too


def test_signals_fractional_grades_and_queries_are_converted(small, out: Path, run: Run) -> None:
    (small / "qrels.txt").write_text("t1 0 a 0.5\nt1 0 b 0\nt2 0 a 1\n")
    (small / "topics.tsv").write_text("t1\twhat is\tthis\nt2\tthat\n")
    (small / "my fog.csv").write_text("document,fog\na,7.25\nb,9\nunseen,3\n")
    assert run(f"convert . -f trec -o {out / 'new'}").code == 0
    written = [path.read_text().splitlines() for path in sorted((out / "new" / "assessments").iterdir())]
    assert written[0][0] == "t1 0 a 0.5"
    assert ["a 7.25", "b 9.0"] in written
    assert run("convert . -o new -f csv").code == 0
    before, after = ec.load(small), ec.load(small / "new")
    assert after.queries == {"t1": "what is this", "t2": "that"}
    assert after.signals == before.signals
    for name in before.assessments.scales:
        np.testing.assert_array_equal(after.assessments.column(name), before.assessments.column(name))


@pytest.mark.parametrize("form", ["csv", "json", "trec_eval"])
def test_tables_of_scores_survive_a_round_trip(form: str, run: Run) -> None:
    there = run(f"convert --scores - -f {form}", SCORES)
    assert (there.code, there.err) == (0, "")
    assert run("convert --scores - -f csv", there.raw).out.encode() == SCORES


@pytest.mark.parametrize("name", ["../out", "a/b", ".hidden", "a\\b"])
def test_names_that_point_out_of_the_folder_are_refused(name: str, small, run: Run) -> None:
    rows = "".join(f"{name},{topic},a,1,1\n" for topic in ("t1", "t2"))
    (small / "runs.csv").write_text("system,topic,document,rank,score\n" + rows)
    ran = run("convert --runs runs.csv --aspect relevance=qrels.txt -o new")
    assert ran.code == 1
    assert "expected names of systems that are valid file names, found" in ran.err
    assert not list((small / "new").rglob("*out*"))
    assert run("convert --runs runs.csv --aspect relevance=qrels.txt -f csv -o tables").code == 0
