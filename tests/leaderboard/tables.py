"""A table of six systems on twelve tasks, for which tests have other tools' results."""

from __future__ import annotations

import numpy as np
import pandas as pd

_SCORES = """
4 3 3 6 6 4   6 6 3 5 9 4   1 5 4 3 9 3   6 7 7 4 6 7   1 8 6 6 5 8   1 5 9 8 5 7
4 4 6 4 4 8   5 3 6 5 8 8   4 6 4 3 10 6  2 5 5 4 3 3   3 2 2 3 6 9   5 3 4 6 4 7
"""
TASKS = [f"t{at:02}" for at in range(12)]
_NUMBERS = np.array(_SCORES.split(), dtype=float).reshape(12, 6) / 10
SCORES = pd.DataFrame(_NUMBERS, index=TASKS, columns=list("abcdef"))
