"""Focused collections from a folder or an upload, with or without a manifest, and from the cache."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import evalcore as ec

OFFSETS = b"1 Q0 d1 30 100 10 10:20 40:10\n1 Q0 d2 0 50\n2 Q0 d1 5 100 0 0:5\n"
RUN = b"1 Q0 d2 1 9 me 0 50\n1 Q0 d1 2 8 me 5 10\n1 Q0 new 3 7 me 0 7\n1 Q0 d1 4 6 me 20 25\n2 Q0 d1 1 1 me 0 100\n"
TOML = b"""title = "Small"
runs = "runs/*"
[passages]
file = "marks.txt"
"""
FILES = {"collection.toml": TOML, "marks.txt": OFFSETS, "runs/a.txt": RUN, "runs/b.txt": b"2 Q0 d1 1 1 me 0 5\n"}
TREE = b"document,path,start,end\nd1,/r[1],0,100\nd1,/r[1]/p[1],0,40\nd2,/r[1],0,50\n"
XML = """<assessments topic="{}"><inex_topic topic_id="{}"><title>a title</title></inex_topic><file name="d1">
<best-entry-point path="/r[1]/p[1]"/><passage start="/r[1]/p[1]" end="/r[1]/p[1]" size="40"/>
<element path="/r[1]/p[1]" size="40" rsize="40"/><element path="/r[1]" size="100" rsize="40"/></file></assessments>"""


def parts(c: ec.Collection) -> list[tuple[object, ...]]:
    assert c.passages
    of = c.passages.parts
    names = c.passages.document_ids[of.document]
    return list(zip(of.line.tolist(), names, of.row.tolist(), of.start.tolist(), of.size.tolist(), of.rsize.tolist(),
                    strict=True))  # fmt: skip


PARTS = [
    (0, "d2", 1, 0, 50, 0),
    (0, "d1", 0, 5, 10, 5),
    (0, "new", -1, 0, 7, 0),
    (0, "d1", 0, 20, 25, 15),
    (1, "d1", 2, 0, 100, 5),
    (3, "d1", 2, 0, 5, 5),
]


def test_a_declared_collection_is_read(folder_of):
    c = ec.load(folder_of(FILES))
    assert (c.title, c.systems, c.topics) == ("Small", ("a", "b"), ("1", "2"))
    assert parts(c) == PARTS
    assert c.passages
    assert c.passages.highlights.topics == c.topics
    assert [note.text for note in c.report.notes] == [
        "nothing for 1 assessed topic: scored 0 there"
    ]  # fmt: skip


def test_whole_documents_are_a_view_of_it(folder_of):
    c = ec.load(folder_of(FILES))
    assert (c.aspects, c.signals) == (("relevance",), ("specificity",))
    assert c.assessments.frame().values.tolist() == [["1", "d1", 1, 0.3], ["1", "d2", 0, 0], ["2", "d1", 1, 0.05]]
    assert c.rankings.rank.tolist() == [1, 2, 1, 1]
    assert c.rankings.length.tolist() == [[3, 1], [0, 1]]
    scores = ec.evaluate("AP", c)
    np.testing.assert_array_equal(scores.to_numpy(), [[0.5, 0], [1, 1]])


def test_a_collection_reads_the_same_without_a_manifest_and_from_an_upload(folder_of):
    files = {name: content for name, content in FILES.items() if name != "collection.toml"}
    for c in (ec.load(folder_of(files)), ec.load_files(files.items()), ec.load_files(FILES.items())):
        assert parts(c) == PARTS
    inferred = ec.load(folder_of(files))
    assert ("inferred", "marks.txt", "read as highlighted text: relevance and specificity") in [
        dataclasses.astuple(note) for note in ec.load_files(files.items()).report.notes
    ]
    assert parts(ec.load(folder_of(files), manifest=inferred.manifest)) == PARTS


TABLES = {
    "marks.csv": b"topic,document,start,length,document_length,best_entry_point\n1,d1,10,20,100,10\n1,d1,40,10,100,10\n"
    b"1,d2,,,50,\n2,d1,0,5,100,0\n",
    "lengths.csv": b"document,document_length\nd1,100\nd2,50\n",
    "runs/all.csv": b"system,topic,document,rank,start,end\na,1,d2,1,0,50\na,1,d1,2,5,15\na,1,new,3,0,7\n"
    b"a,1,d1,4,20,45\na,2,d1,1,0,100\nb,2,d1,1,0,5\n",
}


def test_tables_are_recognised_too():
    c = ec.load_files(TABLES.items())
    assert parts(c) == PARTS
    assert 'lengths = "lengths.csv"' in c.manifest


def test_inex_xml_one_file_for_each_topic_is_recognised():
    files = {f"assessments/{topic}.xml": XML.format(topic, topic).encode() for topic in ("1", "2")}
    result = b"<result><file>d1</file><path>/r[1]/p[1]</path></result>"
    run = b'<inex-submission run-id="x"><topic topic-id="1">' + result + b"</topic></inex-submission>"
    c = ec.load_files({**files, "elements.csv": TREE, "runs/x.xml": run}.items())
    assert parts(c) == [(0, "d1", 0, 0, 40, 40)]
    assert c.queries == {"1": "a title", "2": "a title"}
    assert c.passages
    assert (c.passages.highlights.start.tolist(), c.passages.highlights.best_entry.tolist()) == ([0, 0], [0, 0])
    assert (c.systems, c.aspects) == (("x",), ("relevance",))


def test_texts_give_lengths_and_are_kept_for_what_was_retrieved():
    marks = b"topic,document,start,length\n1,d1,1,2\n"
    texts = {"documents/d1.txt": "Gr\u00fcn.".encode(), "documents/new.txt": b"New.", "documents/other.txt": b"Other."}
    toml = b'runs="runs/*"\n[passages]\nfile="marks.csv"\n[documents]\nfolder="documents"\n'
    c = ec.load_files({"collection.toml": toml, "marks.csv": marks, "runs/a.txt": RUN, **texts}.items())
    assert c.passages
    assert c.passages.highlights.length.tolist() == [5]
    assert c.texts == c.passages.texts == {"d1": "Gr\u00fcn.", "new": "New."}


def test_other_aspects_are_read_along_with_highlights(folder_of):
    toml = TOML + b'[aspects.trust]\nfile = "qtrust.txt"\n'
    c = ec.load(folder_of({**FILES, "collection.toml": toml, "qtrust.txt": b"0 0 x 1\n1 0 d2 2\n2 0 d9 1\n"}))
    assert (c.aspects, c.topics) == (("relevance", "trust"), ("0", "1", "2"))
    assert c.passages
    marks, pool = c.passages.highlights, c.assessments
    assert (marks.topics, marks.topic.tolist()) == (pool.topics, [1, 1, 2])
    assert [pool.documents[row] for row in c.rankings.row] == ["d2", "d1", "d1", "d1"]
    np.testing.assert_array_equal(pool.column("specificity"), [np.nan, 0.3, 0, 0.05, np.nan])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"collection.toml": TOML + b'[aspects.relevance]\nfile = "marks.txt"\n'}, "collection.toml: expected "
         "different names for aspects and signals, found 2 called 'relevance'"),
        ({"collection.toml": b"[passages]\n"}, "collection.toml [passages]: expected the key file (a string or a list "
         "of strings), found none"),
        ({"collection.toml": TOML.replace(b"marks", b"no")}, "expected highlighted text in no.txt, found no file"),
        ({"collection.toml": TOML + b'elements = "no.csv"\n'}, "expected the file 'no.csv' for the table of elements, "
         "found no file"),
        ({"collection.toml": b'order = "urbp-tool"\n' + TOML}, "expected order of document parts to be one of rank, "
         "score, file, found 'urbp-tool'"),
        ({"runs/a.txt": b"1 Q0 d1 1 9 me\n"}, "runs/a.txt line 1: expected 8 fields (topic Q0 document rank score tag "
         "offset length) or 7 fields (topic Q0 document rank score tag path), found 6; a whole document is a passage "
         "from 0 with the document's length"),
        ({"runs/a.txt": b"9 Q0 d1 1 9 me 5 9\n", "runs/b.txt": b"9 Q0 d1 1 9 me 5 9\n"}, "runs/a.txt: expected runs "
         "and assessments on the same topics, found '9' in the runs and '1' in the assessments"),
        ({"collection.toml": TOML + b'lengths = "l.csv"\n', "l.csv": b"document,pages\nd1,5\n"}, "l.csv: expected a "
         "column document_length, found document, pages"),
    ],
)  # fmt: skip
def test_collections_that_cannot_be_loaded_are_refused(changes, message, refusal):
    assert refusal({**FILES, **changes}) == message


def test_elements_and_passages_are_distinguished_by_run(folder_of):
    toml = TOML + b'elements = "elements.csv"\n'
    elements = b"1 Q0 d1 1 9 me /r[1]/p[1]\n1 Q0 d2 2 8 me /r[1]\n"
    c = ec.load(folder_of({**FILES, "collection.toml": toml, "elements.csv": TREE, "runs/e.txt": elements}))
    assert c.report.systems["kind"].to_dict() == {"a": "passages", "b": "passages", "e": "elements"}
    assert parts(c)[-2:] == [(4, "d1", 0, 0, 40, 20), (4, "d2", 1, 0, 50, 0)]
