"""INEX XML: valid and broken assessments and submissions."""

from __future__ import annotations

import pytest

from evalcore.data.sources import Source
from evalcore.errors import InputError
from evalcore.focused.files.inex import read_assessments, read_submission

RELEVANT = """<file collection="wikipedia" name="d1">
<best-entry-point path="/article[1]/p[1]"/>
<passage start="/article[1]/p[1]" end="/article[1]/p[1]" size="30"/>
<element path="/article[1]/p[1]" exhaustivity="2" size="30" rsize="30"/>
<element path="/article[1]" exhaustivity="?" size="100" rsize="30"/>
</file>"""
OFFICIAL = f"""<?xml version="1.0"?>
<!DOCTYPE assessments SYSTEM "../../assessments.dtd">
<assessments pool="4" topic="414" version="2">
<!-- Topic definition -->
<inex_topic topic_id="414" query_type="CO+S" ct_no="3"><title>hip hop
 beat</title><description>Find it.</description></inex_topic>
{RELEVANT}
<file collection="wikipedia" name="d2"></file>
</assessments>"""


def source(text: str) -> Source:
    return Source("x.xml", text.encode)


def test_assessments_in_one_file_per_topic_are_read():
    records, titles = read_assessments(source(OFFICIAL))
    assert titles == {"414": "hip hop beat"}
    assert [(r.topic, r.document, r.length, r.highlighted, r.ranges) for r in records] == [
        ("414", "d1", 100, 30, None),
        ("414", "d2", -1, 0, ()),
    ]
    assert records[0].best_path == "/article[1]/p[1]"
    assert records[0].elements == {"/article[1]/p[1]": (30, 30), "/article[1]": (100, 30)}


@pytest.mark.parametrize("topic", ['<topic id="{}">', '<topic topic-id="{}">', '<assessments topic="{}">'])
def test_assessments_of_many_topics_in_one_file_are_read(topic):
    tag = topic[1:].split(" ")[0]
    parts = "".join(f"{topic.format(name)}{RELEVANT}</{tag}>" for name in ("1", "2"))
    records, _ = read_assessments(source(f"<assessments>{parts}</assessments>"))
    assert [record.key for record in records] == [("1", "d1"), ("2", "d1")]


def changed(old: str, new: str) -> str:
    assert old in RELEVANT
    return f'<assessments topic="1">\n{RELEVANT.replace(old, new, 1)}\n</assessments>'


def test_broken_assessments_are_refused(subtests):
    for text, message in [
        (
            f"<assessments>\n{RELEVANT}</assessments>",
            'line 2: expected a topic in <assessments topic="...">, found none',
        ),
        ('<assessments topic="1"/>', "expected <file> elements in <assessments>, found none"),
        (
            '<assessments topic="1"><element path="/a[1]" size="5" rsize="2"/></assessments>',
            "line 1: expected <element> within a <file>, found it outside",
        ),
        (
            changed('size="100"', 'size="big"'),
            "line 6: expected an integer of 0 or more as size of <element>, found 'big'",
        ),
        (changed(' rsize="30"', ""), "line 5: expected <element> with rsize, found none"),
        (changed('rsize="30"', 'rsize="31"'), "line 5: expected an rsize of at most the size 30, found 31"),
        (
            changed('path="/article[1]" ', 'path="/article[1]/p[1]" '),
            "line 6: expected one pair of sizes for /article[1]/p[1], found a different pair before",
        ),
        (
            changed('path="/article[1]" ', 'path="/article[1]/p[2]" '),
            "line 2: expected the sizes of the whole "
            "document, <element path=\"/article[1]\" ...>, found 0 such elements of document 'd1'",
        ),
    ]:
        with subtests.test(f"{text}, {message}"):
            with pytest.raises(InputError) as error:
                read_assessments(source(text))
            assert str(error.value) == f"x.xml{' ' if message.startswith('line') else ': '}{message}"


SUBMISSION = """<?xml version="1.0" encoding="ISO-8859-1"?>
<inex-submission participant-id="12" run-id="mine" task="Focused" query="automatic" result-type="element">
<topic-fields title="yes" castitle="no" description="no" narrative="no"/>
<description>nothing</description><collections><collection>wikipedia</collection></collections>
<topic topic-id="414">
<result><file>d1</file><path>/article[1]/p[2]</path><rank>2</rank></result>
<result>
  <file>d2</file><path>/article[1]</path><rank>1</rank><rsv>0.9</rsv></result>
</topic></inex-submission>"""


def test_a_submission_is_read():
    results, run = read_submission(source(SUBMISSION))
    assert run == "mine"
    assert [(r.topic, r.document, r.path, r.rank, r.score, r.line) for r in results] == [
        ("414", "d1", "/article[1]/p[2]", "2", "", 6),
        ("414", "d2", "/article[1]", "1", "0.9", 7),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<file>d1</file>", "", "x.xml line 6: expected the id of a document in <file>, found ''"),
        ("<path>/article[1]/p[2]</path>", "", "x.xml line 6: expected a <path> or a <passage> in each result, found "
         "neither"),
        ("<rank>2</rank>", '<passage start="/a[1]" end="/a[1]"/>', "x.xml line 6: expected a <path> or a <passage> in "
         "each result, found both"),
        ('<topic topic-id="414">', "<topic>", 'x.xml line 6: expected a result within <topic topic-id="...">, found it '
         "outside"),
    ],
)  # fmt: skip
def test_a_broken_submission_is_refused(old, new, message):
    assert old in SUBMISSION
    text = SUBMISSION.replace(old, new) if old == "result>" else SUBMISSION.replace(old, new, 1)
    with pytest.raises(InputError) as error:
        read_submission(source(text))
    assert str(error.value) == message
