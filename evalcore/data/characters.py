"""Invisible characters, which ids must not contain. Ids are compared as bytes, as in trec_eval, and never changed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from evalcore.errors import InputError, shorten

# White space beyond ASCII, and characters without width that no script needs: soft hyphen, zero-width space, word
# joiner, byte-order mark, ...; control characters and non-characters. They are written literally, as patterns of Arrow
# have no escapes for them.
UNSEEN = "[\x7f-\xa0\xad\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f-\u2064\u3000\ufeff\ufffe\uffff]"
_UNSEEN = re.compile(UNSEEN)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")  # XML, and so SVG, has none


def unseen(text: str) -> str:
    """Return the name of the first character in a text that ids must not contain; "" if there is none.

    >>> unseen("d1\\ufeff"), unseen("d1\\xa0"), unseen("d1")
    ('ZERO WIDTH NO-BREAK SPACE (U+FEFF)', 'NO-BREAK SPACE (U+00A0)', '')
    """
    match = _UNSEEN.search(text)
    return f"{unicodedata.name(match[0], 'a control character')} (U+{ord(match[0]):04X})" if match else ""


def refuse_controls(names: Mapping[str, Iterable[str]]) -> None:
    """Raise InputError for a name with a control character. `names` lists names by kind, such as "system".

    >>> refuse_controls({"system": ["a", "b\\x01"]})
    Traceback (most recent call last):
    evalcore.errors.InputError: expected a name without control characters, found U+0001 in system 'b\\x01'
    """
    for kind, listed in names.items():
        for name in listed:
            if control := _CONTROLS.search(name):
                found = f"found U+{ord(control[0]):04X} in {kind} {shorten(name)}"
                raise InputError(f"expected a name without control characters, {found}")
