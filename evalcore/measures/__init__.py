"""Gains and scores: every measure is a value, named by one text."""

from evalcore.measures.aggregates import CAM, GM, MM, WHAM, Aggregate
from evalcore.measures.base import GainMeasure, Measure, parse
from evalcore.measures.binary import AP, RR, Bpref, P, R, Rprec
from evalcore.measures.blended import Q
from evalcore.measures.bounds import upper_bounds
from evalcore.measures.cascade import ERR
from evalcore.measures.compatibility import Compat
from evalcore.measures.discounted import DCG, ERRlike, GainDiscount, nDCG
from evalcore.measures.evaluation import evaluate, residual, sweep
from evalcore.measures.orders import Chebyshev, Euclidean, Manhattan, Minkowski, TupleOrder
from evalcore.measures.products import Product
from evalcore.measures.rbp import RBP
from evalcore.measures.reranked import NGRE, NLRE, nWCS
from evalcore.measures.suggestions import short_names, suggestions
from evalcore.measures.toma import TOMA, AboveWorst, ByClass, ByDistance, Doubling, Given, TopHalf
from evalcore.measures.urbp import uRBP, uRBP1, uRBP2, uRBPgr

__all__ = [
    "AboveWorst",
    "Aggregate",
    "AP",
    "Bpref",
    "ByClass",
    "ByDistance",
    "CAM",
    "Chebyshev",
    "Compat",
    "DCG",
    "Doubling",
    "ERR",
    "ERRlike",
    "Euclidean",
    "evaluate",
    "GainDiscount",
    "GainMeasure",
    "Given",
    "GM",
    "Manhattan",
    "Measure",
    "Minkowski",
    "MM",
    "nDCG",
    "NGRE",
    "NLRE",
    "nWCS",
    "P",
    "parse",
    "Product",
    "Q",
    "R",
    "RBP",
    "residual",
    "Rprec",
    "RR",
    "short_names",
    "suggestions",
    "sweep",
    "TOMA",
    "TopHalf",
    "TupleOrder",
    "upper_bounds",
    "uRBP",
    "uRBP1",
    "uRBP2",
    "uRBPgr",
    "WHAM",
]
