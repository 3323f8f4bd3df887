"""Gains and scores: every measure is a value, named by one text."""

from evalcore.measures.base import GainMeasure, Measure, parse
from evalcore.measures.evaluation import evaluate, residual, sweep
from evalcore.measures.rbp import RBP
from evalcore.measures.urbp import uRBP, uRBP1, uRBP2, uRBPgr

__all__ = ["RBP", "GainMeasure", "Measure", "evaluate", "parse", "residual", "sweep", "uRBP", "uRBP1", "uRBP2", "uRBPgr"]
