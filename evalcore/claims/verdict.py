"""The verdict on a claim over all specifications, in one computed sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from evalcore.claims.curve import Curve
from evalcore.claims.scoring import Multiverse
from evalcore.claims.sources import TOGETHER, TOPICS, Sources, Turn
from evalcore.common.arrays import BoolArray
from evalcore.common.rounding import TIE, percent

NAMED = 3  # topics
Outcome: TypeAlias = Literal["holds", "undecided", "fails"]


@dataclass(frozen=True)
class Verdict:
    """The shares of specifications in which a claim holds, fails and is undecided, and what the effect depends on most.

    `combinations` is the number of combinations of options; those with equal scores are one specification. `breaks`
    lists the pairs at which an order breaks, each with its share of specifications. `too_few` is the number of
    specifications with fewer than `fewest` topics, on which nothing can be decided; `undefined` is the number of
    further specifications that cannot be scored.
    """

    claim: str
    specifications: int
    holds: float
    fails: float
    undecided: float
    undefined: int = 0
    weighted: bool = False
    depends_on: str = ""
    variance_share: float = 0.0
    turns: str = ""  # as in "changes when it exceeds 17"
    turns_of: str = ""  # the choice that `turns` describes
    failing: str = "is reversed"  # the verb if the claim fails
    breaks: tuple[tuple[str, float], ...] = ()
    combinations: int = 0  # 0: as many as specifications
    too_few: int = 0
    fewest: int = 0
    labelled: str = ""  # number of topics with labels, if not all
    unseen: float = np.nan  # topics like `contrary` that would reverse the least certain decision; infinite if none
    contrary: str = ""
    hidden: float = 0.0  # largest share of all topics that an unseen kind may have
    hangs: float = 0.0  # share of the specifications that are undecided because they depend on few topics
    hangs_on: str = ""  # number of such topics, and their names
    same: float = 0.0  # share that is undecided because a system has the same score on nearly all topics
    alike: str = ""  # such a system
    alike_on: str = ""  # the topics, as in "9 of 10 topics"

    @property
    def outcome(self) -> Outcome:
        """The overall verdict: "holds" only if the claim holds in every specification, "fails" if it fails in any.

        >>> Verdict("a > b", 12, 0.75, 0.0, 0.25).outcome, Verdict("a > b", 12, 0.75, 0.25, 0.0).outcome
        ('undecided', 'fails')
        """
        if self.fails > 0:
            return "fails"
        return "holds" if self.holds >= 1 else "undecided"

    @property
    def sentence(self) -> str:
        """The verdict in words; every number in it is a field, and no share is rounded to 0% or 100%."""
        remarks = f" ({'; '.join(self.remarks)})" if self.remarks else ""
        return f"{self.decided}{self.dependence}{remarks}."

    @property
    def decided(self) -> str:
        """State the shares of specifications in which the claim holds, fails and is undecided.

        >>> Verdict("a > b", 12, 0.75, 0.25, 0.0).decided
        'a > b holds in 75% of 12 specifications, is reversed in 25%'
        """
        undecided = (self.undecided, "is undecided", "")
        parts = ((self.holds, "holds", ""), (self.fails, self.failing, self._where), undecided)
        count = f"{self.specifications:,} specifications"
        for share, words, where in parts:
            if share >= 1:
                of = "the one specification" if self.specifications == 1 else f"all {count}"
                return f"{self.claim} {words} in {of}{where}"
        (_, first, _), *others = parts
        shown = [f"{words} in {percent(share)}{where}" for share, words, where in others if share]
        held = percent(self.holds) if self.holds else "none"
        listed = ", ".join([f"{first} in {held} of {count}{' by weight' if self.weighted else ''}", *shown])
        return f"{self.claim} {listed.replace(', is undecided', ', undecided')}"

    @property
    def _where(self) -> str:
        """State at which pairs an order breaks; "" if it does not break."""
        if not self.breaks:
            return ""
        if len(self.breaks) == 1:
            return f" (at {self.breaks[0][0]})"
        return f" ({', '.join(f'at {pair} in {percent(share)}' for pair, share in self.breaks)})"

    @property
    def dependence(self) -> str:
        """State what the effect depends on most, and where the verdict changes; "" if nothing varies."""
        if not self.depends_on:
            return ""
        most = f"; it depends most on {_the(self.depends_on)} ({percent(self.variance_share)} of the variance)"
        if not self.turns:
            return most
        what = "it" if self.turns_of == self.depends_on else _the(self.turns_of)
        return f"{most} and changes when {what} {self.turns}"

    @property
    def remarks(self) -> list[str]:
        """List remarks on the verdict: merged, unscored and undecided specifications, and unseen topics."""
        remarks = list[str]()
        if self.combinations > self.specifications:
            ways = "one way" if self.specifications == 1 else f"{self.specifications:,} different ways"
            remarks.append(f"{self.combinations:,} combinations of options give {ways} to score")
        if self.too_few:
            below = f"with fewer than {self.fewest} topics nothing can be decided"
            some = f", as in {self.too_few:,} of the specifications" if self.too_few < self.specifications else ""
            remarks.append(f"{below}{some}")
        if self.undefined:
            more = "1 more specification" if self.undefined == 1 else f"{self.undefined:,} more specifications"
            remarks.append(f"{more} cannot be scored here")
        if self.labelled:
            remarks.append(self.labelled)
        if self.hangs:
            remarks.append(f"undecided in {percent(self.hangs)}, as {self.hangs_on} would reverse the decision")
        if self.same:
            alike = f"{self.alike} has a constant score on {self.alike_on}"
            remarks.append(f"undecided in {percent(self.same)}, because {alike}, and more topics are needed")
        if self.hidden:
            least = "at least " if self.specifications > 1 else ""
            like = f"{least}{self.unseen:,.0f} unseen topics like {self.contrary} would reverse the decision, and"
            seen = like if np.isfinite(self.unseen) else "no topic contradicts it, but"
            remarks.append(f"{seen} an unseen kind of topic may make up {percent(self.hidden)} of all topics")
        return remarks


def verdict_of(curve: Curve, sources: Sources, multiverse: Multiverse) -> Verdict:
    """Return the verdict of a curve over a multiverse."""
    main, topics = sources.largest, multiverse.topics
    decided = np.flatnonzero(curve.decision)
    least = decided[curve.unseen[decided].argmin()] if len(decided) else None
    turn = _turn(main[0], sources) if main else None
    return Verdict(
        str(curve.claim),
        len(curve),
        _share(curve, curve.decision == 1),
        _share(curve, curve.decision == -1),
        _share(curve, curve.decision == 0),
        undefined=multiverse.undefined,
        weighted=bool(np.ptp(curve.weights) > TIE),
        depends_on=main[0] if main else "",
        variance_share=main[1] if main else 0.0,
        turns=str(turn) if turn else "",
        turns_of=turn.choice if turn else "",
        failing=curve.claim.failing,
        breaks=tuple(_breaks(curve)),
        combinations=len(multiverse.combinations),
        too_few=int((curve.n_topics < curve.fewest).sum()),
        fewest=curve.fewest,
        labelled=multiverse.labelled,
        unseen=np.nan if least is None else float(curve.unseen[least]),
        contrary="" if least is None else topics[curve.contrary[least]],
        hidden=0.0 if least is None else 1 - curve.alpha ** (1 / curve.n_topics[decided].min()),
        hangs=_share(curve, curve.hangs),
        hangs_on=_few_topics(curve, topics) if curve.hangs.any() else "",
        same=_share(curve, curve.alike >= 0),
        **_same_scores(curve, multiverse.systems),
    )


def _few_topics(curve: Curve, topics: Sequence[str]) -> str:
    """Return as text the fewest unseen topics that would reverse a decision, and the observed topics like them."""
    number = int(curve.unseen[curve.hangs].min())
    names = Counter(topics[at] for at in curve.contrary[curve.hangs].tolist()).most_common(NAMED)
    like = " or ".join(name for name, _ in names)
    return f"{number} unseen topic{'s' * (number > 1)} like {like}"


def _same_scores(curve: Curve, systems: Sequence[str]) -> dict[str, str]:
    """Return the fields `alike` and `alike_on` of a `Verdict`; an empty dict if no system fits.

    `alike` is the system that leaves the most specifications undecided because it has the same score on nearly all
    topics; `alike_on` is the number of these topics, in words.
    """
    rows = zip(curve.alike.tolist(), curve.alike_on.tolist(), curve.n_topics.tolist(), strict=True)
    found = Counter((systems[system], f"{alike} of {of} topics") for system, alike, of in rows if system >= 0)
    return dict(zip(("alike", "alike_on"), found.most_common(1)[0][0], strict=True)) if found else {}


def _breaks(curve: Curve) -> Iterator[tuple[str, float]]:
    """Yield each pair at which an order breaks, with its share of the specifications, most frequent first."""
    if len(curve.claim.pairs) < 2:
        return
    shares = [_share(curve, broken) for broken in curve.broken.T]
    for at in sorted(range(len(shares)), key=lambda at: -shares[at]):
        if shares[at]:
            yield curve.claim.pair_text(at), shares[at]


def _turn(main: str, sources: Sources) -> Turn | None:
    """Return the `Turn` of the main source or, if this is not a choice, of the main choice; None if it has none."""
    largest = next(name for name in sources.table.index if name in sources.choices)
    return sources.turn_of(main if main in sources.choices else largest)


def _share(curve: Curve, which: BoolArray) -> float:
    """Return the share of the marked specifications by weight: exactly 0 if none is marked, exactly 1 if all are."""
    return float(which.all()) if which.all() or not which.any() else float(curve.weights[which].sum())


def _the(name: str) -> str:
    return name if name in (TOPICS, TOGETHER) or name.startswith(("the ", "which ", "what ")) else f"the {name}"
