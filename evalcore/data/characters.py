"""Invisible characters, which ids must not contain. An id is its bytes, as in trec_eval, and is never changed."""

from __future__ import annotations

import re
import unicodedata

# White space beyond ASCII, and characters without width that no script needs: soft hyphen, zero-width space, word
# joiner, byte-order mark, ... These characters themselves, as patterns of Arrow know no escapes for them.
UNSEEN = "[\x85\xa0\xad\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f-\u2064\u3000\ufeff]"
_UNSEEN = re.compile(UNSEEN)

# What a report says of a file with letters of several code points: composed elsewhere, ids would match nothing.
DECOMPOSED = "some letters consist of several code points (e and its accent): ids match only if written the same way"


def unseen(text: str) -> str:
    """The name of the first character of a text that ids must not contain; "" if there is none.

    >>> unseen("d1\\ufeff"), unseen("d1\\xa0"), unseen("d1")
    ('ZERO WIDTH NO-BREAK SPACE (U+FEFF)', 'NO-BREAK SPACE (U+00A0)', '')
    """
    match = _UNSEEN.search(text)
    return f"{unicodedata.name(match[0], 'a control character')} (U+{ord(match[0]):04X})" if match else ""
