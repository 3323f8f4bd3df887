"""Text into fields: offsets, numbers and ids, whatever stands between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.data.fields import Fields, blocks, split, whole_numbers, words_at
from evalcore.data.pool_index import hashed
from evalcore.data.text_files import LONGEST_ID, text_of
from evalcore.errors import InputError, shorten


def fields(text: str | bytes, *columns: str) -> Fields:
    content = text.encode() if isinstance(text, str) else text
    return split(text_of(content, "file", "text"), "file", columns)


def column(text: str, at: int, width: int) -> list[str]:
    return fields(text, *"abcdef"[:width]).strings(at).tolist()


@pytest.mark.parametrize(
    "text", ["x 1\ny 2\n", "x 1\ny 2", "x\t1\r\ny\t2\r\n", "\ufeffx 1\ny 2", "\n x  1 \n\n\ty 2\n\n", "x 1\ry 2\r"]
)
def test_any_white_space_and_line_end(text):
    assert (column(text, 0, 2), fields(text, "a", "b").numbers(1, "b").tolist()) == (["x", "y"], [1, 2])


def test_an_error_names_the_line_of_the_file():
    with pytest.raises(InputError, match=r"^file line 4: expected a number as b, found 'two'$"):
        fields("x 1\n\n\ny two\n", "a", "b").numbers(1, "b")


def test_a_line_that_only_looks_complete_is_refused():
    with pytest.raises(InputError, match=r"^file line 2: expected 3 fields"):
        fields("a b c\nd e\nf", "x", "y", "z")


WORDS = st.lists(st.text(st.sampled_from("ab1é日"), min_size=1, max_size=30), min_size=1, max_size=30)


@given(WORDS, st.sampled_from([" ", "\t\t"]), st.sampled_from(["\n", " \r\n", "\n\n"]))
def test_strings_are_parsed_as_in_python(words, gap, end):
    words = words[: len(words) // 2 * 2] or words * 2
    text = end.join(gap.join(pair) for pair in zip(words[::2], words[1::2], strict=True))
    assert [column(text, 0, 2), column(text, 1, 2)] == [words[::2], words[1::2]]


NUMBERS = st.one_of(st.integers(0, 10**9).map(str), st.sampled_from(["007", "99999999"]))
ANY_NUMBERS = st.one_of(NUMBERS, st.floats(allow_nan=False, allow_infinity=False).map(repr), st.just("+5"))


@given(st.one_of(st.lists(NUMBERS, min_size=1), st.lists(ANY_NUMBERS, min_size=1)))
def test_numbers_are_parsed_as_in_python(texts):
    assert fields("\n".join(texts), "a").numbers(0, "a").tolist() == [float(text) for text in texts]


@pytest.mark.parametrize("text", ["0x10", "1e", "--1", "1,5", "1_0", "٣", "１", "e", "."])
def test_odd_spellings_of_numbers_are_refused(text):
    with pytest.raises(InputError, match=r"^file line 1: expected a number as grade, found "):
        fields(text, "a").numbers(0, "grade")


def test_words_compare_like_strings():
    ids = ["a", "ab", "b", "abcdefgh", "abcdefgha", "z" * 17, "é"]
    text = " ".join(ids).encode()
    ends = np.cumsum([len(name.encode()) + 1 for name in ids]) - 1
    starts = np.append(0, ends[:-1] + 1)
    words = [word.byteswap() for word in words_at(text, starts, ends)]
    order = np.lexsort(words[::-1])
    assert [ids[at] for at in order] == sorted(ids, key=str.encode)


def test_trailing_zero_words_change_no_hash():
    word, seed, zero = np.array([7, 8], np.uint64), np.array([1, 1], np.uint64), np.zeros(2, np.uint64)
    assert hashed([word], seed).tolist() == hashed([word, zero], seed).tolist()


def test_a_hash_depends_on_the_place_of_a_word():
    one, two, seed = np.array([1], np.uint64), np.array([2], np.uint64), np.array([0], np.uint64)
    assert hashed([one, two], seed) != hashed([two, one], seed)


def test_the_longest_id():
    assert column(f"{'d' * LONGEST_ID} 1", 0, 2) == ["d" * LONGEST_ID]
    with pytest.raises(InputError, match=r"^file line 1: expected an id of at most 512 bytes, found one of 513$"):
        column(f"{'d' * (LONGEST_ID + 1)} 1", 0, 2)


@given(st.lists(st.sampled_from(["", "one", "three words here"]), min_size=1), st.integers(1, 40))
def test_blocks_are_whole_lines_and_leave_nothing_out(lines, size):
    text = "\n".join(lines).encode()
    cut = [text[begin:end] for begin, end in blocks(text, size)]
    assert b"".join(cut) == text
    assert all(piece.endswith(b"\n") for piece in cut[:-1])


def test_errors_quote_a_short_piece():
    assert shorten(b"caf\xe9") == "'caf\ufffd'"
    assert shorten("a" * 99, 3) == "'aaa…'"


@pytest.mark.parametrize("text", ["0", "7", "12345678"])
def test_digits_are_read_eight_at_a_time(text):
    ends = np.array([len(text)])
    word = words_at(text.encode(), ends - len(text), ends)[0]
    found = whole_numbers(word, ends)
    assert found is not None
    assert found.tolist() == [int(text)]
