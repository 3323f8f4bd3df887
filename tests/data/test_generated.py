"""Folders in every shape: roles, separators, headers, orders of columns, names and endings of files, all crossed.

Each opens with what was written, or is refused with a file and what to do. None is read as something else in silence.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
import pytest

import evalcore as ec

SYSTEMS, TOPICS, DOCUMENTS = ("bm25-a", "e5"), ("301", "302", "303"), [f"doc{at}" for at in range(6)]
MEASURES = {"known": ("map", "nDCG@10"), "unknown": ("GRADE", "Faith")}
HEADERS = {
    "system": ("run", "system", "model", "name"),
    "topic": ("topic", "qid", "query_id"),
    "document": ("docid", "docno", "doc_id"),
    "measure": ("measure", "metric"),
    "judge": ("judge", "assessor", "annotator"),
    "value": ("value", "score"),
    "grade": ("grade", "label", "rel"),
    "rank": ("rank", "position"),
    "score": ("score", "sim"),
}
SEPARATORS = {"comma": ",", "tab": "\t", "semicolon": ";", "space": " "}
NAMES, ENDINGS = ("a", "results", "map", "my-file.final"), ("txt", "csv", "tsv", "eval")
JUDGES = ("nist", "gpt-4o")
KEYS = {
    "scores": ("system", "topic", "measure"),
    "labels": ("topic", "document"),
    "judged": ("judge", "topic", "document"),
    "runs": ("topic", "document"),
    "ranked": ("system", "topic", "document"),
}
QRELS = "".join(f"{t} 0 {d} {(at + int(t)) % 3}\n" for t in TOPICS for at, d in enumerate(DOCUMENTS))
RUN = "".join(f"{t} Q0 {d} {at} {9.5 - at} x\n" for t in TOPICS for at, d in enumerate(DOCUMENTS, start=1))


@dataclass(frozen=True)
class Folder:
    kind: str  # "scores", "labels", "judged" (with a column of judges), "runs" or "ranked" (with a column of systems)
    order: tuple[str, ...]
    header: int | None  # which of the synonyms
    separator: str
    measures: str
    name: str

    @property
    def text(self) -> str:
        cells = [dict(zip(self.keys, place, strict=True)) for place in product(*map(self.held, self.keys))]
        rows = [[*(str(row[role] if role in row else value(row, role)) for role in self.order)] for row in cells]
        head = [] if self.header is None else [[HEADERS[r][self.header % len(HEADERS[r])] for r in self.order]]
        return "".join(SEPARATORS[self.separator].join(row) + "\n" for row in [*head, *rows])

    @property
    def keys(self) -> tuple[str, ...]:
        return KEYS[self.kind]

    def held(self, role: str) -> tuple[str, ...]:
        every = {"system": SYSTEMS, "topic": TOPICS, "document": tuple(DOCUMENTS), "judge": JUDGES}
        return MEASURES[self.measures] if role == "measure" else every[role]


def value(row: dict[str, str], role: str) -> float | int:
    """A number of its own for each score; grades 0 to 2; ranks from 1, in another order for each system."""
    if role in ("rank", "score"):
        start = TOPICS.index(row["topic"]) + 2 * SYSTEMS.index(row.get("system", SYSTEMS[0]))
        rank = (DOCUMENTS.index(row["document"]) + start) % len(DOCUMENTS) + 1
        return rank if role == "rank" else 9.5 - rank
    if role == "grade":
        return (
            DOCUMENTS.index(row["document"]) + TOPICS.index(row["topic"]) + JUDGES.index(row.get("judge", "nist"))
        ) % 3
    measures = [*MEASURES["known"], *MEASURES["unknown"]]
    places = (SYSTEMS.index(row["system"]), TOPICS.index(row["topic"]), measures.index(row["measure"]))
    return round(0.1 + 0.3 * places[0] + 0.05 * places[1] + 0.01 * places[2], 4)


def folders() -> Iterator[Folder]:
    orders = {
        "scores": [*permutations(("system", "topic", "measure", "value"))],
        "labels": [*permutations(("topic", "document", "grade"))],
        "judged": [*permutations(("judge", "topic", "document", "grade"))],
        "runs": [*permutations(("topic", "document", "rank")), *permutations(("topic", "document", "score", "rank"))],
        "ranked": [*permutations(("system", "topic", "document", "score"))],
    }
    names = [f"{name}.{ending}" for name, ending in product(NAMES, ENDINGS)]
    for kind, listed in orders.items():
        for order, header, separator, measures, name in product(
            listed, (None, 0, 1, 2), SEPARATORS, MEASURES if kind == "scores" else ("known",), names
        ):
            yield Folder(kind, order, header, separator, measures, name)


EVERY = [*folders()]


def opened(folder: Folder, manifest: str | None = None) -> ec.Collection:
    beside = {"labels": {"runs/x.run": RUN}, "judged": {"runs/x.run": RUN}, "scores": {}}
    files = {folder.name: folder.text, **beside.get(folder.kind, {"qrels.txt": QRELS})}
    return ec.load_files([(name, text.encode()) for name, text in files.items()], manifest=manifest)


def check(folder: Folder) -> str:
    """Return "asked" or "opened"; raise AssertionError if the folder was silently read as something else."""
    try:
        c = opened(folder)
    except ec.InputError as error:
        said = str(error)
    else:
        said = " ".join(note.text for note in c.report.notes if (note.kind, note.where) == ("question", folder.name))
    if said:
        assert "collection.toml" in said or any(name in said for name in (folder.name, "runs/x.run", "qrels.txt")), said
        return "asked"
    holds = {"scores": holds_scores, "labels": holds_labels, "judged": holds_judged}.get(folder.kind, holds_runs)
    holds(folder, c)
    return "opened"


def holds_scores(folder: Folder, c: ec.Collection) -> None:
    assert (set(c.systems), set(c.topics)) == ({*SYSTEMS}, {*TOPICS})
    assert set(c.rankings.given) == {*MEASURES[folder.measures]}
    for system, topic, measure in product(SYSTEMS, TOPICS, MEASURES[folder.measures]):
        found = ec.evaluate(f'Score("{measure}")', c).loc[topic, system]
        assert found == value({"system": system, "topic": topic, "measure": measure}, "value")


def holds_labels(folder: Folder, c: ec.Collection) -> None:
    assert (c.systems, len(c.aspects)) == (("x",), 1)
    assert graded(c, c.assessments.columns[c.aspects[0]]) == {
        (t, d): value({"topic": t, "document": d}, "grade") for t, d in product(TOPICS, DOCUMENTS)
    }


def holds_judged(folder: Folder, c: ec.Collection) -> None:
    assert (c.systems, len(c.aspects)) == (("x",), 1)
    sources = c.assessments.sources[c.aspects[0]].labels
    assert set(sources) == {*JUDGES}
    for judge, found in sources.items():
        assert graded(c, found) == {
            (t, d): value({"topic": t, "document": d, "judge": judge}, "grade") for t, d in product(TOPICS, DOCUMENTS)
        }


def graded(c: ec.Collection, grades: np.ndarray) -> dict[tuple[str, str], float]:
    pool = c.assessments
    return {(c.topics[t], d): grade for t, d, grade in zip(pool.topic, pool.documents, grades, strict=True)}


def holds_runs(folder: Folder, c: ec.Collection) -> None:
    systems = SYSTEMS if folder.kind == "ranked" else (folder.name.rpartition(".")[0] or folder.name,)
    if folder.name.endswith(".eval") and folder.kind == "runs":
        systems = (folder.name,)
    assert (set(c.systems), c.aspects) == ({*systems}, ("relevance",))
    for system in systems:
        rows = [{"topic": t, "document": d, "system": system if system in SYSTEMS else SYSTEMS[0]}
                for t, d in product(TOPICS, DOCUMENTS)]  # fmt: skip
        assert ranks(c, system) == {(row["topic"], row["document"]): value(row, "rank") for row in rows}


def ranks(c: ec.Collection, system: str) -> dict[tuple[str, str], int]:
    rankings, pool = c.rankings, c.assessments
    line = rankings.systems.index(system) * rankings.n_topics
    begin, end = rankings.indptr[line], rankings.indptr[line + rankings.n_topics]
    rows = rankings.row[begin:end]
    return {
        (c.topics[pool.topic[row]], pool.documents[row]): int(rank)
        for row, rank in zip(rows, rankings.rank[begin:end], strict=True)
    }


def test_some_folders_open_as_meant_or_ask() -> None:
    outcomes = [check(folder) for folder in random.Random(55).sample(EVERY, 60)]
    assert outcomes.count("opened") > 20


@pytest.mark.parametrize("kind", KEYS)
def test_declared_columns_are_read_as_declared(kind: str) -> None:
    """Declared roles say what a file holds, whatever its separator, order, name and header."""
    mine = [folder for folder in EVERY if folder.kind == kind]
    for folder in random.Random(7).sample(mine, 12):
        columns = f"columns = {[*folder.order]}\n".replace("'", '"')
        name, runs = f'file = "{folder.name}"\n', kind in ("runs", "ranked")
        labels = f"[aspects.relevance]\n{name}{columns}" if not runs else '[aspects.relevance]\nfile = "qrels.txt"\n'
        scores = "".join(f'[scores."{m}"]\n{name}{columns}' for m in MEASURES[folder.measures])
        head = f'runs = "{folder.name}"\nrun_{columns}' if runs else 'runs = "runs/*"\n'
        c = opened(folder, scores if kind == "scores" else head + labels)
        {"scores": holds_scores, "labels": holds_labels, "judged": holds_judged}.get(kind, holds_runs)(folder, c)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("separator", SEPARATORS)
def test_many_folders_open_as_meant_or_ask(kind: str, separator: str) -> None:
    assert len(EVERY) > 30_000
    mine = [folder for folder in EVERY if (folder.kind, folder.separator) == (kind, separator)]
    mine = random.Random(56).sample(mine, min(len(mine), 300))
    outcomes = [check(folder) for folder in mine]
    # Columns between spaces are no form of TREC's labels or runs: most are asked about.
    if kind in ("judged", "ranked") and separator == "space":
        assert "opened" not in outcomes
    else:
        least = 0.4 if kind == "scores" or separator != "space" else 0.0
        assert outcomes.count("opened") > least * len(mine)
