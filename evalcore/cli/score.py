"""`evalcore score`: score every system by any measures.

Score every system of a collection: means over the assessed topics (as `trec_eval -c`), with -q every topic too. A note
on standard error says which systems lack topics; with --average retrieved these are no part of their means. The format
trec_eval names the system in its line runid; csv and json hold one score on each line, at full precision, and are what
other commands read best: --scores. The format latex is a table for a paper.

With --ranks, a line for each system in place of its score, best first: rank (shared: how many have it), share_first
(the share of resamples of the topics in which it is first), rank_low and rank_high (the confidence set of its rank, for
the first system, or another that was in mind before looking), all_low and all_high (those of all systems, which hold
together), may_be_best, lead_low and lead_high (its lead over the best of the others: compared with the best), by how
much the leader leads it, whether it is separable from the leader, and groups: two systems are not separable if they
have a letter in common. All pairs are decided at once (docs/doubt.md).

With --reader, what the reader of each measure is expected to do (C/W/L, as cwl_eval): utility and cost of a rank that
is read, total utility and total cost of a whole reading, depth in ranks, and by how much each would change if documents
that nobody assessed were of the highest gain (residual).
"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.names import asked
from evalcore.cli.opening import open_collection
from evalcore.cli.output import chosen_format, write_frame
from evalcore.cli.ranks import add_ranks, frame_format, rank_table
from evalcore.cli.scores import FORMATS, TREC_EVAL, write_scores, write_text
from evalcore.cli.tables import computed, computed_plain, joined, tell_lacked
from evalcore.common.lazy_imports import pd

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
    "evalcore score sample_data/health -m INST --reader --systems 'bm25*'",
    "evalcore score sample_data/health -m AP -m nDCG -q -f csv | evalcore compare --scores -",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_measured(parser)
    add_ranks(parser)
    help = "what the reader of each measure is expected to read, gain and spend, instead of scores"
    arguments.flag(parser, "--reader", help=help)
    arguments.add_output(parser, FORMATS)
    arguments.flag(parser, "-q", "--by-topic", help="every topic too, as `trec_eval -q`")


def run(options: argparse.Namespace) -> None:
    """Print the scores."""
    collection = open_collection(options)
    form, measures = chosen_format(options, FORMATS), asked(options, collection)
    if options.reader:
        if options.ranks:
            raise UsageError("--reader: expected no --ranks, found it")
        table = joined((name, _of_reader(measure, collection)) for name, measure in measures.items())
        write_frame(table, options, frame_format(options, form, "--reader"))
        return
    if form == TREC_EVAL and not options.ranks:
        plain = computed_plain(measures, collection)
        tell_lacked(collection)
        write_text(plain, options, options.by_topic)
        return
    scores = computed(measures, collection)
    tell_lacked(collection)
    if options.ranks:
        write_frame(rank_table(scores, options), options, frame_format(options, form, "--ranks"))
        return
    write_scores(scores, options, form, options.by_topic, collection.title)


def _of_reader(measure: ec.Measure, collection: ec.Collection) -> pd.DataFrame:
    """A line for each system. Raises InputError for a measure without a reader."""
    means = ec.user_model(measure).means(collection)
    return means.rename(columns=lambda name: name.replace(" ", "_")).rename_axis("system").reset_index()
