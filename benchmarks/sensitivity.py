"""A grid of rho x threshold of uRBP: tau with the default and the winner at every setting, beside ir_measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Place, plain, run_files
from benchmarks.rescore import Peer, _grades, _system
from benchmarks.tables import MISSING, Table, number
from benchmarks.timing import in_child

DEFAULT = "uRBP(rho=0.8, threshold=2)"
COLUMNS, ROWS = 100, 50  # rho across, threshold up
SMALL = {"rho": (0.5, 0.8), "threshold": (1.0, 2.0)}  # what ir_measures is measured on
SAMPLE = 1000


def run(place: Place) -> Iterator[Table]:
    """One table: the grid, a random sample with Sobol indices, and the same grid through ir_measures."""
    folder = plain(place, len(place.runs))
    files = (str(folder), str(place.relevance), str(place.understandability))
    own = in_child("sensitivity:ours", *files)
    cells = COLUMNS * ROWS
    rows = [
        [
            f"evalcore, {COLUMNS} x {ROWS} grid: means, tau, winner",
            number(own.wall_again),
            number(own.cpu_again),
            number(own.wall_again / cells * 1e3),
            "1",
            f"{own.added:.0f}",
            "",
        ]
    ]
    rows += [_extra(name, files) for name in ("sampled", "indexed")]
    rows.append(_peer(files, own.wall_again / cells, own.result))
    heading = ("", "wall s", "CPU s", "ms a setting", "ratio a setting", "MB more", "largest difference")
    remarks = (
        f"{own.result['size']}. Default: {DEFAULT}; means, Kendall's tau_b and first system at every setting.",
        "evalcore: second call in a fresh process; memory: of the first. Runs and qrels are read before, not counted.",
        f"ir_measures: means only, at {len(SMALL['rho'])} x {len(SMALL['threshold'])} settings, all rho of a threshold "
        "in one call, scaled to the grid. Difference: of a system's mean over topics; ties have another order there.",
    )
    yield Table("Sensitivity: the winner map", heading, rows, remarks)


def _extra(name: str, files: tuple[str, ...]) -> list[str]:
    times = in_child(f"sensitivity:{name}", *files)
    label, settings = times.result
    cells = [number(times.wall_again), number(times.cpu_again), number(times.wall_again / settings * 1e3)]
    return [label, *cells, "", f"{times.added:.0f}", ""]


def _peer(files: tuple[str, ...], own: float, result: dict[str, Any]) -> list[str]:
    label = "ir_measures, the same grid (scaled)"
    if not find_spec("ir_measures"):
        return [label, MISSING, "", "", "", "", ""]
    peer = in_child("sensitivity:ir_measures_grid", *files, once=True).result
    settings = len(SMALL["rho"]) * len(SMALL["threshold"])
    wall, cpu = (peer[what] / settings for what in ("wall", "cpu"))
    means: dict[str, dict[str, float]] = result["means"]
    difference = max(abs(peer["means"][cell][name] - means[cell][name]) for cell in means for name in means[cell])
    times = [f"{COLUMNS * ROWS * one:,.0f}" for one in (wall, cpu)]
    return [label, *times, number(wall * 1e3), f"{wall / own:,.0f}", "", f"{difference:.0e}"]


def _loaded(runs: str, relevance: str, understandability: str) -> Any:
    import evalcore

    return evalcore.load(runs=runs, aspects={"relevance": relevance, "understandability": understandability})


def _cell(rho: float, threshold: float) -> str:
    return f"{rho:g} {threshold:g}"


def ours(*files: str) -> Callable[[], dict[str, Any]]:
    """The grid, and the means at the settings that the peer scores."""
    import evalcore
    from evalcore.sensitivity import grid

    collection = _loaded(*files)
    rhos, thresholds = np.linspace(0.01, 0.99, COLUMNS).tolist(), np.linspace(0.5, 3, ROWS).tolist()

    def means(rho: float, threshold: float) -> dict[str, float]:
        return dict(evalcore.evaluate(f"uRBP(rho={rho}, threshold={threshold})", collection).mean())

    known = {_cell(rho, at): means(rho, at) for rho in SMALL["rho"] for at in SMALL["threshold"]}

    def work() -> dict[str, Any]:
        found = grid(DEFAULT, "rho", rhos, "threshold", thresholds, collection)
        assert np.isfinite(found.tau).all()
        assert (found.winner >= 0).all()
        return {"means": known, "size": collection.summary}

    return work


def sampled(*files: str) -> Callable[[], tuple[str, int]]:
    """A random sample of settings."""
    from evalcore.sensitivity import parameters_of, sample

    collection = _loaded(*files)
    varied = parameters_of("uRBPgr(rho=0.8)", collection)

    def work() -> tuple[str, int]:
        sample("uRBPgr(rho=0.8)", varied, collection, count=SAMPLE).table()
        return f"evalcore, {SAMPLE:,} random settings of {len(varied)} parameters of uRBPgr", SAMPLE

    return work


def indexed(*files: str) -> Callable[[], tuple[str, int]]:
    """Sobol indices."""
    from evalcore.sensitivity import importance, parameters_of

    collection = _loaded(*files)
    varied = parameters_of("uRBPgr(rho=0.8)", collection)

    def work() -> tuple[str, int]:
        found = importance("uRBPgr(rho=0.8)", varied, collection)
        return f"evalcore, Sobol indices of {len(varied)} parameters with bootstrap intervals", found.settings

    return work


def ir_measures_grid(runs: str, relevance: str, understandability: str) -> Callable[[], dict[str, Any]]:
    """uRBP as RBP of the documents that are relevant and understood: cwl_eval's, given qrels for each threshold."""
    import ir_measures

    relevant, understood = (_grades(path) for path in (relevance, understandability))
    rankings = {}
    for path in run_files(Path(runs)):
        with path.open() as lines:
            rankings[_system(path)] = list(ir_measures.read_trec_run(lines))
    measures = {rho: ir_measures.RBP(rel=1, p=rho) for rho in SMALL["rho"]}

    def qrels(threshold: float) -> list[Any]:
        return [
            ir_measures.Qrel(topic, name, int(grade >= 1 and understood[topic].get(name, 0) >= threshold))
            for topic, grades in relevant.items()
            for name, grade in grades.items()
        ]

    def work() -> dict[str, Any]:
        peer, means = Peer("uRBP"), {}
        for threshold in SMALL["threshold"]:
            judged = qrels(threshold)
            with peer.scoring():
                scorer = ir_measures.evaluator(list(measures.values()), judged)
                values = {name: list(scorer.iter_calc(ranking)) for name, ranking in rankings.items()}
            for rho, measure in measures.items():
                means[_cell(rho, threshold)] = {
                    name: sum(one.value for one in found if one.measure == measure) / len(relevant)
                    for name, found in values.items()
                }
        return {"wall": peer.wall, "cpu": peer.cpu, "means": means}

    return work
