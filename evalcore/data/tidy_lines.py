"""Fields of tidy lines, as in nearly all runs: all lines have the same number of fields, separated by single blanks.

Blanks are not searched for one by one. A field is expected to be as long as in the first line. If a line has no blank
there, the end of the field is searched for in eight bytes at once. The result is certain: the positions in each line
are in order, there is a blank at each, and the block has no other blanks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evalcore.limits import most

Places = NDArray[np.int64]

_LONGEST = most("id_bytes")
_ONES = np.uint64(0x0101010101010101)
_TOP_BITS = np.uint64(0x8080808080808080)
_ABOVE_BLANK = _ONES * np.uint64(33)


def tidy_lines(codes: NDArray[np.uint8], width: int, begin: int, end: int) -> tuple[Places, Places] | None:
    """Return the positions of the fields in the text from `begin` to `end`; None if its lines are not tidy.

    The positions are two arrays (width, L): beginnings and ends.

    >>> begins, ends = tidy_lines(np.frombuffer(b"1 d1 2\\n1 d22 0\\n", np.uint8), 3, 0, 16)
    >>> begins.tolist(), ends.tolist()
    ([[0, 7], [2, 9], [5, 13]], [[1, 8], [4, 12], [6, 14]])
    """
    block = codes[begin:end]
    newlines = np.flatnonzero(block == 10)
    blanks = int(np.count_nonzero(block <= 32))
    if len(block) and block[-1] != 10:
        newlines, blanks = np.append(newlines, len(block)), blanks + 1
    if not len(newlines) or width < 2:
        return None
    first = block[: newlines[0]].tobytes().replace(b"\t", b" ")
    spare = int(first[-1:] in (b" ", b"\r"))  # a blank before the line end, or the carriage return of Windows
    lengths = [len(field) for field in first[: len(first) - spare].split(b" ")]
    if len(lengths) != width or not all(lengths) or blanks != (width + spare) * len(newlines):
        return None
    begins, ends = np.empty((2, width, len(newlines)), dtype=np.int64)
    np.add(newlines, begin - spare, out=ends[-1])
    begins[0, 0] = begin
    np.add(newlines[:-1], begin + 1, out=begins[0, 1:])
    for column, length in enumerate(lengths[:-2]):
        _find_ends(codes, begins[column], length, ends[column])
        np.add(ends[column], 1, out=begins[column + 1])
    np.subtract(ends[-1], lengths[-1] + 1, out=ends[-2])
    if not _are_blank(codes, ends[-2]):
        _find_ends(codes, begins[-2], lengths[-2], ends[-2])
    np.add(ends[-2], 1, out=begins[-1])
    certain = bool((begins < ends).all()) and (not spare or _are_blank(codes, ends[-1]))
    return (begins, ends) if certain else None


def _are_blank(codes: NDArray[np.uint8], places: Places) -> bool:
    return bool((codes.take(places, mode="clip") <= 32).all())


def _find_ends(codes: NDArray[np.uint8], begins: Places, length: int, ends: Places) -> None:
    """Fill `ends` with the first blank after each beginning; this is fast if all fields have `length` bytes."""
    np.add(begins, length, out=ends)
    if not _are_blank(codes, ends):
        np.add(begins, _lengths(codes, begins, length // 8 + 1), out=ends)


def _lengths(codes: NDArray[np.uint8], begins: Places, words: int) -> Places:
    """Count the bytes from each position to the next blank.

    The first `words` words are searched, then twice as many, and so on.
    """
    pieces = pieces_at(codes, begins, 8 * words).view("<u8").reshape(-1, words)
    lengths = _bytes_before_blank(pieces[:, 0])
    for at in range(1, words):
        lengths += _bytes_before_blank(pieces[:, at]) * (lengths == 8 * at)
    rest = np.flatnonzero(lengths == 8 * words)
    if len(rest) and words <= _LONGEST:
        lengths[rest] += _lengths(codes, begins[rest] + 8 * words, 2 * words)
    return lengths


def _bytes_before_blank(words: NDArray[np.uint64]) -> Places:
    """Count the bytes of each word, from the lowest, before the first byte of 32 or less; 8 if there is none.

    Subtracting 33 sets the top bit of a byte that is less, and borrows only from higher bytes, which do not matter.
    """
    flags = (words - _ABOVE_BLANK) & ~words & _TOP_BITS
    return np.bitwise_count(~flags & (flags - np.uint64(1))).astype(np.int64) >> 3


def pieces_at(text: bytes | NDArray[np.uint8], begins: Places, width: int) -> NDArray[np.void]:
    """Return `width` bytes of a text from each position; zeros after its end."""
    last = len(text) - width
    if not len(begins) or begins.max() <= last:
        # The window shows the piece at every byte of the text, without a copy.
        return np.ndarray((max(last + 1, 0),), f"V{width}", text, strides=(1,))[begins]
    cut = max(last + 1, 0)
    pieces, late = np.empty(len(begins), f"V{width}"), begins >= cut
    pieces[~late] = pieces_at(text, begins[~late], width)
    pieces[late] = pieces_at(bytes(text[cut:]) + bytes(width), begins[late] - cut, width)
    return pieces
