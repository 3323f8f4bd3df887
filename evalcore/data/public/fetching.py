"""Fetch a public collection: its files by HTTPS, and the `collection.toml` that describes them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from evalcore.common.constants import Order
from evalcore.common.progress import Progress
from evalcore.common.writing import sweep, write_file
from evalcore.data.build_pool import read_pool
from evalcore.data.collection_files import PathLike, from_place
from evalcore.data.kinds import read_as
from evalcore.data.manifest import FILE_NAME, Manifest, parse_manifest, write_manifest
from evalcore.data.patterns import fits
from evalcore.data.pool_index import PoolIndex
from evalcore.data.public.download import STAGING, Commit, download, newest, read_commit, require_pooch, written_commit
from evalcore.data.public.entries import PublicCollection, public_collection
from evalcore.data.report_tables import first_names
from evalcore.data.runs import read_run
from evalcore.data.sources import Source, from_path, is_hidden
from evalcore.data.toml_text import read_toml, read_utf8, toml_text
from evalcore.errors import InputError, readable
from evalcore.limits import refuse_more
from evalcore.structures.documents import Assessments

FETCHED = "fetched.toml"  # the commit that a folder holds, and its files


@dataclass(frozen=True)
class LeftOut:
    """A run that is left out, and the problem with it; `line` is where the problem is in the file, if known."""

    file: str
    problem: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.file}{'' if self.line is None else f' line {self.line}'}: {self.problem}"


@dataclass(frozen=True)
class Fetched:
    """Result of `fetch`: the content of the folder. `size` is in bytes; `fetched` counts the newly downloaded files."""

    collection: PublicCollection
    folder: Path
    commit: str
    fetched: int
    files: int
    size: int
    topics: int
    documents: int  # assessed (topic, document) pairs
    systems: int
    left_out: tuple[LeftOut, ...]


def fetch(name: str, folder: PathLike, *, progress: Progress | None = None) -> Fetched:
    """Download a public collection (see `public_collections`) into a folder, which `load` opens.

    Single files of one commit are downloaded from GitHub by HTTPS and checked. If a download to the folder was begun
    before, it is continued. If it was completed, the files are checked without the network, and only missing files are
    downloaded again. Runs that cannot be read, or rank nothing for any assessed topic, are left out of the
    `collection.toml`. Raises InputError if pooch is not installed, for a folder with other files, a file that cannot be
    downloaded or does not match its digest, a repository without an expected file, labels that cannot be read, and
    files that were changed since they were fetched.
    """
    known, place, tell = public_collection(name), Path(folder), progress or (lambda share, text: None)
    commit = _begun(known, place)
    if commit is None:
        require_pooch()
        tell(0.0, f"Reaching {known.address}")
        commit = of_collection(known.manifest, newest(known.repository))
        place.mkdir(parents=True, exist_ok=True)
        write_file(place / FETCHED, f"name = {toml_text(name)}\n{written_commit(commit)}")
    missing = [file.name for file in commit.files.values() if not file.is_at(place / file.name)]
    if changed := [name for name in missing if os.path.lexists(place / name)]:  # perhaps changed on purpose
        listed = first_names([*map(readable, changed)], 3)
        problem = f"expected files as they were fetched, found changed ones: {listed}; delete them to fetch them again"
        raise InputError(problem, str(place))
    if missing:
        download(commit, missing, place, lambda share, text: tell(0.8 * share, text))
    description = place / FILE_NAME
    done = description.exists()
    manifest = parse_manifest(description.read_text("utf-8"), str(description)) if done else _manifest(known, commit)
    pool, runs, left_out = _read(place, manifest, tell)
    if not done:
        _write(description, replace(manifest, runs=runs), left_out)
    return Fetched(
        collection=known,
        folder=place,
        commit=commit.sha,
        fetched=len(missing),
        files=len(commit.files),
        size=sum(file.size for file in commit.files.values()),
        topics=len(pool.topics),
        documents=len(pool),
        systems=len(runs),
        left_out=left_out,
    )


def _begun(known: PublicCollection, folder: Path) -> Commit | None:
    """Return the commit whose files are in a folder; None for a new or empty folder.

    Raises InputError for a folder with other files, or with the files of another collection.
    """
    sweep(folder)
    state = folder / FETCHED
    if state.is_file():
        content = read_toml(read_utf8(state, "the record of evalcore fetch"), str(state))
        try:
            if content["name"] == known.name:
                return read_commit(known.repository, content)
        except (KeyError, TypeError, ValueError):
            pass
    elif not os.path.lexists(folder) or (folder.is_dir() and set(os.listdir(folder)) <= {STAGING}):
        return None
    expected = f"a new or empty folder, or one that {known.name} was fetched to before"
    raise InputError(f"expected {expected}, found other files", str(folder))


def of_collection(manifest: Manifest, commit: Commit) -> Commit:
    """Return the commit with only the files of the collection, labels first. Raises InputError if one is missing."""
    where = f"{commit.repository} at commit {commit.sha}"
    names = [name for column in manifest.columns for name in column.files]
    for name in names:
        if name not in commit.files:
            raise InputError(f"expected the file {name}, found none: the repository's layout changed", where)
    for pattern in manifest.runs:
        runs = sorted(name for name in commit.files if not is_hidden(name) and fits(pattern, name.split("/")))
        if not runs:
            raise InputError(f"expected runs matching {pattern}, found none: the repository's layout changed", where)
        names += runs
    chosen = replace(commit, files={name: commit.files[name] for name in names})
    refuse_more("archive_bytes", sum(file.size for file in chosen.files.values()), where=where)
    refuse_more("toml_characters", len(written_commit(chosen)), where=where)  # else the folder could not be read again
    return chosen


def _manifest(known: PublicCollection, commit: Commit) -> Manifest:
    """Return a manifest that names each file of the collection, including every run, and the source of the files."""
    labels = {name for column in known.manifest.columns for name in column.files}
    origin = f"Fetched from {known.address} at commit {commit.sha}. Licence: {known.licence}. Paper: {known.paper}."
    return replace(
        known.manifest,
        description=f"{known.manifest.description} {readable(origin)}",
        runs=tuple(readable(name) for name in commit.files if name not in labels),
    )


def _read(folder: Path, manifest: Manifest, tell: Progress) -> tuple[Assessments, tuple[str, ...], tuple[LeftOut, ...]]:
    """Read the labels and all runs once. Return the pool, the files of readable runs, and the runs that are left out.

    Raises InputError if the labels cannot be read, or none of the runs can.
    """
    package = from_place(from_path(folder), manifest.title, write_manifest(manifest))
    pool = read_pool(manifest, package.inputs, lambda share, text: tell(0.8, text)).assessments
    index, order = PoolIndex.of(pool), cast(Order, manifest.order)
    runs: dict[str, str] = {}
    left_out = []
    for at, file in enumerate(package.inputs.runs):
        tell(0.8 + 0.2 * at / len(package.inputs.runs), f"Reading runs: {at} of {len(package.inputs.runs)}")
        try:
            system = _system(file, index, order)
            if system in runs:
                raise InputError(f"expected one run of each name, found another in {runs[system]}")
            runs[system] = file.name
        except InputError as error:
            left_out.append(LeftOut(file.name, error.problem, error.line))
    if not runs:
        raise InputError(f"none of the runs can be read; the first problem: {left_out[0]}", str(folder))
    return pool, tuple(runs.values()), tuple(left_out)


def _system(file: Source, index: PoolIndex, order: Order) -> str:
    """Return the system of a run. Raises InputError if the file is not a run, or none of its topics was assessed."""
    runs = [read_run(source, index, order) for source in read_as("run", file)]
    if not any(run.facts["topics"] for run in runs):
        raise InputError("expected rankings for topics that were assessed, found none")
    return runs[0].system


def _write(file: Path, manifest: Manifest, left_out: Iterable[LeftOut]) -> None:
    """Write the `collection.toml`, with a comment on each run that is left out."""
    # TOML allows no control characters in a comment
    lines = ("".join(letter if letter.isprintable() else "?" for letter in str(line)) for line in left_out)
    write_file(file, "".join(f"# left out: {line}\n" for line in lines) + write_manifest(manifest), replace=True)
