"""`collection.toml`: what it says, what is wrong with it, and writing it back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.data.manifest import Column, Manifest, parse_manifest, write_manifest
from evalcore.structures.documents import Good, Scale

FULL = """
title = "Web pages"
description = "A small one"
order = "rank"
labels = "by-document"
runs = ["runs/*.txt", "more/x.run"]

[aspects.relevance]
file = "qrels.txt"
column = 2
good = "high"
grades = [0, 1, 2]
names = ["no", "some", "yes"]
gains = [0, 0.5, 1]
missing = [-1, -2]

[signals.spam]
file = "spam.csv"
column = "percentile"
good = "high"
threshold = 80
unit = "percent"

[documents]
folder = "texts"
signals = ["fog", "smog"]

[topics]
file = "topics.tsv"
"""


def test_a_manifest_with_every_key_is_read():
    relevance = Scale("relevance", "grades", "high", (0, 1, 2), ("no", "some", "yes"), (0, 0.5, 1))
    assert parse_manifest(FULL) == Manifest(
        title="Web pages",
        description="A small one",
        order="rank",
        labels="by-document",
        runs=("runs/*.txt", "more/x.run"),
        columns=(
            Column(relevance, "qrels.txt", 2, (-1, -2)),
            Column(Scale("spam", "signal", threshold=80, unit="percent"), "spam.csv", "percentile"),
        ),
        documents="texts",
        readability=("fog", "smog"),
        queries="topics.tsv",
    )


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def columns(draw: st.DrawFn) -> Column:
    grades = tuple(sorted(draw(st.sets(NUMBERS, max_size=4))))
    texts = tuple(draw(NAMES) for _ in grades)
    good: Good = draw(st.sampled_from(["high", "low"]))
    scale = Scale(draw(NAMES), "grades", good, grades, texts, (), draw(st.none() | NUMBERS), draw(NAMES))
    return Column(
        scale, draw(NAMES.filter(bool)), draw(NAMES | st.integers(1, 9)), tuple(draw(st.lists(NUMBERS, max_size=2)))
    )


@given(
    st.builds(
        Manifest,
        NAMES,
        NAMES,
        st.just("file"),
        st.just("by-topic"),
        st.lists(NAMES, min_size=1, max_size=3).map(tuple),
        st.lists(columns(), min_size=1, max_size=3, unique_by=lambda column: column.scale.name).map(tuple),
        NAMES,
        st.just(()),
        NAMES,
    )
)
def test_any_name_is_written_and_read_back(manifest):
    text = write_manifest(manifest)
    assert parse_manifest(text) == manifest
    assert write_manifest(parse_manifest(text)) == text


# Refused

ASPECT = '[aspects.relevance]\nfile = "qrels.txt"\n'
KEYS = (
    "title, description, order, labels, runs, run_columns, aspects, signals, documents, topics, passages, navigation, "
    "systems, scores"
)
ASPECT_KEYS = (
    "file, column, good, threshold, unit, grades, names, gains, missing, map, source, sources, assessor_column, columns"
)
BROKEN = {
    "a syntax error": (
        "title = Web pages\n",
        "collection.toml: expected TOML, found an error: Invalid value (at line 1, column 9)",
    ),
    "an unknown key": ("colour = 1\n" + ASPECT, f"collection.toml: expected only the keys {KEYS}, found 'colour'"),
    "an unknown key of an aspect": (
        ASPECT + "grade = [1]\n",
        f"collection.toml [aspects.relevance]: expected only the keys {ASPECT_KEYS}, found 'grade'; "
        "did you mean grades?",
    ),
    "no aspect": ('title = "x"\n', "collection.toml: expected at least one [aspects.NAME] with a file, found none"),
    "a number as title": ("title = 5\n" + ASPECT, "collection.toml: expected `title` to be a string, found '5'"),
    "a text as aspects": (
        'aspects = "relevance"\n',
        "collection.toml: expected `aspects` to be tables of keys, one for each name, found 'relevance'",
    ),
    "true as column": (
        ASPECT + "column = true\n",
        "collection.toml [aspects.relevance]: expected `column` to be a string or a whole number, found 'True'",
    ),
    "an infinite gain": (
        ASPECT + "grades = [0]\ngains = [inf]\n",
        "collection.toml [aspects.relevance]: expected `gains` to be a list of numbers, found '[inf]'",
    ),
    "no file": (
        '[aspects.relevance]\ngood = "high"\n',
        "collection.toml [aspects.relevance]: expected a file with its labels, found none",
    ),
    "a signal without a file": (
        ASPECT + '[signals.fog]\ngood = "low"\n',
        "collection.toml [signals.fog]: expected the key file (a string), found none",
    ),
    "an odd direction": (
        ASPECT + 'good = "left"\n',
        "collection.toml [aspects.relevance]: expected `good` to be one of high, low, found 'left'",
    ),
    "grades that descend": (
        ASPECT + "grades = [1, 0]\n",
        "collection.toml [aspects.relevance]: expected grades in ascending order, each once, found [1.0, 0.0]",
    ),
    "an unknown order": (
        'order = "best"\n' + ASPECT,
        "expected `order` to be one of score, rank, file, urbp-tool, found 'best'",
    ),
    "an unknown formula": (
        ASPECT + '[documents]\nfolder = "texts"\nsignals = ["ease"]\n',
        "collection.toml [documents]: expected `signals` to be one of fog, smog, flesch_kincaid, found 'ease'",
    ),
    "documents without a folder": (
        ASPECT + '[documents]\nsignals = ["fog"]\n',
        "collection.toml [documents]: expected the key folder or file, found neither",
    ),
    "one name for two": (
        ASPECT + '[signals.relevance]\nfile = "x"\n',
        "collection.toml: expected different names for aspects and signals, found 2 called 'relevance'",
    ),
    "missing files": (
        'runs = "a.run"\n[aspects.relevance]\nfile = "gone.txt"\n',
        "expected the file 'gone.txt' for relevance, found no file",
    ),
    "a column that is not there": (
        'runs = "a.run"\n' + ASPECT + "column = 2\n",
        "qrels.txt: expected `column` to be a number from 1 to 1, found 2",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_manifest(case, refusal):
    text, message = BROKEN[case]
    content = text.encode("latin-1")
    files = {"collection.toml": content, "qrels.txt": b"1 0 d1 1\n", "a.run": b"1 Q0 d1 1 1 x\n"}
    assert refusal(files) == message


def test_two_manifests(refusal):
    files = {f"{name}/collection.toml": ASPECT.encode() for name in "ab"}
    assert refusal(files) == (
        "expected one collection.toml, found 2: a/collection.toml, b/collection.toml; open one of their folders"
    )


# Bounds: TOML that would keep a reader busy for long

DEEP = {
    "a dotted key": "a." * 50_000 + "a = 1",  # 28 s in tomllib
    "a header": f"[{'a.' * 50_000}a]",
    "lists": "a = " + "[" * 50_000,
    "lists over lines": "a = " + "[\n" * 50_000,
    "after an endless text": 'a = """\\"""' + "x.y" * 9 + '"""\n' + "a." * 50_000 + "a = 1",
}


@pytest.mark.parametrize("case", DEEP)
def test_toml_nested_too_deeply_is_refused_before_parsing(case, monkeypatch):
    monkeypatch.setattr("tomllib.loads", lambda text: pytest.fail("it was read"))
    with pytest.raises(ec.InputError, match=r"^collection.toml line \d+: expected keys and lists at most 16 deep"):
        parse_manifest(DEEP[case])


def test_toml_that_is_too_long_is_refused_before_parsing(monkeypatch):
    monkeypatch.setattr("tomllib.loads", lambda text: pytest.fail("it was read"))
    with pytest.raises(ec.InputError, match=r"^collection.toml: expected at most 250,000 characters, found 250,001$"):
        parse_manifest("#" * 250_001)


@pytest.mark.parametrize("text", ['"""\n{}\n"""', "'''\n{}\n'''", '"{}"', "'{}'", '"{}" # {}'])
def test_dots_and_brackets_in_texts_and_comments_nest_nothing(text):
    quoted = "e.g. " + "a.b[" * 50
    found = parse_manifest(f"description = {text.format(quoted, quoted)}\n" + '[aspects.r]\nfile = "q"\n')
    assert quoted in found.description


def test_many_numbers_with_dots_are_not_deep():
    grades = ", ".join(f"{grade / 8}" for grade in range(100))
    assert len(parse_manifest(f'[aspects.r]\nfile = "q"\ngrades = [{grades}]\n').columns[0].scale.grades) == 100
