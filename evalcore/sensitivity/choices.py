"""Choices in a measure: its distance, its base, the positions of its labels, the weights of its classes.

A choice is varied like a number: it is a `Parameter` whose values are indices of its options; the option in the given
measure has index 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evalcore.errors import InputError, shorten
from evalcore.measures.base import JudgedBy, Measure, as_measure, unwrapped
from evalcore.measures.dcg import nDCG
from evalcore.measures.err import ERR
from evalcore.measures.paths import leaves, with_paths
from evalcore.measures.precision import AP
from evalcore.measures.rbp import RBP
from evalcore.measures.toma import EQUAL_RANGES, EQUAL_STEPS, TOMA
from evalcore.notation.values import Value, kinds_in, parse_value
from evalcore.sensitivity.parameters import Parameter

BASES = (nDCG(), AP(), RBP(), ERR())
"""Alternatives to a base: the most common measures of one aspect."""


def choices_of(measure: Measure | str) -> list[Parameter]:
    """Return every choice in a measure, in the order of the fields, if the choice has at least two options.

    Options are the registered parts of the same kind that need no list or table, with their defaults; for a base, the
    measures BASES; for an embedding, the two that have names. Raises InputError for text that is not a measure.

    >>> [(one.path, [one.name(at) for at in one.levels][:2]) for one in choices_of("CAM(RBP(rho=0.8))")]
    [('base', ['RBP(rho=0.8)', 'nDCG'])]
    >>> [one.path for one in choices_of("TOMA(nDCG)")]
    ['base', 'base.dcg', 'distance', 'embedding', 'weights']
    """
    inside, _ = unwrapped(as_measure(measure, None))
    return [
        Parameter(path, 0.0, 0.0, len(options) - 1.0, tuple(map(float, range(len(options)))), help, options)
        for path, options, help in _choices(inside, "")
        if len(options) > 1
    ]


def with_settings(measure: Measure, settings: Mapping[str, Any]) -> Measure:
    """Return the measure with changed choices and numbers; numbers that do not exist in a new option are ignored.

    Raises InputError for a path that the measure does not have.

    >>> str(with_settings(as_measure("CAM(RBP(rho=0.8))", None), {"base": AP(), "base.rho": 0.5, "weights[0]": 2}))
    'CAM(AP, weights=[2, 1])'
    """
    chosen = {path: value for path, value in settings.items() if not isinstance(value, int | float)}
    numbers = {path: value for path, value in settings.items() if path not in chosen}
    if not chosen:
        return with_paths(measure, numbers)
    changed = measure
    for path, option in chosen.items():
        changed = with_option(changed, path, option)
    known = {leaf.path for leaf in leaves(changed)}
    unknown = numbers.keys() - known - {leaf.path for leaf in leaves(measure)}
    return with_paths(changed, {path: value for path, value in numbers.items() if path in known or path in unknown})


def with_option(measure: Measure | str, path: str, option: Value | str) -> Measure:
    """Return the measure with one choice changed. Raises InputError for an invalid path or option.

    >>> str(with_option("TOMA(nDCG)", "distance", "Manhattan"))
    'TOMA(nDCG, distance=Manhattan)'
    """
    measure = as_measure(measure, None)
    if isinstance(measure, JudgedBy):
        return measure.with_(measure=with_option(measure.measure, path, option))
    changed: Measure = _with_option(measure, path.split("."), option, path)
    return changed


def option_at(parameter: Parameter, text: str) -> float:
    """Return the index of an option, given as text. Raises InputError for an unknown option."""
    for place, option in enumerate(parameter.options):
        if text == parameter.name(place) or (isinstance(option, Value) and text == type(option).__name__):
            return float(place)
    known = ", ".join(map(parameter.name, parameter.levels))
    raise InputError(f"expected one of {known}, found {shorten(text)}", parameter.path)


def _with_option(node: Value, steps: Sequence[str], option: Value | str, path: str) -> Any:
    name, *below = steps
    if name not in node.parameters():
        raise InputError(f"expected a choice of the measure, found {shorten(path)}", str(node))
    child = getattr(node, name)
    if below:
        if not isinstance(child, Value):
            raise InputError(f"expected a choice of the measure, found {shorten(path)}", str(node))
        return node.with_(**{name: _with_option(child, below, option, path)})
    kinds = kinds_in(node.hints()[name])
    return node.with_(**{name: parse_value(option, kinds[0]) if isinstance(option, str) and kinds else option})


def _choices(node: Value, before: str) -> Iterator[tuple[str, tuple[Any, ...], str]]:
    for name, about in node.parameters().items():
        child, path = getattr(node, name), f"{before}{name}"
        help = str(about.metadata.get("help", ""))
        if isinstance(node, TOMA) and name == "embedding":
            yield path, _own_first(child, (EQUAL_RANGES, EQUAL_STEPS)), help
        elif texts := about.metadata.get("choices"):
            yield path, _own_first(child, texts), help
        elif isinstance(child, Value) and (kinds := kinds_in(node.hints()[name])):
            yield path, _own_first(child, _options(kinds[0])), help
            yield from _choices(child, f"{path}.")


def _own_first(own: Any, others: Sequence[Any]) -> tuple[Any, ...]:
    """Return the measure's own option, then the other options: parts of other classes, or other texts."""
    if isinstance(own, Value):
        return (own, *(other for other in others if type(other) is not type(own)))
    return (own, *(other for other in others if other != own))


def _options(kind: type[Value]) -> tuple[Value, ...]:
    if issubclass(kind, Measure):
        return tuple(base for base in BASES if isinstance(base, kind))
    classes = [cls for cls in Value.registry.values() if issubclass(cls, kind) and not _needs_a_list(cls)]
    return tuple(cls() for cls in classes)


def _needs_a_list(cls: type[Value]) -> bool:
    """Return whether a class has a parameter that is a list or a table; no default list would fit every collection."""
    return any(isinstance(parameter.default, tuple) for parameter in cls.parameters().values())
