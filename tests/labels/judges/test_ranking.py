"""Scores under several sources of labels, and how their rankings agree."""

from __future__ import annotations

import numpy as np
import pytest
from invented_support import invented
from labels.judges.made import judged, of_teams
from sources_support import confused, with_sources

import evalcore as ec
from evalcore.data import Collection
from evalcore.data.label_choice import judged_by
from evalcore.labels.judges import given_sources, read_sources, source_rankings
from evalcore.meta import correlation_intervals, swapped_pairs


def three(seed: int = 2) -> Collection:
    """Make a collection with a second judge, and a third who labelled other topics."""
    collection = invented(seed)
    pool = collection.assessments
    b, c = (confused(collection, np.full((4, 4), 0.25), seed=at) for at in (1, 2))
    return with_sources(collection, b=np.where(pool.topic < 2, np.nan, b), c=np.where(pool.topic > 8, np.nan, c))


def test_scores_are_those_of_each_judged_collection_on_shared_topics() -> None:
    collection = three()
    found = source_rankings("AP", collection, ["nist", "b", "c"], n_resamples=5)
    assert found.topics == tuple(f"t{at}" for at in range(2, 9))
    for name, frame in found.scores.items():
        expected = ec.evaluate("AP", judged_by(collection, name)).loc[list(found.topics)]
        np.testing.assert_array_equal(frame, expected)


@pytest.mark.parametrize("measure", ["P@3", "nDCG@10"])  # the first ties many systems
def test_all_pairs_of_sources_at_once_equal_separate_pairs(measure: str) -> None:
    found = source_rankings(measure, judged(4), ["nist", "b", "union", "agreed"], n_resamples=300, level=0.9, seed=1)
    for row in found.pairs.to_dict("records"):
        x, y = found.scores[row["test"]], found.scores[row["reference"]]
        expected = correlation_intervals(x, y, ("tau", "tau_ap", "spearman"), 300, 0.9, seed=1)
        for name, one in expected.iterrows():
            ends = [row[name], row[f"{name}_low"], row[f"{name}_high"]]
            np.testing.assert_allclose(ends, one[["estimate", "low", "high"]].astype(float), atol=1e-12)
        assert row["swapped"] == len(swapped_pairs(y.mean(), x.mean()))
        changes = found.changes(row["reference"], row["test"])["change"].abs()
        assert (row["mover"], row["moved"]) == (changes.idxmax(), changes.max())


def test_ranks_and_winners_are_those_of_each_source() -> None:
    found = source_rankings("RBP", three(), n_resamples=50)
    for name, frame in found.scores.items():
        expected = ec.ranks(frame.mean())
        assert found.ranks[name].to_dict() == expected.to_dict()
        assert found.winners.loc[name, "first"] == ", ".join(expected[expected == 1].index)
        table = ec.rank_intervals(frame, 50).table
        assert found.winners.loc[name, "share_first"] == pytest.approx(table["share_first"].iloc[0])
    ranks = found.ranks.drop(columns="most")
    assert found.ranks["most"].tolist() == (ranks.max(axis=1) - ranks.min(axis=1)).tolist()


def test_a_combination_of_all_sources_can_be_compared_too() -> None:
    collection = judged(1)
    assert given_sources("AP", collection) == ("nist", "b")
    assert read_sources("AP", collection)[:4] == ("nist", "b", "majority", "median")
    assert source_rankings("AP", collection, ["nist", "union"], n_resamples=5).sources == ("nist", "union")


def test_a_source_of_another_aspect_is_not_offered() -> None:
    collection = with_sources(invented(2), "credibility", b=np.zeros(len(invented(2).assessments)))
    assert read_sources("AP", collection) == ()
    assert given_sources('CAM(nDCG, aspects=["relevance", "credibility"])', collection) == ("nist", "b")


def test_sources_that_cannot_be_compared_are_refused() -> None:
    whole = judged(1)
    pool = whole.assessments
    apart = with_sources(
        with_sources(of_teams()), a=np.where(pool.topic < 5, 1.0, np.nan), b=np.where(pool.topic < 5, np.nan, 1.0)
    )
    for collection, sources, problem in (
        (of_teams(), None, "expected at least two different sources of labels that AP reads"),
        (whole, ["b"], "expected at least two different sources"),
        (whole, ["b", "b"], "expected at least two different sources"),
        (whole, ["b", "z"], "expected a source of labels that AP reads .*found 'z'"),
        (ec.restrict(whole, systems=whole.systems[:1]), None, "expected at least 2 systems"),
        (apart, ["a", "b"], "expected a topic that a, b all labelled"),
    ):
        with pytest.raises(ec.InputError, match=problem):
            source_rankings("AP", collection, sources)


def test_the_effects_of_a_judges_gaps_and_of_its_judgement_are_separated() -> None:
    """A loop removes the labels of all documents that only one of the two labelled, and scores again."""
    draw = np.random.default_rng(3)
    topics, documents, systems = [f"t{at}" for at in range(8)], [f"d{at}" for at in range(12)], "abcdef"
    runs = {
        s: {t: dict(zip(documents, map(float, draw.permutation(12)), strict=True)) for t in topics} for s in systems
    }
    people = {t: {d: int(draw.integers(3)) for d in documents} for t in topics}
    judge = {
        t: {d: (g + int(draw.integers(2))) % 3 for d, g in people[t].items() if draw.random() < 0.4} for t in topics
    }
    c = ec.collection(runs, {"relevance": {"people": people, "judge": judge}})
    (row,) = ec.judges.source_rankings("nDCG@5", c, n_resamples=1).gaps.to_dict("records")
    kept = {t: {d: g for d, g in people[t].items() if d in judge[t]} for t in topics}
    scales = [c.assessments.scale("relevance")]
    full, own, other = (
        ec.evaluate("nDCG@5", ec.collection(runs, {"relevance": labels}, scales=scales)).mean()
        for labels in (people, kept, judge)
    )
    assert row["labelled"] == sum(map(len, judge.values())) / 96
    assert (row["tau_gaps"], row["tau_shared"]) == (ec.tau(full, own), ec.tau(own, other))
    assert row["n_topics"] == 8
