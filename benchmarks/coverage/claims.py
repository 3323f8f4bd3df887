"""Questions about claims: how often a verdict is wrong, limits miss the truth, or a joint p is small by chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.coverage.cells import Answer, Cell, Sample, within
from benchmarks.coverage.populations import SHAPES, Population, Random, collections, one_unlike, real, spaced
from evalcore.claims import (
    Choice,
    Claim,
    Design,
    Multiverse,
    Option,
    Specifications,
    joint_test,
    parse_claim,
    specification_curve,
)
from evalcore.common.arrays import FloatArray
from evalcore.common.constants import EffectKind
from evalcore.measures import RBP

TOPICS, TOP = (5, 6, 10, 25, 66), 5
UNTRUE = (
    ("s0 > s1", 2, 2),
    ("s0 > s1 > s2", 3, 3),
    ("s0 first", 5, 5),
    ("s0 first", 10, 2),
    ("s0 in top 5", 10, 6),
)
"""Claims, with the numbers of systems and of tied systems; the other systems are far behind."""


def cells(data: Path | None) -> Iterator[Cell]:
    """Yield the cells to measure, each with a question, a population and a number of topics."""
    three = [spaced(3, 0.0, shape=shape) for shape in SHAPES] + [
        one_unlike(shape) for shape in SHAPES if shape[0] != "n"
    ]
    yield from (Cell(orders, population, topics) for population in three for topics in TOPICS)
    for systems, shape in product((2, 5, 10, 40), ("normal", "skewed")):
        yield from (Cell(places, spaced(systems, 0.0, shape=shape), topics) for topics in TOPICS)
    yield from (Cell(limits, spaced(systems, 0.02), topics) for systems in (5, 40) for topics in TOPICS)
    for folder in collections(data, "clef2015", "clef2016task2", "dl2021judges"):
        yield from (Cell(limits, real(folder, ["nDCG@10"]), topics) for topics in (10, 50))
    yield from (Cell(joint, Specified(*untrue), topics, share=0.4) for topics in (5, 8, 25) for untrue in UNTRUE)
    yield from (Cell(joint, Specified("s0 > s1", 2, 2, rare=True), topics) for topics in (8, 15, 25, 50))


def multiverse_of(scores: FloatArray) -> Multiverse:
    """Return a multiverse of N specifications whose results are these scores (N, S, T)."""
    count, n_systems, n_topics = scores.shape
    measures = tuple(RBP(rho=(at + 1) / (count + 1)) for at in range(count))
    choice = Choice("measure", "measures", tuple(Option(str(one), str(one)) for one in measures))
    every = np.arange(count)
    design = Design(
        Specifications((choice,)), every[:, None], measures, ("0",) * count, np.zeros(count, dtype=np.int64),
        np.ones((1, n_topics), dtype=bool), ("all",), np.full(count, 1 / count), count,
    )  # fmt: skip
    systems, topics = (tuple(f"{of}{at}" for at in range(n)) for of, n in (("s", n_systems), ("t", n_topics)))
    return Multiverse(design, systems, topics, scores, every)


def _decision(scores: FloatArray, text: str) -> int | None:
    """Return 1 if the claim holds, -1 if it is reversed, 0 if it is undecided; None if there are too few topics."""
    curve = specification_curve(multiverse_of(scores.T[None]), parse_claim(text))
    return None if scores.shape[0] < curve.fewest else int(curve.decision[0])


def _wrong(subject: str, decision: int | None, one_sided: bool = False) -> Answer:
    return Answer(subject, None if decision is None else decision > 0 if one_sided else decision != 0)


def orders(sample: Sample) -> Iterator[Answer]:
    """Test the claims A > B and A > B > C about equal systems."""
    scores = sample.drawn[0].to_numpy()
    yield _wrong("Claim: A > B", _decision(scores, "s0 > s1"))
    yield _wrong("Claim: A > B > C", _decision(scores, "s0 > s1 > s2"))


def places(sample: Sample) -> Iterator[Answer]:
    """Test the claim "A first" about several equal systems, and the claim "A in top 5" about six equal leaders."""
    scores = sample.drawn[0].to_numpy()
    yield _wrong("Claim: A first", _decision(scores, "s0 first"))
    if scores.shape[1] > TOP + 1:
        ahead = scores + 1.0 * (np.arange(scores.shape[1]) <= TOP)
        yield _wrong("Claim: A in the top 5", _decision(ahead, f"s0 in top {TOP}"), one_sided=True)


def limits(sample: Sample) -> Iterator[Answer]:
    """Check the limits of the leads and ranks of the best, the median and the worst of several systems."""
    best = np.argsort(-sample.population.means[0], kind="stable")
    middle = len(best) // 2
    multiverse = multiverse_of(sample.drawn[0].to_numpy().T[None])
    pair = Claim((f"s{best[0]}", f"s{best[middle]}"))
    asked: list[tuple[str, Claim, EffectKind]] = [
        ("A > B, difference", pair, "difference"),
        ("A > B, standardised", pair, "standardised"),
    ]
    for what, at in (("the best", best[0]), ("the median", best[middle]), ("the worst", best[-1])):
        tops = sorted({1, min(TOP, len(best) - 1)})
        asked += [(f"{what}, top {top}", Claim((f"s{at}",), top), "difference") for top in tops]
        asked.append((what, Claim((f"s{at}",), 1), "rank"))
    for what, claim, kind in asked:
        curve = specification_curve(multiverse, claim, kind=kind)
        low, high, (least, most) = float(curve.low[0]), float(curve.high[0]), _truth(sample.population, claim, kind)
        known = np.isfinite(low) or np.isfinite(high)
        held = bool(within(low, least, high) and within(low, most, high)) if known else None
        subject = "Limits of a rank in a claim" if kind == "rank" else "Limits of a claim's effect"
        yield Answer(subject, held, what, high - low)


def _truth(population: Population, claim: Claim, kind: EffectKind) -> tuple[float, float]:
    """Return the least and the largest true effect: equal, unless the effect is the rank of a system in a tie."""
    table, means, own = population.scores[0], population.means[0], int(claim.systems[0][1:])
    if kind == "rank":
        return 1.0 + (means > means[own]).sum(), float((means >= means[own]).sum())
    if claim.pairs:
        lead = table[:, own] - table[:, int(claim.systems[1][1:])]
        effect = lead.mean() / (lead.std() if kind == "standardised" else 1.0)
    else:
        effect = means[own] - np.sort(np.delete(means, own))[-(claim.top or 1)]
    return float(effect), float(effect)


@dataclass(frozen=True)
class Specified:
    """Scores under several specifications that share half of their noise; the claim is true under none of them."""

    claim: str
    size: int
    tied: int
    count: int = 4
    rare: bool = False  # the first system is steady, and the others are far ahead of it on 15 % of topics

    @property
    def name(self) -> str:
        beside = ", one steady beside rare successes" if self.rare else ""
        return f"{self.count} specifications, {self.tied} of {self.size} systems tied{beside}"

    def draw(self, topics: int, random: Random) -> FloatArray:
        scores = random.normal(size=(1, self.size, topics)) + random.normal(size=(self.count, self.size, topics))
        scores[:, self.tied :] -= 3.0
        if self.rare:
            scores *= 0.05
            scores[:, 1:] += (random.random((self.size - 1, topics)) < 0.15) - 0.15
        return np.asarray(scores)


def joint(sample: Sample) -> Iterator[Answer]:
    """Test an untrue claim. Each p (joint p, p of the median, p of the share) is an error if it is at most .05."""
    text = sample.population.claim
    test = joint_test(multiverse_of(sample.drawn), parse_claim(text))
    for name, p in (("joint p", test.p), ("p of the median", test.median_p), ("p of the share", test.significant_p)):
        yield Answer(f"Claim: {name}", p <= 0.05, text)
