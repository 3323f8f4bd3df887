"""Paths to the numbers inside a measure: `rho`, `weights[1]`, `base.rho`, `exponents["fog"]`.

A dot leads into a value, a number in brackets to an entry of a list, a quoted name in brackets to an entry of a table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, Union, get_args, get_origin

from evalcore.errors import InputError, shorten
from evalcore.measures.base import JudgedBy, Measure, as_measure
from evalcore.notation.values import Value

Step = str | int | float
_STEP = re.compile(r'\.([A-Za-z_]\w*)|\[(-?\d+(?:\.\d+)?)\]|\[("(?:[^"\\]|\\.)*")\]')


@dataclass(frozen=True)
class Leaf:
    """One number of a measure: its path as text, the nodes on the path, each with the next step, and its value."""

    path: str
    way: tuple[tuple[Any, Step], ...]
    value: float | None

    @property
    def owner(self) -> tuple[Value, str]:
        """The innermost `Value` on the path, and the name of the field through which the path goes on."""
        node, step = next((node, step) for node, step in reversed(self.way) if isinstance(node, Value))
        return node, str(step)


def with_path(measure: Measure | str, path: str, value: float) -> Measure:
    """Return the measure with one number changed. Raises InputError for an unknown path or a number out of range.

    If the measure does not list its weights (all equal) or exponents (all 1), they are written out first.

    >>> str(with_path("CAM(RBP(rho=0.8))", "base.rho", 0.5))
    'CAM(RBP(rho=0.5))'
    >>> with_path("CAM(nDCG)", "weights[0]", 3).weights
    (3.0, 1.0)
    """
    return with_paths(measure, {path: value})


def with_paths(measure: Measure | str, values: Mapping[str, float]) -> Measure:
    """Return the measure with several numbers changed at once. Raises InputError as `with_path` does.

    >>> str(with_paths("CAM(nDCG)", {"weights[0]": 3, "base.cutoff": 5}))
    'CAM(nDCG@5, weights=[3, 1])'
    """
    measure = as_measure(measure, None)
    changed: Measure = _changed(
        measure, [_Change(path, _steps(path), value) for path, value in values.items()], measure
    )
    return changed


def leaves(measure: Measure) -> Iterator[Leaf]:
    """Yield every number of a measure, in the order of its fields.

    >>> [leaf.path for leaf in leaves(as_measure("MM(RBP(rho=0.8), weights=[1, 2])", None))]
    ['base.rho', 'base.rel', 'base.cutoff', 'weights[0]', 'weights[1]']
    """
    yield from _leaves(measure, "", ())


def _leaves(node: Any, path: str, way: tuple[tuple[Any, Step], ...]) -> Iterator[Leaf]:
    node = _bare(node)
    for step, child in _children(node).items():
        here, there = path + _text(step, node, bool(path)), (*way, (node, step))
        if isinstance(child, Value | dict | tuple):
            yield from _leaves(child, here, there)
        elif _is_number(node, step, child):
            yield Leaf(here, there, child)


def _bare(node: Any) -> Any:
    """Return the node without its source of labels, which is not a step of a path."""
    return node.measure if isinstance(node, JudgedBy) else node


def _children(node: Any) -> dict[Any, Any]:
    """Map each step from a value, a table or a list to the node that it leads to."""
    if isinstance(node, Value):
        filled, hints = {**node.arguments(), **node.written_out()}, node.hints()
        return {name: _table(value) if _is_table(hints[name]) else value for name, value in filled.items()}
    return dict(enumerate(node)) if isinstance(node, tuple) else node


def _table(value: Any) -> dict[Any, Any]:
    """Return a mapping parameter as a dict; empty if the value is a name such as "equal ranges"."""
    return {} if isinstance(value, str) else dict(value or ())


@dataclass(frozen=True)
class _Change:
    """A new number, and the remaining steps of its path."""

    path: str
    steps: tuple[Step, ...]
    value: float


def _changed(node: Any, changes: Sequence[_Change], measure: Measure) -> Any:
    """Return a copy of a value, table or list with the changes; each part inside is rebuilt only once.

    Raises InputError for an unknown path.
    """
    if isinstance(node, JudgedBy):
        return node.with_(measure=_changed(node.measure, changes, measure))
    children, below = _children(node), dict[Step, list[_Change]]()
    for change in changes:
        if change.steps[0] not in children:
            raise _unknown(measure, change.path)
        below.setdefault(change.steps[0], []).append(change)
    changed = {step: _changed_child(node, step, children[step], listed, measure) for step, listed in below.items()}
    if isinstance(node, Value):
        return node.with_(**{str(step): child for step, child in changed.items()})
    replaced = {**children, **changed}
    return tuple(replaced.values()) if isinstance(node, tuple) else replaced


def _changed_child(node: Any, step: Step, child: Any, changes: Sequence[_Change], measure: Measure) -> Any:
    last = changes[-1]
    if isinstance(child, Value | dict | tuple) and all(len(change.steps) > 1 for change in changes):
        return _changed(child, [_Change(change.path, change.steps[1:], change.value) for change in changes], measure)
    if len(last.steps) > 1 or not _is_number(node, step, child):
        raise _unknown(measure, last.path)
    return int(last.value) if _is_whole(node, step) and float(last.value).is_integer() else float(last.value)


def _unknown(measure: Measure, path: str) -> InputError:
    known = ", ".join(leaf.path for leaf in leaves(measure)) or "none"
    return InputError(f"expected a numeric parameter ({known}), found {shorten(path)}", str(measure))


@lru_cache(maxsize=4096)  # sweeps repeat the same arguments
def _steps(path: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    text, at = f".{path}", 0
    while match := _STEP.match(text, at):
        name, number, quoted = match.groups()
        try:
            steps.append(name or json.loads(number or quoted))
        except ValueError:  # 01, or an escape unknown to JSON
            break
        at = match.end()
    if at < len(text):
        raise InputError(f"expected a path such as rho, weights[0] or base.rho, found {shorten(path)}")
    return tuple(steps)


def _text(step: Step, node: Any, inside: bool) -> str:
    if isinstance(node, Value):
        return f".{step}" if inside else str(step)
    return f"[{json.dumps(step, ensure_ascii=False)}]" if isinstance(step, str) else f"[{step:g}]"


def _is_table(hint: Any) -> bool:
    return any(get_origin(option) is Mapping for option in _options(hint))


def _options(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the hint alone if it is not a union."""
    return get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)


def _is_number(node: Any, step: Step, child: Any) -> bool:
    if isinstance(node, Value):
        hints = _options(node.hints()[str(step)])
        return (float in hints or int in hints) and (child is None or _real(child))
    return _real(child)


def _is_whole(node: Any, step: Step) -> bool:
    if not isinstance(node, Value):
        return False
    hints = _options(node.hints()[str(step)])
    return int in hints and float not in hints


def _real(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
