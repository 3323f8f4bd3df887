"""`evalcore report`: one HTML file: systems by several measures, how alike the measures are, figures that move.

Write a report that needs nothing else: the scatter of the systems by the first two measures, their ranks by all, the
correlation of every pair of measures, the scores; what was loaded, its fingerprint, the versions. Every number of the
first two measures is a slider, and all figures follow it. Open it in any browser; P shows one view on each screen.
Reports from the app hold the views that you choose there.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from evalcore.cli import options as arguments
from evalcore.cli.names import asked
from evalcore.cli.opening import open_collection
from evalcore.cli.output import write
from evalcore.cli.tables import on_shared_topics, tell_lacked
from evalcore.errors import readable

USAGE = "WHERE [-m MEASURE]... -o FILE [options]"
EXAMPLES = ("evalcore report sample_data/health -m 'RBP, uRBP, AP' -o report.html --title 'Does readability matter?'",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_measured(parser)
    parser.add_argument("-o", "--out", metavar="FILE", required=True, help="the HTML file to write")
    arguments.add_force(parser)
    arguments.flag(parser, "--no-sliders", help="still figures, written in a tenth of the time")
    arguments.flag(parser, "--stage", help="open as slides, one view on each")
    parser.add_argument("--title", default="How we measured", help="title of the report")


def run(options: argparse.Namespace) -> None:
    """Write the report."""
    collection = open_collection(options)
    measures = list(asked(options, collection).values())
    tell_lacked(collection)
    collection = on_shared_topics(measures, collection, "{}, those that all these measures have")
    from evalcore.figures.document import Document
    from evalcore.figures.report import comparison

    sections = comparison(measures, collection, sliders=not options.no_sliders)
    if options.max_documents is not None:
        first = sections[0]
        deep = {"Rankings": f"only the first {options.max_documents:,} documents per topic"}
        sections[0] = replace(first, settings={**first.settings, **deep})
    write(Document(readable(options.title), sections).html(stage=options.stage), options)
