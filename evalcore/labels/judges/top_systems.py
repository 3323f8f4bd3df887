"""Trust in another judge at the top: the first k systems, their winner, and their significant pairs.

Over all systems, tau may be high although a judge puts the best systems in the wrong order. A pair is *significant*
under a judge if a paired t-test over topics has p of at most alpha, corrected for all pairs of systems. Compared with a
reference, the pair is *wrong* if it is significant under the judge, but either not significant or reversed under the
reference; it is *missed* if it is significant only under the reference (Urbano, Marrero, Martín 2013, "On the
measurement of test collection reliability", distinguish minor and major conflicts; Clarke, Dietz 2024, arXiv
2412.17156).

Shapes: T topics, S systems, P pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import IntArray
from evalcore.direction import upwards
from evalcore.errors import InputError, check_level
from evalcore.meta import best_first, ranks, rbo, tau
from evalcore.meta.differences import t_test
from evalcore.meta.order import ahead, means
from evalcore.meta.significance import corrected_where_tested
from evalcore.meta.steps import least_p

ALPHA, CORRECTION = 0.05, "Holm"
COUNTS = ("pairs", "significant", "significant_reference", "wrong", "reversed", "missed")


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions on every pair of systems: 1 if the first is significantly better, -1 if the second is, else 0."""

    first: IntArray  # (P,) indices of the systems
    second: IntArray
    decided: IntArray

    @classmethod
    def of(cls, scores: pd.DataFrame, alpha: float = ALPHA, correction: str = CORRECTION) -> Decisions:
        """Return decisions from paired t-tests over topics, corrected for all pairs; 0 if a pair cannot be tested."""
        values = np.ascontiguousarray(np.asarray(upwards(scores), dtype=np.float64).T)
        first, second = np.triu_indices(len(values), 1)
        least = least_p(values, first, second) if correction != "none" else 0.0
        p = corrected_where_tested(t_test(values, first, second), correction, least=least)
        place = ahead(means(values.T))
        better = np.sign(place[second] - place[first])
        return cls(first, second, np.where(p <= alpha, better, 0))


def top_agreement(
    reference: pd.DataFrame,
    test: pd.DataFrame,
    depths: Sequence[int] | None = None,
    *,
    alpha: float = ALPHA,
    correction: str = CORRECTION,
) -> pd.DataFrame:
    """Compare the first k systems under a judge (`test`) and a reference; return a row for each k of `depths`.

    Both are frames of the same topics x systems; `depths` are by default 2 to S. Columns: tau, Kendall's tau_b over the
    reference's first k systems (with systems tied with the k-th); tau_test, over the judge's first k; common, the share
    of the first k systems that both have; rbo, rank-biased overlap with p = 1 - 1 / k, whose mean depth is k; and
    counts of pairs among the reference's first k: pairs, significant (under the judge), significant_reference, wrong,
    reversed (significant under both, in opposite order) and missed. `attrs` hold the judge's winner, its rank under the
    reference (`rank_of_winner`), and whether this is 1 (`winner_kept`).

    Raises InputError for a depth below 2, and if the frames differ in their topics or systems.

    >>> x = pd.DataFrame({"a": [0.9, 0.8, 0.9], "b": [0.5, 0.6, 0.5], "c": [0.1, 0.1, 0.2]})
    >>> found = top_agreement(x, x[["b", "a", "c"]].set_axis(["a", "b", "c"], axis=1), correction="none")
    >>> found.loc[2, ["tau", "common", "wrong", "reversed", "missed"]].tolist(), found.attrs["rank_of_winner"]
    ([-1.0, 1.0, 1.0, 1.0, 0.0], 2)
    """
    check_level(alpha)
    if not test.columns.equals(reference.columns) or not test.index.equals(reference.index):
        raise InputError("expected scores of the same topics and systems, found different ones")
    count = reference.shape[1]
    asked = list(range(2, count + 1)) if depths is None else list(depths)
    if not asked or min(asked) < 2:
        raise InputError(f"expected depths of 2 or more, found {', '.join(map(str, asked)) or 'none'}")
    x, y = reference.mean(), test.mean()
    places = ranks(x).to_numpy(), ranks(y).to_numpy()
    by_reference, by_test = (Decisions.of(scores, alpha, correction) for scores in (reference, test))
    last = np.maximum(places[0][by_test.first], places[0][by_test.second])
    rows = [_row(k, x, y, places) | _counts(by_reference, by_test, last <= k) for k in asked]
    table = pd.DataFrame(rows, index=pd.Index(asked, name="k"))
    winner = str(best_first(y).index[0])
    rank = int(places[0][list(map(str, x.index)).index(winner)])
    table.attrs = {"winner": winner, "rank_of_winner": rank, "winner_kept": rank == 1}
    return table


def _row(k: int, x: pd.Series, y: pd.Series, places: tuple[IntArray, IntArray]) -> dict[str, float]:
    in_x, in_y = (place <= k for place in places)
    both = int((in_x & in_y).sum())
    return {
        "tau": float(tau(x[in_x], y[in_x])) if in_x.sum() > 1 else np.nan,
        "tau_test": float(tau(x[in_y], y[in_y])) if in_y.sum() > 1 else np.nan,
        "common": both / max(int(in_x.sum()), int(in_y.sum())),
        "rbo": float(rbo(x, y, 1 - 1 / k)),
    }


def _counts(reference: Decisions, test: Decisions, among: np.ndarray) -> dict[str, int]:
    right, judged = reference.decided[among], test.decided[among]
    wrong = (judged != 0) & (judged != right)
    counts = (among, judged != 0, right != 0, wrong, wrong & (right != 0), (right != 0) & (judged == 0))
    return {name: int(np.count_nonzero(decided)) for name, decided in zip(COUNTS, counts, strict=True)}
