"""`evalcore judges`: would the ranking stand with another judge's labels? does a judge favour systems? how good must it
be?

Where an aspect has the labels of several sources (assessors, LLM judges), how the rankings of systems under every two
of them agree, on the topics that all of them labelled: Kendall's tau_b, the AP correlation (tau_ap: down the list under
the test, against the reference; tau_ap_back the other way round), Spearman's rho, with intervals over
topics; pairs of systems that are swapped, and who moves most. Who is first under each is said beside the output.
--by-system: the rank of each system under each source. --favour JUDGE: whom a judge likes more or less than its
confusion with the reference predicts, by permuting labels among documents alike but for who returned them; p_corrected
is for all rows.
--top K: of the first K systems by the reference tau, the share common to both, rank-biased overlap, and pairs that are
significant by paired t-tests: by the test and not by the reference (wrong), the other way round (reversed), by the
reference alone (missed). --reranked-by JUDGE: what its scores are worth when every system re-ranks its first documents
by its labels. --errors-of JUDGE: how far it is off by grade, topic difficulty and rank.
--noise WAY takes one source: how far the ranking stands when labels go wrong at random, by the share of wrong ones
(level); kept_up_to is the share from which on tau is below the one --wanted, on a straight line between two levels.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.names import asked
from evalcore.cli.opening import is_given, open_collection
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.tables import joined, origin, say_no_intervals
from evalcore.cli.terminal import Progress, print_note
from evalcore.constants import CORRECTIONS, WAYS
from evalcore.errors import InputError
from evalcore.later import pd
from evalcore.limits import of_resamples

USAGE = "WHERE [-m MEASURE]... [--sources NAME...] [--by-system | --top K | --favour JUDGE | ...] [options]"
EXAMPLES = (
    "evalcore judges sample_data/health -m nDCG@10 --noise neighbour",
    "evalcore judges sample_data/health -m nDCG@10 --top 10",
    "evalcore judges sample_data/health -m 'AP, P@10' --noise any --levels 0.1 0.2 0.3 --draws 20 --seed 7 -f csv",
)
AS_MEASURED = "as-measured"
NAMES = "names"  # in place of a column: what the names of systems begin with
RESAMPLES, DRAWS = 1000, 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_measured(parser)
    group = parser.add_argument_group("judges")
    sources = "whose labels are compared, or majority, median, mean, union, agreed (default: all that gave labels)"
    group.add_argument("--sources", nargs="+", metavar="NAME", help=sources)
    way = group.add_mutually_exclusive_group()
    arguments.flag(way, "--by-system", help="ranks of each system under each source")
    way.add_argument("--top", type=int, metavar="K", help="can they be trusted for the first K systems?")
    way.add_argument("--reranked-by", metavar="JUDGE", help="systems re-rank by this source's labels: circularity")
    way.add_argument("--errors-of", metavar="JUDGE", help="where this source errs: by grade, topic and rank")
    way.add_argument("--favour", metavar="JUDGE", help="whom this source favours")
    way.add_argument(
        "--noise", choices=[way.replace(" ", "-") for way in WAYS], help="how labels go wrong, into which grades"
    )
    group.add_argument("--labels-of", metavar="ASPECT", help="whose labels change (default: the first that is read)")
    arguments.add_resamples(group, RESAMPLES, f"of topics, or permutations of labels (default: {RESAMPLES})")
    arguments.add_level(group, "all intervals")
    group.add_argument(
        "--reference", metavar="NAME", help="the source a JUDGE is set against (default: the aspect's own)"
    )
    group = parser.add_argument_group("top")
    group.add_argument("--alpha", type=float, default=0.05, metavar="P", help="significant from here (default: 0.05)")
    group.add_argument(
        "--correction", choices=CORRECTIONS, default="Holm", help="of p for the number of all pairs (default: Holm)"
    )
    group = parser.add_argument_group("favour")
    group.add_argument(
        "--groups", metavar="COLUMN", help=f"rows for groups of systems: a column of systems.csv, or {NAMES}"
    )
    arguments.flag(
        group,
        "--reference-is-right",
        help="take the reference as the truth: what goes with the quality of systems counts as favour, too",
    )
    group = parser.add_argument_group("noise")
    group.add_argument("--levels", type=float, nargs="+", metavar="SHARE", help="of wrong labels (default: 0 to 0.5)")
    group.add_argument("--draws", type=int, default=DRAWS, metavar="N", help=f"at each level (default: {DRAWS})")
    group.add_argument("--wanted", type=float, default=0.9, metavar="TAU", help="that is to be kept (default: 0.9)")
    arguments.add_ending(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print a line for each measure and pair of sources, system, or level."""
    if not is_given(options):
        raise UsageError("expected a collection, found none")
    if options.favour is None and (options.groups or options.reference_is_right):
        raise UsageError("--groups, --reference-is-right: expected them with --favour JUDGE")
    collection = open_collection(options)
    if not isinstance(collection, ec.Collection):
        raise InputError("expected a collection of runs and assessments, found a folder of parts")
    kind = next((kind for name, kind in _KINDS.items() if getattr(options, name) is not None), _ranking)
    with Progress() as progress:
        table = joined(
            (name, kind(Job(name, measure, collection, options, progress)))
            for name, measure in progress.over(asked(options, collection))
        )
    about = {**origin(collection, options), "level": options.level, "seed": options.seed}
    write_frame(table, options, about)


@dataclass(frozen=True)
class Job:
    """What a kind of table is made of, for one of the measures."""

    name: str
    measure: ec.Measure
    collection: ec.Collection
    options: argparse.Namespace
    progress: Progress

    def of_judge(self, judge: str) -> tuple[ec.Measure, ec.Collection, str, str | None]:
        """What the functions about one judge take."""
        return self.measure, self.collection, judge, self.options.reference


def _ranking(job: Job) -> pd.DataFrame:
    options = job.options
    asks = of_resamples(options.resamples, len(job.collection.topics), len(job.collection.systems), 2)
    arguments.limits(options).check(memory=asks["memory"])
    how = {"n_resamples": options.resamples, "level": options.level, "seed": options.seed}
    rankings = ec.judges.source_rankings(job.measure, job.collection, options.sources, **how)
    for source in rankings.sources:
        print_note(ec.meta.first_in_words(rankings.doubt(source), f"{job.name}, labels of {source}"))
    if options.by_system:
        return rankings.ranks.reset_index()
    say_no_intervals(rankings.pairs["no_interval"])
    return rankings.pairs.assign(topics=len(rankings.topics), resamples=options.resamples, seed=options.seed)


def _favour(job: Job) -> pd.DataFrame:
    options = job.options
    result = ec.judges.favour(
        *job.of_judge(options.favour),
        aspect=options.labels_of,
        groups=_groups(job.collection, options.groups),
        beside_quality=not options.reference_is_right,
        n_permutations=options.resamples,
        level=options.level,
        seed=options.seed,
        progress=job.progress.named(job.name),
    )
    table = result.table if result.groups is None else result.groups
    drawn = {"documents": result.n_documents, "permutations": options.resamples, "seed": options.seed}
    return table.reset_index().assign(judge=result.judge, reference=result.reference, **drawn)


def _groups(collection: ec.Collection, column: str | None) -> Mapping[str, str] | None:
    """The group of each system. Raises UsageError for a column that systems.csv does not have."""
    if column is None:
        return None
    if column == NAMES:
        from evalcore.data.families import by_names

        return by_names(collection.systems)
    from evalcore.data.system_table import in_words

    table = collection.system_table
    if table is None or column not in table:
        known = ", ".join([NAMES, *(map(str, table) if table is not None else ())])
        raise UsageError(f"--groups: expected one of {known}, found {column!r}")
    return in_words(table[column])


def _top(job: Job) -> pd.DataFrame:
    options = job.options
    rankings = ec.judges.source_rankings(job.measure, job.collection, options.sources, n_resamples=1)
    rows = []
    for reference, test in combinations(rankings.sources, 2):
        table = rankings.top(reference, test, [options.top], alpha=options.alpha, correction=options.correction)
        about = {"reference": reference, "test": test} | {str(name): value for name, value in table.attrs.items()}
        rows.append(table.reset_index().assign(**about))
    table = pd.concat(rows, ignore_index=True)
    return table[["reference", "test", *(column for column in table if column not in ("reference", "test"))]]


def _reranked(job: Job) -> pd.DataFrame:
    return ec.judges.circularity(*job.of_judge(job.options.reranked_by), aspect=job.options.labels_of).reset_index()


def _errors(job: Job) -> pd.DataFrame:
    return ec.judges.judge_errors(*job.of_judge(job.options.errors_of), aspect=job.options.labels_of).reset_index()


def _noise(job: Job) -> pd.DataFrame:
    from evalcore.judges.noise import LEVELS

    options = job.options
    pair = options.sources
    if pair is not None and (options.noise != AS_MEASURED or len(pair) != 2):
        raise UsageError(f"--sources: expected two names with --noise {AS_MEASURED}, found {', '.join(pair)}")
    curve = ec.judges.noise_curve(
        job.measure,
        job.collection,
        options.noise.replace("-", " "),
        levels=options.levels or LEVELS,
        aspect=options.labels_of,
        sources=None if pair is None else (pair[0], pair[1]),
        n_draws=options.draws,
        band=options.level,
        seed=options.seed,
        progress=job.progress.named(job.name),
    )
    kept = {"wanted": options.wanted, "kept_up_to": curve.level_where(options.wanted)}
    return curve.table.reset_index().assign(**kept, draws=options.draws, seed=options.seed)


_KINDS = {
    "top": _top,
    "reranked_by": _reranked,
    "errors_of": _errors,
    "favour": _favour,
    "noise": _noise,
}
