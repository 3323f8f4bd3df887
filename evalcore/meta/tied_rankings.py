"""Correlations that stay below 1 between two equal rankings, as some systems are tied.

Kendall's tau_a and the AP correlation of Yilmaz et al. count a tied pair among all pairs but never as agreeing (the
latter as half agreeing, over all ways of breaking the tie in the test list), so a ranking with ties does not fully
agree with itself. tau_b and tau_AP,b leave out what a side has tied (Kendall 1945, doi 10.1093/biomet/33.3.239; Urbano,
Marrero 2017, doi 10.1145/3121050.3121106): with them it does.
"""

from __future__ import annotations

from evalcore.meta.align import Scores, paired
from evalcore.meta.correlation import CORRELATIONS, Correlation, as_correlation
from evalcore.meta.order import ahead

TIE_AWARE = {"tau_a": "tau", "tau_ap": "tau_ap_b"}
"""The correlation to ask for where tied systems keep one below 1."""


def ties_in_words(correlation: Correlation | str, x: Scores, y: Scores) -> str:
    """Why a correlation cannot reach 1 between two lists with ties, and which can, as a sentence; "" where it can.

    >>> ties_in_words("tau_ap", [2, 1, 1], [3, 2, 2])
    '2 of 3 systems are tied: τ_AP of such a ranking with itself is 0.500; τ_AP,b leaves ties out, and is 1'
    """
    known = as_correlation(correlation)
    if known.name not in TIE_AWARE:
        return ""
    for side in paired(x, y):
        places = ahead(side)
        tied = int(((places[:, None] == places).sum(axis=1) > 1).sum())
        if tied == len(places):
            return f"all {tied} systems are tied: there is no order to compare"
        if tied:
            itself, other = float(known(side, side)), CORRELATIONS[TIE_AWARE[known.name]].label
            below = f"{known.label} of such a ranking with itself is {itself:.3f}"
            return f"{tied} of {len(places)} systems are tied: {below}; {other} leaves ties out, and is 1"
    return ""
