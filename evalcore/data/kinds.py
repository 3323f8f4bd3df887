"""The kinds of files, each with its purpose, recogniser and reader, in a table whose first matching row decides.

A file without a description is of the first kind that recognises it (`kind_of`, `kinds_of`). A file that a
`collection.toml` names for some purpose is read as the first kind of that purpose whose form it has, else as the last,
whose reader reports the error (`read_as`). Nothing else decides what a file is: a new kind is one row of `KINDS`, or
of the `KINDS` of a subject (`evalcore.subjects`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from typing import Any

from evalcore.data import tables
from evalcore.data.assessments import (
    LEVEL,
    has_strata,
    qrels_aspects,
    read_letor,
    read_qrels,
    read_signal,
    read_three_columns,
)
from evalcore.data.corpus import QUERY_NAMES, TEXTS, read_corpus, read_queries
from evalcore.data.file_kind import Kind, Look, Purpose, in_table
from evalcore.data.json_tables import JsonHead, json_form, json_head
from evalcore.data.names import (
    RUN_FOLDERS,
    SYSTEM,
    TOPIC,
    aspect_name,
    called_aspect,
    called_run,
    file_name,
    meanings,
)
from evalcore.data.nuggets import is_answer
from evalcore.data.parquet import MAGIC
from evalcore.data.roles import RANKED, Roles
from evalcore.data.runs_or_labels import is_measure, is_number, is_ranking, verdict
from evalcore.data.sample_logs import (
    EVERY_EVAL_EVER,
    HARNESS,
    INSPECT,
    is_resolved,
    read_every_eval_ever,
    read_harness,
    read_inspect,
    read_resolved,
)
from evalcore.data.score_files import are_scores, read_scores, roles_of_scores
from evalcore.data.sources import Source
from evalcore.data.system_table import NAMES as SYSTEMTABLES
from evalcore.data.system_table import OF_TOPICS, read_system_table, with_groups
from evalcore.data.text_files import plain_text
from evalcore.errors import InputError
from evalcore.subjects import modules, placed

DOCUMENT_FOLDERS = ("documents", "docs", "texts", "text")
NOT_DATA = (
    ".md", ".rst", ".toml", ".yaml", ".yml", ".py", ".r", ".sh", ".pdf", ".png", ".svg", ".urbp", ".xml", ".ipynb",
    ".ini", ".log", ".html", ".htm", ".css", ".js", ".tex", ".bib", ".cfg", ".lnk", ".rmd", ".jpg", ".jpeg", ".gif",
    ".db", ".tmp", ".swp", ".docx", ".pptx", ".odt", ".md5", ".sha1", ".sha256", ".bak", "~",
)  # fmt: skip
ABOUT = ("readme", "license", "licence")  # names of files about the data begin so
TOOL_ENDINGS = (".eval", ".treceval", ".trec_eval")
# Files that hold data in a form that is not read, by their endings, and what to do
ADVICE = {
    (".xlsx", ".xls", ".xlsm", ".ods", ".numbers"): "a spreadsheet workbook; save its sheet as CSV",
    (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.zst", ".xz", ".7z", ".rar"): "unpack it first, or make a zip of it",
}
CLOSED = tuple(ending for endings in ADVICE for ending in endings)
LETOR = Roles(("grade", "topic", "", "document"), ("label", "qid", "features", "#docid"))
BEIR = ("query-id", "corpus-id", "score")


def advice_on(name: str) -> str:
    """Return advice on a file of a type that cannot be read, according to its name; "" for other files."""
    return next((text for endings, text in ADVICE.items() if name.lower().endswith(endings)), "")


def kind_of(source: Source) -> Kind:
    """Return the kind of one file: the first whose recogniser accepts it."""
    return _kind_of(Look(source))


def kinds_of(looks: Iterable[Look]) -> dict[str, Kind]:
    """Return a dict from file name to kind, for the files of one folder, zip or upload.

    A file in a folder of runs that is neither a run, scores nor a text counts as a damaged run; an unrecognised file
    that is named like a run or qrels counts as a damaged run or damaged qrels. The reader then reports the error.
    """
    return {look.source.name: _meant(look, _kind_of(look)) for look in looks}


def _kind_of(look: Look) -> Kind:
    return next(kind for kind in KINDS if kind.recognise(look))


def _meant(look: Look, kind: Kind) -> Kind:
    """Return the kind that a broken file was meant to be, from its name; for other files, the given kind."""
    path = PurePosixPath(look.name)
    among_runs = path.parent.name in RUN_FOLDERS and not (kind.of_runs or kind.purpose in ("text", "scores"))
    is_about = path.name.endswith((*NOT_DATA, *TOOL_ENDINGS, *CLOSED)) or path.name.startswith(ABOUT)
    if is_about or not (among_runs or kind.purpose == "none") or look.is_flat_json:
        return kind
    if among_runs or called_run(look.name):
        return _last("run")
    return _last("aspect") if called_aspect(path.name) else kind


def read_as(purpose: Purpose, source: Source, *more: Any) -> Any:
    """Read a file for a purpose, and return the result listed in `Kind`. Raises InputError for an error in the file."""
    known = [kind for kind in KINDS if kind.purpose == purpose]
    if not known:
        raise InputError(f"expected a file for a known purpose, found one for {purpose}", source.name)
    *others, last = known
    look = Look(source)
    kind = next((kind for kind in others if (kind.is_written_so or kind.recognise)(look)), last)
    return kind.read(source, *more)


def roles_of(look: Look, kind: Kind) -> Roles | None:
    """Return the roles of the columns of a file; None if it has no columns, or their roles are unclear."""
    source = look.source
    if source.columns:
        return Roles(source.columns)
    if kind.roles and look.lines:
        return kind.roles(look)
    if look.is_table and kind.purpose in ("run", "aspect", "signal"):
        grades = [column for _, column in columns_of(source, kind)] if kind.purpose == "aspect" else []
        return tables.roles_of_table(source, kind.purpose, grades)
    return None


def columns_of(source: Source, kind: Kind) -> list[tuple[str, int | str]]:
    """List the aspects or signals in a file as (name, column).

    If the kind has no function for this, the file contains only one, which is named after the file.
    """
    if kind.columns:
        return kind.columns(source)
    return [(aspect_name(source) if kind.purpose == "aspect" else source.stem, 1)]


def _last(purpose: Purpose) -> Kind:
    return [kind for kind in KINDS if kind.purpose == purpose][-1]


# Recognisers: each may assume that none before it in `KINDS` accepted the file


def _is_text(look: Look) -> bool:
    """Recognise a .txt file in a folder of documents, whatever its content."""
    return PurePosixPath(look.name).parent.name in DOCUMENT_FOLDERS and look.name.endswith(".txt")


def _is_table_of_signals(look: Look) -> bool:
    """Recognise a table of documents without topics."""
    return "document" in look.columns and "topic" not in look.columns and len(look.columns) > 1


def _is_other_table(look: Look) -> bool:
    """Recognise tables without topics or documents, and JSON without numbers that is not named as a run or labels."""
    if not look.columns or not {"topic", "document"} <= look.columns:
        return bool(look.columns)
    begun = json_head(look.head)
    other = begun is not None and begun.depth > 1 and not is_number(begun.value)
    return other and not (called_run(look.source.name) or called_aspect(look.source.name))


def _is_table_of_grades(look: Look) -> bool:
    """Recognise a table of topics and documents without rank or score, or with a score that is a grade."""
    if _has_score_alone(look) and _are_grades(look):
        return True
    return bool(look.columns) and not look.columns & {"rank", "score"}


def _has_score_alone(look: Look) -> bool:
    return "score" in look.columns and not look.columns & {"rank", "system"}


def _are_grades(look: Look) -> bool:
    """Return true if the scores of a table are grades.

    The table's name decides or, if it says nothing, its numbers.
    """
    if called_run(look.source.name):
        return False
    if called_aspect(look.source.name):
        return True
    named = look.verdict
    return named == "labels" or (named == "either" and not _says_score(look))


def _says_score(look: Look) -> bool:
    """Return true if the numbers of a table are scores, not grades, because the table calls them scores.

    False for tables with the columns of BEIR, which also calls grades scores, and for a dict in JSON, which does not
    name its numbers.
    """
    named = [name.lower() for name in tables.named(look.source, look.head)]
    return json_form(look.head) != "scores" and not set(BEIR) <= set(named)


def may_be_either(look: Look, kind: Kind) -> bool:
    """Return true if a table may be a run or labels: neither its name nor its numbers show which."""
    if kind.purpose not in ("run", "aspect") or called_run(look.name) or called_aspect(look.name):
        return False
    return look.is_table and _has_score_alone(look) and look.verdict == "either"


def _is_queries(look: Look) -> bool:
    """Recognise lines `topic<tab>query`, from the file name and a tab."""
    return file_name(look.source.name).startswith(QUERY_NAMES) and b"\t" in look.head


def _is_topic_table(look: Look) -> bool:
    """Recognise a table of topics with groups, but without texts of topics."""
    texts = {*TEXTS, "title", "description", "narrative"}
    return look.is_table_of(OF_TOPICS, *TOPIC) and not look.named_columns & texts


def _is_letor(look: Look) -> bool:
    """Recognise lines of LETOR: a grade, `qid:` and features."""
    return len(look.first) > 1 and look.first[1].startswith(b"qid:")


def _is_run(look: Look) -> bool:
    """Recognise lines of topic, iteration, document, rank, score, tag and perhaps more; or topic, document and rank."""
    first = look.first
    if len(first) == 3:
        return not called_aspect(look.source.name) and _are_ranks([line for line in look.lines if len(line) == 3])
    if len(first) < 6 or not _has_iteration(first):
        return False
    ranked = is_number(first[3]) and is_number(first[4])
    return ranked and not _many_grades(look)


def _is_run_without_tag(look: Look) -> bool:
    """Recognise a run without tags: lines of five fields, the last of which is not a grade.

    Such a run is refused.
    """
    first = look.first
    is_one = len(first) == 5 and _has_iteration(first) and (b"." in first[4] or first[1].upper() == b"Q0")
    return is_one and not _many_grades(look)


def _is_qrels_of_three_columns(look: Look) -> bool:
    """Recognise lines of topic, document and grade: grades such as L2, or numbers that look like labels, not ranks."""
    if len(look.first) != 3:
        return False
    if LEVEL.fullmatch(look.first[2]):
        return True
    numbers = _by_topic(look.lines, 2)
    return all(is_number(line[-1]) for line in look.lines if len(line) == 3) and verdict(numbers) == "labels"


def _is_prels(look: Look) -> bool:
    """Recognise lines of topic, document, grade and numbers about the sample, such as a probability.

    There are one or more of these numbers.
    """
    first = look.first
    if len(first) < 4 or _has_iteration(first) or not all(map(is_number, first[2:])):
        return False
    lines = [line for line in look.lines if len(line) == len(first)]
    small = all(re.fullmatch(rb"-?\d", line[2]) for line in lines)
    return small and (len(first) > 4 or b"." in first[3]) and not is_ranking(_by_topic(lines, 2))


def _is_qrels(look: Look) -> bool:
    """Recognise lines of topic, iteration or subtopic, document and grades.

    A single grade may be a word, which its reader refuses.
    """
    first = look.first
    if len(first) == 4:
        return _has_iteration(first) or (is_number(first[3]) and bool(called_aspect(look.source.name)))
    return len(first) > 4 and _has_iteration(first) and all(map(is_number, first[3:]))


def has_words(look: Look) -> bool:
    """Return true if the first labels in qrels are all words."""
    lines = [line for line in look.lines if len(line) == 4]
    return bool(lines) and not any(is_number(line[3]) for line in lines)


def _is_signal(look: Look) -> bool:
    """Recognise lines of a document and its value, separated by white space or a comma."""
    first = look.first
    if len(first) == 2 and (is_number(first[1]) or (len(look.lines) > 1 and is_number(look.lines[1][-1]))):
        return True
    cells = [line[0].split(b",") for line in look.lines[:2] if len(line) == 1]
    return any(len(pair) == 2 and is_number(pair[1]) for pair in cells)


def _has_iteration(fields: list[bytes]) -> bool:
    return is_number(fields[1]) or fields[1].upper() == b"Q0"


def _are_ranks(lines: list[list[bytes]]) -> bool:
    """Return true if the third fields are ranks: whole numbers that start at 0 or 1 and do not repeat in a topic."""
    ranks: dict[bytes, list[bytes]] = {}
    for topic, _, rank in lines:
        ranks.setdefault(topic, []).append(rank)
    whole = all(rank.isdigit() for listed in ranks.values() for rank in listed)
    return whole and all(len(set(places)) == len(places) and min(map(float, places)) <= 1 for places in ranks.values())


def _many_grades(look: Look) -> bool:
    """Return true if the fields after the document are all grades, and not rank, score and a numeric tag.

    Grades are small whole numbers. If the first of these fields could also hold ranks, or is the same in all lines,
    the file name decides; if it says nothing, the file is a run.
    """
    width = len(look.first)
    lines = [line for line in look.lines if len(line) == width]
    if not all(re.fullmatch(rb"-?\d{1,3}", field) for line in lines for field in line[3:]):
        return False
    ranks = _by_topic(lines, 3)
    if is_ranking(ranks) and (width > 5 or not called_aspect(look.source.name)):
        return False
    if called_aspect(look.source.name) and not called_run(look.source.name):
        return True
    again = any(len(set(numbers)) < len(numbers) for numbers in ranks.values())
    same_rank = len({line[3] for line in lines}) == 1 and verdict(_by_topic(lines, 4)) == "run"
    return again and len(set(map(tuple, (line[3:] for line in lines)))) > 1 and not same_rank


def _by_topic(lines: list[list[bytes]], column: int) -> dict[str, list[str]]:
    """Return the fields of a column by topic, which is the first field of a line."""
    documents: dict[str, list[str]] = {}
    for line in lines:
        if len(line) > column:
            documents.setdefault(line[0].decode(errors="replace"), []).append(line[column].decode(errors="replace"))
    return documents


def _is_output(look: Look) -> bool:
    """Recognise outputs of evaluation tools, and tables of scores: measures of topics and systems, and no document."""
    if begun := json_head(look.head):
        return _is_json_output(look, begun)
    if look.head[:4] == MAGIC:
        return not _has_document(look.named_columns) and bool(look.named_columns & {*TOPIC, *SYSTEM})
    return "document" not in tables.header(look.head) and are_scores(look.head, look.lines)


def _is_json_output(look: Look, begun: JsonHead) -> bool:
    named = {name.lower() for name in begun.keys}
    if is_answer(named, look.head) or {"measure", "metric"} & named:
        return True
    if begun.depth > 1:
        return _has_measures(look)
    measured = bool(named & {*TOPIC}) and any(map(is_measure, named))
    return (measured or (bool(named & {*SYSTEM}) and len(named) > 1)) and not _has_document(named)


def _has_document(names: Iterable[str]) -> bool:
    return "document" in meanings([*names])


def _has_measures(look: Look) -> bool:
    """Return true if the numbers in JSON belong to measures, not to documents."""
    names = re.findall(r'"([^"{}]+)"\s*:\s*[-\d]', look.head.decode(errors="replace"))
    return bool(names) and all(map(is_measure, names))


def _roles_of_run(look: Look) -> Roles:
    if len(look.first) == 3:
        return Roles(RANKED, RANKED)
    names = ("topic", "Q0", "document", "rank", "score", "tag")
    return Roles(tuple("" if name in ("Q0", "tag") else name for name in names), names)


def _roles_of_prels(look: Look) -> Roles:
    """Return the roles in prels: topic, document and grade; the numbers about the sample have none."""
    about = [f"column {at}" for at in range(4, len(look.first) + 1)]
    names = ("algorithm", "probability") if len(about) == 2 else about
    return Roles(("topic", "document", "grade", *("" for _ in names)), ("topic", "document", "grade", *names))


def _roles_of_qrels(look: Look) -> Roles:
    """Return the roles in qrels: topic, iteration, document and a grade for each aspect, or a stratum and the grade."""
    begun = ("topic", "iteration", "document")
    if has_strata(b"\n".join(map(b" ".join, look.lines)), look.source.name):
        return Roles(("topic", "", "document", "", "grade"), (*begun, "stratum", "relevance"))
    grades = ("grade",) * (len(look.first) - 3)
    return Roles(("topic", "", "document", *grades), (*begun, *grades))


def _not_read(recognise: Callable[[Look], bool]) -> Kind:
    return Kind("no known kind of file", "none", recognise)


_OF_THE_CORE = (
    Kind("text", "text", _is_text, plain_text),
    Kind("table of systems", "systems", lambda look: look.is_table_of(SYSTEMTABLES, "system"), read_system_table),
    Kind("table of topics", "groups", _is_topic_table, with_groups),
    _not_read(lambda look: look.name.endswith(NOT_DATA) or file_name(look.name).startswith((".", "~$"))),
    Kind("samples of lm-evaluation-harness", "scores", lambda look: look.has_keys(HARNESS), read_harness),
    Kind("log of Inspect", "scores", lambda look: look.has_keys(INSPECT), read_inspect),
    Kind("samples of Every Eval Ever", "scores", lambda look: look.has_keys(EVERY_EVAL_EVER), read_every_eval_ever),
    Kind("instances of SWE-bench", "scores", lambda look: is_resolved(look.keys), read_resolved),
    Kind("scores", "scores", _is_output, read_scores, roles=lambda look: roles_of_scores(look.head)),
    Kind("corpus", "corpus", lambda look: look.texts == "corpus", read_corpus),
    Kind("queries in JSON", "queries", lambda look: look.texts == "queries", read_corpus, lambda look: look.in_json),
    Kind("table of signals", "signal", _is_table_of_signals, tables.read_signal, in_table, tables.signals_in),
    _not_read(_is_other_table),
    Kind("table of grades", "aspect", _is_table_of_grades, tables.read_grades, in_table, tables.aspects_in),
    Kind("table of runs", "run", in_table, tables.run_sources, in_table),
    _not_read(lambda look: not look.is_text or look.in_json),
    Kind("LETOR", "aspect", _is_letor, read_letor, roles=lambda look: LETOR),
    Kind("queries", "queries", _is_queries, read_queries),
    Kind("run", "run", _is_run, lambda source: [source], roles=_roles_of_run),
    _not_read(_is_run_without_tag),
    Kind("qrels of three columns", "aspect", _is_qrels_of_three_columns, read_three_columns, roles=_roles_of_prels),
    Kind("prels", "aspect", _is_prels, read_three_columns, roles=_roles_of_prels),
    Kind("qrels", "aspect", _is_qrels, read_qrels, columns=qrels_aspects, roles=_roles_of_qrels),
    Kind("signal", "signal", _is_signal, read_signal, roles=lambda look: Roles(("document", "value"))),
    _not_read(lambda look: True),
)
_OF_SUBJECTS = [row for module in modules("kinds") for row in module.KINDS]
KINDS: tuple[Kind, ...] = (*placed(_OF_THE_CORE, _OF_SUBJECTS, lambda kind: kind.name),)
TABLES = {kind.purpose: kind for kind in KINDS if kind.name in ("table of runs", "table of grades")}
