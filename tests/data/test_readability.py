"""Readability of texts: what textstat says, without a network."""

from __future__ import annotations

import builtins
import socket

import pytest
import textstat

import evalcore as ec
from evalcore.data.readability import FORMULAS, readability, readability_scale

TEXTS = {
    "easy": "The cat sat on the mat. It was a big cat. The dog ran away.",
    "hard": "Epidemiological investigations necessitate multidisciplinary collaboration. Physicians deliberate "
    "extensively regarding pharmacological interventions. Immunosuppression complicates prognostication.",
    "empty": "",
    "odd": "¿Qué? 42 — 日本語!\n\n\tOK.",
}


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize(
    ("name", "official"),
    [("fog", textstat.gunning_fog), ("smog", textstat.smog_index), ("flesch_kincaid", textstat.flesch_kincaid_grade)],
)
def test_signals_are_those_of_textstat(name, official):
    assert readability(TEXTS, name).to_dict() == {document: official(text) for document, text in TEXTS.items()}


def test_harder_text_scores_higher():
    for name in FORMULAS:
        scores = readability(TEXTS, name)
        assert scores["easy"] < scores["hard"] or name == "smog"  # smog needs three sentences


def test_low_is_easy():
    scale = readability_scale("fog")
    assert (scale.kind, scale.good, scale.threshold, scale.unit) == ("signal", "low", 15, "school years")


def test_progress_is_told():
    told: list[float] = []
    readability(TEXTS, "fog", told.append)
    assert told == [0.25, 0.5, 0.75, 1]


def test_an_unknown_formula():
    with pytest.raises(
        ec.DataError, match=r"expected a readability formula \(fog, smog, flesch_kincaid\), found 'ease'"
    ):
        readability(TEXTS, "ease")


def test_without_textstat(monkeypatch):
    plain_import = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name == "textstat":
            raise ImportError(name)
        return plain_import(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ec.DataError, match="expected textstat to compute readability, found it missing: pip install"):
        readability(TEXTS, "fog")


@pytest.mark.usefixtures("offline")
def test_texts_beside_the_runs_are_measured():
    files = {
        "qrels.txt": b"1 0 easy 1\n1 0 hard 1\n1 0 other 0\n",
        "runs/a.run": b"1 Q0 easy 1 1 x\n",
        "documents/easy.txt": TEXTS["easy"].encode(),
        "documents/hard.txt": TEXTS["hard"].encode(),
        "documents/never-assessed.txt": b"x",
    }
    c = ec.load_files(files.items())
    assert c.signals == ("fog", "smog", "flesch_kincaid")
    assert sorted(c.texts) == ["easy", "hard"]
    column = dict(zip(c.assessments.documents, c.assessments.column("fog"), strict=True))
    assert column["hard"] == textstat.gunning_fog(TEXTS["hard"])
    assert [note.text for note in c.report.notes if note.text.startswith("no fog")] == [
        "no fog for 1 of 3 assessed documents: they gain 0 there"
    ]
