"""A collection of a few systems whose order depends on the settings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.small_collections import small_collection

DOCUMENTS = [f"d{at}" for at in range(12)]


@pytest.fixture(scope="session")
def few() -> ec.Collection:
    """One topic, twelve documents with three aspects, six systems in random orders."""
    rng = np.random.default_rng(7)
    labels = pd.DataFrame(
        {
            "relevance": rng.permutation(12) % 3,
            "understandability": rng.permutation(12) % 4,
            "credibility": rng.permutation(12) % 3,
        },
        index=DOCUMENTS,
    )
    return small_collection(labels, {f"s{at}": rng.permutation(DOCUMENTS)[:8].tolist() for at in range(6)})
