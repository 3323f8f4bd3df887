"""Agreement between aspects of the same documents."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import scipy

from evalcore.common.rounding import floors


def label_agreement(labels: pd.DataFrame) -> pd.DataFrame:
    """Return a row of rank correlations for every pair of columns, over the documents that are labelled in both.

    Columns: aspect_a, aspect_b, documents, tau_b (Kendall, ties counted), spearman. A correlation is nan if one
    of the two columns does not vary.

    >>> label_agreement(pd.DataFrame({"r": [0, 1, 2], "u": [2, 1, 0]}))["tau_b"].tolist()
    [-1.0]
    """
    rows = []
    for a, b in combinations(labels.columns, 2):
        both = labels[[a, b]].dropna()
        varies = len(both) > 1 and both.nunique().min() > 1
        tau = scipy.stats.kendalltau(both[a], both[b]).statistic if varies else np.nan
        rho = scipy.stats.spearmanr(both[a], both[b]).statistic if varies else np.nan
        rows.append((a, b, len(both), float(tau), float(rho)))
    return pd.DataFrame(rows, columns=["aspect_a", "aspect_b", "documents", "tau_b", "spearman"])


def joint_counts(a: pd.Series, b: pd.Series, bands: int = 5, most: int = 12) -> pd.DataFrame:
    """Return numbers of documents by pair of values: a row for each value of `a`, a column for each value of `b`.

    A column with more than `most` distinct values is cut into `bands` bands of equal width.

    >>> joint_counts(pd.Series([0, 1, 1], name="r"), pd.Series([2, 2, 3], name="u")).to_numpy().tolist()
    [[1, 0], [1, 1]]
    """
    both = pd.concat([a, b], axis=1).dropna()
    first, second = (_banded(both[name], bands, most) for name in both.columns)
    return pd.crosstab(first, second)


def _banded(values: pd.Series, bands: int, most: int) -> pd.Series:
    if values.nunique() <= most:
        return values
    low, high = float(values.min()), float(values.max())
    edges = np.linspace(low, high, bands + 1).tolist()
    names = [f"{round(start, 2):g} to {round(end, 2):g}" for start, end in pairwise(edges)]
    # number the bands from 1; a value on a border belongs to the band below it
    place = -floors(-(values.to_numpy(dtype=float) - low) / (high - low) * bands)
    held = np.clip(place - 1, 0, bands - 1).astype(int)
    return pd.Series(pd.Categorical.from_codes(held, pd.Index(names), ordered=True), values.index, name=values.name)
