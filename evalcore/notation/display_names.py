"""Names for people: `RBP(rho=0.8)`, the text to copy and parse, becomes "RBP, ρ = .8" on an axis or in a sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from evalcore.notation.values import Value, parse_value, written


def reading_name(value: Value | str) -> str:
    """Return the readable name of a value: without brackets or leading zeros, and with Greek letters.

    The name has the parameters of the text in the same order; values inside a value keep brackets. Names cannot be
    parsed. A text that is not a value, or has no parameters, is returned unchanged.

    >>> from evalcore.measures import CAM, RBP, nDCG
    >>> reading_name(RBP(rho=0.8)), reading_name("nDCG@10"), reading_name("uRBP(rho=0.5, threshold=2)")
    ('RBP, ρ = .8', 'nDCG@10', 'uRBP, ρ = .5, threshold = 2')
    >>> reading_name(CAM(RBP(rho=0.8))), reading_name("RBP"), reading_name("my system")
    ('CAM (RBP, ρ = .8)', 'RBP', 'my system')
    >>> reading_name('Score("BLEU")')  # computed elsewhere, under a name of its own
    'BLEU'
    """
    if isinstance(value, str):
        try:
            return reading_name(parse_value(value)) if "(" in value else value
        except ValueError:
            return value
    own = getattr(value, "known_as", "")
    name, shown = own or type(value).__name__, list(_shown(value, own))
    cutoff = getattr(value, "cutoff", None)
    inner = "".join(f" ({text})" for name, text in shown if not name)
    named = "".join(f", {_letter(name)} = {text}" for name, text in shown if name)
    return f"{name}{'' if cutoff is None else f'@{cutoff}'}{inner}{named}"


def reading_path(path: str) -> str:
    """Return the path of a parameter as people read it, with Greek letters and "of".

    >>> reading_path("rho"), reading_path("base.rho"), reading_path('importance["relevance"]')
    ('ρ', 'base.ρ', 'importance of relevance')
    """
    return re.sub(r'\["([^"]*)"\]', r" of \1", ".".join(map(_letter, path.split("."))))


def _shown(value: Value, own: str) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of the parameters in a value's text, except a text equal to `own`; name is "" if unnamed."""
    for name, given, pairs in value.shown():
        text = _text(given, pairs) if name else reading_name(given)
        if not own or text != own:
            yield name, text


def _text(given: Any, pairs: bool) -> str:
    if isinstance(given, Value):
        name = reading_name(given)
        return f"({name})" if "," in name else name
    if isinstance(given, str):
        return given
    if isinstance(given, tuple) and not pairs and all(isinstance(value, str | Value) for value in given):
        return " and ".join(_text(item, False) for item in given)
    text = written(given, pairs=pairs)
    return text.replace("0.", ".", 1) if isinstance(given, float) and abs(given) < 1 and "e" not in text else text


def _letter(name: str) -> str:
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {name}")
    except KeyError:
        return name
