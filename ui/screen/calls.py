"""A call is a value: one line of Python over what `evalcore` offers, run and printed from one text.

What a page shows it computes by calls, the items of its screen carry them, and As Python prints those that are on the
screen. A page may stand another function behind a name, one that keeps results or knows colours (`INSTEAD` of `ec`,
`instead` of a call); it gives what the named one gives.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from operator import attrgetter
from types import CodeType, FunctionType, ModuleType
from typing import Any, Generic, TypeVar

import numpy as np
import pandas as pd

import evalcore
from evalcore.data import Collection
from evalcore.notation.values import Value

T = TypeVar("T")

INSTEAD: dict[str, Callable[..., Any]] = {}
"""What pages call in place of functions of evalcore, by the names that Python prints: "ec.evaluate"."""


@dataclass(frozen=True, eq=False)
class Call(Generic[T]):
    """A line `name = expression`. Without a name it stands within the lines that use it, and else is what a notebook
    shows below them.

    `expression` names its parts in braces: other calls, a collection, which is `c`, measures, which are their texts,
    functions of evalcore that are no `ec.name`, and plain values.

    >>> x, y = call("x", "pd.Series({values})", values=[0.5, 0.25]), call("y", "pd.Series({values})", values=[2, 1])
    >>> tau = call("tau", "ec.tau({x}, {y})", x=x, y=y)
    >>> tau.value
    1.0
    >>> lines([tau])
    ['x = pd.Series([0.5, 0.25])', 'y = pd.Series([2, 1])', 'tau = ec.tau(x, y)']
    >>> call("mean", "{x}.mean()", x=x).holding(0.375).value
    0.375
    """

    name: str
    expression: str
    parts: Mapping[str, Any]
    instead: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    @cached_property
    def uses(self) -> tuple[Call[Any], ...]:
        """The calls among its parts, in the order in which it names them."""
        return tuple(inner for part in self.parts.values() for inner in _calls_in(part))

    @cached_property
    def value(self) -> T:
        """What the line computes, once."""
        return self()

    @property
    def is_known(self) -> bool:
        """Whether its value is there, as of what a page has shown."""
        return "value" in vars(self)

    def __call__(self) -> T:
        """What the line computes, anew: a figure's form depends on who asks."""
        known = {self._names[id(use)]: use.value for use in self.uses}
        collection = next((part for part in self.parts.values() if isinstance(part, Collection)), None)
        functions = [part for part in self.parts.values() if _is_function(part)]
        own = {part.__name__: self.instead.get(part.__name__, part) for part in functions}
        ec = _Public(evalcore, "ec", {**INSTEAD, **self.instead})
        there = {"ec": ec, "np": np, "pd": pd, "c": collection, **own, **known}
        result: T = eval(_compiled(self.text), there)
        return result

    def holding(self, value: T) -> Call[T]:
        """The same line, whose value is there: kept, or of work that may be stopped."""
        vars(self)["value"] = value
        return self

    def now(self) -> Call[T]:
        """The same line, computed: it raises here what it raises."""
        return self.holding(self())

    def telling(self, name: str, tell: Callable[[float], object]) -> Call[T]:
        """The same line, whose outermost function tells how far it is, by its argument of this name.

        >>> def slow(number: int, tell: Callable[[float], object] = print) -> int:
        ...     tell(0.5)
        ...     return number
        >>> call_of("n", slow, "{k}", k=1).telling("tell", lambda share: print(f"{share:.0%}"))()
        50%
        1
        """
        path = self.expression.partition("(")[0].strip("{}")
        function = self.parts.get(path) or attrgetter(path.removeprefix("ec."))(evalcore)
        return replace(self, instead={**self.instead, path: partial(function, **{name: tell})})

    def then(self, name: str, rest: str, /, **parts: Any) -> Call[Any]:
        """A line that goes on from this one: with an attribute, a method, a key, an operator.

        >>> lines([call("x", "pd.Series({values})", values=[1, 2]).then("mean", ".mean()")])
        ['x = pd.Series([1, 2])', 'mean = x.mean()']
        """
        return call(name, f"{{it}}{rest}", it=self, **parts)

    @property
    def imports(self) -> Iterator[tuple[str, str]]:
        """What its line takes from within evalcore: modules and names."""
        for part in self.parts.values():
            if _is_function(part) and not _is_public(part):
                yield _home_of(part), part.__name__

    @cached_property
    def _names(self) -> dict[int, str]:
        """What its text calls the calls that it uses, by their identity."""
        return {id(use): f"_{at}" for at, use in enumerate(self.uses)}

    @cached_property
    def text(self) -> str:
        """Its expression, as it is run."""
        return self.written(self._names)

    @cached_property
    def key(self) -> bytes:
        """By what two calls are one line: a digest of its text, and of those that it uses."""
        text = f"{self.name} = {self.text}"
        return blake2b(text.encode() + b"".join(use.key for use in self.uses), digest_size=16).digest()

    def written(self, names: Mapping[int, str]) -> str:
        """The expression, with these names for the calls that it uses."""
        return self.expression.format(**{name: _python(part, names) for name, part in self.parts.items()})


def call(name: str, expression: str, /, **parts: Any) -> Call[Any]:
    """A call by its name, its expression and its parts."""
    return Call(name, expression, parts)


def call_of(name: str, function: Callable[..., Any], arguments: str, /, **parts: Any) -> Call[Any]:
    """A call of a function of evalcore that is no `ec.name`, with these arguments.

    >>> from evalcore.figures import score_bars
    >>> lines([call_of("", score_bars, "{x}, title='AP'", x=call("x", "pd.Series([1])"))])[2:]
    ['x = pd.Series([1])', "score_bars(x, title='AP')"]
    """
    return Call(name, f"{{{function.__name__}}}({arguments})", {function.__name__: function, **parts})


def value_call(value: Value) -> Call[Any]:
    """A value as its class makes it, where Python needs it whole: for a measure, its text will do.

    >>> from evalcore.measures import Walk
    >>> lines([value_call(Walk(stop=0.5))])
    ['from evalcore.measures import Walk', '', 'Walk(stop=0.5)']
    """
    parameters = value.parameters()
    differs = (name for name, parameter in parameters.items() if getattr(value, name) != parameter.default)
    shown = (name for name, parameter in parameters.items() if parameter.metadata.get("shown"))
    given = {name: getattr(value, name) for name in dict.fromkeys((*shown, *differs))}
    arguments = ", ".join(f"{name}={{{name}}}" for name in given)
    return call("", f"{{its_class}}({arguments})", its_class=type(value), **given).holding(value)


def lines(calls: Iterable[Call[Any]], printed: Iterable[Call[Any]] = ()) -> list[str]:
    """Calls as lines of Python: each once, after those that it uses; what a notebook is to show comes last.

    A name that is taken gets a number. Before what is shown, a script prints the values of those `printed`.

    >>> lines([call("n", "{k}", k=1), call("", "{n} + 1", n=call("n", "{k}", k=2)), call("n", "{k}", k=1)])
    ['n = 1', 'n_2 = 2', 'n_2 + 1']
    >>> lines([call("n", "{k}", k=1)], [call("n", "{k}", k=1)])
    ['n = 1', 'print("n:", n)']
    """
    asked = list(calls)
    names, taken = dict[bytes, str](), set[str]()
    imports, written = dict[str, set[str]](), list[str]()
    for line in in_turn(asked):
        if line.key in names:
            continue
        expression = line.written({id(used): names[used.key] for used in line.uses})
        name = _free(line.name, taken)
        names[line.key] = name or expression
        for module, function in line.imports:
            imports.setdefault(module, set()).add(function)
        if name:
            written.append(f"{name} = {expression}")
    shown = {names[made.key]: isinstance(made.value, pd.Series | pd.DataFrame) for made in printed if made.name}
    ends = {False: "", True: ', sep="\\n"'}  # of a table the head stands above its columns
    prints = [f'print("{name}:", {name}{ends[is_table]})' for name, is_table in shown.items()]
    last = [names[made.key] for made in asked if not made.name]
    head = [f"from {module} import {', '.join(sorted(imports[module]))}" for module in sorted(imports)]
    return [*head, *([""] if head else []), *written, *prints, *last]


def in_turn(calls: Iterable[Call[Any]]) -> Iterator[Call[Any]]:
    """Calls, each after those that it uses."""
    for made in calls:
        yield from in_turn(made.uses)
        yield made


def _free(name: str, taken: set[str]) -> str:
    free, at = name, 1
    while free in taken:
        at += 1
        free = f"{name}_{at}"
    if name:
        taken.add(free)
    return free


def _calls_in(part: Any) -> Iterator[Call[Any]]:
    if isinstance(part, Call):
        yield part
    elif isinstance(part, Mapping):
        for one in part.values():
            yield from _calls_in(one)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _calls_in(one)


def _is_function(part: Any) -> bool:
    return isinstance(part, FunctionType | type)


def _is_public(function: Any) -> bool:
    """Whether it is an `ec.name`."""
    return function.__name__ in evalcore.__all__ and getattr(evalcore, function.__name__) is function


def _home_of(function: Any) -> str:
    """The outermost part of evalcore that has it; measures and figures of subjects are offered with all others."""
    path = function.__module__.split(".")
    homes = ("evalcore.measures", "evalcore.figures", *(".".join(path[:end]) for end in range(2, len(path) + 1)))
    return next(home for home in homes if getattr(sys.modules.get(home), function.__name__, None) is function)


def _python(part: Any, names: Mapping[int, str]) -> str:
    """A part as Python writes it."""
    match part:
        case Call():
            return names[id(part)]
        case Collection():
            return "c"
        case _ if _is_function(part):
            return f"ec.{part.__name__}" if _is_public(part) else str(part.__name__)
        case Value():
            return repr(str(part))
        case np.generic():
            return repr(part.item())
        case pd.DataFrame() | pd.Series() | np.ndarray():
            raise TypeError(f"expected a call that makes it, found a {type(part).__name__}")
        case Mapping():
            return f"{{{', '.join(f'{_python(key, names)}: {_python(value, names)}' for key, value in part.items())}}}"
        case list():
            return f"[{', '.join(_python(item, names) for item in part)}]"
        case tuple():
            return f"({', '.join(_python(item, names) for item in part)}{',' if len(part) == 1 else ''})"
    return repr(part)


@lru_cache(maxsize=512)
def _compiled(expression: str) -> CodeType:
    return compile(expression, "<call>", "eval")


class _Public:
    """A module of evalcore whose functions may be others."""

    def __init__(self, module: ModuleType, path: str, instead: Mapping[str, Callable[..., Any]]) -> None:
        self._module, self._path, self._instead = module, path, instead

    def __getattr__(self, name: str) -> Any:
        path = f"{self._path}.{name}"
        if path in self._instead:
            return self._instead[path]
        value = getattr(self._module, name)
        return _Public(value, path, self._instead) if isinstance(value, ModuleType) else value
