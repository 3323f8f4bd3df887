"""`evalcore --completion`: scripts that the shells read, and what bash then offers."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from cli.conftest import Run

from evalcore.cli import COMMANDS
from evalcore.constants import ORDERS

SHELLS = ("bash", "zsh", "fish")


def offered(script: str, *words: str) -> list[str]:
    """What bash offers for the last word, once it has read the script."""
    typed = " ".join(f"'{word}'" for word in words)
    lines = [
        'eval "$SCRIPT"',
        f"COMP_WORDS=({typed})",
        f"COMP_CWORD={len(words) - 1}",
        "_shtab_evalcore",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    ran = subprocess.run(
        ["bash", "-u", "-c", "\n".join(lines)],
        env={"SCRIPT": script, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout.split()


@pytest.fixture
def bash(run: Run) -> str:
    return run("--completion bash").out


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (("evalcore", "co"), ["compare", "convert"]),
        (("evalcore", "score", "--for"), ["--format", "--force"]),
        (("evalcore", "score", "--format", "c"), ["csv"]),
        (("evalcore", "score", "folder", "-m", "uRBP"), ["uRBP", "uRBPgr", "uRBP1", "uRBP2"]),
        (("evalcore", "score", "folder", "-m", "ndcg_"), ["ndcg_rel", "ndcg_cut", "ndcg_cut_10"]),
        (("evalcore", "score", "--average", "r"), ["retrieved"]),
        (("evalcore", "score", "folder", "--source", "m"), ["majority", "median", "mean"]),
        (("evalcore", "score", "folder", "-M", "/nowhere"), []),
        (("evalcore", "score", "folder", "--order", ""), list(ORDERS)),
        (("evalcore", "compare", "--over", "t"), ["topics"]),
        (("evalcore", "measures", "TO"), ["TOMA"]),
        (("evalcore", "labels", "--noise", ""), ["neighbour", "any", "as-measured"]),
        (("evalcore", "score", "sample_da"), ["sample_data"]),  # a folder
    ],
)
def test_bash_offers(typed: tuple[str, ...], expected: list[str], bash: str) -> None:
    assert offered(bash, *typed) == expected


def test_bash_offers_every_command_and_every_option(bash: str) -> None:
    assert set(offered(bash, "evalcore", "")) == set(COMMANDS)
    assert {"--help", "--version", "--completion"} <= set(offered(bash, "evalcore", "--"))
    assert {"--resamples", "--matrix", "--scores", "-m"} <= set(offered(bash, "evalcore", "compare", "-"))


def test_bash_knows_the_command_after_the_line_of_the_help(run: Run, bash: str) -> None:
    ran = subprocess.run(
        ["bash", "-c", 'eval "$S"; complete -p evalcore'], env={"S": bash}, capture_output=True, text=True
    )
    assert ran.stdout.startswith("complete ")
    assert ran.stdout.endswith(" evalcore\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_every_command(shell: str, run: Run) -> None:
    ran = run(["--completion", shell])
    assert (ran.code, ran.err) == (0, "")
    for name in COMMANDS:
        assert name in ran.out
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=ran.out, text=True, check=True)


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh here")
@pytest.mark.parametrize("how", ["fpath=({folder} $fpath); compinit -u -D", 'eval "$(cat {file})"'])
def test_zsh_completes_at_the_first_tab(how: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "_evalcore").write_text(run("--completion zsh").out)
    begin = "autoload -U compinit; compinit -u -D; " + how.format(folder=tmp_path, file=tmp_path / "_evalcore")
    terminal, inside = pty.openpty()
    given = {**os.environ, "TERM": "dumb", "HOME": str(tmp_path)}
    with subprocess.Popen(["zsh", "-f", "-i"], stdin=inside, stdout=inside, stderr=inside, env=given) as zsh:
        try:
            os.write(terminal, f"{begin}; echo rea''dy\n".encode())
            wait_for("ready", terminal)
            os.write(terminal, b"evalcore comp\t")
            wait_for("evalcore compare ", terminal)
        finally:
            zsh.kill()
    os.close(terminal)
    os.close(inside)


def wait_for(text: str, terminal: int) -> None:
    """Read what the shell writes until it has written this."""
    seen, end = "", time.monotonic() + 20
    while text not in seen:
        assert time.monotonic() < end, seen
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 1 << 16).decode(errors="replace")
