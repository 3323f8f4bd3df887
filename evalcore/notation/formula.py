"""Formulas that are computed and typeset from the same text.

The app shows the formula that is computed, so the two cannot differ.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from evalcore.common.cached import cached_property
from evalcore.notation.values import expression

_MATH: Mapping[str, Any] = {"arctan": np.arctan, "log2": np.log2, "where": np.where, "minimum": np.minimum, "pi": np.pi}
_SYMBOLS = {"pi": r"\pi", "rho": r"\rho"}
_COMPARISONS = {ast.GtE: r"\ge", ast.Gt: ">", ast.LtE: r"\le", ast.Lt: "<", ast.Eq: "="}


@dataclass(frozen=True)
class Formula:
    """A formula in Python's notation, for numbers and numpy arrays.

    >>> discount = Formula("rho ** (k - 1)")
    >>> discount(rho=0.5, k=np.array([1, 2, 3]))
    array([1.  , 0.5 , 0.25])
    >>> discount.latex(rho=0.5)
    '0.5^{k - 1}'
    """

    text: str

    def __call__(self, **values: Any) -> Any:
        """Return the value of the formula, given a number or an array for every name."""
        return eval(self._code, {"__builtins__": {}}, {**_MATH, **values})

    def latex(self, **values: Any) -> str:
        """Return the formula as LaTeX, with names replaced by the given numbers or LaTeX (str)."""
        shown = {name: value if isinstance(value, str) else number(value) for name, value in values.items()}
        return _latex(expression(self.text), shown)

    @cached_property
    def _code(self) -> CodeType:
        return compile(self.text, "<formula>", "eval")


def number(value: Any) -> str:
    """Return a number as text, without trailing zeros.

    >>> number(15.0), number(0.8)
    ('15', '0.8')
    """
    return f"{value:.10g}" if isinstance(value, int | float | np.number) else str(value)


def name_latex(name: str) -> str:
    r"""Return a column's name as upright LaTeX text, escaped.

    >>> name_latex("flesch_kincaid")
    '\\mathrm{flesch\\_kincaid}'
    """
    special = {"\\": r"\backslash ", "^": r"\hat{}", "~": r"\tilde{}", " ": r"\ "}
    escaped = "".join([special.get(letter, "\\" + letter if letter in "#$%&_{}" else letter) for letter in name])
    return rf"\mathrm{{{escaped}}}"


def _latex(node: ast.expr, shown: Mapping[str, str]) -> str:
    match node:
        case ast.Constant(value=value):
            return number(value)
        case ast.Name(id=name):
            return shown.get(name, _SYMBOLS.get(name, name))
        case ast.BinOp(left=left, op=operator, right=right):
            return _binary(left, operator, right, shown)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return "-" + _tight(operand, shown)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return rf"\left[\, {_latex(left, shown)} {_COMPARISONS[type(operator)]} {_latex(right, shown)} \,\right]"
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, [_latex(argument, shown) for argument in arguments])
    raise TypeError(f"expected an arithmetic expression, found {ast.dump(node)}")


def _binary(left: ast.expr, operator: ast.operator, right: ast.expr, shown: Mapping[str, str]) -> str:
    match operator:
        case ast.Add():
            return f"{_latex(left, shown)} + {_signed(_latex(right, shown))}"
        case ast.Sub():
            minus = _latex(right, shown)
            return f"{_latex(left, shown)} - {_parenthesised(minus) if _is_sum(right) else _signed(minus)}"
        case ast.Mult():
            return rf"{_tight(left, shown)} \cdot {_tight(right, shown)}"
        case ast.Div():
            return rf"\frac{{{_latex(left, shown)}}}{{{_latex(right, shown)}}}"
        case ast.Pow():
            return f"{_tight(left, shown, power=True)}^{{{_latex(right, shown)}}}"
    raise TypeError(f"expected + - * / or **, found {operator}")


def _tight(node: ast.expr, shown: Mapping[str, str], power: bool = False) -> str:
    """Return an operand as LaTeX, in parentheses if it is a sum, has a sign or, in a power, is any operation."""
    text = _latex(node, shown)
    loose = _is_sum(node) or text.startswith("-") or (power and isinstance(node, ast.BinOp))
    return _parenthesised(text) if loose else text


def _is_sum(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)


def _signed(text: str) -> str:
    """Return LaTeX for use after + or -: the text, in parentheses if it begins with a sign."""
    return _parenthesised(text) if text.startswith("-") else text


def _parenthesised(text: str) -> str:
    return rf"\left({text}\right)"


def _call(name: str, arguments: list[str]) -> str:
    match name, arguments:
        case "log2", [x]:
            return rf"\log_2{_parenthesised(x)}"
        case "arctan", [x]:
            return rf"\arctan{_parenthesised(x)}"
        case "where", [condition, yes, no]:
            return rf"\begin{{cases}} {yes} & {condition} \\ {no} & \text{{otherwise}} \end{{cases}}"
        case "minimum", _:
            return rf"\min{_parenthesised(', '.join(arguments))}"
    raise TypeError(f"expected a known function, found {name}")
