"""Behaviour that all commands share: help, exit codes, errors on stderr, pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from cli_support import ROOT, Run

import evalcore
from evalcore.cli import COMMANDS, main


def process(line: str, cwd: os.PathLike[str] | str = ROOT) -> subprocess.CompletedProcess[str]:
    """A shell line in which `evalcore` is this package."""
    script = f'set -o pipefail; evalcore() {{ "{sys.executable}" -W error -m evalcore "$@"; }}; {line}'
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(["bash", "-c", script], cwd=cwd, env=known, capture_output=True, text=True, timeout=120)


def test_help_names_every_command_and_where_measures_are_listed(run: Run) -> None:
    ran = run("--help")
    assert (ran.code, ran.err) == (0, "")
    for name in COMMANDS:
        assert f"\n    {name}" in ran.out
    assert "evalcore measures" in ran.out


def test_version(run: Run) -> None:
    assert run("--version").out == f"evalcore {evalcore.__version__}\n"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "expected a command, found none"),
        ("nonsense", "invalid choice: 'nonsense'"),
        ("score", "expected a collection (a folder, a zip, or --runs with --aspect), found none"),
        ("score x --order best", "argument --order: invalid choice: 'best'"),
        ("compare", "expected a collection or --scores FILE, found neither"),
        ("sweep x", "the following arguments are required: -m/--measure"),
        ("convert", "expected a collection (a folder, a zip, or --runs with --aspect), found none"),
        ("app --port 0", "--port: expected a number from 1 to 65535, found 0"),
    ],
)
def test_a_usage_error_has_exit_code_2(line: str, complaint: str, run: Run) -> None:
    ran = run(line)
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err.splitlines()[-1]


def test_bad_input_has_exit_code_1_and_one_line_on_stderr(small, run: Run) -> None:
    (small / "runs" / "bad.txt").write_text("t1 Q0 a 1 9 x\nt1 Q0 b 2 8\n")
    ran = run("score . -m AP")
    expected = "evalcore: runs/bad.txt, line 2: expected 6 fields (topic Q0 document rank score tag), found 5: 't1 Q0 b"
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(expected)
    assert ran.err.count("\n") == 1


def test_foreign_text_in_an_error_does_not_steer_the_terminal(small, run: Run) -> None:
    ran = run(["score", "no\x1b[2Jsuch\n"])
    assert (ran.code, ran.err) == (
        1,
        "evalcore: no\\x1b[2Jsuch\\n: expected a folder, a zip or a file, found nothing at this path\n",
    )


def test_an_unwritable_output_has_exit_code_1(small, run: Run) -> None:
    ran = run("score . -m AP -o no/such/folder.csv")
    assert ran.code == 1
    assert ran.err == "evalcore: no/such/folder.csv: cannot write the file: No such file or directory\n"


def test_a_bug_in_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch, small) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("shapes do not fit")

    monkeypatch.setattr("evalcore.data.load", broken)
    with pytest.raises(ValueError, match="shapes do not fit"):
        main(["score", ".", "-m", "AP"])


def test_an_interrupt_has_exit_code_130(monkeypatch: pytest.MonkeyPatch, small, run: Run) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("evalcore.data.load", interrupted)
    assert run("score . -m AP").code == 130


def test_exit_codes_of_the_process() -> None:
    fine, bad, misused = (process(f"evalcore {line}") for line in ("--version", "score nowhere", "score"))
    assert [fine.returncode, bad.returncode, misused.returncode] == [0, 1, 2]
    assert fine.stderr == ""
    assert bad.stderr == "evalcore: nowhere: expected a folder, a zip or a file, found nothing at this path\n"
    assert "Traceback" not in misused.stderr


def test_a_closed_pipe_is_quiet() -> None:
    ran = process("evalcore score sample_data/health -m AP -q | true; exit ${PIPESTATUS[0]}")
    assert (ran.stdout, ran.stderr, ran.returncode) == ("", "", 128 + signal.SIGPIPE)


@pytest.mark.parametrize("line", ["score sample_data/health -m AP -q -f csv", "measures AP", "--version"])
def test_a_closed_or_full_standard_output_is_explained(line: str) -> None:
    found = {"closed": "Bad file descriptor", "full": "No space left on device"}
    for state, where in {"closed": ">&-", "full": "> /dev/full"}.items():
        ran = process(f"evalcore {line} {where}")
        message = f"evalcore: standard output: cannot write: {found[state]}\n"
        assert (ran.returncode, ran.stderr) == (1, message)


def test_closed_streams_that_are_unused_are_no_error(tmp_path) -> None:
    data = ROOT / "sample_data" / "health"
    ran = process(f"evalcore score {data} -m AP -f csv -o out.csv <&- >&- 2>&-", tmp_path)
    assert ran.returncode == 0
    assert (tmp_path / "out.csv").read_text().startswith("system,measure,score\n")


def test_notes_never_go_to_standard_output(tmp_path) -> None:
    """With standard error closed, Python would print on standard output what was meant for standard error."""
    (tmp_path / "scores.csv").write_text("system,measure,topic,score\na,AP,1,0.5\na,AP,1,0.5\nb,AP,1,0.2\n")
    loud, quiet = (process(f"evalcore convert --scores scores.csv -f csv {way}", tmp_path) for way in ("", "2>&-"))
    assert loud.stderr
    assert quiet.stdout == loud.stdout


def test_a_reader_that_leaves_after_the_first_line_is_quiet() -> None:
    ran = process("evalcore score sample_data/health -q -f csv 2>&1 | head -n 1; exit ${PIPESTATUS[0]}")
    assert ran.stdout == "system,measure,topic,score\n"
    assert ran.returncode in (0, 128 + signal.SIGPIPE)  # all may have been written when it leaves


def test_every_public_name_can_be_imported() -> None:
    for name in evalcore.__all__:
        assert getattr(evalcore, name) is not None
    assert evalcore.meta.tau is evalcore.tau
    assert {"load", "meta"} <= set(dir(evalcore))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(evalcore, "non" + "sense")
