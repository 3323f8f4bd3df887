"""The lines of a run of document parts, stored as columns.

Shapes: L lines of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import pa
from evalcore.errors import InputError

Kind = Literal["passages", "elements"]


@dataclass(frozen=True, eq=False)
class Names:
    """A column of names: the distinct names, and a code for each line."""

    names: pa.StringArray
    code: IntArray  # (L,)

    @staticmethod
    def of(values: Sequence[str] | NDArray[np.object_] | pa.ChunkedArray) -> Names:
        """Return a column of names, made from one name for each line.

        >>> Names.of(["b", "a", "b"]).code.tolist()
        [0, 1, 0]
        """
        array = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([pa.array(values, pa.string())])
        coded = array.dictionary_encode().unify_dictionaries().combine_chunks()
        coded = coded.chunk(0) if isinstance(coded, pa.ChunkedArray) else coded
        return Names(coded.dictionary, coded.indices.to_numpy())

    def take(self, which: NDArray[Any]) -> Names:
        """Return the names of the lines selected by `which`, a mask or indices."""
        return Names(self.names, self.code[which])

    def different(self) -> NDArray[np.object_]:
        """Return the distinct names as str."""
        names: NDArray[np.object_] = self.names.to_numpy(zero_copy_only=False)
        return names

    def strings(self) -> NDArray[np.object_]:
        """Return the (L,) names of all lines as str."""
        return self.different()[self.code]


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines of one system's run, as written; -1 and nan stand for missing values."""

    topic: Names
    document: Names
    path: Names | None  # paths of elements
    rank: FloatArray
    score: FloatArray
    start: IntArray
    size: IntArray
    rsize: IntArray
    place: IntArray  # position in the file, for `Run.line`

    def __len__(self) -> int:
        return len(self.start)

    @property
    def kind(self) -> Kind:
        """The kind of the parts: "elements" if the run has paths, else "passages"."""
        return "passages" if self.path is None else "elements"

    def take(self, which: NDArray[Any]) -> Lines:
        """Return the lines selected by `which`, a mask or indices."""
        return Lines(*(_taken(getattr(self, field.name), which) for field in fields(self)))


def _taken(column: Any, which: NDArray[Any]) -> Any:
    if column is None:
        return None
    return column.take(which) if isinstance(column, Names) else column[which]


@dataclass(frozen=True, eq=False)
class Run:
    """The lines of one system, and their positions in the file for errors."""

    system: str
    file: str
    tag: str
    lines: Lines
    line: Callable[[int], int]  # converts a position to the line of the file

    def line_of(self, row: int | np.integer[Any]) -> int:
        """Return the number of the file's line from which a row of `lines` was read."""
        return self.line(int(self.lines.place[row]))

    def error(self, row: int | np.integer[Any], problem: str) -> InputError:
        """Return an error about a row of `lines`, with the file and the number of its line."""
        return InputError(problem, self.file, self.line_of(row))
