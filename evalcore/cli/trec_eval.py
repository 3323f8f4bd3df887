"""Lines as trec_eval prints them, from arrays of scores: means, sums, geometric means, counts of topics, or texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

import evalcore as ec
from evalcore.common.lazy_imports import np, pd
from evalcore.notation.trec_eval import COUNTED, GEOMETRIC, OF_TOPICS, SUMMED

SHOWN = 10  # length of a relstring, in documents
NOT_IN_POOL, NOT_JUDGED, OTHER, ABOVE_9 = "-", ".", "<", ">"


@dataclass(frozen=True, eq=False)
class Plain:
    """Scores of a measure for each system on each topic; nan if missing.

    They are kept as an array, because importing pandas takes longer than computing them.
    """

    topics: Sequence[str]
    systems: Sequence[str]
    scores: np.ndarray  # (S, T)

    @staticmethod
    def of(frame: pd.DataFrame) -> Plain:
        """Return the scores of a frame of topics x systems as `Plain`."""
        return Plain(list(map(str, frame.index)), list(frame.columns), frame.to_numpy().T)

    def mean(self, system: str) -> float:
        """Return a system's mean over its topics with a score, summed as in pandas; nan without any."""
        row = self.scores[self.systems.index(system)]
        known = row == row
        return float(row.sum(where=known) / known.sum()) if known.any() else float("nan")

    def by_topic(self, system: str) -> Iterator[tuple[str, float]]:
        """Return (topic, score) pairs of a system, without missing scores."""
        row = self.scores[self.systems.index(system)].tolist()
        return ((topic, score) for topic, score in zip(self.topics, row, strict=True) if score == score)


def number(name: str, value: float | str, digits: int) -> str:
    """Return a value as text: a count without decimals, a text in quotes, any other number with `digits` decimals."""
    if isinstance(value, str):
        return f"'{value}'"
    return f"{value:.0f}" if name in (*SUMMED, COUNTED) else f"{value:.{digits}f}"


def of_topics(name: str, scores: Plain, system: str) -> dict[str, float]:
    """Return trec_eval's values for a system by topic; {} if trec_eval prints only the value over all topics."""
    return {} if name in (COUNTED, *GEOMETRIC) else dict(scores.by_topic(system))


def of_all(name: str, scores: Plain, system: str) -> float | None:
    """Return the value of a system over all topics; None if trec_eval prints none."""
    if name == OF_TOPICS:
        return None
    values = [value for _, value in scores.by_topic(system)]
    if name == COUNTED:
        return float(len(values))
    if name in SUMMED:
        return float(sum(values))
    if name in GEOMETRIC:
        return exp(scores.mean(system))
    return scores.mean(system)


def relstrings(collection: ec.Collection) -> Plain:
    """Return a text for each ranking, as `Plain`: the grades of its first ten documents, one letter each."""
    pool, rankings = collection.assessments, collection.rankings
    texts = np.empty(rankings.length.shape, dtype=object)
    for system, topic in np.ndindex(*texts.shape):
        letters = [NOT_IN_POOL] * min(int(rankings.length[system, topic]), SHOWN)
        for place, row in zip(*rankings.hits(system, topic, SHOWN), strict=True):
            letters[place] = _letter(float(pool.columns[pool.leading][row]))
        texts[system, topic] = "".join(letters)
    return Plain(collection.topics, collection.systems, texts)


def _letter(grade: float) -> str:
    if grade != grade:
        return NOT_IN_POOL
    if 0 <= grade <= 9:
        return str(int(grade))
    return ABOVE_9 if grade > 9 else NOT_JUDGED if grade == -1 else OTHER
