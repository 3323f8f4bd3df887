"""`evalcore combine`: few human labels, many of a model: scores and ranks by both together, beside each alone.

Where an aspect has the labels of people and of a model: each system's mean score by the model's labels corrected by
people's (prediction-powered inference), with its interval over all such topics (low, high) and over these topics, had
people labelled all documents (these_low, these_high); its rank and the rank's interval; and the same by people's labels
alone (human_...) and by the model's alone (model_...). narrower is the width of the interval over these topics beside
that by people's labels alone.

Which topics and documents people labelled is read from the sources. To see what few labels tell, hide the others:
--topic-share keeps those of a random share of the topics, --share those of a share of each topic's documents, and
--depth also all that some system ranked so high. Labels of a part of a topic need a measure whose scores are sums of
gains (RBP, DCG, nDCG, P); whole topics do for any. With --draws, a line for each of the three: the share of so
many draws in which it finds who is first by all of people's labels, mean tau with their ranking, the root mean square
error of the scores, and how often intervals over these topics hold them.
"""

from __future__ import annotations

import argparse
from textwrap import fill
from typing import Any

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.names import asked
from evalcore.cli.opening import open_collection
from evalcore.cli.output import FORMATS, write, write_frame
from evalcore.cli.tables import joined, origin
from evalcore.cli.terminal import Progress, print_note
from evalcore.later import pd
from evalcore.progress import Tell

USAGE = "WHERE [-m MEASURE]... [--model NAME] [--human NAME] [--share SHARE] [--topic-share SHARE] [options]"
EXAMPLES = (
    "evalcore combine sample_data/health -m 'P@10' --topic-share 0.4",
    "evalcore combine sample_data/health -m 'RBP(rho=0.8)' --model llm --share 0.3 --seed 2 -f csv",
    "evalcore combine sample_data/health -m 'P@10' --share 0.1 --draws 20",
)
RESAMPLES = 1000
WIDTH = 100  # characters in a line of the methods


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_measured(parser)
    group = parser.add_argument_group("labels")
    add_sources(group)
    add_hiding(group)
    arguments.flag(group, "--methods", help="a paragraph for a paper, for each measure")
    group.add_argument(
        "--draws", type=int, metavar="N", help="hide the others N times: how often each of the three finds the first"
    )
    arguments.add_resamples(group, RESAMPLES, f"of topics, for the share in which one is first (default: {RESAMPLES})")
    arguments.add_level(group, "all intervals")
    arguments.add_ending(parser, FORMATS)


def add_sources(group: argparse._ActionsContainer) -> None:
    """Whose labels are a model's, and whose are people's."""
    group.add_argument("--model", metavar="NAME", help="the source that is a model (default: the first other one)")
    group.add_argument("--human", metavar="NAME", help="the source that is people (default: the aspect's own)")
    group.add_argument("--labels-of", metavar="ASPECT", help="the aspect (default: the first that is read)")


def add_hiding(group: argparse._ActionsContainer) -> None:
    """Which human labels are kept, to try what few of them tell."""
    group.add_argument("--share", type=float, default=1.0, metavar="SHARE", help="of a topic's documents (default: 1)")
    group.add_argument("--topic-share", type=float, default=1.0, metavar="SHARE", help="of the topics (default: 1)")
    group.add_argument("--depth", type=int, default=0, metavar="N", help="the first N of every system are labelled too")


def run(options: argparse.Namespace) -> None:
    """Print a line for each measure and system."""
    collection = open_collection(options)
    if options.methods:
        write(_methods(collection, options), options)
        return
    kind = _combined if options.draws is None else _draws
    with Progress() as progress:
        table = joined(
            (name, kind(measure, collection, options, progress.named(name)))
            for name, measure in progress.over(asked(options, collection))
        )
    about = {**origin(collection, options), "level": options.level, "seed": options.seed}
    write_frame(table, options, about)


def _methods(collection: ec.Collection, options: argparse.Namespace) -> str:
    """A paragraph for each measure."""
    paragraphs = [_estimate(measure, collection, options).methods() for measure in asked(options, collection).values()]
    return "\n\n".join(fill(paragraph, WIDTH) for paragraph in paragraphs) + "\n"


def kept_labels(options: argparse.Namespace) -> ec.combining.KeptLabels:
    """Which human labels are kept."""
    return ec.combining.KeptLabels(options.share, options.topic_share, options.depth, options.seed)


def _combined(
    measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace, progress: Tell
) -> pd.DataFrame:
    combined = _estimate(measure, collection, options)
    _tell(combined)
    return combined.table.reset_index().assign(labels=combined.n_labels, topics=combined.n_topics)


def _estimate(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace) -> ec.combining.Combined:
    how = {"n_resamples": options.resamples, "level": options.level, "seed": options.seed}
    return ec.combining.combine(measure, collection, options.model, options.human, **_asked(options), **how)


def _draws(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace, progress: Tell) -> pd.DataFrame:
    how = {"draws": options.draws, "progress": progress}
    draws = ec.combining.hidden_draws(measure, collection, options.model, options.human, **_asked(options), **how)
    return draws.reset_index().assign(draws=options.draws)


def _asked(options: argparse.Namespace) -> dict[str, Any]:
    return {"kept": kept_labels(options), "aspect": options.labels_of}


def _tell(combined: ec.combining.Combined) -> None:
    """Who is first by each of the three, and what the model's labels are worth."""
    for line in combined.scores:
        print_note(ec.meta.first_in_words(combined.ranks(line), f"{combined.measure}, {line}"))
    print_note(f"How sure: {combined.worth_in_words()}; right where {combined.assumption}")
