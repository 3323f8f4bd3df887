"""Files -> Assessments and Rankings -> Collection."""

from evalcore.data.load import load, load_files
from evalcore.data.restrict import restrict
from evalcore.data.structures import Assessments, Collection, LoadingReport, Note, Rankings, Scale

__all__ = ["Assessments", "Collection", "LoadingReport", "Note", "Rankings", "Scale", "load", "load_files", "restrict"]
