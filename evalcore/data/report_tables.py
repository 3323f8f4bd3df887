"""The tables of a loading report as plain facts; frames are made of them only when somebody looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.common.lazy_imports import pa, pd
from evalcore.data.arrow_arrays import to_arrow


@dataclass(frozen=True)
class Facts:
    """A line of facts for each name; called, it is a frame."""

    index: str  # what the names are of: "system", "column"
    names: Sequence[str]
    lines: Sequence[Mapping[str, Any]]

    def __len__(self) -> int:
        return len(self.names)

    def __call__(self) -> pd.DataFrame:
        frame = pd.DataFrame(self.lines, index=pd.Index(list(self.names), name=self.index))
        return _named(frame)

    def arrow(self) -> pa.Table:
        """The same with the names as the first column."""
        columns = {name: [line[name] for line in self.lines] for name in (self.lines[0] if self.lines else ())}
        return pa.table({self.index: to_arrow(self.names), **{name: _array(of) for name, of in columns.items()}})


def _array(values: Sequence[Any]) -> pa.Array:
    return to_arrow(values if isinstance(values[0], str) else np.array(values))


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Systems are plain texts, as everywhere; names are texts where there are none, too."""
    frame.index = frame.index.astype(object if frame.index.name == "system" else str)
    frame.columns = frame.columns.astype(str)
    return frame


@dataclass(frozen=True)
class Kept:
    """A table that was kept in a file; called, it is a frame."""

    index: str
    table: pa.Table

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __call__(self) -> pd.DataFrame:
        frame: pd.DataFrame = self.table.to_pandas()
        return _named(frame.set_index(self.index))

    def arrow(self) -> pa.Table:
        """The table."""
        return self.table
