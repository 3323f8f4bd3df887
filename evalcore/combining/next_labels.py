"""What to label next: which human labels decide who is ahead, and how many of them it takes.

Scores that are sums of gains differ between systems i and j by D = sum over documents of (w_i - w_j) g, w the weight
of a document's rank. Where people labelled a document, g is known; of others it has the mean and the variance s^2 that
the model's label, and how high systems rank the document, let expect. So D has a mean and a variance V, and a chance
to have the other sign. A label takes (w_i - w_j)^2 s^2 of that variance away (Carterette, Allan, Sitaraman 2006,
"Minimal test collections for retrieval evaluation", doi 10.1145/1148170.1148219). The documents that are worth most are
those with the largest

    sum over pairs of (chance that the order is wrong) * (share of the variance of D that the document has).

How many it takes is counted with the largest parts first, as if all scores stayed as they are expected.

That takes the model to err alike on the documents of all systems. Where it favours some, too many good labels for
their documents look like what the class lets expect: of pairs whose sign was sure by that alone up to half were in the
other order, as long as people labelled few documents. What people labelled tells of it: with r the gain of such a
document less what its class without it lets expect, take r to be b (w_i - w_j) s^2 on average, with any b. By least
squares

    b = R / W,  R = sum over labelled documents of (w_i - w_j) r,  W = that of (w_i - w_j)^2 s^2,

so that D is larger by R V / W than it seems, with the variance V + V^2 / W. The two systems are *decided* where the
sign of D is as sure as the level by the class alone and so: they would be in this order however people label the rest.

That b speaks of the documents that are left where those with labels were drawn at random, and are as good as FEWEST or
more of one weight, W^2 / sum of squares. Labels that were chosen, as those that come of this, are of documents that
systems rank highest, on which a model that favours some is right most often: W and R are of those that were drawn
(`HumanLabels.drawn_ones`); of all with a label once their W is SHARE V or more. Simulated: docs/doubt.md.

The labels that come of it are no random sample, and this speaks of these topics alone: an estimate of scores, and of
what other topics would say, needs labels that were drawn (`evalcore.combining.combined`).

Shapes: P pool rows, S systems, T topics, G grades, C classes of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr

from evalcore.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.combining.combined import TwoSources
from evalcore.combining.estimates import Sampled, sums_by
from evalcore.combining.human_labels import ALL_LABELS, BANDS, HumanLabels, KeptLabels
from evalcore.errors import InputError, check_level
from evalcore.judges.rescoring import NONE, grade_places
from evalcore.measures import Measure
from evalcore.pools.selections import best_ranks
from evalcore.progress import checkpoint
from evalcore.rounding import SOLVED
from evalcore.shown import shown
from evalcore.structures.documents import Collection

AIMS = ("order", "first")
ORDERS = ("decisive", "random", "pooled", "uncertain")
"""How documents are chosen: by what they decide; at random; by the best rank; by how little the model tells of them."""

FEWEST, SHARE = 10.0, 2.0
"""From how many labelled documents on a pair can be decided; and how many times the variance that is left they have to
hold, if they were not drawn at random."""

PRIOR = 4.0  # labels that a class is taken to have had before: half of them the model's own, the others any


class Told(NamedTuple):
    """What documents that people labelled tell of pairs of systems (...): W, the sum of the squares of its terms, R."""

    seen: FloatArray
    squares: FloatArray
    surprise: FloatArray

    def chance_wrong(self, lead: FloatArray, left: FloatArray) -> FloatArray:
        """(...) how likely leads have the other sign, with the variance V that is left; a half where too few tell."""
        enough = (self.seen > 0) & (self.seen**2 >= FEWEST * self.squares)
        times = divided(left, self.seen)
        size, error = np.sign(lead) * (lead + times * self.surprise), np.sqrt(left * (1 + times))
        return np.where(enough, ndtr(-divided(size, error)), 0.5)


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What is known of every document: the mean and the variance of its gain, and of the systems' differences."""

    two: TwoSources
    labels: HumanLabels

    @cached_property
    def unlabelled(self) -> BoolArray:
        """(P,) documents that the model labelled, and people did not."""
        return np.asarray(self.known & (self.places == NONE))

    @cached_property
    def chances(self) -> FloatArray:
        """(P, G) how likely each grade is: that of the label where people gave one, else as in the class."""
        return as_labelled(self.believed(self.counts)[self.kinds], self.places)

    @cached_property
    def means(self) -> FloatArray:
        """(P,) expected gains; 0 of documents that nobody labelled."""
        return self._expected[0]

    @cached_property
    def variances(self) -> FloatArray:
        """(P,) of gains that people have not told."""
        return self._expected[1]

    @cached_property
    def _expected(self) -> tuple[FloatArray, FloatArray]:
        return expected_gains(self.chances, self.gains, self.known, self.places != NONE)

    @cached_property
    def undivided(self) -> FloatArray:
        """(S, P) what a gain adds to each system's mean over topics, before it is divided by the ideal order's."""
        scorer = self.two.scorer
        matrix = scorer.collection.rankings.system_matrix(scorer.hit_weights).toarray()
        return np.asarray(matrix / len(self.two.collection.topics))

    @cached_property
    def weights(self) -> FloatArray:
        """(S, P) what a gain adds to each system's mean over topics."""
        return self.undivided / self._ideals[self.topic] if self.two.scorer.divides_by_ideal else self.undivided

    @cached_property
    def scores(self) -> FloatArray:
        """(S,) expected means."""
        return np.asarray(self.weights @ self.means)

    @cached_property
    def spread(self) -> FloatArray:
        """(S, S) the variances of differences."""
        return _spread(self.weights, self.variances)

    @cached_property
    def chance(self) -> FloatArray:
        """(S, S) how likely two systems are in another order than they seem, if the model errs alike on the documents
        of all."""
        return chance_wrong(self.leads, self.spread)

    @cached_property
    def wrong(self) -> FloatArray:
        """(S, S) how likely two systems are in another order than they seem, with what labels tell of the model."""
        return verdict(self.leads, self.spread, self.told, self.told_by_drawn)

    @cached_property
    def leads(self) -> FloatArray:
        """(S, S) of the system of the row."""
        return np.asarray(self.scores[:, None] - self.scores)

    @cached_property
    def told(self) -> Told:
        """(S, S) what all documents that people labelled tell."""
        return self._told(self.places != NONE)

    @cached_property
    def told_by_drawn(self) -> Told:
        """(S, S) what those of them tell that were drawn at random."""
        return self._told(self.labels.drawn_ones)

    def _told(self, among: BoolArray) -> Told:
        n_labels = self.counts.sum(axis=1)[self.kinds]
        more, variances = surprises(self.believed(self.counts)[self.kinds], self.gains, self.places, n_labels)
        weights, variances = self.weights[:, among], variances[among]  # few, as labels are
        sums, squares = weights @ more[among], fourth_powers(weights, variances)
        return Told(_spread(weights, variances), squares, np.asarray(sums[:, None] - sums))

    def values(self, pairs: FloatArray) -> FloatArray:
        """(P,) what a label of each document is worth, of pairs of systems that count so much (S, S), symmetric."""
        importance = pairs * divided(self.chance, self.spread)
        rows = importance.sum(axis=1)
        squares = rows @ self.weights**2 - ((importance @ self.weights) * self.weights).sum(axis=0)
        return np.asarray(np.maximum(squares, 0.0) * self.variances)

    def needed(self, first: int, second: int, level: float) -> int:
        """How many labels, the best ones first, leave the order of two systems sure, if it stays as it is expected."""
        if self.wrong[first, second] <= 1 - level:
            return 0
        parts = np.sort((self.weights[first] - self.weights[second]) ** 2 * self.variances)[::-1]
        left = np.append(np.cumsum(parts[::-1])[::-1][1:], 0.0)
        told, by_drawn = (
            Told(*(values[first, second] for values in pairs)) for pairs in (self.told, self.told_by_drawn)
        )
        told = Told(told.seen + np.cumsum(parts), told.squares + np.cumsum(parts**2), told.surprise)
        wrong = verdict(self.leads[first, second], left, told, by_drawn)
        return 1 + int(np.flatnonzero(wrong <= 1 - level)[0])

    # --- by classes of documents: one for each label of the model, and part of how high systems rank them -------------

    @property
    def gains(self) -> FloatArray:
        """(P, G) by grade."""
        return self.two.scorer.gain_table[:, :-1]

    @property
    def topic(self) -> IntArray:
        """(P,) of each document."""
        return self.two.collection.assessments.topic

    @cached_property
    def places(self) -> IntArray:
        """(P,) the grade that people gave, as its place among all, or NONE."""
        return grade_places(self.labels.human, self.two.scorer.grades)

    @cached_property
    def known(self) -> BoolArray:
        """(P,) whether a document has a label of anyone."""
        return np.asarray((self.places != NONE) | ~np.isnan(self.labels.model))

    @cached_property
    def kinds(self) -> IntArray:
        """(P,) the class of each document."""
        return (grade_places(self.labels.model, self.two.scorer.grades) + 1) * BANDS + self.two.height_bands

    @cached_property
    def counts(self) -> FloatArray:
        """(C, G) how many documents of a class people gave each grade."""
        n_grades = len(self.two.scorer.grades)
        counts = np.zeros(((n_grades + 1) * BANDS, n_grades))
        labelled = self.places != NONE
        np.add.at(counts, (self.kinds[labelled], self.places[labelled]), 1.0)
        return counts

    def believed(self, counts: FloatArray) -> FloatArray:
        """(..., C, G) how likely each grade is in a class of which people gave so many."""
        n_grades = counts.shape[-1]
        own = np.repeat(np.eye(n_grades + 1, n_grades, -1), BANDS, axis=0) / 2 + 0.5 / n_grades
        believed = counts + PRIOR * own / own.sum(axis=1, keepdims=True)
        return np.asarray(believed / believed.sum(axis=-1, keepdims=True))

    @cached_property
    def _ideals(self) -> FloatArray:
        """(T,) the sums of the ideal orders of as many documents of each grade as are expected."""
        return self.ideals(self.topic, self.chances * self.known[:, None])

    def ideals(self, topic: IntArray, expected: FloatArray) -> FloatArray:
        """(T,) the sums of the ideal orders, 1 where nothing gains; of documents (N, G) that stand for so many each."""
        counts = sums_by(topic, expected, len(self.two.collection.topics))
        ideal = Sampled(self.two.scorer, self.labels, self.two.height_bands).ideal_of(counts)
        return np.where(ideal > 0, ideal, 1.0)


def as_labelled(chances: FloatArray, places: IntArray) -> FloatArray:
    """(N, G) how likely each grade is: certain where people gave one, by its place, else as it is."""
    return np.where((places != NONE)[:, None], np.eye(chances.shape[1])[np.maximum(places, 0)], chances)


def expected_gains(
    chances: FloatArray, gains: FloatArray, known: BoolArray, labelled: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """(N,) the mean gain of documents that anyone labelled, 0 of others; its variance where people did not."""
    mean, variance = _mean_and_variance(chances, gains)
    return np.where(known, mean, 0.0), np.where(known & ~labelled, variance, 0.0)


def _mean_and_variance(chances: FloatArray, gains: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(N,) of gains (N, G) that are so likely."""
    mean = (chances * gains).sum(axis=1)
    return mean, np.maximum((chances * gains**2).sum(axis=1) - mean**2, 0.0)


def _spread(weights: FloatArray, variances: FloatArray) -> FloatArray:
    """(S, S) the variances of differences of sums with weights (S, P), 0 where rounding alone is left."""
    both = (weights * variances) @ weights.T
    own = np.diag(both)
    total = own[:, None] + own
    return without_rounding(total - 2 * both, total)


def without_rounding(variance: FloatArray, total: FloatArray) -> FloatArray:
    """Variances of differences of sums, 0 where rounding alone is left of the `total` of both."""
    return np.where(variance > SOLVED * total, variance, 0.0)


def fourth_powers(weights: FloatArray, variances: FloatArray) -> FloatArray:
    """(S, S) the sum over documents of (w_i - w_j)^4 s^4, of weights (S, P) and variances (P,)."""
    squares, scale = weights**2, variances**2
    own = (squares**2 * scale).sum(axis=1)
    once, twice = (squares * weights * scale) @ weights.T, (squares * scale) @ squares.T
    return np.asarray(np.maximum(own[:, None] + own - 4 * (once + once.T) + 6 * twice, 0.0))


def surprises(
    chances: FloatArray, gains: FloatArray, places: IntArray, n_labels: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(N,) the gain of documents that people labelled less what their class without them lets expect, 0 of others; and
    the variance that it lets expect. Of grades as likely as in the class, (N, G), and labels in the class, (N,)."""
    mean, variance = _mean_and_variance(chances, gains)
    more = np.take_along_axis(gains, np.maximum(places, 0)[:, None], axis=1)[:, 0] - mean
    labelled, taken = places != NONE, n_labels + PRIOR
    return np.where(labelled, more * taken / (taken - 1), 0.0), np.where(labelled, variance, 0.0)


def chance_wrong(lead: FloatArray, spread: FloatArray) -> FloatArray:
    """(...) how likely leads with this variance have the other sign; 0 without variance."""
    return np.where(spread > 0, ndtr(-divided(np.abs(lead), np.sqrt(spread))), 0.0)


def verdict(lead: FloatArray, left: FloatArray, told: Told, by_drawn: Told) -> FloatArray:
    """(...) how likely leads have the other sign, by the classes alone and by what labels tell of the model's favour;
    with the variance V that is left, 0 without any."""
    favoured = np.where(told.seen >= SHARE * left, told.chance_wrong(lead, left), by_drawn.chance_wrong(lead, left))
    return np.where(left > 0, np.maximum(chance_wrong(lead, left), favoured), 0.0)


@shown
@dataclass(frozen=True, eq=False)
class NextLabels:
    """The documents whose human labels decide most, and the pairs of systems that they are to decide.

    `documents` has rows topic, document, model (its label), value (what a label is expected to take away of the doubt
    about the pairs that count, summed over them), the most valuable first. `pairs` has a row for each pair that the aim
    asks for (of the whole order the neighbours): system_a, ahead of system_b, by difference, wrong (the chance that
    labels reverse that, a half where there are too few to say), decided, needed (how many more labels decide it).
    `needed` is how many documents, in the order of `documents`, decide all pairs of the aim, if scores stay as they are
    expected; `decided` of `of_pairs` are now, and `sure` would be if the model erred alike on all systems' documents.
    """

    measure: str
    aim: str
    human: str
    model: str
    documents: pd.DataFrame
    pairs: pd.DataFrame
    decided: int
    sure: int
    of_pairs: int
    needed: int
    n_labels: int
    level: float

    def template(self, n: int | None = None) -> str:
        """A qrels file of the first n documents, all with -1, which means that nobody judged them yet.

        Put the grades in their place, and open the file as further labels of the assessors.
        """
        rows = self.documents if n is None else self.documents.head(n)
        return "".join(
            f"{topic} 0 {document} -1\n" for topic, document in zip(rows["topic"], rows["document"], strict=True)
        )


def label_next(
    measure: Measure | str,
    collection: Collection,
    model: str | None = None,
    human: str | None = None,
    *,
    aim: str | Sequence[str] = "order",
    n: int = 100,
    kept: KeptLabels | str = ALL_LABELS,
    aspect: str | None = None,
    level: float = 0.95,
) -> NextLabels:
    """Which n documents people should label next, to decide the order of all systems, who is first, or a pair.

    `aim`: "order", "first", or the names of two systems. Human labels may be hidden as in `combine`, to try it. Raises
    InputError for a measure whose scores are no sums of gains, unknown systems, and as `combine` does.

    >>> import evalcore as ec
    >>> runs = {"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"y": 2.0, "x": 1.0}}}
    >>> machine = {"t": {"x": 1, "y": 0}}
    >>> c = ec.collection(runs, {"relevance": {"people": {"t": {"y": 0}}, "machine": machine}})
    >>> found = label_next("P@1", c, aim=("a", "b"), level=0.99)
    >>> found.documents["document"].tolist(), found.needed, found.template()
    (['x'], 1, 't 0 x -1\\n')
    """
    check_level(level)
    two = TwoSources.of(measure, collection, model, human, aspect)
    labels = two.kept(kept)
    beliefs = Beliefs(two, labels)
    Sampled(two.scorer, labels, two.height_bands)  # which refuses measures whose scores are no sums
    pairs = pairs_of(aim, beliefs)
    values = beliefs.values(pairs)
    order = _decisive(values, beliefs.unlabelled)
    return NextLabels(
        measure=str(two.measure),
        aim=aim if isinstance(aim, str) else " and ".join(aim),
        human=two.human,
        model=two.model,
        documents=_documents(two, labels, order[:n], values),
        pairs=_pair_table(beliefs, aim, pairs, level),
        decided=int(((beliefs.wrong <= 1 - level) & (pairs > 0)).sum()) // 2,
        sure=int(((beliefs.chance <= 1 - level) & (pairs > 0)).sum()) // 2,
        of_pairs=int((pairs > 0).sum()) // 2,
        needed=_needed(beliefs, order, pairs, level),
        n_labels=labels.n_labels,
        level=level,
    )


def pairs_of(aim: str | Sequence[str], beliefs: Beliefs) -> FloatArray:
    """(S, S) 1 for the pairs that the aim asks for."""
    systems = beliefs.two.collection.systems
    count = len(systems)
    pairs = np.zeros((count, count))
    if aim == "order":
        pairs[:] = 1.0
    elif aim == "first":
        leader = int(np.argmax(beliefs.scores if beliefs.two.measure.good == "high" else -beliefs.scores))
        pairs[leader] = pairs[:, leader] = 1.0
    else:
        at = [systems.index(name) for name in aim if name in systems] if not isinstance(aim, str) else []
        if len(set(at)) != 2:
            text = aim if isinstance(aim, str) else ", ".join(aim)
            raise InputError(f"expected an aim of {', '.join(AIMS)}, or the names of two systems, found {text}")
        pairs[at[0], at[1]] = pairs[at[1], at[0]] = 1.0
    np.fill_diagonal(pairs, 0.0)
    return pairs


def _decisive(values: FloatArray, unlabelled: BoolArray) -> IntArray:
    order = np.argsort(-values, kind="stable")
    return order[unlabelled[order]]


def _documents(two: TwoSources, labels: HumanLabels, rows: IntArray, values: FloatArray) -> pd.DataFrame:
    ids = two.collection.assessments.ids(rows)
    return pd.DataFrame({**ids, "model": labels.model[rows], "value": values[rows]})


def _pair_table(beliefs: Beliefs, aim: str | Sequence[str], pairs: FloatArray, level: float) -> pd.DataFrame:
    systems = beliefs.two.collection.systems
    sign = 1.0 if beliefs.two.measure.good == "high" else -1.0
    best = np.argsort(-sign * beliefs.scores, kind="stable")
    if aim == "order":
        asked = list(pairwise(best))
    else:
        asked = [(a, b) for at, a in enumerate(best) for b in best[at + 1 :] if pairs[a, b]]
    rows = []
    for a, b in asked:
        rows.append(
            {
                "system_a": systems[a],
                "system_b": systems[b],
                "difference": float(beliefs.scores[a] - beliefs.scores[b]),
                "wrong": float(beliefs.wrong[a, b]),
                "decided": bool(beliefs.wrong[a, b] <= 1 - level),
                "needed": beliefs.needed(a, b, level),
            }
        )
    return pd.DataFrame(rows)


def _needed(beliefs: Beliefs, order: IntArray, pairs: FloatArray, level: float) -> int:
    """How many documents in this order decide all pairs, if scores stay as they are expected."""
    a, b = np.nonzero(np.triu(pairs))
    if (beliefs.wrong[a, b] <= 1 - level).all():
        return 0
    lead, (seen, squares, surprise) = beliefs.leads[a, b], (values[a, b] for values in beliefs.told)
    by_drawn = Told(*(values[a, b] for values in beliefs.told_by_drawn))
    low, high = 1, len(order)

    def all_decided(count: int) -> bool:
        new = np.zeros(len(beliefs.variances))
        new[order[:count]] = beliefs.variances[order[:count]]
        left = _spread(beliefs.weights, beliefs.variances - new)[a, b]
        now = seen + _spread(beliefs.weights, new)[a, b], squares + fourth_powers(beliefs.weights, new)[a, b]
        return bool((verdict(lead, left, Told(*now, surprise), by_drawn) <= 1 - level).all())

    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if all_decided(middle) else (middle + 1, high)
    return low


# --- what it is worth -------------------------------------------------------------------------------------------------


def labelling_curve(
    measure: Measure | str,
    collection: Collection,
    model: str | None = None,
    human: str | None = None,
    *,
    orders: Iterable[str] = ORDERS,
    pilot: float = 0.02,
    most: int = 1000,
    steps: int = 10,
    level: float = 0.95,
    seed: int = 0,
) -> pd.DataFrame:
    """Labels spent against pairs decided, by each of ORDERS, where all human labels are known and hidden at first.

    A share `pilot` of the documents is labelled at random; then the documents that come first by an order, in `steps`
    equal parts up to `most`, each chosen with the labels before it. A row for each order and number of labels: decided,
    the pairs of systems that are decided at the level; right, those in the order that all human labels give, or tied by
    them; wrong; and sure, sure_right and sure_wrong, the same of pairs whose order is as sure if the model errs alike
    on the documents of all systems. Raises InputError for an unknown order, where people did not label all
    documents, and as `label_next` does.
    """
    two = TwoSources.of(measure, collection, model, human)
    Sampled(two.scorer, two.labels, two.height_bands)
    two.refuse_gaps()
    truth = two.means_by_people.to_numpy()
    rows = list[dict[str, str | int]]()
    for name in orders:
        if name not in ORDERS:
            raise InputError(f"expected an order of {', '.join(ORDERS)}, found {name!r}")
        labels = two.kept(KeptLabels(pilot, seed=seed))
        random = np.random.default_rng(seed)
        chance = random.random(len(two.labels.human))
        before = 0
        for spent in np.linspace(0, most, steps + 1).round().astype(int).tolist():
            more, before = spent - before, spent
            if more:
                rows_next = _chosen(name, Beliefs(two, labels), chance)[:more]
                labels = _labelled(two, labels, rows_next, chosen=name != "random")
            rows.append({"order": name, "labels": spent, **_decisions(Beliefs(two, labels), truth, level)})
            checkpoint()
    return pd.DataFrame(rows).set_index(["order", "labels"])


def _chosen(name: str, beliefs: Beliefs, chance: FloatArray) -> IntArray:
    """The pool rows without a human label in the order in which they are to get one."""
    if name == "decisive":
        return _decisive(beliefs.values(pairs_of("order", beliefs)), beliefs.unlabelled)
    cost = {
        "random": np.zeros(len(chance)),
        "pooled": best_ranks(beliefs.two.collection.rankings).astype(np.float64),
        "uncertain": -beliefs.variances,
    }[name]
    order = np.lexsort((chance, cost))
    return np.asarray(order[beliefs.unlabelled[order]])


def _labelled(two: TwoSources, labels: HumanLabels, rows: IntArray, chosen: bool) -> HumanLabels:
    human = labels.human.copy()
    human[rows] = two.labels.human[rows]
    topics = labels.topics.copy()
    topics[two.collection.assessments.topic[rows]] = True
    chance = labels.chance.copy()
    if chosen:
        chance[rows] = 1.0
    return replace(labels, human=human, topics=topics, chance=chance)


def _decisions(beliefs: Beliefs, truth: FloatArray, level: float) -> dict[str, int]:
    a, b = np.triu_indices(len(truth), 1)
    same = np.sign(beliefs.scores[a] - beliefs.scores[b]) * np.sign(np.round(truth[a] - truth[b], 12))
    decided, sure = (wrong[a, b] <= 1 - level for wrong in (beliefs.wrong, beliefs.chance))
    return {
        "decided": int(decided.sum()),
        "right": int((decided & (same >= 0)).sum()),
        "wrong": int((decided & (same < 0)).sum()),
        "sure": int(sure.sum()),
        "sure_right": int((sure & (same >= 0)).sum()),
        "sure_wrong": int((sure & (same < 0)).sum()),
    }
