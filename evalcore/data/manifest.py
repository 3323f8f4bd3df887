"""`collection.toml`: what a collection's files mean, read and written."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalcore.constants import HIGHLIGHTED, LABELS, ORDERS
from evalcore.data.names import beyond_aspect, differences
from evalcore.data.readability import FORMULAS
from evalcore.errors import MOST_BITS, InputError, refuse_huge, shorten
from evalcore.limits import most, refuse_more
from evalcore.structures.documents import Good, Scale
from evalcore.structures.sources import COMBINED

FILE_NAME = "collection.toml"
LONGEST = most("toml_characters")
DEEPEST = most("toml_depth")  # brackets and dots of keys within each other; a collection.toml needs three
ASSESSORS = "assessors"  # what labels are called whose source nothing names
Mapped = tuple[tuple[float, float], ...]  # a source's grade and the aspect's, by the former


@dataclass(frozen=True)
class OtherSource:
    """Another source of an aspect's labels: what it is called, where they are, which grades of the aspect they mean.

    `file`, `parts`, `column` and `missing` are as of `Column`; grades that `mapped` leaves out are those of the aspect.
    """

    name: str
    file: str
    column: int | str = 1
    missing: tuple[float, ...] = ()
    mapped: Mapped = ()
    parts: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        return (self.file, *self.parts)


@dataclass(frozen=True)
class Column:
    """One aspect or signal: its scale and where its values come from.

    Either `file` (and `column`: the ordinal of the grade in TREC qrels, or the header of a table), or `signal`: another
    column, discretised by `cuts` or `shares`. Grades listed in `missing` mean "not assessed"; `mapped` says which
    grades of the aspect others in the file mean. Labels that lie in several files, one for each year or split, have the
    further ones in `parts`.

    An aspect may have several sources: the labels in `file`, read unasked, are by `source`, and `sources` are the
    others; or a table names in its `assessor_column` whose each label is, and those by `source` (without it, by who
    gave the most) are read unasked.
    """

    scale: Scale
    file: str = ""
    column: int | str = 1
    missing: tuple[float, ...] = ()
    signal: str = ""
    cuts: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()
    mapped: Mapped = ()
    source: str = ""
    sources: tuple[OtherSource, ...] = ()
    assessor_column: str = ""
    parts: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All files that its labels are in."""
        others = (file for one in self.sources for file in one.files)
        return tuple(dict.fromkeys(filter(None, [self.file, *self.parts, *others])))


@dataclass(frozen=True)
class Scored:
    """Scores by one measure that were computed elsewhere: its name here and in the files, and which end is good."""

    name: str
    files: tuple[str, ...]  # names or patterns
    measure: str = ""  # "": the name
    good: Good = "high"

    @property
    def read_as(self) -> str:
        return self.measure or self.name


@dataclass(frozen=True)
class Highlighted:
    """Files of highlighted text; tables of elements and of document lengths, where there are some."""

    files: tuple[str, ...]
    elements: str = ""
    lengths: str = ""


@dataclass(frozen=True)
class Linked:
    """An edge list and a table of components, either of which may be missing."""

    links: str = ""
    components: str = ""


@dataclass(frozen=True)
class Manifest:
    """What `collection.toml` says."""

    title: str = "Untitled collection"
    description: str = ""
    order: str = "score"
    labels: str = "by-topic"
    runs: tuple[str, ...] = ("runs/*",)
    columns: tuple[Column, ...] = ()
    documents: str = ""
    readability: tuple[str, ...] = ()
    queries: str = ""
    passages: Highlighted | None = None
    navigation: Linked | None = None
    systems: str = ""  # a table of what systems are made of
    corpus: str = ""  # texts in JSON lines, beside or in place of the folder `documents`
    scores: tuple[Scored, ...] = ()
    groups: str = ""  # a table of the topics, each column of which groups them

    def with_options(self, order: str | None, labels: str | None) -> Manifest:
        """The manifest with order and labels overruled where given. Raises InputError for an unknown one."""
        order, labels = self.order if order is None else order, self.labels if labels is None else labels
        changed = replace(self, order=order, labels=labels)
        _one_of("order", changed.order, ORDERS)
        _one_of("labels", changed.labels, LABELS)
        return changed


_Kind = tuple[str, Callable[[Any], bool]]


def _many(kind: _Kind, words: str) -> _Kind:
    return words, lambda value: isinstance(value, list) and all(map(kind[1], value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_TEXT: _Kind = ("text", lambda value: isinstance(value, str))
_NUMBER: _Kind = ("a number", _is_number)
_TABLE: _Kind = ("a table of keys", lambda value: isinstance(value, dict))
_TABLES: _Kind = (
    "tables of keys, one for each name",
    lambda value: isinstance(value, dict) and all(map(_TABLE[1], value.values())),
)
_TEXTS = _many(_TEXT, "a list of texts")
_NUMBERS = _many(_NUMBER, "a list of numbers")
_NAMES: _Kind = ("a text or a list of texts", lambda value: _TEXT[1](value) or (_TEXTS[1](value) and value != []))
_ANY_NAMES: _Kind = ("a text or a list of texts", lambda value: _TEXT[1](value) or _TEXTS[1](value))
_COLUMN: _Kind = ("a text or a whole number", lambda value: type(value) in (str, int))
_PAIRS = _many(("a pair of numbers", lambda value: _NUMBERS[1](value) and len(value) == 2), "a list of pairs")
_MAP: _Kind = (
    'a table of grades, such as {"3" = 2}, or a list of pairs of them',
    lambda value: _NUMBERS[1](list(value.values())) if isinstance(value, dict) else _PAIRS[1](value),
)

_TOP = {
    "title": _TEXT,
    "description": _TEXT,
    "order": _TEXT,
    "labels": _TEXT,
    "runs": _ANY_NAMES,
    "aspects": _TABLES,
    "signals": _TABLES,
    "documents": _TABLE,
    "topics": _TABLE,
    "passages": _TABLE,
    "navigation": _TABLE,
    "systems": _TABLE,
    "scores": _TABLES,
}
_SCORED = {"file": _NAMES, "measure": _TEXT, "good": _TEXT}
_PASSAGES = {"file": _NAMES, "elements": _TEXT, "lengths": _TEXT}
_SIGNAL = {"file": _TEXT, "column": _COLUMN, "good": _TEXT, "threshold": _NUMBER, "unit": _TEXT}
_ASPECT = _SIGNAL | {
    "file": _NAMES,
    "grades": _NUMBERS,
    "names": _TEXTS,
    "gains": _NUMBERS,
    "missing": _NUMBERS,
    "signal": _TEXT,
    "cuts": _NUMBERS,
    "shares": _NUMBERS,
    "map": _MAP,
    "source": _TEXT,
    "sources": _TABLES,
    "assessor_column": _TEXT,
}
_SOURCE = {"file": _NAMES, "column": _COLUMN, "missing": _NUMBERS, "map": _MAP}


def parse_manifest(text: str, where: str = FILE_NAME) -> Manifest:
    """Read `collection.toml`.

    Raises InputError naming the key that is unknown, missing or of the wrong kind, and for a text that is too long or
    nested too deep to be one.
    """
    return manifest_of(read_toml(text, where), where)


def manifest_of(content: Mapping[str, Any], where: str = FILE_NAME) -> Manifest:
    """The manifest that the keys of a `collection.toml` say. Raises InputError as `parse_manifest` does."""
    _check(content, _TOP, where)
    _refuse_many_columns(content, where)
    aspects = [_aspect(name, entry, where) for name, entry in content.get("aspects", {}).items()]
    signals = [_signal(name, entry, where) for name, entry in content.get("signals", {}).items()]
    passages = _highlighted(content["passages"], f"{where} [passages]") if "passages" in content else None
    scores = tuple(_score(name, entry, where) for name, entry in content.get("scores", {}).items())
    if not aspects and not passages and not scores:
        raise InputError("expected at least one [aspects.NAME] with a file, found none", where)
    runs = content.get("runs", () if scores and not aspects and not passages else Manifest.runs)
    manifest = Manifest(
        title=content.get("title", Manifest.title),
        description=content.get("description", ""),
        runs=(runs,) if isinstance(runs, str) else tuple(runs),
        columns=(*aspects, *signals),
        **_documents(content.get("documents"), f"{where} [documents]"),
        readability=tuple(_formulas(content.get("documents", {}), where)),
        **_topics(content.get("topics"), f"{where} [topics]"),
        scores=scores,
        systems=_text_in(content["systems"], "file", f"{where} [systems]") if "systems" in content else "",
        passages=passages,
        navigation=_linked(content["navigation"], f"{where} [navigation]") if "navigation" in content else None,
        order="rank" if passages else Manifest.order,
    )
    derived = HIGHLIGHTED if passages else ()
    _refuse_same_names([*(column.scale.name for column in manifest.columns), *derived, *manifest.readability], where)
    return manifest.with_options(content.get("order"), content.get("labels"))


def _refuse_many_columns(content: Mapping[str, Any], where: str) -> None:
    """Raises InputError for more aspects, signals and sources than a collection may have."""
    aspects = content.get("aspects", {})
    several = [entry["sources"] for entry in aspects.values() if isinstance(entry.get("sources"), dict)]
    refuse_more("columns", len(aspects) + len(content.get("signals", {})) + sum(map(len, several)), where=where)
    refuse_more("score_measures", len(content.get("scores", {})), where=where)


def read_toml(text: str, where: str) -> dict[str, Any]:
    """Read TOML that anybody may have written. Raises InputError where it is none, too long, too deep or too large."""
    _refuse_costly(text, where)
    try:
        content = tomllib.loads(text)
    except ValueError as error:  # a mistake in TOML, or a number of more digits than Python reads
        raise InputError(f"expected TOML, found a mistake: {error}", where) from None
    _refuse_huge(content, where)
    return content


# Strings and comments as a whole, without ever going back in them; and what nests, parts or ends a key.
_PIECE = re.compile(
    r'"""(?:\\.|(?!""")[^\\])*+(?:""")?'
    r"|'''(?:(?!''').)*+(?:''')?"
    r'|"(?:\\.|[^"\\\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
    r"|[\[\]{}.,=\n]",
    re.DOTALL,
)


def _refuse_costly(text: str, where: str) -> None:
    """Raises InputError for a text on which a reader of TOML would be at work for long: too long, or too deep."""
    if len(text) > LONGEST:
        raise InputError(f"expected at most {LONGEST:,} characters, found {len(text):,}", where)
    line, open_now, dots = 1, 0, 0
    for piece in _PIECE.finditer(text):
        found = piece.group()
        open_now = max(open_now + (found in "[{") - (found in "]}"), 0)
        dots = dots + 1 if found == "." else 0 if found in "[]{},=\n" else dots
        if open_now + dots > DEEPEST:
            raise InputError(f"expected keys and lists at most {DEEPEST} deep, found them deeper", where, line)
        line += found.count("\n")


def _refuse_huge(content: Any, where: str) -> None:
    """Raises InputError for a whole number too large to compute with, wherever it stands."""
    if isinstance(content, dict):
        for key, value in content.items():
            _refuse_huge(value, f"{where} {key}" if isinstance(value, int) else where)
    elif isinstance(content, list):
        for value in content:
            _refuse_huge(value, where)
    elif isinstance(content, int):
        refuse_huge(content, where)


def _highlighted(entry: Mapping[str, Any], where: str) -> Highlighted:
    _check(entry, _PASSAGES, where)
    if "file" not in entry:
        raise InputError("expected a file of highlighted text, found none", where)
    files = entry["file"]
    given = {key: entry.get(key, "") for key in ("elements", "lengths")}
    return Highlighted((files,) if isinstance(files, str) else tuple(files), **given)


def _linked(entry: Mapping[str, Any], where: str) -> Linked:
    _check(entry, {"links": _TEXT, "components": _TEXT}, where)
    if not entry:
        raise InputError("expected the key links or components, found neither", where)
    return Linked(**entry)


def _documents(entry: Mapping[str, Any] | None, where: str) -> dict[str, str]:
    """Where texts are: in a folder, or in a file."""
    if entry is None:
        return {}
    _check(entry, {"folder": _TEXT, "file": _TEXT, "signals": _TEXTS}, where)
    if not {"folder", "file"} & set(entry):
        raise InputError("expected the key folder or file, found neither", where)
    return {"documents": entry.get("folder", ""), "corpus": entry.get("file", "")}


def _topics(entry: Mapping[str, Any] | None, where: str) -> dict[str, str]:
    """Where queries are, and what groups the topics."""
    if entry is None:
        return {}
    _check(entry, {"file": _TEXT, "groups": _TEXT}, where)
    if not entry:
        raise InputError("expected the key file or groups, found neither", where)
    return {"queries": entry.get("file", ""), "groups": entry.get("groups", "")}


def _score(name: str, entry: Mapping[str, Any], where: str) -> Scored:
    place = f"{where} [scores.{name}]"
    _check(entry, _SCORED, place)
    if not name.strip():
        raise InputError("expected a name for each measure, found an empty one", place)
    if "file" not in entry:
        raise InputError("expected a file of scores, found none", place)
    good = entry.get("good", "high")
    _one_of(f"{place} good", good, ("high", "low"))
    return Scored(name, _files(entry), entry.get("measure", ""), good)


def _text_in(entry: Mapping[str, Any], key: str, where: str) -> str:
    """The one text that a table must hold."""
    _check(entry, {key: _TEXT}, where)
    if key not in entry:
        raise InputError(f"expected the key {key}, found none", where)
    return str(entry[key])


def _formulas(documents: Mapping[str, Any], where: str) -> list[str]:
    names: list[str] = documents.get("signals", [])
    for name in names:
        _one_of(f"{where} [documents] signals", name, tuple(FORMULAS))
    return names


def _refuse_same_names(names: Sequence[str], where: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise InputError(f"expected one aspect or signal of each name, found {count} called {name!r}", where)


def _aspect(name: str, entry: Mapping[str, Any], where: str) -> Column:
    place = f"{where} [aspects.{name}]"
    _check(entry, _ASPECT, place)
    listed = [one for one in ("file", "signal", "sources") if one in entry]
    if listed not in (["file"], ["signal"], ["sources"], ["file", "sources"]):
        raise InputError("expected either a file, or a signal with cuts or shares", place)
    if "signal" in entry and ("cuts" in entry) == ("shares" in entry):
        raise InputError("expected either cuts or shares for the signal", place)
    steps = len(entry.get("shares", ())) or len(entry.get("cuts", ())) + 1
    if "signal" in entry and len(entry.get("grades", range(steps))) != steps:
        raise InputError(f"expected {steps} grades for these cuts or shares, found {entry['grades']}", place)
    scale = _scale(name, "grades", entry, place)
    file, *parts = _files(entry) or ("",)
    column = Column(
        scale=scale,
        file=file,
        parts=tuple(parts),
        column=entry.get("column", 1),
        missing=_floats(entry, "missing"),
        signal=entry.get("signal", ""),
        cuts=_floats(entry, "cuts"),
        shares=_floats(entry, "shares"),
        mapped=_mapped(entry, scale, place),
        source=entry.get("source", ""),
        assessor_column=entry.get("assessor_column", ""),
    )
    return _with_sources(column, entry, place)


def _files(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The file, or files, that an entry names."""
    given = entry.get("file", "")
    return tuple(given) if isinstance(given, list) else (given,) if given else ()


def _with_sources(column: Column, entry: Mapping[str, Any], where: str) -> Column:
    """The column with its other sources, and a name for its own labels. Raises InputError for names that clash."""
    for key in ("source", "assessor_column", "map"):
        if key in entry and column.signal:
            raise InputError(f"expected {key} beside a file, found it beside a signal", where)
    if "assessor_column" in entry and "sources" in entry:
        raise InputError("expected either assessor_column or sources, found both", where)
    others = [_other(column, name, one, where) for name, one in entry.get("sources", {}).items()]
    for name in [*([column.source] if "source" in entry else []), *(one.name for one in others)]:
        check_source(name, where)
    if not others:
        return column
    if not column.file:
        return _first_of(column, others, where)
    own = column.source or _own_source(column.file, others)
    if own in (one.name for one in others):
        problem = f"expected another name as source, that of the labels in {column.file}, found {own!r} again"
        raise InputError(problem, where)
    return replace(column, source=own, sources=tuple(others))


def _other(column: Column, name: str, entry: Mapping[str, Any], where: str) -> OtherSource:
    place = f"{where.removesuffix(']')}.sources.{name}]"
    _check(entry, _SOURCE, place)
    own = (column.file, *column.parts) if "column" in entry and column.file else ()
    if not (files := _files(entry) or own):
        raise InputError("expected a file of labels, or another column of the aspect's own, found neither", place)
    mapped = _mapped(entry, column.scale, place)
    return OtherSource(name, files[0], entry.get("column", 1), _floats(entry, "missing"), mapped, files[1:])


def _first_of(column: Column, listed: Sequence[OtherSource], where: str) -> Column:
    """The column without labels of its own: those of `source`, else of the first listed, are read unasked."""
    if column.column != 1 or column.missing or column.mapped:
        raise InputError("expected column, missing and map beside a file, or in the tables of sources", where)
    own = next((one for one in listed if one.name == (column.source or listed[0].name)), None)
    if own is None:
        known = ", ".join(one.name for one in listed)
        raise InputError(f"expected source to be one of {known}, found {column.source!r}", where)
    others = tuple(one for one in listed if one is not own)
    return replace(
        column,
        file=own.file,
        parts=own.parts,
        column=own.column,
        missing=own.missing,
        mapped=own.mapped,
        source=own.name,
        sources=others,
    )


def _own_source(file: str, others: Sequence[OtherSource]) -> str:
    """What a file of labels is called whose source nobody named: as its name says, else ASSESSORS."""
    said = beyond_aspect(differences([file, *(one.file for one in others)])[0])
    return said if said and said not in COMBINED else ASSESSORS


def check_source(name: str, where: str) -> None:
    """Raises InputError for an empty name of a source, and for one of those made from all of them."""
    if not name.strip():
        raise InputError("expected a name for each source, found an empty one", where)
    if name in COMBINED:
        problem = f"expected the name of a source other than {', '.join(COMBINED)}, which are made from all of them"
        raise InputError(f"{problem}, found {name!r}", where)


def _mapped(entry: Mapping[str, Any], scale: Scale, where: str) -> Mapped:
    """Pairs of a source's grade and the aspect's. Raises InputError for one off the scale, or mapped twice."""
    given = entry.get("map", ())
    pairs = [(_grade(grade, where), float(to)) for grade, to in (given.items() if isinstance(given, dict) else given)]
    for grade, count in Counter(grade for grade, _ in pairs).items():
        if count > 1:
            raise InputError(f"expected map to have each grade once, found {grade:g} {count} times", where)
    for grade, to in pairs:
        if scale.grades and to not in scale.grades and to >= min(scale.low, 0.0):
            known = ", ".join(f"{one:g}" for one in scale.grades)
            raise InputError(
                f"expected map to lead to grades of the scale ({known}), found {to:g} for {grade:g}", where
            )
    return tuple(sorted(pairs))


def _grade(key: Any, where: str) -> float:
    """A grade as the key of a table is written."""
    try:
        number = float(key)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f'expected map to be of grades, such as {{"3" = 2}}, found {shorten(str(key))}', where)
    return number


def _signal(name: str, entry: Mapping[str, Any], where: str) -> Column:
    place = f"{where} [signals.{name}]"
    _check(entry, _SIGNAL, place)
    if "file" not in entry:
        raise InputError("expected a file of documents and values", place)
    return Column(_scale(name, "signal", entry, place), entry["file"], entry.get("column", 1))


def _scale(name: str, kind: Any, entry: Mapping[str, Any], where: str) -> Scale:
    good = entry.get("good", "high")
    _one_of(f"{where} good", good, ("high", "low"))
    grades, gains, names = _floats(entry, "grades"), _floats(entry, "gains"), tuple(entry.get("names", ()))
    if list(grades) != sorted(set(grades)):
        raise InputError(f"expected grades in ascending order, each once, found {list(grades)}", where)
    for what, listed in (("gains", gains), ("names", names)):
        if listed and len(listed) != len(grades):
            problem = f"expected one of {what} for each of the {len(grades)} grades, found {len(listed)}"
            raise InputError(problem, where)
    threshold = entry.get("threshold")
    border = None if threshold is None else float(threshold)
    return Scale(name, kind, good, grades, names, gains, border, entry.get("unit", ""))


def write_manifest(manifest: Manifest) -> str:
    """The text of a `collection.toml` that `parse_manifest` reads back to the same manifest."""
    plain = Manifest()
    lines = [
        f"title = {toml_text(manifest.title)}",
        *_given("description", manifest.description, ""),
        f"order = {toml_text(manifest.order)}",
        f"labels = {toml_text(manifest.labels)}",
        f"runs = {toml_text(manifest.runs)}",
    ]
    if manifest.passages:
        lines += ["", "[passages]", f"file = {toml_text(manifest.passages.files)}"]
        lines += _given("elements", manifest.passages.elements, "") + _given("lengths", manifest.passages.lengths, "")
    for column in manifest.columns:
        lines += ["", *_column_lines(column)]
    if manifest.documents or manifest.corpus:
        lines += ["", "[documents]", *_given("folder", manifest.documents, ""), *_given("file", manifest.corpus, "")]
        lines += _given("signals", manifest.readability, plain.readability)
    if manifest.navigation:
        lines += ["", "[navigation]"]
        lines += _given("links", manifest.navigation.links, "")
        lines += _given("components", manifest.navigation.components, "")
    if manifest.queries or manifest.groups:
        lines += ["", "[topics]", *_given("file", manifest.queries, ""), *_given("groups", manifest.groups, "")]
    if manifest.systems:
        lines += ["", "[systems]", f"file = {toml_text(manifest.systems)}"]
    for one in manifest.scores:
        files = one.files if len(one.files) > 1 else one.files[0]
        lines += ["", f"[scores.{_key(one.name)}]", f"file = {toml_text(files)}"]
        lines += [*_given("measure", one.measure, ""), *_given("good", one.good, "")]
    return "\n".join(lines) + "\n"


def _column_lines(column: Column) -> list[str]:
    scale, table = column.scale, "aspects" if column.scale.kind == "grades" else "signals"
    header = f"{table}.{_key(scale.name)}"
    lines = [f"[{header}]"]
    lines += [f"file = {_written_files(column)}"] if column.file else []
    for key in ("column", "signal", "cuts", "shares", "missing", "source", "assessor_column"):
        lines += _given(key, getattr(column, key), getattr(Column, key))
    lines += _given("map", column.mapped, ())
    lines.append(f"good = {toml_text(scale.good)}")
    for key in ("grades", "names", "gains", "threshold", "unit"):
        lines += _given(key, getattr(scale, key), getattr(Scale, key))
    for one in column.sources:
        lines += ["", f"[{header}.sources.{_key(one.name)}]", f"file = {_written_files(one)}"]
        lines += _given("column", one.column, 1) + _given("missing", one.missing, ()) + _given("map", one.mapped, ())
    return lines


def _written_files(given: Column | OtherSource) -> str:
    """One file, or a list of all that the labels lie in."""
    return toml_text((given.file, *given.parts) if given.parts else given.file)


def _given(key: str, value: Any, default: Any) -> list[str]:
    return [] if value == default else [f"{key} = {toml_text(value)}"]


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_text(name)


def toml_text(value: Any) -> str:
    """A number, a text or a list of them, or of lists, as TOML."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << MOST_BITS:
        value = int(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml_text, value))}]"
    # JSON strings, numbers and lists are TOML, except that TOML wants DEL escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _floats(entry: Mapping[str, Any], key: str) -> tuple[float, ...]:
    return tuple(float(value) for value in entry.get(key, ()))


def _check(entry: Mapping[str, Any], known: Mapping[str, _Kind], where: str) -> None:
    for key, value in entry.items():
        if key not in known:
            raise InputError(f"expected only the keys {', '.join(known)}, found {key!r}", where)
        words, fits = known[key]
        if not fits(value):
            raise InputError(f"expected {key} to be {words}, found {shorten(str(value))}", where)


def _one_of(what: str, value: Any, known: Sequence[str]) -> None:
    if value not in known:
        raise InputError(f"expected {what} to be one of {', '.join(known)}, found {value!r}")
