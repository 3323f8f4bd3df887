"""Every Python line of the README runs, in order, and gives the value its comment promises."""

from __future__ import annotations

import io
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

import evalcore as ec
from evalcore.cli import main
from evalcore.data.manifest import parse_manifest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    kept = 0
    for block in blocks("python"):
        for line in block.splitlines():
            code, _, promise = line.partition("#")
            if promise.strip()[:1].isdigit():
                assert eval(code, names) == float(promise)
                kept += 1
            else:
                exec(code, names)
    assert kept == len(re.findall(r"^[^#\n]+# *\d", "".join(blocks("python")), flags=re.MULTILINE)) > 0
    assert "scores" in names


def test_the_collection_file_of_the_readme_is_read() -> None:
    manifest = parse_manifest(blocks("toml")[0])
    assert parse_manifest(blocks("toml")[1]).passages
    assert [column.scale.name for column in manifest.columns][:2] == ["relevance", "understandability"]


@pytest.mark.parametrize("line", [line for block in blocks("sh") for line in block.splitlines()])
def test_the_commands_of_the_readme_run(line: str, monkeypatch: pytest.MonkeyPatch, capsysbinary) -> None:
    monkeypatch.chdir(ROOT)
    piped = b""
    for command in line.split(" | "):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(piped)))
        assert main(shlex.split(command)[1:]) == 0
        piped = capsysbinary.readouterr().out
    assert piped


def test_what_is_released_has_one_version_and_a_day() -> None:
    released = re.search(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert released
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited
    assert {released[1], cited[1], project["version"], ec.__version__} == {ec.__version__}
