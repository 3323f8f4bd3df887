"""Table to confirm or correct what labels, scores and runs mean: aspects, good ends, scales, columns, gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.common.arrays import FloatArray
from evalcore.data import Collection
from evalcore.data.collection_files import origin_of
from evalcore.data.file_kind import Look
from evalcore.data.infer import NO_MANIFEST
from evalcore.data.kinds import kind_of, roles_of
from evalcore.data.manifest import ASSESSORS, Column, Manifest, OtherSource, Scored, parse_manifest, write_manifest
from evalcore.data.names import ASPECT_WORDS
from evalcore.data.report_tables import first_names
from evalcore.data.report_warnings import DIRECTION, FOLD
from evalcore.data.sources import Source
from evalcore.errors import InputError, counted, shorten
from evalcore.measures.catalogue import usual_gains
from evalcore.notation.values import written
from evalcore.structures.documents import Scale
from ui.collection import texts, which_systems
from ui.computing.cached import cached
from ui.data import open_collection
from ui.data.filter import CONFIRMED
from ui.server import browser_store
from ui.stage import show
from ui.widgets.callback import callback

FEW = 8  # most labels that are listed one by one
MANY = 12  # most columns of a file for which roles are shown
UNREAD = "-"  # the role of a column that is not read
MARK = " ?"  # marks a guess, at its end
SOURCE_OF = "another source of "
NONE, LEFT_OUT, A_RUN, SCORES = "none", "leave out", "a run", "scores"
JOINED = "folds of one run"
RUNS = "all runs"  # key of the row for all runs
_EMPTY = {"scale": "", "positive": np.nan, "missing": "", "gains": "", "columns": ""}  # a row without declarations
_SEEN_ON = "page where the labels were asked about"  # key of a map from fingerprint to page
_PUT_OFF = "labels put off"  # key of the fingerprints of postponed collections


def ask(page: str) -> None:
    """On every page but Data, ask about the guesses for undescribed files until they are confirmed or postponed."""
    whole = open_collection.whole()
    if page != "collection" and guessed(whole) and whole.fingerprint not in _said(_PUT_OFF):
        with _asking(texts.unknown("labels" if whole.assessments.scales else "scores"), whole, page):
            label_table(whole, can_wait=True)


def _asking(question: str, whole: Collection, page: str) -> DeltaGenerator:
    """Return the container for the table: open on the page where the table was first seen, folded on other pages."""
    seen: dict[str, str] = browser_store.latest(_SEEN_ON) or {}
    if whole.fingerprint not in seen:
        seen = {**seen, whole.fingerprint: page}
        browser_store.put(_SEEN_ON, seen)
    if seen[whole.fingerprint] != page:
        return st.expander(question, expanded=False)
    place = st.container(border=True)
    place.markdown(question)
    return place


def label_table(collection: Collection, can_wait: bool = False) -> None:
    """Draw the table, with buttons that read the files again with the changes or confirm the guesses."""
    manifest, unsure = parse_manifest(collection.manifest), guessed(collection)
    table = rows(collection)
    if table.empty:
        return
    alone = not collection.assessments.scales
    if alone:  # scores have a good end, but no scale
        table = table[["good", "role", "found", "columns"]]  # as many as fit on a phone, most edited first
    st.caption(texts.reading_labels(unsure, alone, NONE))
    if alone and manifest.scores:
        which_systems.draw(collection, manifest)
    edited = st.data_editor(
        table,
        column_config={name: how for name, how in _columns(table).items() if name in table},
        disabled=["found"],
        hide_index=True,
        key=f"labels {collection.fingerprint} {unsure}",
        width="stretch",
        placeholder=show.EMPTY,
    )
    changed = not edited.equals(table)
    with st.container(horizontal=True):
        again = st.button(
            f"Read again with these {'scores' if alone else 'labels'}",
            icon=":material/refresh:",
            disabled=not changed,
            type="primary" if changed else "secondary",
        )
        if unsure:
            _sure(collection.fingerprint, changed, can_wait)
    if again:
        with show.errors():
            open_collection.reopen(write_manifest(with_labels(manifest, edited)))


def _sure(fingerprint: str, changed: bool, can_wait: bool) -> None:
    """Draw the button that confirms the guesses; with `can_wait` also one that postpones the question."""
    confirmed = (CONFIRMED, fingerprint)
    kind: Literal["primary", "secondary"] = "secondary" if changed else "primary"
    st.button("Confirm all", icon=":material/done_all:", disabled=changed, type=kind, on_click=_say, args=confirmed)
    if can_wait:
        st.button("Not now", type="tertiary", help=texts.NOT_NOW, on_click=_say, args=(_PUT_OFF, fingerprint))


def _said(key: str) -> tuple[str, ...]:
    """Return the fingerprints of collections that this browser confirmed (`CONFIRMED`) or postponed (`_PUT_OFF`)."""
    return browser_store.get(key) or ()


@callback
def _say(key: str, fingerprint: str) -> None:
    browser_store.put(key, (*_said(key), fingerprint))


def guessed(collection: Collection) -> bool:
    """Return True if the meaning of the labels was guessed and this browser has not confirmed it."""
    return NO_MANIFEST in collection.report.notes and collection.fingerprint not in _said(CONFIRMED)


# --- the table --------------------------------------------------------------------------------------------------------


def rows(collection: Collection) -> pd.DataFrame:
    """Return a table with a row for each aspect, signal and measure read from a file, and one row for all runs.

    A guess ends in a question mark.
    """
    mark = MARK if guessed(collection) else ""
    manifest = parse_manifest(collection.manifest)
    columns = manifest.columns
    pool, known = collection.assessments, _known_roles(collection)
    listed = [_row(column, pool.columns[column.scale.name], pool.scales[column.scale.name], mark) for column in columns]
    listed += [_source_row(entry, other, collection, mark) for entry in columns for other in entry.sources]
    listed += [_score_row(score, collection.rankings.given[score.name].values, mark) for score in _scored(collection)]
    asked = {name for column in columns for name in column.files}
    listed += [_asked(name) for name in _questions(collection) if name not in asked]
    listed += [_runs_row(collection, mark)] if _has_plain_runs(manifest) else []
    for row in listed:
        text = known.get(str(row["aspect"]), "")
        row["columns"] = text if mark or not _is_guess(text) else ""
    return pd.DataFrame(listed).set_index("aspect") if listed else pd.DataFrame()


@cached(8)
def _known_roles(collection: Collection) -> dict[str, str]:
    """Map each row to the roles of its file's columns: declared, or else inferred and marked "?"; "" if unknown."""
    package = origin_of(collection)
    if package is None:
        return {}
    files = {column.scale.name: (column.columns, sources[0]) for column, sources in package.inputs.columns}
    files |= {_source_key(column, one): (one.columns, sources[0]) for column, one, sources in package.inputs.others}
    files |= {_score_key(score): (score.columns, sources[0]) for score, sources in package.inputs.scores}
    if package.inputs.runs:
        files[RUNS] = package.manifest.run_columns, package.inputs.runs[0]
    return {row: _roles_text(columns) or _inferred(source) for row, (columns, source) in files.items()}


def _inferred(source: Source) -> str:
    with suppress(InputError):
        roles = roles_of(Look(source), kind_of(source))
        if roles and not roles.spread and len(roles.columns) <= MANY:
            return _roles_text(roles.columns) + MARK
    return ""


def _roles_text(columns: Sequence[str]) -> str:
    return ", ".join(role or UNREAD for role in columns)


def _typed_roles(row: Mapping[str, Any], before: tuple[str, ...]) -> tuple[str, ...]:
    """Return the column roles that a row declares; `before` if it declares none."""
    text = row.get("columns") or ""
    if _is_guess(text) or not text.strip():
        return before
    return tuple("" if role.strip() == UNREAD else role.strip() for role in text.split(","))


def _questions(collection: Collection) -> list[str]:
    """Return the files that may be runs or labels, and patterns of runs that may be folds; [] without labels."""
    if not collection.assessments.scales:
        return []
    return [note.where for note in collection.report.notes if note.kind == "question" and note.where != DIRECTION]


def _asked(file: str) -> dict[str, object]:
    """Return a row for a file that was read as a run but may be labels, or for runs that may be folds of one run."""
    question = texts.folds(file) if FOLD in file else texts.run_or_labels(file)
    return {"aspect": file, "found": question, "role": A_RUN + MARK, "good": "high" + MARK, **_EMPTY}


def _row(column: Column, values: FloatArray, used: Scale, mark: str) -> dict[str, object]:
    """Return a row for an aspect or signal. `used` is its scale in use, with assumed grades if it declares none."""
    scale, graded = column.scale, column.scale.kind == "grades"
    guess = mark if graded and len(used.grades) <= FEW else ""
    assumed = replace(used, gains=())
    others = ", ".join(source.name for source in column.sources)
    gains = usual_gains(assumed)[:: 1 if used.good == "high" else -1]
    return {
        "aspect": scale.name,
        "found": f"{column.file}: {_counted(values)}" + (f"; also labelled by {others}" if others else ""),
        "role": scale.name + mark,
        "good": scale.good + mark,
        "scale": _text(scale.grades) or (guess and _text(used.grades) + guess),
        "positive": np.nan if scale.threshold is None else scale.threshold,
        "missing": _text(column.missing) or (mark and graded and NONE + mark) or "",
        "gains": _text(scale.gains) or (guess and _text(gains) + guess),
    }


def _source_row(column: Column, other: OtherSource, collection: Collection, mark: str) -> dict[str, object]:
    """Return a row for a further source of an aspect, which people may turn into an aspect of its own."""
    values = collection.assessments.sources[column.scale.name].labels[other.name]
    return {
        "aspect": _source_key(column, other),
        "found": f"{other.file}: {_counted(values)}",
        "role": SOURCE_OF + column.scale.name + mark,
        "good": column.scale.good + mark,
        **_EMPTY,
        "missing": _text(other.missing),
    }


def _scored(collection: Collection) -> list[Scored]:
    """Return the declared measures that have given scores for the systems and topics of this collection."""
    scores = parse_manifest(collection.manifest).scores
    return [score for score in scores if score.name in collection.rankings.given]


def _score_row(scored: Scored, values: FloatArray, mark: str) -> dict[str, object]:
    """Return a row for a measure with given scores; `values` are these scores."""
    known = values[~np.isnan(values)]
    ends = f", from {known.min():.4g} to {known.max():.4g}" if len(known) else ""
    missing = f", {values.size - len(known):,} missing" if len(known) < values.size else ""
    about = f"{scored.name}, in {', '.join(scored.files[:2])}: {len(known):,} scores{ends}{missing}"
    return {"aspect": _score_key(scored), "found": about, "role": SCORES + mark, "good": scored.good + mark, **_EMPTY}


def _has_plain_runs(manifest: Manifest) -> bool:
    """Return True if the collection ranks whole documents and its runs have columns that may be declared."""
    return bool(manifest.runs) and not manifest.passages and not manifest.navigation


def _runs_row(collection: Collection, mark: str) -> dict[str, object]:
    """Return a row for the runs, whose files all have the same columns."""
    systems = collection.systems
    result = f"{counted(len(systems), 'system')}: {first_names(systems)}"
    return {"aspect": RUNS, "found": result, "role": A_RUN + mark, "good": "high", **_EMPTY}


def _score_key(scored: Scored) -> str:
    return f"scores by {scored.name}"


def _source_key(column: Column, other: OtherSource) -> str:
    return f"{column.scale.name} by {other.name}"


def _counted(values: FloatArray) -> str:
    """Describe the labels: each with its frequency, or, if there are many, only their number and range."""
    labels, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(labels) > FEW:
        return f"{len(labels)}, from {labels[0]:g} to {labels[-1]:g}"
    return " · ".join(f"{label:g} ({count:,})" for label, count in zip(labels, counts, strict=True))


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    names = (_plain(role) for role in table["role"])
    aspects = (name for name, role in table["role"].items() if _plain(role) == name)
    sources = (SOURCE_OF + str(name) for name in aspects)
    joined = [JOINED] if any(FOLD in str(name) for name in table.index) else []
    roles = list(dict.fromkeys([*table["role"], *names, *joined, *ASPECT_WORDS, *sources, A_RUN, LEFT_OUT]))
    ends = list(dict.fromkeys(["high", "low", *table["good"]]))
    found, help = f"{'labels' if 'scale' in table else 'scores'} in the file", texts.COLUMNS
    return {
        "found": st.column_config.TextColumn(found, help=help["found"]),
        "role": st.column_config.SelectboxColumn("is", options=roles, required=True, help=help["role"]),
        "good": st.column_config.SelectboxColumn("good end", options=ends, required=True),
        "scale": st.column_config.TextColumn("scale", help=help["scale"]),
        "positive": st.column_config.NumberColumn("positive from", help=help["positive"]),
        "missing": st.column_config.TextColumn("cannot judge", help=help["missing"]),
        "columns": st.column_config.TextColumn("columns of the file", help=help["columns"]),
        "gains": st.column_config.TextColumn("gains", help=help["gains"]),
    }


# --- the manifest from the table --------------------------------------------------------------------------------------


def with_labels(manifest: Manifest, table: pd.DataFrame) -> Manifest:
    """Return the manifest with the declarations of the edited table; a guess left in the table changes nothing.

    Raises InputError for a cell that should list numbers but does not, and for roles that contradict each other.
    """
    rows: dict[Any, Any] = table.to_dict("index")
    manifest = _with_runs(manifest, rows.pop(RUNS, {}))
    roles = {name: _plain(row["role"]) for name, row in rows.items() if "role" in row}
    moved = _moved(manifest, rows, roles)
    columns: list[Column] = []
    for entry in manifest.columns:
        name = entry.scale.name
        role = roles.get(name, name)
        if role in (LEFT_OUT, A_RUN) or role.startswith(SOURCE_OF):
            continue
        changed = _changed(entry, rows[name]) if name in rows else entry
        columns.append(_with_sources(replace(changed, scale=replace(changed.scale, name=role)), moved[name]))
        del moved[name]
    _refuse_lost(moved)
    columns += _own_aspects(manifest, rows, roles)
    files = {column.scale.name: [column.file, *column.parts] for column in manifest.columns}
    files |= {_source_key(entry, other): [*other.files] for entry in manifest.columns for other in entry.sources}
    scored = {_score_key(score): score for score in manifest.scores}
    scores = tuple(_with_end(score, rows.get(key, {})) for key, score in scored.items() if roles.get(key) != LEFT_OUT)
    before = {score.name: score.columns for score in manifest.scores}
    typed = {score.files: score.columns for score in scores if score.columns != before[score.name]}
    scores = tuple(replace(score, columns=typed.get(score.files, score.columns)) for score in scores)
    asked = {name: role for name, role in roles.items() if name not in {*files, *scored}}  # files read as runs
    columns += [Column(Scale(role), name) for name, role in asked.items() if role not in (A_RUN, LEFT_OUT, JOINED)]
    added = [file for name, role in roles.items() if role == A_RUN for file in files.get(name, ())]
    added += [name for name, role in asked.items() if role == JOINED]
    runs = [name for name in (*manifest.runs, *added) if asked.get(name, A_RUN) in (A_RUN, JOINED)]
    return replace(manifest, columns=tuple(columns), runs=tuple(dict.fromkeys(runs)), scores=scores)


def _with_runs(manifest: Manifest, row: Mapping[str, Any]) -> Manifest:
    """Return the manifest with the columns declared in the row for all runs; without runs if the row leaves them out.

    Raises InputError if the row gives the runs a different role, or if low is the good end.
    """
    role = _plain(row.get("role", A_RUN))
    if role not in (A_RUN, LEFT_OUT) or _plain(row.get("good", "high")) != "high":
        raise InputError(texts.RUN_OR_NOT, RUNS)
    runs = manifest.runs if role == A_RUN else ()
    return replace(manifest, runs=runs, run_columns=_typed_roles(row, manifest.run_columns))


def _with_end(scored: Scored, row: Mapping[str, Any]) -> Scored:
    """Return a measure with given scores, changed to the good end and the column roles that its row declares."""
    good: Literal["high", "low"] = "low" if _plain(row.get("good", scored.good)) == "low" else "high"
    return replace(scored, good=good, columns=_typed_roles(row, scored.columns))


def _moved(manifest: Manifest, rows: Mapping[Any, Any], roles: Mapping[Any, str]) -> dict[str, tuple[OtherSource, ...]]:
    """Map each aspect to its further sources according to the table, including aspects turned into sources."""
    result: dict[str, tuple[OtherSource, ...]] = {column.scale.name: () for column in manifest.columns}
    for entry in manifest.columns:
        name = entry.scale.name
        keyed = [(_source_key(entry, other), other) for other in entry.sources]
        here = [
            (roles.get(key, SOURCE_OF + name), replace(other, columns=_typed_roles(rows.get(key, {}), other.columns)))
            for key, other in keyed
        ]
        if roles.get(name, name).startswith(SOURCE_OF):
            here.append((roles[name], _as_source(entry, _changed(entry, rows[name]))))
        for role, other in here:
            if role.startswith(SOURCE_OF):
                aspect = role.removeprefix(SOURCE_OF)
                result[aspect] = (*result.get(aspect, ()), other)
    return result


def _as_source(column: Column, changed: Column) -> OtherSource:
    """Return an aspect as a further source with the same name. Raises InputError if a column names its assessors."""
    name = column.scale.name
    if column.assessor_column:
        raise InputError(texts.ONE_SOURCE, name)
    return OtherSource(name, column.file, column.column, changed.missing, column.mapped, column.parts, changed.columns)


def _with_sources(column: Column, sources: tuple[OtherSource, ...]) -> Column:
    """Return an aspect with these further sources; if there are any, its default source gets a name.

    Raises InputError if there are further sources although a column names the assessors of the aspect.
    """
    if column.assessor_column and sources:
        raise InputError(texts.NAMED_ASSESSORS, column.scale.name)
    own = column.source if column.assessor_column else (column.source or ASSESSORS) if sources else ""
    return replace(column, sources=sources, source=own)


def _refuse_lost(moved: Mapping[str, tuple[OtherSource, ...]]) -> None:
    """Raise InputError if the aspect of some sources was removed, because these sources would be lost silently."""
    for aspect, sources in moved.items():
        if sources:
            listed = ", ".join(source.name for source in sources)
            raise InputError(f"Choose which aspect these judges labelled: {listed}", aspect)


def _own_aspects(manifest: Manifest, rows: Mapping[Any, Any], roles: Mapping[Any, str]) -> list[Column]:
    """Return a column for each source that the table turns into an aspect of its own."""
    result = []
    for column in manifest.columns:
        for other in column.sources:
            key = _source_key(column, other)
            role = roles.get(key, SOURCE_OF)
            if not role.startswith(SOURCE_OF) and role not in (LEFT_OUT, A_RUN):
                own = Column(Scale(role), other.file, other.column, other.missing, parts=other.parts)
                result.append(_changed(own, rows[key]))
    return result


def _changed(column: Column, row: Mapping[str, Any]) -> Column:
    """Return a column as its row describes it; old gains and names stay if the number of grades stays the same."""
    old = column.scale
    missing = column.missing if _is_guess(row["missing"]) else _labels(row["missing"], old.name)
    gains = () if _is_guess(row.get("gains")) else _numbers(row.get("gains") or "", old.name)
    grades = _grades(row["scale"], old, missing, needed=bool(gains))
    if old.kind == "signal" and (missing or gains or grades):
        raise InputError(texts.NO_SCALE, old.name)
    unchanged = len(grades) == len(old.grades)
    positive = row["positive"]
    scale = replace(
        old,
        good="low" if _plain(row["good"]) == "low" else "high",
        grades=grades,
        names=old.names if unchanged else (),
        gains=gains or (old.gains if unchanged else ()),
        threshold=None if positive is None or np.isnan(positive) else float(positive),
    )
    return replace(column, scale=scale, missing=missing, columns=_typed_roles(row, column.columns))


def _grades(text: str | None, old: Scale, missing: tuple[float, ...], *, needed: bool) -> tuple[float, ...]:
    """Return the grades in a cell; if they are only a guess and not `needed` for gains, return the old grades.

    Guessed grades omit the labels that mean "not judged".
    """
    if _is_guess(text) and not needed:
        return old.grades
    return tuple(grade for grade in _labels(text, old.name) if not _is_guess(text) or grade not in missing)


def _is_guess(text: str | None) -> bool:
    return (text or "").endswith(MARK)


def _plain(text: str) -> str:
    return text.removesuffix(MARK)


def _labels(text: str | None, aspect: str) -> tuple[float, ...]:
    """Return the labels in a cell, in ascending order and without duplicates."""
    return tuple(sorted(set(_numbers(_plain(text or ""), aspect))))


def _numbers(text: str, aspect: str) -> tuple[float, ...]:
    try:
        numbers = [float(part) for part in text.replace(",", " ").split() if text.strip() != NONE]
    except ValueError:
        numbers = [np.nan]
    if not np.isfinite(numbers).all():
        raise InputError(f"{shorten(text)} is not a list of numbers; write them as 0, 1, 2", aspect)
    return tuple(numbers)


def _text(numbers: Any) -> str:
    return ", ".join(written(float(number)) for number in numbers)
