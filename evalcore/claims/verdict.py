"""A claim over all specifications, in one sentence that is computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore.claims.curve import Curve
from evalcore.claims.sources import TOPICS, Sources, Turn
from evalcore.rounding import TIE, percent


@dataclass(frozen=True)
class Verdict:
    """In which share of how many specifications a claim holds, fails and is undecided, and what that depends on.

    `undefined` specifications, which no score could be computed of, are not among them.
    """

    claim: str
    specifications: int
    holds: float
    fails: float
    undecided: float
    undefined: int = 0
    weighted: bool = False
    one_topic: bool = False
    depends_on: str = ""
    variance_share: float = 0.0
    turns: str = ""  # as in "turns when it exceeds 17"
    turns_of: str = ""  # the choice that this is said of

    @property
    def sentence(self) -> str:
        """The verdict in words: every number in it is one of the fields, none is rounded to 0 or to all."""
        return f"{self.decided}{self.dependence}{self._left_out}."

    @property
    def decided(self) -> str:
        """How the specifications are decided.

        >>> Verdict("a > b", 12, 0.75, 0.25, 0.0).decided
        'a > b holds in 75% of 12 specifications, is reversed in 25%'
        """
        parts = ((self.holds, "holds"), (self.fails, "is reversed"), (self.undecided, "is undecided"))
        count = f"{self.specifications:,} specifications"
        for share, words in parts:
            if share >= 1:
                of = "the one specification" if self.specifications == 1 else f"all {count}"
                return f"{self.claim} {words} in {of}"
        (_, first), *others = parts
        shown = [f"{words} in {percent(share)}" for share, words in others if share]
        held = percent(self.holds) if self.holds else "none"
        listed = ", ".join([f"{first} in {held} of {count}{' by weight' if self.weighted else ''}", *shown])
        return f"{self.claim} {listed.replace(', is undecided', ', undecided')}"

    @property
    def dependence(self) -> str:
        """What the effect depends on most, and where the verdict turns; "" where nothing varies."""
        if not self.depends_on:
            return ""
        most = f"; it depends most on {_the(self.depends_on)} ({percent(self.variance_share)} of the variance)"
        if not self.turns:
            return most
        what = "it" if self.turns_of == self.depends_on else _the(self.turns_of)
        return f"{most} and turns when {what} {self.turns}"

    @property
    def _left_out(self) -> str:
        one = " (on one topic nothing can be decided)" if self.one_topic else ""
        return one + (f" ({self.undefined:,} more specifications cannot be scored here)" if self.undefined else "")


def verdict_of(curve: Curve, sources: Sources, undefined: int = 0) -> Verdict:
    """The verdict of a curve; `undefined` more specifications have no scores."""
    main = sources.main
    turn = _turn(main[0], sources) if main else None
    return Verdict(
        str(curve.claim),
        len(curve),
        _exact(curve, 1),
        _exact(curve, -1),
        _exact(curve, 0),
        undefined=undefined,
        weighted=bool(np.ptp(curve.weights) > TIE),
        one_topic=bool(np.isnan(curve.error).all()),
        depends_on=main[0] if main else "",
        variance_share=main[1] if main else 0.0,
        turns=str(turn) if turn else "",
        turns_of=turn.choice if turn else "",
    )


def _turn(main: str, sources: Sources) -> Turn | None:
    """Where the verdict turns along what it depends on most; where that are topics, along the largest choice."""
    largest = next(name for name in sources.table.index if name in sources.choices)
    return sources.turn_of(main) or (sources.turn_of(largest) if main == TOPICS else None)


def _exact(curve: Curve, decision: int) -> float:
    """The share, exactly 0 or 1 where no or every specification is decided so."""
    decided = curve.decision == decision
    return float(decided.all()) if decided.all() or not decided.any() else curve.share(decision)


def _the(name: str) -> str:
    return name if name == TOPICS or name.startswith(("the ", "which ", "what ")) else f"the {name}"
