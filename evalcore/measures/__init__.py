"""Gains and scores: every measure is a value, named by one text."""

from evalcore.measures.base import GainMeasure, Measure, parse
from evalcore.measures.binary import AP, RR, Bpref, P, R, Rprec
from evalcore.measures.blended import Q
from evalcore.measures.cascade import ERR
from evalcore.measures.compatibility import Compat
from evalcore.measures.discounted import DCG, ERRlike, GainDiscount, nDCG
from evalcore.measures.evaluation import evaluate, residual, sweep
from evalcore.measures.rbp import RBP
from evalcore.measures.urbp import uRBP, uRBP1, uRBP2, uRBPgr

__all__ = [
    "AP",
    "DCG",
    "ERR",
    "RBP",
    "RR",
    "Bpref",
    "Compat",
    "ERRlike",
    "GainDiscount",
    "GainMeasure",
    "Measure",
    "P",
    "Q",
    "R",
    "Rprec",
    "evaluate",
    "nDCG",
    "parse",
    "residual",
    "sweep",
    "uRBP",
    "uRBP1",
    "uRBP2",
    "uRBPgr",
]
