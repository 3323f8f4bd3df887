"""A collection within a collection."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from app_support import SAMPLE

MEASURES = ["RBP", "AP", "nDCG@10", "CAM(nDCG)", "uRBPgr"]


@pytest.fixture(scope="module")
def collection():
    return ec.load(SAMPLE)


@pytest.fixture(scope="module")
def full(collection):
    return ec.evaluate(MEASURES, collection)


@given(data=st.data())
def test_scores_of_what_is_kept_do_not_change(collection, full, data):
    systems = data.draw(st.lists(st.sampled_from(collection.systems), min_size=1, unique=True))
    topics = data.draw(st.lists(st.sampled_from(collection.topics), min_size=1, unique=True))
    some = ec.restrict(collection, systems, topics)
    for text, frame in ec.evaluate(MEASURES, some).items():
        expected = full[text].loc[
            [t for t in collection.topics if t in topics], [s for s in collection.systems if s in systems]
        ]
        pd.testing.assert_frame_equal(frame, expected, check_exact=False, atol=1e-12)


def test_the_reports_table_of_systems_follows(collection):
    some = ec.restrict(collection, collection.systems[:3])
    assert list(some.report.systems.index) == list(collection.systems[:3])


def test_a_different_restriction_has_a_different_fingerprint(collection):
    some = {ec.restrict(collection, collection.systems[:n]).fingerprint for n in (1, 2, 3)}
    some |= {ec.restrict(collection, topics=collection.topics[:n]).fingerprint for n in (1, 2, 3)}
    assert len(some) == 6


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"systems": ["nobody"]}, "expected systems of this collection, found 'nobody'"),
        ({"topics": []}, "expected at least one of the 40 topics, found none"),
    ],
)
def test_names_that_do_not_fit_are_refused(collection, choice, message):
    with pytest.raises(ec.InputError, match=message):
        ec.restrict(collection, **choice)
