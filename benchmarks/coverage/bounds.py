"""Pools with holes: bounds of a score whose documents are in part unassessed, and how far places are off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.coverage.judges import THREE, Field, collection_of, field_of
from benchmarks.coverage.measured import Measured, Subject
from evalcore.arrays import BoolArray, IntArray
from evalcore.measures import evaluate, parse, residual
from evalcore.meta.order import ahead
from evalcore.pools import off_by, own_moves, rescored, without_groups
from evalcore.pools.assessed import with_assessed
from evalcore.pools.selections import sampled_shares, top_documents
from evalcore.structures.documents import Collection

SCORE = Subject(
    "Bounds of a score with unassessed documents",
    "The mean score of every system by all labels lies between that by the labels there are, and that with its "
    "residual.",
    "What unassessed documents gain at most (Moffat, Zobel 2008). `ec.residual`.",
    "covers",
    1.0,
)
PLACE = Subject(
    "How far a place is off that had no part in the pool",
    "A system of a team that comes after the pooling is off by no more places than 95% of the systems that were there "
    "are, or than the worst of them, when the documents of their own team are taken away; width is those places.",
    "As few teams say little of another one, the page *Pool* says in how many cases it may be further off than the "
    "worst of them: about 1 of G + 1, of G teams. `ec.pools.off_by`.",
    "covers",
    0.95,
)
SUBJECTS = (SCORE, PLACE)
MEASURES = ("RBP(rho=0.8)", "GradedRBP(rho=0.8)", "RBP(rho=0.95)")
FIELDS = (Field(12, 10, THREE), Field(12, 25, THREE), Field(40, 25, THREE))
POOLED = (3, 10)  # documents of each system that are assessed
EPSILON = 1e-9


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Labels hidden at random, and below a depth; and teams that come later."""
    for text in MEASURES:
        for share in (0.7, 0.3):
            yield _bounded(text, f"{1 - share:.0%} of the labels hidden at random", share, None, trials, seed)
        for depth in POOLED:
            yield _bounded(text, f"labels of the first {depth} of each system", None, depth, trials, seed)
    for field in FIELDS:
        for depth in POOLED:
            yield from _placed(field, depth, trials, seed)


def _bounded(text: str, what: str, share: float | None, depth: int | None, trials: int, seed: int) -> Measured:
    field, held, width = FIELDS[0], 0, 0.0
    for trial in range(trials):
        true, ranks = field_of(field, np.random.default_rng((seed, trial)))
        whole = collection_of({"people": true, "other": true}, ranks, len(field.grades))
        kept = sampled_shares(whole, [share], 1, trial).kept(0) if share else top_documents(whole, [depth or 1]).kept(0)
        part = with_assessed(whole, kept)
        low, truth = (evaluate(text, one).mean() for one in (part, whole))
        high = low + residual(text, part).mean()
        held += bool(((low <= truth + EPSILON) & (truth <= high + EPSILON)).all())
        width += float((high - low).mean()) / trials
    return Measured(SCORE, text, field.systems, field.topics, what, held, trials, width=width)


def _placed(field: Field, depth: int, trials: int, seed: int) -> Iterator[Measured]:
    """The last team comes later: a system of it is placed by the pool without its team, and with it."""
    measure, held, width = parse("RBP(rho=0.8)"), np.zeros(2, dtype=int), np.zeros(2)
    for trial in range(trials):
        random = np.random.default_rng((seed, trial))
        true, ranks = field_of(field, random)
        old = field.systems - field.of_a_team
        pooled = _pool(true, ranks[:old], len(field.grades), depth)
        teams = {name: str(at // field.of_a_team) for at, name in enumerate(pooled.systems)}
        left_out = without_groups(pooled, teams, depth)
        moves = own_moves(left_out, rescored(measure, pooled, left_out))
        off = np.array([off_by(moves), off_by(moves, 1.0)])
        new = int(random.integers(old, field.systems))
        held += abs(_moved(true, ranks, len(field.grades), depth, old, new)) <= off
        width += off / trials
    name = f"{old // field.of_a_team} teams of {field.of_a_team} systems, first {depth} documents assessed"
    for what, times, off_on_average in zip(("95% of the systems", "the worst"), held.tolist(), width, strict=True):
        yield Measured(PLACE, name, field.systems, field.topics, what, times, trials, width=float(off_on_average))


def _pool(true: IntArray, ranks: IntArray, n_grades: int, depth: int) -> Collection:
    whole = collection_of({"people": true, "other": true}, ranks, n_grades)
    return with_assessed(whole, top_documents(whole, [depth]).kept(0))


def _moved(true: IntArray, ranks: IntArray, n_grades: int, depth: int, old: int, new: int) -> int:
    """Places between the pool of the old systems, and that with the whole team of the new one."""
    among = np.append(np.arange(old), new)
    places = []
    for pooled in (ranks[:old], ranks):
        kept: BoolArray = np.asarray((pooled <= depth).any(axis=0)).ravel()
        whole = collection_of({"people": true, "other": true}, ranks[among], n_grades)
        means = evaluate("RBP(rho=0.8)", with_assessed(whole, kept)).mean().to_numpy()
        places.append(int(ahead(means)[-1]))
    return places[0] - places[1]
