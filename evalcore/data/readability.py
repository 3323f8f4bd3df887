"""Document texts -> readability signals, computed by the textstat library."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from evalcore.data.structures import Scale
from evalcore.errors import DataError

FORMULAS: Mapping[str, str] = {
    "fog": "gunning_fog",
    "smog": "smog_index",
    "flesch_kincaid": "flesch_kincaid_grade",
}
"""Signal name -> textstat's function. All three estimate the school years a reader needs: low is easy."""


def readability(texts: Mapping[str, str], name: str, progress: Callable[[float], None] | None = None) -> pd.Series:
    """One readability score per document.

    fog: Gunning, 0.4 * (average sentence length + percentage of hard words) (Zuccon 2016, Eq. 5). smog: McLaughlin;
    flesch_kincaid: Kincaid et al. Raises DataError for an unknown name or where textstat is not installed.
    """
    if name not in FORMULAS:
        raise DataError(f"expected a readability formula ({', '.join(FORMULAS)}), found {name!r}")
    formula = _formula(FORMULAS[name])
    scores = {}
    for done, (document, text) in enumerate(texts.items(), start=1):
        scores[document] = float(formula(text))
        if progress:
            progress(done / len(texts))
    return pd.Series(scores, name=name, dtype=float)


def readability_scale(name: str) -> Scale:
    """The scale of a readability signal: school years, low is good."""
    return Scale(name, kind="signal", good="low", threshold=15.0, unit="school years")


def _formula(function: str) -> Callable[[str], float]:
    try:
        import textstat  # 0.7.8: later versions download a dictionary when first used
    except ImportError:
        hint = "pip install 'evalcore[readability]'"
        raise DataError(f"expected textstat to compute readability, found it missing: {hint}") from None
    chosen: Callable[[str], float] = getattr(textstat.textstat, function)
    return chosen
