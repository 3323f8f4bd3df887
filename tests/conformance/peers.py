"""Other tools' scores of a world, by system and topic. A topic that a tool leaves out scores 0.

Where they differ from this project, and what is done about it. Nothing else differs by more than `EXACT`.

| tool | difference | here |
|---|---|---|
| trec_eval (pytrec_eval) | keeps scores as 32-bit floats: 1e300 is infinite, 1 + 1e-9 ties with 1 | the same |
| | a topic that the run lacks is left out of the mean | scores 0 |
| | writes past its memory where all grades of a topic are below -1 | it sees -1 there; both mean "not judged" |
| ir_measures' gains of nDCG | may be taken for an nDCG without any that is asked for beside | asked for apart |
| | a gain given to a negative grade counts | not compared: it is no judgement |
| gdeval.pl, ranx, cwl_eval | compare scores as 64-bit floats; ranx leaves the order of ties open | lists without ties |
| MS MARCO's RR@k, Compat | break ties by id ascending | lists without ties |
| gdeval.pl | ERR takes 4 for the highest grade | ERR(max_rel=4), or a scale that ends in 4 |
| | grades up to 4, prints 5 decimals | small scales; told to print all |
| Compat | divides by 0 where nothing is retrieved and nothing relevant | empty rankings are left out |
| | takes 0 as the score of what was not retrieved, in the order of the ideal | lists without negative scores |
| cwl_eval | looks at 1000 ranks; has no RBP@k | lists are short; lists cut at k |
| | a negative grade counts as judged in the residual | it gets no negative grades |
| ranx | takes no empty ranking | left out |
| | RBP multiplies by the grade | grades cut to 0 and 1 |
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from conformance.adversarial import Grades, World, ranked
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.ranking import Ranking
from ir_measures.measures import Measure
from ir_measures.providers import gdeval_provider

from evalcore.structures.documents import Collection

EXACT = 1e-9  # of a value above 1, a share of it
Scores = dict[str, dict[str, float]]  # system -> topic -> value


def trec_eval(world: World, measures: Iterable[str]) -> dict[str, Scores]:
    """pytrec_eval, by trec_eval's names and with its defaults."""
    evaluator = pytrec_eval.RelevanceEvaluator(_in_bounds(world.qrels), set(measures))
    found: dict[str, Scores] = {}
    for system, run in world.runs.items():
        for topic, values in evaluator.evaluate(run).items():
            for name, value in values.items():
                found.setdefault(name, {}).setdefault(system, {})[topic] = value
    return found


def _in_bounds(qrels: Grades) -> Grades:
    return {
        topic: dict.fromkeys(grades, -1) if max(grades.values()) < -1 else grades for topic, grades in qrels.items()
    }


def of_ir_measures(world: World, texts: Sequence[str], provider: str = "") -> dict[str, Scores]:
    """Scores of ir_measures by its own texts: with the tools that it prefers, or with one of its providers."""
    # With an nDCG with gains beside it, ir_measures may give these to one without: the order of a set decides which.
    if (apart := [text for text in texts if "gains" in text]) and len(apart) < len(texts):
        others = [text for text in texts if text not in apart]
        return of_ir_measures(world, others, provider) | of_ir_measures(world, apart, provider)
    asked = {ir_measures.parse_measure(text): text for text in texts}
    tool: Any = ir_measures.providers.registry[provider] if provider else ir_measures
    if provider:
        tool.initialize()
    found: dict[str, Scores] = {text: {} for text in texts}
    with named_once(), unprinted_arrays():
        evaluator = tool.evaluator(list(asked), _in_bounds(world.qrels))
        for system, run in world.runs.items():
            for metric in evaluator.iter_calc(run):
                found[asked[metric.measure]].setdefault(system, {})[metric.query_id] = float(metric.value)
    return found


def unprinted_arrays() -> AbstractContextManager[Any]:
    """Keep cwl_eval from spelling out the arrays of every ranking for a log that nobody reads."""
    return np.printoptions(formatter={"float": lambda number: "-"})


@contextmanager
def named_once() -> Iterator[None]:
    """Spell out each measure of ir_measures once, not at each value that it looks up by the measure."""
    spelled = Measure.__repr__

    def text(measure: Any) -> str:
        if "_text" not in vars(measure):
            measure._text = spelled(measure)
        return str(measure._text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Measure, "__repr__", text)
        yield


@contextmanager
def all_decimals() -> Iterator[None]:
    """Have gdeval.pl print all decimals, not 5."""
    script = gdeval_provider.pkgutil.get_data("ir_measures", "bin/gdeval.pl") or b""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gdeval_provider.pkgutil, "get_data", lambda *_: script.replace(b"%.5f", b"%.17g"))
        yield


def of_ranx(world: World, measures: Sequence[str]) -> dict[str, Scores]:
    """Scores of ranx by its own names, of which it needs at least two."""
    ranx = _ranx()
    assert ranx.stdin is not None
    assert ranx.stdout is not None
    pickle.dump((list(measures), dict(world.qrels), dict(world.runs)), ranx.stdin)
    ranx.stdin.flush()
    found: dict[str, Scores] = pickle.load(ranx.stdout)
    return found


@cache
def _ranx() -> subprocess.Popen[bytes]:
    """One process of ranx for all, as the import takes 2 s."""
    command = [sys.executable, str(Path(__file__).with_name("ranx_alone.py"))]
    as_python = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ranx = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=as_python)
    atexit.register(ranx.communicate)
    return ranx


def residual_of_cwl(world: World, rho: float, rel: int) -> Scores:
    """Residual of RBP: cwl_eval's best case less its worst case, on the rankings that trec_eval makes."""
    with unprinted_arrays():
        return {
            system: {topic: _residual(run.get(topic, {}), grades, rho, rel) for topic, grades in world.qrels.items()}
            for system, run in world.runs.items()
        }


def _residual(scores: Mapping[str, float], grades: Mapping[str, int], rho: float, rel: int) -> float:
    judged = {document: float(grade >= rel) for document, grade in grades.items() if grade >= 0}
    gains = np.array([judged.get(document, np.nan) for document in ranked(scores)])
    metric = RBPCWLMetric(rho)
    metric.residuals = True
    metric.measure(Ranking("topic", gains, np.full(len(gains), np.nan)))
    return float(metric.residual_expected_utility)


def disagreements(
    scores: Any, theirs: Scores, collection: Collection, world: World, names: Mapping[str, str] | None = None
) -> tuple[list[str], int]:
    """Values that differ, in words, and the number that were compared. `names` are the topics as the peer has them."""
    problems = []
    topics = [names[topic] if names else topic for topic in collection.topics]
    for system in collection.systems:
        found, ours = theirs.get(system, {}), scores[system].to_numpy()
        expected = np.array([found.get(topic, 0.0) for topic in topics])
        for at in np.flatnonzero(~(np.abs(ours - expected) <= EXACT * np.maximum(1.0, np.abs(expected)))):
            about = world.about(system, collection.topics[at])
            problems.append(f"{float(ours[at])!r}, theirs {float(expected[at])!r}, {about}")
    return problems, len(collection.systems) * len(topics)
