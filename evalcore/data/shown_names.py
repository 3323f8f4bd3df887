"""Short names of systems: the shortest part of each name that distinguishes it from the others.

The tags inside the runs are used instead if they are shorter still, all different, and look as if people wrote them.

The full name still identifies a system in hover texts, tables, exports, links and Python. Short names are always
different: a rule that would make two the same, or leave one empty, is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from evalcore.common.lazy_imports import pd
from evalcore.data.families import by_names, shared_beginning

if TYPE_CHECKING:
    from evalcore.structures.documents import Collection

NAME = "name"  # the column of systems.csv with short names
FILE_ENDING = re.compile(r"(\.(txt|dat|out|run|runs|res|results?|trec|tsv|csv|json|input))+$", re.IGNORECASE)
TAG = "run tag"  # the rule that uses the tags inside runs as names
READABLE_TAG = re.compile(r"(?=.*[^\W\d])\S{3,}$")  # three or more characters, at least one of them a letter
_DELIMITERS = "_-. "


def _without_file_endings(names: Sequence[str]) -> list[str]:
    return [FILE_ENDING.sub("", name) for name in names]


def _without_shared_ending(names: Sequence[str]) -> list[str]:
    ending = shared_beginning([name[::-1] for name in names])[::-1]
    return [name.removesuffix(ending) for name in names]


def _without_shared_beginning(names: Sequence[str]) -> list[str]:
    beginning = shared_beginning(names)
    rest = [name.removeprefix(beginning) for name in names]
    return list(names) if any(FILE_ENDING.fullmatch(f".{name}") for name in rest) else rest


def _team_alone(names: Sequence[str]) -> list[str]:
    """Return the names, after replacing the beginning that all systems of a team share with the name of the team.

    So ECNU_EN_Run.1 and .2 become ECNU 1 and 2.
    """
    teams = dict[str, list[str]]()
    for name, team in by_names(names).items():
        teams.setdefault(team, []).append(name)
    short = {name: name for name in names}
    for team, members in teams.items():
        beginning = shared_beginning(members)
        if len(members) > 1 and len(beginning) > len(team) + 1 and beginning.startswith(team):
            short |= {name: f"{team} {name.removeprefix(beginning)}" for name in members}
    return [short[name] for name in names]


RULES: Mapping[str, tuple[str, Callable[[Sequence[str]], list[str]]]] = {
    "file ending": ("the ending of a file is left out: .txt, .dat, .out, .run, ...", _without_file_endings),
    "shared ending": ("the ending that all names share is left out", _without_shared_ending),
    "shared beginning": ("the beginning that all names share is left out", _without_shared_beginning),
    "team": ("a team's name replaces the beginning that all its systems share", _team_alone),
    TAG: ("the tag inside each run is used as its name, if all tags are different and shorter than the names", list),
}
"""The rules in the order of application, each with its text and its function; the rule on tags comes last."""


def shown_names(
    systems: Sequence[str],
    table: pd.DataFrame | None = None,
    rules: Sequence[str] = tuple(RULES),
    tags: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return a dict from each full name to the short name, as given by the rules or the column `name` of `table`.

    `tags` are the tags inside the runs (the column tag of `Collection.report.systems`).

    >>> shown_names(["ECNU_EN_Run.1.dat", "ECNU_EN_Run.10.dat", "KISTI_EN_RUN.1.dat"])
    {'ECNU_EN_Run.1.dat': 'ECNU 1', 'ECNU_EN_Run.10.dat': 'ECNU 10', 'KISTI_EN_RUN.1.dat': 'KISTI_EN_RUN.1'}
    >>> shown_names(["bm25_noqe.out", "rm3_noqe.out"])
    {'bm25_noqe.out': 'bm25', 'rm3_noqe.out': 'rm3'}
    >>> shown_names(["clef_run_1", "clef_run_2"], tags={"clef_run_1": "bm25", "clef_run_2": "dense"})
    {'clef_run_1': '1', 'clef_run_2': '2'}
    >>> shown_names(["a1_final_version", "b2_best_run"], tags={"a1_final_version": "bm25", "b2_best_run": "dense"})
    {'a1_final_version': 'bm25', 'b2_best_run': 'dense'}
    """
    names = list(systems)
    for rule, (_, shorten) in RULES.items():
        if rule in rules and len(names) > 1:
            cut = zip(names, shorten(names), strict=True)
            shorter = [rest if rest == name else rest.strip(_DELIMITERS) for name, rest in cut]
            if all(shorter) and len(set(shorter)) == len(set(systems)):
                names = shorter
    if TAG in rules and _are_names(named := [(tags or {}).get(name, "") for name in systems], names):
        names = named
    return _given(dict(zip(systems, names, strict=True)), table)


def tags_of(collection: Collection) -> dict[str, str]:
    """Return the tag inside each run, by system."""
    table = collection.report.systems
    return {str(system): str(tag) for system, tag in table["tag"].items()} if "tag" in table.columns else {}


def names_in(collection: Collection, rules: Sequence[str] = tuple(RULES)) -> dict[str, str]:
    """Return the short name of each system of a collection, by its full name."""
    return shown_names(collection.systems, collection.system_table, rules, tags_of(collection))


def _are_names(tags: Sequence[str], names: Sequence[str]) -> bool:
    """Return true if tags can serve as names of runs: all different, readable, and in total shorter than the names."""
    readable = len(tags) > 1 and all(map(READABLE_TAG.match, tags)) and len(set(tags)) == len(tags)
    return readable and sum(map(len, tags)) < sum(map(len, names))


def _given(short: dict[str, str], table: pd.DataFrame | None) -> dict[str, str]:
    """Return `short` with names replaced by those in the table; unchanged if two names would then be equal."""
    if table is None or NAME not in table.columns:
        return short
    names = {str(system): str(name) for system, name in table[NAME].dropna().items() if str(name).strip()}
    called = short | {system: name for system, name in names.items() if system in short}
    return called if len(set(called.values())) == len(called) else short
