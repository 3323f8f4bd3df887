"""Questions about labels: agreement of judges, human labels combined with a model's, incomplete pools, and bands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.cells import Answer, Cell, Question, Sample, within
from benchmarks.coverage.populations import Random, collections
from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.labels.combining import HUMAN, KeptLabels, TwoSources
from evalcore.labels.judges import Agreement, source_agreement
from evalcore.labels.judges.noise import Noise
from evalcore.labels.judges.rescoring import scores_by
from evalcore.labels.pools import off_by, own_moves, rescored, without_groups
from evalcore.labels.pools.reduced_pools import with_assessed
from evalcore.labels.pools.selections import top_documents
from evalcore.measures import evaluate, parse, residual
from evalcore.meta.order import ahead
from evalcore.structures.documents import Assessments, Collection, LoadingReport, Rankings, Scale
from evalcore.structures.sources import Sources

TOPICS = 20_000  # topics of an invented population of judged topics
ALL_TOPICS = 1_000  # topics of the population of collections with a model's labels
MEASURE = "RBP(rho=0.8)"
COEFFICIENTS = (("agreement", "none"), ("kappa", "none"), ("kappa", "quadratic"), ("alpha", "ordinal"), ("AC", "none"))


# --- agreement: topics with counts of pairs of labels -----------------------------------------------------------------


@dataclass(frozen=True)
class Judges:
    """Two judges. On average over topics, a share `same` of the labels is identical; the others are random."""

    name: str
    grades: tuple[float, ...]  # the frequency of each grade
    same: float
    varies: float = 0.15  # standard deviation of `same` over topics
    documents: int = 60  # mean number per topic
    uneven: float = 1.0  # standard deviation of the logarithm of that number

    def chances(self, topics: int, random: Random) -> FloatArray:
        """Return the probability of each pair of labels on every topic, (T, G, G)."""
        first, second = random.dirichlet(8 * np.array(self.grades), (2, topics))
        same = np.clip(self.same + self.varies * random.standard_normal(topics), 0, 0.999)[:, None, None]
        return np.asarray(
            same * first[:, :, None] * np.eye(len(self.grades)) + (1 - same) * first[:, :, None] * second[:, None, :]
        )


THREE_GRADES = (0.7, 0.2, 0.1)
JUDGES = (
    Judges("three grades", THREE_GRADES, 0.6),
    Judges("topics of one size", THREE_GRADES, 0.6, uneven=0.0),
    Judges("topics of very unequal size", THREE_GRADES, 0.6, uneven=1.5),
    Judges("rare grades", (0.9, 0.07, 0.03), 0.6),
    Judges("very rare grades", (0.97, 0.03), 0.6, documents=200),
    Judges("agreement near 1", (0.7, 0.3), 0.98, 0.02),
    Judges("agreement by chance", THREE_GRADES, 0.0, 0.0),
    Judges("topics that differ much", THREE_GRADES, 0.5, 0.4),
)


@dataclass(frozen=True, eq=False)
class Labelled:
    """A population of topics: the number of documents with each pair of labels, (T, G, G)."""

    name: str
    counts: FloatArray
    size: int = 2

    @cached_property
    def truth(self) -> Agreement:
        return agreement_of(self.counts.sum(axis=0, keepdims=True))

    def draw(self, topics: int, random: Random) -> Agreement:
        return agreement_of(self.counts[random.integers(0, len(self.counts), topics)])


@dataclass(frozen=True)
class OneTopic:
    """A population of single topics, each with the same number of documents, labelled by two judges."""

    judges: Judges
    documents: int
    size: int = 2

    @property
    def name(self) -> str:
        return f"{self.judges.name}, {self.documents} documents"

    def draw(self, topics: int, random: Random) -> tuple[Agreement, Agreement]:
        chances = replace(self.judges, varies=0.0).chances(topics, random)
        return agreement_of(_counts(chances, np.full(topics, self.documents), random)), agreement_of(1e6 * chances)


def invented(judges: Judges, topics: int = TOPICS) -> Labelled:
    """Return a population of topics that are labelled by these judges."""
    random = np.random.default_rng(0)
    sizes = judges.documents * np.exp(judges.uneven * random.standard_normal(topics) - judges.uneven**2 / 2)
    return Labelled(judges.name, _counts(judges.chances(topics, random), np.maximum(sizes.astype(int), 3), random))


def _counts(chances: FloatArray, sizes: IntArray, random: Random) -> FloatArray:
    flat = chances.reshape(len(chances), -1)
    return random.multinomial(sizes, flat / flat.sum(axis=1, keepdims=True)).reshape(chances.shape).astype(np.float64)


def agreement_of(counts: FloatArray) -> Agreement:
    """Return the agreement of sources "a" and "b", from the number of documents with each pair of labels, (T, G, G)."""
    both = counts + np.swapaxes(counts, 1, 2)
    grades, topics = range(counts.shape[1]), range(len(counts))
    return Agreement(
        "relevance", ("a", "b"), tuple(map(float, grades)), tuple(map(str, grades)), tuple(f"t{at}" for at in topics),
        counts.sum(axis=(1, 2)).astype(int), counts, both, both / 2,
    )  # fmt: skip


def agreement(sample: Sample) -> Iterator[Answer]:
    """Check the interval of each agreement coefficient, of the agreement on a random grade, and of a random cell.

    The cell is one of the confusion matrix. For comparison, the percentiles of each coefficient over resamples of
    topics are checked too.
    """
    found, truth = sample.drawn, sample.population.truth
    for way in COEFFICIENTS:
        interval, true = found.coefficient(*way), truth.coefficient(*way).estimate
        low, high = _percentiles(found, way, sample.random)
        held = within(interval.low, true, interval.high)
        before, width = float(low <= true <= high), interval.high - interval.low
        yield Answer("Agreement of two sources of labels", held, f"{way[0]} ({way[1]})", width, before, high - low)
    for what, table, values in (
        ("grades", found.by_grade(), truth.by_grade()["value"]),
        ("cells", found.cells(), truth.cells()["share"]),
    ):
        at = int(sample.random.integers(len(table)))
        low, high = table[["low", "high"]].iloc[at]
        held = within(low, float(values.iloc[at]), high)
        yield Answer("Specific agreement on a grade, and cells of the confusion matrix", held, what, high - low)


def _percentiles(found: Agreement, way: tuple[str, str], random: Random) -> FloatArray:
    """Return the 2.5th and 97.5th percentile of a coefficient over 200 resamples of topics, (2,); nan if undefined."""
    pairs, of = found._way(*way)
    values = of(np.tensordot(random.multinomial(len(pairs), np.full(len(pairs), 1 / len(pairs)), 200), pairs, axes=1))
    return np.nanquantile(values, [0.025, 0.975]) if not np.isnan(values).all() else np.full(2, np.nan)


def agreement_on_a_topic(sample: Sample) -> Iterator[Answer]:
    """Check the intervals of coefficients over the documents of one topic."""
    found, truth = sample.drawn
    for way in (("agreement", "none"), ("kappa", "none"), ("AC", "none")):
        low, high = found.by_topic(*way).iloc[0][["low", "high"]]
        held = within(low, float(truth.by_topic(*way)["value"].iloc[0]), high)
        yield Answer("Agreement on one topic", held, f"{way[0]} ({way[1]})", high - low)


# --- systems whose documents all have labels --------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """Systems of different quality, in teams that share an opinion of every document; all systems rank all documents.

    A judge gives the best grade to a share `likes` of the documents that systems of the first team rank in the top 5.
    """

    size: int  # number of systems
    topics: int
    grades: tuple[float, ...]  # the frequency of each grade
    documents: int = 60
    of_a_team: int = 4
    worth: tuple[float, float] = (0.3, 1.6)  # weight of the true grades, for the worst and the best system
    likes: float = 0.0

    @property
    def name(self) -> str:
        equal = ", systems that are equal" if self.worth[0] == self.worth[1] else ""
        return f"{len(self.grades)} grades, a reference that is right{equal}"

    def draw(self, topics: int, random: Random) -> Collection:
        """Return a collection of the systems, with labels of a reference "a" and of a judge "b"."""
        true, ranks = self.ranked(topics, random)
        wrong = {2: (0.1, 0.25), 3: (0.1, 0.25, 0.15)}[len(self.grades)]
        b = _liking(_erring(true, wrong, random), ranks, self, random)
        return collection_of({"a": true, "b": b}, ranks, len(self.grades))

    def ranked(self, topics: int, random: Random) -> tuple[IntArray, IntArray]:
        """Return true grades (T, D) and ranks (S, T, D)."""
        shares = random.dirichlet(10 * np.array(self.grades), topics)
        true = (random.random((topics, self.documents, 1)) > np.cumsum(shares, axis=1)[:, None, :-1]).sum(axis=2)
        scores = []
        for at in range(self.size):
            if at % self.of_a_team == 0:
                opinion = random.normal(size=true.shape)
            seen = random.uniform(*self.worth) * true / (len(self.grades) - 1)
            scores.append(seen + 0.7 * opinion + 0.5 * random.normal(size=true.shape))
        return true, np.argsort(np.argsort(-np.array(scores), axis=2), axis=2) + 1


def _liking(labels: IntArray, ranks: IntArray, field: Field, random: Random) -> IntArray:
    liked = (ranks[: field.of_a_team] <= 5).any(axis=0) & (random.random(labels.shape) < field.likes)
    return np.where(liked, len(field.grades) - 1, labels)


def _erring(true: IntArray, wrong: Sequence[float], random: Random) -> IntArray:
    """Return grades in which a share `wrong` of each true grade is replaced.

    Each further step from the true grade halves the probability of the new grade.
    """
    grades = np.arange(len(wrong))
    chances = 0.5 ** np.abs(grades[:, None] - grades) * (grades[:, None] != grades)
    chances *= np.array(wrong)[:, None] / chances.sum(axis=1, keepdims=True)
    chances += np.diag(1 - np.array(wrong))
    return np.asarray((random.random(true.shape)[..., None] > np.cumsum(chances, axis=1)[true][..., :-1]).sum(axis=-1))


def collection_of(labels: Mapping[str, IntArray], ranks: IntArray, n_grades: int) -> Collection:
    """Return a collection of systems that rank all documents, with these ranks (S, T, D).

    `labels` maps each source to its labels (T, D); the first source is the default.
    """
    n_systems, n_topics, n_documents = ranks.shape
    given = {name: values.ravel().astype(float) for name, values in labels.items()}
    pool = Assessments(
        tuple(f"t{at}" for at in range(n_topics)),
        np.repeat(np.arange(n_topics), n_documents),
        np.array([f"d{at}" for at in range(n_topics * n_documents)], dtype=object),
        {"relevance": next(iter(given.values()))},
        {"relevance": Scale("relevance", grades=tuple(map(float, range(n_grades))))},
        sources={"relevance": Sources(given, next(iter(given)))},
    )
    names, lists = tuple(f"s{at}" for at in range(n_systems)), n_systems * n_topics
    rows = np.argsort(ranks, axis=2) + n_documents * np.arange(n_topics)[None, :, None]
    rankings = Rankings(
        names, n_topics, n_topics * n_documents, np.arange(lists + 1) * n_documents,
        np.tile(np.arange(1, n_documents + 1), lists), rows.ravel(), np.full((n_systems, n_topics), n_documents),
    )  # fmt: skip
    facts = pd.DataFrame(index=pd.Index(names, name="system", dtype=object))
    return Collection("invented", pool, rankings, LoadingReport(facts, pd.DataFrame()))


# --- human labels and a model's labels together -----------------------------------------------------------------------


@dataclass(frozen=True)
class Model:
    """A judge who repeats the human label with probability `same`; other labels follow the grades' frequencies."""

    name: str
    same: float
    likes: float = 0.0


MODELS = (
    Model("agrees by chance", 0.0),
    Model("agrees a little", 0.3),
    Model("agrees well", 0.7),
    Model("agrees nearly always", 0.95),
    Model("agrees well, favours a team", 0.7, likes=0.4),
)
HIDDEN = (
    ("RBP(rho=0.8)", 50, "5% of the documents", KeptLabels(0.05)),
    ("RBP(rho=0.8)", 50, "10% of the documents", KeptLabels(0.1)),
    ("RBP(rho=0.8)", 50, "30% of the documents", KeptLabels(0.3)),
    ("nDCG@10", 50, "5% of the documents", KeptLabels(0.05)),
    ("nDCG@10", 50, "20% of the documents", KeptLabels(0.2)),
    ("P@10", 50, "first 2, and 5% of the other documents", KeptLabels(0.05, depth=2)),
    ("AP", 200, "5% of the topics", KeptLabels(topics=0.05)),
    ("AP", 50, "10% of the topics", KeptLabels(topics=0.1)),
    ("RBP(rho=0.8)", 50, "20% of the documents of half of the topics", KeptLabels(0.2, 0.5)),
)
FIELD = Field(12, ALL_TOPICS, THREE_GRADES)


@dataclass(frozen=True)
class Modelled:
    """A population of collections with labels of a model and of people; only some of the human labels are kept."""

    model: Model
    measure: str
    what: str
    kept: KeptLabels
    size: int = FIELD.size

    @property
    def name(self) -> str:
        return f"{self.measure}, model {self.model.name}"

    def draw(self, topics: int, random: Random) -> Collection:
        true, ranks = _whole()
        drawn = random.integers(0, ALL_TOPICS, topics)
        some, places = true[drawn], ranks[:, drawn]
        other = random.choice(len(FIELD.grades), size=some.shape, p=FIELD.grades)
        labels = np.where(random.random(some.shape) < self.model.same, some, other)
        labels = _liking(labels, places, replace(FIELD, likes=self.model.likes), random)
        return collection_of({"people": some, "model": labels}, places, len(FIELD.grades))


@cache
def _whole() -> tuple[IntArray, IntArray]:
    """Return grades (T, D) and ranks (S, T, D) of the whole population."""
    return FIELD.ranked(ALL_TOPICS, np.random.default_rng(0))


@cache
def _true_means(measure: str) -> FloatArray:
    """Return the mean scores over all topics of the population, (S,)."""
    true, ranks = _whole()
    whole = collection_of({"people": true, "model": true}, ranks, len(FIELD.grades))
    return scores_by(parse(measure), whole, "relevance", true.ravel().astype(float)).mean(axis=0)


def combined(sample: Sample) -> Iterator[Answer]:
    """Check intervals of a random system's mean on the sampled topics and on all topics.

    For comparison, intervals from human labels only are checked too.
    """
    asked, at = sample.population, int(sample.random.integers(FIELD.size))
    two = TwoSources.of(parse(asked.measure), sample.drawn)
    found = two.combined(two.kept(asked.kept.with_(seed=sample.trial)))
    truths = (two.by_people.mean(axis=0)[at], _true_means(asked.measure)[at])
    ends = []
    for line in ("combined", HUMAN):
        mean, half = float(found.scores[line].iloc[:, at].mean()), found.half_widths(line)[::-1, at]
        ends.append([(mean - one, mean + one) for one in half])
    for name, truth, (low, high), (least, most) in zip(("these topics", "all topics"), truths, *ends, strict=True):
        subject = f"Scores from model labels corrected with human labels, {name}"
        held, before = within(low, truth, high), float(bool(within(least, truth, most)))
        yield Answer(subject, held, asked.what, high - low, before, most - least)


def combined_ranks(sample: Sample) -> Iterator[Answer]:
    """Check the rank intervals of the best system and of a random one.

    For comparison, intervals from human labels only are checked too.
    """
    asked, truth = sample.population, _true_means(sample.population.measure)
    lowest, highest = 1 + ahead(truth), len(truth) - ahead(-truth)
    two = TwoSources.of(parse(asked.measure), sample.drawn)
    found = two.combined(two.kept(asked.kept.with_(seed=sample.trial)), n_resamples=50)
    tables = [found.ranks(line).table.loc[list(sample.drawn.systems)] for line in ("combined", HUMAN)]
    for who, at in (("the best", int(np.argmax(truth))), ("one at random", int(sample.random.integers(FIELD.size)))):
        ends = [table[["rank_low", "rank_high"]].iloc[at].astype(float).tolist() for table in tables]
        held = [low <= lowest[at] and highest[at] <= high for low, high in ends]
        widths = [high - low for low, high in ends]
        subject, what = "Ranks from model labels corrected with human labels", f"{asked.what}, {who}"
        yield Answer(subject, bool(held[0]), what, widths[0], float(held[1]), widths[1])


# --- incomplete pools, and bands over draws ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Ranked(Field):
    """A `Field` whose `draw` returns the true grades (T, D) and the ranks (S, T, D), not a collection."""

    label: str = ""

    @property
    def name(self) -> str:
        return self.label

    def draw(self, topics: int, random: Random) -> tuple[IntArray, IntArray]:  # type: ignore[override]
        return self.ranked(topics, random)


def _all_labels(true: IntArray, ranks: IntArray, n_grades: int) -> Collection:
    return collection_of({"people": true, "other": true}, ranks, n_grades)


def bounded(what: str, kept_of: Callable[[Collection, int], BoolArray]) -> Question:
    """Return a question: is each mean with all labels within the limits from the kept labels?

    The limits are the mean with the kept labels, and that mean plus its residual.
    """

    def question(sample: Sample) -> Iterator[Answer]:
        measure, (true, ranks) = sample.population.name, sample.drawn
        whole = _all_labels(true, ranks, len(sample.population.grades))
        part = with_assessed(whole, kept_of(whole, sample.trial))
        low, truth = (evaluate(measure, one).mean() for one in (part, whole))
        high = low + residual(measure, part).mean()
        held = bool(((low <= truth + 1e-9) & (truth <= high + 1e-9)).all())
        yield Answer("Bounds of a score with unassessed documents", held, what, float((high - low).mean()))

    return question


def _at_random(whole: Collection, seed: int, share: float) -> BoolArray:
    """Return a mask over the pool, (P,), that keeps each label with probability `share`."""
    return np.random.default_rng(seed).random(len(whole.assessments)) < share


def placed(depth: int) -> Question:
    """Return a question: does a system's rank change by at most the stated error when its team is pooled too?"""

    def question(sample: Sample) -> Iterator[Answer]:
        field, (true, ranks) = sample.population, sample.drawn
        n_grades, old = len(field.grades), field.size - field.of_a_team
        whole = _all_labels(true, ranks[:old], n_grades)
        pooled = with_assessed(whole, top_documents(whole, [depth]).kept(0))
        teams = {name: str(at // field.of_a_team) for at, name in enumerate(pooled.systems)}
        left_out = without_groups(pooled, teams, depth)
        moves = own_moves(left_out, rescored(parse(MEASURE), pooled, left_out))
        among, places = np.append(np.arange(old), sample.random.integers(old, field.size)), []
        for those in (ranks[:old], ranks):
            kept: BoolArray = np.asarray((those <= depth).any(axis=0)).ravel()
            part = with_assessed(_all_labels(true, ranks[among], n_grades), kept)
            places.append(int(ahead(evaluate(MEASURE, part).mean().to_numpy())[-1]))
        for what, off in (("95% of the systems", off_by(moves)), ("the worst", off_by(moves, 1.0))):
            held = abs(places[0] - places[1]) <= off
            yield Answer("Error of the rank of a system outside the pool", bool(held), what, float(off))

    return question


def one_draw_more(draws: int) -> Question:
    """Return a question: is tau in one additional draw of wrong labels within the band over `draws` draws?"""

    def question(sample: Sample) -> Iterator[Answer]:
        collection, seed = sample.drawn, sample.trial
        some, other = (
            Noise.of(MEASURE, collection, "neighbour", n_draws=count, seed=start).at(0.2)
            for count, start in ((draws, seed), (1, seed + 1_000_000))
        )
        low, high, tau = some["tau_low"], some["tau_high"], float(other["tau"])
        what = f"one draw more than {draws}"
        yield Answer("Band over draws of wrong labels", within(low, tau, high), what, float(high - low))

    return question


def cells(data: Path | None) -> Iterator[Cell]:
    """Yield the cells to measure: each with its question, population and number of topics."""
    labelled = [invented(judges) for judges in JUDGES]
    for folder in collections(data, "dl2021judges"):
        import evalcore as ec

        collection = ec.load(folder)
        first, *others = collection.assessments.sources["relevance"].labels
        for other in others:
            counts = source_agreement(collection, (first, other)).counts
            labelled.append(Labelled(f"{folder.name}, {first} and {other}", counts))
    yield from (Cell(agreement, population, topics) for population in labelled for topics in (5, 10, 25))
    for judges, documents in product(JUDGES, (30, 100, 300)):
        yield Cell(agreement_on_a_topic, OneTopic(judges, documents), 1)
    two, three = (0.75, 0.25), THREE_GRADES
    for (measure, topics, what, kept), model in product(HIDDEN, MODELS):
        yield Cell(combined, Modelled(model, measure, what, kept), topics)
    for at, model in product((1, 3, 5, 7, 8), MODELS[::2]):
        measure, topics, what, kept = HIDDEN[at]
        yield Cell(combined_ranks, Modelled(model, measure, what, kept), topics)
    for measure in (MEASURE, "GradedRBP(rho=0.8)", "RBP(rho=0.95)"):
        field = Ranked(12, 10, three, label=measure)
        for share in (0.7, 0.3):
            hidden = f"{1 - share:.0%} of the labels hidden at random"
            yield Cell(bounded(hidden, partial(_at_random, share=share)), field, 10)
        for depth in (3, 10):
            kept_of = lambda whole, seed, depth=depth: top_documents(whole, [depth]).kept(0)  # noqa: E731
            yield Cell(bounded(f"labels of the first {depth} of each system", kept_of), field, 10)
    for (systems, topics), depth in product(((12, 10), (12, 25), (40, 25)), (3, 10)):
        name = f"{systems // 4 - 1} teams of 4 systems, first {depth} documents assessed"
        yield Cell(placed(depth), Ranked(systems, topics, three, label=name), topics)
    for some, draws in product((Field(8, 5, two), Field(20, 10, three)), (20, 50, 100)):
        yield Cell(one_draw_more(draws), some, some.topics)
