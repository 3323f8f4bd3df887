"""Generator of the sample collection `diversity/`: ambiguous searches, and the publishers of their results.

    python -m sample_data.make_diversity

24 short queries (jaguar, mercury, java, ...) each have 3 to 5 meanings; the first is the one that most people mean.
Documents are about one meaning; some overviews are about several. A press, a shop or a club publishes them; shops write
mostly about the first meaning. There are four kinds of systems: `focus` ranks the first meaning first, again and again;
`spread` alternates between meanings; `press` and `shop` prefer that publisher. Within a kind, skill rises with size.
Grades by subtopic are as in TREC's Web track (the subtopic in the second column of qrels).

Random numbers come from streams named by their purpose, of the class `RandomState`, whose streams never change.
"""

from __future__ import annotations

import zlib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np

from sample_data.files import write_all

HERE = Path(__file__).parent
SEED = "diversity-1"
WORDS = (
    "jaguar", "mercury", "java", "python", "apple", "orange", "crane", "bank", "bark", "bass", "bat", "bolt", "current",
    "date", "fan", "jam", "match", "mint", "mole", "nail", "palm", "pitch", "ring", "seal",
)  # fmt: skip
PUBLISHERS = ("club", "press", "shop")
KINDS = ("focus", "spread", "press", "shop")
SIZES = {"small": 0.9, "base": 0.55, "large": 0.3}  # standard deviation of the noise; less noise means more skill
STILL_NEW, LATER = Fraction(2, 5), Fraction(2, 25)  # factor for a meaning seen before; cost of each lower position
PER_MEANING, OVERVIEWS, OTHERS, DEPTH = 5, 2, 12, 20
DESCRIPTION = """\
title = "Ambiguous searches (synthetic)"
description = "Short queries that may mean several things, with grades by meaning"
order = "score"
runs = ["runs/*"]

[aspects.relevance]
file = "qrels.txt"
grades = [0, 1, 2]
names = ["not about it", "about it", "key"]

[topics]
file = "topics.tsv"
"""


def random(name: str) -> np.random.RandomState:
    """Return the random stream with this name."""
    return np.random.RandomState(zlib.crc32(f"{SEED} {name}".encode()))


def make() -> dict[str, str]:
    """Return the content of each file, by its name."""
    qrels, groups = list[str](), dict[str, str]()
    runs: dict[str, list[str]] = {f"{kind}_{size}": [] for kind in KINDS for size in SIZES}
    for at, word in enumerate(WORDS, start=1):
        topic = f"q{at:02d}"
        grades = grades_of(topic, word)
        groups |= {document: publisher(document, about) for document, about in grades.items()}
        meanings = max(len(about) for about in grades.values())
        for document, about in sorted(grades.items()):
            qrels += [f"{topic} {i} {document} {about[i - 1]}" for i in range(1, meanings + 1)]
        for system, lines in runs.items():
            ranked = ranking(system, topic, grades, groups)
            lines += [f"{topic} Q0 {one} {rank} {DEPTH + 1 - rank} {system}" for rank, one in enumerate(ranked, 1)]
    topics = [f"q{at:02d}\t{word}" for at, word in enumerate(WORDS, start=1)]
    files = {"qrels.txt": qrels, "topics.tsv": topics}
    files |= {f"runs/{system}.run": lines for system, lines in runs.items()}
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()} | {"collection.toml": DESCRIPTION}


def grades_of(topic: str, word: str) -> dict[str, list[int]]:
    """Map each document of a topic to its grades, drawn for each of the topic's meanings."""
    draw = random(f"documents {topic}")
    meanings = draw.randint(3, 6)
    found: dict[str, list[int]] = {}
    for meaning in range(meanings):
        for nth in range(PER_MEANING + 2 * (meaning == 0)):
            grades = [0] * meanings
            grades[meaning] = 1 + int(draw.rand() < 0.35)
            found[f"{word}-{meaning + 1}-{nth + 1}"] = grades
    for nth in range(OVERVIEWS):
        about = (draw.rand(meanings) < 0.6).astype(int)
        about[draw.randint(meanings)] = 1
        found[f"{word}-all-{nth + 1}"] = about.tolist()
    return found | {f"{word}-other-{nth + 1}": [0] * meanings for nth in range(OTHERS)}


def publisher(document: str, about: list[int]) -> str:
    """Return the publisher of a document, drawn at random; a shop writes mostly about the first meaning."""
    shop = 0.6 if about[0] else 0.25
    return str(random(f"publisher {document}").choice(PUBLISHERS, p=[(1 - shop) * 0.4, (1 - shop) * 0.6, shop]))


def ranking(system: str, topic: str, grades: dict[str, list[int]], groups: dict[str, str]) -> list[str]:
    """Return the documents as a system ranks them, down to DEPTH: by grade, noise and the system's preference."""
    kind, _, size = system.partition("_")
    draw = random(f"run {system} {topic}")
    names = sorted(grades)
    scores = {one: max(grades[one]) + SIZES[size] * draw.randn() for one in names}
    if kind == "focus":
        scores = {one: score + 1.2 * (grades[one][0] > 0) for one, score in scores.items()}
    elif kind in PUBLISHERS:
        scores = {one: score + 0.9 * (groups[one] == kind) for one, score in scores.items()}
    ordered = sorted(names, key=lambda one: -scores[one])
    return (taking_turns(ordered, grades) if kind == "spread" else ordered)[:DEPTH]


def taking_turns(ordered: list[str], grades: dict[str, list[int]]) -> list[str]:
    """Return the documents in an order that alternates between meanings.

    A document is worth more if its meanings were seen less often so far, and if it is early in `ordered`. The document
    worth most comes next; of several equal ones, the first. Ties are frequent, so values are exact fractions.
    """
    about = {one: [meaning for meaning, grade in enumerate(grades[one]) if grade] for one in ordered}
    left, taken, seen = list(ordered), list[str](), Counter[int]()
    while left:
        worths = [sum(STILL_NEW ** seen[meaning] for meaning in about[one]) for one in left]
        best = max(range(len(left)), key=lambda at: worths[at] - LATER * at)
        taken.append(left.pop(best))
        seen.update(about[taken[-1]])
    return taken


if __name__ == "__main__":
    write_all(HERE / "diversity", make())
