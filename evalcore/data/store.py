"""A collection on disk: a folder of Arrow files by topic, and one JSON file that says what they hold.

    partitions.json          title, systems, scales, topics of each part, notes, queries, and a digest of every file
    systems.arrow            facts per system, as in a loading report
    columns.arrow            facts per aspect and signal
    subtopics.arrow          aspect, topic, subtopic, document, grade, where grades by subtopic are known
    system_table.arrow       what systems are made of, where a table of it is known
    part-00000/pool.arrow      topic, document, "column <name>" for every aspect and signal, and "source <n> <name>"
                               for the labels of every source of an aspect that has several, n its place among them
    part-00000/hits.arrow      rank and row of every assessed document retrieved, ranking by ranking
    part-00000/rankings.arrow  hits and length of every ranking, system by system, retrieved or not
    part-00000/texts.arrow     document, text, where texts are known
    part-00000/scores.arrow    "<good end> <measure>" for each that was computed elsewhere, system by system
    part-00000/groups.arrow    a column for each grouping of the part's topics

Systems and topics are numbers, their places in partitions.json (topics within the part); row is a row of the part's
pool. Every part holds consecutive topics. A collection in one part may have passages and navigation as
well, in tables named after their structures; the cache of loaded collections keeps such folders.

Arrow files and not Parquet: 3.3 million hits in ten parts were read in 0.7 and written in 0.8 of the CPU time, in 1.6
times the space.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

import numpy as np

from evalcore.constants import PARTS
from evalcore.data.arrow_arrays import from_arrow, to_arrow
from evalcore.data.arrow_files import read_arrow
from evalcore.data.consistency import check_consistent, check_names, check_pool
from evalcore.data.json_text import parse_json
from evalcore.data.report_tables import Facts, Kept
from evalcore.data.sources import read_file
from evalcore.errors import InputError
from evalcore.later import pa, pd
from evalcore.structures.documents import (
    Assessments,
    Collection,
    GivenScores,
    Good,
    LoadingReport,
    Note,
    Rankings,
    Scale,
)
from evalcore.structures.links import ComponentRuns, Components, Links, Navigation, Worths
from evalcore.structures.passages import Highlights, Parts, Passages
from evalcore.structures.sources import Sources
from evalcore.threads import arrow_table

FORMAT = 4  # counts up when what is stored changes
Table = Callable[[str], dict[str, Any]]  # the columns of a table by its name


@dataclass(frozen=True)
class PartFacts:
    """What one part holds."""

    topics: tuple[str, ...]
    rows: int  # of the pool
    hits: int
    deepest: int  # rank of an assessed document
    digests: Mapping[str, str]  # of its files, by table


@dataclass(frozen=True, eq=False)
class About:
    """What partitions.json says."""

    title: str
    fingerprint: str
    systems: tuple[str, ...]
    scales: Mapping[str, Scale]
    parts: tuple[PartFacts, ...]
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # names by aspect, the default first
    description: str = ""
    manifest: str = ""
    queries: Mapping[str, str] = field(default_factory=dict)
    links: str = ""  # the file that the links of navigation come from
    notes: tuple[Note, ...] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)  # of the files beside the parts, by table

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(topic for part in self.parts for topic in part.topics)

    @property
    def starts(self) -> list[int]:
        """Where the topics of each part begin, and where those of the last one end."""
        return [0, *accumulate(len(part.topics) for part in self.parts)]


def is_partitioned(folder: str | Path) -> bool:
    """Whether a folder holds a collection in parts."""
    return (Path(folder) / PARTS).is_file()


def part_name(number: int) -> str:
    """The folder of a part.

    >>> part_name(12)
    'part-00012'
    """
    return f"part-{number:05d}"


# --- writing -------------------------------------------------------------------------------------------------------


def write_collection(folder: Path, collection: Collection, parts: Iterable[Collection]) -> None:
    """Write a collection as these parts, which hold all of its topics in order. Raises OSError."""
    facts = [
        write_part(folder, at, part.assessments, part.rankings, part.texts, part.passages, part.navigation)
        for at, part in enumerate(parts)
    ]
    report = collection.report
    if not len(report.held("systems")):
        report = report.changed(systems=pd.DataFrame(index=pd.Index(collection.systems, dtype=object)))
    about = About(
        title=collection.title,
        fingerprint=collection.fingerprint,
        systems=collection.systems,
        scales=collection.assessments.scales,
        sources=sources_of(collection.assessments),
        parts=tuple(facts),
        description=collection.description,
        manifest=collection.manifest,
        queries=collection.queries,
        links=collection.navigation.links.where if collection.navigation else "",
    )
    write_about(folder, about, report, collection.subtopics, collection.system_table)


def sources_of(pool: Assessments) -> dict[str, tuple[str, ...]]:
    """The names of the sources of each aspect that has several, the default first."""
    return {name: tuple(dict.fromkeys([sources.default, *sources.labels])) for name, sources in pool.sources.items()}


def write_about(
    folder: Path,
    about: About,
    report: LoadingReport,
    subtopics: pd.DataFrame | None = None,
    system_table: pd.DataFrame | None = None,
) -> None:
    """Write what the parts have in common. Raises OSError."""
    tables = {f"{name}s": _report_table(name, report) for name in ("system", "column")}
    if subtopics is not None:
        tables["subtopics"] = arrow_table(subtopics)
    if system_table is not None:
        tables["system_table"] = arrow_table(system_table.reset_index())
    digests = {name: _write(folder, name, table) for name, table in tables.items()}
    about = replace(about, notes=report.notes, provenance=report.provenance, digests=digests)
    record = json.dumps({"format": FORMAT, **vars(about)}, default=_plain)
    signed = {"digest": _digest(record.encode()), **json.loads(record)}
    (folder / PARTS).write_text(json.dumps(signed), encoding="utf-8")


def _report_table(name: str, report: LoadingReport) -> pa.Table:
    held = report.held(f"{name}s")
    return held.arrow() if callable(held) else arrow_table(held.rename_axis(name).reset_index())


def write_part(
    folder: Path,
    number: int,
    pool: Assessments,
    rankings: Rankings,
    texts: Mapping[str, str],
    passages: Passages | None = None,
    navigation: Navigation | None = None,
) -> PartFacts:
    """Write the pool and rankings of some topics as one part. Raises OSError."""
    tables: dict[str, dict[str, Any]] = {
        "pool": {
            "topic": pool.topic,
            "document": pool.documents,
            **{f"column {name}": values for name, values in pool.columns.items()},
            **{
                _source_column(name, at): pool.sources[name].labels[source]
                for name, sources in sources_of(pool).items()
                for at, source in enumerate(sources)
            },
        },
        "hits": {"rank": np.asarray(rankings.rank, np.int32), "row": np.asarray(rankings.row, np.int32)},
        "rankings": {
            "hits": np.diff(rankings.indptr).astype(np.int32),
            "length": np.asarray(rankings.length.ravel(), np.int32),
        },
    }
    words = {"document": list(texts), "text": list(texts.values())} if texts else {}
    tables["scores"] = {f"{score.good} {name}": score.values.ravel() for name, score in rankings.given.items()}
    tables["groups"] = {name: np.array(of, dtype=object) for name, of in pool.groups.items()}
    tables["texts"] = {name: np.array(values, dtype=object) for name, values in words.items()}
    if passages:
        tables |= _passage_tables(passages)
    if navigation:
        tables |= _navigation_tables(navigation)
    target = folder / part_name(number)
    target.mkdir(exist_ok=True)
    digests = {name: _write(target, name, _table(columns)) for name, columns in tables.items() if columns}
    return PartFacts(pool.topics, len(pool), len(rankings.rank), rankings.depth, digests)


def _passage_tables(passages: Passages) -> dict[str, dict[str, Any]]:
    marks, parts = passages.highlights, passages.parts
    return {
        "highlights": {**_arrays_of(marks, "indptr", "start", "end"), "ranges": np.diff(marks.indptr)},
        "ranges": {"start": marks.start, "end": marks.end},
        "parts": _arrays_of(parts, "indptr"),
        "part_rankings": {"size": np.diff(parts.indptr)},
        "part_documents": {"document": passages.document_ids},
    }


def _navigation_tables(navigation: Navigation) -> dict[str, dict[str, Any]]:
    return {
        "components": _arrays_of(navigation.components),
        "links": _arrays_of(navigation.links),
        "worths": _arrays_of(navigation.worths),
        "component_hits": {"component": navigation.runs.component},
        "component_rankings": {"size": np.diff(navigation.runs.indptr)},
        "component_pool": {"component": navigation.pool},
    }


def _arrays_of(structure: Any, *without: str) -> dict[str, Any]:
    """The fields of a structure that are arrays."""
    values = {field.name: getattr(structure, field.name) for field in fields(structure) if field.name not in without}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


def _table(columns: Mapping[str, np.ndarray]) -> pa.Table:
    arrays = {
        name: to_arrow(values) if values.dtype != object or len(values) else pa.nulls(0, pa.string())
        for name, values in columns.items()
    }
    return pa.table(arrays)


def _write(folder: Path, name: str, table: pa.Table) -> str:
    """Write all or nothing, as the process may end at any time and another do its work again; returns the digest."""
    half = folder / f".{name}.{os.getpid()}"
    with half.open("w+b") as file:  # opened here, as Arrow itself opens no path that is not UTF-8
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        with pa.ipc.new_file(file, table.schema, options=options) as writer:
            writer.write_table(table, max(1, len(table)))  # one chunk is read without a copy
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    half.replace(folder / f"{name}.arrow")
    return digest


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _plain(value: Any) -> Any:
    """What JSON can hold of it."""
    return dict(value) if isinstance(value, Mapping) else asdict(value)


# --- reading -------------------------------------------------------------------------------------------------------


def read_about(folder: Path) -> About:
    """Read partitions.json. Raises InputError where it is not there, damaged, or of another format."""
    path = folder / PARTS
    if not path.exists():
        problem = f"expected a collection in parts, found no {PARTS}; ec.partition writes one"
        raise InputError(problem, str(folder))
    record = parse_json(read_file(path), str(path), what="a collection in parts", kind=dict)
    if record.get("format") != FORMAT:
        found = repr(record.get("format"))[:40]
        problem = f"expected a collection in parts of format {FORMAT}, found {found}: partition it again"
        raise InputError(problem, str(path))
    with _as_written(path):
        if record.pop("digest") != _digest(json.dumps(record).encode()):
            raise ValueError("its digest differs")
        return _about(record)


def _about(record: dict[str, Any]) -> About:
    del record["format"]
    built = {
        "scales": {name: Scale(**_tuples(entry)) for name, entry in record["scales"].items()},
        "parts": tuple(PartFacts(**_tuples(entry)) for entry in record["parts"]),
        "sources": _tuples(record["sources"]),
        "notes": tuple(Note(**entry) for entry in record["notes"]),
    }
    return About(**{**_tuples(record), **built})


def _tuples(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}


def read_report(folder: Path, about: About) -> LoadingReport:
    """The loading report of the whole collection. Raises InputError where its files are not those that were written."""
    with _as_written(folder):
        systems, columns = (Kept(name, _read(folder, about.digests, f"{name}s")) for name in ("system", "column"))
        check_names("a report on the systems", systems.table["system"].to_pylist(), about.systems)
        check_names("a report on the columns", [*columns.table.column_names[:1]], ["column"])
        report = LoadingReport.of(systems, columns, about.notes)
        return report.changed(from_cache=True, provenance=about.provenance)


def read_subtopics(folder: Path, about: About, topics: Sequence[str]) -> pd.DataFrame | None:
    """Grades by subtopic of these topics, None where the collection has none."""
    if "subtopics" not in about.digests:
        return None
    from evalcore.data.assessments import plain_subtopics

    with _as_written(folder):
        table = plain_subtopics(_read(folder, about.digests, "subtopics").to_pandas())
        return table[table["topic"].isin(list(topics))]


def read_system_table(folder: Path, about: About) -> pd.DataFrame | None:
    """What systems are made of; None where the collection has no table of it."""
    if "system_table" not in about.digests:
        return None
    from evalcore.data.system_table import as_kept

    with _as_written(folder):
        table = as_kept(_read(folder, about.digests, "system_table").to_pandas())
    if tuple(table.index) != tuple(about.systems):
        raise InputError("expected a table of the systems, found another", str(folder))
    return table


def read_part(folder: Path, about: About, number: int) -> Collection:
    """One part as a collection of its own. Raises InputError where its files are not those that were written."""
    place, facts, systems = folder / part_name(number), about.parts[number], about.systems

    def table(name: str) -> dict[str, Any]:
        return _arrays(_read(place, facts.digests, name)) if name in facts.digests else {}

    with _as_written(place):
        pool = _pool(facts.topics, about, table("pool"))
        pool = replace(pool, groups={name: tuple(of.tolist()) for name, of in table("groups").items()})
        scores = _given(table("scores"), (len(systems), len(facts.topics)))
        words = table("texts")
        texts = dict(zip(words["document"], words["text"], strict=True)) if words else {}
        part = Collection(
            title=about.title,
            assessments=pool,
            rankings=replace(_rankings(table, systems, pool), given=scores),
            report=LoadingReport.of(Facts("system", systems, [{}] * len(systems)), Facts("column", [], []), ()),
            description=about.description,
            manifest=about.manifest,
            fingerprint=f"{about.fingerprint} {part_name(number)}",
            texts=texts,
            queries={topic: about.queries[topic] for topic in facts.topics if topic in about.queries},
            passages=_passages(table, facts.topics, systems, texts) if "highlights" in facts.digests else None,
            navigation=_navigation(table, about, len(pool.topics)) if "components" in facts.digests else None,
            subtopics=read_subtopics(folder, about, facts.topics),
            system_table=read_system_table(folder, about),
        )
        check_consistent(part)
        return part


def read_pool(folder: Path, about: About, number: int, documents: bool = True) -> Assessments:
    """The pool of one part; without documents their ids are left out. Raises InputError as `read_part` does."""
    place, facts = folder / part_name(number), about.parts[number]
    wanted = ["topic", *(["document"] if documents else []), *(f"column {name}" for name in about.scales)]
    wanted += [_source_column(name, at) for name, listed in about.sources.items() for at in range(len(listed))]
    with _as_written(place):
        pool = _pool(facts.topics, about, _arrays(_read(place, facts.digests, "pool", wanted)))
        check_pool(pool)
        return pool


def read_lengths(folder: Path, about: About, number: int) -> np.ndarray:
    """(S, topics of the part) how many documents were retrieved. Raises InputError as `read_part` does."""
    place, facts = folder / part_name(number), about.parts[number]
    with _as_written(place):
        table = _arrays(_read(place, facts.digests, "rankings", ["length"]))
        return np.asarray(table["length"]).reshape(len(about.systems), len(facts.topics))


def _pool(topics: tuple[str, ...], about: About, table: dict[str, Any]) -> Assessments:
    columns = {name: table[f"column {name}"] for name in about.scales}
    documents = table["document"] if "document" in table else np.full(len(table["topic"]), "", dtype=object)
    sources = {
        name: Sources({source: table[_source_column(name, at)] for at, source in enumerate(listed)}, listed[0])
        for name, listed in about.sources.items()
    }
    return Assessments(topics, table["topic"], documents, columns, about.scales, sources)


def _source_column(aspect: str, number: int) -> str:
    return f"source {number} {aspect}"


def _rankings(table: Table, systems: tuple[str, ...], pool: Assessments) -> Rankings:
    hits, sizes = table("hits"), table("rankings")
    return Rankings(
        systems=systems,
        n_topics=len(pool.topics),
        n_pool=len(pool),
        indptr=_starts(sizes["hits"]).astype(np.int32),
        rank=hits["rank"],
        row=hits["row"],
        length=sizes["length"].reshape(len(systems), len(pool.topics)),
    )


def _given(table: dict[str, Any], shape: tuple[int, int]) -> dict[str, GivenScores]:
    parts = ((*name.partition(" ")[::2], values) for name, values in table.items())
    return {name: GivenScores(values.reshape(shape), cast(Good, good)) for good, name, values in parts}


def _passages(table: Table, topics: tuple[str, ...], systems: tuple[str, ...], texts: dict[str, str]) -> Passages:
    marks = table("highlights")
    highlights = Highlights(topics, indptr=_starts(marks.pop("ranges")), **marks, **table("ranges"))
    parts = Parts(systems, len(topics), _starts(table("part_rankings")["size"]), **table("parts"))
    return Passages(highlights, parts, table("part_documents")["document"], texts)


def _navigation(table: Table, about: About, n_topics: int) -> Navigation:
    starts = _starts(table("component_rankings")["size"])
    return Navigation(
        Components(**table("components")),
        Links(**table("links"), where=about.links),
        ComponentRuns(about.systems, n_topics, starts, table("component_hits")["component"]),
        table("component_pool")["component"],
        Worths(**table("worths")),
    )


def _starts(sizes: np.ndarray) -> np.ndarray:
    return np.append(0, np.cumsum(sizes))


def _read(place: Path, digests: Mapping[str, str], name: str, columns: list[str] | None = None) -> pa.Table:
    """A table whose offsets and texts were checked, as Arrow takes them for granted elsewhere."""
    path = place / f"{name}.arrow"
    content = read_file(path)
    if _digest(content) != digests[name]:
        problem = "expected the file that was written with this collection, found another content"
        raise InputError(f"{problem}: damaged, or were two written here?", str(path))
    table = read_arrow(content, columns, str(path))
    table.validate(full=True)
    return table


def _arrays(table: pa.Table) -> dict[str, Any]:
    return {name: from_arrow(table[name]) for name in table.column_names}


@contextmanager
def _as_written(place: Path) -> Iterator[None]:
    """Whatever is wrong with a content whose digest is right, as a InputError that names the place."""
    try:
        yield
    except InputError as error:
        raise InputError(error.problem, error.where or str(place), error.line) from None
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError, pa.ArrowException) as error:
        raise InputError(f"expected what ec.partition wrote, found another content ({error})", str(place)) from None
