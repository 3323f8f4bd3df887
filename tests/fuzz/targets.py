"""Targets of fuzzing: every reader of foreign bytes or text. A target may raise InputError and nothing else.

`test_corpus.py` and `test_mutations.py` feed them the seeds, and what once broke a reader.
"""

from __future__ import annotations

import bz2
import gzip
import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore.claims import design_of, parse_claim, parse_specifications, write_specifications
from evalcore.common.constants import ORDERS, Missing
from evalcore.data import tables
from evalcore.data.assessments import read_qrels, read_signal
from evalcore.data.corpus import corpus_kind, read_corpus
from evalcore.data.kinds import kind_of, read_as
from evalcore.data.manifest import parse_manifest, write_manifest
from evalcore.data.pool_index import PoolIndex
from evalcore.data.runs import read_run
from evalcore.data.score_tables import aligned, read_score_tables
from evalcore.data.small_collections import small_collection
from evalcore.data.sources import Source, from_bytes
from evalcore.data.text_files import without_comments
from evalcore.errors import InputError
from evalcore.focused.files.collect import read_passage_pool
from evalcore.focused.files.elements import no_elements
from evalcore.focused.files.inex import read_assessments, read_submission
from evalcore.focused.files.run_files import read_text_run
from evalcore.navigation.graph_files import read_components, read_links
from evalcore.notation.values import LONGEST_TEXT
from evalcore.structures.documents import Assessments, Scale

CORPUS = Path(__file__).parent / "corpus"
Target = Callable[[bytes], None]

SMALL = small_collection(
    pd.DataFrame({"relevance": [2, 0, 1], "understandability": [1, 3, 0]}, index=["d1", "d2", "d3"]),
    {"a": ["d1", "d2", "d3"], "b": ["d3", "x", "d1"]},
    [Scale("relevance", grades=(0, 1, 2)), Scale("understandability", grades=(0, 1, 2, 3))],
)
POOL = Assessments(
    ("1", "2", "q3"),
    np.array([0, 0, 1, 2]),
    np.array(["d1", "d2", "d1", "a-document-with-a-longer-name"], dtype=object),
    {"relevance": np.array([1.0, 0.0, 2.0, 1.0])},
    {"relevance": Scale("relevance", grades=(0, 1, 2))},
)
INDEX = PoolIndex.of(POOL)


def runs(data: bytes) -> None:
    """A TREC run, in each of the orders."""
    for order in ORDERS:
        run = read_run(_source("run.txt", data), INDEX, order)
        assert len(run.topic) == len(run.rank) == len(run.row)
        assert (run.rank >= 1).all()


def qrels(data: bytes) -> None:
    """TREC qrels with one grade and with two; a signal."""
    source, refused = _source("qrels.txt", data), 0
    for read in (
        lambda: [read_qrels(source, Scale("relevance"))],
        lambda: [read_qrels(source, Scale("trust", grades=(0, 1, 2)), 2, missing=(-1.0,))],
        lambda: [read_signal(source, Scale("fog", kind="signal"))],
    ):
        try:
            assert all(np.isfinite(labels.grades).all() for labels in read())
        except InputError:
            refused += 1
    if refused == 3:
        raise InputError("not one of three")


def table(data: bytes) -> None:
    """A table of runs, of labels, of a signal, of components."""
    source = _source("table.csv", data)
    frame = tables.read_table(source)
    for name in tables.aspect_columns(frame)[:3]:
        _refused(partial(tables.read_grades, source, Scale(name), name))
        _refused(partial(tables.read_signal, source, Scale(name, kind="signal"), name))
    _refused(lambda: [read_run(one, INDEX) for one in tables.run_sources(source)])
    _refused(lambda: read_components(source))


def json_forms(data: bytes) -> None:
    """Read JSON and JSON lines of runs, of labels, of texts; whatever is read has a line for each row."""
    source = _source("forms.jsonl", data)
    _refused(lambda: read_corpus(source, None))
    corpus_kind("forms.jsonl", data)
    kind_of(source)
    if not tables.is_table(data):
        raise InputError("not JSON of documents")
    frame = tables.read_table(source)
    assert (frame.index >= 1).all()
    for name in tables.aspect_columns(frame)[:3]:
        _refused(partial(tables.read_grades, source, Scale(str(name)), str(name)))
    _refused(lambda: [read_run(one, INDEX) for one in tables.run_sources(source)])


def comments(data: bytes) -> None:
    """Comment lines: empty afterwards; other lines are as they were."""
    if b"\0" in data:
        raise InputError("not text")
    text, found = without_comments(data)
    for before, after in zip(data.split(b"\n"), text.split(b"\n"), strict=True):
        assert before == after or (before.lstrip().startswith(b"#") and not after.strip())
    assert bool(found) <= (b"#" in data)
    without_comments(data, quoted=True)


def manifest(data: bytes) -> None:
    """`collection.toml`; what is read is written and read again to the same."""
    found = parse_manifest(data.decode(errors="replace"))
    assert parse_manifest(write_manifest(found)) == found


def specifications(data: bytes) -> None:
    """Specifications of reasonable ways to measure, the first line a claim; what is read is written and laid out."""
    text = data.decode(errors="replace")
    _refused(lambda: parse_claim(text.split("\n", 1)[0].lstrip("# ")).check(SMALL.systems))
    found = parse_specifications(text)
    assert parse_specifications(write_specifications(found)) == found
    design_of(replace(found, most=min(found.most, 50)), SMALL)


def inex(data: bytes) -> None:
    """INEX XML: assessments and a submission."""
    source = _source("part.xml", data)
    _refused(lambda: read_assessments(source))
    _refused(lambda: read_submission(source))
    _refused(lambda: read_passage_pool([source]))
    _refused(lambda: [read(no_elements()) for _, read in read_as("part run", source)])


def passages(data: bytes) -> None:
    """INEX file-offset-length: highlights and a run."""
    source = _source("parts.txt", data)
    _refused(lambda: read_passage_pool([source]))
    _refused(lambda: read_text_run(source))
    _refused(lambda: [read(no_elements()) for _, read in read_as("part run", source)])


def graphs(data: bytes) -> None:
    """An edge list or a table of components."""
    source = _source("links.csv", data)
    _refused(lambda: read_links(source))
    _refused(lambda: read_components(source))


def scores(data: bytes) -> None:
    """Scores of other tools, beside a collection and as all that there is."""
    _refused(lambda: ec.load_files([("board.csv", data)]))
    rules: tuple[Missing, ...] = ("zero", "refuse")
    for missing in rules:
        found = read_score_tables([_source("ndcg.csv", data)], missing, ("a", "b"))
        aligned(found, ("topic", "1"), ("a", "b"))


def archive(data: bytes) -> None:
    """Bytes as they come: a zip, gzip, bzip2, Parquet or text, opened as an upload is."""
    for source in from_bytes([("upload.zip", data)])[:20]:
        _refused(source.head)
        _refused(source.read)
    ec.load_files([("upload.zip", data)])


HELD = {"qrels.txt": b"1 0 d1 1\n1 0 d2 0\n", "runs/a.run": b"1 Q0 d1 1 2 x\n1 Q0 d2 2 1 x\n" * 9}
_RUN = HELD["runs/a.run"]
PACKED: dict[bytes, tuple[str, Callable[[], bytes]]] = {  # how the file is called, and its bytes
    b"z": ("all.zip", lambda: _zipped(list(HELD.items()))),
    b"s": ("all.zip", lambda: _zipped(list(HELD.items()), zipfile.ZIP_STORED)),
    b"2": ("all.zip", lambda: _zipped(list(HELD.items()), zipfile.ZIP_BZIP2)),
    b"c": ("all.zip", lambda: _zipped([*HELD.items(), (".hidden", b"a"), ("__MACOSX/._a", b"b")])),
    b"g": ("runs/a.run", lambda: gzip.compress(_RUN, mtime=0)),
    b"G": ("runs/a.run", lambda: gzip.compress(_RUN[:40], mtime=0) + gzip.compress(_RUN[40:], mtime=0)),
    b"b": ("runs/a.run", lambda: bz2.compress(_RUN)),
    b"B": ("runs/a.run", lambda: bz2.compress(_RUN[:40]) + bz2.compress(_RUN[40:])),
}


def damaged(data: bytes) -> None:
    """Damage an archive in the middle: it is refused, or read as what was put there, and all of it.

    The first byte says which archive; four bytes each say where, whether to change, cut or put in, how much, and what.
    """
    name, packed = PACKED.get(data[:1], PACKED[b"z"])
    content = whole = packed()
    for edit in (data[at : at + 4] for at in range(1, min(len(data), 33), 4)):
        content = _with_damage(content, edit.ljust(4, b"\0"))
    sources = from_bytes([(name, content)])
    if len(sources) == 1 and sources[0].raw() == content != whole and not content.startswith((b"\x1f\x8b", b"BZh")):
        raise InputError("no archive any more: a file as any other")
    held = {"runs/a.run": _RUN} if name == "runs/a.run" else {f"{name}/{inner}": file for inner, file in HELD.items()}
    assert {source.name: source.read() for source in sources} == held
    assert all(held[source.name].startswith(source.head(50)) for source in sources)


def _with_damage(content: bytes, edit: bytes) -> bytes:
    at = edit[0] * len(content) // 255
    size = edit[2] % 16 + 1
    match edit[1] % 4:
        case 0:  # a byte changed
            return content[:at] + bytes([content[at] ^ (edit[3] or 1)]) + content[at + 1 :] if content[at:] else content
        case 1:  # some left out
            return content[:at] + content[at + size :]
        case 2:  # some put in
            return content[:at] + bytes([edit[3]]) * size + content[at:]
        case _:  # some overwritten
            return content[:at] + bytes([edit[3]]) * size + content[at + size :]


def upload(data: bytes) -> None:
    """Several files at once, plain or packed; the data are the files, with a line `=== name` before each."""
    files = list(_files(data))
    kind = data[:1]
    if kind == b"z":
        files = [("all.zip", _zipped(files))]
    elif kind in b"gb" and kind:
        pack = gzip.compress if kind == b"g" else bz2.compress
        files = [(name, pack(content)) for name, content in files]
    collection = ec.load_files(files)
    scores = ec.evaluate("P@5", collection)
    assert scores.loc[list(ec.covered_topics(collection, "P@5"))].notna().all(axis=None)


def measure(data: bytes) -> None:
    """The text of a measure, read, written, read again and computed."""
    value = ec.parse(data.decode(errors="replace"))
    if len(str(value)) <= LONGEST_TEXT:
        assert ec.parse(str(value)) == value
    value.latex(SMALL.assessments.scales)
    found = ec.evaluate(value, SMALL)
    assert not np.isnan(found.to_numpy()).any(), found


TARGETS: dict[str, Target] = {
    "runs": runs,
    "qrels": qrels,
    "table": table,
    "json_forms": json_forms,
    "comments": comments,
    "manifest": manifest,
    "specifications": specifications,
    "inex": inex,
    "passages": passages,
    "graphs": graphs,
    "scores": scores,
    "archive": archive,
    "damaged": damaged,
    "upload": upload,
    "measure": measure,
}


def corpus(name: str) -> list[Path]:
    """Return the seeds of a target, and earlier findings with it."""
    return sorted((CORPUS / name).iterdir())


def _source(name: str, data: bytes) -> Source:
    return Source(name, lambda: data)


def _refused(read: Callable[[], object]) -> bool:
    try:
        read()
    except InputError:
        return True
    return False


def _files(data: bytes) -> Iterator[tuple[str, bytes]]:
    for part in data.split(b"=== ")[1:9]:
        name, _, content = part.partition(b"\n")
        yield name.decode(errors="replace").strip()[:80] or "file", content


def _zipped(files: list[tuple[str, bytes]], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    named = {name.replace("\0", ""): content for name, content in files}
    with zipfile.ZipFile(buffer, "w", how) as packed:
        for name, content in named.items():
            packed.writestr(zipfile.ZipInfo(name), content, how)
    return buffer.getvalue()
