"""Checks of the statements in this subject's steps of the guided path: tests/teaching/app/test_guided_claims.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from teaching.lesson_support import (
    Unchecked,
    called,
)

from ui.teaching.guided_path.base import LessonContent

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
    assert joint.text.startswith("**Yes**" if joint["p"] < 0.05 else "**No**")
    assert f"number {min(8, len(page.data.systems))}" in page.field("pair").help


CHECKS = {"Claim": claim}
LONG = set[str]()  # steps whose controls are moved one by one
