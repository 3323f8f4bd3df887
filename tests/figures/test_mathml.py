"""Formulas of a report: MathML that any browser sets, of every formula that there is, whatever columns are named."""

from __future__ import annotations

import re
from html import unescape
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import InputError
from evalcore.figures.mathml import mathml
from evalcore.measures import Measure
from evalcore.notation.formula import name_latex
from evalcore.notation.values import Value
from ui.glossary.words import entries

KINDS = [kind for kind in Value.registry.values() if issubclass(kind, Measure)]
FORMULAS = {entry.name: entry.formula for entry in entries().values() if entry.formula}
LINES = (
    r"\begin{aligned}a &= b \\[4pt] c &= \mathbf{3}\end{aligned}",
    r"\begin{gathered}x = y, \\[6pt] y = 1\end{gathered}",
    r"\begin{array}{llll}a & b \\[6pt] c & d\end{array}",
)


def set_in(formula: str) -> str:
    """Text of a formula as a reader sees it."""
    return "".join(fromstring(mathml(formula)).itertext())


def test_every_registered_measure_that_has_a_formula_at_its_defaults_is_among_them() -> None:
    made = {kind.__name__ for kind in KINDS if kind.__name__ in entries() and entries()[kind.__name__].formula}
    assert len(made) > 40
    assert made <= set(FORMULAS)


def test_nothing_is_left_of_its_latex_but_the_alternative_text(subtests: pytest.Subtests) -> None:
    for formula in FORMULAS.values():
        with subtests.test(str(formula)):
            assert not re.search(r"[\\&]", set_in(formula))
            assert unescape(fromstring(mathml(formula)).get("alttext") or "") == formula


@pytest.mark.parametrize("formula", LINES)
def test_lines_stand_under_each_other(formula: str) -> None:
    assert len(fromstring(mathml(formula)).findall(".//mtr")) == 2
    assert not re.search(r"[\\&\[\]]|pt", set_in(formula))


def test_a_name_is_one_word() -> None:
    assert "<mi>relevance</mi>" in mathml(r"\mathrm{relevance}_k")


@given(st.text(st.characters(exclude_categories=["C"])))
def test_names_of_columns_are_text_and_no_markup(name: str) -> None:
    written = mathml(rf"\left[\, {name_latex(name)}_k > 0 \,\right]")
    tags = {one.tag for one in fromstring(written).iter()}
    assert tags <= {"math", "mrow", "msub", "msup", "msubsup", "mi", "mo", "mn", "mspace", "mtext", "mover"}


@pytest.mark.parametrize("latex", ["", r"\frac", r"\begin{aligned}", "{" * 3000])
def test_what_is_no_formula_is_refused(latex: str) -> None:
    with pytest.raises(InputError, match="expected a formula in LaTeX"):
        mathml(latex)
