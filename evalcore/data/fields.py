"""Text of white-space separated fields, split with array operations, without an object for each line or field.

Shapes: L lines that are not blank, F fields per line.

A field is compared, hashed (in `pool_index`) and, if a number, read as 64-bit words: eight bytes at once, and all lines
in one array operation. Words are little-endian, so the first byte of a field is the lowest of its word; bytes past its
end are zero. Unsigned numbers wrap around in numpy as in C: hashing needs this, and reading digits is not affected by
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, FloatArray
from evalcore.common.lazy_imports import pa, pc
from evalcore.common.progress import checkpoint
from evalcore.data.arrow_arrays import from_arrow, to_arrow
from evalcore.data.characters import unseen
from evalcore.data.text_files import LONGEST_ID
from evalcore.data.tidy_lines import pieces_at, tidy_lines
from evalcore.errors import InputError, shorten
from evalcore.limits import BOUNDS, refuse_more

_MASKS = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype="<u8")  # keeps the first `count` bytes of a word
_KEPT = np.concatenate([np.zeros(LONGEST_ID, "<u8"), _MASKS, np.full(LONGEST_ID, _MASKS[8])])  # for words further on
_ZEROS = np.uint64(0x3030303030303030)  # eight times "0": a digit xor "0" is its value, 0 to 9
_ABOVE_NINE = np.uint64(0x7676767676767676)  # 0x76 + 9 is 0x7F: one more sets the top bit of a byte
_PIECE = 1 << 20  # characters counted at a time
_TOP_BITS = np.uint64(0x8080808080808080)
# (factor, shift, mask) of each step of `whole_numbers`. If `a` is the first of two neighbours and `b` the second, part
# of the word is b << width | a. Multiplied by (10 ** digits << width | 1), it holds a * 10 ** digits + b in its upper
# half, which the shift moves down. The mask of the next step clears what other products leave in the halves between.
_JOINS = [
    (np.uint64(10 << 8 | 1), np.uint64(8), np.uint64(0x0F0F0F0F0F0F0F0F)),
    (np.uint64(100 << 16 | 1), np.uint64(16), np.uint64(0x00FF00FF00FF00FF)),
    (np.uint64(10_000 << 32 | 1), np.uint64(32), np.uint64(0x0000FFFF0000FFFF)),
]


@dataclass(frozen=True, eq=False)
class Fields:
    """Beginnings and ends of the fields of each line in `text`; `name` is the file, for errors."""

    name: str
    text: bytes
    starts: NDArray[np.int64]  # (F, L)
    ends: NDArray[np.int64]  # (F, L)
    longer: int = 0  # number of lines with more fields, which are ignored
    unseen: bool = False  # some characters are not allowed in ids

    def __len__(self) -> int:
        return int(self.starts.shape[1])

    def line(self, row: int) -> int:
        """Return the line number, from 1, of a row in the file."""
        return self.text.count(b"\n", 0, int(self.starts[0, row])) + 1

    def field(self, row: int, column: int) -> bytes:
        """Return one field as bytes."""
        return self.text[self.starts[column, row] : self.ends[column, row]]

    def strings(self, column: int) -> NDArray[np.object_]:
        """Return a column of ids as str. Raises InputError for an id that is too long or has invisible characters."""
        self._refuse_ids(column)
        return from_arrow(self._pieces(column))

    def pieces(self, column: int) -> pa.StringArray:
        """Return a column of ids as an Arrow array. Raises InputError as `strings` does."""
        self._refuse_ids(column)
        return self._pieces(column)

    def numbers(self, column: int, what: str) -> FloatArray:
        """Return a column as floats. Raises InputError at the first field that is not a finite number."""
        starts, ends = self.starts[column], self.ends[column]
        if (ends - starts).max(initial=0) <= 8:
            whole = whole_numbers(words_at(self.text, starts, ends)[0], ends - starts)
            if whole is not None:
                return whole
        pieces = self._pieces(column)
        try:
            values: FloatArray = from_arrow(pc.cast(pieces, pa.float64()))
        except pa.ArrowInvalid:
            values = self._slow_numbers(pieces, what)
        finite = np.isfinite(values)
        if not finite.all():
            row = int(np.argmin(finite))
            raise self.error(row, f"expected a finite {what}, found {shorten(pieces[row].as_py())}")
        return values

    def words(self, column: int) -> list[NDArray[np.uint64]]:
        """Return a column of ids as 8-byte words (see `words_at`). Raises InputError as `strings` does."""
        self._refuse_ids(column)
        return words_at(self.text, self.starts[column], self.ends[column])

    def error(self, row: int, problem: str) -> InputError:
        return InputError(problem, self.name, self.line(row))

    def _refuse_ids(self, column: int) -> None:
        lengths = self.ends[column] - self.starts[column]
        if lengths.max(initial=0) > LONGEST_ID:
            row = int(np.argmax(lengths > LONGEST_ID))
            problem = f"expected an id of at most {LONGEST_ID} bytes, found one of {lengths[row]:,}"
            raise self.error(row, problem)
        for row in range(len(self)) if self.unseen else ():
            field = self.field(row, column).decode()
            if hidden := unseen(field):
                raise self.error(row, f"expected an id without hidden characters, found {hidden} in {shorten(field)}")

    def _pieces(self, column: int) -> pa.StringArray:
        """Return a column as an Arrow array.

        Arrow strings are one buffer of text and the offsets where they begin, each ending where the next begins. So the
        text itself serves as the buffer, cut into field, gap, field, gap, ...; only the fields are copied.
        """
        edges = np.empty(2 * len(self), dtype=np.int32)
        edges[0::2], edges[1::2] = self.starts[column], self.ends[column]
        count = max(len(edges) - 1, 0)
        alternating = pa.StringArray.from_buffers(count, pa.py_buffer(edges), pa.py_buffer(self.text))
        return alternating.take(to_arrow(np.arange(0, len(alternating), 2)))

    def _slow_numbers(self, pieces: pa.StringArray, what: str) -> FloatArray:
        values = np.empty(len(pieces))
        for row, piece in enumerate(pieces.to_pylist()):
            try:
                values[row] = _plain_float(piece)
            except ValueError:
                hint = "; is the first line a header? Remove it" if row == 0 < len(self) - 1 else ""
                raise self.error(row, f"expected a number as {what}, found {shorten(piece)}{hint}") from None
        return values


def split(
    text: bytes, name: str, columns: Sequence[str], begin: int = 0, end: int | None = None, more: bool = False
) -> Fields:
    """Return the fields of each line of a text, or of its part from `begin` to `end`.

    Each line must have exactly the given columns or, with `more`, at least these. Blank lines are skipped. Raises
    InputError at the first line with a different number of fields.
    """
    codes = np.frombuffer(text, dtype=np.uint8)
    end = len(text) if end is None else end
    part = codes[begin:end]
    if len(part) > BOUNDS["fields"].most:  # a shorter text cannot have that many fields
        refuse_more("fields", _count(part, lambda codes: codes <= 32), where=name)
    places, longer = tidy_lines(codes, len(columns), begin, end), 0
    if places is None:
        places, longer = _untidy_lines(text, part, name, columns, begin, more)
    decoded = part.tobytes().decode(errors="replace") if part.view(np.int8).min(initial=0) < 0 else ""
    return Fields(name, text, *places, longer, bool(unseen(decoded)))


def _untidy_lines(
    text: bytes, codes: NDArray[np.uint8], name: str, columns: Sequence[str], begin: int, more: bool
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], int]:
    """Return the positions of the fields, as `tidy_lines` does, for lines of any form.

    Also return the number of lines with more fields than `columns`.

    Raises InputError as `split` does.
    """
    starts, ends = _pieces_between_spaces(codes)
    width, longer = len(columns), 0
    if len(starts) % width or not _each_line_full(codes, starts, width):
        counts = np.bincount(np.searchsorted(np.flatnonzero(codes == 10), starts))
        _refuse_uneven(text, name, columns, counts, begin, more)
        longer = int(np.count_nonzero(counts > width))
        if longer:
            counts = counts[counts > 0]
            leading = np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts) < width
            starts, ends = starts[leading], ends[leading]
    starts, ends = ((side + begin).reshape(-1, width).T for side in (starts, ends))
    return (starts, ends), longer


def blocks(text: bytes, size: int = 2 << 20) -> Iterator[tuple[int, int]]:
    """Yield (begin, end) of pieces of about `size` bytes that end at line ends, to limit memory for any file.

    >>> list(blocks(b"one\\ntwo\\nthree", size=2))
    [(0, 4), (4, 8), (8, 13)]
    """
    begin, last = 0, len(text)
    while begin < last:
        checkpoint()
        end = text.find(b"\n", min(begin + size, last) - 1, last) + 1 or last
        yield begin, end
        begin = end


def _pieces_between_spaces(codes: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the beginnings and ends of all stretches of characters without white space.

    Every blank ends a piece, and the next begins after it; a piece between two adjacent blanks is empty, and left out.
    """
    ends = np.flatnonzero(codes <= 32)
    if len(codes) and codes[-1] > 32:
        ends = np.append(ends, len(codes))
    starts = np.empty_like(ends)
    starts[:1], starts[1:] = 0, ends[:-1] + 1
    filled = ends > starts
    return (starts, ends) if filled.all() else (starts[filled], ends[filled])


def line_count(text: bytes) -> int:
    """Count the lines of a text, blank ones too.

    >>> line_count(b"one\\n\\nthree")
    3
    """
    return _count(np.frombuffer(text, dtype=np.uint8), lambda codes: codes == 10) + (text[-1:] != b"\n")


def _count(codes: NDArray[np.uint8], wanted: Callable[[NDArray[np.uint8]], BoolArray]) -> int:
    """Count the characters for which `wanted` is true, piece by piece."""
    return sum(int(np.count_nonzero(wanted(codes[at : at + _PIECE]))) for at in range(0, len(codes), _PIECE))


def _each_line_full(codes: NDArray[np.uint8], starts: NDArray[np.int64], width: int) -> bool:
    """Return true if the newlines alone show that every line holds `width` fields.

    True is certain: there are as many line ends as expected, and one right before each field that should be the first
    of a line. A file with blank lines or indents gives False, and its lines are then counted one by one, which takes
    longer.
    """
    firsts = starts[width::width]
    newlines = int(np.count_nonzero(codes == 10))
    tidy = newlines == len(firsts) + int(len(codes) > 0 and codes[-1] == 10)
    return tidy and bool((codes[firsts - 1] == 10).all())


def _refuse_uneven(
    text: bytes, name: str, columns: Sequence[str], counts: NDArray[np.int64], begin: int, more: bool
) -> None:
    """Raise InputError at the first line with a wrong number of fields; blank lines and indents are allowed."""
    width = len(columns)
    wrong = np.flatnonzero((counts != 0) & ((counts < width) if more else (counts != width)))
    if len(wrong):
        line = int(wrong[0]) + text.count(b"\n", 0, begin)
        content = text.split(b"\n", line + 1)[line].strip()
        expected = f"{width} fields ({' '.join(columns)})"
        raise InputError(f"expected {expected}, found {counts[wrong[0]]}: {shorten(content)}", name, line + 1)


def words_at(text: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[NDArray[np.uint64]]:
    """Return pieces of a text as zero-filled little-endian 8-byte words: an array for bytes 0 to 7, 8 to 15, ...

    Pieces may have up to LONGEST_ID bytes.
    """
    lengths = ends - starts
    longest = int(lengths.max(initial=0))
    count = max(-(-longest // 8), 1)
    pieces = pieces_at(text, starts, 8 * count).view("<u8").reshape(-1, count)
    if (lengths == longest).all():
        return [pieces[:, at] & _KEPT[LONGEST_ID + min(longest - 8 * at, 8)] for at in range(count)]
    return [pieces[:, at] & _KEPT[LONGEST_ID - 8 * at :].take(lengths) for at in range(count)]


def whole_numbers(word: NDArray[np.uint64], lengths: NDArray[np.int64]) -> FloatArray | None:
    """Return words of one to eight digits as numbers, or None if any word has another character or is empty.

    Neighbouring digits, then pairs, then fours are joined in all eight bytes at once (Lemire 2022, "Parsing eight
    digits"); see `_JOINS`. Shorter numbers are first moved to the end of the word, so that zeros precede them.
    """
    # For an empty field, a shift by 64 is undefined: & 63 turns it into one by 0, and `lengths.all()` refuses it below.
    missing = (8 - lengths).astype(np.uint64) * np.uint64(8)
    value = (word ^ (_ZEROS & _MASKS[lengths])) << (missing & np.uint64(63))
    if (((value + _ABOVE_NINE) | value) & _TOP_BITS).any() or not lengths.all():
        return None
    for factor, shift, mask in _JOINS:
        value = (value & mask) * factor >> shift
    numbers: FloatArray = value.astype(np.float64)
    return numbers


def _plain_float(text: str) -> float:
    """Convert text to a float as Python does, but raise ValueError for underscores and digits of other scripts."""
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return float(text)
