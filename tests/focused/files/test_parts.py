"""Runs of parts: order, depth, overlap and highlighted characters, compared with sets of characters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.data.kinds import read_as
from evalcore.data.sources import Source
from evalcore.errors import InputError
from evalcore.focused.files.elements import read_elements
from evalcore.focused.files.highlights import assess, highlights
from evalcore.focused.files.parts import CountedParts, assemble, counted_parts, later_overlaps, notes, rankings
from evalcore.focused.files.truth import Truth

MARKS = "1 Q0 a 30 100 10 10:20 40:10\n1 Q0 b 0 50\n2 Q0 a 5 100 0 0:5\n"


def truth_of(marks: str, elements: str = "") -> Truth:
    table = read_elements(Source("elements.csv", elements.encode)) if elements else None
    assessed = assess(read_as("highlights", Source("h.txt", marks.encode))[0], table)
    known = [one for one in (table, assessed.sizes) if one is not None]
    topics = tuple(sorted({record.topic for record in assessed.records}))
    return Truth(highlights(assessed, topics), known[0] if elements else known[-1], assessed.records)


def kept(run: str, truth: Truth, order: str = "rank", name: str = "x.txt") -> CountedParts:
    ((_, read),) = read_as("part run", Source(name, run.encode))
    return counted_parts(read(truth.elements), truth, order)


def table(run: CountedParts) -> list[tuple[int, str, int, int, int]]:
    """Return topic, document, start, size and highlighted characters of every part."""
    columns = (run.topic.tolist(), run.document.strings(), run.start.tolist(), run.size.tolist(), run.rsize.tolist())
    return list(zip(*columns, strict=True))


def note_texts(run: CountedParts, order: str = "rank") -> list[str]:
    return [f"{note.kind}: {note.text}" for note in notes(run, ("1", "2"), order)]


# Passages


def test_a_part_beyond_its_document_keeps_its_size():
    run = kept("1 Q0 a 1 9 me 45 200\n1 Q0 a 2 8 me 400 7\n1 Q0 new 3 8 me 0 999\n", truth_of(MARKS))
    assert table(run) == [(0, "a", 45, 200, 5), (0, "a", 400, 7, 0), (0, "new", 0, 999, 0)]
    assert note_texts(run)[1:] == ["warning: 2 parts extending beyond the document's end: the part's full size is used "
                             "(first in line 1)"]  # fmt: skip


def test_only_1500_parts_of_a_topic_count():
    lines = [f"{topic} Q0 d{at} {at} {-at} me 0 9" for topic in (1, 2) for at in range(1, 1503)]
    run = kept("\n".join(lines), truth_of(MARKS))
    assert np.bincount(run.topic).tolist() == [1500, 1500]
    assert note_texts(run)[-1] == "dropped: 4 parts below the first 1,500 of their topic"


def test_topics_that_nobody_assessed_are_dropped_and_missing_ones_counted():
    run = kept("1 Q0 a 1 9 me 5 10\n9 Q0 a 1 8 me 5 10\n8 Q0 a 1 8 me 5 10\n", truth_of(MARKS))
    assert note_texts(run) == [
        "dropped: 2 lines of 2 topics that nobody assessed, such as '9'",
        "warning: nothing for 1 assessed topic: scored 0 there",
    ]
    none = kept("9 Q0 a 1 9 me 5 10\n", truth_of(MARKS))
    assert note_texts(none)[0] == "warning: none of its topics is assessed: it scores 0 everywhere"
    strange = kept("1 Q0 x 1 9 me 5 10\n2 Q0 x 1 9 me 5 10\n", truth_of(MARKS))
    assert note_texts(strange) == ["warning: none of its documents is assessed: do their ids match the assessments?"]


UNORDERED = "1 Q0 a 3 1 me 0 5\n1 Q0 a 1 2 me 10 5\n1 Q0 a 1 9 me 20 5\n"


@pytest.mark.parametrize(
    ("order", "starts", "reported"),
    [
        ("rank", [10, 20, 0], ["repaired: 1 rank repeated within a topic: kept in file order",
                               "warning: ranks contradict the order of the lines 1 time: the rank decides"]),
        ("file", [0, 10, 20], ["warning: ranks contradict the order of the lines 1 time: "
                               "the order of the lines decides"]),
        ("score", [20, 10, 0], []),
    ],
)  # fmt: skip
def test_parts_are_ordered_by_rank_or_score(order, starts, reported):
    run = kept(UNORDERED, truth_of(MARKS), order)
    assert run.start.tolist() == starts
    assert note_texts(run, order)[1:] == reported


def test_a_table_without_ranks_is_ordered_by_score_and_one_without_both_by_line():
    header, rows = "system,topic,document,start,length", "s,1,a,0,5{}\ns,1,a,10,5{}\n"
    scored = kept(f"{header},score\n" + rows.format(",1", ",2"), truth_of(MARKS), name="x.csv")
    plain = kept(f"{header}\n" + rows.format("", ""), truth_of(MARKS), name="x.csv")
    assert (scored.start.tolist(), plain.start.tolist()) == ([10, 0], [0, 10])
    with pytest.raises(InputError, match="line 2: expected a score in every line, found none"):
        kept(f"{header}\n" + rows.format("", ""), truth_of(MARKS), "score", "x.csv")


spans = st.tuples(st.integers(0, 25), st.integers(0, 12))
document = st.sampled_from(["a", "b", "new"])


def lines_of(parts: Sequence[tuple[str, str, tuple[int, int]]]) -> str:
    lines = [f"{topic} Q0 {doc} {at} 0 me {start} {size}" for at, (topic, doc, (start, size)) in enumerate(parts, 1)]
    return "\n".join(lines)


def characters(start: int, size: int) -> set[int]:
    return set(range(start, start + size))


def marks_of(marked: dict[tuple[str, str], list[tuple[int, int]]]) -> str:
    lines = []
    for (topic, doc), ranges in marked.items():
        inside = [(start, min(size, 30 - start)) for start, size in ranges]
        best = f" 0 {' '.join(f'{start}:{size}' for start, size in inside)}" if ranges else ""
        lines.append(f"{topic} Q0 {doc} {sum(size for _, size in inside)} 30{best}")
    return "\n".join(lines)


@given(
    st.dictionaries(st.tuples(st.sampled_from(["1", "2"]), st.sampled_from(["a", "b"])), st.lists(spans, max_size=4),
                    min_size=1),
    st.lists(st.tuples(st.sampled_from(["1", "2"]), document, spans), min_size=1, max_size=25),
)  # fmt: skip
def test_counts_of_passages_equal_those_of_sets_of_characters(marked, returned):
    truth = truth_of(marks_of(marked))
    run = kept(lines_of(returned), truth)
    expected = []
    for code, topic in enumerate(truth.highlights.topics):
        taken: dict[str, set[int]] = {}
        for _, doc, (start, size) in (part for part in returned if part[0] == topic):
            part = characters(start, size)
            if part & taken.setdefault(doc, set()):
                continue
            taken[doc] |= part
            relevant = set().union(*(characters(*at) for at in marked.get((topic, doc), []))) & characters(0, 30)
            expected.append((code, doc, start, size, len(part & relevant)))
    assert table(run) == expected


# Elements


def elements_run(*paths: str, doc: str = "a") -> str:
    return "\n".join(f"1 Q0 {doc} {at} 0 me {path}" for at, path in enumerate(paths, 1))


leaves = st.lists(st.integers(1, 6), min_size=1, max_size=3)
trees = st.lists(st.lists(leaves, min_size=1, max_size=3), min_size=1, max_size=3)


def laid_out(tree: list[list[list[int]]]) -> dict[str, tuple[int, int]]:
    """Return start and end, by path, of sections, paragraphs and sentences with the given lengths."""
    found: dict[str, tuple[int, int]] = {}
    at = 0
    for s, section in enumerate(tree, 1):
        begin = at
        for p, paragraph in enumerate(section, 1):
            first = at
            for l, length in enumerate(paragraph, 1):
                found[f"/r[1]/s[{s}]/p[{p}]/l[{l}]"] = (at, at + length)
                at += length
            found[f"/r[1]/s[{s}]/p[{p}]"] = (first, at)
        found[f"/r[1]/s[{s}]"] = (begin, at)
    return {**found, "/r[1]": (0, at)}


@given(trees, st.data())
def test_elements_are_scored_like_the_passages_that_they_cover(tree, data):
    outline = laid_out(tree)
    length = outline["/r[1]"][1]
    marked = data.draw(st.lists(st.tuples(st.integers(0, length - 1), st.integers(1, 9)), min_size=1, max_size=4))
    ranges = " ".join(f"{start}:{min(size, length - start)}" for start, size in marked)
    truth = truth_of(f"1 Q0 a 9 {length} 0 {ranges}", "document,path,start,end\n" + "".join(
        f"a,{path},{start},{end}\n" for path, (start, end) in outline.items()
    ))  # fmt: skip
    paths = data.draw(st.lists(st.sampled_from(sorted(outline)), min_size=1, max_size=12))
    passages = [("1", "a", (outline[path][0], outline[path][1] - outline[path][0])) for path in paths]
    assert table(kept(elements_run(*paths), truth)) == table(kept(lines_of(passages), truth))


XML = """<assessments topic="1"><file name="a">
<passage start="/r[1]/p[2]" end="/r[1]/p[2]" size="30"/>
<element path="/r[1]/p[2]" size="40" rsize="30"/><element path="/r[1]" size="100" rsize="30"/></file>
<file name="b"/></assessments>"""


def test_sizes_from_inex_assessments_and_0_for_elements_they_do_not_list():
    lines = "topic,document,path,rank,size\n1,a,/r[1]/p[2],1,\n1,a,/r[1]/p[3],2,20\n1,new,/r[1],3,9\n"
    run = kept(lines, truth_of(XML), name="x.csv")
    assert table(run) == [(0, "a", -1, 40, 30), (0, "a", -1, 20, 0), (0, "new", -1, 9, 0)]


def test_an_element_of_unknown_size_is_an_error():
    message = (
        "x.txt line 2: expected the size of every element, found none for /r[1]/p[3] of document 'a': "
        "give a table of elements (document, path, size), or a column size"
    )
    with pytest.raises(InputError) as error:
        kept(elements_run("/r[1]/p[2]", "/r[1]/p[3]"), truth_of(XML))
    assert str(error.value) == message


def test_passages_are_refused_if_only_sizes_are_known_of_their_document():
    with pytest.raises(InputError) as error:
        kept("1 Q0 b 1 9 me 0 5\n1 Q0 a 2 8 me 0 5\n", truth_of(XML))
    assert str(error.value) == (
        "x.txt line 2: expected a document with highlighted ranges, found one with sizes of elements "
        "only: give a table of elements (document, path, start, end)"
    )


def test_a_run_may_state_how_much_of_an_element_is_highlighted():
    header = "topic,document,path,rank,size,rsize\n"
    run = kept(header + "1,a,/r[1]/p[1],1,20,12\n1,b,/r[1],2,50,3\n", truth_of(MARKS), name="x.csv")
    assert table(run) == [(0, "a", -1, 20, 12), (0, "b", -1, 50, 0)]
    needed = "give a table of elements (document, path, start, end), or a column rsize"
    for cell, found in (("", "no number of characters"), ("21", "21 of 20 characters"), ("31", "31 of 20 characters")):
        with pytest.raises(InputError) as error:
            kept(f"{header}1,a,/r[1]/p[1],1,20,{cell}\n", truth_of(MARKS), name="x.csv")
        expected = f"expected the highlighted size of the element, found {found}: {needed}"
        assert str(error.value) == f"x.csv line 2: {expected}"


def test_an_element_is_located_by_its_table_or_else_by_the_run():
    known = "document,path,start,end,size\na,/r[1]/p[1],12,32,\na,/r[1]/p[2],,,30\na,/r[1]/p[4],90,90,\n"
    lines = "topic,document,path,rank,start,end,rsize\n"
    elements = ["/r[1]/p[1],1,0,50,9", "/r[1]/p[2],2,40,80,0", "/r[1]/p[3],3,80,90,0", "/r[1]/p[4],4,,,"]
    run = kept(lines + "".join(f"1,a,{element}\n" for element in elements), truth_of(MARKS, known), name="x.csv")
    # p[1] by the table: 18 of the 20 highlighted characters from 10 on; p[2] has 30 there, and its start from the run;
    # p[4] is empty.
    assert table(run) == [(0, "a", 12, 20, 18), (0, "a", 40, 30, 10), (0, "a", 80, 10, 0), (0, "a", 90, 0, 0)]


# Documents


def test_documents_are_ranked_in_the_order_of_their_best_parts():
    truth = truth_of(MARKS)
    one = kept("1 Q0 new 1 9 me 5 10\n1 Q0 b 2 8 me 0 5\n1 Q0 a 3 7 me 0 5\n1 Q0 b 4 6 me 9 5\n", truth, name="one.txt")
    two = kept("2 Q0 a 1 1 me 0 100\n1 Q0 a 1 1 me 0 100\n", truth, name="two.txt")
    parts, documents = assemble([one, two], truth)
    assert (parts.systems, parts.indptr.tolist()) == (("one", "two"), [0, 4, 4, 5, 6])
    assert documents[parts.document].tolist() == ["new", "b", "a", "b", "a", "a"]
    ranked = rankings(parts, np.array([10, 11, 12]), 13)
    assert (ranked.indptr.tolist(), ranked.rank.tolist()) == ([0, 2, 2, 3, 4], [2, 3, 1, 1])
    assert (ranked.row.tolist(), ranked.length.tolist()) == ([11, 10, 10, 12], [[3, 0], [1, 1]])


@pytest.mark.slow
def test_many_overlapping_parts_are_separated_quickly():
    n = 1500
    group = np.repeat(np.arange(100), n)
    start = np.tile(np.arange(n) * 10, 100)
    removed = later_overlaps(group, start, start + 15)
    assert removed.reshape(100, n).sum(axis=1).tolist() == [n // 2] * 100
