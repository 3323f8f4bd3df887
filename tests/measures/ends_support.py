"""Every measure with a number at an end of its range, or beyond; and the time and memory of scoring it there."""

from __future__ import annotations

import math
import random
import resource
import time
import warnings
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

import evalcore as ec
from evalcore.data import Collection
from evalcore.data.restricting import restrict
from evalcore.errors import InputError
from evalcore.measures import Measure
from evalcore.notation.values import Range, Value, kinds_in, plain_types

SAMPLES = Path(__file__).parents[2] / "sample_data"
EVERYWHERE = (0.0, 1.0, 1e-320, 1e-100, 1e-12, 1e-9, 0.5, 2.5, 100.0, 1000.0, 2e7, 1e9, 1e12, 1e15, 1e16, 1e100, 1e300)
WHOLE = (0, 1, 2, 1000, 999_999, 1_000_000, 1_000_001, 10**9, 2**62, -(2**62))
CPU, MEMORY = 2.0, 200 * 10**6  # seconds and bytes that a score may take


def numbers(allowed: Range | None, whole: bool) -> list[Any]:
    """List both ends of a range, their neighbours, and numbers of every size."""
    ends = [end for end in (allowed.low, allowed.high) if math.isfinite(end)] if allowed else []
    if whole:
        return [*WHOLE, *(int(end) + by for end in ends for by in (-1, 0, 1))]
    beside = [math.nextafter(end, to) for end in ends for to in (-math.inf, math.inf)]
    return [*ends, *beside, *EVERYWHERE, *(-number for number in EVERYWHERE), math.inf, -math.inf, math.nan]


def variants(value: Value, depth: int = 2) -> Iterator[tuple[type[Value], dict[str, Any]]]:
    """Yield the class and the arguments of a value in which one number, at any depth, is changed."""
    for field in fields(value):
        hint, allowed = value.hints()[field.name], field.metadata.get("range")
        types, now = plain_types(hint), value.arguments()

        def changed(new: Any, name: str = field.name, now: dict[str, Any] = now) -> tuple[type[Value], dict[str, Any]]:
            return type(value), now | {name: new}

        entries = getattr(value, field.name)
        table = "Mapping" in str(field.type)
        for number in numbers(allowed, int in types and float not in types) if {int, float} & set(types) else ():
            if not get_args(hint) or (type(None) in get_args(hint) and not table):
                yield changed(number)
            if table:
                keys = [key for key, _ in (entries if isinstance(entries, tuple) else ())] or [
                    "relevance",
                    "understandability",
                    1.0,
                    0.0,
                ]
                for key in keys:
                    yield changed({key: (0.0, number) if tuple in map(_origin, get_args(hint)[1:]) else number})
                yield changed({"relevance": (0.0, 1.0, number), "understandability": (0.0, number, number, number)})
                yield changed({number: number})
            elif get_args(hint) and type(None) not in get_args(hint):
                length = max(len(entries), 2) if isinstance(entries, tuple) else 2
                yield changed([number] * length)
                yield changed([number, *[1.0] * (length - 1)])
                yield changed([0.0] * (length - 1) + [number])
        for kind in kinds_in(hint) if depth else ():
            if not issubclass(kind, Measure):
                for inside in _defaults(kind):
                    for cls, arguments in variants(inside, depth - 1):
                        yield changed((cls, arguments))
            elif isinstance(entries, Measure):
                for cls, arguments in variants(entries, 1):
                    yield changed((cls, arguments))


def _origin(hint: Any) -> Any:
    return getattr(hint, "__origin__", hint)


def _defaults(kind: type[Value]) -> list[Value]:
    made = []
    for cls in Value.registry.values():
        if issubclass(cls, kind) and cls.__module__.startswith("evalcore."):
            try:
                made.append(cls())
            except (TypeError, InputError):
                continue
    return made


def made(variant: Any) -> Any:
    """Make the value of a class and its arguments, including the values inside them."""
    if isinstance(variant, tuple) and len(variant) == 2 and isinstance(variant[0], type):
        return variant[0](**{name: made(argument) for name, argument in variant[1].items()})
    return variant


@cache
def samples() -> tuple[Collection, ...]:
    """Load a few topics and systems of every sample; together they have all the data that measures read."""
    loaded = (ec.load(SAMPLES / name) for name in ("health", "diversity", "manual", "site", "board", "answers"))
    return tuple(restrict(one, one.systems[:4], one.topics[:6]) for one in loaded)


def score(measure: Measure) -> None:
    """Score every sample that the measure fits and write its formula. A warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        refused = []
        for collection in samples():
            try:
                ec.evaluate(measure, collection)
            except InputError as error:
                refused.append(error)
        measure.latex()
    if len(refused) == len(samples()):
        raise refused[0]


def wrong(variant: Any) -> str:
    """Return what is wrong with a variant: an exception, a warning, too much time or memory; "" for nothing."""
    begun, bounds = time.process_time(), resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + MEMORY, bounds[1]))
    try:
        score(made(variant))
    except InputError:
        pass
    except Exception as error:  # any error that is not an InputError
        return f"{type(error).__name__}: {error}"
    finally:
        resource.setrlimit(resource.RLIMIT_AS, bounds)
    taken = time.process_time() - begun
    return f"{taken:.1f} s" if taken > CPU else ""


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def drawn(seed: int) -> list[Any]:
    """Return all variants of all measures, in a random order."""
    every = [one for measure in _defaults(Measure) for one in variants(measure)]
    random.Random(seed).shuffle(every)
    return every


def pairs(seed: int, count: int) -> Iterator[Any]:
    """Yield `count` variants of measures in which two numbers are changed, drawn at random."""
    variants_of: dict[type[Value], list[dict[str, Any]]] = {}
    for cls, arguments in drawn(seed):
        variants_of.setdefault(cls, []).append(arguments)
    draw = random.Random(seed)
    for _ in range(count):
        cls = draw.choice(list(variants_of))
        usual, one, other = cls().arguments(), draw.choice(variants_of[cls]), draw.choice(variants_of[cls])
        yield cls, one | {name: found for name, found in other.items() if found != usual.get(name)}
