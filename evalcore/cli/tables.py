"""Scores to compare: computed from a collection, read from tables of other tools, or both."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.names import asked
from evalcore.cli.opening import expanded, is_given, open_collection
from evalcore.cli.terminal import Progress, print_note
from evalcore.cli.trec_eval import Plain, relstrings
from evalcore.common.lazy_imports import pd
from evalcore.data.sources import Source, from_path
from evalcore.notation.trec_eval import NO_SCORES, OF_TOPICS

if TYPE_CHECKING:
    from evalcore.structures.documents import Note

Computed = TypeVar("Computed")
STANDARD_INPUT = "standard input"


def gathered(options: argparse.Namespace) -> dict[str, pd.DataFrame]:
    """Return scores by measure, {name: topics x systems}, on the topics and systems that all measures share."""
    if not is_given(options):
        return _without_collection(options)
    collection = open_collection(options)
    scores = computed(asked(options, collection), collection)
    tell_lacked(collection)
    if options.scores:
        read = ec.data.aligned(read_tables(options, collection.systems), collection.topics, collection.systems)
        for name, frame in with_notes(ec.data.as_averaged(read, collection.rankings, collection.topics)).items():
            scores[f"{name} (scores)" if name in scores else name] = frame
    shared = ec.meta.shared_part(scores)
    _tell_shared(shared, collection)
    return shared


def _tell_shared(scores: dict[str, pd.DataFrame], collection: ec.Collection) -> None:
    """Print a note if the compared measures share only some of the topics."""
    count, all_of_them = (len(next(iter(scores.values()))) if scores else 0), len(collection.topics)
    if len(scores) > 1 and count < all_of_them:
        text = f"compared on the {count:,} of {all_of_them:,} topics with scores for all these measures"
        print_note(text)


def _without_collection(options: argparse.Namespace) -> dict[str, pd.DataFrame]:
    if not options.scores:
        raise UsageError("expected a collection or --scores FILE, found neither")
    if options.measure or options.set:
        problem = "expected a collection for measures to score (--scores is a table of scores), found none"
        raise UsageError(f"{problem}: put it before --scores, which reads all files that follow")
    return ec.meta.shared_part(with_notes(read_tables(options)))


def computed(measures: dict[str, ec.Measure], collection: ec.Collection) -> dict[str, pd.DataFrame]:
    """Return the scores of each measure by its name, {name: topics x systems}."""
    from evalcore.measures import evaluate

    return _of_each(_with_scores(measures), collection, lambda measure: evaluate(measure, collection))


def _with_scores(measures: dict[str, ec.Measure]) -> dict[str, ec.Measure]:
    """Return the measures that score topics; print a note on the measures left out."""
    if left := [name for name in measures if name in NO_SCORES]:
        print_note(f"left out, as they have no score on any topic: {', '.join(left)}")
    return {name: measure for name, measure in measures.items() if name not in NO_SCORES}


def computed_plain(measures: dict[str, ec.Measure], collection: ec.Collection) -> dict[str, Plain]:
    """Return the scores of each measure by its name, as `Plain` for text output."""
    from evalcore.measures.evaluation import evaluated

    names = collection.topics, collection.systems
    plain = _of_each(measures, collection, lambda measure: Plain(*names, evaluated(measure, collection)))
    if OF_TOPICS not in plain:
        return plain

    return plain | {OF_TOPICS: relstrings(collection)}


def _of_each(
    measures: dict[str, ec.Measure], collection: ec.Collection, compute: Callable[[ec.Measure], Computed]
) -> dict[str, Computed]:
    tell_coverage(measures, collection)
    scores = {}
    with Progress() as progress:
        for at, (name, measure) in enumerate(measures.items()):
            progress(at / len(measures), name)
            scores[name] = compute(measure)
    return scores


def tell_coverage(measures: dict[str, ec.Measure], collection: ec.Collection) -> None:
    """Print a note on measures whose labels do not cover all topics, with the number of topics in their means."""
    texts = ((name, ec.measures.coverage_text(collection, measure)) for name, measure in measures.items())
    say_alike((name, f"mean {text}; the other topics lack labels" if text else "") for name, text in texts)


def say_alike(texts: Iterable[tuple[str, str]]) -> None:
    """Print each distinct text of (name, text) pairs once, after all names that have this text; skip ""."""
    names = dict[str, list[str]]()
    for name, text in texts:
        names.setdefault(text, []).append(name)
    for text, listed in names.items():
        if text:
            print_note(f"{', '.join(listed)}: {text}")


def tell_lacked(collection: ec.Collection) -> None:
    """Print a note on systems that lack topics, and on the effect on their means."""
    from evalcore.data.averages import lacked_text

    text = lacked_text(collection.rankings, collection.topics)
    if text:
        print_note(f"{text} (--average)")


def read_tables(options: argparse.Namespace, systems: Sequence[str] = ()) -> ec.data.ScoreTables:
    """Return the tables of --scores.

    Raises UsageError if --scores names standard input twice, or if --low names a measure that is not in the tables.
    """
    from evalcore.measures.base import good_end

    if options.scores.count("-") > 1:
        raise UsageError("--scores: expected standard input (-) once, found it again")
    sources: list[Source] = []
    for path in expanded(options.scores):
        sources += [_standard_input()] if path == "-" else from_path(path)
    named = set(options.low)
    tables = ec.data.read_score_tables(
        sources,
        options.missing,
        systems,
        good=lambda name: "low" if name in named else good_end(name),
    )
    if unknown := sorted(named - set(tables.scores)):
        raise UsageError(f"--low: expected a measure of --scores ({', '.join(tables.scores)}), found {unknown[0]!r}")
    return tables


def _standard_input() -> Source:
    content = sys.stdin.buffer.read()
    return Source(STANDARD_INPUT, lambda: content)


def with_notes(tables: ec.data.ScoreTables) -> dict[str, pd.DataFrame]:
    """Return the frames of the tables by measure; print notes on everything that was repaired or left out."""
    tell_notes(tables.notes)
    return dict(tables.scores)


def on_shared_topics(measures: Sequence[ec.Measure], collection: ec.Collection, words: str) -> ec.Collection:
    """Return the collection on the topics that all measures cover.

    If topics are dropped, print `words` as a note; {} in it becomes a text such as "over 53 of 477 topics".
    """
    if text := ec.measures.coverage_text(collection, measures):
        print_note(words.format(text))
        return ec.restrict(collection, topics=ec.covered_topics(collection, measures))
    return collection


def joined(tables: Iterable[tuple[str, pd.DataFrame]]) -> pd.DataFrame:
    """Return the tables as one, with the name of each in the first column, "measure"."""
    parts = []
    for name, table in tables:
        table.insert(0, "measure", name)
        parts.append(table)
    return pd.concat(parts, ignore_index=True)


def tell_notes(notes: Iterable[Note]) -> None:
    """Print the notes on reading a file."""
    for note in notes:
        print_note(f"{note.where}: {note.text}")


def say_no_intervals(reasons: Iterable[str]) -> None:
    """Print a note for each distinct reason: for how many pairs it prevents an interval.

    `reasons` has one item per pair: "" if the pair has an interval.
    """
    listed = list(reasons)
    for why in dict.fromkeys(filter(None, listed)):
        print_note(f"no interval for {listed.count(why):,} of {len(listed):,} pairs: {why}")
