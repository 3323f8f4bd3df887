"""Human labels and their inclusion probabilities, read from the sources or drawn at random.

Labels that are drawn have known probabilities. The documents of each topic that no system ranks near the top are drawn
systematically, in order of the model's label and of their ranks, from a random start, so that the sample represents
each grade, rank and topic in proportion (Cochran 1977, "Sampling Techniques", chapter 8).

Shapes: P pool rows, T topics.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.common.rounding import floors
from evalcore.common.short_forms import shown
from evalcore.errors import InputError
from evalcore.labels.combining.rank_bands import bands_within, standing
from evalcore.labels.judges.agreement import source_labels, usual_pair
from evalcore.labels.pools.selections import best_ranks
from evalcore.notation.values import Range, Value, parameter, parse_value
from evalcore.structures.documents import Assessments, Collection

BANDS = 3  # groups of a topic's documents by how high systems rank them


@shown
@dataclass(frozen=True, eq=False)
class HumanLabels:
    """The human labels in use, with the model's labels.

    `human` and `model` (P,) are labels, nan if missing; `chance` (P,) is the probability that a document has a human
    label, if its topic has any: 1 if all similar documents were labelled, 0 if none was. `topics` (T,) marks topics
    with human labels. `drawn` is true if the probabilities are known; otherwise they are estimated as labelled shares.
    """

    human: FloatArray
    model: FloatArray
    chance: FloatArray
    topics: BoolArray
    drawn: bool

    @property
    def n_labels(self) -> int:
        """The number of human labels."""
        return int((~np.isnan(self.human)).sum())


def sources_of(pool: Assessments, aspect: str, model: str | None, human: str | None) -> tuple[str, str]:
    """Return the names of the model's and the human source of an aspect's labels.

    By default the human source is the aspect's default source, and the model is the first other source. Raises
    InputError if the aspect has only one source, or if both names are the same.
    """
    usual_human, _ = usual_pair(pool, aspect)
    people = human or usual_human
    machine = model or next(name for name in pool.sources[aspect].names if name != people)
    if people == machine:
        raise InputError(f"expected different labels for people and model, found {people!r} for both")
    return machine, people


def read_labels(collection: Collection, aspect: str, model: str, human: str) -> HumanLabels:
    """Read all labels of both sources, and estimate each document's probability of a human label.

    The estimate is the labelled share of the topic's documents in the same band (see `height_bands`). Raises
    InputError for an unknown source, and if no topic has labels from both sources.
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
    """Return the (P,) band of each document within its topic, 0 to BANDS - 1, by its ranks in all systems."""
    return bands_within(standing(collection.rankings), collection.assessments.topic, BANDS)


@dataclass(frozen=True)
class KeptLabels(Value):
    """A rule for the human labels to keep, by default all; the others are hidden.

    A share `topics` of the topics keeps labels. In these, the documents that some system ranks within `depth` keep
    their labels, and so does a `share` of the other documents, drawn systematically within each topic in the order of
    the model's label and of `standing`.

    >>> from evalcore.data import collection
    >>> c = collection({"a": {"t": {"x": 2.0, "y": 1.0}}}, {"t": {"x": 1, "y": 0}})
    >>> one = np.array([1.0, 0.0])
    >>> whole = HumanLabels(one, one, np.ones(2), np.ones(1, dtype=bool), drawn=False)
    >>> KeptLabels(share=0.5).of(whole, c).n_labels, KeptLabels(share=0.5, depth=1).of(whole, c).chance.tolist()
    (1, [1.0, 0.5])
    """

    share: float = parameter(
        1.0,
        "share of each topic's documents that keep their human labels, drawn with the same share in each of the "
        "model's grades and each range of ranks. Only for measures whose scores are sums of gains: RBP, DCG, nDCG, P.",
        within=Range(0, 1, open_low=True, step=0.05),
    )
    topics: float = parameter(
        1.0,
        "share of the topics that keep human labels, drawn at random. Any measure can be estimated from whole topics.",
        within=Range(0, 1, open_low=True, step=0.05),
    )
    depth: int = parameter(
        0, "number of top documents of every system that keep their human labels; 0: none", within=Range(0)
    )
    seed: int = parameter(0, "seed of the random draw", within=Range(0))

    @property
    def hides(self) -> bool:
        """True if any label may be hidden."""
        return self.share < 1 or self.topics < 1

    def of(self, labels: HumanLabels, collection: Collection) -> HumanLabels:
        """Return the labels with only those human labels that this rule keeps."""
        if not self.hides:
            return labels
        random = np.random.default_rng(self.seed)
        pool, high = collection.assessments, standing(collection.rankings)
        topics = _some(labels.topics, self.topics, random)
        labelled = ~np.isnan(labels.human)
        top = labelled & (best_ranks(collection.rankings) <= self.depth)
        kept = top | _systematic(labelled & ~top, pool.topic, (labels.model, high), self.share, random)
        kept &= topics[pool.topic]
        chance = labels.chance * np.where(top, 1.0, self.share)
        return HumanLabels(np.where(kept, labels.human, np.nan), labels.model, chance, topics, drawn=True)


ALL_LABELS = KeptLabels()


def as_kept_labels(text: KeptLabels | str) -> KeptLabels:
    """Return the rule; text such as `KeptLabels(topics=0.2)` is parsed. Raises InputError for other text."""
    result: KeptLabels = text if isinstance(text, KeptLabels) else parse_value(text, KeptLabels)
    return result


def _some(topics: BoolArray, share: float, random: np.random.Generator) -> BoolArray:
    """Draw a share of the marked topics (T,), at least one; return marks (T,) of the topics drawn."""
    at = np.flatnonzero(topics)
    kept = np.zeros(len(topics), dtype=bool)
    kept[random.permutation(at)[: max(1, round(share * len(at)))]] = True
    return kept


def _systematic(
    among: BoolArray, topic: IntArray, order: tuple[FloatArray, ...], share: float, random: np.random.Generator
) -> BoolArray:
    """Return marks (P,) of every (1 / share)-th marked document of each topic, by `order`, from a random start."""
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
    """Return the (T,) mask of topics with any of these labels (P,)."""
    return np.asarray(np.bincount(pool.topic, ~np.isnan(labels), len(pool.topics)) > 0)
