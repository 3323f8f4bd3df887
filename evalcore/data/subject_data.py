"""Data of a subject in a collection, beside pool and rankings. Its module (`evalcore.subjects`, data) has functions:

- IN_WORDS: a word for the data, such as "links" (a constant)
- read_pool(inputs, texts) -> OtherPool or None: assessments that are not labels of documents (optional)
- read_beside(inputs, pool, runs, order) -> value or None, and notes: data that are read after the runs (optional)
- restricted(value, systems, topics, rows) -> value: limited to systems and topics, by position, and to pool rows
- tables(value) -> the columns of each table to cache; said(value) -> a string to cache with them
- from_tables(table, collection, said) -> the value that `tables` and `said` stored
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from evalcore.common.constants import Order
from evalcore.common.progress import Progress
from evalcore.data.assessments import Labels
from evalcore.data.collection_files import Inputs
from evalcore.data.sources import Source
from evalcore.structures.documents import Assessments, Note, Rankings
from evalcore.subjects import added, data_of


@dataclass(frozen=True, eq=False)
class RankedParts:
    """Rankings from runs that rank parts of documents. The rankings of whole documents are derived from them."""

    rankings: Rankings
    facts: list[dict[str, Any]]  # of each system, for the report
    notes: list[Note]
    texts: Mapping[str, str]
    more: Mapping[str, Any]  # of the collection


class OtherPool(Protocol):
    """Assessments of parts of documents, from which labels of documents follow."""

    @property
    def labels(self) -> Labels: ...
    @property
    def notes(self) -> Sequence[Note]: ...
    @property
    def titles(self) -> Mapping[str, str]: ...  # of topics
    def with_signals(self, pool: Assessments) -> Assessments: ...
    def read_runs(
        self, runs: Sequence[Source], pool: Assessments, order: Order, texts_of: TextsOf, tell: Progress
    ) -> RankedParts: ...


TextsOf = Callable[[set[str]], Mapping[str, str]]  # texts of some documents, by id


def other_pool(inputs: Inputs, texts: Callable[[], Mapping[str, str]]) -> OtherPool | None:
    """Return the assessments of parts of documents from the first subject that finds some; None if no subject does."""
    read = (module.read_pool(inputs, texts) for _, module in _with("read_pool"))
    return next((pool for pool in read if pool is not None), None)


def read_beside(
    inputs: Inputs, pool: Assessments, runs: Sequence[Source], order: Order
) -> tuple[dict[str, Any], list[Note]]:
    """Return the data that subjects add to runs, by the name of the subject, and notes on them."""
    more, notes = dict[str, Any](), list[Note]()
    for name, module in _with("read_beside"):
        value, of_value = module.read_beside(inputs, pool, runs, order)
        more |= {} if value is None else {name: value}
        notes += of_value
    return more, notes


def _with(function: str) -> Iterator[tuple[str, ModuleType]]:
    """Yield (subject, data module) for each subject whose data module has this function."""
    modules = ((name, data_of(name)) for name in added("data"))
    return ((name, module) for name, module in modules if hasattr(module, function))
