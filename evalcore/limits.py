"""Limits on the content of a file, and on the size of a request.

The content of files is limited for everybody by `BOUNDS`, because a reader cannot know who wrote them. The size of a
request is limited only by the program that does the work. The app has default limits; $EVALCORE_LIMITS changes them,
for example to `seconds=600, memory=none`. Python and the command line have no default limits.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from evalcore.errors import InputError, did_you_mean, shorten
from evalcore.notation.values import Value

MiB = 1 << 20


@dataclass(frozen=True)
class Bound:
    """An upper limit, and a description of its unit."""

    most: int
    words: str


# Limits of files. `tests/test_bounds.py` tests each reader with one more; docs/security.md has the same table.
BOUNDS: dict[str, Bound] = {
    # files and archives
    "file_bytes": Bound(2048 * MiB - 64, "bytes of a file, once unpacked"),
    "archive_bytes": Bound(8192 * MiB, "bytes of an archive or upload, once unpacked"),
    "archive_members": Bound(20_000, "files of an archive or upload"),
    "ratio": Bound(250, "unpacked bytes per byte of a compressed file of more than 64 MiB"),
    # collection.toml, and other TOML
    "toml_characters": Bound(250_000, "characters of TOML"),
    "toml_depth": Bound(16, "nested keys and lists in TOML"),
    "patterns": Bound(20_000, "names and patterns of files in a collection.toml"),
    "pattern_characters": Bound(1_000, "characters of a pattern"),
    "pattern_pairs": Bound(2_000_000_000, "characters of patterns times characters of names of files (each plus 32)"),
    "named": Bound(20_000_000, "files that match the names and patterns of a collection.toml"),
    # collections
    "columns": Bound(500, "aspects, signals and other sources of labels"),
    "systems": Bound(20_000, "systems"),
    "topics": Bound(200_000, "assessed topics"),
    "rankings": Bound(50_000_000, "rankings (systems x topics)"),
    "labels": Bound(20_000_000, "labels (assessed documents x aspects, signals and sources)"),
    "sources": Bound(100, "sources of labels of an aspect"),
    "id_bytes": Bound(512, "bytes of an id"),
    "ids": Bound(2_000_000_000, "bytes of ids (assessed documents x the longest id)"),
    "components": Bound(20_000_000, "components of topics (components x topics)"),
    # lines of fields, such as runs and qrels
    "line_bytes": Bound(2_000_000, "bytes of a line"),
    "fields": Bound(100_000_000, "blanks between fields"),
    # tables, of CSV, Parquet or JSON
    "table_columns": Bound(10_000, "columns of a table"),
    "table_cells": Bound(50_000_000, "cells of a table (rows x columns)"),
    "parquet_pages": Bound(1_000_000, "pages of a Parquet table"),
    # scores of other tools
    "score_lines": Bound(10_000_000, "scores in files"),
    "score_measures": Bound(10_000, "measures"),
    "scores": Bound(50_000_000, "scores (topics x systems x measures)"),
}


def most(name: str) -> int:
    """Return the limit with this name in `BOUNDS`.

    >>> most("archive_members")
    20000
    """
    return BOUNDS[name].most


def refuse_more(name: str, *found: int, where: str = "", line: int | None = None) -> None:
    """Raise InputError if a number, or the product of several numbers, is above the limit with this name.

    >>> refuse_more("rankings", 2_000, 199_999, where="runs")
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: runs: expected at most 50,000,000 rankings (systems x topics), found 2,000 x 199,999
    """
    bound = BOUNDS[name]
    if math.prod(found) > bound.most:
        product = " x ".join(f"{count:,}" for count in found)
        raise InputError(f"expected at most {bound.most:,} {bound.words}, found {product}", where, line)


NONE = "none"
MEANS = 48  # bytes for a system at a setting: mean, rank, a mark of the winner, and the data behind these
DRAWN = 24  # bytes for a topic in a resample while it is drawn


def limit(default: float, words: str, help: str, *, zero: bool = False) -> Any:
    """Return a dataclass field for a limit, with its unit in `words` and a help text; `zero` allows a limit of 0."""
    return field(default=default, metadata={"words": words, "help": help, "zero": zero})


@dataclass(frozen=True)
class Limits:
    """Limits on the size of a request; infinity means no limit."""

    values: float = limit(math.inf, "numbers and names in a measure", "numbers and names in the text of a measure")
    parts: float = limit(math.inf, "measures in a measure", "parts of a measure such as CAM")
    parameters: float = limit(math.inf, "parameters varied at once", "parameters varied at once")
    tests: float = limit(math.inf, "tests of a pair in a resample", "resamples x pairs of systems x measures")
    memory: float = limit(math.inf, "MB for the results", "estimated MB for results and resamples")
    seconds: float = limit(math.inf, "seconds of work", "seconds until a computation is stopped")

    @classmethod
    def words(cls) -> Mapping[str, str]:
        """Map the name of each limit to its help text."""
        return {field.name: field.metadata["help"] for field in dataclasses.fields(cls)}

    def changed(self, text: str, where: str = "") -> Self:
        """Return the limits with changes from a text, such as `seconds=600, memory=none`.

        Raises InputError for an unknown name, and for a value that is not a number above 0 (or 0, if the limit allows).

        >>> Limits().changed("seconds=60").seconds
        60.0
        """
        changes = {}
        for part in filter(None, map(str.strip, text.split(","))):
            name, _, number = map(str.strip, part.partition("="))
            if name not in (known := self.words()):
                found = f"found {shorten(part)}{did_you_mean(name, known)}"
                raise InputError(f"expected NAME=NUMBER, where NAME is one of {', '.join(known)}, {found}", where)
            zero = self.__dataclass_fields__[name].metadata["zero"]
            changes[name] = math.inf if number == NONE else _number(number, where, zero)
        return dataclasses.replace(self, **changes)

    def check(self, **asked: float) -> None:
        """Raise InputError if a request exceeds a limit; `asked` maps names of limits to requested sizes."""
        for name, found in asked.items():
            if found > getattr(self, name):
                words = self.__dataclass_fields__[name].metadata["words"]
                problem = f"expected at most {_written(getattr(self, name))} {words}, found {_written(found)}"
                raise InputError(f"{problem} (limit {name})")

    def check_measure(self, measure: Value) -> None:
        """Raise InputError for a measure that contains more measures, numbers or names than the limits allow."""
        from evalcore.measures.aggregates import Aggregate  # here, because reading files needs no measures
        from evalcore.measures.base import JudgedBy, Measure

        inside = list(_inside(measure))
        self.check(values=sum(not isinstance(value, Value) for value in inside))
        measures = [measure for measure in inside if isinstance(measure, Measure) and not isinstance(measure, JudgedBy)]
        alike = [part for part in measures if isinstance(part, Aggregate) and isinstance(part.base, Measure)]
        self.check(parts=len(measures) - isinstance(measure, Measure) + sum(len(part.parts) - 1 for part in alike))

    def overdue(self, share: float) -> InputError:
        """Return the error for work that was stopped at its time limit; it names the share that was done."""
        found = f"only {share:.0%} of the work was done within the limit"
        return InputError(f"{found} of {_written(self.seconds)} seconds (limit `seconds`)")


def of_settings(n_settings: int, n_systems: int, n_parameters: int = 1) -> dict[str, float]:
    """Return arguments of `Limits.check`: the number of varied parameters, and the MB needed to score all settings."""
    return {"parameters": n_parameters, "memory": n_settings * (MEANS * n_systems + 8 * n_parameters) / 1e6}


def of_resamples(n_resamples: int, n_topics: int, n_systems: int, n_measures: int) -> dict[str, float]:
    """Return arguments of `Limits.check`: the number of tests of pairs of systems in resamples, and the MB needed.

    Each pair is tested under each measure in each resample.

    >>> of_resamples(1000, 50, 10, 2)
    {'tests': 90000, 'memory': 1.2}
    """
    pairs = n_systems * (n_systems - 1) // 2
    return {"tests": n_resamples * pairs * n_measures, "memory": DRAWN * n_resamples * n_topics / 1e6}


def of_specifications(n_specifications: int, n_systems: int, n_topics: int, n_resamples: int) -> dict[str, float]:
    """Return the MB needed to score systems in all specifications and to resample a claim in each, for `Limits.check`.

    >>> of_specifications(2000, 40, 66, 1000)
    {'memory': 74.24}
    """
    return {"memory": 8 * n_specifications * (n_systems * n_topics + 2 * n_resamples) / 1e6}


def _inside(value: Any) -> Iterator[Any]:
    """Yield a value and everything in it that is not a default: values, numbers and names."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, tuple):
            left.extend(one)
        else:
            yield one
        if isinstance(one, Value):
            fields = one.parameters().items()
            left.extend(found for name, about in fields if (found := getattr(one, name)) != about.default)


def _number(text: str, where: str, zero: bool) -> float:
    try:
        result = float(text)
    except ValueError:
        result = math.nan
    if not (result > 0 or (zero and result == 0)):
        least = "of at least 0" if zero else "above 0"
        raise InputError(f"expected a number {least} or {NONE}, found {shorten(text)}", where)
    return result


def _written(number: float) -> str:
    """Return a number as text, with thousands separators; with three significant digits if below 100 and not whole.

    >>> _written(12000), _written(0.25)
    ('12,000', '0.25')
    """
    return f"{number:,.0f}" if number >= 100 or float(number).is_integer() else f"{number:.3g}"
