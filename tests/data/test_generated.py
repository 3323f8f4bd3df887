"""Folders in every shape: roles, separators, headers, orders of columns, names and endings of files, all crossed.

Each opens with what was written, or is refused with a file and what to do. None is read as something else in silence.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

import pytest

import evalcore as ec

SYSTEMS, TOPICS, DOCUMENTS = ("bm25-a", "e5"), ("301", "302", "303"), [f"doc{at}" for at in range(6)]
MEASURES = {"known": ("map", "nDCG@10"), "unknown": ("GRADE", "Faith")}
HEADERS = {
    "system": ("run", "system", "model", "name"),
    "topic": ("topic", "qid", "query_id"),
    "document": ("docid", "docno", "doc_id"),
    "measure": ("measure", "metric"),
    "value": ("value", "score"),
    "grade": ("grade", "label", "rel"),
}
SEPARATORS = {"comma": ",", "tab": "\t", "semicolon": ";", "space": " "}
NAMES, ENDINGS = ("a", "results", "map", "my-file.final"), ("txt", "csv", "tsv", "eval")
RUN = "".join(f"{t} Q0 {d} {at} {9.5 - at} x\n" for t in TOPICS for at, d in enumerate(DOCUMENTS, start=1))


@dataclass(frozen=True)
class Folder:
    kind: str  # "scores", "wide" or "labels"
    order: tuple[str, ...]
    header: int | None  # which of the synonyms
    separator: str
    measures: str
    name: str

    @property
    def text(self) -> str:
        cells = [dict(zip(self.keys, place, strict=True)) for place in product(*map(self.held, self.keys))]
        rows = [
            [*(str(value(row) if role in ("value", "grade") else row[role]) for role in self.order)] for row in cells
        ]
        head = [] if self.header is None else [[HEADERS[r][self.header % len(HEADERS[r])] for r in self.order]]
        return "".join(SEPARATORS[self.separator].join(row) + "\n" for row in [*head, *rows])

    @property
    def keys(self) -> tuple[str, ...]:
        return ("topic", "document") if self.kind == "labels" else ("system", "topic", "measure")

    def held(self, role: str) -> tuple[str, ...]:
        return {"system": SYSTEMS, "topic": TOPICS, "document": tuple(DOCUMENTS), "measure": MEASURES[self.measures]}[
            role
        ]


def value(row: dict[str, str]) -> float | int:
    """A number of its own for each score; grades 0 to 2."""
    if "document" in row:
        return (DOCUMENTS.index(row["document"]) + TOPICS.index(row["topic"])) % 3
    measures = [*MEASURES["known"], *MEASURES["unknown"]]
    places = (SYSTEMS.index(row["system"]), TOPICS.index(row["topic"]), measures.index(row["measure"]))
    return round(0.1 + 0.3 * places[0] + 0.05 * places[1] + 0.01 * places[2], 4)


def folders() -> Iterator[Folder]:
    scores = permutations(("system", "topic", "measure", "value"))
    labels = permutations(("topic", "document", "grade"))
    names = [f"{name}.{ending}" for name, ending in product(NAMES, ENDINGS)]
    for kind, orders in (("scores", [*scores]), ("labels", [*labels])):
        for order, header, separator, measures, name in product(
            orders, (None, 0, 1, 2), SEPARATORS, MEASURES if kind == "scores" else ("known",), names
        ):
            yield Folder(kind, order, header, separator, measures, name)


EVERY = [*folders()]


def check(folder: Folder) -> str:
    """What became of it; raises AssertionError where it was read as something else in silence."""
    files = {folder.name: folder.text} | ({"runs/x.run": RUN} if folder.kind == "labels" else {})
    try:
        c = ec.load_files([(name, text.encode()) for name, text in files.items()])
    except ec.InputError as error:
        said = str(error)
    else:
        said = " ".join(note.text for note in c.report.notes if (note.kind, note.where) == ("question", folder.name))
    if said:
        assert "collection.toml" in said or any(name in said for name in files), said
        return "asked"
    if folder.kind == "labels":
        assert c.systems == ("x",)
        for topic, document in product(TOPICS, DOCUMENTS):
            row = (c.assessments.documents == document) & (c.assessments.topic == c.topics.index(topic))
            assert c.assessments.columns[c.aspects[0]][row].tolist() == [value({"topic": topic, "document": document})]
        return "opened"
    assert (set(c.systems), set(c.topics)) == ({*SYSTEMS}, {*TOPICS})
    assert set(c.rankings.given) == {*MEASURES[folder.measures]}
    for system, topic, measure in product(SYSTEMS, TOPICS, MEASURES[folder.measures]):
        found = ec.evaluate(f'Score("{measure}")', c).loc[topic, system]
        assert found == value({"system": system, "topic": topic, "measure": measure})
    return "opened"


def test_some_folders_open_as_meant_or_ask() -> None:
    outcomes = [check(folder) for folder in random.Random(55).sample(EVERY, 60)]
    assert outcomes.count("opened") > 20


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["scores", "labels"])
@pytest.mark.parametrize("separator", SEPARATORS)
def test_all_folders_open_as_meant_or_ask(kind: str, separator: str) -> None:
    assert len(EVERY) > 3000
    mine = [folder for folder in EVERY if (folder.kind, folder.separator) == (kind, separator)]
    outcomes = [check(folder) for folder in mine]
    # Three columns between spaces are no form of TREC's: most are asked about.
    least = 0.0 if (kind, separator) == ("labels", "space") else 0.4
    assert outcomes.count("opened") > least * len(mine)
