"""`evalcore compare --pairs`, `--baseline`, ...: tests over topics, and the number of topics they need."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.scores import Scores
from evalcore.cli.tables import joined
from evalcore.cli.terminal import Progress, print_note
from evalcore.common import constants
from evalcore.common.constants import DESIGNS
from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError

TUKEY = "tukey"
TESTS = {name.lower(): name for name in constants.PAIRED_TESTS} | {TUKEY: TUKEY}
CORRECTIONS = {name.lower(): name for name in constants.CORRECTIONS}


def power_of_measures(scores: Scores, options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    """Return a table with a line for each measure: the number of pairs of systems that it separates."""
    table = (_sakai if _is_sakais(options) else _decided)(scores, options, progress)
    return table.assign(alpha=options.alpha, resamples=options.resamples, seed=options.seed)


def every_pair(scores: Scores, options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    """Return a table of tests: a line for each measure and pair of systems.

    By default, p is corrected to control false discoveries.
    """
    options.correction = options.correction or ("none" if options.test == TUKEY else "benjamini-hochberg")
    if options.margin is not None and (options.test == TUKEY or not options.margin > 0):
        raise UsageError(f"--margin: expected a difference above 0 and no --test {TUKEY}, found {options.margin:g}")
    table = joined((name, pairs) for name, _, pairs in _tested_pairs(scores, options, progress))
    return table.assign(alpha=options.alpha, resamples=options.resamples, seed=options.seed)


def baselines(scores: Scores, options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    """Return a table of tests of systems against baselines: a line for each measure, baseline and system."""
    _refuse_test(options, "--baseline", TUKEY)
    how = {"n_resamples": options.resamples, "seed": options.seed}
    names = TESTS[options.test], CORRECTIONS[options.correction]
    return joined(
        (name, ec.meta.against_baselines(frame, options.baseline, *names, **how, progress=progress.named(name)))
        for name, frame in scores.items()
    )


def topics(scores: Scores, options: argparse.Namespace, _: Progress) -> pd.DataFrame:
    """Return a table with a line for each measure and difference, with the number of topics needed.

    Unless --sd replaces scores, it also has the power with the present topics.
    """
    if options.sd is not None:
        if not options.sd > 0:
            raise UsageError(f"--sd: expected a number above 0, found {options.sd:g}")
        return pd.DataFrame([_needed(options.sd, 2, difference, options) for difference in options.topics_needed])
    return pd.DataFrame([row for name, frame in scores.items() for row in _needed_here(name, frame, options)])


def _is_sakais(options: argparse.Namespace) -> bool:
    """Return whether the test is Sakai's: bootstrap, uncorrected. The needed difference is known only for this test."""
    return (options.test, options.correction) == ("bootstrap", "none")


def _sakai(scores: Scores, options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    tell = progress.named("Resampling")
    table = ec.meta.discriminative_power(scores, options.alpha, options.resamples, options.seed, tell)
    for name, pairs, untested in zip(table.index, table["pairs"], table["untested"], strict=True):
        _say_untested(str(name), int(untested), int(pairs))
    return table.reset_index()


def _decided(scores: Scores, options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    """Return a table that counts the pairs that a test separates, with p corrected over the pairs of a measure."""
    rows = []
    for name, untested, pairs in _tested_pairs(scores, options, progress):
        apart = int(pairs["significant"].sum())
        rows.append((name, len(pairs), apart, apart / len(pairs), untested, options.test, options.correction))
    return pd.DataFrame(rows, columns=["measure", "pairs", "significant", "power", "untested", "test", "correction"])


def _tested_pairs(
    scores: Scores, options: argparse.Namespace, progress: Progress
) -> Iterator[tuple[str, int, pd.DataFrame]]:
    """Yield, for each measure, its name, the number of pairs that cannot be tested, and a table of all tested pairs."""
    from evalcore.common.rounding import less

    _refuse_test(options, "--pairs and --discriminative-power", "permutation")
    for name, frame in scores.items():
        tests = ec.meta.paired_bootstrap(frame, options.resamples, options.seed, progress=progress.named(name))
        pairs = tests.pairs
        if _is_sakais(options):
            apart = pairs.index.isin(tests.significant_pairs(options.alpha).index)
        else:
            pairs = pairs.assign(p_corrected=_p(tests, frame, options))
            apart = less(pairs["p_corrected"].to_numpy(), options.alpha)
        _say_untested(name, tests.untested, len(pairs))
        pairs = pairs.assign(significant=apart)
        if options.margin:
            how = TESTS[options.test], CORRECTIONS[options.correction], options.margin
            pairs["p_equivalent"] = ec.meta.corrected_pairs(tests, *how)["p_equivalent"]
            pairs["equivalent"] = less(pairs["p_equivalent"].to_numpy(), options.alpha)
        yield name, tests.untested, pairs


def _p(tests: ec.meta.PairedBootstrap, frame: pd.DataFrame, options: argparse.Namespace) -> pd.Series:
    """Return the corrected p of every pair, from the requested test."""
    if options.test != TUKEY:
        return ec.meta.corrected_pairs(tests, TESTS[options.test], CORRECTIONS[options.correction])["p"]
    if options.correction != "none":
        raise UsageError(f"--test {TUKEY} already corrects for all pairs: leave out --correction {options.correction}")
    return ec.meta.tukey_p(frame, options.resamples, options.seed)["p"]


def _refuse_test(options: argparse.Namespace, question: str, test: str) -> None:
    if options.test == test:
        known = ", ".join(name for name in TESTS if name != test)
        raise UsageError(f"--test: expected one of {known} with {question}, found {test}")


def _say_untested(name: str, untested: int, pairs: int) -> None:
    if untested:
        text = f"{untested:,} of {pairs:,} pairs have an infinite score and cannot be tested: none is significant"
        print_note(f"{name}: {text}")


def _needed_here(name: str, frame: pd.DataFrame, options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield a dict for each difference: the topics needed to detect it, and the power with the present topics.

    The standard deviation is estimated from the scores. Raises InputError if the differences of systems do not vary.
    """
    of_one = 1 if options.design == "paired" else 2**0.5
    sd, *limits = (end / of_one for end in (ec.meta.difference_sd(frame), *ec.meta.difference_sd_interval(frame)))
    if not sd > 0:
        raise InputError(f"{name}: expected differences that vary over topics, found a standard deviation of {sd:g}")
    n_topics, systems = len(frame), options.number_of_systems or frame.shape[1]
    for difference in options.topics_needed:
        chances = ec.meta.power(n_topics, difference / sd, options.alpha, DESIGNS[options.design], systems)
        row = {"measure": name, "topics": n_topics, "power": chances, **_needed(sd, systems, difference, options)}
        yield row | _limits(limits, difference, systems, options)


def _needed(sd: float, systems: int, difference: float, options: argparse.Namespace) -> dict[str, object]:
    effect, design = difference / sd, DESIGNS[options.design]
    systems = options.number_of_systems or systems
    row: dict[str, object] = {"difference": difference, "sd": sd, "effect": effect}
    row["topics_needed"] = ec.meta.topics_needed(effect, options.alpha, options.power, design, systems)
    if options.design != "anova":
        row["topics_for_interval"] = ec.meta.topics_for_interval(effect, 1 - options.alpha, design)
    return row | {"design": design, "alpha": options.alpha, "wanted": options.power}


def _limits(limits: Sequence[float], difference: float, systems: int, options: argparse.Namespace) -> dict[str, object]:
    """Return a dict of sd_low, sd_high, topics_needed_low and topics_needed_high.

    These are the limits of the standard deviation, and the topics needed at each limit; nan if unknown.
    """
    from evalcore.meta.needed_topics import needed_or_nan

    how = options.alpha, options.power, DESIGNS[options.design], systems
    row: dict[str, object] = {}
    for end, sd in zip(("low", "high"), limits, strict=True):
        needed = needed_or_nan(difference / sd, *how)
        row |= {f"sd_{end}": sd, f"topics_needed_{end}": needed if math.isnan(needed) else int(needed)}
    return row
