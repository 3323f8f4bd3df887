"""The text of files: its encoding, its line ends, and its comments, which are removed without moving other lines."""

from __future__ import annotations

import re

from evalcore.data.sources import Source
from evalcore.errors import InputError, counted, shorten
from evalcore.limits import most, refuse_more
from evalcore.structures.documents import Note

BOM = b"\xef\xbb\xbf"
LONGEST_ID = most("id_bytes")

FIRST_LINE = re.compile(rb"[^\x00-\x20][^\n\x00]*")  # that is not blank

_FILLED = re.compile(rb"[^\x01-\x20]")
_FIELD = re.compile(rb"[^\x00-\x20]+")
LONGEST = 100_000  # characters kept of one file
_COMMENT = re.compile(rb"\n[ \t\r]*#(?!\d)([^\n]*)")
_DESCRIPTION = re.compile(rb"<SYSDESC>([^\n]*)</SYSDESC>[ \t\r]*\n")


def text_of(content: bytes, name: str, what: str) -> bytes:
    """Check that content is text, and return it without a byte order mark and with old Mac line ends converted.

    Raises InputError for an empty file, a binary file, a web page, or text that is not UTF-8.
    """
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(f"expected {what} in UTF-8, found UTF-16 that is damaged: save it as UTF-8", name)
    content = content.removeprefix(BOM)
    if not _FILLED.search(content):
        raise InputError(f"expected {what}, found an empty file", name)
    if b"\0" in content:
        raise InputError(f"expected {what} as text (UTF-8), found a binary file", name)
    content = _description_as_comment(content)
    beginning = content[:2000].lstrip()
    if beginning.startswith(b"<"):
        found = f"a web page or XML (it begins with {shorten(beginning.splitlines()[0], 40)})"
        raise InputError(f"expected {what}, found {found}: was the download an error page?", name)
    _refuse_other_encodings(content, name, what)
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    return content


def _description_as_comment(content: bytes) -> bytes:
    """Return a run after turning the NTCIR line that describes its system, `<SYSDESC>...</SYSDESC>`, into a comment."""
    match = _DESCRIPTION.match(content)
    return content if not match else b"# " + match[1] + b"\n" + content[match.end() :]


def _refuse_other_encodings(content: bytes, name: str, what: str) -> None:
    try:
        if not content.isascii():
            content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = shorten(content[content.rfind(b"\n", 0, error.start) + 1 :].split(b"\n", 1)[0].strip())
        raise InputError(f"expected {what} in UTF-8, found {found} in a different encoding", name, line) from None


def data_text(source: Source, what: str) -> tuple[bytes, str]:
    """Return the content of a file of fields (see `text_of`) with its comment lines emptied, and the comments.

    Raises InputError for a file that is not text, or has only comments.
    """
    content = text_of(source.read(), source.name, what)
    _refuse_long_lines(content, source.name)
    text, comments = without_comments(content)
    if not FIRST_LINE.search(text):
        raise InputError(f"expected {what}, found only comments", source.name)
    return text, comments


def _refuse_long_lines(content: bytes, name: str) -> None:
    """Raise InputError for a line that is longer than the limit."""
    longest = most("line_bytes")
    begin, end = 0, len(content)
    while end - begin > longest:
        after = content.rfind(b"\n", begin, begin + longest + 1) + 1
        if not after:
            following = content.find(b"\n", begin, end)
            length = (end if following < 0 else following) - begin
            refuse_more("line_bytes", length, where=name, line=content.count(b"\n", 0, begin) + 1)
        begin = after


def plain_text(source: Source, what: str = "text") -> str:
    """Return the text of a file, including comments. Raises InputError as `text_of` does."""
    return text_of(source.read(), source.name, what).decode()


def data_head(source: Source, size: int = 1 << 12) -> bytes:
    """Return the beginning of a file, long enough to include more than comments, with line ends as in `text_of`."""
    raw = source.head(size)
    head = _description_as_comment(raw.removeprefix(BOM))
    head = head if b"\n" in head else head.replace(b"\r", b"\n")
    only_comments = not FIRST_LINE.search(without_comments(head)[0])
    return data_head(source, 16 * size) if only_comments and len(raw) >= size else head


def first_fields(text: bytes) -> list[bytes]:
    """Return the fields of the first line that is not blank; an empty list for an empty text."""
    line = FIRST_LINE.search(text)
    return _FIELD.findall(line.group()) if line else []


def without_comments(text: bytes, quoted: bool = False) -> tuple[bytes, str]:
    """Empty the comment lines of a text, so that other lines keep their numbers. Return the text, and the comments.

    A line that begins with # is a comment, unless a digit follows, as in a topic `#1`; in a table (`quoted`), a line
    within a cell in quotes is not a comment.

    >>> without_comments(b"#by hand\\n1 0 d1 1\\n#2 0 d1 0\\n")
    (b'\\n1 0 d1 1\\n#2 0 d1 0\\n', 'by hand')
    """
    if b"#" not in text:
        return text, ""
    comments = list[str]()

    def emptied(match: re.Match[bytes]) -> bytes:
        if quoted and text.count(b'"', 0, match.start()) % 2:
            return match[0]
        comments.append(match[1].decode(errors="replace").rstrip().removeprefix(" "))
        return b"\n"

    return _COMMENT.sub(emptied, b"\n" + text)[1:], "\n".join(comments)


def comment_notes(where: str, comments: str) -> list[Note]:
    """Return notes that report the comments of a file and keep their text; [] if there are none."""
    if not comments:
        return []
    part = "" if len(comments) <= LONGEST else f"their first {LONGEST:,} characters "
    text = f"{counted(comments.count(chr(10)) + 1, 'comment line')} (#): {part}kept as provenance"
    return [Note("inferred", where, text), Note("provenance", where, comments[:LONGEST])]
