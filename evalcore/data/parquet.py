"""Parquet tables from untrusted sources: a few kilobytes can expand to fill any amount of memory.

Three things are checked against the limits in `evalcore.limits`: the footer (rows, columns, types, sizes), the page
headers, which Arrow relies on, and the data read so far. A footer may lie. A long text that
every row repeats is stored only once, so the size of the texts is computed before they are written out.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from evalcore.common.lazy_imports import pa, parquet, pc, pd
from evalcore.data.sources import unpacked_limit
from evalcore.errors import InputError
from evalcore.limits import refuse_more

MAGIC = b"PAR1"
_INDEX = "__index_level_"  # beginning of the name of an index that pandas wrote
_AT_ONCE = 1 << 18  # rows
_WIDEST = 256  # bits of a cell that is not text


def read_parquet(content: bytes, name: str, *, with_index: bool = False) -> pd.DataFrame:
    """Read a table; its columns keep their names.

    A nameless index that pandas stored as a column is left out or, if `with_index`, becomes the first column, with an
    empty name.

    Raises InputError for a table with too many rows or columns, with columns of lists or other structures, or with more
    bytes than a compressed file of its size may contain; ArrowException or OSError for a damaged one.
    """
    file = _opened(content, name)
    schema = file.schema_arrow.remove_metadata()
    _refuse_large(file, content, name)
    texts = [field.name for field in schema if _is_text(field.type)]
    del file
    reader = parquet.ParquetFile(io.BytesIO(content), read_dictionary=texts)
    left = unpacked_limit(len(content))
    rows, batches = 0, list[pa.RecordBatch]()
    for batch in reader.iter_batches(_AT_ONCE, use_threads=False):
        left, rows = left - sum(map(_size, batch.columns)), rows + len(batch)
        if left < 0:
            raise _too_large(len(content), name)
        refuse_more("table_cells", rows, len(schema), where=name)
        batches.append(_written_out(batch))
    none = _written_out(pa.RecordBatch.from_pylist([], schema))
    frame: pd.DataFrame = pa.Table.from_batches(batches or [none]).to_pandas()
    index = [column for column in frame.columns if str(column).startswith(_INDEX)]
    frame = frame[[*(index if with_index else []), *(column for column in frame.columns if column not in index)]]
    return frame.rename(columns=dict.fromkeys(index, ""))


def column_names(content: bytes, name: str) -> list[str]:
    """Return the names of the columns. Raises InputError if the footer exceeds a limit of `read_parquet`."""
    return [column for column in _opened(content, name).schema_arrow.names if not column.startswith(_INDEX)]


def _opened(content: bytes, name: str) -> parquet.ParquetFile:
    """Open the file, and check its footer against the limits."""
    file = parquet.ParquetFile(io.BytesIO(content))
    about = file.metadata
    refuse_more("table_columns", about.num_columns, where=name)
    refuse_more("table_cells", about.num_rows, about.num_columns, where=name)
    for field in file.schema_arrow:
        if not _is_plain(field.type):
            problem = f"expected columns of numbers or text, found {field.name!r} of {str(field.type)[:60]}"
            raise InputError(f"{problem}: leave it out", name)
    return file


def _is_plain(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    if pa.types.is_nested(kind) or isinstance(kind, pa.BaseExtensionType):
        return False
    return _is_text(kind) or pa.types.is_null(kind) or kind.bit_width <= _WIDEST


def _is_text(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    return any(is_kind(kind) for is_kind in texts)


def _size(values: pa.Array) -> int:
    """Return the number of bytes that a column needs once its text is written out."""
    if not pa.types.is_dictionary(values.type):
        return int(values.nbytes)
    if not _is_text(values.type):
        return len(values) * int(values.type.value_type.bit_width) // 8
    lengths = pc.binary_length(values.dictionary).cast(pa.int64())
    return 8 * len(values) + int(pc.sum(lengths.take(values.indices)).as_py() or 0)


def _written_out(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns = [array.dictionary_decode() if pa.types.is_dictionary(array.type) else array for array in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _too_large(size: int, name: str) -> InputError:
    most = f"{unpacked_limit(size):,} bytes"
    return InputError(f"expected at most {most} in a Parquet table of this size, found more (a zip bomb?)", name)


# --- pages -----------------------------------------------------------------------------------------------------------


def _refuse_large(file: parquet.ParquetFile, content: bytes, name: str) -> None:
    """Raise InputError if the footer or the page headers declare more than is allowed."""
    about = file.metadata
    chunks = [
        about.row_group(group).column(column)
        for group in range(about.num_row_groups)
        for column in range(about.num_columns)
    ]
    stored = sum(chunk.total_compressed_size for chunk in chunks)
    if stored > len(content):
        raise InputError("expected a readable Parquet table, found one with overlapping columns", name)
    left, pages = unpacked_limit(len(content)), 0
    if sum(chunk.total_uncompressed_size for chunk in chunks) > left:
        raise _too_large(len(content), name)
    for chunk in chunks:
        if not chunk.num_values:
            continue  # no part of it is read
        begin = chunk.data_page_offset
        if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < begin:
            begin = chunk.dictionary_page_offset
        for unpacked in _pages(content, begin, begin + chunk.total_compressed_size, name):
            left, pages = left - unpacked, pages + 1
            if left < 0:
                raise _too_large(len(content), name)
            refuse_more("parquet_pages", pages, where=name)


def _pages(content: bytes, at: int, end: int, name: str) -> Iterator[int]:
    """Yield the unpacked size of each page of a column in bytes, as the header before the page states it."""
    while 0 <= at < end:
        try:
            header, at = _numbers(content, at)
        except IndexError:
            header = {}
        unpacked, stored = header.get(_UNPACKED, -1), header.get(_STORED, -1)
        if unpacked < 0 or stored < 0 or at + stored > len(content):
            raise InputError("expected a readable Parquet table, found a damaged one", name)
        yield unpacked
        at += stored


# Thrift's compact protocol, as far as needed to skip a header: the kinds of its fields ...
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_UNPACKED, _STORED = 2, 3  # ... and two fields of a page's header
_DEEPEST = 8


def _numbers(content: bytes, at: int, depth: int = 0) -> tuple[dict[int, int], int]:
    """Return a dict from field to whole number for a struct, and the position after it.

    Raises IndexError if the content ends before the struct does.
    """
    numbers, field = dict[int, int](), 0
    while head := content[at]:
        kind, step, at = head & 15, head >> 4, at + 1
        if step:
            field += step
        else:
            field, at = _number(content, at)
        if kind in (_I16, _I32, _I64):
            numbers[field], at = _number(content, at)
        else:
            at = _after(content, at, kind, depth)
    return numbers, at + 1


def _after(content: bytes, at: int, kind: int, depth: int) -> int:
    """Return the position after the value of a field."""
    if kind in (_TRUE, _FALSE):
        return at
    if kind == _BYTE:
        return at + 1
    if kind == _DOUBLE:
        return at + 8
    if kind == _BINARY:
        length, at = _unsigned(content, at)
        return at + length
    if kind == _STRUCT and depth < _DEEPEST:
        return _numbers(content, at, depth + 1)[1]
    raise IndexError("a kind of field that page headers do not have")


def _number(content: bytes, at: int) -> tuple[int, int]:
    """Return a signed whole number, and the position after it."""
    value, at = _unsigned(content, at)
    return (value >> 1) ^ -(value & 1), at


def _unsigned(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte, at = content[at], at + 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
        if shift > 63:
            raise IndexError("a number of more than 64 bits")
