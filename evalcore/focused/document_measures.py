"""Measures of ranked documents with returned parts or entry points.

Pehcevski et al. 2007, "INEX 2007 Evaluation Measures", section 5. A document has the rank of its first part; d_r is the
document at rank r, S(d) its score, rel(d) is 1 if it has highlighted text, else 0. Nrel counts the documents of a topic
with highlighted text, returned or not. Any 0 / 0 is 0. Shapes: S systems, T topics, K retrieved documents with
highlighted text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.errors import InputError
from evalcore.focused.document_scores import DocumentF, DocumentScore
from evalcore.focused.passages import Highlights, Passages, RetrievedDocuments
from evalcore.focused.text_measures import FocusedMeasure, shape_of
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.hits import Hits
from evalcore.notation.values import parameter


@dataclass(frozen=True)
class InContext(FocusedMeasure, abstract=True):
    """A measure of ranked documents, each with a score S(d)."""

    def score_passages(self, passages: Passages) -> FloatArray:
        retrieved = passages.relevant_documents
        gains = self.document_scores(retrieved, passages.highlights)
        hits = Hits(shape_of(passages), retrieved.line, np.arange(len(retrieved)), retrieved.rank, retrieved.row, gains)
        return self.score_hits(hits, passages.highlights.relevant_documents.astype(float))

    def document_scores(self, retrieved: RetrievedDocuments, highlights: Highlights) -> FloatArray:
        """Return the (K,) scores S(d) of the retrieved documents with highlighted text."""
        raise NotImplementedError

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        """Return (S, T) scores, from the retrieved documents with highlighted text and the (T,) numbers Nrel."""
        raise NotImplementedError

    def of(self, *rankings: Sequence[float | None], relevant: int | None = None) -> float:
        """Return the score of a ranking, given as scores S(d) of documents from rank 1 on (None: no highlighted text).

        `relevant` is the number of the topic's documents with highlighted text; by default, all were returned. Raises
        InputError if `relevant` is less than the number returned, or unless there is exactly one list.
        """
        if len(rankings) != 1:
            raise InputError(f"expected one list with the scores of documents, found {len(rankings)}", str(self))
        scored = [(rank, score) for rank, score in enumerate(rankings[0], start=1) if score is not None]
        total = len(scored) if relevant is None else relevant
        if total < len(scored):
            raise InputError(f"expected at least the {len(scored)} relevant documents listed, found {total}", str(self))
        none = np.zeros(len(scored), dtype=np.int64)
        rank = np.array([rank for rank, _ in scored], dtype=np.int64)
        gain = np.array([gain for _, gain in scored], dtype=float)
        hits = Hits((1, 1), none, np.arange(len(scored)), rank, none, gain)
        return float(self.score_hits(hits, np.array([float(total)]))[0, 0])


@dataclass(frozen=True)
class Generalised(InContext, abstract=True):
    """A measure that adds up the scores of documents."""

    score: DocumentScore = parameter(DocumentF(), "score of each document", positional=True)

    def document_scores(self, retrieved: RetrievedDocuments, highlights: Highlights) -> FloatArray:
        return self.score.scores(retrieved, highlights)


@dataclass(frozen=True)
class gP(Generalised):
    """Generalised precision at a document rank: (1 / r) * sum of S(d_i) over ranks i = 1 ... r (Eq. 11).

    Missing ranks of a shorter ranking count as 0.

    >>> gP(cutoff=4).of([1, None, 0.5])
    0.375
    """

    cutoff: int = parameter(10, "deepest document rank that counts", within=CUTOFF)

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        return hits.total(hits.gain * (hits.rank <= self.cutoff)) / self.cutoff

    def right_side(self) -> str:
        return rf"\frac{{1}}{{{self.cutoff}}} \sum_{{i=1}}^{{{self.cutoff}}} S(d_i),\quad S(d) = {self.score.latex()}"


@dataclass(frozen=True)
class gR(InContext):
    """Generalised recall at a document rank: (1 / Nrel) * sum of rel(d_i) over ranks i = 1 ... r (Eq. 12).

    Only the presence of a document counts, not the quality of its parts.

    >>> gR(cutoff=2).of([1, 0, 0.5], relevant=4)
    0.5
    """

    cutoff: int = parameter(100, "deepest document rank that counts", within=CUTOFF)

    def document_scores(self, retrieved: RetrievedDocuments, highlights: Highlights) -> FloatArray:
        return np.ones(len(retrieved))

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        return divided(hits.total(hits.rank <= self.cutoff), relevant)

    def right_side(self) -> str:
        return (
            rf"\frac{{1}}{{\mathrm{{Nrel}}}} \sum_{{i=1}}^{{{self.cutoff}}} \mathrm{{rel}}(d_i)"
            r",\quad \mathrm{rel}(d) = \left[\, \mathrm{Trel}(d) > 0 \,\right]"
        )


@dataclass(frozen=True)
class AgP(Generalised, also=("MAgP",)):
    """Average generalised precision: mean gP[r] at the ranks of relevant documents, times their recall (Eq. 13).

    That is (1 / Nrel) * sum over ranks r of rel(d_r) * gP[r]. Its mean over topics is MAgP, the official measure of
    both in-context tasks of INEX 2007.

    >>> AgP().of([1, None, 0.5], relevant=2)  # gP is 1 at rank 1 and 1.5 / 3 at rank 3
    0.75
    """

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        return divided(hits.total(hits.running(np.add, hits.gain) / hits.rank), relevant)

    def right_side(self) -> str:
        return (
            r"\frac{1}{\mathrm{Nrel}} \sum_{r} \mathrm{rel}(d_r) \cdot \frac{1}{r} \sum_{i=1}^{r} S(d_i)"
            rf",\quad S(d) = {self.score.latex()}"
        )
