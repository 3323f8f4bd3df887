"""Meta-evaluation: frames of scores in, what a measure is worth out.

Everything here sees only scores (per system, or topics x systems), so it works for every measure and for
score tables made by other tools.
"""

from evalcore.meta.agreement import joint_counts, label_agreement
from evalcore.meta.changes import rank_changes, ranks, swapped_pairs, told_apart
from evalcore.meta.correlation import (
    CORRELATIONS,
    Correlation,
    by_topic,
    pearson,
    prefix_overlap,
    rbo,
    spearman,
    tau,
    tau_a,
    tau_ap,
    tau_ap_b,
)
from evalcore.meta.resampling import Interval, bootstrap_interval, resampled_means, topic_resamples

__all__ = [
    "CORRELATIONS",
    "Correlation",
    "Interval",
    "bootstrap_interval",
    "by_topic",
    "joint_counts",
    "label_agreement",
    "pearson",
    "prefix_overlap",
    "rank_changes",
    "ranks",
    "rbo",
    "resampled_means",
    "spearman",
    "swapped_pairs",
    "tau",
    "tau_a",
    "tau_ap",
    "tau_ap_b",
    "told_apart",
    "topic_resamples",
]
