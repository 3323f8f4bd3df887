"""Several files of labels: parts of one set, sources of one aspect, or aspects of their own."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

import evalcore as ec
from evalcore.data.manifest import parse_manifest, write_manifest

TOPICS, DOCUMENTS = ("101", "102", "103"), [f"d{at}" for at in range(20)]
RUN = "".join(f"{t} Q0 {d} {at} {20 - at}.5 x\n" for t in TOPICS for at, d in enumerate(DOCUMENTS, start=1)).encode()
GRADES = {(t, d): (3 * at + int(t)) % 3 if at % 2 else at % 3 for t in TOPICS for at, d in enumerate(DOCUMENTS)}


def lines(labels: Mapping[tuple[str, str], float]) -> bytes:
    return "".join(f"{topic} 0 {document} {grade:g}\n" for (topic, document), grade in labels.items()).encode()


def some(*topics: str) -> bytes:
    return lines({pair: grade for pair, grade in GRADES.items() if pair[0] in topics})


def drawn(grades: list[float], seed: int = 1) -> bytes:
    draw = Random(seed)
    return lines({pair: draw.choice(grades) for pair in GRADES})


def loaded(**files: bytes) -> ec.Collection:
    named = [(name.replace("__", "-").replace("_", ".") + ".txt", content) for name, content in files.items()]
    return ec.load_files([("a.run", RUN), *named])


def texts(c: ec.Collection, where: str) -> str:
    return " | ".join(note.text for note in c.report.notes if note.where == where)


# --- parts -----------------------------------------------------------------------------------------------------------


def test_the_scale_is_that_of_all_parts():
    c = loaded(qrels_2021=b"101 0 d1 1\n101 0 d2 0\n", qrels_2022=b"102 0 d1 3\n")
    assert c.assessments.scale("relevance").grades == (0, 1, 3)


def test_the_description_of_parts_is_written_and_read_back():
    files = [("a.run", RUN), ("qrels.2021.txt", some("101")), ("qrels.2022.txt", some("102"))]
    c = ec.load_files(files)
    manifest = parse_manifest(c.manifest)
    assert manifest.columns[0].files == ("qrels.2021.txt", "qrels.2022.txt")
    assert parse_manifest(write_manifest(manifest)) == manifest
    assert ec.load_files(files, manifest=c.manifest).fingerprint == c.fingerprint


def test_a_label_that_two_declared_parts_give_differently_is_refused_where_it_stands():
    manifest = 'runs = "a.run"\n[aspects.relevance]\nfile = ["one.txt", "two.txt"]\n'
    with pytest.raises(ec.InputError) as refused:
        ec.load_files(
            [("a.run", RUN), ("one.txt", b"101 0 d1 1\n"), ("two.txt", b"102 0 d1 1\n101 0 d1 0\n")], manifest=manifest
        )
    expected = "two.txt line 2: expected one relevance label for topic '101', document 'd1', found 0 after 1 in line 1"
    assert str(refused.value) == f"{expected} of one.txt"


def test_machine_labels_of_other_topics_are_not_mixed_with_human_ones():
    c = loaded(qrels_nist=some("101"), qrels_gpt__4=some("102", "103"))
    assert "relevance" in c.aspects
    assert len(c.aspects) == 2


# --- other sources, and other aspects --------------------------------------------------------------------------------


def test_labels_whose_name_does_not_say_who_gave_them_are_of_another_aspect():
    c = loaded(qrels=lines(GRADES), qrels_zest=drawn([0, 1, 2]))
    assert (c.aspects, dict(c.assessments.sources)) == (("relevance", "zest"), {})
    note = "read as a separate aspect, zest, because its name does not tell who gave its labels"
    assert note in texts(c, "qrels.zest.txt")
    judged = loaded(qrels=lines(GRADES), qrels_gpt4=drawn([0, 1, 2]))
    assert list(judged.assessments.sources["relevance"].labels) == ["assessors", "gpt4"]


def test_a_judge_on_another_scale_is_distinguished_from_the_aspect_in_brackets():
    c = loaded(qrels=lines({pair: min(grade, 1) for pair, grade in GRADES.items()}), qrels_umbrela=lines(GRADES))
    assert c.aspects == ("relevance", "relevance (umbrela)")
    note = "to read it as a second source of relevance beside qrels.txt, declare it in collection.toml with a map"
    assert note in texts(c, "qrels.umbrela.txt")
