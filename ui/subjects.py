"""Additions of subjects to the app: the folder of each has a module `subject`, which may define these names.

- PAGES: pages of places, each after the page that it follows (`evalcore.subjects.placed`)
- SAMPLES: sample collections: the one that each follows, its name, its folder
- FIRST_PICTURES: modules that draw on Home data without rankings of documents: `fits(collection)`, `draw`
- ROUTES: addresses of the server that are no pages of Streamlit
- KINDS_OF_VALUES: names in the glossary for kinds of values that have a formula

Beside it, `steps.toml` has its steps of the guided path, and `terms.toml` its words of the glossary.

`SUBJECTS` of evalcore lists all subjects; one without a folder here adds nothing.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from evalcore.subjects import SUBJECTS

FOLDER = Path(__file__).parent


@cache
def _modules() -> tuple[ModuleType, ...]:
    known = (subject for subject in SUBJECTS if (FOLDER / subject / "subject.py").is_file())
    return tuple(import_module(f"ui.{subject}.subject") for subject in known)


def added(name: str) -> list[Any]:
    """List what the subjects have under a name, one after the other."""
    return [row for module in _modules() for row in getattr(module, name, ())]


def written(file: str) -> list[dict[str, Any]]:
    """Read a file of TOML of each subject that has it."""
    paths = (FOLDER / subject / file for subject in SUBJECTS)
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths if path.is_file()]
