"""Infer the most likely manifest of a folder or upload without `collection.toml`, with a note on every guess."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from evalcore.data.collection_files import ALONE, Alone
from evalcore.data.file_kind import Kind, Look, Purpose
from evalcore.data.json_text import parse_json
from evalcore.data.kinds import (
    CLOSED,
    NOT_DATA,
    TABLES,
    advice_on,
    columns_of,
    has_words,
    kind_of,
    kinds_of,
    may_be_either,
    roles_of,
)
from evalcore.data.label_files import (
    LabelFile,
    another_aspect,
    apart,
    default_of,
    distinguishing,
    rivals,
    source_names,
    source_notes,
    with_parts,
    with_sources,
    without_coarser,
)
from evalcore.data.manifest import Column, Manifest, Scored
from evalcore.data.names import ASPECT_WORDS, LABELS, UNNAMED, aspect_name, says_who
from evalcore.data.readability import FORMULAS
from evalcore.data.report_tables import first_names
from evalcore.data.roles import columns_text
from evalcore.data.runs_or_labels import is_number
from evalcore.data.sources import Source
from evalcore.data.tables import assessors_in, judge_alone
from evalcore.data.text_files import plain_text
from evalcore.data.toml_text import toml_key, toml_text
from evalcore.direction import Good
from evalcore.errors import InputError, shorten
from evalcore.limits import MiB
from evalcore.structures.documents import Note, Scale

ByPurpose = dict[Purpose, list[Source]]
RUNS: tuple[Purpose, ...] = ("run", "part run")
WITH_COLUMNS: tuple[Purpose, ...] = ("run", "aspect", "signal")
# In names of signals or aspects. Flesch alone, without Kincaid, means reading ease, which is high for an easy text.
LOW_IS_GOOD = ("fog", "smog", "kincaid", "difficult", "grade_level", "gunning", "coleman", "dale_chall", "harmful")
SPLITS = ("test", "dev", "validation", "train")  # of BEIR; the first that exists is read
NO_MANIFEST = Note("inferred", "collection", "no collection.toml: the purpose of each file was inferred")
OF_PASSAGES = ("elements", "lengths")  # nothing else reads these
NOTED: tuple[Alone, ...] = ("corpus", "queries", "systems", "groups")


def infer(sources: Sequence[Source], title: str) -> tuple[Manifest, list[Note]]:
    """Return the most likely manifest of some files, inferred from their first lines and names; and notes on it.

    Raises InputError if no file is usable.
    """
    sources = sorted(sources, key=lambda source: source.name)
    looks = {source.name: Look(source) for source in sources}
    kinds = kinds_of(looks.values())
    stray = _stray(looks, kinds)
    by_purpose: ByPurpose = {}
    for source in sources:
        if source.name not in stray:
            by_purpose.setdefault(kinds[source.name].purpose, []).append(source)
    runs = _patterns(sources, [source for purpose in RUNS for source in by_purpose.get(purpose, ())])
    aspects, aspect_notes, unlike = _aspects(by_purpose.get("aspect", []), kinds, alone=not runs)
    signals = [
        Column(Scale(name, kind="signal", good=good_end(name)), source.name, column)
        for source in by_purpose.get("signal", ())
        for name, column in columns_of(source, kinds[source.name])
    ]
    passages = tuple(source.name for source in by_purpose.get("highlights", ())) or None
    runs, scores, score_notes = _ranked_or_scored(
        sources, by_purpose, runs, aspects, assessed=bool(passages or aspects), unlike=unlike
    )
    folder = next(map(_folder, by_purpose.get("text", ())), "")
    computed = tuple(name for name in tuple(FORMULAS) if folder and name not in {c.scale.name for c in signals})
    alone: dict[str, Any] = {purpose: _only(by_purpose, purpose) for purpose in ALONE if purpose != "queries"}
    manifest = Manifest(
        title=title,
        runs=tuple(runs),
        columns=(*aspects, *signals),
        documents=folder,
        readability=computed,
        queries=next((source.name for source in by_purpose.get("queries", ())), ""),
        passages=passages,
        order="rank" if passages else Manifest.order,
        scores=scores,
        **alone | ({} if passages else dict.fromkeys(OF_PASSAGES, "")),
    )
    described = [source.name for purpose in WITH_COLUMNS for source in by_purpose.get(purpose, ())]
    of_columns = _role_notes([looks[name] for name in described], kinds)
    either = [name for name, look in looks.items() if may_be_either(look, kinds[name])]
    doubts = [Note("question", name, _question(kinds[name])) for name in either]
    strays = [Note("dropped", name, f"not read: {text}") for name, text in stray.items()]
    return manifest, [*_notes(manifest, by_purpose), *of_columns, *strays, *aspect_notes, *doubts, *score_notes]


def _role_notes(looks: Sequence[Look], kinds: Mapping[str, Kind]) -> Iterator[Note]:
    """Return notes on the roles of the columns of each file; files with the same columns share one note."""
    alike: dict[str, list[str]] = {}
    for look in looks:
        with suppress(InputError):  # its reader reports the error
            if roles := roles_of(look, kinds[look.source.name]):
                alike.setdefault(str(roles), []).append(look.source.name)
    return (Note("inferred", first_names(names), f"columns: {text}") for text, names in alike.items())


WORDS = (
    "its labels are words, and scores need numbers; to read the file as {aspect}, replace each word with a number "
    "(1 for the best of two)"
)


def _stray(looks: Mapping[str, Look], kinds: Mapping[str, Kind]) -> dict[str, str]:
    """Return a dict from each file that cannot be read to the reason.

    Such files contain labels in words (if other files have numbers) or damaged JSON.
    """
    labels = [name for name, kind in kinds.items() if kind.purpose == "aspect"]
    in_words = [name for name in labels if kinds[name].name == "qrels" and has_words(looks[name])]
    stray = {
        name: WORDS.format(aspect=aspect_name(looks[name].source)) for name in in_words if len(in_words) < len(labels)
    }
    for source in (look.source for look in looks.values()):
        if kinds[source.name].purpose == "none" and source.name.lower().endswith(".json") and source.size < MiB:
            try:
                parse_json(plain_text(source, "JSON"), source.name)
            except InputError as error:
                place = f"line {error.line}: " if error.line else ""
                stray[source.name] = f"{place}{error.problem}; copy or download it again if you need it"
    return stray


def _ranked_or_scored(
    sources: Sequence[Source],
    by_purpose: ByPurpose,
    runs: list[str],
    aspects: Sequence[Column],
    *,
    assessed: bool,
    unlike: Sequence[Note],
) -> tuple[list[str], tuple[Scored, ...], list[Note]]:
    """Return the names of runs if there are assessments, else measures with scores of systems; and notes.

    Labels by several judges are enough without runs and scores. Raises InputError if the files give none of these;
    the first note in `unlike`, on why labels are not by several judges, is then part of the error.
    """
    if runs and assessed:
        return runs, (), []
    by_purpose["scored"] = by_purpose.pop("scores", [])
    scores, notes = _scores(sources, by_purpose["scored"])
    if scores and runs and not aspects:
        ranked = _rankings_of_systems(by_purpose, scores)
        scores, notes = (*scores, *ranked), [*notes, *(Note("inferred", one.files[0], OF_SYSTEMS) for one in ranked)]
        runs = [name for name in runs if not ranked]
    judged = not runs and any(column.sources or column.assessor_column for column in aspects)
    if not scores and not judged and not (runs and assessed):
        more = "".join(f"; {note.where}: {note.text}" for note in unlike[:1]) if not runs else ""
        raise _ask(sources, runs, aspects, more)
    if runs:
        text = f"runs that are not read, as there are no assessments: {first_names(runs)}"
        notes = [*notes, Note("dropped", "collection", text)]
    return [], scores, notes


OF_SYSTEMS = "read as a judge's scores of systems, because this file ranks systems that other files score"


def _rankings_of_systems(by_purpose: ByPurpose, scores: Sequence[Scored]) -> list[Scored]:
    """Return a measure for each run that ranks scored systems instead of documents, as judges in TREC AutoJudge do."""
    from evalcore.data.collection_scores import cells_of

    systems = {system for source in by_purpose.get("scored", ()) for system, _ in cells_of([source], scores[0])}
    ranked = []
    for source in by_purpose.get("run", ()):
        lines = Look(source).lines
        if lines and systems and all(len(line) == 6 and line[2].decode(errors="replace") in systems for line in lines):
            columns = ("topic", "", "system", "", "value", "")
            ranked.append(Scored(source.stem, (glob.escape(source.name),), columns=columns))
    return ranked


def _scores(sources: Sequence[Source], outputs: Sequence[Source]) -> tuple[tuple[Scored, ...], list[Note]]:
    """Return the measures in files of scores, and notes on them."""
    if not outputs:
        return (), []
    from evalcore.data.collection_scores import inferred

    names = {source.name for source in outputs}
    return inferred(outputs, [source for source in sources if source.name not in names])


def _question(kind: Kind) -> str:
    taken, other = ("a run", "assessments") if kind.purpose == "run" else ("assessments", "a run")
    how = "a file name with qrels or run" if kind.purpose == "run" else "a folder called runs or a file name with run"
    text = f"whole numbers that could be ranks or grades of documents: read as {taken}; are they {other}?"
    return f"{text} Change this in the table of labels, or with {how}"


def _notes(manifest: Manifest, files: ByPurpose) -> Iterator[Note]:
    """Yield notes on the inferred purposes of files (except runs and columns), and on the unused files."""
    yield NO_MANIFEST
    unknown = [source for source in files.get("none", ()) if _may_be_data(source)]
    yield from (Note("dropped", one.name, f"not read: it begins with {_begins(one)[1]}") for one in unknown)
    unused = [source.name for source in files.get("none", ()) if source not in unknown]
    yield from (Note("dropped", name, f"not read: {text}") for name in unused if (text := advice_on(name)))
    if others := [name for name in unused if not advice_on(name)]:
        yield Note("dropped", "collection", f"neither runs nor assessments, not read: {first_names(others)}")
    for source in files.get("scores", ()):
        text = "scores by another tool, not read with runs: add the file to the open collection, or use ec.load_scores"
        yield Note("dropped", source.name, text)
    for name in NOTED:
        if file := getattr(manifest, name):
            yield Note("inferred", file, f"read as {ALONE[name]}")
    if manifest.passages:
        text = "read as highlighted text: relevance and specificity"
        yield Note("inferred", ", ".join(manifest.passages), text)
    else:
        text = "these seem to be parts of documents (offset and length, or a path): read as whole documents"
        yield from (Note("warning", source.name, text) for source in files.get("part run", ()))
    if names := ", ".join(filter(None, [manifest.links, manifest.components])):
        yield Note("inferred", names, "read as links from a result to other pages")


def _only(files: ByPurpose, purpose: Alone) -> str:
    """Return the name of the only file for a purpose, "" for none. Raises InputError for several."""
    names = [source.name for source in files.get(purpose, ())]
    if len(names) > 1:
        raise InputError(f"expected one file for {ALONE[purpose]}, found {', '.join(names)}; write a collection.toml")
    return names[0] if names else ""


def _patterns(sources: Sequence[Source], used: Sequence[Source]) -> list[str]:
    """Return the names of runs; if a folder contains only runs, the pattern `folder/*` replaces their names."""
    runs = {source.name: _folder(source) for source in sorted(used, key=lambda source: source.name)}
    mixed = {_folder(source) for source in sources if source.name not in runs} | {"."}
    patterns = (name if folder in mixed else f"{glob.escape(folder)}/*" for name, folder in runs.items())
    return list(dict.fromkeys(patterns))


LABELS_FORM = "TREC qrels (topic 0 document grade) or a table with columns topic, document and grade"
RUNS_FORM = "TREC runs (topic Q0 document rank score tag) or scores (run measure topic value)"
FORMS = {  # by the number of fields in a line
    2: "a signal (document value)",
    3: "the output of trec_eval -q (measure topic value) or qrels (topic document grade)",
    4: "TREC qrels (topic 0 document grade) or scores (run measure topic value)",
    5: "prels (topic document relevance algorithm probability)",
    6: "a TREC run (topic Q0 document rank score tag)",
}
COLUMNS = {3: ("topic", "document", "grade"), 4: ("topic", "", "document", "grade")}  # of labels, by their number
TABLE_FORM = "a table with columns topic, document and grade, or topic, system and score"


def _ask(sources: Sequence[Source], runs: Sequence[str], aspects: Sequence[Column], more: str) -> InputError:
    """Return an error on the missing files, which quotes the first unknown file and tells how to declare it."""
    for source in sources:
        if source.name.lower().endswith((".csv", ".tsv")) and len(source.read().strip().splitlines()) == 1:
            return InputError("expected lines under the header, found the end of the file", source.name, 2)
    if not sources:
        return InputError(f"expected {RUNS_FORM}, and {LABELS_FORM}, found no files")
    hint = next((f"; {source.name}: {text}" for source in sources if (text := advice_on(source.name))), "")
    names = first_names([source.name for source in sources])
    if aspects:
        missing = f"expected {RUNS_FORM}, found only assessments ({names})"
        more += f". If they are scores, name the columns in a collection.toml: {columns_text(sources[0].name)}"
    elif runs:
        missing = f"expected assessments, {LABELS_FORM}, found files that all seem to be runs ({names})"
        if all(kind_of(source).purpose != "none" for source in sources):
            more += "; name their file in a collection.toml: `aspects.relevance.file = NAME`"
    else:
        missing = f"expected files of a known form, found none ({names})"
    lines = [] if not runs else [f"runs = {toml_text(tuple(runs))}"]
    lines += [f"aspects.{toml_key(column.scale.name)}.file = {toml_text(column.file)}" for column in aspects]
    return InputError(f"{missing}{_nearest(sources, lines, bool(aspects))}{hint}{more}")


def _may_be_data(source: Source) -> bool:
    """Return true if a file of unknown kind has lines of text that might be runs, labels or scores."""
    look = Look(source)
    others = (*NOT_DATA, *CLOSED, ".json", ".jsonl")
    return look.is_text and not look.in_json and not source.name.lower().endswith(others)


def _begins(source: Source) -> tuple[int, str]:
    """Return the number of columns of a file of unknown kind, and a text for an error.

    The text is the first line of the file and the known form nearest to it, if any.
    """
    fields = Look(source).first
    first = b" ".join(fields)
    cells = first.count(b",") + 1 if max(map(first.count, (b",", b";"))) else 0
    text, count = shorten(first.decode(errors="replace"), 80), 6 if b"Q0" in fields[1:2] else min(len(fields), 6)
    if not cells and not any(map(is_number, fields)):
        return len(fields), f"{text}, which matches no known form"
    return cells or len(fields), f"{text}, nearest to {TABLE_FORM if cells else FORMS.get(count, 'no known form')}"


def _nearest(sources: Sequence[Source], lines: list[str], assessed: bool) -> str:
    """Return the end of an error: the first file of unknown kind, the form most like it, and TOML that declares it.

    The TOML declares scores if the collection is `assessed`, else labels of relevance. For JSON of an unknown form,
    the text only names the form to write; "" if all files are of known kinds or contain no data.
    """
    unknown = (one for one in sources if kind_of(one).purpose == "none" and _may_be_data(one))
    if (source := next(unknown, None)) is None:
        in_json = [one.name for one in sources if kind_of(one).purpose == "none" and Look(one).in_json]
        return f"; {in_json[0]} is JSON of an unknown form: write it as {TABLE_FORM}" if in_json else ""
    width, begun = _begins(source)
    name = toml_text(source.name)
    lines = [line for line in lines if name not in line]
    table = f"scores.{toml_key(source.stem)}" if assessed else "aspects.relevance"
    said = [f"{table}.file = {name}"]
    if roles := COLUMNS.get(width):
        said += [] if assessed else [f"{table}.columns = {toml_text(roles)}"]
    shown = ", ".join(f"`{line}`" for line in [*lines, *said])
    return f"; {source.name} begins with {begun}. To declare this file, write a collection.toml: {shown}"


def aspects_of_table(source: Source) -> list[Column]:
    """Return the aspects in a table of grades.

    Two columns of the same aspect become two sources if names and grades allow it; else one becomes another aspect.
    """
    return _aspects([source], {source.name: TABLES["aspect"]})[0]


def _aspects(
    sources: Sequence[Source], kinds: Mapping[str, Kind], *, alone: bool = False
) -> tuple[list[Column], list[Note], list[Note]]:
    """Return the aspects in files of labels, and notes on them.

    The third item lists again the notes that explain why labels are not another source of an aspect. `alone` is true if
    there are no runs.
    """
    sources, notes = _one_split(sources)
    by_name: dict[str, list[LabelFile]] = {}
    for source in sources:
        for file in _label_files(source, columns_of(source, kinds[source.name])):
            by_name.setdefault(file.name, []).append(file)
    by_name, apart_notes, unlike = _told_apart(_of_judges(by_name) if alone else by_name, alone=alone)
    notes += [*apart_notes, *unlike]
    if meant := _meant_by_relevance(by_name):
        files = by_name.pop(meant)
        by_name["relevance"] = [file.called("relevance", good="high") for file in files]
        text = "read as relevance, as no other file has such labels; to rename it, declare it in collection.toml"
        notes += [Note("inferred", file.column.file, text) for file in files]
    columns: list[Column] = []
    for name in sorted(by_name, key=lambda name: name != "relevance"):
        files = by_name[name]
        if names := source_names(files):
            columns.append(with_sources(files, names))
            notes += source_notes(columns[-1])
            continue
        named = apart(files)
        columns += (read := [_by_assessors(file) for file in named])
        text = f"{name} labels by {{}}, a model: there are no human labels"
        notes += [Note("inferred", one.file, text.format(one.source)) for one in read if one.source]
        text = f"also contains {name} labels, like {named[0].column.file}, so it is read as"
        notes += [Note("inferred", file.column.file, f"{text} {file.name}") for file in named[1:]]
    return columns, notes, unlike


def _of_judges(by_name: Mapping[str, list[LabelFile]]) -> dict[str, list[LabelFile]]:
    """Return all files as relevance labels by the assessors in their names, for a collection without runs.

    The aspects stay as they are if one of the files names another aspect, or if there are too few files.
    """
    unnamed = [name for name, files in by_name.items() if name != "relevance" and not _says_aspect(name, files)]
    if len(unnamed) < 2 - ("relevance" in by_name) or len(unnamed) < len({*by_name} - {"relevance"}):
        return dict(by_name)
    files = [file.called("relevance", good="high") for name in by_name for file in by_name[name]]
    held = Counter(file.column.file for file in files)
    files = [replace(file, header=str(file.column.column)) if held[file.column.file] > 1 else file for file in files]
    return {"relevance": sorted(files, key=lambda labels: labels.column.file)}


def _says_aspect(name: str, files: Sequence[LabelFile]) -> bool:
    """Return true if the name of an aspect is known, or if a header in its files names an aspect."""
    headers = [file.column.column for file in files]
    return name in ASPECT_WORDS or not all(header in (1, *UNNAMED) or says_who(str(header)) for header in headers)


def _label_files(source: Source, listed: Sequence[tuple[str, int | str]]) -> list[LabelFile]:
    """Return a `LabelFile` for each aspect in one file.

    Several columns of one aspect are distinguished by their headers. If a file names only the assessor and no aspect,
    its labels are read as relevance.
    """
    by_whom = len(listed) == 1 and listed[0][0] == LABELS and (says_who(source.stem) or judge_alone(source))
    listed = [("relevance" if by_whom else name, column) for name, column in listed]
    names = [name for name, _ in listed]
    return [
        LabelFile(
            Column(Scale(name, good=good_end(name)), source.name, column),
            source,
            alone=len(listed) == 1,
            header=str(column) if names.count(name) > 1 else "",
        )
        for name, column in listed
    ]


def _told_apart(
    by_name: Mapping[str, list[LabelFile]], *, alone: bool
) -> tuple[dict[str, list[LabelFile]], list[Note], list[Note]]:
    """Return the files by aspect, and two lists of notes.

    Parts are combined, coarser copies left out, and labels of other aspects renamed. The first notes are on parts and
    copies; the second explain why labels belong to a different aspect.
    """
    by_aspect: dict[str, list[LabelFile]] = {}
    notes: list[Note] = []
    unlike: list[Note] = []
    others: list[tuple[LabelFile, LabelFile, str]] = []
    for name, files in by_name.items():
        files, coarser = without_coarser(files)
        files, joined = with_parts(files)
        by_aspect[name], odd = rivals(files, alone)
        default = by_aspect[name][default_of(distinguishing(by_aspect[name]))]
        others += [(file, default, why) for file, why in odd]
        notes += [*coarser, *joined]
    for one, default, why in others:
        file = another_aspect(one, default, {*by_aspect})
        file = file.called(file.name, good=good_end(file.name))
        by_aspect[file.name] = [file]
        same = default.column.file == one.column.file
        other = f"its column {default.column.column}" if same else default.column.file
        text = f"read as a separate aspect, {file.name}, because {why}; to read it as a second source of {one.name}"
        text += f" beside {other}, declare it in collection.toml with a map of its grades"
        unlike.append(Note("inferred", one.column.file, text))
    return by_aspect, notes, unlike


def _meant_by_relevance(by_aspect: Mapping[str, list[LabelFile]]) -> str:
    """Return the aspect to read as relevance: the only one without a known name, if none is relevance; or ""."""
    if "relevance" in by_aspect:
        return ""
    unnamed = [name for name, files in by_aspect.items() if not _says_aspect(name, files)]
    return unnamed[0] if len(unnamed) == 1 else ""


def _by_assessors(file: LabelFile) -> Column:
    """Return the column with the assessors: the file's column of assessors, else the model that gave all labels."""
    who = file.column.assessor_column or assessors_in(file.source)
    return replace(
        file.column, assessor_column=who, source=file.column.source or ("" if who else judge_alone(file.source))
    )


def _one_split(sources: Sequence[Source]) -> tuple[list[Source], list[Note]]:
    """Return the files with only the first of BEIR's splits (SPLITS) that exists, and notes on the others."""
    in_folder = {source: source.stem.lower() for source in sources if _folder(source).rpartition("/")[2] == "qrels"}
    known = [name for name in SPLITS if name in in_folder.values()]
    left = [source for source, name in in_folder.items() if name in known[1:]]
    text = f"not read: systems are scored on {known[0]}, which has other topics" if known else ""
    notes = [Note("dropped", file.name, f"{text}; to read this file, name it in collection.toml") for file in left]
    return [source for source in sources if source not in left], notes


def good_end(name: str) -> Good:
    """Return the good end of an aspect or signal ("high" or "low"), from its name."""
    return "low" if any(word in name.lower() for word in LOW_IS_GOOD) else "high"


def column_notes(manifest: Manifest) -> list[Note]:
    """Return notes on what was assumed about each column: its name and its good end."""
    return [
        Note(
            "inferred",
            column.file,
            f"read as {column.scale.name}, {column.scale.good} is good"
            + (f" (column {column.column})" if column.column not in (1, column.scale.name) else ""),
        )
        for column in manifest.columns
    ]


def _folder(source: Source) -> str:
    return PurePosixPath(source.name).parent.as_posix()
