"""`python -m benchmarks coverage`: simulate everything that the product claims to be sure of, and write docs/doubt.md.

Simulations are seeded; of one subject alone: `--only ranks`. What was measured is kept as CSV beside the page
(docs/doubt.csv), so that one subject can be measured anew and the page written from all of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from benchmarks.coverage import (
    aggregates,
    bounds,
    claims,
    combined,
    combined_ranks,
    correlations,
    differences_needed,
    draws,
    families,
    gaps,
    judges,
    needed,
    pairs,
    ranks,
    reproducing,
    settings,
    swaps,
    tau_errors,
    variance,
    walkers,
)
from benchmarks.coverage.measured import Measured, Subject

SUBJECTS = {
    "ranks": ranks,
    "pairs": pairs,
    "families": families,
    "correlations": correlations,
    "gaps": gaps,
    "claims": claims,
    "judges": judges,
    "combined": combined,
    "combined_ranks": combined_ranks,
    "aggregates": aggregates,
    "variance": variance,
    "swaps": swaps,
    "settings": settings,
    "needed": needed,
    "differences_needed": differences_needed,
    "tau_errors": tau_errors,
    "reproducing": reproducing,
    "bounds": bounds,
    "draws": draws,
    "walkers": walkers,
}
DOCS = Path(__file__).resolve().parents[2] / "docs"
TRIALS, SEED = 500, 2026
LEAST, MOST = 0.93, 0.06
"""An interval at 95% should cover in this share of cases at least, a decision at 5% err in this share at most."""

ENOUGH = 20  # answers from which on a cell stands in the summary

HEADER = """\
# Doubt, measured

Everything the product calls an interval, a group, separable, significant, holds, reversed or favoured says how sure it
is. This page says how often that is right: on populations of topics whose truth is known, invented ones and the topics
of real collections, from which topics are drawn with replacement. *Covers* is the share of drawn collections in which a
95% interval held the truth; *errs* the share in which a decision at 5% was wrong; *finds* the share in which what is
there was found. In brackets stands the exact 99% interval of that share, from the number of simulated collections.

Bands over settings show what these settings did, and claim nothing of others; they have no row here. Of bands over
draws (of labels that go wrong, of shares of a pool) it says how often one draw more lies in them.

A share is **bold** where it is off by more than the product allows itself, with that allowance for chance: intervals
that cover in less than 93%, decisions that err in more than 6%.

`python -m benchmarks coverage` simulates it anew (`--trials`, `--seed`, `--only`, `--data FOLDER` for real topics) and
writes this page; what was measured stands in [doubt.csv](doubt.csv).
"""


def main(arguments: Sequence[str]) -> None:
    """Measure, and write the page."""
    options = _options(arguments)
    chosen = options.only.split(",") if options.only else list(SUBJECTS)
    anew = {subject.name for name in chosen for subject in SUBJECTS[name].SUBJECTS} if not options.pages else set()
    rows = [row for row in _kept(options.to) if row.subject.name not in anew]
    for name in chosen if anew else []:
        for row in SUBJECTS[name].measure(options.trials, options.seed, options.data):
            print(_line(row), flush=True)
            rows.append(row)
    write(rows, options.to)


def write(rows: Iterable[Measured], folder: Path) -> None:
    """The page and the table of what was measured."""
    known = list(rows)
    table = pd.DataFrame([{**asdict(row), "subject": row.subject.name} for row in known])
    table.to_csv(folder / "doubt.csv", index=False)
    (folder / "doubt.md").write_text(page(known), encoding="utf-8")


def page(rows: Sequence[Measured]) -> str:
    """What is claimed, how it is computed and what was measured, subject after subject."""
    parts = [HEADER, "\n".join(_at_a_glance(rows))]
    for module in SUBJECTS.values():
        for subject in module.SUBJECTS:
            own = [row for row in rows if row.subject == subject]
            if own:
                parts.append("\n".join(_section(subject, own)))
    return "\n".join(parts)


def _at_a_glance(rows: Sequence[Measured]) -> Iterator[str]:
    """A row for each subject: the worst and the middle of what was measured, and in how many cells it is off."""
    yield "| what | claimed | the worst cell | the middle one | before | cells off |"
    yield "|:--|--:|--:|--:|--:|--:|"
    for module in SUBJECTS.values():
        for subject in module.SUBJECTS:
            own = sorted((row for row in rows if row.subject == subject and row.trials >= ENOUGH), key=_by_share)
            if not own or subject.kind == "finds":
                continue
            covers = subject.kind == "covers"
            worst = own[0] if covers else own[-1]
            before = sorted(row.before for row in own if row.before == row.before)
            middle = _number(before[len(before) // 2], 2) if before else ""
            claimed = f"{subject.kind} {'' if covers else 'at most '}{subject.nominal:.2f}"
            cells = f"{sum(map(off, own))} of {len(own)}"
            shares = f"{worst.share:.2f} | {own[len(own) // 2].share:.2f}"
            yield f"| {subject.name} | {claimed} | {shares} | {middle} | {cells} |"
    yield "\nCells with fewer than 20 answers are left out here; *before* is the middle cell of what was there.\n"


def _by_share(row: Measured) -> float:
    return row.share


def off(row: Measured) -> bool:
    """Whether a share is off by more than is allowed, with the allowance for the number of trials."""
    low, high = row.bounds
    return {"covers": high < LEAST, "errs": low > MOST, "finds": False}[row.subject.kind]


def _section(subject: Subject, rows: Sequence[Measured]) -> Iterator[str]:
    yield f"## {subject.name}\n\n{subject.claim} {subject.method}\n"
    has_width = any(row.width == row.width for row in rows)
    before = any(row.before == row.before for row in rows)
    head = ["population", "systems", "topics", "of", subject.kind, *["width"] * has_width]
    head += ["before", *["width before"] * has_width] if before else []
    head += ["not said"] if any(row.refused for row in rows) else []
    yield f"| {' | '.join(head)} |"
    yield f"|:--|{'--:|' * (len(head) - 1)}"
    for row in rows:
        cells = [row.population, str(row.systems), str(row.topics), row.what, _share(row)]
        cells += [_number(row.width)] if has_width else []
        cells += [_number(row.before, 3), *[_number(row.width_before)] * has_width] if before else []
        cells += [f"{row.refused / max(row.refused + row.trials, 1):.0%}"] if "not said" in head else []
        yield f"| {' | '.join(cells)} |"
    yield ""


def _share(row: Measured) -> str:
    if not row.trials:
        return ""
    low, high = row.bounds
    text = f"{row.share:.3f} [{low:.3f}, {high:.3f}]"
    return f"**{text}**" if off(row) else text


def _number(value: float, digits: int = 2) -> str:
    return "" if value != value else f"{value:.{digits}f}"


def _line(row: Measured) -> str:
    width = "" if row.width != row.width else f", width {row.width:.3g}"
    refused = f", not said in {row.refused}" if row.refused else ""
    return f"{row.subject.name}: {row.population}, {row.topics} topics {row.what}: {_share(row)}{width}{refused}"


def _kept(folder: Path) -> list[Measured]:
    """What was measured before."""
    if not (folder / "doubt.csv").exists():
        return []
    subjects = {subject.name: subject for module in SUBJECTS.values() for subject in module.SUBJECTS}
    table = pd.read_csv(folder / "doubt.csv", keep_default_na=False, na_values=[""], dtype={"what": object})
    table["what"] = table["what"].fillna("")
    rows = table[table["subject"].isin(list(subjects))].itertuples(index=False)
    return [Measured(subjects[str(row[0])], *row[1:]) for row in rows]


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks coverage", description=__doc__)
    parser.add_argument(
        "--only", metavar="NAMES", help=f"of {', '.join(SUBJECTS)}, with commas between; all if left out"
    )
    parser.add_argument("--trials", type=int, default=TRIALS, help=f"simulated collections a cell (default: {TRIALS})")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--data", type=Path, metavar="folder", help="holds clef2015, clef2016task2, dl2021judges")
    parser.add_argument(
        "--to", type=Path, default=DOCS, metavar="folder", help="where doubt.md and doubt.csv are written"
    )
    parser.add_argument("--pages", action="store_true", help="write the page from doubt.csv, without simulating")
    options = parser.parse_args(arguments)
    for name in (options.only or "").split(","):
        if name and name not in SUBJECTS:
            parser.error(f"expected one of {', '.join(SUBJECTS)}, found {name}")
    return options
