"""Warnings of the report about traps in a comparison of systems.

Identical runs, systems without common topics, topics with one relevant document, and a pool filled mostly by one run.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from evalcore.common.arrays import BoolArray
from evalcore.common.rounding import percent
from evalcore.data.names import is_readability
from evalcore.data.toml_text import toml_key, toml_text
from evalcore.errors import counted, shorten
from evalcore.structures.documents import Assessments, Note, Rankings

if TYPE_CHECKING:
    from evalcore.data.runs import Run

BEFORE = "before you compare"  # `where` of notes on a comparison of systems
FEW_LABELS = "topics of one positive document"  # `where` of notes on such topics
DIRECTION = "which end is good"  # `where` of questions on the good end of an aspect
LEVELS_OF_READABILITY = 5
MISLEADING = (BEFORE, FEW_LABELS)
OWN = 0.5  # share of the retrieved assessed documents that only one run retrieved
NAMED = 3
FOLD = "{fold}"  # in `where` of a question about runs in folds, which is the pattern of their names
_WORD = "(?:fold|split|part|batch|chunk)[-_]?"
_FOLD = re.compile(rf"(?<![a-z])({_WORD})\d+", re.IGNORECASE)
_FOLD_IN_NAME = re.compile(rf"([._-]*{_WORD}\{{fold\}}[._-]*)", re.IGNORECASE)


def run_warnings(runs: Sequence[Run]) -> Iterator[Note]:
    """Yield a warning for each set of runs whose rankings are identical."""
    groups = dict[bytes, list[str]]()
    for run in runs:
        if run.digest and run.length.any():
            groups.setdefault(run.digest, []).append(run.system)
    for names in (names for names in groups.values() if len(names) > 1):
        text = f"{_listed(names)} rank all documents identically: one run in {len(names)} files?"
        yield _note(f"{text} Each counts as a system")


def pool_warnings(pool: Assessments, rankings: Rankings) -> Iterator[Note]:
    """Yield warnings on topics with one relevant document, and on a run that alone found most assessed documents."""
    if pool.aspects:
        yield from _single_documents(pool)
        yield from _own_labels(pool, rankings)


def topic_warnings(rankings: Rankings) -> Iterator[Note]:
    """Yield a warning if there are pairs of systems without a common topic."""
    scored = [~np.isnan(score.values) for score in rankings.given.values()]
    has: BoolArray = np.logical_or.reduce([rankings.length > 0, *scored])
    some = np.flatnonzero(has.any(axis=1))
    apart = np.argwhere(np.triu(has[some].astype(np.int32) @ has[some].T == 0, k=1))
    if len(apart):
        one, other = (shorten(rankings.systems[at]) for at in some[apart[0]])
        pairs = f"{len(apart):,} of {counted(len(has) * (len(has) - 1) // 2, 'pair')} of systems"
        text = f"no topic in common for {pairs}, such as {one} and {other}"
        yield _note(f"{text}: differences between them may come from their topics")


def direction_questions(pool: Assessments, unsaid: Collection[str]) -> Iterator[Note]:
    """Yield a question about the good end of each aspect whose grades do not show it.

    `unsaid` lists the aspects whose good end is not declared. If more than two grades occur, and 1 is the lowest, 1 may
    be the best. On scales of reading difficulty with more than `LEVELS_OF_READABILITY` grades (CLEF eHealth 2015 has
    four), 0 means easy as often as it means hard.
    """
    for name in unsaid:
        values = pool.column(name)
        grades = np.unique(values[~np.isnan(values)])
        from_one = len(grades) > 2 and grades[0] == 1
        if from_one or (is_readability(name) and len(grades) > LEVELS_OF_READABILITY):
            text = f"is {grades[0]:g} or {grades[-1]:g} the best {name}? Not declared: {grades[-1]:g} is assumed"
            line = f'good = "low" under [aspects.{toml_key(name)}] in collection.toml, or --good {name}=low'
            yield Note("question", DIRECTION, f"{text}. If {grades[0]:g} is the best, write {line}")


def fold_questions(rankings: Rankings, files: Sequence[str]) -> Iterator[Note]:
    """Yield a question for each pattern of names of runs in folds: are these runs one system?

    `files` are the files of the systems. Runs are in folds if their names differ only in the number of the fold, and no
    topic is in two of them.
    """
    folds = dict[str, dict[str, list[int]]]()
    for at, file in enumerate(files):
        if _FOLD.search(file):
            folds.setdefault(_pattern_of_folds(file), {}).setdefault(_FOLD.sub("", file), []).append(at)
    for pattern, runs in folds.items():
        count = max(map(len, runs.values()))
        apart = all(((rankings.length[rows] > 0).sum(axis=0) <= 1).all() for rows in runs.values())
        if count > 1 and apart:
            text = f"runs in {count} folds with different topics: one system? Not declared: each is read as a system"
            yield Note("question", pattern, f"{text}. To join them: `runs = [{toml_text(pattern)}]` in collection.toml")


def _pattern_of_folds(file: str) -> str:
    """Return the pattern for the names of a run in folds, from one of these names.

    >>> _pattern_of_folds("fold1/bm25.txt"), _pattern_of_folds("runs/bm25.fold2.txt"), _pattern_of_folds("fold3-bm25")
    ('fold{fold}/{system}.txt', 'runs/{system}.fold{fold}.txt', 'fold{fold}-{system}')
    """
    folder, between, name = _FOLD.sub(r"\1{fold}", glob.escape(file)).rpartition("/")
    parts = _FOLD_IN_NAME.split(name, maxsplit=1)
    before, fold, after = parts if len(parts) == 3 else ("", "", name)
    ending = after if before else PurePosixPath(after).suffix
    return folder + between + ("{system}" + fold if before else fold + "{system}") + ending


def _single_documents(pool: Assessments) -> Iterator[Note]:
    """Yield a warning if topics have a single positive document in the leading aspect."""
    scale, values = pool.scale(pool.leading), pool.column(pool.leading)
    if scale.continuous or (scale.good == "low" and not scale.grades):
        return
    positive = values >= scale.positive_from if scale.good == "high" else values < scale.positive_from
    counts = np.bincount(pool.topic[positive], minlength=len(pool.topics))
    single = [pool.topics[at] for at in np.flatnonzero(counts == 1)]
    if single:
        covered = counted(int(pool.covered([scale.name]).sum()), "topic")
        text = f"{len(single):,} of {covered} have one document with positive {scale.name} ({_listed(single)})"
        text = f"{text}: scores there depend on one label and the rank of one document"
        yield Note("warning", FEW_LABELS, text)


def _own_labels(pool: Assessments, rankings: Rankings) -> Iterator[Note]:
    """Yield a warning if most of the retrieved assessed documents were retrieved by only one run, always the same."""
    count = len(rankings.systems)
    if count < 2:
        return
    hits = np.flatnonzero(pool.judged[rankings.row])
    system = rankings.hit_row[hits] // rankings.n_topics
    times = np.bincount(rankings.row[hits], minlength=len(pool))
    alone = np.bincount(system[times[rankings.row[hits]] == 1], minlength=count)
    retrieved = int((times > 0).sum())
    at = int(alone.argmax())
    if retrieved and alone[at] > OWN * retrieved:
        share = f"{alone[at]:,} of {counted(retrieved, 'assessed document')} ({percent(alone[at] / retrieved)})"
        text = f"{share} retrieved by any run were retrieved only by {shorten(rankings.systems[at])}"
        yield _note(f"{text}: documents of the other systems are hardly assessed, which lowers their scores")


def _note(text: str) -> Note:
    return Note("warning", BEFORE, text)


def _listed(names: Sequence[str]) -> str:
    more = [f"{len(names) - NAMED:,} more"] if len(names) > NAMED else []
    listed = [*map(shorten, names[:NAMED]), *more]
    return " and ".join([", ".join(listed[:-1]), listed[-1]]) if len(listed) > 1 else listed[0]
