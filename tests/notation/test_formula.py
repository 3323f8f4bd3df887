from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from evalcore.notation.formula import Formula, name_latex, number

atoms = st.sampled_from(["x", "y", "2", "3.5", "pi", "log2(x)", "arctan(y)"])
expressions = st.recursive(
    atoms,
    lambda inner: (
        st.builds("({}) {} ({})".format, inner, st.sampled_from(["+", "-", "*", "/"]), inner)
        | st.builds("({}) ** {}".format, inner, st.sampled_from(["2", "3"]))
        | st.builds("-({})".format, inner)
    ),
    max_leaves=6,
)
numbers = st.sampled_from([0.5, 1.0, 3.0, -2.0])


def read_latex(latex: str) -> str:
    """Our LaTeX as Python: what a reader takes the printed formula for."""
    while r"\frac" in latex:
        start = latex.rindex(r"\frac")
        top, rest = _braced(latex[start + 5 :])
        bottom, rest = _braced(rest)
        latex = f"{latex[:start]}(({top}) / ({bottom})){rest}"
    words = {r"\left": "", r"\right": "", r"\cdot": "*", r"\pi": "pi", r"\log_2": "log2", r"\arctan": "arctan"}
    for word, python in words.items():
        latex = latex.replace(word, python)
    return re.sub(r"\^{", "**(", latex).replace("}", ")")


def _braced(text: str) -> tuple[str, str]:
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if depth == 0:
            return text[1:at], text[at + 1 :]
    raise AssertionError(text)


@given(expressions, numbers, numbers)
def test_what_is_printed_is_what_is_computed(text, x, y):
    names = {"log2": np.log2, "arctan": np.arctan, "pi": np.pi, "x": np.float64(x), "y": np.float64(y)}
    formula = Formula(text)
    with np.errstate(all="ignore"):
        try:
            computed = formula(x=np.float64(x), y=np.float64(y))
        except (ZeroDivisionError, OverflowError):
            reject()
        for latex in (formula.latex(), formula.latex(x=x, y=y)):
            np.testing.assert_allclose(eval(read_latex(latex), names), computed, rtol=1e-9)


def test_latex(subtests):
    for text, latex in [
        ("rho ** (k - 1)", r"\rho^{k - 1}"),
        ("1 / log2(1 + k)", r"\frac{1}{\log_2\left(1 + k\right)}"),
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("(a * b) ** c", r"\left(a \cdot b\right)^{c}"),
        ("(a + b) * c", r"\left(a + b\right) \cdot c"),
        ("-a + b", "-a + b"),
        ("(-a) ** 2", r"\left(-a\right)^{2}"),
        ("a * -b", r"a \cdot \left(-b\right)"),
        ("x >= at", r"\left[\, x \ge at \,\right]"),
        ("where(x > 0, x, 0)", r"\begin{cases} x & \left[\, x > 0 \,\right] \\ 0 & \text{otherwise} \end{cases}"),
        ("minimum(x, 1)", r"\min\left(x, 1\right)"),
    ]:
        with subtests.test(f"{text}, {latex}"):
            assert Formula(text).latex() == latex


def test_names_become_numbers_or_symbols():
    assert Formula("x - at").latex(x=r"\mathrm{fog}_k", at=-2.0) == r"\mathrm{fog}_k - \left(-2\right)"
    assert Formula("x ** 2")(x=np.array([1, 2])).tolist() == [1, 4]


@pytest.mark.parametrize("text", ["[x]", "x if y else z", "sin(x)", "x % 2", "x and y"])
def test_what_cannot_be_printed_is_refused(text):
    with pytest.raises(TypeError, match="expected"):
        Formula(text).latex()


def test_formulas_reach_no_builtins():
    with pytest.raises(NameError):
        Formula("__import__('os')")()


@pytest.mark.parametrize(("value", "text"), [(15.0, "15"), (0.1 + 0.2, "0.3"), (np.float64(2), "2"), ("th", "th")])
def test_numbers_have_no_trailing_zeros(value, text):
    assert number(value) == text


def test_names_are_upright_and_harmless():
    assert name_latex("a_b$") == r"\mathrm{a\_b\$}"
    assert name_latex(r"\input{x}") == r"\mathrm{\backslash input\{x\}}"
