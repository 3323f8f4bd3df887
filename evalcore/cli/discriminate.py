"""`evalcore discriminate`: how many pairs of systems does a measure tell apart? Sakai's paired bootstrap.

Discriminative power: test every pair of systems by Sakai's paired bootstrap over topics and count those told apart at
alpha; the difference of means that a pair needs for it. All measures and pairs share the same resamples, so the same
seed gives the same figures. With --pairs, every pair: difference, t, the p of a paired t-test, and the bootstrap's
achieved significance level (asl), and p of Wilcoxon's signed-rank test; none of them is corrected for the number of
pairs. With --test or --correction, significant is what that test decides at alpha with p so corrected over all pairs of
the measure; tukey is the randomised Tukey HSD, which takes no correction; its p is at least that of flipped signs of
the topics, as systems do not vary alike. A difference above 0 says that system_a is the better one, also where low
scores are good. A pair with an infinite score cannot be tested: it is
counted (untested), and is not told apart.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.cluster import asked_for
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.significance import CORRECTIONS, TESTS, TUKEY, add_tests
from evalcore.cli.tables import gathered, joined
from evalcore.cli.terminal import Progress, print_note

if TYPE_CHECKING:
    import pandas as pd

    from evalcore.meta import PairedBootstrap
    from evalcore.progress import Tell

USAGE = "[WHERE] [-m MEASURE]... [--scores FILE...] [options]"
EXAMPLES = (
    "evalcore discriminate sample_data/health -m 'RBP, uRBP, AP, nDCG@10' --resamples 1000",
    "evalcore discriminate sample_data/health -m AP --alpha 0.01 --seed 7 --resamples 1000 -f json",
    "evalcore discriminate sample_data/health -m AP --systems 'bm25*' --resamples 1000 --pairs",
    "evalcore discriminate sample_data/health -m 'AP, RBP' --test wilcoxon --correction benjamini-hochberg",
    "evalcore score sample_data/health -m AP -q -f csv | evalcore discriminate --scores - --resamples 1000",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = arguments.add_scored(parser, "test")
    group.add_argument("--alpha", type=float, default=0.05, metavar="P", help="significance level (default: 0.05)")
    arguments.add_resamples(group, 10_000, "bootstrap resamples of topics (default: 10000)")
    add_tests(group, ("bootstrap", "t-test", "wilcoxon", TUKEY), "none")
    group.add_argument("--pairs", action="store_true", help="every pair of systems, instead of one line per measure")
    arguments.add_ending(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the power of each measure, or every pair."""
    scores, about = gathered(options)
    _check_limits(scores, options)
    settings = {"alpha": options.alpha, "resamples": options.resamples, "seed": options.seed}
    with Progress() as progress:
        if options.pairs:
            table = _pairs(scores, options, progress)
        else:
            table = (_power if _is_plain(options) else _decided)(scores, options, progress)
    write_frame(table.assign(**settings), options, {**about, **settings})


def _is_plain(options: argparse.Namespace) -> bool:
    """Sakai's own test without a correction, of which the needed difference is known."""
    return (options.test, options.correction) == ("bootstrap", "none")


def _check_limits(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace) -> None:
    from evalcore.limits import of_resamples

    for frame in list(scores.values())[:1]:
        asked = of_resamples(options.resamples, len(frame), frame.shape[1], len(scores))
        arguments.limits(options).check(**asked)


def _power(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    from evalcore.meta.discrimination import discriminative_power

    cluster, tell = asked_for(options), progress.named("Resampling")
    power = cluster.discriminative_power if cluster else discriminative_power
    table = power(scores, options.alpha, options.resamples, options.seed, tell)
    for name, pairs, untested in zip(table.index, table["pairs"], table["untested"], strict=True):
        _say_untested(str(name), int(untested), int(pairs))
    return table.reset_index()


def _pairs(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    from evalcore.rounding import less

    tables = {}
    for name, frame in scores.items():
        tests = _tested(frame, options, progress.named(name))
        pairs = tests.pairs
        if _is_plain(options):
            apart = pairs.index.isin(tests.significant_pairs(options.alpha).index)
        else:
            pairs = pairs.assign(p_corrected=_p(tests, frame, options))
            apart = less(pairs["p_corrected"].to_numpy(), options.alpha)
        tables[name] = pairs.assign(significant=apart)
        _say_untested(name, tests.untested, len(pairs))
    return joined(tables.items())


def _decided(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    """What any test tells apart, with p corrected over the pairs of a measure."""
    import pandas as pd

    from evalcore.rounding import less

    rows = []
    for name, frame in scores.items():
        tests = _tested(frame, options, progress.named(name))
        p = _p(tests, frame, options)
        apart = int(less(p.to_numpy(), options.alpha).sum())
        _say_untested(name, tests.untested, len(p))
        rows.append((name, len(p), apart, apart / len(p), tests.untested, options.test, options.correction))
    return pd.DataFrame(rows, columns=["measure", "pairs", "significant", "power", "untested", "test", "correction"])


def _tested(frame: pd.DataFrame, options: argparse.Namespace, tell: Tell) -> PairedBootstrap:
    from evalcore.meta.discrimination import paired_bootstrap

    if cluster := asked_for(options):
        return cluster.paired_bootstrap(frame, options.resamples, options.seed, tell)
    return paired_bootstrap(frame, options.resamples, options.seed, progress=tell)


def _p(tests: PairedBootstrap, frame: pd.DataFrame, options: argparse.Namespace) -> pd.Series:
    """P of every pair by the test asked for, corrected."""
    from evalcore.meta import corrected_pairs, tukey_p

    if options.test != TUKEY:
        return corrected_pairs(tests, TESTS[options.test], CORRECTIONS[options.correction])["p"]
    if options.correction != "none":
        raise UsageError(f"--test {TUKEY}: expected no --correction, found {options.correction}")
    return tukey_p(frame, options.resamples, options.seed)["p"]


def _say_untested(name: str, untested: int, pairs: int) -> None:
    if untested:
        text = f"{untested:,} of {pairs:,} pairs have an infinite score and cannot be tested: they are not told apart"
        print_note(f"{name}: {text}")
