"""`evalcore measures`: every measure with its parameters; or one, with its formula.

List every measure with its parameters, their ranges and meaning, and the parts (gains, discounts, distances, ...) that
some are made of. With names, explain each: formula, parameters, an example you can check by hand, and the source. A
measure is written as a call, nDCG(dcg="exp-log2")@10; parameters left out have their defaults. Every measure also has
the parameter source="NAME": the source whose labels it reads, if a collection has several.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
from collections.abc import Sequence
from dataclasses import MISSING
from functools import cache
from typing import Any

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.output import chosen_format, json_text, write
from evalcore.common.lazy_imports import doctest
from evalcore.errors import InputError, did_you_mean, shorten
from evalcore.notation.values import Value, written

USAGE = "[NAME]... [options]"
EXAMPLES = (
    "evalcore measures",
    "evalcore measures uRBP",
    "evalcore measures TOMA Manhattan",
    "evalcore measures --format json",
)
FORMATS = ("text", "json")
MEASURE = "Measure"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="a measure, or a part of a measure")
    arguments.add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the list of measures, or explanations of the named ones."""
    known = _entries()
    chosen = [_named(name, known) for name in options.names] or known
    if chosen_format(options, FORMATS) == "json":
        write(json_text([measure["facts"] for measure in chosen]), options)
    elif options.names:
        write("\n".join(measure["explained"] for measure in chosen), options)
    else:
        measures = [measure for measure in chosen if measure["facts"]["kind"] == MEASURE]
        parts = [measure for measure in chosen if measure["facts"]["kind"] != MEASURE]
        write(_list("Measures", measures) + "\n" + _list("Parts of measures", parts), options)


def _entries() -> list[dict[str, Any]]:
    import evalcore.measures  # noqa: F401, registers all values

    classes = sorted(Value.registry.items(), key=lambda item: (item[0].lower(), item[0]))
    return [_entry(cls) for _, cls in classes]  # type: ignore[arg-type]  # mypy expects hashable arguments


@cache
def _entry(cls: type[Value]) -> dict[str, Any]:
    return {
        "facts": facts(cls),
        "explained": _explained(cls),
        "listed": f"{_heading(cls)}: {_first_sentence(cls)}\n{_parameters(cls)}",
    }


def _named(name: str, known: Sequence[dict[str, Any]]) -> dict[str, Any]:
    names = {measure["facts"]["name"]: measure for measure in known}
    also = {other: entry for entry in known for other in entry["facts"]["also"]}
    measure = names.get(name) or also.get(name)
    if measure is None:
        hint = did_you_mean(name, [*names, *also])
        raise InputError(f"expected the name of a measure or of a part of a measure, found {shorten(name)}{hint}")
    return measure


def _list(title: str, known: Sequence[dict[str, Any]]) -> str:
    return f"{title}\n" + "".join(f"\n{measure['listed']}" for measure in known)


def _heading(cls: type[Value]) -> str:
    """Return the name of a measure with its other names, or of a part with its kind."""
    others = [name for name, of in Value.aliases.items() if of == cls.__name__]
    kind = "" if issubclass(cls, ec.Measure) else _kind(cls)
    about = kind or (f"also {', '.join(others)}" if others else "")
    return f"{cls.__name__} ({about})" if about else cls.__name__


def _kind(cls: type[Value]) -> str:
    """Return the kind of a part: the name of its topmost class, such as Gain or Distance."""
    above = [base.__name__ for base in cls.__mro__[1:] if issubclass(base, Value) and base is not Value]
    return above[-1] if above else ""


def _first_sentence(cls: type[Value]) -> str:
    return inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]


def _parameters(cls: type[Value]) -> str:
    rows = []
    for parameter in cls.parameters().values():
        name, *others = _about(parameter).values()
        also = parameter.metadata.get("alias")
        rows.append([f"{name}, {also}" if also else name, *others])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"    {line.rstrip()}\n" for line in lines)


def _about(parameter: dataclasses.Field[Any]) -> dict[str, str]:
    said = {"name": parameter.name, "default": _default(parameter), "range": _allowed(parameter)}
    return {**said, "help": parameter.metadata.get("help", "")}


def _default(parameter: dataclasses.Field[Any]) -> str:
    pairs = str(parameter.type).startswith("Mapping")
    return "needed" if parameter.default is MISSING else written(parameter.default, pairs=pairs)


def _allowed(parameter: dataclasses.Field[Any]) -> str:
    choices, within = parameter.metadata.get("choices"), parameter.metadata.get("range")
    if choices:
        return " | ".join(map(str, choices))
    return str(within) if within else str(parameter.type)


def _explained(cls: type[Value]) -> str:
    parsed = doctest.DocTestParser().parse(inspect.cleandoc(cls.__doc__ or ""))
    prose = "".join(part for part in parsed if isinstance(part, str)).strip()
    parts = [f"{_heading(cls)}\n\n{prose}"]
    parts += [f"Parameters (name, default, range, meaning)\n{_parameters(cls)}".rstrip()] if cls.parameters() else []
    parts += [f"Example\n    {example}" for example in _examples(cls)]
    parts += [f"Source\n    {source}"] if (source := getattr(cls, "reference", "")) else []
    return "\n\n".join(parts) + "\n"


def _examples(cls: type[Value]) -> list[str]:
    parsed = doctest.DocTestParser().get_examples(inspect.cleandoc(cls.__doc__ or ""))
    return [f"{line.source.strip()} is {line.want.strip()}" for line in parsed if line.want]


def facts(cls: type[Value]) -> dict[str, Any]:
    """Return the facts of a measure or a part as a dict: name, kind, also, help, source, parameters, examples."""
    return {
        "name": cls.__name__,
        "kind": MEASURE if issubclass(cls, ec.Measure) else _kind(cls),
        "also": [name for name, of in Value.aliases.items() if of == cls.__name__],
        "help": _first_sentence(cls),
        "source": getattr(cls, "reference", ""),
        "parameters": [_about(parameter) for parameter in cls.parameters().values()],
        "examples": _examples(cls),
    }
