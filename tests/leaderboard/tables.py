"""A table of six systems on twelve tasks, and the same systems scored again; tests have other tools' results."""

from __future__ import annotations

import numpy as np
import pandas as pd

_SCORES = """
4 3 3 6 6 4   6 6 3 5 9 4   1 5 4 3 9 3   6 7 7 4 6 7   1 8 6 6 5 8   1 5 9 8 5 7
4 4 6 4 4 8   5 3 6 5 8 8   4 6 4 3 10 6  2 5 5 4 3 3   3 2 2 3 6 9   5 3 4 6 4 7
"""
_AGAIN = """
23 32 29 53 51 33  49 47 23 40 80 35  8 37 29 32 75 24   46 50 56 36 46 55  7 65 40 47 36 68   4 43 80 62 37 57
32 27 50 42 31 63  35 26 42 34 70 59  37 56 33 27 90 47  13 33 40 39 29 19  20 13 17 23 49 73  39 24 33 48 35 65
"""
TASKS = [f"t{at:02}" for at in range(12)]


def _table(text: str, whole: int) -> pd.DataFrame:
    numbers = np.array(text.split(), dtype=float).reshape(12, 6) / whole
    return pd.DataFrame(numbers, index=TASKS, columns=list("abcdef"))


SCORES = _table(_SCORES, 10)
AGAIN = _table(_AGAIN, 100)
