"""What systems of one colour have in common: their name, or what the table of systems says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from evalcore.data import Collection
from evalcore.data.system_table import grouping_columns, in_words
from evalcore.figures.style import SystemStyle, system_styles
from ui.widgets.fields import Choice, Field
from ui.widgets.settings import Settings, address, setting

NAMES = "their names"
HELP = "Systems of one colour: those whose names begin alike, or those that systems.csv says the same of"


def _colour(families: Families) -> Field | None:
    columns = [name for name in grouping_columns(families.collection.system_table) if name != NAMES]
    return Choice("Colour systems by", [NAMES, *columns], help=HELP) if columns else None


@dataclass(frozen=True)
class Families(Settings):
    """What the colours of systems say."""

    colour: str | None = setting(_colour)


def box(collection: Collection) -> None:
    """The choice in the sidebar, where there is one."""
    Families.now(collection).draw("colour")


def styles(collection: Collection) -> dict[str, SystemStyle]:
    """Colours and marks of all systems of a collection."""
    column, table = _column(collection), collection.system_table
    said = in_words(table[column]) if column is not None and table is not None else {}
    return _styles(collection.systems, tuple(said.items()))


def code(collection: Collection) -> list[str]:
    """What makes these colours in Python."""
    if (column := _column(collection)) is None:
        return ["styles = figures.system_styles(c.systems)"]
    return [
        "from evalcore.data.system_table import in_words",
        f"styles = figures.system_styles(c.systems, in_words(c.system_table[{column!r}]))",
    ]


def _column(collection: Collection) -> str | None:
    """The column of the table of systems that colours them; None where their names do."""
    column = Families.read(collection, address()).colour
    return None if column == NAMES else column


@st.cache_resource(max_entries=8, show_spinner=False)
def _styles(systems: Sequence[str], said: tuple[tuple[str, str], ...]) -> dict[str, SystemStyle]:
    return system_styles(systems, dict(said) or None)
