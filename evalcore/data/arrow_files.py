"""Arrow files of a kept collection, which are refused before they are unpacked into more than a file may hold.

Each compressed buffer says how long it will be, and Arrow takes that much memory for it. So the lengths are summed
first, as the messages of the file tell them (format: Message.fbs of Apache Arrow). Messages are taken one after the
other, as in a stream, and not where the end of the file says that they are.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from evalcore.common.lazy_imports import pa
from evalcore.limits import refuse_more

_BEGIN = b"ARROW1\0\0"
_DICTIONARY, _BATCH = 2, 3  # kinds of message that hold buffers
_HEADER_TYPE, _HEADER = 1, 2  # fields of a message
_DATA = 1  # field of a dictionary that is its batch
_BUFFERS, _COMPRESSION = 2, 3  # fields of a batch
_SIZE = 16  # bytes of a buffer's place: where it begins, and its length


def read_arrow(content: bytes, where: str = "") -> pa.Table:
    """Read a table from a Feather file of version 2.

    Raises InputError for more than a file may hold, and what Arrow raises, or ValueError, for a damaged one.
    """
    if not content.startswith(_BEGIN):
        raise ValueError("no Arrow file")
    stream = pa.py_buffer(content).slice(len(_BEGIN))
    refuse_more("file_bytes", sum(_lengths(stream)), where=where)
    options = pa.ipc.IpcReadOptions(use_threads=False)
    return pa.ipc.open_stream(stream, options=options).read_all()


def _lengths(stream: pa.Buffer) -> Iterator[int]:
    """The bytes that each buffer will have once it is unpacked."""
    for message in pa.ipc.MessageReader.open_stream(stream):
        metadata, kind, batch = message.metadata.to_pybytes(), 0, 0
        root = _at("<I", metadata, 0)
        if at := _field(metadata, root, _HEADER_TYPE):
            kind = _at("<B", metadata, at)
        if kind in (_DICTIONARY, _BATCH) and (at := _field(metadata, root, _HEADER)):
            batch = at + _at("<I", metadata, at)
        if kind == _DICTIONARY and batch and (at := _field(metadata, batch, _DATA)):
            batch = at + _at("<I", metadata, at)
        if batch:
            yield from _of_batch(metadata, batch, message.body)


def _of_batch(metadata: bytes, batch: int, body: pa.Buffer) -> Iterator[int]:
    at, packed = _field(metadata, batch, _BUFFERS), _field(metadata, batch, _COMPRESSION)
    places = at + _at("<I", metadata, at) if at else 0
    for number in range(_at("<I", metadata, places) if places else 0):
        start, length = _at("<qq", metadata, places + 4 + _SIZE * number, whole=True)
        if packed and length:
            length = max(_at("<q", body, start), length)  # -1: it is not compressed
        yield max(length, 0)


def _field(metadata: bytes, table: int, number: int) -> int:
    """The place of a field of a table; 0 if it is not there."""
    names = table - _at("<i", metadata, table)
    if 4 + 2 * number >= _at("<H", metadata, names):
        return 0
    offset = _at("<H", metadata, names + 4 + 2 * number)
    return table + offset if offset else 0


def _at(form: str, metadata: bytes | pa.Buffer, place: int, whole: bool = False) -> Any:
    if place < 0:
        raise ValueError("a message of Arrow that leads out of itself")
    try:
        fields = struct.unpack_from(form, metadata, place)
    except struct.error as error:
        raise ValueError(f"a message of Arrow that leads out of itself ({error})") from None
    return fields if whole else fields[0]
