"""Robustness under downsampled pools: against taus of collections that are drawn one by one."""

from __future__ import annotations

import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.pools import robustness, sampled_shares, with_assessed
from evalcore.progress import telling


def test_it_is_the_mean_tau_of_collections_drawn_one_by_one(sample):
    kept = sampled_shares(sample, [0.3], 3, 5, stratified=False)
    table = robustness(["nDCG@10", "Bpref"], sample, share=0.3, draws=3, seed=5)
    for measure in table.index:
        full = ec.evaluate(measure, sample).mean()
        drawn = [with_assessed(sample, kept.kept(at), sampled=True) for at in range(3)]
        taus = [ec.tau(ec.evaluate(measure, one).reindex(sample.topics).fillna(0.0).mean(), full) for one in drawn]
        assert table.loc[measure, "robust"] == pytest.approx(sum(taus) / 3)
        assert table.loc[measure, "least"] == pytest.approx(min(taus))


def test_grades_by_subtopic_go_with_the_labels():
    c = ec.load(SAMPLE.parent / "diversity")
    kept = sampled_shares(c, [0.5], 1, 0, stratified=False)
    part = with_assessed(c, kept.kept(0), sampled=True)
    means = ec.evaluate("alphanDCG@10", part).reindex(c.topics).fillna(0.0).mean()
    tau = robustness(["alphanDCG@10"], c, draws=1)["robust"].iloc[0]
    assert tau == pytest.approx(ec.tau(means, ec.evaluate("alphanDCG@10", c).mean()))


def test_all_of_a_pool_changes_nothing(sample):
    assert robustness(["AP"], sample, share=1.0, draws=2).iloc[0].to_list() == [1.0, 1.0]


def test_fewer_labels_are_less_robust(sample):
    few, many = (robustness(["AP"], sample, share=share, draws=5)["robust"].iloc[0] for share in (0.1, 0.8))
    assert float(few) < float(many)


def test_checkpoints_say_the_share_of_all_measures(sample):
    told = []
    with telling(told.append):
        robustness(["AP", "P@5"], sample, draws=2)
    assert sorted(set(told)) == [0.25, 0.5, 0.75, 1.0]
    assert told == sorted(told)
