"""What systems of one colour have in common: their name, or what the table of systems says of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from evalcore.data import Collection
from evalcore.data.families import by_names
from evalcore.data.system_table import grouping_columns, in_words
from evalcore.figures.style import MANY, SystemStyle, few_families, system_styles
from ui.widgets.fields import Choice, Field
from ui.widgets.settings import Settings, address, setting

NAMES, NOTHING = "their names", "none"
HELP = (
    "Systems of one colour: those whose names begin alike, or those that systems.csv says the same of; with none, each "
    "has its own"
)


def _colour(families: Families) -> Field | None:
    """Offered where there is a column to choose, or where the names of many systems make families of several."""
    systems = families.collection.systems
    columns = [name for name in grouping_columns(families.collection.system_table) if name not in (NAMES, NOTHING)]
    if not columns and (len(systems) < MANY or len(set(by_names(systems).values())) == len(systems)):
        return None
    return Choice("Colour systems by", [NAMES, *columns, NOTHING], _usual(tuple(systems)), help=HELP)


# Each run asks for these several times: of hundreds of names Streamlit's own cache takes 20 ms to know them again.
@lru_cache(maxsize=8)
def _usual(systems: tuple[str, ...]) -> str:
    """By names; of many systems only where these make few families."""
    return NAMES if len(systems) < MANY or few_families(by_names(systems)) else NOTHING


@dataclass(frozen=True)
class Families(Settings):
    """What the colours of systems say."""

    colour: str | None = setting(_colour)


def box(collection: Collection) -> None:
    """The choice in the sidebar, where there is one."""
    Families.now(collection).draw("colour")


def styles(collection: Collection) -> dict[str, SystemStyle]:
    """Colours and marks of all systems of a collection."""
    chosen, table = _chosen(collection), collection.system_table
    systems = tuple(collection.systems)
    if chosen is None:
        return _styles(systems, None)
    if chosen in (NAMES, NOTHING):
        return _styles(systems, tuple(by_names(systems).items()) if chosen == NAMES else ())
    assert table is not None
    return _styles(systems, tuple(in_words(table[chosen]).items()))


def code(collection: Collection) -> list[str]:
    """What makes these colours in Python."""
    chosen = _chosen(collection)
    if chosen is None:
        return ["styles = figures.system_styles(c.systems)"]
    if chosen == NOTHING:
        return ["styles = figures.system_styles(c.systems, {})"]
    if chosen == NAMES:
        return [
            "from evalcore.data.families import by_names",
            "styles = figures.system_styles(c.systems, by_names(c.systems))",
        ]
    return [
        "from evalcore.data.system_table import in_words",
        f"styles = figures.system_styles(c.systems, in_words(c.system_table[{chosen!r}]))",
    ]


def _chosen(collection: Collection) -> str | None:
    """What colours systems; None where that is what is usual for them."""
    chosen = Families.read(collection, address()).colour
    return None if chosen == _usual(tuple(collection.systems)) else chosen


@lru_cache(maxsize=8)
def _styles(systems: tuple[str, ...], said: tuple[tuple[str, str], ...] | None) -> dict[str, SystemStyle]:
    return system_styles(systems, None if said is None else dict(said))
