"""What the calls behind a screen draw at random: by which functions, how much, by which seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from inspect import Signature, signature
from typing import Any

from ui.screen.calls import Call, in_turn

AMOUNTS = ("resamples", "permutations", "draws", "points")  # parameters, without the n_ that some begin with


def drawn(calls: Iterable[Call[Any]]) -> dict[str, str]:
    """Of each function that takes a seed, how much it draws and that seed: as given in the call, else its defaults.

    >>> import evalcore as ec
    >>> import pandas as pd
    >>> from ui.screen.calls import call
    >>> frame = call("x", pd.DataFrame, {"a": [0.5, 0.25], "b": [0.25, 0]})
    >>> drawn([call("doubt", ec.rank_intervals, frame.it, seed=7)])
    {'rank_intervals': '(2,000 resamples, seed 7)'}
    """
    seeded = ((made, _seeded(made.function)) for made in in_turn(calls) if not isinstance(made.function, Call))
    return {made.function.__name__: f"({_amounts(made, takes)})" for made, takes in seeded if takes}


@lru_cache(maxsize=512)
def _seeded(function: Callable[..., Any]) -> Signature | None:
    """What a function takes, if a seed is part of it."""
    if not (getattr(function, "__module__", None) or "").startswith("evalcore"):
        return None
    takes = signature(function)
    return takes if "seed" in takes.parameters else None


def _amounts(made: Call[Any], takes: Signature) -> str:
    bound = takes.bind_partial(*made.args, **made.kwargs)
    bound.apply_defaults()
    values = {name.removeprefix("n_"): value for name, value in bound.arguments.items()}
    amounts = [f"{values[name]:,} {name}" for name in AMOUNTS if isinstance(values.get(name), int)]
    return ", ".join([*amounts, f"seed {values['seed']}"])
