"""The subjects of the product, and their additions to the core.

The core (collections, measures, statistics, sensitivity, figures, command line) does not import any subject: it finds
their additions here. Each subject is a folder in `evalcore`, in `ui` and in `tests`; `subject.toml` in the
folder in `evalcore` lists its additions. To remove a subject, delete its line here and its folders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from evalcore.common.lazy_imports import tomllib

SUBJECTS = (
    "navigation",  # the worth of a result if people follow its links
    "focused",  # passages instead of documents
    "labels",  # other judges, other pools, human and model labels combined
    "claims",  # a conclusion under many ways to measure
    "leaderboard",  # one number for each system, with rules for topics and gaps
    "teaching",  # exercises, and papers whose numbers are recomputed
)
_T = TypeVar("_T")


@dataclass(frozen=True)
class Subject:
    """The additions of one subject. Tables of names map a module to its names, separated by spaces.

    Modules are imported when one of their names is first used.
    """

    names: Mapping[str, str] = field(default_factory=dict)  # names of `evalcore`
    modules: Mapping[str, str] = field(default_factory=dict)  # name in `evalcore`, such as pools in ec.pools -> module
    measures: Mapping[str, str] = field(default_factory=dict)  # names of `evalcore.measures`
    figures: Mapping[str, str] = field(default_factory=dict)  # names of `evalcore.figures`
    commands: Mapping[str, str] = field(default_factory=dict)  # command -> module
    questions: Mapping[str, str] = field(default_factory=dict)  # command -> module with more QUESTIONS and OPTIONS
    data: Mapping[str, str] = field(default_factory=dict)  # name in a collection -> module
    kinds: str = ""  # a module with KINDS: rows for `evalcore.data.kinds`, each with the row that it follows
    suggestions: str = ""  # a module with a function `suggestions`, as in `evalcore.measures.catalogue`
    exhibits: str = ""  # a module with EXHIBITS of papers
    group_of_measures: str = ""  # the glossary's name for its measures


@cache
def subjects() -> Mapping[str, Subject]:
    """Map the name of each subject to its additions, read from its `subject.toml`."""
    folder = Path(__file__).parent
    texts = {name: (folder / name / "subject.toml").read_text(encoding="utf-8") for name in SUBJECTS}
    return {name: Subject(**tomllib.loads(text)) for name, text in texts.items()}


def added(table: str) -> dict[str, str]:
    """Return one table (a field of `Subject`) joined over all subjects."""
    return {key: value for subject in subjects().values() for key, value in getattr(subject, table).items()}


def names_in(table: Mapping[str, str]) -> list[str]:
    """Return all names in a table that maps modules to names."""
    return [name for names in table.values() for name in names.split()]


def modules(key: str) -> list[ModuleType]:
    """Import and return the modules that subjects name in one field of `Subject`."""
    return [import_module(name) for subject in subjects().values() if (name := getattr(subject, key))]


def data_of(name: str) -> ModuleType:
    """Import and return the module for the data that a subject adds to collections under the name `name`."""
    return import_module(added("data")[name])


def placed(rows: Iterable[_T], more: Iterable[tuple[str | None, _T]], name_of: Callable[[_T], Any]) -> list[_T]:
    """Return the rows with new rows inserted.

    `more` has pairs of a name and a new row, which is inserted after the row with this name. The new row comes last if
    no row has the name, and first if the name is None.

    >>> placed(["a", "d"], [("b", "c"), ("a", "b"), ("x", "e")], str)
    ['a', 'b', 'c', 'd', 'e']
    """
    following: dict[str | None, list[_T]] = {}
    for after, row in more:
        following.setdefault(after, []).append(row)

    def with_following(row: _T) -> list[_T]:
        return [row, *(one for other in following.pop(name_of(row), ()) for one in with_following(other))]

    result = [one for row in (*following.pop(None, ()), *rows) for one in with_following(row)]
    return [*result, *(row for left in following.values() for row in left)]
