"""How cost grows with systems, topics, depth and aspects, beside other tools; large studies; collections in parts."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.data import Place
from benchmarks.invented import Size, collection, qrels, scored, write
from benchmarks.tables import MISSING, Table, number
from benchmarks.timing import held_now, in_child, say

AXES: dict[str, Sequence[int]] = {
    "systems": (10, 30, 100, 300, 1000),
    "topics": (50, 150, 500, 1500, 7000),
    "depth": (100, 300, 1000, 3000, 10_000),
    "aspects": (1, 2, 4, 8),
}
PEERS = ("pytrec_eval", "ir_measures", "ranx")
MOST_LINES = 1_500_000  # that a peer is given: all runs are held, as evalcore holds them
TOMA_STUDY = Size(425, 50, 1000, 2, 400)
MS_MARCO = (Size(100, 6980, 1000, 1, 1), Size(100, 6980, 1000, 2, 100))
RESCORED = ("RBP(rho=0.8)", "nDCG", "AP", "ERR@20")
TWO_ASPECTS = ('uRBP(rho=0.8, aspect="aspect1")', 'TOMA(nDCG, aspects=["relevance", "aspect1"])')
ROUNDS = 7
MEMORY = "320MB"
MB = 1e6


def run(place: Place) -> Iterator[Table]:
    """A table for each axis, and those of the large studies."""
    for axis, values in AXES.items():
        yield _along(axis, [replace(Size(), **{axis: value}) for value in values])
    yield _studies(place)
    yield _parts(place)


# --- one axis ------------------------------------------------------------------------------------------------------


def _along(axis: str, sizes: Sequence[Size]) -> Table:
    times = {tool: [_sample(tool, size) for size in sizes] for tool in ("evalcore", *PEERS)}
    rows = []
    for at, size in enumerate(sizes):
        own = times["evalcore"][at]
        hits = own["hits"] if own else 0
        row = [f"{getattr(size, axis):,}", f"{size.lines / 1e6:.2f}", f"{hits / 1e6:.3f}"]
        rows.append([*row, *(cell for tool in times for cell in _cells(times[tool][at]))])
    slopes = [cell for tool in times for cell in _slopes(axis, sizes, times[tool])]
    heading = (axis, "million lines", "million hits", *(f"{tool} {what}" for tool in times for what in ("ms", "MB")))
    measure = "CAM(nDCG) of the aspects, elsewhere nDCG of each" if axis == "aspects" else "nDCG"
    remarks = (
        f"{measure}: CPU for all systems, and what holding all runs and assessments takes. Slope of log cost over log",
        f"{axis}. Hits: assessed documents retrieved. No figure: more than {MOST_LINES / 1e6:g} million lines, or not",
        "installed. Ids are the same objects in every topic here, which spares the other tools most of their memory.",
    )
    return Table(f"Cost along {axis}", heading, [*rows, ["slope", "", "", *slopes]], remarks)


def _sample(tool: str, size: Size) -> dict[str, float] | None:
    if tool != "evalcore" and (not find_spec(tool) or size.lines > MOST_LINES):
        return None
    say(f"{tool} {size}")
    return dict(in_child(f"scale:{tool}_job", str(size), once=True).result)


def _cells(sample: dict[str, float] | None) -> list[str]:
    return ["", ""] if sample is None else [number(sample["cpu"] * 1e3), number(sample["held"])]


def _slopes(axis: str, sizes: Sequence[Size], samples: Sequence[dict[str, float] | None]) -> list[str]:
    known = [(getattr(size, axis), one) for size, one in zip(sizes, samples, strict=True) if one is not None]
    if len(known) < 2:
        return ["", ""]
    x = np.log([value for value, _ in known])
    return [f"{np.polyfit(x, np.log([one[what] for _, one in known]), 1)[0]:.2f}" for what in ("cpu", "held")]


def evalcore_job(text: str) -> Callable[[], dict[str, float]]:
    """Scoring a collection in memory."""
    from evalcore import parse

    whole = collection(Size.of(text))
    held = _bytes(whole) / MB
    listed = ", ".join(f'"{name}"' for name in whole.aspects)
    measure = parse(f"CAM(nDCG, aspects=[{listed}])" if len(whole.aspects) > 1 else "nDCG")
    return lambda: {"cpu": _cpu(lambda: measure.scores_on(whole)), "held": held, "hits": len(whole.rankings.row)}


def pytrec_eval_job(text: str) -> Callable[[], dict[str, float]]:
    """Scoring runs in memory, aspect by aspect."""
    import pytrec_eval

    size, before = Size.of(text), _resident()
    runs = [scored(size, system) for system in range(size.systems)]
    scorers = [pytrec_eval.RelevanceEvaluator(qrels(size, aspect), {"ndcg"}) for aspect in range(size.aspects)]
    return _once(lambda: [scorer.evaluate(run) for scorer in scorers for run in runs], _resident() - before)


def ir_measures_job(text: str) -> Callable[[], dict[str, float]]:
    """Scoring runs in memory, aspect by aspect."""
    import ir_measures

    size, before = Size.of(text), _resident()
    runs = [scored(size, system) for system in range(size.systems)]
    scorers = [ir_measures.evaluator([ir_measures.nDCG], qrels(size, aspect)) for aspect in range(size.aspects)]
    return _once(lambda: [list(scorer.iter_calc(run)) for scorer in scorers for run in runs], _resident() - before)


def ranx_job(text: str) -> Callable[[], dict[str, float]]:
    """Scoring runs in memory, aspect by aspect, with ranx compiled before."""
    import ranx

    compiled = {"q": {"a": 1.0, "b": 0.5}}
    ranx.evaluate(ranx.Qrels.from_dict({"q": {"a": 1}}), ranx.Run.from_dict(compiled), "ndcg", make_comparable=True)
    size, before = Size.of(text), _resident()
    runs = [ranx.Run.from_dict(scored(size, system)) for system in range(size.systems)]
    known = [ranx.Qrels.from_dict(qrels(size, aspect)) for aspect in range(size.aspects)]
    held = _resident() - before
    ranx.evaluate(known[0], runs[0], "ndcg", make_comparable=True)
    return _once(lambda: [ranx.evaluate(one, run, "ndcg", make_comparable=True) for one in known for run in runs], held)


def _once(work: Callable[[], Any], held: float) -> Callable[[], dict[str, float]]:
    return lambda: {"cpu": _cpu(work, 1), "held": held}


def _cpu(work: Callable[[], Any], rounds: int = ROUNDS) -> float:
    times = []
    for _ in range(rounds + (rounds > 1)):  # the first of several warms up
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return float(np.median(times[rounds > 1 :]))


def _resident() -> float:
    """MB in memory now."""
    return held_now("VmRSS")


def _bytes(whole: Any) -> int:
    """Of all arrays; of a document's id, an object and 70 bytes."""
    rankings, pool = whole.rankings, whole.assessments
    arrays = [rankings.indptr, rankings.rank, rankings.row, rankings.length, pool.topic, *pool.columns.values()]
    return sum(array.nbytes for array in arrays) + 78 * len(pool)


# --- large studies -------------------------------------------------------------------------------------------------


def _studies(place: Place) -> Table:
    files = write(place.scratch / "toma-study", TOMA_STUDY)
    say("loading 425 runs")
    loaded = in_child("scale:load_job", str(files), once=True)
    load = f"{loaded.result['load']:.1f}"
    rows = [_study("425 x 50 x 1,000, 400 assessed per topic, from 425 files", loaded.result, load, loaded.peak)]
    for size in MS_MARCO:
        say(f"MS MARCO {size}")
        sample = in_child("scale:study_job", str(size), once=True)
        name = f"100 x 6,980 x 1,000, {size.assessed} assessed per topic, in memory"
        rows.append(_study(name, sample.result, "", sample.peak))
    heading = ("systems x topics x depth", "load s", "peak MB", "million hits", *(f"{text} ms" for text in _SHORT))
    return Table("Large studies", heading, rows, (f"Wall time; re-scoring: median of {ROUNDS} evaluations.",))


_SHORT = ("RBP", "nDCG", "AP", "ERR@20", "uRBP", "TOMA")


def _study(name: str, found: dict[str, Any], load: str, peak: float) -> list[str]:
    times = [number(found["ms"][at]) if at < len(found["ms"]) else "" for at in range(len(_SHORT))]
    return [name, load, f"{peak:,.0f}", f"{found['hits'] / 1e6:.1f}", *times]


def load_job(folder: str) -> Callable[[], dict[str, Any]]:
    """Loading 425 runs from files, then scoring them."""
    import evalcore as ec

    aspects = {"relevance": f"{folder}/relevance.txt", "aspect1": f"{folder}/aspect1.txt"}

    def work() -> dict[str, Any]:
        begun = time.perf_counter()
        whole = ec.load(runs=f"{folder}/runs", aspects=aspects, use_cache=False)
        return {"load": time.perf_counter() - begun, **_rescored(whole)}

    return work


def study_job(text: str) -> Callable[[], dict[str, Any]]:
    """Scoring a collection invented in memory."""
    whole = collection(Size.of(text))
    return lambda: _rescored(whole)


def _rescored(whole: Any) -> dict[str, Any]:
    import evalcore as ec

    texts = [*RESCORED, *(TWO_ASPECTS if len(whole.aspects) > 1 else ())]
    return {"hits": len(whole.rankings.row), "ms": [_wall(partial(ec.evaluate, text, whole)) for text in texts]}


def _wall(work: Callable[[], Any]) -> float:
    """The median in ms."""
    times = []
    for _ in range(ROUNDS + 1):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return float(np.median(times[1:])) * 1e3


# --- in parts ------------------------------------------------------------------------------------------------------


def _parts(place: Place) -> Table:
    files, parts = place.scratch / "toma-study", place.scratch / "parts"
    lines = TOMA_STUDY.lines
    rows = []
    for name, job in (
        ("425 run files -> parts, one process", "scale:stream_job"),
        ("four measures on parts, one process", "scale:here_job"),
        (f"the same, two Dask workers of {MEMORY}", "scale:cluster_job"),
    ):
        say(name)
        if "Dask" in name and not find_spec("distributed"):
            rows.append([name, MISSING, "", "", ""])
            continue
        sample = in_child(job, str(files), str(parts), once=True)
        seconds, cpu, hits = sample.result["wall"], sample.result["cpu"], sample.result["hits"]
        done = lines if job == "scale:stream_job" else hits
        rows.append([name, number(seconds), number(cpu), f"{sample.peak:,.0f}", number(done / seconds / 1e6)])
    size = sum(path.stat().st_size for path in parts.rglob("*") if path.is_file()) / MB
    shutil.rmtree(parts)
    heading = ("", "wall s", "CPU s", "peak MB", "millions per s")
    remarks = (
        f"{lines / 1e6:.1f} million run lines, as parts {size:,.0f} MB; per second: of lines read, of hits scored by a",
        "measure. Peak: of the process that asks; CPU: without that of workers. The scores are equal to the last bit.",
    )
    return Table("In parts", heading, rows, remarks)


def stream_job(files: str, parts: str) -> Callable[[], dict[str, float]]:
    """Run files -> parts."""
    import evalcore as ec

    named = {"relevance": f"{files}/relevance.txt", "aspect1": f"{files}/aspect1.txt"}

    def work() -> int:
        ec.partition(None, parts, runs=f"{files}/runs", aspects=named, topics_per_part=5)
        return 0

    return lambda: _timed(work)


def here_job(files: str, parts: str) -> Callable[[], dict[str, float]]:
    """Scoring parts in this process; the scores are kept for comparison."""
    return lambda: _scored_parts(parts, None, lambda scores: np.save(f"{files}/scores.npy", scores))


def cluster_job(files: str, parts: str) -> Callable[[], dict[str, float]]:
    """Scoring parts on two workers, which are there before the clock starts."""
    from evalcore.scale import cluster

    runner = cluster.connect(workers=2, memory=MEMORY)

    def compare(scores: np.ndarray) -> None:
        runner.close()
        assert (scores == np.load(f"{files}/scores.npy")).all()

    return lambda: _scored_parts(parts, runner, compare)


def _scored_parts(parts: str, runner: Any, then: Callable[[np.ndarray], Any]) -> dict[str, float]:
    import evalcore as ec

    opened = ec.open_partitions(parts, runner)
    measures = [ec.parse(text) for text in RESCORED]
    kept: list[Any] = []

    def score() -> int:
        kept.extend(opened.score_each(measures))
        return len(measures) * sum(part.hits for part in opened.about.parts)

    times = _timed(score)
    then(np.array(kept))
    return times


def _timed(work: Callable[[], int]) -> dict[str, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    hits = work()
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "hits": hits}
