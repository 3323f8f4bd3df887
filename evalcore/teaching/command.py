"""`evalcore lessons`: write the guided path as a folder of HTML files that need no server, for example for homework.

Each step of the app's guided path becomes one HTML file on the sample data: text, question, sliders with a figure that
follows them, answer, formulas. Eight lessons of 45 minutes turn the steps into a course. Each lesson has
a plan, slides (slides-1.html), questions, a sheet to print, and a key. The folder has the MIT licence, CITATION.cff,
and index.html, which links to the pages. plotly.js is in the folder, so nothing is fetched from the network. You
need the packages of the app to write the pages, and a browser to read them.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import logging
import os
import sys
from pathlib import Path

from evalcore.cli import options as arguments
from evalcore.cli.app import app_folder
from evalcore.common.writing import new_folder, refuse_file, write_file
from evalcore.errors import InputError, not_installed

USAGE = "-o FOLDER [--force]"
EXAMPLES = ("evalcore lessons -o lessons",)
INDEX = "index.html"
APP = "ui.teaching.guided_path.offline"  # imported by name, as the library does not depend on the app


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--out", dest="folder", metavar="FOLDER", required=True, help="the folder to write")
    arguments.add_force(parser)


def run(options: argparse.Namespace) -> None:
    """Write the folder. Raises InputError if it is not writable, or if its files exist and --force is not given."""
    for package in ("streamlit", "plotly"):
        if importlib.util.find_spec(package) is None:
            raise not_installed(package, "app")
    folder = Path(options.folder)
    if folder.exists() and not folder.is_dir():
        raise InputError("expected a folder to write to, found a file", str(folder))
    if folder.exists() and not os.access(folder, os.W_OK):
        raise InputError("expected a writable folder, found a read-only one", str(folder))
    if not folder.exists() or not any(folder.iterdir()):
        with new_folder(folder) as half:
            for name, text in _pages().items():
                write_file(half / name, text)
        return
    refuse_file(folder / INDEX, replace=options.force)  # before the work
    pages = _pages()
    for name in pages:  # all or none
        refuse_file(folder / name, replace=options.force)
    for name in sorted(pages, key=lambda name: name == INDEX):  # index.html last, as it links to the others
        write_file(folder / name, pages[name], replace=options.force)


def _pages() -> dict[str, str]:
    """Map the name of each file to its text, drawn without a running app."""
    if importlib.util.find_spec("ui") is None:
        sys.path.insert(0, str(app_folder()))
    # There is no session, and Streamlit would warn about this at every step.
    logging.disable(logging.WARNING)
    try:
        pages: dict[str, str] = importlib.import_module(APP).pages()
    finally:
        logging.disable(logging.NOTSET)
    return pages
