"""`evalcore claim`: does a claim hold, whichever reasonable way we measure?

Test a claim in every specification: measures, parameters, thresholds, aspect weights, unassessed documents, topics.
A claim is 'A > B', 'A > B > C' (an order), 'A in top 3' or 'A first'; put other names in double quotes. The reasonable
ways to measure come from a file (--specs), or are chosen to fit the collection; --save-specs FILE saves them for you to
edit. Combinations of options with equal scores for every system and topic count as one. 'A first' fails only if another
system beats A.

--show verdict          the claim in one sentence, the joint test, what the effect depends on (default)
       specifications   a line for each specification: its options, effect, 95% limits, decision
       choices          a line for each choice: its share of the variance, and where the verdict changes
       methods          a paragraph for a paper

The format latex writes a table for a paper, markdown one for a pull request, html the specification curve as a page
(needs plotly).

With --must hold a script can check a conclusion: the exit code is 0 only if the claim holds in every
specification, 4 if it is reversed in any, and otherwise 3 (undecided in some). The output does not change.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from textwrap import fill

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.opening import inputs, named, open_collection, read_text, system_named
from evalcore.cli.output import (
    FORMATS,
    chosen_format,
    decimals,
    markdown_table,
    markdown_text,
    table_text,
    write,
    write_frame,
)
from evalcore.cli.tables import tell_lacked
from evalcore.cli.terminal import Progress, print_note
from evalcore.common.constants import AVERAGES, EFFECTS
from evalcore.common.lazy_imports import pd
from evalcore.common.writing import write_file

USAGE = "WHERE CLAIM [--specs FILE] [--show WHAT] [options]"
EXAMPLES = (
    "evalcore claim sample_data/health 'bm25_rm3 > bm25_base' --save-specs specs.toml",
    "evalcore claim sample_data/health 'bm25_rm3 > bm25_base' --specs sample_data/claim.toml",
    "evalcore claim sample_data/health 'bm25_rm3 first' --specs sample_data/claim.toml --show choices -f csv",
    "evalcore claim sample_data/health 'bm25_rm3 in top 5' --specs sample_data/claim.toml --show specifications",
    "evalcore claim sample_data/health 'bm25_rm3 > bm25_base' --specs sample_data/claim.toml --show methods",
    "evalcore claim sample_data/health 'bm25_rm3 > bm25_base' --specs sample_data/claim.toml -o curve.html",
    "evalcore claim sample_data/health 'bm25_rm3 > bm25_base' --specs sample_data/claim.toml -f markdown",
)
SHOWN = ("verdict", "specifications", "choices", "methods")
ALL_FORMATS = (*FORMATS, "latex", "markdown", "html")
ENDS: Mapping[str, int] = {"holds": 0, "undecided": 3, "fails": 4}  # exit codes of --must hold
WIDTH = 100  # characters in a line of the methods


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    arguments.add_collection(parser)
    group = parser.add_argument_group("claim")
    group.add_argument("claim", metavar="CLAIM", help="'A > B', 'A > B > C', 'A in top 3' or 'A first'")
    group.add_argument("--specs", metavar="FILE", help="TOML file with the reasonable ways to measure")
    group.add_argument("--save-specs", metavar="FILE", help="write these specifications to a new file")
    group.add_argument("--effect", choices=EFFECTS, default="difference", help="effect to show, with its limits")
    group.add_argument("--average", choices=AVERAGES, default="all", help="topics to average over (see score --help)")
    group.add_argument("-M", "--max-documents", type=int, metavar="N", help="only the first N documents per topic")
    help = "exit code 0 only if the claim holds, 3 if it is undecided, 4 if it is reversed"
    group.add_argument("--must", choices=["hold"], help=help)
    group.add_argument("--show", choices=SHOWN, default="verdict", help="default: verdict")
    arguments.add_resamples(group, 512, "topic resamples, and random sign flips, each with its opposite (default: 512)")
    arguments.add_output(parser, ALL_FORMATS)


def run(options: argparse.Namespace) -> None:
    """Test the claim and write the result that `--show` selects; with `--must`, exit with the code of the verdict."""
    statement = ec.claims.parse_claim(options.claim)
    form = chosen_format(options, ALL_FORMATS)
    collection = open_collection(options)
    statement = replace(statement, systems=tuple(system_named(name, options) for name in statement.systems))
    design = ec.claims.design_of(_specifications(options, collection), collection)
    with Progress() as progress:
        settings = {"resamples": options.resamples, "permutations": 2 * options.resamples, "seed": options.seed}
        tell = progress.named(str(statement))
        study = ec.claims.claim(statement, design, collection, kind=options.effect, tell=tell, **settings)
    tell_lacked(collection)
    for note in (*design.notes, *study.multiverse.problems):  # rejected or unscored options
        print_note(note)
    _write(study, collection, options, form)
    if options.must and (code := ENDS[study.verdict.outcome]):
        raise SystemExit(code)


def _specifications(options: argparse.Namespace, collection: ec.Collection) -> ec.claims.Specifications:
    if options.specs:
        specs = ec.claims.parse_specifications(read_text(options.specs, "specifications"), options.specs)
    else:
        specs = ec.claims.sensible(collection)
    if options.save_specs:
        write_file(
            options.save_specs, ec.claims.write_specifications(specs), replace=options.force, inputs=inputs(options)
        )
    return specs


def _write(study: ec.claims.Study, collection: ec.Collection, options: argparse.Namespace, form: str) -> None:
    if form == "html":
        write(_html(study, collection), options)
    elif options.show == "methods":
        write(_methods(study, form), options)
    elif options.show == "verdict" and form == "table":
        write(_spoken(_verdict(study, options), study, options), options)
    elif form == "markdown":
        write(_spoken(_markdown(study, options), study, options), options)
    elif form == "latex":
        write(study.latex_specifications() if options.show == "specifications" else study.latex(), options)
    else:
        frames = {"verdict": study.summary, "specifications": study.frame, "choices": study.choices}
        write_frame(frames[options.show](), options, form)


def _spoken(text: str, study: ec.claims.Study, options: argparse.Namespace) -> str:
    """Return the text with the claim's systems called by their names in the app instead of their file names."""
    name = named(options)
    for system in sorted({*study.claim.systems, *study.joint.pair, study.verdict.alike} - {""}, key=len, reverse=True):
        text = text.replace(system, name(system))
    return text


def _markdown(study: ec.claims.Study, options: argparse.Namespace) -> str:
    """Return Markdown: the verdict in bold, with the chosen table beneath."""
    shown = study.frame() if options.show == "specifications" else _choices(study)
    table = markdown_table(shown, decimals(options))
    return f"**{markdown_text(study.sentence)}**\n\n{table}\nSpecifications: `{study.digest}`.\n"


def _choices(study: ec.claims.Study) -> pd.DataFrame:
    """Return a table with a row for each source of variance, without the columns "holds least" and "holds most"."""
    return study.choices().drop(columns=["holds least", "holds most"])


def _html(study: ec.claims.Study, collection: ec.Collection) -> str:
    """Return the claim as an HTML page: verdict, methods, specification curve, and what the effect depends on."""
    from evalcore import figures
    from evalcore.figures.document import Document, Item, Section, rests_on

    curve = figures.specification_curve(study.frame(), **study.drawn)
    section = Section(
        "Claim",
        [
            Item(curve, "Each column is one way to measure; the marks below show its options."),
            Item(study.choices().set_index("source"), "Variance due to each choice."),
        ],
        {"verdict": study.sentence},
        {"Claim": str(study.claim), "Specifications": study.digest, "Seed": str(study.seed)},
        note=study.methods(),
        about=study.caption(""),
        data=rests_on(collection),
    )
    return Document(str(study.claim), [section]).html()


def _methods(study: ec.claims.Study, form: str) -> str:
    from evalcore.common.latex import latex_text

    text = study.methods()
    return fill(latex_text(text) if form == "latex" else text, WIDTH) + "\n"


def _verdict(study: ec.claims.Study, options: argparse.Namespace) -> str:
    joint = study.joint
    of = f" ({' > '.join(joint.pair)})" if len(study.claim.pairs) != 1 else ""
    lines = [
        study.sentence,
        f"Joint test{of}: p {joint.p:.3g}, median effect {joint.median:+.4f} (p {joint.median_p:.3g}), "
        f"{100 * joint.significant:.0f}% of specifications significant in this direction by a t-test at "
        f"{joint.alpha:g} (p {joint.significant_p:.3g}).",
        f"Specifications: {study.digest}.",
        "",
        table_text(_choices(study), decimals(options)),
    ]
    return "\n".join(lines)
