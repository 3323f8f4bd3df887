"""Scores of single documents, from their returned parts or from the distance to their best entry point.

Pehcevski et al. 2007, "INEX 2007 Evaluation Measures", section 5.2. P(d) and R(d) are the precision and recall of a
document's text; x is the start of its first part, b the best entry point. Shape: K retrieved documents with highlighted
text; other documents score 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.errors import InputError
from evalcore.focused.passages import Highlights, RetrievedDocuments
from evalcore.notation.formula import Formula
from evalcore.notation.values import Range, Value, parameter

OVERLAP = (
    r"P = \frac{\sum_p \mathrm{rsize}(p)}{\sum_p \mathrm{size}(p)},\quad "
    r"R = \frac{\sum_p \mathrm{rsize}(p)}{\mathrm{Trel}(d)}"
)
DISTANCE = r"d = |x - b|"


@dataclass(frozen=True)
class DocumentScore(Value, abstract=True):
    """A score of how well the returned text of a document fits its highlighted text; 0 without highlighted text."""

    where: ClassVar[str]  # definitions of the formula's symbols, as LaTeX
    reference: ClassVar[str] = "Pehcevski et al. 2007"

    @property
    def formula(self) -> Formula:
        """The formula, used for both the computation and the LaTeX."""
        raise NotImplementedError

    def scores(self, retrieved: RetrievedDocuments, highlights: Highlights) -> FloatArray:
        """Return the (K,) scores of retrieved documents with highlighted text.

        Raises InputError if a needed position or length is unknown.
        """
        raise NotImplementedError

    def latex(self) -> str:
        """Return the formula with the current parameters and the definitions of its symbols, as LaTeX."""
        return rf"{self.formula.latex(**self.arguments())},\quad {self.where}"


@dataclass(frozen=True)
class TextScore(DocumentScore, abstract=True):
    """A score from the overlap of returned and highlighted text, for the INEX task Relevant in Context."""

    where: ClassVar[str] = OVERLAP

    def scores(self, retrieved: RetrievedDocuments, highlights: Highlights) -> FloatArray:
        return self._of(retrieved.size, retrieved.rsize, highlights.relevant[retrieved.row])

    def of(self, size: int, rsize: int, relevant: int) -> float:
        """Return the score of a document.

        `size` is the number of returned characters, `relevant` of highlighted ones, and `rsize` of characters that are
        both.
        """
        return float(self._of(*(np.array([number]) for number in (size, rsize, relevant)))[0])

    def _of(self, size: IntArray, rsize: IntArray, relevant: IntArray) -> FloatArray:
        scores = np.zeros(len(size))
        some = rsize > 0  # else the score is 0, and the formula may be 0 / 0
        precision, recall = (rsize[some] / other[some] for other in (size, relevant))
        scores[some] = self.formula(P=precision, R=recall, **self.arguments())
        return scores


@dataclass(frozen=True)
class DocumentP(TextScore):
    """Document precision: the share of the returned text that is highlighted (Eq. 4).

    >>> DocumentP().of(size=200, rsize=50, relevant=100)
    0.25
    """

    formula = Formula("P")


@dataclass(frozen=True)
class DocumentR(TextScore):
    """Document recall: the share of the highlighted text that was returned (Eq. 5).

    >>> DocumentR().of(size=200, rsize=50, relevant=100)
    0.5
    """

    formula = Formula("R")


@dataclass(frozen=True)
class DocumentF(TextScore, also=("F",)):
    """Document F-score: (1 + beta^2) * P * R / (beta^2 * P + R), the weighted harmonic mean of P(d) and R(d).

    With beta = 1 it is Eq. 6, the score of the INEX task Relevant in Context (Eq. 7).

    >>> DocumentF().of(size=200, rsize=50, relevant=50)  # P = 0.25, R = 1
    0.4
    >>> DocumentF(beta=0).of(size=200, rsize=50, relevant=50)
    0.25
    """

    beta: float = parameter(1.0, "weight of recall relative to precision", within=Range(0, 1e6))

    @property
    def formula(self) -> Formula:
        if self.beta == 1:
            return Formula("2 * P * R / (P + R)")
        return Formula("(1 + beta ** 2) * P * R / (beta ** 2 * P + R)")


@dataclass(frozen=True)
class EntryScore(DocumentScore, abstract=True):
    """A score from the distance d between the best entry point and the start of the document's first part.

    The INEX task Best in Context uses such a score (Eq. 10). The score is 0 if the document has no best entry point.
    """

    where: ClassVar[str] = DISTANCE

    def scores(self, retrieved: RetrievedDocuments, highlights: Highlights) -> FloatArray:
        scores = np.zeros(len(retrieved))
        with_entry = np.flatnonzero(highlights.best_entry[retrieved.row] >= 0)
        some = retrieved.at(with_entry)
        if (unknown := int((some.start < 0).sum())) > 0:
            raise InputError(f"expected the position of each part, found {unknown:,} that have only a size", str(self))
        distance = np.abs(some.start - highlights.best_entry[some.row])
        scores[with_entry] = self.by_distance(distance, highlights.length[some.row])
        return scores

    def by_distance(self, distance: IntArray, length: IntArray) -> FloatArray:
        """Return the scores for distances from the best entry points and lengths of documents, both in characters."""
        raise NotImplementedError


@dataclass(frozen=True)
class Entry(EntryScore):
    """Nearness to the best entry point, relative to the document's length L: s(x, b) = A * L / (A * L + d) (Eq. 8).

    It is 1 at the best entry point and A / (1 + A) at a distance of L; it is 0 only without a best entry point.

    >>> Entry(A=0.1).of(distance=100, length=1000), Entry(A=10).of(distance=0, length=1000)
    (0.5, 1.0)
    """

    A: float = parameter(
        0.1,
        "the distance, as a share of the document, that halves the score",
        within=Range(0, 1e6, open_low=True),
        shown=True,
    )
    where: ClassVar[str] = DISTANCE + r",\ L = \text{length}"

    formula = Formula("A * L / (A * L + d)")

    def by_distance(self, distance: IntArray, length: IntArray) -> FloatArray:
        if (unknown := int((length <= 0).sum())) > 0:
            raise InputError(f"expected the length of each relevant document, found none for {unknown:,}", str(self))
        scores: FloatArray = self.formula(A=self.A, L=length, d=distance)
        return scores

    def of(self, distance: int, length: int) -> float:
        """Return the score of a document of this length whose first part starts this far from its best entry point."""
        return float(self.by_distance(np.array([distance]), np.array([length]))[0])


@dataclass(frozen=True)
class EntryScreen(EntryScore):
    """Nearness to the best entry point, on a screen: s(x, b) = (n - d) / n up to n characters away, then 0 (Eq. 9).

    >>> EntryScreen(n=1000).of(distance=250), EntryScreen(n=1000).of(distance=1001)
    (0.75, 0.0)
    """

    n: int = parameter(1000, "characters that fit on a screen", within=Range(1), shown=True)

    formula = Formula("where(d <= n, (n - d) / n, 0)")

    def by_distance(self, distance: IntArray, length: IntArray) -> FloatArray:
        scores: FloatArray = self.formula(n=self.n, d=distance)
        return scores

    def of(self, distance: int) -> float:
        """Return the score of a document whose first part starts this far from its best entry point."""
        return float(self.by_distance(np.array([distance]), np.array([0]))[0])
