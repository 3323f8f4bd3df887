"""The exception that bad input raises, and helpers for its messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from evalcore.common.lazy_imports import difflib

DISTRIBUTION = "ir-evalcore"  # on the package index; another project is called evalcore there
MOST_NEAR = 3
MOST_BITS = 63  # of a whole number: more do not fit into arrays, nor into TOML
_UNDECODED = re.compile("[\ud800-\udfff]")  # bytes of a name that is not UTF-8, as Python stores them


class InputError(ValueError):
    """An error for input that cannot be used; the message says what was expected, what was found, and where.

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
    """Return the error for a missing package, with the command that installs it and the other packages of its extra.

    >>> raise not_installed("plotly", "figures")
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: expected the package plotly, found none: pip install 'ir-evalcore[figures]'
    """
    return InputError(f"expected the package {package}, found none: pip install '{DISTRIBUTION}[{extra}]'")


def refuse_no_collection(found: object) -> None:
    """Raise InputError for a value that is not a collection, such as the path of one."""
    if not hasattr(found, "fingerprint"):
        raise no_collection(found)


def no_collection(found: object) -> InputError:
    """Return the error for a value that is not a collection, with the ways to get one.

    >>> raise no_collection("data/clef2015")
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: expected a collection, found str: ec.load opens one, ec.collection makes one
    """
    kind = type(found).__name__
    return InputError(f"expected a collection, found {kind}: ec.load opens one, ec.collection makes one")


def refuse_huge(number: int, where: str = "", line: int | None = None) -> int:
    """Return the number unchanged. Raises InputError for a whole number of more than 63 bits, which arrays cannot hold.

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
    """Return a level of intervals or decisions, or a similar share, unchanged; `what` names it in the error.

    Raises InputError unless it is between 0 and 1, both excluded.

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
    """Return the end of an error message with the most similar known names, at most three; "" if none is similar.

    A name that differs only in case is suggested alone; of names that are equal except for case, the first counts.

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
    """Return the position of a name among the known names.

    Raises InputError for an unknown name; `what` is the kind of name, such as "a system".

    >>> place_of("b", ["a", "b"], "a system")
    1
    """
    if name not in known:
        found = f"{shorten(name)}{did_you_mean(name, known)}"
        raise InputError(f"expected {what} of this collection, found {found}", where)
    return known.index(name)


def either(names: Sequence[str]) -> str:
    """Return the text of a choice between names, with "or" before the last.

    >>> either(["a", "b", "c"])
    'a, b or c'
    """
    return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def readable(name: str | Path) -> str:
    r"""Return a path, or text from one, with invalid UTF-8 bytes escaped, so that any Unicode encoding accepts it.

    >>> readable("caf\udce9.txt")
    'caf\\xe9.txt'
    """
    return _UNDECODED.sub(lambda match: _written_out(ord(match[0])), str(name))


def _written_out(code: int) -> str:
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def counted(count: int, thing: str) -> str:
    """Return a count with its noun in the singular or plural.

    >>> counted(1, "pair"), counted(1_200, "pair")
    ('1 pair', '1,200 pairs')
    """
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


def shorten(text: str | bytes, width: int = 60) -> str:
    """Return a text from a user or a file in quotes, for an error message, cut to `width` characters.

    >>> shorten("a" * 99, 6)
    "'aaaaaa…'"
    """
    if isinstance(text, bytes):
        text = text[: 4 * width].decode("utf-8", errors="replace")
    return repr(text if len(text) <= width else text[:width] + "…")
