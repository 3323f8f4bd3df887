"""Colours and short names of systems.

Systems of one family share a colour; the families come from the names or from the table of systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import pandas as pd

import evalcore as ec
from evalcore.data import Collection
from evalcore.data.families import by_names
from evalcore.data.shown_names import RULES, TAG, names_in, shown_names, tags_of
from evalcore.data.system_table import grouping_columns, in_words
from evalcore.drawing import drawn
from evalcore.figures.style import MANY, SystemStyle, few_families, system_styles
from ui.address.settings import Settings, address, session, setting, texts_of
from ui.screen.calls import Call, call, record
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Field, Many

NAMES, NOTHING = "their names", "none"
MOST_KEPT = 8  # most sets of rules for which a collection's names are kept
_KNOWN: WeakKeyDictionary[Collection, dict[tuple[str, ...], dict[str, str]]] = WeakKeyDictionary()
WHOLE = "whole collection"  # session key of the open collection without the filter
NAMES_HELP = (
    "Figures show the shortest unique part of each name. "
    + "; ".join(f"{rule}: {text}" for rule, (text, _) in RULES.items())
    + ". Tooltips, tables and exports show full names; names in the column `name` of systems.csv take precedence."
)
HELP = (
    "Systems share a colour if their names begin alike, or if they have equal entries in a column of systems.csv. With "
    "*none*, each system has its own colour."
)


def _colour(families: Families) -> Field | None:
    """Return the field for the colours; None if there is no column to choose and names form no families.

    Names form no families if there are fewer than MANY systems, or if every family would have one system.
    """
    systems = families.collection.systems
    columns = [name for name in grouping_columns(families.collection.system_table) if name not in (NAMES, NOTHING)]
    if not columns and (len(systems) < MANY or len(set(by_names(systems).values())) == len(systems)):
        return None
    return Choice("Colour systems by", [NAMES, *columns, NOTHING], _usual(tuple(systems)), help=HELP)


def _names(families: Families) -> Field | None:
    """Return the field for the rules that shorten names; None if no rule shortens any name."""
    rules = _shortening(tuple(families.collection.systems), tuple(tags_of(families.collection).items()))
    return Many("Names are shortened by", rules, rules, help=NAMES_HELP, placeholder="in full") if rules else None


@lru_cache(maxsize=8)
def _shortening(systems: tuple[str, ...], tags: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the rules that change at least one shown name when they are added to the rules returned before them."""
    rules = list[str]()
    for rule in RULES:
        if shown_names(systems, None, [*rules, rule], dict(tags)) != shown_names(systems, None, rules, dict(tags)):
            rules.append(rule)
    return tuple(rules)


# Each run needs these several times. With hundreds of names, a look-up in Streamlit's cache takes 20 ms.
@lru_cache(maxsize=8)
def _usual(systems: tuple[str, ...]) -> str:
    """Return NAMES as the default colouring; NOTHING if there are MANY or more systems, in too many families."""
    return NAMES if len(systems) < MANY or few_families(by_names(systems)) else NOTHING


@dataclass(frozen=True)
class Families(Settings, lasts=True):
    """Settings of the colours and short names of systems."""

    colour: str | None = setting(_colour)
    names: tuple[str, ...] | None = setting(_names)


def rival(ranked: Sequence[str]) -> str:
    """Return the best-placed system outside the family of the first system; if there is none, the second system."""
    family = by_names(ranked)
    return next((system for system in ranked if family[system] != family[ranked[0]]), ranked[:2][-1])


def can_choose(collection: Collection) -> bool:
    """Return True if there is a choice of colours or of rules for names."""
    choices = Families.read(collection, address())
    return any(choices.field(name) for name in ("colour", "names"))


def draw(collection: Collection) -> None:
    """Draw the choices of colours and of rules for names."""
    Families.read(collection, address()).draw("colour", "names")


def shown(collection: Collection) -> dict[str, str]:
    """Map each system that has a short name to that name; the result is cached for the collection."""
    known, rules = _KNOWN.setdefault(collection, {}), tuple(texts_of(Families.key("names")))
    if rules not in known:
        if len(known) >= MOST_KEPT:
            known.clear()
        known[rules] = _shown(collection)
    return known[rules]


def _shown(collection: Collection) -> dict[str, str]:
    names = names_in(collection, Families.read(collection, address()).names or ())
    return {system: name for system, name in names.items() if name != system}


def short(system: object) -> str:
    """Return the short name of a system of the open collection; its full name if it has no short one."""
    return all_short().get(str(system), str(system))


def all_short() -> dict[str, str]:
    """Map each system of the open collection that has a short name to that name; {} if nothing is open."""
    held = whole()
    return shown(held) if held else {}


def whole() -> Collection | None:
    """Return the open collection without the filter; None if nothing is open."""
    held: Collection | None = session().get(WHOLE)
    return held


def fingerprint() -> str:
    """Return the fingerprint of the open collection without the filter; "" if nothing is open."""
    held = whole()
    return held.fingerprint if held else ""


def state() -> dict[str, Any]:
    """Return the part of the session's state that determines names of systems, for drawing outside the session."""
    return {WHOLE: whole()}


def named(system: object) -> str:
    """Return the short name of a system, in Markdown."""
    return markdown(short(system))


def styles(collection: Collection) -> dict[str, SystemStyle]:
    """Map each system to its style in figures: colour, mark and name. Styles do not depend on the filter."""
    held = whole() or collection
    of = held if set(collection.systems) <= set(held.systems) else collection
    result, short = _styles(tuple(of.systems), _families(of)), shown(of)
    return {name: replace(style, shown=short.get(name, "")) for name, style in result.items()} if short else result


def names_table(collection: Collection) -> pd.DataFrame:
    """Return a table of the systems, with their names in figures in the column `shown`."""
    short = shown(collection)
    return pd.DataFrame({"shown": [short.get(one, one) for one in collection.systems]}, index=list(collection.systems))


def _families(collection: Collection) -> tuple[tuple[str, str], ...] | None:
    """Pair each system with its family; () if every system has its own colour, None for the default colouring."""
    chosen, table = _chosen(collection), collection.system_table
    if chosen is None:
        return None
    if chosen in (NAMES, NOTHING):
        return tuple(by_names(collection.systems).items()) if chosen == NAMES else ()
    assert table is not None
    return tuple(in_words(table[chosen]).items())


def plotted(name: str, collection: Collection, result: Any, /, **options: Any) -> Call[Any]:
    """Return the call of `ec.plot` that draws a figure of systems, with the chosen colours and short names."""
    usual = {} if _is_usual(collection) else {"styles": styles_of(collection)}
    return plotted_plain(name, result, **options, **usual).here(styles=styles(collection))


def plotted_plain(name: str, result: Any, /, **options: Any) -> Call[Any]:
    """Return the call of `ec.plot` for a figure that needs no styles of systems; options that are None are left out."""
    return call(name, ec.plot, result, **{name: one for name, one in options.items() if one is not None}).by(drawn)


def styles_of(collection: Collection) -> dict[str, SystemStyle]:
    """Return the styles of systems, recorded as an argument for another call; their value is already computed."""
    return styles_call(collection).it


def styles_call(collection: Collection) -> Call[dict[str, SystemStyle]]:
    """Return the call that makes the style of each system.

    In a part of the open collection, systems keep their styles from the whole collection.
    """
    held, families, names = _whole_of(collection), _chosen(collection), dict[str, Any]()
    if held:  # system by system, because the collection in the Python code has only some of them
        own = _families(held)
        names = {} if own is None else {"families": dict(own)}
        names |= {"shown": shown(held)} if shown(held) else {}
        return Call("styles", system_styles, (list(held.systems),), names).known(styles(collection))
    c, given = record(collection), list[Any]()
    if families == NOTHING:
        given = [{}]
    elif families == NAMES:
        given = [record(by_names)(c.systems)]
    elif families is not None:
        given = [record(in_words)(c.system_table[families])]  # type: ignore[index]
    if shown(collection):
        rules = list(Families.read(collection, address()).names or ())
        tags = [c.report.systems["tag"]] if TAG in rules else []
        names = {"shown": Call("shown", shown_names, (c.systems, c.system_table, rules, *tags))}
    return Call("styles", system_styles, (c.systems, *given), names).known(styles(collection))


def _whole_of(collection: Collection) -> Collection | None:
    """Return the open collection if this collection has only some of its systems; None otherwise."""
    held = whole()
    return held if held is not None and set(collection.systems) < set(held.systems) else None


def _is_usual(collection: Collection) -> bool:
    """Return True if the styles of these systems are those that `ec.plot` uses by default."""
    return _chosen(collection) is None and not shown(collection) and _whole_of(collection) is None


def _chosen(collection: Collection) -> str | None:
    """Return the colouring that was chosen; None if it is the default."""
    chosen = Families.read(collection, address()).colour
    return None if chosen == _usual(tuple(collection.systems)) else chosen


@lru_cache(maxsize=8)
def _styles(systems: tuple[str, ...], families: tuple[tuple[str, str], ...] | None) -> dict[str, SystemStyle]:
    return system_styles(systems, None if families is None else dict(families))
