"""Formulas as MathML, which a browser sets without a script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape, unescape
from itertools import groupby
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

from evalcore.errors import InputError, shorten

# Lines of equations stand under each other by tables, which the converter knows by other names.
_LINES = {"aligned": "align*", "gathered": "matrix"}
_GAP = re.compile(r"\\\\\s*\[[^\]]*\]")  # a wider space between lines
_IN_A_ROW = ("math", "mrow", "mtd")
_KEPT = ("display", "mathvariant", "stretchy", "columnalign", "accent", "largeop", "movablelimits", "width")


def mathml(latex: str) -> str:
    r"""A formula in LaTeX as one element `math`, which keeps the LaTeX as its alternative text.

    Only the tags and attributes of MathML that formulas need are written, and every text is escaped, whatever names of
    foreign columns are in it. Raises InputError for what is no formula.

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
    except Exception as error:  # the converter's are many, and have no kind in common
        raise InputError(f"expected a formula in LaTeX, found {shorten(latex)} ({type(error).__name__})") from None
    return _written(element, {"alttext": latex})


def _written(element: Element, more: dict[str, str] | None = None) -> str:
    allowed = {name: value for name, value in element.attrib.items() if name in _KEPT} | (more or {})
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in allowed.items())
    parts = _together(element) if element.tag in _IN_A_ROW else map(_written, element)  # others count their parts
    inner = "".join(parts) if len(element) else escape(unescape(element.text or ""))
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"


def _together(elements: Iterable[Element]) -> Iterable[str]:
    """The parts of an element; the upright letters of one word are one name, which is read and copied as one."""
    for upright, parts in groupby(
        elements, key=lambda element: element.tag == "mi" and element.get("mathvariant") == "normal"
    ):
        if upright:
            word = "".join(unescape(part.text or "") for part in parts)
            yield f'<mi mathvariant="normal">{escape(word)}</mi>' if len(word) == 1 else f"<mi>{escape(word)}</mi>"
        else:
            yield from map(_written, parts)
