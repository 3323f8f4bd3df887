"""Gains and scores: every measure is a value, named by one text."""

from evalcore.measures.aggregates import CAM, GM, MM, WHAM, Aggregate
from evalcore.measures.base import GainMeasure, Measure, parse
from evalcore.measures.catalogue import short_names, suggestions
from evalcore.measures.compatibility import Compat
from evalcore.measures.dcg import DCG, ERRlike, GainDiscount, nDCG
from evalcore.measures.err import ERR
from evalcore.measures.evaluation import coverage_text, covered_topics, evaluate, residual, sweep
from evalcore.measures.focused.document_scores import DocumentF, DocumentP, DocumentR, DocumentScore, Entry, EntryScreen
from evalcore.measures.focused.documents import AgP, gP, gR
from evalcore.measures.focused.tasks import (
    TASKS,
    Task,
    generalised_curves,
    interpolated_curves,
    official_table,
    precision_recall,
    ranked_documents,
)
from evalcore.measures.focused.text import FocusedMeasure, TextAP, TextP, TextR, iAP, iP
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
from evalcore.measures.precision import AP, RR, Bpref, P, R, Rprec, infAP
from evalcore.measures.products import Product
from evalcore.measures.q_measure import Q
from evalcore.measures.rank_errors import NGRE, NLRE, nWCS
from evalcore.measures.rbp import RBP, GradedRBP
from evalcore.measures.toma import TOMA, AboveWorst, ByClass, ByDistance, CustomWeights, GeometricWeights, TopHalf
from evalcore.measures.tuple_orders import Chebyshev, Euclidean, Manhattan, Minkowski, TupleOrder
from evalcore.measures.urbp import uRBP, uRBP1, uRBP2, uRBPgr
