"""A judge that likes a team is found; one that is only worse than another is not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from invented_support import invented
from labels.judges.made import judged, of_teams, team
from sources_support import confused, with_sources

import evalcore as ec
from evalcore.data import Collection
from evalcore.data.small_collections import small_collection
from evalcore.labels.judges.favouring import alike, favour, permuted, standing
from evalcore.labels.judges.rescoring import Rescorer, grade_places, with_labels

RBP = "RBP(rho=0.8)"


def groups(collection: Collection) -> dict[str, str]:
    return {name: team(name) for name in collection.systems}


def gappy(seed: int = 3) -> Collection:
    """Two judges with gaps of their own, on topics of very different sizes."""
    collection = invented(seed, systems=6)
    other = confused(collection, np.full((4, 4), 0.25), seed=seed)
    return with_sources(collection, b=np.where(np.random.default_rng(9).random(len(other)) < 0.2, np.nan, other))


@pytest.mark.parametrize("text", [RBP, "nDCG@5", "AP"])
def test_the_table_is_that_of_a_slow_loop(text: str) -> None:
    """The mean over systems is left out, one band: for each permutation the collection is evaluated anew."""
    collection, count = gappy(), 19
    pool = collection.assessments
    a, b = (pool.judged_by(name).column("relevance") for name in ("nist", "b"))
    both = ~(np.isnan(a) | np.isnan(b))
    a, b = (np.where(both, labels, np.nan) for labels in (a, b))
    keep = [topic for at, topic in enumerate(pool.topics) if both[pool.topic == at].any()]
    grades, rows = np.array([0.0, 1, 2, 3]), np.isin(pool.topic, [pool.topics.index(topic) for topic in keep])

    def means(labels: np.ndarray) -> np.ndarray:
        scores = ec.evaluate(text, ec.restrict(with_labels(collection, "relevance", labels), topics=keep))
        return scores.mean().to_numpy()

    strata = alike(collection.rankings, pool.topic, grade_places(a, grades))[rows]
    drawn = permuted(grade_places(b, grades)[rows], strata, count, np.random.default_rng(4))
    differences = []
    for at in range(count):
        labels = np.full(len(pool), np.nan)
        labels[rows] = np.append(grades, np.nan)[drawn[:, at]]
        change = means(labels) - means(a)
        differences.append(change - change.mean())
    observed = means(b) - means(a) - (means(b) - means(a)).mean()
    every = np.vstack([observed, differences])
    t = np.abs(every - every.mean(axis=0)) / every.std(axis=0)
    found = favour(text, collection, "b", bands=1, beside_quality=False, n_permutations=count, seed=4).table
    found = found.loc[list(collection.systems)]
    assert found["difference"].to_numpy() == pytest.approx(observed, abs=1e-12)
    assert found["expected"].to_numpy() == pytest.approx(every.mean(axis=0), abs=1e-12)
    assert found["high"].to_numpy() == pytest.approx(np.quantile(differences, 0.975, axis=0), abs=1e-12)
    assert found["p"].to_numpy() == pytest.approx((t >= t[0] - 1e-9).mean(axis=0))
    assert found["p_corrected"].to_numpy() == pytest.approx((t.max(axis=1)[:, None] >= t[0] - 1e-9).mean(axis=0))


def test_what_goes_with_quality_is_left_out() -> None:
    """The differences are residuals of a least-squares fit, by a second implementation."""
    collection = judged(2, reference_errs=True)
    plain = favour(RBP, collection, "b", bands=1, beside_quality=False, n_permutations=3).table.sort_index()
    found = favour(RBP, collection, "b", bands=1, n_permutations=3).table.sort_index()
    full = ec.evaluate(RBP, with_labels(collection, "relevance", np.ones(len(collection.assessments)))).mean()
    table = np.column_stack([np.ones(len(plain)), plain["mean_a"], full.sort_index()])
    fit = table @ np.linalg.lstsq(table, plain["difference"].to_numpy())[0]
    assert found["difference"].to_numpy() == pytest.approx(plain["difference"].to_numpy() - fit, abs=1e-12)


def test_permuting_keeps_the_confusion_on_every_topic_and_band() -> None:
    collection = gappy()
    a = grade_places(collection.assessments.column("relevance"), np.arange(4.0))
    b = grade_places(collection.assessments.sources["relevance"].labels["b"], np.arange(4.0))
    strata = np.where(b < 0, -1, alike(collection.rankings, collection.assessments.topic, a, 3))
    drawn = permuted(b, strata, 5, np.random.default_rng(0))
    for stratum in np.unique(strata):
        inside = strata == stratum
        expected = b[inside][:, None] if stratum < 0 else np.sort(b[inside])[:, None]
        assert (expected == (drawn[inside] if stratum < 0 else np.sort(drawn[inside], axis=0))).all()


def test_all_orders_of_a_stratum_are_as_likely() -> None:
    drawn = permuted(np.array([0, 1, 2]), np.zeros(3, dtype=int), 6000, np.random.default_rng(1))
    _, counts = np.unique(drawn, axis=1, return_counts=True)
    assert counts / 6000 == pytest.approx(np.full(6, 1 / 6), abs=0.02)


def test_strata_are_of_one_topic_one_label_and_one_band() -> None:
    """Eight documents of a label, ranked one below the other: the lower half is one band, the upper the other."""
    names = [f"d{at}" for at in range(8)]
    collection = small_collection(pd.DataFrame({"relevance": 0.0}, index=names), {"s": names[::-1]})
    rankings, topic, places = collection.rankings, collection.assessments.topic, np.zeros(8, dtype=int)
    assert alike(rankings, topic, places, 2).tolist() == [0] * 4 + [1] * 4
    assert alike(rankings, topic, np.array([0, 0, 0, 0, 1, 1, 1, -1])).tolist() == [0] * 4 + [1] * 3 + [-1]
    assert standing(rankings)[7] == 1.0


def test_documents_that_nobody_retrieved_are_in_one_band() -> None:
    collection = small_collection(pd.DataFrame({"relevance": 0.0}, index=list("abcdef")), {"s": ["a", "b"]})
    strata = alike(collection.rankings, collection.assessments.topic, np.zeros(6, dtype=int), 6)
    assert len(set(strata[2:].tolist())) == 1


def test_of_no_document_there_are_no_strata() -> None:
    collection = small_collection(pd.DataFrame({"relevance": [0.0]}, index=["a"]), {"s": ["a"]})
    assert alike(collection.rankings, collection.assessments.topic, np.array([-1])).tolist() == [-1]


def test_a_judge_that_likes_a_team_is_found() -> None:
    """Simulated: in all of ten collections."""
    for seed in range(10):
        collection = judged(seed, "ben", 0.7, reference_errs=True)
        found = favour(RBP, collection, "b", groups=groups(collection), n_permutations=200, seed=seed)
        assert found.groups is not None
        assert found.groups.index[0] == "ben"
        assert found.groups["p_corrected"]["ben"] < 0.05
        assert found.groups["favour"]["ben"] > 0


def test_a_judge_that_agrees_with_the_reference_favours_nobody() -> None:
    collection = of_teams()
    found = favour(RBP, with_sources(collection, b=collection.assessments.columns["relevance"]), "b", n_permutations=9)
    assert found.n_free == 0
    assert (found.table["p"] == 1).all()
    assert (found.table["z"] == 0).all()


def test_groups_are_means_of_their_systems() -> None:
    collection = judged(3, "ann", 0.3)
    found = favour(RBP, collection, "b", groups=groups(collection), n_permutations=9)
    by_team = found.table.groupby(team)[["mean_a", "mean_b", "difference", "expected", "favour"]].mean()
    assert found.groups is not None
    pd.testing.assert_frame_equal(
        found.groups[by_team.columns].sort_index(), by_team, check_names=False, check_index_type=False
    )
    assert found.groups["systems"].tolist() == [4, 4, 4]


def test_infinite_scores_have_no_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rescorer, "means", lambda self, places: np.full((places.shape[1], 12), np.inf))
    refused("expected finite scores by RBP", judged(1), beside_quality=False)


def refused(problem: str, collection: Collection, judge: str = "b", **changes: object) -> None:
    with pytest.raises(ec.InputError, match=problem):
        favour(RBP, collection, judge, **{"n_permutations": 3, **changes})  # type: ignore[arg-type]


def test_what_cannot_be_compared_is_refused() -> None:
    whole = judged(1)
    nothing = with_sources(whole, b=np.full(len(whole.assessments), np.nan))
    refused("expected several sources of labels of relevance, found one", of_teams())
    refused(r"expected a source of labels of relevance \(nist, b, majority", whole, "c")
    refused("expected two different sources", whole, "nist")
    refused("expected documents that 'nist' and 'b' both labelled", nothing)
    refused("expected at least 5 systems to tell favour", ec.restrict(whole, systems=whole.systems[:4]))
    refused("expected at least 2 systems", ec.restrict(whole, systems=whole.systems[:1]), beside_quality=False)
    refused("expected at least 1 band", whole, bands=0)
    refused("expected at least 1 band and 1 permutation", whole, n_permutations=0)
    refused("expected a level between 0 and 1", whole, level=1.0)
