"""Random folders of runs and labels whose truth is known, and a slow, obvious reading of that truth.

One in eight is no folder but frames, dicts and records in memory. Nothing here is shared with the readers under test:
files are written by hand or by pandas, and scores are computed by loops over dicts. `random_folder(seed)` makes one,
`difference(folder, place)` loads it and says what came of it.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import zipfile
from collections import namedtuple
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pandas as pd
import pyarrow as pa

import evalcore as ec

Labels = dict[tuple[str, str], float]  # by topic and document
Ranking = dict[str, list[str]]  # documents by topic, best first


@dataclass
class Folder:
    """Files, and their meaning."""

    seed: int
    files: dict[str, bytes] = field(default_factory=dict)
    runs: dict[tuple[str, str], Ranking] = field(default_factory=dict)  # by file, and the system that a table names
    aspects: dict[str, Labels] = field(default_factory=dict)
    sources: dict[str, dict[str, Labels]] = field(default_factory=dict)  # by aspect: those that are not the default
    listed: list[str] = field(default_factory=list)  # what the report must name as not read
    joined: list[str] = field(default_factory=list)  # files that it must name as parts
    broken: tuple[str, int] | None = None  # the file and line that an error must name
    asked: str = ""  # the file that must be asked about
    how: str = "files"
    memory: dict[str, object] = field(default_factory=dict)  # the arguments of `ec.collection`, where no files are


# --- the slow reading ------------------------------------------------------------------------------------------------


def average_precision(ranking: list[str], labels: dict[str, float]) -> float:
    relevant = sum(grade > 0 for grade in labels.values())
    hits, total = 0, 0.0
    for rank, document in enumerate(ranking, start=1):
        if labels.get(document, 0) > 0:
            hits += 1
            total += hits / rank
    return total / relevant if relevant else 0.0


def reciprocal_rank(ranking: list[str], labels: dict[str, float]) -> float:
    return next((1 / rank for rank, one in enumerate(ranking, start=1) if labels.get(one, 0) > 0), 0.0)


def precision_at_5(ranking: list[str], labels: dict[str, float]) -> float:
    return sum(labels.get(document, 0) > 0 for document in ranking[:5]) / 5


SLOW = {"AP": average_precision, "RR": reciprocal_rank, "P@5": precision_at_5}


def of_topic(labels: Labels, topic: str) -> dict[str, float]:
    return {document: grade for (name, document), grade in labels.items() if name == topic}


# --- writing ---------------------------------------------------------------------------------------------------------

GENERAL = ["qid", "query_id", "topic", "topic_id"], ["docno", "docid", "doc_id", "document"]


def rows_of(labels: Labels) -> list[tuple[str, str, float]]:
    return [(topic, document, grade) for (topic, document), grade in labels.items()]


def number(grade: float) -> str:
    return str(int(grade)) if grade == int(grade) else str(grade)


def trec_labels(rows: list[tuple[str, str, float]], draw: Random) -> bytes:
    second = draw.choice(["0", "Q0"])
    return "".join(f"{topic} {second} {document} {number(grade)}\n" for topic, document, grade in rows).encode()


def table_bytes(frame: pd.DataFrame, ending: str, index: bool = False) -> bytes:
    buffer = io.BytesIO()
    if ending == ".parquet":
        frame.to_parquet(buffer, index=False)
        return buffer.getvalue()
    if ending == ".jsonl":
        return frame.to_json(orient="records", lines=True).encode()
    if ending == ".json":
        return frame.to_json(orient="records").encode()
    return frame.to_csv(index=index, sep="\t" if ending == ".tsv" else ",").encode()


def label_frame(rows: list[tuple[str, str, float]], draw: Random, header: str) -> pd.DataFrame:
    topic, document = draw.choice(GENERAL[0]), draw.choice(GENERAL[1])
    frame = pd.DataFrame(rows, columns=[topic, document, header])
    whole = all(grade == int(grade) for _, _, grade in rows)
    frame[header] = frame[header].astype(int) if whole else frame[header]
    if all(one.isdigit() and not one.startswith("0") for one in frame[topic]) and draw.random() < 0.3:
        frame[topic] = frame[topic].astype(float)  # 101.0
    return frame


def json_labels(rows: list[tuple[str, str, float]]) -> bytes:
    found: dict[str, dict[str, float]] = {}
    for topic, document, grade in rows:
        found.setdefault(topic, {})[document] = int(grade) if grade == int(grade) else grade
    return json.dumps(found).encode()


COMPRESSORS = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": lambda data: pa.compress(data, codec="zstd", asbytes=True),
}


def compressed(name: str, content: bytes, draw: Random) -> tuple[str, bytes]:
    ending = draw.choice([*COMPRESSORS, "", "", ""]) if not name.endswith(".parquet") else ""
    return name + ending, COMPRESSORS[ending](content)


def write_labels(folder: Folder, stem: str, labels: Labels, draw: Random, header: str = "label") -> str:
    """Write a file of labels in some form, under a stem that says what they are; return the file's name."""
    rows = rows_of(labels)
    if draw.random() < 0.5:
        draw.shuffle(rows)
    form = draw.choice(["trec", "trec", "trec", ".csv", ".tsv", ".parquet", ".jsonl", ".json", "dict"])
    if form == "trec":
        name, content = stem + draw.choice([".txt", ".txt", ".qrels"]), trec_labels(rows, draw)
    elif form == "dict":
        name, content = f"{stem}.json", json_labels(rows)
    else:
        name, content = stem + form, table_bytes(label_frame(rows, draw, header), form)
    name, content = compressed(name, content, draw)
    folder.files[name] = content
    return name


def write_run(folder: Folder, stem: str, ranking: Ranking, draw: Random) -> None:
    rows = [
        (topic, document, rank, round(40 - rank + 0.25, 2))
        for topic, documents in ranking.items()
        for rank, document in enumerate(documents, start=1)
    ]
    form = draw.choice(
        ["trec", "trec", "trec", "whole", "three", ".csv", ".tsv", ".parquet", ".jsonl", ".json", "dict"]
    )
    if form in ("trec", "whole"):
        second = draw.choice(["Q0", "0"])
        scores = [int(score) if form == "whole" else score for _, _, _, score in rows]
        tag = draw.choice(["tag", "7", stem.split("/")[-1]])
        lines = (f"{t} {second} {d} {r} {s} {tag}\n" for (t, d, r, _), s in zip(rows, scores, strict=True))
        name, content = stem + draw.choice([".txt", ".run", ".res", ""]), "".join(lines).encode()
    elif form == "three":
        name, content = f"{stem}.txt", "".join(f"{t}\t{d}\t{r}\n" for t, d, r, _ in rows).encode()
    elif form == "dict":
        whole = draw.random() < 0.5
        found: dict[str, dict[str, float]] = {}
        for t, d, _, s in rows:
            found.setdefault(t, {})[d] = int(s) if whole else s
        name, content = f"{stem}.json", json.dumps(found).encode()
    else:
        frame = pd.DataFrame(rows, columns=[draw.choice(GENERAL[0]), draw.choice(GENERAL[1]), "rank", "score"])
        frame = frame.drop(columns=draw.choice([["rank"], [], []]))
        name, content = stem + form, table_bytes(frame, form)
    name, content = compressed(name, content, draw)
    folder.files[name] = content
    folder.runs[name, ""] = ranking


def write_table_of_runs(folder: Folder, name: str, rankings: dict[str, Ranking]) -> None:
    rows = [
        (system, topic, document, 100 - rank)
        for system, ranking in rankings.items()
        for topic, documents in ranking.items()
        for rank, document in enumerate(documents)
    ]
    frame = pd.DataFrame(rows, columns=["run_id", "qid", "docno", "score"])
    folder.files[name] = frame.to_csv(index=False).encode()
    for system, ranking in rankings.items():
        folder.runs[name, system] = ranking


# --- a random folder -------------------------------------------------------------------------------------------------

PARTS = (
    ["2019", "2020", "2021"], ["part1", "part2", "part3"], ["a", "b", "c"], ["dl19", "dl20", "dl21"],
    ["round1", "round2", "round3"], ["train", "dev", "test"], ["1-50", "51-100", "101-150"],
)  # fmt: skip
JUDGES = ("umbrela", "gpt4", "llm", "crowd", "assessor2", "llama3")
NAMED = {
    "understandability": ["qread", "qrels.understandability", "readability"],
    "credibility": ["credibility", "qrels.credible", "qcred"],
    "trustworthiness": ["qtrust", "labels-trust"],
    "usefulness": ["quse", "useful"],
    "novelty": ["qrels.novelty", "novelty"],
    "stance": ["qrels.stance"],
}
ODD: tuple[tuple[str, list[float]], ...] = (  # names that say nothing of an aspect, and grades
    ("vital", [0, 0.5, 1]), ("exam-mean", [0, 1, 2, 3, 4, 5]), ("zest", [0, 10, 20]),
)  # fmt: skip
HEADERS = {
    "relevance": ["Relevance", "topical_relevance", "rel", "label", "is_relevant"],
    "understandability": ["readability", "Understandability", "understandable"],
    "credibility": ["credibility", "Credible"],
    "freshness": ["freshness"],
}
NO_LABELS = {
    "worker_id": lambda at, draw: draw.choice(["w1", "w2", "w3"]),
    "seconds": lambda at, draw: round(draw.uniform(2, 90), 2),
    "Unnamed: 0": lambda at, draw: at,
    "comment": lambda at, draw: draw.choice(["", "fine", "odd one"]),
    "duration_ms": lambda at, draw: draw.randrange(1000, 90000),
    "timestamp": lambda at, draw: f"2024-05-0{1 + at % 9}T10:00:00",
    "hit_id": lambda at, draw: f"H{at}",
    "url": lambda at, draw: f"http://example.org/{at}",
}
EVAL = "".join(f"map                   \t{topic}\t0.{topic}\n" for topic in (101, 102)) + "map     \tall\t0.2\n"
CLUTTER = {
    "Thumbs.db": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
    "notes.ipynb": b'{"cells": [], "nbformat": 4}',
    "paper.pdf": b"%PDF-1.4\n\0\xff",
    "README.md": b"# Read me\n",
    "desktop.ini": b"[.ShellClassInfo]\r\n",
    "x.run.eval": EVAL.encode(),
    "x.treceval": EVAL.encode(),
    "out_irm.txt": b"101\tAP@10\t0.25\n102\tAP@10\t0.5\nall\tAP@10\t0.375\n",
    "summary.txt": b"AP\t0.25\nnDCG@10\t0.5\n",
    "ours.csv": b"system,measure,topic,score\na,AP,101,0.25\na,AP,102,0.5\n",
    "wide.csv": b"topic,a,b\n101,0.25,0.5\n102,0.5,0.125\n",
    "gdeval.csv": b"runid,topic,ndcg@20,err@20\na,101,0.25,0.125\na,amean,0.25,0.125\n",
    "results.json": b'{"101": {"map": 0.25, "ndcg": 0.5}, "102": {"map": 0.5, "ndcg": 0.25}}',
    "per_query.jsonl": b'{"query_id": "101", "measure": "AP", "value": 0.25}\n',
    "labels.xlsx": b"PK\x03\x04\x14\0\0\0\0\0xl/workbook.xml",
    "figure.png": b"\x89PNG\r\n\x1a\n\0\0",
    ".DS_Store": b"\0\0\0\1Bud1\0",
    "._qrels.txt": b"\0\5\x16\7\0\2",
    ".git/HEAD": b"ref: refs/heads/main\n",
    ".ipynb_checkpoints/qrels.txt": b"101 0 d1 1\n",
    "__MACOSX/._a.run": b"\0\5\x16\7\0\2",
}


def random_labels(topics: list[str], documents: list[str], draw: Random, grades: list[float]) -> Labels:
    """Grades of many documents of each topic, all of them at least once."""
    labels = {
        (topic, document): draw.choice(grades) for topic in topics for document in documents if draw.random() < 0.8
    }
    return labels | dict(zip(draw.sample(sorted(labels), len(grades)), grades, strict=True))


def noisy(labels: Labels, draw: Random, grades: list[float]) -> Labels:
    """Labels of another judge, for most of the same documents."""
    return {
        pair: draw.choice(grades) if draw.random() < 0.2 else grade
        for pair, grade in labels.items()
        if draw.random() < 0.9
    }


def random_folder(seed: int) -> Folder:
    draw = Random(seed)
    folder = Folder(seed, how=draw.choice(["files", "folder", "zip"]))
    topics = draw.choice([["101", "102", "103", "104"], ["q1", "q2", "q3"], ["MB05", "MB06", "MB17", "MB20", "MB21"]])
    documents = [f"{draw.choice(['d', 'clueweb-', 'LA0'])}{at}" for at in range(14)]
    grades: list[float] = draw.choice([[0, 1], [0, 1, 2], [0, 1, 2, 3]])
    labels = random_labels(topics, documents, draw, grades)
    folder.aspects["relevance"] = labels
    if seed % 8 == 7:
        return _in_memory(folder, topics, documents, draw)
    kind = draw.random()
    if kind < 0.2:
        _one_table(folder, labels, draw)
    elif kind < 0.3:
        _long_table(folder, labels, draw)
    elif kind < 0.4:
        _table_of_judges(folder, labels, draw)
    elif kind < 0.5:
        _columns_of_qrels(folder, labels, draw)
    else:
        _files_of_labels(folder, labels, topics, documents, grades, draw)
    _runs(folder, topics, documents, draw)
    where = draw.choice(["", "runs/", "other/"])
    for name in draw.sample(sorted(CLUTTER), draw.randrange(5)):
        folder.files[where + name] = CLUTTER[name]
        is_inside = name.startswith((".", "__")) and "/" in name
        if not is_inside and not name.startswith("."):
            folder.listed.append(where + name)
    if draw.random() < 0.1:
        _ambiguous(folder, topics, draw)
    if draw.random() < 0.15:
        _break(folder, draw)
    return folder


def _one_table(folder: Folder, labels: Labels, draw: Random) -> None:
    """Write several aspects as columns of one table, with columns that are no labels."""
    rows = rows_of(labels)
    table = {"qid": [t for t, _, _ in rows], "docno": [d for _, d, _ in rows]}
    columns: dict[str, list[object]] = {draw.choice(HEADERS["relevance"]): [int(grade) for _, _, grade in rows]}
    for aspect in draw.sample(["understandability", "credibility", "freshness"], draw.randrange(3)):
        folder.aspects[aspect] = {(t, d): draw.choice([0, 1, 2]) for t, d, _ in rows}
        columns[draw.choice(HEADERS[aspect])] = list(folder.aspects[aspect].values())
    for header in draw.sample(sorted(NO_LABELS), draw.randrange(4)):
        columns[header] = [NO_LABELS[header](at, draw) for at in range(len(rows))]
        folder.listed.append(header)
    ordered = sorted(columns, key=lambda _: draw.random())
    frame = pd.DataFrame({**table, **{name: columns[name] for name in ordered}})
    ending = draw.choice([".csv", ".tsv", ".parquet", ".jsonl", ".json"])
    folder.files[draw.choice(["qrels", "labels", "judgments", "annotations"]) + ending] = table_bytes(frame, ending)


def _long_table(folder: Folder, labels: Labels, draw: Random) -> None:
    """Write a row for each label, with its aspect in a column."""
    aspects = {"relevance": labels}
    for aspect in draw.sample(["understandability", "credibility", "freshness"], 2):
        aspects[aspect] = {pair: draw.choice([0, 1, 2]) for pair in labels}
    names = {
        aspect: draw.choice([header for header in HEADERS[aspect] if header not in ("label", "rel")])
        for aspect in aspects
    }
    rows = [(t, d, names[aspect], int(grade)) for aspect, given in aspects.items() for (t, d), grade in given.items()]
    draw.shuffle(rows)
    frame = pd.DataFrame(
        rows, columns=["query_id", "doc_id", draw.choice(["aspect", "dimension", "criterion"]), "label"]
    )
    ending = draw.choice([".csv", ".tsv", ".parquet", ".jsonl", ".json"])
    folder.files["labels" + ending] = table_bytes(frame, ending)
    folder.aspects = aspects


def _table_of_judges(folder: Folder, labels: Labels, draw: Random) -> None:
    """Write a row for each label of each judge; the judge with the most labels is read unasked."""
    others = {name: noisy(labels, draw, sorted(set(labels.values()))) for name in ("ben", "eve")[: draw.choice([1, 2])]}
    others = {name: dict(list(given.items())[: len(labels) - 3]) for name, given in others.items()}
    rows = [(who, t, d, int(g)) for who, given in {"ann": labels, **others}.items() for (t, d), g in given.items()]
    draw.shuffle(rows)
    who = draw.choice(["judge", "assessor", "worker_id", "annotator"])
    frame = pd.DataFrame(rows, columns=[who, "qid", "docno", draw.choice(["label", "Relevance", "rel"])])
    ending = draw.choice([".csv", ".tsv", ".parquet", ".jsonl", ".json"])
    folder.files["annotations" + ending] = table_bytes(frame, ending)
    folder.sources["relevance"] = others


def _columns_of_qrels(folder: Folder, labels: Labels, draw: Random) -> None:
    """Write lines of a topic, a document and a grade for each aspect; the name of the file lists the aspects."""
    words = draw.sample([("useful", "usefulness"), ("credible", "credibility"), ("readable", "understandability")], 2)
    words = [("relevant", "relevance"), *words][: draw.choice([2, 3])]
    folder.aspects = {aspect: {pair: draw.choice([0, 1, 2]) for pair in labels} for _, aspect in words}
    folder.aspects["relevance"] = labels
    second = draw.choice(["0", "Q0"])
    lines = (
        f"{t} {second} {d} {' '.join(number(given[t, d]) for given in folder.aspects.values())}\n" for t, d in labels
    )
    order = {aspect: word for word, aspect in words}
    folder.files[f"qrels.{'-'.join(order[aspect] for aspect in folder.aspects)}"] = "".join(lines).encode()


def _ambiguous(folder: Folder, topics: list[str], draw: Random) -> None:
    """Write a number for one document of each topic, which could be a run or labels, so that it must be asked."""
    folder.files["either.json"] = json.dumps({topic: {"d1": draw.randrange(3)} for topic in topics}).encode()
    folder.asked = "either.json"


def _files_of_labels(
    folder: Folder, labels: Labels, topics: list[str], documents: list[str], grades: list[float], draw: Random
) -> None:
    """Write relevance in one file or in parts, other judges of it, other aspects, each in a file of some form."""
    stem = draw.choice(["qrels", "qrels", "qrels.relevance", "relevance"])
    names = draw.choice(PARTS)[: draw.choice([1, 2, 2, 3])]
    by_topic = draw.random() < 0.7 and len(names) <= len(topics)
    if draw.random() < 0.2:
        stem = "{}/" + stem  # each part in a folder of its own
    _in_parts(folder, stem, labels, names, by_topic, draw)
    stem = stem.removeprefix("{}/")
    for judge in draw.sample(JUDGES, draw.choice([0, 0, 1, 2])):
        given = noisy(labels, draw, grades)
        folder.sources.setdefault("relevance", {})[judge] = given
        parts = names if draw.random() < 0.3 else names[:1]
        _in_parts(folder, f"{stem}.{judge}", given, parts, by_topic, draw)
    for aspect in draw.sample(sorted(NAMED), draw.randrange(3)):
        folder.aspects[aspect] = random_labels(
            topics, documents, draw, draw.choice([[0, 1], [0, 1, 2], [0, 0.25, 0.5, 1]])
        )
        write_labels(folder, draw.choice(NAMED[aspect]), folder.aspects[aspect], draw)
    if draw.random() < 0.3:  # an aspect that only its labels tell from another source
        name, odd = draw.choice(ODD)
        folder.aspects[name] = random_labels(topics, documents, draw, odd)
        write_labels(
            folder, draw.choice([f"{stem}.{name}" if "-" not in name else name, name]), folder.aspects[name], draw
        )


def _in_parts(folder: Folder, stem: str, labels: Labels, names: list[str], by_topic: bool, draw: Random) -> None:
    if len(names) == 1:
        write_labels(folder, stem.removeprefix("{}/"), labels, draw)
        return
    topics = sorted({topic for topic, _ in labels})
    parts: list[Labels] = [{} for _ in names]
    for at, (pair, grade) in enumerate(labels.items()):
        parts[(topics.index(pair[0]) if by_topic else at) % len(names)][pair] = grade
    for name, part in zip(names, parts, strict=True):
        place = stem.format(name) if "{}" in stem else f"{stem}.{name}"
        folder.joined.append(write_labels(folder, place, part, draw))


def _runs(folder: Folder, topics: list[str], documents: list[str], draw: Random) -> None:
    def ranking() -> Ranking:
        pool = [*documents, *(f"x{at}" for at in range(8))]
        return {
            topic: draw.sample(pool, draw.randrange(9, 20))
            for topic in topics
            if draw.random() < 0.95 or topic == topics[0]
        }

    place = draw.choice(["runs/", "", "systems/"])
    for at in range(draw.randrange(1, 5)):
        write_run(folder, f"{place}{draw.choice(['bm25', 'dense', 'team_run', 'sys.v'])}{at}", ranking(), draw)
    if place and draw.random() < 0.2:  # names that clash
        for team in ("alpha", "beta"):
            write_run(folder, f"{place}{team}/final", ranking(), draw)
    if draw.random() < 0.15:
        write_table_of_runs(folder, f"{place}all_runs.csv", {"one": ranking(), "two": ranking()})


def _break(folder: Folder, draw: Random) -> None:
    """Break a line of a file of plain text, so that nothing can read it."""
    endings = (".txt", ".run", ".res", ".qrels")
    plain = [name for name in folder.files if name.endswith(endings) and folder.files[name].count(b" ") > 60]
    if not plain:
        return
    name = draw.choice(plain)
    lines = folder.files[name].decode().splitlines()
    at = draw.randrange(1, len(lines))
    lines[at] = " ".join(lines[at].split()[:3])
    folder.files[name] = "\n".join(lines).encode()
    folder.broken = (name, at + 1)


# --- frames and dicts in memory ---------------------------------------------------------------------------------------


def _in_memory(folder: Folder, topics: list[str], documents: list[str], draw: Random) -> Folder:
    """Put labels and runs into the objects of pandas, polars, Arrow, pytrec_eval and ir_measures."""
    folder.how = "memory"
    labels = folder.aspects["relevance"]
    for aspect in draw.sample(["understandability", "credibility", "freshness"], draw.randrange(3)):
        folder.aspects[aspect] = {pair: draw.choice([0, 1, 2]) for pair in labels}
    form = draw.choice(["one frame", "long", "by name", "by name", "judges"])
    if form == "one frame":
        folder.memory["aspects"] = _frame_of_aspects(folder, draw)
    elif form == "long":
        rows = [(t, d, name, g) for name, given in folder.aspects.items() for (t, d), g in given.items()]
        frame = pd.DataFrame(rows, columns=[*_keys(draw), "aspect", draw.choice(["grade", "label"])])
        folder.memory["aspects"] = _held(frame, draw)
    else:
        others = {name: noisy(labels, draw, sorted(set(labels.values()))) for name in ("ben", "eve")}
        folder.sources = {"relevance": others} if form == "judges" else {}
        folder.memory["aspects"] = {name: _some_form(given, draw, "grade") for name, given in folder.aspects.items()}
        if form == "judges":
            given = {"ann": labels, **others}
            folder.memory["aspects"]["relevance"] = {who: _some_form(one, draw, "grade") for who, one in given.items()}  # type: ignore[index]
    folder.memory["runs"] = _runs_in_memory(folder, topics, documents, draw)
    return folder


def _keys(draw: Random) -> list[str]:
    return [draw.choice(GENERAL[0]), draw.choice(GENERAL[1])]


def _held(frame: pd.DataFrame, draw: Random) -> object:
    """A frame of pandas, with whole numbers or decimals as topics and any index, of polars, or an Arrow table."""
    topic = frame.columns[0]
    if topic in GENERAL[0] and frame[topic].str.isdecimal().all():
        frame = frame.astype({topic: draw.choice([str, int, float])})
    form = draw.choice(["pandas", "index", "arrow", "polars"])
    if form == "polars" and find_spec("polars"):
        return import_module("polars").from_pandas(frame)
    if form == "index":
        return frame.set_axis(range(7, 7 + 2 * len(frame), 2))
    return frame if form == "pandas" else pa.Table.from_pandas(frame, preserve_index=False)


def _frame_of_aspects(folder: Folder, draw: Random) -> object:
    """Make a column for each aspect, among columns that are no labels."""
    rows = rows_of(folder.aspects["relevance"])
    topic, document = _keys(draw)
    columns: dict[str, list[object]] = {
        draw.choice(HEADERS[one]): list(labels.values()) for one, labels in folder.aspects.items()
    }
    for header in draw.sample(sorted(NO_LABELS), draw.randrange(3)):
        columns[header] = [NO_LABELS[header](at, draw) for at in range(len(rows))]
        folder.listed.append(header)
    keys = {topic: [t for t, _, _ in rows], document: [d for _, d, _ in rows]}
    return _held(pd.DataFrame({**keys, **columns}), draw)


def _some_form(given: Labels, draw: Random, value: str) -> object:
    """Return numbers of pairs as a frame, a dict of dicts or named tuples."""
    form = draw.choice(["frame", "frame", "dict", "records"])
    if form == "dict":
        found: dict[str, dict[str, float]] = {}
        for (topic, document), number in given.items():
            found.setdefault(topic, {})[document] = number
        return found
    rows = rows_of(given)
    if form == "records":
        record = namedtuple("record", ["query_id", "doc_id", "score" if value == "score" else "relevance"])  # type: ignore[misc]
        return list(map(record._make, rows))
    return _held(pd.DataFrame(rows, columns=[*_keys(draw), value]), draw)


def _runs_in_memory(folder: Folder, topics: list[str], documents: list[str], draw: Random) -> object:
    rankings = {}
    for system in draw.sample(["bm25", "dense", "team_run_1", "mine.v2"], draw.randrange(1, 4)):
        rankings[system] = {t: draw.sample(documents, draw.randrange(5, 14)) for t in topics}
        folder.runs["memory", system] = rankings[system]
    scored = {s: {(t, d): 20.5 - at for t in own for at, d in enumerate(own[t])} for s, own in rankings.items()}
    if draw.random() < 0.6:
        return {system: _some_form(given, draw, "score") for system, given in scored.items()}
    rows = [(t, d, system, score) for system, given in scored.items() for (t, d), score in given.items()]
    return _held(pd.DataFrame(rows, columns=[*_keys(draw), draw.choice(["system", "run_id", "run"]), "score"]), draw)


# --- holding a collection against the truth --------------------------------------------------------------------------


def load(folder: Folder, place: Path) -> ec.Collection:
    """Load the folder from memory, as files in one call, as files on disk or as a zip."""
    if folder.how == "memory":
        return ec.collection(**folder.memory)  # type: ignore[arg-type]
    if folder.how == "files":
        return ec.load_files(folder.files.items())
    if folder.how == "folder":
        for name, content in folder.files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content)
        return ec.load(place, use_cache=False)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in folder.files.items():
            archive.writestr(name, content)
    return ec.load_files([(f"all.{folder.how}", buffer.getvalue())])


def difference(folder: Folder, place: Path) -> str:
    """Return the first difference from the truth, "" if there is none. What no file says must be asked on opening."""
    try:
        found = load(folder, place)
    except ec.InputError as error:
        name, line = folder.broken or ("", 0)
        return "" if name and name in str(error) and f"line {line}" in str(error) else f"refused: {error}"
    if folder.broken:
        return f"a broken line was read: {folder.broken}"
    asked = [note.where for note in found.report.notes if note.kind == "question"]
    if folder.asked or asked:
        return "" if asked == [folder.asked] else f"asked about {asked} for {folder.asked!r}"
    report = " ".join(f"{note.where} {note.text}" for note in found.report.notes)
    silent = [name for name in (*folder.listed, *folder.joined) if name not in report]
    checks = (_labels_differ, _sources_differ, _scores_differ)
    return f"not said: {silent}" if silent else next(filter(None, (check(folder, found) for check in checks)), "")


def _labels_differ(folder: Folder, found: ec.Collection) -> str:
    if sorted(found.aspects) != sorted(folder.aspects):
        return f"aspects {found.aspects} for {sorted(folder.aspects)}"
    for aspect, labels in folder.aspects.items():
        if (read := _read(found, found.assessments.columns[aspect])) != labels:
            return f"{aspect}: {_first(read, labels)}"
    return ""


def _read(found: ec.Collection, values: object) -> Labels:
    pool = found.assessments
    rows = zip((pool.topics[code] for code in pool.topic), pool.documents, values, strict=True)  # type: ignore[call-overload]
    return {(topic, document): float(grade) for topic, document, grade in rows if grade == grade}


def _first(read: Labels, labels: Labels) -> str:
    odd = [pair for pair in {*read, *labels} if read.get(pair) != labels.get(pair)]
    return f"{len(odd)} labels differ, such as {odd[0]}: {read.get(odd[0])} for {labels.get(odd[0])}"


def _sources_differ(folder: Folder, found: ec.Collection) -> str:
    for aspect, wanted in folder.sources.items():
        held = found.assessments.sources.get(aspect)
        if held is None or {*held.labels} - {held.default} != {*wanted}:
            return f"sources of {aspect}: {held and list(held.labels)} for {list(wanted)}"
        for name, labels in wanted.items():
            if (read := _read(found, held.labels[name])) != labels:
                return f"{aspect} by {name}: {_first(read, labels)}"
    if odd := {*found.assessments.sources} - {*folder.sources}:
        return f"sources that are none, of {odd}"
    return ""


def _scores_differ(folder: Folder, found: ec.Collection) -> str:
    table = found.report.systems
    prefix = f"all.{folder.how}/"
    systems = {}
    for system, file in table["file"].items():
        name = "memory" if folder.how == "memory" else str(file).removeprefix(prefix)
        systems[name, str(system) if (name, str(system)) in folder.runs else ""] = str(system)
    if {*systems} != {*folder.runs}:
        return f"runs {sorted(systems)} for {sorted(folder.runs)}"
    for aspect, labels in folder.aspects.items():
        topics = {topic for topic, _ in labels}
        for measure, slow in SLOW.items():
            scores = ec.evaluate(ec.parse(measure).with_(aspect=aspect), found)
            for key, ranking in folder.runs.items():
                for topic in topics:
                    expected = slow(ranking.get(topic, []), of_topic(labels, topic))
                    score = scores[systems[key]][topic]
                    if abs(score - expected) > 1e-12:
                        return f"{measure} of {aspect}, {key} on {topic}: {score} for {expected}"
    return ""
