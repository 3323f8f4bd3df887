"""Tables of elements, their nesting, and the targets of paths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.data.sources import Source
from evalcore.errors import InputError
from evalcore.focused.files.elements import Elements, joined, no_elements, place, preorder, read_elements

TABLE = "document,path,start,end\nd1,/article[1],0,100\nd1,/article[1]/p[1],10,40\nd1,/article[1]/p[2],40,90\n"


def source(text: str) -> Source:
    return Source("elements.csv", text.encode)


def refusal(text: str) -> str:
    with pytest.raises(InputError) as error:
        read_elements(source(text))
    return str(error.value)


def test_a_table_by_end_by_length_and_by_size_alone():
    by_end = read_elements(source(TABLE))
    by_length = read_elements(source("docid,xpath,offset,length\nd1,/article[1],0,100\n"))
    by_size = read_elements(source("document\tpath\tsize\nd1\t/article[1]\t100\n"))
    assert (by_end.start.tolist(), by_end.size.tolist()) == ([0, 10, 40], [100, 30, 50])
    assert (by_length.start.tolist(), by_length.size.tolist()) == ([0], [100])
    assert (by_size.start.tolist(), by_size.size.tolist()) == ([-1], [100])
    assert by_end.lengths() == by_size.lengths() == {"d1": 100}


def test_elements_are_found_by_document_and_path():
    table = read_elements(source(TABLE))
    documents, paths = (
        np.array(names, dtype=object) for names in (["d1", "d2", "d1"], ["/article[1]/p[2]"] * 2 + ["x"])
    )
    assert table.find(documents, paths).tolist() == [2, -1, -1]
    assert no_elements().find(documents, paths).tolist() == [-1, -1, -1]


def test_the_first_of_two_tables_counts():
    one = read_elements(source(TABLE))
    other = read_elements(source("document,path,size\nd1,/article[1],7\nd2,/article[1],8\n"))
    both = joined([one, other])
    assert (len(both), both.lengths()) == (4, {"d1": 100, "d2": 8})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("document,size\nd1,5\n", "elements.csv: expected a column 'path', found document, size"),
        ("document,path,size\nd1,/a[1],\n", "elements.csv line 2: expected a start with an end or a length, or a size, "
         "found neither"),
        ("document,path,size\nd1,/a[1],-5\n", "elements.csv line 2: expected an integer of 0 or more as size, "
         "found '-5'"),
        ("document,path,start,end\nd1,/a[1],5,3\n", "elements.csv line 2: expected an end from 5, found 3"),
        ("document,path,size\nd1,a/b,5\n", "elements.csv line 2: expected the path of an element, such as "
         "/article[1]/body[1]/p[2], found 'a/b'"),
        ("document,path,size\nd1,/a[1],5\nd1,/a[1],5\n", "elements.csv line 3: expected each element once, found /a[1] "
         "of document 'd1' again"),
    ],
)  # fmt: skip
def test_a_broken_table_of_elements_is_refused_with_its_line(text, message):
    assert refusal(text) == message


steps = st.tuples(st.sampled_from(["a", "ab", "b", "é"]), st.sampled_from([1, 2, 10, 11]))
paths = st.lists(steps, min_size=1, max_size=4).map(lambda path: "".join(f"/{tag}[{at}]" for tag, at in path))


@given(st.lists(paths, unique=True, max_size=12))
def test_preorder_ranges_overlap_exactly_if_one_path_contains_the_other(some):
    first, last = preorder(some)
    for i, one in enumerate(some):
        for j, other in enumerate(some):
            holds = one == other or one.startswith(other + "/") or other.startswith(one + "/")
            assert (max(first[i], first[j]) < min(last[i], last[j])) == holds


OUTLINE = {"/a[1]": (0, 90), "/a[1]/b[1]": (10, 20), "/a[1]/b[2]": (20, 40), "/a[1]/b[2]/c[1]": (20, 30)}


@pytest.mark.parametrize(
    ("pointer", "begin", "end"),
    [
        ("/a[1]/b[2]", 20, 40),
        ("/a[1]/text()[1].10", 10, 10),
        ("/a[1]/text()[2].5", 45, 45),  # there is no text between b[1] and b[2]
        ("/a[1]/b[2]/text()[1].3", 33, 33),
        ("/a[1]/text()[1].11", None, None),
        ("/a[1]/b[3]", None, None),
        ("nonsense", None, None),
    ],
)
def test_where_a_pointer_points_to(pointer, begin, end):
    assert (place(pointer, OUTLINE), place(pointer, OUTLINE, end=True)) == (begin, end)


def test_outlines_contain_the_elements_whose_start_is_known():
    document, path = (np.array([one], dtype=object) for one in ("d", "/a[1]"))
    sizes = Elements(document, path, np.array([-1]), np.array([5]))
    assert (sizes.outline("d"), read_elements(source(TABLE)).outline("d1")["/article[1]/p[1]"]) == ({}, (10, 40))
