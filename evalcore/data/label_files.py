"""Files of labels that share an aspect: parts of one set, other sources, copies in fewer grades, or another aspect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Any

from evalcore.common.cached import cached_property
from evalcore.common.constants import COMBINED
from evalcore.data.assessments import Labels
from evalcore.data.kinds import read_as
from evalcore.data.manifest import ASSESSORS, Column, OtherSource
from evalcore.data.names import aspect_name, beyond_aspect, differences, is_part, is_trusted, own_words, says_who
from evalcore.data.sources import Source
from evalcore.data.tables import assessors_in, judge_alone, read_by_assessor
from evalcore.errors import InputError
from evalcore.structures.documents import Note

GRADINGS = {"bin", "binary", "graded", "grades"}


@dataclass(frozen=True, eq=False)
class LabelFile:
    """An aspect in a file, and in further files with parts of the same labels."""

    column: Column
    source: Source
    alone: bool = True  # whether its file holds no other aspect
    parts: tuple[LabelFile, ...] = ()
    header: str = ""  # of its column, if other columns of the file hold the same aspect

    @property
    def name(self) -> str:
        return self.column.scale.name

    @property
    def where(self) -> str:
        """The file with its labels, followed by the column if the file has several columns of this aspect."""
        return f"{self.column.file}/{self.header}" if self.header else self.column.file

    @property
    def speaks_of(self) -> str:
        """The aspect in the file name, for a column without a header that is not the first; "" for other columns.

        A column without a header is given by its number.
        """
        column = self.column.column
        return aspect_name(self.source) if isinstance(column, int) and column > 1 else ""

    def called(self, name: str, **more: Any) -> LabelFile:
        return replace(self, column=replace(self.column, scale=replace(self.column.scale, name=name, **more)))

    @cached_property
    def grades(self) -> dict[tuple[str, ...], float] | None:
        """The grade of each key (such as topic and document) in all parts; the first grade, if a key has several.

        None for a file that cannot be read: its errors are raised later, when the collection is read.
        """
        with suppress(InputError):
            labels = [labels for file in (self, *self.parts) for labels in file._labels()]
            pairs = (zip(label.keys, label.grades.tolist(), strict=True) for label in reversed(labels))
            return {pair: grade for listed in pairs for pair, grade in listed}
        return None

    def _labels(self) -> list[Labels]:
        how = (self.column.scale, self.column.column)
        if who := self.column.assessor_column or assessors_in(self.source):
            return list(read_by_assessor(self.source, *how, who).values())
        return [read_as("aspect", self.source, *how)]

    @cached_property
    def levels(self) -> set[float]:
        """The grades that occur; an empty set for an unreadable file."""
        return set((self.grades or {}).values())

    @cached_property
    def topics(self) -> set[str]:
        """The assessed topics; an empty set for an unreadable file."""
        return {pair[0] for pair in self.grades or ()}


# --- parts -----------------------------------------------------------------------------------------------------------


def with_parts(files: Sequence[LabelFile]) -> tuple[list[LabelFile], list[Note]]:
    """Return the files of one aspect, with parts of one set of labels combined, and notes on the combined files.

    Parts are by the same people or model, according to their names, and have no document of a topic in common.
    """
    if len(files) < 2 or any(file.grades is None for file in files):
        return list(files), []
    texts = dict(zip([file.where for file in files], differences([file.where for file in files]), strict=True))
    alike: dict[str, list[LabelFile]] = {}
    for file in files:
        alike.setdefault(says_who(texts[file.where]), []).append(file)
    wholes = [part for group in alike.values() for part in _joined_parts(group, texts)]
    text = "read as one set of {} labels, as no two of the files label the same document of a topic"
    notes = [
        Note("inferred", ", ".join([file.column.file, *file.column.parts]), text.format(file.name))
        for file in wholes
        if file.parts
    ]
    return sorted(wholes, key=lambda labels: labels.column.file), notes


def _joined_parts(files: Sequence[LabelFile], texts: dict[str, str]) -> list[LabelFile]:
    """Return one file for all if they are parts of one set; else join only the files whose names mark them as parts."""
    if whole := _as_one(files):
        return whole
    named = [file for file in files if is_part(texts[file.where])]
    whole = _as_one(named)
    return [*(file for file in files if file not in named), *whole] if whole and len(named) > 1 else list(files)


def _as_one(files: Sequence[LabelFile]) -> list[LabelFile]:
    """Join several files into one and return it in a list; [] if they cannot be parts of one set of labels.

    They cannot if a document of a topic is in two of them, if only some of them have fractions as grades, or if their
    grades cannot be read from the same column.
    """
    every = [part for file in files for part in (replace(file, parts=()), *file.parts)]
    if len(files) < 2 or len({file.column.file for file in every}) < len(every):
        return list(files) if len(files) == 1 else []
    pairs = [file.grades or {} for file in files]
    disjoint = len(set().union(*pairs)) == sum(map(len, pairs))
    if not disjoint or len({file.speaks_of for file in every}) > 1 or len(set(map(_is_whole, files))) > 1:
        return []
    columns = {file.column.column for file in every}
    column = columns.pop() if len(columns) == 1 else 1 if all(file.alone for file in every) else None
    if column is None:
        return []
    first, *others = every
    parts = tuple(other.column.file for other in others)
    who = next((name for file in every if (name := assessors_in(file.source))), "")
    whole = replace(first.column, column=column, parts=parts, assessor_column=who)
    return [replace(first, parts=tuple(others), column=whole)]


def _is_whole(file: LabelFile) -> bool:
    """Return true if all grades in the file are whole numbers."""
    return all(map(float.is_integer, file.levels))


# --- other sources ---------------------------------------------------------------------------------------------------


def distinguishing(files: Sequence[LabelFile]) -> list[str]:
    """Return, for each file, the words that its name does not share with all other names.

    For a file that is combined from parts, the words that mark a part are left out.
    """
    texts = differences([file.where for file in files])
    return [
        " ".join(filter(None, (says_who(word) if file.parts and is_part(word) else word for word in text.split())))
        for file, text in zip(files, texts, strict=True)
    ]


def rivals(files: list[LabelFile], alone: bool = False) -> tuple[list[LabelFile], list[tuple[LabelFile, str]]]:
    """Return the files that are sources of one aspect, and the others, each with the reason why it is not a source.

    The name of a source's file, or its column of models, must tell who gave the labels, unless the collection has only
    labels (`alone`). The source must have no grades that the default source lacks, except 0.
    """
    texts = distinguishing(files)
    if len(files) < 2 or set(" ".join(texts).split()) <= GRADINGS:
        return files, []
    default = files[default_of(texts)]
    reasons = [
        (
            file,
            ""
            if file is default
            else _no_source(file, default, alone or bool(says_who(file.where) or judge_alone(file.source))),
        )
        for file in files
    ]
    return [file for file, why in reasons if not why], [(file, why) for file, why in reasons if why]


def _no_source(one: LabelFile, default: LabelFile, named: bool) -> str:
    """Return the reason why labels are not another source of an aspect; "" if they may be one."""
    if one.grades is None or default.grades is None or not one.topics & default.topics:
        return ""
    if odd := sorted(one.levels - default.levels - {0.0}):
        listed = ", ".join(f"{grade:g}" for grade in odd[:3]) + (", ..." if len(odd) > 3 else "")
        return f"it has grades that the default source does not have ({listed})"
    return "" if named else "its name does not tell who gave its labels"


def source_names(files: Sequence[LabelFile]) -> list[str]:
    """Return a name for each file of an aspect if they are different sources; else an empty list.

    Different sources have names that differ in more than words like "binary" and "graded", and each shares a topic with
    the default source. No file may have a column of assessors.
    """
    texts = distinguishing(files)
    is_grading = set(" ".join(texts).split()) <= GRADINGS
    if len(set(texts)) < max(len(texts), 2) or is_grading or len({file.speaks_of for file in files}) > 1:
        return []
    names: list[str] = []
    for one, text in zip(files, texts, strict=True):
        words = (beyond_aspect(text) or judge_alone(one.source) or ASSESSORS, text, one.where, f"labels in {one.where}")
        names.append(next(name for name in words if name and name not in names and name not in COMBINED))
    if any(file.column.assessor_column or assessors_in(file.source) for file in files):
        return []
    first = files[default_of(texts)].topics
    return names if all(first & file.topics for file in files) else []


def default_of(texts: Sequence[str]) -> int:
    """Return the position of the default among several files.

    The default is the file named after just the aspect, else one named after people such as assessors, else the first.

    >>> default_of(["gpt4", "llama", "nist"]), default_of(["gpt4", ""]), default_of(["gpt4", "llama"])
    (2, 1, 0)
    """
    beyond = [beyond_aspect(text) for text in texts]
    bare = next((listed.index("") for listed in (texts, beyond) if "" in listed), None)
    return bare if bare is not None else next((at for at, text in enumerate(texts) if is_trusted(text)), 0)


def with_sources(files: Sequence[LabelFile], names: Sequence[str]) -> Column:
    """Return the column of the default source, with the other files as its sources."""
    at = default_of(distinguishing(files))
    others = tuple(
        OtherSource(name, file.column.file, file.column.column, parts=file.column.parts)
        for name, file in zip(names, files, strict=True)
        if file is not files[at]
    )
    return replace(files[at].column, source=names[at], sources=others)


def source_notes(column: Column) -> list[Note]:
    """Return notes on the sources of an aspect, with the reason why one of them is the default."""
    name = column.scale.name
    notes = [
        Note("inferred", ", ".join(source.files), f"read as {name} labels by another source, {source.name}")
        for source in column.sources
    ]
    if beyond_aspect(differences(column.files)[0]):
        others = ", ".join(source.name for source in column.sources)
        which = "by people" if is_trusted(column.source) else "the first in alphabetical order"
        text = f"read by default ({which}); the sources of {name} are {column.source}, {others}"
        notes.append(Note("inferred", column.file, text))
    return notes


# --- the same in fewer grades, and what is another aspect -------------------------------------------------------------


def without_coarser(files: list[LabelFile]) -> tuple[list[LabelFile], list[Note]]:
    """Return the files without those that repeat another's labels in fewer grades, and notes on the files left out.

    A file can be left out only if its name differs from the others in nothing but words like "binary" and "graded".
    """
    texts = [set(text.split()) for text in differences([file.where for file in files])]
    alike = [file for file, words in zip(files, texts, strict=True) if words <= GRADINGS]
    if not any(words <= GRADINGS for words in texts if words):
        return files, []
    best = max(alike, key=lambda candidate: len(candidate.levels))
    coarser = [file for file in alike if file is not best and _is_coarser(file, best)]
    text = f"not read: {best.column.file} has the same {best.name} labels, with at least as many grades"
    notes = [Note("inferred", file.column.file, text) for file in coarser]
    return [file for file in files if file not in coarser], notes


def _is_coarser(one: LabelFile, other: LabelFile) -> bool:
    """Return true if `one` only merges grades of `other`: it labels no further documents, and reverses no order."""
    if one.grades is None or other.grades is None:
        return False
    if not one.grades.keys() <= other.grades.keys():
        return False
    steps = sorted(set(zip(map(other.grades.__getitem__, one.grades), one.grades.values(), strict=True)))
    mine = [grade for _, grade in steps]
    return len(dict(steps)) == len(steps) and mine == sorted(mine)


def apart(files: Sequence[LabelFile]) -> list[LabelFile]:
    """Give columns that share a name different names, after their files; one column keeps the name.

    The name stays with the column whose file name has no further words or, if there is none, with the column that has
    the most grades.
    """
    if len(files) < 2:
        return list(files)
    texts = differences([file.where for file in files])
    order = sorted(range(len(files)), key=lambda at: (texts[at] != "", -len(files[at].levels), at))
    first, taken = files[order[0]], {files[order[0]].name}
    named = [first]
    for at in order[1:]:
        name = _free([texts[at], files[at].where], files[at].name, taken)
        taken.add(name)
        named.append(files[at].called(name))
    return named


def another_aspect(file: LabelFile, default: LabelFile, taken: set[str]) -> LabelFile:
    """Return labels that are not a source of an aspect, as an aspect with a new name.

    The name is words of the file name or, if these cannot be used alone, the old aspect and such words in brackets.
    """
    text = distinguishing([default, file])[1]
    own = " ".join(word for word in beyond_aspect(text).split() if own_words(word))
    name = own if own and not says_who(text) and own not in taken else _free([text, file.where], file.name, taken)
    return file.called(name)


def _free(words: Sequence[str], name: str, taken: set[str]) -> str:
    """Return an unused name: `name` with the first of these words that makes it unused, else a number, in brackets."""
    candidates: Iterator[str] = chain(filter(None, words), map(str, count(2)))
    return next(full for word in candidates if (full := f"{name} ({word})") not in taken)
