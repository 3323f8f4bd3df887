"""Measures of a ranked list of document parts: recall and precision of highlighted text.

Pehcevski et al. 2007, "INEX 2007 Evaluation Measures", section 4. p_i is the part at rank i, size(p) counts its
characters, rsize(p) the highlighted ones; Trel counts the highlighted characters of a topic, returned or not. Any 0 / 0
is 0. Shapes: S systems, T topics, K parts with highlighted text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.rounding import less
from evalcore.errors import InputError
from evalcore.focused.passages import Highlights, Parts, Passages
from evalcore.measures.base import HasPoolAndRankings, Measure, lengths_in_words
from evalcore.measures.dcg import CUTOFF
from evalcore.notation.formula import number
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings

SOURCE = "Pehcevski et al. 2007"
LEVELS = 101
PRECISION = r"P[r] = \frac{\sum_{i=1}^{r} \mathrm{rsize}(p_i)}{\sum_{i=1}^{r} \mathrm{size}(p_i)}"
RECALL = r"R[r] = \frac{1}{\mathrm{Trel}} \sum_{i=1}^{r} \mathrm{rsize}(p_i)"


@dataclass(frozen=True)
class FocusedMeasure(Measure, abstract=True):
    """A measure that reads highlighted text and returned parts instead of documents and grades."""

    reference: ClassVar[str] = SOURCE

    def score_passages(self, passages: Passages) -> FloatArray:
        """Return the (S, T) scores of the returned parts."""
        raise NotImplementedError

    def scores_on(self, collection: HasPoolAndRankings) -> FloatArray:
        return self.score_passages(passages_of(collection, str(self)))

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        raise _lacking(str(self))


def passages_of(collection: object, purpose: str = "") -> Passages:
    """Return the passages of a collection. Raises InputError if it has none."""
    passages: Passages | None = getattr(collection, "passages", None)
    if passages is None:
        raise _lacking(purpose)
    return passages


def _lacking(purpose: str) -> InputError:
    return InputError(
        "expected highlighted passages and the document parts that systems returned, found whole documents only",
        purpose,
    )


@dataclass(frozen=True)
class TextMeasure(FocusedMeasure, abstract=True):
    """A measure of a ranked list of parts from any documents.

    A part that overlaps a better part of its document does not count, as the task forbids overlap. With
    `overlaps="count"` it does: text that was returned twice then counts twice, in size and in rsize.
    """

    _: KW_ONLY
    overlaps: str = parameter(
        "drop", "parts that overlap a better-ranked part of the same document", choices=("drop", "count")
    )

    def of(self, *rankings: Sequence[float | None], relevant: int | None = None) -> float:
        """Return the score of one list, given as the sizes and the highlighted characters of its parts from rank 1 on.

        `relevant` is the number of the topic's highlighted characters; by default, all were returned. Raises InputError
        if the lists differ in length or their numbers contradict each other.
        """
        return float(self.score_passages(_single(rankings, relevant, str(self)))[0, 0])


@dataclass(frozen=True)
class TextP(TextMeasure):
    """Precision of text at a cut-off: sum of rsize(p_i) / sum of size(p_i) over ranks i = 1 ... r (Eq. 1).

    In a shorter list, all parts count.

    >>> TextP(cutoff=2).of([60, 40, 100], [60, 20, 0])
    0.8
    """

    cutoff: int = parameter(10, "deepest rank that counts", within=CUTOFF)

    def score_passages(self, passages: Passages) -> FloatArray:
        parts = passages.counted(self.overlaps)
        return divided(_down_to(parts, parts.rsize, self.cutoff), _down_to(parts, parts.size, self.cutoff))

    def right_side(self) -> str:
        return rf"P[{self.cutoff}],\quad {PRECISION}"


@dataclass(frozen=True)
class TextR(TextMeasure):
    """Recall of text at a cut-off: (1 / Trel) * sum of rsize(p_i) over ranks i = 1 ... r (Eq. 2).

    >>> TextR(cutoff=2).of([60, 40, 100], [60, 20, 0], relevant=160)
    0.5
    """

    cutoff: int = parameter(100, "deepest rank that counts", within=CUTOFF)

    def score_passages(self, passages: Passages) -> FloatArray:
        parts = passages.counted(self.overlaps)
        return divided(_down_to(parts, parts.rsize, self.cutoff), _relevant_text(passages))

    def right_side(self) -> str:
        return rf"R[{self.cutoff}],\quad {RECALL}"


@dataclass(frozen=True)
class TextAP(TextMeasure):
    """Average precision of text: mean P[r] over the ranks of parts with highlighted text, times R at the end (Eq. 3).

    Text that was not returned costs its share of the highlighted characters, not of the relevant parts: if the only
    part returned has 90 of 100 highlighted characters, AP is 0.9.

    >>> TextAP().of([90], [90], relevant=100)
    0.9
    """

    def score_passages(self, passages: Passages) -> FloatArray:
        every = passages.counted(self.overlaps)
        parts, shape = every.relevant, shape_of(passages)
        lines = shape[0] * shape[1]
        precisions = np.bincount(parts.line, parts.rsize / parts.size, lines).astype(float)
        count = np.bincount(parts.line, minlength=lines).astype(float)
        mean = divided(precisions, count).reshape(shape)
        return mean * divided(_down_to(every, every.rsize, None), _relevant_text(passages))

    def right_side(self) -> str:
        return (
            r"\frac{\sum_{r} \mathrm{rel}(p_r) \cdot P[r]}{\sum_{r} \mathrm{rel}(p_r)} \cdot R[|\mathcal{R}|]"
            r",\quad \mathrm{rel}(p_r) = \left[\, \mathrm{rsize}(p_r) > 0 \,\right]"
            rf",\quad {PRECISION},\quad {RECALL}"
        )


@dataclass(frozen=True)
class iP(TextMeasure):
    """Interpolated precision at a recall level x: the best P[r] of all ranks with R[r] >= x (section 4.2).

    It is 0 if the list never reaches that recall.

    >>> iP(recall=0.4).of([50, 50, 100], [25, 50, 25])  # P is 0.5, 0.75, 0.5; R is 0.25, 0.75, 1
    0.75
    """

    recall: float = parameter(0.01, "the recall level: a share of the highlighted text", within=Range(0, 1), shown=True)

    def score_passages(self, passages: Passages) -> FloatArray:
        parts, shape = passages.counted(self.overlaps).relevant, shape_of(passages)
        recall = divided(parts.rsize.astype(float), _relevant_text(passages)[parts.line % shape[1]])
        reached = ~less(recall, self.recall)
        best = np.zeros(shape[0] * shape[1])
        np.maximum.at(best, parts.line[reached], (parts.rsize / parts.size)[reached])
        return best.reshape(shape)

    def right_side(self) -> str:
        return rf"\max_{{r:\ R[r]\,\ge\,{number(self.recall)}}} P[r],\quad {PRECISION},\quad {RECALL}"


@dataclass(frozen=True)
class iAP(TextMeasure, also=("iMAP", "MAiP")):
    """Interpolated average precision: the mean of iP over the recall levels 0, 0.01, ... 1 (section 4.2).

    Its mean over topics is iMAP, the official measure of the focused task of INEX 2007, later written MAiP.

    >>> iAP(levels=3).of([50, 50, 100], [25, 50, 25])  # iP is 0.75 at 0 and 0.5, 0.5 at 1
    0.6666666666666666
    """

    levels: int = parameter(LEVELS, "number of evenly spaced recall levels from 0 to 1", within=Range(2, 10001))

    def score_passages(self, passages: Passages) -> FloatArray:
        means: FloatArray = interpolated(passages, self.levels, self.overlaps).mean(axis=-1)
        return means

    def right_side(self) -> str:
        last = self.levels - 1
        return (
            rf"\frac{{1}}{{{self.levels}}} \sum_{{j=0}}^{{{last}}} \mathrm{{iP}}\left[\tfrac{{j}}{{{last}}}\right]"
            rf",\quad \mathrm{{iP}}[x] = \max_{{r:\ R[r]\,\ge\,x}} P[r],\quad {PRECISION},\quad {RECALL}"
        )


def interpolated(passages: Passages, levels: int = LEVELS, overlaps: str = "drop") -> FloatArray:
    """Return the (S, T, levels) interpolated precision at the recall levels 0, 1 / (levels - 1), ... 1.

    Only ranks of parts with highlighted text can be best: after any other part, precision is lower and recall equal.
    """
    parts, (systems, topics) = passages.counted(overlaps).relevant, shape_of(passages)
    # Integers decide which level is reached: 0.29 * 100 is not 29.
    trel = np.maximum(passages.highlights.relevant_text, 1)[parts.line % topics]
    reached = np.minimum(parts.rsize * (levels - 1) // trel, levels - 1)
    best = np.zeros((systems * topics, levels))
    np.maximum.at(best, (parts.line, reached), parts.rsize / parts.size)
    down: FloatArray = np.maximum.accumulate(best[:, ::-1], axis=1)[:, ::-1]
    return down.reshape(systems, topics, levels)


def shape_of(passages: Passages) -> tuple[int, int]:
    """Return the numbers of systems and topics, (S, T)."""
    return len(passages.parts.systems), passages.parts.n_topics


def _relevant_text(passages: Passages) -> FloatArray:
    """Return the (T,) numbers Trel of highlighted characters per topic."""
    return passages.highlights.relevant_text.astype(float)


def _down_to(parts: Parts, values: IntArray, cutoff: int | None) -> FloatArray:
    """Return the (S, T) sums of a value over the parts of each line down to the cut-off (None: over all parts)."""
    so_far = np.append(0, np.cumsum(values, dtype=np.int64))
    start, end = parts.indptr[:-1], parts.indptr[1:]
    last = end if cutoff is None else np.minimum(start + cutoff, end)
    sums: FloatArray = (so_far[last] - so_far[start]).astype(float)
    return sums.reshape(len(parts.systems), parts.n_topics)


def _single(lists: Sequence[Sequence[float | None]], relevant: int | None, where: str) -> Passages:
    """Build passages of one topic and system, from the sizes of its parts and the highlighted characters in each."""
    if len(lists) != 2 or len(lists[0]) != len(lists[1]):
        found = lengths_in_words(lists)
        raise InputError(f"expected two lists of equal length, size and rsize, found {found}", where)
    if gaps := [rank for rank, pair in enumerate(zip(*lists, strict=True), start=1) if None in pair]:
        raise InputError(f"expected size and rsize of each part, found None at rank {gaps[0]}", where)
    size, rsize = (np.array(values, dtype=float).astype(np.int64) for values in lists)
    if (wrong := np.flatnonzero((rsize < 0) | (rsize > size))).size:
        found = f"{rsize[wrong[0]]} of {size[wrong[0]]} at rank {wrong[0] + 1}"
        raise InputError(f"expected no more highlighted characters than a part has, found {found}", where)
    total = int(rsize.sum()) if relevant is None else relevant
    if total < rsize.sum():
        raise InputError(f"expected at least the {rsize.sum()} highlighted characters returned, found {total}", where)
    one, none = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    document = np.array(["document"], dtype=object)
    known = Highlights(("topic",), one, document, one + total, one + total, one - 1, np.zeros(2, int), none, none)
    same = np.zeros(len(size), dtype=np.int64)
    parts = Parts(("system",), 1, np.array([0, len(size)]), same, same, same - 1, size, rsize)
    return Passages(known, parts, document)
