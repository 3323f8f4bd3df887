"""Elements of structured documents: paths, nesting, positions.

Shapes: E elements of a table, N parts of a run, U different paths.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import IntArray, concatenated, rows_of
from evalcore.common.cached import cached_property
from evalcore.common.lazy_imports import pd
from evalcore.data.sources import Source
from evalcore.data.tables import ids, refuse_rows
from evalcore.errors import InputError, shorten
from evalcore.focused.files.tables import extents, part_table, whole

LONGEST_PATH = 4096
PATH = re.compile(r"(?:/[^/\[\]()\s]+\[[1-9][0-9]*\])+")
_POINT = re.compile(r"(?P<path>/[^()\s]*?)(?:/text\(\)\[(?P<node>[1-9][0-9]{0,8})\]\.(?P<offset>[0-9]{1,10}))?")


def preorder(paths: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Return a range of numbers for each path: its start (U,) and its end (U,), which is excluded.

    Two ranges overlap if and only if one of the elements contains the other.

    >>> preorder(["/a[1]/b[2]", "/a[1]", "/a[1]/b[2]/c[1]", "/a[1]/b[20]"])
    (array([2, 0, 3, 1]), array([4, 4, 4, 2]))
    """
    # "/" must sort before every other character, so that an element's descendants follow it without a gap.
    keys = [path.replace("/", "\0") + "\0" for path in paths]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    first, last = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.int64)
    within: list[int] = []
    for number, row in enumerate(order):
        while within and not keys[row].startswith(keys[within[-1]]):
            last[within.pop()] = number
        first[row] = number
        within.append(row)
    last[within] = len(keys)
    return first, last


@dataclass(frozen=True, eq=False)
class Elements:
    """Starts and sizes of elements by document and path: (E,) rows, each (document, path) once."""

    documents: NDArray[np.object_]
    paths: NDArray[np.object_]
    start: IntArray  # -1 if unknown
    size: IntArray

    def __len__(self) -> int:
        return len(self.size)

    def find(self, documents: NDArray[np.object_], paths: NDArray[np.object_]) -> IntArray:
        """Return the (N,) row of each (document, path), -1 if unknown."""
        wanted = pd.MultiIndex.from_arrays([documents, paths])
        return self._rows.get_indexer(wanted)

    def outline(self, document: str) -> Mapping[str, tuple[int, int]]:
        """Return, by path, start and end of a document's elements with known positions; {} for an unknown document."""
        return self._outlines.get(document, {})

    def lengths(self) -> dict[str, int]:
        """Return the length in characters of each document whose outermost element is known."""
        outermost = [row for row, path in enumerate(self.paths) if path.count("/") == 1]
        return {self.documents[row]: int(self.size[row]) for row in outermost}

    @cached_property
    def _rows(self) -> pd.MultiIndex:
        return pd.MultiIndex.from_arrays([self.documents, self.paths])

    @cached_property
    def _outlines(self) -> dict[str, dict[str, tuple[int, int]]]:
        outlines: dict[str, dict[str, tuple[int, int]]] = {}
        rows = zip(self.documents, self.paths, self.start.tolist(), self.size.tolist(), strict=True)
        for document, path, start, size in rows:
            if start >= 0:
                outlines.setdefault(document, {})[path] = (start, start + size)
        return outlines


def no_elements() -> Elements:
    """Return an empty table."""
    nothing = np.zeros(0, dtype=np.int64)
    return Elements(np.zeros(0, dtype=object), np.zeros(0, dtype=object), nothing, nothing)


def joined(tables: Sequence[Elements]) -> Elements:
    """Return one table with the elements of all tables; for an element in several tables, the first table counts."""
    every = Elements(**concatenated(tables, "documents", "paths", "start", "size"))
    first = ~pd.MultiIndex.from_arrays([every.documents, every.paths]).duplicated()
    return Elements(**rows_of(every, first, "documents", "paths", "start", "size"))


def read_elements(source: Source) -> Elements:
    """Read a table with the columns document, path, and either start with end (or length), or only size.

    Raises InputError for a missing column, an invalid number or path, or a repeated element.
    """
    table = part_table(source, ("document", "path"))
    start = whole(table, "start", source)
    size = np.where(start >= 0, extents(table, start, source), whole(table, "size", source))
    neither = "expected a start with an end or a length, or a size, found neither"
    refuse_rows(size < 0, table.index, source.name, neither)
    documents, paths = (ids(table, name, source).to_numpy(dtype=object) for name in ("document", "path"))
    refuse_bad_paths(paths, table.index, source.name)
    again = "expected each element once, found {} of document {!r} again"
    duplicated = pd.MultiIndex.from_arrays([documents, paths]).duplicated()
    refuse_rows(duplicated, table.index, source.name, lambda row: again.format(paths[row], documents[row]))
    return Elements(documents, paths, start, size)


def refuse_bad_paths(paths: NDArray[np.object_], lines: pd.Index, name: str) -> None:
    """Raise InputError for the first string that is not the path of one element."""
    for path, line in zip(paths, lines.tolist(), strict=True):
        refuse_bad_path(path, name, line)


def refuse_bad_path(path: str, name: str, line: int) -> None:
    """Raise InputError for a string that is not the path of one element."""
    if len(path) > LONGEST_PATH or not PATH.fullmatch(path):
        problem = f"expected the path of an element, such as /article[1]/body[1]/p[2], found {shorten(path)}"
        raise InputError(problem, name, line)


def place(pointer: str, outline: Mapping[str, tuple[int, int]], end: bool = False) -> int | None:
    """Return the position in characters that a path points to; None if unknown.

    A path may end in a text node and an offset, such as `/text()[2].17`. A path without a text node points to the start
    of its element, or to the end if `end`. A text node is a stretch of an element outside its children; nodes are
    counted from 1, characters within them from 0.

    >>> outline = {"/a[1]": (0, 90), "/a[1]/b[1]": (10, 20), "/a[1]/b[2]": (20, 40)}
    >>> place("/a[1]/b[2]", outline), place("/a[1]/text()[2].5", outline)
    (20, 45)
    """
    match = _POINT.fullmatch(pointer)
    if not match or match["path"] not in outline:
        return None
    borders = outline[match["path"]]
    if match["node"] is None:
        return borders[end]
    node, offset = int(match["node"]), int(match["offset"])
    stretches = _text_nodes(match["path"], outline)
    if node > len(stretches):
        return None
    start, stop = stretches[node - 1]
    return start + offset if start + offset <= stop else None


def _text_nodes(path: str, outline: Mapping[str, tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the stretches of an element outside its children."""
    begin, stop = outline[path]
    children = sorted(at for name, at in outline.items() if name.rpartition("/")[0] == path)
    edges = [begin, *(edge for child in children for edge in child), stop]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end > start]
