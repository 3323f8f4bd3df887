"""Claims about systems, parsed from text.

    bm25 > tfidf            bm25 is better than tfidf
    a > b > c               an order: each system is better than the next
    bm25 in top 3           bm25 is among the first three
    bm25 first              bm25 is the best of all

Put a name with spaces, `>` or quotes in double quotes, as in JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evalcore.errors import InputError, place_of, refuse_huge, shorten

FORMS = "A > B, A > B > C, A in top 3 or A first"
_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|>|[^\s>"]+)\s*')
_BARE = re.compile(r'[^\s>"]+')


@dataclass(frozen=True)
class Claim:
    """An order of systems, best first; or, with `top`, one system that is among the first `top`.

    Raises InputError for an order of fewer than two systems or with a repeated system, and for a `top` below 1.

    >>> str(Claim(("bm25", "my run")))
    'bm25 > "my run"'
    """

    systems: tuple[str, ...]
    top: int | None = None

    def __post_init__(self) -> None:
        if self.top is not None:
            if len(self.systems) != 1 or self.top < 1:
                raise InputError(f"expected 1 system and a `top` above 0, found {len(self.systems)} and {self.top}")
        elif len(self.systems) < 2 or len(set(self.systems)) < len(self.systems):
            raise InputError(f"expected at least two different systems, found {', '.join(self.systems) or 'none'}")

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The adjacent pairs of an order; none if one system is compared with all others."""
        return tuple(pairwise(self.systems))

    def __str__(self) -> str:
        if self.top is None:
            return " > ".join(map(_quoted, self.systems))
        return f"{_quoted(self.systems[0])} " + ("first" if self.top == 1 else f"in top {self.top}")

    @property
    def words(self) -> str:
        """The claim in words, for the beginning of a sentence.

        >>> parse_claim("a > b > c").words, parse_claim("a in top 3").words
        ('a beats b and b beats c', 'a is among the first 3')
        """
        if self.top is None:
            beaten = [f"{better} beats {worse}" for better, worse in self.pairs]
            return " and ".join(filter(None, [", ".join(beaten[:-1]), beaten[-1]]))
        return f"{self.systems[0]} is " + ("first" if self.top == 1 else f"among the first {self.top}")

    @property
    def failing(self) -> str:
        """The verb for a failed claim: "is reversed" for a single pair, "breaks" for a longer order, else "fails".

        >>> [parse_claim(text).failing for text in ("a > b", "a > b > c", "a first")]
        ['is reversed', 'breaks', 'fails']
        """
        if self.top is not None:
            return "fails"
        return "is reversed" if len(self.systems) == 2 else "breaks"

    @property
    def decided(self) -> dict[str, str]:
        """A dict from each decision ("holds", "undecided", "fails") to its verb."""
        return {"holds": "holds", "undecided": "is undecided", "fails": self.failing}

    def pair_text(self, at: int) -> str:
        """Return the text of one pair as a claim.

        >>> parse_claim("a > b > c").pair_text(1)
        'b > c'
        """
        return str(Claim(self.pairs[at]))

    def check(self, known: Sequence[str]) -> None:
        """Raise InputError for an unknown system, or for a claim "in top k" that every system meets."""
        for name in self.systems:
            place_of(name, known, "systems", str(self))
        if self.top is not None and self.top >= len(known):
            raise InputError(
                f'expected "in top N" with N below {len(known)}, the number of systems, found {self.top}', str(self)
            )


def parse_claim(text: str) -> Claim:
    """Parse a claim. Raises InputError with the expected forms and the text found.

    >>> parse_claim("bm25 > tfidf")
    Claim(systems=('bm25', 'tfidf'), top=None)
    >>> parse_claim('"my run" in top 3')
    Claim(systems=('my run',), top=3)
    """
    tokens = list(_tokens(text))
    match tokens[1:]:
        case ["first"]:
            return Claim((_name(tokens[0], text),), 1)
        case ["in", "top", number] if re.fullmatch(r"[0-9]{1,30}", number):
            return Claim((_name(tokens[0], text),), refuse_huge(int(number), text))
    if len(tokens) < 3 or len(tokens) % 2 == 0 or set(tokens[1::2]) != {">"}:
        raise _unread(text)
    return Claim(tuple(_name(token, text) for token in tokens[::2]))


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        if not (match := _TOKEN.match(text, at)):
            raise _unread(text)
        yield match[1]
        at = match.end()


def _name(token: str, text: str) -> str:
    if token == ">":
        raise _unread(text)
    if not token.startswith('"'):
        return token
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        raise _unread(text) from None


def _quoted(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _unread(text: str) -> InputError:
    return InputError(f"expected a claim such as {FORMS} (other names in double quotes), found {shorten(text)}")
