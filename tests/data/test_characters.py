"""Invisible characters of ids: refused, or reported if ids differ in nothing else. Nothing is silent."""

from __future__ import annotations

import html
from functools import partial
from xml.etree import ElementTree

import pandas as pd
import pytest

import evalcore as ec
from evalcore.common.latex import latex_table
from evalcore.common.writing import csv_text
from evalcore.data.characters import refuse_controls, unseen
from evalcore.data.kinds import read_as
from evalcore.data.sources import Source
from evalcore.focused.files.run_files import read_text_run

# One code point of each kind, with its name in Unicode.
UNSEEN = {
    "\ufeff": "ZERO WIDTH NO-BREAK SPACE (U+FEFF)",
    "\u200b": "ZERO WIDTH SPACE (U+200B)",
    "\u2060": "WORD JOINER (U+2060)",
    "\xa0": "NO-BREAK SPACE (U+00A0)",
    "\xad": "SOFT HYPHEN (U+00AD)",
    "\u3000": "IDEOGRAPHIC SPACE (U+3000)",
}
COMPOSED, DECOMPOSED = "caf\xe9", "cafe\u0301"
QRELS = "q1 0 d1 1\nq1 0 café 1\nq2 0 d2 1\n"
RUN = "q1 Q0 d1 1 3 x\nq1 Q0 café 2 2 x\nq2 Q0 d2 1 1 x\n"


def files(qrels: str = QRELS, run: str = RUN) -> dict[str, bytes]:
    return {"qrels.txt": qrels.encode(), "a.run": run.encode()}


@pytest.mark.parametrize("character", UNSEEN)
@pytest.mark.parametrize("where", ["topic", "document"])
@pytest.mark.parametrize("file", ["a.run", "qrels.txt"])
def test_an_id_with_invisible_characters_is_refused(character, where, file, refusal):
    texts = {name: text.decode() for name, text in files().items()}
    name = "q2" if where == "topic" else "d2"
    texts[file] = texts[file].replace(name, name + character)
    expected = f"{file} line 3: expected an id without hidden characters, found {UNSEEN[character]} in "
    assert refusal({key: text.encode() for key, text in texts.items()}).startswith(expected)


def test_one_byte_order_mark_at_the_beginning_is_no_part_of_an_id():
    collection = ec.load_files(files("\ufeff" + QRELS, "\ufeff" + RUN).items())
    assert collection.topics == ("q1", "q2")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("qread.csv", "topic,document,understandability\nq1,d\u200b1,2\n"),
        ("qread.jsonl", '{"query-id": "q1", "corpus-id": "d1\\u00a0", "score": 1}\n'),
        ("fog.csv", "document,fog\nd1\ufeff,9\n"),
        ("b.csv", "topic,document,score\nq1,\u200bd1,2\n"),
    ],
)
def test_an_id_in_a_table_with_invisible_characters_is_refused(name, text, refusal):
    assert "without spaces" in refusal({**files(), name: text.encode()})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("highlights.txt", "q1 Q0 d\u200b1 3 9 0 0:3\n"),
        ("highlights.csv", "topic,document,offset,length,document_length\nq1,d\u200b1,0,3,9\n"),
        ("a.run", "q1 Q0 d\u200b1 1 2 x 0 3\n"),
    ],
)
def test_an_id_of_a_passage_with_invisible_characters_is_refused(name, text):
    read = read_text_run if name == "a.run" else partial(read_as, "highlights")
    with pytest.raises(ec.InputError, match=rf"^{name} line [12]: expected .*(hidden characters|spaces), found"):
        read(Source(name, text.encode))


def test_a_tag_or_a_comment_may_have_invisible_characters():
    run = "# a\xa0comment\n" + RUN.replace(" x\n", " my\xa0tag\n")
    assert ec.load_files(files(run=run).items()).systems == ("a",)


def test_letters_of_several_code_points_are_another_id_as_in_trec_eval():
    collection = ec.load_files(files(run=RUN.replace(COMPOSED, DECOMPOSED)).items())
    assert collection.rankings.rank.tolist() == [1, 1]  # d1 and d2


def test_invisible_characters_are_named():
    assert [unseen(f"a{character}b") for character in UNSEEN] == list(UNSEEN.values())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("runs.json", rb'{"q1": {"d\ud800": 1.5, "d2": 1.0}}'),
        ("runs.jsonl", rb'{"query-id": "q1", "corpus-id": "d\ud800", "score": 1.5}'),
    ],
)
def test_a_lone_surrogate_is_refused_as_an_id(name: str, content: bytes) -> None:
    with pytest.raises(ec.InputError, match=rf"{name} line 1: expected whole characters, found half of one"):
        ec.load_files([(name, content), ("qrels.txt", b"q1 0 d2 1\n"), ("a.run", b"q1 Q0 d2 1 1 a\n")])


# --- names of systems, aspects and measures ---------------------------------------------------------------------------

CONTROLS = ("\x01", "\x08", "\x1b", "\x7f", "\x9b", "\ufffe")
SCORES = "topic,system,{measure},AP\n1,{system},.5,.4\n2,{system},.3,.1\n1,c,.2,.2\n2,c,.2,.1\n"
TITLED = 'title = "a{}b"\nruns = ["*.run"]\n[aspects.relevance]\nfile = "qrels.txt"\n'
TABLE = "system,topic,document,score\n{},q1,d1,2\nc,q1,d1,1\n"


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("kind", ["system", "system in a table", "system of scores", "measure", "aspect", "title"])
def test_a_name_with_a_control_character_is_refused(kind, control, refusal):
    """Names stand in figures, reports, CSV and LaTeX; SVG, which is XML, cannot hold them."""
    name = f"a{control}b"
    given = {
        "system": {**files(), f"{name}.run": RUN.encode()},
        "system in a table": {"qrels.txt": QRELS.encode(), "runs.csv": TABLE.format(name).encode()},
        "system of scores": {"scores.csv": SCORES.format(system=name, measure="P@1").encode()},
        "measure": {"scores.csv": SCORES.format(system="a", measure=name).encode()},
        "aspect": {**files(), f"qrels.{name}.txt": QRELS.encode()},
    }.get(kind, {**files(), "collection.toml": TITLED.format(f"\\u{ord(control):04x}").encode()})
    expected = f"expected a name without control characters, found U+{ord(control):04X} in {kind.split()[0]} "
    assert expected in refusal(given)


def test_whatever_name_is_taken_fits_into_a_figure_a_report_and_a_table():
    """Try every character: XML holds those that a name may have, HTML, CSV and LaTeX have a place for each."""
    taken = []
    for code in range(0x10000):
        try:
            refuse_controls({"system": [chr(code)]})
        except ec.InputError:
            continue
        taken.append(chr(code))
    assert len(taken) > 0xF000
    names = "".join(taken)
    assert ElementTree.fromstring(f"<text>{html.escape(names)}</text>").text == names.replace("\r", "\n")
    csv_text(pd.DataFrame({"system": taken})).encode()
    latex_table(pd.DataFrame({"system": taken})).encode()
