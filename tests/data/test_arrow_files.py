"""Arrow files of a kept collection: what they hold, and what is refused before memory is taken for it."""

import contextlib
import io
import struct

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather

from evalcore.data.arrow_files import read_arrow
from evalcore.errors import InputError

TABLE = pa.table({"rank": np.zeros(1_000_000, dtype=np.int64), "document": ["d17"] * 1_000_000})

CHUNK = 1 << 16  # rows that Arrow writes together


def written(table, compression="lz4"):
    content = io.BytesIO()
    feather.write_feather(table, content, compression)
    return content.getvalue()


def with_length(content, before, after):
    """Return the same file, with another length claimed for its first buffer of a given size."""
    at = content.index(struct.pack("<q", before), 8)
    return content[:at] + struct.pack("<q", after) + content[at + 8 :]


@pytest.mark.parametrize("compression", ["lz4", "zstd", "uncompressed"])
def test_written_files_can_be_read(compression):
    assert read_arrow(written(TABLE, compression)).equals(TABLE)


def test_dictionary_encoded_texts_are_read():
    table = pa.table({"kind": TABLE["document"].dictionary_encode()})
    assert read_arrow(written(table)).equals(table)


def test_an_oversized_file_is_refused_by_its_buffer_sizes():
    bomb = with_length(written(TABLE), 8 * CHUNK, 1 << 40)
    with pytest.raises(
        InputError, match=r"^hits\.arrow: expected at most 2,147,483,584 bytes of a file, once unpacked"
    ):
        read_arrow(bomb, where="hits.arrow")


def test_buffers_that_are_too_large_together_are_refused():
    table = pa.table({f"column {at}": np.zeros(10_000) for at in range(40)})
    content = written(table)
    for _ in range(40):
        content = with_length(content, 80_000, 100_000_000)
    with pytest.raises(InputError, match="once unpacked"):
        read_arrow(content)


def test_a_damaged_file_is_refused_without_a_crash(subtests):
    for at in range(8, 600, 7):
        with subtests.test(str(at)):
            content = bytearray(written(TABLE.slice(0, 100)))
            content[at] ^= 0xFF
            with contextlib.suppress(ValueError, OSError, pa.ArrowException):  # as the reader of parts has them
                read_arrow(bytes(content))
