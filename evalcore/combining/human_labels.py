"""Which documents have a human label, and how likely each was to get one: read from the sources, or drawn to try it.

Labels that are drawn have chances that are known. In each topic the documents that all systems rank low are drawn
systematically: in order of the model's label and of how high systems rank them, from a random start, so that the sample
holds each grade, each rank and each topic in proportion (Cochran 1977, "Sampling Techniques", chapter 8).

Shapes: P pool rows, T topics.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.errors import InputError
from evalcore.judges.agreement import source_labels, usual_pair
from evalcore.judges.favouring import bands_within, standing
from evalcore.pools.selections import best_ranks
from evalcore.rounding import floors
from evalcore.shown import shown
from evalcore.structures.documents import Assessments, Collection

BANDS = 3  # of documents by how high systems rank them


@shown
@dataclass(frozen=True, eq=False)
class HumanLabels:
    """The human labels that are read, beside the model's.

    `human`, `model` (P,) are labels, nan where there is none; `chance` (P,) is that of a document to have a human label
    in a topic that has some: 1 where all were labelled, 0 where none such was. `topics` (T,) are those with human
    labels. `drawn` says whether the chances are known; else they are the shares that were labelled.
    """

    human: FloatArray
    model: FloatArray
    chance: FloatArray
    topics: BoolArray
    drawn: bool

    @property
    def n_labels(self) -> int:
        """How many human labels there are."""
        return int((~np.isnan(self.human)).sum())


def sources_of(pool: Assessments, aspect: str, model: str | None, human: str | None) -> tuple[str, str]:
    """The names of the model and of the assessors: by default the first other source, and the one read unasked.

    Raises InputError for one source only, an unknown one, or one that is both.
    """
    usual_human, _ = usual_pair(pool, aspect)
    people = human or usual_human
    machine = model or next(name for name in pool.sources[aspect].names if name != people)
    if people == machine:
        raise InputError(f"expected the labels of a model beside those of {people!r}, found {people!r} for both")
    return machine, people


def read_labels(collection: Collection, aspect: str, model: str, human: str) -> HumanLabels:
    """All labels of both; of a topic that assessors labelled in part, how likely each document was to be labelled.

    That is not known, and taken to be the share that was labelled of the documents of the topic that systems rank about
    as high (in BANDS parts). Raises InputError for an unknown source, or no topic with labels of both.
    """
    pool = collection.assessments
    people, machine = (source_labels(pool, aspect, name) for name in (human, model))
    topics = _having(people, pool)
    if not (topics & _having(machine, pool)).any():
        raise InputError(f"expected a topic that {human!r} and {model!r} both labelled, found none")
    cell = pool.topic * BANDS + height_bands(collection)
    labelled = ~np.isnan(people)
    known = labelled | ~np.isnan(machine)
    share = divided(np.bincount(cell, labelled), np.bincount(cell, known))[cell]
    return HumanLabels(people, machine, share, topics, drawn=False)


def height_bands(collection: Collection) -> IntArray:
    """(P,) in which of BANDS parts of its topic each document is, by how high systems rank it."""
    return bands_within(standing(collection.rankings), collection.assessments.topic, BANDS)


def hidden_but(
    labels: HumanLabels,
    collection: Collection,
    share: float = 1.0,
    topics: float = 1.0,
    depth: int = 0,
    seed: int = 0,
) -> HumanLabels:
    """Hide the human labels but for a random share, to see what few of them tell.

    Of the topics a share `topics` keeps labels. There, what some system ranks down to `depth` keeps its label; of the
    others a share keeps it, drawn systematically within each topic by the model's label and by `standing`. Raises
    InputError for shares outside of (0, 1] or a depth below 0.

    >>> from evalcore.data import collection
    >>> c = collection({"a": {"t": {"x": 2.0, "y": 1.0}}}, {"t": {"x": 1, "y": 0}})
    >>> one = np.array([1.0, 0.0])
    >>> whole = HumanLabels(one, one, np.ones(2), np.ones(1, dtype=bool), drawn=False)
    >>> hidden_but(whole, c, share=0.5).n_labels, hidden_but(whole, c, share=0.5, depth=1).chance.tolist()
    (1, [1.0, 0.5])
    """
    if not (0 < share <= 1 and 0 < topics <= 1) or depth < 0:
        raise InputError(
            f"expected shares above 0 and up to 1, and a depth from 0 on, found {share:g}, {topics:g} and {depth}"
        )
    random = np.random.default_rng(seed)
    pool = collection.assessments
    kept_topics = _some(labels.topics, topics, random)
    labelled = ~np.isnan(labels.human)
    top = labelled & (best_ranks(collection.rankings) <= depth) if depth else np.zeros(len(labelled), dtype=bool)
    rest = labelled & ~top
    kept = top | _systematic(rest, pool.topic, (labels.model, standing(collection.rankings)), share, random)
    kept &= kept_topics[pool.topic]
    chance = labels.chance * np.where(top, 1.0, share)
    return HumanLabels(np.where(kept, labels.human, np.nan), labels.model, chance, kept_topics, drawn=True)


def _some(topics: BoolArray, share: float, random: np.random.Generator) -> BoolArray:
    """(T,) a share of these topics, at least one."""
    at = np.flatnonzero(topics)
    kept = np.zeros(len(topics), dtype=bool)
    kept[random.permutation(at)[: max(1, round(share * len(at)))]] = True
    return kept


def _systematic(
    among: BoolArray, topic: IntArray, order: tuple[FloatArray, ...], share: float, random: np.random.Generator
) -> BoolArray:
    """(P,) in each topic every 1 / share-th of these documents in an order, from a random start."""
    start = random.random(int(topic.max(initial=-1)) + 1)
    shuffled = random.permutation(len(topic))
    at = np.lexsort((shuffled, *order[::-1], topic))
    at = at[among[at]]
    within = np.arange(len(at)) - np.searchsorted(topic[at], topic[at])
    begin = start[topic[at]]
    kept = np.zeros(len(topic), dtype=bool)
    kept[at] = floors(share * (within + 1) + begin) > floors(share * within + begin)
    return kept


def _having(labels: FloatArray, pool: Assessments) -> BoolArray:
    """(T,) the topics with such labels."""
    return np.asarray(np.bincount(pool.topic, ~np.isnan(labels), len(pool.topics)) > 0)
