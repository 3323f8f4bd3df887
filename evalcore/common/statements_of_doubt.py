"""Statements of confidence: the test, family and level with which a function decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
_STATED: dict[Any, str] = {}


def states(sentence: str) -> Callable[[Function], Function]:
    """Return a decorator that registers a sentence for a function: its test, family and level.

    {name} in the sentence is replaced by the value of this argument.
    """

    def keep(function: Function) -> Function:
        _STATED[function] = sentence
        return function

    return keep


def is_stated(function: object) -> bool:
    """Return whether a function has a statement of confidence."""
    return function in _STATED


def stated(function: object, arguments: Mapping[str, Any]) -> str:
    """Return the statement of a function called with these arguments; "" if n_resamples is 0."""
    level = f"{100 * arguments['level']:g}%" if "level" in arguments else ""
    return _STATED[function].format(**{**arguments, "level": level}) if arguments.get("n_resamples") != 0 else ""
