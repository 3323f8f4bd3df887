"""Additions of subjects to the app: a subject's folder has a module `subject`, which may define these names.

- PAGES: pages, each with the page that it follows (`evalcore.subjects.placed`)
- SAMPLES: sample collections, each with the sample that it follows, its name and its folder
- FIRST_PICTURES: modules for a figure on Home if the data have no document rankings: `fits(collection)`, `draw`
- ROUTES: addresses of the server that are not Streamlit pages
- KINDS_OF_VALUES: glossary names of kinds of values that have a formula

The folder may also contain `steps.toml`, its steps of the guided path, and `terms.toml`, its glossary entries.

`SUBJECTS` of evalcore lists all subjects; a subject without a folder here adds nothing.
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
    """Return one list of the entries that all subjects define under this name, in the order of the subjects."""
    return [row for module in _modules() for row in getattr(module, name, ())]


def written(file: str) -> list[dict[str, Any]]:
    """Return the parsed content of the TOML file with this name, one dict for each subject that has the file."""
    paths = (FOLDER / subject / file for subject in SUBJECTS)
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths if path.is_file()]
