"""How much memory a thing takes, with all that it alone holds."""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.structures.documents import Collection

_SHARED = (  # by the whole server, or nothing that takes memory
    type,
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    weakref.ReferenceType,
    pa.DataType,
    np.dtype,
)
FEW = 1000  # parts of a list, of which each is looked at by itself
_PLAIN = (str, bytes, bytearray, bool, int, float, complex, type(None))


# What collections were found to take where they were read, with what they hold of their files.
_KNOWN: weakref.WeakKeyDictionary[Collection, int] = weakref.WeakKeyDictionary()


def weighed(collection: Collection, size: int) -> Collection:
    """The same collection, known to take so many bytes: counting them takes a second of a million ids."""
    _KNOWN[collection] = size
    return collection


def bytes_of(thing: Any) -> int:
    """The bytes that a thing takes: what it is made of, each part once, or what it says itself that it will take.

    >>> bytes_of("x" * 1000) - bytes_of("")
    1000
    """
    total, seen, left = 0, set[int](), [thing]
    kept = []  # so that no part made on the way has the id of one before
    while left:
        part = left.pop()
        if id(part) in seen or isinstance(part, _SHARED):
            continue
        seen.add(id(part))
        kept.append(part)
        size, parts = _taken(part)
        total += size
        if isinstance(parts, list) and len(parts) > FEW:
            size, parts = _of_texts(parts, seen)
            total += size
        left.extend(parts)
    return total


def _of_texts(parts: list[Any], seen: set[int]) -> tuple[int, list[Any]]:
    """The bytes of the texts among many parts, and the others; some at a time, so that other threads have a turn."""
    total, others = 0, []
    for at in range(0, len(parts), FEW):
        result = parts[at : at + FEW]
        if {*map(type, result)} != {str}:
            others += result
            continue
        fresh = {*map(id, result)} - seen
        if len(fresh) < len(result):
            result = list({id(item): item for item in result if id(item) in fresh}.values())
        total += sum(map(sys.getsizeof, result))
        seen |= fresh
    return total, others


def _taken(part: Any) -> tuple[int, Iterable[Any]]:
    """The bytes of a part itself, and the parts that it holds."""
    if isinstance(part, _PLAIN):
        return sys.getsizeof(part), ()
    if isinstance(part, Collection) and part in _KNOWN:
        return _KNOWN[part], ()
    if isinstance(part, np.ndarray):
        return _of_array(part)
    if isinstance(part, pd.DataFrame | pd.Series | pd.Index):
        return _of_frame(part)
    if isinstance(part, pd.arrays.NumpyExtensionArray):
        return 0, (part.to_numpy(),)
    if isinstance(part, pd.Categorical):
        return 0, (part.codes, part.categories)
    if isinstance(part, Mapping):
        return sys.getsizeof(part, 0), [*part.keys(), *part.values()]
    if isinstance(part, list | tuple | set | frozenset):
        return sys.getsizeof(part), part
    if (size := getattr(part, "nbytes", None)) is not None:
        return int(size), ()
    return sys.getsizeof(part, 0), _held(part)


def _of_array(array: np.ndarray[Any, Any]) -> tuple[int, Iterable[Any]]:
    """An array, or, of a view, what it looks at; the texts in it too."""
    base: object = array.base  # not only an array: bytes, a buffer of Arrow
    if isinstance(base, np.ndarray):
        return 0, (base,)
    held = array.ravel().tolist() if array.dtype == object else () if base is None else (base,)
    return array.nbytes if base is None or array.dtype == object else sys.getsizeof(array), held


def _of_frame(frame: pd.DataFrame | pd.Series[Any] | pd.Index[Any]) -> tuple[int, Iterable[Any]]:
    """A table: its columns of numbers as arrays, those of Arrow as they are."""
    if isinstance(frame, pd.DataFrame):
        return 0, [frame.index, frame.columns, frame.attrs, *(frame.iloc[:, at].array for at in range(frame.shape[1]))]
    if isinstance(frame, pd.Series):
        return 0, (frame.index, frame.array)
    if isinstance(frame, pd.RangeIndex):
        return sys.getsizeof(frame), ()
    return 0, (frame.array,)


def _held(part: Any) -> Iterable[Any]:
    """What an object holds under names."""
    slots = (getattr(part, name, None) for kind in type(part).__mro__ for name in _slots(kind))
    return [*getattr(part, "__dict__", {}).values(), *slots]


def _slots(kind: type) -> Iterable[str]:
    named = kind.__dict__.get("__slots__", ())
    return (named,) if isinstance(named, str) else named
