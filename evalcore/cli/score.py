"""`evalcore score`: score every system by any measures.

Score every system of a collection: means over the assessed topics (as `trec_eval -c`), with -q every topic too. A note
on standard error lists the systems that lack topics; with --average retrieved their means leave these topics out. The
format trec_eval names the system in a line "runid"; csv and json hold one score on each line, at full precision, and
are the best input for other commands (--scores). The format latex is a table for a paper.

With --ranks, print a line for each system in place of its score, best first: rank (shared: how many systems have it),
share_first (the share of resamples of the topics in which it is first), rank_low and rank_high (the confidence set of
its rank, for the first system or one chosen beforehand), all_low and all_high (confidence sets that hold for all
systems together), may_be_best, lead_low and lead_high (its lead over the best of the others: comparisons with the
best), behind (the leader's lead over it), separable (true if it differs significantly from the leader), and groups
(letters; two systems are not separable if they have a letter in common). All pairs are decided at once (docs/doubt.md).
The format latex gives a table for a paper: score, rank, the interval that holds for all systems, and letters. Its
caption names the test and the family.
"""

from __future__ import annotations

import argparse

from evalcore.cli import options as arguments
from evalcore.cli.names import asked
from evalcore.cli.opening import open_collection
from evalcore.cli.output import chosen_format, write, write_frame
from evalcore.cli.ranks import add_ranks, rank_table, ranks_as_latex, ranks_format
from evalcore.cli.scores import FORMATS, TREC_EVAL, write_scores, write_text
from evalcore.cli.tables import computed, computed_plain, tell_lacked

USAGE = "WHERE [-m MEASURE]... [-q] [options]"
EXAMPLES = (
    "evalcore score sample_data/health",
    "evalcore score sample_data/health -m map -m P_10 -m 'uRBP(rho=0.8, threshold=2)'",
    "evalcore score sample_data/health -m 'nDCG@10, RBP(rho=0.95)' --systems 'bm25*' --format table",
    'evalcore score sample_data/health -m \'CAM(nDCG@10, aspects=["relevance", "credibility"])\' -q --format csv',
    "evalcore score --runs sample_data/health/runs/bm25_*.gz --aspect relevance=sample_data/health/qrels.txt -m AP",
    "evalcore score sample_data/health -m AP -m nDCG --systems 'bm25*' -f latex",
    "evalcore score sample_data/health -m map -m P -l 2 -M 100 --average retrieved",
    "evalcore score sample_data/health -m AP -m 'uRBP(rho=0.8)' --ranks --systems 'bm25*'",
    "evalcore score sample_data/health -m AP -m nDCG -q -f csv | evalcore compare --scores -",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_measured(parser)
    add_ranks(parser)
    arguments.add_output(parser, FORMATS)
    arguments.flag(parser, "-q", "--by-topic", help="print every topic too, like `trec_eval -q`")


def run(options: argparse.Namespace) -> None:
    """Print the scores."""
    collection = open_collection(options)
    form, measures = chosen_format(options, FORMATS), asked(options, collection)
    if form == TREC_EVAL and not options.ranks:
        plain = computed_plain(measures, collection)
        tell_lacked(collection)
        write_text(plain, options, options.by_topic)
        return
    scores = computed(measures, collection)
    tell_lacked(collection)
    if options.ranks:
        form, table = ranks_format(options, form), rank_table(scores, options)
        if form == "latex":
            write(ranks_as_latex(table, options, collection.title), options)
        else:
            write_frame(table, options, form)
        return
    write_scores(scores, options, form, options.by_topic, collection.title)
