"""XML read as a stream of elements and trusted with nothing: no DTD is read, no entity is expanded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from xml.parsers import expat

from evalcore.data.sources import Source
from evalcore.errors import InputError, shorten

MOST_BYTES = 512 << 20
DEEPEST = 64  # elements within elements

Opened = Callable[[str, Mapping[str, str], int], None]  # tag, attributes, line
Closed = Callable[[str, str, int], None]  # tag, text since the tag before, line

# A document type that only names a file, as INEX writes it; the file is never opened.
_NAMED_DTD = re.compile(rb"<!DOCTYPE\s[^\[\]<>]*>")
_PROLOG = 1 << 12


def is_xml(head: bytes) -> bool:
    """Whether a file begins as XML does (or as a web page, which `read_xml` will say)."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"


def root_of(head: bytes) -> str:
    """The name of the first element; "" where there is none.

    >>> root_of(b'<?xml version="1.0"?><!-- <b> --><assessments pool="1">')
    'assessments'
    """
    without = re.sub(rb"<!--.*?-->", b"", head, flags=re.DOTALL)
    match = re.search(rb"<([A-Za-z_][\w:.-]*)", without)
    return match.group(1).decode() if match else ""


def read_xml(source: Source, opened: Opened, closed: Closed) -> None:
    """Call `opened` and `closed` for every element of a file, in document order.

    Raises InputError with the line for XML that is not well-formed, too deep or too large, and for a document type with
    declarations of its own: that is where entities are made which grow beyond all bounds or read other files.
    """
    content = source.read()
    if len(content) > MOST_BYTES:
        problem = f"expected at most {MOST_BYTES >> 20} MiB of XML, found {len(content) >> 20} MiB: split the file"
        raise InputError(problem, source.name)
    beginning = _NAMED_DTD.sub(lambda match: b"\n" * match.group().count(b"\n"), content[:_PROLOG])
    try:
        _Reader(source.name, opened, closed).parser.Parse(beginning + content[_PROLOG:], True)
    except expat.ExpatError as error:
        problem = f"expected well-formed XML, found a mistake: {expat.ErrorString(error.code)}"
        raise InputError(problem, source.name, error.lineno) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"expected XML in an encoding that is known, found {error}", source.name) from None


class _Reader:
    """Takes what the parser finds to `opened` and `closed`, and stops it where it must not go."""

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
            raise self.error(f"expected at most {DEEPEST} elements within each other, found more")
        self.text.clear()
        self.opened(tag, attributes, self.parser.CurrentLineNumber)

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.closed(tag, "".join(self.text).strip(), self.parser.CurrentLineNumber)
        self.text.clear()

    def refuse_declarations(self, kind: str, *_: object) -> None:
        raise self.error(f"expected XML without declarations in <!DOCTYPE>, found one of {shorten(kind)}: remove it")

    def error(self, problem: str) -> InputError:
        return InputError(problem, self.name, self.parser.CurrentLineNumber)
