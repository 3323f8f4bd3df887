from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from measures.small import Small, collections, ideal_of

from evalcore.common.arrays import divided
from evalcore.measures.parts.gains import Grade
from evalcore.measures.parts.hits import (
    Hits,
    assessed,
    better_count,
    condensed,
    ideal_gains,
    places,
    relevant_count,
)


def gains(small: Small) -> np.ndarray:
    return Grade().of(small.pool.column("relevance"), small.pool.scale("relevance"))


@given(collections())
def test_hits_are_the_documents_with_a_gain_in_each_ranking(small):
    hits = Hits.of(gains(small), small.rankings)
    expected = [
        (s * len(small.judged) + t, rank, small.judged[t][d]["relevance"])
        for s, system in enumerate(small.lists)
        for t, ranking in enumerate(system)
        for rank, d in enumerate(ranking, start=1)
        if small.judged[t].get(d, {}).get("relevance", 0) > 0
    ]
    assert list(zip(hits.line, hits.rank, hits.gain, strict=True)) == expected
    assert hits.total(1).sum() == len(expected)


@given(collections(), st.integers(1, 6))
def test_hits_stop_at_the_depth(small, depth):
    everything, upper = Hits.of(gains(small), small.rankings), Hits.of(gains(small), small.rankings, depth)
    assert list(upper.rank) == [rank for rank in everything.rank if rank <= depth]


@given(collections())
def test_running_sums_and_products_accumulate_within_each_ranking(small):
    hits = Hits.of(gains(small), small.rankings)
    for operation in (np.add, np.multiply):
        running = hits.running(operation, hits.gain)
        for line in np.unique(hits.line):
            np.testing.assert_allclose(running[hits.line == line], operation.accumulate(hits.gain[hits.line == line]))


def test_running_sums_work_for_long_rankings():
    n = 1000
    hits = Hits((1, 1), np.zeros(n, int), np.arange(n), np.arange(1, n + 1), np.arange(n), np.ones(n))
    assert (hits.running(np.add, hits.gain) == np.arange(1, n + 1)).all()


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 9))))
def test_places_count_within_groups(groups):
    items = [name for at, (length, _) in enumerate(groups) for name in [at] * length]
    expected = [place for length, _ in groups for place in range(1, length + 1)]
    assert list(places(np.array(items, dtype=int))) == expected


@given(collections())
def test_ideal_gains_are_every_topics_gains_best_first(small):
    ideal = ideal_gains(gains(small), small.pool)
    for t, topic in enumerate(small.judged):
        expected = ideal_of({d: values["relevance"] for d, values in topic.items()})
        assert list(ideal[t][: len(expected)]) == expected
        assert not ideal[t][len(expected) :].any()


@given(collections())
def test_better_and_relevant_documents_are_counted_within_topics(small):
    pool, gain = small.pool, gains(small)
    for row, better in enumerate(better_count(gain, pool)):
        assert better == sum(gain[other] > gain[row] for other in np.flatnonzero(pool.topic == pool.topic[row]))
    expected = [sum(values["relevance"] > 0 for values in topic.values()) for topic in small.judged]
    assert list(relevant_count(gain, pool)) == expected


@given(collections())
def test_a_condensed_list_is_one_from_which_the_unassessed_were_deleted(small):
    kept = tuple(
        tuple(tuple(d for d in ranking if d in small.judged[t]) for t, ranking in enumerate(system))
        for system in small.lists
    )
    shorter, expected = (
        condensed(small.rankings, assessed(small.pool, "relevance")),
        Small(small.judged, kept).rankings,
    )
    for name in ("indptr", "rank", "row", "length"):
        np.testing.assert_array_equal(getattr(shorter, name), getattr(expected, name))


def test_a_document_counts_as_assessed_on_the_given_aspect_or_on_any():
    judged = {"d1": {"relevance": np.nan, "fog": 3.0}, "d2": {"relevance": 0.0, "fog": np.nan}}
    pool = Small((judged,), ((("d1",),),)).pool
    assert list(assessed(pool, "relevance")) == [False, True]
    assert list(assessed(pool, "fog")) == [True, False]
    assert list(assessed(pool, "credibility")) == [False, True]  # a signal is not an assessment


def test_division_by_zero_gives_zero():
    assert divided(np.array([[0.0, 3.0, 3.0]]), np.array([0.0, 0.0, 2.0])).tolist() == [[0, 0, 1.5]]
