"""Apply measures to a collection: scores by topic and system, sweeps of a parameter, and mean scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any, overload

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray
from evalcore.common.lazy_imports import pd
from evalcore.common.progress import part
from evalcore.direction import directed, with_gaps, with_own_weights
from evalcore.errors import InputError, counted
from evalcore.measures.base import HasPoolAndRankings, Measure, as_measure, assessments_of, unwrapped
from evalcore.measures.rbp import RankBiased
from evalcore.structures.documents import Assessments, Rankings, Topics, check_topics


@overload  # a text is one measure, though a str is also iterable
def evaluate(  # type: ignore[overload-overlap]
    measures: Measure | str, collection: HasPoolAndRankings, *, topics: Topics | None = None
) -> pd.DataFrame: ...
@overload
def evaluate(
    measures: Iterable[Measure | str], collection: HasPoolAndRankings, *, topics: Topics | None = None
) -> dict[str, pd.DataFrame]: ...
def evaluate(
    measures: Measure | str | Iterable[Measure | str], collection: HasPoolAndRankings, *, topics: Topics | None = None
) -> pd.DataFrame | dict[str, pd.DataFrame]:
    """Return every system's score on every topic: a frame of topics x systems; for several measures, {text: frame}.

    A measure may be given as its text. `topics` decides about topics for which a system retrieved nothing: with "all"
    they score as empty rankings; with "retrieved" they are nan, so that means leave them out, as trec_eval does without
    -c; with None the collection decides ("all" unless `average_over` changed it). A topic that lacks labels of an
    aspect that the measure reads is always nan for all systems; `covered_topics` returns the other topics. A frame's
    `attrs["good"]` is the good end of its scores, which meta-evaluation reads. Raises InputError for an unknown
    measure, for a column that the collection lacks, and if no topic has labels in all columns.
    """
    if isinstance(measures, Measure | str):
        return _frame(evaluated(measures, collection, topics), collection, as_measure(measures, collection))
    if topics is not None:
        check_topics(topics)
    written = [as_measure(measure, None) for measure in measures]  # keyed by their texts before they are resolved
    meant = [as_measure(measure, collection) for measure in written]
    for measure in meant:
        shared_coverage([measure], assessments_of(collection))
    scored = zip(written, meant, _scores(meant, collection), strict=True)
    return {
        str(text): _frame(_averaged(scores, collection, topics), collection, measure)
        for text, measure, scores in scored
    }


def evaluated(measure: Measure | str, collection: HasPoolAndRankings, topics: Topics | None = None) -> FloatArray:
    """Return the scores of `evaluate` as an array (S, T)."""
    if topics is not None:
        check_topics(topics)
    measure = as_measure(measure, collection)
    shared_coverage([measure], assessments_of(collection))
    return _averaged(next(_scores([measure], collection)), collection, topics)


def covered_topics(
    collection: HasPoolAndRankings, measures: Measure | str | Iterable[Measure | str]
) -> tuple[str, ...]:
    """Return the topics over which measures are averaged and compared: those with labels in every column that is read.

    Raises InputError if there is none, and for the same reasons as `evaluate`.

    >>> from evalcore.data import collection
    >>> labels = {"relevance": {"t1": {"a": 1}, "t2": {"a": 1}}, "credibility": {"t2": {"a": 0}}}
    >>> c = collection({"run": {"t1": {"a": 1.0}, "t2": {"a": 1.0}}}, labels)
    >>> covered_topics(c, "AP"), covered_topics(c, ["AP", 'AP(aspect="credibility")'])
    (('t1', 't2'), ('t2',))
    """
    pool = assessments_of(collection)
    chosen = [measures] if isinstance(measures, Measure | str) else measures
    every = shared_coverage([as_measure(measure, pool) for measure in chosen], pool)
    return tuple(compress(pool.topics, every))


def shared_coverage(measures: Sequence[Measure], pool: Assessments) -> BoolArray:
    """Mark the (T,) topics that all of these measures cover. Raises InputError if there is none."""
    every = np.ones(len(pool.topics), dtype=bool)
    for measure in measures:
        every &= measure.covered(pool)
    if len(every) and not every.any():
        raise _uncovered(measures, pool)
    return every


def _uncovered(measures: Sequence[Measure], pool: Assessments) -> InputError:
    """Return the error for measures that no topic covers; it counts the topics with labels in each column."""
    counts = dict[str, int]()
    for measure in measures:
        inside, source = unwrapped(measure)
        by = f" by {source}" if source else ""
        labels = pool.judged_by(source) if source else pool
        counts |= {f"{name}{by}": int(labels.covered([name]).sum()) for name in inside.columns}
    listed = ", ".join(f"{name} on {count:,}" for name, count in counts.items())
    several = " and ".join(dict.fromkeys(map(str, measures)))
    return InputError(
        f"no topic has labels of everything that the measure reads; there are labels of {listed} of "
        f"{counted(len(pool.topics), 'topic')}; choose another measure or add labels",
        several,
    )


def coverage_text(collection: HasPoolAndRankings, measures: Measure | str | Iterable[Measure | str]) -> str:
    """Return a text such as "over 53 of 477 topics" if measures do not cover all topics of a collection; else "".

    >>> from evalcore.data import collection
    >>> labels = {"relevance": {"t1": {"a": 1}, "t2": {"a": 1}}, "credibility": {"t2": {"a": 0}}}
    >>> c = collection({"run": {"t1": {"a": 1.0}, "t2": {"a": 1.0}}}, labels)
    >>> coverage_text(c, "AP"), coverage_text(c, 'AP(aspect="credibility")')
    ('', 'over 1 of 2 topics')
    """
    count, all_of_them = len(covered_topics(collection, measures)), len(collection.assessments.topics)
    return "" if count == all_of_them else f"over {count:,} of {counted(all_of_them, 'topic')}"


def _scores(
    measures: Sequence[Measure], collection: HasPoolAndRankings, how: str = "scores_on"
) -> Iterator[FloatArray]:
    """Yield the (S, T) scores of each measure; `how` names the method that computes them."""
    for at, measure in enumerate(measures):
        with part(at, len(measures)):
            scores = getattr(measure, how)(collection)
        yield scores


def residual(measure: Measure | str, collection: HasPoolAndRankings) -> pd.DataFrame:
    """Return how much each score would rise if all unassessed documents had gain 1: a frame of topics x systems.

    Low is good: a score with a small residual is more certain.

    Raises InputError for a measure that is not rank-biased.
    """
    measure = as_measure(measure, collection)
    if not isinstance(unwrapped(measure)[0], RankBiased):
        raise InputError(f"expected a rank-biased measure (RBP, uRBP, ...), found {measure}")
    shared_coverage([measure], collection.assessments)
    scores = next(_scores([measure], collection, "residual_on"))
    return _frame(_averaged(scores, collection), collection, None)


def sweep(
    measure: Measure | str, parameter: str, values: Sequence[Any], collection: HasPoolAndRankings
) -> pd.DataFrame:
    """Return mean scores for each value of one parameter: a frame of values x systems.

    Means are over topics as `average_over` defines.

    Only topics that the measure covers at every value count (`covered_topics` of the variants), so that means are
    comparable if sources or aspects have labels on different topics. Raises InputError for an unknown parameter, for a
    value out of its range, and if no topic is covered at every value.
    """
    measure = as_measure(measure, collection)
    variants = [measure.with_(**{parameter: value}) for value in values]
    means = _means_on_shared_topics(variants, collection)
    index = pd.Index(list(values), name=parameter, tupleize_cols=False)
    systems = pd.Index(collection.rankings.systems, name="system", dtype=object)
    return directed(pd.DataFrame(means, index=index, columns=systems), measure.good)


def _means_on_shared_topics(measures: Sequence[Measure], collection: HasPoolAndRankings) -> FloatArray:
    """Return the (M, S) means over the topics that all these measures cover. Raises InputError if there is none."""
    shared, pool = shared_coverage(measures, collection.assessments), collection.assessments
    if all(np.array_equal(measure.covered(pool), shared) for measure in measures):
        return mean_scores(measures, collection)
    topic_means = collection.rankings.topic_means
    return np.array([topic_means(np.where(shared, scores, np.nan)) for scores in _scores(measures, collection)])


def mean_scores(measures: Sequence[Measure], collection: HasPoolAndRankings) -> FloatArray:
    """Return the (M, S) mean scores of M measures over topics.

    Rank-biased measures are linear in the gains and in the discounts: each distinct gain vector is summed by system
    and rank once, and these sums are weighted with each distinct discount. Raises InputError if a measure covers no
    topic.
    """
    for measure in measures:
        shared_coverage([measure], collection.assessments)
    inside = [unwrapped(measure) for measure in measures]
    rank_biased = [(measure, source) for measure, source in inside if isinstance(measure, RankBiased)]
    if len(measures) > 1 and len(rank_biased) == len(measures):
        return _means_by_source(rank_biased, collection.assessments, collection.rankings)
    return np.array([collection.rankings.topic_means(measure.scores_on(collection)) for measure in measures])


def _means_by_source(measures: Sequence[tuple[RankBiased, str]], pool: Assessments, rankings: Rankings) -> FloatArray:
    """Return the (M, S) mean scores of rank-biased measures, each given with the source of its labels."""
    means = np.empty((len(measures), len(rankings.systems)))
    for source in dict.fromkeys(source for _, source in measures):
        at = [place for place, (_, own) in enumerate(measures) if own == source]
        labels = pool.judged_by(source) if source else pool
        means[at] = _rank_biased_means([measures[place][0] for place in at], labels, rankings)
    return means


def _rank_biased_means(measures: Sequence[RankBiased], pool: Assessments, rankings: Rankings) -> FloatArray:
    settings = [((measure.rho, measure.depth), tuple(measure.gain_functions().items())) for measure in measures]
    discounts = {discount: measure for (discount, _), measure in zip(settings, measures, strict=True)}
    gains = {functions: measure for (_, functions), measure in zip(settings, measures, strict=True)}
    table = np.column_stack([(1 - measure.rho) * measure.discounts(rankings.depth) for measure in discounts.values()])
    columns = np.column_stack([gain.document_gains(pool) for gain in gains.values()])
    if len(discounts) == 1:
        means = (rankings.system_matrix(table[rankings.rank, 0]) @ columns)[:, :, None]
    else:
        by_rank = (rankings.rank_matrix @ columns).reshape(len(rankings.systems), rankings.depth, len(gains))
        means = np.tensordot(by_rank, table[1:], axes=(1, 0))
    of, at = ({key: place for place, key in enumerate(known)} for known in (gains, discounts))
    sums = np.array([means[:, of[g], at[d]] for d, g in settings])
    # An empty ranking adds nothing to a sum, and neither does a topic without labels, where all gains are 0. Leaving
    # them out only changes the divisor.
    if rankings.average_over == "all":
        return np.asarray(sums / np.array([[measure.covered(pool).sum()] for measure in measures]))
    shape = len(rankings.systems), rankings.n_topics
    covered = (np.broadcast_to(measure.covered(pool), shape) for measure in measures)
    return np.asarray(sums / np.array([rankings.counted(covered=topics).sum(axis=1) for topics in covered]))


def _averaged(scores: FloatArray, collection: HasPoolAndRankings, topics: Topics | None = None) -> FloatArray:
    """Return (S, T) scores with nan on the topics that the mean of each system leaves out."""
    if (topics or collection.rankings.average_over) == "all":
        return scores
    return np.where(collection.rankings.counted(topics, ~np.isnan(scores)), scores, np.nan)


def weighs_by_system(measure: Measure, scores: FloatArray) -> bool:
    """Return whether the weights of topics differ by system.

    This is so if groups are weighted, and some systems lack scores on topics on which other systems have scores.
    """
    gaps: BoolArray = np.isnan(scores)
    some = bool((gaps & ~gaps.all(axis=0) & ~gaps.all(axis=1, keepdims=True)).any())
    return some and unwrapped(measure)[0].weighs_topics


def _frame(scores: FloatArray, collection: HasPoolAndRankings, measure: Measure | None) -> pd.DataFrame:
    """Return a frame of topics x systems that declares the good end of the scores ("low" without a measure)."""
    names = pd.Index(collection.assessments.topics, name="topic", dtype=object)
    systems = pd.Index(collection.rankings.systems, name="system", dtype=object)
    frame = directed(pd.DataFrame(scores.T, index=names, columns=systems), measure.good if measure else "low")
    if measure is not None and weighs_by_system(measure, scores):
        frame = with_own_weights(frame)
    return with_gaps(frame) if getattr(collection.rankings, "given", None) else frame
