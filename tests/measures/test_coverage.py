"""Topics of a mean: those on which a measure has all labels that it reads."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.measures import coverage_text
from evalcore.measures.evaluation import mean_scores
from evalcore.meta import correlation_matrix, rank_intervals, shared_part

TOPICS = ["1", "2", "3", "4"]
DOCUMENTS = ["a", "b", "c", "d"]
Labels = dict[str, dict[str, int]]  # topic -> document -> grade


def two_aspects() -> ec.Collection:
    """Make a collection with relevance on the first three of four topics, and credibility on the last three."""
    runs = {name: {t: {d: -at for at, d in enumerate(order)} for t in TOPICS} for name, order in RUNS.items()}
    relevance = {t: {"a": 1, "b": 0} for t in TOPICS[:3]}
    credibility = {t: {"a": 0, "b": 1} for t in TOPICS[1:]}
    return ec.collection(runs, {"relevance": relevance, "credibility": credibility})


RUNS = {"one": "abcd", "other": "bacd"}


def test_a_measure_of_several_aspects_covers_topics_on_which_all_are_labelled():
    c = two_aspects()
    both = 'CAM(AP, aspects=["relevance", "credibility"])'
    assert ec.covered_topics(c, both) == ("2", "3")
    assert ec.evaluate(both, c).mean().to_dict() == {"one": 0.75, "other": 0.75}
    assert coverage_text(c, both) == "over 2 of 4 topics"


@pytest.mark.parametrize("mean", ["CAM", "MM", "GM"])
def test_a_weight_of_0_does_not_change_the_covered_topics(mean):
    """So a slider at the end of its range changes only weights, not topics."""
    text = f'{mean}(AP, aspects=["relevance", "credibility"], weights=[1, 0])'
    assert ec.covered_topics(two_aspects(), text) == ("2", "3")
    assert ec.evaluate(text, two_aspects()).dropna().index.tolist() == ["2", "3"]


def test_measures_without_a_common_topic_are_refused():
    runs = {"run": {"1": {"a": 1.0}, "2": {"a": 1.0}}}
    c = ec.collection(runs, {"relevance": {"1": {"a": 1}}, "credibility": {"2": {"a": 1}}})
    with pytest.raises(ec.InputError, match="there are labels of relevance on 1, credibility on 1"):
        ec.evaluate('CAM(AP, aspects=["relevance", "credibility"])', c)


def test_retrieved_topics_are_counted_among_covered_topics_only():
    c = ec.average_over(
        ec.collection(
            {"run": {"1": {"a": 1.0}}, "late": {"2": {"b": 1.0}}, "whole": {t: {"a": 1.0} for t in "123"}},
            {"relevance": {"1": {"a": 1}, "3": {"a": 1}}, "credibility": {"2": {"a": 1}}},
        ),
        "retrieved",
    )
    scores = ec.evaluate("AP", c)
    assert scores.loc["2"].isna().all()
    assert scores["run"].dropna().to_dict() == {"1": 1.0}
    assert scores["late"].dropna().to_dict() == {"1": 0.0, "3": 0.0}  # it retrieved nothing, so its rankings are empty


def test_two_measures_are_compared_on_the_topics_that_both_have():
    c = two_aspects()
    texts = ["AP", 'AP(aspect="credibility")']
    scores = ec.evaluate(texts, c)
    assert [len(frame) for frame in shared_part(scores).values()] == [2, 2]
    assert correlation_matrix(scores).topics == ("2", "3")
    assert rank_intervals(scores["AP"], n_resamples=50).n_topics == 3
    assert ec.covered_topics(c, texts) == ("2", "3")


def test_a_restricted_collection_states_its_number_of_topics():
    part = ec.restrict(two_aspects(), topics=ec.covered_topics(two_aspects(), "AP"))
    assert "3 of 4 topics" in part.summary
    assert "The mean of AP is over 3 of 4 topics." in ec.cite("AP", two_aspects())


# --- random collections, compared with a slow computation -------------------------------------------------------------


@st.composite
def partly_labelled(draw: st.DrawFn) -> tuple[dict[str, Labels], dict[str, list[str]]]:
    """Draw two aspects, one of them labelled by two sources, on random topics; and the rankings of two systems."""
    grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1)
    by_topic = st.dictionaries(st.sampled_from(TOPICS), grades, min_size=1)
    labels = {name: draw(by_topic) for name in ("nist", "llm", "credibility")}
    labels["llm"][next(iter(labels["nist"]))] = draw(grades)  # sources have a topic in common
    lists = {f"{name} {topic}": draw(st.permutations(DOCUMENTS)) for name in ("x", "y") for topic in TOPICS}
    return labels, lists


def loaded(labels: dict[str, Labels], lists: dict[str, list[str]]) -> ec.Collection:
    def qrels(of: Labels) -> bytes:
        return "".join(f"{t} 0 {d} {g}\n" for t, row in of.items() for d, g in row.items()).encode()

    def run(name: str) -> bytes:
        rows = ((t, at, d) for t in TOPICS for at, d in enumerate(lists[f"{name} {t}"]))
        return "".join(f"{t} Q0 {d} {at + 1} {9 - at} {name}\n" for t, at, d in rows).encode()

    manifest = """title = "t"
runs = ["runs/*"]
[aspects.relevance]
file = "nist.txt"
source = "nist"
grades = [0, 1, 2, 3]
[aspects.relevance.sources.llm]
file = "llm.txt"
[aspects.credibility]
file = "credibility.txt"
grades = [0, 1, 2, 3]
"""
    files = [(f"{name}.txt", qrels(of)) for name, of in labels.items()]
    files += [(f"runs/{name}", run(name)) for name in ("x", "y")]
    return ec.load_files([("collection.toml", manifest.encode()), *files])


def slow_ap(ranked: list[str], grades: dict[str, int]) -> float:
    relevant = [document for document, grade in grades.items() if grade > 0]
    hits = [at for at, document in enumerate(ranked, start=1) if document in relevant]
    return sum(number / at for number, at in enumerate(hits, start=1)) / len(relevant) if relevant else 0.0


def slow_rbp(ranked: list[str], grades: dict[str, int]) -> float:
    return sum(0.2 * 0.8**at for at, document in enumerate(ranked) if grades.get(document, 0) > 0)


READ = {
    "AP": (slow_ap, ["nist"]),
    'AP(source="llm")': (slow_ap, ["llm"]),
    'AP(aspect="credibility")': (slow_ap, ["credibility"]),
    "RBP(rho=0.8)": (slow_rbp, ["nist"]),
    'RBP(rho=0.8, source="llm")': (slow_rbp, ["llm"]),
    'CAM(AP, aspects=["relevance", "credibility"])': (slow_ap, ["nist", "credibility"]),
    'CAM(AP, aspects=["relevance", "credibility"], source="llm")': (slow_ap, ["llm", "credibility"]),
    'CAM([AP(source="llm"), AP])': (slow_ap, ["llm", "nist"]),
}


@given(partly_labelled())
def test_every_score_and_mean_is_that_of_a_slow_reading(made):
    labels, lists = made
    c = loaded(labels, lists)
    for text, (score, read) in READ.items():
        covered = [topic for topic in c.topics if all(topic in labels[name] for name in read)]
        if not covered:
            with pytest.raises(ec.InputError, match=r"no topic has labels of everything .*; choose another measure"):
                ec.evaluate(text, c)
            continue
        scores = ec.evaluate(text, c)
        means = {}
        for system in c.systems:
            expected = {t: fmean(score(lists[f"{system} {t}"], labels[name][t]) for name in read) for t in covered}
            assert scores[system].dropna().to_dict() == pytest.approx(expected)
            means[system] = fmean(expected.values())
        assert scores.mean().to_dict() == pytest.approx(means)
        measure = ec.parse(text)
        np.testing.assert_allclose(mean_scores([measure], c)[0], [means[one] for one in c.systems])
        assert ec.covered_topics(c, text) == tuple(covered)


def test_a_sweep_compares_its_values_on_the_topics_that_all_have():
    """Relevance covers topics 1 to 3, credibility 2 to 4. On 2 and 3, "one" has AP 1 and 1/2; with topic 1, 5/6."""
    runs = {name: {t: {d: -at for at, d in enumerate(order)} for t in TOPICS} for name, order in RUNS.items()}
    relevance = {"1": {"a": 0, "b": 1}, "2": {"a": 1, "b": 0}, "3": {"a": 1, "b": 0}}
    c = ec.collection(runs, {"relevance": relevance, "credibility": {t: {"a": 0, "b": 1} for t in TOPICS[1:]}})
    found = ec.sweep("AP", "aspect", ["relevance", "credibility"], c)
    assert found["one"].tolist() == [1.0, 0.5]
    assert found["other"].tolist() == [0.5, 1.0]


def test_a_sweep_over_sources_is_on_the_topics_of_all_sources():
    """The second source labels only topic 2, on which the first calls a relevant: there "one" has AP 1."""
    runs = {name: {t: {d: -at for at, d in enumerate(order)} for t in TOPICS[:2]} for name, order in RUNS.items()}
    first, second = {"1": {"a": 0, "b": 1}, "2": {"a": 1, "b": 0}}, {"2": {"a": 0, "b": 1}}
    c = ec.collection(runs, {"relevance": {"first": first, "second": second}})
    found = ec.sweep("AP", "source", ["first", "second"], c)
    assert found["one"].tolist() == [1.0, 0.5]
    assert ec.sweep("AP", "source", ["first"], c)["one"].tolist() == [0.75]
