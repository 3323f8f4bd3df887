"""Loaded collections on disk: columnar files in a folder named after the files they were made from.

What is kept is trusted no further than it has to be: the folder must be this user's alone to write, an entry is checked
when it is read, and one that is broken or made by somebody else is thrown away and made anew.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import json
import logging
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import feather

from evalcore.data.assessments import plain_subtopics
from evalcore.structures.links import ComponentRuns, Components, Links, Navigation, Worths
from evalcore.data.consistency import check_consistent
from evalcore.structures.passages import Highlights, Parts, Passages
from evalcore.data.sources import Source, read_file
from evalcore.structures.documents import Assessments, Collection, LoadingReport, Note, Rankings, Scale
from evalcore.errors import InputError, readable

FORMAT = 9  # counts up when what is stored, or how files are read, changes
MOST_COLLECTIONS = 20
NAVIGATION_COLUMNS = {
    "components": ("ids", "document", "offset", "size", "effort"),
    "links": ("source", "target", "probability", "line"),
    "worths": ("topic", "component", "rsize", "gain"),
}
WHOLE = "whole"  # the file that says what the others hold
Contents = Mapping[str, bytes]
PART_COLUMNS = ("document", "row", "start", "size", "rsize")


def folder() -> Path:
    """Where collections are kept: $EVALCORE_CACHE, else evalcore below the user's cache folder.

    It is made for this user alone; one that others may write to is not used. Raises OSError where there is none, as in
    a container without a home directory, or Arrow could not write there.
    """
    place = Path(os.environ.get("EVALCORE_CACHE") or _of_user() / "evalcore")
    if readable(place) != str(place):
        raise OSError(errno.EILSEQ, f"a name that is not UTF-8: {readable(place)}")
    return place


def _of_user() -> Path:
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # HOME is not set, and the user not known
        raise OSError(errno.ENOENT, "no home directory") from None


def digest(settings: str, files: Sequence[tuple[str, Source]], of: Callable[[Source], bytes]) -> str:
    """A digest of settings and of files by name, in any order, each by a digest of its own (32 hex digits)."""
    with ThreadPoolExecutor(max_workers=2) as executor:
        digests = list(executor.map(of, (source for _, source in files)))
    whole = hashlib.blake2b(settings.encode(), digest_size=16)
    for name, content in sorted(zip((name for name, _ in files), digests, strict=True)):
        whole.update(f"\n{name}\n".encode() + content)
    return whole.hexdigest()


def store(collection: Collection, key: str) -> None:
    """Keep a collection; the oldest go when there are too many. A full or read-only disk is no error."""
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(folder().stat()):
            _say_once("others may write to the folder: chmod 700 makes it yours alone")
            return
        with tempfile.TemporaryDirectory(dir=folder()) as name:
            half = Path(name) / "new"
            half.mkdir(mode=0o700)
            _write(collection, half)
            (half / WHOLE).write_text(_digest(_contents(half)))
            target = folder() / key
            _throw_away(target)
            half.rename(target)
        _forget_oldest(key)
    except OSError as error:
        _say_once(error.strerror or type(error).__name__)


def recall(key: str) -> Collection | None:
    """The collection kept under that key, or None if there is none, or none that can be used: that is thrown away."""
    try:
        target = folder() / key
        if not _is_ours(folder().stat()):
            return None
    except OSError:
        return None
    try:
        contents = _contents(target)
        if contents.pop(WHOLE).decode() != _digest(contents):
            raise InputError("expected what was written, found another content")
        collection = _read(contents)
        check_consistent(collection)
    except FileNotFoundError:
        return None
    except Exception:  # whatever is wrong with it: what it is of is there to be read
        _throw_away(target)
        return None
    with contextlib.suppress(OSError):
        os.utime(target)
    return collection


def _is_ours(about: os.stat_result) -> bool:
    """Whether this user, and nobody else, may write to a folder."""
    user = getattr(os, "getuid", lambda: about.st_uid)()
    return bool(about.st_uid == user and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _contents(target: Path) -> dict[str, bytes]:
    """The files of an entry by name, each read once. Raises InputError for what is no folder of plain files of ours."""
    about = target.lstat()
    if not (stat.S_ISDIR(about.st_mode) and _is_ours(about)):
        raise InputError("expected a folder of this user's, found something else", str(target))
    found = {}
    for path in sorted(target.iterdir()):
        if path.is_symlink():
            raise InputError("expected a file, found a link", str(path))
        found[path.name] = read_file(path)
    return found


@functools.cache
def _say_once(reason: str) -> None:
    logging.getLogger(__name__).warning(
        "evalcore: collections are read anew each time, as they cannot be kept on disk (%s); "
        "EVALCORE_CACHE names a folder for them",
        reason,
    )


def _digest(contents: Contents) -> str:
    """A digest of what is stored: a flipped bit in a column would otherwise go unseen."""
    digest = hashlib.blake2b(digest_size=16)
    for name, content in contents.items():
        digest.update(name.encode() + content)
    return digest.hexdigest()


def _throw_away(target: Path) -> None:
    """Remove an entry, or whatever stands in its place; never what a link leads to."""
    with contextlib.suppress(OSError):
        if target.is_symlink() or not target.is_dir():
            target.unlink(missing_ok=True)
    shutil.rmtree(target, ignore_errors=True)


def _write(collection: Collection, target: Path) -> None:
    pool, rankings, report = collection.assessments, collection.rankings, collection.report
    rows = {"size": np.diff(rankings.indptr), "length": rankings.length.ravel()}
    columns = {"topic": pool.topic, "document": pool.documents, **_prefixed(pool.columns)}
    _write_table(target / "pool.arrow", columns)
    _write_table(target / "hits.arrow", {"rank": rankings.rank, "row": rankings.row})
    _write_table(target / "rankings.arrow", rows)
    _write_table(target / "texts.arrow", _pairs(collection.texts))
    _write_table(target / "queries.arrow", _pairs(collection.queries))
    feather.write_feather(report.systems.reset_index(), str(target / "systems.arrow"))
    feather.write_feather(report.columns.reset_index(), str(target / "columns.arrow"))
    if collection.subtopics is not None:
        feather.write_feather(collection.subtopics, str(target / "subtopics.arrow"))
    if collection.passages:
        _write_passages(collection.passages, target)
    if collection.navigation:
        _write_navigation(collection.navigation, target)
    about = {
        "title": collection.title,
        "description": collection.description,
        "manifest": collection.manifest,
        "fingerprint": collection.fingerprint,
        "topics": pool.topics,
        "systems": rankings.systems,
        "scales": [asdict(scale) for scale in pool.scales.values()],
        "notes": [asdict(note) for note in report.notes],
        "provenance": dict(report.provenance),
        "links": collection.navigation.links.where if collection.navigation else "",
    }
    (target / "about.json").write_text(json.dumps(about))


def _read(contents: Contents) -> Collection:
    about = json.loads(contents["about.json"])
    pool = _read_table(contents["pool.arrow"])
    scales = {entry["name"]: _scale(entry) for entry in about["scales"]}
    columns = {name: pool[f"column {name}"] for name in scales}
    topics, systems = tuple(about["topics"]), tuple(about["systems"])
    assessments = Assessments(topics, pool["topic"], pool["document"], columns, scales)
    texts, queries = (_read_table(contents[f"{name}.arrow"]) for name in ("texts", "queries"))
    known_texts = dict(zip(texts["key"], texts["value"], strict=True))
    return Collection(
        title=about["title"],
        assessments=assessments,
        rankings=_read_rankings(contents, systems, len(topics), len(assessments)),
        report=_read_report(contents, about),
        description=about["description"],
        manifest=about["manifest"],
        fingerprint=about["fingerprint"],
        texts=known_texts,
        queries=dict(zip(queries["key"], queries["value"], strict=True)),
        passages=_read_passages(contents, topics, systems, known_texts),
        navigation=_read_navigation(contents, systems, len(topics), about.get("links", "")),
        subtopics=_read_subtopics(contents.get("subtopics.arrow")),
    )


def _read_subtopics(content: bytes | None) -> pd.DataFrame | None:
    return None if content is None else plain_subtopics(_arrow(content).to_pandas())


def _read_rankings(contents: Contents, systems: tuple[str, ...], n_topics: int, n_pool: int) -> Rankings:
    hits, rows = (_read_table(contents[f"{name}.arrow"]) for name in ("hits", "rankings"))
    return Rankings(
        systems=systems,
        n_topics=n_topics,
        n_pool=n_pool,
        indptr=np.concatenate([[0], np.cumsum(rows["size"])]).astype(np.int32),
        rank=hits["rank"],
        row=hits["row"],
        length=rows["length"].reshape(len(systems), n_topics),
    )


def _read_report(contents: Contents, about: dict[str, Any]) -> LoadingReport:
    facts, columns = (_arrow(contents[f"{name}s.arrow"]).to_pandas().set_index(name) for name in ("system", "column"))
    facts.index = facts.index.astype(object)
    notes = tuple(Note(**note) for note in about["notes"])
    return LoadingReport(facts, columns, notes, from_cache=True, provenance=about["provenance"])


def _write_passages(passages: Passages, target: Path) -> None:
    marks, parts = passages.highlights, passages.parts
    names = ("topic", "length", "relevant", "best_entry")
    assessed = {"document": marks.documents, "ranges": np.diff(marks.indptr)}
    _write_table(target / "highlights.arrow", {**assessed, **{name: getattr(marks, name) for name in names}})
    _write_table(target / "ranges.arrow", {"start": marks.start, "end": marks.end})
    _write_table(target / "parts.arrow", {name: getattr(parts, name) for name in PART_COLUMNS})
    _write_table(target / "part_rows.arrow", {"size": np.diff(parts.indptr)})
    _write_table(target / "part_documents.arrow", {"document": passages.document_ids})


def _read_passages(
    contents: Contents, topics: tuple[str, ...], systems: tuple[str, ...], texts: dict[str, str]
) -> Passages | None:
    if "highlights.arrow" not in contents:
        return None
    marks, ranges, parts, rows, documents = (
        _read_table(contents[f"{name}.arrow"])
        for name in ("highlights", "ranges", "parts", "part_rows", "part_documents")
    )
    ids, sizes = marks.pop("document"), marks.pop("ranges")
    highlights = Highlights(topics, documents=ids, indptr=np.append(0, np.cumsum(sizes)), **ranges, **marks)
    returned = Parts(systems, len(topics), np.append(0, np.cumsum(rows["size"])), **parts)
    return Passages(highlights, returned, documents["document"], texts)


def _write_navigation(navigation: Navigation, target: Path) -> None:
    runs = navigation.runs
    tables = {"components": navigation.components, "links": navigation.links, "worths": navigation.worths}
    for name, part in tables.items():
        _write_table(target / f"{name}.arrow", {column: getattr(part, column) for column in NAVIGATION_COLUMNS[name]})
    _write_table(target / "component_runs.arrow", {"component": runs.component})
    _write_table(target / "component_rows.arrow", {"size": np.diff(runs.indptr)})
    _write_table(target / "component_pool.arrow", {"component": navigation.pool})


def _read_navigation(contents: Contents, systems: tuple[str, ...], n_topics: int, where: str) -> Navigation | None:
    if "components.arrow" not in contents:
        return None
    components, links, worths = (_read_table(contents[f"{name}.arrow"]) for name in NAVIGATION_COLUMNS)
    runs, rows, pool = (_read_table(contents[f"component_{name}.arrow"]) for name in ("runs", "rows", "pool"))
    return Navigation(
        Components(**components),
        Links(**links, where=where),
        ComponentRuns(systems, n_topics, np.append(0, np.cumsum(rows["size"])), runs["component"]),
        pool["component"],
        Worths(**worths),
    )


def _prefixed(columns: Any) -> dict[str, Any]:
    return {f"column {name}": values for name, values in columns.items()}


def _pairs(mapping: Any) -> dict[str, Any]:
    columns = {"key": list(mapping), "value": list(mapping.values())}
    return {name: np.array(values, dtype=object) for name, values in columns.items()}


def _scale(entry: dict[str, Any]) -> Scale:
    scale = Scale(**entry)
    return replace(scale, grades=tuple(scale.grades), names=tuple(scale.names), gains=tuple(scale.gains))


def _write_table(path: Path, columns: dict[str, Any]) -> None:
    arrays = {
        name: pa.array(values, pa.string() if values.dtype == object else None) for name, values in columns.items()
    }
    feather.write_feather(pa.table(arrays), str(path))


def _read_table(content: bytes) -> dict[str, Any]:
    table = _arrow(content)
    return {name: table[name].to_numpy() for name in table.column_names}


def _arrow(content: bytes) -> pa.Table:
    """A table whose offsets and texts were checked: Arrow takes them for granted elsewhere."""
    table = feather.read_table(pa.BufferReader(content))
    table.validate(full=True)
    return table


def _forget_oldest(newest: str) -> None:
    # Only folders named by a key: whatever else lies here is not ours.
    ours = [path for path in folder().iterdir() if re.fullmatch("[0-9a-f]{32}", path.name) and path.name != newest]
    used = {path: path.stat().st_mtime for path in ours}
    for path in sorted(ours, key=lambda path: used[path])[: max(0, len(ours) + 1 - MOST_COLLECTIONS)]:
        shutil.rmtree(path, ignore_errors=True)
    now = time.time()
    for path in ours:  # a clock that was ahead must not keep them for ever
        if used[path] > now:
            with contextlib.suppress(OSError):
                os.utime(path, (now - 1, now - 1))  # before the newest
