"""Collections by folder, zip, pattern, several files, or each file with its purpose."""

from __future__ import annotations

import io
import json
import os
import zipfile

import pytest
from cli_support import HEALTH, Refused, Run

import evalcore as ec

AP = "runid                 \tall\tgood\nAP                    \tall\t1.0000\n"


@pytest.fixture
def archive(small) -> None:
    (small / "zips").mkdir()
    with zipfile.ZipFile(small / "zips" / "all.zip", "w") as archive:
        for path in sorted(small.rglob("*.txt")):
            archive.write(path, path.relative_to(small))


@pytest.mark.parametrize(
    "place",
    [
        "zips/all.zip",
        "zips/al?.zip",
        "zips",
        "*.txt runs",
        "qrels.txt qread.txt runs/good.txt runs/poor.txt",
        "qrels.txt 'runs/*.txt'",
        "--runs runs --aspect relevance=qrels.txt",
        "--runs runs/good.txt runs/poor.txt --aspect relevance=qrels.txt",
        "--runs 'runs/*' --aspect relevance=qrels.txt --aspect understandability=qread.txt",
    ],
)
@pytest.mark.usefixtures("archive")
def test_every_way_to_name_a_collection_gives_the_same_scores(place: str, run: Run) -> None:
    ran = run(f"score {place} -m AP --systems good")
    assert (ran.code, ran.err, ran.out) == (0, "", AP)


def test_options_may_stand_before_the_place(small, run: Run) -> None:
    assert run("score -q -m AP .").out == run("score . -m AP -q").out


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            "score . --runs runs",
            "(a folder, a zip, or --runs with --aspect), found both . and --runs",
        ),
        ("score --runs runs", "(a folder, a zip, or --runs with --aspect), found only --runs"),
        ("score --aspect relevance=qrels.txt", "found only --aspect"),
        ("score --runs runs --aspect qrels.txt", "--aspect: expected NAME=FILE, found 'qrels.txt'"),
        ("score --runs runs --aspect a=qrels.txt --aspect a=qread.txt", "expected each name once, found 'a' again"),
        ("score . --good fog", "--good: expected NAME=high or NAME=low, found 'fog'"),
        ("score qrels.txt runs --good relevance=low", "--good: expected one folder or zip, or --runs and --aspect"),
        ("score --runs runs --aspect a=qrels.txt --collection-toml x", "--collection-toml: expected a folder"),
    ],
)
def test_contradictory_arguments_are_refused(line: str, complaint: str, small, refused: Refused) -> None:
    refused(line, 2, complaint)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("score nothing*", "evalcore: nothing*: expected a folder, a zip or a file, found nothing at this path"),
        ("score . --systems 'x*'", "evalcore: --systems: expected a pattern that matches one of 2 names, found 'x*'"),
        ("score . --topics t3", "evalcore: --topics: expected a pattern that matches one of 2 names, found 't3'"),
        ("score . --good fog=low", "expected `good` to map one of relevance, understandability"),
        ("score . --collection-toml no.toml", "evalcore: no.toml: cannot read the file: No such"),
        ("score . --collection-toml bad.toml", "expected a collection.toml in UTF-8, found a different encoding"),
        (
            "score --runs runs --aspect relevance=none.txt",
            "none.txt: expected a folder, a zip or a file",
        ),
    ],
)
def test_unknown_paths_and_names_are_refused(line: str, complaint: str, small, refused: Refused) -> None:
    (small / "bad.toml").write_bytes(b"\xff\xfe")
    refused(line, 1, complaint)


def test_order_labels_and_ends_are_overruled(small, run: Run) -> None:
    (small / "runs" / "poor.txt").write_text("t1 Q0 b 1 1 y\nt1 Q0 a 2 9 y\n")

    def score(measure: str, how: str) -> float:
        chosen = ["--topics", "t1", "--systems", "poor", *how.split()]
        return float(run(["score", ".", "-m", measure, *chosen]).out.split()[-1])

    assert (score("RR", ""), score("RR", "--order rank")) == (1.0, 0.5)
    urbp = "uRBP(rho=0.5, threshold=2)"  # a is relevant, of grade 3, and at rank 1
    assert (score(urbp, ""), score(urbp, "--good understandability=low")) == (0.5, 0.0)
    assert score('AP(aspect="understandability", rel=2)', "--labels by-document") == 1.0


def test_systems_and_topics_are_chosen_by_patterns(small, run: Run) -> None:
    table = run("score . -m AP -q -f csv --systems 'g*' --topics t2").lines
    assert table == ["system,measure,topic,score", "good,AP,t2,1.0"]


def test_labels_are_those_of_the_source(run: Run, sample) -> None:
    expected = ec.evaluate("AP", ec.judged_by(sample, "llm")).mean()["bm25_base"]
    for how in ("-m AP --source llm", "-m 'AP(source=\"llm\")'"):
        assert run(f"score {HEALTH} {how} --systems bm25_base -f csv").table["score"].item() == pytest.approx(expected)
    ran = run(f"score {HEALTH} -m AP --source gpt")
    assert (ran.code, "(assessors, llm, majority, median, mean, union, agreed), found 'gpt'" in ran.err) == (1, True)


def test_a_collection_toml_takes_the_place_of_inference(small, run: Run) -> None:
    (small / "other.toml").write_text('runs = "runs/good.txt"\n[aspects.usefulness]\nfile = "qread.txt"\n')
    found = json.loads(run("inspect . --collection-toml other.toml -f json").out)
    assert ([one["column"] for one in found["columns"]], len(found["systems"])) == (["usefulness"], 1)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_only(small, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    ran = run("score . -m AP --no-cache")
    assert ran.code == 0
    assert "Reading runs: 2 of 2" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")  # nothing is left of it
    assert "notes on the files: evalcore inspect shows them" in terminal.getvalue()


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices are files only there")
@pytest.mark.parametrize("special", ["pipe", "/dev/zero"])
@pytest.mark.parametrize(
    "line",
    [
        "inspect {}",
        "score {} -m AP",
        "score --runs runs/good.txt --aspect r=qrels.txt --signal fog={} -m AP",
        "score . --collection-toml {} -m AP",
        "score . -m @{}",
        "convert --scores {}",
        "compare --scores {}",
    ],
)
def test_a_path_that_is_not_a_file_is_refused_at_once(small, run: Run, line: str, special: str) -> None:
    if special == "pipe":
        os.mkfifo(small / special)
    ran = run(line.format(special))
    kind = "a named pipe (FIFO)" if special == "pipe" else "a device"
    assert ran.code != 0
    assert f"expected a file, found {kind}" in ran.err


def test_runs_in_folds_are_asked_about_in_the_first_note(tmp_path, run: Run) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "runs").mkdir()
    for fold in "12":
        (tmp_path / "runs" / f"bm25.fold{fold}.txt").write_text(f"{fold} Q0 a 1 2 x\n")
    first, second, *_ = run(f"score {tmp_path} -m AP").err.splitlines()
    assert "one system?" in first
    assert 'To join them: `runs = ["runs/{system}.fold{fold}.txt"]` in collection.toml' in first
    assert "no topic in common for 1 of 1 pair of systems, such as 'bm25.fold1' and 'bm25.fold2'" in second
