"""What the names of systems say of who made them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FIRST = re.compile(r"[_\-.\s]")


def family(system: str) -> str:
    """The part of a name before the first underscore, dash, dot or trailing number.

    >>> family("ECNU_EN_Run.1.dat"), family("bm25_rm3"), family("run12")
    ('ECNU', 'bm25', 'run')
    """
    first = _FIRST.split(system.strip(), maxsplit=1)[0] or system
    return first if first != system else re.sub(r"\d+$", "", first) or first


def by_names(systems: Iterable[str]) -> dict[str, str]:
    """The family that each name says."""
    return {system: family(system) for system in systems}
