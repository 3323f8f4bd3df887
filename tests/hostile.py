"""Collections whose names, ids and texts all try to be more than text.

Each holds a marker, such as `Mk01x`, after a beginning that an interpreter would take away: what shows the marker
without the beginning has interpreted it (`MARKED` says which beginning belongs to which marker).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

EVIL = "evil.example"
LONG = "x" * 200 + " " + "y z" * 60

_NAMES = (
    "[{}](javascript:window.hacked=2)",  # first, as a file that begins with < is refused as a web page
    '<b>{}</b><img src=x onerror="window.hacked=1">',
    "![{}](http://evil.example/picture.png)",
    "$x^{{{}}}$",
    "&lt;{}&gt;&amp;",
    ":red[{}] :rocket:",
    "=cmd()|{}",
    "+1{}",
    "@{}",
    "-2{}",
    "**{}**_a_",
    "`{}` ~~b~~",
    "http://evil.example/{}",
    "www.evil.example/{}",
    "<script>window.hacked=3//{}</script>",
    "# {} " + LONG,
    "\u202e{}\u200b",
    "\U0001f989{}",
    '<a href="javascript:window.hacked=4">{}</a>',
    "</title><svg/onload=window.hacked=5>{}",
    "%{{y}}{}${{z}}",
    "</script><script>window.hacked=6//{}",
    "a@evil.example {}",
    "\\input{{{}}}",
)
# Ids of topics and documents hold no space.
_IDS = tuple(re.sub(r"\s", "/", name) for name in _NAMES if LONG not in name and "\u200b" not in name)

MARKED: dict[str, str] = {}  # marker -> the beginning it was written after


def _marked(letter: str, patterns: Sequence[str]) -> tuple[str, ...]:
    names = []
    for number, pattern in enumerate(patterns, start=1):
        marker = f"M{letter}{number:02}x"
        before, _ = pattern.format(f"\0{marker}").split("\0")
        MARKED[marker] = before[-40:]
        names.append(pattern.format(marker))
    return tuple(names)


SYSTEMS = _marked("k", _NAMES)
FILES = _marked("f", [name for name in _NAMES if "/" not in name and len(name) < 100])  # systems named by a file
TAGS = _marked("r", _IDS)
TOPICS = _marked("t", _IDS)
DOCUMENTS = _marked("d", _IDS)
ASPECTS = (
    "relevance",  # which most pages need
    *_marked("a", ['<b>{}</b><img src=x onerror="window.hacked=7">', "[{}](javascript:window.hacked=8)", "$z^{{{}}}$"]),
)
SIGNAL = _marked("s", ["=:red[{}]"])[0]
GRADES = _marked("g", ["<i>{}</i>", "[{}](javascript:window.hacked=9)", "$x^{{{}}}$"])
TEXTS = _marked("x", [*_NAMES, "\u0007{}"])  # names hold no control characters
QUERIES = _marked("q", [*_NAMES, "\u0007{}"])
TITLE, DESCRIPTION, UNIT = _marked("h", ["1. **{}**<b>x</b>", "[{}](javascript:window.hacked=10)", ":red[{}]"])


def hostile_documents(folder: Path) -> Path:
    """Systems from a table and from files, three aspects and a signal, texts and queries."""
    documents = (*DOCUMENTS, "NA", "null")
    topics = (*TOPICS[:8], "NA")
    systems = (*SYSTEMS, "NA")
    rows = [
        (topic, document, len(documents) - rank, system)
        for at, system in enumerate(systems)
        for shift, topic in enumerate(topics)
        for rank, document in enumerate(_turned(documents, 3 * at + shift * (1 + at % 4)))
    ]
    _table(folder / "runs.csv", ("topic", "document", "score", "system"), rows)
    for at, name in enumerate(FILES):
        lines = [
            f"{topic} Q0 {document} {rank} {-rank} {TAGS[(at // 2) % len(TAGS)]}"
            for shift, topic in enumerate(topics)
            for rank, document in enumerate(_turned(documents, at * 5 + shift))
        ]
        _write(folder / "files" / f"{name}.txt", "\n".join(lines))
    for at in range(len(ASPECTS)):
        grades = [
            f"{t} 0 {d} {(i * (at + 1) + j + at) % 3}" for i, t in enumerate(topics) for j, d in enumerate(documents)
        ]
        _write(folder / f"grades{at}.txt", "\n".join(grades))
    _table(folder / "signal.csv", ("document", SIGNAL), [(d, 6.5 + at) for at, d in enumerate(documents)])
    _write(folder / "queries.tsv", "\n".join(f"{t}\t{q}" for t, q in zip(topics, QUERIES, strict=False)))
    for document, text in zip((d for d in documents if "/" not in d), TEXTS, strict=False):
        _write(folder / "documents" / f"{document}.txt", f"Text: {text} and more. " * 3)
    aspects = "".join(_aspect(name, f"grades{at}.txt") for at, name in enumerate(ASPECTS))
    signal = f'[signals.{_quoted(SIGNAL)}]\nfile = "signal.csv"\ngood = "low"\nunit = {_quoted(UNIT)}\n'
    _manifest(folder, 'runs = ["runs.csv", "files/*"]', aspects + signal)
    return folder


def hostile_passages(folder: Path) -> Path:
    """Runs of passages over hostile texts."""
    documents = [document for document in DOCUMENTS if "/" not in document][:6]
    topics, length = TOPICS[:5], 400
    for document, text in zip(documents, TEXTS, strict=False):
        _write(folder / "documents" / f"{document}.txt", (f"Text {text} " * 99)[:length])
    marks = [f"{t} Q0 {d} 80 {length} {40 + i} {40 + i}:80" for i, t in enumerate(topics) for d in documents[i % 2 :]]
    _write(folder / "highlights.txt", "\n".join(marks))
    for at, name in enumerate(FILES[:8]):
        lines = [
            f"{topic} Q0 {document} {rank} {9 - rank} tag {at * 10 + rank} {100 + 10 * at}"
            for shift, topic in enumerate(topics)
            for rank, document in enumerate(_turned(documents, at + shift), start=1)
        ]
        _write(folder / "runs" / f"{name}.txt", "\n".join(lines))
    _write(folder / "queries.tsv", "\n".join(f"{t}\t{q}" for t, q in zip(topics, QUERIES, strict=False)))
    parts = 'order = "rank"\n[passages]\nfile = "highlights.txt"\n'
    _manifest(folder, 'runs = ["runs/*"]', parts)
    return folder


def hostile_links(folder: Path) -> Path:
    """A graph of components, hostile ones too."""
    topics, documents = TOPICS[:4], DOCUMENTS[:12]
    for at, name in enumerate(FILES[:6]):
        lines = [
            f"{topic} Q0 {document} {rank} {-rank} tag"
            for shift, topic in enumerate(topics)
            for rank, document in enumerate(_turned(documents, at * 2 + shift))
        ]
        _write(folder / "runs" / f"{name}.txt", "\n".join(lines))
    grades = [f"{t} 0 {d} {(i + j) % 3}" for i, t in enumerate(topics) for j, d in enumerate(documents)]
    _write(folder / "grades0.txt", "\n".join(grades))
    links = [(documents[at], documents[(at * 5 + step) % 12], 0.4) for at in range(12) for step in (1, 3)]
    _table(folder / "links.csv", ("source", "target", "probability"), [link for link in links if link[0] != link[1]])
    _table(folder / "components.csv", ("id", "document", "offset", "size"), [(d, d, 0, 300) for d in documents])
    _write(folder / "queries.tsv", "\n".join(f"{t}\t{q}" for t, q in zip(topics, QUERIES, strict=False)))
    more = _aspect(ASPECTS[0], "grades0.txt") + '[navigation]\nlinks = "links.csv"\ncomponents = "components.csv"\n'
    _manifest(folder, 'runs = ["runs/*"]', more, documents="")
    return folder


def _turned(documents: Sequence[str], by: int) -> list[str]:
    at = by % len(documents)
    return [*documents[at:], *documents[:at]]


def _aspect(name: str, file: str) -> str:
    names = ", ".join(map(_quoted, GRADES))
    return f'[aspects.{_quoted(name)}]\nfile = "{file}"\ngrades = [0, 1, 2]\nnames = [{names}]\n'


def _manifest(folder: Path, runs: str, more: str, documents: str = '[documents]\nfolder = "documents"\n') -> None:
    top = f"title = {_quoted(TITLE)}\ndescription = {_quoted(DESCRIPTION)}\n{runs}\n"
    _write(folder / "collection.toml", top + more + documents + '[topics]\nfile = "queries.tsv"\n')


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")


def _table(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
