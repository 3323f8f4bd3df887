"""How much does our ranking of systems depend on how we measured?

Load runs and assessments of several aspects, score them by measures that are values, compare the rankings.
"""

from evalcore.data import Assessments, Collection, Rankings, Scale, load, load_files, restrict
from evalcore.errors import DataError
from evalcore.measures import Measure, evaluate, parse, residual, sweep
from evalcore.meta import (
    CORRELATIONS,
    bootstrap_interval,
    pearson,
    prefix_overlap,
    rank_changes,
    ranks,
    rbo,
    spearman,
    tau,
    tau_a,
    tau_ap,
    tau_ap_b,
    told_apart,
)

__version__ = "0.1.0"

__all__ = [
    "CORRELATIONS",
    "Assessments",
    "Collection",
    "DataError",
    "Measure",
    "Rankings",
    "Scale",
    "bootstrap_interval",
    "evaluate",
    "load",
    "load_files",
    "parse",
    "pearson",
    "prefix_overlap",
    "rank_changes",
    "ranks",
    "rbo",
    "residual",
    "restrict",
    "spearman",
    "sweep",
    "tau",
    "tau_a",
    "tau_ap",
    "tau_ap_b",
    "told_apart",
]
