"""Results as benchmarks write them, in JSON -> a row for each measure, task and model.

- mteb: a file for each task in a folder for each model (and one for its revision inside): `{"task_name": "NFCorpus",
  "scores": {"test": [{"hf_subset": "default", "main_score": 0.3}]}}`. A task's score is the mean over its splits and
  subsets that have one (labels of some splits are not public); files of its first versions have `mteb_dataset_name`
  and every metric under the split.
- lm-evaluation-harness: a file for each model, `{"results": {"arc_easy": {"acc,none": 0.5, "acc_stderr,none": 0.01}}}`.
- HELM: a table of a group, or a list of them, `{"header": [{"value": "Model"}, ...], "rows": [[{"value": "x"}, ...]]}`.
- BEIR: what its evaluation returns for one model on one data set, `{"NDCG@10": 0.3}`; file names say which.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from statistics import fmean
from typing import Any

from evalcore.data.json_text import of_kind, parse_json
from evalcore.data.runs_or_labels import is_measure
from evalcore.data.score_rows import MEAN, Row
from evalcore.data.sources import Source
from evalcore.errors import InputError, shorten

_REVISION = re.compile(r"[0-9a-f]{6,40}|no_revision_available|external|v?\d+(\.\d+)*|main")
_OF_HARNESS = re.compile(rb'"[\w-]+,[\w-]+"\s*:')  # a metric and its filter
_NO_SCORES = ("evaluation_time", "sample_len", "samples")
MAIN = "main_score"


def is_result(keys: Collection[str], head: bytes) -> bool:
    """Whether JSON that begins so, with these keys, is what a benchmark wrote.

    >>> is_result(["task_name", "scores"], b""), is_result(["NDCG@1", "MAP@10"], b""), is_result(["q1", "q2"], b"")
    (True, True, False)
    """
    names = {*keys}
    if {"task_name", "scores"} <= names or "mteb_dataset_name" in names or {"header", "rows"} <= names:
        return True
    if "results" in names:
        return bool(_OF_HARNESS.search(head))
    return bool(names) and all(map(is_measure, names))


def results_in_json(text: str, source: Source) -> Iterator[Row]:
    """The scores of one file. Raises InputError for what is not of the form that its keys promise."""
    content = parse_json(text, source.name, what="results of a benchmark")
    for result in content if isinstance(content, list) else [content]:
        one = of_kind(result, dict, "objects of results", source.name)
        if {"header", "rows"} <= one.keys():
            yield from _of_helm(one, source)
        elif "results" in one:
            yield from _of_harness(one, source)
        elif {"task_name", "mteb_dataset_name"} & one.keys():
            yield from _of_mteb(one, source)
        else:
            yield from (Row(name, MEAN, _number(value, name, source), 1) for name, value in _flat(one))


def _of_mteb(content: Mapping[str, Any], source: Source) -> Iterator[Row]:
    task = str(content.get("task_name") or content.get("mteb_dataset_name"))
    splits = content["scores"] if "scores" in content else {k: v for k, v in content.items() if isinstance(v, dict)}
    by_task: dict[str, list[float]] = {}
    for split in _object(splits, task, source).values():
        for subset in split if isinstance(split, list) else [split]:
            metrics = _object(subset, task, source)
            for name in [MAIN] if MAIN in metrics else _metrics(metrics):
                by_task.setdefault(name, []).append(_number(metrics[name], f"{name} of {task}", source))
    by_task = {name: [value for value in values if not math.isnan(value)] for name, values in by_task.items()}
    if not by_task:
        raise InputError(f"expected {MAIN} or other scores for {shorten(task)}, found none", source.name)
    model = _model_of(source)
    for name, values in by_task.items():
        yield Row(name, task or MEAN, fmean(values) if values else math.nan, 1, model)


def _of_harness(content: Mapping[str, Any], source: Source) -> Iterator[Row]:
    config = content.get("config")
    model = content.get("model_name") or _pretrained(config if isinstance(config, dict) else {}) or _model_of(source)
    for task, metrics in _object(content["results"], "results", source).items():
        for name in _metrics(_object(metrics, task, source)):
            value = _number(metrics[name], f"{name} of {task}", source)
            yield Row(name.removesuffix(",none"), task or MEAN, value, 1, str(model))


def _pretrained(config: Mapping[str, Any]) -> str:
    arguments = config.get("model_args")
    if isinstance(arguments, dict):
        return str(arguments.get("pretrained", ""))
    match = re.search(r"(?:^|,)pretrained=([^,]+)", str(arguments))
    return match[1] if match else ""


def _of_helm(content: Mapping[str, Any], source: Source) -> Iterator[Row]:
    """A table of which the first column holds models; a mean win rate is no task."""
    names = [str(_object(cell, "a column", source).get("value")) for cell in _list(content["header"], source)]
    for row in _list(content["rows"], source):
        if len(_list(row, source)) != len(names) or not names:
            raise InputError(f"expected {len(names)} cells, as in the header, found {len(row)}", source.name)
        model, *values = (_object(cell, "a cell", source).get("value") for cell in row)
        for name, value in zip(names[1:], values, strict=True):
            task, _, measure = name.rpartition(" - ")
            if not re.match(r"mean win rate|mean score", name, re.IGNORECASE):
                number = math.nan if value is None else _number(value, f"{name} of {model}", source)
                yield Row(measure if task else source.stem, task or name or MEAN, number, 1, str(model))


def _flat(content: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The numbers of measures, or of families of measures: `{"ndcg": {"NDCG@10": 0.3}}`."""
    for name, value in content.items():
        yield from value.items() if isinstance(value, dict) else [(name, value)]


def _metrics(metrics: Mapping[str, Any]) -> list[str]:
    """The names that numbers have which are scores, and neither errors of some nor what they took."""
    numbers = [name for name, value in metrics.items() if isinstance(value, int | float) and value is not True]
    return [name for name in numbers if "_stderr" not in name and name not in _NO_SCORES]


def _model_of(source: Source) -> str:
    """The folder of a model, above that of a revision; without one, the file's name."""
    folders = PurePosixPath(source.name).parent.parts
    named = [folder for folder in folders if not _REVISION.fullmatch(folder)]
    return named[-1].replace("__", "/") if named else source.stem


def _object(value: Any, what: str, source: Source) -> dict[str, Any]:
    return of_kind(value, dict, f"an object for {shorten(what)}", source.name)


def _list(value: Any, source: Source) -> list[Any]:
    return of_kind(value, list, "a list of cells", source.name)


def _number(value: Any, what: str, source: Source) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"expected a number for {shorten(what)}, found {shorten(str(value))}", source.name)
    return float(value)
