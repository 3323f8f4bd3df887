"""Formulas as MathML, which a browser displays without a script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape, unescape
from itertools import groupby
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

from evalcore.errors import InputError, shorten

# Environments of aligned lines, and the names by which the converter knows them.
_LINES = {"aligned": "align*", "gathered": "matrix"}
_GAP = re.compile(r"\\\\\s*\[[^\]]*\]")  # a wider space between lines
_IN_A_ROW = ("math", "mrow", "mtd")
_KEPT = ("display", "mathvariant", "stretchy", "columnalign", "accent", "largeop", "movablelimits", "width")


def mathml(latex: str) -> str:
    r"""Return a formula in LaTeX as one MathML element `math`, with the LaTeX as its alternative text.

    Only the attributes of MathML that formulas need are written, and every text is escaped, as it may contain names of
    columns from foreign files. Raises InputError for a text that is not a formula.

    >>> mathml("x < 1")
    '<math display="block" alttext="x &lt; 1"><mrow><mi>x</mi><mo>&lt;</mo><mn>1</mn></mrow></math>'
    >>> "<mi>rel</mi>" in mathml(r"\mathrm{rel}_k")
    True
    """
    text = _GAP.sub(r"\\\\", latex)
    for name, known in _LINES.items():
        text = re.sub(rf"\\(begin|end){{{name}}}", lambda match, known=known: rf"\{match[1]}{{{known}}}", text)  # type: ignore[misc]
    try:
        element = convert_to_element(text, display="block")
    except Exception as error:  # the converter raises many kinds without a common base class
        raise InputError(f"expected a formula in LaTeX, found {shorten(latex)} ({type(error).__name__})") from None
    return _written(element, {"alttext": latex})


def _written(element: Element, more: dict[str, str] | None = None) -> str:
    allowed = {name: value for name, value in element.attrib.items() if name in _KEPT} | (more or {})
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in allowed.items())
    parts = _together(element) if element.tag in _IN_A_ROW else map(_written, element)  # others need every part
    inner = "".join(parts) if len(element) else escape(unescape(element.text or ""))
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"


def _together(elements: Iterable[Element]) -> Iterable[str]:
    """Yield the MathML of elements; the upright letters of a word are joined into one name, for reading and copying."""
    for upright, parts in groupby(
        elements, key=lambda element: element.tag == "mi" and element.get("mathvariant") == "normal"
    ):
        if upright:
            word = "".join(unescape(part.text or "") for part in parts)
            yield f'<mi mathvariant="normal">{escape(word)}</mi>' if len(word) == 1 else f"<mi>{escape(word)}</mi>"
        else:
            yield from map(_written, parts)
