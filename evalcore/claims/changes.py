"""Application of a choice's option to a measure: parameters at any depth, weights of aspects, sources of labels."""

from __future__ import annotations

from typing import Any

from evalcore.claims.choices import Choice, OptionValue
from evalcore.errors import InputError
from evalcore.measures.base import JudgedBy, Measure, unwrapped
from evalcore.measures.paths import leaves, with_path
from evalcore.measures.unassessed import can_be_worth
from evalcore.notation.values import Value, kinds_in, parse_value, plain_types


def has(measure: Measure, choice: Choice) -> bool:
    """Return whether a choice applies to a measure.

    A parameter applies if the measure has it, aspect weights if the measure weights aspects, and a source if the
    measure names no source of its own; all other kinds apply to every measure.
    """
    measure, source = unwrapped(measure)
    if choice.kind == "source":
        return not source  # a measure that names its own source keeps it
    if choice.kind == "aspect weights":
        return measure.with_aspect_weights({}) is not None
    if choice.kind != "parameter":
        return True
    if is_path(choice.parameter):
        return choice.parameter in {leaf.path for leaf in leaves(measure)}
    return _has_field(measure, choice.parameter)


def takes(measure: Measure, choice: Choice, option: int) -> bool:
    """Return whether a measure accepts this option of a choice that applies to the measure."""
    try:
        changed(measure, choice, option)
    except InputError:
        return False
    return choice.kind != "unassessed" or can_be_worth(measure, choice.options[option].value)


def changed(measure: Measure, choice: Choice, option: int) -> Measure:
    """Return the measure with this option (an index) of a choice. Raises InputError if the measure rejects it."""
    value = choice.options[option].value
    if choice.kind == "source":
        return measure.with_(source=value)
    if isinstance(measure, JudgedBy):
        return measure.with_(measure=changed(measure.measure, choice, option))
    if choice.kind == "aspect weights":
        return measure.with_aspect_weights(dict(value)) or measure
    if choice.kind != "parameter":
        return measure
    if is_path(choice.parameter):
        if not isinstance(value, float):
            raise InputError("expected a number", choice.parameter)
        return with_path(measure, choice.parameter, value)
    new: Measure = _with_field(measure, choice.parameter, value)
    return new


def is_path(parameter: str) -> bool:
    """Return whether the text is a path to one number, such as `weights[0]`, rather than a parameter's name."""
    return not parameter.isidentifier()


def _parts(node: Any, name: str) -> dict[str, Any]:
    """Return the fields of a node with their values, without fields in which a parameter `name` has no effect."""
    unread = dict(node.unread) if isinstance(node, Measure) else {}
    if name == "aspect" and "aspects" in node.parameters():  # the base reads each of its aspects in turn
        return {}
    return {own: value for own, value in node.arguments().items() if name not in unread.get(own, ())}


def _has_field(node: Any, name: str) -> bool:
    if isinstance(node, tuple):
        return any(_has_field(value, name) for value in node)
    if not isinstance(node, Value):
        return False
    return name in node.parameters() or any(_has_field(child, name) for child in _parts(node, name).values())


def _with_field(node: Any, name: str, value: OptionValue) -> Any:
    """Return the node with `value` in its field `name`; if it has none, in the nearest such fields inside it."""
    if isinstance(node, tuple):
        return tuple(_with_field(item, name, value) for item in node)
    if not isinstance(node, Value):
        return node
    if name in node.parameters():
        return node.with_(**{name: _as_field(node, name, value)})
    inside = {own: child for own, child in _parts(node, name).items() if _has_field(child, name)}
    return node.with_(**{own: _with_field(child, name, value) for own, child in inside.items()})


def _as_field(node: Value, name: str, value: OptionValue) -> Any:
    """Convert an option to the type of a field.

    Text becomes the value that it denotes; a whole number becomes an int if the field does not allow floats.
    """
    hint = node.hints()[name]
    if isinstance(value, str) and (kinds := kinds_in(hint)):
        return parse_value(value, kinds[0])
    if isinstance(value, float) and value.is_integer() and float not in plain_types(hint):
        return int(value)
    return value
