"""`evalcore --completion`: scripts that the shells read, and what bash then offers."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from cli_support import Run

from evalcore.cli import COMMANDS
from evalcore.common.constants import ORDERS

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
