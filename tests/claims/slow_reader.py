"""A check of a claim's sentence that trusts nothing in it: every statement is decided again, in loops, from the runs.

From the product it uses the enumerated combinations of options, `ec.evaluate` of each measure, and the random signs and
resamples of a seed. Everything else is computed here from the definitions: which combinations have equal scores, the
weights of specifications, the decisions, what the effect depends on, and where the verdict changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import floor, inf, isclose, isfinite, isnan, nan, sqrt
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import evalcore as ec
from evalcore.claims import Claim, Design, Study, design_of
from evalcore.common.cached import cached_property
from evalcore.common.rounding import percent
from evalcore.errors import InputError
from evalcore.measures.unassessed import with_unassessed
from evalcore.meta.comparisons import sign_flips
from evalcore.meta.resampling import topic_resamples

ALPHA, RESAMPLES, FEWEST = 0.05, 150, 6
NEAR, TIE = 1e-9, 1e-12
BEYOND = 1 + 1e-5  # a value must exceed a critical value by more than rounding
TOPICS, TOGETHER = "which topics are used", "choices together"

Lead: TypeAlias = NDArray[np.float64]  # by topic; nan if a system lacks it


# --- random collections and claims ------------------------------------------------------------------------------------

MEASURES = ("AP", "RR", "P@3", "nDCG@3", "nDCG@10", "RBP(rho=0.5)", "RBP(rho=0.8)", "uRBP(rho=0.8)", "uRBPgr(rho=0.8)")
KINDS = ("any", "any", "clear", "clear", "clear", "all equal", "two alike", "one topic", "two systems")


def random_study(number: int) -> tuple[Study, ec.Collection]:
    """Make a random small collection, specifications and a claim, seeded by a number; retry if none can be scored."""
    draw = Random(number)
    kind = draw.choice(KINDS)
    topics = 1 if kind == "one topic" else draw.choice((6, 8, 9, 10, 12) if kind == "clear" else (2, 5, 6, 7, 9, 11))
    names = [f"s{at}" for at in range(2 if kind == "two systems" else draw.randint(2, 6))]
    if draw.random() < 0.1:
        names[0] = "my best > run"
    collection = _collection(draw, kind, topics, names)
    text = "" if draw.random() < 0.1 else _specifications(draw, [f"t{at}" for at in range(topics)])
    specifications = ec.specifications(text) if text else None
    try:
        study = ec.claim(_claim(draw, names), specifications, collection, resamples=RESAMPLES, seed=number % 100)
    except InputError:
        return random_study(number + 1_000_000)
    return study, collection


def _collection(draw: Random, kind: str, topics: int, names: Sequence[str]) -> ec.Collection:
    documents = [f"d{at}" for at in range(draw.randint(3, 12))]
    labels = {
        name: {
            f"t{at}": {
                document: draw.choice(grades) for document in documents if draw.random() < 0.9 or document == "d0"
            }
            for at in range(topics)
        }
        for name, grades in (("relevance", (0, 0, 1, 2)), ("understandability", (0, 1, 2, 3)))
    }
    clear = draw.choice((0.2, 0.5, 1.0)) if kind == "clear" else 0.1
    skill = [clear * (len(names) - 1 - 2 * at) for at in range(len(names))]
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for name, good in zip(names, skill, strict=True):
        runs[name] = {}
        for topic, grades in labels["relevance"].items():
            found = {one: good * grades.get(one, 0) + draw.random() for one in [*documents, "unseen"]}
            kept = sorted(found, key=lambda one: -found[one])[: draw.randint(1 if kind == "any" else 3, len(found))]
            runs[name][topic] = {one: found[one] for one in kept}
        if draw.random() < 0.1 and topics > 1:
            del runs[name]["t0"]
    if kind == "all equal":
        runs = dict.fromkeys(names, runs[names[0]])
    if kind == "two alike":
        runs[names[1]] = runs[names[0]]
    collection = ec.collection(runs, labels)
    return ec.average_over(collection, "retrieved") if draw.random() < 0.15 else collection


def _specifications(draw: Random, topics: Sequence[str]) -> str:
    """Write random specifications as TOML; sometimes there is only one."""
    measures = draw.sample(MEASURES, draw.choice((1, 1, 2, 3, 5)))
    parts = [_choice(draw, "measure", "measures", measures)]
    if draw.random() < 0.5:
        parts.append(_choice(draw, "rho", 'parameter = "rho"\nvalues', draw.sample([0.1, 0.5, 0.8, 0.9, 0.95], 3)))
    if draw.random() < 0.4:
        parts.append(_choice(draw, "threshold", 'parameter = "threshold"\nvalues', draw.sample([0.5, 1, 1.5, 2, 3], 3)))
    if draw.random() < 0.4:
        parts.append(_choice(draw, "unassessed documents", "unassessed", draw.sample(["0", "left out", "1"], 2)))
    if draw.random() < 0.4 and len(topics) > 1:
        parts.append(_choice(draw, "topics", "topics", ["all", "half 1", "other half 1"][: draw.choice((2, 3))]))
    return "\n".join([f"most = {draw.choice((2500, 2500, 12))}", *parts])


def _choice(draw: Random, name: str, key: str, options: Sequence[object]) -> str:
    texts = ", ".join(f'"{option}"' if isinstance(option, str) else f"{option:g}" for option in options)
    weights = f"\nweights = [{', '.join(str(draw.choice((1, 2, 5))) for _ in options)}]" if draw.random() < 0.3 else ""
    return f'[[choice]]\nname = "{name}"\n{key} = [{texts}]{weights}\n'


def _claim(draw: Random, names: Sequence[str]) -> Claim:
    kind = draw.choice(("pair", "pair", "order", "first", "top"))
    if kind == "order" and len(names) > 2:
        return Claim(tuple(draw.sample(list(names), draw.randint(3, len(names)))))
    if kind == "first" or (kind == "top" and len(names) == 2):
        return Claim((draw.choice(names),), 1)
    if kind == "top":
        return Claim((draw.choice(names),), draw.randint(2, len(names) - 1))
    better, worse = sorted(draw.sample(list(names), 2)) if draw.random() < 0.8 else draw.sample(list(names), 2)
    return Claim((better, worse))


# --- decisions --------------------------------------------------------------------------------------------------------


def size_of(lead: Lead, hidden: bool = False, square: float = 0.0) -> float:
    """Return v with the sign of the lead; 0 if nothing differs, with few topics, or if unseen ones may reverse it."""
    known = lead[~np.isnan(lead)]
    return _v(known, square) if len(known) >= FEWEST and not hidden else 0.0


def _v(known: Lead, square: float = 0.0) -> float:
    """Return v from the lead's own squares; for a claim about a rank, plus the mean variance (`square`)."""
    squares = float(known @ known)
    return float(known.sum()) / sqrt(squares + len(known) * square) if squares > 0 else 0.0


def _square(scores: Sequence[Lead]) -> float:
    """Return the mean variance of the differences of every two systems."""
    known, topics = [one - np.nanmean(one) for one in scores if not np.isnan(one).all()], len(scores[0])
    differences = [one - other for one, other in combinations(known, 2)]
    if not differences or topics < 2 or np.isnan(differences).all():
        return 0.0
    return float(np.nanmean(np.square(differences))) * topics / (topics - 1)


MISSING = (4.6052, 5.6384, 6.4059, 7.0451, 7.6046)
"""Topics of a kind seen on 0 to 4 that may be missing: the mean at which a Poisson count is so small with p = .01."""


class Hardly:
    """The part of a lead that unseen topics may take, if a system has its most frequent score on nearly all topics."""

    def __init__(self, scores: dict[str, Lead]) -> None:
        values = np.array(list(scores.values()))
        self.known = {name: one[~np.isnan(one)].tolist() for name, one in scores.items()}
        every = [value for known in self.known.values() for value in known]
        self.least, self.most = min(every, default=0.0), max(every, default=0.0)
        self.span = max((np.ptp(on[~np.isnan(on)]) for on in values.T if not np.isnan(on).all()), default=0.0)
        self.alike = {name: max(Counter(known).values(), default=0) for name, known in self.known.items()}

    def others(self, name: str) -> int:
        return len(self.known[name]) - self.alike[name]

    def unknown(self, name: str) -> bool:
        return self.others(name) < min(FEWEST - 1, len(self.known[name]) - 1)

    def hides(self, a: str, b: str, lead: Lead) -> bool:
        """Return True if unseen topics may reverse the lead of a over b."""
        total = float(np.nansum(lead))
        ahead, behind = (a, b) if total >= 0 else (b, a)
        may = [0.0]
        for name in (ahead, behind):
            number = MISSING[self.others(name)] if self.unknown(name) else 0.0
            if not self.others(name):
                may.append(3 * number * self.span)
            elif name == behind:
                may.append(number * (self.most - sum(self.known[ahead]) / len(self.known[ahead])))
            else:
                may.append(number * (sum(self.known[behind]) / len(self.known[behind]) - self.least))
        return max(may) > 0 and abs(total) <= max(may)


def by_signs(leads: Sequence[Lead], seed: int, square: float = 0.0) -> float:
    """Return the critical value of |v|, which the largest v* of these leads exceeds under at most 5% of the signs."""
    topics = len(leads[0])
    signs = sign_flips(topics, RESAMPLES, seed)
    known = [~np.isnan(lead) for lead in leads]
    largest = sorted(
        max(abs(_v((row * lead)[own], square)) for lead, own in zip(leads, known, strict=True)) for row in signs
    )
    exact = 2 ** (topics - 1) <= RESAMPLES
    reaching = floor(ALPHA * len(largest) + NEAR) if exact else floor(ALPHA * (len(largest) + 1) - 1 + NEAR)
    return largest[-1 - reaching] * BEYOND if reaching >= 0 else inf


def sure_alone(lead: Lead, seed: int) -> bool:
    """Return True if under 5% of the resamples of the centred lead have a v as large."""
    known = lead[~np.isnan(lead)]
    if len(known) < FEWEST:
        return False
    centred = known - known.mean()
    centred[np.abs(centred) <= TIE * np.abs(known).max()] = 0.0
    drawn = topic_resamples(len(known), RESAMPLES, seed)
    reached = sum(abs(_v(np.repeat(centred, counts))) * BEYOND >= abs(_v(known)) for counts in drawn)
    return reached < ALPHA * RESAMPLES


@dataclass(frozen=True)
class Decided:
    """The decision under one specification: 1 holds, -1 fails, 0 undecided; the pairs that break it; effect and error.

    `unseen` is the number of topics like a certain one that would reverse the decision of signs; if it is below 4, the
    claim is undecided. `alike` is a system whose scores leave the claim undecided, with the number of topics on which
    its score is the same.
    """

    decision: int
    broken: tuple[bool, ...]
    effect: float
    error: float
    unseen: tuple[float, int] | None = None
    alike: tuple[str, int] | None = None


def _contrary(lead: Lead) -> tuple[float, int]:
    """Count, one by one, the topics like the most contrary one that reverse a lead's sum; return also that one."""
    total = np.nansum(lead)
    against = np.nan_to_num(-np.sign(total) * lead, nan=0.0)
    at = int(against.argmax())
    if against[at] <= TIE * np.abs(np.nan_to_num(lead)).max(initial=0.0):
        return inf, at
    number, left = 0, abs(total)
    while left >= -NEAR * against[at]:
        number, left = number + 1, left - against[at]
    return float(number), at


def _standing(found: Decided, signed: int, leads: Sequence[Lead], side: Sequence[int], need: int) -> Decided:
    """Return a decision, or an undecided one if fewer than 4 unseen topics would reverse it."""
    if not (found.decision or signed):
        return found
    unseen = sorted((_contrary(leads[at]) for at in side), key=lambda one: -one[0])[need - 1]
    broken = tuple(one and _contrary(lead)[0] >= 4 for one, lead in zip(found.broken, leads, strict=False))
    return replace(found, decision=found.decision if unseen[0] >= 4 else 0, broken=broken, unseen=unseen)


def decided(claim: Claim, scores: dict[str, Lead], seed: int) -> Decided:
    """Decide a claim from the systems' scores on the topics of the specification."""
    if claim.top is None:
        leads = [scores[better] - scores[worse] for better, worse in claim.pairs]
        hardly = Hardly(scores)
        hidden = [hardly.hides(*pair, lead) for pair, lead in zip(claim.pairs, leads, strict=True)]
        together, each = by_signs(leads, seed), [by_signs([one], seed) for one in leads]
        sure = [sure_alone(one, seed) for one in leads]

        def by_sign_of(sizes: Sequence[float]) -> tuple[list[bool], list[bool], int]:
            holding = [size > critical for size, critical in zip(sizes, each, strict=True)]
            failing = [size < -together for size in sizes]
            return holding, failing, all(holding) - any(failing)

        holding, failing, by_sign = by_sign_of([size_of(*one) for one in zip(leads, hidden, strict=True)])
        broken = tuple(one and alone for one, alone in zip(failing, sure, strict=True))
        first = Decided((all(holding) and all(sure)) - any(broken), broken, *_least(leads))
        if not (first.decision or by_sign) and (way := by_sign_of([size_of(lead) for lead in leads])[-1]):
            return replace(first, alike=_same_scores(hardly, claim.pairs, leads, hidden, way))
        if (first.decision or by_sign) > 0:
            return _standing(first, by_sign, leads, range(len(leads)), len(leads))
        side = [at for at, one in enumerate(broken if any(broken) else failing) if one]
        return _standing(first, by_sign, leads, side, 1)
    own, top = scores[claim.systems[0]], claim.top
    others = [one for name, one in scores.items() if name != claim.systems[0]]
    if np.isnan(own).all():
        return Decided(0, (), nan, nan)
    leads, hardly = [own - other for other in others], Hardly(scores)
    pairs = [(claim.systems[0], name) for name in scores if name != claim.systems[0]]
    hidden = [hardly.hides(*pair, lead) for pair, lead in zip(pairs, leads, strict=True)]
    absent = [bool(np.isnan(other).all()) for other in others]
    need = len(others) - top + 1

    def sides(apart: Sequence[int]) -> tuple[list[int], list[int]]:
        beats = [at for at in apart if absent[at] or size_of(leads[at], hidden[at]) > 0]
        return beats, [at for at in apart if at not in beats]

    def verdict(beats: Sequence[int], beaten_by: Sequence[int]) -> int:
        return (len(beats) >= need) - (len(beaten_by) >= top)

    square = _square([*others, own])
    steps = list(_stepped_down(leads, hidden, absent, seed, square))
    signed = next((sides(step) for step in steps if verdict(*sides(step))), sides(steps[-1]))
    for step in ([*signed[0], *signed[1]], steps[-1]):
        beats, beaten_by = sides([at for at in step if absent[at] or sure_alone(leads[at], seed)])
        if verdict(beats, beaten_by):
            break
    shown = [lead for lead, gone in zip(leads, absent, strict=True) if not gone]
    kth = sorted(shown, key=_mean)[top - 1] if len(shown) >= top else np.array([])
    first = Decided(verdict(beats, beaten_by), (), _mean(kth), _error(kth))
    if not (first.decision or verdict(*signed)):
        critical = by_signs(leads, seed, square)
        sizes = [inf if gone else size_of(lead, square=square) for lead, gone in zip(leads, absent, strict=True)]
        if way := (sum(size > critical for size in sizes) >= need) - (sum(size < -critical for size in sizes) >= top):
            return replace(first, alike=_same_scores(hardly, pairs, leads, hidden, way, square))
    beats, beaten_by = (beats, beaten_by) if first.decision else sides(steps[-1])
    holds = (first.decision or verdict(*signed)) > 0
    return _standing(first, verdict(*signed), leads, beats if holds else beaten_by, need if holds else top)


def _same_scores(
    hardly: Hardly,
    pairs: Sequence[tuple[str, str]],
    leads: Sequence[Lead],
    hidden: Sequence[bool],
    side: int,
    square: float = 0.0,
) -> tuple[str, int]:
    """Return the system that hides the largest v on a side, with the number of topics on which it has one score."""
    sizes = [side * size_of(lead, square=square) if one else 0.0 for lead, one in zip(leads, hidden, strict=True)]
    a, b = pairs[sizes.index(max(sizes))]
    name = max((a, b), key=lambda one: hardly.alike[one] if hardly.unknown(one) else 0)
    return name, hardly.alike[name]


def _stepped_down(
    leads: Sequence[Lead], hidden: Sequence[bool], absent: Sequence[bool], seed: int, square: float
) -> Iterator[list[int]]:
    """Yield, after each step, the leads that are significant by signs: first among all, then among the rest."""
    apart = {at for at, gone in enumerate(absent) if gone}
    yield sorted(apart)
    while rest := [at for at in range(len(leads)) if at not in apart]:
        critical = by_signs([leads[at] for at in rest], seed, square)
        new = {at for at in rest if abs(size_of(leads[at], hidden[at], square)) > critical}
        if not new:
            break
        apart |= new
        yield sorted(apart)


def _least(leads: Sequence[Lead]) -> tuple[float, float]:
    """Return the smallest mean lead and its standard error; nan if any lead's is."""
    if any(isnan(_mean(lead)) for lead in leads):
        return nan, nan
    least = min(leads, key=_mean)
    return _mean(least), _error(least)


def _mean(lead: Lead) -> float:
    known = lead[~np.isnan(lead)]
    return float(known.mean()) if len(known) else nan


def _error(lead: Lead) -> float:
    known = lead[~np.isnan(lead)]
    return float(known.std(ddof=1)) / sqrt(len(known)) if len(known) > 1 else nan


# --- the facts that the sentence may state ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Combination:
    """A combination of options, by number; -1 if a choice does not apply."""

    options: tuple[int, ...]
    asked: tuple[bool, ...]  # by topic: the combination uses it
    labelled: tuple[bool, ...]  # by topic: some system has a score there
    weight: float
    scores: dict[str, Lead]  # on the topics that it uses


class Truth:
    """The truth about a claim, over the combinations that can be scored, and their specifications."""

    def __init__(self, study: Study, collection: ec.Collection) -> None:
        self.claim, self.seed, self.topics = study.claim, study.seed, collection.topics
        design = design_of(study.multiverse.design.specifications, collection)
        self.choices, self.sampled = design.specifications.choices, design.sampled
        self.combinations = list(_scored(design, collection))
        self.undefined = len(design) - len(self.combinations)
        self.of = self._specifications()
        self.first = [self.of.index(at) for at in range(max(self.of) + 1)]
        largest = [max(self._of(at, [pair.weight for pair in self.combinations])) for at in range(len(self.first))]
        self.weights = [one / sum(largest) for one in largest]
        self.found = [decided(self.claim, self.combinations[at].scores, self.seed) for at in self.first]

    def _specifications(self) -> list[int]:
        """Return the specification of each combination: the first with equal scores on the same topics."""
        known: list[Combination] = []
        numbers = []
        for pair in self.combinations:
            at = next((at for at, other in enumerate(known) if _alike(pair, other)), len(known))
            known += [pair] if at == len(known) else []
            numbers.append(at)
        return numbers

    def _of(self, specification: int, values: Sequence[float]) -> list[float]:
        return [value for value, at in zip(values, self.of, strict=True) if at == specification]

    def share(self, which: Sequence[bool]) -> float:
        """Return the share of these specifications, by weight."""
        return sum(weight for weight, one in zip(self.weights, which, strict=True) if one)

    def decision(self, wanted: int) -> float:
        return self.share([one.decision == wanted for one in self.found])

    def topic(self, specification: int, place: int) -> str:
        """Return a topic by its position among those that a specification uses."""
        asked = self.combinations[self.first[specification]].asked
        return [topic for topic, one in zip(self.topics, asked, strict=True) if one][place]

    def counted(self, specification: int) -> int:
        """Count the topics with labels that a specification uses."""
        one = self.combinations[self.first[specification]]
        return sum(asked and labelled for asked, labelled in zip(one.asked, one.labelled, strict=True))

    @cached_property
    def too_few(self) -> int:
        return sum(self.counted(at) < FEWEST for at in range(len(self.first)))

    @cached_property
    def labelled(self) -> list[int]:
        """Count, for each specification, the topics with all labels that its measure reads."""
        return [sum(self.combinations[at].labelled) for at in self.first]

    @cached_property
    def sources(self) -> dict[str, float]:
        """Return the shares of the variance of the effect; none if nothing varies."""
        counts = [self.of.count(at) for at in self.of]
        rows = [
            (self.weights[at] / count, self.found[at], one.options)
            for at, count, one in zip(self.of, counts, self.combinations, strict=True)
            if isfinite(self.found[at].effect)
        ]
        if not rows:
            return {}
        between = _variance([(weight, one.effect) for weight, one, _ in rows])
        sure = [(weight, one.error) for weight, one, _ in rows if isfinite(one.error)]
        topics = sum(weight * error**2 for weight, error in sure) / (sum(weight for weight, _ in sure) or 1.0)
        explained, freedom = {}, {}
        whole = sum(weight for weight, _, _ in rows)
        for at, choice in enumerate(self.choices):
            own = [(weight / whole, one.effect, options[at]) for weight, one, options in rows if options[at] >= 0]
            taken = sorted({option for *_, option in own})
            means = [_weighted([(w, effect) for w, effect, option in own if option == one]) for one in taken]
            explained[choice.name] = _variance(means) * sum(weight for weight, _ in means) if len(means) > 1 else 0.0
            freedom[choice.name] = max(len(taken) - 1, 0)
        left = len(rows) - 1 - sum(freedom.values())
        if self.sampled:
            chance = max(between - sum(explained.values()), 0.0) / left if left > 0 else 0.0
            explained = {name: max(part - chance * freedom[name], 0.0) for name, part in explained.items()}
        parts = {**explained, TOPICS: topics, TOGETHER: max(between - sum(explained.values()), 0.0)}
        total = between + topics
        if total <= TIE * max(one.effect**2 for _, one, _ in rows):
            return {}
        return {name: part / total for name, part in parts.items()}

    def holds_by_number(self, name: str) -> list[tuple[float, bool]]:
        """Return the numbers of a choice, ascending, each with true if most of its specifications hold."""
        at = [choice.name for choice in self.choices].index(name)
        found: dict[float, list[tuple[float, float]]] = {}
        for one, spec in zip(self.combinations, self.of, strict=True):
            if one.options[at] >= 0:
                number = float(self.choices[at].options[one.options[at]].value)
                weight = self.weights[spec] / self.of.count(spec)
                found.setdefault(number, []).append((weight, float(self.found[spec].decision > 0)))
        return [(number, _weighted(rows)[1] > 0.5) for number, rows in sorted(found.items())]


def _scored(design: Design, collection: ec.Collection) -> Iterator[Combination]:
    for at in range(len(design)):
        try:
            frame = ec.evaluate(with_unassessed(design.measures[at], design.unassessed[at]), collection)
        except InputError:
            continue
        asked = design.topic_sets[design.topic_set[at]]
        frame = frame.reindex(list(collection.topics))
        yield Combination(
            tuple(design.made[at].tolist()),
            tuple(asked.tolist()),
            tuple(frame.notna().any(axis=1).tolist()),
            float(design.weights[at]),
            {str(name): frame[name].to_numpy(dtype=float)[asked] for name in frame},
        )


def _alike(one: Combination, other: Combination) -> bool:
    if one.asked != other.asked:
        return False
    for name, values in one.scores.items():
        theirs = other.scores[name]
        if not ((np.abs(values - theirs) < 1e-11) | (np.isnan(values) & np.isnan(theirs))).all():
            return False
    return True


def _weighted(rows: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the total weight, and the weighted mean."""
    weight = sum(weight for weight, _ in rows)
    return weight, sum(weight * value for weight, value in rows) / weight


def _variance(rows: Sequence[tuple[float, float]]) -> float:
    weight, mean = _weighted(rows)
    return sum(own * (value - mean) ** 2 for own, value in rows) / weight


# --- the sentence -----------------------------------------------------------------------------------------------------

_SHARE = r"(?:[0-9]+%|under 1%|over 99%|none)"
_MAIN = re.compile(
    rf"(?P<words>holds|is reversed|breaks|fails|is undecided) in "
    rf"(?:all (?P<all>[0-9,]+) specifications|(?P<one>the one specification)"
    rf"|(?P<held>{_SHARE}) of (?P<count>[0-9,]+) specifications(?P<weight> by weight)?)(?P<at> \(at .*?\))?"
    rf"(?:, (?P<failing>is reversed|breaks|fails) in (?P<failed>{_SHARE})(?P<where> \(at .*?\))?)?"
    rf"(?:, undecided in (?P<open>{_SHARE}))?"
    r"(?:; it depends most on (?P<source>.+?) \((?P<variance>.+?%) of the variance\)"
    r"(?: and changes when (?P<what>.+?) (?P<way>exceeds|falls below) (?P<number>[^ ]+?))?)?"
    r"(?: \((?P<remarks>[^()]*)\))?\."
)
_WORDS = {"holds": 1, "is undecided": 0, "is reversed": -1, "breaks": -1, "fails": -1}


def untrue(study: Study, collection: ec.Collection, truth: Truth | None = None) -> list[str]:
    """List the untrue statements in the sentence of a claim; `truth` is computed unless it is given."""
    claim = str(study.claim)
    text = study.sentence
    parts = _MAIN.fullmatch(text.removeprefix(f"{claim} "))
    if not text.startswith(f"{claim} ") or parts is None:
        return [f"not understood: {text}"]
    return [f"{objection}: {text}" for objection in _objections(parts, truth or Truth(study, collection), study)]


def _objections(parts: re.Match[str], truth: Truth, study: Study) -> Iterator[str]:
    shares = {name: truth.decision(at) for name, at in (("holds", 1), ("undecided", 0), ("fails", -1))}
    count = 1 if parts["one"] else int((parts["all"] or parts["count"]).replace(",", ""))
    if count != len(truth.first):
        yield f"{len(truth.first)} specifications"
    if parts["all"] or parts["one"]:
        if {one.decision for one in truth.found} != {_WORDS[parts["words"]]}:
            yield f"decisions {shares}"
    elif parts["words"] != "holds":
        yield "does not begin with what holds"
    else:
        for name, text in (("holds", parts["held"]), ("fails", parts["failed"]), ("undecided", parts["open"])):
            if not reads(text or "none", shares[name]):
                yield f"{name} in {shares[name]:.4f}"
    uneven = max(truth.weights) - min(truth.weights) > NEAR
    if not (parts["all"] or parts["one"]) and bool(parts["weight"]) != uneven:
        yield f"weights differ: {uneven}"
    failing = [word for word in (parts["words"], parts["failing"]) if word and _WORDS[word] < 0]
    if failing and set(failing) != {_failing(study.claim)}:
        yield "another word for what fails"
    yield from _broken(parts["at"] or parts["where"], truth)
    yield from _source(parts, truth)
    yield from _remarks(parts["remarks"], truth)
    decisions = study.frame().sort_values("specification")["decision"].map({"holds": 1, "undecided": 0, "fails": -1})
    if decisions.tolist() != [one.decision for one in truth.found]:
        yield "the table decides otherwise"


def reads(text: str, share: float) -> bool:
    """Return True if a share may be written like this: only 0 is "none", and only 1 is "100%"."""
    if text == "none":
        return share < NEAR
    if text in ("under 1%", "over 99%"):
        return 0 < share < 0.01 + NEAR if text == "under 1%" else 0.99 - NEAR < share < 1
    whole = int(text.removesuffix("%"))
    return abs(100 * share - whole) <= 0.5 + NEAR and (whole not in (0, 100) or abs(share - whole / 100) < NEAR)


def _failing(claim: Claim) -> str:
    if claim.top is not None:
        return "fails"
    return "is reversed" if len(claim.systems) == 2 else "breaks"


def _broken(text: str | None, truth: Truth) -> Iterator[str]:
    """Yield objections to pairs at which an order breaks, as in " (at b > c in 60%, at a > b in under 1%)"."""
    pairs = {str(Claim(pair)): at for at, pair in enumerate(truth.claim.pairs)} if len(truth.claim.pairs) > 1 else {}
    shares = {pair: truth.share([one.broken[at] for one in truth.found]) for pair, at in pairs.items()}
    broken = {pair: share for pair, share in shares.items() if share > 0}
    if not broken:
        if text:
            yield "breaks nowhere"
        return
    parts = (text or "").removeprefix(" (at ").removesuffix(")").split(", at ")
    named = {}
    for one in parts:
        pair, _, how = one.rpartition(" in ") if len(parts) > 1 else (one, "", "")
        named[pair] = how
    if set(named) != set(broken):
        yield f"breaks at {broken}"
    elif any(how and not reads(how, broken[pair]) for pair, how in named.items()):
        yield f"breaks in {broken}"
    elif list(named) != sorted(named, key=lambda pair: -round(broken[pair], 9)):
        yield "not the most frequent break first"


def _source(parts: re.Match[str], truth: Truth) -> Iterator[str]:
    """Yield objections to the statements on the main source of the effect and on where the verdict changes."""
    largest = max(truth.sources.values(), default=0.0)
    if parts["source"] is None:
        if largest > NEAR:
            yield f"depends on {truth.sources}"
        return
    names = {name: name for name in truth.sources} | {f"the {name}": name for name in truth.sources}
    source = names.get(parts["source"])
    if source is None or truth.sources[source] < largest - NEAR or not reads(parts["variance"], largest):
        yield f"depends on {truth.sources}"
    if parts["what"] is None or source is None:
        return
    name = source if parts["what"] == "it" else names.get(parts["what"], "")
    if name not in [choice.name for choice in truth.choices]:
        yield "turns along what is no choice"
        return
    border, beyond = float(parts["number"]), parts["way"] == "exceeds"
    for number, holds in truth.holds_by_number(name):
        outside = number > border + NEAR if beyond else number < border - NEAR
        if holds == outside:
            yield f"at {number:g} most {'hold' if holds else 'do not hold'}"
    if not any(isclose(number, border, rel_tol=1e-5) for number, _ in truth.holds_by_number(name)):
        yield "turns at what was not looked at"


def _unseen(truth: Truth) -> Iterator[str]:
    """Yield the true statements on unseen topics like the most contrary one."""
    few = [(at, *one.unseen) for at, one in enumerate(truth.found) if one.unseen and one.unseen[0] < 4]
    if few:
        often = Counter(truth.topic(at, place) for at, _, place in few)
        like = " or ".join(topic for topic, _ in often.most_common(3))
        number = min(number for _, number, _ in few)
        share = percent(truth.share([bool(one.unseen and one.unseen[0] < 4) for one in truth.found]))
        unseen = f"{number:.0f} unseen topic{'s' * (number > 1)} like {like}"
        yield f"undecided in {share}, as {unseen} would reverse the decision"
    alike = [(at, *one.alike) for at, one in enumerate(truth.found) if one.alike]
    if alike:
        same = Counter((name, on, truth.counted(at)) for at, name, on in alike)
        share = percent(truth.share([one.alike is not None for one in truth.found]))
        name, on, of = same.most_common(1)[0][0]
        constant = f"{name} has a constant score on {on} of {of} topics"
        yield f"undecided in {share}, because {constant}, and more topics are needed"
    decided = [(one.unseen[0], at, one.unseen[1]) for at, one in enumerate(truth.found) if one.unseen and one.decision]
    if not decided:
        return
    number, at, place = min(decided, key=lambda one: one[0])
    least = "at least " if len(truth.first) > 1 else ""
    like = (
        f"{least}{number:.0f} unseen topics like {truth.topic(at, place)} would reverse the decision, and"
        * isfinite(number)
    )
    topics = min(truth.counted(at) for _, at, _ in decided)
    share = percent(1 - 0.05 ** (1 / topics))
    yield f"{like or 'no topic contradicts it, but'} an unseen kind of topic may make up {share} of all topics"


def _remarks(text: str | None, truth: Truth) -> Iterator[str]:
    wanted = []
    laid_out, count = len(truth.combinations), len(truth.first)
    if laid_out > count:
        ways = "one way" if count == 1 else f"{count:,} different ways"
        wanted.append(f"{laid_out:,} combinations of options give {ways} to score")
    if truth.too_few:
        some = f", as in {truth.too_few:,} of the specifications" if truth.too_few < count else ""
        wanted.append(f"with fewer than 6 topics nothing can be decided{some}")
    if truth.undefined:
        more = "1 more specification" if truth.undefined == 1 else f"{truth.undefined:,} more specifications"
        wanted.append(f"{more} cannot be scored here")
    topics = len(truth.combinations[0].labelled)
    least, most = min(truth.labelled), max(truth.labelled)
    if least < topics:
        some = f"{most}" if least == most else f"{least} to {most}"
        wanted.append(f"{some} of {topics} topics have the labels that the measures read")
    wanted += _unseen(truth)
    if (text or "") != "; ".join(wanted):
        yield f"remarks: {'; '.join(wanted) or 'none'}"
