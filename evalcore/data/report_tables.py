"""The tables of a loading report as plain facts, which are turned into frames only when they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalcore.common.lazy_imports import pd


def first_names(names: Sequence[str], most: int = 5) -> str:
    """Return text with the first `most` names, and the number of further names.

    >>> first_names(list("abcdefg"))
    'a, b, c, d, e and 2 more'
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


@dataclass(frozen=True)
class Facts:
    """A row of facts for each name. Calling this object returns the rows as a frame."""

    index: str  # the kind of the names: "system", "column"
    names: Sequence[str]
    lines: Sequence[Mapping[str, Any]]

    def __len__(self) -> int:
        return len(self.names)

    def __call__(self) -> pd.DataFrame:
        frame = pd.DataFrame(self.lines, index=pd.Index(list(self.names), name=self.index))
        # Systems are plain strings, as everywhere; names are strings even if there are none.
        frame.index = frame.index.astype(object if self.index == "system" else str)
        frame.columns = frame.columns.astype(str)
        return frame
