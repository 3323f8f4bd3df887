"""Files -> Assessments and Rankings -> Collection."""

from evalcore.data.averages import average_over
from evalcore.data.judged import judged_by
from evalcore.data.leading import lead_by
from evalcore.data.loading import load, load_files
from evalcore.data.memory import collection
from evalcore.data.public import fetch, public_collections
from evalcore.data.restricting import restrict
from evalcore.data.score_tables import ScoreTables, aligned, as_averaged, load_scores, read_score_tables
from evalcore.structures.documents import Assessments, Collection, LoadingReport, Note, Rankings, Scale

__all__ = [
    "Assessments",
    "Collection",
    "LoadingReport",
    "Note",
    "Rankings",
    "Scale",
    "ScoreTables",
    "aligned",
    "as_averaged",
    "average_over",
    "collection",
    "fetch",
    "judged_by",
    "lead_by",
    "load",
    "load_files",
    "load_scores",
    "public_collections",
    "read_score_tables",
    "restrict",
]
