"""Public collections: the four entries, fetched from bare repositories of their layout that these tests make."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

import evalcore as ec
from evalcore.cli import main
from evalcore.data.public import fetch, git, public_collection, public_collections
from evalcore.data.public.fetching import AT_ONCE

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs the program git")

TOPICS = ("1", "2")
DOCUMENTS = ("a", "b", "c")
RUN_NAMES = {
    "clef2015": ("runs/english-runs/ECNU_EN_Run.1.dat", "runs/english-runs/KISTI_EN_RUN.1.dat"),
    "clef2016": ("runs_t2/CUNI_EN_Run1.txt", "runs_t2/ecnu_EN_Run1.txt"),
    "clef2018": ("runs/CUNI/IRTask1/CUNI_en.run1", "runs/baselines/IRTask1/terrier_BM25_cli.out"),
    "chs2021": ("runs/baselines/terrier_BM25.res", "runs/baselines/terrier_TF_IDF.res"),
}
# Beside them in the real repositories, and no part of the collection.
OTHERS = {
    "clef2015": ("evaluation/evals_html/CUNI_EN_Run/img/p10.png", "qrels/qrels.eng.clef2015.test.bin.txt"),
    "clef2016": ("runs_t1/CUNI_EN_Run1.txt", "qrels/from_task2_to_task1.py"),
    "clef2018": ("runs/CUNI/IRTask4/CUNI_cs.run1", "runs/CUNI/info.txt"),
    "chs2021": ("runs/README.md", "assessments/README.md"),
}
NAMES = sorted(public_collections())


def run_text(order: str = "abc", topics: tuple[str, ...] = TOPICS) -> str:
    return "".join(f"{t} Q0 {d} {k} {9 - k} tag\n" for t in topics for k, d in enumerate(order, 1))


def labels_text(*grades: int) -> str:
    return "".join(f"{t} 0 {d} {g}\n" for t in TOPICS for d, g in zip(DOCUMENTS, grades, strict=True))


def contents(name: str) -> dict[str, str]:
    """A repository in miniature: relevance 0, 1, 2 for a, b, c; every other aspect 2, 0, 1 (in credibility 3, 0, 1)."""
    files = dict.fromkeys(OTHERS[name], "no part of it\n")
    for column in public_collection(name).manifest.columns:
        grades = {"relevance": (0, 1, 2), "credibility": (3, 0, 1)}.get(column.scale.name, (2, 0, 1))
        files[column.file] = labels_text(*grades)
    first, second = RUN_NAMES[name]
    return {**files, first: run_text("cba"), second: run_text("abc")}


def call(*command: str | Path, cwd: Path) -> None:
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    names = {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(command, cwd=cwd, check=True, capture_output=True, env={**os.environ, **settings, **names})


def bare(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """A bare repository with one commit of these files, which serves parts of it as public hosts do."""
    work = folder / "work"
    for name, content in files.items():
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    call("git", "init", "-q", "--template=", cwd=work)
    call("git", "add", "-A", cwd=work)
    call("git", "commit", "-q", "-m", "all", cwd=work)
    call("git", "clone", "-q", "--bare", "--template=", work, folder / "bare.git", cwd=folder)
    for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        call("git", "config", key, "true", cwd=folder / "bare.git")
    shutil.rmtree(work)
    return folder / "bare.git"


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: bare(tmp_path_factory.mktemp(name), contents(name)) for name in NAMES}


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_collection_in_its_layout_is_fetched_and_loads(name: str, repositories, tmp_path: Path) -> None:
    found = fetch(name, tmp_path / name, location=repositories[name].as_uri())
    collection = ec.load(tmp_path / name)
    assert (found.systems, found.topics, found.documents, found.left_out) == (2, 2, 6, ())
    assert (len(collection.systems), collection.topics) == (2, ("1", "2"))
    assert collection.aspects == public_collection(name).aspects
    assert not [other for other in OTHERS[name] if (tmp_path / name / other).exists()]


@pytest.mark.parametrize("name", NAMES)
def test_the_relevance_of_a_fetched_collection_is_scored_as_by_hand(name: str, repositories, tmp_path: Path) -> None:
    fetch(name, tmp_path / name, location=str(repositories[name]))
    scores = ec.evaluate(ec.parse("RBP(rho=0.5)"), ec.load(tmp_path / name)).mean()
    # Relevant are b and c: 1/2 + 1/4 at the top two places, 1/4 + 1/8 at the last two.
    assert sorted(scores) == [0.375, 0.75]


def test_good_ends_are_those_of_the_entries() -> None:
    low = {
        (name, c.scale.name)
        for name in NAMES
        for c in public_collection(name).manifest.columns
        if c.scale.good == "low"
    }
    assert low == {("clef2016", "understandability"), ("clef2018", "understandability")}


def test_credibility_that_could_not_be_judged_is_not_a_grade(repositories, tmp_path: Path) -> None:
    fetch("chs2021", tmp_path / "x", location=str(repositories["chs2021"]))
    column = ec.load(tmp_path / "x").assessments.frame()["credibility"]
    assert column.isna().sum() == 2
    assert column.max() == 1


def test_what_was_fetched_stands_in_the_description(repositories, tmp_path: Path) -> None:
    found = fetch("clef2015", tmp_path / "x", location=str(repositories["clef2015"]))
    description = ec.load(tmp_path / "x").description
    assert found.commit in description
    assert "GPL-2.0" in description
    assert len(found.commit) == 40


def test_only_the_content_of_the_collection_travels(repositories, tmp_path: Path) -> None:
    location = repositories["clef2015"].as_uri()
    fetch("clef2015", tmp_path / "x", location=location)
    listed = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch-check"], cwd=tmp_path / "x", capture_output=True, text=True
    )
    # Relevance, understandability and two runs; the two other files of the repository have one content, not here.
    assert listed.stdout.count(" blob ") == 4


def test_a_complete_folder_is_checked_without_the_repository(repositories, tmp_path: Path) -> None:
    first = fetch("clef2015", tmp_path / "x", location=str(repositories["clef2015"]))
    again = fetch("clef2015", tmp_path / "x", location=str(tmp_path / "gone"))
    assert (first.fetched, again.fetched) == (4, 0)
    assert (again.commit, again.size, again.systems) == (first.commit, first.size, first.systems)


def test_a_deleted_file_comes_back(repositories, tmp_path: Path) -> None:
    fetch("clef2015", tmp_path / "x", location=str(repositories["clef2015"]))
    gone = tmp_path / "x" / RUN_NAMES["clef2015"][0]
    gone.unlink()
    assert fetch("clef2015", tmp_path / "x", location=str(repositories["clef2015"])).fetched == 1
    assert gone.read_text() == run_text("cba")


def test_a_changed_file_of_a_complete_folder_is_reported_and_left(repositories, tmp_path: Path) -> None:
    fetch("clef2015", tmp_path / "x", location=str(repositories["clef2015"]))
    mine = tmp_path / "x" / RUN_NAMES["clef2015"][0]
    mine.write_text(run_text("bca"))
    with pytest.raises(ec.InputError, match=r"found others: runs/english-runs/ECNU_EN_Run\.1\.dat"):
        fetch("clef2015", tmp_path / "x", location=str(repositories["clef2015"]))
    assert mine.read_text() == run_text("bca")


def test_an_interrupted_folder_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"runs/english-runs/s{k}.dat": run_text("abc"[k % 3 :]) + f"2 Q0 d{k} 9 0 x\n" for k in range(AT_ONCE + 2)}
    repository = bare(tmp_path, contents("clef2015") | many)
    asked: list[float] = []

    def interrupted(share: float, text: str) -> None:
        asked.append(share)
        if text.startswith(f"Fetching files: {AT_ONCE}"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("clef2015", tmp_path / "x", location=str(repository), progress=interrupted)
    assert not (tmp_path / "x" / "collection.toml").exists()
    # What a killed process leaves: a lock, and half a file.
    (tmp_path / "x" / ".git" / "index.lock").touch()
    (tmp_path / "x" / "runs/english-runs/s9.dat").write_text("1 Q0 a")
    found = fetch("clef2015", tmp_path / "x", location=str(repository))
    assert (found.files, found.fetched) == (len(many) + 4, len(many) + 4 - AT_ONCE)
    assert found.systems == len(many) + 2


def test_broken_and_strange_runs_are_reported_and_left_out(tmp_path: Path) -> None:
    strange = {
        "runs/english-runs/broken.dat": "1 Q0 a 1 9 x\n1 Q0 b two words\n",
        "runs/english-runs/elsewhere.dat": run_text(topics=("77",)),
        "runs/english-runs/KISTI_EN_RUN.1.dat.gz": run_text(),
        "runs/english-runs/odd [1] *.dat": run_text("bac"),
        "runs/english-runs/ at both ends ": run_text("acb"),
        "runs/english-runs/!x#é.dat": run_text("cab"),
        "runs/english-runs/.hidden": "nothing",
    }
    repository = bare(tmp_path, contents("clef2015") | strange)
    found = fetch("clef2015", tmp_path / "x", location=str(repository))
    left_out = {one.file.removeprefix("runs/english-runs/"): one for one in found.left_out}
    assert left_out["broken.dat"].line == 2
    assert set(left_out) == {"broken.dat", "elsewhere.dat", "KISTI_EN_RUN.1.dat.gz"}
    systems = set(ec.load(tmp_path / "x").systems)
    assert systems == {"ECNU_EN_Run.1.dat", "KISTI_EN_RUN.1.dat", "odd [1] *.dat", " at both ends ", "!x#é.dat"}
    assert "# left out: runs/english-runs/broken.dat line 2: " in (tmp_path / "x" / "collection.toml").read_text()


def test_broken_labels_are_an_error_with_their_line(tmp_path: Path) -> None:
    repository = bare(tmp_path, contents("chs2021") | {"assessments/qrels.txt": "1 0 a 1\n1 0 b\n"})
    with pytest.raises(ec.InputError, match=r"assessments/qrels\.txt line 2"):
        fetch("chs2021", tmp_path / "x", location=str(repository))


def test_line_ends_and_pointers_stay_as_the_repository_has_them(tmp_path: Path) -> None:
    run = run_text("cab").replace("\n", "\r\n")
    names = {".gitattributes": "* text=auto eol=crlf\n*.dat filter=lfs\n", RUN_NAMES["clef2015"][0]: run}
    repository = bare(tmp_path, contents("clef2015") | names)
    assert fetch("clef2015", tmp_path / "x", location=str(repository)).left_out == ()


@pytest.mark.parametrize(
    ("location", "problem"),
    [
        ("/nowhere/x.git", "does not appear to be a git repository; --from takes another location"),
        ("https://me:secret@127.0.0.1:9/x.git", r"^https://127\.0\.0\.1:9/x\.git: .*Failed to connect"),
        ("ext::sh -c id", "transport 'ext' not allowed"),
        ("--upload-pack=id", "expected the address or folder of a git repository"),
    ],
)
def test_a_location_that_is_none_is_refused_and_leaves_nothing(location: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ec.InputError, match=problem) as error:
        fetch("clef2015", tmp_path / "x", location=location)
    assert "secret" not in str(error.value)
    assert not (tmp_path / "x").exists()


def test_an_empty_folder_that_was_there_stays_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(ec.InputError):
        fetch("clef2015", tmp_path, location="/nowhere/x.git")
    assert list(tmp_path.iterdir()) == []


def test_settings_of_others_in_a_folder_are_refused_and_run_nothing(repositories, tmp_path: Path) -> None:
    """As in a folder that was sent by somebody: git runs what core.fsmonitor, or an included file, names."""
    fetch("clef2015", tmp_path / "x", location=str(repositories["clef2015"]))
    (tmp_path / "x" / RUN_NAMES["clef2015"][0]).unlink()
    call("git", "config", "core.fsmonitor", f"touch '{tmp_path}/ran'; false", cwd=tmp_path / "x")
    with pytest.raises(ec.InputError, match=r"config: expected git's settings as fetch made .*: core\.fsmonitor"):
        fetch("clef2015", tmp_path / "x", location=str(repositories["clef2015"]))
    assert not (tmp_path / "ran").exists()


def test_another_layout_names_the_file_that_is_not_there(repositories, tmp_path: Path) -> None:
    with pytest.raises(ec.InputError, match=r"expected the file assessments/qrels\.txt, found none"):
        fetch("chs2021", tmp_path / "x", location=str(repositories["clef2015"]))


def test_a_folder_with_other_files_is_left(repositories, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ec.InputError, match="found other files"):
        fetch("clef2015", tmp_path, location=str(repositories["clef2015"]))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_full_disk_is_reported(repositories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = "error: unable to write file x: No space left on device\nfatal: could not checkout\n"
    script = tmp_path / "git"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *read-tree*) printf "{error}" >&2; exit 128;; esac\nexec {shutil.which("git")} "$@"\n'
    )
    script.chmod(0o755)
    monkeypatch.setattr(git, "require_git", lambda: str(script))
    with pytest.raises(ec.InputError, match="No space left on device"):
        fetch("clef2015", tmp_path / "x", location=str(repositories["clef2015"]))


def test_without_git_its_absence_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ec.InputError, match="expected the program git, found none"):
        fetch("clef2015", tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ec.InputError, match=r"clef2018, found 'clef2105'; did you mean clef2015"):
        fetch("clef2105", "x")


def test_the_command_prints_what_it_fetched_and_how_large(repositories, tmp_path: Path, capsys) -> None:
    where = str(tmp_path / "x")
    assert main(["fetch", "clef2018", "-o", where, "--from", str(repositories["clef2018"])]) == 0
    output = capsys.readouterr().out
    assert "5 of 5 files fetched, 0.0 MB, commit " in output
    assert "2 systems, 2 topics, 6 assessed documents; relevance, understandability, trustworthiness" in output


def test_the_command_without_a_name_lists_all(capsys) -> None:
    assert main(["fetch"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:1].isalpha()][:4] == NAMES


def test_an_interruption_of_the_command_explains_how_to_go_on(
    capsys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("evalcore.fetch", interrupted)
    assert main(["fetch", "clef2015", "-o", str(tmp_path / "x")]) == 130
    assert "the same command continues" in capsys.readouterr().err
