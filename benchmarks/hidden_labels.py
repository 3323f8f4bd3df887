"""Most human labels hidden again and again: how often the winner by all of them is found by what is left.

By people alone, by a model's labels alone, by both together, and by the likeliest order of both; on runs whose
documents people and models labelled alike, `dl2021judges` beside the other real data.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

import evalcore as ec
from benchmarks.data import Place
from benchmarks.tables import Table
from evalcore.combining import COMBINED, HUMAN, LIKELIEST, MODEL, hidden_draws

DRAWS = 500
DOCUMENTS, TOPICS = "KeptLabels(share=0.1)", "KeptLabels(topics=0.1)"
SETTINGS = [
    (model, measure, kept)
    for model in ("umbrela-gpt4o", "binary-llama32")
    for measure, kept in (("nDCG@10", DOCUMENTS), ("P@10", DOCUMENTS), ("RBP(rho=0.8)", DOCUMENTS), ("AP", TOPICS))
]
NAMES = {DOCUMENTS: "10% of each topic's documents", TOPICS: "10% of the topics"}
LINES = (HUMAN, MODEL, COMBINED, LIKELIEST)


def found(collection: ec.Collection, draws: int = DRAWS) -> Iterator[tuple[str, str, str, pd.DataFrame]]:
    """Of each setting, what `hidden_draws` says of each line."""
    for model, measure, kept in SETTINGS:
        table = hidden_draws(measure, collection, model, "assessors", kept=kept, draws=draws)
        yield model, measure, kept, table


def run(place: Place) -> Iterator[Table]:
    """A row for each model, measure and share."""
    folder = judged_by_models(place.folder.parent)
    if folder is None:
        return
    rows = []
    for model, measure, kept, lines in found(ec.load(folder)):
        cells = [f"{float(lines[what][name]):.3f}" for what in ("winner", "tau") for name in LINES]
        rows.append([model, measure, NAMES[kept], *cells])
    found_by = [f"{what}: {name}" for what in ("winner", "τ") for name in LINES]
    heading = ("model", "measure", "people kept", *found_by)
    remarks = (f"{DRAWS} draws; winner: the share in which it is that by all human labels; τ: with their ranking.",)
    yield Table("Most human labels hidden", heading, rows, remarks)


def judged_by_models(beside: Path) -> Path | None:
    """The folder with labels by people and models among those beside the data; None where it is not there."""
    folder = beside / "dl2021judges"
    return folder if folder.is_dir() else None
