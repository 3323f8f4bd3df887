"""Properties of every measure of highlighted text; a new one is tested here as soon as it is registered."""

from __future__ import annotations

import numpy as np
from focused.small_passages import SmallPassages, small_passages
from hypothesis import given
from hypothesis import strategies as st
from measures.test_every_measure import MEASURES, each

from evalcore.measures import FocusedMeasure, TextP

FOCUSED = [measure for measure in MEASURES if isinstance(measure, FocusedMeasure)]


def test_there_are_measures_of_highlighted_text():
    """Without measures, the loops below would test nothing."""
    assert len(FOCUSED) > 5


@given(small_passages())
def test_scores_of_passages_are_numbers_within_the_bounds(small):
    for measure in each(FOCUSED):
        scores = small.scores(measure)
        low, high = measure.bounds
        assert scores.shape == (len(small.lists), len(small.judged))
        assert ((low - 1e-12 <= scores) & (scores <= high + 1e-12)).all()


@given(small=small_passages(), data=st.data())
def test_each_list_of_passages_is_scored_for_itself(small, data):
    """A permutation of systems or topics permutes scores."""
    systems = data.draw(st.permutations(range(len(small.lists))))
    topics = data.draw(st.permutations(range(len(small.judged))))
    judged = tuple(small.judged[t] for t in topics)
    shuffled = SmallPassages(judged, tuple(tuple(small.lists[s][t] for t in topics) for s in systems))
    for measure in each(FOCUSED):
        before, after = small.scores(measure), shuffled.scores(measure)
        np.testing.assert_allclose(after, before[np.ix_(systems, topics)], atol=1e-12)


@given(small_passages())
def test_a_useless_document_at_the_end_changes_nothing(small):
    """TextP is an exception: it divides by all the text down to its cut-off."""
    lists = tuple(tuple((*parts, ("unjudged", 0, 20)) for parts in system) for system in small.lists)
    longer = SmallPassages(small.judged, lists)
    for measure in each([one for one in FOCUSED if not isinstance(one, TextP)]):
        np.testing.assert_allclose(longer.scores(measure), small.scores(measure), atol=1e-12)
