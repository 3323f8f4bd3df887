"""Text of white-space separated fields, taken apart with array operations: no Python object per line or field.

Shapes: L lines that hold something, F fields per line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.errors import DataError, shorten

BOM = b"\xef\xbb\xbf"
LONGEST_ID = 1024  # bytes
PADDING = bytes(8)  # lets eight bytes be read at the start of any field

_MASKS = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype="<u8")
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Fields:
    """Where each field of each line begins and ends in `text`; `name` is the file, for errors."""

    name: str
    text: bytes
    starts: NDArray[np.int64]  # (L, F)
    ends: NDArray[np.int64]  # (L, F)

    def __len__(self) -> int:
        return len(self.starts)

    def line(self, row: int) -> int:
        """The 1-based number, in the file, of the line that row stands on."""
        return self.text.count(b"\n", 0, int(self.starts[row, 0])) + 1

    def field(self, row: int, column: int) -> bytes:
        """One field as bytes."""
        return self.text[self.starts[row, column] : self.ends[row, column]]

    def strings(self, column: int) -> NDArray[np.object_]:
        """A column as str. Raises DataError where it is not UTF-8."""
        pieces = [self.text[a:b] for a, b in zip(self._flat(self.starts, column), self._flat(self.ends, column), strict=True)]
        try:
            return np.array([piece.decode() for piece in pieces], dtype=object)
        except UnicodeDecodeError:
            row = next(i for i, piece in enumerate(pieces) if not _decodes(piece))
            raise self.error(row, f"expected UTF-8 text, found {shorten(pieces[row])}") from None

    def numbers(self, column: int, what: str) -> NDArray[np.float64]:
        """A column as finite floats. Raises DataError at the first that is not one."""
        pieces = self._pieces(column)
        try:
            values = pc.cast(pieces, pa.float64()).to_numpy()
        except pa.ArrowInvalid:  # also numbers that only Python reads, such as "+1"
            values = self._slow_numbers(pieces, what)
        finite = np.isfinite(values)
        if not finite.all():
            row = int(np.argmin(finite))
            raise self.error(row, f"expected a finite {what}, found {shorten(pieces[row].as_py())}")
        return values

    def words(self, column: int) -> list[NDArray[np.uint64]]:
        """A column of ids as 8-byte words (see `words_at`). Raises DataError for an id that is too long."""
        lengths = self.ends[:, column] - self.starts[:, column]
        if lengths.max() > LONGEST_ID:
            row = int(np.argmax(lengths))
            raise self.error(row, f"expected an id of at most {LONGEST_ID} bytes, found one of {lengths[row]:,}")
        return words_at(self.text, self.starts[:, column], self.ends[:, column])

    def error(self, row: int, problem: str) -> DataError:
        return DataError(problem, self.name, self.line(row))

    def _flat(self, offsets: NDArray[np.int64], column: int) -> list[int]:
        flat: list[int] = offsets[:, column].tolist()
        return flat

    def _pieces(self, column: int) -> pa.StringArray:
        """A column as an Arrow array, read in place: field, gap, field, gap, ... of which every second is taken."""
        edges = np.empty(2 * len(self), dtype=np.int32)
        edges[0::2], edges[1::2] = self.starts[:, column], self.ends[:, column]
        alternating = pa.BinaryArray.from_buffers(
            pa.binary(), max(len(edges) - 1, 0), [None, pa.py_buffer(edges), pa.py_buffer(self.text)]
        )
        pieces = alternating.take(pa.array(np.arange(0, len(alternating), 2)))
        try:
            return pieces.cast(pa.string())
        except pa.ArrowInvalid:
            return pa.array([piece.as_py().decode("utf-8", errors="replace") for piece in pieces])

    def _slow_numbers(self, pieces: pa.StringArray, what: str) -> NDArray[np.float64]:
        values = np.empty(len(pieces))
        for row, piece in enumerate(pieces.to_pylist()):
            try:
                values[row] = float(piece.replace("_", "?"))  # Python's digit separator is no number in a run
            except ValueError:
                hint = "; is the first line a header? Remove it" if self.line(row) == 1 and len(self) > 1 else ""
                raise self.error(row, f"expected a number as {what}, found {shorten(piece)}{hint}") from None
        return values


def text_of(content: bytes, name: str, what: str) -> bytes:
    """Check that content is text at all and pad it for `Fields`; a byte order mark and old Mac line ends go.

    Raises DataError for an empty file, a binary file or a web page.
    """
    content = content.removeprefix(BOM)
    if not content or content.isspace():
        raise DataError(f"expected {what}, found an empty file", name)
    if b"\0" in content:
        raise DataError(f"expected {what} as text (UTF-8), found a binary file", name)
    beginning = content[:2000].lstrip().lower()
    if beginning.startswith((b"<!doctype", b"<html", b"<head", b"<?xml")):
        line = shorten(beginning.splitlines()[0], 40)
        raise DataError(f"expected {what}, found a web page or XML (it begins with {line}): was the download an error page?", name)
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    return content + PADDING


def split(text: bytes, name: str, columns: Sequence[str], begin: int = 0, end: int | None = None) -> Fields:
    """Take a padded text (or whole lines of it) apart into lines of exactly the given columns; blank lines are passed over.

    Raises DataError at the first line with another number of fields.
    """
    codes = np.frombuffer(text, dtype=np.uint8)[begin:end]
    space = codes <= 32
    edges = np.flatnonzero(space[1:] != space[:-1]) + 1
    if not space[0]:
        edges = np.concatenate([[0], edges])
    if len(edges) % 2:
        edges = np.append(edges, len(codes))
    starts, width = edges[0::2], len(columns)
    if len(starts) % width or not _each_line_full(codes, starts, width):
        _refuse_uneven(text, name, columns, codes, starts, begin)
    if not len(edges):
        raise DataError("expected text, found nothing but control characters", name)
    fields = (edges + begin).reshape(-1, width, 2)
    return Fields(name, text, fields[:, :, 0], fields[:, :, 1])


def blocks(text: bytes, size: int = 4 << 20) -> Iterator[tuple[int, int]]:
    """Cut a text at line ends into pieces of about `size` bytes: what keeps memory bounded for any file.

    >>> list(blocks(b"one\\ntwo\\nthree", size=2))
    [(0, 4), (4, 8), (8, 13)]
    """
    begin = 0
    while begin < len(text):
        end = text.find(b"\n", min(begin + size, len(text)) - 1) + 1 or len(text)
        yield begin, end
        begin = end


def _each_line_full(codes: NDArray[np.uint8], starts: NDArray[np.int64], width: int) -> bool:
    """Whether every line holds `width` fields, seen from newlines alone where the file is tidy."""
    firsts = starts[width::width]
    tidy = bool((codes[firsts - 1] == 10).all())
    newlines = int(np.count_nonzero(codes == 10))
    return tidy and newlines in (len(firsts), len(firsts) + 1)


def _refuse_uneven(
    text: bytes,
    name: str,
    columns: Sequence[str],
    codes: NDArray[np.uint8],
    starts: NDArray[np.int64],
    begin: int,
) -> None:
    """Raise at the first line with the wrong number of fields; return if there is none (blank lines, indents)."""
    line_of = np.searchsorted(np.flatnonzero(codes == 10), starts)
    counts = np.bincount(line_of)
    wrong = np.flatnonzero((counts != 0) & (counts != len(columns)))
    if len(wrong):
        line = int(wrong[0]) + text.count(b"\n", 0, begin)
        content = text.rstrip(b"\0").split(b"\n", line + 1)[line].strip()
        expected = f"{len(columns)} fields ({' '.join(columns)})"
        raise DataError(f"expected {expected}, found {counts[wrong[0]]}: {shorten(content)}", name, line + 1)


def words_at(
    text: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> list[NDArray[np.uint64]]:
    """Pieces of a text as 8-byte words, zero-filled, little-endian: enough to compare and hash ids of any length."""
    lengths = ends - starts
    window = np.ndarray((len(text) - 7,), dtype="<u8", buffer=text, strides=(1,))
    last = len(window) - 1
    return [
        window[np.minimum(starts + at, last)] & _MASKS[np.clip(lengths - at, 0, 8)]
        for at in range(0, max(int(lengths.max(initial=0)), 1), 8)
    ]


def hashed(words: Sequence[NDArray[np.uint64]], seed: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix words and a seed per row into one 64-bit number per row; zero words (padding) leave it unchanged."""
    mixed = seed * _MIX
    for position, word in enumerate(words):
        term = (word ^ (word >> np.uint64(32))) * _odd(position)
        mixed += term ^ (term >> np.uint64(29))
    return (mixed ^ (mixed >> np.uint64(32))) * _MIX


def _odd(position: int) -> np.uint64:
    """A different odd multiplier for every word position."""
    return np.uint64(pow(int(_MIX), 2 * position + 3, 1 << 64))


def _decodes(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True
