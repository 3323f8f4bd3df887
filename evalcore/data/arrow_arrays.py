"""Conversion between numpy and Arrow arrays through their buffers, because pyarrow's own functions import pandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.common.lazy_imports import pa

_TYPES = {"i4": "int32", "i8": "int64", "f4": "float32", "f8": "float64"}


def to_arrow(values: NDArray[Any] | Sequence[Any]) -> pa.Array:
    """Return an Arrow array of numbers, or of strings (from an array of objects, or a list)."""
    array = np.asarray(values, dtype=None if isinstance(values, np.ndarray) else object)
    if array.dtype == object and all(type(value) is str for value in array.tolist()):
        return _texts(array.tolist())
    if array.dtype == bool:
        bits = pa.py_buffer(np.packbits(array, bitorder="little"))
        return pa.Array.from_buffers(pa.bool_(), len(array), [None, bits])
    kind = _TYPES.get(array.dtype.str[1:])
    if kind is None or not array.dtype.isnative:
        return pa.array(array if array.dtype != object else array.tolist())
    return pa.Array.from_buffers(getattr(pa, kind)(), len(array), [None, pa.py_buffer(np.ascontiguousarray(array))])


def _texts(texts: Sequence[str]) -> pa.Array:
    content = "".join(texts).encode()
    if len(content) >= 1 << 31:
        return pa.array(texts, pa.string())
    sizes = map(len, texts) if content.isascii() else (len(text.encode()) for text in texts)
    ends = np.zeros(len(texts) + 1, dtype=np.int32)
    np.cumsum(np.fromiter(sizes, np.int64, len(texts)), out=ends[1:])
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(ends), pa.py_buffer(content))


def from_arrow(column: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """Return the numbers or strings of an Arrow array or table column as a numpy array.

    Numbers are not copied if they are in one chunk.
    """
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        result = np.empty(len(column), dtype=object)
        result[:] = [text for chunk in chunks for text in chunk.to_pylist()]
        return result
    plain = (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)) and not column.null_count
    if not plain or len(chunks) != 1:
        values: NDArray[Any] = column.to_numpy() if len(column) else np.array([], column.type.to_pandas_dtype())
        return values
    (one,) = chunks
    values = np.frombuffer(one.buffers()[1], column.type.to_pandas_dtype())
    return values[one.offset : one.offset + len(one)]
