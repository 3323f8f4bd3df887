"""Checks of statements in this subject's steps of the guided path, run by tests/teaching/app/test_guided_claims.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit
from teaching.lesson_support import (
    Unchecked,
    called,
)

import evalcore as ec
from ui.teaching.guided_path.base import LessonContent, second_aspect

VERDICTS: dict[str, Callable[[float, float, float], bool]] = {
    "in all": lambda holds, fails, undecided: holds == 1,
    "in none, reversed in all": lambda holds, fails, undecided: fails == 1,
    "undecided in all": lambda holds, fails, undecided: undecided == 1,
    "in some, reversed in others": lambda holds, fails, undecided: min(holds, fails) > 0,
    "in none, reversed in some": lambda holds, fails, undecided: holds == 0 < fails < 1,
    "in some": lambda holds, fails, undecided: fails == 0 < min(holds, undecided),
}


def claim(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    first, second = page.pair
    (kind,) = VERDICTS.keys() & unchecked.left.keys()
    shares = [called(content, label) for label in ("holds", "is reversed", "undecided")]
    assert VERDICTS[kind](*shares)
    assert sum(shares) == pytest.approx(1)
    unchecked.must(kind, better=first, worse=second, holds=shares[0], fails=shares[1], undecided=shares[2])
    count = unchecked.drawn["count"]
    sentence = unchecked.must("in full", count=count)["sentence"]
    assert sentence.startswith(f"{first} > {second} ")
    assert f" {count:,} specifications" in sentence if count > 1 else "the one specification" in sentence
    joint = unchecked.must("together", better=first, p=called(content, "joint p"), alpha=0.05)
    assert 0 < joint["p"] <= 1
    assert joint["may"] == (joint["p"] < 0.05) == joint.text.startswith("**Yes**")
    decided = list(map(np.sign, by_each_way(page)))
    assert shares == pytest.approx([np.mean([one == way for one in decided]) for way in (1, -1, 0)])
    assert f"ranks 1 and {min(8, len(page.data.systems))}." in page.field("pair").help


def by_each_way(page: Any) -> Iterator[float]:
    """Yield the lead under each way to measure, or 0 if its paired t interval contains 0; equal scores count once.

    On fewer than six topics nothing is decided.
    """
    second = second_aspect(page.data)
    reads = ["nDCG({})", "AP({})", *(f"RBP(rho={rho}{{}})" for rho in (0.5, 0.8, 0.95))]
    if second:
        reads += [f"uRBP(rho={rho}, aspect={second!r}{{}})" for rho in (0.5, 0.8, 0.95)]
    (a, b), seen = page.pair, set()
    for text in reads:
        for cutoff in ("cutoff=10", "cutoff=20", ""):
            scores = ec.evaluate(text.format(f", {cutoff}" if cutoff and "rho" in text else cutoff), page.data)
            d = (scores[a] - scores[b]).to_numpy()
            if (alike := (scores.round(12) + 0.0).to_numpy().tobytes()) in seen:
                continue
            seen.add(alike)
            half = stdtrit(len(d) - 1, 0.975) * d.std(ddof=1) / len(d) ** 0.5 if len(d) > 5 else np.inf
            yield d.mean() if abs(d.mean()) > half + 1e-12 else 0.0


CHECKS = {"Claim": claim}
LONG = set[str]()  # steps whose controls are moved one by one
