"""A focused collection from its files: assessments and runs of document parts, and the view of whole documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evalcore.data.focused.elements import Elements, joined, no_elements
from evalcore.data.focused.highlights import SPECIFICITY, Assessed, assess, highlights
from evalcore.data.focused.lines import Run
from evalcore.data.focused.parts import (
    ORDERS,
    CountedParts,
    assemble,
    counted_parts,
    notes,
    rankings,
    refuse_no_common_topic,
    systems_table,
)
from evalcore.data.focused.truth import Truth
from evalcore.data.kinds import read_as
from evalcore.data.sources import Source
from evalcore.errors import InputError
from evalcore.later import pd
from evalcore.limits import refuse_more
from evalcore.progress import Progress
from evalcore.structures.documents import Assessments, Note, Rankings, natural_key
from evalcore.structures.passages import Passages
from evalcore.threads import executor as executor_of

WORKERS = 2


@dataclass(frozen=True, eq=False)
class PassagePool:
    """Checked assessments, what is known of elements, and titles of topics."""

    assessed: Assessed
    elements: Elements
    titles: Mapping[str, str]


def read_passage_pool(
    sources: Sequence[Source],
    elements: Source | None = None,
    lengths: Source | None = None,
    texts: Mapping[str, str] | None = None,
) -> PassagePool:
    """Read assessments, one file or many, with a table of elements, of lengths, or texts, where there are some.

    Raises InputError with file and line for what is wrong in them.
    """
    table: Elements = read_as("elements", elements) if elements else no_elements()
    known = {document: len(text) for document, text in (texts or {}).items()}
    known |= read_as("lengths", lengths) if lengths else {}
    read = [read_as("highlights", source) for source in sources]
    assessed = assess([record for records, _ in read for record in records], table, known)
    titles = {topic: title for _, of_file in read for topic, title in of_file.items()}
    return PassagePool(assessed, joined([table, assessed.sizes]), titles)


def with_specificity(pool: Assessments, assessed: Assessed) -> Assessments:
    """The pool with the signal specificity: highlighted characters / characters of a document."""
    shares = {row.key: row.highlighted / max(row.length, 1) if row.highlighted > 0 else 0.0 for row in assessed.records}
    values = [shares.get(pair, np.nan) for pair in zip(*pool.ids(slice(None)).values(), strict=True)]
    column = np.array(values, dtype=np.float64)
    return replace(
        pool, columns={**pool.columns, SPECIFICITY.name: column}, scales={**pool.scales, SPECIFICITY.name: SPECIFICITY}
    )


def read_parts(
    sources: Sequence[Source],
    judged: PassagePool,
    pool: Assessments,
    order: str = "rank",
    progress: Progress | None = None,
) -> tuple[Passages, Rankings, pd.DataFrame, list[Note]]:
    """Read runs of document parts: the parts, documents by their best part, a table of facts per system, and notes.

    Raises InputError for bad lines, two runs with one name, an unknown order, or no topic in common.
    """
    if order not in ORDERS:
        raise InputError(f"expected order of document parts to be one of {', '.join(ORDERS)}, found {order!r}")
    marks = highlights(judged.assessed, pool.topics)
    truth = Truth(marks, judged.elements, judged.assessed.records)
    counted = list(_read_all(sources, truth, order, progress))
    refuse_no_common_topic(counted, pool.topics)
    parts, documents = assemble(counted, truth)
    rows = pd.MultiIndex.from_arrays([pool.topic, pool.documents])
    of_pool = rows.get_indexer(pd.MultiIndex.from_arrays([marks.topic, marks.documents]))
    remarks = [note for part in counted for note in notes(part, pool.topics, order)]
    return Passages(marks, parts, documents), rankings(parts, of_pool, len(pool)), systems_table(counted), remarks


def _read_all(sources: Sequence[Source], truth: Truth, order: str, progress: Progress | None) -> Iterator[CountedParts]:
    """Runs in the natural order of their names; two are read at a time, as numpy and arrow release the lock."""
    named = [(system, source, read) for source in sources for system, read in read_as("part run", source)]
    refuse_more("systems", len(named))
    refuse_more("rankings", len(named), len(truth.highlights.topics))
    _refuse_same_names([(system, source.name) for system, source, _ in named])
    named.sort(key=lambda entry: natural_key(entry[0]))
    with executor_of(WORKERS) as executor:
        jobs = [executor.submit(_read_one, read, truth, order) for _, _, read in named]
        try:
            for done, job in enumerate(jobs, start=1):
                yield job.result()
                if progress:
                    progress(done / len(jobs), f"Reading runs: {done} of {len(jobs)}")
        finally:
            for job in jobs:
                job.cancel()


def _read_one(read: Callable[[Elements], Run], truth: Truth, order: str) -> CountedParts:
    return counted_parts(read(truth.elements), truth, order)


def _refuse_same_names(named: Sequence[tuple[str, str]]) -> None:
    if not named:
        raise InputError("expected at least one run, found none")
    files: dict[str, str] = {}
    for system, file in named:
        if system in files:
            found = f"found {files[system]!r} and {file!r} both named {system!r}"
            raise InputError(f"expected a name for each system, {found}; rename one")
        files[system] = file
