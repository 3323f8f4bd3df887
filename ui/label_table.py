"""What the labels of each aspect mean, as a table to correct: which end is good, the scale, what is no judgement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.data import Collection
from evalcore.data.manifest import Column, Manifest, parse_manifest, write_manifest
from evalcore.errors import DataError, shorten
from ui import collections, show

FEW = 8  # labels that are listed one by one
COLUMNS = {
    "found": st.column_config.TextColumn("labels found", help="In the file; those below 0 are in the pool, not judged"),
    "good": st.column_config.SelectboxColumn("good end", options=["high", "low"], required=True),
    "scale": st.column_config.TextColumn(
        "scale", help="All labels there are, such as 1, 2, 3, 4, 5. Empty: 0 and what the file has above it"
    ),
    "positive": st.column_config.NumberColumn(
        "positive from", help="For measures that know only yes and no. Empty: every label but the worst"
    ),
    "missing": st.column_config.TextColumn("cannot judge", help="Labels that mean no label at all, such as 9"),
}


def label_table(collection: Collection) -> None:
    """Draw the table; reads the files again as it was changed."""
    manifest = parse_manifest(collection.manifest)
    columns = [column for column in manifest.columns if column.file and column.scale.kind == "grades"]
    if not columns:
        return
    st.caption(
        "What was read into the labels. A scale that is empty was assumed: 0 is the worst label, and all above it is "
        "positive. Correct a cell and read the files again."
    )
    table = pd.DataFrame([_row(collection, column) for column in columns]).set_index("aspect")
    edited = st.data_editor(
        table,
        column_config=COLUMNS,
        disabled=["aspect", "found"],
        key=f"labels {collection.fingerprint}",
        width="stretch",
    )
    if st.button("Read again with these labels", icon=":material/refresh:", disabled=edited.equals(table)):
        with show.errors():
            collections.reopen(write_manifest(with_labels(manifest, edited)))


def with_labels(manifest: Manifest, table: pd.DataFrame) -> Manifest:
    """The manifest with what the table says of its aspects. Raises DataError for what is no list of numbers."""
    rows: dict[Any, Any] = table.to_dict("index")
    columns = [_changed(one, rows[one.scale.name]) if one.scale.name in rows else one for one in manifest.columns]
    return replace(manifest, columns=tuple(columns))


def _row(collection: Collection, column: Column) -> dict[str, object]:
    scale = column.scale
    return {
        "aspect": scale.name,
        "found": _listed(collection.assessments.columns[scale.name]),
        "good": scale.good,
        "scale": _text(scale.grades),
        "positive": np.nan if scale.threshold is None else scale.threshold,
        "missing": _text(column.missing),
    }


def _listed(values: np.ndarray) -> str:
    labels = np.unique(values[~np.isnan(values)])
    return _text(labels) if len(labels) <= FEW else f"{len(labels)}, from {labels[0]:g} to {labels[-1]:g}"


def _changed(column: Column, row: Mapping[str, Any]) -> Column:
    """A column as its row says; names and gains stay where the scale has as many grades as before."""
    old, grades = column.scale, _numbers(row["scale"], column.scale.name)
    kept = len(grades) == len(old.grades)
    positive = row["positive"]
    scale = replace(
        old,
        good=row["good"],
        grades=grades,
        names=old.names if kept else (),
        gains=old.gains if kept else (),
        threshold=None if positive is None or np.isnan(positive) else float(positive),
    )
    return replace(column, scale=scale, missing=_numbers(row["missing"], old.name))


def _numbers(text: str | None, aspect: str) -> tuple[float, ...]:
    try:
        return tuple(sorted({float(one) for one in (text or "").replace(",", " ").split()}))
    except ValueError:
        raise DataError(f"expected numbers such as 0, 1, 2, found {shorten(text or '')}", aspect) from None


def _text(numbers: Any) -> str:
    return ", ".join(f"{number:g}" for number in numbers)
