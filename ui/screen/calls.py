"""A call is a value: one line of Python with functions of `evalcore`; the app both runs and prints this line.

A page computes its content with calls, and the items of its screen contain them; the box As Python prints the calls on
the screen. A call refers to the function itself. `x.it` is a stand-in for the value of another call: mypy treats it as
the value, and everything done with it (methods, attributes, items, operators) is recorded. A page may run a line with a
different function, such as one that caches results or reports progress (`by`, `here`); its result must equal that of
the printed function.
"""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from inspect import signature
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np
import pandas as pd

import evalcore
from evalcore import subjects
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.notation.values import Value

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
OfValue = TypeVar("OfValue", bound=Value)

_NOTHING: tuple[()] = ()
_PARTS = {module: part for part, module in subjects.added("modules").items()}  # modules of subjects, such as ec.pools
_BEFORE, _WHOLE = 7, 9  # precedence of a prefix operator, and of an expression that needs no brackets
_SIGNS: dict[Callable[..., Any], tuple[str, int]] = {
    **{operator.eq: ("==", 1), operator.ne: ("!=", 1), operator.lt: ("<", 1), operator.le: ("<=", 1)},
    **{operator.gt: (">", 1), operator.ge: (">=", 1), operator.or_: ("|", 2), operator.and_: ("&", 4)},
    **{operator.add: ("+", 5), operator.sub: ("-", 5), operator.mul: ("*", 6), operator.truediv: ("/", 6)},
    **{operator.neg: ("-", _BEFORE), operator.invert: ("~", _BEFORE), operator.pow: ("**", 8)},
}


@dataclass(frozen=True, eq=False)
class Call(Generic[T]):
    """A line `name = function(arguments)`.

    Without a name it is written inside the lines that use it, or as the last line of a notebook.

    Arguments are plain values, the stand-ins `it` of other calls, a collection (written `c`), measures (written as
    text), and lists, tuples and dicts of these.

    >>> x, y = call("x", pd.Series, [0.5, 0.25]), call("y", pd.Series, [2, 1])
    >>> tau = call("tau", evalcore.tau, x.it, y.it)
    >>> tau.value
    1.0
    >>> lines([tau])
    ['x = pd.Series([0.5, 0.25])', 'y = pd.Series([2, 1])', 'tau = ec.tau(x, y)']
    """

    name: str
    function: Callable[..., T]
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    run: Callable[..., T | None] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def it(self) -> T:
        """Return a stand-in for the value, to be used in other lines.

        Operations on it are recorded, until `line` names the result.

        >>> x = call("x", pd.Series, [1, 2])
        >>> lines([line("share", (x.it > 1).mean()), line("", 1 - x.it["a":"b"].max())])
        ['x = pd.Series([1, 2])', 'share = (x > 1).mean()', "1 - x['a':'b'].max()"]
        """
        return cast(T, Recorded(self))  # the only place where mypy assumes the value and gets a stand-in

    @cached_property
    def uses(self) -> tuple[Call[Any], ...]:
        """The calls in the line's function and arguments, in the order in which they appear in the line."""
        return tuple(leaf for leaf in _leaves((self.function, self.args, self.kwargs)) if isinstance(leaf, Call))

    @cached_property
    def value(self) -> T:
        """The value of the line, computed once."""
        return self()

    @property
    def is_known(self) -> bool:
        """True if the value is known already, for instance because a page has shown it."""
        return "value" in vars(self)

    def __call__(self) -> T:
        """Compute and return the value again, for instance if the form of a figure depends on the caller."""
        function = self.run or self.function
        arguments = {name: _value_of(part) for name, part in self.kwargs.items()}
        run: Callable[..., Any] = function.value if isinstance(function, Call) else function
        result: T = run(*map(_value_of, self.args), **{**arguments, **self.options})
        return result

    def known(self, value: T) -> Call[T]:
        """Set the value, which comes from a cache or from work that can be stopped; return the line itself.

        >>> call("x", pd.Series, [1, 2]).known(pd.Series([1, 2])).is_known
        True
        """
        vars(self)["value"] = value
        return self

    def by(self, run: Callable[..., T | None]) -> Call[T]:
        """Return the same line, run by a different function with the same result, for instance one that caches results.

        The function `run` returns None if it has no result, for instance because work was stopped.

        >>> lines([call("tau", evalcore.tau, [1, 2], [1, 2]).by(lambda x, y: 1.0)])
        ['tau = ec.tau([1, 2], [1, 2])']
        """
        return replace(self, run=run)

    def here(self, **options: Any) -> Call[T]:
        """Return the same line, run with additional options that are not printed, such as a selection.

        >>> call("", sorted, [1, 2]).here(reverse=True)()
        [2, 1]
        """
        return replace(self, options={**self.options, **options})

    @cached_property
    def key(self) -> bytes:
        """A digest of the text of the line and of the lines that it uses. Equal lines have equal keys."""
        text = f"{self.name} = {self.written(lambda used: used.key.hex())}"
        return blake2b(text.encode(), digest_size=16).digest()

    def written(self, name_of: Callable[[Call[Any]], str]) -> str:
        """Return the line's expression as Python source.

        `name_of` returns the names of the calls that the line uses; calls without a name are written in full.
        """
        return _expression(self, name_of)[0]


class Recorded:
    """Stand-in for the value of a call, or for a function: each operation on it makes an unnamed call."""

    __slots__ = ("_made",)
    __iter__ = __contains__ = __hash__ = None  # type: ignore[assignment]  # these need the actual value

    def __init__(self, made: Any) -> None:
        object.__setattr__(self, "_made", made)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python checks if it is an array, can be copied, ...
            raise AttributeError(name)
        return Call("", getattr, (self._made, name)).it

    def __getitem__(self, key: Any) -> Any:
        return Call("", operator.getitem, (self._made, key)).it

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return Call("", self._made, args, kwargs).it

    def __bool__(self) -> bool:
        raise TypeError("expected the value itself, such as `made.value`; `made.it` is only a placeholder")


def _recording(function: Callable[..., Any], turned: bool = False) -> Callable[..., Any]:
    def method(*operands: Recorded) -> Any:
        return Call("", function, operands[::-1] if turned else operands).it

    return method


for _function, (_, _binds) in _SIGNS.items():
    _method = _function.__name__.strip("_")
    setattr(Recorded, f"__{_method}__", _recording(_function))
    if _binds not in (1, _BEFORE):
        setattr(Recorded, f"__r{_method}__", _recording(_function, turned=True))


def call(name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Call[T]:
    """Make a call from its name, its function and its arguments."""
    return Call(name, function, args, kwargs)


def record(part: T) -> T:
    """Return a stand-in for a function or collection that records its uses, for expressions of several steps.

    >>> lines([line("best", record(pd.Series)([1, 2]).max())])
    ['best = pd.Series([1, 2]).max()']
    """
    return cast(T, Recorded(part))


def line(name: str, value: T, /) -> Call[T]:
    """Make a call from its name and its expression: recorded operations, a plain value, or a list or dict of these.

    >>> n = line("n", 2)
    >>> line("both", {"n": n.it, "more": n.it + 1}).value
    {'n': 2, 'more': 3}
    """
    made = object.__getattribute__(value, "_made") if isinstance(value, Recorded) else None
    return replace(made, name=name) if isinstance(made, Call) and not made.name else Call(name, _same, (value,))


def mapped(values: Mapping[K, T], make: Callable[[T], V]) -> dict[K, V]:
    """Record a dict comprehension that applies `make` to each value; `make` gets a stand-in for the value.

    Return a stand-in for the dict.

    >>> x = line("x", {"a": 1, "b": 3})
    >>> y = line("y", mapped(x.it, lambda one: one + 1))
    >>> lines([y]), y.value
    (["x = {'a': 1, 'b': 3}", 'y = {name: one + 1 for name, one in x.items()}'], {'a': 2, 'b': 4})
    """
    return cast(dict[K, V], Call("", _mapped, (values, _Body.of(make))).it)


def keyed(keys: Iterable[K], make: Callable[[K], V]) -> dict[K, V]:
    """Record a dict comprehension with the value `make(key)` for each key; return a stand-in, as `mapped` does.

    >>> x = line("x", {"a": 1, "b": 3})
    >>> lines([line("twice", keyed(x.it, lambda name: 2 * x.it[name]))])
    ["x = {'a': 1, 'b': 3}", 'twice = {name: 2 * x[name] for name in x}']
    """
    return cast(dict[K, V], Call("", _keyed, (keys, _Body.of(make))).it)


def each(values: Iterable[T], make: Callable[[T], V]) -> list[V]:
    """Record a list comprehension with `make(value)` for each value; return a stand-in, as `mapped` does.

    >>> lines([line("roots", each([1, 4], lambda n: record(np.sqrt)(n)))])
    ['roots = [np.sqrt(n) for n in [1, 4]]']
    """
    return cast(list[V], Call("", _each, (values, _Body.of(make))).it)


def value_call(value: OfValue) -> Call[OfValue]:
    """Return the call that makes a value from its class, for code that needs the object itself.

    Elsewhere, the text of a measure is enough.

    >>> from evalcore.measures import Walk
    >>> lines([value_call(Walk(stop=0.5))])
    ['ec.measures.Walk(stop=0.5)']
    """
    parameters = value.parameters()
    differs = (name for name, parameter in parameters.items() if getattr(value, name) != parameter.default)
    shown = (name for name, parameter in parameters.items() if parameter.metadata.get("shown"))
    given = {name: getattr(value, name) for name in dict.fromkeys((*shown, *differs))}
    return Call("", type(value), (), given).known(value)


def lines(calls: Iterable[Call[Any]], printed: Iterable[Call[Any]] = ()) -> list[str]:
    """Return calls as lines of Python, each once, after the calls that it uses; unnamed calls come last.

    A name that is already taken gets a number. The values of the calls in `printed` are printed before the last lines.

    >>> lines([line("n", 1), line("", line("n", 2).it + 1), line("n", 1)])
    ['n = 1', 'n_2 = 2', 'n_2 + 1']
    >>> lines([line("n", 1)], [line("n", 1)])
    ['n = 1', 'print("n:", n)']
    """
    asked = list(calls)
    names, taken = dict[bytes, str](), set[str]()
    imports, written = dict[str, set[str]](), list[str]()
    name_of: Callable[[Call[Any]], str] = lambda made: names[made.key]  # noqa: E731
    for made in in_turn(asked):
        for home, name in _imports(made):
            imports.setdefault(home, set()).add(name)
        if made.name and made.key not in names:
            names[made.key] = _free(made.name, taken)
            written.append(f"{names[made.key]} = {made.written(name_of)}")
    shown = {names[made.key]: isinstance(made.value, pd.Series | pd.DataFrame) for made in printed if made.name}
    ends = {False: "", True: ', sep="\\n"'}  # a table starts on a new line, so that its header is above its columns
    prints = [f'print("{name}:", {name}{ends[is_table]})' for name, is_table in shown.items()]
    last = [made.written(name_of) for made in asked if not made.name]
    head = [f"from {home} import {', '.join(sorted(imports[home]))}" for home in sorted(imports)]
    return [*head, *([""] if head else []), *written, *prints, *dict.fromkeys(last)]


class _Variable(Call[Any]):
    """The variable of a recorded comprehension, which takes each of the values in turn."""


@dataclass(frozen=True, eq=False)
class _Body:
    """The expression of a recorded comprehension, written with its variable."""

    variable: _Variable
    made: Any
    make: Callable[[Any], Any]

    @classmethod
    def of(cls, make: Callable[[Any], Any]) -> _Body:
        variable = _Variable(next(iter(signature(make).parameters)), _same)
        return cls(variable, make(variable.it), make)

    def __call__(self, value: Any) -> Any:
        return _value_of(self.make(line("", value).known(value).it))


def _mapped(values: Mapping[Any, Any], make: Callable[[Any], Any]) -> dict[Any, Any]:
    return {name: make(value) for name, value in values.items()}


def _keyed(keys: Iterable[Any], make: Callable[[Any], Any]) -> dict[Any, Any]:
    return {key: make(key) for key in keys}


def _each(values: Iterable[Any], make: Callable[[Any], Any]) -> list[Any]:
    return [make(value) for value in values]


_EACH: dict[Callable[..., Any], str] = {
    _mapped: "{{name: {written} for name, {name} in {values}.items()}}",
    _keyed: "{{{name}: {written} for {name} in {values}}}",
    _each: "[{written} for {name} in {values}]",
}


def in_turn(calls: Iterable[Call[Any]], seen: set[int] | None = None) -> Iterator[Call[Any]]:
    """Yield calls and the calls that they use, each once; a call comes after those that it uses."""
    seen = set() if seen is None else seen
    for made in calls:
        if id(made) not in seen and not isinstance(made, _Variable):
            seen.add(id(made))
            yield from in_turn(made.uses, seen)
            yield made


def _same(value: T) -> T:
    return value


def _free(name: str, taken: set[str]) -> str:
    free, at = name, 1
    while free in taken:
        at += 1
        free = f"{name}_{at}"
    taken.add(free)
    return free


def _call_of(part: Any) -> Call[Any] | None:
    """Return `part` if it is a call; if it is a stand-in, the call behind it; None for anything else."""
    made = part._made if isinstance(part, Recorded) else part
    return made if isinstance(made, Call) else None


def _leaves(part: Any) -> Iterator[Any]:
    """Yield the innermost parts of an argument: calls, functions and plain values."""
    match part:
        case Recorded():
            inside: Iterable[Any] = (part._made,)
        case _Body():
            inside = (part.made,)
        case Mapping():
            inside = part.values()
        case list() | tuple():
            inside = part
        case slice():
            inside = (part.start, part.stop, part.step)
        case _:
            yield part
            return
    for one in inside:
        yield from _leaves(one)


def _imports(made: Call[Any]) -> Iterator[tuple[str, str]]:
    """Yield (module, name) for each name that a line must import from a module of evalcore."""
    written = made.function not in (*_SIGNS, *_EACH, getattr, operator.getitem, _same)
    for leaf in _leaves((made.function if written else None, made.args, made.kwargs)):
        if callable(leaf) and not isinstance(leaf, Call | Value):
            home, name = _address(leaf)
            if home:
                yield home, name.partition(".")[0]


@lru_cache(maxsize=1024)
def _address(function: Any) -> tuple[str, str]:
    """Return the module from which to import a function ("": no import needed), and the function's name in the line."""
    name = function.__name__
    for module, short in ((builtins, name), (np, f"np.{name}"), (pd, f"pd.{name}")):
        if getattr(module, name, None) is function:
            return "", short
    if isinstance(owner := getattr(function, "__self__", None), type):
        home, path = _address(owner)
        return home, f"{path}.{name}"
    path = function.__module__.split(".")
    around = [".".join(path[:end]) for end in range(2, len(path) + 1)]
    # Measures and figures of subjects are imported from the same modules as all others.
    homes = ["evalcore", "evalcore.measures", "evalcore.figures", *around]
    home = next(home for home in homes if getattr(sys.modules.get(home), name, None) is function or home == homes[-1])
    if home == "evalcore":
        return "", f"ec.{name}"
    parts = {**{f"evalcore.{part}": part for part in dir(evalcore)}, **_PARTS}
    return ("", f"ec.{parts[home]}.{name}") if home in parts else (home, name)


def _value_of(part: Any) -> Any:
    """Return an argument with each call replaced by its value.

    Value objects of evalcore, such as measures, are replaced by their text, as in the printed line.
    """
    match part:
        case str() | int() | float() | None:
            return part
        case Recorded():
            return _value_of(part._made)
        case Call():
            return part.value
        case _Body():
            return part
        case Value():
            return str(part)
        case np.generic():
            return part.item()
        case Mapping():
            return {_value_of(key): _value_of(value) for key, value in part.items()}
        case list():
            return [_value_of(one) for one in part]
        case tuple():
            return tuple(_value_of(one) for one in part)
        case slice():
            return slice(*map(_value_of, (part.start, part.stop, part.step)))
    return part


Names = Callable[[Call[Any]], str]


def _expression(made: Call[Any], name_of: Names) -> tuple[str, int]:
    """Return the expression of a line, and the precedence of its outermost operator."""
    function, args = made.function, made.args
    if function is _same:
        return _written(args[0], name_of)
    if function is getattr:
        return f"{_within(args[0], name_of, _WHOLE)}.{args[1]}", _WHOLE
    if function is operator.getitem:
        return f"{_within(args[0], name_of, _WHOLE)}[{_key(args[1], name_of)}]", _WHOLE
    if function in _SIGNS:
        sign, binds = _SIGNS[function]
        if binds == _BEFORE:
            return f"{sign}{_within(args[0], name_of, binds)}", binds
        chains, turned = binds == 1, sign == "**"  # a < b < c is not (a < b) < c, and 2**3**2 is 2**9
        before, after = binds + (chains or turned), _BEFORE if turned else binds + 1
        return f"{_within(args[0], name_of, before)} {sign} {_within(args[1], name_of, after)}", binds
    if function in _EACH:
        values, body = _within(args[0], name_of, _WHOLE), args[1]
        name, written = body.variable.name, _python(body.made, name_of)
        return _EACH[function].format(name=name, written=written, values=values), _WHOLE
    positional = [_python(part, name_of) for part in args]
    given = ((name, part) for name, part in made.kwargs.items() if not _is_usual(function, name, part))
    named = [f"{name}={_python(part, name_of)}" for name, part in given]
    return f"{_within(function, name_of, _WHOLE)}({', '.join([*positional, *named])})", _WHOLE


def _is_usual(function: Any, name: str, part: Any) -> bool:
    """Return True if a line may omit an argument, because it equals a default that is None or an empty tuple."""
    says_nothing = part is None or part is _NOTHING
    return says_nothing and not isinstance(function, Call) and _defaults(function).get(name, ...) is part


@lru_cache(maxsize=1024)
def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return {name: one.default for name, one in signature(function).parameters.items()}
    except ValueError:  # some functions of numpy have no signature
        return {}


def _written(part: Any, name_of: Names) -> tuple[str, int]:
    """Return an argument as Python source, and the precedence of its outermost operator."""
    made = _call_of(part)
    if isinstance(made, _Variable):
        return made.name, _WHOLE
    if made is not None:
        return (name_of(made), _WHOLE) if made.name else _expression(made, name_of)
    text = _python(part, name_of)
    return text, _BEFORE if text.startswith("-") else _WHOLE


def _within(part: Any, name_of: Names, binds: int) -> str:
    """Return an argument as Python source, in brackets if its precedence is below `binds`."""
    text, own = _written(part, name_of)
    return text if own >= binds else f"({text})"


def _key(key: Any, name_of: Names) -> str:
    """Return an index as Python source, without the square brackets."""
    match key:
        case slice():
            ends = ["" if end is None else _python(end, name_of) for end in (key.start, key.stop)]
            return ":".join([*ends, *([] if key.step is None else [_python(key.step, name_of)])])
        case tuple() if key:
            return ", ".join(_key(one, name_of) for one in key) + ("," if len(key) == 1 else "")
    return _python(key, name_of)


def _python(part: Any, name_of: Names) -> str:
    """Return an argument as Python source."""
    match part:
        case Recorded():
            return _python(part._made, name_of)
        case Call():
            return _written(part, name_of)[0]
        case Collection():
            return "c"
        case Value():
            return repr(str(part))
        case np.generic():
            return repr(part.item())
        case pd.DataFrame() | pd.Series() | np.ndarray():
            raise TypeError(f"expected the call that makes the table or array, found the {type(part).__name__} itself")
        case Mapping():
            items = (f"{_python(key, name_of)}: {_python(value, name_of)}" for key, value in part.items())
            return f"{{{', '.join(items)}}}"
        case list():
            return f"[{', '.join(_python(item, name_of) for item in part)}]"
        case tuple():
            return f"({', '.join(_python(item, name_of) for item in part)}{',' if len(part) == 1 else ''})"
        case float() if not np.isfinite(part):
            return f"np.{part}".replace("np.-", "-np.")
        case _ if callable(part):
            return _address(part)[1]
    return repr(part)
