"""`evalcore baseline`: what does every system gain over a baseline, and could it be chance?

Every system against one or several baselines, on the topics that both have: gain (how much it leads the baseline, above
0 where it is better, also where low scores are good) with its 95% interval (low, high; none of a gain that is the same
on every topic) and gain_percent of the baseline's mean; topics won, lost and tied; p of a two-sided paired test, and p
corrected over all systems and all baselines of a measure (of the t-test and the bootstrap held against flipped signs of
the topics where scores come in steps and there are more tests than signs).
"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.options import CORRECTIONS, TESTS, add_tests
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.scores import Scores
from evalcore.cli.tables import gathered, joined
from evalcore.cli.terminal import Progress
from evalcore.limits import of_resamples

USAGE = "[WHERE] --against SYSTEM... [-m MEASURE]... [--scores FILE...] [options]"
EXAMPLES = (
    "evalcore baseline sample_data/health -m 'AP, nDCG@10' --against bm25_base --systems 'bm25*'",
    "evalcore baseline sample_data/health -m AP --against bm25_base bm25_rm3 --test t-test --correction holm -f csv",
    "evalcore baseline sample_data/health -m 'uRBP(rho=0.8)' --against bm25_base --test permutation --resamples 1000",
    "evalcore score sample_data/health -m AP -q -f csv | evalcore baseline --scores - --against bm25_base",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = arguments.add_scored(parser, "baselines")
    arguments.several(group, "--against", "SYSTEM", "the baseline; several are all corrected for")
    add_tests(group, tuple(TESTS), "benjamini-hochberg")
    arguments.add_resamples(group, 10_000, "of topics or signs, for bootstrap and permutation (default: 10000)")
    arguments.add_ending(parser, FORMATS)


def _check_limits(scores: Scores, options: argparse.Namespace) -> None:
    for frame in list(scores.values())[:1] if options.test in ("bootstrap", "permutation") else ():
        memory = of_resamples(options.resamples, len(frame), 2, 1)["memory"]
        tests = options.resamples * len(options.against) * (frame.shape[1] - len(options.against)) * len(scores)
        arguments.limits(options).check(memory=memory, tests=tests)


def run(options: argparse.Namespace) -> None:
    """Print a line for each measure, baseline and system."""
    if not options.against:
        raise UsageError("expected --against SYSTEM, found none")
    scores, about = gathered(options)
    _check_limits(scores, options)
    settings = {"test": TESTS[options.test], "correction": CORRECTIONS[options.correction]}
    how = {**settings, "n_resamples": options.resamples, "seed": options.seed}
    with Progress() as progress:
        table = joined(
            (name, ec.meta.against_baselines(frame, options.against, **how, progress=progress.named(name)))
            for name, frame in scores.items()
        )
    drawn = {"resamples": options.resamples, "seed": options.seed}
    write_frame(table, options, {**about, **settings, **drawn})
