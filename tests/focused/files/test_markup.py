"""XML that is read as a stream, and XML that is refused."""

from __future__ import annotations

import pytest

from evalcore.data.sources import Source
from evalcore.errors import InputError
from evalcore.focused.files import inex
from evalcore.focused.files.inex import read_xml, root_of


def events(content: bytes) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    read_xml(
        Source("a.xml", lambda: content),
        lambda tag, attributes, line: found.append((tag, dict(attributes), line)),
        lambda tag, text, line: found.append((tag, text, line)),
    )
    return found


def refusal(content: bytes) -> str:
    with pytest.raises(InputError) as error:
        events(content)
    return str(error.value)


def test_elements_come_in_order_with_their_text_and_lines():
    content = b'<?xml version="1.0"?>\n<a x="1">\n<b>one &amp;\ntwo</b></a>'
    assert events(content) == [("a", {"x": "1"}, 2), ("b", {}, 3), ("b", "one &\ntwo", 4), ("a", "", 4)]


def test_a_document_type_that_names_a_file_is_skipped_and_line_numbers_stay_right():
    content = b'<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM\n "../../a.dtd">\n<a/>'
    assert events(content) == [("a", {}, 4), ("a", "", 4)]


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16"])
def test_xml_in_every_encoding_is_read(encoding):
    content = f'<?xml version="1.0" encoding="{encoding}"?><a>é</a>'.encode(encoding)
    assert events(content)[-1] == ("a", "é", 1)


BILLION_LAUGHS = b"""<?xml version="1.0"?>
<!DOCTYPE lolz [
 <!ENTITY lol "lol">
 <!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
]>
<lolz>&lol2;</lolz>"""
EXTERNAL = b'<!DOCTYPE a [<!ENTITY secret SYSTEM "file:///etc/passwd">]>\n<a>&secret;</a>'
NO_DECLARATIONS = "expected XML without a document type, found <!DOCTYPE>"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BILLION_LAUGHS, f"a.xml line 2: {NO_DECLARATIONS} 'lolz': remove it"),
        (EXTERNAL, f"a.xml line 1: {NO_DECLARATIONS} 'a': remove it"),
        (b'<!DOCTYPE a SYSTEM "x.dtd">\n<a>&secret;</a>', "a.xml line 2: expected well-formed XML, found an error: "
         "undefined entity"),
        (b"<a>\n<b></a>", "a.xml line 2: expected well-formed XML, found an error: mismatched tag"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "a.xml: expected XML in a known encoding, found "
         "unknown encoding: klingon"),
    ],
)  # fmt: skip
def test_invalid_or_dangerous_xml_is_refused(content, message):
    assert refusal(content) == message


def test_depth_is_limited():
    assert events(b"<a>" * 64 + b"</a>" * 64)
    expected = "a.xml line 1: expected at most 64 nested elements, found more"
    assert refusal(b"<a>" * 100_000) == expected


def test_size_is_limited(monkeypatch):
    monkeypatch.setattr(inex, "MOST_BYTES", 1 << 20)
    content = b"<a>" + b" " * (3 << 20) + b"</a>"
    assert refusal(content) == "a.xml: expected at most 1 MiB of XML, found 3 MiB: split the file"


def test_the_root_is_found_after_comments():
    assert root_of(b'<?xml version="1.0"?>\n<!DOCTYPE x SYSTEM "y">\n<!-- <z/> --><x:y a="b">') == "x:y"
    assert root_of(b"plain text") == ""
