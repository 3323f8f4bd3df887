"""Ways in which names of files cross."""

from __future__ import annotations

from itertools import product

import pytest

from evalcore.data.output_names import crossings, in_common


def halves(names: list[str]) -> list[tuple[set[str], set[str]]]:
    found = crossings({name: name for name in names})
    return [({cut.left for cut in cuts.values()}, {cut.right for cut in cuts.values()}) for cuts in found]


@pytest.mark.parametrize("between", [".", "_", "-", "__", " ", "/", "+"])
def test_whatever_parts_the_words(between):
    systems, judges = {"a", "b.c", "d-e"}, {"x", "y.z"}
    assert (systems, judges) in halves([system + between + judge for system, judge in product(systems, judges)])


def test_ends_of_several_words_are_not_cut_where_all_share_them():
    found = halves([f"{system}.{judge}" for system, judge in product(("a", "b"), ("gpt-4o", "nist"))])
    assert found == [({"a", "b"}, {"gpt-4o", "nist"})] * 2  # cut from either side


def test_a_fifth_of_the_pairs_may_be_missing():
    names = [f"{system}.{judge}" for system, judge in product("abcde", "xy")]
    assert halves([name for name in names if name not in ("a.x", "b.y", "c.x")]) == []
    assert ({*"abcde"}, {*"xy"}) in halves([name for name in names if name not in ("a.x", "b.y")])


def test_names_that_do_not_cross():
    assert halves(["bm25", "ql", "rm3"]) == halves(["a.b", "c.d", "e.f"]) == []


def test_what_all_names_begin_and_end_with_is_no_word_of_any():
    assert in_common(["dl.a.eval", "dl.b-c.eval"]) == ("dl.", [("a",), ("b", "-", "c")], ".eval")
    assert in_common(["a", "a.b"]) == ("", [("a",), ("a", ".", "b")], "")
