"""`evalcore discriminate`: how many pairs of systems does a measure tell apart? Sakai's paired bootstrap.

Discriminative power: test every pair of systems by Sakai's paired bootstrap over topics and count those told apart at
alpha; the difference of means that a pair needs for it. All measures and pairs share the same resamples, so the same
seed gives the same figures. With --pairs, every pair: difference, t, the p of a paired t-test, and the bootstrap's
achieved significance level (asl), and p of Wilcoxon's signed-rank test; none of them is corrected for the number of
pairs. With --test or --correction, significant is what that test decides at alpha with p so corrected over all pairs of
the measure; tukey is the randomised Tukey HSD, which takes no correction; its p is at least that of flipped signs of
the topics, as systems do not vary alike. A corrected p of the t-test or the bootstrap is held against flipped signs,
too, where scores come in steps (P@5) and there are more pairs than signs of the topics: a few topics then differ alike
by chance. A difference above 0 says that system_a is the better one, also where low
scores are good. A pair with an infinite score cannot be tested: it is
counted (untested), and is not told apart.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.options import CORRECTIONS, TESTS, TUKEY, add_tests
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.tables import gathered, joined
from evalcore.cli.terminal import Progress, print_note
from evalcore.later import pd
from evalcore.limits import of_resamples

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
    arguments.flag(group, "--pairs", help="every pair of systems, instead of one line per measure")
    arguments.add_ending(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the power of each measure, or every pair."""
    scores, about = gathered(options)
    _check_limits(scores, options)
    settings = {"alpha": options.alpha, "resamples": options.resamples, "seed": options.seed}
    with Progress() as progress:
        if options.pairs:
            table = joined((name, pairs) for name, _, pairs in _pairs(scores, options, progress))
        else:
            table = (_power if _is_plain(options) else _decided)(scores, options, progress)
    write_frame(table.assign(**settings), options, {**about, **settings})


def _is_plain(options: argparse.Namespace) -> bool:
    """Sakai's own test without a correction, of which the needed difference is known."""
    return (options.test, options.correction) == ("bootstrap", "none")


def _check_limits(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace) -> None:
    for frame in list(scores.values())[:1]:
        asked = of_resamples(options.resamples, len(frame), frame.shape[1], len(scores))
        arguments.limits(options).check(**asked)


def _power(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    tell = progress.named("Resampling")
    table = ec.meta.discriminative_power(scores, options.alpha, options.resamples, options.seed, tell)
    for name, pairs, untested in zip(table.index, table["pairs"], table["untested"], strict=True):
        _say_untested(str(name), int(untested), int(pairs))
    return table.reset_index()


def _decided(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    """What any test tells apart, with p corrected over the pairs of a measure."""
    rows = []
    for name, untested, pairs in _pairs(scores, options, progress):
        apart = int(pairs["significant"].sum())
        rows.append((name, len(pairs), apart, apart / len(pairs), untested, options.test, options.correction))
    return pd.DataFrame(rows, columns=["measure", "pairs", "significant", "power", "untested", "test", "correction"])


def _pairs(
    scores: Mapping[str, pd.DataFrame], options: argparse.Namespace, progress: Progress
) -> Iterator[tuple[str, int, pd.DataFrame]]:
    """Of each measure how many pairs cannot be tested, and every pair with what the test says of it."""
    from evalcore.rounding import less

    for name, frame in scores.items():
        tests = ec.meta.paired_bootstrap(frame, options.resamples, options.seed, progress=progress.named(name))
        pairs = tests.pairs
        if _is_plain(options):
            apart = pairs.index.isin(tests.significant_pairs(options.alpha).index)
        else:
            pairs = pairs.assign(p_corrected=_p(tests, frame, options))
            apart = less(pairs["p_corrected"].to_numpy(), options.alpha)
        _say_untested(name, tests.untested, len(pairs))
        yield name, tests.untested, pairs.assign(significant=apart)


def _p(tests: ec.meta.PairedBootstrap, frame: pd.DataFrame, options: argparse.Namespace) -> pd.Series:
    """P of every pair by the test asked for, corrected."""
    if options.test != TUKEY:
        return ec.meta.corrected_pairs(tests, TESTS[options.test], CORRECTIONS[options.correction])["p"]
    if options.correction != "none":
        raise UsageError(f"--test {TUKEY}: expected no --correction, found {options.correction}")
    return ec.meta.tukey_p(frame, options.resamples, options.seed)["p"]


def _say_untested(name: str, untested: int, pairs: int) -> None:
    if untested:
        text = f"{untested:,} of {pairs:,} pairs have an infinite score and cannot be tested: they are not told apart"
        print_note(f"{name}: {text}")
