"""Random draws and statistical tests behind a screen: functions, amounts and seeds, and statements about tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from inspect import signature
from typing import Any

from evalcore.common.statements_of_doubt import is_stated, stated
from ui.screen.calls import Call, in_turn

AMOUNTS = ("resamples", "permutations", "draws", "points")  # parameters, without the prefix n_


def drawn(calls: Iterable[Call[Any]]) -> dict[str, str]:
    """Map the name of each seeded function to a text with its number of draws and its seed.

    >>> import evalcore as ec
    >>> import pandas as pd
    >>> from ui.screen.calls import call
    >>> frame = call("x", pd.DataFrame, {"a": [0.5, 0.25], "b": [0.25, 0]})
    >>> drawn([call("doubt", ec.rank_intervals, frame.it, seed=7)])
    {'rank_intervals': '(2,000 resamples, seed 7)'}
    """
    seeded = (made for made in in_turn(calls) if not isinstance(made.function, Call) and _is_seeded(made.function))
    return {made.function.__name__: f"({_amounts(_arguments(made))})" for made in seeded}


def doubt(calls: Iterable[Call[Any]]) -> list[str]:
    """Return one sentence for each test or interval: its method, family of comparisons and level; no sentence twice.

    The sentence contains the arguments of the call.

    >>> import evalcore as ec
    >>> import pandas as pd
    >>> from ui.screen.calls import call
    >>> frame = call("x", pd.DataFrame, {"a": [0.5, 0.25], "b": [0.25, 0]})
    >>> doubt([call("pair", ec.compare_systems, frame.it, "a", "b", level=0.9)])
    ['One pair of systems: paired tests, not corrected for other pairs; 90% t interval']
    """
    made = (call for call in in_turn(calls) if is_stated(call.function))
    return list(dict.fromkeys(filter(None, (stated(call.function, _arguments(call)) for call in made))))


def _arguments(made: Call[Any]) -> dict[str, Any]:
    """Map each parameter of a call's function to its argument or default."""
    bound = signature(made.function).bind_partial(*made.args, **made.kwargs)
    bound.apply_defaults()
    return bound.arguments


@lru_cache(maxsize=512)
def _is_seeded(function: Callable[..., Any]) -> bool:
    """Return True if a function belongs to evalcore and has a parameter `seed`."""
    ours = (getattr(function, "__module__", None) or "").startswith("evalcore")
    return ours and "seed" in signature(function).parameters


def _amounts(arguments: Mapping[str, Any]) -> str:
    values = {name.removeprefix("n_"): value for name, value in arguments.items()}
    amounts = [f"{values[name]:,} {name}" for name in AMOUNTS if isinstance(values.get(name), int)]
    return ", ".join([*amounts, f"seed {values['seed']}"])
