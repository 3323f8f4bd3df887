"""Gains and scores: every measure is a value, named by one text."""

from evalcore.measures.aggregates import CAM, GM, MM, WHAM, Aggregate
from evalcore.measures.base import GainMeasure, Measure, parse
from evalcore.measures.precision import AP, RR, Bpref, P, R, Rprec
from evalcore.measures.q_measure import Q
from evalcore.explain.bounds import upper_bounds
from evalcore.measures.err import ERR
from evalcore.measures.compatibility import Compat
from evalcore.measures.dcg import DCG, ERRlike, GainDiscount, nDCG
from evalcore.measures.focused.document_scores import DocumentF, DocumentP, DocumentR, DocumentScore, Entry, EntryScreen
from evalcore.measures.evaluation import evaluate, residual, sweep
from evalcore.measures.focused.text import FocusedMeasure, TextAP, TextP, TextR, iAP, iP
from evalcore.measures.focused.tasks import (
    TASKS,
    Task,
    generalised_curves,
    interpolated_curves,
    official_table,
    precision_recall,
    ranked_documents,
)
from evalcore.measures.focused.documents import AgP, gP, gR
from evalcore.measures.navigation import (
    ECG,
    EPRUM,
    PRUM,
    Both,
    Browse,
    Effort,
    EffortTo,
    ExpectedRatio,
    GivenGain,
    InverseEffort,
    MAep,
    ReadOn,
    Scroll,
    Specificity,
    Stay,
    Walk,
    ep,
    gr,
)
from evalcore.measures.tuple_orders import Chebyshev, Euclidean, Manhattan, Minkowski, TupleOrder
from evalcore.measures.products import Product
from evalcore.measures.rbp import RBP
from evalcore.measures.rank_errors import NGRE, NLRE, nWCS
from evalcore.measures.catalogue import short_names, suggestions
from evalcore.measures.toma import TOMA, AboveWorst, ByClass, ByDistance, GeometricWeights, CustomWeights, TopHalf
from evalcore.measures.urbp import uRBP, uRBP1, uRBP2, uRBPgr

__all__ = [
    "AboveWorst",
    "Aggregate",
    "AgP",
    "AP",
    "Both",
    "Bpref",
    "Browse",
    "ByClass",
    "ByDistance",
    "CAM",
    "Chebyshev",
    "Compat",
    "DCG",
    "DocumentF",
    "DocumentP",
    "DocumentR",
    "DocumentScore",
    "GeometricWeights",
    "ECG",
    "Effort",
    "EffortTo",
    "Entry",
    "EntryScreen",
    "ep",
    "EPRUM",
    "ERR",
    "ERRlike",
    "Euclidean",
    "evaluate",
    "ExpectedRatio",
    "FocusedMeasure",
    "GainDiscount",
    "GainMeasure",
    "generalised_curves",
    "CustomWeights",
    "GivenGain",
    "GM",
    "gP",
    "gR",
    "gr",
    "iAP",
    "interpolated_curves",
    "InverseEffort",
    "iP",
    "MAep",
    "Manhattan",
    "Measure",
    "Minkowski",
    "MM",
    "nDCG",
    "NGRE",
    "NLRE",
    "nWCS",
    "official_table",
    "P",
    "parse",
    "precision_recall",
    "Product",
    "PRUM",
    "Q",
    "R",
    "ranked_documents",
    "RBP",
    "ReadOn",
    "residual",
    "Rprec",
    "RR",
    "Scroll",
    "short_names",
    "Specificity",
    "Stay",
    "suggestions",
    "sweep",
    "Task",
    "TASKS",
    "TextAP",
    "TextP",
    "TextR",
    "TOMA",
    "TopHalf",
    "TupleOrder",
    "upper_bounds",
    "uRBP",
    "uRBP1",
    "uRBP2",
    "uRBPgr",
    "Walk",
    "WHAM",
]
