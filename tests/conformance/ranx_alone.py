"""ranx in a process of its own, as the plain Python that it is written in: to compile it takes a minute, each time.

NUMBA_DISABLE_JIT=1 says so, which is read when ranx is imported. For measures, assessments and runs from standard
input, as often as they come, writes what `peers.of_ranx` returns, pickled both.
"""

from __future__ import annotations

import contextlib
import pickle
import sys
import warnings
from typing import Any

import numpy as np
import ranx


def main() -> None:
    with contextlib.suppress(EOFError):
        while True:
            pickle.dump(scores(*pickle.load(sys.stdin.buffer)), sys.stdout.buffer)
            sys.stdout.flush()


def scores(measures: list[str], qrels: dict[str, Any], runs: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, dict[str, dict[str, float]]] = {name: {} for name in measures}
    for system, run in runs.items():
        topics = [topic for topic in qrels if run.get(topic)]
        sides = ({topic: side[topic] for topic in topics} for side in (qrels, run))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # for 0 / 0 inside ranx
            values = ranx.evaluate(*sides, measures, return_mean=False)
        for name in measures:
            found[name][system] = dict(zip(topics, values[name].tolist(), strict=True))
    return found


if __name__ == "__main__":
    main()
