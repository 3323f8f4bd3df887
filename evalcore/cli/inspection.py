"""`evalcore inspect`: what a collection contains, and what was inferred or repaired when it was read.

Read a collection and list what is in it: aspects and signals, systems, the share of assessed documents, every note
of the loader, and the measures that fit. With --toml, print a collection.toml that describes the files: save it beside
them to correct what was inferred.
"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.opening import open_collection
from evalcore.cli.output import DECIMALS, chosen_format, json_text, table_text, write
from evalcore.cli.terminal import clean
from evalcore.common.lazy_imports import pd
from evalcore.errors import counted

USAGE = "WHERE [--toml] [options]"
EXAMPLES = (
    "evalcore inspect sample_data/health",
    "evalcore inspect sample_data/health/runs/bm25_*.gz sample_data/health/q*.txt",
    "evalcore inspect sample_data/health --toml",
    "evalcore inspect sample_data/health --format json",
)
FORMATS = ("text", "json")
_SHOWN = ("topics", "lines", "assessed", "assessed@10", "assessed@100", "tied", "repeated", "scores", "gaps")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_collection(parser)
    arguments.add_output(parser, FORMATS)
    arguments.flag(parser, "--toml", help="print a collection.toml that describes what was read")


def run(options: argparse.Namespace) -> None:
    """Print what the collection contains."""
    collection = open_collection(options)
    if options.toml:
        write(collection.manifest, options)
    elif chosen_format(options, FORMATS) == "json":
        write(json_text(_facts(collection)), options)
    else:
        write(_text(collection), options)


def _facts(collection: ec.Collection) -> dict[str, object]:
    from evalcore.data.source_labels import source_table

    report = collection.report
    return {
        "title": collection.title,
        "description": collection.description,
        "fingerprint": collection.fingerprint,
        "systems": _records(report.systems),
        "topics": list(collection.topics),
        "assessed": int(collection.assessments.judged.sum()),
        "columns": _records(report.columns),
        "sources": source_table(collection.assessments).to_dict("records"),
        "notes": [{"kind": note.kind, "where": note.where, "text": note.text} for note in report.notes],
        "provenance": dict(report.provenance),
        "sets": _sets(collection),
        "collection.toml": collection.manifest,
    }


def _records(frame: pd.DataFrame) -> list[dict[str, object]]:
    return [{str(name): value for name, value in row.items()} for row in frame.reset_index().to_dict("records")]


def _sets(collection: ec.Collection) -> dict[str, list[str]]:
    return {name: list(map(str, measures)) for name, measures in ec.measures.suggestions(collection).items()}


def _text(collection: ec.Collection) -> str:
    report = collection.report
    systems = report.systems[[name for name in _SHOWN if name in report.systems]].reset_index()
    columns = len(report.columns) > 0
    counts = ", ".join(
        counted(number, what)
        for number, what in (
            (len(collection.systems), "system"),
            (len(collection.topics), "topic"),
            (int(collection.assessments.judged.sum()), "assessed document"),
        )
        if number or columns
    )
    parts = [
        "\n".join(clean(line) for line in (collection.title, collection.description) if line),
        f"{counts}\nfingerprint {collection.fingerprint}",
        _headed("Aspects and signals", table_text(_ends_written(report.columns.reset_index()), 2) if columns else ""),
        _headed("Scores", _given(collection)),
        _headed("Sources of labels", _sources(collection)),
        _headed("Systems", table_text(systems, DECIMALS)),
        _headed("Notes", "".join(f"{note.kind}: {clean(note.where)}: {clean(note.text)}\n" for note in report.notes)),
        *(
            _headed(f"Comments in {clean(name)}", "".join(f"{clean(line)}\n" for line in origin.splitlines()))
            for name, origin in report.provenance.items()
        ),
        *(
            _headed(f'--set "{name}"', "".join(f"{text}\n" for text in texts))
            for name, texts in _sets(collection).items()
        ),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _given(collection: ec.Collection) -> str:
    """Return, as text, a line for each measure with given scores: its good end (high or low) and how many are known."""
    return "".join(
        f"{clean(name)}: {scores.good} is good; {int((scores.values == scores.values).sum()):,} of "
        f"{scores.values.size:,} scores are known\n"
        for name, scores in getattr(collection.rankings, "given", {}).items()
    )


def _ends_written(columns: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the columns lowest and highest as text with 4 significant digits.

    With a fixed number of decimals, all values of a signal could appear as 0.
    """
    return columns.assign(**{end: [f"{value:.4g}" for value in columns[end]] for end in ("lowest", "highest")})


def _sources(collection: ec.Collection) -> str:
    """Return, as text, a table of the documents that each source labelled; "" if each aspect has one source."""
    from evalcore.data.source_labels import source_table

    table = source_table(collection.assessments)
    return "" if table.empty else table_text(table.assign(read=table["read"].map({True: "by default", False: ""})), 2)


def _headed(title: str, body: str) -> str:
    return f"{title}\n\n{body}" if body else ""
