"""Characters of ids that nobody sees: which are refused, and which ids differ in nothing else.

An id is what trec_eval takes it for: its bytes. So none is changed. What has no business in one is refused where it is
read; where ids would be equal but for how their letters are written, the loading report says so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable

# White space beyond ASCII, and characters without width that no script needs: soft hyphen, zero-width space, word
# joiner, byte-order mark, ... These characters themselves, as patterns of Arrow know no escapes for them.
UNSEEN = "[\x85\xa0\xad\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f-\u2064\u3000\ufeff]"
_UNSEEN = re.compile(UNSEEN)
# Joiners and marks of direction, which texts of some scripts need.
_MARKS = re.compile(r"[\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069]")


def unseen(text: str) -> str:
    """The first character of a text that no id may hold, by its name; "" where there is none.

    >>> unseen("d1\\ufeff"), unseen("d1\\xa0"), unseen("d1")
    ('ZERO WIDTH NO-BREAK SPACE (U+FEFF)', 'NO-BREAK SPACE (U+00A0)', '')
    """
    match = _UNSEEN.search(text)
    return f"{unicodedata.name(match[0], 'a control character')} (U+{ord(match[0]):04X})" if match else ""


def normalised(text: str) -> str:
    """A text with its letters composed (NFC) and without marks that are not seen.

    >>> ascii(normalised("e\\u0301\\u200d"))
    "'\\\\xe9'"
    """
    return unicodedata.normalize("NFC", text if text.isascii() else _MARKS.sub("", text))


def is_normalised(text: str) -> bool:
    """Whether `normalised` leaves a text as it is."""
    return text.isascii() or (unicodedata.is_normalized("NFC", text) and not _MARKS.search(text))


def alike(ids: Iterable[tuple[Hashable, str]]) -> list[tuple[str, str]]:
    """Different ids of one place (such as a topic) that normalisation makes one: the first of each, and the other."""
    first: dict[tuple[Hashable, str], str] = {}
    pairs = [(first.setdefault((place, normalised(name)), name), name) for place, name in ids]
    return [(before, after) for before, after in pairs if before != after]


def others(texts: Iterable[str]) -> dict[str, str]:
    """The texts that are not normalised, by what they would be."""
    return {normalised(text): text for text in texts if not is_normalised(text)}
