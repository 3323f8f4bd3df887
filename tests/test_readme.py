"""Every Python line of the README runs, in order, and gives the value its comment promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evalcore.data.manifest import parse_manifest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for block in blocks("python"):
        for line in block.splitlines():
            code, _, promise = line.partition("#")
            if promise.strip()[:1].isdigit():
                assert eval(code, names) == float(promise)
            else:
                exec(code, names)


def test_the_collection_file_of_the_readme_is_read() -> None:
    manifest = parse_manifest(blocks("toml")[0])
    assert [column.scale.name for column in manifest.columns][:2] == ["relevance", "understandability"]
