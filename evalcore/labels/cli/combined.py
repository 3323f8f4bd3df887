"""`evalcore labels --combine`: scores from few human labels and many model labels, together and separately.

The topics and documents with human labels are read from the sources. Options hide some human labels, to try fewer. If
only some documents of a topic have human labels, scores must be sums of gains (RBP, DCG, nDCG, P); if whole topics are
labelled, any measure works.
"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.opening import named
from evalcore.cli.terminal import print_note
from evalcore.common.lazy_imports import pd
from evalcore.common.progress import Tell
from evalcore.labels.cli.judging import of_each_measure


@of_each_measure
def combine(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace, _: Tell) -> pd.DataFrame:
    """Return a line for each system: its score and rank from both sources of labels together, and from each alone."""
    sources = measure, collection, options.model, options.human
    kept, aspect = _kept(options), options.labels_of
    how = {"n_resamples": options.resamples, "level": options.level, "seed": options.seed}
    found = ec.combining.combine(*sources, kept=kept, aspect=aspect, **how)
    for line in found.scores:
        print_note(ec.meta.first_in_words(found.ranks(line), f"{found.measure} ({line})", named(options)))
    print_note(f"Confidence: {found.worth_in_words()}; valid if {found.assumption}")
    return found.table.reset_index().assign(labels=found.n_labels, topics=found.n_topics)


def _kept(options: argparse.Namespace) -> ec.combining.KeptLabels:
    """Return the rule for which human labels to keep, from the options of the command."""
    share, depth = _one(options.share, "--share", 1.0), _one(options.depth, "--depth", 0)
    return ec.combining.KeptLabels(share, options.topic_share, int(depth), options.seed)


def _one(values: list[float] | None, option: str, default: float) -> float:
    """Return the only value of an option, or the default. Raises UsageError if there are several."""
    if values is not None and len(values) > 1:
        raise UsageError(f"{option}: expected one number with --combine, found {len(values)}")
    return values[0] if values else default
