"""Read scores of other tools into frames of topics x systems, one for each measure, as `evaluate` returns them.

- Tables (comma, tab or semicolon). A wide one has a column `topic` and one for each system; the measure is named after
  the file. A long one has the columns `topic` and `score`, and `system`, `measure` or both; if `system` or
  `measure` is missing, the file name takes its place.
- `trec_eval -q`: lines of measure, topic, value. Lines of topic `all` are left out; `runid all NAME` names the system,
  so one file may hold the outputs of several runs.
- `ir_measures -q`: lines of topic, measure, value; or JSON lines. The system is named after the file.
- The 2016 uRBP tool: lines of measure, topic, system, value.

A table with holes is refused by default, as an empty cell may be a score that nobody computed. trec_eval also leaves
out the topics for which a run returned nothing. If that is the reason, `missing="zero"` fills the holes with 0, the
worst score (or with infinity, if low scores are good), and counts them; `missing="leave-out"` keeps them as nan, and
they are left out of means and comparisons of systems. A table may hold infinite scores (`inf`).

Tables do not say which end of their scores is good, so `good` names the measures whose low scores are good.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from evalcore.common.constants import Missing
from evalcore.common.lazy_imports import pd
from evalcore.data.characters import refuse_controls
from evalcore.data.kinds import read_as
from evalcore.data.roles import called
from evalcore.data.score_files import EXPECTED, ScoreFile
from evalcore.data.score_rows import cell_of
from evalcore.data.sources import Source, from_paths
from evalcore.direction import directed, good_of
from evalcore.errors import InputError, counted, shorten
from evalcore.limits import refuse_more
from evalcore.structures.documents import GivenScores, Good, Note, Rankings, natural_key


@dataclass(frozen=True, eq=False)
class ScoreTables:
    """A frame of topics x systems for each measure, by its name, and notes on repairs and omissions."""

    scores: Mapping[str, pd.DataFrame]
    notes: tuple[Note, ...] = ()

    def named(self, side: Literal["index", "columns"]) -> tuple[str, ...]:
        """Return the topics ("index") or systems ("columns") that occur in any frame."""
        names = dict.fromkeys(str(name) for frame in self.scores.values() for name in getattr(frame, side))
        return tuple(sorted(names, key=natural_key))

    def given(self, systems: Sequence[str], topics: Sequence[str]) -> dict[str, GivenScores]:
        """Return a dict from measure to the scores of these systems on these topics; a missing score is nan."""
        return {
            name: GivenScores(frame.reindex(index=list(topics), columns=list(systems)).to_numpy().T, good_of(frame))
            for name, frame in self.scores.items()
        }


def load_scores(
    path: str | Path | Iterable[str | Path], missing: Missing = "refuse", good: Mapping[str, Good] | None = None
) -> dict[str, pd.DataFrame]:
    """Read scores that other tools computed, from one or several files, folders or zips: {measure: topics x systems}.

    `good` names measures whose low scores are good: {"EffortTo": "low"}. Raises InputError for a file that is not a
    table of scores, a score that is given twice, a hole (if `missing` is "refuse"), or a measure in `good` that the
    files do not have.
    """
    frames = dict(read_score_tables(from_paths(path), missing, good=(good or {}).get).scores)
    if unknown := [name for name in good or () if name not in frames]:
        raise InputError(f"expected `good` to name measures of the tables ({', '.join(frames)}), found {unknown[0]!r}")
    return frames


def read_score_tables(
    sources: Sequence[Source],
    missing: Missing = "refuse",
    systems: Collection[str] = (),
    good: Callable[[str], Good | None] = lambda name: None,
    placed: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> ScoreTables:
    """Read and join the scores of several files.

    An output is named after its `runid` (unless two outputs share it) or else after its file; if `systems` contains one
    of these names, that one is used. `good` returns the good end of a measure's scores, from its name (None: the high
    end). `placed` gives, by file name, the `system`, `topic` and other roles that the name contains.
    """
    if missing not in get_args(Missing):
        raise InputError(f"expected `missing` to be {', '.join(get_args(Missing))}, found {missing!r}")
    files = [read_as("scores", source) for source in sources]
    if not any(file.rows for file in files):
        where = sources[0].name if len(sources) == 1 else ""
        raise InputError(f"expected {EXPECTED}, found no score of any topic: did trec_eval run with -q?", where)
    refuse_more("score_lines", sum(len(file.rows) for file in files))
    given = Counter(name for file in files for name in file.names)
    for file in files:
        _place(file, placed.get(file.source.name, {}))
        _name_outputs(file, given, systems)
    table = _table(files)
    refuse_controls({name: table[name].unique() for name in ("system", "topic", "measure")})
    _refuse_twice(table)
    _refuse_many(table)
    frames = {
        str(name): _directed(str(name), _pivot(part), good) for name, part in table.groupby("measure", sort=False)
    }
    notes = tuple(note for file in files for note in file.notes)
    holes = sum(int(frame.isna().to_numpy().sum()) for frame in frames.values())
    if not holes:
        return ScoreTables(frames, notes)
    if missing == "refuse":
        raise _hole(frames, table, holes)
    measure, topic, system = _first_hole(frames)
    if missing == "leave-out":
        done = "left out of means"
    else:
        worst = {name: 0.0 if good_of(frame) == "high" else np.inf for name, frame in frames.items()}
        done = "set to 0" if worst[measure] == 0 else "set to infinity, as low is good"
        frames = {name: frame.fillna(worst[name]) for name, frame in frames.items()}
    text = f"{counted(holes, 'missing score')} {done}, such as {measure} of {system!r} on topic {topic!r}"
    return ScoreTables(frames, (*notes, Note("repaired", "scores", text)))


def aligned(tables: ScoreTables, topics: Sequence[str], systems: Sequence[str]) -> ScoreTables:
    """Return the scores for topics and systems of a collection, in its order; notes count those that are left out.

    A measure that shares fewer than two systems, or no topic, with the collection is left out entirely.
    """
    frames, notes = {}, list(tables.notes)
    for name, frame in tables.scores.items():
        rows = [topic for topic in topics if topic in frame.index]
        columns = [system for system in systems if system in frame.columns]
        if len(columns) < 2 or not rows:
            shared = f"found {len(columns)} and {len(rows)} in this collection"
            notes.append(Note("dropped", name, f"left out: expected at least 2 systems and 1 topic, {shared}"))
            continue
        notes += _differences(name, "topic", frame.index, topics)
        notes += _differences(name, "system", frame.columns, systems)
        frames[name] = frame.loc[rows, columns]
    return ScoreTables(frames, tuple(notes))


def as_averaged(tables: ScoreTables, rankings: Rankings, topics: Sequence[str]) -> ScoreTables:
    """Limit aligned tables to the topics that count in each system's mean in the collection; other scores become nan.

    Raises InputError for a score that is missing on such a topic.
    """
    counted = pd.DataFrame(rankings.counted().T, list(topics), list(rankings.systems))
    averaged = {}
    for name, frame in tables.scores.items():
        wanted = counted.loc[frame.index, frame.columns]
        holes = np.argwhere((frame.isna() & wanted).to_numpy())
        if len(holes):
            topic, system = frame.index[holes[0][0]], frame.columns[holes[0][1]]
            found = f"found none for {name} of {system!r} on topic {topic!r}"
            raise InputError(f"expected a score of every system on each topic counted in its mean, {found}", "scores")
        averaged[name] = frame.where(wanted)
    return ScoreTables(averaged, tables.notes)


def _differences(name: str, kind: str, has: pd.Index, known: Sequence[str]) -> Iterator[Note]:
    ours = set(known)
    unknown = [name for name in has if name not in ours]
    if unknown:
        text = f"{counted(len(unknown), kind)} not in this collection, such as {shorten(unknown[0])}"
        yield Note("dropped", name, text)
    if (shared := len(has) - len(unknown)) < len(known):
        yield Note("warning", name, f"scores of only {shared:,} of the {counted(len(known), kind)} of this collection")


def _table(files: Sequence[ScoreFile]) -> pd.DataFrame:
    rows = [row for file in files for row in file.rows]
    columns = {name: [getattr(row, name) for row in rows] for name in ("measure", "topic", "system", "value", "line")}
    return pd.DataFrame(columns | {"file": [file.source.name for file in files for _ in file.rows]})


def _place(file: ScoreFile, place: Mapping[str, str]) -> None:
    """Fill in the system and topic of each row from its file name; add judge and repeat to the name of its measure."""
    for row in file.rows if place else ():
        row.system, row.topic = cell_of(row, place)
        row.measure = called(place, row.measure)


def _name_outputs(file: ScoreFile, given: Counter[str], known: Collection[str]) -> None:
    """Set the system of each row that has none to the name of the row's output: its runid or file name.

    Raises InputError if one of several outputs in the file has no name, or a name that is given twice.
    """
    used = {row.output for row in file.rows if not row.system}
    if len(used) == 1:
        names = {at: _output_name(file.names[at], file.stem, given, known) for at in used}
    else:
        names = {at: file.names[at] for at in used}
        for name in names.values():
            if not name or given[name] > 1:
                expected = "expected a name (a line `runid all NAME`) for each of several outputs in a file"
                found = f"found {shorten(name)} twice" if name else "found one without"
                raise InputError(f"{expected}, {found}", file.source.name)
    for row in file.rows:
        row.system = row.system or names[row.output]


def _output_name(runid: str, stem: str, given: Counter[str], known: Collection[str]) -> str:
    names = [*([runid] if runid and given[runid] < 2 else []), stem, stem.rpartition(".")[0]]
    return next((name for name in names if name in known), names[0])


def _refuse_twice(table: pd.DataFrame) -> None:
    keys = ["measure", "topic", "system"]
    again = table.duplicated(keys)
    if again.any():
        second = table[again].iloc[0]
        first = table[(table[keys] == second[keys]).all(axis=1)].iloc[0]
        what = f"{second['measure']} of {second['system']!r} on topic {second['topic']!r}"
        problem = f"expected one score for {what}, found another in {first['file']} line {first['line']}"
        raise InputError(problem, second["file"], int(second["line"]))


def _refuse_many(table: pd.DataFrame) -> None:
    """Raise InputError if the frames of topics x systems for all measures would be too large together."""
    sizes = table.groupby("measure")[["topic", "system"]].nunique()
    refuse_more("score_measures", len(sizes))
    refuse_more("scores", int((sizes["topic"] * sizes["system"]).sum()))


def _pivot(part: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of topics x systems, both in natural order; nan if there is no score."""
    topics, systems = (_names(part[side]) for side in ("topic", "system"))
    values = np.full((len(topics), len(systems)), np.nan)
    places = topics.get_indexer(pd.Index(part["topic"])), systems.get_indexer(pd.Index(part["system"]))
    values[places] = part["value"].to_numpy()
    return pd.DataFrame(values, topics, systems)


def _directed(name: str, frame: pd.DataFrame, good: Callable[[str], Good | None]) -> pd.DataFrame:
    end = good(name) or "high"
    if end == "low" and not (frame > 0).any(axis=None) and (frame < 0).any(axis=None):
        problem = f"expected at least one score of {name} above 0, because its low scores are good, found none"
        raise InputError(f"{problem}; if the signs are already flipped, declare that high scores are good")
    return directed(frame, end)


def _names(column: pd.Series[str]) -> pd.Index[str]:
    return pd.Index(sorted(column.unique(), key=natural_key), name=column.name, dtype=object)


def _first_hole(frames: Mapping[str, pd.DataFrame]) -> tuple[str, str, str]:
    """Return measure, topic and system of the first missing score."""
    name, frame = next((name, frame) for name, frame in frames.items() if frame.isna().any(axis=None))
    row, column = np.argwhere(frame.isna().to_numpy())[0]
    return name, str(frame.index[row]), str(frame.columns[column])


def _hole(frames: Mapping[str, pd.DataFrame], table: pd.DataFrame, holes: int) -> InputError:
    measure, topic, system = _first_hole(frames)
    cell = table[(table["measure"] == measure) & (table["topic"] == topic) & (table["system"] == system)]
    more = f", and {holes - 1:,} more" if holes > 1 else ""
    return InputError(
        f"expected a score of every system on every topic, found none for {measure} of {system!r} on topic {topic!r}"
        f'{more}; if a system returned nothing there, read missing scores as 0 (missing="zero") or leave them out of '
        'means (missing="leave-out")',
        *((str(cell["file"].iloc[0]), int(cell["line"].iloc[0])) if len(cell) else ()),
    )
