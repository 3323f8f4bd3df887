"""A collection in parts on disk: a folder of Parquet files by topic, and one JSON file that says what they hold.

    partitions.json            title, systems, scales, topics of each part, notes, queries
    systems.parquet            facts per system, as in a loading report
    columns.parquet            facts per aspect and signal
    subtopics.parquet          aspect, topic, subtopic, document, grade, where grades by subtopic are known
    part-00000/pool.parquet      topic, document, and "column <name>" for every aspect and signal
    part-00000/hits.parquet      system, topic, rank, row: where each assessed document was retrieved
    part-00000/rankings.parquet  system, topic, hits, length: one row per ranking, retrieved or not
    part-00000/texts.parquet     document, text, where texts are known

Systems and topics are numbers, their places in partitions.json (topics within the part); row is a row of the part's
pool. Every part holds consecutive topics, and every file says which part of which collection it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from evalcore.arrays import FloatArray
from evalcore.data.assessments import plain_subtopics
from evalcore.data.sources import read_file, refuse_special
from evalcore.structures.documents import (
    Assessments,
    Collection,
    LoadingReport,
    Note,
    Rankings,
    Scale,
)
from evalcore.errors import InputError

FORMAT = 2  # counts up when what is stored changes
NAME = "partitions.json"
_MARK = b"evalcore part"


@dataclass(frozen=True)
class PartFacts:
    """What one part holds."""

    topics: tuple[str, ...]
    rows: int  # of the pool
    hits: int
    deepest: int  # rank of an assessed document


@dataclass(frozen=True, eq=False)
class About:
    """What partitions.json says."""

    title: str
    fingerprint: str
    systems: tuple[str, ...]
    scales: Mapping[str, Scale]
    parts: tuple[PartFacts, ...]
    description: str = ""
    manifest: str = ""
    notes: tuple[Note, ...] = ()
    queries: Mapping[str, str] = field(default_factory=dict)
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(topic for part in self.parts for topic in part.topics)

    @property
    def starts(self) -> list[int]:
        """Where the topics of each part begin, and where those of the last one end."""
        return [0, *accumulate(len(part.topics) for part in self.parts)]


def is_partitioned(folder: str | Path) -> bool:
    """Whether a folder holds a collection in parts."""
    return (Path(folder) / NAME).is_file()


def write_about(
    folder: Path, about: About, systems: pd.DataFrame, columns: pd.DataFrame, subtopics: pd.DataFrame | None = None
) -> None:
    """Write what the parts have in common."""
    said = {
        "format": FORMAT,
        **{name: getattr(about, name) for name in ("title", "fingerprint", "description", "manifest")},
        "systems": about.systems,
        "scales": [asdict(scale) for scale in about.scales.values()],
        "notes": [asdict(note) for note in about.notes],
        "queries": dict(about.queries),
        "provenance": dict(about.provenance),
        "parts": [asdict(part) for part in about.parts],
    }
    _write_table(pa.Table.from_pandas(systems.reset_index()), folder / "systems.parquet")
    _write_table(pa.Table.from_pandas(columns.reset_index()), folder / "columns.parquet")
    if subtopics is not None:
        _write_table(pa.Table.from_pandas(subtopics, preserve_index=False), folder / "subtopics.parquet")
    (folder / NAME).write_text(json.dumps(said, indent=1), encoding="utf-8")


def read_about(folder: Path) -> About:
    """Read partitions.json. Raises InputError where it is not there, damaged, or of another format."""
    path = folder / NAME
    if not path.exists():
        problem = f"expected a collection in parts, found no {NAME}; ec.partition writes one"
        raise InputError(problem, str(folder))
    content = read_file(path)
    try:
        said = json.loads(content)
    except ValueError as error:
        raise InputError(f"expected JSON, found: {error}", str(path)) from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        found = said.get("format") if isinstance(said, dict) else said
        raise InputError(f"expected a collection in parts of format {FORMAT}, found {found!r}", str(path))
    try:
        return _about(said)
    except (KeyError, TypeError) as error:
        raise InputError(f"expected what ec.partition wrote, found another content ({error})", str(path)) from None


def _about(said: dict[str, Any]) -> About:
    scales = [Scale(**entry) for entry in said["scales"]]
    return About(
        **{name: said[name] for name in ("title", "fingerprint", "description", "manifest", "queries")},
        systems=tuple(said["systems"]),
        scales={
            one.name: replace(one, grades=tuple(one.grades), names=tuple(one.names), gains=tuple(one.gains))
            for one in scales
        },
        parts=tuple(PartFacts(**{**entry, "topics": tuple(entry["topics"])}) for entry in said["parts"]),
        notes=tuple(Note(**entry) for entry in said["notes"]),
        provenance=said.get("provenance", {}),
    )


def read_report(folder: Path, about: About) -> LoadingReport:
    """The loading report of the whole collection."""
    systems, columns = (_read(folder / f"{name}.parquet").to_pandas() for name in ("systems", "columns"))
    facts = systems.set_index("system")
    facts.index = facts.index.astype(object)
    columns = columns.set_index("column")
    return LoadingReport(facts, columns, about.notes, from_cache=True, provenance=about.provenance)


def read_subtopics(folder: Path, topics: Sequence[str]) -> pd.DataFrame | None:
    """Grades by subtopic of these topics, None where the collection has none."""
    if not (folder / "subtopics.parquet").exists():
        return None
    table = plain_subtopics(_read(folder / "subtopics.parquet").to_pandas())
    return table[table["topic"].isin(list(topics))]


# --- one part ------------------------------------------------------------------------------------------------------


def write_part(
    folder: Path, number: int, fingerprint: str, pool: Assessments, rankings: Rankings, texts: Mapping[str, str]
) -> PartFacts:
    """Write the pool and rankings of some topics as one part."""
    target, mark = folder / part_name(number), _mark(fingerprint, number)
    target.mkdir(exist_ok=True)
    names = np.array(pool.topics, dtype=object)
    columns = {f"column {name}": values for name, values in pool.columns.items()}
    _write(target / "pool.parquet", {"topic": names[pool.topic], "document": pool.documents, **columns}, mark)
    system, topic = (at.astype(np.int32) for at in np.divmod(rankings.hit_row, rankings.n_topics))
    where = {"rank": rankings.rank.astype(np.int32), "row": rankings.row.astype(np.int32)}
    _write(target / "hits.parquet", {"system": system, "topic": topic, **where}, mark)
    sizes = {"hits": np.diff(rankings.indptr).astype(np.int32), "length": rankings.length.ravel().astype(np.int32)}
    system, topic = (at.ravel().astype(np.int32) for at in np.indices(rankings.length.shape))
    _write(target / "rankings.parquet", {"system": system, "topic": topic, **sizes}, mark)
    known = [document for document in dict.fromkeys(pool.documents) if document in texts]
    if known:
        written = {"document": known, "text": [texts[document] for document in known]}
        _write(
            target / "texts.parquet", {name: np.array(values, dtype=object) for name, values in written.items()}, mark
        )
    return PartFacts(pool.topics, len(pool), len(rankings.rank), rankings.depth)


def read_part(folder: Path, about: About, number: int) -> Collection:
    """One part as a collection of its own. Raises InputError where its files are not those that were written."""
    place, facts, mark = folder / part_name(number), about.parts[number], _mark(about.fingerprint, number)
    pool = read_pool(folder, about, number)
    hits = _read(place / "hits.parquet", mark, ["rank", "row"], facts.hits)
    sizes = _read(place / "rankings.parquet", mark, ["hits", "length"], len(about.systems) * len(facts.topics))
    rankings = Rankings(
        systems=about.systems,
        n_topics=len(facts.topics),
        n_pool=len(pool),
        indptr=np.concatenate([[0], np.cumsum(sizes["hits"].to_numpy())]).astype(np.int32),
        rank=hits["rank"].to_numpy(),
        row=hits["row"].to_numpy(),
        length=sizes["length"].to_numpy().reshape(len(about.systems), len(facts.topics)),
    )
    return Collection(
        title=about.title,
        assessments=pool,
        rankings=rankings,
        report=LoadingReport(pd.DataFrame(index=pd.Index(about.systems, name="system", dtype=object)), pd.DataFrame()),
        description=about.description,
        fingerprint=f"{about.fingerprint} {part_name(number)}",
        texts=_texts(place, mark),
        queries={topic: about.queries[topic] for topic in facts.topics if topic in about.queries},
        subtopics=read_subtopics(folder, facts.topics),
    )


def read_pool(folder: Path, about: About, number: int, documents: bool = True) -> Assessments:
    """The pool of one part; without documents their ids are left out."""
    facts, names = about.parts[number], [f"column {name}" for name in about.scales]
    wanted = ["topic", *(["document"] if documents else []), *names]
    place, mark = folder / part_name(number) / "pool.parquet", _mark(about.fingerprint, number)
    table = _read(place, mark, wanted, facts.rows)
    codes = {topic: code for code, topic in enumerate(facts.topics)}
    encoded = table["topic"].combine_chunks().dictionary_encode()
    known = np.array([codes[name] for name in encoded.dictionary.to_pylist()], dtype=np.int64)
    ids = table["document"].to_numpy() if documents else np.empty(facts.rows, dtype=object)
    columns: dict[str, FloatArray] = {name: table[f"column {name}"].to_numpy() for name in about.scales}
    return Assessments(facts.topics, known[encoded.indices.to_numpy()], ids, columns, about.scales)


def read_lengths(folder: Path, about: About, number: int) -> np.ndarray:
    """(S, topics of the part) how many documents were retrieved."""
    place, topics = folder / part_name(number) / "rankings.parquet", len(about.parts[number].topics)
    table = _read(place, _mark(about.fingerprint, number), ["length"], len(about.systems) * topics)
    return np.asarray(table["length"].to_numpy()).reshape(-1, topics)


def part_name(number: int) -> str:
    """The folder of a part.

    >>> part_name(12)
    'part-00012'
    """
    return f"part-{number:05d}"


def _texts(place: Path, mark: str) -> dict[str, str]:
    if not (place / "texts.parquet").exists():
        return {}
    table = _read(place / "texts.parquet", mark)
    return dict(zip(table["document"].to_pylist(), table["text"].to_pylist(), strict=True))


def _mark(fingerprint: str, number: int) -> str:
    return f"{fingerprint} {number}"


def _write(path: Path, columns: Mapping[str, np.ndarray], mark: str) -> None:
    """All or nothing, as the process may end at any time and another do its work again."""
    arrays = {
        name: pa.array(values, pa.string() if values.dtype == object else None) for name, values in columns.items()
    }
    table = pa.table(arrays).replace_schema_metadata({_MARK: mark.encode()})
    half = path.with_name(f".{path.name}.{os.getpid()}")
    _write_table(table, half, compression="zstd", write_page_checksum=True)
    half.replace(path)


def _write_table(table: pa.Table, path: Path, **options: Any) -> None:
    with path.open("wb") as file:  # Arrow itself opens no path that is not UTF-8
        parquet.write_table(table, file, **options)


def _read(path: Path, mark: str = "", columns: list[str] | None = None, rows: int | None = None) -> pa.Table:
    """A Parquet file, whole and the right one."""
    try:
        refuse_special(path.stat(), str(path))
        with (
            pa.OSFile(os.fsencode(path)) as content,
            parquet.ParquetFile(content, page_checksum_verification=True) as file,
        ):
            found = (file.schema_arrow.metadata or {}).get(_MARK, b"").decode()
            table = file.read(columns)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"expected a readable file of the collection, found: {error}", str(path)) from None
    if mark and found != mark:
        raise InputError("expected a file of this collection, found one of another; were two written here?", str(path))
    missing = sorted(set(columns or ()) - set(table.column_names))
    if missing or rows not in (None, len(table)):
        what = f"no {missing[0]!r}" if missing else f"{len(table):,}"
        raise InputError(f"expected {rows:,} rows as {NAME} says, found {what}", str(path))
    return table
