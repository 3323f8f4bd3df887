"""`evalcore report`: one HTML file with interactive figures that compare measures and the systems under them.

Write a self-contained report: a scatter plot of the systems under the first two measures, their ranks under all
measures, the correlation of every pair of measures, and the scores. It also states what was loaded, its fingerprint and
the versions of the software. Every number in the first two measures has a slider that updates all figures. Open the
report in any browser; the key P shows one view on each screen. Reports from the app contain the views that you choose
there.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from evalcore.cli import options as arguments
from evalcore.cli.names import asked
from evalcore.cli.opening import open_collection
from evalcore.cli.output import write
from evalcore.cli.tables import on_shared_topics, tell_lacked
from evalcore.errors import counted, readable

USAGE = "WHERE [-m MEASURE]... -o FILE [options]"
EXAMPLES = ("evalcore report sample_data/health -m 'RBP, uRBP, AP' -o report.html --title 'Does readability matter?'",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_measured(parser)
    parser.add_argument("-o", "--out", metavar="FILE", required=True, help="the HTML file to write")
    arguments.add_force(parser)
    arguments.flag(parser, "--no-sliders", help="figures without sliders, written in a tenth of the time")
    arguments.flag(parser, "--stage", help="open as slides, one view on each")
    parser.add_argument("--title", default="How we measured", help="title of the report")


def run(options: argparse.Namespace) -> None:
    """Write the report."""
    collection = open_collection(options)
    measures = list(asked(options, collection).values())
    tell_lacked(collection)
    collection = on_shared_topics(measures, collection, "means {}, the topics with labels for all these measures")
    from evalcore.figures.document import Document
    from evalcore.figures.report import comparison

    sections = comparison(measures, collection, sliders=not options.no_sliders)
    if options.max_documents is not None:
        first = sections[0]
        deep = {"Rankings": f"only the first {counted(options.max_documents, 'document')} per topic"}
        sections[0] = replace(first, settings={**first.settings, **deep})
    write(Document(readable(options.title), sections).html(stage=options.stage), options)
