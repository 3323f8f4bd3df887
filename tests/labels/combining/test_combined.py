"""A model's labels corrected by human labels: equal to slow sums, and right for a known truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from labels.judges.made import judged
from sources_support import FIRST, with_sources

import evalcore as ec
from evalcore.data import Collection
from evalcore.labels.combining import COMBINED, HUMAN, LINES, MODEL, KeptLabels, combine, read_labels
from evalcore.labels.combining.combined import Corrected, TwoSources, tuned_weight
from evalcore.labels.combining.estimates import Estimates, Sampled
from evalcore.labels.combining.human_labels import height_bands
from evalcore.meta import rank_intervals


@pytest.fixture(scope="module")
def two() -> Collection:
    """Make twelve systems on 24 topics of 60 documents, labelled by people ("nist") and an imperfect model ("b")."""
    return judged(1)


def without(collection: Collection, gone: np.ndarray) -> Collection:
    """Return the collection without the human labels of these documents."""
    pool = collection.assessments
    people = np.where(gone, np.nan, pool.columns["relevance"])
    model = pool.sources["relevance"].labels["b"]
    bare = replace(collection, assessments=replace(pool, columns={"relevance": people}))
    return with_sources(bare, b=model)


# --- with all labels --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["RBP(rho=0.8)", "nDCG@10", "AP"])
def test_with_all_human_labels_the_combined_scores_are_the_human_scores(two: Collection, measure: str) -> None:
    found = combine(measure, two)
    pd.testing.assert_frame_equal(found.scores[COMBINED], ec.evaluate(measure, two), check_index_type=False)
    assert "the model's labels cannot add anything" in found.why_no_help
    assert found.errors[COMBINED][1].max() == 0


def test_the_models_own_scores_are_those_of_the_measure_with_its_labels(two: Collection) -> None:
    found = combine("nDCG@10", two, kept=KeptLabels(share=0.2))
    expected = ec.evaluate("nDCG@10", ec.judged_by(two, "b"))
    pd.testing.assert_frame_equal(found.scores[MODEL], expected, check_index_type=False)


# --- whole topics -----------------------------------------------------------------------------------------------------


def test_whole_topics_are_combined_by_the_formula(two: Collection) -> None:
    found = combine("AP", two, kept=KeptLabels(topics=0.4, seed=3))
    on = found.scores[HUMAN].index
    y, x = ec.evaluate("AP", two).loc[on], ec.evaluate("AP", ec.judged_by(two, "b"))
    slope = sum(((y[s] - y[s].mean()) * (x.loc[on, s] - x.loc[on, s].mean())).sum() for s in two.systems) / sum(
        ((x.loc[on, s] - x.loc[on, s].mean()) ** 2).sum() for s in two.systems
    )
    weight = slope * (1 - 2 / (len(on) + 0.5))
    assert found.weight["topics"] == pytest.approx(weight)
    assert found.scores[HUMAN].to_numpy() == pytest.approx(y.to_numpy())
    for system in two.systems:
        expected = y[system].mean() - weight * (x.loc[on, system].mean() - x[system].mean())
        assert found.scores[COMBINED][system].mean() == pytest.approx(expected)


def test_the_error_is_that_of_leaving_out_each_topic() -> None:
    random = np.random.default_rng(4)
    y, x = random.random((6, 3)), random.random((20, 3))
    on = np.arange(20) < 6
    zeros = np.zeros((20, 3))
    whole = np.full((20, 3), np.nan)
    whole[on] = y
    found = Corrected.of(Estimates(whole, zeros, zeros), x, on)

    def estimate(kept: list[int]) -> np.ndarray:
        weight = tuned_weight(y[kept], x[kept]) * 14 / 20
        return y[kept].mean(axis=0) - weight * (x[kept].mean(axis=0) - x[6:].mean(axis=0))

    left = np.array([estimate([at for at in range(6) if at != gone]) for gone in range(6)])
    by_labelled = 5 / 6 * ((left - left.mean(axis=0)) ** 2).sum(axis=0)
    by_others = (found.weight * 14 / 20) ** 2 * x[6:].var(axis=0, ddof=1) / 14
    assert found.means == pytest.approx(estimate(list(range(6))))
    assert found.errors == pytest.approx(np.sqrt([by_labelled + by_others, 14 / 20 * by_labelled]))
    assert found.on_topics().mean(axis=0) == pytest.approx(found.means)


def test_a_model_with_opposite_answers_gets_weight_0() -> None:
    y = np.random.default_rng(0).random((10, 2))
    assert tuned_weight(y, -y) == 0


# --- documents within topics ------------------------------------------------------------------------------------------


def sampled(collection: Collection, measure: str, share: float, seed: int = 0) -> Sampled:
    two = TwoSources.of(measure, collection)
    return Sampled(two.scorer, two.kept(KeptLabels(share, seed=seed)), height_bands(collection))


@pytest.mark.parametrize("measure", ["RBP(rho=0.8)", "DCG@10", "P@10"])
def test_sums_of_gains_equal_a_slow_loop(two: Collection, measure: str) -> None:
    sample = sampled(two, measure, 0.3)
    weight = np.full(24, 0.7)
    found, chances = sample.estimates(weight).scores, sample.expected(weight)
    rankings, labels = two.rankings, sample.labels
    for system, topic in ((0, 0), (5, 11), (11, 23)):
        total, matrix = 0.0, sample.scorer.list_weights[[system * 24 + topic]].toarray()[0]
        for rank, row in zip(*rankings.hits(system, topic, rankings.depth), strict=True):
            assert row // 60 == topic or rank < 0
            predicted = chances[row] @ [0.0, 1.0]
            total += matrix[row] * predicted
            if not np.isnan(labels.human[row]):
                total += matrix[row] * (labels.human[row] - predicted) / labels.chance[row]
        assert found[topic, system] == pytest.approx(total)


def test_the_expectation_for_a_topic_comes_from_the_other_topics(two: Collection) -> None:
    sample = sampled(two, "RBP(rho=0.8)", 0.3)
    labels = sample.labels
    changed = np.where(two.assessments.topic == 7, 1 - labels.human, labels.human)
    both = [other.expected(np.ones(24)) for other in (sample, replace(sample, labels=replace(labels, human=changed)))]
    own = two.assessments.topic == 7
    np.testing.assert_allclose(both[0][own], both[1][own])
    assert not np.allclose(both[0][~own], both[1][~own])


@pytest.mark.slow
@pytest.mark.parametrize("weight", [0.0, 1.0, None])
def test_estimates_are_right_on_average_over_draws(two: Collection, weight: float | None) -> None:
    """Over 150 draws of a tenth of the documents, means are within 4 standard errors, for any weight of the model."""
    truth = ec.evaluate("RBP(rho=0.8)", two).mean().to_numpy()
    found = []
    for seed in range(150):
        sample = sampled(two, "RBP(rho=0.8)", 0.1, seed)
        weights = sample.weights if weight is None else np.full(24, weight)
        found.append(sample.estimates(weights).scores.mean(axis=0))
    error = np.std(found, axis=0) / np.sqrt(150)
    assert (np.abs(np.mean(found, axis=0) - truth) < 4 * error).all()


def test_expected_errors_are_at_least_those_over_draws(two: Collection) -> None:
    """A systematic draw contains each grade and rank in proportion, so its error is smaller than expected."""
    ones = [sampled(two, "RBP(rho=0.8)", 0.2, seed) for seed in range(100)]
    found = [one.estimates(one.weights) for one in ones]
    spread = np.var([one.scores.mean(axis=0) for one in found], axis=0).mean()
    expected, seen = (np.mean([getattr(one, name).mean() / 24 for one in found]) for name in ("expected", "seen"))
    assert spread < expected < 2 * spread
    assert seen < expected < 1.5 * seen


def test_with_all_labels_the_ideal_of_ndcg_is_that_of_human_labels(two: Collection) -> None:
    sample = sampled(two, "nDCG@10", 1.0)
    assert sample.estimates(np.ones(24)).scores == pytest.approx(ec.evaluate("nDCG@10", two).to_numpy())


def test_a_good_model_makes_intervals_narrower_and_a_guessing_one_does_not(two: Collection) -> None:
    assert combine("RBP(rho=0.8)", two, kept=KeptLabels(share=0.1)).worth > 1.3
    random = np.random.default_rng(0)
    guesses = with_sources(two, b=random.permutation(two.assessments.columns["relevance"]))
    found = combine("RBP(rho=0.8)", guesses, kept=KeptLabels(share=0.1))
    assert found.worth == pytest.approx(1, abs=0.1)
    assert "no better than chance" in found.why_no_help


# --- the available human labels ---------------------------------------------------------------------------------------


def test_documents_are_drawn_with_their_probability(two: Collection) -> None:
    labels = read_labels(two, "relevance", "b", FIRST)
    drawn = [KeptLabels(0.15, depth=2, seed=seed).of(labels, two) for seed in range(200)]
    often = np.mean([~np.isnan(one.human) for one in drawn], axis=0)
    top = drawn[0].chance == 1
    assert (often[top] == 1).all()
    assert often[~top].mean() == pytest.approx(0.15, abs=0.005)
    assert np.abs(often[~top] - 0.15).max() < 5 * np.sqrt(0.15 * 0.85 / 200)


def test_a_draw_contains_each_label_of_the_model_in_proportion(two: Collection) -> None:
    labels = read_labels(two, "relevance", "b", FIRST)
    drawn = KeptLabels(0.25, seed=5).of(labels, two)
    kept = ~np.isnan(drawn.human)
    for topic in range(24):
        of_topic = two.assessments.topic == topic
        for grade in (0.0, 1.0):
            same = of_topic & (labels.model == grade)
            assert abs((kept & same).sum() - 0.25 * same.sum()) < 2


def test_partial_human_labels_are_read_from_the_sources(two: Collection) -> None:
    """Every second document is labelled: half of each third of a topic, by the ranks of the systems."""
    found = combine("RBP(rho=0.8)", without(two, np.arange(24 * 60) % 2 == 1))
    assert (found.n_labels, found.n_hidden, found.drawn) == (720, 720, False)
    assert "are like the others" in found.assumption
    truth = ec.evaluate("RBP(rho=0.8)", two).mean()
    line = found.line()
    held = (line["these_low"] <= truth[line.index]) & (truth[line.index] <= line["these_high"])
    assert held.mean() > 0.7


def test_human_labels_may_cover_parts_of_only_some_topics(two: Collection) -> None:
    found = combine("RBP(rho=0.8)", two, kept=KeptLabels(share=0.3, topics=0.5))
    assert found.n_topics == 12
    assert found.n_labels == pytest.approx(12 * 60 * 0.3, abs=6)
    assert not np.isnan([found.weight["topics"], found.weight["documents"]]).any()


# --- ranks and refusals -----------------------------------------------------------------------------------------------


def test_ranks_are_those_of_scores_whose_means_are_the_estimates(two: Collection) -> None:
    found = combine("P@10", two, kept=KeptLabels(topics=0.5, seed=2))
    for name in LINES:
        line = found.line(name)
        expected = rank_intervals(found.scores[name], found.n_resamples, found.level, found.seed).table
        pd.testing.assert_frame_equal(line[expected.columns], expected)
        middle = (line["low"] + line["high"]) / 2
        np.testing.assert_allclose(middle, line["mean"])
    assert found.table.index.tolist() == found.line().index.tolist()


@pytest.mark.parametrize(
    ("measure", "how", "why"),
    [
        (
            "AP",
            {"kept": "KeptLabels(share=0.5)"},
            "expected human labels of whole topics for AP, found some of their documents",
        ),
        ("P@5", {"kept": "KeptLabels(topics=0.05)"}, "expected human labels of at least 3 topics, found 1"),
        ("P@5", {"kept": "KeptLabels(share=0)"}, r"expected a number in \(0, 1\], found 0"),
        ("P@5", {"kept": "KeptLabels(depth=-1)"}, r"expected a number in \[0, inf\], found -1"),
        ("P@5", {"model": FIRST}, "expected different labels for people and model, found 'nist' for both"),
        ("P@5", {"model": "c"}, "expected a source of relevance labels"),
        ("P@5", {"level": 95}, "expected a level between 0 and 1"),
    ],
)
def test_labels_that_cannot_be_combined_are_refused(two: Collection, measure: str, how: dict, why: str) -> None:
    with pytest.raises(ec.InputError, match=why):
        combine(measure, two, **how)


def test_means_over_what_was_retrieved_are_refused(two: Collection) -> None:
    with pytest.raises(ec.InputError, match="expected means over all topics"):
        combine("P@5", ec.average_over(two, "retrieved"), kept="KeptLabels(topics=0.5)")


def test_a_collection_with_only_one_source_is_refused() -> None:
    with pytest.raises(ec.InputError, match="expected several sources of relevance labels, found one"):
        combine("P@5", judged_alone())


def judged_alone() -> Collection:
    collection = judged(1)
    return replace(collection, assessments=replace(collection.assessments, sources={}))


def test_negative_grades_and_gaps_are_accepted() -> None:
    """A grade below 0 is no label; one document has one of the two labels, and one topic no relevant document."""
    collection = judged(2)
    people = collection.assessments.columns["relevance"].copy()
    model = collection.assessments.sources["relevance"].labels["b"].copy()
    people[::7], model[::5] = -1.0, np.nan
    people[collection.assessments.topic == 3] = 0.0
    odd = with_sources(
        replace(collection, assessments=replace(collection.assessments, columns={"relevance": people})), b=model
    )
    found = combine("nDCG@10", odd, kept=KeptLabels(share=0.4))
    assert np.isfinite(found.table[["mean", "low", "high"]].to_numpy()).all()


def test_the_scores_with_all_labels_are_known_only_without_gaps(two: Collection) -> None:
    gaps = without(two, np.arange(24 * 60) % 9 == 1)
    assert combine("P@5", gaps, kept=KeptLabels(share=0.5)).all_labels is None
    assert combine("P@5", two).all_labels is not None
