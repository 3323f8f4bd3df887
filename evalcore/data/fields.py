"""Text of white-space separated fields, taken apart with array operations: no object per line or field.

Shapes: L lines that hold something, F fields per line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.arrays import FloatArray
from evalcore.data.characters import is_normalised, unseen
from evalcore.errors import InputError, shorten

BOM = b"\xef\xbb\xbf"
LONGEST_ID = 1024  # bytes
PADDING = bytes(LONGEST_ID + 8)  # lets every eighth byte of any id be read with the seven that follow

FIRST_LINE = re.compile(rb"[^\x00-\x20][^\n\x00]*")  # that holds something, of a padded text

_FIELD = re.compile(rb"[^\x00-\x20]+")
_BLANK = bytes(range(1, 33))  # what separates fields: white space and control characters
_MASKS = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype="<u8")
_ZEROS = np.uint64(0x3030303030303030)  # eight times "0"
_ABOVE_NINE = np.uint64(0x7676767676767676)  # carries into the top bit of a byte above 9
_TOP_BITS = np.uint64(0x8080808080808080)
_JOINS = [
    (np.uint64(10 << 8 | 1), np.uint64(8), np.uint64(0x0F0F0F0F0F0F0F0F)),
    (np.uint64(100 << 16 | 1), np.uint64(16), np.uint64(0x00FF00FF00FF00FF)),
    (np.uint64(10_000 << 32 | 1), np.uint64(32), np.uint64(0x0000FFFF0000FFFF)),
]
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Fields:
    """Where each field of each line begins and ends in `text`; `name` is the file, for errors."""

    name: str
    text: bytes
    starts: NDArray[np.int64]  # (L, F)
    ends: NDArray[np.int64]  # (L, F)
    longer: int = 0  # how many lines hold further fields, which are passed over
    unseen: bool = False  # whether there are characters that no id may hold
    normalised: bool = True  # whether all letters are composed, and none has marks that are not seen

    def __len__(self) -> int:
        return len(self.starts)

    def line(self, row: int) -> int:
        """The 1-based number, in the file, of the line that row stands on."""
        return self.text.count(b"\n", 0, int(self.starts[row, 0])) + 1

    def field(self, row: int, column: int) -> bytes:
        """One field as bytes."""
        return self.text[self.starts[row, column] : self.ends[row, column]]

    def strings(self, column: int) -> NDArray[np.object_]:
        """A column of ids as str. Raises InputError for one that is too long or holds what is not seen."""
        self._refuse_ids(column)
        strings: NDArray[np.object_] = self._pieces(column).to_numpy(zero_copy_only=False)
        return strings

    def pieces(self, column: int) -> pa.StringArray:
        """A column of ids as an Arrow array. Raises InputError for one that is too long or holds what is not seen."""
        self._refuse_ids(column)
        return self._pieces(column)

    def numbers(self, column: int, what: str, absent: str = "") -> FloatArray:
        """A column as finite floats, NaN where `absent` stands. Raises InputError at the first that is neither."""
        starts, ends = self.starts[:, column], self.ends[:, column]
        if (ends - starts).max(initial=0) <= 8:
            whole = whole_numbers(words_at(self.text, starts, ends)[0], ends - starts)
            if whole is not None:
                return whole
        pieces = self._pieces(column)
        missing = pc.equal(pieces, absent).to_numpy(zero_copy_only=False) if absent else np.False_
        if missing.any():
            pieces = pc.if_else(pa.array(missing), "0", pieces)
        try:
            values: FloatArray = pc.cast(pieces, pa.float64()).to_numpy()
        except pa.ArrowInvalid:
            values = self._slow_numbers(pieces, what)
        finite = np.isfinite(values)
        if not finite.all():
            row = int(np.argmin(finite))
            raise self.error(row, f"expected a finite {what}, found {shorten(pieces[row].as_py())}")
        return np.where(missing, np.nan, values) if missing.any() else values

    def words(self, column: int) -> list[NDArray[np.uint64]]:
        """A column of ids as 8-byte words (see `words_at`). Raises InputError as `strings` does."""
        self._refuse_ids(column)
        return words_at(self.text, self.starts[:, column], self.ends[:, column])

    def error(self, row: int, problem: str) -> InputError:
        return InputError(problem, self.name, self.line(row))

    def _refuse_ids(self, column: int) -> None:
        lengths = self.ends[:, column] - self.starts[:, column]
        if lengths.max(initial=0) > LONGEST_ID:
            row = int(np.argmax(lengths > LONGEST_ID))
            problem = f"expected an id of at most {LONGEST_ID} bytes, found one of {lengths[row]:,}"
            raise self.error(row, problem)
        for row in range(len(self)) if self.unseen else ():
            field = self.field(row, column).decode()
            if found := unseen(field):
                raise self.error(row, f"expected an id without unseen characters, found {found} in {shorten(field)}")

    def _pieces(self, column: int) -> pa.StringArray:
        """A column as an Arrow array: of field, gap, field, gap, ... every second piece is taken."""
        edges = np.empty(2 * len(self), dtype=np.int32)
        edges[0::2], edges[1::2] = self.starts[:, column], self.ends[:, column]
        count = max(len(edges) - 1, 0)
        alternating = pa.StringArray.from_buffers(count, pa.py_buffer(edges), pa.py_buffer(self.text))
        return alternating.take(pa.array(np.arange(0, len(alternating), 2)))

    def _slow_numbers(self, pieces: pa.StringArray, what: str) -> FloatArray:
        values = np.empty(len(pieces))
        for row, piece in enumerate(pieces.to_pylist()):
            try:
                values[row] = _plain_float(piece)
            except ValueError:
                hint = "; is the first line a header? Remove it" if row == 0 < len(self) - 1 else ""
                raise self.error(row, f"expected a number as {what}, found {shorten(piece)}{hint}") from None
        return values


def text_of(content: bytes, name: str, what: str) -> bytes:
    """Check that content is text at all and pad it for `Fields`; a byte order mark and old Mac line ends go.

    Raises InputError for an empty file, a binary file, a web page, or text that is not UTF-8.
    """
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(f"expected {what} in UTF-8, found UTF-16: save it as UTF-8", name)
    content = content.removeprefix(BOM)
    if not content.strip(_BLANK):
        raise InputError(f"expected {what}, found an empty file", name)
    if b"\0" in content:
        raise InputError(f"expected {what} as text (UTF-8), found a binary file", name)
    beginning = content[:2000].lstrip()
    if beginning.startswith(b"<"):
        found = f"a web page or XML (it begins with {shorten(beginning.splitlines()[0], 40)})"
        raise InputError(f"expected {what}, found {found}: was the download an error page?", name)
    _refuse_other_encodings(content, name, what)
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    return content + PADDING


def _refuse_other_encodings(content: bytes, name: str, what: str) -> None:
    try:
        if not content.isascii():
            content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = shorten(content[content.rfind(b"\n", 0, error.start) + 1 :].split(b"\n", 1)[0].strip())
        raise InputError(f"expected {what} in UTF-8, found {found} in another encoding", name, line) from None


def fields_of(line: bytes) -> list[bytes]:
    """The fields of one line, between white space and control characters.

    >>> fields_of(b" 1\\tQ0 d1 ")
    [b'1', b'Q0', b'd1']
    """
    return _FIELD.findall(line)


def first_fields(text: bytes) -> list[bytes]:
    """The fields of the first line that holds some; none of an empty text."""
    line = FIRST_LINE.search(text)
    return fields_of(line.group()) if line else []


def split(
    text: bytes, name: str, columns: Sequence[str], begin: int = 0, end: int | None = None, more: bool = False
) -> Fields:
    """Take a padded text (or whole lines of it) apart into lines of exactly the given columns; with `more`, at least.

    Blank lines are passed over. Raises InputError at the first line with another number of fields.
    """
    codes = np.frombuffer(text, dtype=np.uint8)[begin : len(text) - len(PADDING) if end is None else end]
    starts, ends = _pieces_between_spaces(codes)
    width, longer = len(columns), 0
    if len(starts) % width or not _each_line_full(codes, starts, width):
        counts = _fields_by_line(codes, starts)
        _refuse_uneven(text, name, columns, counts, begin, more)
        longer = int(np.count_nonzero(counts > width))
        if longer:
            counts = counts[counts > 0]
            leading = np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts) < width
            starts, ends = starts[leading], ends[leading]
    said = codes.tobytes().decode(errors="replace") if (codes > 127).any() else ""
    return Fields(
        name,
        text,
        (starts + begin).reshape(-1, width),
        (ends + begin).reshape(-1, width),
        longer,
        bool(unseen(said)),
        is_normalised(said),
    )


def blocks(text: bytes, size: int = 2 << 20) -> Iterator[tuple[int, int]]:
    """Cut a text at line ends into pieces of about `size` bytes: what keeps memory bounded for any file.

    >>> list(blocks(b"one\\ntwo\\nthree" + PADDING, size=2))
    [(0, 4), (4, 8), (8, 13)]
    """
    begin, last = 0, len(text) - len(PADDING)
    while begin < last:
        end = text.find(b"\n", min(begin + size, last) - 1, last) + 1 or last
        yield begin, end
        begin = end


def _pieces_between_spaces(codes: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each run of characters other than white space begins and ends."""
    ends = np.flatnonzero(codes <= 32)
    if len(codes) and codes[-1] > 32:
        ends = np.append(ends, len(codes))
    starts = np.empty_like(ends)
    starts[:1], starts[1:] = 0, ends[:-1] + 1
    filled = ends > starts
    return (starts, ends) if filled.all() else (starts[filled], ends[filled])


def _each_line_full(codes: NDArray[np.uint8], starts: NDArray[np.int64], width: int) -> bool:
    """Whether every line holds `width` fields, seen from newlines alone where the file is tidy."""
    firsts = starts[width::width]
    newlines = int(np.count_nonzero(codes == 10))
    tidy = newlines == len(firsts) + int(len(codes) > 0 and codes[-1] == 10)
    return tidy and bool((codes[firsts - 1] == 10).all())


def _fields_by_line(codes: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many fields each line holds, from the first to the last that holds some."""
    return np.bincount(np.searchsorted(np.flatnonzero(codes == 10), starts))


def _refuse_uneven(
    text: bytes, name: str, columns: Sequence[str], counts: NDArray[np.int64], begin: int, more: bool
) -> None:
    """Raise at the first line with the wrong number of fields, if there is one (not: blank lines, indents)."""
    width = len(columns)
    wrong = np.flatnonzero((counts != 0) & ((counts < width) if more else (counts != width)))
    if len(wrong):
        line = int(wrong[0]) + text.count(b"\n", 0, begin)
        content = text.rstrip(b"\0").split(b"\n", line + 1)[line].strip()
        expected = f"{width} fields ({' '.join(columns)})"
        raise InputError(f"expected {expected}, found {counts[wrong[0]]}: {shorten(content)}", name, line + 1)


def words_at(text: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[NDArray[np.uint64]]:
    """Pieces of a padded text as 8-byte words, zero-filled, little-endian.

    Enough to compare and hash ids of up to LONGEST_ID bytes.
    """
    lengths = ends - starts
    longest = int(lengths.max(initial=0))
    window = np.ndarray((len(text) - 7,), dtype="<u8", buffer=text, strides=(1,))
    masks = [_MASKS[np.clip(np.arange(longest + 1) - at, 0, 8)] for at in range(0, max(longest, 1), 8)]
    return [window[starts + 8 * position] & mask[lengths] for position, mask in enumerate(masks)]


def whole_numbers(word: NDArray[np.uint64], lengths: NDArray[np.int64]) -> FloatArray | None:
    """Words of at most eight digits as numbers, or None if anything else is among them.

    Neighbouring digits, then pairs, then fours are joined in all eight bytes at once (Lemire 2022, "Parsing eight
    digits").
    """
    missing = (8 - lengths).astype(np.uint64) * np.uint64(8)
    value = (word ^ (_ZEROS & _MASKS[lengths])) << (missing & np.uint64(63))
    if (((value + _ABOVE_NINE) | value) & _TOP_BITS).any() or not lengths.all():
        return None
    for factor, shift, mask in _JOINS:
        value = (value & mask) * factor >> shift
    numbers: FloatArray = value.astype(np.float64)
    return numbers


def hashed(words: Sequence[NDArray[np.uint64]], seed: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix words and a seed per row into one 64-bit number per row; zero words (padding) change nothing."""
    mixed = seed * _MIX
    for position, word in enumerate(words):
        term = (word ^ (word >> np.uint64(32))) * _odd(position)
        mixed += term ^ (term >> np.uint64(29))
    return (mixed ^ (mixed >> np.uint64(32))) * _MIX


def _odd(position: int) -> np.uint64:
    """A different odd multiplier for every word position."""
    return np.uint64(pow(int(_MIX), 2 * position + 3, 1 << 64))


def _plain_float(text: str) -> float:
    """Python's float without its digit separator and the digits of other scripts."""
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return float(text)
