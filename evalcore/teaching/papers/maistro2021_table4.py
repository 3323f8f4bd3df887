"""Table 4 of Maistro et al. (2021): correlations of measures and of aspects, and discriminative power, on ten tracks.

Numbers are as printed (document 003). The published code correlates sorted lists of the runs' names, not the rankings
(see the erratum), so these values cannot be reproduced; compare other values with them carefully.
"""

from __future__ import annotations

import pandas as pd

TRACKS = (*(f"WEB{year}" for year in range(2009, 2015)), "TASK15", "TASK16", "DECISION19", "MISINFO 2020")
BASES = ("NDCG", "AP")

# Pair, then NDCG and AP on each track; "-" if the track lacks an aspect.
_MEASURES = """
EUCL - CAM 0.25 0.16 0.18 0.12 0.21 0.11 0.31 0.26 0.22 0.12 0.30 0.23 0.68 0.54 0.63 0.55 0.76 0.60 0.72 0.51
EUCL - MM 0.07 0.04 0.05 0.00 0.06 0.03 0.16 0.13 0.12 0.04 0.17 0.04 0.36 0.17 0.02 -0.10 0.46 0.31 0.45 0.27
MANH - CAM 0.22 0.16 0.21 0.12 0.16 0.11 0.34 0.26 0.31 0.12 0.41 0.23 0.62 0.54 0.60 0.55 0.69 0.60 0.72 0.51
MANH - MM 0.06 0.04 0.01 0.01 0.06 0.03 0.16 0.13 0.11 0.04 0.15 0.04 0.28 0.17 -0.06 -0.10 0.41 0.31 0.45 0.27
CHEB - CAM 0.01 0.02 0.06 0.05 0.02 0.02 0.19 0.15 0.11 0.00 0.19 0.07 0.26 0.16 -0.13 -0.18 0.27 0.27 0.29 0.24
CHEB - MM 0.06 0.09 0.00 0.03 0.09 0.01 0.19 0.16 0.12 0.08 0.14 0.05 0.88 0.86 0.52 0.53 0.58 0.60 0.54 0.52
EUCL - MANH 0.36 1.00 0.19 1.00 0.21 1.00 0.34 1.00 0.20 1.00 0.34 1.00 0.87 1.00 0.71 1.00 0.72 1.00 1.00 1.00
EUCL - CHEB 0.01 0.02 0.10 0.03 0.01 0.03 0.32 0.11 0.22 0.04 0.30 0.12 0.33 0.19 -0.21 -0.21 0.28 0.21 0.26 0.20
MANH - CHEB 0.01 0.02 0.03 0.03 0.02 0.03 0.21 0.11 0.10 0.04 0.18 0.12 0.32 0.19 -0.24 -0.21 0.25 0.21 0.26 0.20
CAM - MM 0.10 0.05 0.05 0.01 0.11 -0.01 0.23 0.13 0.16 0.03 0.26 0.04 0.30 0.18 0.09 0.00 0.51 0.41 0.51 0.42
"""

_ASPECTS = """
Relevance - Popularity 0.03 0.05 0.01 0.0 0.01 0.02 0.09 0.09 0.06 0.01 0.07 0.02 0.04 0.04 -0.03 0.01 - - - -
Relevance - Non-spam 0.05 0.03 0.02 0.0 0.03 0.01 0.07 0.05 -0.02 -0.01 0.07 -0.01 0.25 0.17 -0.07 -0.08 - - - -
Popularity - Non-spam 0.04 0.03 0.02 -0.01 0.04 0.01 0.07 0.04 -0.03 -0.02 0.04 0.00 0.07 0.02 0.08 0.06 - - - -
Relevance - Usefulness - - - - - - - - - - - - 0.75 0.75 0.75 0.74 - - - -
Usefulness - Popularity - - - - - - - - - - - - 0.10 0.06 -0.04 0.00 - - - -
Usefulness - Non-spam - - - - - - - - - - - - 0.40 0.33 -0.16 -0.19 - - - -
Credibility - Correctness - - - - - - - - - - - - - - - - 0.26 0.26 0.28 0.24
Relevance - Credibility - - - - - - - - - - - - - - - - 0.33 0.33 0.29 0.25
Relevance - Correctness - - - - - - - - - - - - - - - - 0.42 0.49 0.49 0.47
"""

_POWERS = """
CAM 75.98 64.43 66.32 61.23 75.14 61.64 68.71 56.74 76.89 57.05 85.06 78.85 53.33 33.33 72.22 55.56 72.58 70.56 71.53 70.90
MM 75.61 50.58 72.89 67.79 67.32 67.81 62.68 56.12 80.71 46.99 74.25 53.56 0 0 0 0 60.08 53.23 68.31 62.20
EUCL 75.29 72.64 62.96 66.75 75.14 70.33 66.13 64.10 75.14 59.45 80.92 78.85 66.67 66.67 69.44 75 73.59 73.99 72.86 75.14
MANH 76.66 72.68 63.59 67.14 77.32 70.38 66.05 64.18 76.67 59.34 86.44 79.08 66.67 53.33 75 75 73.79 73.79 73.02 74.98
CHEB 50.18 6.32 59.82 51.49 73.06 50.11 61.08 39.36 77.10 49.34 75.17 66.21 0 0 0 0 42.54 29.84 65.41 53.33
"""  # noqa: E501


def printed_measures(base: str) -> pd.DataFrame:
    """Return tau as printed: pairs of measures x tracks, with the base "NDCG" or "AP".

    >>> float(printed_measures("NDCG").loc["EUCL - CAM", "DECISION19"])
    0.76
    """
    return _block(_MEASURES, base)


def printed_aspects(base: str) -> pd.DataFrame:
    """Return tau as printed: pairs of aspects x tracks, with the base "NDCG" or "AP"; nan if a track lacks an aspect.

    >>> printed_aspects("AP").loc["Relevance - Usefulness"].dropna().tolist()
    [0.75, 0.74]
    """
    return _block(_ASPECTS, base)


def printed_powers(base: str) -> pd.DataFrame:
    """Return the printed percentages of pairs of runs that differ significantly at .01: measures x tracks.

    `base` is "NDCG" or "AP".

    >>> float(printed_powers("NDCG").loc["CHEB", "TASK15"])
    0.0
    """
    return _block(_POWERS, base)


def _block(text: str, base: str) -> pd.DataFrame:
    rows = [line.replace(" - ", "~", 1).split() for line in text.strip().split("\n")]
    table = pd.DataFrame({row[0].replace("~", " - "): row[1:] for row in rows}).T
    values = table.replace("-", "nan").astype(float).to_numpy()
    return pd.DataFrame(values[:, BASES.index(base) :: 2], pd.Index(table.index, name="pair"), TRACKS)
