"""docs/dependencies.md names every package that pyproject.toml asks for."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    asked = [*project["project"]["dependencies"], *project["build-system"]["requires"], *chain(*extras.values())]
    names = {match.group() for text in asked if (match := re.match(r"[\w-]+", text))} - {"ir-evalcore"}
    explained = set(re.findall(r"^\| ([\w-]+) \|", (ROOT / "docs/dependencies.md").read_text(), re.MULTILINE))
    assert explained - {"package"} == names


def test_what_is_installed_here_is_what_was_locked() -> None:
    """Files are compared by their checksums: another file under the same name and version is not installed."""
    lock = (ROOT / "requirements.lock").read_text()
    entries = re.split(r"\n(?=[^\s#])", lock.partition("\n\n")[2] or lock)[1:]
    assert len(entries) > 100
    for entry in entries:
        assert re.match(r"[\w.-]+==\S+ \\\n", entry), entry[:80]
        assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry)) == len(entry.splitlines()) - 1 > 0, entry[:80]
    installing = [line for line in (ROOT / "Makefile").read_text().splitlines() if "-r requirements.lock" in line]
    assert [("--require-hashes" in line) for line in installing] == [True]
