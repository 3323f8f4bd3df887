"""Who is first, with those that are tied with it: one way to say it on every page."""

from __future__ import annotations

import pandas as pd

from evalcore.figures.endless import score_text
from evalcore.meta import best_first, ranks
from ui.widgets.text import markdown

NAMED = 2  # tied systems that are named; more are counted


def first_of(means: pd.Series) -> str:
    """The systems of rank 1 and their score, in Markdown.

    >>> first_of(pd.Series({"a": 0.25, "b": 0.5}))
    '**b** 0.5000'
    >>> first_of(pd.Series({"a": 0.5, "b": 0.5}))
    '**a** and **b**, tied at 0.5000'
    """
    best = best_first(means)
    names = [f"**{markdown(name)}**" for name in best.index[(ranks(means)[best.index] == 1).to_numpy()]]
    score = score_text(float(best.iloc[0]))
    if len(names) < 2:
        return f"{names[0] if names else f'**{markdown(best.index[0])}**'} {score}"
    if len(names) > NAMED:
        return f"**{len(names)} of {len(means)} systems**, tied at {score}"
    return f"{' and '.join(names)}, tied at {score}"
