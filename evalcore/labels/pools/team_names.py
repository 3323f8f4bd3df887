"""Teams of systems: read from a table of systems, given by the caller, or guessed from the systems' names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import IntArray
from evalcore.data.families import by_names_apart, shared_beginning
from evalcore.data.system_table import NOT_SAID, grouping_columns, in_words
from evalcore.errors import InputError, shorten
from evalcore.structures.documents import Collection

NAMES = "names"
TEAM_COLUMNS = ("team", "group", "participant", "organisation", "organization", "institution", "lab")


@dataclass(frozen=True)
class Teams:
    """The team of each system, and a description of where the teams come from."""

    of: Mapping[str, str]  # system -> team
    basis: str

    @property
    def names(self) -> tuple[str, ...]:
        """The teams, in the order of their first systems."""
        return tuple(dict.fromkeys(self.of.values()))

    @property
    def number(self) -> IntArray:
        """The (S,) position of each system's team in `names`."""
        at = {name: place for place, name in enumerate(self.names)}
        return np.array([at[team] for team in self.of.values()], dtype=int)


def team_columns(collection: Collection) -> list[str]:
    """Return the possible columns of teams in the table of systems; columns listed in TEAM_COLUMNS come first."""
    columns = grouping_columns(collection.system_table)
    return sorted(columns, key=lambda name: name.lower() not in TEAM_COLUMNS)


def teams(collection: Collection, by: str | Mapping[str, str] | None = None) -> Teams:
    """Return the teams of a collection's systems.

    `by` is a column of the table of systems, "names" (to guess teams from the systems' names), or a mapping from
    systems to teams. The default is a column named in TEAM_COLUMNS if there is one, else "names". A system without a
    team is a team of its own. Raises InputError for an unknown column or system.
    """
    systems = collection.systems
    if by is None:
        columns = team_columns(collection)
        by = columns[0] if columns and columns[0].lower() in TEAM_COLUMNS else NAMES
    if not isinstance(by, str):
        if unknown := sorted(set(by) - set(systems)):
            raise InputError(f"expected teams of systems of this collection, found {shorten(', '.join(unknown))}")
        return Teams({name: by.get(name, name) for name in systems}, "as given")
    table = collection.system_table
    if table is not None and by in table:
        basis = in_words(table[by])
        of = {name: name if basis[name] == NOT_SAID else basis[name] for name in systems}
        return Teams(of, f"from the column {by} of the table of systems")
    if by != NAMES:
        known = ", ".join([NAMES, *team_columns(collection)])
        raise InputError(f"expected teams from one of {known}, found {by!r}")
    return _by_names(systems)


def _by_names(systems: Sequence[str]) -> Teams:
    """Return teams of systems whose names are equal up to a delimiter, after removing a beginning that all names share.

    If all systems would be in one team, each system is its own team instead.
    """
    of = by_names_apart(systems)
    count = len(set(of.values()))
    if count == 1 and len(systems) > 1:
        return Teams({name: name for name in systems}, "each system is its own team, as names do not show teams")
    shared = shared_beginning(systems)
    after = f", after their shared beginning {shorten(shared)}" if shared else ""
    return Teams(of, f"guessed from the first part of the systems' names{after}")
