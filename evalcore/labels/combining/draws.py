"""Human labels hidden again and again: how often each of the lines finds who is first by all of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from evalcore.common.progress import Tell, checkpoint
from evalcore.errors import InputError
from evalcore.labels.combining.combined import LINES, Combined, TwoSources
from evalcore.labels.combining.human_labels import KeptLabels, as_kept_labels
from evalcore.measures import Measure
from evalcore.meta import best_first, leaders, tau
from evalcore.structures.documents import Collection


def hidden_draws(
    measure: Measure | str,
    collection: Collection,
    model: str | None = None,
    human: str | None = None,
    *,
    kept: KeptLabels | str,
    aspect: str | None = None,
    draws: int = 100,
    progress: Tell | None = None,
) -> pd.DataFrame:
    """Of draws of human labels that are kept, a row for each of LINES: what `combine` finds of all.

    winner: the share of the draws in which the first system (of several tied the one listed first) is among the first
    by all of people's labels; tau: the mean of Kendall's tau_b with the ranking by all; error: the root mean square of
    the difference of a system's mean from that by all; covered: the share of systems and draws in which the interval
    over these topics holds that mean (nan of the model alone, which has none). Options as in `combine`; draw k has the
    seed of `kept`, plus k. Raises InputError for fewer than one draw, and where people did not label all documents.
    """
    if draws < 1:
        raise InputError(f"expected at least 1 draw, found {draws}")
    first_draw = as_kept_labels(kept)
    two = TwoSources.of(measure, collection, model, human, aspect)
    two.refuse_gaps()
    truth = two.means_by_people
    first = set(leaders(truth))
    rows: dict[str, list[Mapping[str, float]]] = {name: [] for name in LINES}
    for at in range(draws):
        combined = two.combined(two.kept(first_draw.with_(seed=first_draw.seed + at)))
        for name in rows:
            means = combined.scores[name].mean()
            rows[name].append(
                {
                    "winner": float(best_first(means).index[0] in first),
                    "tau": float(tau(means, truth)),
                    "error": float(((means - truth) ** 2).mean()),
                    "covered": _covered(combined, name, means - truth),
                }
            )
        checkpoint((at + 1) / draws)
        if progress is not None:
            progress((at + 1) / draws)
    table = pd.DataFrame({name: pd.DataFrame(drawn).mean() for name, drawn in rows.items()}).T.rename_axis("labels")
    return table.assign(error=np.sqrt(table["error"]))


def _covered(combined: Combined, name: str, off: pd.Series) -> float:
    """The share of the intervals that hold the truth; nan where there are none."""
    if not np.isfinite(combined.errors[name][1]).all():
        return np.nan
    return float((np.abs(off.to_numpy()) <= combined.half_widths(name)[1]).mean())
