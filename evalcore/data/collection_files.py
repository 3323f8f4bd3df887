"""Files of a collection and their purposes: declared, given one by one, or inferred."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeVar, cast
from weakref import WeakKeyDictionary

from evalcore.common.cached import cached_property
from evalcore.data import cache
from evalcore.data.manifest import (
    ASSESSORS,
    FILE_NAME,
    Column,
    Manifest,
    OtherSource,
    Scored,
    check_source,
    parse_manifest,
    write_manifest,
)
from evalcore.data.names import RUN_FOLDERS
from evalcore.data.patterns import fits, is_pattern, places, refuse_costly
from evalcore.data.readability import signal_scale
from evalcore.data.sources import Source, from_path, from_paths
from evalcore.data.text_files import plain_text
from evalcore.errors import InputError, readable
from evalcore.limits import refuse_more
from evalcore.structures.documents import Collection, Good, Note, Scale

PathLike = str | Path
Alone = Literal["queries", "corpus", "systems", "elements", "lengths", "links", "components", "groups"]
# A first line of qrels: no header, which has names without digits, nor JSON
_QRELS = re.compile(rb"(?:[\w.-]*\d[\w.-]*[ \t]+){2}[\w.:/-]*\d[\w.:/-]*[ \t]+-?\d+\r?\n")
# Files that a collection has at most once, by their field of the manifest and purpose, and what they hold
ALONE: Mapping[Alone, str] = {
    "queries": "the queries of the topics",
    "corpus": "the texts of the documents",
    "systems": "the table of systems",
    "elements": "the table of elements",
    "lengths": "the table of lengths",
    "links": "the links",
    "components": "the components",
    "groups": "groups of the topics",
}
PARTS = ("fold", "topic")  # in names of files: parts of one run, or of one set of labels
BACKUP = f"{FILE_NAME}.bak"  # a description before it was corrected


@dataclass(frozen=True)
class Package:
    """A manifest and the files that it names."""

    manifest: Manifest
    files: Files
    inferred: tuple[Note, ...] = ()
    unsaid: tuple[str, ...] = ()  # aspects whose good end is neither declared nor clear from their name

    def __post_init__(self) -> None:
        manifest = self.manifest
        refuse_more("columns", sum(1 + len(column.sources) for column in manifest.columns), where=FILE_NAME)
        scored = (file for score in manifest.scores for file in score.files)
        texts = Counter((*named_files(manifest), *scored, *manifest.runs, *texts_pattern(manifest)))
        refuse_costly(texts, [source.name for source in self.files.sources], FILE_NAME)
        named = sum(count * len(self.files.matching(text)) for text, count in texts.items())
        refuse_more("named", named, where=FILE_NAME)

    @cached_property
    def fingerprint(self) -> str:
        """Return the identity of the collection: a digest of its declarations and of the content of all files used.

        The name of a file counts only if it names something, such as a run's system. Names of folders and archives, the
        title and the order of files do not count.
        """
        files = [(f"{role}\n{name}", source) for role, name, source in _roles(self)]
        return cache.digest(_meaning(self.manifest), files, lambda source: source.digest)

    @property
    def key(self) -> str:
        """Return the key in the cache, a digest like `fingerprint`.

        It also covers all texts and names that the report may show.
        """
        settings = f"{cache.FORMAT}\n{write_manifest(self.manifest)}\n{self.inferred}\n{self.unsaid}"
        files = [(f"{source.name}\n{source.label}", source) for _, _, source in _roles(self)]
        return cache.digest(settings, files, lambda source: source.of_archive() if source.of_archive else source.digest)

    @cached_property
    def inputs(self) -> Inputs:
        """The files that the manifest names.

        Raises InputError for a missing file, and for a name that several files have.
        """
        manifest, files = self.manifest, self.files
        return Inputs(
            columns=tuple((column, files.labels(column, column.scale.name, "")) for column in manifest.columns),
            others=tuple(
                (column, source, files.labels(source, column.scale.name, f" by {source.name}"))
                for column in manifest.columns
                for source in column.sources
            ),
            documents=tuple(_fitting(files, texts_pattern(manifest), "texts of documents in", _taken(manifest, files))),
            highlights=tuple(_fitting(files, manifest.passages or (), "highlighted text in")),
            runs=tuple(run_files(manifest, files)),
            scores=tuple(
                (score, tuple(_declared(source, score.columns) for source in _fitting(files, score.files, "scores in")))
                for score in manifest.scores
            ),
            alone={one: files.one(name, what) for one, what in ALONE.items() if (name := getattr(manifest, one))},
        )

    @property
    def guesses(self) -> tuple[Note, ...]:
        if not self.inferred:
            return ()
        from evalcore.data.infer import column_notes

        return (*self.inferred, *column_notes(self.manifest))

    def with_options(self, order: str | None, labels: str | None, good: Mapping[str, str]) -> Package:
        manifest = self.manifest.with_options(order, labels)
        ends = {column.scale.name: column.scale.good for column in manifest.columns}
        ends |= {score.name: score.good for score in manifest.scores}
        for name, end in good.items():
            if name not in ends or end not in ("high", "low"):
                expected = f"`good` to map one of {', '.join(sorted(ends))} to high or low"
                raise InputError(f"expected {expected}, found {name!r}: {end!r}")
        ends |= {name: cast(Good, end) for name, end in good.items()}
        columns = tuple(replace(one, scale=replace(one.scale, good=ends[one.scale.name])) for one in manifest.columns)
        scores = tuple(replace(score, good=ends[score.name]) for score in manifest.scores)
        unsaid = tuple(name for name in self.unsaid if name not in good)
        return replace(self, manifest=replace(manifest, columns=columns, scores=scores), unsaid=unsaid)


# The files that collections were read from, as long as they are there: a part of one, or one made in memory, has none.
_ORIGINS: WeakKeyDictionary[Collection, Package] = WeakKeyDictionary()


def read_from(collection: Collection, package: Package) -> Collection:
    """Record the package that a collection was read from, and return the collection."""
    _ORIGINS[collection] = package
    return collection


def origin_of(collection: object) -> Package | None:
    """Return the package that a collection was read from.

    None for a part of a collection, and for one made in memory.
    """
    return _ORIGINS.get(collection) if isinstance(collection, Collection) else None


@dataclass(frozen=True)
class Inputs:
    """The files of a collection, by purpose."""

    columns: tuple[tuple[Column, tuple[Source, ...]], ...]  # each with the files that hold its labels
    others: tuple[tuple[Column, OtherSource, tuple[Source, ...]], ...]  # labels of a column by other sources
    documents: tuple[Source, ...]
    highlights: tuple[Source, ...]
    runs: tuple[Source, ...]
    scores: tuple[tuple[Scored, tuple[Source, ...]], ...]
    alone: Mapping[Alone, Source]  # files that a collection has at most once


@dataclass(frozen=True)
class Files:
    """Finds files by their names in a manifest, which are relative to its folder and may be patterns."""

    sources: Sequence[Source]
    base: str = ""
    flat: bool = False  # an upload of single files, which have lost their folders

    def __post_init__(self) -> None:
        for name, named in self._by_name.items():
            if len(named) > 1:
                raise InputError(f"expected one file of this name, found {len(named)}", name)

    def matching(self, pattern: str) -> list[Source]:
        """Return a list of the file with this name or, for a pattern, of the files that match it."""
        if pattern not in self._matches:  # a description may name it often
            self._matches[pattern] = self._matching(pattern)
        return self._matches[pattern]

    def _matching(self, pattern: str) -> list[Source]:
        tries = [(self.base, pattern), ("", pattern)]
        if self.flat:
            tries.append(("", PurePosixPath(pattern).name))
        matches = (self._by_name.get(f"{base}{name}") or self._fitting(base, name) for base, name in tries)
        return next(filter(None, matches), [])

    def one(self, name: str, purpose: str) -> Source:
        matches = self.matching(name)
        if len(matches) != 1:
            raise InputError(f"expected the file {name!r} for {purpose}, found {len(matches) or 'no file'}")
        return matches[0]

    def labels(self, given: Column | OtherSource, aspect: str, by: str) -> tuple[Source, ...]:
        """Return the file with the labels of an aspect or source, followed by files with further parts of these labels.

        If the manifest gives a pattern, these are all files that match it.
        """
        if is_pattern(given.file) and (found := self.matching(given.file)):  # `{topic}`, `{fold}`
            return tuple(_declared(file, given.columns, given.file) for file in found)
        files = [self.one(given.file, aspect + by)]
        files += [self.one(name, f"a part of the {aspect} labels") for name in given.parts]
        return tuple(_declared(file, given.columns) for file in files)

    @cached_property
    def _by_name(self) -> dict[str, list[Source]]:
        result: dict[str, list[Source]] = {}
        for source in self.sources:
            result.setdefault(source.name, []).append(source)
        return result

    def _fitting(self, base: str, pattern: str) -> list[Source]:
        """Return the files below a folder that match a pattern; none for a name that is not a pattern."""
        if not is_pattern(pattern):
            return []
        return [source for source, parts in self._below(base) if fits(pattern, parts)]

    def _below(self, base: str) -> list[tuple[Source, list[str]]]:
        """Return the files below a folder, each with the parts of its path within that folder."""
        below = self._parts.get(base)
        if below is None:
            names = ((source, source.name) for source in self.sources if source.name.startswith(base))
            below = self._parts[base] = [(source, name.removeprefix(base).split("/")) for source, name in names]
        return below

    @cached_property
    def _matches(self) -> dict[str, list[Source]]:
        return {}

    @cached_property
    def _parts(self) -> dict[str, list[tuple[Source, list[str]]]]:
        return {}


def package_of(
    where: PathLike | None,
    runs: PathLike | Sequence[PathLike] | None,
    aspects: Mapping[str, PathLike | Mapping[str, PathLike]] | None,
    signals: Mapping[str, PathLike] | None,
    manifest: str | None,
) -> Package:
    if where is not None and not (runs is None and aspects is None and signals is None):
        raise InputError("expected a folder or zip, or runs and aspects, found both", str(where))
    if where is not None:
        return from_place(from_path(where), readable(Path(where).name) or "collection", manifest)
    if runs is not None and aspects:
        return _from_parts(runs, aspects, signals or {})
    raise InputError("expected a folder or zip, or runs and aspects, found neither")


def from_place(sources: Sequence[Source], title: str, text: str | None = None, flat: bool = False) -> Package:
    """Return a package of files, described by `text`, by the `collection.toml` among them, or by inference."""
    declared = [source for source in sources if PurePosixPath(source.name).name == FILE_NAME]
    if text is None and len(declared) > 1:
        names = ", ".join(source.name for source in declared)
        raise InputError(f"expected one {FILE_NAME}, found {len(declared)}: {names}; open one of their folders")
    base = declared[0].name.removesuffix(FILE_NAME) if len(declared) == 1 else ""
    base = base or _common_folder([source.name for source in sources if PurePosixPath(source.name).name != FILE_NAME])
    if text is None and declared:
        text = plain_text(declared[0])
    if text is not None:
        files = Files(sources, base, flat)
        return Package(with_places(parse_manifest(text), files), files)
    below = [replace(source, name=source.name.removeprefix(base)) for source in sources]
    from evalcore.data.infer import infer

    manifest, notes = infer(below, title)
    return Package(manifest, Files(below), tuple(notes), _unsaid(manifest.columns))


def _common_folder(names: Sequence[str]) -> str:
    """Return the folder that contains all files, such as the only uploaded zip: "" or a path that ends in /.

    >>> _common_folder(["a.zip/qrels.txt", "a.zip/runs/x.txt"])
    'a.zip/'
    """
    common = os.path.commonpath([PurePosixPath(name).parent.as_posix().lstrip("/") for name in names] or ["."])
    # The name of a folder that holds only runs means something: it is kept.
    return "" if common in ("", ".") or PurePosixPath(common).name.lower() in RUN_FOLDERS else f"{common}/"


def given_runs(runs: PathLike | Sequence[PathLike]) -> list[Source]:
    """Return the files of runs, renamed so that the pattern runs/* matches them."""
    return [replace(source, name=f"runs/{PurePosixPath(source.name).name}") for source in from_paths(runs)]


def _from_parts(
    runs: PathLike | Sequence[PathLike],
    aspects: Mapping[str, PathLike | Mapping[str, PathLike]],
    signals: Mapping[str, PathLike],
) -> Package:
    files, columns = given_runs(runs), []
    for name, path in aspects.items():
        column, own = _aspect_from(name, path)
        columns.append(column)
        files += own
    for name, path in signals.items():
        files.append(_file(path, f"signals/{name}", name))
        columns.append(Column(signal_scale(name), files[-1].name, name))
    if len({column.scale.name for column in columns}) < len(columns):
        raise InputError("expected different names for aspects and signals, found one name for both")
    return Package(Manifest(runs=("runs/*",), columns=tuple(columns)), Files(files), unsaid=_unsaid(columns))


def _unsaid(columns: Iterable[Column]) -> tuple[str, ...]:
    """Return the aspects for which it was only assumed that high grades are good."""
    return tuple(one.scale.name for one in columns if one.scale.kind == "grades" and one.scale.good == "high")


def _aspect_from(name: str, given: PathLike | Mapping[str, PathLike]) -> tuple[Column, list[Source]]:
    """Make an aspect from one file, or from a file for each of its sources; the first source is the default."""
    if not isinstance(given, Mapping):
        file = _file(given, f"aspects/{name}", name)
        if _QRELS.match(file.head(1 << 10)):  # so a command on qrels starts without importing the reader of tables
            return Column(Scale(name), file.name), [file]
        from evalcore.data.tables import assessors_in

        return Column(Scale(name), file.name, assessor_column=assessors_in(file)), [file]
    if not given:
        raise InputError(f"expected a file for each source of {name}, found none")
    given = {str(by): path for by, path in given.items()}
    for by in given:
        check_source(by, f"aspects[{name!r}]")
    files = [_file(path, f"aspects/{name}/{at}", f"{name} by {by}") for at, (by, path) in enumerate(given.items())]
    first, *others = zip(given, files, strict=True)
    sources = tuple(OtherSource(by, file.name) for by, file in others)
    return Column(Scale(name), first[1].name, source=first[0], sources=sources), files


def _file(path: PathLike, folder: str, purpose: str) -> Source:
    files = from_path(path)
    if len(files) != 1:
        raise InputError(f"expected one file for {purpose}, found {len(files)}", str(path))
    return replace(files[0], name=f"{folder}/{files[0].name}")


def _roles(package: Package) -> list[tuple[str, str, Source]]:
    """List every file used as (purpose, name, file); the name is "" if it does not affect the fingerprint."""
    inputs = package.inputs
    places = {column.scale.name: f"column {at}" for at, column in enumerate(package.manifest.columns)}
    labels = [(places[column.scale.name], files) for column, files in inputs.columns]
    labels += [(f"{places[column.scale.name]} by {other.name}", files) for column, other, files in inputs.others]
    return [
        *(("run", source.stem, source) for source in inputs.runs),
        *((place, "", first) for place, (first, *_) in labels),
        *((f"part of {place}", "", part) for place, (_, *parts) in labels for part in parts),
        *(("document", source.stem, source) for source in inputs.documents),
        *(("highlights", "", source) for source in inputs.highlights),
        *((role, "", source) for role, source in inputs.alone.items()),
        *((f"scores {at}", source.stem, source) for at, (_, listed) in enumerate(inputs.scores) for source in listed),
    ]


def _meaning(manifest: Manifest) -> str:
    """Return the text of a manifest without the names of files, the title and the description."""
    columns = tuple(
        replace(
            column,
            file=_role(column.file),
            parts=(),
            sources=tuple(replace(source, file=_role(source.file), parts=()) for source in column.sources),
        )
        for column in manifest.columns
    )
    alone: dict[str, Any] = {name: _role(getattr(manifest, name)) for name in ("documents", *ALONE)}
    passages = None if manifest.passages is None else ()
    scores = tuple(replace(score, files=("given",)) for score in manifest.scores)
    plain = replace(manifest, title="", description="", runs=(), columns=columns, passages=passages, scores=scores)
    return write_manifest(replace(plain, **alone))


def _role(name: str) -> str:
    """Return "given" if a file is named, else "", so that the name itself does not count."""
    return "given" if name else ""


def named_files(manifest: Manifest) -> list[str]:
    """List the names and patterns of files in a description, except those of runs and of the folder of texts."""
    names = [file for column in manifest.columns for file in column.files]
    names += dict.fromkeys(file for score in manifest.scores for file in score.files)
    return [name for name in (*names, *(manifest.passages or ()), *(getattr(manifest, one) for one in ALONE)) if name]


def texts_pattern(manifest: Manifest) -> list[str]:
    """Return the pattern of the files in the folder of texts, in a list; an empty list if no folder is named."""
    return [f"{manifest.documents}/*.txt"] if manifest.documents else []


def run_files(manifest: Manifest, files: Files) -> list[Source]:
    """Return the files of the runs: matches of the patterns, except files with another purpose.

    `{system}` in a pattern names the system; files of one system that differ in fold or topic are joined.
    """
    found = _fitting(files, manifest.runs, "runs matching", _taken(manifest, files))
    pattern = {source.name: next((one for one in manifest.runs if places(one, source.name)), "") for source in found}
    placed = {name: places(one, name) for name, one in pattern.items()}
    found = [_declared(source, manifest.run_columns, pattern[source.name]) for source in found]
    named = [source for source in found if "system" in placed[source.name]]
    by_system: dict[str, list[Source]] = {}
    for source in named:
        words = [placed[source.name][role] for role in ("system", "repeat") if role in placed[source.name]]
        by_system.setdefault(" ".join(words), []).append(source)
    joined = (_joined(system, parts, placed) for system, parts in by_system.items())
    return [*_told_apart([source for source in found if source not in named]), *joined]


def _declared(source: Source, columns: Sequence[str], pattern: str = "") -> Source:
    """Return the file with the declared roles of its columns; without such roles, the file as it is.

    If there is no column of topics and `pattern` contains `{topic}`, the topic is taken from the file's name.
    """
    if not columns:
        return source
    topic = places(pattern, source.name).get("topic", "") if "topic" not in columns else ""
    return replace(source, columns=(*columns, *([f"topic={topic}"] if topic else [])))


def _joined(system: str, parts: list[Source], placed: Mapping[str, Mapping[str, str]]) -> Source:
    """Return the run of a system as one file, joined if it is split by fold or topic.

    Raises InputError for two files of the same fold or topic.
    """
    told = [" ".join(placed[part.name][role] for role in PARTS if role in placed[part.name]) for part in parts]
    if len(parts) > 1 and ("" in told or len({*told}) < len(told)):
        expected = f"expected one file for the run {system!r}, or one for each {{fold}} or {{topic}}"
        raise InputError(f"{expected}, found {', '.join(part.name for part in parts[:3])}", FILE_NAME)
    first, *others = parts
    if not others:
        return replace(first, label=system)
    return Source(
        first.name,
        lambda: b"".join(_lines_of_run(part).rstrip(b"\n") + b"\n" for part in parts),
        label=system,
        remarks=(f"{len(parts)} files joined: {', '.join(told[:5])}{', ...' if len(told) > 5 else ''}",),
        size=sum(part.size for part in parts),
    )


def _lines_of_run(part: Source) -> bytes:
    """Return the lines of a part of a run in TREC's form."""
    if not part.columns:
        return part.read()
    from evalcore.data.tables import run_sources

    return run_sources(part)[0].read()


def with_places(manifest: Manifest, files: Files) -> Manifest:
    """Return the manifest with a source of labels for each judge and each repeat in file names."""
    return replace(manifest, columns=tuple(_with_places(column, files) for column in manifest.columns))


def _with_places(column: Column, files: Files) -> Column:
    own, *more = _by_judge(column, column.source, files)
    others = [(name, one) for source in column.sources for name, one in _by_judge(source, source.name, files)]
    sources = (*(_as_source(name, one) for name, one in more), *(_as_source(name, one) for name, one in others))
    name = (own[0] or ASSESSORS) if sources else own[0]
    return replace(column, file=own[1].file, source=name, sources=sources)


def _as_source(name: str, given: Column | OtherSource) -> OtherSource:
    if isinstance(given, OtherSource):
        return replace(given, name=name)
    return OtherSource(name, given.file, given.column, given.missing, given.mapped, given.parts, given.columns)


Given = TypeVar("Given", Column, OtherSource)


def _by_judge(given: Given, name: str, files: Files) -> list[tuple[str, Given]]:
    """Return (name, labels) for each judge and repeat in matching file names; the name is the judge, repeat or both.

    If the pattern contains neither role, or matches no file, return the labels under `name`.
    """
    judged = {"{judge}", "{repeat}"} & {*re.findall(r"{\w+}", given.file)}
    by_name: dict[str, Given] = {}
    for file in files.matching(given.file) if judged else ():
        where = places(given.file, file.name)
        pattern = given.file
        for role in ("judge", "repeat"):
            pattern = pattern.replace(f"{{{role}}}", glob.escape(where.get(role, "")))
        words = " ".join(where[role] for role in ("judge", "repeat") if role in where)
        by_name[words] = replace(given, file=pattern)
    return list(by_name.items()) or [(name, given)]


def _taken(manifest: Manifest, files: Files) -> set[str]:
    """Return the names of files that have other purposes than runs and texts."""
    others = [*named_files(manifest), FILE_NAME, f"{BACKUP}*"]
    return {source.name for name in others for source in files.matching(name)}


def _fitting(files: Files, patterns: Iterable[str], what: str, taken: AbstractSet[str] = frozenset()) -> list[Source]:
    """Return the files that match any pattern, except `taken` ones. Raises InputError if a pattern has no match."""
    by_name: dict[str, Source] = {}
    for pattern in patterns:
        fitting = [source for source in files.matching(pattern) if source.name not in taken]
        if not fitting:
            raise InputError(f"expected {what} {pattern}, found no file")
        by_name |= {source.name: source for source in fitting}
    return list(by_name.values())


def _told_apart(runs: list[Source]) -> list[Source]:
    """Return the runs, named after their folders if their file names are the same.

    So team/output/run.txt is called team, or team_run if there are other file names too.
    """
    by_stem: dict[str, list[Source]] = {}
    for source in runs:
        by_stem.setdefault(source.stem, []).append(source)
    labels: dict[str, str] = {}
    for stem, alike in by_stem.items():
        folders = [PurePosixPath(source.name).parent.parts for source in alike]
        if len(alike) > 1 and len(set(folders)) == len(alike):
            shared = set.intersection(*map(set, folders))
            ending = [] if len(by_stem) == 1 and all(set(parts) - shared for parts in folders) else [stem]
            own = ["_".join([*(part for part in parts if part not in shared), *ending]) for parts in folders]
            labels |= {source.name: label for source, label in zip(alike, own, strict=True)}
    return [replace(source, label=labels.get(source.name, source.label)) for source in runs]
