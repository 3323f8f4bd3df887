"""Reading and writing `collection.toml`, which describes the files of a collection."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalcore.common.constants import COMBINED, HIGHLIGHTED, LABELS, ORDERS
from evalcore.common.schema import (
    NAMES,
    NUMBER,
    NUMBERS,
    SWITCH,
    TABLE,
    TABLES,
    TEXT,
    TEXTS,
    Expected,
    check,
    is_number,
    list_of,
    one_of,
)
from evalcore.data.names import beyond_aspect, differences
from evalcore.data.readability import FORMULAS
from evalcore.data.roles import OF_LABELS, OF_RUNS, OF_SCORES
from evalcore.data.toml_text import read_toml, toml_key, toml_text
from evalcore.errors import InputError, shorten
from evalcore.limits import refuse_more
from evalcore.structures.documents import Good, Scale

FILE_NAME = "collection.toml"
ASSESSORS = "assessors"  # name of the source of labels if nothing names it
Mapped = tuple[tuple[float, float], ...]  # (grade of the source, grade of the aspect), sorted


@dataclass(frozen=True)
class OtherSource:
    """Another source of an aspect's labels: its name, its file, and the map to grades of the aspect.

    `file`, `parts`, `column` and `missing` are as in `Column`. Grades that `mapped` does not list stay as they are.
    """

    name: str
    file: str
    column: int | str = 1
    missing: tuple[float, ...] = ()
    mapped: Mapped = ()
    parts: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # the roles of the columns of its files, in their order

    @property
    def files(self) -> tuple[str, ...]:
        """All files of the source."""
        return (self.file, *self.parts)


@dataclass(frozen=True)
class Column:
    """One aspect or signal: its scale and where its values come from.

    `column` is the position of the grade among the fields after the document in TREC qrels, from 1, or the header of a
    table column. Grades listed in `missing` mean "not assessed"; `mapped` translates other grades in the file into
    grades of the aspect. If the labels are split over several files, one for each year or split, `parts` lists all but
    the first.

    An aspect may have several sources. Either the labels in `file`, the default ones, are by `source`, and `sources`
    lists the others; or the `assessor_column` of a table names the assessor of each label, and the default labels are
    those by `source` or, if that is empty, by the assessor with the most labels.
    """

    scale: Scale
    file: str = ""
    column: int | str = 1
    missing: tuple[float, ...] = ()
    mapped: Mapped = ()
    source: str = ""
    sources: tuple[OtherSource, ...] = ()
    assessor_column: str = ""
    parts: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All files with labels or values of this column, from any source."""
        others = (file for source in self.sources for file in source.files)
        return tuple(dict.fromkeys(filter(None, [self.file, *self.parts, *others])))


@dataclass(frozen=True)
class Scored:
    """Scores by one measure that another tool computed: its name here and in the files, and which end is good."""

    name: str
    files: tuple[str, ...]  # names or patterns
    measure: str = ""  # "": the name
    good: Good = "high"
    transposed: bool = False  # what files seem to call systems are topics, and vice versa
    columns: tuple[str, ...] = ()  # the roles of the columns, in their order

    @property
    def read_as(self) -> str:
        return self.measure or self.name


@dataclass(frozen=True)
class Manifest:
    """The content of a `collection.toml`. A file name of "" means that the file is not given."""

    title: str = "Untitled collection"
    description: str = ""
    order: str = "score"
    labels: str = "by-topic"
    runs: tuple[str, ...] = ("runs/*",)
    columns: tuple[Column, ...] = ()
    documents: str = ""  # the folder of the texts
    readability: tuple[str, ...] = ()
    queries: str = ""
    corpus: str = ""  # texts in JSON lines, beside or instead of the folder `documents`
    groups: str = ""  # a table of the topics; each column groups them
    passages: tuple[str, ...] | None = None  # files of highlighted text
    elements: str = ""
    lengths: str = ""
    links: str = ""
    components: str = ""
    systems: str = ""  # a table that describes the systems
    scores: tuple[Scored, ...] = ()
    run_columns: tuple[str, ...] = ()  # the roles of the columns of runs, in their order

    @property
    def navigation(self) -> bool:
        """Return true if the manifest declares links or components."""
        return bool(self.links or self.components)

    def with_options(self, order: str | None, labels: str | None) -> Manifest:
        """Return the manifest with this order and these labels; None keeps the present value.

        Raises InputError for an unknown value.
        """
        order, labels = self.order if order is None else order, self.labels if labels is None else labels
        changed = replace(self, order=order, labels=labels)
        one_of("order", changed.order, ORDERS)
        one_of("labels", changed.labels, LABELS)
        return changed


_ANY_NAMES = Expected("a string or a list of strings", lambda value: TEXT.fits(value) or TEXTS.fits(value))
_COLUMN = Expected("a string or a whole number", lambda value: type(value) in (str, int))
_PAIR = Expected("a pair of numbers", lambda value: NUMBERS.fits(value) and len(value) == 2)
_PAIRS = list_of(_PAIR, "a list of pairs")
_MAP = Expected(
    'a table of grades, such as {"3" = 2}, or a list of pairs of them',
    lambda value: all(map(is_number, value.values())) if isinstance(value, dict) else _PAIRS.fits(value),
)

_TOP = {
    "title": TEXT,
    "description": TEXT,
    "order": TEXT,
    "labels": TEXT,
    "runs": _ANY_NAMES,
    "run_columns": TEXTS,
    "aspects": TABLES,
    "signals": TABLES,
    "documents": TABLE,
    "topics": TABLE,
    "passages": TABLE,
    "navigation": TABLE,
    "systems": TABLE,
    "scores": TABLES,
}
_SCORED = {"file": NAMES, "measure": TEXT, "good": TEXT, "transposed": SWITCH, "columns": TEXTS}
_SIGNAL = {"file": TEXT, "column": _COLUMN, "good": TEXT, "threshold": NUMBER, "unit": TEXT}
_ASPECT = _SIGNAL | {
    "file": NAMES,
    "grades": NUMBERS,
    "names": TEXTS,
    "gains": NUMBERS,
    "missing": NUMBERS,
    "map": _MAP,
    "source": TEXT,
    "sources": TABLES,
    "assessor_column": TEXT,
    "columns": TEXTS,
}
_SOURCE = {"file": NAMES, "column": _COLUMN, "columns": TEXTS, "missing": NUMBERS, "map": _MAP}
# Keys that are fields of `Column` under the same name: those of an aspect, and those of another source of its labels
_OF_ASPECT = ("column", "columns", "missing", "source", "assessor_column")
_OF_SOURCE = ("column", "columns", "missing")
# For tables other than columns and scores: the field of `Manifest` that each key fills. A table must have at least one
# of the keys in `_NEEDED`.
_FIELDS = {
    "passages": {"file": "passages", "elements": "elements", "lengths": "lengths"},
    "documents": {"folder": "documents", "file": "corpus", "signals": "readability"},
    "navigation": {"links": "links", "components": "components"},
    "topics": {"file": "queries", "groups": "groups"},
    "systems": {"file": "systems"},
}
_NEEDED = {
    "passages": ("file",),
    "documents": ("folder", "file"),
    "navigation": ("links", "components"),
    "topics": ("file", "groups"),
    "systems": ("file",),
}


def parse_manifest(text: str, where: str = FILE_NAME) -> Manifest:
    """Return the manifest in the text of a `collection.toml`.

    Raises InputError for a key that is unknown, missing or of the wrong type, and for text that is too long or nested
    too deeply.
    """
    return manifest_of(read_toml(text, where), where)


def manifest_of(content: Mapping[str, Any], where: str = FILE_NAME) -> Manifest:
    """Return the manifest from the parsed content of a `collection.toml`.

    Raises InputError as `parse_manifest` does.
    """
    check(content, _TOP, where)
    _refuse_many_columns(content, where)
    aspects = [_aspect(name, entry, where) for name, entry in content.get("aspects", {}).items()]
    signals = [_signal(name, entry, where) for name, entry in content.get("signals", {}).items()]
    scores = tuple(_score(name, entry, where) for name, entry in content.get("scores", {}).items())
    assessed = bool(aspects) or "passages" in content
    if not assessed and not scores:
        raise InputError("expected at least one [aspects.NAME] with a file, found none", where)
    manifest = Manifest(
        title=content.get("title", Manifest.title),
        description=content.get("description", ""),
        runs=_texts(content.get("runs", Manifest.runs if assessed else ())),
        run_columns=_roles({"columns": content.get("run_columns", ())}, OF_RUNS, ("document",), where),
        columns=(*aspects, *signals),
        scores=scores,
        order="rank" if "passages" in content else Manifest.order,
        **{key: value for name in _FIELDS if name in content for key, value in _table(name, content[name], where)},
    )
    names = [column.scale.name for column in manifest.columns]
    counts = Counter([*names, *(HIGHLIGHTED if manifest.passages else ()), *manifest.readability])
    if again := [f"{count} called {name!r}" for name, count in counts.items() if count > 1]:
        raise InputError(f"expected different names for aspects and signals, found {again[0]}", where)
    return manifest.with_options(content.get("order"), content.get("labels"))


def _refuse_many_columns(content: Mapping[str, Any], where: str) -> None:
    """Raise InputError for more aspects, signals and sources than a collection may have."""
    aspects = content.get("aspects", {})
    several = [entry["sources"] for entry in aspects.values() if isinstance(entry.get("sources"), dict)]
    refuse_more("columns", len(aspects) + len(content.get("signals", {})) + sum(map(len, several)), where=where)
    refuse_more("score_measures", len(content.get("scores", {})), where=where)


def _table(name: str, entry: Mapping[str, Any], where: str) -> Iterator[tuple[str, Any]]:
    """Yield (field, value) for each field of `Manifest` that a table gives."""
    fields, needed, where = _FIELDS[name], _NEEDED[name], f"{where} [{name}]"
    kinds = {key: _kind(field) for key, field in fields.items()}
    check(entry, kinds, where, *(needed if len(needed) == 1 else ()))
    if not {*needed} & {*entry}:
        raise InputError(f"expected the key {' or '.join(needed)}, found neither", where)
    for formula in entry.get("signals", ()):
        one_of("signals", formula, FORMULAS, where)
    for key, value in entry.items():
        yield fields[key], value if kinds[key] is TEXT else _texts(value)


def _kind(field: str) -> Expected:
    """Return the type that a TOML value must have for this field of `Manifest`."""
    return NAMES if field == "passages" else TEXTS if isinstance(getattr(Manifest, field), tuple) else TEXT


def _score(name: str, entry: Mapping[str, Any], where: str) -> Scored:
    place = f"{where} [scores.{name}]"
    if not name.strip():
        raise InputError("expected a name for each measure, found an empty one", place)
    check(entry, _SCORED, place, "file")
    good = entry.get("good", "high")
    one_of("good", good, ("high", "low"), place)
    if not (files := _files(entry)):
        raise InputError("expected the name of a file as `file`, found ''", place)
    columns = _roles(entry, OF_SCORES, ("value",), place)
    return Scored(name, files, entry.get("measure", ""), good, entry.get("transposed", False), columns)


def _roles(entry: Mapping[str, Any], known: Sequence[str], needed: Sequence[str], where: str) -> tuple[str, ...]:
    """Return the roles that `columns` lists. Raises InputError for an unknown, a repeated or a missing role."""
    columns = tuple(entry.get("columns", ()))
    for role in columns:
        one_of("columns", role, known, where)
        if role and columns.count(role) > 1:
            raise InputError(f"expected `columns` to name each role once, found {role} again", where)
    for role in needed if columns else ():
        if role not in columns:
            raise InputError(f"expected `columns` to name the column of the {role}, found none", where)
    return columns


def _aspect(name: str, entry: Mapping[str, Any], where: str) -> Column:
    place = f"{where} [aspects.{name}]"
    check(entry, _ASPECT, place)
    if not (files := _files(entry)):
        raise InputError("expected a file with its labels, found none", place)
    _roles(entry, OF_LABELS, ("document", "grade"), place)
    scale = _scale(name, "grades", entry, place)
    mapped = _mapped(entry, scale, place)
    if "judge" in entry.get("columns", ()):
        entry = {"assessor_column": "judge", **entry}
    column = Column(scale, files[0], parts=files[1:], mapped=mapped, **_plain(entry, _OF_ASPECT))
    return _with_sources(column, entry, place)


def _plain(entry: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Return the values of some keys: strings, numbers, and lists of them as tuples."""
    plain = {key: entry[key] for key in keys if key in entry}
    lists = {key: value for key, value in plain.items() if isinstance(value, list)}
    return plain | {key: tuple(value) if key == "columns" else _floats(entry, key) for key, value in lists.items()}


def _files(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the file or files that an entry names."""
    return _texts(entry.get("file") or ())


def _texts(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(dict.fromkeys(given))  # a name given twice counts once


def _with_sources(column: Column, entry: Mapping[str, Any], where: str) -> Column:
    """Return the column with its other sources, and with a name for the source of its own labels.

    Raises InputError for names that clash.
    """
    if "assessor_column" in entry and "sources" in entry:
        raise InputError("expected either `assessor_column` or `sources`, found both", where)
    others = [_other(column, name, other, where) for name, other in entry.get("sources", {}).items()]
    for name in [*([column.source] if "source" in entry else []), *(other.name for other in others)]:
        check_source(name, where)
    if not others:
        return column
    named = beyond_aspect(differences([column.file, *(other.file for other in others)])[0])
    # The labels of a file without a declared source are called after the file if its name says more than the aspect.
    own = column.source or (named if named and named not in COMBINED else ASSESSORS)
    if own in (other.name for other in others):
        problem = f"expected `source` to be a new name for the labels in {column.file}, found {own!r} again"
        raise InputError(problem, where)
    return replace(column, source=own, sources=tuple(others))


def _other(column: Column, name: str, entry: Mapping[str, Any], where: str) -> OtherSource:
    place = f"{where.removesuffix(']')}.sources.{name}]"
    check(entry, _SOURCE, place)
    own = (column.file, *column.parts) if "column" in entry else ()
    if not (files := _files(entry) or own):
        raise InputError("expected a file of labels, or a different column of the aspect's file, found neither", place)
    _roles(entry, OF_LABELS, ("document", "grade"), place)
    mapped = _mapped(entry, column.scale, place)
    return OtherSource(name, files[0], parts=files[1:], mapped=mapped, **_plain(entry, _OF_SOURCE))


def check_source(name: str, where: str) -> None:
    """Raise InputError if the name of a source is empty, or is that of a combination such as "majority"."""
    if not name.strip():
        raise InputError("expected a name for each source, found an empty one", where)
    if name in COMBINED:
        problem = f"expected the name of a source other than {', '.join(COMBINED)}, which combine all sources"
        raise InputError(f"{problem}, found {name!r}", where)


def _mapped(entry: Mapping[str, Any], scale: Scale, where: str) -> Mapped:
    """Return pairs of a grade in the file and its grade on the aspect's scale.

    Raises InputError for a second grade that is not on the scale, and for a first one that is mapped twice.
    """
    given = entry.get("map", ())
    pairs = [(_grade(grade, where), float(to)) for grade, to in (given.items() if isinstance(given, dict) else given)]
    for grade, count in Counter(grade for grade, _ in pairs).items():
        if count > 1:
            raise InputError(f"expected `map` to have each grade once, found {grade:g} {count} times", where)
    on_scale = {*scale.grades}
    for grade, to in pairs:
        if on_scale and to not in on_scale and to >= min(scale.low, 0.0):
            known = ", ".join(f"{grade:g}" for grade in scale.grades)
            problem = f"expected `map` to give grades of the scale ({known}), found {to:g} for grade {grade:g}"
            raise InputError(problem, where)
    return tuple(sorted(pairs))


def _grade(key: Any, where: str) -> float:
    """Return a key of `map` as a number. Raises InputError if it is not a finite number."""
    try:
        number = float(key)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f'expected `map` to be a table of grades, as in {{"3" = 2}}, found {shorten(str(key))}', where)
    return number


def _signal(name: str, entry: Mapping[str, Any], where: str) -> Column:
    place = f"{where} [signals.{name}]"
    check(entry, _SIGNAL, place, "file")
    return Column(_scale(name, "signal", entry, place), entry["file"], entry.get("column", 1))


def _scale(name: str, kind: Any, entry: Mapping[str, Any], where: str) -> Scale:
    good = entry.get("good", "high")
    one_of("good", good, ("high", "low"), where)
    grades, gains, names = _floats(entry, "grades"), _floats(entry, "gains"), tuple(entry.get("names", ()))
    if list(grades) != sorted(set(grades)):
        raise InputError(f"expected grades in ascending order, each once, found {list(grades)}", where)
    for what, listed in (("gains", gains), ("names", names)):
        if listed and len(listed) != len(grades):
            problem = f"expected {what} for each of the {len(grades)} grades, found {len(listed)}"
            raise InputError(problem, where)
    threshold = entry.get("threshold")
    border = None if threshold is None else float(threshold)
    return Scale(name, kind, good, grades, names, gains, border, entry.get("unit", ""))


def write_manifest(manifest: Manifest) -> str:
    """Return the text of a `collection.toml` from which `parse_manifest` reads the same manifest."""
    return "\n".join(_lines(manifest)) + "\n"


def _lines(manifest: Manifest) -> Iterator[str]:
    yield f"title = {toml_text(manifest.title)}"
    yield from _given(manifest, "description")
    yield from (f"{key} = {toml_text(getattr(manifest, key))}" for key in ("order", "labels", "runs"))
    yield from _given(manifest, "run_columns")
    yield from _table_lines("passages", manifest)
    for column in manifest.columns:
        yield from _column_lines(column)
    for name in _FIELDS:
        yield from _table_lines(name, manifest) if name != "passages" else ()
    for score in manifest.scores:
        yield from ("", f"[scores.{toml_key(score.name)}]", _file_line(score.files), *_given(score, "measure"))
        yield from (f"good = {toml_text(score.good)}", *_given(score, "transposed", "columns"))


def _table_lines(name: str, manifest: Manifest) -> list[str]:
    """Return a table of the manifest as lines of TOML; an empty list if the table is empty."""
    fields = _FIELDS[name]
    says = _given(manifest, **{key: fields[key] for key in _NEEDED[name]})
    return ["", f"[{name}]", *_given(manifest, **fields)] if says else []


def _column_lines(column: Column) -> Iterator[str]:
    scale, table = column.scale, "aspects" if column.scale.kind == "grades" else "signals"
    header = f"{table}.{toml_key(scale.name)}"
    yield from ("", f"[{header}]", *([_file_line((column.file, *column.parts))] if column.file else []))
    yield from _given(column, *_OF_ASPECT, map="mapped")
    yield f"good = {toml_text(scale.good)}"
    yield from _given(scale, "grades", "names", "gains", "threshold", "unit")
    for source in column.sources:
        yield from ("", f"[{header}.sources.{toml_key(source.name)}]", _file_line(source.files))
        yield from _given(source, *_OF_SOURCE, map="mapped")


def _file_line(files: tuple[str, ...]) -> str:
    """Return the line of TOML that names one file, or a list of several."""
    return f"file = {toml_text(files if len(files) > 1 else files[0])}"


def _given(structure: object, *fields: str, **keys: str) -> list[str]:
    """Return a TOML line for each field that is not at its default.

    `keys` maps a key to a field of a different name.
    """
    named = dict(zip(fields, fields, strict=True)) | keys
    values = ((key, getattr(structure, field), getattr(type(structure), field)) for key, field in named.items())
    return [f"{key} = {toml_text(value)}" for key, value, default in values if value != default]


def _floats(entry: Mapping[str, Any], key: str) -> tuple[float, ...]:
    return tuple(float(value) for value in entry.get(key, ()))
