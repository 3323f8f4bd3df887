"""Times of every measure on all loaded systems, beside the times of pytrec_eval if it has the same measure."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import evalcore as ec
from benchmarks.data import Place, plain, run_files
from benchmarks.tables import Table, number
from evalcore.data.sources import Source
from evalcore.measures.base import Measure

ROUNDS = 15
SAME = {
    "P@10": "P_10",
    "R@1000": "recall_1000",
    "Rprec": "Rprec",
    "AP": "map",
    "RR": "recip_rank",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "Bpref": "bpref",
}
OWN = (
    "RBP(rho=0.8)",
    "ERR@20",
    "Q",
    "INST",
    "INSQ",
    "SDCG@10",
    "NERR8@10",
    "NERR10",
    "BPM@10",
    "IFTGoal",
    "IFTRate",
    "IFT",
    "TBG",
    "U",
    "nERR@20",
    "nDCGb@10",
    "G",
    "nDCGrel",
    "Rndcg",
    "AvgIPrec",
    "SetF",
    "alphanDCG@10",
    "ERRIA@10",
    "IA(AP)",
    "STREC@10",
    "Compat",
    "uRBP(rho=0.8)",
    "uRBPgr(rho=0.8)",
    "Product(nDCG)",
    "CAM(nDCG)",
    "MM(nDCG)",
    "TOMA(nDCG)",
    "TOMA(AP, distance=Chebyshev, weights=TopHalf)",
)


def run(place: Place) -> Iterator[Table]:
    """Yield a table with one row per measure: its time, and the time and largest difference of pytrec_eval."""
    folder = plain(place, len(place.runs))
    files = {"relevance": place.relevance, "understandability": place.understandability}
    collection = ec.load(runs=folder, aspects=files, use_cache=False)
    theirs = _pytrec_eval(place, folder) if find_spec("pytrec_eval") else {}
    rows = []
    for text in (*SAME, *OWN):
        own = _seconds(ec.parse(text), collection)
        peer = theirs.get(SAME.get(text, ""))
        peer_cells = ["", "", ""]
        if peer:
            means = ec.evaluate(text, collection).mean()
            difference = max(abs(means[name] - value) for name, value in peer["means"].items())
            peer_cells = [number(peer["seconds"]), f"{peer['seconds'] / own:,.0f}", f"{difference:.0e}"]
        rows.append([text, number(own * 1e3), *peer_cells])
    heading = ("measure", "evalcore ms", "pytrec_eval s", "ratio", "largest difference")
    remarks = (
        f"{collection.summary}. evalcore: median of {ROUNDS} evaluations of all systems; pytrec_eval: once.",
        "Runs and qrels are read before and not counted.",
        "Difference: of a system's mean over topics.",
    )
    yield Table("Every measure", heading, rows, remarks)


def _seconds(measure: Measure, collection: ec.Collection) -> float:
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        measure.scores(collection.assessments, collection.rankings)
        times.append(time.perf_counter() - begun)
    return sorted(times)[ROUNDS // 2]


def _pytrec_eval(place: Place, folder: Path) -> dict[str, dict[str, Any]]:
    """Map each measure to pytrec_eval's CPU `seconds` over all runs, and the `means` of the systems."""
    import pytrec_eval

    with open(place.relevance) as file:
        qrels = pytrec_eval.parse_qrel(file)
    runs = {Source(path.name, path.read_bytes).stem: _parsed(path) for path in run_files(folder)}
    times = {}
    for name in SAME.values():
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {name})
        begun = time.process_time()
        scores = {system: evaluator.evaluate(run) for system, run in runs.items()}
        seconds = time.process_time() - begun
        means = {system: sum(topic[name] for topic in per.values()) / len(qrels) for system, per in scores.items()}
        times[name] = {"seconds": seconds, "means": means}
    return times


def _parsed(path: Path) -> Any:
    import pytrec_eval

    with open(path) as file:
        return pytrec_eval.parse_run(file)
