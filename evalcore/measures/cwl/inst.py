"""INSQ and INST: readers who want T useful documents; they are more likely to go on the deeper they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError
from evalcore.measures.cwl.expected_utility import POSITIVE, Unbounded, check_shares
from evalcore.measures.parts.hits import Hits
from evalcore.measures.parts.reading import Ranks, Stretches
from evalcore.notation.formula import Formula
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings

_NEAR = 10  # terms added one by one; the rest is the Euler-Maclaurin series
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730)
PARTS, ALIKE = 12, 1e-10  # gains of up to five grades are sums of twelfths, up to rounding
LEAST_WANTED = 0.5  # below it, one document of the highest gain would make the expected remaining depth negative


@dataclass(frozen=True)
class INSQ(Unbounded):
    """INSQ: a reader who wants T useful documents goes on from rank k with probability ((k + 2T - 1) / (k + 2T))^2.

    The score is the expected utility per rank read, with weights that fall as 1 / (k + 2T - 1)^2 (Moffat, Scholer &
    Thomas 2012). Unlike the weights of `INST`, they ignore the gains so far.

    >>> round(INSQ(T=1, horizon=2).of([1, 0]), 4)  # 1 / (1 + (2 / 3)^2)
    0.6923
    """

    T: float = parameter(1.0, "number of useful documents that the reader wants", within=POSITIVE)
    adapts: ClassVar[bool] = False
    reference: ClassVar[str] = "Moffat, Scholer & Thomas 2012"
    formula: ClassVar[Formula] = Formula("((k + 2 * T - 1) / (k + 2 * T)) ** 2")

    def continuation(self, ranks: Ranks) -> FloatArray:
        return np.asarray(self.formula(k=ranks.rank, T=self.T))

    def continuation_latex(self) -> str:
        return self.formula.latex(T=self.T)


@dataclass(frozen=True)
class INST(Unbounded):
    """INST: INSQ for a reader who needs less after each gain: 2T becomes T + T(k), with T(k) = T - G(k).

    C(k) = ((k + T + T(k) - 1) / (k + T + T(k)))^2, where G(k) is the gain down to rank k (Moffat, Bailey, Scholer &
    Thomas 2015). T, the number of useful documents that the reader expects to need, is a property of the topic:
    `wanted` lists it for topics with a known T.

    >>> round(INST(T=1, horizon=2).of([1, 0]), 4)  # 1 / (1 + (1 / 2)^2)
    0.8
    """

    T: float = parameter(
        1.0, "number of useful documents that the reader wants", within=Range(LEAST_WANTED, math.inf, open_high=True)
    )
    wanted: Mapping[str, float] = parameter((), "values of T for single topics")
    reference: ClassVar[str] = "Moffat, Bailey, Scholer & Thomas 2015"
    formula: ClassVar[Formula] = Formula("((k + 2 * T - found - 1) / (k + 2 * T - found)) ** 2")

    def continuation(self, ranks: Ranks) -> FloatArray:
        return np.asarray(self.formula(k=ranks.rank, T=self.T, found=ranks.gained))

    def continuation_latex(self) -> str:
        return self.formula.latex(T=self.T, found="G_k")

    def totals(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> tuple[FloatArray, FloatArray]:
        """Return the expected total gain and the expected number of ranks read, each (S, T).

        Both are in closed form, as the product of C telescopes between hits. From rank a on,
        S(k) = S(a) * ((a + c - 1) / (k + c - 1))^2, with c = 2T - G(a), and sums of 1 / (k + c - 1)^2 are differences
        of the trigamma function.
        """
        check_shares(gains, self)
        between = Stretches(Hits.of(gains, rankings, self.last_rank), self.last_rank)
        missing = 2 * np.array([self._wanted(topic) for topic in pool.topics])[between.topic] - between.gained
        before, after = between.begin + missing - 1, between.end + missing - 1
        staying = (before / np.maximum(after, before)) ** 2  # 0 / 0 if nothing is missing and no rank lies between
        read = before**2 * np.subtract(*trigammas(np.array([before + 1, after + 1])))
        return between.totals(staying, read)

    def _wanted(self, topic: str) -> float:
        wanted = dict(self.wanted).get(topic, self.T)
        if wanted < LEAST_WANTED:
            raise InputError(f"expected at least {LEAST_WANTED} useful documents, found {wanted:g}", f"topic {topic}")
        return wanted


def trigammas(x: FloatArray) -> FloatArray:
    """Return `trigamma(x)`, computed once per distinct value if all are multiples of 1 / 12, as with few grades.

    >>> bool((trigammas(np.array([1.0, 1.5, 1.0])) == trigamma(np.array([1.0, 1.5, 1.0]))).all())
    True
    """
    parts = np.rint(x * PARTS).astype(int)
    if x.size < int(parts.max(initial=0)) or (np.abs(x * PARTS - parts) > ALIKE).any():
        return trigamma(x)
    there = np.zeros(int(parts.max(initial=0)) + 1, dtype=bool)
    there[parts.ravel()] = True
    values = np.zeros(len(there))
    values[there] = trigamma(np.flatnonzero(there) / PARTS)
    return np.asarray(values[parts])


def trigamma(x: FloatArray) -> FloatArray:
    """Return the sum of 1 / (x + j)^2 over j = 0, 1, ..., for x > 0: scipy's zeta(2, x), ten times as fast.

    >>> bool(abs(trigamma(np.array([1.0]))[0] - np.pi**2 / 6) < 1e-14)
    True
    """
    far, near = x + _NEAR, np.zeros(x.shape)
    for step in range(_NEAR):
        near += 1 / (x + step) ** 2
    inverse = 1 / far
    square = inverse * inverse
    series = np.zeros(x.shape)
    for number in reversed(_BERNOULLI):
        series = (series + number) * square
    return np.asarray(near + inverse + square / 2 + series * inverse)
