"""`evalcore power`: how many topics does a difference need, and what power have those there are?

Topic set size design (Sakai 2016): the fewest topics with which a test at alpha finds the difference of two means with
the power that is wanted, and the fewest for which its confidence interval is on average no wider than that difference.
The standard deviation is estimated from scores: of the differences of two systems over topics, pooled over all pairs;
for --design two-sample and anova, of the scores without what topics and systems explain, so that it is 1/sqrt(2) of
that. Then power is also that of the topics there are, and what the topics leave open of the deviation is said: its 95%
limits sd_low and sd_high, and what they make of the topics needed. Without scores, say it with --sd.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.opening import is_given
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.tables import gathered
from evalcore.constants import DESIGNS
from evalcore.errors import InputError
from evalcore.later import pd

USAGE = "[WHERE] --difference D... [-m MEASURE]... [--scores FILE...] [--sd S] [options]"
EXAMPLES = (
    "evalcore power sample_data/health -m 'AP, nDCG@10' --difference 0.05 0.1",
    "evalcore power sample_data/health -m AP --difference 0.05 --power 0.9 --alpha 0.01 -f csv",
    "evalcore power --difference 0.1 --sd 0.2",
    "evalcore power --difference 0.1 --sd 0.2 --design anova --number-of-systems 10",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = arguments.add_scored(parser, "design")
    arguments.several(group, "--difference", "D", "of two means, as small as matters", type=float)
    group.add_argument("--sd", type=float, metavar="S", help="standard deviation, instead of an estimated one")
    group.add_argument("--design", choices=tuple(DESIGNS), default="paired", help="default: paired")
    group.add_argument("--alpha", type=float, default=0.05, metavar="P", help="significance level (default: 0.05)")
    group.add_argument("--power", type=float, default=0.8, metavar="SHARE", help="that is wanted (default: 0.8)")
    group.add_argument(
        "--number-of-systems", type=int, metavar="N", help="of an ANOVA (default: as many as have scores, else 2)"
    )
    arguments.add_ending(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print a line for each measure and difference."""
    if not options.difference:
        raise UsageError("expected --difference D, found none")
    has_scores = is_given(options) or bool(options.scores)
    if has_scores == (options.sd is not None):
        raise UsageError(f"expected a collection, --scores FILE or --sd S, found {'both' if has_scores else 'none'}")
    if not has_scores:
        rows = [_row(options.sd, 2, difference, options) for difference in options.difference]
        write_frame(pd.DataFrame(rows), options)
        return
    scores, about = gathered(options)
    table = pd.DataFrame(_of_scores(scores, options))
    write_frame(table, options, about)


def _of_scores(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace) -> list[dict[str, object]]:
    rows = []
    for name, frame in scores.items():
        of_one = 1 if options.design == "paired" else 2**0.5
        sd, *limits = (end / of_one for end in (ec.meta.difference_sd(frame), *ec.meta.difference_sd_interval(frame)))
        if not sd > 0:
            raise InputError(f"{name}: expected differences that vary over topics, found a deviation of {sd:g}")
        topics, systems = len(frame), options.number_of_systems or frame.shape[1]
        for difference in options.difference:
            chances = ec.meta.power(topics, difference / sd, options.alpha, DESIGNS[options.design], systems)
            row = {"measure": name, "topics": topics, "power": chances, **_row(sd, systems, difference, options)}
            rows.append(row | _limits(limits, difference, systems, options))
    return rows


def _limits(limits: Sequence[float], difference: float, systems: int, options: argparse.Namespace) -> dict[str, object]:
    """The limits of the deviation, and the topics that each asks for; nan where there are none."""
    from evalcore.meta.needed_topics import needed_or_nan

    how = options.alpha, options.power, DESIGNS[options.design], systems
    row: dict[str, object] = {}
    for end, sd in zip(("low", "high"), limits, strict=True):
        needed = needed_or_nan(difference / sd, *how)
        row |= {f"sd_{end}": sd, f"topics_needed_{end}": needed if math.isnan(needed) else int(needed)}
    return row


def _row(sd: float, systems: int, difference: float, options: argparse.Namespace) -> dict[str, object]:
    if not sd > 0:
        raise UsageError(f"--sd: expected a number above 0, found {sd:g}")
    effect, design = difference / sd, DESIGNS[options.design]
    systems = options.number_of_systems or systems
    row: dict[str, object] = {"difference": difference, "sd": sd, "effect": effect}
    row["topics_needed"] = ec.meta.topics_needed(effect, options.alpha, options.power, design, systems)
    if options.design != "anova":
        row["topics_for_interval"] = ec.meta.topics_for_interval(effect, 1 - options.alpha, design)
    return row | {"design": design, "alpha": options.alpha, "wanted": options.power}
