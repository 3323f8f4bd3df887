"""Values: frozen dataclasses whose fields are parameters and whose text is a call that reads back to the same value.

The notation is the one of ir_measures: `nDCG@10`, `RBP(rho=0.8)`, `P(rel=2)@5`; values may hold values:
`CAM(RBP(rho=0.8), weights=[0.5, 0.5])`.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field
from functools import cache
from types import UnionType
from typing import Any, ClassVar, Self, Union, get_args, get_origin, get_type_hints

from evalcore.errors import DataError, shorten

LONGEST_TEXT = 4000


@dataclass(frozen=True)
class Range:
    """What a parameter may be, and how a control offers it. Open ends are excluded."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    step: float | None = None

    def __contains__(self, value: float) -> bool:
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return above and below

    def __str__(self) -> str:
        left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
        return f"{left}{self.low:g}, {self.high:g}{right}"


def parameter(
    default: Any = MISSING,
    help: str = "",
    *,
    within: Range | None = None,
    choices: tuple[str, ...] = (),
    shown: bool = False,
    positional: bool = False,
    alias: str = "",
    symbol: str = "",
) -> Any:
    """Declare a parameter: default, meaning and range or choices, once.

    `shown` parameters appear in the text even at their default; a `positional` one, the first field, is a value that
    stands in the text without its name, `CAM(RBP(rho=0.8))`; `alias` is another name that `parse` takes.
    """
    about = {
        "help": help,
        "range": within,
        "choices": choices,
        "shown": shown,
        "positional": positional,
        "alias": alias,
        "symbol": symbol,
    }
    return field(default=default, metadata=about)


@dataclass(frozen=True)
class Value:
    """A registered, frozen, hashable value. Subclasses are dataclasses; their class name is their name in text."""

    registry: ClassVar[dict[str, type[Value]]] = {}
    aliases: ClassVar[dict[str, str]] = {}  # other names that `parse` takes -> the class name

    def __init_subclass__(cls, abstract: bool = False, also: tuple[str, ...] = ()) -> None:
        if not abstract:
            Value.registry[cls.__name__] = cls
            Value.aliases.update(dict.fromkeys(also, cls.__name__))

    def __post_init__(self) -> None:
        cls: Any = type(self)
        hints = _hints(cls)
        for one in dataclasses.fields(self):
            value = _frozen(getattr(self, one.name))
            hint = hints[one.name]
            if isinstance(value, int) and not isinstance(value, bool) and hint is not Any and _admits(hint, 0.5):
                value = float(value)
            object.__setattr__(self, one.name, value)
            self._check(one, value, hint)

    def _check(self, one: Field[Any], value: Any, hint: Any) -> None:
        where = f"{type(self).__name__}({one.name}=...)"
        allowed: Range | None = one.metadata.get("range")
        choices = one.metadata.get("choices") or (value,)
        if allowed is not None and value is not None:
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, bool) or not isinstance(number, int | float) or number not in allowed:
                    raise DataError(f"expected a number in {allowed}, found {written(number)}", where)
        if not _admits(hint, value):
            raise DataError(f"expected {_named(hint)}, found {shorten(written(value))}", where)
        if value not in choices:
            raise DataError(f"expected one of {', '.join(map(written, choices))}, found {written(value)}", where)

    def __str__(self) -> str:
        shown, cutoff = [], ""
        for one in dataclasses.fields(self):
            value = getattr(self, one.name)
            if one.name == "cutoff":
                cutoff = "" if value is None else f"@{value}"
            elif isinstance(value, Value) and one.metadata.get("positional"):
                shown.append(str(value))
            elif one.metadata.get("shown") or value != one.default:
                pairs = str(one.type).startswith("Mapping")
                shown.append(f"{one.name}={written(value, pairs=pairs)}")
        return type(self).__name__ + (f"({', '.join(shown)})" if shown else "") + cutoff

    def with_(self, **changes: Any) -> Self:
        """The same value with some parameters changed. Raises DataError for an unknown name."""
        known = {one.name for one in dataclasses.fields(self)}
        for name in changes.keys() - known:
            raise DataError(f"expected one of {', '.join(sorted(known))}, found {name!r}", type(self).__name__)
        return dataclasses.replace(self, **changes)

    @classmethod
    def parameters(cls) -> dict[str, Field[Any]]:
        """The declared parameters by name, with `default` and `metadata` (help, range, ...)."""
        return {one.name: one for one in dataclasses.fields(cls)}


def parse_value(text: str, kind: type[Value] = Value) -> Any:
    """Read a value from its text. Raises DataError saying what was expected and found.

    A bare name stands for the value with every parameter at its default.
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise DataError(f"expected a text of at most {LONGEST_TEXT} characters, found {shorten(str(text))}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise DataError(f"expected a call such as RBP(rho=0.8), found {shorten(text)}") from None
    try:
        value = _read(tree)
    except RecursionError:
        raise DataError(f"expected fewer nested calls, found {shorten(text)}") from None
    if not isinstance(value, kind):
        raise DataError(f"expected {_listed(kind)}, found {shorten(text)}")
    return value


def _read(node: ast.expr) -> Any:
    match node:
        case ast.BinOp(left=left, op=ast.MatMult(), right=ast.Constant(value=int() as cutoff)):
            return _with_cutoff(_read(left), cutoff)
        case ast.BinOp(op=ast.MatMult(), right=right):
            raise DataError(f"expected a whole number after @, found {shorten(ast.unparse(right))}")
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            named = [(keyword.arg or "**", _read(keyword.value)) for keyword in keywords]
            return _make(name, [_read(argument) for argument in arguments], named)
        case ast.Name(id=name):
            return _make(name, [], [])
        case ast.Constant(value=value) if isinstance(value, str | int | float | None):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return tuple(_read(item) for item in items)
        case ast.Dict(keys=keys, values=values) if all(keys):
            return tuple((_read(key), _read(value)) for key, value in zip(keys, values, strict=True) if key)
    raise DataError(f"expected a call, a number, a text or a list, found {shorten(ast.unparse(node))}")


def _with_cutoff(value: Any, cutoff: int) -> Value:
    if not isinstance(value, Value) or "cutoff" not in value.parameters():
        raise DataError(f"expected a measure that takes a cut-off before @{cutoff}, found {value}")
    return value.with_(cutoff=cutoff)


def _make(name: str, positional: list[Any], named: list[tuple[str, Any]]) -> Value:
    name = Value.aliases.get(name, name)
    if name not in Value.registry:
        raise DataError(f"expected {_listed(Value)}, found {name!r}")
    cls = Value.registry[name]
    names = list(cls.parameters())
    aliases = {one.metadata.get("alias"): key for key, one in cls.parameters().items()}
    given = dict(zip(names, positional, strict=False))
    for key, value in named:
        key = key if key in names else aliases.get(key, key)
        if key not in names or key in given:
            raise DataError(f"expected {name} with {', '.join(names)}, each at most once, found {key!r}")
        given[key] = value
    if len(positional) > len(names):
        raise DataError(f"expected at most {len(names)} values for {name}, found {len(positional)}")
    try:
        return cls(**given)
    except TypeError as error:
        raise DataError(f"expected {name} with {', '.join(names)}: {error}") from None


def _listed(kind: type[Value]) -> str:
    known = sorted(name for name, cls in Value.registry.items() if issubclass(cls, kind))
    return f"one of {', '.join(known)}"


@cache
def _hints(cls: Any) -> Mapping[str, Any]:
    return get_type_hints(cls)


def _admits(hint: Any, value: Any) -> bool:
    """Whether a field declared as `hint` may hold the value; a float may be given as an int, a bool is no number."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return any(_admits(part, value) for part in parts)
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis:
        return isinstance(value, tuple) and all(_admits(parts[0], one) for one in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        pairs = isinstance(value, tuple) and all(isinstance(one, tuple) and len(one) == 2 for one in value)
        return pairs and all(_admits(parts[0], key) and _admits(parts[1], one) for key, one in value)
    if hint in (int, float):
        return isinstance(value, (int, hint)) and not isinstance(value, bool) and not math.isnan(value)
    return hint is Any or not isinstance(hint, type) or isinstance(value, hint)


def _named(hint: Any) -> str:
    """A type in a reader's words.

    >>> _named(float | None)
    'a number or None'
    """
    words = {
        float: "a number",
        int: "a whole number",
        str: "a text",
        bool: "True or False",
        type(None): "None",
    }
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return " or ".join(map(_named, parts))
    if origin is tuple:
        return "a list"
    if origin is not None:
        return "a table such as {1: 0.5}"
    return words.get(hint, getattr(hint, "__name__", str(hint)))


def _frozen(value: Any) -> Any:
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    if isinstance(value, Mapping):
        return tuple((_frozen(key), _frozen(one)) for key, one in value.items())
    return value


def written(value: Any, pairs: bool = False) -> str:
    """A parameter as the text of a value shows it."""
    if isinstance(value, Value):
        return str(value)
    if isinstance(value, tuple):
        if pairs or (value and all(_is_named(one) for one in value)):
            return "{" + ", ".join(f"{written(key)}: {written(one)}" for key, one in value) + "}"
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float) and math.isinf(value):
        return "1e999" if value > 0 else "-1e999"  # Python has no word for it; this reads back as infinity
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def _is_named(one: Any) -> bool:
    return isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str)
