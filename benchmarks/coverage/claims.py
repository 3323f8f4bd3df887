"""Claims: how often a verdict is wrong, limits miss, and a joint p is small where nothing differs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.coverage.measured import Measured, Subject
from benchmarks.coverage.populations import SHAPES, Population, real, spaced
from evalcore.arrays import BoolArray, FloatArray
from evalcore.claims import (
    Choice,
    Claim,
    Curve,
    Design,
    Multiverse,
    Option,
    Specifications,
    joint_test,
    parse_claim,
    specification_curve,
)
from evalcore.claims.topic_combining import TopicCombining
from evalcore.constants import EffectKind
from evalcore.measures import RBP

_RULE = "Comparisons under flipped signs of the topics and by the paired bootstrap"
PAIR = Subject(
    "Claim: A > B",
    "It holds, or is reversed, of two equal systems.",
    f"{_RULE}. `ec.claim`, decision of a specification.",
    "errs",
    0.05,
)
ORDER = Subject(
    "Claim: A > B > C",
    "It holds, or breaks, of three equal systems.",
    f"{_RULE}: each pair holds by itself; one breaks by max-T over all pairs.",
    "errs",
    0.05,
)
FIRST = Subject(
    "Claim: A first",
    "It holds, or fails, where A is as good as all others.",
    f"{_RULE} with all others, max-T, step-down: fails where one beats A.",
    "errs",
    0.05,
)
AMONG = Subject(
    "Claim: A in the top 5",
    "It holds, where A is one of six equal systems, far ahead of any others.",
    f"{_RULE} with all others, max-T, step-down: holds where at least S - 5 are beaten.",
    "errs",
    0.05,
)
LIMITS = Subject(
    "Limits of a claim's effect",
    "The 95% limits cover the true effect: of a place, the true lead over the truly k-th best of the others.",
    "Mean -+ critical value of the decision times standard error.",
    "covers",
    0.95,
)
RANKS = Subject(
    "Limits of a rank in a claim",
    "The 95% limits cover the rank by the true means.",
    "From the comparisons with all others.",
    "covers",
    0.95,
)
JOINT = {
    name: Subject(
        f"Claim: {title}",
        "It is at most .05 though the claim is not true.",
        "Flipped signs in all specifications at once; of orders and places as sure as the least sure pair needed.",
        "errs",
        0.05,
    )
    for name, title in (("p", "joint p"), ("median_p", "p of the median"), ("significant_p", "p of the share"))
}
SUBJECTS: tuple[Subject, ...] = (PAIR, ORDER, FIRST, AMONG, LIMITS, RANKS, *JOINT.values())

TOPICS = (5, 6, 10, 25, 66)
EQUAL = (2, 5, 10, 40)  # systems
APART = (5, 40)
GAP = 0.02  # between neighbours, where systems differ
TOP = 5
SPECIFICATIONS = 4  # of a joint test, which share half of their noise
UNTRUE = (
    ("s0 > s1", 2, 2),
    ("s0 > s1 > s2", 3, 3),
    ("s0 first", 5, 5),
    ("s0 first", 10, 2),
    ("s0 in top 5", 10, 6),
)
"""Claims, of how many systems, of which so many are tied and the others far behind."""


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """All subjects, on invented systems that are equal or not, and on real topics that are taken for all there are."""
    random = np.random.default_rng(seed)
    for n_topics in TOPICS:
        for shape in SHAPES:
            yield from _pairs(spaced(3, 0.0, shape=shape), n_topics, trials, random)
            if shape != "normal":
                yield from _pairs(_unlike(shape), n_topics, trials, random)
        for n_systems, shape in product(EQUAL, ("normal", "skewed")):
            yield from _places(spaced(n_systems, 0.0, shape=shape), n_topics, trials, random)
        for n_systems in APART:
            yield from _effects(spaced(n_systems, GAP), n_topics, trials, random)
    for n_topics in (5, 8, 25):
        yield from _joint(n_topics, max(trials * 2 // 5, 1), random)
    for name in ("clef2015", "clef2016task2", "dl2021judges") if data else ():
        if data and (data / name).exists():
            for n_topics in (10, 50):
                yield from _effects(real(data / name, ["nDCG@10"]), n_topics, trials, random)


def _unlike(shape: str) -> Population:
    """Three equal systems, the first with another noise than the others: their differences are not symmetric."""
    one, others = (spaced(3, 0.0, seed=at, shape=kind).scores[0] for at, kind in enumerate((shape, "normal")))
    return Population(f"3 systems that are equal, one {shape} among normal", (np.c_[one[:, :1], others[:, 1:]],))


def multiverse_of(scores: FloatArray) -> Multiverse:
    """Scores (N, S, T) as if N specifications had given them."""
    count, n_systems, n_topics = scores.shape
    measures = tuple(RBP(rho=(at + 1) / (count + 1)) for at in range(count))
    choice = Choice("measure", "measures", tuple(Option(str(one), str(one)) for one in measures))
    every = np.arange(count)
    design = Design(
        Specifications((choice,)),
        every[:, None],
        measures,
        ("0",) * count,
        (TopicCombining(),) * count,
        np.zeros(count, dtype=np.int64),
        np.ones((1, n_topics), dtype=bool),
        ("all",),
        np.full(count, 1 / count),
        count,
    )
    systems, topics = (tuple(f"{of}{at}" for at in range(n)) for of, n in (("s", n_systems), ("t", n_topics)))
    return Multiverse(design, systems, topics, scores, every)


def drawn(table: FloatArray, n_topics: int, trials: int, random: np.random.Generator) -> Multiverse:
    """Topics of a population (T, S) drawn anew for every trial, each of which stands as a specification."""
    return multiverse_of(table[random.integers(0, len(table), (trials, n_topics))].swapaxes(1, 2))


# --- one specification ------------------------------------------------------------------------------------------------


def _pairs(population: Population, n_topics: int, trials: int, random: np.random.Generator) -> Iterator[Measured]:
    """Three systems that are equal."""
    multiverse = drawn(population.scores[0], n_topics, trials, random)
    for subject, text in ((PAIR, "s0 > s1"), (ORDER, "s0 > s1 > s2")):
        curve = specification_curve(multiverse, parse_claim(text))
        yield _errors(subject, population, curve, n_topics, curve.decision != 0)


def _places(population: Population, n_topics: int, trials: int, random: np.random.Generator) -> Iterator[Measured]:
    """The first of equal systems; and one of k + 1 equal ones that are far ahead of all others."""
    table = population.scores[0]
    curve = specification_curve(drawn(table, n_topics, trials, random), parse_claim("s0 first"))
    yield _errors(FIRST, population, curve, n_topics, curve.decision != 0)
    if table.shape[1] > TOP + 1:
        ahead = table + 1.0 * (np.arange(table.shape[1]) <= TOP)
        curve = specification_curve(drawn(ahead, n_topics, trials, random), parse_claim(f"s0 in top {TOP}"))
        yield _errors(AMONG, population, curve, n_topics, curve.decision > 0)


def _effects(population: Population, n_topics: int, trials: int, random: np.random.Generator) -> Iterator[Measured]:
    """Limits of leads and ranks of the best, the median and the worst system, where systems differ."""
    table = population.scores[0]
    means = population.means[0]
    best = np.argsort(-means, kind="stable")
    multiverse = drawn(table, n_topics, trials, random)
    middle = len(best) // 2
    named = {"the best": best[0], "the median": best[middle], "the worst": best[-1]}
    pair = Claim((f"s{best[0]}", f"s{best[middle]}"))
    for kind in ("difference", "standardised"):
        yield _covered(LIMITS, population, multiverse, pair, kind, n_topics, f"A > B, {kind}")
    for what, at in named.items():
        for top in sorted({1, min(TOP, len(best) - 1)}):
            yield _covered(
                LIMITS, population, multiverse, Claim((f"s{at}",), top), "difference", n_topics, f"{what}, top {top}"
            )
        yield _covered(RANKS, population, multiverse, Claim((f"s{at}",), 1), "rank", n_topics, what)


def _covered(
    subject: Subject,
    population: Population,
    multiverse: Multiverse,
    claim: Claim,
    kind: EffectKind,
    n_topics: int,
    what: str,
) -> Measured:
    curve = specification_curve(multiverse, claim, kind=kind)
    low, high = _truth(population, claim, kind)
    known = np.isfinite(curve.low) | np.isfinite(curve.high)
    inside = (curve.low <= low) & (high <= curve.high)
    width = float(np.mean((curve.high - curve.low)[known])) if known.any() else float("nan")
    refused = int((~known).sum())
    n_systems = len(population.systems)
    return Measured(
        subject, population.name, n_systems, n_topics, what, int(inside[known].sum()), int(known.sum()), refused, width
    )


def _truth(population: Population, claim: Claim, kind: EffectKind) -> tuple[float, float]:
    """The effect on all topics; of a rank, the first and the last place that tied systems share."""
    table, means = population.scores[0], population.means[0]
    own = int(claim.systems[0][1:])
    if kind == "rank":
        return 1.0 + (means > means[own]).sum(), float((means >= means[own]).sum())
    if claim.pairs:
        lead = table[:, own] - table[:, int(claim.systems[1][1:])]
        effect = lead.mean() / (lead.std() if kind == "standardised" else 1.0)
    else:
        effect = means[own] - np.sort(np.delete(means, own))[-(claim.top or 1)]
    return float(effect), float(effect)


def _errors(subject: Subject, population: Population, curve: Curve, n_topics: int, wrong: BoolArray) -> Measured:
    """How many decisions are wrong; below the fewest topics there are none."""
    trials = len(curve)
    refused = trials if n_topics < curve.fewest else 0
    n_systems = len(population.systems)
    return Measured(subject, population.name, n_systems, n_topics, "", int(wrong.sum()), trials - refused, refused)


# --- joint tests ------------------------------------------------------------------------------------------------------


def _joint(n_topics: int, trials: int, random: np.random.Generator) -> Iterator[Measured]:
    """Claims that are not true: of equal systems, and of one that is as good as a few and better than the rest."""
    for text, n_systems, tied in UNTRUE:
        small = np.zeros(len(JOINT), dtype=np.int64)
        for _ in range(trials):
            shared = random.normal(size=(1, n_systems, n_topics))
            scores = shared + random.normal(size=(SPECIFICATIONS, n_systems, n_topics))
            scores[:, tied:] -= 3.0
            test = joint_test(multiverse_of(scores), parse_claim(text))
            small += np.array([getattr(test, name) for name in JOINT]) <= 0.05
        name = f"{SPECIFICATIONS} specifications, {tied} of {n_systems} systems tied"
        for subject, times in zip(JOINT.values(), small.tolist(), strict=True):
            yield Measured(subject, name, n_systems, n_topics, text, times, trials)
