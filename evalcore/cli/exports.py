"""Export of a collection to files that other tools can read, and that give the same scores in evalcore.

Rankings are written in the order in which they are scored. If that is not by score, the written scores fall with the
rank, so that every tool sees the same order. Unassessed documents are written too.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import evalcore as ec
from evalcore.cli.opening import sources
from evalcore.cli.output import is_raw
from evalcore.common.lazy_imports import np, pd
from evalcore.common.writing import csv_text, new_folder
from evalcore.data.sources import Source
from evalcore.errors import InputError

if TYPE_CHECKING:
    from evalcore.data.manifest import Column


def write_folder(collection: ec.Collection, options: argparse.Namespace, form: str, folder: Path) -> None:
    """Write a whole collection to a new folder, as TREC files or CSV, with a collection.toml that describes them."""
    with new_folder(folder) as new:
        _write_all(collection, options, form, new)


def _write_all(collection: ec.Collection, options: argparse.Namespace, form: str, folder: Path) -> None:
    from evalcore.data.manifest import FILE_NAME, Manifest, write_manifest

    for below in ("runs", "assessments"):
        (folder / below).mkdir()
    raw = is_raw(options)
    _write_runs(run_frames(collection, options), form, folder / "runs", raw)
    pool, queries = collection.assessments, _write_queries(collection, folder)
    columns = tuple(_write_column(pool, name, form, folder, raw) for name in pool.scales)
    manifest = Manifest(collection.title, collection.description, columns=columns, queries=queries)
    (folder / FILE_NAME).write_text(write_manifest(manifest), encoding="utf-8")


def _write_runs(frames: Iterator[pd.DataFrame], form: str, folder: Path, raw: bool) -> None:
    if form != "trec":
        with (folder / "runs.csv").open("wb") as file:
            write_tables(frames, file, raw)
        return
    for frame in frames:
        (folder / file_name(str(frame["system"].iloc[0]))).write_text(trec_run(frame), encoding="utf-8")


def run_frames(collection: ec.Collection, options: argparse.Namespace) -> Iterator[pd.DataFrame]:
    """Yield a frame for each system, best first: system, topic, document, rank, score.

    Raises InputError for a collection without runs, with runs of document parts, or in the order urbp-tool.
    """
    from evalcore.data.manifest import parse_manifest

    order = parse_manifest(collection.manifest).order
    if "passages" in collection.more:
        raise InputError("expected rankings of documents to write, found runs of document parts", collection.title)
    if order == "urbp-tool":
        raise InputError("cannot write the order urbp-tool (it skips ranks); use score, rank or file", collection.title)
    if "file" not in collection.report.systems:
        raise InputError("expected runs to write, found only labels or scores", collection.title)
    for system, source in _run_sources(collection, options):
        yield ordered(source, system, order)


def ordered(source: Source, system: str, order: str) -> pd.DataFrame:
    """Return all lines of one run, by topic and best first, ordered as `evalcore.data.runs.read_run` does."""
    lines = _lines(source)
    if order == "score":  # ties: document id descending
        lines = lines.sort_values("document", ascending=False, kind="stable")
    lines = lines.sort_values(["place", f"by {order}"], kind="stable", ignore_index=True)
    topics = lines.groupby("place", sort=False)["place"]
    rank = topics.cumcount() + 1
    score = lines["score"] if order == "score" else (topics.transform("size") - rank + 1).astype(float)
    columns = {"system": system, "topic": lines["topic"], "document": lines["document"], "rank": rank, "score": score}
    return pd.DataFrame(columns)


def _lines(source: Source) -> pd.DataFrame:
    """Return a frame of a run's lines: topic, document, score, place (the index of the topic), and three sort keys.

    The keys are "by score", "by rank" and "by file"; low values come first.
    """

    from evalcore.data.runs import run_lines
    from evalcore.structures.documents import natural_key

    read = run_lines(source)
    with np.errstate(over="ignore", under="ignore"):
        as_compared = read.scores.astype(np.float32)  # single precision, as in trec_eval
    keys = {"by score": -as_compared, "by rank": read.ranks, "by file": np.zeros(len(read.ranks))}
    places = {topic: at for at, topic in enumerate(sorted(set(read.topics), key=natural_key))}
    lines = pd.DataFrame({"topic": read.topics, "document": read.documents, "score": read.scores, **keys})
    return lines.assign(place=lines["topic"].map(places))


def trec_run(frame: pd.DataFrame) -> str:
    """Return one system as the text of a TREC run, with its name as the tag; white space becomes an underscore."""
    tag = re.sub(r"\s+", "_", str(frame["system"].iloc[0]))
    rows = zip(frame["topic"], frame["document"], frame["rank"], frame["score"].tolist(), strict=True)
    return "".join(f"{topic} Q0 {document} {rank} {score!r} {tag}\n" for topic, document, rank, score in rows)


def column_frame(pool: ec.Assessments, name: str) -> pd.DataFrame:
    """Return the known values of one aspect (topic, document, grade) or signal (document, value)."""
    frame = pool.frame()[["topic", "document", name]].dropna(subset=[name])
    if pool.scale(name).kind == "grades":
        return frame.rename(columns={name: "grade"})
    return frame.drop(columns="topic").drop_duplicates("document")


def trec_column(pool: ec.Assessments, name: str) -> str:
    """Return one aspect as the text of TREC qrels, or a signal as lines of document and value."""
    frame = column_frame(pool, name)
    if pool.scale(name).kind == "signal":
        pairs = zip(frame["document"], frame[name].tolist(), strict=True)
        return "".join(f"{document} {value!r}\n" for document, value in pairs)
    rows = zip(frame["topic"], frame["document"], frame["grade"].tolist(), strict=True)
    return "".join(f"{topic} 0 {document} {_grade(grade)}\n" for topic, document, grade in rows)


def write_tables(frames: Iterable[pd.DataFrame], file: BinaryIO, raw: bool = False) -> None:
    """Write frames with the same columns as one CSV."""
    for at, frame in enumerate(frames):
        file.write(csv_text(frame, header=at == 0, raw=raw).encode())


def _run_sources(collection: ec.Collection, options: argparse.Namespace) -> Iterator[tuple[str, Source]]:
    """Yield each system with its source as TREC text; a table is split into its systems."""
    from evalcore.data.kinds import read_as

    find, opened = _finder(sources(options)), dict[str, dict[str, "Source"]]()
    for system, file in collection.report.systems["file"].items():
        if file not in opened:
            parts = read_as("run", find(str(file)))
            alone = len(parts) == 1  # a file with one system, whose name may include folders; else a table
            opened = {file: {str(system) if alone else part.stem: part for part in parts}}
        yield str(system), opened[file][str(system)]


def _finder(known: list[Source]) -> Callable[[str], Source]:
    """Return a function that finds a file by its name in a report; that name may omit folders that all files share."""
    by_name = {source.name: source for source in known}

    def find(name: str) -> Source:
        fitting = [source for source in known if source.name.endswith(f"/{name}")]
        file = by_name.get(name) or (fitting[0] if len(fitting) == 1 else None)
        if file is None:
            raise InputError("expected this run among the files that were read, found none", name)
        return replace(file, name=name, label=file.label)

    return find


def _write_column(pool: ec.Assessments, name: str, form: str, folder: Path, raw: bool) -> Column:
    """Write the file of one aspect or signal, and return its entry for collection.toml."""
    from evalcore.data.manifest import Column, OtherSource

    scale = pool.scale(name)
    stem = f"{list(pool.scales).index(name) + 1}-{re.sub(r'[^A-Za-z0-9_-]+', '_', name)}"
    column: int | str = 1 if form == "trec" else "grade" if scale.kind == "grades" else name
    own, others = own_source(pool, name)
    sources = []
    for number, source in enumerate(others, start=2):
        labels = replace(pool, columns={**pool.columns, name: pool.sources[name].labels[source]})
        own_stem = f"{stem}-{number}-{re.sub(r'[^A-Za-z0-9_-]+', '_', source)}"
        file = _write_labels(labels, name, form, folder / "assessments", own_stem, raw)
        sources.append(OtherSource(source, file, column))
    file = _write_labels(pool, name, form, folder / "assessments", stem, raw)
    return Column(scale, file, column, source=own, sources=tuple(sources))


def _write_labels(pool: ec.Assessments, name: str, form: str, folder: Path, stem: str, raw: bool) -> str:
    """Write the labels of one column of the pool, and return the file's name with its folder."""
    file = folder / f"{stem}.{'txt' if form == 'trec' else form}"
    if form == "trec":
        file.write_text(trec_column(pool, name), encoding="utf-8")
    else:
        with file.open("wb") as handle:
            write_tables([column_frame(pool, name)], handle, raw)
    return f"{folder.name}/{file.name}"


def own_source(pool: ec.Assessments, name: str) -> tuple[str, list[str]]:
    """Return the source of an aspect's labels, and the aspect's other sources.

    They are "" and [] if the aspect has no named sources, or if none of these has exactly these labels.
    """
    if name not in pool.sources:
        return "", []
    labels, scale, column = pool.sources[name].labels, pool.scale(name), pool.column(name)
    same = [source for source in labels if np.array_equal(scale.judged(labels[source]), column, equal_nan=True)]
    return (same[0], [source for source in labels if source != same[0]]) if same else ("", [])


def _write_queries(collection: ec.Collection, folder: Path) -> str:
    if not collection.queries:
        return ""
    lines = (f"{topic}\t{' '.join(query.split())}\n" for topic, query in collection.queries.items())
    (folder / "topics.tsv").write_text("".join(lines), encoding="utf-8")
    return "topics.tsv"


def file_name(system: str) -> str:
    """Return the name of the file for a system's run. Raises InputError if the system's name cannot be a file name."""
    if system.startswith(".") or not system.isprintable() or re.search(r'[/\\:*?"<>|]', system):
        problem = f"expected names of systems that are valid file names, found {system!r}; csv accepts any name"
        raise InputError(problem, system)
    return f"{system}.txt"


def _grade(grade: float) -> str:
    return str(int(grade)) if float(grade).is_integer() else repr(float(grade))
