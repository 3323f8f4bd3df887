"""Texts in exercises: numbers as people type them, and the placeholder of the answer."""

from __future__ import annotations

ANSWER = "{answer}"  # in an explanation


def number_in(text: str) -> float | None:
    """Return the number in a text with a decimal point or comma, or a percentage; None if the text is not a number.

    >>> number_in("0,25"), number_in(" 25 % "), number_in("1.000,5"), number_in("a lot")
    (0.25, 0.25, None, None)
    """
    plain = text.strip().replace(",", ".").replace("−", "-")
    try:
        return float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        return None
