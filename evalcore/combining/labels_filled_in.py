"""Labels that came back: how far each document that people labelled has brought the decision.

The doubt about the pairs that count is the sum of the chances that they are in another order than they seem
(`evalcore.combining.next_labels`). A label was worth it where the doubt is less with it than before it, in the order of
the file; one that surprises may raise it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from evalcore.arrays import BoolArray, FloatArray, IntArray
from evalcore.combining.combined import TwoSources
from evalcore.combining.estimates import Sampled
from evalcore.combining.human_labels import ALL_LABELS, HumanLabels, KeptLabels
from evalcore.combining.next_labels import Beliefs, pairs_of
from evalcore.data.assessments import read_qrels
from evalcore.data.sources import from_bytes
from evalcore.errors import InputError, check_level, counted, shorten
from evalcore.measures import Measure
from evalcore.progress import checkpoint
from evalcore.rounding import SOLVED
from evalcore.shown import shown
from evalcore.structures.documents import Collection

FILE = "filled labels"


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
    pairs = np.triu(pairs_of(aim, beliefs)) > 0
    found = [_standing(beliefs, pairs, level)]
    for at in range(len(rows)):
        found.append(_standing(Beliefs(two, _with(labels, two, rows[: at + 1], grades)), pairs, level))
        checkpoint((at + 1) / len(rows))
    doubt, decided = (list(one) for one in zip(*found, strict=True))
    pool = two.collection.assessments
    table = pd.DataFrame(
        {
            "topic": np.array(pool.topics, dtype=object)[pool.topic[rows]],
            "document": pool.documents[rows],
            "model": labels.model[rows],
            "human": grades,
            "doubt": doubt[1:],
            "decided": decided[1:],
            "worth_it": np.diff(doubt) < -SOLVED * max(doubt[0], 1.0),
        }
    )
    ends = (decided[0], decided[-1]), (doubt[0], doubt[-1])
    return FilledLabels(str(two.measure), table, *ends, of_pairs=int(pairs.sum()))


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


def _with(labels: HumanLabels, two: TwoSources, rows: IntArray, grades: FloatArray) -> HumanLabels:
    human, topics = labels.human.copy(), labels.topics.copy()
    human[rows] = grades[: len(rows)]
    topics[two.collection.assessments.topic[rows]] = True
    return replace(labels, human=human, topics=topics)


def _standing(beliefs: Beliefs, pairs: BoolArray, level: float) -> tuple[float, int]:
    """The doubt about pairs, and how many are decided."""
    wrong = beliefs.wrong[pairs]
    return float(wrong.sum()), int((wrong <= 1 - level).sum())
