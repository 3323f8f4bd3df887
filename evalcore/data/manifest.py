"""`collection.toml`: what a collection's files mean, read and written."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalcore.data.runs import ORDERS
from evalcore.data.structures import Scale
from evalcore.errors import DataError

FILE_NAME = "collection.toml"
LABELS = ("by-topic", "by-document")


@dataclass(frozen=True)
class Column:
    """One aspect or signal: its scale and where its values come from.

    Either `file` (and `column`: the how-manieth grade of TREC qrels, or the header of a table), or `signal`: another
    column, discretised by `cuts` or `shares`. Grades listed in `missing` mean "not assessed".
    """

    scale: Scale
    file: str = ""
    column: int | str = 1
    missing: tuple[float, ...] = ()
    signal: str = ""
    cuts: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()


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

    def with_options(self, order: str | None, labels: str | None) -> Manifest:
        """The manifest with order and labels overruled where given. Raises DataError for an unknown one."""
        changed = replace(self, order=order or self.order, labels=labels or self.labels)
        _one_of("order", changed.order, ORDERS)
        _one_of("labels", changed.labels, LABELS)
        return changed


_TOP = ("title", "description", "order", "labels", "runs", "aspects", "signals", "documents", "topics")
_ASPECT = (
    "file", "column", "good", "grades", "names", "gains", "threshold", "unit", "missing", "signal", "cuts", "shares"
)  # fmt: skip
_SIGNAL = ("file", "good", "threshold", "unit")


def parse_manifest(text: str, where: str = FILE_NAME) -> Manifest:
    """Read `collection.toml`. Raises DataError naming the key that is unknown, missing or of the wrong kind."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"expected TOML, found a mistake: {error}", where) from None
    try:
        return _manifest(content, where)
    except (TypeError, AttributeError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"expected the keys of a collection with values of their kind, found: {error}", where) from None


def _manifest(content: Mapping[str, Any], where: str) -> Manifest:
    _only(content, _TOP, where)
    documents, topics = content.get("documents", {}), content.get("topics", {})
    _only(documents, ("folder", "signals"), f"{where} [documents]")
    _only(topics, ("file",), f"{where} [topics]")
    aspects = [_aspect(name, entry, where) for name, entry in content.get("aspects", {}).items()]
    signals = [_signal(name, entry, where) for name, entry in content.get("signals", {}).items()]
    if not aspects:
        raise DataError("expected at least one [aspects.NAME] with a file, found none", where)
    runs = content.get("runs", ["runs/*"])
    manifest = Manifest(
        title=str(content.get("title", Manifest.title)),
        description=str(content.get("description", "")),
        runs=(runs,) if isinstance(runs, str) else tuple(map(str, runs)),
        columns=(*aspects, *signals),
        documents=str(documents.get("folder", "")),
        readability=tuple(documents.get("signals", ())),
        queries=str(topics.get("file", "")),
    )
    return manifest.with_options(content.get("order"), content.get("labels"))


def _aspect(name: str, entry: Mapping[str, Any], where: str) -> Column:
    place = f"{where} [aspects.{name}]"
    _only(entry, _ASPECT, place)
    if ("file" in entry) == ("signal" in entry):
        raise DataError("expected either a file, or a signal with cuts or shares", place)
    if "signal" in entry and ("cuts" in entry) == ("shares" in entry):
        raise DataError("expected either cuts or shares for the signal", place)
    return Column(
        scale=_scale(name, "grades", entry, place),
        file=entry.get("file", ""),
        column=entry.get("column", 1),
        missing=_floats(entry, "missing"),
        signal=entry.get("signal", ""),
        cuts=_floats(entry, "cuts"),
        shares=_floats(entry, "shares"),
    )


def _signal(name: str, entry: Mapping[str, Any], where: str) -> Column:
    place = f"{where} [signals.{name}]"
    _only(entry, _SIGNAL, place)
    if "file" not in entry:
        raise DataError("expected a file of documents and values", place)
    return Column(scale=_scale(name, "signal", entry, place), file=entry["file"])


def _scale(name: str, kind: Any, entry: Mapping[str, Any], where: str) -> Scale:
    good = entry.get("good", "high")
    _one_of(f"{where} good", good, ("high", "low"))
    grades, gains, names = _floats(entry, "grades"), _floats(entry, "gains"), tuple(entry.get("names", ()))
    if list(grades) != sorted(set(grades)):
        raise DataError(f"expected grades in ascending order, each once, found {list(grades)}", where)
    for what, listed in (("gains", gains), ("names", names)):
        if listed and len(listed) != len(grades):
            raise DataError(f"expected one of {what} for each of the {len(grades)} grades, found {len(listed)}", where)
    threshold = entry.get("threshold")
    return Scale(
        name, kind, good, grades, names, gains, None if threshold is None else float(threshold), entry.get("unit", "")
    )


def write_manifest(manifest: Manifest) -> str:
    """The text of a `collection.toml` that `parse_manifest` reads back to the same manifest."""
    plain = Manifest()
    lines = [
        f"title = {_toml(manifest.title)}",
        *_given("description", manifest.description, ""),
        f"order = {_toml(manifest.order)}",
        f"labels = {_toml(manifest.labels)}",
        f"runs = {_toml(manifest.runs)}",
    ]
    for column in manifest.columns:
        lines += ["", *_column_lines(column)]
    if manifest.documents:
        lines += ["", "[documents]", f"folder = {_toml(manifest.documents)}"]
        lines += _given("signals", manifest.readability, plain.readability)
    if manifest.queries:
        lines += ["", "[topics]", f"file = {_toml(manifest.queries)}"]
    return "\n".join(lines) + "\n"


def _column_lines(column: Column) -> list[str]:
    scale, table = column.scale, "aspects" if column.scale.kind == "grades" else "signals"
    lines = [f"[{table}.{_toml(scale.name)}]"]
    for key in ("file", "column", "signal", "cuts", "shares", "missing"):
        lines += _given(key, getattr(column, key), getattr(Column, key))
    lines.append(f"good = {_toml(scale.good)}")
    for key in ("grades", "names", "gains", "threshold", "unit"):
        lines += _given(key, getattr(scale, key), getattr(Scale, key))
    return lines


def _given(key: str, value: Any, default: Any) -> list[str]:
    return [] if value == default else [f"{key} = {_toml(value)}"]


def _toml(value: Any) -> str:
    # JSON strings, numbers and lists are TOML, except that TOML wants DEL escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _floats(entry: Mapping[str, Any], key: str) -> tuple[float, ...]:
    return tuple(float(value) for value in entry.get(key, ()))


def _only(entry: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in entry:
        if key not in known:
            raise DataError(f"expected only the keys {', '.join(known)}, found {key!r}", where)


def _one_of(what: str, value: Any, known: Sequence[str]) -> None:
    if value not in known:
        raise DataError(f"expected {what} to be one of {', '.join(known)}, found {value!r}")
