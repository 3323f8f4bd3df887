"""Collections in parts with several sources of labels: as the whole in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scale.invented import assert_same, invented
from sources_support import with_sources

import evalcore as ec
from evalcore.data.restricting import restrict
from evalcore.data.store import write_collection

TEXTS = (
    "RBP(rho=0.8)",
    "nDCG@10",
    'CAM([AP, RBP(rho=0.5, source="nist")])',
    'TOMA(nDCG, aspects=["relevance", "credibility"], tuples="observed", weights=ByDistance)',
    'CAM([TOMA(AP, aspects=["relevance", "credibility"], tuples="observed"), nDCG])',
)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The same collection in memory and in parts of three topics; the second judge left out the first two topics."""
    whole = invented(5)
    rng, pool = np.random.default_rng(1), whole.assessments
    second = rng.choice((0.0, 1.0, 2.0, 3.0), len(pool))
    whole = with_sources(whole, second=np.where((pool.topic < 2) | (rng.random(len(pool)) < 0.3), np.nan, second))
    folder = tmp_path_factory.mktemp("parts")
    groups = [whole.topics[at : at + 3] for at in range(0, len(whole.topics), 3)]
    write_collection(folder, whole, (restrict(whole, topics=group) for group in groups))
    return whole, ec.open_partitions(folder)


def test_both_have_the_same_sources(both):
    whole, parts = both
    assert parts.source_names == whole.source_names
    assert (parts.default_source, parts.source) == (whole.default_source, "") == ("nist", "")


@pytest.mark.parametrize("source", ["second", "majority", "agreed"])
def test_parts_are_judged_by_a_source_as_the_whole(both, source):
    whole, parts = (ec.judged_by(one, source) for one in both)
    assert (parts.topics, parts.systems, parts.source) == (whole.topics, whole.systems, source)
    assert parts.fingerprint == whole.fingerprint
    assert parts.summary.endswith(f" · labels of {source}")
    assert whole.summary.endswith(f" · labels of {source}")
    pd.testing.assert_frame_equal(parts.assessments.frame(), whole.assessments.frame())
    assert_same(parts.in_memory().assessments, whole.assessments)
    for text in TEXTS:
        pd.testing.assert_frame_equal(ec.evaluate(text, parts), ec.evaluate(text, whole), check_exact=True)
    pd.testing.assert_frame_equal(parts.assessed_share([1, 5]), whole.assessed_share([1, 5]))


@pytest.mark.parametrize("text", TEXTS)
def test_a_measure_with_a_source_scores_parts_as_the_whole(both, text):
    whole, parts = both
    named = ec.parse(text).with_(source="second")
    pd.testing.assert_frame_equal(ec.evaluate(named, parts), ec.evaluate(named, whole), check_exact=True)


def test_residuals_and_sweeps_over_sources_are_the_same(both):
    named, sources = 'RBP(rho=0.8, source="second")', ["nist", "second", "union"]
    whole, parts = (ec.residual(named, one) for one in both)
    pd.testing.assert_frame_equal(parts, whole, check_exact=True)
    whole, parts = (ec.sweep("RBP(rho=0.8)", "source", sources, one) for one in both)
    pd.testing.assert_frame_equal(parts, whole)


def test_the_default_changes_nothing_and_an_unknown_one_is_refused(both):
    assert [ec.judged_by(one, "nist") is one for one in both] == [True, True]
    for one in both:
        with pytest.raises(ec.InputError, match="nist, second, majority"):
            ec.judged_by(one, "gpt")
        with pytest.raises(ec.InputError, match="nist, second, majority"):
            ec.evaluate('AP(source="gpt")', one)
