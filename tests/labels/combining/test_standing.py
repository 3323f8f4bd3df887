"""Standing of documents: how high systems rank them, and bands of documents with similar ranks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore.data.small_collections import small_collection
from evalcore.labels.combining.rank_bands import bands_within, standing


def test_documents_are_grouped_into_bands_by_the_ranks_that_systems_give_them() -> None:
    """The lower four of eight documents in one ranking are one band, and the upper four the other."""
    names = [f"d{at}" for at in range(8)]
    collection = small_collection(pd.DataFrame({"relevance": 0.0}, index=names), {"s": names[::-1]})
    high = standing(collection.rankings)
    assert high[7] == 1.0
    assert bands_within(high, collection.assessments.topic, 2).tolist() == [0] * 4 + [1] * 4
    groups = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    assert bands_within(high, groups, 2).tolist() == [0, 0, 1, 1, 0, 0, 1, 1]


def test_unretrieved_documents_are_in_one_band() -> None:
    collection = small_collection(pd.DataFrame({"relevance": 0.0}, index=list("abcdef")), {"s": ["a", "b"]})
    bands = bands_within(standing(collection.rankings), collection.assessments.topic, 6)
    assert len(set(bands[2:].tolist())) == 1
