"""Several sources of labels of one aspect: declared, inferred, in one table, in memory; kept wherever the pool goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from data.forms import same
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore as ec
from evalcore.data.manifest import OtherSource, parse_manifest, write_manifest
from evalcore.data.source_labels import source_table

RUN = b"1 Q0 d1 1 3 x\n1 Q0 d2 2 2 x\n2 Q0 d1 1 3 x\n1 Q0 d9 3 1 x\n"
QRELS = b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n"
LLM = b"1 0 d1 2\n1 0 d2 1\n1 0 d9 2\n2 0 d1 0\n"
OTHER = '[aspects.relevance.sources.llm]\nfile = "llm.txt"\n'
DECLARED = 'runs = "a.run"\n[aspects.relevance]\nfile = "qrels.txt"\ngrades = [0, 1, 2]\n'


def declared(text: str = DECLARED + OTHER, **files: bytes) -> ec.Collection:
    named = {f"{name}.txt": content for name, content in {"qrels": QRELS, "llm": LLM, **files}.items()}
    return ec.load_files([("a.run", RUN), *named.items()], manifest=text)


def inferred(**files: bytes) -> ec.Collection:
    return ec.load_files([("a.run", RUN), *((name.replace("_", ".") + ".txt", one) for name, one in files.items())])


def labels(c: ec.Collection, aspect: str = "relevance") -> dict[str, list[float | None]]:
    """Labels that each source gave, None where it gave none."""
    found = c.assessments.sources[aspect].labels
    return {name: [None if np.isnan(label) else label for label in one.tolist()] for name, one in found.items()}


def notes(c: ec.Collection, kind: str) -> list[tuple[str, str]]:
    return [(note.where, note.text) for note in c.report.notes if note.kind == kind]


def rows(c: ec.Collection) -> list[tuple[str, str]]:
    frame = c.assessments.frame()
    return list(zip(frame["topic"], frame["document"], strict=True))


# --- what collection.toml says ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "other", "called"),
    [("qrels.txt", "llm.txt", "assessors"), ("qrels.nist.txt", "qrels.llm.txt", "nist"), ("a/q.txt", "b/q.txt", "a")],
)
def test_labels_without_a_name_are_named_after_their_file(own: str, other: str, called: str):
    text = f'[aspects.relevance]\nfile = "{own}"\n[aspects.relevance.sources.x]\nfile = "{other}"\n'
    assert parse_manifest(text).columns[0].source == called


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(str.strip)
GRADES = st.floats(-1e6, 1e6)
OTHERS = st.builds(
    OtherSource,
    NAMES.filter(lambda name: name not in ("own", "majority", "median", "mean", "union", "agreed")),
    NAMES,
    NAMES | st.integers(1, 9),
    st.lists(GRADES, max_size=2).map(tuple),
    st.dictionaries(GRADES, GRADES, max_size=3).map(lambda pairs: tuple(sorted(pairs.items()))),
)


@settings(max_examples=40)
@given(st.lists(OTHERS, max_size=3, unique_by=lambda one: one.name).map(tuple))
def test_any_source_is_written_and_read_back(others: tuple[OtherSource, ...]):
    manifest = parse_manifest('[aspects.r]\nfile = "f"\nsource = "own"\n')
    manifest = replace(manifest, columns=(replace(manifest.columns[0], sources=others),))
    assert parse_manifest(write_manifest(manifest)) == manifest


PLACE = "collection.toml [aspects.relevance]"
OF_LLM = "collection.toml [aspects.relevance.sources.llm]"
COMBINED = "majority, median, mean, union, agreed"
BROKEN = {
    "a list of sources": (DECLARED + 'sources = ["llm"]\n', f"{PLACE}: expected `sources` to be tables of keys, one"),
    "an unknown key": (
        DECLARED + OTHER + "grades = [0]\n",
        f"{OF_LLM}: expected only the keys file, column, columns, missing, map, found",
    ),
    "a source without a file": (
        DECLARED + "[aspects.relevance.sources.llm]\nmissing = [9]\n",
        f"{OF_LLM}: expected a file of labels, or a different column of the aspect's",
    ),
    "one name twice": (
        DECLARED + 'source = "llm"\n' + OTHER,
        f"{PLACE}: expected `source` to be a new name for the labels in qrels.txt, found 'llm' again",
    ),
    "a column of no file": (
        "[aspects.relevance]\ncolumn = 2\n" + OTHER,
        f"{PLACE}: expected a file with its labels, found none",
    ),
    "a name of what is combined": (
        DECLARED + OTHER.replace("llm]", "union]"),
        f"{PLACE}: expected the name of a source other than {COMBINED}, which combine all sources, found 'union'",
    ),
    "sources and assessors": (
        DECLARED + 'assessor_column = "judge"\n' + OTHER,
        f"{PLACE}: expected either `assessor_column` or `sources`, found both",
    ),
    "a map of words": (
        DECLARED + OTHER + "map = {no = 0}\n",
        f"{OF_LLM}: expected `map` to be a table of grades, as in {{\"3\" = 2}}, found 'no'",
    ),
    "a grade mapped twice": (
        DECLARED + OTHER + 'map = {"1" = 0, "1.0" = 1}\n',
        f"{OF_LLM}: expected `map` to have each grade once, found 1 2 times",
    ),
    "a map to another scale": (
        DECLARED + OTHER + 'map = {"1" = 5}\n',
        f"{OF_LLM}: expected `map` to give grades of the scale (0, 1, 2), found 5",
    ),
    "assessors of TREC qrels": (
        DECLARED + 'assessor_column = "judge"\n',
        "qrels.txt: expected a table with a column 'judge' of assessors, found no table",
    ),
}


def test_a_broken_description_of_sources(subtests):
    for case in BROKEN:
        with subtests.test(str(case)):
            text, message = BROKEN[case]
            with pytest.raises(ec.InputError) as refused:
                declared(text)
            assert str(refused.value).startswith(message)


def test_the_example_in_docs_is_read_as_documented():
    text = (Path(__file__).parents[2] / "docs" / "sources.md").read_text()
    relevance, credibility = parse_manifest(text.split("```toml\n")[1].split("```")[0]).columns
    assert [relevance.source, *(source.name for source in relevance.sources)] == ["nist", "umbrela", "crowd"]
    assert dict(relevance.sources[0].mapped) == {0: 0, 1: 0, 2: 1, 3: 2}
    assert (credibility.source, credibility.assessor_column) == ("anna", "judge")


# --- grades ----------------------------------------------------------------------------------------------------------


def test_a_map_translates_the_grades_of_another_scale():
    c = declared(
        DECLARED + OTHER + 'map = {"0" = 0, "1" = 0, "2" = 1, "3" = 2}\n', llm=b"1 0 d1 3\n1 0 d2 1\n2 0 d1 2\n"
    )
    assert labels(c) == {"assessors": [1, 0, 2], "llm": [2, 0, 1]}


def test_a_grade_that_is_not_mapped_is_one_of_the_scale_or_not_judged():
    c = declared(DECLARED + OTHER + 'map = {"9" = 2}\n', llm=b"1 0 d1 9\n1 0 d2 1\n2 0 d1 -2\n")
    assert labels(c)["llm"] == [2, 1, -2]


def test_a_grade_that_is_on_no_scale_is_refused_where_it_stands():
    with pytest.raises(ec.InputError) as refused:
        declared(DECLARED + OTHER + 'map = {"3" = 2}\n', llm=b"1 0 d1 3\n1 0 d2 4\n")
    expected = "expected a relevance grade listed in map (3) or on the scale (0, 1, 2), found 4"
    assert str(refused.value) == f"llm.txt line 2: {expected}"


def test_0_needs_no_map_where_nobody_declared_the_scale():
    text = DECLARED.replace("grades = [0, 1, 2]\n", "") + OTHER + 'map = {"3" = 1}\n'
    assert labels(declared(text, llm=b"1 0 d1 3\n1 0 d2 0\n"))["llm"] == [1, 0, None]
    with pytest.raises(ec.InputError, match=r"or on the scale \(0, 1\), found 2$"):
        declared(text, llm=b"1 0 d1 3\n1 0 d2 2\n")


def test_over_subtopics_the_highest_grade_is_that_of_the_map():
    c = declared(DECLARED + OTHER + 'map = {"1" = 2, "3" = 1}\n', llm=b"1 1 d1 3\n1 2 d1 1\n2 1 d1 3\n")
    assert labels(c)["llm"] == [2, None, 1]
    assert c.subtopics is not None  # grades that the default labels lack
    assert c.subtopics["grade"].tolist() == [1, 2, 1]


def test_notes_name_the_source_whose_grades_by_subtopic_are_kept():
    text = DECLARED + OTHER + OTHER.replace("llm", "other")
    by_subtopic = b"1 1 d1 2\n1 2 d1 1\n2 1 d1 1\n"
    read = notes(declared(text, llm=by_subtopic, other=by_subtopic), "inferred")
    kept = [(where, note.rpartition(" are kept ")[2]) for where, note in read if "highest grade over" in note]
    assert kept == [("llm.txt", "as well"), ("other.txt", "only for llm")]


def test_a_scale_that_nobody_declared_is_that_of_all_labels():
    text = DECLARED.replace("grades = [0, 1, 2]\n", "") + OTHER.replace("llm.txt", "qrels.llm.txt")
    given = [("a.run", RUN), ("qrels.txt", b"1 0 d1 1\n1 0 d2 0\n"), ("qrels.llm.txt", b"1 0 d1 3\n1 0 d2 2\n")]
    c = ec.load_files(given, manifest=text)
    assert c.assessments.scale("relevance").grades == (0, 1, 2, 3)
    note = (
        "go up to 3, those by assessors to 1: read as grades of one scale; a map in collection.toml can declare which"
    )
    assert any(note in text for where, text in notes(c, "warning") if where == "qrels.llm.txt")
    mapped = c.manifest + "map = {3 = 1, 2 = 1}\n"
    assert not [text for _, text in notes(ec.load_files(given, manifest=mapped), "warning") if "go up" in text]


# --- topics and documents --------------------------------------------------------------------------------------------


def test_documents_of_another_source_join_the_pool_and_change_no_score():
    c, alone = declared(), declared(DECLARED)
    assert rows(c) == [("1", "d1"), ("1", "d2"), ("1", "d9"), ("2", "d1")]
    assert labels(c) == {"assessors": [1, 0, None, 2], "llm": [2, 1, 2, 0]}
    for measure in ("AP", "nDCG@10", "RBP(rho=0.8)", "ERR", "Bpref", "P@2"):
        pd.testing.assert_frame_equal(ec.evaluate(measure, c), ec.evaluate(measure, alone), check_exact=True)
    assert c.assessed_share([1, 3]).equals(alone.assessed_share([1, 3]))


def test_topics_of_another_source_alone_are_kept_for_it():
    c = declared(llm=LLM + b"3 0 d1 1\n4 0 d1 1\n4 0 d2 0\n")
    assert c.topics == ("1", "2", "3", "4")
    assert ec.covered_topics(c, "AP") == ("1", "2")
    assert ec.covered_topics(c, 'AP(source="llm")') == c.topics
    assert ec.judged_by(c, "llm").topics == c.topics


def test_a_source_without_a_common_topic_is_refused():
    with pytest.raises(ec.InputError) as refused:
        declared(llm=b"3 0 d1 1\n")
    expected = "expected relevance labels of at least one topic that qrels.txt assesses, found none among 1 topic"
    assert str(refused.value) == f"llm.txt: {expected}"


def test_labels_are_counted_by_source():
    c = declared(llm=b"1 0 d1 1\n1 0 d9 2\n2 0 d1 -1\n")
    table = source_table(c.assessments)
    assert table.drop(columns="aspect").values.tolist() == [
        ["assessors", True, 3, 2, 3, 3],
        ["llm", False, 2, 1, 1, 1],
    ]
    note = "relevance labels by llm: 2 documents, 1 of them also labelled by assessors, 1 of these with the same label"
    assert ("llm.txt", note) in notes(c, "inferred")
    assert source_table(declared(DECLARED).assessments).empty


def test_by_document_labels_are_so_by_each_source():
    text = 'labels = "by-document"\n' + DECLARED + '[aspects.trust]\nfile = "trust.txt"\n[aspects.trust.sources.llm]\n'
    c = declared(text + 'file = "llm.txt"\n', trust=b"1 0 d1 1\n2 0 d2 0\n", llm=b"1 0 d1 0\n2 0 d2 1\n")
    assert rows(c) == [("1", "d1"), ("1", "d2"), ("2", "d1"), ("2", "d2")]
    assert labels(c, "trust") == {"assessors": [1, 0, 1, 0], "llm": [0, 1, 0, 1]}


# --- without a description -------------------------------------------------------------------------------------------


def test_without_a_plain_name_people_are_read_with_a_note():
    c = inferred(qrels_nist=QRELS, qrels_llm=LLM)
    assert c.assessments.sources["relevance"].default == "nist"
    text = "read by default (by people); the sources of relevance are nist, llm"
    assert ("qrels.nist.txt", text) in notes(c, "inferred")


def test_without_people_the_first_is_read_with_a_note():
    c = inferred(qrels_umbrela=QRELS, qrels_llm=LLM)
    assert c.assessments.sources["relevance"].default == "llm"
    text = "read by default (the first in alphabetical order); the sources of relevance are llm, umbrela"
    assert ("qrels.llm.txt", text) in notes(c, "inferred")


def test_each_of_several_columns_has_its_sources():
    c = inferred(qrels=b"1 0 d1 1 2\n1 0 d2 0 1\n", qrels_llm=b"1 0 d1 0 2\n1 0 d2 0 2\n")
    assert {name: labels(c, name)["llm"] for name in c.aspects} == {"relevance": [0, 0], "aspect2": [2, 2]}


def test_a_file_named_like_a_combination_keeps_its_whole_name():
    assert list(labels(inferred(qrels=QRELS, qrels_majority=LLM))) == ["assessors", "qrels.majority.txt"]


# --- a table with a column of assessors ------------------------------------------------------------------------------

TABLE = "qid,docno,rel,trust,Judge\n1,d1,1,0,ann b\n1,d1,2,1,bob\n1,d2,0,,bob\n2,d1,1,1,cat\n"


def tabled(text: str = TABLE, manifest: str | None = None) -> ec.Collection:
    return ec.load_files([("a.run", RUN), ("qrels.csv", text.encode())], manifest=manifest)


def test_assessors_in_a_table_are_sources_of_each_of_its_aspects():
    c = tabled()
    assert c.aspects == ("relevance", "trustworthiness")
    defaults = {name: one.default for name, one in c.assessments.sources.items()}
    assert defaults == {"relevance": "bob", "trustworthiness": "ann b"}
    assert labels(c, "relevance") == {"bob": [2, 0, None], "ann b": [1, None, None], "cat": [None, None, 1]}
    assert labels(c, "trustworthiness") == {"ann b": [0, None, None], "bob": [1, None, None], "cat": [None, None, 1]}
    note = "relevance labels by bob: 2 documents, read unless another source is chosen; no judge has more labels"
    assert ("qrels.csv", note) in notes(c, "inferred")
    assert ec.covered_topics(c, "AP") == ("1",)  # those of bob


def test_the_assessor_who_is_named_is_read():
    text = 'runs = "a.run"\n[aspects.r]\nfile = "qrels.csv"\ncolumn = "grade"\n'
    text += 'assessor_column = "Judge"\nsource = "ann b"\n'
    c = tabled(manifest=text)
    assert c.assessments.sources["r"].default == "ann b"
    with pytest.raises(
        ec.InputError, match=r"\[aspects\.r\]: expected `source` to be one of the assessors in qrels\.csv"
    ):
        tabled(manifest=text.replace("ann b", "eve"))
    with pytest.raises(ec.InputError, match=r"qrels\.csv: expected a column 'who' of assessors, found topic, document"):
        tabled(manifest=text.replace("Judge", "who"))


def test_assessors_of_disjoint_documents_are_not_sources():
    c = tabled("qid,docno,rel,judge\n1,d1,1,ann\n1,d2,0,bob\n")
    assert (c.aspects, dict(c.assessments.sources)) == (("relevance",), {})


def test_a_label_without_an_assessor_is_refused():
    with pytest.raises(ec.InputError) as refused:
        tabled("qid,docno,rel,judge\n1,d1,1,ann\n1,d1,0,bob\n1,d2,0,\n")
    assert str(refused.value) == "qrels.csv line 4: expected the name of an assessor, found an empty cell"


# --- files one by one, and in memory ---------------------------------------------------------------------------------


def same_sources(found: ec.Collection, expected: ec.Collection) -> None:
    same(found, expected)
    pairs = [one.assessments.sources for one in (found, expected)]
    assert {name: one.default for name, one in pairs[0].items()} == {n: one.default for n, one in pairs[1].items()}
    for name, one in pairs[0].items():
        assert list(one.labels) == list(pairs[1][name].labels)
        for source, column in one.labels.items():
            np.testing.assert_array_equal(column, pairs[1][name].labels[source])


def test_a_file_for_each_source(folder_of: Callable[..., Path]):
    folder = folder_of({"a.run": RUN, "qrels.txt": QRELS, "llm.txt": LLM})
    aspects = {"relevance": {"nist": folder / "qrels.txt", "llm": folder / "llm.txt"}}
    found = ec.load(runs=folder / "a.run", aspects=aspects)
    assert found.assessments.sources["relevance"].default == "nist"
    same_sources(found, declared(DECLARED.replace("grades = [0, 1, 2]", 'source = "nist"') + OTHER))
    for wrong in ({}, {"union": folder / "llm.txt"}, {" ": folder / "llm.txt"}):
        with pytest.raises(ec.InputError, match="source"):
            ec.load(runs=folder / "a.run", aspects={"relevance": wrong})


DICTS = {"1": {"d1": 1, "d2": 0}, "2": {"d1": 2}}, {"1": {"d1": 2, "d2": 1, "d9": 2}, "2": {"d1": 0}}
MEMORY_RUN = {"x": {"1": {"d1": 3.0, "d2": 2.0, "d9": 1.0}, "2": {"d1": 3.0}}}


def test_assessors_in_a_frame():
    frame = pd.DataFrame({"qid": ["1"] * 3, "docno": ["d1", "d1", "d2"], "rel": [1, 0, 2], "judge": ["a", "b", "a"]})
    found = ec.collection(MEMORY_RUN, frame)
    assert found.assessments.sources["relevance"].default == "a"
    assert labels(found)["a"] == [1, 2]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"nist": DICTS[0], "llm": {"1": {"d1": "x"}}},
            r"aspects\['relevance'\]\['llm'\]\['1'\]\['d1'\]: expected a finite",
        ),
        ({"nist": DICTS[0], "llm": {"1": {}}}, r"aspects\['relevance'\]\['llm'\]: expected documents with a grade"),
        ({"nist": DICTS[0], "mean": DICTS[1]}, r"aspects\['relevance'\]: expected the name of a source other than"),
        ({"nist": DICTS[0], 1.5: DICTS[1]}, r"aspects\['relevance'\]: expected the name of a source as text"),
        ({"nist": DICTS[0], "llm": {"3": {"d1": 1}}}, r"\['llm'\]: expected relevance labels of at least one topic"),
    ],
)
def test_an_error_in_memory_names_the_source(given: dict[Any, Any], message: str):
    with pytest.raises(ec.InputError, match=message):
        ec.collection(MEMORY_RUN, {"relevance": given})


# --- wherever the pool goes ------------------------------------------------------------------------------------------


def test_a_fingerprint_depends_on_sources_and_their_names():
    prints = [
        declared().fingerprint,
        declared(DECLARED).fingerprint,
        declared(llm=b"1 0 d1 2\n").fingerprint,
        declared(DECLARED + OTHER.replace("sources.llm", "sources.gpt")).fingerprint,
        declared(DECLARED + OTHER + "map = [[2, 1]]\n").fingerprint,
    ]
    assert len(set(prints)) == len(prints)
