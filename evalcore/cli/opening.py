"""The collection that the arguments name."""

from __future__ import annotations

import argparse
import fnmatch
import glob
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.options import pairs
from evalcore.cli.terminal import Progress, clean, print_note
from evalcore.data.sources import Source, from_bytes, from_path, read_file
from evalcore.errors import InputError, counted, readable, refuse_huge

NEEDED = "expected a collection (a folder, a zip, or --runs with --aspect), found"


def is_given(options: argparse.Namespace) -> bool:
    """Return whether the arguments name a collection, or a part of one."""
    return bool(options.where or options.runs or options.aspect or options.signal)


def open_collection(options: argparse.Namespace) -> ec.Collection:
    """Return the collection that the arguments name, limited to the systems, topics and documents that they select."""
    _refuse_contradictions(options)
    with Progress() as progress:
        collection = _loaded(options, progress)
        notes = list[str]()
        if options.add:
            collection, notes = _added(collection, options, progress)
        if collection.report.notes:
            count = counted(len(collection.report.notes), "note")
            progress.note(f"{count} on the files: evalcore inspect shows them")
    for text in notes:
        print_note(text)
    return _chosen(collection, options)


def _chosen(collection: ec.Collection, options: argparse.Namespace) -> ec.Collection:
    """Return the collection limited to the selected systems, topics, labels and ranks; print its warnings."""
    if options.source is not None:
        collection = ec.data.judged_by(collection, options.source)
    if options.lead is not None:
        collection = ec.data.lead_by(collection, options.lead)
    _tell_leading(collection)
    _tell_misleading(collection)
    options.opened = collection  # contains the shown names of systems
    systems = _fitting(collection.systems, options.systems, "--systems", called(options) if options.systems else {})
    if getattr(options, "baseline", None):
        options.baseline = [system_named(name, options) for name in options.baseline]
    collection = ec.data.restrict(collection, systems, _fitting(collection.topics, options.topics, "--topics"))
    return ec.data.average_over(_cut(collection, options), getattr(options, "average", "all"))


def _added(
    collection: ec.Collection, options: argparse.Namespace, progress: Progress
) -> tuple[ec.Collection, list[str]]:
    """Return the collection with the files of --add, and notes on the role of each and on the rank of an added run."""
    from evalcore.data.adding import topic_text
    from evalcore.data.loading import add_to
    from evalcore.explain.unassessed import place

    files = [source for path in expanded(options.add) for source in from_path(path)]
    joined, additions = add_to(collection, files, not options.no_cache, progress)
    notes = []
    for addition in additions:
        topics = topic_text(joined, addition)
        notes.append(f"{addition.file}: added as {addition.text}{f', {topics}' if topics else ''}")
        notes += [place(joined, addition.system).in_words] if addition.system and joined.aspects else []
    return joined, notes


def _tell_misleading(collection: ec.Collection) -> None:
    """Print the notes that a reader needs before comparing systems; notes that ask a question come first."""
    from evalcore.data.report_warnings import BEFORE, DIRECTION

    notes = collection.report.notes
    for note in (note for note in notes if note.kind == "question"):
        print_note(note.text if note.where == DIRECTION else f"{note.where}: {note.text}")
    for note in (note for note in notes if note.where == BEFORE):
        print_note(note.text)


def _tell_leading(collection: ec.Collection) -> None:
    """Print a note on the aspect that measures read by default, if no aspect is called relevance."""
    if collection.aspects and collection.leading in collection.aspects and collection.leading != "relevance":
        text = f"no aspect is named relevance: measures that specify no aspect use {clean(collection.leading)} (--lead)"
        print_note(text)


def _cut(collection: ec.Collection, options: argparse.Namespace) -> ec.Collection:
    """Return the collection with every ranking cut at the depth of -M."""
    depth = getattr(options, "max_documents", None)
    if depth is None:
        return collection
    if depth < 1:
        raise UsageError(f"-M/--max-documents: expected 1 or more, found {depth}")
    refuse_huge(depth, "-M/--max-documents")

    return ec.cut_rankings(collection, depth)


def sources(options: argparse.Namespace) -> list[Source]:
    """Return the files of the collection, named as in its report."""
    from evalcore.data.collection_files import given_runs

    if options.runs:
        return given_runs(expanded(options.runs))
    places = expanded(options.where)
    return from_path(places[0]) if len(places) == 1 else from_bytes(_files(places))


def inputs(options: argparse.Namespace) -> list[str]:
    """Return every file and folder that a command reads, including standard input."""
    values = vars(options)
    places = [place for name in ("where", "runs", "scores", "add") for place in expanded(values.get(name) or ())]
    named = [text.partition("=")[2] for name in ("aspect", "signal") for text in values.get(name) or ()]
    listed = [text.strip().removeprefix("@") for text in values.get("measure") or () if text.strip().startswith("@")]
    return [*places, *named, *listed, *filter(None, [values.get("collection_toml"), values.get("specs")]), "/dev/stdin"]


def _refuse_contradictions(options: argparse.Namespace) -> None:
    parts = [name for name in ("runs", "aspect", "signal") if getattr(options, name)]
    if not options.where and not parts:
        raise UsageError(f"{NEEDED} none")
    if options.where and parts:
        raise UsageError(f"{NEEDED} both {options.where[0]} and --{parts[0]}")
    if not options.where and not (options.runs and options.aspect):
        raise UsageError(f"{NEEDED} only --{' and --'.join(parts)}")
    if options.collection_toml and not options.where:
        raise UsageError("--collection-toml: expected a folder, a zip or files, found --runs")


def _loaded(options: argparse.Namespace, progress: Progress) -> ec.Collection:
    good = pairs(options.good, "--good", "NAME=high or NAME=low")
    how = {"order": options.order, "labels": options.labels, "progress": progress}
    whole: dict[str, Any] = {**how, "good": good, "use_cache": not options.no_cache}
    if options.runs:
        return ec.data.load(**_each(options), **whole)
    text, places = _manifest(options), expanded(options.where)
    if len(places) == 1:
        # a collection without a title is named after its folder, also if that is given as . or ..
        place = places[0] if Path(places[0]).name.strip(".") else os.path.abspath(places[0])
        return ec.data.load(place, manifest=text, **whole)
    if good:
        raise UsageError("--good: expected one folder or zip, or --runs and --aspect, found several files")
    return ec.data.load_files(_files(places), manifest=text, **how)


def _manifest(options: argparse.Namespace) -> str | None:
    return read_text(options.collection_toml, "a collection.toml") if options.collection_toml else None


def _each(options: argparse.Namespace) -> dict[str, Any]:
    """Return the files of --runs, --aspect and --signal as arguments of `load`; None for an option that is missing."""
    return {
        "runs": expanded(options.runs) if options.runs else None,
        "aspects": pairs(options.aspect, "--aspect", "NAME=FILE") or None,
        "signals": pairs(options.signal, "--signal", "NAME=FILE") or None,
    }


def expanded(patterns: Sequence[str]) -> list[str]:
    """Return paths, after expanding the patterns that the shell did not expand.

    Paths of existing files, and patterns that match nothing, are returned unchanged.
    """
    paths: list[str] = []
    for pattern in patterns:
        paths += [pattern] if os.path.lexists(pattern) else (sorted(glob.glob(pattern)) or [pattern])
    return paths


def _files(places: Sequence[str]) -> list[tuple[str, bytes]]:
    """Return (name, content) of the files at several paths, named relative to their common folder."""
    base = os.path.commonpath([os.path.abspath(os.path.dirname(place) or ".") for place in places])
    files = []
    for place in places:
        name = readable(Path(os.path.relpath(place, base)).as_posix())
        if os.path.isdir(place):
            files += [(f"{name}/{source.name}", source.raw()) for source in from_path(place)]
        else:
            files.append((name, read_file(place)))
    return files


def read_text(path: str, what: str) -> str:
    """Return the text of a file. Raises InputError if it is not UTF-8."""
    return decoded(read_file(path), what, path)


def decoded(content: bytes, what: str, where: str) -> str:
    """Return the text of bytes in UTF-8, without a byte order mark. Raises InputError if they are not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"expected {what} in UTF-8, found a different encoding", where) from None


def called(options: argparse.Namespace) -> Mapping[str, str]:
    """Return the names of systems in the app and in texts, by file name; empty before a collection is opened."""
    from evalcore.data.shown_names import names_in

    opened = getattr(options, "opened", None)
    return {} if opened is None else names_in(opened)


def named(options: argparse.Namespace) -> Callable[[object], str]:
    """Return a function that maps the file name of a system to its shown name."""
    names = called(options)
    return lambda system: names.get(str(system), str(system))


def system_named(text: str, options: argparse.Namespace) -> str:
    """Return the file name of a system, given by its file name or its shown name; unknown names stay as given."""
    files = {shown: file for file, shown in called(options).items()}
    return text if text in called(options) else files.get(text, text)


def _fitting(
    names: Sequence[str], patterns: Sequence[str] | None, option: str, shown: Mapping[str, str] = MappingProxyType({})
) -> list[str] | None:
    """Return the names that match any pattern, either as file names or as shown names; None without patterns.

    Raises InputError if a pattern matches no name.
    """
    if patterns is None:
        return None
    fitting, both = set[str](), {name: (name, shown.get(name, name)) for name in names}
    for pattern in patterns:
        found = [name for name, texts in both.items() if any(fnmatch.fnmatchcase(text, pattern) for text in texts)]
        if not found:
            raise InputError(f"expected a pattern that matches one of {len(names)} names, found {pattern!r}", option)
        fitting.update(found)
    return [name for name in names if name in fitting]
