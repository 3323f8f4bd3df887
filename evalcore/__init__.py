"""How much does our ranking of systems depend on how we measured?

Load runs and assessments of several aspects, score them by measures that are values, compare the rankings.

Nothing is imported before it is used, so that a command line answers at once: a name is looked up in the parts of the
package when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.claims import claim, specifications
    from evalcore.data import (
        Assessments,
        Collection,
        Rankings,
        Scale,
        average_over,
        collection,
        load,
        load_files,
        load_scores,
        restrict,
    )
    from evalcore.direction import directed, upwards
    from evalcore.errors import InputError
    from evalcore.measures import Measure, evaluate, parse, residual, sweep
    from evalcore.meta import (
        CORRELATIONS,
        best_first,
        bootstrap_interval,
        compare_systems,
        correlation_matrix,
        discriminative_power,
        driving_topics,
        leave_one_out,
        needed_differences,
        pair_decisions,
        paired_bootstrap,
        pearson,
        permutation_p,
        prefix_overlap,
        rank_changes,
        ranks,
        rbo,
        spearman,
        tau,
        tau_a,
        tau_ap,
        tau_ap_b,
        distinguished_pairs,
        tukey_p,
    )
    from evalcore.scale import PartitionedCollection, open_partitions, partition
    from evalcore.sensitivity import parameters_of, trajectory, with_path
    from evalcore.explain.top_documents import cut_rankings, label_sums_by_rank, zero_aspect_documents

__version__ = "0.1.0"

__all__ = [
    "CORRELATIONS",
    "Assessments",
    "Collection",
    "InputError",
    "Measure",
    "PartitionedCollection",
    "Rankings",
    "Scale",
    "average_over",
    "best_first",
    "bootstrap_interval",
    "claim",
    "collection",
    "compare_systems",
    "correlation_matrix",
    "cut_rankings",
    "directed",
    "discriminative_power",
    "driving_topics",
    "evaluate",
    "label_sums_by_rank",
    "leave_one_out",
    "load",
    "load_files",
    "load_scores",
    "needed_differences",
    "open_partitions",
    "pair_decisions",
    "paired_bootstrap",
    "parameters_of",
    "parse",
    "partition",
    "pearson",
    "permutation_p",
    "prefix_overlap",
    "rank_changes",
    "ranks",
    "rbo",
    "residual",
    "restrict",
    "spearman",
    "specifications",
    "sweep",
    "tau",
    "tau_a",
    "tau_ap",
    "tau_ap_b",
    "distinguished_pairs",
    "trajectory",
    "tukey_p",
    "upwards",
    "with_path",
    "zero_aspect_documents",
]

# Where the names above are defined, in the order in which they are looked for.
_PARTS = (
    "errors",
    "direction",
    "data",
    "measures",
    "meta",
    "sensitivity",
    "top_documents",
    "partitioned",
    "cluster",
    "claims",
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _PARTS:
            return import_module(f"{__name__}.{name}")
        for part in _PARTS if name in __all__ else ():
            module = import_module(f"{__name__}.{part}")
            if hasattr(module, name):
                found = globals()[name] = getattr(module, name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted([*__all__, *_PARTS, "__version__"])
