"""Checks that the arrays of a collection fit together, which measures take for granted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evalcore.errors import InputError
from evalcore.structures.documents import Assessments, Collection, Rankings
from evalcore.subjects import data_of


def check_consistent(collection: Collection) -> None:
    """Raise InputError for lengths that differ, codes out of range, and values of another kind than declared."""
    pool, rankings = collection.assessments, collection.rankings
    for what, names in (("topics", pool.topics), ("systems", rankings.systems)):
        different = all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
        _expect(different, f"{what} of different names")
    check_pool(pool)
    _check_rankings(rankings, pool)
    for name, value in collection.more.items():
        data_of(name).check(value, pool, rankings)


def check_names(what: str, found: Sequence[str], known: Sequence[str]) -> None:
    """Raise InputError for unknown names."""
    _expect(list(found) == list(known), what)


def check_pool(pool: Assessments) -> None:
    """Raise InputError as `check_consistent` does."""
    check_codes("topic", pool.topic, len(pool.topics))
    _expect(bool((np.diff(pool.topic) >= 0).all()), "a pool sorted by topic")
    check_ids("document", pool.documents, len(pool))
    _expect(set(pool.columns) == set(pool.scales), "a scale for every column")
    _expect(bool(pool.scales) or not len(pool), "a column of labels or a signal")
    for name, of in pool.groups.items():
        _expect(len(of) == len(pool.topics), f"a group of each topic by {name}")
    for name, scale in pool.scales.items():
        check_numbers(name, pool.columns[name], len(pool))
        _expect(scale.kind in ("grades", "signal") and scale.good in ("high", "low"), "a known kind of scale")
        check_numbers(name, np.array(scale.grades, dtype=np.float64), len(scale.grades))
    for name, sources in pool.sources.items():
        _expect(
            name in pool.aspects and sources.default in sources.labels, "sources of an aspect, one of them its default"
        )
        for source, labels in sources.labels.items():
            check_numbers(f"{name} by {source}", labels, len(pool))


def _check_rankings(rankings: Rankings, pool: Assessments) -> None:
    lines, hits = len(rankings.systems) * len(pool.topics), len(rankings.row)
    check_starts("rankings", rankings.indptr, lines, hits)
    check_codes("row", rankings.row, len(pool), hits)
    check_codes("rank", rankings.rank, np.iinfo(np.int32).max, hits, lowest=1)
    check_codes("length", rankings.length.ravel(), np.iinfo(np.int32).max, lines)
    for name, scores in rankings.given.items():
        check_numbers(f"scores by {name}", scores.values.ravel(), lines)
        _expect(scores.good in ("high", "low"), f"high or low as the good end of {name}")


def check_codes(what: str, values: Any, size: int, length: int | None = None, lowest: int = 0) -> None:
    """Whole numbers from `lowest` to below `size`."""
    check_numbers(what, values, len(values) if length is None else length)
    _expect(values.dtype.kind == "i" or not len(values), f"whole numbers as {what}")
    inside = not len(values) or lowest <= int(values.min()) <= int(values.max()) < size
    _expect(inside, f"{what} from {lowest} to below {size:,}")


def check_fields(structure: object, length: int, *names: str) -> None:
    """Arrays of numbers in a structure, one for each row."""
    for name in names:
        check_numbers(name, getattr(structure, name), length)


def check_numbers(what: str, values: Any, length: int) -> None:
    _expect(values.dtype.kind in "if" and values.shape == (length,), f"{length:,} numbers as {what}")


def check_ids(what: str, values: Any, length: int) -> None:
    texts = values.dtype.kind in "OUT" and set(map(type, values.tolist())) <= {str}
    _expect((texts or not len(values)) and len(values) == length, f"{length:,} texts as {what}")


def check_starts(what: str, starts: Any, lines: int, total: int) -> None:
    """Check the beginning of each of some lines among all that is listed."""
    fits = len(starts) == lines + 1 and starts[0] == 0 and starts[-1] == total and bool((np.diff(starts) >= 0).all())
    _expect(fits, f"{lines:,} lines of {what} with {total:,} in all")


def _expect(holds: bool, expected: str) -> None:
    if not holds:
        raise InputError(f"expected {expected}, found other content")
