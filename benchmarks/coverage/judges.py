"""Intervals of agreement and verdicts of favour, on invented judges of whom the truth is known, and on real labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.measured import Measured, Subject
from evalcore.arrays import FloatArray, IntArray
from evalcore.judges import Agreement, favour, source_agreement
from evalcore.structures.documents import Assessments, Collection, LoadingReport, Rankings, Scale
from evalcore.structures.sources import Sources

TOPICS = 20_000  # of an invented population
FEW_TOPICS = (5, 10, 25)
COEFFICIENTS = (("agreement", "none"), ("kappa", "none"), ("kappa", "quadratic"), ("alpha", "ordinal"), ("AC", "none"))
ALPHA = 0.05
PERMUTATIONS = 199
MEASURE = "RBP(rho=0.8)"

AGREEMENT = Subject(
    "Agreement of two sources of labels",
    "The interval of kappa, alpha, AC and raw agreement holds the value over all such topics",
    "Delete-one-topic jackknife on Fisher's z, t with as many degrees of freedom as topics count; none of fewer than 5 "
    "topics, or of too few documents",
    "covers",
    0.95,
)
ON_A_TOPIC = Subject(
    "Agreement on one topic",
    "The interval of a coefficient on a topic holds its value over all documents such as those of the topic",
    "The same, with each document left out once",
    "covers",
    0.95,
)
OF_A_GRADE = replace(AGREEMENT, name="Specific agreement on a grade, and cells of the confusion matrix")
FAVOUR = Subject(
    "Favour of a judge",
    "A judge favours some system: its corrected p is at most 0.05",
    "True labels drawn as likely; the labels of both judges permuted among documents of one topic and one true label; "
    "the largest of all systems (max-T)",
    "errs",
    ALPHA,
)
FAVOUR_OF_RIGHT = replace(
    FAVOUR,
    name="Favour of a judge, the reference taken as right",
    method="The judge's labels permuted among documents of one topic, one label and one band (max-T)",
)
FAVOUR_OF_GROUP = replace(
    FAVOUR,
    name="Favour of a judge to a group",
    claim="A judge favours some group of systems: its corrected p is at most 0.05",
    method="The same, of the mean of each group. `ec.judges.favour`, groups",
)
FOUND = replace(
    FAVOUR, name="Favour that is there", claim="A judge that favours a team is found to", kind="finds", nominal=1.0
)
SUBJECTS = (AGREEMENT, ON_A_TOPIC, OF_A_GRADE, FAVOUR, FAVOUR_OF_RIGHT, FAVOUR_OF_GROUP, FOUND)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """All of it: the corners at which few topics, rare grades, chance and errors of the reference make it hard."""
    for labelled in [*map(invented, JUDGES), *_real(data)]:
        for topics in FEW_TOPICS:
            yield from coverage(labelled, topics, trials, seed)
    for judges in JUDGES:
        yield from coverage_on_topics(judges, trials, seed)
    for field in FIELDS:
        for errs in (False, True):
            yield favoured(field, errs, trials, seed)
            yield favoured(field, errs, max(trials // 5, 1), seed, likes=0.25)
        yield favoured(field, False, trials, seed, right=True)
    for field in FEW:
        yield favoured_team(field, True, trials, seed)


# --- agreement --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judges:
    """Two judges: a share `same` of the labels is one label for both, on average over topics; the others are drawn."""

    name: str
    grades: tuple[float, ...]  # how frequent each is
    same: float
    varies: float = 0.15  # standard deviation of `same` over topics
    documents: int = 60  # of a topic, on average
    uneven: float = 1.0  # standard deviation of the logarithm of their number


JUDGES = (
    Judges("three grades", (0.7, 0.2, 0.1), 0.6),
    Judges("topics of one size", (0.7, 0.2, 0.1), 0.6, uneven=0.0),
    Judges("topics of very unequal size", (0.7, 0.2, 0.1), 0.6, uneven=1.5),
    Judges("rare grades", (0.9, 0.07, 0.03), 0.6),
    Judges("very rare grades", (0.97, 0.03), 0.6, documents=200),
    Judges("agreement near 1", (0.7, 0.3), 0.98, 0.02),
    Judges("agreement by chance", (0.7, 0.2, 0.1), 0.0, 0.0),
    Judges("topics that differ much", (0.7, 0.2, 0.1), 0.5, 0.4),
)


@dataclass(frozen=True, eq=False)
class Labelled:
    """A population of topics: how many documents of each have every two labels, (T, G, G)."""

    name: str
    counts: FloatArray


def agreement_of(counts: FloatArray) -> Agreement:
    """Two sources with these counts, (T, G, G)."""
    both = counts + np.swapaxes(counts, 1, 2)
    grades, topics = range(counts.shape[1]), range(len(counts))
    return Agreement(
        "relevance",
        ("a", "b"),
        tuple(map(float, grades)),
        tuple(map(str, grades)),
        tuple(f"t{at}" for at in topics),
        counts.sum(axis=(1, 2)).astype(int),
        counts,
        both,
        both / 2,
    )


def invented(judges: Judges, topics: int = TOPICS) -> Labelled:
    random = np.random.default_rng(0)
    sizes = judges.documents * np.exp(judges.uneven * random.standard_normal(topics) - judges.uneven**2 / 2)
    return Labelled(judges.name, _counts(_chances(judges, topics, random), np.maximum(sizes.astype(int), 3), random))


def _chances(judges: Judges, topics: int, random: np.random.Generator) -> FloatArray:
    """(T, G, G) how likely each two labels are on every topic."""
    first, second = random.dirichlet(8 * np.array(judges.grades), (2, topics))
    same = np.clip(judges.same + judges.varies * random.standard_normal(topics), 0, 0.999)[:, None, None]
    return same * first[:, :, None] * np.eye(len(judges.grades)) + (1 - same) * first[:, :, None] * second[:, None, :]


def _counts(chances: FloatArray, sizes: IntArray, random: np.random.Generator) -> FloatArray:
    flat = chances.reshape(len(chances), -1)
    drawn = random.multinomial(sizes, flat / flat.sum(axis=1, keepdims=True))
    return drawn.reshape(chances.shape).astype(np.float64)


def _real(data: Path | None) -> Iterator[Labelled]:
    if data is None or not (data / "dl2021judges").exists():
        return
    import evalcore as ec

    collection = ec.load(data / "dl2021judges")
    first, *others = collection.assessments.sources["relevance"].labels
    for other in others:
        yield Labelled(f"dl2021judges, {first} and {other}", source_agreement(collection, (first, other)).counts)


def coverage(population: Labelled, topics: int, trials: int, seed: int) -> Iterator[Measured]:
    """How often intervals over drawn topics hold the value over the population."""
    random = np.random.default_rng(seed)
    truth = agreement_of(population.counts.sum(axis=0, keepdims=True))
    wanted = {way: truth.coefficient(*way).estimate for way in COEFFICIENTS}
    grades, cells = truth.by_grade()["value"].to_numpy(), truth.cells()["share"].to_numpy()
    held: dict[str, list[FloatArray]] = {}
    for _ in range(trials):
        drawn = agreement_of(population.counts[random.integers(0, len(population.counts), topics)])
        for way, true in wanted.items():
            interval = drawn.coefficient(*way)
            row = [interval.low, interval.high, true, *percentiles(drawn, way, random)]
            held.setdefault(f"{way[0]} ({way[1]})", []).append(np.array([row]))
        for what, table, values in (("grades", drawn.by_grade(), grades), ("cells", drawn.cells(), cells)):
            held.setdefault(what, []).append(np.column_stack([table["low"], table["high"], values]))
    for what, rows in held.items():
        subject = OF_A_GRADE if what in ("grades", "cells") else AGREEMENT
        yield _measured(subject, population.name, topics, what, np.concatenate(rows))


def percentiles(drawn: Agreement, way: tuple[str, str], random: np.random.Generator) -> FloatArray:
    """(2,) what there was before: the ends of a percentile interval over 200 resamples of topics."""
    pairs, of = drawn._way(*way)
    counts = random.multinomial(len(pairs), np.full(len(pairs), 1 / len(pairs)), 200)
    values = of(np.tensordot(counts, pairs, axes=1))
    return np.nanquantile(values, [0.025, 0.975]) if not np.isnan(values).all() else np.full(2, np.nan)


def coverage_on_topics(judges: Judges, trials: int, seed: int) -> Iterator[Measured]:
    """How often intervals over the documents of one topic hold what the topic has in the long run."""
    random = np.random.default_rng(seed)
    chances = _chances(replace(judges, varies=0.0), trials, random)
    for documents in (30, 100, 300):
        drawn = agreement_of(_counts(chances, np.full(trials, documents), random))
        for way in (("agreement", "none"), ("kappa", "none"), ("AC", "none")):
            table, wanted = drawn.by_topic(*way), agreement_of(1e6 * chances).by_topic(*way)
            rows = np.column_stack([table["low"], table["high"], wanted["value"]])
            yield _measured(ON_A_TOPIC, f"{judges.name}, {documents} documents", 1, f"{way[0]} ({way[1]})", rows)


def _measured(subject: Subject, population: str, topics: int, what: str, rows: FloatArray) -> Measured:
    """Of rows with low, high and the truth, and maybe the ends that there were before."""
    low, high, true = rows.T[:3]
    given = ~np.isnan(low) & ~np.isnan(true)
    held = given & (low <= true) & (true <= high)
    measured = Measured(
        subject,
        population,
        2,
        topics,
        what,
        int(held.sum()),
        int(given.sum()),
        int((~given).sum()),
        float((high - low)[given].mean()) if given.any() else float("nan"),
    )
    if rows.shape[1] == 3:
        return measured
    low, high = rows.T[3:]
    share = float(((low <= true) & (true <= high)).mean())
    return replace(measured, before=share, width_before=float(np.nanmean(high - low)))


# --- favour -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """Systems of different quality, of teams that share an opinion of every document; all rank all documents."""

    systems: int
    topics: int
    grades: tuple[float, ...]  # how frequent each is
    documents: int = 60
    of_a_team: int = 4
    worth: tuple[float, float] = (0.3, 1.6)  # how much systems see of the true grades, from the worst to the best


TWO, THREE = (0.75, 0.25), (0.7, 0.2, 0.1)
FIELDS = (
    Field(12, 25, TWO),
    Field(12, 25, THREE),
    Field(40, 66, THREE),
    Field(63, 53, THREE),
    Field(143, 30, THREE),
)
FEW = (
    *(Field(12, topics, THREE) for topics in (5, 10, 50)),
    *(Field(12, topics, THREE, worth=(1.0, 1.0)) for topics in (5, 50)),  # systems that are equal
)
REFERENCE_ERRS = {2: (0.1, 0.25), 3: (0.07, 0.25, 0.2)}  # share of wrong labels, by grade
JUDGE_ERRS = {2: (0.1, 0.25), 3: (0.1, 0.25, 0.15)}


def favoured(field: Field, errs: bool, trials: int, seed: int, likes: float = 0.0, *, right: bool = False) -> Measured:
    """In how many collections some system is found to be favoured, by a judge whose errors hang on the true label.

    With `likes`, of the documents that a team ranks among its first five the judge calls that share the best grade.
    `right`: the reference is taken as the truth, which it is unless it `errs`.
    """
    count = 0
    for trial in range(trials):
        collection = judged(field, errs, likes, np.random.default_rng((seed, trial)))
        verdict = favour(MEASURE, collection, "b", beside_quality=not right, n_permutations=PERMUTATIONS, seed=trial)
        count += verdict.p <= ALPHA
    subject = FOUND if likes else FAVOUR_OF_RIGHT if right else FAVOUR
    reference = "a reference that errs" if errs else "a reference that is right"
    name = f"{len(field.grades)} grades, {reference}"
    what = f"a share {likes:g} of a team's first five" if likes else "no favour"
    return Measured(subject, name, field.systems, field.topics, what, count, trials)


def favoured_team(field: Field, errs: bool, trials: int, seed: int) -> Measured:
    """In how many collections some team of systems is found to be favoured, by a judge that favours none."""
    groups, count = {f"s{at}": f"team {at // field.of_a_team}" for at in range(field.systems)}, 0
    for trial in range(trials):
        collection = judged(field, errs, 0.0, np.random.default_rng((seed, trial)))
        verdict = favour(MEASURE, collection, "b", groups=groups, n_permutations=PERMUTATIONS, seed=trial)
        assert verdict.groups is not None
        count += bool(verdict.groups["p_corrected"].min() <= ALPHA)
    equal = ", systems that are equal" if field.worth[0] == field.worth[1] else ""
    name = f"{len(field.grades)} grades, {'a reference that errs' if errs else 'a reference that is right'}{equal}"
    return Measured(FAVOUR_OF_GROUP, name, field.systems, field.topics, "no favour", count, trials)


def judged(field: Field, errs: bool, likes: float, random: np.random.Generator) -> Collection:
    """A field of systems with labels of a reference "a" and of a judge "b"."""
    true, ranks = field_of(field, random)
    n_grades = len(field.grades)
    a = _erring(true, REFERENCE_ERRS[n_grades], random) if errs else true
    b = _erring(true, JUDGE_ERRS[n_grades], random)
    liked = (ranks[: field.of_a_team] <= 5).any(axis=0) & (random.random(true.shape) < likes)
    b = np.where(liked, n_grades - 1, b)
    return collection_of({"a": a, "b": b}, ranks, n_grades)


def collection_of(labels: Mapping[str, IntArray], ranks: IntArray, n_grades: int) -> Collection:
    """Systems that rank all documents, ranks (S, T, D), with the labels of each source, (T, D); the first is read."""
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
    names = tuple(f"s{at}" for at in range(n_systems))
    facts = pd.DataFrame(index=pd.Index(names, name="system", dtype=object))
    return Collection("invented", pool, _rankings(names, ranks), LoadingReport(facts, pd.DataFrame()))


def field_of(field: Field, random: np.random.Generator) -> tuple[IntArray, IntArray]:
    """(T, D) true grades and (S, T, D) ranks."""
    shares = random.dirichlet(10 * np.array(field.grades), field.topics)
    true = (random.random((field.topics, field.documents, 1)) > np.cumsum(shares, axis=1)[:, None, :-1]).sum(axis=2)
    worth, scores = true / (len(field.grades) - 1), []
    for at in range(field.systems):
        if at % field.of_a_team == 0:
            opinion = random.normal(size=true.shape)
        scores.append(random.uniform(*field.worth) * worth + 0.7 * opinion + 0.5 * random.normal(size=true.shape))
    ranks = np.argsort(np.argsort(-np.array(scores), axis=2), axis=2) + 1
    return true, ranks


def _rankings(names: Sequence[str], ranks: IntArray) -> Rankings:
    n_systems, n_topics, n_documents = ranks.shape
    rows = np.argsort(ranks, axis=2) + n_documents * np.arange(n_topics)[None, :, None]
    lists = n_systems * n_topics
    return Rankings(
        tuple(names),
        n_topics,
        n_topics * n_documents,
        np.arange(lists + 1) * n_documents,
        np.tile(np.arange(1, n_documents + 1), lists),
        rows.ravel(),
        np.full((n_systems, n_topics), n_documents),
    )


def _erring(true: IntArray, wrong: Sequence[float], random: np.random.Generator) -> IntArray:
    """Labels of which this share is wrong, by the true grade; a grade twice as far is half as likely."""
    grades = np.arange(len(wrong))
    chances = 0.5 ** np.abs(grades[:, None] - grades) * (grades[:, None] != grades)
    chances *= np.array(wrong)[:, None] / chances.sum(axis=1, keepdims=True)
    chances += np.diag(1 - np.array(wrong))
    return np.asarray((random.random(true.shape)[..., None] > np.cumsum(chances, axis=1)[true][..., :-1]).sum(axis=-1))
