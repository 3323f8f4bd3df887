"""Public collections: the four entries, downloaded from a server of this machine with their layouts."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from github_support import OTHERS, RUN_NAMES, SHA, Answer, GitHub, contents, run_text, send, serving

import evalcore as ec
from evalcore.cli import main
from evalcore.data.public import download, fetch, public_collection, public_collections
from evalcore.data.public.download import STAGING, newest

pytestmark = pytest.mark.threads  # of the server

NAMES = sorted(public_collections())


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHub]:
    """Serve a repository in place of GitHub."""
    made = GitHub()
    with serving(made) as address:
        monkeypatch.setattr(download, "API", f"{address}/api")
        monkeypatch.setattr(download, "RAW", f"{address}/raw")
        yield made


@pytest.fixture
def clef2015(github: GitHub) -> GitHub:
    github.put(contents("clef2015"))
    return github


RUN = RUN_NAMES["clef2015"][0]


# --- what is fetched -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_collection_in_its_layout_is_fetched_and_loads(name: str, github: GitHub, tmp_path: Path) -> None:
    github.put(contents(name))
    found = fetch(name, tmp_path / name)
    collection = ec.load(tmp_path / name)
    assert (found.systems, found.topics, found.documents, found.left_out) == (2, 2, 6, ())
    assert (len(collection.systems), collection.topics) == (2, ("1", "2"))
    assert collection.aspects == public_collection(name).aspects
    # Relevant are b and c: 1/2 + 1/4 at the top two places, 1/4 + 1/8 at the last two.
    assert sorted(ec.evaluate(ec.parse("RBP(rho=0.5)"), collection).mean()) == [0.375, 0.75]
    assert not [other for other in OTHERS[name] if (tmp_path / name / other).exists()]


def test_credibility_that_could_not_be_judged_is_not_a_grade(github: GitHub, tmp_path: Path) -> None:
    github.put(contents("chs2021"))
    fetch("chs2021", tmp_path / "x")
    column = ec.load(tmp_path / "x").assessments.frame()["credibility"]
    assert column.isna().sum() == 2
    assert column.max() == 1


def test_a_complete_folder_is_checked_without_the_network(clef2015: GitHub, tmp_path: Path) -> None:
    first = fetch("clef2015", tmp_path / "x")
    clef2015.asked.clear()
    again = fetch("clef2015", tmp_path / "x")
    assert (first.fetched, again.fetched, clef2015.asked) == (4, 0, [])
    assert (again.commit, again.size, again.systems) == (first.commit, first.size, first.systems)


def test_a_deleted_file_comes_back(clef2015: GitHub, tmp_path: Path) -> None:
    fetch("clef2015", tmp_path / "x")
    (tmp_path / "x" / RUN).unlink()
    clef2015.sha = "f" * 40  # a newer commit, which this folder is not of
    assert fetch("clef2015", tmp_path / "x").fetched == 1
    assert (tmp_path / "x" / RUN).read_text() == run_text("cba")


@pytest.mark.parametrize("text", [run_text("bca"), run_text("cba") + "\n", ""])
def test_a_changed_file_is_reported_and_not_touched(text: str, clef2015: GitHub, tmp_path: Path) -> None:
    fetch("clef2015", tmp_path / "x")
    (tmp_path / "x" / RUN).write_text(text)
    with pytest.raises(ec.InputError, match=r"found changed ones: runs/english-runs/ECNU_EN_Run\.1\.dat"):
        fetch("clef2015", tmp_path / "x")
    assert (tmp_path / "x" / RUN).read_text() == text


# --- what goes wrong on the way --------------------------------------------------------------------------------------


def other(request: BaseHTTPRequestHandler, content: bytes) -> None:
    send(request, content.replace(b"a", b"b"))


def shorter(request: BaseHTTPRequestHandler, content: bytes) -> None:
    send(request, content[:-1])


def longer(request: BaseHTTPRequestHandler, content: bytes) -> None:
    send(request, content + b"x" * 10_000_000)


def broken_off(request: BaseHTTPRequestHandler, content: bytes) -> None:
    request.send_response(200)
    request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    request.wfile.write(content[:-5])


def missing(request: BaseHTTPRequestHandler, content: bytes) -> None:
    request.send_error(404)


def elsewhere(request: BaseHTTPRequestHandler, content: bytes) -> None:
    request.send_response(302)
    request.send_header("Location", "http://127.0.0.1:1/other")
    request.end_headers()


def to_a_file(request: BaseHTTPRequestHandler, content: bytes) -> None:
    request.send_response(302)
    request.send_header("Location", "file:///etc/passwd")
    request.end_headers()


def endless(request: BaseHTTPRequestHandler, content: bytes) -> None:
    """Send without end, without a stated length."""
    request.send_response(200)
    request.end_headers()
    with suppress(OSError):
        while True:
            request.wfile.write(b"x" * 100_000)


def a_bomb(request: BaseHTTPRequestHandler, content: bytes) -> None:
    """Send 20 kB that unpack to 20 MB."""
    request.send_response(200)
    request.send_header("Content-Encoding", "gzip")
    request.end_headers()
    request.wfile.write(gzip.compress(b"\0" * 20_000_000))


def no_http(request: BaseHTTPRequestHandler, content: bytes) -> None:
    request.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n" * 100)


def drops(request: BaseHTTPRequestHandler, content: bytes) -> None:
    """Send a byte now and then."""
    request.send_response(200)
    request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    with suppress(OSError):
        for byte in content * 100:
            request.wfile.write(bytes([byte]))
            time.sleep(0.1)


def drops_of_a_head(request: BaseHTTPRequestHandler, content: bytes) -> None:
    with suppress(OSError):
        request.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        while True:
            request.wfile.write(b"x")
            time.sleep(0.1)


def wait_on(request: BaseHTTPRequestHandler, content: bytes) -> None:
    """Say forever that the answer is still to come."""
    with suppress(OSError):
        while True:
            request.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            time.sleep(0.01)


def enough(request: BaseHTTPRequestHandler, content: bytes) -> None:
    request.send_response(403)
    request.send_header("X-RateLimit-Remaining", "0")
    request.end_headers()


PROBLEMS: dict[Answer, str] = {
    other: "the content does not match",
    shorter: "the server sent .* of .* bytes; try again",
    longer: "the server sends more than the expected",
    broken_off: "the download was interrupted .*; run it again to continue",
    missing: "the server answered 404",
    elsewhere: "the server redirects to http://127.0.0.1:1/other, which is refused",
    to_a_file: "the server redirects to file:///etc/passwd, which is refused",
    endless: "the server sends more than the expected",
    a_bomb: "the server compresses its answer",
    no_http: "the download was interrupted",
    drops: r"the server sent only 0 bytes in \d s; try again",
    drops_of_a_head: r"the server sent only 0 bytes in \d s; try again",
    wait_on: r"the server sent only 0 bytes in \d s; try again",
    enough: r"is refusing requests from this address \(rate limit\)",
}


@pytest.mark.parametrize("answer", PROBLEMS, ids=lambda answer: answer.__name__)
def test_a_download_that_fails_leaves_no_file_and_the_next_one_continues(
    answer: Answer, clef2015: GitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if PROBLEMS[answer].startswith("the server sent only"):
        monkeypatch.setattr(download, "SECONDS", 2.0)
    clef2015.odd[RUN] = answer
    with pytest.raises(ec.InputError, match=PROBLEMS[answer]) as error:
        fetch("clef2015", tmp_path / "x")
    assert RUN in error.value.where
    assert not (tmp_path / "x" / RUN).exists()
    assert not (tmp_path / "x" / STAGING).exists()
    assert not (tmp_path / "x" / "collection.toml").exists()
    clef2015.odd.clear()
    clef2015.asked.clear()
    assert fetch("clef2015", tmp_path / "x").fetched == 2  # the labels came before
    assert len(clef2015.asked) == 2


def test_a_refused_list_of_files_leaves_nothing(
    clef2015: GitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clef2015.truncated = True
    with pytest.raises(ec.InputError, match="lists only some"):
        fetch("clef2015", tmp_path / "x")
    monkeypatch.setattr(download, "API", "http://127.0.0.1:9/api")
    with pytest.raises(ec.InputError, match=r"the download was interrupted \(.*Connection refused\)"):
        fetch("clef2015", tmp_path / "x")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "entry", [{"path": 1}, {"path": None}, {"sha": [1]}, {"size": "x"}, {"size": None}, {"size": "9" * 5000}]
)
def test_an_unexpected_list_of_files_is_refused(entry: dict[str, Any], clef2015: GitHub, tmp_path: Path) -> None:
    clef2015.listed = [entry]
    with pytest.raises(ec.InputError, match="list of files has an unexpected form"):
        fetch("clef2015", tmp_path / "x")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("entries", "match"),
    [
        ([{"path": f"runs/english-runs/{'x' * 300}"}], "is too long for a disk"),
        ([{"path": "runs/english-runs/x", "size": 10**12}], "expected at most .* bytes of an archive"),
        ([{"path": f"runs/english-runs/{at}"} for at in range(12_000)], "expected at most .* characters of TOML"),
    ],
)
def test_a_download_beyond_the_limit_is_not_begun(
    entries: list[dict[str, Any]], match: str, clef2015: GitHub, tmp_path: Path
) -> None:
    clef2015.listed = entries
    with pytest.raises(ec.InputError, match=match):
        fetch("clef2015", tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_deeply_nested_list_of_files_is_refused(clef2015: GitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "_text", lambda url, kind: SHA if url.endswith("HEAD") else "[" * 100_000)
    with pytest.raises(ec.InputError, match="list of files has an unexpected form"):
        newest("owner/name")


@pytest.mark.parametrize("sha", ["", "main", "../" * 13 + "x"])
def test_an_invalid_commit_is_refused(sha: str, clef2015: GitHub) -> None:
    clef2015.sha = sha
    with pytest.raises(ec.InputError, match="answer is not a commit"):
        newest("owner/name")


def test_an_interrupted_folder_is_continued(clef2015: GitHub, tmp_path: Path) -> None:
    def interrupted(share: float, text: str) -> None:
        if RUN in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("clef2015", tmp_path / "x", progress=interrupted)
    assert not (tmp_path / "x" / "collection.toml").exists()
    assert not (tmp_path / "x" / STAGING).exists()
    # Left by a killed process: half a file on its way.
    (tmp_path / "x" / STAGING).mkdir()
    (tmp_path / "x" / STAGING / "tmp123").write_text("1 Q0 a")
    assert fetch("clef2015", tmp_path / "x").fetched == 2
    assert not (tmp_path / "x" / STAGING).exists()


def test_without_pooch_its_absence_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pooch", None)
    with pytest.raises(ec.InputError, match=r"the package pooch, found none: pip install 'ir-evalcore\[fetch\]'"):
        fetch("clef2015", tmp_path / "x")
    assert not (tmp_path / "x").exists()


# --- what is read and written in a folder ----------------------------------------------------------------------------


def test_broken_and_strange_runs_are_reported_and_left_out(clef2015: GitHub, tmp_path: Path) -> None:
    strange = {
        "runs/english-runs/broken.dat": "1 Q0 a 1 9 x\n1 Q0 b two words\n",
        "runs/english-runs/elsewhere.dat": run_text(topics=("77",)),
        "runs/english-runs/KISTI_EN_RUN.1.dat.gz": run_text(),
        "runs/english-runs/odd [1] *.dat": run_text("bac"),
        "runs/english-runs/ at both ends ": run_text("acb"),
        "runs/english-runs/!x#é?.dat": run_text("cab"),
        "runs/english-runs/.hidden": "nothing",
    }
    clef2015.put(strange)
    found = fetch("clef2015", tmp_path / "x")
    left_out = {one.file.removeprefix("runs/english-runs/"): one for one in found.left_out}
    assert left_out["broken.dat"].line == 2
    assert set(left_out) == {"broken.dat", "elsewhere.dat", "KISTI_EN_RUN.1.dat.gz"}
    systems = set(ec.load(tmp_path / "x").systems)
    assert systems == {"ECNU_EN_Run.1.dat", "KISTI_EN_RUN.1.dat", "odd [1] *.dat", " at both ends ", "!x#é?.dat"}
    assert "# left out: runs/english-runs/broken.dat line 2: " in (tmp_path / "x" / "collection.toml").read_text()


def test_broken_labels_are_an_error_with_their_line(github: GitHub, tmp_path: Path) -> None:
    github.put(contents("chs2021") | {"assessments/qrels.txt": "1 0 a 1\n1 0 b\n"})
    with pytest.raises(ec.InputError, match=r"assessments/qrels\.txt line 2"):
        fetch("chs2021", tmp_path / "x")


@pytest.mark.parametrize("state", ["", 'name = "chs2021"\n', 'name = "clef2015"\ncommit = "x"\nfiles = []\n'])
def test_a_folder_with_other_files_is_not_touched(state: str, clef2015: GitHub, tmp_path: Path) -> None:
    (tmp_path / ("fetched.toml" if state else "mine.txt")).write_text(state or "mine")
    with pytest.raises(ec.InputError, match="found other files"):
        fetch("clef2015", tmp_path)
    assert [path.read_text() for path in tmp_path.iterdir()] == [state or "mine"]
    assert clef2015.asked == []


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "C:x", "..\\x"])
def test_a_foreign_folder_cannot_name_files_outside_of_it(name: str, clef2015: GitHub, tmp_path: Path) -> None:
    files = f"files = [{{ name = {json.dumps(name)}, size = 1, digest = 'git:{SHA}' }}]"
    (tmp_path / "fetched.toml").write_text(f"name = 'clef2015'\ncommit = '{SHA}'\n{files}\n")
    with pytest.raises(ec.InputError):
        fetch("clef2015", tmp_path)
    assert clef2015.asked == []


def test_nothing_is_written_through_a_link_in_the_folder(clef2015: GitHub, tmp_path: Path) -> None:
    fetch("clef2015", tmp_path / "x")
    (tmp_path / "x" / "runs").rename(tmp_path / "runs")
    (tmp_path / "x" / "runs").symlink_to(tmp_path / "runs")
    (tmp_path / RUN).unlink()
    with pytest.raises(ec.InputError, match="a link leads out of the folder"):
        fetch("clef2015", tmp_path / "x")
    assert not (tmp_path / RUN).exists()


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ec.InputError, match=r"clef2018, found 'clef2105'; did you mean clef2015"):
        fetch("clef2105", "x")


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_prints_what_it_fetched_and_how_large(github: GitHub, tmp_path: Path, capsys) -> None:
    github.put(contents("clef2018"))
    assert main(["fetch", "clef2018", "-o", str(tmp_path / "x")]) == 0
    output = capsys.readouterr().out
    assert f"5 of 5 files fetched, 0.0 MB, commit {SHA}" in output
    assert "2 systems, 2 topics, 6 assessed documents; relevance, understandability, trustworthiness" in output
