"""Meta-evaluation: frames of scores in, what a measure is worth out.

Everything here sees only scores (per system, or topics x systems), so it works for every measure and for
score tables made by other tools.

In a frame nan says that the system has no score on the topic, as it retrieved nothing for it (see
`evalcore.data.averages`). A mean is over the topics that a system has; two systems are tested on those that both have,
and compared topic by topic where both have the topic. Measures that are compared have their scores on the same topics.
"""

from evalcore.meta.agreement import joint_counts, label_agreement
from evalcore.meta.changes import best_first, rank_changes, ranks, swapped_pairs, distinguished_pairs, winner, winners
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
from evalcore.meta.discrimination import (
    PairedBootstrap,
    discriminative_power,
    needed_differences,
    pair_decisions,
    paired_bootstrap,
)
from evalcore.meta.matrix import (
    EQUIVALENT,
    CorrelationMatrix,
    correlation_matrix,
    equivalent_groups,
    named_pairs,
    shared_part,
    similar_together,
)
from evalcore.meta.resampling import Interval, bootstrap_interval, resampled_means, topic_resamples
from evalcore.meta.significance import (
    CORRECTIONS,
    PairComparison,
    compare_systems,
    corrected,
    corrected_pairs,
    permutation_p,
    tukey_p,
)
from evalcore.meta.topics import (
    driving_topics,
    jackknife_error,
    leave_one_out,
    means_without,
    pair_contributions,
    rank_ranges,
)

__all__ = [
    "CORRECTIONS",
    "CORRELATIONS",
    "EQUIVALENT",
    "Correlation",
    "CorrelationMatrix",
    "Interval",
    "PairComparison",
    "PairedBootstrap",
    "best_first",
    "bootstrap_interval",
    "by_topic",
    "compare_systems",
    "corrected",
    "corrected_pairs",
    "correlation_matrix",
    "discriminative_power",
    "driving_topics",
    "equivalent_groups",
    "jackknife_error",
    "joint_counts",
    "label_agreement",
    "leave_one_out",
    "means_without",
    "named_pairs",
    "needed_differences",
    "pair_contributions",
    "pair_decisions",
    "paired_bootstrap",
    "pearson",
    "permutation_p",
    "prefix_overlap",
    "rank_changes",
    "rank_ranges",
    "ranks",
    "rbo",
    "resampled_means",
    "shared_part",
    "similar_together",
    "spearman",
    "swapped_pairs",
    "tau",
    "tau_a",
    "tau_ap",
    "tau_ap_b",
    "distinguished_pairs",
    "topic_resamples",
    "tukey_p",
    "winner",
    "winners",
]
