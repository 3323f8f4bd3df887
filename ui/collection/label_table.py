"""What the labels mean, as a table to confirm or correct: aspects, good ends, scales, what is no judgement, gains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.arrays import FloatArray
from evalcore.data import Collection
from evalcore.data.doubtful import doubtful_label
from evalcore.data.infer import NO_MANIFEST
from evalcore.data.manifest import Column, Manifest, parse_manifest, write_manifest
from evalcore.data.names import ASPECT_WORDS
from evalcore.errors import InputError, shorten
from evalcore.measures.catalogue import usual_gains
from evalcore.notation.values import written
from evalcore.structures.documents import Scale
from ui.frame import kept, open_collection
from ui.widgets import settings, show
from ui.widgets.callback import callback
from ui.widgets.text import markdown

FEW = 8  # labels that are listed one by one
MARK = " ?"  # behind what was guessed
NONE, LEFT_OUT = "none", "leave out"
_CONFIRMED, _PUT_OFF = "labels confirmed", "labels put off"  # fingerprints


def ask(page: str) -> None:
    """On every page, after files were opened: what was guessed of them, until somebody says that it is right."""
    whole = open_collection.whole()
    opened = settings.address().get("data") == [open_collection.OWN]
    if opened and page != "collection" and guessed(whole) and whole.fingerprint not in _said(_PUT_OFF):
        with st.container(border=True):
            st.markdown("**What do the labels mean?** The files do not say; this was guessed.")
            label_table(whole, can_wait=True)


def label_table(collection: Collection, can_wait: bool = False) -> None:
    """Draw the table; reads the files again as it was changed, or takes what was guessed as confirmed."""
    manifest, unsure = parse_manifest(collection.manifest), guessed(collection)
    table = rows(collection)
    if table.empty:
        return
    st.caption(
        f"What ends in a question mark was guessed. Correct a cell, or confirm all; *{NONE}* and empty cells say that "
        "nothing was declared: then 0 is the worst label, and all above it is positive."
        if unsure
        else "What was read into the labels. Where a scale is empty, 0 is the worst label, and all above it is "
        "positive. Correct a cell and read the files again."
    )
    for hint in hints(collection) if unsure else ():
        st.warning(hint, icon=":material/help:")
    edited = st.data_editor(
        table,
        column_config=_columns(table),
        disabled=["found"],
        hide_index=True,
        key=f"labels {collection.fingerprint} {unsure}",
        width="stretch",
    )
    with st.container(horizontal=True):
        again = st.button(
            "Read again with these labels",
            icon=":material/refresh:",
            disabled=edited.equals(table),
            type="secondary" if edited.equals(table) else "primary",
        )
        if unsure:
            _sure(collection.fingerprint, not edited.equals(table), can_wait)
    if again:
        with show.errors():
            open_collection.reopen(write_manifest(with_labels(manifest, edited)))


def _sure(fingerprint: str, changed: bool, can_wait: bool) -> None:
    """The buttons that confirm what was guessed, or put it off."""
    said = (_CONFIRMED, fingerprint)
    kind: Literal["primary", "secondary"] = "secondary" if changed else "primary"
    st.button("Confirm all", icon=":material/done_all:", disabled=changed, type=kind, on_click=_say, args=said)
    if can_wait:
        help, put_off = "The page Collection has the table too", (_PUT_OFF, fingerprint)
        st.button("Not now", type="tertiary", help=help, on_click=_say, args=put_off)


def _said(key: str) -> tuple[str, ...]:
    """Of which collections this browser said so."""
    return kept.get(key) or ()


@callback
def _say(key: str, fingerprint: str) -> None:
    kept.put(key, (*_said(key), fingerprint))


def guessed(collection: Collection) -> bool:
    """Whether what the labels mean was guessed, and nobody has said yet that it is right."""
    return NO_MANIFEST in collection.report.notes and collection.fingerprint not in _said(_CONFIRMED)


def hints(collection: Collection) -> list[str]:
    """Top labels that look as if they meant something else, in Markdown."""
    found = []
    for column in _shown(parse_manifest(collection.manifest)):
        values = collection.assessments.columns[column.scale.name]
        doubt = doubtful_label(values, column.file) if column.scale.kind == "grades" else None
        if doubt:
            label, why = doubt
            end = "best" if column.scale.good == "high" else "worst"
            found.append(
                f"**{markdown(column.scale.name)}**: the label {label:g} {markdown(why)}. If it means that the "
                f"assessor could not judge, write {label:g} under *cannot judge*; else it is read as the {end}."
            )
    return found


# --- the table --------------------------------------------------------------------------------------------------------


def rows(collection: Collection) -> pd.DataFrame:
    """A row for each aspect and signal that is read from a file; what was guessed ends in a question mark."""
    mark = MARK if guessed(collection) else ""
    columns = _shown(parse_manifest(collection.manifest))
    pool = collection.assessments
    listed = [_row(one, pool.columns[one.scale.name], pool.scales[one.scale.name], mark) for one in columns]
    return pd.DataFrame(listed).set_index("aspect") if listed else pd.DataFrame()


def _shown(manifest: Manifest) -> list[Column]:
    return [column for column in manifest.columns if column.file]


def _row(column: Column, values: FloatArray, used: Scale, mark: str) -> dict[str, object]:
    """`used` is the scale with the grades that were assumed where none are declared."""
    scale, graded = column.scale, column.scale.kind == "grades"
    guess = mark if graded and len(used.grades) <= FEW else ""
    assumed = replace(used, gains=())
    others = ", ".join(one.name for one in column.sources)
    gains = usual_gains(assumed)[:: 1 if used.good == "high" else -1]
    return {
        "aspect": scale.name,
        "found": f"{column.file}: {_counted(values)}" + (f"; also by {others}" if others else ""),
        "role": scale.name + mark,
        "good": scale.good + mark,
        "scale": _text(scale.grades) or (guess and _text(used.grades) + guess),
        "positive": np.nan if scale.threshold is None else scale.threshold,
        "missing": _text(column.missing) or (mark and graded and NONE + mark) or "",
        "gains": _text(scale.gains) or (guess and _text(gains) + guess),
    }


def _counted(values: FloatArray) -> str:
    """Each label and how often it was given."""
    labels, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(labels) > FEW:
        return f"{len(labels)}, from {labels[0]:g} to {labels[-1]:g}"
    return " · ".join(f"{label:g} ({count:,})" for label, count in zip(labels, counts, strict=True))


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    roles = list(dict.fromkeys([*table["role"], *table.index, *ASPECT_WORDS, LEFT_OUT]))
    ends = list(dict.fromkeys(["high", "low", *table["good"]]))
    return {
        "found": st.column_config.TextColumn(
            "labels in the file", help="How often each was given; those below 0 are in the pool, not judged"
        ),
        "role": st.column_config.SelectboxColumn(
            "is", options=roles, required=True, help="What the labels are about; or not to read them"
        ),
        "good": st.column_config.SelectboxColumn("good end", options=ends, required=True),
        "scale": st.column_config.TextColumn(
            "scale", help="All labels there are, such as 1, 2, 3, 4, 5. Empty: 0 and what the file has above it"
        ),
        "positive": st.column_config.NumberColumn(
            "positive from",
            help="For measures that know only yes and no. Empty: what is above 0, or above the worst of the scale",
        ),
        "missing": st.column_config.TextColumn("cannot judge", help="Labels that mean no label at all, such as 9"),
        "gains": st.column_config.TextColumn(
            "gains", help="What each label of the scale is worth, in its order. Empty: equal steps"
        ),
    }


# --- what it says -----------------------------------------------------------------------------------------------------


def with_labels(manifest: Manifest, table: pd.DataFrame) -> Manifest:
    """The manifest with what the table says of its columns; what was guessed and left so stays as it was.

    Raises InputError for what is no list of numbers.
    """
    said: dict[Any, Any] = table.to_dict("index")
    roles = {name: _plain(row["role"]) for name, row in said.items() if "role" in row}
    columns = []
    for one in manifest.columns:
        name = one.scale.name
        changed = _changed(one, said[name]) if name in said else one
        if roles.get(name) != LEFT_OUT:
            scale = replace(changed.scale, name=roles.get(name, name))
            columns.append(replace(changed, scale=scale, signal=roles.get(one.signal, one.signal)))
    return replace(manifest, columns=tuple(columns))


def _changed(column: Column, row: Mapping[str, Any]) -> Column:
    """A column as its row says; names and gains stay where the scale has as many grades as before."""
    old = column.scale
    missing = column.missing if _is_guess(row["missing"]) else _labels(row["missing"], old.name)
    gains = _cell(row.get("gains"), old.name)
    grades = _grades(row["scale"], old, missing, needed=bool(gains))
    if old.kind == "signal" and (missing or gains or grades):
        raise InputError("expected no scale, gains or labels without a judgement of a signal", old.name)
    kept = len(grades) == len(old.grades)
    positive = row["positive"]
    scale = replace(
        old,
        good="low" if _plain(row["good"]) == "low" else "high",
        grades=grades,
        names=old.names if kept else (),
        gains=gains or (old.gains if kept else ()),
        threshold=None if positive is None or np.isnan(positive) else float(positive),
    )
    return replace(column, scale=scale, missing=missing)


def _grades(text: str | None, old: Scale, missing: tuple[float, ...], *, needed: bool) -> tuple[float, ...]:
    """The scale; one that was guessed is declared only where gains need it, without what is no judgement."""
    if _is_guess(text) and not needed:
        return old.grades
    return tuple(grade for grade in _labels(text, old.name) if not _is_guess(text) or grade not in missing)


def _is_guess(text: str | None) -> bool:
    return (text or "").endswith(MARK)


def _plain(text: str) -> str:
    return text.removesuffix(MARK)


def _labels(text: str | None, aspect: str) -> tuple[float, ...]:
    """The labels in a cell, ascending, each once."""
    return tuple(sorted(set(_numbers(_plain(text or ""), aspect))))


def _cell(text: str | None, aspect: str) -> tuple[float, ...]:
    """The numbers in a cell as they stand there; none of a guess."""
    return () if _is_guess(text) else _numbers(text or "", aspect)


def _numbers(text: str, aspect: str) -> tuple[float, ...]:
    try:
        numbers = [float(one) for one in text.replace(",", " ").split() if text.strip() != NONE]
    except ValueError:
        numbers = [np.nan]
    if not np.isfinite(numbers).all():
        raise InputError(f"expected numbers such as 0, 1, 2, found {shorten(text)}", aspect)
    return tuple(numbers)


def _text(numbers: Any) -> str:
    return ", ".join(written(float(number)) for number in numbers)
