"""Families of systems, from their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

_FIRST = re.compile(r"[_\-.\s]")


def family(system: str) -> str:
    """Return the part of a name before the first underscore, dash, dot, space or trailing number.

    >>> family("ECNU_EN_Run.1.dat"), family("bm25_rm3"), family("run12")
    ('ECNU', 'bm25', 'run')
    """
    first = _FIRST.split(system.strip(), maxsplit=1)[0] or system
    return first if first != system else re.sub(r"\d+$", "", first) or first


def by_names(systems: Collection[str]) -> dict[str, str]:
    """Return the family of each name. A family with one member has the name of this member.

    If all names share a beginning, families come from the text after it, provided that this gives at least two
    families, and fewer families than systems.

    >>> by_names(["input.bm25_a", "input.bm25_b", "input.dense"])
    {'input.bm25_a': 'bm25', 'input.bm25_b': 'bm25', 'input.dense': 'input.dense'}
    >>> by_names(["bm25_a", "bm25_b"])
    {'bm25_a': 'bm25', 'bm25_b': 'bm25'}
    """
    apart = by_names_apart(systems)
    groups = 1 < len(set(apart.values())) < len(apart)
    families = apart if groups else _families(systems)
    members = Counter(families.values())
    return {system: name if members[name] > 1 else system for system, name in families.items()}


def by_names_apart(systems: Collection[str]) -> dict[str, str]:
    """Return the family of each name, formed from what follows the beginning that all names share.

    >>> by_names_apart(["bm25_a", "bm25_b"])
    {'bm25_a': 'a', 'bm25_b': 'b'}
    """
    begun = len(shared_beginning(systems))
    families = _families([system[begun:] for system in systems])
    return {system: families[system[begun:]] for system in systems}


def _families(names: Collection[str]) -> dict[str, str]:
    """Return the family of each name. A number at the end is left out if several names then share a family.

    >>> _families(["run1", "run2", "bm25", "bm25_rm3"])
    {'run1': 'run', 'run2': 'run', 'bm25': 'bm25', 'bm25_rm3': 'bm25'}
    """
    first = {name: _FIRST.split(name.strip(), maxsplit=1)[0] or name for name in names}
    family_of = {name: family(name) for name in names}
    several = Counter(family_of.values())
    return {name: family_of[name] if several[family_of[name]] > 1 else first[name] for name in names}


def shared_beginning(systems: Collection[str]) -> str:
    """Return the beginning, up to a delimiter, that all names share; "" if it is all of one name.

    >>> shared_beginning(["input.bm25_a", "input.bm25_b"]), shared_beginning(["a_", "a_b"])
    ('input.bm25_', '')
    """
    if len(systems) < 2:
        return ""
    first, last = min(systems), max(systems)  # what these two share, all names between them share
    count = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    shared = re.sub(r"[^_\-.\s]*$", "", first[:count])
    return "" if shared in systems else shared
