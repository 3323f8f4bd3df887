"""Whole measures: equal to slow computations in plain Python; and every measure on extreme labels.

The computations share no code with the library: distances are compared as whole numbers, means are sums over lists.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from measures.small import SCALES, Small, collections
from measures.test_every_measure import OF_SUBJECTS, OF_TABLES
from subject_support import of_subjects

from evalcore.common.constants import LARGEST, SMALLEST
from evalcore.errors import InputError
from evalcore.measures import AP, CAM, ERR, GM, MM, RBP, TOMA, WHAM, Measure, Product, nDCG, parse, uRBPgr
from evalcore.measures.parts.gains import Share
from evalcore.measures.toma import AboveWorst, ByClass, TopHalf
from evalcore.measures.tuple_orders import Chebyshev, Euclidean, Manhattan
from evalcore.notation.values import Value
from evalcore.structures.documents import Assessments, Rankings, Scale

ASPECTS = ("relevance", "understandability", "credibility", "difficulty")
Labels = dict[str, float]
Judged = dict[str, Labels]
Score = Callable[[Sequence[str], dict[str, float]], float]  # a ranking and the gain of each assessed document

small = collections(columns=ASPECTS)
chosen = st.lists(st.sampled_from(ASPECTS), min_size=2, max_size=4, unique=True).map(tuple)


def by_loop(given: Small, gains: Callable[[Judged], dict[str, float]], score: Score) -> list[list[float]]:
    return [[score(ranking, gains(given.judged[t])) for t, ranking in enumerate(system)] for system in given.lists]


def slow_ndcg(ranking: Sequence[str], gain: dict[str, float]) -> float:
    found = math.fsum(gain.get(d, 0) / math.log2(k + 1) for k, d in enumerate(ranking, start=1))
    best = math.fsum(g / math.log2(k + 1) for k, g in enumerate(sorted(gain.values(), reverse=True), start=1))
    return found / best if best else 0.0


def slow_ap(ranking: Sequence[str], gain: dict[str, float]) -> float:
    relevant = sum(g > 0 for g in gain.values())
    hits = [k for k, d in enumerate(ranking, start=1) if gain.get(d, 0) > 0]
    return math.fsum(n / k for n, k in enumerate(hits, start=1)) / relevant if relevant else 0.0


def slow_rbp(ranking: Sequence[str], gain: dict[str, float]) -> float:
    return 0.2 * math.fsum(0.8 ** (k - 1) * (gain.get(d, 0) > 0) for k, d in enumerate(ranking, start=1))


def slow_err(highest: float) -> Score:
    def score(ranking: Sequence[str], gain: dict[str, float]) -> float:
        left, total = 1.0, 0.0
        for k, d in enumerate(ranking, start=1):
            satisfied = (2 ** gain.get(d, 0) - 1) / 2**highest
            total += left * satisfied / k
            left *= 1 - satisfied
        return total

    return score


# --- combine labels, then score --------------------------------------------------------------------------------------


def goodness(name: str, grade: float) -> int:
    """Return the position of a grade on its scale; 0 is the worst."""
    grades = sorted(SCALES[name].grades)
    return int(grades.index(grade)) if SCALES[name].good == "high" else len(grades) - 1 - int(grades.index(grade))


def places(name: str, judged: Judged) -> dict[str, float]:
    """Return the position of each document's grade."""
    return {document: goodness(name, labels[name]) for document, labels in judged.items()}


def gap(kind: str, places: Sequence[int], names: Sequence[str], ranges: bool) -> Fraction:
    """Return the exact distance to the best tuple, or its square; with equal ranges, in shares of them."""
    steps = [len(SCALES[name].grades) - 1 for name in names]
    units = steps if ranges else [1] * len(names)
    missing = [Fraction(step - place, unit) for step, place, unit in zip(steps, places, units, strict=True)]
    return {"Euclidean": sum(m * m for m in missing), "Manhattan": sum(missing), "Chebyshev": max(missing)}[kind]  # type: ignore[return-value]


def slow_classes(kind: str, names: Sequence[str], ranges: bool) -> tuple[list[Fraction], Callable[[Labels], int]]:
    """Return all distances from the farthest to 0, and a function from a document's labels to its class."""
    everything = itertools.product(*(range(len(SCALES[name].grades)) for name in names))
    distances = sorted({gap(kind, places, names, ranges) for places in everything}, reverse=True)
    return distances, lambda labels: distances.index(gap(kind, [goodness(n, labels[n]) for n in names], names, ranges))


WEIGHTS: dict[str, Callable[[int, int], float]] = {
    "ByClass": lambda place, count: place,
    "TopHalf": lambda place, count: float(place >= count // 2),
    "AboveWorst": lambda place, count: float(place > 0),
}


@settings(max_examples=2 * settings().max_examples)
@given(
    small,
    chosen,
    st.sampled_from([Euclidean(), Manhattan(), Chebyshev()]),
    st.sampled_from([ByClass(), TopHalf(), AboveWorst()]),
    st.sampled_from(["equal ranges", "equal steps"]),
)
def test_toma(given: Small, names: tuple[str, ...], distance: Value, weights: Value, embedding: str) -> None:
    distances, place = slow_classes(type(distance).__name__, names, embedding == "equal ranges")
    weigh = WEIGHTS[type(weights).__name__]

    def gains(judged: Judged) -> dict[str, float]:
        return {d: weigh(place(labels), len(distances)) for d, labels in judged.items()}

    binary = not isinstance(weights, ByClass)
    highest = weigh(len(distances) - 1, len(distances))
    scores: dict[Measure, Score] = {nDCG(): slow_ndcg, ERR(): slow_err(highest)}
    if binary:
        scores |= {AP(): slow_ap, RBP(rho=0.8): slow_rbp}
    for base, slow in scores.items():
        measure = TOMA(base, names, distance, embedding, weights=weights)  # type: ignore[arg-type]
        note(str(measure))
        np.testing.assert_allclose(given.scores(measure), by_loop(given, gains, slow), atol=1e-12)


@settings(max_examples=2 * settings().max_examples)
@given(small, chosen, st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=4, max_size=4))
def test_products(given: Small, names: tuple[str, ...], powers: list[float]) -> None:
    exponents = dict(zip(names, powers, strict=False))
    if not any(exponents.values()):
        exponents[names[0]] = 1.0

    def gain(labels: Labels) -> float:
        shares = {name: goodness(name, labels[name]) / (len(SCALES[name].grades) - 1) for name in names}
        return math.prod(shares[name] ** exponents[name] for name in names if exponents[name])

    def gains(judged: Judged) -> dict[str, float]:
        return {d: gain(labels) for d, labels in judged.items()}

    for base, slow in ((nDCG(), slow_ndcg), (AP(), slow_ap)):
        measure = Product(base, gains=dict.fromkeys(names, Share()), exponents=exponents)  # type: ignore[arg-type]
        np.testing.assert_allclose(given.scores(measure), by_loop(given, gains, slow), atol=1e-12)


# --- score, then combine ---------------------------------------------------------------------------------------------

MEANS: dict[type, Callable[[list[float], list[float]], float]] = {
    CAM: lambda w, m: math.fsum(a * b for a, b in zip(w, m, strict=True)),
    MM: lambda w, m: 0.0 if min(m) <= 0 else 1 / math.fsum(a / b for a, b in zip(w, m, strict=True)),
    GM: lambda w, m: 0.0 if min(m) <= 0 else math.exp(math.fsum(a * math.log(b) for a, b in zip(w, m, strict=True))),
}


@settings(max_examples=2 * settings().max_examples)
@given(
    small,
    chosen,
    st.lists(st.sampled_from([0.0, 1e-9, 1.0, 3.0, 1e9]), min_size=4, max_size=4),
    st.sampled_from([CAM, MM, GM]),
)
def test_means(given: Small, names: tuple[str, ...], drawn: list[float], mean: type) -> None:
    weights = [*drawn[: len(names) - 1], 1.0]
    shares = [(name, weight / sum(weights)) for name, weight in zip(names, weights, strict=True) if weight]
    parts = {name: by_loop(given, partial(places, name), slow_ndcg) for name, _ in shares}
    expected = [
        [MEANS[mean]([w for _, w in shares], [parts[n][s][t] for n, _ in shares]) for t in range(len(given.judged))]
        for s in range(len(given.lists))
    ]
    measure = mean(nDCG(), aspects=names, weights=weights)
    np.testing.assert_allclose(given.scores(measure), expected, atol=1e-9)


def test_wham_is_the_harmonic_mean() -> None:
    assert WHAM(nDCG(), weights=(1, 3)).of([1, 0], [0, 1]) == pytest.approx(1 / (0.25 + 0.75 / (1 / math.log2(3))))


# --- extreme labels --------------------------------------------------------------------------------------------------

LISTS = [[], [(1, 0)], [(1, 2), (2, 1), (3, 0)], [(99_999, 0)], [(1, 1), (1000, 2)]]  # rank, pool row
SETS = {
    "large": (0.0, 1.0, LARGEST),
    "small": (0.0, SMALLEST, 2 * SMALLEST),
    "a thousand": (0.0, 500.0, 1000.0),
    "only 0": (0.0,),
    "only 1": (1.0,),
    "below 0": (-2.0, -1.0, 1.0),
    "all below 0": (-2.0, -1.0),
    "nobody assessed": (),
    "four": (0.0, 1.0, 2.0, 3.0),
}
SIGNALS = (1.7e308, -1.7e308, 5e-324)
ALL = [cls() for cls in Value.registry.values() if issubclass(cls, Measure) and cls.__module__.startswith("evalcore.")]
UNBOUNDED = {name for module in of_subjects("measure_forms") for name in module.UNBOUNDED}


def may_refuse(measure: Measure, grades: tuple[float, ...]) -> bool:
    """Return True if a measure may refuse these grades.

    It reads passages or given scores; it has a gain for each of four labels; it
    orders labels, and there is one alone; or no float holds its powers.
    """
    if isinstance(measure, (*OF_SUBJECTS, *OF_TABLES)):
        return True
    if isinstance(measure, uRBPgr):
        return len(grades) != len(measure.gains)
    if isinstance(measure, TOMA):
        return len(grades) == 1
    exponential = str(measure) in ('nDCG(dcg="exp-log2")', "ERR(max_rel=1000)")
    return exponential and max(grades, default=0) > 1000


@pytest.mark.parametrize("grades", SETS.values(), ids=SETS)
def test_extreme_labels_give_numbers_or_a_refusal(grades: tuple[float, ...]) -> None:
    labels = np.resize(np.array(grades or (np.nan,)), 3)
    scales = {name: Scale(name, good=SCALES[name].good, grades=grades or (0.0, 1.0)) for name in ASPECTS}
    scales["fog"] = SCALES["fog"]
    columns = {**dict.fromkeys(ASPECTS, labels), "fog": np.array(SIGNALS)}
    documents = np.array(["d0", "d1", "d2"], dtype=object)
    pool = Assessments(("t",), np.zeros(3, dtype=int), documents, columns, scales)
    ranks, rows = ([hit[at] for hits in LISTS for hit in hits] for at in (0, 1))
    ends = np.cumsum([0, *map(len, LISTS)])
    lengths = np.array([[max((rank for rank, _ in hits), default=0)] for hits in LISTS])
    rankings = Rankings(tuple("abcde"), 1, 3, ends, np.array(ranks), np.array(rows), lengths)
    scored = 0
    for measure in [*ALL, parse('nDCG(dcg="exp-log2")'), parse("ERR(max_rel=1000)")]:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                scores = measure.scores(pool, rankings)
            except InputError:
                assert may_refuse(measure, grades), f"{measure} refuses grades {grades}: may_refuse says what may"
                continue
        scored += 1
        low, high = measure.bounds
        assert not np.isnan(scores).any(), f"{measure}: a score is no number; 0 / 0 is 0 (`divided`)"
        finite = np.isfinite(scores).all() or type(measure).__name__ in UNBOUNDED
        assert finite, f"{measure}: one infinite score makes every mean infinite; what is not found has a finite cost"
        assert ((scores >= low - 1e-9) & (scores <= high + 1e-9)).all(), f"{measure}: a score is outside `bounds`"
    assert scored > len(ALL) // 2
