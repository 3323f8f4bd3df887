"""Text as files have it: its encoding, its line ends, and its comment lines, taken out without moving anything else."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from evalcore.data.sources import Source
from evalcore.errors import InputError, counted, shorten
from evalcore.limits import most, refuse_more
from evalcore.structures.documents import Note

BOM = b"\xef\xbb\xbf"
LONGEST_ID = most("id_bytes")

FIRST_LINE = re.compile(rb"[^\x00-\x20][^\n\x00]*")  # that holds something

_FILLED = re.compile(rb"[^\x01-\x20]")
_FIELD = re.compile(rb"[^\x00-\x20]+")
BLANK = bytes(range(1, 33))  # what separates fields: white space and control characters
LONGEST = 100_000  # characters kept of one file
METADATA = b"ir_metadata."
_INDENTED = re.compile(rb"[ \t\r]*#")
_DESCRIPTION = re.compile(rb"<SYSDESC>([^\n]*)</SYSDESC>[ \t\r]*\n")
_NUMBER = re.compile(rb"-|[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def text_of(content: bytes, name: str, what: str) -> bytes:
    """Check that content is text at all; a byte order mark and old Mac line ends go.

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
    """The line of an NTCIR run that describes its system, `<SYSDESC>...</SYSDESC>`, as a comment."""
    match = _DESCRIPTION.match(content)
    return content if not match else b"# " + match[1] + b"\n" + content[match.end() :]


def _refuse_other_encodings(content: bytes, name: str, what: str) -> None:
    try:
        if not content.isascii():
            content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = shorten(content[content.rfind(b"\n", 0, error.start) + 1 :].split(b"\n", 1)[0].strip())
        raise InputError(f"expected {what} in UTF-8, found {found} in another encoding", name, line) from None


def data_text(source: Source, what: str) -> tuple[bytes, str]:
    """The content of a file of fields (see `text_of`), its comments blank; and what these say.

    Raises InputError for what is no text, and where there is nothing but comments.
    """
    content = text_of(source.read(), source.name, what)
    _refuse_long_lines(content, source.name)
    text, comments = without_comments(content)
    if not FIRST_LINE.search(text):
        raise InputError(f"expected {what}, found nothing but comments", source.name)
    return text, comments


def _refuse_long_lines(content: bytes, name: str) -> None:
    """Raise InputError for a line of more bytes than are taken apart at once."""
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
    """Read the content of a file as it is, comments too. Raises InputError as `text_of` does."""
    return text_of(source.read(), source.name, what).decode()


def data_head(source: Source, size: int = 1 << 12) -> bytes:
    """The beginning of a file, so much of it that more than comments are in it; line ends as `text_of` has them."""
    raw = source.head(size)
    head = _description_as_comment(raw.removeprefix(BOM))
    head = head if b"\n" in head else head.replace(b"\r", b"\n")
    only_comments = not FIRST_LINE.search(without_comments(head)[0])
    return data_head(source, 16 * size) if only_comments and len(raw) >= size else head


def fields_of(line: bytes) -> list[bytes]:
    """The fields of one line, between white space and control characters.

    >>> fields_of(b" 1\\tQ0 d1 ")
    [b'1', b'Q0', b'd1']
    """
    return _FIELD.findall(line)


def first_fields(text: bytes) -> list[bytes]:
    """The fields of the first line that holds some; none of an empty text."""
    line = FIRST_LINE.search(text)
    return fields_of(line.group()) if line else []


def without_comments(text: bytes) -> tuple[bytes, str]:
    """The text with its comment lines blank, as long as before and with the same lines; and what they say.

    A line whose first character is # is a comment where
    - a blank or nothing follows the #, or
    - it stands between `# ir_metadata.start` and `# ir_metadata.end`, or
    - it does not read like the lines without a #: as many fields, and numbers where those have a rank, score or grade.
    So a topic `#1` is data, and where there is one, a line that begins like it and reads like nothing is left, to be
    refused.

    >>> without_comments(b"# by hand\\n1 0 d1 1\\n#2 0 d1 0\\n")
    (b'         \\n1 0 d1 1\\n#2 0 d1 0\\n', 'by hand')
    """
    if b"#" not in text:
        return text, ""
    places = _hash_lines(text)
    lines = [text[begin:end] for begin, end in places]
    comments = [at for at, is_one in zip(places, _are_comments(lines, _pattern(text, places)), strict=True) if is_one]
    return _blanked(text, comments), _uncommented(text[begin:end] for begin, end in comments)


def without_table_comments(text: bytes) -> tuple[bytes, str]:
    """The same for a table: every line with a # before the header, below it those where a blank or nothing follows.

    They are empty then: a reader of tables would take blanks for cells.

    >>> without_table_comments(b"#by hand\\ntopic,document\\n#1,d1\\n")
    (b'\\ntopic,document\\n#1,d1\\n', 'by hand')
    """
    if b"#" not in text:
        return text, ""
    places = _hash_lines(text)
    leading = _leading(text, places)
    quoted = b'"' in text
    below = [at for at in places[leading:] if _is_below(text, at[0], quoted)]
    comments = [*places[:leading], *below]
    edges = [0, *(at for place in comments for at in place), len(text)]
    table = b"".join(text[begin:end] for begin, end in zip(edges[::2], edges[1::2], strict=True))
    return table, _uncommented(text[begin:end] for begin, end in comments)


def comment_notes(where: str, comments: str) -> list[Note]:
    """Report the comments of a file, and keep their text."""
    if not comments:
        return []
    among = ", an ir_metadata header among them" if METADATA.decode() in comments else ""
    part = "" if len(comments) <= LONGEST else f"their first {LONGEST:,} characters "
    text = f"{counted(comments.count(chr(10)) + 1, 'comment line')} (#){among}: {part}kept as provenance"
    return [Note("inferred", where, text), Note("provenance", where, comments[:LONGEST])]


def _hash_lines(text: bytes) -> list[tuple[int, int]]:
    """The beginnings and ends of lines whose first character is #."""
    codes = np.frombuffer(text, dtype=np.uint8)
    starts = np.append(0, np.flatnonzero(codes == 10) + 1)
    starts = starts[starts < len(codes)]
    first = codes[starts]
    wanted = (first == ord("#")) | (first == 32) | (first == 9) | (first == 13)
    hashed = [at for at in starts[wanted].tolist() if _INDENTED.match(text, at)]
    return [(at, end if (end := text.find(b"\n", at)) >= 0 else len(text)) for at in hashed]


def _leading(text: bytes, places: list[tuple[int, int]]) -> int:
    """Count the lines with a # before any other."""
    before = [0, *(end for _, end in places)]
    return next((at for at, (begin, _) in enumerate(places) if text[before[at] : begin].strip()), len(places))


def _is_below(text: bytes, begin: int, quoted: bool) -> bool:
    """Return true if a line of a table is a comment that stands outside of a quoted cell."""
    plain = text[begin] == ord("#") and not text[begin + 1 : begin + 2].strip()
    return plain and not (quoted and text.count(b'"', 0, begin) % 2)


def _pattern(text: bytes, hash_lines: list[tuple[int, int]]) -> tuple[int, tuple[int, ...]] | None:
    """Count the fields of the first line without a #, and find its numbers; None if there is no such line."""
    begin = 0
    for at, end in [*hash_lines, (len(text), len(text))]:
        if line := FIRST_LINE.search(text, begin, at):
            fields = fields_of(line.group())
            return len(fields), tuple(at for at in _number_places(len(fields)) if _NUMBER.fullmatch(fields[at]))
        begin = end
    return None


def _number_places(width: int) -> range:
    """The fields that hold numbers: value of a document, rank of three columns, grades, or rank and score of a run."""
    return range(max(min(width - 1, 3), 1), min(width, 5))


def _are_comments(lines: list[bytes], pattern: tuple[int, tuple[int, ...]] | None) -> list[bool]:
    plain, loose, inside = [], [], False
    for line in lines:
        body = line.strip()[1:]
        inside = (inside or METADATA + b"start" in body) and METADATA + b"end" not in body
        plain.append(inside or METADATA + b"end" in body or not body or body[:1].isspace())
        loose.append(not _reads_like(fields_of(line), pattern))
    data = any(not (a or b) for a, b in zip(plain, loose, strict=True))
    return [a or (b and not data) for a, b in zip(plain, loose, strict=True)]


def _reads_like(fields: list[bytes], pattern: tuple[int, tuple[int, ...]] | None) -> bool:
    if pattern is None:
        return True
    width, numbers = pattern
    return len(fields) == width and all(_NUMBER.fullmatch(fields[at]) for at in numbers)


def _blanked(text: bytes, places: list[tuple[int, int]]) -> bytes:
    if not places:
        return text
    blank = bytearray(text)
    for begin, end in places:
        blank[begin:end] = b" " * (end - begin)
    return bytes(blank)


def _uncommented(lines: Iterable[bytes]) -> str:
    """Comment lines without their #."""
    comments = [line.decode(errors="replace").strip().removeprefix("#").removeprefix(" ") for line in lines]
    return "\n".join(comments)
