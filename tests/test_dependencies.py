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
