"""Evaluate retrieval systems, and measure how much their ranking depends on how we measured.

Load runs and assessments of several aspects, score them with measures, and compare the rankings.

Modules are imported on first use, so that commands start fast: a name is then looked up in the modules of `_PARTS`, or
in the tables of `evalcore.subjects`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.citation import cite, expect
    from evalcore.data import (
        Assessments,
        Collection,
        Rankings,
        Scale,
        average_over,
        collection,
        fetch,
        judged_by,
        lead_by,
        load,
        load_files,
        load_scores,
        public_collections,
        restrict,
        sample_folder,
    )
    from evalcore.direction import directed, upwards
    from evalcore.drawing import plot
    from evalcore.errors import InputError
    from evalcore.explain import cut_rankings, label_sums_by_rank, upper_bounds, zero_aspect_documents
    from evalcore.measures import Measure, covered_topics, evaluate, parse, residual, sweep, user_model
    from evalcore.meta import (
        CORRELATIONS,
        against_baselines,
        best_first,
        bootstrap_interval,
        compare_systems,
        correlation_intervals,
        correlation_matrix,
        difference_sd,
        discriminative_power,
        distinguished_pairs,
        first_in_words,
        move,
        movers,
        needed_differences,
        paired_bootstrap,
        pearson,
        permutation_p,
        power,
        prefix_overlap,
        rank_changes,
        rank_intervals,
        ranks,
        rbo,
        smallest_effect,
        spearman,
        swaps,
        tau,
        tau_a,
        tau_ap,
        tau_ap_b,
        ties_in_words,
        topics_for_interval,
        topics_needed,
        tukey_p,
        wilcoxon_p,
        wilcoxon_pairs,
    )
    from evalcore.sensitivity import (
        orders_along,
        parameters_of,
        trajectory,
        usual_parameters,
        varied_of,
        with_option,
        with_path,
    )

__version__ = "0.1.0"

__all__ = [
    "CORRELATIONS", "Assessments", "Collection", "InputError", "Measure", "Rankings", "Scale", "against_baselines",
    "average_over", "best_first", "bootstrap_interval", "cite", "collection",
    "compare_systems", "correlation_intervals", "correlation_matrix", "covered_topics",
    "cut_rankings", "difference_sd", "directed", "discriminative_power", "distinguished_pairs",
    "evaluate", "expect", "fetch", "first_in_words", "judged_by",
    "label_sums_by_rank", "lead_by", "load", "load_files", "load_scores", "move", "movers",
    "needed_differences", "orders_along", "paired_bootstrap", "parameters_of", "parse", "pearson", "permutation_p",
    "plot", "power", "prefix_overlap", "public_collections", "rank_changes", "rank_intervals", "ranks", "rbo",
    "residual", "restrict", "sample_folder", "smallest_effect", "spearman", "swaps", "sweep", "tau", "tau_a",
    "tau_ap", "tau_ap_b", "ties_in_words", "topics_for_interval", "topics_needed", "trajectory", "tukey_p",
    "upper_bounds", "upwards", "user_model", "usual_parameters", "varied_of", "wilcoxon_p",
    "wilcoxon_pairs", "with_option", "with_path", "zero_aspect_documents",
]  # fmt: skip

# The modules that define these names, in the order of search.
_PARTS = (
    "errors", "direction", "data", "measures", "explain", "meta", "sensitivity", "citation",
    "drawing",
)  # fmt: skip

if TYPE_CHECKING:  # what subjects add, for type checkers
    from evalcore.claims import claim, specifications
    from evalcore.labels import combining as combining
    from evalcore.labels import judges as judges
    from evalcore.labels import pools as pools
    from evalcore.labels.combining import combine
    from evalcore.labels.judges import noise_curve, source_agreement, source_rankings
    from evalcore.leaderboard import aggregate, aggregate_intervals, gap_effects, without_gaps
    from evalcore.teaching import exercises as exercises
    from evalcore.teaching import papers as papers

    __all__ += [
        "aggregate", "aggregate_intervals", "claim", "combine", "gap_effects", "noise_curve",
        "source_agreement", "source_rankings", "specifications", "without_gaps",
    ]  # fmt: skip
else:
    from evalcore.common.lazy_imports import names_from
    from evalcore.subjects import added, names_in

    __all__ += names_in(added("names"))
    _of_subjects = names_from(added("names"), globals())

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _PARTS:
            return import_module(f"{__name__}.{name}")
        if name in (modules := added("modules")):
            return import_module(modules[name])
        for part in _PARTS if name in __all__ else ():
            module = import_module(f"{__name__}.{part}")
            if hasattr(module, name):
                result = globals()[name] = getattr(module, name)
                return result
        return _of_subjects(name)

    def __dir__() -> list[str]:
        return sorted([*__all__, *_PARTS, *added("modules"), "__version__"])
