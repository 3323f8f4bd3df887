"""Read logs of model evaluations, with a line or an object for each sample, into rows of scores.

- lm-evaluation-harness (`--log_samples`): `{"doc_id": 0, "target": ..., "filtered_resps": ..., "acc": 1.0}`; the task
  is in the file name, and the folder is named after the model.
- Inspect: `{"eval": {"model": ...}, "samples": [{"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}}]}`; C, P, I
  and N mean 1, 0.5, 0 and 0, and each epoch is a repeat.
- Every Eval Ever: `{"evaluation_name": ..., "model_id": ..., "sample_id": ..., "evaluation": {"score": 1.0}}`.
- SWE-bench: `{"resolved_ids": [...], "submitted_ids": [...]}`, or `{"resolved": [...], "generated": [...]}` in
  `SYSTEM/results/results.json`; each instance is a topic.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from evalcore.data.json_text import json_records, of_kind, parse_json
from evalcore.data.score_files import ScoreFile, of_rows
from evalcore.data.score_rows import Row
from evalcore.data.sources import Source
from evalcore.data.text_files import plain_text
from evalcore.errors import InputError, shorten

HARNESS, INSPECT = {"doc_id", "target", "filtered_resps"}, {"eval", "samples"}
EVERY_EVAL_EVER = {"evaluation_name", "model_id", "sample_id", "evaluation"}
_RESOLVED = {"resolved_ids": "submitted_ids", "resolved": "generated"}  # a subset of the instances named second
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_SAMPLES = re.compile(r"samples_(.+?)(_\d{4}-\d\d-\d\dT.*)?$")


def is_resolved(keys: Collection[str]) -> bool:
    """Return true if JSON with these keys lists the instances that were resolved, as SWE-bench writes them."""
    return any({some, every} <= {*keys} for some, every in _RESOLVED.items())


def read_harness(source: Source, *_: Any) -> ScoreFile:
    """Read all numbers of each sample as scores; a measure's name includes the filter of responses, if there is one.

    Raises InputError as `json_records` does.
    """
    task = _SAMPLES.match(source.stem)
    folder = PurePosixPath(source.name).parent.name
    system = folder.replace("__", "/") or source.stem

    def rows() -> Iterator[Row]:
        for line, record in json_records(plain_text(source), source.name, "a sample"):
            by = record.get("filter", "none")
            for name, value in record.items():
                if isinstance(value, int | float) and name != "doc_id":
                    measure = name if by == "none" else f"{name} {by}"
                    topic = f"{task[1] if task else source.stem} {record.get('doc_id')}"
                    yield Row(measure, topic, float(value), line, system)

    return of_rows(source, rows())


def read_inspect(source: Source, *_: Any) -> ScoreFile:
    """Read the scores of each sample. Raises InputError for a value that is neither a number nor C, P, I or N."""
    log = parse_json(source.read(), source.name, what="an Inspect log", kind=dict)
    about = of_kind(log["eval"], dict, "an object under the key eval", source.name)
    samples = of_kind(log["samples"], list, "a list under the key samples", source.name)

    def rows() -> Iterator[Row]:
        several = any(_object(sample, source).get("epoch", 1) != 1 for sample in samples)
        for at, sample in enumerate(samples, start=1):
            epoch = f" epoch {sample.get('epoch')}" if several else ""
            for scorer, score in _object(sample.get("scores") or {}, source).items():
                value = _object(score, source).get("value")
                for name, one in value.items() if isinstance(value, dict) else [("", value)]:
                    number = _LETTERS.get(one, one) if isinstance(one, str) else one
                    measure = f"{scorer} {name}".strip() + epoch
                    yield Row(measure, str(sample.get("id")), _number(number, source), at, str(about.get("model")))

    return of_rows(source, rows())


def read_every_eval_ever(source: Source, *_: Any) -> ScoreFile:
    """Read the score of each sample; each evaluation is a measure. Raises InputError for a sample without a score."""

    def rows() -> Iterator[Row]:
        for line, record in json_records(plain_text(source), source.name, "a sample"):
            score = _object(record.get("evaluation"), source).get("score")
            name, topic, system = (str(record.get(key)) for key in ("evaluation_name", "sample_id", "model_id"))
            yield Row(name, topic, _number(score, source, line), line, system)

    return of_rows(source, rows())


def read_resolved(source: Source, *_: Any) -> ScoreFile:
    """Return a score of 1 for each instance that a system resolved, and of 0 for every other instance."""
    report = parse_json(source.read(), source.name, what="a SWE-bench report", kind=dict)
    key = next(some for some, every in _RESOLVED.items() if {some, every} <= report.keys())
    lists = [value for value in report.values() if isinstance(value, list)]
    instances = dict.fromkeys(str(one) for listed in lists for one in listed)
    resolved = {str(one) for one in of_kind(report[key], list, f"a list under the key {key}", source.name)}
    folders = [folder for folder in PurePosixPath(source.name).parent.parts if folder != "results"]
    system = folders[-1] if source.stem == "results" and folders else source.stem
    return of_rows(source, (Row("resolved", one, float(one in resolved), 1, system) for one in instances))


def _object(value: Any, source: Source) -> Mapping[str, Any]:
    return of_kind(value, dict, "an object", source.name)


def _number(value: Any, source: Source, line: int | None = None) -> float:
    if not isinstance(value, int | float):
        raise InputError(f"expected a number as score, found {shorten(str(value))}", source.name, line)
    return float(value)
