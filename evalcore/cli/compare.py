"""`evalcore compare`: how similarly do measures rank the systems, and which systems differ significantly?

Compare measures, or systems, by their scores on each topic: the measures of -m on a collection, a table of scores by
another tool (--scores), or both side by side. One option names the question; by default, every pair of measures
is correlated. An option that belongs to a different question is an error.

A positive gain or difference means that the first system is better, even if low scores are good (EffortTo). Tests
and intervals are over topics. All measures and pairs share the same resamples, so the same seed gives the same figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.correlations import OVER, correlations, swaps
from evalcore.cli.opening import is_given
from evalcore.cli.output import FORMATS, chosen_format, write_frame
from evalcore.cli.questions import AGAIN, FLAG, SEVERAL, Question, add_questions, asked_question
from evalcore.cli.significance import CORRECTIONS, TESTS, baselines, every_pair, power_of_measures, topics
from evalcore.cli.tables import gathered
from evalcore.cli.terminal import Progress
from evalcore.common.constants import CORRELATIONS, DESIGNS
from evalcore.subjects import added

USAGE = "[WHERE] [-m MEASURE]... [--scores FILE...] [QUESTION] [options]"
EXAMPLES = (
    "evalcore compare sample_data/health -m 'AP, nDCG@10'",
    "evalcore compare sample_data/health -m 'RBP, uRBP' --coefficient tau_ap --resamples 1000 --seed 7 -f csv",
    "evalcore compare sample_data/health --set 'One aspect, classic' --matrix",
    "evalcore compare sample_data/health -m 'AP, P@5' --swaps",
    "evalcore compare sample_data/health -m 'AP, uRBP' --discriminative-power --resamples 1000",
    "evalcore compare sample_data/health -m AP --systems 'bm25*' --pairs --test wilcoxon --correction holm",
    "evalcore compare sample_data/health -m 'AP, nDCG@10' --baseline bm25_base --systems 'bm25*'",
    "evalcore compare sample_data/health -m AP --topics-needed 0.05 0.1",
    "evalcore compare --topics-needed 0.1 --sd 0.2",
    "evalcore compare sample_data/health -m AP --aggregate Borda --aggregate BradleyTerry",
    "evalcore score sample_data/health -m AP -q | evalcore compare sample_data/health -m nDCG --scores -",
)

TESTED = {"--alpha": 0.05, "--test": "bootstrap", "--correction": "none", "--resamples": 10_000, "--seed": 0}
QUESTIONS: tuple[Question, ...] = (
    Question(
        "--correlations",
        "how similarly do measures rank the systems? tau_ap is Yilmaz's AP correlation, test against reference; "
        "pearson needs finite scores",
        correlations,
        {"--coefficient": "tau", "--over": "means", "--matrix": None, "--resamples": 0, "--level": 0.95, "--seed": 0},
    ),
    Question(
        "--swaps",
        "which pairs of systems do two measures order differently? a swap is decided if both orders are significant; "
        "on average at most 5%% of the decided swaps are wrong",
        swaps,
        {"--level": 0.95, "--seed": 0},
    ),
    Question(
        "--discriminative-power",
        "how many pairs of systems does each measure separate, and how large must a difference of means be? (Sakai)",
        power_of_measures,
        TESTED,
    ),
    Question(
        "--pairs",
        "which pairs of systems differ? shows the difference, t, and the uncorrected p of the t-test, Wilcoxon's test "
        "and the bootstrap (asl); a pair is significant according to --test after --correction (default: "
        "benjamini-hochberg), and equivalent if the difference is below --margin",
        every_pair,
        TESTED | {"--correction": None, "--margin": None},
    ),
    Question(
        "--baseline",
        "what does each system gain over this baseline, and could the gain be chance? shows the gain with its "
        "95%% interval, the topics won and lost, p, and p corrected for all baselines; repeatable",
        baselines,
        {"--test": "wilcoxon", "--correction": "benjamini-hochberg", "--resamples": 10_000, "--seed": 0},
        {**AGAIN, "metavar": "SYSTEM"},
    ),
    Question(
        "--topics-needed",
        "how many topics do you need to detect a difference of two means (Sakai 2016), and what is the power here? "
        "the standard deviation is estimated from the scores, with 95%% limits, unless --sd gives it",
        topics,
        {"--sd": None, "--design": "paired", "--alpha": 0.05, "--power": 0.8, "--number-of-systems": None},
        {**SEVERAL, "type": float, "metavar": "D"},
    ),
)
OPTIONS: dict[str, Mapping[str, Any]] = {
    "--coefficient": {"choices": CORRELATIONS, "help": "correlation coefficient of two rankings"},
    "--over": {"choices": OVER, "help": "correlate means of the systems, or scores topic by topic"},
    "--matrix": {**FLAG, "help": "print a matrix, with similar measures side by side, instead of pairs"},
    "--test": {"choices": tuple(TESTS), "help": "paired test over topics; tukey is the randomised Tukey HSD"},
    "--correction": {"choices": tuple(CORRECTIONS), "help": "correction of p for the number of tests"},
    "--margin": {"type": float, "metavar": "D", "help": "differences below D do not matter; adds p_equivalent"},
    "--alpha": {"type": float, "metavar": "P", "help": "significance level"},
    "--resamples": {"type": int, "metavar": "N", "help": "number of resamples of topics, or of sign flips"},
    "--seed": {"type": int, "metavar": "N", "help": "seed of the resamples"},
    "--level": {"type": float, "metavar": "SHARE", "help": "level of the intervals"},
    "--sd": {"type": float, "metavar": "S", "help": "standard deviation, instead of scores"},
    "--design": {"choices": tuple(DESIGNS), "help": "design of the experiment"},
    "--power": {"type": float, "metavar": "SHARE", "help": "required power"},
    "--number-of-systems": {"type": int, "metavar": "N", "help": "systems in an ANOVA; default: all, or 2 with --sd"},
}
if "compare" in added("questions"):
    _more = import_module(added("questions")["compare"])
    QUESTIONS, OPTIONS = (*QUESTIONS, *_more.QUESTIONS), OPTIONS | _more.OPTIONS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_questions(parser, QUESTIONS, OPTIONS)
    arguments.add_measured(parser)
    arguments.add_scores(parser)
    arguments.add_output(parser, FORMATS)
    parser.set_defaults(missing=None)


def run(options: argparse.Namespace) -> None:
    """Print the table that answers the question."""
    question, form = asked_question(options, QUESTIONS), chosen_format(options)
    options.missing = options.missing or question.missing
    if options.sd is None:
        scores = gathered(options)
    elif is_given(options) or options.scores:
        raise UsageError("--sd replaces scores: leave out the collection and --scores")
    else:
        scores = {}
    with Progress() as progress:
        table = question.answer(scores, options, progress)
    write_frame(table, options, form)
