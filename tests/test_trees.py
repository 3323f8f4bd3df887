"""Trees of expressions, also while another thread makes one."""

from __future__ import annotations

import ast

import pytest

from evalcore.notation.values import expression


def test_a_tree_that_another_thread_disturbed_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    disturbed = iter([SystemError("AST constructor recursion depth mismatch (before=147, after=51)")])
    usual = ast.parse

    def parse(text: str, mode: str) -> ast.AST:
        for error in disturbed:
            raise error
        return usual(text, mode=mode)

    monkeypatch.setattr(ast, "parse", parse)
    assert ast.unparse(expression("RBP(rho=0.5)")) == "RBP(rho=0.5)"


def test_what_is_no_expression_is_refused_at_once() -> None:
    with pytest.raises(SyntaxError):
        expression("a = 1")
