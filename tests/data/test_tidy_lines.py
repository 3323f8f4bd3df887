"""Tidy lines are taken apart in a quicker way than any others, and to the same fields."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import evalcore as ec
from evalcore.common.constants import ORDERS
from evalcore.data import fields, runs
from evalcore.data.assessments import read_qrels
from evalcore.data.build_pool import build_pool
from evalcore.data.pool_index import PoolIndex
from evalcore.data.runs import read_run
from evalcore.data.sources import Source
from evalcore.data.tidy_lines import pieces_at, tidy_lines
from evalcore.structures.documents import Scale

QRELS = "".join(f"{topic} 0 {document} 1\n" for topic in (1, 22) for document in ("d1", "café", "x" * 40)).encode()
INDEX = PoolIndex.of(build_pool([read_qrels(Source("qrels.txt", lambda: QRELS), Scale("relevance"))]))
TOPICS = [b"1", b"22", b"333", b"long-name-of-a-topic"]
DOCUMENTS = [b"d1", b"d", b"d12345678", b"caf\xc3\xa9", b"x" * 40, b"y" * 512, b"z" * 513, b"a\xc2\xa0b", b"#1"]
SCORES = [b"1e-5", b"nan", b"inf", b"+1", b".5", b"5.", b"0.12345678901234567", b"-0", b"7", b"1e999", b"x", b"-1.5"]
GAPS, ENDS = [b" ", b"\t", b"  ", b" \t"], [b"\n", b"\r\n", b" \n", b"\n\n", b"\t\r\n"]


def odd_run(seed: int) -> bytes:
    """A run that is mostly tidy, each kind of oddness in some."""
    draw = random.Random(seed)
    odd = draw.choice([0, 0, 0.02, 0.3])
    width, end, gap = draw.choice([6, 6, 6, 3]), draw.choice(ENDS[:3]), draw.choice(GAPS[:2])

    def pick(usual: bytes, others: list[bytes]) -> bytes:
        return draw.choice(others) if draw.random() < odd else usual

    lines = []
    for rank in range(draw.choice([1, 5, 200])):
        document = draw.choice(DOCUMENTS[:5]) if draw.random() < 0.5 else b"d%d" % rank
        line = [pick(b"1", TOPICS), b"Q0", pick(document, DOCUMENTS), pick(b"%d" % rank, [b"-", b"1.5", b"x"])]
        line += [pick(b"%.*f" % (draw.choice([0, 3, 17]), 1 / (rank + 1)), SCORES), pick(b"tag", [b"t", b"tag more"])]
        line = line if width == 6 else [line[0], line[2], b"%d" % (rank + 1)]
        line = line if draw.random() >= odd / 20 else line[: draw.randrange(1, 6)]
        lines.append(pick(gap, GAPS).join(line) + pick(end, ENDS))
    whole = pick(b"", [b"\xef\xbb\xbf", b"\n", b"# said\n"]) + b"".join(lines)
    return whole.rstrip() if draw.random() < 0.3 else whole


def outcome(content: bytes, order: str) -> object:
    try:
        run = read_run(Source("a.run", lambda: content), INDEX, order)  # type: ignore[arg-type]
    except ec.InputError as error:
        return str(error)
    arrays = [values.tolist() for values in (run.topic, run.rank, run.row, run.length)]
    return arrays, run.facts, run.notes, run.digest


@pytest.mark.slow
@pytest.mark.parametrize("size", [64, 2 << 20])
def test_odd_runs_are_read_as_by_the_slow_reader(size, monkeypatch):
    blocks = fields.blocks
    monkeypatch.setattr(runs, "blocks", lambda text: blocks(text, size))
    content = [(odd_run(seed), ORDERS[seed % len(ORDERS)]) for seed in range(250)]
    quick = [outcome(*given) for given in content]
    monkeypatch.setattr(fields, "tidy_lines", lambda *_: None)
    assert quick == [outcome(*given) for given in content]
    assert 60 < sum(isinstance(one, str) for one in quick) < 190  # both errors and runs


@given(
    st.lists(st.lists(st.sampled_from(["a", "bcd", "é", "0123456789", "x" * 21]), min_size=3, max_size=3), min_size=1)
)
def test_fields_equal_those_of_split(lines):
    text = "".join(" ".join(line) + "\n" for line in lines).encode()
    begins, ends = tidy_lines(np.frombuffer(text, np.uint8), 3, 0, len(text)) or ([], [])
    if len(begins):  # an end where it is expected may belong to a later field: such lines are left to the general way
        found = [[text[a:b] for a, b in zip(*pair, strict=True)] for pair in zip(begins, ends, strict=True)]
        assert found == [[line[at].encode() for line in lines] for at in range(3)]


@pytest.mark.parametrize(
    "text", ["a b c\nd e f\n", "aa b c\nd eeeeeeeeee f", "a b c\r\nd e ff\r\n", "a b c \nd e f \n", "a\tb\tc\nd e f\n"]
)
def test_tidy_lines_are_recognised(text):
    places = tidy_lines(np.frombuffer(text.encode(), np.uint8), 3, 0, len(text))
    assert places is not None
    found = [[text[a:b] for a, b in zip(*pair, strict=True)] for pair in zip(*places, strict=True)]
    assert found == list(map(list, zip(*(line.split() for line in text.splitlines()), strict=True)))


@pytest.mark.parametrize(
    "text", ["", "\n", "a b\n", "a b c\n\nd e f\n", "a  b\n c d e\n", "a b c\nd e\nf g h i\n", " a b\n"]
)
def test_untidy_lines_are_recognised(text):
    assert tidy_lines(np.frombuffer(text.encode(), np.uint8), 3, 0, len(text)) is None


def test_bytes_past_the_end_of_a_text_are_zero():
    pieces = pieces_at(b"abcdefghij", np.array([0, 3, 9, 1]), 8)
    assert_array_equal(pieces, np.array([b"abcdefgh", b"defghij\0", b"j" + bytes(7), b"bcdefghi"], dtype="V8"))
