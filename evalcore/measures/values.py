"""Values: frozen dataclasses whose fields are parameters and whose text is a call that reads back to the same value.

The notation is the one of ir_measures: `nDCG@10`, `RBP(rho=0.8)`, `P(rel=2)@5`; values may hold values:
`CAM(RBP(rho=0.8), weights=[0.5, 0.5])`.
"""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field
from typing import Any, ClassVar, Self

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
    default: Any = MISSING, help: str = "", *, within: Range | None = None, shown: bool = False, alias: str = "", symbol: str = ""
) -> Any:
    """Declare a parameter: default, meaning and range, once.

    `shown` parameters appear in the text even at their default; `alias` is another name that `parse` takes.
    """
    about = {"help": help, "range": within, "shown": shown, "alias": alias, "symbol": symbol}
    return field(default=default, metadata=about)


@dataclass(frozen=True)
class Value:
    """A registered, frozen, hashable value. Subclasses are dataclasses; their class name is their name in text."""

    registry: ClassVar[dict[str, type[Value]]] = {}

    def __init_subclass__(cls, abstract: bool = False) -> None:
        if not abstract:
            Value.registry[cls.__name__] = cls

    def __post_init__(self) -> None:
        for one in dataclasses.fields(self):
            value = _frozen(getattr(self, one.name))
            kind = one.metadata.get("kind", one.type)
            if isinstance(value, int) and not isinstance(value, bool) and str(kind).startswith("float"):
                value = float(value)
            object.__setattr__(self, one.name, value)
            self._check(one, value)

    def _check(self, one: Field[Any], value: Any) -> None:
        allowed: Range | None = one.metadata.get("range")
        if allowed is None or value is None:
            return
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, bool) or not isinstance(number, int | float) or number not in allowed:
                where = f"{type(self).__name__}({one.name}=...)"
                raise DataError(f"expected a number in {allowed}, found {number!r}", where)

    def __str__(self) -> str:
        shown, cutoff = [], ""
        for one in dataclasses.fields(self):
            value = getattr(self, one.name)
            if one.name == "cutoff":
                cutoff = "" if value is None else f"@{value}"
            elif isinstance(value, Value) and one.metadata.get("positional"):
                shown.append(str(value))
            elif one.metadata.get("shown") or value != one.default:
                shown.append(f"{one.name}={_written(value)}")
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
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            named = {keyword.arg: _read(keyword.value) for keyword in keywords if keyword.arg}
            return _make(name, [_read(argument) for argument in arguments], named)
        case ast.Name(id=name):
            return _make(name, [], {})
        case ast.Constant(value=value) if isinstance(value, str | int | float | None):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return tuple(_read(item) for item in items)
        case ast.Dict(keys=keys, values=values) if all(keys):
            return {_read(key): _read(value) for key, value in zip(keys, values, strict=True) if key}
    raise DataError(f"expected a call, a number, a text or a list, found {shorten(ast.unparse(node))}")


def _with_cutoff(value: Any, cutoff: int) -> Value:
    if not isinstance(value, Value) or "cutoff" not in value.parameters():
        raise DataError(f"expected a measure that takes a cut-off before @{cutoff}, found {value}")
    return value.with_(cutoff=cutoff)


def _make(name: str, positional: list[Any], named: Mapping[str, Any]) -> Value:
    if name not in Value.registry:
        raise DataError(f"expected {_listed(Value)}, found {name!r}")
    cls = Value.registry[name]
    names = list(cls.parameters())
    aliases = {one.metadata.get("alias"): key for key, one in cls.parameters().items()}
    given = dict(zip(names, positional, strict=False))
    for key, value in named.items():
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


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, Mapping):
        return tuple((key, _frozen(one)) for key, one in value.items())
    return value


def _written(value: Any) -> str:
    if isinstance(value, Value):
        return str(value)
    if isinstance(value, tuple):
        if value and all(isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str) for one in value):
            return "{" + ", ".join(f"{_written(key)}: {_written(one)}" for key, one in value) + "}"
        return "[" + ", ".join(map(_written, value)) + "]"
    if isinstance(value, str):
        return '"' + repr("'" + value)[2:-1].replace('"', '\\"') + '"'
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)
