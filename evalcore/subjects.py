"""The subjects of the product, a line each, and what they add to the core.

The core (collections, measures, statistics, sensitivity, figures, command line) knows no subject: it asks here. Each
subject is a folder in `evalcore`, in `ui` and in `tests`; `subject.toml` in the first says what it adds. To leave a
subject out, take its line and its folders away.
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
    "navigation",  # what a result is worth if people follow its links
    "focused",  # passages in place of documents
    "labels",  # other judges, other pools, human and model labels together
    "claims",  # a conclusion, whichever way we measure
    "leaderboard",  # one number for each system, by rules for topics and gaps
    "teaching",  # exercises, and papers whose numbers are recomputed
)
_T = TypeVar("_T")


@dataclass(frozen=True)
class Subject:
    """The additions of one subject. Tables of names have a module and its names, with blanks between.

    Modules are imported when something of them is first asked for.
    """

    names: Mapping[str, str] = field(default_factory=dict)  # of `evalcore`
    modules: Mapping[str, str] = field(default_factory=dict)  # of `evalcore`, as ec.pools: the name of each
    measures: Mapping[str, str] = field(default_factory=dict)  # names of `evalcore.measures`
    figures: Mapping[str, str] = field(default_factory=dict)  # names of `evalcore.figures`
    commands: Mapping[str, str] = field(default_factory=dict)  # of the command line: the module of each
    questions: Mapping[str, str] = field(default_factory=dict)  # of a command: a module with QUESTIONS and OPTIONS
    data: Mapping[str, str] = field(default_factory=dict)  # of a collection: a module, see `evalcore.data.subject_data`
    kinds: str = ""  # a module with KINDS: rows for `evalcore.data.kinds`, each with the row that it follows
    suggestions: str = ""  # a module with a function of that name, as `evalcore.measures.catalogue` has one
    exhibits: str = ""  # a module with EXHIBITS, of papers
    group_of_measures: str = ""  # how the glossary calls its measures


@cache
def subjects() -> Mapping[str, Subject]:
    """Read what each subject adds."""
    folder = Path(__file__).parent
    texts = {name: (folder / name / "subject.toml").read_text(encoding="utf-8") for name in SUBJECTS}
    return {name: Subject(**tomllib.loads(text)) for name, text in texts.items()}


def added(table: str) -> dict[str, str]:
    """Join one of the tables of all subjects."""
    return {key: value for subject in subjects().values() for key, value in getattr(subject, table).items()}


def names_in(table: Mapping[str, str]) -> list[str]:
    """List the names in a table of modules and their names."""
    return [name for names in table.values() for name in names.split()]


def modules(key: str) -> list[ModuleType]:
    """Import the modules that subjects name under a key."""
    return [import_module(name) for subject in subjects().values() if (name := getattr(subject, key))]


def data_of(name: str) -> ModuleType:
    """Import the module of what a subject keeps in a collection."""
    return import_module(added("data")[name])


def placed(rows: Iterable[_T], more: Iterable[tuple[str | None, _T]], name_of: Callable[[_T], Any]) -> list[_T]:
    """Put each further row after the one of a name, or at the end where none has it; None: at the beginning.

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
