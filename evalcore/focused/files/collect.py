"""Read the files of a focused collection: assessments, runs of document parts, and labels of whole documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from evalcore.common.constants import Order
from evalcore.common.lazy_imports import pd
from evalcore.common.progress import Progress
from evalcore.common.threads import executor as executor_of
from evalcore.data.assessments import Labels
from evalcore.data.kinds import read_as
from evalcore.data.runs import refuse_no_common_topic, refuse_same_names
from evalcore.data.sources import Source
from evalcore.data.subject_data import RankedParts, TextsOf
from evalcore.errors import InputError
from evalcore.focused.files.elements import Elements, joined, no_elements
from evalcore.focused.files.highlights import SPECIFICITY, Assessed, assess, highlights
from evalcore.focused.files.parts import (
    ORDERS,
    CountedParts,
    assemble,
    assemble_every,
    counted_parts,
    notes,
    rankings,
    systems_table,
)
from evalcore.focused.files.truth import Truth
from evalcore.focused.passages import Passages
from evalcore.limits import refuse_more
from evalcore.structures.documents import Assessments, Note, Rankings, natural_key

WORKERS = 2


@dataclass(frozen=True, eq=False)
class PassagePool:
    """Checked assessments, known elements, and titles of topics."""

    assessed: Assessed
    elements: Elements
    titles: Mapping[str, str]

    @property
    def labels(self) -> Labels:
        """The labels of whole documents."""
        return self.assessed.labels

    @property
    def notes(self) -> Sequence[Note]:
        return self.assessed.notes

    def with_signals(self, pool: Assessments) -> Assessments:
        """Return the pool with specificity added as a signal: the highlighted share of a document's characters."""
        rows = self.assessed.records
        shares = {row.key: row.highlighted / max(row.length, 1) if row.highlighted > 0 else 0.0 for row in rows}
        values = [shares.get(pair, np.nan) for pair in zip(*pool.ids(slice(None)).values(), strict=True)]
        column = np.array(values, dtype=np.float64)
        columns, scales = {SPECIFICITY.name: column}, {SPECIFICITY.name: SPECIFICITY}
        return replace(pool, columns={**pool.columns, **columns}, scales={**pool.scales, **scales})

    def read_runs(
        self, runs: Sequence[Source], pool: Assessments, order: Order, texts_of: TextsOf, tell: Progress
    ) -> RankedParts:
        """Return the rankings, facts, notes, texts and passages of runs of document parts.

        Raises InputError as `read_parts` does.
        """
        passages, rankings, systems, notes = read_parts(runs, self, pool, order, tell)
        texts = texts_of({*passages.document_ids})
        facts = cast("list[dict[str, Any]]", systems.to_dict("records"))
        return RankedParts(rankings, facts, notes, texts, {"passages": replace(passages, texts=texts)})


def read_passage_pool(
    sources: Sequence[Source],
    elements: Source | None = None,
    lengths: Source | None = None,
    texts: Mapping[str, str] | None = None,
) -> PassagePool:
    """Read assessments from one or more files, with optional tables of elements or lengths, and texts.

    Raises InputError with file and line for an error in these files.
    """
    table: Elements = read_as("elements", elements) if elements else no_elements()
    known = {document: len(text) for document, text in (texts or {}).items()}
    known |= read_as("lengths", lengths) if lengths else {}
    read = [read_as("highlights", source) for source in sources]
    assessed = assess([record for records, _ in read for record in records], table, known)
    titles = {topic: title for _, of_file in read for topic, title in of_file.items()}
    return PassagePool(assessed, joined([table, assessed.sizes]), titles)


def read_parts(
    sources: Sequence[Source],
    judged: PassagePool,
    pool: Assessments,
    order: str = "rank",
    progress: Progress | None = None,
) -> tuple[Passages, Rankings, pd.DataFrame, list[Note]]:
    """Read runs of document parts; return passages, rankings of documents, facts about each system, and notes.

    Raises InputError for bad lines, two runs with the same name, an unknown order, or no topic in common.
    """
    if order not in ORDERS:
        raise InputError(f"expected order of document parts to be one of {', '.join(ORDERS)}, found {order!r}")
    marks = highlights(judged.assessed, pool.topics)
    truth = Truth(marks, judged.elements, judged.assessed.records)
    counted = list(_read_all(sources, truth, order, progress))
    refuse_no_common_topic([part.facts for part in counted], pool.topics)
    parts, documents = assemble(counted, truth)
    rows = pd.MultiIndex.from_arrays([pool.topic, pool.documents])
    of_pool = rows.get_indexer(pd.MultiIndex.from_arrays([marks.topic, marks.documents]))
    remarks = [note for part in counted for note in notes(part, pool.topics, order)]
    passages = Passages(marks, parts, documents, every_part=assemble_every(counted, truth, documents))
    return passages, rankings(parts, of_pool, len(pool)), systems_table(counted), remarks


def _read_all(sources: Sequence[Source], truth: Truth, order: str, progress: Progress | None) -> Iterator[CountedParts]:
    """Yield the runs in the natural order of their names, read two at a time (numpy and arrow allow threads)."""
    named = [(system, source, read) for source in sources for system, read in read_as("part run", source)]
    refuse_more("systems", len(named))
    refuse_more("rankings", len(named), len(truth.highlights.topics))
    refuse_same_names([(system, source.name) for system, source, _ in named])
    named.sort(key=lambda entry: natural_key(entry[0]))
    with executor_of(WORKERS) as executor:
        counted = executor.map(lambda entry: counted_parts(entry[2](truth.elements), truth, order), named)
        for done, parts in enumerate(counted, start=1):
            yield parts
            if progress:
                progress(done / len(named), f"Reading runs: {done} of {len(named)}")
