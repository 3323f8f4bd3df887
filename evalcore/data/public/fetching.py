"""Fetch a public collection: its files by git, and the `collection.toml` that says what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from evalcore.constants import Order
from evalcore.data.build_pool import read_pool
from evalcore.data.kinds import read_as
from evalcore.data.manifest import FILE_NAME, Manifest, parse_manifest, write_manifest
from evalcore.data.package import PathLike, from_place
from evalcore.data.pool_index import PoolIndex
from evalcore.data.public.entries import PublicCollection, public_collection
from evalcore.data.public.git import Clone, absolute, fitting, without_password
from evalcore.data.runs import read_run
from evalcore.data.sources import Source, from_path
from evalcore.errors import InputError, readable
from evalcore.progress import Progress
from evalcore.structures.documents import Assessments
from evalcore.writing import write_file

AT_ONCE = 8  # runs that are got in one go: after an interruption no more are got again


@dataclass(frozen=True)
class LeftOut:
    """A run that the collection does without, and why; `line` is where in the file, if that can be said."""

    file: str
    problem: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.file}{'' if self.line is None else f' line {self.line}'}: {self.problem}"


@dataclass(frozen=True)
class Fetched:
    """What `fetch` has found or put into a folder. Sizes are in bytes; `fetched` counts files that were not there."""

    collection: PublicCollection
    folder: Path
    commit: str
    fetched: int
    files: int
    size: int
    topics: int
    documents: int  # that were assessed, for each topic
    systems: int
    left_out: tuple[LeftOut, ...]


def fetch(name: str, folder: PathLike, *, location: str | None = None, progress: Progress | None = None) -> Fetched:
    """Get a public collection (see `public_collections`) from its git repository into a folder, which `load` opens.

    Only the newest commit and the files of the collection are got. A folder in which this was begun is continued; one
    in which it was done is checked, without the network, and files that are gone come back. `location` is another
    place of the repository: an address, a folder, a bundle. Runs that cannot be read, or rank nothing for any assessed
    topic, are left out of the `collection.toml`. Raises InputError without git, for a folder with other files, a
    repository that cannot be reached or has another layout, labels that cannot be read, and files changed since.
    """
    known, tell = public_collection(name), progress or (lambda share, text: None)
    clone, place = Clone(Path(folder).absolute()), absolute(location or known.repository)
    there = clone.folder.exists()
    new, shown = clone.begin(name, place), without_password(place)
    commit = clone.commit
    done = bool(commit) and (clone.folder / FILE_NAME).exists()
    try:
        if not commit:
            tell(0.0, f"Reaching {shown}")
            commit = clone.fetch(place)
        wanted = _wanted(known.manifest, clone.files(commit), f"{shown} at commit {commit}")
    except InputError:
        if new:
            clone.undo(folder=not there)
        raise
    missing = clone.changed(wanted)
    if done:
        _refuse_changed(clone, missing)
    _get(clone, commit, list(wanted), missing, tell)
    clone.finish(commit)
    description = clone.folder / FILE_NAME
    if done:
        manifest = parse_manifest(description.read_text("utf-8"), str(description))
    else:
        manifest = _manifest(known, wanted, shown, commit)
    pool, runs, left_out = _read(clone.folder, manifest, tell)
    if not done:
        _write(description, replace(manifest, runs=runs), left_out)
    size = sum((clone.folder / file).stat().st_size for file in wanted)
    return Fetched(
        collection=known,
        folder=Path(folder),
        commit=commit,
        fetched=len(missing),
        files=len(wanted),
        size=size,
        topics=len(pool.topics),
        documents=len(pool),
        systems=len(runs),
        left_out=left_out,
    )


def _wanted(manifest: Manifest, files: Mapping[str, str], where: str) -> dict[str, str]:
    """The files of the collection with their digests, labels first. Raises InputError for one that is not there."""
    names = [name for column in manifest.columns for name in column.files]
    for name in names:
        if name not in files:
            raise InputError(f"expected the file {name}, found none: the repository has another layout", where)
    for pattern in manifest.runs:
        runs = sorted(fitting(files, pattern))
        if not runs:
            raise InputError(f"expected runs matching {pattern}, found none: the repository has another layout", where)
        names += runs
    return {name: files[name] for name in names}


def _refuse_changed(clone: Clone, names: Sequence[str]) -> None:
    """Raises InputError for files that are there, but not as they were fetched: they may be somebody's work."""
    changed = [name for name in names if (clone.folder / name).exists()]
    if changed:
        listed = ", ".join(map(readable, changed[:3])) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
        problem = f"expected files as they were fetched, found others: {listed}; those deleted are fetched again"
        raise InputError(problem, str(clone.folder))


def _get(clone: Clone, commit: str, names: Sequence[str], missing: Sequence[str], tell: Progress) -> None:
    """Get the files that are missing, a few at once. Raises InputError for one that does not come as it should."""
    there = [name for name in names if name not in set(missing)]
    for begin in range(0, len(missing), AT_ONCE):
        tell(0.8 * begin / len(missing), f"Fetching files: {begin} of {len(missing)}")
        some = missing[begin : begin + AT_ONCE]
        there += some
        clone.check_out(commit, there)
        digests = clone.files(commit)
        if wrong := clone.changed({name: digests[name] for name in some}):  # git takes what it put there as still there
            clone.put_back(wrong)
        if wrong := clone.changed({name: digests[name] for name in wrong}):
            raise InputError("expected the file as the repository has it, found another", readable(wrong[0]))


def _manifest(known: PublicCollection, wanted: Mapping[str, str], place: str, commit: str) -> Manifest:
    """What the collection's files mean, every run by its name, and where they are from."""
    labels = {name for column in known.manifest.columns for name in column.files}
    origin = f"Fetched from {place} at commit {commit}. Licence: {known.licence}. Paper: {known.paper}."
    return replace(
        known.manifest,
        description=f"{known.manifest.description} {readable(origin)}",
        runs=tuple(readable(name) for name in wanted if name not in labels),
    )


def _read(folder: Path, manifest: Manifest, tell: Progress) -> tuple[Assessments, tuple[str, ...], tuple[LeftOut, ...]]:
    """Read everything once: the pool, files of runs that can be read, and those that cannot.

    Raises InputError for labels that cannot be read, and where no run can.
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
                raise InputError(f"expected one run of each name, found another: {runs[system]}")
            runs[system] = file.name
        except InputError as error:
            left_out.append(LeftOut(file.name, error.problem, error.line))
    if not runs:
        raise InputError(f"expected runs that can be read, found none; the first: {left_out[0]}", str(folder))
    return pool, tuple(runs.values()), tuple(left_out)


def _system(file: Source, index: PoolIndex, order: Order) -> str:
    """The system whose run a file is. Raises InputError where it is none, or none of its topics was assessed."""
    runs = [read_run(source, index, order) for source in read_as("run", file)]
    if not any(run.facts["topics"] for run in runs):
        raise InputError("expected rankings for topics that were assessed, found none")
    return runs[0].system


def _write(file: Path, manifest: Manifest, left_out: Iterable[LeftOut]) -> None:
    """Write the `collection.toml`, with a comment on each run that is left out."""
    comments = "".join(f"# left out: {line}\n" for line in map(str, left_out))
    write_file(file, f"{_one_line_each(comments)}{write_manifest(manifest)}", replace=True)


def _one_line_each(comments: str) -> str:
    """Comments that TOML takes: no control characters within a line."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in comments)
