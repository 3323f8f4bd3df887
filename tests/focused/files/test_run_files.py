"""Runs of parts in four forms: they read the same, and a mistake is named with its line."""

from __future__ import annotations

import gzip

import pytest

from evalcore.data.kinds import read_as
from evalcore.data.sources import Source
from evalcore.errors import InputError
from evalcore.focused.files.elements import Elements, no_elements, read_elements
from evalcore.focused.files.lines import Run

PASSAGES = "7 Q0 d1 1 9.5 me 90 30\n7\tQ0\td2\t2\t8\tme\t0\t400\n"
PASSAGE_TABLE = "topic,document,rank,score,offset,length\n7,d1,1,9.5,90,30\n7,d2,2,8,0,400\n"
ELEMENTS = "7 Q0 d1 1 9.5 me /article[1]/p[2]\n7 Q0 d2 2 8 me /article[1]\n"
ELEMENT_TABLE = "qid\tdocno\trank\tscore\tpath\n7\td1\t1\t9.5\t/article[1]/p[2]\n7\td2\t2\t8\t/article[1]\n"
ELEMENT_XML = """<inex-submission run-id="me"><topic topic-id="7">
<result><file>d1</file><path>/article[1]/p[2]</path><rank>1</rank><rsv>9.5</rsv></result>
<result><file>d2</file><path>/article[1]</path><rank>2</rank><rsv>8</rsv></result></topic></inex-submission>"""
PASSAGE_XML = """<inex-submission run-id="me"><topic topic-id="7">
<result><file>d1</file><passage start="/article[1]/p[1]" end="/article[1]/p[2]"/><rank>1</rank></result>
<result><file>d1</file><passage start="/article[1]/p[1]/text()[1].4" end="/article[1]/p[1]/text()[1].9"/></result>
</topic></inex-submission>"""
TREE = "document,path,start,end\nd1,/article[1],0,90\nd1,/article[1]/p[1],10,30\nd1,/article[1]/p[2],30,80\n"


def read(text: str, name: str = "x.txt", elements: Elements | None = None) -> list[Run]:
    return [reader(elements or no_elements()) for _, reader in read_as("part run", Source(name, text.encode))]


def refusal(text: str) -> str:
    with pytest.raises(InputError) as error:
        read(text)
    return str(error.value)


def content(run: Run) -> list[tuple[object, ...]]:
    lines = run.lines
    paths = [""] * len(lines) if lines.path is None else lines.path.strings()
    names = (lines.topic.strings(), lines.document.strings(), paths)
    numbers = (lines.rank.tolist(), lines.score.tolist(), lines.start.tolist(), lines.size.tolist())
    return list(zip(*names, *numbers, strict=True))


@pytest.mark.parametrize("text", [PASSAGES, PASSAGE_TABLE, "\n" + PASSAGES.replace("\n", "\r\n\r\n")])
def test_runs_of_passages_are_read(text):
    (run,) = read(text)
    assert (run.system, run.lines.kind) == ("x", "passages")
    assert content(run) == [("7", "d1", "", 1, 9.5, 90, 30), ("7", "d2", "", 2, 8, 0, 400)]


@pytest.mark.parametrize("text", [ELEMENTS, ELEMENT_TABLE, ELEMENT_XML])
def test_runs_of_elements_are_read(text):
    (run,) = read(text)
    assert (run.system, run.lines.kind) == ("x", "elements")
    assert content(run) == [
        ("7", "d1", "/article[1]/p[2]", 1, 9.5, -1, -1),
        ("7", "d2", "/article[1]", 2, 8, -1, -1),
    ]


def test_a_table_of_elements_may_give_their_location_and_highlighted_size():
    (run,) = read("topic,document,path,start,end,rsize\n1,d,/a[1],5,25,7\n1,d,/b[1],,,\n")
    assert (run.lines.start.tolist(), run.lines.size.tolist()) == ([5, -1], [20, -1])
    assert run.lines.rsize.tolist() == [7, -1]


def test_a_table_of_several_systems_is_split():
    text = "run,topic,document,rank,start,length\nb,1,d1,1,0,5\na,1,d2,1,0,6\nb,1,d3,2,0,7\n"
    assert [(run.system, run.lines.size.tolist(), run.line_of(-1)) for run in read(text)] == [
        ("a", [6], 3),
        ("b", [5, 7], 4),
    ]


def test_passages_between_paths_become_characters():
    table = read_elements(Source("e.csv", TREE.encode))
    (run,) = read(PASSAGE_XML, elements=table)
    assert (run.tag, run.lines.start.tolist(), run.lines.size.tolist()) == ("me", [10, 14], [70, 5])
    assert refusal(PASSAGE_XML) == (
        "x.txt line 2: expected a table of elements (document, path, start, end) with the paths of the passage, "
        "found none for '/article[1]/p[1]' to '/article[1]/p[2]' in document 'd1'"
    )


def test_line_numbers_and_tags_of_a_run_are_read():
    (run,) = read("\n\n" + PASSAGES)
    assert (run.tag, run.line_of(0), run.line_of(1)) == ("me", 3, 4)
    (packed,) = read_as("part run", Source("runs/mine.txt.gz", lambda: gzip.compress(PASSAGES.encode())))
    assert packed[0] == "mine"


PASSAGE = "expected 8 fields (topic Q0 document rank score tag offset length)"
MIXED = "expected elements or passages in one run, found both"


def test_a_broken_line_after_good_ones_is_refused_with_its_number(subtests):
    for before, line, message in [
        (PASSAGES, "7 Q0 d1 3 9.5 me 90", f"{PASSAGE}, found 7: '7 Q0 d1 3 9.5 me 90'"),
        (PASSAGES, "7 Q0 d1 3 9.5 me /article[1]", f"{MIXED}: '7 Q0 d1 3 9.5 me /article[1]'"),
        (PASSAGES, "7 Q0 d1 3 9.5 me -90 30", "expected an integer of 0 or more as offset, found '-90'"),
        (PASSAGES, "7 Q0 d1 3 9.5 me 90 1.5", "expected an integer of 0 or more as length, found '1.5'"),
        (PASSAGES, "7 Q0 d1 3 nan me 90 30", "expected a finite score, found 'nan'"),
        (
            PASSAGES,
            "7 Q0 d1 3 9.5 me 2147483647 1",
            "expected a part within the first 2,147,483,647 characters, found one that ends later",
        ),
        (ELEMENTS, "7 Q0 d1 3 9.5 me 90 30", f"{MIXED}: '7 Q0 d1 3 9.5 me 90 30'"),
        (
            ELEMENTS,
            "7 Q0 d1 3 9.5 me /a /b /c",
            "expected 7 fields (topic Q0 document rank score tag path), found 9: '7 Q0 d1 3 9.5 me /a /b /c'",
        ),
        (
            ELEMENTS,
            "7 Q0 d1 3 9.5 me /article[1]/p[2]/text()[1]",
            "expected the path of an element, such as /article[1]/body[1]/p[2], found '/article[1]/p[2]/text()[1]'",
        ),
    ]:
        with subtests.test(f"{before}, {line}"):
            assert refusal(f"{before}{line}\n") == f"x.txt line 3: {message}"


def test_a_broken_run_is_refused(subtests):
    for text, message in [
        (
            "\n7 Q0 d1 1 9.5 me\n",
            f"x.txt line 2: {PASSAGE} or 7 fields (topic Q0 document rank score tag path), "
            "found 6; a whole document is a passage from 0 with the document's length",
        ),
        ("", "x.txt: expected a run of document parts, found an empty file"),
        (
            "topic,document,rank,path,start,length\n1,d,1,/a[1],,\n1,d,2,,5,9\n",
            f"x.txt line 3: {MIXED}: a passage without a path",
        ),
        (
            "topic,document,rank,start,length\n1,d,1,5,\n",
            "x.txt line 2: expected a start with a length or an end, or a path, found neither",
        ),
        (
            ELEMENT_XML.replace("<path>/article[1]</path>", '<passage start="/a[1]" end="/a[1]"/>'),
            f"x.txt line 3: {MIXED}",
        ),
        (ELEMENT_XML.replace(">9.5<", ">high<"), "x.txt line 2: expected a finite number as rsv, found 'high'"),
    ]:
        with subtests.test(f"{text}, {message}"):
            assert refusal(text) == message
