from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from measures.small import collections

import evalcore as ec
from evalcore.measures import Compat


def overlap(ranking, ideal, p, depth):
    return sum(p ** (d - 1) * len(set(ranking[:d]) & set(ideal[:d])) / d for d in range(1, depth + 1))


def slow_compat(p, normalize, cutoff):
    def score(ranking, judged):
        place = {d: at for at, d in enumerate(ranking)}
        ideal = [d for d in judged if judged[d] > 0]
        ideal.sort(key=lambda d: (-judged[d], place.get(d, len(ranking))))
        depth = cutoff or max(len(ranking), len(ideal))
        best = overlap(ideal, ideal, p, depth) if normalize else sum(p**d for d in range(depth))
        return overlap(ranking, ideal, p, depth) / best if best else 0

    return score


@given(collections(lowest=-1), st.sampled_from([0.2, 0.5, 0.95]), st.booleans(), st.none() | st.integers(1, 12))
def test_compatibility_is_what_a_loop_finds(small, p, normalize, cutoff):
    expected = small.by_loop(slow_compat(p, normalize, cutoff))
    measure = Compat(p=p, normalize=normalize, cutoff=cutoff)
    np.testing.assert_allclose(small.scores(measure), expected, atol=1e-12)


def test_only_the_order_of_the_grades_counts():
    assert Compat().of([0, 1, 3]) == Compat().of([0, 1, 2])
    assert Compat().of([1, 3]) < Compat().of([3, 3]) == 1


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=30).filter(any),
    st.sampled_from([0.2, 0.5, 0.95]),
    st.integers(1, 40),
)
def test_an_ideal_ranking_has_exactly_one_and_none_has_more(grades, p, cutoff):
    """However the two sums were rounded."""
    ideal = sorted(grades, reverse=True)
    assert Compat(p=p).of(ideal) == Compat(p=p, cutoff=cutoff).of(ideal) == 1
    assert Compat(p=p).of(grades) <= 1
    assert Compat(p=p, normalize=False, cutoff=cutoff).of(ideal) <= 1


def test_by_hand():
    assert Compat().of([2, 1, 1, 0]) == pytest.approx(1)
    assert Compat(p=0.5).of([0, 2, 1]) == pytest.approx((0.5 / 2 + 0.25 * 2 / 3) / (1 + 0.5 + 0.25 * 2 / 3))
    assert Compat(p=0.5, normalize=False).of([1, 0]) == pytest.approx((1 + 0.5 / 2) / 1.5)
    assert Compat().of([0, 0]) == 0


# What Clarke's script `compatibility` does with a file of qrels and one of a run, line by line as it was read.
Line = tuple[str, str, float]  # topic, document, grade or score


def slow_script(qrels: list[Line], run: list[Line], p: float) -> dict[str, float]:
    """The score of every topic that it prints: those of the run for which something has a grade above 0."""
    found = {}
    for topic in {topic for topic, _, _ in run}:
        grades: dict[str, float] = {}
        for other, d, grade in qrels:
            if other == topic and grade > 0:
                grades[d] = max(grade, grades.get(d, 0))
        scores = {d: score for other, d, score in run if other == topic}  # the last line of a document counts
        listed = [d for other, d, _ in run if other == topic]
        ranking = sorted(listed, key=lambda d: (-scores[d], d))
        place = {d: at for at, d in enumerate(ranking)}  # ... and its last place
        ideal = sorted(grades, key=lambda d: (-grades[d], place.get(d, len(ranking))))
        if ideal:
            found[topic] = overlap(ranking, ideal, p, 1000) / overlap(ideal, ideal, p, 1000)
    return found


def scored(qrels: list[Line], run: list[Line], p: float, order: str = "score") -> dict[str, float]:
    files = {
        "qrels.txt": "".join(f"{topic} 0 {d} {grade:g}\n" for topic, d, grade in qrels),
        "runs/a.run": "".join(f"{topic} Q0 {d} 0 {score!r} a\n" for topic, d, score in run),
    }
    collection = ec.load_files([(name, text.encode()) for name, text in files.items()], order=order)
    scores = ec.evaluate(Compat(p=p, cutoff=1000), collection)["a"]
    return {str(topic): float(score) for topic, score in scores.items()}


def lines(values: st.SearchStrategy[float], unique_values: bool) -> st.SearchStrategy[list[Line]]:
    return st.lists(
        st.tuples(st.sampled_from(["1", "2", "3"]), st.sampled_from("abcdefgh"), values),
        min_size=1,
        max_size=20,
        unique_by=(lambda line: line[:2], lambda line: line[2]) if unique_values else lambda line: line[:2],
    )


grades_ = lines(st.sampled_from([-1.0, 0.0, 1.0, 2.0, 3.0]), unique_values=False)
persistence = st.sampled_from([0.2, 0.95])


@settings(max_examples=60)
@given(grades_, lines(st.integers(-40, 40).map(lambda score: score / 2), unique_values=True), persistence)
def test_without_equal_scores_the_script_prints_the_same_for_the_topics_it_has(qrels, run, p):
    assume({topic for topic, _, _ in qrels} & {topic for topic, _, _ in run})
    expected, ours = slow_script(qrels, run, p), scored(qrels, run, p)
    assert {topic: ours[topic] for topic in expected} == pytest.approx(expected, abs=1e-9)
    assert not any(score for topic, score in ours.items() if topic not in expected)


@settings(max_examples=60)
@given(grades_, lines(st.sampled_from([0.0, 1.0, 2.0]), unique_values=False), persistence)
def test_with_equal_scores_it_prints_the_same_once_the_run_stands_in_its_order(qrels, run, p):
    as_there = sorted(run, key=lambda line: (-line[2], line[1]))
    assume({topic for topic, _, _ in qrels} & {topic for topic, _, _ in run})
    expected, ours = slow_script(qrels, run, p), scored(qrels, as_there, p, order="file")
    assert {topic: ours[topic] for topic in expected} == pytest.approx(expected, abs=1e-9)


def test_of_two_equal_scores_the_script_puts_the_first_id_first():
    """With a relevant and b not: the script reads a, b; trec_eval and this library b, a."""
    qrels, run = [("1", "a", 1.0), ("1", "b", 0.0)], [("1", "a", 5.0), ("1", "b", 5.0)]
    best = 1 + 0.5 / 2 + sum(0.5 ** (k - 1) / k for k in range(3, 1001))
    assert slow_script(qrels, run, 0.5)["1"] == 1
    assert scored(qrels, run, 0.5)["1"] == pytest.approx((best - 1) / best)


def test_the_script_leaves_topics_out_that_score_0_here():
    qrels = [("1", "a", 1.0), ("2", "a", 1.0), ("3", "a", 0.0)]
    run = [("1", "a", 5.0), ("3", "a", 5.0)]
    assert slow_script(qrels, run, 0.5) == {"1": 1}
    assert scored(qrels, run, 0.5) == {"1": 1, "2": 0, "3": 0}


def test_a_document_listed_twice_has_its_last_score_in_the_script():
    """b 3, a 2, b 1: the script reads a, b, b and here it is b, a, -."""
    qrels, run = [("1", "b", 1.0)], [("1", "b", 3.0), ("1", "a", 2.0), ("1", "b", 1.0)]
    assert slow_script(qrels, run, 0.5)["1"] < scored(qrels, run, 0.5)["1"] == 1
