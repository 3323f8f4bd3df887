"""`evalcore labels`: do judges agree, and would the ranking survive other or fewer labels?

The best system may depend on who labels and on which documents are labelled. One option names the question; the default
is the agreement of the sources of labels. An option that belongs to a different question is an error.
"""

from __future__ import annotations

import argparse
from typing import Any

from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.opening import is_given, open_collection
from evalcore.cli.output import FORMATS, chosen_format, write_frame
from evalcore.cli.questions import SEVERAL, Question, add_questions, asked_question
from evalcore.cli.terminal import Progress
from evalcore.common.constants import COEFFICIENTS, CORRECTIONS, WAYS
from evalcore.labels.cli import agreements, combined, judging, pooling

USAGE = "WHERE [-m MEASURE]... [QUESTION] [options]"
EXAMPLES = (
    "evalcore labels sample_data/health",
    "evalcore labels sample_data/health --by topic --coefficient alpha --weights ordinal -f csv",
    "evalcore labels sample_data/health --disagreements -f csv",
    "evalcore labels sample_data/health -m 'RBP(rho=0.8)' --ranking --resamples 200",
    "evalcore labels sample_data/health -m nDCG@10 --top 10",
    "evalcore labels sample_data/health -m 'AP, P@10' --noise any --levels 0.1 0.2 0.3 --draws 20 --seed 7 -f csv",
    "evalcore labels sample_data/health --pool",
    "evalcore labels sample_data/health -m 'RBP(rho=0.8)' --pool --leave-out team",
    "evalcore labels sample_data/health -m AP --pool --depth 5 10 20",
    "evalcore labels sample_data/health -m 'P@10' --combine --topic-share 0.4",
)

MEASURES = dict.fromkeys(("--measure", "--set"))
SOURCES = dict.fromkeys(("--sources", "--labels-of"))
OF_RANKING = {**MEASURES, "--sources": None}
INTERVALS = {"--resamples": 1000, "--level": 0.95, "--seed": 0}
QUESTIONS = (
    Question(
        "--agreement",
        "do two sources give documents the same labels? shows agreement, kappa, alpha and AC, plain and weighted, "
        "with intervals computed by leaving out each topic in turn",
        agreements.agreement,
        {**SOURCES, **dict.fromkeys(("--by", "--coefficient", "--weights")), "--level": 0.95},
    ),
    Question(
        "--disagreements",
        "on which documents do two sources disagree? the largest disagreement comes first",
        agreements.disagreements,
        SOURCES,
    ),
    Question(
        "--ranking",
        "do the labels of any two sources rank the systems the same? shows tau, tau_AP in both directions (tau_ap: "
        "test against reference) and rho, with intervals, the pairs that swap, and the winners",
        judging.ranking,
        {**OF_RANKING, **INTERVALS},
    ),
    Question("--ranks", "the rank of each system with the labels of each source", judging.ranks, OF_RANKING),
    Question(
        "--top",
        "can the labels be trusted for the first K systems? shows the share of these that both sources have in common, "
        "RBO, and significant pairs on which the sources disagree: wrong, reversed, missed",
        judging.top,
        {**OF_RANKING, "--alpha": 0.05, "--correction": "Holm"},
        {"type": int, "metavar": "K"},
    ),
    Question(
        "--noise",
        "does the ranking survive random errors in the labels? kept_up_to is the share of wrong labels at which "
        "tau falls below --wanted",
        judging.noise,
        {**OF_RANKING, **dict.fromkeys(("--labels-of", "--levels"))}
        | {"--draws": 50, "--wanted": 0.9, "--level": 0.95, "--seed": 0},
        {"choices": [way.replace(" ", "-") for way in WAYS]},
    ),
    Question(
        "--pool",
        "would the ranking survive without each team's unique documents (in turn), or with --leave-out or --depth?",
        pooling.pool,
        {**MEASURES, **dict.fromkeys(("--leave-out", "--depth", "--teams", "--within"))},
    ),
    Question(
        "--combine",
        "scores and ranks from a few human labels and a model's labels together (prediction-powered inference), and "
        "from either alone (human_..., model_...); these_low and these_high limit the mean over these topics only",
        combined.combine,
        {**MEASURES, **INTERVALS, **dict.fromkeys(("--model", "--human", "--labels-of", "--share", "--depth"))}
        | {"--topic-share": 1.0},
    ),
)
OPTIONS: dict[str, dict[str, Any]] = {
    "--sources": {
        "nargs": "+",
        "metavar": "NAME",
        "help": "sources of labels to compare; majority, median, mean, union and agreed combine sources",
    },
    "--labels-of": {"metavar": "ASPECT", "help": "aspect of the labels; default: the first with several sources"},
    "--by": {"choices": agreements.BY, "help": "a line for each topic, grade, or cell of the confusion matrix"},
    "--coefficient": {"choices": tuple(COEFFICIENTS), "help": "coefficient with --by topic (default: kappa)"},
    "--weights": {"choices": agreements.WEIGHTS, "help": "weights of the coefficient with --by topic"},
    "--alpha": {"type": float, "metavar": "P", "help": "significance level"},
    "--correction": {"choices": CORRECTIONS, "help": "correction of p for the number of pairs"},
    "--levels": {**SEVERAL, "type": float, "metavar": "SHARE", "help": "shares of wrong labels; default: 0 to 0.5"},
    "--wanted": {"type": float, "metavar": "TAU", "help": "lowest tau that counts as the same ranking"},
    "--leave-out": {
        "choices": pooling.GROUPS,
        "help": "leave out the documents that only one team, or one system, contributed (each in turn)",
    },
    "--depth": {
        **SEVERAL,
        "type": int,
        "metavar": "N",
        "help": "with --pool: assess only some system's first N documents; with --combine: keep their human labels too",
    },
    "--share": {
        **SEVERAL,
        "type": float,
        "metavar": "SHARE",
        "help": "share of each topic's human labels to keep, at random",
    },
    "--topic-share": {"type": float, "metavar": "SHARE", "help": "share of the topics with human labels to keep"},
    "--teams": {"metavar": "BY", "help": "names, or a column of systems.csv; default: a column of teams, else names"},
    "--within": {
        "type": int,
        "metavar": "N",
        "help": "depth to which a system contributed documents to the pool; default: guessed",
    },
    "--model": {"metavar": "NAME", "help": "the source that is a model; default: the first one that is not human"},
    "--human": {"metavar": "NAME", "help": "the source that is human; default: the aspect's own labels"},
    "--draws": {"type": int, "metavar": "N", "help": "number of random draws"},
    "--resamples": {"type": int, "metavar": "N", "help": "number of resamples of topics"},
    "--level": {"type": float, "metavar": "SHARE", "help": "level of all intervals"},
    "--seed": {"type": int, "metavar": "N", "help": "seed of all random draws"},
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_questions(parser, QUESTIONS, OPTIONS)
    arguments.add_measured(parser)
    arguments.add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Answer the question that the options name, and write the table."""
    question, form = asked_question(options, QUESTIONS), chosen_format(options)
    if not is_given(options):
        raise UsageError("expected a collection, found none")
    collection = open_collection(options)
    with Progress() as progress:
        table = question.answer(collection, options, progress)
    write_frame(table, options, form)
