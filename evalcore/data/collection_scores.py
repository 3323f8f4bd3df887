"""Scores instead of runs: the measures in a collection's tables, and their scores.

Columns and the parts of file names show what files contain (`evalcore.data.roles`). A measure in the files of a
single folder keeps its name. If several folders have its scores for the same systems and topics, with different labels,
the name of the folder is added to the name of the measure. If the file names contain a
judge, the name of the judge is added too.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import PurePosixPath

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.data.kinds import read_as
from evalcore.data.manifest import Scored
from evalcore.data.names import TOPIC_ID, differences, is_truth
from evalcore.data.nuggets import COUNTS
from evalcore.data.patterns import fits, places
from evalcore.data.report_tables import first_names
from evalcore.data.roles import FULL, Named, called, of_file_names
from evalcore.data.score_files import ScoreFile
from evalcore.data.score_rows import MEAN
from evalcore.data.score_tables import ScoreTables, aligned, read_score_tables
from evalcore.data.sources import Source
from evalcore.direction import Good, directed, good_of
from evalcore.errors import InputError, counted, did_you_mean, shorten
from evalcore.structures.documents import Note, Rankings

LOW_IS_GOOD = {
    "loss", "error", "errors", "rmse", "mae", "mse", "nrmse", "wer", "cer", "latency", "cost", "price", "ms",
    "seconds", "effort", "effortto", "perplexity", "nlre", "ngre", "distance", "toxicity",
}  # fmt: skip


def inferred(sources: Sequence[Source], others: Sequence[Source] = ()) -> tuple[tuple[Scored, ...], list[Note]]:
    """Return the measures in some files of scores, each with its files, and notes on them.

    `others` are the other files of the collection, which the patterns for files of scores must not match.
    """
    read, every = [read_as("scores", source) for source in sources], [*sources, *others]
    scored: list[Scored] = []
    for part, topics in ((list(filter(_names_no_system, read)), False), (list(filter(_names_no_topic, read)), True)):
        for named in _by_names(part, topics):
            files = [file for file in part if file.source.name in named.files]
            measures = dict.fromkeys(row.measure for file in files for row in file.rows)
            pattern = (named.pattern,)
            scored += [_measure_called(f"{name} {named.judge}".rstrip(), name, pattern) for name in measures]
            read = [file for file in read if file not in files]
    scored = _joined([*scored, *_by_folder(read, every)])
    by_files: dict[tuple[str, ...], list[Scored]] = {}
    for table in scored:
        by_files.setdefault(table.files, []).append(table)
    return tuple(scored), [_note(files, listed) for files, listed in by_files.items()]


def _names_no_system(file: ScoreFile) -> bool:
    """Return true if no row names a system and not all rows are means."""
    topics = {row.topic for row in file.rows}
    return bool(topics) and not any(row.system for row in file.rows) and topics != {MEAN}


def _names_no_topic(file: ScoreFile) -> bool:
    return bool(file.rows) and all(row.system and row.topic == MEAN for row in file.rows)


def _by_names(files: Sequence[ScoreFile], topics: bool) -> list[Named]:
    """Return the judges, and the systems or topics, that file names contain, as `of_file_names` does.

    [] if they contain only systems, or are unclear. `topics` is true if the content of the files names no topics.
    """
    names = {file.source.name: str(PurePosixPath(file.source.name).parent / file.stem) for file in files}
    numbered = any(TOPIC_ID.fullmatch(row.topic) for file in files for row in file.rows)
    if swapped := [] if topics or numbered else of_file_names(names, True):  # names give the topics, rows the systems
        return swapped
    if not topics and any(file.names != [""] for file in files):  # the files name their systems
        judged = [one for one in of_file_names(names, topics) if one.judge]
        return [replace(one, pattern=one.pattern.replace("{system}", "*")) for one in judged]
    return of_file_names(names, topics)


def _by_folder(read: Sequence[ScoreFile], every: Sequence[Source]) -> list[Scored]:
    """Return the measures in files that name systems in their rows, or whose file names are names of systems.

    Measures with true scores come first.
    """
    folders: dict[str, list[ScoreFile]] = {}
    for file in read:
        folders.setdefault(_folder(file), []).append(file)
    folders = {name: part for folder, files in folders.items() for name, part in _apart(folder, files).items()}
    names = _called(folders)
    groups = dict(sorted(folders.items(), key=lambda group: not is_truth(PurePosixPath(group[0]).name)))
    return [scores for name, files in groups.items() for scores in _scored(name, files, names, every)]


def _note(files: tuple[str, ...], listed: Sequence[Scored]) -> Note:
    if {scores.read_as for scores in listed} & {*COUNTS}:
        return Note("inferred", ", ".join(files[:2]), "read as nuggets of answers, scored by NuggetRecall")
    ends = first_names([f"{scores.name} ({scores.good} is good)" for scores in listed])
    return Note("inferred", ", ".join(files[:2]), f"read as scores by {ends}")


def cells_of(sources: Sequence[Source], scored: Scored) -> set[tuple[str, str]]:
    """Return the (system, topic) pairs for which files contain scores by this measure."""
    cells = set()
    for file in (read_as("scores", source) for source in sources):
        place = _placed(file.source, scored.files)
        for row in file.rows:
            if row.measure == scored.read_as:
                cell = file.cell(row, place)
                cells.add(cell[::-1] if scored.transposed else cell)
    return cells


def good_score(name: str) -> Good:
    """Return the good end of scores, from the name of their measure.

    >>> good_score("nDCG@10"), good_score("latency_ms"), good_score("RMSE")
    ('high', 'low', 'low')
    """
    return "low" if set(re.findall(r"[a-z]+", name.lower())) & LOW_IS_GOOD else "high"


def _folder(file: ScoreFile) -> str:
    return PurePosixPath(file.source.name).parent.as_posix()


def _apart(folder: str, files: Sequence[ScoreFile]) -> dict[str, list[ScoreFile]]:
    """Return the files of a folder by group: all in one group, or each in a group of its own.

    Each is in a group of its own if two of them have scores by one measure for nearly the same systems and topics, or
    if all name systems and exactly one of them is named as the truth.
    """
    cells = [{(row.measure, row.system, row.topic) for row in file.rows if row.system} for file in files]
    pairs = [(one, other) for one, other in combinations(cells, 2) if one and other]
    truths = [is_truth(file.stem) for file in files]
    if sum(truths) == 1 < len(files) and all(cells):
        return {f"{folder}/{file.stem}": [file] for file in files}
    if not any(len(one & other) >= FULL * max(len(one), len(other)) for one, other in pairs):
        return {folder: [*files]}
    return {f"{folder}/{file.stem}": [file] for file in files}


def _called(folders: Mapping[str, Sequence[ScoreFile]]) -> dict[tuple[str, str], str]:
    """Return the name of each measure in each folder, by (folder, measure).

    The name includes the folder if another folder has scores by this measure for some of the same systems and topics.
    """
    cells: dict[str, dict[str, set[tuple[str, str]]]] = {}
    for folder, files in folders.items():
        for file in files:
            for row in file.rows:
                cells.setdefault(row.measure, {}).setdefault(folder, set()).add(file.cell(row))
    called = {}
    for measure, by_folder in cells.items():
        listed = list(by_folder.values())
        clash = len(listed) > 1 and len(set.union(*listed)) < sum(map(len, listed))
        words = differences([f"{folder}/x" for folder in by_folder])
        for folder, text in zip(by_folder, words, strict=True):
            called[folder, measure] = f"{measure} {text or folder}" if clash else measure
    return called | _called_after_truth(folders)


def _called_after_truth(folders: Mapping[str, Sequence[ScoreFile]]) -> dict[tuple[str, str], str]:
    """Return names by (folder, measure) for scores by several sources: the measure in the true scores, then the source.

    {} unless each source has one measure, nearly all systems and topics are the same, and exactly one source is named
    as the truth.
    """
    measures = {folder: {row.measure for file in files for row in file.rows} for folder, files in folders.items()}
    words = dict(zip(folders, differences([f"{folder}/x" for folder in folders]), strict=True))
    true = [folder for folder, text in words.items() if is_truth(text)]
    if len(folders) < 2 or len(true) != 1 or any(len(names) > 1 for names in measures.values()):
        return {}
    cells = [{file.cell(row) for file in files for row in file.rows} for files in folders.values()]
    if len(set.intersection(*cells)) < FULL * max(map(len, cells)):
        return {}
    (name,) = measures[true[0]]
    return {(folder, measure): f"{name} {words[folder]}" for folder, (measure,) in measures.items()}


def _scored(
    group: str, files: Sequence[ScoreFile], called: Mapping[tuple[str, str], str], every: Sequence[Source]
) -> list[Scored]:
    """Return the measures in the files of one group, such as a folder, each with the files that contain its scores."""
    names: dict[str, list[str]] = {}
    for file in files:
        for measure in dict.fromkeys(row.measure for row in file.rows):
            names.setdefault(measure, []).append(file.source.name)
    patterns = {held: _pattern(group, held, every) for held in {tuple(words) for words in names.values()}}
    return [_measure_called(called[group, name], name, patterns[tuple(held)]) for name, held in names.items()]


def _measure_called(name: str, measure: str, files: tuple[str, ...]) -> Scored:
    return Scored(name, files, "" if name == measure else measure, good_score(measure))


def _pattern(group: str, held: Sequence[str], every: Sequence[Source]) -> tuple[str, ...]:
    """Return one pattern that matches several files and no others; if no pattern does, return the names of the files.

    `group` is their folder, or a word in the name of each file.
    """
    base = "" if group == "." else f"{glob.escape(group)}/"
    endings = {"".join(PurePosixPath(name).suffixes[-1:]) for name in held}
    tries = [f"{base}*"] if base else []
    tries += [f"{base}*{ending}" for ending in endings if ending]
    tries += [f"{inside}*{glob.escape(group)}*" for inside in ("", "*/")]
    parts = [(source.name, source.name.split("/")) for source in every]
    for pattern in tries if len(held) > 1 else ():
        if {name for name, listed in parts if fits(pattern, listed)} == set(held):
            return (pattern,)
    return tuple(map(glob.escape, held))


def _joined(tables: Sequence[Scored]) -> list[Scored]:
    """Merge measures of the same name from several folders: their scores are for different systems or topics."""
    by_name: dict[str, Scored] = {}
    for table in tables:
        before = by_name.get(table.name, Scored(table.name, ()))
        by_name[table.name] = replace(table, files=(*before.files, *table.files))
    return list(by_name.values())


def read_given(scored: Sequence[tuple[Scored, tuple[Source, ...]]], systems: Sequence[str] = ()) -> ScoreTables:
    """Read the measures of a collection. A file that several measures name is read only once.

    `systems` are known names of systems. Raises InputError for a measure that is not in its files, and as
    `read_score_tables` does.
    """
    read: dict[tuple[str, ...], Mapping[str, pd.DataFrame]] = {}
    frames: dict[str, pd.DataFrame] = {}
    notes: list[Note] = []
    good: dict[tuple[str, ...], dict[str, Good]] = {}  # by files: the good end of each measure in them
    for one, sources in scored:
        good.setdefault(tuple(source.name for source in sources), {})[one.read_as] = one.good
    for one, sources in scored:
        key = (*one.files, *one.columns, *(source.name for source in sources))
        where = {source.name: _placed(source, one.files) for source in sources}
        judges = dict.fromkeys(called(place, "") for place in where.values() if "measure" not in place)
        if key not in read:
            ends = {f"{name}{by}": end for name, end in good[key[-len(sources) :]].items() for by in judges}
            own = read_score_tables(sources, "leave-out", systems, ends.get, where)
            read[key] = own.scores
            notes += [note for note in own.notes if note.where in key]  # on cells; gaps are reported below
        tables = read[key]
        if "measure" in one.columns and one.name not in tables and not one.measure:  # for all measures in its files
            frames |= {name: directed(frame, one.good) for name, frame in tables.items()}
            continue
        for by in judges or [""]:
            if f"{one.read_as}{by}" not in tables:
                known = ", ".join(map(shorten, tables))
                near = did_you_mean(one.read_as, tables)
                raise InputError(f"expected scores by one of {known}, found {one.read_as!r}{near}", key[0])
            frame = tables[f"{one.read_as}{by}"]
            frames[f"{one.name}{by}"] = directed(_transposed(frame) if one.transposed else frame, one.good)
            notes += _notes(one, frames[f"{one.name}{by}"])
    return ScoreTables(frames, tuple(notes))


def _transposed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with systems and topics swapped."""
    turned = frame.T
    turned.index.name, turned.columns.name = frame.index.name, frame.columns.name
    return turned


def _placed(source: Source, patterns: Sequence[str]) -> dict[str, str]:
    """Return the text for each role, such as system or topic, that a pattern finds in a file's name.

    {} if no pattern finds any.
    """
    return next(filter(None, (places(pattern, source.name) for pattern in patterns)), {})


def _notes(scored: Scored, frame: pd.DataFrame) -> list[Note]:
    """Return a list with a note on the number of missing scores and the first of them; [] if none is missing."""
    gaps = np.argwhere(frame.isna().to_numpy())
    if not len(gaps):
        return []
    topic, system = frame.index[gaps[0][0]], frame.columns[gaps[0][1]]
    text = f"{len(gaps):,} of {frame.size:,} scores are missing, such as {shorten(system)} on {shorten(topic)}"
    affected = counted(int(frame.isna().any().sum()), "system")
    return [Note("warning", scored.name, f"{text}; {affected} have gaps: Leaderboard compares the rules for gaps")]


def beside(scores: ScoreTables, rankings: Rankings, topics: Sequence[str]) -> tuple[Rankings, list[Note]]:
    """Return the rankings with these scores for their systems and topics, and notes on the scores left out."""
    tables = aligned(replace(scores, notes=()), topics, rankings.systems)
    frames = {name: directed(table, good_of(scores.scores[name])) for name, table in tables.scores.items()}
    return replace(rankings, given=ScoreTables(frames).given(rankings.systems, topics)), list(tables.notes)
