"""The one exception that bad input raises."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from evalcore.common.lazy_imports import difflib

DISTRIBUTION = "ir-evalcore"  # on the package index; another project is called evalcore there
MOST_NEAR = 3
MOST_BITS = 63  # of a whole number: what arrays, and TOML's own rule, have room for
_UNDECODED = re.compile("[\ud800-\udfff]")  # no letters: bytes of a name that is not UTF-8, as Python holds them


class InputError(ValueError):
    """Input that cannot be used: the message says what was expected, what was found, and where.

    >>> raise InputError("expected 6 fields, found 5", "runs/a.txt.gz", 17)
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: runs/a.txt.gz line 17: expected 6 fields, found 5
    """

    def __init__(self, problem: str, where: str = "", line: int | None = None) -> None:
        self.problem, self.where, self.line = readable(problem), readable(where), line
        place = f"{self.where} line {line}" if line is not None else self.where
        super().__init__(f"{place}: {self.problem}" if place else self.problem)


def not_installed(package: str, extra: str) -> InputError:
    """Say which package is missing, and how to install it with what else its extra needs.

    >>> raise not_installed("plotly", "figures")
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: expected the package plotly, found none: pip install 'ir-evalcore[figures]'
    """
    return InputError(f"expected the package {package}, found none: pip install '{DISTRIBUTION}[{extra}]'")


def refuse_no_collection(found: object) -> None:
    """Raises InputError for a value that is not a collection, such as its path."""
    if not hasattr(found, "fingerprint"):
        raise no_collection(found)


def no_collection(found: object) -> InputError:
    """Say that something is not a collection, and how to get one.

    >>> raise no_collection("data/clef2015")
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: expected a collection, found str: ec.load opens one, ec.collection makes one
    """
    kind = type(found).__name__
    return InputError(f"expected a collection, found {kind}: ec.load opens one, ec.collection makes one")


def refuse_huge(number: int, where: str = "", line: int | None = None) -> int:
    """The number. Raises InputError for a whole number of more than 63 bits, which nothing else could be done with.

    >>> refuse_huge(2**63 - 1), refuse_huge(-5)
    (9223372036854775807, -5)
    >>> refuse_huge(10**400, "AP(cutoff=...)")
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: AP(cutoff=...): expected a whole number below 2^63 in size, found one with 1,329 bits
    """
    if number.bit_length() > MOST_BITS:
        problem = f"expected a whole number below 2^{MOST_BITS} in size, found one with {number.bit_length():,} bits"
        raise InputError(problem, where, line)
    return number


def check_level(level: float, what: str = "a level") -> float:
    """The level of intervals or decisions, or another share called `what`. Raises InputError if it is not a share.

    >>> check_level(95)
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: expected a level between 0 and 1, both excluded, found 95
    """
    try:
        within = bool(0 < level < 1)
    except (TypeError, ValueError):  # None, a text, several at once
        within = False
    if not within:
        raise InputError(f"expected {what} between 0 and 1, both excluded, found {level}")
    return level


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the known names that are nearest, at most three; "" if none is near.

    A name that differs in case alone is the only one; of names that are equal but for case, the first counts.

    >>> did_you_mean("urbp", ["RBP", "uRBP", "uRBP1"])
    '; did you mean uRBP?'
    >>> did_you_mean("uRBPg", ["RBP", "uRBP", "uRBPgr"])
    '; did you mean uRBPgr, uRBP or RBP?'
    """
    lower = {name.lower(): name for name in reversed(list(known))}
    wanted = name.lower()
    near = [wanted] if wanted in lower else difflib.get_close_matches(wanted, lower, n=MOST_NEAR)
    listed = [lower[name] for name in near]
    return f"; did you mean {either(listed)}?" if listed else ""


def place_of(name: str, known: Sequence[str], what: str, where: str = "") -> int:
    """Return the position of a name among those of a collection. Raises InputError for an unknown one: expected `what`.

    >>> place_of("b", ["a", "b"], "a system")
    1
    """
    if name not in known:
        found = f"{shorten(name)}{did_you_mean(name, known)}"
        raise InputError(f"expected {what} of this collection, found {found}", where)
    return known.index(name)


def either(names: Sequence[str]) -> str:
    """Names to choose from, in a sentence.

    >>> either(["a", "b", "c"])
    'a, b or c'
    """
    return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def readable(name: str | Path) -> str:
    r"""A path, or text from one, that any Unicode encoding accepts: invalid UTF-8 bytes are escaped.

    >>> readable("caf\udce9.txt")
    'caf\\xe9.txt'
    """
    return _UNDECODED.sub(lambda match: _written_out(ord(match[0])), str(name))


def _written_out(code: int) -> str:
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def counted(count: int, thing: str) -> str:
    """
    >>> counted(1, "pair"), counted(1_200, "pair")
    ('1 pair', '1,200 pairs')
    """
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


def shorten(text: str | bytes, width: int = 60) -> str:
    """Quote a piece of foreign text for an error message, cut to `width` characters.

    >>> shorten("a" * 99, 6)
    "'aaaaaa…'"
    """
    if isinstance(text, bytes):
        text = text[: 4 * width].decode("utf-8", errors="replace")
    return repr(text if len(text) <= width else text[:width] + "…")
