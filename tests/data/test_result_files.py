"""Results as benchmarks write them: a table of models x tasks from their folders, whatever else stands in the files."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evalcore as ec

MODELS, TASKS = ("e5", "bge", "gte"), ("nfcorpus", "scifact")


def value(model: str, task: str) -> float:
    """A number of its own for each cell."""
    return (1 + MODELS.index(model) + 10 * TASKS.index(task)) / 100


def mteb(folder: Path) -> None:
    """As in the repository of mteb's results: labels of a split may not be public, and models are described."""
    for model, task in product(MODELS, TASKS):
        subsets = [{"hf_subset": of, "main_score": value(model, task) + by} for of, by in (("de", -0.01), ("en", 0.01))]
        scores = {"test": [{"hf_subset": "default", "main_score": float("nan")}], "validation": subsets}
        write(
            folder / f"org__{model}/1a2b3c4d/{task}.json", {"mteb_version": "1.12", "task_name": task, "scores": scores}
        )
        write(folder / f"org__{model}/1a2b3c4d/model_meta.json", {"name": f"org/{model}", "n_parameters": 7})


def first_mteb(folder: Path) -> None:
    for model, task in product(MODELS, TASKS):
        test = {"evaluation_time": 3.2, "ndcg_at_10": value(model, task)}
        write(folder / f"{model}/{task}.json", {"mteb_version": "0.0.2", "mteb_dataset_name": task, "test": test})


def harness(folder: Path) -> None:
    for model in MODELS:
        results = {task: {"alias": task, "acc,none": value(model, task), "acc_stderr,none": 0.1} for task in TASKS}
        config = {"model": "hf", "model_args": f"pretrained=org/{model},dtype=float16"}
        write(folder / f"results_{model}.json", {"results": results, "versions": {}, "config": config})


def helm(folder: Path) -> None:
    header = [{"value": name} for name in ("Model", "Mean win rate", *(f"{task} - EM" for task in TASKS))]
    rows = [[{"value": model}, {"value": 0.5}, *({"value": value(model, task)} for task in TASKS)] for model in MODELS]
    write(folder / "core_scenarios.json", [{"title": "Accuracy", "header": header, "rows": rows}])


def beir(folder: Path) -> None:
    for model, task in product(MODELS, TASKS):
        write(folder / f"{task}_{model}.json", {"ndcg": {"NDCG@10": value(model, task)}, "map": {"MAP@10": 0.1}})


def beir_in_folders(folder: Path) -> None:
    for model, task in product(MODELS, TASKS):
        write(folder / f"{model}/{task}.json", {"NDCG@10": value(model, task), "MAP@10": 0.1})


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1))


@pytest.mark.parametrize(("written", "measure", "called"), [
    (mteb, "main_score", "org/{}"),
    (first_mteb, "ndcg_at_10", "{}"),
    (harness, "acc", "org/{}"),
    (helm, "EM", "{}"),
    (beir, "NDCG@10", "{}"),
    (beir_in_folders, "NDCG@10", "{}"),
])  # fmt: skip
def test_a_benchmarks_results_are_models_by_tasks(
    tmp_path: Path, written: Callable[[Path], None], measure: str, called: str
) -> None:
    written(tmp_path)
    scores = ec.evaluate(f'Score("{measure}")', ec.load(tmp_path, use_cache=False))
    expected = [[value(model, task) for model in MODELS] for task in TASKS]
    np.testing.assert_allclose(scores.loc[[*TASKS], [called.format(model) for model in MODELS]], expected, rtol=1e-12)
    assert scores.shape == (len(TASKS), len(MODELS))


@pytest.mark.parametrize(("content", "problem"), [
    ({"task_name": "nq", "scores": {"test": [3]}}, "expected an object for nq, found a number"),
    ({"task_name": "nq", "scores": {"test": [{"main_score": "high"}]}}, "expected a number for main_score of nq"),
    ({"task_name": "nq", "scores": {}}, "expected main_score or other scores for nq, found none"),
    ({"results": {"nq": {"acc,none": 0.5}, "x": 3}}, "expected an object for x, found a number"),
    ({"header": [{"value": "Model"}, {"value": "nq"}], "rows": [[{"value": "a"}]]}, "expected 2 cells"),
    ({"header": [], "rows": [3]}, "expected a list of cells, found a number"),
    ({"NDCG@10": "high", "MAP@10": 0.2}, "expected a number for NDCG@10, found high"),
])  # fmt: skip
def test_what_is_no_result_is_refused_by_its_file(tmp_path: Path, content: Any, problem: str) -> None:
    write(tmp_path / "a.json", content)
    with pytest.raises(ec.InputError, match=r"a\.json") as found:
        ec.load(tmp_path, use_cache=False)
    assert problem.replace("'", "") in str(found.value).replace("'", "")
