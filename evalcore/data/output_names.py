"""Outputs that name no system -> which of them are of one system, by their names: bm25.nist.eval, nist/bm25/out.txt.
Tables that name no topic, one for each: nist/301.csv.

Names cross where each of some systems has (nearly) each of some others, such as judges. Where the words of a name
stand, and what parts them, is open: names are cut wherever words meet, and a way of cutting them crosses where hardly a
beginning lacks one of the ends. What the others are, words or content must say: judges, where the words do (nist,
gpt-4o), where relevant documents are the same in all outputs of one and no others', or where a folder is for each;
measures or topics, where each has its own. Else all may be systems, and a question is asked.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalcore.data.names import TOPIC_ID, differences, says_who
from evalcore.data.score_files import ScoreFile
from evalcore.data.score_rows import MEAN
from evalcore.structures.documents import Note

_BETWEEN = re.compile(r"([/\s_.+~#@,-]+)")
FULL = 0.8  # of the pairs, how many have a file
_CUTS = 200  # ways that are tried from one side
_WORK = 1 << 21  # names that are cut in all

Words = tuple[str, ...]  # of a name, with what stands between them


@dataclass(frozen=True)
class Cut:
    """A name in what is before, two halves, what parts them, and what is after."""

    before: str
    left: str
    between: str
    right: str
    after: str

    def of(self, side: str, what: str = "system") -> tuple[str, str]:
        """What one half says, and the pattern that fits the names that differ in it alone, with a place for it."""
        text, place = getattr(self, side), self._place(side, what)
        if side == "left":
            return text, f"{glob.escape(self.before)}{place}{glob.escape(self.between + self.right + self.after)}"
        return text, f"{glob.escape(self.before + self.left + self.between)}{place}{glob.escape(self.after)}"

    def both(self, of_systems: str) -> str:
        """The pattern of names that differ in either half: that of this side is a system, the other a topic.

        >>> Cut("", "bm25", "/", "nq", ".json").both("left")
        '{system}/{topic}.json'
        """
        left, right = ("system", "topic") if of_systems == "left" else ("topic", "system")
        places = self._place("left", left) + glob.escape(self.between) + self._place("right", right)
        return glob.escape(self.before) + places + glob.escape(self.after)

    def _place(self, side: str, what: str) -> str:
        *folders, _ = getattr(self, side).split("/")
        return f"{'*/' * len(folders)}{{{what}}}"


def crossings(names: Mapping[str, str]) -> Iterator[dict[str, Cut]]:
    """The ways in which names of files cross; names without their endings by the names.

    >>> found, *_ = crossings({f"{s}_{j}.txt": f"{s}_{j}" for s in ("bm25", "ql", "rm3") for j in ("nist", "gpt-4")})
    >>> found["ql_gpt-4.txt"].of("left")
    ('ql', '{system}_gpt-4.txt')
    """
    before, words, after = in_common([*names.values()])
    endings = [name.removeprefix(bare) for name, bare in names.items()]
    for turned in (False, True):
        listed = [name[::-1] if turned else name for name in words]
        for depths in _ways(listed):
            cuts = [_cut(word, depth, turned) for word, depth in zip(words, depths, strict=True)]
            yield {
                name: Cut(before, *cut, after + ending) for name, cut, ending in zip(names, cuts, endings, strict=True)
            }


def in_common(names: Sequence[str]) -> tuple[str, list[Words], str]:
    """What all names begin with, the words of each that are its own, and what all end in."""
    words = [tuple(_BETWEEN.split(name)) for name in names]
    shortest = min(map(len, words), default=1)
    first = _shared(words, shortest)
    last = _shared([name[::-1] for name in words], shortest - first)
    own = [name[first : len(name) - last] for name in words]
    return "".join(words[0][:first]), own, "".join(words[0][len(words[0]) - last :])


def _shared(words: Sequence[Words], most: int) -> int:
    """How many of the first words all have, each with what stands after it; one word is left at least."""
    count = 0
    while count + 2 < most and len({name[count : count + 2] for name in words}) == 1:
        count += 2
    return count


def _ways(words: Sequence[Words]) -> Iterator[list[int]]:
    """How many last words of each name are its end, in ways that cross: from short ends to long ones."""
    groups = _deeper(words, range(len(words)), 1)
    for _ in range(min(_CUTS, _WORK // max(len(words), 1))):
        if _crosses(words, groups):
            depths = [0] * len(words)
            for listed, depth in groups:
                for at in listed:
                    depths[at] = depth
            yield depths
        fit = [group for group in groups if all(len(words[at]) > group[1] + 2 for at in group[0])]
        if not fit:
            return
        largest = max(fit, key=lambda group: len(group[0]))
        groups = [group for group in groups if group is not largest]
        groups += _deeper(words, largest[0], largest[1] + 2)


def _deeper(words: Sequence[Words], listed: Sequence[int], depth: int) -> list[tuple[list[int], int]]:
    """Names by their last words, so many that each group has no more of them in common."""
    groups: dict[Words, list[int]] = {}
    for at in listed:
        groups.setdefault(words[at][-depth:], []).append(at)
    return [(group, _whole_depth(words, group, depth)) for group in groups.values()]


def _whole_depth(words: Sequence[Words], group: Sequence[int], depth: int) -> int:
    longest = min(len(words[at]) for at in group) - 2
    while len(group) > 1 and depth + 2 <= longest and len({words[at][-depth - 2 :] for at in group}) == 1:
        depth += 2
    return depth


def _crosses(words: Sequence[Words], groups: Sequence[tuple[Sequence[int], int]]) -> bool:
    short = any(len(group) < 2 or min(len(words[at]) for at in group) <= depth for group, depth in groups)
    if len(groups) < 2 or short:
        return False
    beginnings = {words[at][: -depth - 1] for group, depth in groups for at in group}
    return FULL * len(groups) * len(beginnings) <= len(words)


def _cut(words: Words, depth: int, turned: bool) -> tuple[str, str, str]:
    """The left half, what parts it from the right one, and that."""
    at = depth if turned else len(words) - depth - 1
    return "".join(words[:at]), words[at], "".join(words[at + 1 :])


RELEVANT = "num_rel"  # of a topic, which outputs by the same labels share
NUMBERED = re.compile(r"(run|r|v|version|sub|submission)? ?[0-9]+", re.IGNORECASE)
_SIDES = (("left", "right"), ("right", "left"))  # of systems and of judges
_OF_TOPIC = re.compile(r"\d|topic|query|question|task", re.IGNORECASE)
# Of BEIR
DATASETS = re.compile(
    r"arguana|bioasq|climate-?fever|cqadupstack.*|dbpedia(-entity)?|fever|fiqa(-?2018)?|hotpot-?qa|ms-?marco|nf-?corpus|nq|"
    r"quora|robust-?04|scidocs|scifact|signal-?1m|(webis-)?touche-?2020|trec-?covid|trec-?news",
    re.IGNORECASE,
)
_OF_LABELS = re.compile(r"qrel|judge|label|assess", re.IGNORECASE)


@dataclass(frozen=True)
class Named:
    """Outputs of several systems that a pattern fits; a word of each of their measures says whose labels it is by."""

    pattern: str
    words: Mapping[str, str]


@dataclass(frozen=True)
class _Reading:
    """One way to read names that cross: files by their pattern, and what the other half of their names says."""

    groups: Mapping[str, Sequence[ScoreFile]]
    halves: Mapping[str, str]
    systems: frozenset[str]
    in_folders: bool


def named_outputs(files: Sequence[ScoreFile]) -> tuple[list[Named], list[Note]]:
    """What the names say of files that each hold one output without a name; nothing where files' names are systems'."""
    outputs, asked = _named(files)
    return outputs, [] if asked is None else [_question(files, asked)]


def crossed_outputs(files: Sequence[ScoreFile]) -> list[Named]:
    """What the names say of files of which a question is asked, if they are of systems and judges."""
    _, asked = _named(files)
    return [] if asked is None else _by_pattern(asked)


def _named(files: Sequence[ScoreFile]) -> tuple[list[Named], _Reading | None]:
    """What the names say, or how they might be read, of which a question is asked."""
    bare = {file.source.name: _bare(file) for file in files}
    if len(bare) < 2:
        return [], None
    if topics := _swapped(files, bare):
        return topics, None
    readings = [reading for cuts in crossings(bare) for reading in _readings(files, cuts)]
    weighed = [(weight, reading) for reading in readings if (weight := _weight(reading))]
    if weighed:
        _, best = max(weighed, key=lambda guess: (guess[0], len(guess[1].systems)))
        return [] if _is_plain(best) else _by_pattern(best), None
    if len({file.stem for file in files}) == 1 and not all(map(says_who, _own(bare))):
        return _alone(files, bare, "system"), None
    return [], _asked(readings)


def named_topics(files: Sequence[ScoreFile]) -> list[Named]:
    """What the names say of tables of systems that are each of one topic; nothing where they are of something else."""
    bare = {file.source.name: _bare(file) for file in files}
    if len(bare) < 2:
        return []
    return _by_topic(files, bare, _OF_TOPIC.search)


def _swapped(files: Sequence[ScoreFile], bare: Mapping[str, str]) -> list[Named]:
    """Outputs of one topic each, as numbers in names say, which name systems where others name topics."""
    named = {row.topic for file in files for row in file.rows}
    if any(name == MEAN or TOPIC_ID.fullmatch(name) or DATASETS.fullmatch(name) for name in named):
        return []
    return _by_topic(files, bare, TOPIC_ID.fullmatch)


def _by_topic(files: Sequence[ScoreFile], bare: Mapping[str, str], is_topic: Callable[[str], object]) -> list[Named]:
    """Files by the topics in their names, and by the judges beside them, if there are some."""
    readings = [reading for cuts in crossings(bare) for reading in _readings(files, cuts, "topic")]
    judged = [reading for reading in readings if _say_who(reading) and all(map(is_topic, reading.systems))]
    if judged:
        return _by_pattern(max(judged, key=lambda guess: len(guess.systems)))
    return _alone(files, bare, "topic") if all(map(is_topic, _own(bare))) else []


def named_cells(files: Sequence[ScoreFile]) -> list[Named]:
    """What the names say of files of one system on one topic each; nothing where they do not say which is which.

    Topics are known as those of benchmarks, or stand in the folder of their system.
    """
    bare = {file.source.name: _bare(file) for file in files}
    candidates: list[tuple[float, str]] = []
    for cuts in crossings(bare) if len(bare) > 3 else ():
        for of_systems, of_topics in _SIDES:
            topics = {getattr(cut, of_topics).rpartition("/")[2] for cut in cuts.values()}
            patterns = {cut.both(of_systems) for cut in cuts.values()}
            known = sum(bool(DATASETS.fullmatch(topic)) for topic in topics) / len(topics)
            in_folder = of_systems == "left" and "/" in next(iter(cuts.values())).between
            if len(patterns) == 1 and (known > 0.5 or in_folder):
                candidates.append((known, patterns.pop()))
    return [Named(max(candidates)[1], dict.fromkeys(_measures(files), ""))] if candidates else []


def _bare(file: ScoreFile) -> str:
    """The file's name without its ending."""
    return str(PurePosixPath(file.source.name).parent / file.stem)


def _own(bare: Mapping[str, str]) -> list[str]:
    return ["".join(letters) for letters in in_common([*bare.values()])[1]]


def _alone(files: Sequence[ScoreFile], bare: Mapping[str, str], what: str) -> list[Named]:
    """Files whose names differ in the system, or the topic, alone."""
    before, words, after = in_common([*bare.values()])
    cuts = [
        Cut(before, "".join(own), "", "", after + name.removeprefix(bare[name]))
        for own, name in zip(words, bare, strict=True)
    ]
    return [
        Named(pattern, dict.fromkeys(_measures(files), "")) for pattern in {cut.of("left", what)[1] for cut in cuts}
    ]


def _readings(files: Sequence[ScoreFile], cuts: Mapping[str, Cut], what: str = "system") -> Iterator[_Reading]:
    for of_systems, of_others in _SIDES:
        groups: dict[str, list[ScoreFile]] = {}
        halves, systems = {}, {}
        for file in files:
            cut = cuts[file.source.name]
            system, pattern = cut.of(of_systems, what)
            groups.setdefault(pattern, []).append(file)
            halves[pattern] = getattr(cut, of_others)
            systems[system] = system.rpartition("/")[2]
        if len(set(systems.values())) == len(systems):
            in_folders = "/" in next(iter(cuts.values())).between
            yield _Reading(groups, halves, frozenset(systems.values()), in_folders)


def _weight(reading: _Reading) -> int:
    """How much speaks for a reading; 0 where nothing does."""
    if len(reading.groups) > len(reading.systems) and not _say_who(reading):
        return 0
    classes = _by_content(reading)
    several = [patterns for patterns in classes if len(patterns) > 1]
    apart = len(classes) > 1
    weights = [_weight_of_judges(reading, patterns) for patterns in several]
    return 0 if 0 in weights else min(weights, default=0) + apart


def _weight_of_judges(reading: _Reading, patterns: Sequence[str]) -> int:
    relevant = [_relevant(reading.groups[pattern]) for pattern in patterns]
    if all(relevant):
        return 4 if all(map(_is_of_one, relevant)) and not _is_of_one(frozenset().union(*relevant)) else 0
    halves = [reading.halves[pattern] for pattern in patterns]
    if _say_who(reading) or any(map(_OF_LABELS.search, differences(halves))):
        return 3
    return int(reading.in_folders and not all(map(NUMBERED.fullmatch, halves)))


def _say_who(reading: _Reading) -> bool:
    return all(map(says_who, reading.halves.values())) and not all(map(says_who, reading.systems))


def _relevant(files: Sequence[ScoreFile]) -> frozenset[tuple[str, float]]:
    return frozenset((row.topic, row.value) for file in files for row in file.rows if row.measure == RELEVANT)


def _is_of_one(relevant: frozenset[tuple[str, float]]) -> bool:
    """Whether outputs count the same relevant documents wherever they have a topic in common."""
    return len({topic for topic, _ in relevant}) == len(relevant)


def _by_content(reading: _Reading) -> list[list[str]]:
    """The patterns of files that share measures and topics."""
    content = {
        pattern: {(row.measure, row.topic) for file in files for row in file.rows}
        for pattern, files in reading.groups.items()
    }
    classes: list[tuple[set[tuple[str, str]], list[str]]] = []
    for pattern, cells in content.items():
        same = next((known for known in classes if known[0] & cells), None)
        if same:
            same[0].update(cells)
            same[1].append(pattern)
        else:
            classes.append((set(cells), [pattern]))
    return [patterns for _, patterns in classes]


def _by_pattern(reading: _Reading) -> list[Named]:
    return [Named(pattern, words) for pattern, words in _words(reading).items()]


def _words(reading: _Reading) -> dict[str, dict[str, str]]:
    """By pattern and measure, the words that tell the files' labels from those of others with the measure."""
    by_pattern: dict[str, dict[str, str]] = {pattern: {} for pattern in reading.groups}
    for patterns in _by_content(reading):
        said = differences([f"{reading.halves[pattern]}/x" for pattern in patterns])
        for pattern, words in zip(patterns, said, strict=True):
            by_pattern[pattern] = dict.fromkeys(_measures(reading.groups[pattern]), words if len(patterns) > 1 else "")
    return by_pattern


def _measures(files: Sequence[ScoreFile]) -> list[str]:
    return [*dict.fromkeys(row.measure for file in files for row in file.rows)]


def _is_plain(reading: _Reading) -> bool:
    """Whether files are called as their systems are, those by the same labels in a folder of their own."""
    plain = all(file.stem in reading.systems for files in reading.groups.values() for file in files)
    folders = [{PurePosixPath(file.source.name).parent for file in files} for files in reading.groups.values()]
    return plain and all(len(folder) == 1 for folder in folders) and len(set.union(*folders)) == len(folders)


def _asked(readings: Sequence[_Reading]) -> _Reading | None:
    """How names that cross might be read, where nothing says that they are of judges; None where numbers say no."""
    fit = [reading for reading in readings if len(reading.groups) <= len(reading.systems) and not _is_of_runs(reading)]
    return max(fit, key=lambda guess: len(guess.systems), default=None)


def _question(files: Sequence[ScoreFile], best: _Reading) -> Note:
    """Names that cross, of which nothing says that they are of judges."""
    shown = ", ".join([*best.groups][:3])
    text = (
        f"{len(files)} outputs read as of as many systems; their names cross: are they of {len(best.systems)} systems "
    )
    text += f"under {len(best.groups)} judges? In a collection.toml file = patterns such as {shown} say so"
    return Note("question", files[0].source.name, text)


def _is_of_runs(reading: _Reading) -> bool:
    """Whether numbers, or relevant documents that are the same in all outputs, say that no judges are in the names."""
    relevant = [_relevant(files) for files in reading.groups.values()]
    numbered = all(NUMBERED.fullmatch(half) for half in reading.halves.values())
    return numbered or (all(relevant) and _is_of_one(frozenset().union(*relevant)))
