"""INEX XML: assessments of a topic, and submissions of elements or passages.

Assessments hold, per topic, `<file collection name>` with `<passage start end size>`, `<element path size rsize>` and
`<best-entry-point path>`; submissions hold, per `<topic topic-id>`, `<result>` with `<file>`, `<path>` or
`<passage start end>`, `<rank>` and `<rsv>`. XML is untrusted: it is read as a stream of elements, without reading a
DTD or expanding an entity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from evalcore.data.sources import Source
from evalcore.data.text_files import LONGEST_ID
from evalcore.errors import InputError, shorten
from evalcore.focused.files.elements import LONGEST_PATH, refuse_bad_path
from evalcore.focused.files.highlights import Record
from evalcore.focused.files.tables import LONGEST

MOST_BYTES = 512 << 20
DEEPEST = 64  # depth of nested elements

Opened = Callable[[str, Mapping[str, str], int], None]  # tag, attributes, line
Closed = Callable[[str, str, int], None]  # tag, text since the previous tag, line

# A document type that only names a file, as INEX writes it; the file is never opened.
_NAMED_DTD = re.compile(rb"<!DOCTYPE\s[^\[\]<>]*>")
_PROLOG = 1 << 12


def is_xml(head: bytes) -> bool:
    """Return whether a file begins like XML (or like a web page, which `read_xml` will report)."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"


def root_of(head: bytes) -> str:
    """Return the name of the first element, "" if there is none.

    >>> root_of(b'<?xml version="1.0"?><!-- <b> --><assessments pool="1">')
    'assessments'
    """
    without = re.sub(rb"<!--.*?-->", b"", head, flags=re.DOTALL)
    match = re.search(rb"<([A-Za-z_][\w:.-]*)", without)
    return match.group(1).decode() if match else ""


def read_xml(source: Source, opened: Opened, closed: Closed) -> None:
    """Call `opened` and `closed` for every element of a file, in document order.

    Raises InputError, with the line if known, for XML that is not well-formed, too deep, too large or in an unknown
    encoding, and for a document type with declarations, which could define entities that grow without bounds or read
    other files.
    """
    content = source.read()
    if len(content) > MOST_BYTES:
        problem = f"expected at most {MOST_BYTES >> 20} MiB of XML, found {len(content) >> 20} MiB: split the file"
        raise InputError(problem, source.name)
    beginning = _NAMED_DTD.sub(lambda match: b"\n" * match.group().count(b"\n"), content[:_PROLOG])
    try:
        _Reader(source.name, opened, closed).parser.Parse(beginning + content[_PROLOG:], True)
    except expat.ExpatError as error:
        problem = f"expected well-formed XML, found an error: {expat.ErrorString(error.code)}"
        raise InputError(problem, source.name, error.lineno) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"expected XML in a known encoding, found {error}", source.name) from None


class _Reader:
    """Passes the parser's elements to `opened` and `closed`, and raises InputError for forbidden content."""

    def __init__(self, name: str, opened: Opened, closed: Closed) -> None:
        self.name, self.opened, self.closed = name, opened, closed
        self.text: list[str] = []
        self.depth = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text.append
        self.parser.StartDoctypeDeclHandler = self.refuse_declarations

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"expected at most {DEEPEST} nested elements, found more")
        self.text.clear()
        self.opened(tag, attributes, self.parser.CurrentLineNumber)

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.closed(tag, "".join(self.text).strip(), self.parser.CurrentLineNumber)
        self.text.clear()

    def refuse_declarations(self, kind: str, *_: object) -> None:
        raise self.error(f"expected XML without a document type, found <!DOCTYPE> {shorten(kind)}: remove it")

    def error(self, problem: str) -> InputError:
        return InputError(problem, self.name, self.parser.CurrentLineNumber)


ASSESSMENTS, SUBMISSION = "assessments", "inex-submission"
_TOPIC_IDS: Mapping[str, tuple[str, ...]] = {
    "assessments": ("topic", "topic-id", "topic_id"),
    "topic": ("topic-id", "topic_id", "topic", "id"),
    "inex_topic": ("topic_id", "topic-id", "id"),
}


def read_assessments(source: Source) -> tuple[list[Record], dict[str, str]]:
    """Read the assessed documents of one file, and the titles of its topics.

    The sizes of the outermost element, such as `/article[1]`, are the sizes of the document. A `<file>` without
    passages is a document that was assessed and has no relevant text. Raises InputError with the line for an attribute
    that is missing or not a number, for highlighted text without an outermost element, and for a document outside any
    topic.
    """
    reader = _Assessments(source.name)
    _read(source, reader, reader.records, "<file> elements in <assessments>")
    return reader.records, reader.titles


def _read(source: Source, reader: _Assessments | _Submission, elements: Sequence[object], expected: str) -> None:
    """Read a file with a reader that collects `elements`. Raises InputError if it finds none."""
    read_xml(source, reader.opened, reader.closed)
    if not elements:
        raise InputError(f"expected {expected}, found none", source.name)


@dataclass
class _Assessments:
    """The assessments read so far, and the state of the reader."""

    name: str
    records: list[Record] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)
    topic: str = ""
    document: str = ""
    line: int = 0
    passages: list[tuple[str, str, int]] = field(default_factory=list)
    elements: dict[str, tuple[int, int]] = field(default_factory=dict)
    best_path: str = ""

    def opened(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        attribute = _Attributes(self.name, tag, attributes, line)
        if tag in _TOPIC_IDS:
            self.topic = attribute.first(_TOPIC_IDS[tag]) or self.topic
        elif tag == "file":
            self.document, self.line = attribute.name_of("name"), line
            self.passages, self.elements, self.best_path = [], {}, ""
        elif tag in ("passage", "element", "best-entry-point") and not self.document:
            raise attribute.error(f"expected <{tag}> within a <file>, found it outside")
        elif tag == "passage":
            ends = attribute.text("start"), attribute.text("end")
            self.passages.append((*ends, attribute.number("size")))
        elif tag == "element":
            self._element(attribute)
        elif tag == "best-entry-point":
            self.best_path = attribute.text("path")

    def _element(self, attribute: _Attributes) -> None:
        path, size, rsize = attribute.text("path"), attribute.number("size"), attribute.number("rsize")
        refuse_bad_path(path, self.name, attribute.line)
        if rsize > size:
            raise attribute.error(f"expected an rsize of at most the size {size:,}, found {rsize:,}")
        if self.elements.setdefault(path, (size, rsize)) != (size, rsize):
            raise attribute.error(f"expected one pair of sizes for {path}, found a different pair before")

    def closed(self, tag: str, text: str, line: int) -> None:
        if tag == "title" and self.topic and not self.document:
            self.titles.setdefault(self.topic, " ".join(text.split()))
        if tag != "file":
            return
        if not self.topic:
            raise InputError('expected a topic in <assessments topic="...">, found none', self.name, self.line)
        self.records.append(self._record())
        self.document = ""

    def _record(self) -> Record:
        outermost = [sizes for path, sizes in self.elements.items() if path.count("/") == 1]
        if len(outermost) != 1 and (self.passages or self.elements):
            found = f"found {len(outermost)} such elements of document {self.document!r}"
            problem = f'expected the sizes of the whole document, <element path="/article[1]" ...>, {found}'
            raise InputError(problem, self.name, self.line)
        length, highlighted = outermost[0] if outermost else (-1, 0)
        ends = tuple(self.passages)
        ranges = None if ends else ()
        where = (self.topic, self.document, self.name, self.line)
        return Record(*where, highlighted, length, -1, ranges, ends, self.best_path, self.elements)


@dataclass(frozen=True)
class Result:
    """One `<result>` of a submission; a missing value is "" or None."""

    topic: str
    document: str
    line: int
    path: str = ""
    passage: tuple[str, str] | None = None
    rank: str = ""
    score: str = ""


def read_submission(source: Source) -> tuple[list[Result], str]:
    """Read the results of one submission, in the order of the file, and its run-id.

    Raises InputError with the line for a result outside a topic or without a file, or with both or neither of path and
    passage.
    """
    reader = _Submission(source.name)
    _read(source, reader, reader.results, "<result> elements in <inex-submission>")
    return reader.results, reader.run


@dataclass
class _Submission:
    name: str
    results: list[Result] = field(default_factory=list)
    run: str = ""
    topic: str = ""
    line: int = 0
    values: dict[str, str] = field(default_factory=dict)
    passage: tuple[str, str] | None = None

    def opened(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        attribute = _Attributes(self.name, tag, attributes, line)
        if tag == SUBMISSION:
            self.run = attributes.get("run-id", "")
        elif tag == "topic":
            self.topic = attribute.first(_TOPIC_IDS["topic"])
        elif tag == "result":
            self.line, self.values, self.passage = line, {}, None
        elif tag == "passage":
            self.passage = (attribute.text("start"), attribute.text("end"))

    def closed(self, tag: str, text: str, line: int) -> None:
        if tag in ("file", "path", "rank", "rsv"):
            self.values[tag] = text
        elif tag == "topic":
            self.topic = ""
        elif tag == "result":
            self.results.append(self._result())

    def _result(self) -> Result:
        document, path = self.values.get("file", ""), self.values.get("path", "")
        if not self.topic:
            raise self._error('expected a result within <topic topic-id="...">, found it outside')
        if not document or len(document.encode()) > LONGEST_ID or any(letter.isspace() for letter in document):
            raise self._error(f"expected the id of a document in <file>, found {shorten(document)}")
        if bool(path) == bool(self.passage):
            found = "both" if path else "neither"
            raise self._error(f"expected a <path> or a <passage> in each result, found {found}")
        rank, score = self.values.get("rank", ""), self.values.get("rsv", "")
        return Result(self.topic, document, self.line, path, self.passage, rank, score)

    def _error(self, problem: str) -> InputError:
        return InputError(problem, self.name, self.line)


@dataclass(frozen=True)
class _Attributes:
    """The attributes of one element, converted to their types."""

    name: str
    tag: str
    values: Mapping[str, str]
    line: int

    def error(self, problem: str) -> InputError:
        return InputError(problem, self.name, self.line)

    def first(self, keys: tuple[str, ...]) -> str:
        return next((self.values[key].strip() for key in keys if self.values.get(key, "").strip()), "")

    def text(self, key: str) -> str:
        value = self.values.get(key, "").strip()
        if not value or len(value) > LONGEST_PATH:
            raise self.error(f"expected <{self.tag}> with {key}, found {shorten(value) if value else 'none'}")
        return value

    def name_of(self, key: str) -> str:
        value = self.text(key)
        if len(value.encode()) > LONGEST_ID or any(letter.isspace() for letter in value):
            raise self.error(f"expected an id without spaces as {key} of <{self.tag}>, found {shorten(value)}")
        return value

    def number(self, key: str) -> int:
        value = self.text(key)
        if not (value.isascii() and value.isdigit()) or len(value) > 10 or int(value) > LONGEST:
            raise self.error(f"expected an integer of 0 or more as {key} of <{self.tag}>, found {shorten(value)}")
        return int(value)
