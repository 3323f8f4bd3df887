"""Collections: files are read into assessments and rankings, which together form a `Collection`.

Each module is imported only when one of its names is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.data.averages import average_over
    from evalcore.data.label_choice import judged_by, lead_by
    from evalcore.data.loading import load, load_files
    from evalcore.data.memory import collection
    from evalcore.data.public import fetch, public_collections
    from evalcore.data.restricting import restrict
    from evalcore.data.samples import sample_folder
    from evalcore.data.score_tables import ScoreTables, aligned, as_averaged, load_scores, read_score_tables
    from evalcore.structures.documents import Assessments, Collection, LoadingReport, Note, Rankings, Scale

__all__ = [
    "Assessments", "Collection", "LoadingReport", "Note", "Rankings", "Scale", "ScoreTables", "aligned",
    "as_averaged", "average_over", "collection", "fetch", "judged_by", "lead_by", "load", "load_files",
    "load_scores", "public_collections", "read_score_tables", "restrict", "sample_folder",
]  # fmt: skip

_NAMES = {
    "evalcore.data.averages": "average_over",
    "evalcore.data.label_choice": "judged_by lead_by",
    "evalcore.data.loading": "load load_files",
    "evalcore.data.memory": "collection",
    "evalcore.data.public": "fetch public_collections",
    "evalcore.data.restricting": "restrict",
    "evalcore.data.samples": "sample_folder",
    "evalcore.data.score_tables": "ScoreTables aligned as_averaged load_scores read_score_tables",
    "evalcore.structures.documents": "Assessments Collection LoadingReport Note Rankings Scale",
}

if not TYPE_CHECKING:
    from evalcore.common.lazy_imports import names_from

    __getattr__ = names_from(_NAMES, globals())

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
