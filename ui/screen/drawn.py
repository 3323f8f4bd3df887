"""What the calls behind a screen draw at random: by which functions, how much, by which seed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from inspect import signature
from typing import Any

import evalcore
from evalcore.common.threads import expression
from ui.screen.calls import Call, in_turn

AMOUNTS = ("resamples", "permutations", "draws", "points")  # parameters, without the n_ that some begin with


def drawn(calls: Iterable[Call[Any]]) -> dict[str, str]:
    """Of each function that takes a seed, how much it draws and that seed: as given in the call, else its defaults.

    >>> from ui.screen.calls import call
    >>> frame = call("x", "pd.DataFrame({values})", values={"a": [0.5, 0.25], "b": [0.25, 0]})
    >>> drawn([call("doubt", "ec.rank_intervals({x}, seed=7)", x=frame)])
    {'rank_intervals': '(2,000 resamples, seed 7)'}
    """
    amounts = {}
    for made in in_turn(calls):
        own = {part.__name__: part for part in made.parts.values() if callable(part) and hasattr(part, "__name__")}
        for path, given in _called(made.text):
            function = own.get(path) or _public(path)
            if function is not None and "seed" in signature(function).parameters:
                amounts[function.__name__] = f"({_amounts(function, given)})"
    return amounts


@lru_cache(maxsize=512)
def _called(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The functions that an expression calls, with their constant keywords."""
    nodes = [node for node in ast.walk(expression(text)) if isinstance(node, ast.Call)]
    return [(ast.unparse(node.func), _constants(node.keywords)) for node in nodes]


def _constants(keywords: Iterable[ast.keyword]) -> dict[str, Any]:
    return {
        keyword.arg: keyword.value.value
        for keyword in keywords
        if keyword.arg and isinstance(keyword.value, ast.Constant)
    }


def _public(path: str) -> Callable[..., Any] | None:
    """What `ec.name` or `ec.part.name` is; None for methods and what is not evalcore's."""
    home, *names = path.split(".")
    function: Any = reduce(_part, names, evalcore) if home == "ec" else None
    return function if callable(function) else None


def _amounts(function: Callable[..., Any], given: dict[str, Any]) -> str:
    defaults = {name: parameter.default for name, parameter in signature(function).parameters.items()}
    values = {name.removeprefix("n_"): value for name, value in (defaults | given).items()}
    amounts = [f"{values[name]:,} {name}" for name in AMOUNTS if isinstance(values.get(name), int)]
    return ", ".join([*amounts, f"seed {values['seed']}"])


def _part(whole: Any, name: str) -> Any:
    return getattr(whole, name, None)
