"""Labels that came back: how far each document that people labelled has brought the decision.

The doubt about the pairs that count is the sum of the chances that they are in another order than they seem
(`evalcore.combining.next_labels`). A label was worth it where the doubt is less with it than before it, in the order of
the file; one that surprises may raise it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from evalcore.arrays import BoolArray, FloatArray, IntArray
from evalcore.combining.combined import TwoSources
from evalcore.combining.estimates import Sampled
from evalcore.combining.human_labels import ALL_LABELS, KeptLabels
from evalcore.combining.next_labels import (
    Beliefs,
    Told,
    as_labelled,
    chance_wrong,
    expected_gains,
    pairs_of,
    surprises,
    verdict,
    without_rounding,
)
from evalcore.data.assessments import read_qrels
from evalcore.data.sources import from_bytes
from evalcore.errors import InputError, check_level, counted, shorten
from evalcore.judges.rescoring import NONE, grade_places
from evalcore.later import sparse
from evalcore.measures import Measure
from evalcore.progress import checkpoint
from evalcore.rounding import SOLVED
from evalcore.shown import shown
from evalcore.structures.documents import Collection

FILE = "filled labels"
AT_ONCE = 1 << 22  # pairs x documents whose squares are held


@shown
@dataclass(frozen=True, eq=False)
class FilledLabels:
    """What human labels that came back have brought.

    `table` has a row for each, in the order of the file: topic, document, model and human (the labels), doubt (what is
    left of it with this label and those before), decided (pairs that are sure then), worth_it. `decided` and `doubt`
    are pairs before and after all of them, of `of_pairs`.
    """

    measure: str
    table: pd.DataFrame
    decided: tuple[int, int]
    doubt: tuple[float, float]
    of_pairs: int

    @property
    def n_worth_it(self) -> int:
        """How many labels took doubt away."""
        return int(self.table["worth_it"].sum())

    def in_words(self) -> str:
        """How many labels were worth it, as a sentence without a full stop."""
        before, after = self.decided
        return (
            f"{self.n_worth_it:,} of {counted(len(self.table), 'label')} took doubt away: {before:,} of "
            f"{counted(self.of_pairs, 'pair')} were decided, {after:,} are"
        )


def filled_labels(
    measure: Measure | str,
    collection: Collection,
    model: str | None = None,
    human: str | None = None,
    *,
    filled: str,
    aim: str | Sequence[str] = "order",
    kept: KeptLabels | str = ALL_LABELS,
    aspect: str | None = None,
    level: float = 0.95,
) -> FilledLabels:
    """How many labels were worth it of those `filled` in: the text of a qrels file, as of `NextLabels.template`.

    Lines with a grade below 0 are passed over: nobody judged these. Other options as in `label_next`. Raises InputError
    for a file without a grade, a document that is not of the collection, and as `label_next` does.

    >>> import evalcore as ec
    >>> runs = {"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"y": 2.0, "x": 1.0}}}
    >>> machine = {"t": {"x": 1, "y": 0}}
    >>> c = ec.collection(runs, {"relevance": {"people": {"t": {"y": 0}}, "machine": machine}})
    >>> found = filled_labels("P@1", c, filled="t 0 x 1", level=0.99)
    >>> found.n_worth_it, found.decided, found.of_pairs
    (1, (0, 1), 1)
    """
    check_level(level)
    two = TwoSources.of(measure, collection, model, human, aspect)
    labels = two.kept(kept)
    Sampled(two.scorer, labels, two.height_bands)  # which refuses measures whose scores are no sums
    rows, grades = _read(filled, two)
    beliefs = Beliefs(two, labels)
    a, b = np.nonzero(np.triu(pairs_of(aim, beliefs)))
    doubt, decided = _standings(_Steps(beliefs, rows, grade_places(grades, two.scorer.grades)), a, b, level)
    table = pd.DataFrame(
        {
            **two.collection.assessments.ids(rows),
            "model": labels.model[rows],
            "human": grades,
            "doubt": doubt[1:],
            "decided": decided[1:],
            "worth_it": np.diff(doubt) < -SOLVED * max(doubt[0], 1.0),
        }
    )
    ends = (int(decided[0]), int(decided[-1])), (float(doubt[0]), float(doubt[-1]))
    return FilledLabels(str(two.measure), table, *ends, of_pairs=len(a))


def _read(filled: str, two: TwoSources) -> tuple[IntArray, FloatArray]:
    """The pool rows of documents with a grade, each once, and their grades."""
    pool = two.collection.assessments
    (source,) = from_bytes([(FILE, filled.encode())])
    given = read_qrels(source, pool.scale(two.aspect))
    place = {pair: row for row, pair in enumerate(zip(pool.topic.tolist(), pool.documents.tolist(), strict=True))}
    number = {topic: at for at, topic in enumerate(pool.topics)}
    rows = dict[int, float]()
    for topic, document, grade, line in zip(given.topics, given.documents, given.grades, given.lines, strict=True):
        row = place.get((number.get(topic, -1), document))
        if row is None:
            found = f"{shorten(str(document))} of topic {shorten(str(topic))}"
            raise InputError(f"expected a document that {two.model!r} labelled, found {found}", FILE, int(line))
        if grade >= 0:
            rows.setdefault(row, float(grade))
    if not rows:
        raise InputError("expected a grade in the place of some -1, found none", FILE)
    return np.array(list(rows), dtype=np.int64), np.array(list(rows.values()))


@dataclass(frozen=True, eq=False)
class _Steps:
    """What is believed before the labels that came back, and with each of them and those before it: L + 1 steps.

    Documents of which the same is believed at every step, as they are of one topic and class and have the same gains,
    are one of K cells; each that came back is one by itself. So sums over documents are made once for all steps.
    """

    beliefs: Beliefs
    rows: IntArray  # (L,) that came back
    grades: IntArray  # (L,) their grades, as places among all

    @cached_property
    def cell(self) -> IntArray:
        """(P,) of each document."""
        known, alone = self.beliefs, np.zeros(len(self.beliefs.topic), dtype=np.int64)
        alone[self.rows] = np.arange(1, len(self.rows) + 1)
        _, gains = np.unique(known.gains, axis=0, return_inverse=True)
        drawn = known.labels.drawn_ones
        keys = np.column_stack([alone, known.topic, known.kinds, known.places, gains.reshape(-1), drawn])
        return np.asarray(np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1), dtype=np.int64)

    @cached_property
    def one_of(self) -> IntArray:
        """(K,) a document of each cell."""
        return np.asarray(np.unique(self.cell, return_index=True)[1], dtype=np.int64)

    @cached_property
    def drawn(self) -> BoolArray:
        """(K,) whether documents of a cell were drawn at random to be labelled; not those that came back."""
        drawn = self.beliefs.labels.drawn_ones
        drawn[self.rows] = False
        return drawn[self.one_of]

    @cached_property
    def members(self) -> sparse.csr_array:
        """(K, P) which documents are in each cell."""
        ones, documents = np.ones(len(self.cell)), np.arange(len(self.cell))
        return sparse.csr_array((ones, (self.cell, documents)), (len(self.one_of), len(self.cell)))

    def __iter__(self) -> Iterator[FloatArray]:
        """(4, K) of a document of each cell, as shares of the ideal order's: the mean and the variance of its gain;
        and how much more it is than expected, where people labelled it, with its variance."""
        known, counts = self.beliefs, self.beliefs.counts.copy()
        kinds, places, seen = known.kinds[self.one_of], known.places[self.one_of], known.known[self.one_of]
        steps = zip([NONE, *self.cell[self.rows]], [NONE, *self.grades], strict=True)
        for at, (cell, grade) in enumerate(steps):
            if at:
                if places[cell] != NONE:
                    counts[kinds[cell], places[cell]] -= 1
                counts[kinds[cell], grade] += 1
                places[cell], seen[cell] = grade, True
            yield self._gains(counts, kinds, places, seen)

    def _gains(self, counts: FloatArray, kinds: IntArray, places: IntArray, seen: BoolArray) -> FloatArray:
        believed, gains = self.beliefs.believed(counts)[kinds], self.beliefs.gains[self.one_of]
        chances = as_labelled(believed, places)
        expected = expected_gains(chances, gains, seen, places != NONE)
        step = np.array([*expected, *surprises(believed, gains, places, counts.sum(axis=1)[kinds])])
        if not self.beliefs.two.scorer.divides_by_ideal:
            return step
        topic = self.beliefs.topic[self.one_of]
        ideals = self.beliefs.ideals(topic, chances * (seen * self.members.sum(axis=1))[:, None])[topic]
        return np.asarray(step / np.array([ideals, ideals**2, ideals, ideals**2]))


def _standings(steps: _Steps, a: IntArray, b: IntArray, level: float) -> tuple[FloatArray, IntArray]:
    """(L + 1,) at each step the doubt about pairs of systems, and how many are decided."""
    rows = []
    for step in steps:
        rows.append(step)
        checkpoint(len(rows) / (len(steps.rows) + 1))
    means, variances, more, seen = np.array(rows).swapaxes(0, 1)
    weights, members = steps.beliefs.undivided, steps.members
    drawn = seen * steps.drawn, more * steps.drawn
    sums, squares = members @ weights.T, members @ weights.T**2
    scores = means @ sums
    doubt, decided = np.zeros(len(means)), np.zeros(len(means), dtype=np.int64)
    for part in np.array_split(np.arange(len(a)), 1 + len(a) * weights.shape[1] // AT_ONCE):
        first, second = a[part], b[part]
        apart = (weights[first] - weights[second]).T ** 2
        lead, own = scores[:, first] - scores[:, second], squares[:, first] + squares[:, second]
        left = without_rounding(variances @ (members @ apart), variances @ own)
        told, by_drawn = (
            Told(
                without_rounding(spread @ (members @ apart), spread @ own),
                spread**2 @ (members @ apart**2),
                surprise @ sums[:, first] - surprise @ sums[:, second],
            )
            for spread, surprise in ((seen, more), drawn)
        )
        doubt += chance_wrong(lead, left).sum(axis=1)
        decided += (verdict(lead, left, told, by_drawn) <= 1 - level).sum(axis=1)
        checkpoint()
    return doubt, decided
