"""Scores of all systems on all topics under every specification: computed once, for any claim.

Combinations of options with equal scores on every topic that they use are one specification: it counts once, with
the largest of their weights. The combinations are kept, to find which choices matter.

Combinations that differ only in their topics share their scores. Shapes: N specifications, C combinations, M distinct
scorings, S systems, T topics. Scores are negated if low is good, so higher is always better. nan means no score, for
example if means are only over topics for which a system retrieved documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from evalcore.claims.alike import alike
from evalcore.claims.choices import Specifications
from evalcore.claims.design import Design, design_of, shares
from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.progress import Tell, checkpoint, tell_share
from evalcore.common.short_forms import shown
from evalcore.direction import BY_GROUP_INSTEAD
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.measures.evaluation import weighs_by_system
from evalcore.measures.unassessed import with_unassessed
from evalcore.sensitivity.first_places import scorer

MOST_SCORES = 64_000_000  # 512 MB: 20,000 specifications of 50 systems on 64 topics
FIRST_SHARE = 1 / 64  # share of the scorings before the first interim result; the next needs twice as many


@shown
@dataclass(frozen=True, eq=False)
class Multiverse:
    """Distinct specifications with their scores; `problems` are the reasons why other specifications have no scores.

    `laid_out` has all combinations of options, some with equal scores; `behind` has the index of each combination's
    specification.
    """

    design: Design
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    scores: FloatArray  # (M, S, T)
    scored: IntArray  # (N,) index of the scores of each specification
    fingerprint: str = ""
    title: str = ""
    undefined: int = 0
    problems: tuple[str, ...] = ()
    share: float = 1.0  # share of the scorings done
    laid_out: Design | None = None
    behind: IntArray | None = None  # (C,)

    def __len__(self) -> int:
        return len(self.design)

    @cached_property
    def covered(self) -> BoolArray:
        """(N, T) true if a topic has all labels that a specification reads, that is, if some system has a score."""
        scored: BoolArray = np.asarray(~np.isnan(self.scores).all(axis=1))
        return scored[self.scored]

    @property
    def labelled(self) -> str:
        """State how many topics have all labels that the specifications read, if some lack labels; else ""."""
        counts, topics = self.covered.sum(axis=1), len(self.topics)
        least, most = int(counts.min(initial=topics)), int(counts.max(initial=0))
        if least == topics:
            return ""
        some = f"{most}" if least == most else f"{least} to {most}"
        return f"{some} of {topics} topics have the labels that the measures read"

    @classmethod
    def of(cls, design: Design, scores: FloatArray, scored: IntArray, **about: Any) -> Multiverse:
        """Group combinations with equal scores into specifications; `about` gives the other fields, such as systems."""
        first = alike(design, scores, scored)
        every, behind = np.unique(first, return_inverse=True)
        weights = np.zeros(len(every))
        np.maximum.at(weights, behind, design.weights)
        once = replace(design.part(np.isin(np.arange(len(design)), every)), weights=shares(weights))
        return cls(once, scores=scores, scored=scored[every], laid_out=design, behind=behind, **about)

    @property
    def specification_of(self) -> IntArray:
        """(C,) index of the specification of each combination."""
        return np.arange(len(self)) if self.behind is None else self.behind

    @cached_property
    def counts(self) -> IntArray:
        """(N,) number of combinations that each specification represents."""
        return np.bincount(self.specification_of, minlength=len(self))

    @cached_property
    def combinations(self) -> Design:
        """All combinations; each specification's weight is divided equally among its combinations."""
        if self.laid_out is None:
            return self.design
        of = self.specification_of
        return replace(self.laid_out, weights=self.design.weights[of] / self.counts[of])

    @cached_property
    def taken(self) -> dict[str, FloatArray]:
        """A dict from each choice to the weight of each of its options in each specification (N, options)."""
        design, of = self.combinations, self.specification_of
        result = dict[str, FloatArray]()
        for choice, made in zip(design.choices, design.made.T, strict=True):
            applies = made >= 0
            result[choice.name] = np.zeros((len(self), len(choice.options)))
            np.add.at(result[choice.name], (of[applies], made[applies]), design.weights[applies])
        return result


def multiverse(
    specifications: Specifications | Design, collection: HasPoolAndRankings, *, tell: Tell | None = None
) -> Multiverse:
    """Score all systems under every specification; `tell` is called with the finished share.

    Raises InputError if there would be more than MOST_SCORES scores, or if none can be computed.
    """
    *_, last = growing(specifications, collection, tell=tell)
    return last


def growing(
    specifications: Specifications | Design, collection: HasPoolAndRankings, *, tell: Tell | None = None
) -> Iterator[Multiverse]:
    """Yield the multiverse as it grows: with a 64th of the scorings, drawn at random, then twice as many, ..., all.

    Raises InputError as `multiverse` does.
    """
    design = specifications if isinstance(specifications, Design) else design_of(specifications, collection)
    measures = dict[Measure, int]()
    asked = [with_unassessed(*pair) for pair in zip(design.measures, design.unassessed, strict=True)]
    scored = np.array([measures.setdefault(measure, len(measures)) for measure in asked])
    work = _Work(design, scored, collection, len(measures))
    order = np.random.default_rng(design.specifications.seed).permutation(len(measures))
    every = list(measures)
    listed = [every[at] for at in order.tolist()]
    shown = ceil(len(listed) * FIRST_SHARE)
    for done, (measure, means) in enumerate(_scored(listed, collection, tell), start=1):
        work.put(measures[measure], measure, means)
        if done in (shown, len(listed)):
            shown *= 2
            known = order[:done]
            if done == len(listed) or work.defined[known].any():
                yield work.so_far(known, done / len(listed))


class _Work:
    """Scores of a multiverse while they are computed."""

    def __init__(self, design: Design, scored: IntArray, collection: HasPoolAndRankings, count: int) -> None:
        systems, topics = collection.rankings.systems, collection.assessments.topics
        asked = count * len(systems) * len(topics)
        if asked > MOST_SCORES:
            raise InputError(
                f"expected at most {MOST_SCORES:,} scores to store, found {asked:,}: {count:,} ways to score, "
                f"{len(systems):,} systems and {len(topics):,} topics; choose fewer specifications, systems or topics"
            )
        self.design, self.of, self.collection = design, scored, collection
        self.scores = np.full((count, len(systems), len(topics)), np.nan)
        self.defined = np.zeros(count, dtype=bool)
        self.problems = dict[str, None]()

    def put(self, number: int, measure: Measure, means: FloatArray | InputError) -> None:
        """Store the scores of one measure, or the reason why it has none."""
        if isinstance(means, InputError):
            self.problems[f"{measure}: {means}"] = None
            return
        rankings = self.collection.rankings
        upwards = means if measure.good == "high" else -means
        if rankings.average_over != "all":
            upwards = np.where(rankings.counted(covered=~np.isnan(upwards)), upwards, np.nan)
        if weighs_by_system(measure, upwards):
            self.problems[f"{measure}: {BY_GROUP_INSTEAD}"] = None
            return
        self.scores[number] = upwards
        self.defined[number] = True

    def so_far(self, done: IntArray, share: float) -> Multiverse:
        """Return the multiverse of the specifications scored so far."""
        is_done = np.zeros(len(self.scores), dtype=bool)
        is_done[done] = True
        known = (is_done & self.defined)[self.of]
        if not known.any():
            raise InputError(f"expected a measure that can be computed here, found none: {next(iter(self.problems))}")
        return Multiverse.of(
            self.design.part(known),
            self.scores,
            self.of[known],
            systems=tuple(self.collection.rankings.systems),
            topics=tuple(self.collection.assessments.topics),
            fingerprint=getattr(self.collection, "fingerprint", ""),
            title=getattr(self.collection, "title", ""),
            undefined=int((is_done & ~self.defined)[self.of].sum()),
            problems=tuple(self.problems),
            share=share,
        )


def _scored(
    measures: Sequence[Measure], collection: HasPoolAndRankings, tell: Tell | None
) -> Iterator[tuple[Measure, FloatArray | InputError]]:
    """Yield each measure with its scores (S, T), or with the reason why it has none."""
    score = scorer(collection)
    for at, measure in enumerate(measures):
        checkpoint(at / len(measures))
        try:
            yield measure, score(measure)
        except InputError as error:
            yield measure, error.with_traceback(None)
        tell_share(tell, (at + 1) / len(measures))
