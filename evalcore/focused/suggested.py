"""Sets of measures for collections with passages."""

from __future__ import annotations

from evalcore import measures as m
from evalcore.focused.document_scores import EntryScore
from evalcore.focused.passages import Passages
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.measures.catalogue import FIRST_LOOK
from evalcore.structures.documents import Scale


def suggestions(collection: HasPoolAndRankings, scale: Scale) -> dict[str, list[Measure]]:
    """Return sets of measures by name: an overview, each suitable task's official measures, measures of text.

    The dict is empty for a collection without passages.
    """
    passages: Passages | None = getattr(collection, "passages", None)
    if passages is None:
        return {}
    begins = bool((passages.parts.start >= 0).all() and (passages.highlights.best_entry >= 0).any())
    tasks = [task for task in m.TASKS.values() if begins or not isinstance(task.score, EntryScore)]
    documents = [measure.with_(aspect=scale.name) for measure in (m.AP(), m.nDCG(cutoff=10))]
    first: list[Measure] = [m.iP(recall=0.01), *(task.official for task in tasks), *documents]
    text: list[Measure] = [m.TextAP(), m.TextP(), m.TextR(), m.iP(recall=0.01), m.gP(), m.gR(), m.AgP()]
    return {FIRST_LOOK: first} | {f"Task {task.name}": list(task.measures) for task in tasks} | {"Text": text}
