"""`evalcore discriminate`: how many pairs of systems does a measure tell apart?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evalcore.cli import options as arguments
from evalcore.cli.cluster import asked_for
from evalcore.cli.output import FORMATS, chosen_format, write_frame
from evalcore.cli.tables import expectations, gathered
from evalcore.cli.terminal import Progress, clean

if TYPE_CHECKING:
    import pandas as pd

NAME = "discriminate"
HELP = "how many pairs of systems does a measure tell apart? Sakai's paired bootstrap"
USAGE = "[WHERE] [-m MEASURE]... [--scores FILE...] [options]"
DESCRIPTION = """\
Discriminative power: test every pair of systems by Sakai's paired bootstrap over topics and count those told apart at
alpha; the difference of means that a pair needs for it. All measures and pairs share the same resamples, so the same
seed gives the same figures. With --pairs, every pair: difference, t, the p of a paired t-test, and the bootstrap's
achieved significance level (asl); neither is corrected for the number of pairs. A difference above 0 says that
system_a is the better one, also where low scores are good. A pair with an infinite score cannot be tested: it is
counted (untested), and is not told apart."""
EXAMPLES = (
    "evalcore discriminate sample_data/health -m 'RBP, uRBP, AP, nDCG@10' --resamples 1000",
    "evalcore discriminate sample_data/health -m AP --alpha 0.01 --seed 7 --resamples 1000 -f json",
    "evalcore discriminate sample_data/health -m AP --systems 'bm25*' --resamples 1000 --pairs",
    "evalcore score sample_data/health -m AP -q -f csv | evalcore discriminate --scores - --resamples 1000",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    arguments.add_collection(parser)
    arguments.add_measures(parser)
    arguments.add_trec_eval(parser)
    arguments.add_scores(parser)
    group = parser.add_argument_group("test")
    group.add_argument("--alpha", type=float, default=0.05, metavar="P", help="significance level (default: 0.05)")
    arguments.add_resamples(group, 10_000, "bootstrap resamples of topics (default: 10000)")
    group.add_argument("--pairs", action="store_true", help="every pair of systems, instead of one line per measure")
    arguments.add_limits(parser)
    arguments.add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the power of each measure, or every pair."""
    scores, about = gathered(options)
    _check_limits(scores, options)
    settings = {"alpha": options.alpha, "resamples": options.resamples, "seed": options.seed}
    with Progress() as progress, expectations():
        found = (_pairs if options.pairs else _power)(scores, options, progress)
    write_frame(found.assign(**settings), options, chosen_format(options), {**about, **settings})


def _check_limits(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace) -> None:
    from evalcore.limits import of_resamples

    for frame in list(scores.values())[:1]:
        asked = of_resamples(options.resamples, len(frame), frame.shape[1], len(scores))
        arguments.limits(options).check(**asked)


def _power(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    from evalcore.meta.discrimination import discriminative_power

    cluster, tell = asked_for(options), progress.named("Resampling")
    power = cluster.discriminative_power if cluster else discriminative_power
    found = power(scores, options.alpha, options.resamples, options.seed, tell)
    for name, pairs, untested in zip(found.index, found["pairs"], found["untested"], strict=True):
        _say_untested(str(name), int(untested), int(pairs))
    return found.reset_index()


def _pairs(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    import pandas as pd

    from evalcore.meta.discrimination import paired_bootstrap

    tables = []
    for name, frame in scores.items():
        settings, tell = (options.resamples, options.seed), progress.named(name)
        if cluster := asked_for(options):
            tests = cluster.paired_bootstrap(frame, *settings, tell)
        else:
            tests = paired_bootstrap(frame, *settings, progress=tell)
        pairs = tests.pairs.assign(significant=tests.pairs.index.isin(tests.significant_pairs(options.alpha).index))
        pairs.insert(0, "measure", name)
        _say_untested(name, tests.untested, len(pairs))
        tables.append(pairs)
    return pd.concat(tables, ignore_index=True)


def _say_untested(name: str, untested: int, pairs: int) -> None:
    if untested:
        text = f"{untested:,} of {pairs:,} pairs have an infinite score and cannot be tested: they are not told apart"
        print(f"evalcore: note: {clean(name)}: {text}", file=sys.stderr)
