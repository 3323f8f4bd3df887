"""Every Python line of docs/python.md runs, in order, and gives the value its comment promises; commands run, too."""

from __future__ import annotations

import io
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

import evalcore as ec
from evalcore.cli import COMMANDS, main
from evalcore.data.manifest import parse_manifest

ROOT = Path(__file__).parents[1]


def blocks(language: str, page: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / page).read_text(), flags=re.DOTALL)


def test_the_python_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    kept = 0
    for block in blocks("python", "python.md"):
        for line in block.splitlines():
            code, _, promise = line.partition("#")
            if promise.strip()[:1].isdigit():
                assert eval(code, names) == float(promise)
                kept += 1
            else:
                exec(code, names)
    assert kept == len(re.findall(r"^[^#\n]+# *\d", "".join(blocks("python", "python.md")), flags=re.MULTILINE)) > 0
    assert "scores" in names


def test_the_collection_files_are_read() -> None:
    manifest = parse_manifest(blocks("toml", "formats.md")[0])
    assert parse_manifest(blocks("toml", "formats.md")[1]).passages
    assert [column.scale.name for column in manifest.columns][:2] == ["relevance", "understandability"]


@pytest.mark.parametrize("line", [line for block in blocks("sh", "commands.md") for line in block.splitlines()])
def test_the_commands_run(line: str, monkeypatch: pytest.MonkeyPatch, capsysbinary) -> None:
    monkeypatch.chdir(ROOT)
    piped = b""
    for command in line.split(" | "):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(piped)))
        assert main(shlex.split(command)[1:]) == 0
        piped = capsysbinary.readouterr().out
    assert piped


def test_each_command_has_its_line() -> None:
    lines = "\n".join([*blocks("sh", "commands.md"), *blocks("text", "commands.md")])
    assert set(COMMANDS) <= set(re.findall(r"\bevalcore ([a-z-]+)", lines))


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited
    assert cited[1] == project["version"] == ec.__version__
