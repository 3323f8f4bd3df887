"""`python -m benchmarks coverage`: check every interval and decision of the product, and write docs/doubt.md.

Results are kept in docs/doubt.csv, one line per cell, so that one subject can be measured again and the table written
from all results.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import pandas as pd

from benchmarks.coverage.cells import SUBJECTS, Cell, Measured, simulate

MODULES = ("scores", "rankings", "claims", "labels")
DOCS = Path(__file__).resolve().parents[2] / "docs"
LEAST, MOST = 0.93, 0.06  # least coverage of 95% intervals, most errors of 5% decisions
ENOUGH = 20  # fewest answers of a cell that counts

POPULATIONS = {
    "N": r"normal noise|normal$|measures agree by|specifications",
    "S": "skewed",
    "U": "uneven|four times the noise",
    "Z": "zeros|0 on two topics of three",
    "D": "six values|score 1 on",
    "T": r"teams,|of \d+ teams|variants|factors",
    "H": "half of them 0",
    "F": "far apart on",
    "G": "missing",
    "R": "clef|dl20",
}
"""Letters of kinds of populations in the table, with patterns of their names."""


def main(arguments: Sequence[str]) -> None:
    """Measure the requested cells, and write the results and the page with their table."""
    options = _options(arguments)
    chosen = options.only.split(",") if options.only else list(MODULES)
    known, rows = read(options.to), list[Measured]()
    for cell in [] if options.pages else _cells(chosen, options.data):
        for row in simulate(cell, options.trials, options.seed):
            print(f"{row.subject}: {row.population}, {row.topics} topics {row.what}: {row.share:.3f}", flush=True)
            rows.append(row)
    anew = {(row.subject, row.population, row.topics) for row in rows}
    rows = [row for row in known if (row.subject, row.population, row.topics) not in anew] + rows
    if not options.pages:
        pd.DataFrame([asdict(row) for row in rows]).to_csv(options.to / "doubt.csv", index=False)
    page = options.to / "doubt.md"
    page.write_text(with_table(page.read_text(encoding="utf-8"), rows), encoding="utf-8")


def _cells(chosen: Sequence[str], data: Path | None) -> Iterator[Cell]:
    for name in chosen:
        yield from import_module(f"benchmarks.coverage.{name}").cells(data)


def read(folder: Path) -> list[Measured]:
    """Return the results in doubt.csv about subjects that still exist; an empty list without the file."""
    if not (folder / "doubt.csv").exists():
        return []
    table = pd.read_csv(folder / "doubt.csv", keep_default_na=False, na_values=[""], dtype={"what": object})
    table["what"] = table["what"].fillna("")
    return [Measured(*row) for row in table.itertuples(index=False) if row[0] in SUBJECTS]


def with_table(page: str, rows: Sequence[Measured]) -> str:
    """Return the page with a new table of the results; the text around it stays."""
    before, head, rest = page.partition("| statement |")
    if not head:
        raise SystemExit("expected a line that begins with '| statement |' in doubt.md, found none")
    after = rest[rest.index("\n\n") :]
    return before + "\n".join(table(rows)) + after


def table(rows: Sequence[Measured]) -> Iterator[str]:
    """Yield the lines of a Markdown table, one for each subject: where it was measured, and the results of its cells.

    The results are the worst and the median share, and the number of cells that are off.
    """
    yield "| statement | in Python | populations | topics | promised | worst | median | off |"
    yield "|:--|:--|:--|--:|--:|--:|--:|--:|"
    for subject in SUBJECTS.values():
        own = sorted((row for row in rows if row.subject == subject.name), key=lambda row: row.share)
        counted = [row for row in own if row.trials >= ENOUGH]
        if not counted:
            continue
        worst = counted[-1 if subject.kind == "errs" else 0]
        names = [row.population for row in own]
        found = {letter for name in names for letter in kinds_of(name)}
        kinds = "".join(letter for letter in (*POPULATIONS, "O") if letter in found)
        topics = sorted({row.topics for row in own})
        span = str(topics[0]) if len(topics) == 1 else f"{topics[0]:,} to {topics[-1]:,}"
        cells = f"{sum(map(off, counted))} of {len(counted)}"
        shares = f"{worst.share:.2f} | {counted[len(counted) // 2].share:.2f}"
        text = f"**{subject.name}.** {subject.claim}"
        yield f"| {text} | {subject.method} | {kinds} | {span} | {subject.claimed} | {shares} | {cells} |"


def kinds_of(population: str) -> list[str]:
    """Return the letters of the kinds that a population belongs to; "O" (other) if none fits."""
    return [letter for letter, known in POPULATIONS.items() if re.search(known, population)] or ["O"]


def off(row: Measured) -> bool:
    """Return True if a share is off by more than chance explains: its whole 99% interval is beyond the limit."""
    low, high = row.bounds
    return {"covers": high < LEAST, "errs": low > MOST, "finds": False}[SUBJECTS[row.subject].kind]


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks coverage", description=__doc__)
    parser.add_argument(
        "--only", metavar="NAMES", help=f"modules of {', '.join(MODULES)}, separated by commas (default: all)"
    )
    parser.add_argument("--trials", type=int, default=500, help="simulated collections per cell (default: 500)")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--data", type=Path, metavar="folder", help="holds clef2015, clef2016task2, dl2021judges")
    parser.add_argument("--to", type=Path, default=DOCS, metavar="folder", help="where doubt.md and doubt.csv are")
    parser.add_argument("--pages", action="store_true", help="write the table from doubt.csv, without simulating")
    options = parser.parse_args(arguments)
    if unknown := set((options.only or MODULES[0]).split(",")) - set(MODULES):
        parser.error(f"expected some of {', '.join(MODULES)}, found {', '.join(sorted(unknown))}")
    return options
