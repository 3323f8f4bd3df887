"""Data of a subject in a collection, beside pool and rankings: the functions of its module (`evalcore.subjects`, data).

- IN_WORDS: what it is, in a word
- read_pool(inputs, texts) -> OtherPool or None: assessments that are no labels of documents; where it has it
- read_beside(inputs, pool, runs, order) -> value or None, and notes: read after the runs; where it has it
- restricted(value, systems, topics, rows) -> value: of these systems and topics, by their places, and pool rows
- tables(value), said(value): its columns by table, and a text; from_tables(table, collection, said) -> value
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
    """Rankings from runs of parts of documents; whole documents are a view of them."""

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


TextsOf = Callable[[set[str]], Mapping[str, str]]  # texts by document, of some


def other_pool(inputs: Inputs, texts: Callable[[], Mapping[str, str]]) -> OtherPool | None:
    """Read the assessments of parts of documents that a subject knows; None if there are none."""
    read = (module.read_pool(inputs, texts) for _, module in _with("read_pool"))
    return next((pool for pool in read if pool is not None), None)


def read_beside(
    inputs: Inputs, pool: Assessments, runs: Sequence[Source], order: Order
) -> tuple[dict[str, Any], list[Note]]:
    """Read the data of subjects on runs, by name, and notes."""
    more, notes = dict[str, Any](), list[Note]()
    for name, module in _with("read_beside"):
        value, of_value = module.read_beside(inputs, pool, runs, order)
        more |= {} if value is None else {name: value}
        notes += of_value
    return more, notes


def _with(function: str) -> Iterator[tuple[str, ModuleType]]:
    """The modules that have a function, by name."""
    modules = ((name, data_of(name)) for name in added("data"))
    return ((name, module) for name, module in modules if hasattr(module, function))
