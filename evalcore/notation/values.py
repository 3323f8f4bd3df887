"""Values: frozen dataclasses whose fields are parameters and whose text is a call that parses to the same value.

The notation is that of ir_measures: `nDCG@10`, `RBP(rho=0.8)`, `P(rel=2)@5`. Values may contain values:
`CAM(RBP(rho=0.8), weights=[0.5, 0.5])`.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import math
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, field
from functools import cache, lru_cache
from itertools import repeat
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from evalcore.common.constants import LARGEST, SMALLEST
from evalcore.errors import InputError, did_you_mean, either, refuse_huge, shorten

if TYPE_CHECKING:
    from evalcore.structures.documents import Assessments

T = TypeVar("T")
LONGEST_TEXT = 4000
FEW = 12  # an error lists the names of a kind if there are no more
EXAMPLES = "AP, nDCG@10 or RBP(rho=0.8)"
TRIES = 20  # tries to parse while another thread interferes
_ONE_AT_A_TIME = threading.RLock()


Role = Literal["border", "lowest positive", "highest grade", "weight", "rising", "position", "fixed"]
"""Role of a number when it is varied: `border`, the threshold of the good side of its column; `lowest positive`, the
threshold of positive labels; `highest grade` of its column; `weight`, one of several whose ratios count;
`rising`, never below its left neighbour; `position` of a label, also rising; `fixed`, not varied."""


@dataclass(frozen=True)
class Range:
    """Range of a parameter, and the step of its control. Open ends are excluded."""

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
    role: Role | None = None,
) -> Any:
    """Declare a field of a value as a parameter: its default, meaning, and range or choices.

    A `shown` parameter is in the text even at its default. A `positional` parameter, the first field, is a value that
    is written without its name: `CAM(RBP(rho=0.8))`. `alias` is another name that `parse` accepts. `role` defines how
    a number is varied.
    """
    about = {"help": help, "range": within, "choices": choices, "alias": alias, "role": role}
    return field(default=default, metadata=about | {"shown": shown, "positional": positional})


class Known(MutableMapping[str, T]):
    """A mapping from names to objects, which are imported on first use.

    `find(name)` adds the object with this name, if it exists; `find(None)` adds all objects and calls `complete`.
    """

    find: Callable[[str | None], None] | None = None

    def __init__(self) -> None:
        self.found: dict[str, T] = {}

    def complete(self, key: Callable[[T], Any]) -> None:
        """Sort all objects by `key`, and mark the mapping as complete."""
        if self.find:
            self.found = dict(sorted(self.found.items(), key=lambda item: key(item[1])))
            self.find = None

    def _all(self) -> dict[str, T]:
        if self.find:
            self.find(None)
        return self.found

    def __getitem__(self, name: str) -> T:
        if name not in self.found and self.find:
            self.find(name)
        return self.found[name]

    def __setitem__(self, name: str, value: T) -> None:
        self.found[name] = value

    def __delitem__(self, name: str) -> None:
        del self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


@dataclass(frozen=True)
class Value:
    """A registered, frozen, hashable value. Subclasses are dataclasses; their class name is their name in text."""

    registry: ClassVar[Known[type[Value]]] = Known()
    aliases: ClassVar[Known[str]] = Known()  # other names that `parse` accepts -> the class name
    of_every: ClassVar[tuple[str, ...]] = ()  # arguments of `with_`, for every value of the kind, that are not fields

    misplaced: ClassVar[str] = ""  # hint in an error about a misplaced value

    def __init_subclass__(cls, abstract: bool = False, also: tuple[str, ...] = ()) -> None:
        if not abstract:
            Value.registry[cls.__name__] = cls
            _parsed.cache_clear()  # a new class may change the meaning of cached texts
            Value.aliases.update(dict.fromkeys(also, cls.__name__))

    def __post_init__(self) -> None:
        cls: Any = type(self)
        hints = _hints(cls)
        for parameter in dataclasses.fields(self):
            value = getattr(self, parameter.name)
            if type(value) not in _PLAIN:
                value = _frozen(value, f"{cls.__name__}({parameter.name}=...)")
            hint = hints[parameter.name]
            if isinstance(value, int) and not isinstance(value, bool) and hint is not Any and _admits(hint, 0.5):
                value = float(value)
            object.__setattr__(self, parameter.name, value)
            self._check(parameter, value, hint)

    def _check(self, parameter: Field[Any], value: Any, hint: Any) -> None:
        where = f"{type(self).__name__}({parameter.name}=...)"
        allowed: Range | None = parameter.metadata.get("range")
        choices = parameter.metadata.get("choices") or (value,)
        if allowed is not None and value is not None:
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, bool) or not isinstance(number, int | float) or number not in allowed:
                    raise InputError(f"expected a number in {allowed}, found {written(number)}", where)
        for number in _floats(value):
            if abs(number) > LARGEST or 0 < abs(number) < SMALLEST:
                problem = f"expected a number of at most {LARGEST:g} in size, and 0 or at least {SMALLEST:g}"
                raise InputError(f"{problem}, found {written(number)}", where)
        if not _admits(hint, value):
            why = value.misplaced if isinstance(value, Value) else ""
            raise InputError(f"expected {_named(hint)}, found {shorten(written(value))}{why}", where)
        if value not in choices:
            raise InputError(f"expected one of {', '.join(map(written, choices))}, found {written(value)}", where)

    def __str__(self) -> str:
        shown = [f"{name}={written(value, pairs)}" if name else str(value) for name, value, pairs in self.shown()]
        cutoff = vars(self).get("cutoff")
        end = "" if cutoff is None else f"@{cutoff}"
        return type(self).__name__ + (f"({', '.join(shown)})" if shown else "") + end

    def shown(self) -> Iterator[tuple[str, Any, bool]]:
        """Yield the parameters in the brackets of the text: name ("" if unnamed), value, and whether it is a table."""
        for parameter in dataclasses.fields(self):
            name, value = parameter.name, getattr(self, parameter.name)
            if isinstance(value, Value) and parameter.metadata.get("positional"):
                yield "", value, False
            elif name != "cutoff" and (parameter.metadata.get("shown") or value != parameter.default):
                yield name, value, str(parameter.type).startswith("Mapping")

    def with_(self, **changes: Any) -> Self:
        """Return the value with some parameters changed. Raises InputError for an unknown name."""
        known = {field.name for field in dataclasses.fields(self)}
        for name in changes.keys() - known:
            raise _unknown_parameter(type(self), name)
        return dataclasses.replace(self, **changes)

    def takes(self, name: str) -> bool:
        """Return whether `with_` accepts this name."""
        return name in self.parameters() or name in self.of_every

    def written_out(self, pool: Assessments | None = None) -> dict[str, Any]:
        """Return parameters whose numbers the text leaves out, such as equal weights, by name.

        With a pool, this includes numbers that depend on the pool.

        >>> Value.registry["CAM"]().written_out()
        {'weights': (1.0, 1.0)}
        """
        return {}

    @classmethod
    def parameters(cls) -> dict[str, Field[Any]]:
        """Return the declared parameters by name, with `default` and `metadata` (help, range, ...)."""
        own = sorted(dataclasses.fields(cls), key=lambda field: bool(field.kw_only))  # as Python accepts them
        return {field.name: field for field in own}

    def arguments(self) -> dict[str, Any]:
        """Map the name of each parameter to its value."""
        return {name: getattr(self, name) for name in self.parameters()}

    @classmethod
    def hints(cls) -> Mapping[str, Any]:
        """Map the name of each parameter to its declared type."""
        known: Any = cls
        return _hints(known)


def parse_value(text: str, kind: type[Value] = Value) -> Any:
    """Parse a value of this kind from its text. Raises InputError for any other text.

    A name without brackets stands for the value with every parameter at its default.
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise InputError(f"expected text of at most {LONGEST_TEXT} characters, found {shorten(str(text))}")
    known: Any = kind
    return _parsed(text, known)


@lru_cache(maxsize=1024)  # a page parses the text of every measure that it offers in each run
def _parsed(text: str, kind: type[Value]) -> Value:
    try:
        tree = expression(text.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise InputError(f"expected a call such as RBP(rho=0.8), found {shorten(text)}") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            refuse_huge(node.value)  # check it before computing or showing
    try:
        value = _read(tree, kind)
    except RecursionError:
        raise InputError(f"expected fewer nested calls, found {shorten(text)}") from None
    if not isinstance(value, kind):
        found = f", {_article(_kind_name(type(value)))}" if isinstance(value, Value) else ""
        raise InputError(f"expected {_one_of((kind,))}, found {shorten(text)}{found}")
    return value


def _read(node: ast.expr, hint: Any, where: str = "") -> Any:
    """Return the value of a node of the parsed text; `hint` is the expected type, which errors describe."""
    match node:
        case ast.BinOp(left=left, op=ast.MatMult(), right=ast.Constant(value=int() as cutoff)):
            return _with_cutoff(_read(left, hint, where), cutoff)
        case ast.BinOp(op=ast.MatMult(), right=right):
            raise InputError(f"expected a whole number after @, found {shorten(ast.unparse(right))}")
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            return _make(_class(name, hint, where), arguments, keywords)
        case ast.Name(id=name):
            return _make(_class(name, hint, where), [], [])
        case ast.Constant(value=value) if isinstance(value, str | int | float | None):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return tuple(_read(item, hint, where) for item in items)
        case ast.Dict(keys=keys, values=values) if all(keys):
            of_keys, of_values = _of_table(hint)
            pairs = zip(keys, values, strict=True)
            return tuple((_read(key, of_keys, where), _read(value, of_values, where)) for key, value in pairs if key)
    raise InputError(f"expected a call, a number, a string or a list, found {shorten(ast.unparse(node))}")


def _with_cutoff(value: Any, cutoff: int) -> Value:
    if not isinstance(value, Value) or not value.takes("cutoff"):
        raise InputError(f"expected a measure with a cut-off for @{cutoff}, found {value}")
    return value.with_(cutoff=cutoff)


def _class(name: str, hint: Any, where: str) -> type[Value]:
    """Return the class with this name or alias. Raises InputError with similar names of the expected kind."""
    known: type[Value] | None = Value.registry.get(Value.aliases.get(name, name))
    if known is not None:
        return known
    if kinds := kinds_in(hint):
        fitting = _of_kinds(kinds)
        near = did_you_mean(name, [*fitting, *(alias for alias, name in Value.aliases.items() if name in fitting)])
        raise InputError(f"expected {_in_words(kinds) if near else _one_of(kinds)}, found {shorten(name)}{near}", where)
    quoted = f'; a string needs quotes, "{name}"' if str in plain_types(hint) else ""
    raise InputError(f"expected {' or '.join(map(_named, plain_types(hint)))}, found {shorten(name)}{quoted}", where)


def _make(cls: Any, positional: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> Value:
    name, names, hints = cls.__name__, list(cls.parameters()), _hints(cls)
    if len(positional) > len(names):
        raise InputError(f"expected at most {len(names)} values for {name}, found {len(positional)}")
    named = [(_parameter(cls, keyword.arg or "**"), keyword.value) for keyword in keywords]
    arguments: dict[str, Any] = {}
    for key, node in [*zip(names, positional, strict=False), *named]:
        if key in arguments:
            raise InputError(f"expected each parameter of {name} at most once, found {key!r} again")
        arguments[key] = _read(node, hints.get(key, Any), f"{name}({key}=...)")
    beside = {key: arguments.pop(key) for key in cls.of_every if key in arguments}
    try:
        made: Value = cls(**arguments)
    except TypeError as error:
        raise InputError(f"expected {name} with {', '.join(names)}: {error}") from None
    return made.with_(**beside) if beside else made


def _parameter(cls: type[Value], name: str) -> str:
    """Return the name of the parameter with this name or alias. Raises InputError with a list of the parameters."""
    aliases = {
        parameter.metadata["alias"]: key
        for key, parameter in cls.parameters().items()
        if parameter.metadata.get("alias")
    }
    key = aliases.get(name, name)
    if key not in cls.parameters() and key not in cls.of_every:
        raise _unknown_parameter(cls, name, [*aliases, *cls.of_every])
    return key


def _unknown_parameter(cls: type[Value], found: str, aliases: Iterable[str] = ()) -> InputError:
    known = list(cls.parameters())
    expected = f"one of {', '.join(known)}" if known else "no parameter"
    return InputError(f"expected {expected}, found {found!r}{did_you_mean(found, [*known, *aliases])}", cls.__name__)


def _one_of(kinds: Sequence[type[Value]]) -> str:
    """Describe kinds of value in words, with all their members, or with examples if there are many.

    >>> from evalcore.measures.parts.discounts import Discount
    >>> _one_of([Discount])
    'a discount (Flat, FromBase, Geometric, Logarithmic, Reciprocal)'
    """
    members = sorted(_of_kinds(kinds))
    return _in_words(kinds) + (f" ({', '.join(members)})" if len(members) <= FEW else f" such as {EXAMPLES}")


def _in_words(kinds: Sequence[type[Value]]) -> str:
    return either([_article(_kind_name(kind)) for kind in kinds])


def _of_kinds(kinds: Sequence[type[Value]]) -> list[str]:
    return [name for name, cls in Value.registry.items() if issubclass(cls, tuple(kinds))]


def _kind_name(cls: type[Value]) -> str:
    """Return the kind of a class in words: measure, gain, navigation model.

    >>> _kind_name(Value.registry["AP"]), _kind_name(Value.registry["Share"])
    ('measure', 'gain')
    """
    above = [base for base in cls.__mro__ if issubclass(base, Value) and base is not Value]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", (above or [cls])[-1].__name__).lower()


def _article(words: str) -> str:
    return words if words.endswith("s") else f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def values_in(node: Any) -> Iterator[Value]:
    """Yield a value and every value inside it; for a list, do so for each of its items."""
    if isinstance(node, Value):
        yield node
    inside = node.arguments().values() if isinstance(node, Value) else node if isinstance(node, tuple) else ()
    for part in inside:
        yield from values_in(part)


def mapped(node: Any, change: Callable[[Value], Value]) -> Any:
    """Return a value or a list with a change applied to every value inside, the innermost first."""
    if isinstance(node, tuple):
        return tuple(mapped(part, change) for part in node)
    if not isinstance(node, Value):
        return node
    return change(node.with_(**{name: mapped(part, change) for name, part in node.arguments().items()}))


def kinds_in(hint: Any) -> tuple[type[Value], ...]:
    """Return the kinds of value that a declared type allows."""
    return tuple(kind for kind in plain_types(hint) if isinstance(kind, type) and issubclass(kind, Value))


def plain_types(hint: Any) -> list[Any]:
    """Return the types inside a declared type, without unions and containers.

    >>> plain_types(tuple[str, ...] | None)
    [<class 'str'>, <class 'NoneType'>]
    """
    parts = [part for part in get_args(hint) if part is not Ellipsis]
    return list(dict.fromkeys(leaf for part in parts for leaf in plain_types(part))) if parts else [hint]


def _of_table(hint: Any) -> tuple[Any, Any]:
    """Return the declared types of the keys and values of a table."""
    tables = [part for part in (hint, *get_args(hint)) if get_origin(part) is Mapping]
    return get_args(tables[0]) if tables else (Any, Any)


@cache
def _hints(cls: Any) -> Mapping[str, Any]:
    return get_type_hints(cls)


def _admits(hint: Any, value: Any) -> bool:
    """Return whether a field of the type `hint` admits the value; an int may stand for a float, a bool may not."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return any(map(_admits, parts, repeat(value)))
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis:
        return isinstance(value, tuple) and all(map(_admits, repeat(parts[0]), value))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        pairs = isinstance(value, tuple) and all(isinstance(item, tuple) and len(item) == 2 for item in value)
        return pairs and all(_admits(parts[0], key) and _admits(parts[1], item) for key, item in value)
    if hint in (int, float):
        return isinstance(value, (int, hint)) and not isinstance(value, bool) and not math.isnan(value)
    return hint is Any or not isinstance(hint, type) or isinstance(value, hint)


def _floats(value: Any) -> Iterator[float]:
    """Yield the floats in a parameter, also inside lists and tables."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _floats(part)


def _named(hint: Any) -> str:
    """Return the name of a type in words.

    >>> _named(float | None)
    'a number or None'
    """
    words = {float: "a number", int: "a whole number", str: "a string", bool: "True or False", type(None): "None"}
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return " or ".join(map(_named, parts))
    if origin is tuple:
        return "a list"
    if origin is not None:
        return "a table such as {1: 0.5}"
    return words.get(hint, getattr(hint, "__name__", str(hint)))


_PLAIN = (float, str, bool, type(None))


def _frozen(value: Any, where: str) -> Any:
    """Return an immutable value. Raises InputError for an integer too large to compute with."""
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple([item if type(item) in _PLAIN else _frozen(item, where) for item in value])
    if isinstance(value, Mapping):
        return tuple((_frozen(key, where), _frozen(item, where)) for key, item in value.items())
    return refuse_huge(value, where) if isinstance(value, int) else value


def written(value: Any, pairs: bool = False) -> str:
    """Return the text of a parameter within the text of a value; with `pairs`, a tuple is written as a table."""
    if isinstance(value, Value):
        return str(value)
    if isinstance(value, tuple):
        if pairs or (value and all(_is_named(item) for item in value)):
            return "{" + ", ".join(f"{written(key)}: {written(item)}" for key, item in value) + "}"
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def _is_named(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)


def expression(text: str) -> ast.expr:
    """Return a Python expression as a syntax tree. Raises the same errors as `ast.parse`.

    Python 3.11 counts the depth of trees for all threads together, so two threads that parse at once may end in a
    SystemError, "AST constructor recursion depth mismatch" (python/cpython issue 106905); trying again succeeds.

    >>> ast.dump(expression("a + 1"))
    "BinOp(left=Name(id='a', ctx=Load()), op=Add(), right=Constant(value=1))"
    """
    with _ONE_AT_A_TIME:
        for _ in range(TRIES):
            with suppress(SystemError):
                return ast.parse(text, mode="eval").body
        return ast.parse(text, mode="eval").body
