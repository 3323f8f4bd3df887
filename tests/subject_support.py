"""Modules that subjects add to tests of the core, in their folders of tests."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

from evalcore.subjects import SUBJECTS

TESTS = Path(__file__).parent


def of_subjects(name: str) -> list[ModuleType]:
    """Import `tests/SUBJECT/name.py` of each subject that has one."""
    return [import_module(f"{subject}.{name}") for subject in SUBJECTS if (TESTS / subject / f"{name}.py").is_file()]
