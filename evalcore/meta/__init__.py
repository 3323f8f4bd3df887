"""Meta-evaluation: from frames of scores to the quality of measures.

Everything here sees only scores (per system, or topics x systems), so it works for every measure and for
score tables made by other tools.

In a frame, nan means that the system has no score on the topic, because it retrieved nothing there (see
`evalcore.data.averages`). A system's mean is over the topics on which it has a score; two systems are tested on the
topics that both have. Two measures are compared on the topics that both cover.
"""

from evalcore.meta.agreement import joint_counts, label_agreement
from evalcore.meta.baselines import BASELINE_TESTS, against_baselines
from evalcore.meta.best import may_be_best
from evalcore.meta.changes import (
    best_first,
    distinguished_pairs,
    leaders,
    rank_changes,
    ranks,
    swapped_pairs,
    winner,
    winners,
)
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
    ties_in_words,
)
from evalcore.meta.decided_swaps import Swaps, swaps, swaps_in_words, swaps_of_in_words
from evalcore.meta.discrimination import PairedBootstrap, discriminative_power, needed_differences, paired_bootstrap
from evalcore.meta.intervals import bootstrap_interval, correlation_intervals
from evalcore.meta.intervals_of_ranks import RankIntervals, first_in_words, quickly_resampled, rank_intervals
from evalcore.meta.letters import letters_of_pairs
from evalcore.meta.matrix import (
    EQUIVALENT,
    CorrelationMatrix,
    correlation_matrix,
    equivalent_groups,
    named_pairs,
    shared_part,
    similar_together,
)
from evalcore.meta.moves import Move, move, movers
from evalcore.meta.needed_topics import (
    difference_sd,
    difference_sd_interval,
    power,
    smallest_effect,
    topic_set_sizes,
    topics_for_interval,
    topics_needed,
)
from evalcore.meta.resampling import Interval, topic_resamples
from evalcore.meta.significance import (
    CORRECTIONS,
    PairComparison,
    compare_systems,
    corrected,
    corrected_pairs,
    permutation_p,
    tukey_p,
)
from evalcore.meta.wilcoxon import wilcoxon_p, wilcoxon_pairs

__all__ = [
    "BASELINE_TESTS", "CORRECTIONS", "CORRELATIONS", "EQUIVALENT", "Correlation",
    "CorrelationMatrix", "Interval", "Move", "PairComparison", "PairedBootstrap", "RankIntervals", "Swaps",
    "against_baselines", "best_first", "bootstrap_interval", "by_topic", "compare_systems",
    "corrected", "corrected_pairs", "correlation_intervals", "correlation_matrix", "difference_sd",
    "difference_sd_interval", "discriminative_power", "distinguished_pairs",
    "equivalent_groups", "first_in_words", "joint_counts", "label_agreement",
    "leaders", "letters_of_pairs",
    "may_be_best", "move", "movers", "named_pairs", "needed_differences",
    "paired_bootstrap", "pearson", "permutation_p", "power",
    "prefix_overlap", "quickly_resampled", "rank_changes", "rank_intervals",
    "ranks", "rbo", "shared_part", "similar_together", "smallest_effect", "spearman",
    "swapped_pairs", "swaps", "swaps_in_words", "swaps_of_in_words", "tau", "tau_a", "tau_ap", "tau_ap_b",
    "ties_in_words", "topic_resamples", "topic_set_sizes", "topics_for_interval", "topics_needed", "tukey_p",
    "wilcoxon_p", "wilcoxon_pairs", "winner", "winners",
]  # fmt: skip
