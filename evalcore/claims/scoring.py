"""Scores of all systems on all topics under every specification: computed once, for any claim.

Specifications that differ in their topics alone share their scores. Shapes: N specifications, M distinct scorings,
S systems, T topics. Scores are turned upwards: higher is better whatever the measure. nan: no score, as where means are
over the topics that a system retrieved for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from evalcore.arrays import FloatArray, IntArray
from evalcore.claims.choices import Specifications
from evalcore.claims.design import Design, design_of
from evalcore.claims.unassessed import with_unassessed
from evalcore.errors import InputError
from evalcore.measures.aggregates import Aggregate
from evalcore.measures.base import Around, GainMeasure, HasPoolAndRankings, Measure, unwrapped
from evalcore.measures.evaluation import InParts
from evalcore.progress import Tell, checkpoint
from evalcore.sensitivity.outcomes import scorer
from evalcore.shown import shown

MOST_SCORES = 64_000_000  # 512 MB: 20,000 specifications of 50 systems on 64 topics
FIRST_SHARE = 1 / 16  # of the scorings, after which there is a first picture; then after twice as many


@shown
@dataclass(frozen=True, eq=False)
class Multiverse:
    """Specifications with their scores. `problems`: why some of the specifications have none; they are not in it."""

    design: Design
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    scores: FloatArray  # (M, S, T)
    scored: IntArray  # (N,) where the scores of each specification stand
    fingerprint: str = ""
    title: str = ""
    undefined: int = 0
    problems: tuple[str, ...] = ()
    share: float = 1.0  # of the scorings that are done

    def __len__(self) -> int:
        return len(self.design)


def multiverse(
    specifications: Specifications | Design, collection: HasPoolAndRankings, *, tell: Tell | None = None
) -> Multiverse:
    """Score all systems under every specification, laid out already or not; `tell` gets the share that is done.

    Raises InputError where the scores would be more than MOST_SCORES numbers, or none can be computed.
    """
    *_, last = growing(specifications, collection, tell=tell)
    return last


def growing(
    specifications: Specifications | Design, collection: HasPoolAndRankings, *, tell: Tell | None = None
) -> Iterator[Multiverse]:
    """The multiverse as it grows: of a sixteenth of the scorings, drawn at random, then of twice as many, ..., of all.

    A collection in parts is read once, and gives all at the end.
    """
    design = specifications if isinstance(specifications, Design) else design_of(specifications, collection)
    measures = dict[Measure, int]()
    scored = np.array(
        [
            measures.setdefault(with_unassessed(*one), len(measures))
            for one in zip(design.measures, design.unassessed, strict=True)
        ]
    )
    work = _Work(design, scored, collection, len(measures))
    order = np.random.default_rng(design.specifications.seed).permutation(len(measures))
    every = list(measures)
    listed = [every[at] for at in order.tolist()]
    shown = ceil(len(listed) * FIRST_SHARE)
    for done, (measure, found) in enumerate(_scored(listed, collection, tell), start=1):
        work.put(measures[measure], measure, found)
        if done == len(listed) or (done == shown and not isinstance(collection, InParts)):
            shown *= 2
            if done == len(listed) or work.defined[order[:done]].any():
                yield work.so_far(order[:done])


class _Work:
    """Scores as they come in."""

    def __init__(self, design: Design, scored: IntArray, collection: HasPoolAndRankings, count: int) -> None:
        systems, topics = collection.rankings.systems, collection.assessments.topics
        asked = count * len(systems) * len(topics)
        if asked > MOST_SCORES:
            raise InputError(
                f"expected at most {MOST_SCORES:,} scores to be kept, found {asked:,} of {count:,} ways to score, "
                f"{len(systems):,} systems and {len(topics):,} topics: ask for fewer specifications, systems or topics"
            )
        self.design, self.of, self.collection = design, scored, collection
        self.scores = np.full((count, len(systems), len(topics)), np.nan)
        self.defined = np.zeros(count, dtype=bool)
        self.problems = dict[str, None]()

    def put(self, at: int, measure: Measure, found: FloatArray | InputError) -> None:
        """Keep the scores of one measure, or why it has none."""
        if isinstance(found, InputError):
            self.problems[f"{measure}: {found}"] = None
            return
        rankings = self.collection.rankings
        upwards = found if measure.good == "high" else -found
        self.scores[at] = upwards if rankings.average_over == "all" else np.where(rankings.counted(), upwards, np.nan)
        self.defined[at] = True

    def so_far(self, done: IntArray) -> Multiverse:
        """The specifications whose measures were scored."""
        is_done = np.zeros(len(self.scores), dtype=bool)
        is_done[done] = True
        known = (is_done & self.defined)[self.of]
        if not known.any():
            raise InputError(f"expected a measure that can be scored here, found none: {next(iter(self.problems))}")
        return Multiverse(
            self.design.part(known),
            tuple(self.collection.rankings.systems),
            tuple(self.collection.assessments.topics),
            self.scores,
            self.of[known],
            getattr(self.collection, "fingerprint", ""),
            getattr(self.collection, "title", ""),
            int((is_done & ~self.defined)[self.of].sum()),
            tuple(self.problems),
            len(done) / len(self.scores),
        )


def _scored(
    measures: Sequence[Measure], collection: HasPoolAndRankings, tell: Tell | None
) -> Iterator[tuple[Measure, FloatArray | InputError]]:
    """The scores of each measure (S, T), or why it has none."""
    if isinstance(collection, InParts):
        asked = [one for one in measures if not _needs_whole_pool(one, collection)]
        yield from zip(asked, collection.score_each(asked, tell=tell), strict=True)
        whole = InputError("expected a collection in memory, found one in parts: its gains depend on all topics")
        yield from ((one, whole) for one in measures if _needs_whole_pool(one, collection))
        return
    score = scorer(collection)
    for at, measure in enumerate(measures):
        checkpoint(at / len(measures))
        try:
            yield measure, score(measure)
        except InputError as error:
            yield measure, error.with_traceback(None)
        if tell is not None:
            tell((at + 1) / len(measures))


def _needs_whole_pool(measure: Measure, collection: HasPoolAndRankings) -> bool:
    """Whether gains that are scored on other rankings hang on the whole pool, which a part does not have."""
    measure, _ = unwrapped(measure)
    parts = measure.parts if isinstance(measure, Aggregate) else (measure,)
    bases = [one.measure for one, _ in map(unwrapped, parts) if isinstance(one, Around)]
    return any(isinstance(one, GainMeasure) and one.needs_whole_pool(collection.assessments) for one in bases)
