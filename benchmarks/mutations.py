"""Small changes to a source file that a test should notice: `a < b` to `a <= b`, a constant off by one, a lost guard.

A mutation replaces one stretch of the text; all else stays as it is, comments and layout too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import pairwise
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">")),
    ast.LtE: ("<=", ("<", ">=")),
    ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "<=")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
OPPOSITES = (
    ("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("nanmin", "nanmax"), ("any", "all"),
    ("floor", "ceil"), ("sum", "max"), ("cumsum", "cumprod"), ("sorted", "list"), ("zeros", "ones"),
)  # fmt: skip
SWAPS = dict([*OPPOSITES, *(pair[::-1] for pair in OPPOSITES if pair[0] not in ("sum", "sorted"))])


@dataclass(frozen=True)
class Mutation:
    """One stretch of a source, in bytes, and what takes its place."""

    kind: str
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """The source with this change."""
        raw = source.encode()
        return (raw[: self.start] + self.text.encode() + raw[self.end :]).decode()

    def is_python(self, source: str) -> bool:
        """Whether the changed source can still be read."""
        try:
            ast.parse(self.applied(source))
        except SyntaxError:
            return False
        return True

    def diff(self, source: str, name: str) -> str:
        """The change as a patch."""
        before, after = (text.splitlines(keepends=True) for text in (source, self.applied(source)))
        return "".join(unified_diff(before, after, name, name, n=2))


def mutations(source: str) -> list[Mutation]:
    """All changes to a source, in the order of its text; few are no Python (see `Mutation.is_python`).

    >>> [one.applied("x = a < b") for one in mutations("x = a < b")]
    ['x = a <= b', 'x = a > b']
    """
    return sorted(set(_Finder(source).found()), key=lambda one: (one.start, one.end, one.kind, one.text))


class _Finder:
    def __init__(self, source: str) -> None:
        self.tree, self.raw = ast.parse(source), source.encode()
        lengths = [len(line) for line in self.raw.splitlines(keepends=True)]
        self.lines = [sum(lengths[:at]) for at in range(len(lengths) + 1)]

    def found(self) -> Iterator[Mutation]:
        for node in _code(self.tree):
            for ways in (self._operators, self._values, self._calls, self._statements):
                yield from ways(node)

    def _operators(self, node: ast.AST) -> Iterator[Mutation]:
        match node:
            case ast.Compare(ops=[op], left=left, comparators=[right]):
                old, others = COMPARISONS[type(op)]
                for new in others:
                    yield from self._between(left, right, old, new, "comparison")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                old, new = ARITHMETIC[type(op)]
                yield from self._between(left, right, re.escape(old), new, "arithmetic")
            case ast.BoolOp(op=op, values=values):
                old, new = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                for left, right in pairwise(values):
                    yield from self._between(left, right, old, new, "and or")
            case ast.UnaryOp(operand=operand):
                yield self._replaced(node, self._text(operand), "sign or not")

    def _values(self, node: ast.AST) -> Iterator[Mutation]:
        match node:
            case ast.Constant(value=bool(value)):
                yield self._replaced(node, str(not value), "True or False")
            case ast.Constant(value=int(value)):
                for new in (value + 1, value - 1) if value else (1,):
                    yield self._replaced(node, str(new), "constant")
            case ast.Constant(value=float(value)):
                yield self._replaced(node, repr(2 * value or 1.0), "constant")
            case ast.Slice(lower=lower, upper=upper):
                for bound in filter(None, (lower, upper)):
                    yield self._replaced(bound, "", "slice")
            case ast.keyword(arg="axis", value=value):
                yield self._replaced(value, "1" if self._text(value) == "0" else "0", "axis")

    def _calls(self, node: ast.AST) -> Iterator[Mutation]:
        match node:
            case ast.Name(id=name) if name in SWAPS:
                yield self._replaced(node, SWAPS[name], "function")
            case ast.Attribute(attr=name, value=value) if name in SWAPS:
                yield self._replaced(node, f"{self._text(value)}.{SWAPS[name]}", "function")

    def _statements(self, node: ast.AST) -> Iterator[Mutation]:
        match node:
            case ast.Return(value=ast.expr() as value) if self._text(value) != "None":
                yield self._replaced(node, "return None", "return")
            case ast.If(test=test, orelse=rest) if self._text(test) != "TYPE_CHECKING":
                yield self._replaced(test, f"not ({self._text(test)})", "condition")
                if not rest:
                    yield self._replaced(node, "pass", "statement")
            case ast.IfExp(test=test) | ast.comprehension(ifs=[test]):
                yield self._replaced(test, f"not ({self._text(test)})", "condition")
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
                yield self._replaced(node, "pass", "statement")

    def _between(self, left: ast.expr, right: ast.expr, old: str, new: str, kind: str) -> Iterator[Mutation]:
        """The operator between two operands; brackets and comments may stand there too."""
        start, end = self._end(left), self._start(right)
        token = re.search(rf"(?<![<>=!*/\w]){old}(?![<>=*/\w])", self.raw[start:end].decode())
        if token:
            yield Mutation(kind, left.lineno, start + token.start(), start + token.end(), new)

    def _replaced(self, node: ast.AST, text: str, kind: str) -> Mutation:
        return Mutation(kind, getattr(node, "lineno", 0), self._start(node), self._end(node), text)

    def _text(self, node: ast.AST) -> str:
        return self.raw[self._start(node) : self._end(node)].decode()

    def _start(self, node: Any) -> int:
        return self.lines[node.lineno - 1] + int(node.col_offset)

    def _end(self, node: Any) -> int:
        return self.lines[node.end_lineno - 1] + int(node.end_col_offset)


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """What is run: no annotations, decorators or docstrings, nothing under TYPE_CHECKING, no text with {}."""
    yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_left_out(node, name, child):
                yield from _code(child)


def _is_left_out(parent: ast.AST, field: str, child: ast.AST) -> bool:
    typing_only = isinstance(parent, ast.If) and ast.unparse(parent.test) == "TYPE_CHECKING" and field != "orelse"
    return typing_only or isinstance(child, ast.JoinedStr) or field in ("annotation", "returns", "decorator_list")
