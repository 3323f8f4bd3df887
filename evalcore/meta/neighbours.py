"""Correlations after a single change: two neighbours in a ranking swap, or tie, at each rank in turn."""

from __future__ import annotations

from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError
from evalcore.meta.correlation import tau, tau_ap


def with_neighbours_changed(scores: pd.Series, place: int, tied: bool = False) -> pd.Series:
    """Return scores with the systems at a rank and at the next rank swapped; with `tied`, both get the better score.

    `scores` are sorted from the best to the worst; `place` is the rank, from 1. Raises InputError if no system
    is below that rank.

    >>> with_neighbours_changed(pd.Series({"a": 3.0, "b": 2.0, "c": 1.0}), 2).to_dict()
    {'a': 3.0, 'b': 1.0, 'c': 2.0}
    """
    if not 1 <= place < len(scores):
        raise InputError(f"expected a rank from 1 to {len(scores) - 1}, found {place}")
    changed = scores.copy()
    upper, lower = scores.index[place - 1], scores.index[place]
    changed[upper], changed[lower] = scores[upper] if tied else scores[lower], scores[upper]
    return changed


def tau_by_place(scores: pd.Series, tied: bool = False) -> pd.DataFrame:
    """Tabulate tau_b (τ) and AP correlation (τ_AP) between scores and a copy in which two neighbours are swapped.

    There is a row for each rank but the last: the systems at this rank and the next are swapped, or tied (`tied`).
    The given scores are the reference of τ_AP (Yilmaz et al. 2008). The nearer the change is to the top, the more τ_AP
    falls, whereas a swap lowers τ equally at every rank.

    >>> tau_by_place(pd.Series({"a": 3.0, "b": 2.0, "c": 1.0})).round(4).values.tolist()
    [[0.3333, 0.0], [0.3333, 0.5]]
    """
    rows = {}
    for place in range(1, len(scores)):
        other = with_neighbours_changed(scores, place, tied)
        rows[place] = {"τ": tau(scores, other), "τ_AP": tau_ap(other, scores)}
    return pd.DataFrame(rows).T
