"""Seeds with pieces changed, repeated, left out and put together."""

from __future__ import annotations

import contextlib
import os

import pytest
from fuzz.targets import TARGETS, corpus
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.errors import InputError

FUZZ = int(os.environ.get("FUZZ", "1"))  # factor on the number of tries
PIECES = [
    b"", b"\0", b"\x01", b"\t", b"\n", b"\r\n", b" ", b",", b";", b'"', b"'", b"<", b">", b"&", b"[", b"]", b"(", b"=",
    b"-1", b"0", b"1e999", b"-1e-999", b"nan", b"inf", b"NA", b"9" * 30, b"1_0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf",
    "é".encode(), "\u202e".encode(), "٣".encode(), b"../../etc/passwd", b"PK\x03\x04", b"\x1f\x8b", b"BZh9", b"PAR1",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"{", b"}", b"x" * 1100,
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """Return a seed after up to four cuts, each with something else put there."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(data)))
        end = min(begin + draw(st.sampled_from([0, 1, 1, 2, 5, 20, 200])), len(data))
        piece = draw(st.sampled_from(PIECES) | st.binary(max_size=6) | st.sampled_from(seeds))
        data = data[:begin] + piece + data[end:]
    return data


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_a_mutated_seed_is_read_or_refused(name: str) -> None:
    @settings(max_examples=FUZZ * (40 if name in ("table", "upload", "graphs") else 150))
    @given(mutated([path.read_bytes() for path in corpus(name)]))
    def check(data: bytes) -> None:
        with contextlib.suppress(InputError):
            TARGETS[name](data)

    check()
