"""A claim over 2,000 specifications: first picture, scores, decisions, joint test, another claim; and a plain loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.data import Place, plain
from benchmarks.tables import Table, number
from benchmarks.timing import in_child
from evalcore.arrays import FloatArray

SPECIFICATIONS = 2000
LOOPED = 5  # specifications that the loop decides, one sign vector and one resample after the other
CHOICES = """
most = 2000
[[choice]]
name = "measure"
measures = [
  "RBP", "AP", "nDCG", "ERR", "Q", "P", "RR", "uRBP(threshold=2)", "uRBPgr(gains=[0, 0.4, 0.8, 1])",
  "CAM(nDCG)", "MM(nDCG)", "TOMA(nDCG)",
]
[[choice]]
name = "base"
parameter = "base"
values = ["nDCG", "AP", "RBP"]
[[choice]]
name = "distance"
parameter = "distance"
values = ["Euclidean", "Manhattan", "Chebyshev"]
[[choice]]
name = "persistence"
parameter = "rho"
values = "0.5 to 0.95, 10 steps"
[[choice]]
name = "threshold"
parameter = "threshold"
values = [1, 2, 3]
only = ["uRBP"]
[[choice]]
name = "cut-off"
parameter = "cutoff"
values = [5, 10, 20, "none"]
[[choice]]
name = "border of relevance"
parameter = "rel"
values = [1, 2]
[[choice]]
name = "aspect weights"
aspect_weights = [
  { relevance = 1, understandability = 1 }, { relevance = 2, understandability = 1 },
  { relevance = 1, understandability = 2 },
]
[[choice]]
name = "unassessed documents"
unassessed = ["0", "left out", "1"]
[[choice]]
name = "topics"
topics = ["all", "half 1", "other half 1"]
"""
STEPS = ("first picture", "all scores", "curve, joint test, verdict", "another pair", "A first", "A in top 5")


def run(place: Place) -> Iterator[Table]:
    """One table: each step on all runs, then the loop."""
    files = (str(plain(place, len(place.runs))), str(place.relevance), str(place.understandability))
    own = in_child("claims:ours", *files)
    rows = [[name, number(own.result["seconds"][name])] for name in STEPS]
    rows.append(["a plain loop over signs and resamples, scaled to all specifications", f"{own.result['loop']:,.0f}"])
    remarks = (
        f"{own.result['size']}; {SPECIFICATIONS:,} combinations sampled from {own.result['possible']:,}, of which "
        f"{own.result['different']:,} differ. 512 resamples, 1,024 sign vectors. Second call in a fresh process.",
        f"MB that the first call needed: {own.added:.0f}. The first picture is of a sixteenth of the scorings.",
        f"The loop: limits of {LOOPED} specifications, largest difference to ours {own.result['difference']:.0e}.",
    )
    yield Table("A claim over its specifications", ("", "wall s"), rows, remarks)


def ours(runs: str, relevance: str, understandability: str) -> Callable[[], dict[str, Any]]:
    """All steps, timed one by one."""
    import evalcore as ec
    from evalcore.claims import Study, growing, parse_claim

    collection = ec.load(runs=runs, aspects={"relevance": relevance, "understandability": understandability})
    specifications = ec.specifications(CHOICES)
    a, b, other, *_ = collection.systems[::7]

    def judged(text: str, multiverse: Any) -> Study:
        study = Study(parse_claim(text), multiverse)
        assert study.sentence
        assert study.joint.p > 0
        return study

    def work() -> dict[str, Any]:
        clock = _Clock()
        parts = growing(specifications, collection)
        study = judged(f"{a} > {b}", next(parts))
        assert len(study.frame())
        clock.took(STEPS[0])
        *_, multiverse = parts
        clock.took(STEPS[1], also=STEPS[0])
        study = judged(f"{a} > {b}", multiverse)
        clock.took(STEPS[2])
        for name, text in zip(STEPS[3:], (f"{b} > {other}", f"{a} first", f"{a} in top 5"), strict=True):
            judged(text, multiverse)
            clock.took(name)
        seconds, difference = _looped(study)
        size = f"{len(collection.systems)} systems, {len(collection.topics)} topics"
        possible = multiverse.design.possible
        loop = {"loop": seconds * len(multiverse) / LOOPED, "difference": difference}
        return {"seconds": clock.seconds, "size": size, "possible": possible, "different": len(multiverse), **loop}

    return work


class _Clock:
    """Seconds of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def took(self, name: str, also: str = "") -> None:
        """The step ends here; what `also` took is a part of it."""
        now = time.perf_counter()
        self.seconds[name] = now - self._last + self.seconds.get(also, 0.0)
        self._last = now


def _looped(study: Any) -> tuple[float, float]:
    """Seconds of limits, one sign vector and one resample after the other, and the largest difference from ours."""
    from evalcore.meta import topic_resamples
    from evalcore.meta.comparisons import ROUNDING, critical_value, sign_flips

    begun, multiverse, difference = time.perf_counter(), study.multiverse, 0.0
    a, b = (multiverse.systems.index(name) for name in study.claim.systems)
    for at in range(LOOPED):
        topics = multiverse.design.topic_sets[multiverse.design.topic_set[at]]
        scores = multiverse.scores[multiverse.scored[at]][:, topics]
        lead = scores[a] - scores[b]
        n, centred = len(lead), lead - lead.mean()
        flipped = [_size(lead * signs) for signs in sign_flips(n, study.resamples, study.seed)]
        drawn = [_size(np.repeat(centred, counts)) for counts in topic_resamples(n, study.resamples, study.seed)]
        alone = sorted(drawn)[-int(np.ceil(0.05 * len(drawn)))] * (1 + ROUNDING)
        v = max(critical_value(np.array(flipped), 0.05, exact=False), alone)
        width = np.sqrt((n - 1) * v**2 / (n - v**2)) * lead.std(ddof=1) / np.sqrt(n)
        interval = study.curve.low[at], study.curve.high[at]
        ends = lead.mean() - width, lead.mean() + width
        difference = max(difference, *(abs(one - other) for one, other in zip(interval, ends, strict=True)))
    return time.perf_counter() - begun, difference


def _size(lead: FloatArray) -> float:
    return float(abs(lead.sum()) / np.sqrt(np.square(lead).sum()))
