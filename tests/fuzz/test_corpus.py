"""Every seed and every case that fuzzing found: read, or refused with a InputError."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from fuzz.targets import CORPUS, TARGETS, corpus

from evalcore.errors import InputError

CASES = [(name, path) for name in TARGETS for path in corpus(name)]


@pytest.mark.parametrize(
    ("name", "path"),
    [pytest.param(name, path, id=f"{name}-{path.name}") for name, path in CASES],
)
def test_a_seed_is_read_or_refused(name: str, path: Path) -> None:
    with contextlib.suppress(InputError):
        TARGETS[name](path.read_bytes())


def test_every_target_has_seeds() -> None:
    assert sorted(path.name for path in CORPUS.iterdir()) == sorted(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_no_target_refuses_every_seed(name: str) -> None:
    read = 0
    for path in corpus(name):
        with contextlib.suppress(InputError):
            TARGETS[name](path.read_bytes())
            read += 1
    assert read


@pytest.mark.parametrize("names", [("/a/qrels.txt", "b.run"), ("a.run", "a.run"), ("../a.run", "qrels.txt")])
def test_odd_names_of_uploads(names: tuple[str, str]) -> None:
    """All of these are runs, whatever their names say."""
    with pytest.raises(InputError, match=r"expected assessments, .*, found files that all seem to be runs"):
        TARGETS["upload"](b"p" + b"".join(f"=== {name}\n1 Q0 d1 1 2 a\n".encode() for name in names))
