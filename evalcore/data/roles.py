"""The roles of columns, and of parts of file names.

Known names decide: headers (`qid`, `run_id`, `judge`), names of measures, the topic of means, numbered topics, models
and people as judges. Without such a sign the app asks; a role is never deduced just because it is the only one left. A
`collection.toml` can declare roles: `columns = ["system", "measure", "topic", "value"]` in order, and `{system}` and
the like in file names.
"""

from __future__ import annotations

import glob
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import PurePosixPath

from evalcore.data.names import JUDGE, NO_VALUE, SYSTEM, TOPIC, TOPIC_ID, says_who
from evalcore.data.runs_or_labels import is_measure, is_number
from evalcore.data.toml_text import toml_key, toml_text
from evalcore.errors import InputError, shorten

SCORE = ("score", "value")
MEASURE = ("measure", "metric")
ALL = "all"  # the topic of a mean
SUMMARY = (ALL, "mean", "amean")  # names of topics for means over the others
TRUTH = {"true": "1", "false": "0"}
GAPS = ("", *NO_VALUE, "--", "\u2013", "\u2014")  # cells for a missing score in tables
RANKED = ("topic", "document", "rank")  # the columns of a run with three, as in MS MARCO
IN_FILES = ("system", "topic", "judge", "measure", "repeat")  # roles that a part of a file's name may have
# Roles that a column may be declared to have ("": not read), and roles that must be among them
OF_SCORES = (*IN_FILES, "value", "")
OF_LABELS = ("topic", "document", "grade", "judge", "aspect", "subtopic", "")
OF_RUNS = ("system", "topic", "document", "rank", "score", "")
MEANS_ALONE = (
    "expected scores by topic, found only means of systems, which no test can use; export "
    "Experiment(..., perquery=True), which has a column qid"
)
# Columns beside those of topics
BESIDE = re.compile(
    r"((average|avg\.?|mean|overall|total|rank)( score)?( ?\(.*\))?|#|(number of )?param(eter)s?.*|(model )?size.*|"
    r"memory.*|(embedding )?dimensions?|max(imum)? tokens|zero-shot|licen[sc]e|url|link|date|year|release.*|"
    r"organi[sz]ation)",
    re.IGNORECASE,
)
_KNOWN: Mapping[str, tuple[str, ...]] = {
    "topic": TOPIC,
    "system": SYSTEM,
    "measure": MEASURE,
    "judge": JUDGE,
    "repeat": ("repeat", "seed", "trial", "epoch"),
}


@dataclass(frozen=True)
class Roles:
    """The role of each column in order; `spread` is the role of the names of value columns, "" if they have no role."""

    columns: tuple[str, ...]
    names: tuple[str, ...] = ()  # of the columns, if there is a header
    spread: str = ""  # "measure", "system" or "topic"

    def at(self, role: str) -> int | None:
        """Return the position of the column with a role; None if no column has it."""
        return self.columns.index(role) if role in self.columns else None

    @property
    def values(self) -> dict[int, str]:
        """The names of the value columns by position; a name is "" if the names have no role."""
        names = self.names if self.spread else [""] * len(self.columns)
        return {at: names[at] for at, role in enumerate(self.columns) if role == "value"}

    @property
    def are_named(self) -> bool:
        """True if each column is named after its role, as in the tables that evalcore writes."""
        named = zip(self.names, self.columns, strict=True)
        return (
            bool(self.names)
            and not self.spread
            and all(name == role or (role == "value" and name in SCORE) for name, role in named)
        )

    def __str__(self) -> str:
        """Describe the roles in one line, for a report.

        >>> str(Roles(("system", "topic", "value", "value", ""), ("name", "qid", "map", "P_10", "url"), "measure"))
        'name is the system, qid is the topic; map, P_10: each is read as the values of one measure; not read: url'
        """
        shown = self.names or [f"column {at}" for at in range(1, len(self.columns) + 1)]
        named = list(zip(shown, self.columns, strict=True))
        values = [name for name, role in named if role == "value"] if self.spread else []
        listed = [
            name if name == role else f"{name} is the {role}"
            for name, role in named
            if role and not (values and role == "value")
        ]
        spread = f"{_first(values)}: each is read as the values of one {self.spread}" if values else ""
        unread = _first([name for name, role in named if not role and name])
        return "; ".join(filter(None, [", ".join(listed), spread, unread and f"not read: {unread}"]))


def _first(names: Sequence[str]) -> str:
    return ", ".join([*names[:3], *(["..."] if len(names) > 3 else [])])


# Columns with names


def of_header(header: Sequence[str], where: str) -> Roles | None:
    """Return the roles of columns, from their names; None if the names are unknown.

    Raises InputError if the names show that something is missing, and for an empty or repeated name.
    """
    lower = [name.lower() for name in header]
    if {"judgment", "judgement"} & {*lower}:  # umbrela writes these without ids
        problem = "expected a document id (docid) beside each judgment, found none: add it and the topic id (qid)"
        raise InputError(problem, where)
    at = {role: next((at for at, name in enumerate(lower) if name in known), None) for role, known in _KNOWN.items()}
    taken = {place for place in at.values() if place is not None}
    others = [place for place in range(len(header)) if place not in taken]
    measures = [place for place in others if is_measure(header[place])]
    if at["system"] is None and "name" in lower and (at["topic"] is not None or measures):
        at["system"] = lower.index("name")  # as in PyTerrier
        if at["topic"] is None:
            raise InputError(MEANS_ALONE, where, 1)
        others.remove(lower.index("name"))
    score = next((place for place in others if lower[place] in SCORE), None)
    topic, system, measure = at["topic"], at["system"], at["measure"]
    if score is not None and topic is not None and (system is not None or measure is not None):
        return _roles(header, at, [score], "", where)
    if topic is not None and system is None and score is None and measures:
        return _roles(header, at, others, "measure", where)
    if topic is not None and system is not None and measure is None:
        return _roles(header, at, others, "measure", where)
    if topic is None and system is not None and header[0]:
        means = measure is None and bool(others) and all(is_measure(header[place]) for place in others)
        return _roles(header, at, others, "measure" if means else "topic", where)
    if topic is None and (system is not None or header[0]):
        return None
    return _roles(header, {**at, "topic": topic or 0}, [place for place in others if place or topic], "system", where)


def _roles(
    header: Sequence[str], at: Mapping[str, int | None], values: Sequence[int], spread: str, where: str
) -> Roles:
    names = [header[place] for place in values]
    no_systems = (*SCORE, *SYSTEM, *MEASURE) if spread == "system" else ()
    if not names or any(name.lower() in no_systems for name in names):
        expected = "expected columns topic, system, score (or topic and one column for each system)"
        raise InputError(f"{expected}, found {', '.join(map(repr, header))}", where, 1)
    for name, times in Counter(names).items() if spread else ():
        if not name:
            raise InputError(f"expected a name for the column of each {spread}, found an empty one", where, 1)
        if times > 1:
            raise InputError(f"expected one column for each {spread}, found two for {name!r}", where, 1)
    role_of = {place: role for role, place in at.items() if place is not None} | dict.fromkeys(values, "value")
    return Roles(tuple(role_of.get(place, "") for place in range(len(header))), tuple(header), spread)


# Lines without a header


ORDERS = (("system", "measure", "topic"), ("system", "topic", "measure"), ("measure", "topic", "system"))


def order_of(lines: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """Return the roles of the first three fields in lines of four fields; None if they are unclear."""
    known = _orders(lines)
    return known[0] if len(known) == 1 else None


def _orders(lines: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the possible roles of the first three fields in lines of four fields.

    These signs are used in turn: names of measures, the topic of means, topics that are numbers, and a measure that is
    the same in all lines. If several orders are left, those in ORDERS are returned. If a field holds fractions, none is
    possible.

    >>> _orders([["run-1", "map", "7", ".5"]]), _orders([["a", "7", "x", "1"], ["b", "8", "y", "0"]])
    ([('system', 'measure', 'topic')], [('system', 'topic', 'measure'), ('measure', 'topic', 'system')])
    """
    fields = [{line[at] for line in lines} for at in range(3)]
    if any(all(map(is_number, names)) and any("." in name for name in names) for names in fields):
        return []
    numbered = [all(TOPIC_ID.fullmatch(name) or name in SUMMARY for name in names) for names in fields]
    signs = (
        ("measure", [all(map(is_measure, names)) for names in fields]),
        ("topic", [bool(names & {*SUMMARY}) for names in fields]),
        ("topic", numbered),
        ("measure", [len(names) == 1 for names in fields]),
    )
    orders = [order for order in permutations(ORDERS[0]) if not numbered[order.index("measure")]]
    for role, fit in signs:
        left = [order for order in orders if fit[order.index(role)]]
        if sum(fit) == 1 and left:
            orders = left
    return orders if len(orders) == 1 else [order for order in ORDERS if order in orders]


def are_of_systems(lines: Sequence[Sequence[str]]) -> bool:
    """Return true if lines of four fields look like scores of systems, and not like qrels.

    They do if one of the first three fields names measures, or if at least half of all combinations of the names in
    these fields occur.

    >>> are_of_systems([["a", "7", "x", "0"], ["a", "8", "x", "1"], ["b", "7", "x", "1"], ["b", "8", "x", "0"]])
    True
    """
    if not lines or any(len(line) != 4 for line in lines) or any(line[1].upper() == "Q0" for line in lines):
        return False
    values = [line[3].lower() for line in lines]
    truths = all(value in TRUTH for value in values)
    if not truths and not all(map(is_number, values)):
        return False
    if any(all(is_measure(line[at]) for line in lines) for at in range(3)):
        return len({line[2] for line in lines}) < len(lines) or len({line[1] for line in lines}) < len(lines)
    names = [{line[at] for line in lines} for at in range(3)]
    product = len(names[0]) * len(names[1]) * len(names[2])
    if sum(len(listed) > 1 for listed in names) < 2 or product > 2 * len(lines) or TOPIC_ID.fullmatch(lines[0][0]):
        return False
    words = not any(re.search(r"\d", name) for name in names[2])  # no documents
    constant = len(names[1]) < 2 and any(map(is_number, names[1]))  # as the second column of qrels
    return (truths or any("." in value for value in values) or words) and not constant


def ask(lines: Sequence[Sequence[str]], where: str, number: int) -> InputError:
    """Return an error that asks for the roles of columns, with the first line and text for a `collection.toml`."""
    problem = "expected scores (run, measure, topic and value), in an order that is clear from the names"
    found = f"found {shorten(' '.join(lines[0]))}. To name the columns in their order, write a collection.toml"
    return InputError(f"{problem}, {found}: {columns_text(where, *_orders(lines)[:1])}", where, number)


def columns_text(file: str, order: tuple[str, ...] = ORDERS[0]) -> str:
    """Return the lines of a `collection.toml` that declare the columns of a file of scores."""
    table = f"scores.{toml_key(PurePosixPath(file).stem)}"
    return f"`{table}.file = {toml_text(file)}`, `{table}.columns = {toml_text((*order, 'value'))}`"


# Names of files


_BETWEEN = re.compile(r"([/\s_.+~#@,-]+)")
_VERSION = re.compile(r"\d{1,2}[a-z]{0,2}|\d+b", re.IGNORECASE)
FULL = 0.8  # share of the (system, judge) pairs that have a file
Words = tuple[str, ...]  # the words of a name, with the separators between them


@dataclass(frozen=True)
class Named:
    """The roles in the names of some files: one pattern that matches the names, and the judge of all these files."""

    pattern: str
    judge: str = ""
    files: tuple[str, ...] = ()


def of_file_names(names: Mapping[str, str], topics: bool) -> list[Named]:
    """Return the roles of the parts of file names, in patterns; [] if the parts are only systems, or unclear.

    `names` maps each name to the same name without its ending. `topics` is true if the content names no topics, or has
    systems in the field of topics. Judges are recognised by words (nist, gpt-4o) before or after a system, if (nearly)
    every system has every judge.

    >>> names = {f"{system}_{judge}.txt": f"{system}_{judge}" for system in "ab" for judge in ("nist", "llm")}
    >>> [one.pattern for one in of_file_names(names, topics=False)]
    ['{system}_nist.txt', '{system}_llm.txt']
    """
    if len(names) < 2:
        return []
    before, own, after = _in_common([*names.values()])
    ends = [after + name.removeprefix(bare) for name, bare in names.items()]
    for cut in (_after_system, _before_system, _in_folders):
        cuts = [half for words in own if (half := cut(words))]
        if len(cuts) == len(own) and (role := _crossed(cuts, topics)):
            first, shorter, last = _in_common([half.other for half in cuts])
            by: dict[tuple[str, str], list[str]] = {}
            for name, half, words, end in zip(names, cuts, shorter, ends, strict=True):
                place = f"{'*/' * ''.join(words).count('/')}{{{role}}}"
                left, right = glob.escape(before + half.left + first), glob.escape(last + half.right + end)
                by.setdefault((f"{left}{place}{right}", half.judge), []).append(name)
            return [Named(pattern, judge, tuple(files)) for (pattern, judge), files in by.items()]
    texts = ["".join(part) for part in own]
    role = "topic" if topics and all(map(TOPIC_ID.fullmatch, texts)) else "system"
    if role == "system" and (topics or len({PurePosixPath(bare).name for bare in names.values()}) > 1):
        return []
    patterns = (f"{glob.escape(before)}{{{role}}}{glob.escape(end)}" for end in dict.fromkeys(ends))
    return [Named(pattern, files=tuple(names)) for pattern in patterns]


@dataclass(frozen=True)
class _Cut:
    """A name split into a system or topic (`other`) and the texts before and after it, one of which names a judge."""

    other: str
    judge: str
    left: str = ""
    right: str = ""


def _crossed(cuts: Sequence[_Cut], topics: bool) -> str:
    """Return the role of the parts beside judges, "system" or "topic", or "" if it is unclear.

    It is clear only if (nearly) every judge occurs with each system or topic.
    """
    judges, others = {cut.judge for cut in cuts}, {cut.other for cut in cuts}
    once = len({(cut.other, cut.left, cut.right) for cut in cuts}) == len(cuts)
    if len(judges) < 2 or not once or len(cuts) < FULL * len(judges) * len(others) or all(map(says_who, others)):
        return ""
    bare = [other.rpartition("/")[2] for other in others]
    if not topics:
        return "system" if len({*bare}) == len(bare) else ""
    return "topic" if all(map(TOPIC_ID.fullmatch, bare)) else ""


def _is_who(words: Words, at: int) -> bool:
    return bool(says_who(words[at])) or (at > 1 and bool(_VERSION.fullmatch(words[at])) and _is_who(words, at - 2))


def _after_system(words: Words) -> _Cut | None:
    """Split a name into a system and the judge after it (the last words that name one); None without a judge.

    The judge includes the words that follow, except a measure.
    """
    at = max((at for at in range(0, len(words), 2) if says_who(words[at])), default=0)
    while at > 3 and says_who(words[at - 2]):
        at -= 2
    end = next((place for place in range(at + 2, len(words), 2) if is_measure("".join(words[place:]))), len(words))
    if at < 2 or end <= at:
        return None
    return _Cut("".join(words[: at - 1]), "".join(words[at:end]).rstrip("./_-"), right="".join(words[at - 1 :]))


def _before_system(words: Words) -> _Cut | None:
    """Split a name into a judge (the first words, if they name one) and the system after it; None without a judge."""
    end = 0
    while end < len(words) and _is_who(words, end):
        end += 2
    if not 0 < end < len(words):
        return None
    return _Cut("".join(words[end:]), "".join(words[: end - 1]), left="".join(words[:end]))


def _in_folders(words: Words) -> _Cut | None:
    """Split a path into a folder named after a judge, and a system in it; None if the folder names no judge."""
    folder, between, name = "".join(words).rpartition("/")
    return _Cut(name, folder, left=folder + between) if between and says_who(folder) else None


def _in_common(names: Sequence[str]) -> tuple[str, list[Words], str]:
    """Return the beginning that all names share, the other words of each name, and the end that all share."""
    words = [tuple(_BETWEEN.split(name)) for name in names]
    shortest = min(map(len, words), default=1)
    first = _shared(words, shortest)
    last = _shared([name[::-1] for name in words], shortest - first)
    own = [name[first : len(name) - last] for name in words]
    return "".join(words[0][:first]), own, "".join(words[0][len(words[0]) - last :])


def _shared(words: Sequence[Words], most: int) -> int:
    """Count the first words, with their separators, that all names share; at least one word of each name remains."""
    count = 0
    while count + 2 < most and len({name[count : count + 2] for name in words}) == 1:
        count += 2
    return count


def called(place: Mapping[str, str], measure: str) -> str:
    """Return the name of a measure, followed by the judge and the repeat that its file name gives.

    >>> called({"judge": "gpt-4o", "repeat": "seed3"}, "map")
    'map gpt-4o seed3'
    """
    return " ".join([place.get("measure", measure), *(place[role] for role in ("judge", "repeat") if role in place)])
