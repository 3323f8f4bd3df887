"""Kinds of files, and a file as it is inspected before it is read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from evalcore.common.cached import cached_property
from evalcore.data import tables
from evalcore.data.corpus import corpus_kind
from evalcore.data.json_tables import json_form, json_head
from evalcore.data.names import file_name, meanings
from evalcore.data.roles import Roles
from evalcore.data.runs_or_labels import Verdict, verdict
from evalcore.data.sources import Source
from evalcore.data.text_files import BOM, data_head, without_comments
from evalcore.errors import InputError

Purpose = str  # run, aspect, signal, text, corpus, queries, systems, groups, scores, none; and those of subjects
_SHOWN = 200  # lines that are inspected


@dataclass(frozen=True)
class Look:
    """A file as it is inspected before it is read."""

    source: Source

    @property
    def name(self) -> str:
        return self.source.name.lower()

    @cached_property
    def head(self) -> bytes:
        return data_head(self.source, 1 << 16)

    @cached_property
    def named_columns(self) -> set[str]:
        """The meanings of the names of a table's columns, in lower case, for any kind of table."""
        return {name.lower() for name in meanings(tables.named(self.source, self.head))}

    def is_table_of(self, names: Collection[str], *columns: str) -> bool:
        """Return true if the file name is one of `names`, and the file has at least one of these columns."""
        return file_name(self.source.name) in names and bool(self.named_columns & {*columns})

    @cached_property
    def lines(self) -> list[list[bytes]]:
        """The fields of the first lines, without comments and blank lines."""
        text, _ = without_comments(self.head.removeprefix(BOM))
        begun = b"\n".join(text.split(b"\n", _SHOWN)[:_SHOWN])
        return [line.split() for line in begun.splitlines()[:_SHOWN] if line.strip()]

    @property
    def first(self) -> list[bytes]:
        """The fields of the first line; an empty list for an empty file."""
        return self.lines[0] if self.lines else []

    @cached_property
    def is_table(self) -> bool:
        return bool(self.source.columns) or tables.is_table(self.head)

    @cached_property
    def columns(self) -> set[str]:
        """The meanings of the names of a table's columns; an empty set for other files."""
        return set(tables.columns(self.source, self.head)) if self.is_table else set()

    @cached_property
    def texts(self) -> str | None:
        return None if json_form(self.head) else corpus_kind(self.source.name, self.head)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict on the scores of a table (see `runs_or_labels.verdict`); "run" if they cannot be read."""
        with suppress(InputError):
            table = tables.read_table(self.source)
            table = table[table["score"].notna()]
            by = ["topic", *filter(None, [tables.system_column(list(map(str, table.columns)))])]
            return verdict({str(name): part.astype(str) for name, part in table.groupby(by, sort=False)["score"]})
        return "run"

    @property
    def keys(self) -> Collection[str]:
        """The keys of the first JSON object, as far as the beginning of the file shows them."""
        begun = json_head(self.head)
        return begun.keys if begun else ()

    def has_keys(self, keys: Collection[str]) -> bool:
        """Return true if the first JSON object has all these keys."""
        return {*keys} <= {*self.keys}

    @property
    def in_json(self) -> bool:
        return json_head(self.head) is not None

    @property
    def is_text(self) -> bool:
        """Return true if the file is neither empty nor binary (has no zero byte)."""
        return bool(self.lines) and b"\0" not in self.head

    @property
    def is_flat_json(self) -> bool:
        """Return true if this is a JSON object of plain values, which describes something and is not a broken run."""
        begun = json_head(self.head)
        return begun is not None and begun.depth < 2 and not begun.listed


@dataclass(frozen=True)
class Kind:
    """A kind of file. Arguments and result of `read` are the same for all kinds of one purpose:

    - run: source -> sources of TREC runs, one for each system
    - aspect: source, scale, column, grades that mean "not assessed" -> Labels; if there is a map of grades, its pairs
      follow; signal: source, scale, column -> Labels
    - text: source -> str; corpus: source, ids or None -> texts by id; queries: source, topics -> queries by topic
    - systems: source, systems -> table and notes
    - groups: source, pool -> pool and notes; scores: source -> ScoreFile

    The purposes that a subject adds are described beside its rows.
    """

    name: str
    purpose: Purpose
    recognise: Callable[[Look], bool]  # whether a file without a description is of this kind
    read: Callable[..., Any] = NotImplemented  # for kinds without a reader
    is_written_so: Callable[[Look], bool] | None = None  # the same if a description gives its purpose; None: as above
    columns: Callable[[Source], list[tuple[str, int | str]]] | None = None  # columns of aspects: see `columns_of`
    roles: Callable[[Look], Roles | None] | None = None  # roles in files that are not tables of labels or runs

    @property
    def of_runs(self) -> bool:
        """Return true if files of this kind contain results of systems."""
        return self.purpose.endswith("run")


def in_table(look: Look) -> bool:
    """Return true if a file is written as a table."""
    return look.is_table
