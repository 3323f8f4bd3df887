"""Names of files that cross: each of some systems with (nearly) each of some judges, as `bm25.nist.eval` has them.

Where the words of a name stand, and what parts them, is open: names are cut wherever words meet, and a way of cutting
them crosses where hardly a beginning lacks one of the ends.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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
    if len(groups) < 2 or any(
        len(group) < 2 or min(len(words[at]) for at in group) <= depth for group, depth in groups
    ):
        return False
    beginnings = {words[at][: -depth - 1] for group, depth in groups for at in group}
    return FULL * len(groups) * len(beginnings) <= len(words)


def _cut(words: Words, depth: int, turned: bool) -> tuple[str, str, str]:
    """The left half, what parts it from the right one, and that."""
    at = depth if turned else len(words) - depth - 1
    return "".join(words[:at]), words[at], "".join(words[at + 1 :])
