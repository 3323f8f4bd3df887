"""Every line that a help text shows runs."""

from __future__ import annotations

import shlex
import subprocess

import pytest
from cli.conftest import Ran, Run

from evalcore.cli import COMMANDS

EXAMPLES = [line for command in COMMANDS.values() for line in command.EXAMPLES if not line.startswith("eval ")]


def run_line(line: str, run: Run) -> Ran:
    """Commands with pipes between them, in this process."""
    ran = Ran(0, b"", "")
    for command in line.split(" | "):
        name, *arguments = shlex.split(command)
        assert name == "evalcore"
        ran = run(arguments, ran.raw)
        usual = ("evalcore: note: First by ", "evalcore: note: How sure: ")
        messages = [line for line in ran.err.splitlines() if not line.startswith(usual)]
        assert (ran.code, messages) == (0, []), arguments
    return ran


@pytest.mark.parametrize("line", EXAMPLES)
def test_example(line: str, run: Run, in_checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(subprocess, "call", started.append)
    ran = run_line(line, run)
    if line.startswith("evalcore app"):
        assert len(started) == 1
    elif " -o " not in line:
        assert len(ran.lines) > 1
    else:
        words = shlex.split(line)
        assert (in_checkout / words[words.index("-o") + 1]).exists()


def test_every_command_has_examples() -> None:
    assert [name for name, command in COMMANDS.items() if not command.EXAMPLES] == []


def test_some_examples_write_files() -> None:
    """Which of them are there, `test_example` says."""
    assert {shlex.split(line)[1] for line in EXAMPLES if " -o " in line} >= {"convert", "partition", "report", "sweep"}
