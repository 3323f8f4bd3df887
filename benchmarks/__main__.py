"""`python -m benchmarks [PART] [--data folder] [--markdown]`: run one of the parts below, or all.

`python -m benchmarks coverage` measures something else: how often intervals and decisions are right. It
writes the results to docs/doubt.md. `python -m benchmarks compare BASE` compares this checkout with another.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import (
    crowd,
    data,
    discrimination,
    drags,
    focused,
    load,
    measures,
    navigation,
    rescore,
    sessions,
    slider,
    visitors,
)

PARTS = {
    "load": load.run,
    "rescore": rescore.run,
    "measures": measures.run,
    "focused": focused.run,
    "navigation": navigation.run,
    "discrimination": discrimination.run,
    "sessions": sessions.run,
    "slider": slider.run,
    "drags": drags.run,
    "visitors": visitors.run,
    "crowd": crowd.run,
}
TOOLS = (
    "numpy",
    "scipy",
    "pandas",
    "pyarrow",
    "polars",
    "ir_measures",
    "cwl-eval",
    "pytrec_eval-terrier",
    "ranx",
    "streamlit",
    "plotly",
)


def main() -> None:
    if sys.argv[1:2] == ["coverage"]:
        from benchmarks.coverage import report

        report.main(sys.argv[2:])
        return
    if sys.argv[1:2] == ["compare"]:
        from benchmarks import compare

        compare.main(sys.argv[2:])
        return
    arguments = _arguments()
    chosen = list(PARTS) if arguments.part == "all" else [arguments.part]
    with data.opened(arguments.data) as place:
        print(f"{time.strftime('%Y-%m-%d')}, {machine()}, {place.description}\n{versions()}\n")
        for name in chosen:
            for table in PARTS[name](place):
                print(table.text(arguments.markdown), flush=True)


def machine() -> str:
    """Return a description of the machine that measures: cores, system, Python version."""
    return f"{os.cpu_count()} cores ({platform.machine()}), {platform.system()}, Python {platform.python_version()}"


def versions() -> str:
    """Return the compared tools with their versions as text; a tool that is not installed is "absent"."""
    listed = []
    for tool in TOOLS:
        try:
            listed.append(f"{tool} {version(tool)}")
        except PackageNotFoundError:
            listed.append(f"{tool} absent")
    return ", ".join(listed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure evalcore beside other tools.")
    parser.add_argument("part", nargs="?", choices=[*PARTS, "all"], default="all")
    parser.add_argument("--data", type=Path, metavar="folder", help="a folder with runs/, qrels*.txt and qread*.txt")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    return parser.parse_args()


main()
