"""Scoring all loaded systems again with a different rho or threshold, against a minimal prototype and other tools."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.data import Place, plain, run_files
from benchmarks.tables import MISSING, Table, number
from benchmarks.timing import in_child
from evalcore.common.arrays import FloatArray, IntArray

ROUNDS = 200
RHO = 0.8
THRESHOLDS = np.linspace(0.5, 3.0, 50)
Pair = tuple[Callable[[int], Any], Callable[[int], Any]]
PEERS = {
    "ir_measures": "ir_measures, {measure}",
    "ranx": "ranx, {measure}",
    "pytrec_eval": "pytrec_eval, {measure}: it has no RBP",
}


def run(place: Place) -> Iterator[Table]:
    """Yield two tables: evalcore against the prototype, and against other tools."""
    folder = plain(place)
    files = (str(folder), str(place.relevance), str(place.understandability))
    own: dict[str, Any] = in_child("rescore:ours", *files, once=True).result
    yield _against_prototype(own)
    yield _against_peers(own, files)


def _against_prototype(own: dict[str, Any]) -> Table:
    heading = ("", "evalcore ms", "CPU ms", "prototype ms", "CPU ms", "wall ratio", "CPU ratio")
    rows = [
        [
            name,
            *(number(row[at] * 1e3) for at in ("wall", "cpu", "proto_wall", "proto_cpu")),
            number(row["wall_ratio"]),
            number(row["cpu_ratio"]),
        ]
        for name, row in own["times"].items()
    ]
    remarks = (
        f"Medians of {ROUNDS} calls in turns, each at another rho or threshold; the sweep of {ROUNDS // 10}.",
        f"Ratios are taken turn by turn. Largest difference from the prototype's scores: {own['difference']:.0e}.",
    )
    return Table(f"Re-scoring {own['size']}", heading, rows, remarks)


def _against_peers(own: dict[str, Any], files: tuple[str, ...]) -> Table:
    ours_wall, ours_cpu = (own["times"][EVALUATE][what] for what in ("wall", "cpu"))
    rows = [[f"evalcore, {EVALUATE}", number(ours_wall), number(ours_cpu), "1", "1", ""]]
    for module, label in PEERS.items():
        if not find_spec(module):
            rows.append([label.format(measure="RBP"), MISSING, "", "", "", ""])
            continue
        peer = in_child(f"rescore:{module}_scores", *files[:2], once=True).result
        times = [number(peer[what]) for what in ("wall", "cpu")]
        ratios = [f"{peer['wall'] / ours_wall:,.0f}", f"{peer['cpu'] / ours_cpu:,.0f}"]
        rows.append([label.format(measure=peer["measure"]), *times, *ratios, _difference(peer["means"], own["means"])])
    heading = ("", "wall s", "CPU s", "wall ratio", "CPU ratio", "largest difference")
    remarks = (
        "All systems at one setting, once; runs and qrels are read before and not counted. ranx is compiled before.",
        "Difference: of a system's mean over topics from evalcore's, for RBP; ties have another order there.",
    )
    return Table("Other tools on the same files", heading, rows, remarks)


def _difference(theirs: dict[str, float], means: dict[str, float]) -> str:
    return f"{max(abs(theirs[name] - means[name]) for name in theirs):.0e}" if theirs else ""


# --- evalcore and the prototype, in one separate process --------------------------------------------------------------

EVALUATE = "evaluate(RBP) at a new rho"


@dataclass(frozen=True)
class Prototype:
    """Minimal design for comparison: two gain columns, ranks and one CSR matrix."""

    relevant: FloatArray  # (P,)
    understood: FloatArray  # (P,) grades
    rank: IntArray  # (H,) from 0
    matrix: sparse.csr_array  # (S * T, P)
    topics: int
    powers: IntArray  # 0 to the deepest rank

    def weigh(self, rho: float) -> None:
        self.matrix.data = ((1 - rho) * rho**self.powers)[self.rank]

    def gain(self, threshold: float) -> FloatArray:
        product: FloatArray = self.relevant * (self.understood >= threshold)
        return product

    def scores(self, gains: FloatArray) -> FloatArray:
        scores: FloatArray = (self.matrix @ gains).reshape(-1, self.topics)
        return scores

    def rbp(self, rho: float) -> FloatArray:
        self.weigh(rho)
        return self.scores(self.relevant)

    def urbp(self, rho: float, threshold: float) -> FloatArray:
        self.weigh(rho)
        return self.scores(self.gain(threshold))

    def sweep(self, rho: float) -> FloatArray:
        self.weigh(rho)
        gains = np.stack([self.gain(threshold) for threshold in THRESHOLDS], axis=1)
        means: FloatArray = (self.matrix @ gains).reshape(-1, self.topics, len(THRESHOLDS)).mean(axis=1)
        return means.T


def prototype(collection: Any) -> Prototype:
    """Return a prototype with the arrays of a loaded collection."""
    pool, rankings = collection.assessments, collection.rankings
    relevance, understood = (np.nan_to_num(pool.column(name)) for name in ("relevance", "understandability"))
    rank = rankings.rank - 1
    matrix = sparse.csr_array(
        (np.zeros(len(rank)), rankings.row, rankings.indptr), shape=(len(rankings.indptr) - 1, len(pool))
    )
    powers = np.arange(int(rank.max()) + 1)
    return Prototype((relevance >= 1).astype(float), understood, rank, matrix, rankings.n_topics, powers)


def ours(runs: str, relevance: str, understandability: str) -> Callable[[], dict[str, Any]]:
    """Return a job that times every kind of re-scoring, alternating evalcore and the prototype."""
    import evalcore

    collection = evalcore.load(runs=runs, aspects={"relevance": relevance, "understandability": understandability})
    plainly = prototype(collection)

    def work() -> dict[str, Any]:
        pairs = _pairs(collection, plainly)
        sizes = collection.summary
        differences = [
            np.abs(np.asarray(mine(7)) - _as_frame(mine(7), other(7))).max() for mine, other in pairs.values()
        ]
        times = {name: _in_turns(pair, ROUNDS // 10 if "sweep" in name else ROUNDS) for name, pair in pairs.items()}
        means = evalcore.evaluate(f"RBP(rho={RHO})", collection).mean()
        hits = f"{len(collection.rankings.row):,} assessed documents retrieved"
        return {
            "times": times,
            "means": dict(means),
            "size": f"{sizes} · {hits}",
            "difference": float(max(differences)),
        }

    return work


def _pairs(collection: Any, plainly: Prototype) -> dict[str, Pair]:
    """Map each kind of scoring to two functions that score at the n-th setting: evalcore's and the prototype's."""
    import evalcore
    from evalcore.measures import RBP, uRBP

    pool, rankings = collection.assessments, collection.rankings

    def rbp(at: int) -> RBP:
        return RBP(rho=_rho(at))

    def urbp(at: int) -> uRBP:
        return uRBP(rho=RHO, threshold=_threshold(at))

    return {
        "RBP.scores at a new rho": (lambda at: rbp(at).scores(pool, rankings), lambda at: plainly.rbp(_rho(at))),
        "uRBP.scores at a new rho": (
            lambda at: uRBP(rho=_rho(at), threshold=2.0).scores(pool, rankings),
            lambda at: plainly.urbp(_rho(at), 2.0),
        ),
        "uRBP.scores at a new threshold": (
            lambda at: urbp(at).scores(pool, rankings),
            lambda at: plainly.urbp(RHO, _threshold(at)),
        ),
        EVALUATE: (lambda at: evalcore.evaluate(rbp(at), collection), lambda at: plainly.rbp(_rho(at))),
        "evaluate(uRBP) at a new threshold": (
            lambda at: evalcore.evaluate(urbp(at), collection),
            lambda at: plainly.urbp(RHO, _threshold(at)),
        ),
        f"sweep(uRBP) over {len(THRESHOLDS)} thresholds": (
            lambda at: evalcore.sweep(uRBP(rho=_rho(at)), "threshold", THRESHOLDS.tolist(), collection),
            lambda at: plainly.sweep(_rho(at)),
        ),
    }


def _rho(at: int) -> float:
    return 0.5 + 0.45 * (at % 97) / 97


def _threshold(at: int) -> float:
    return float(THRESHOLDS[at % len(THRESHOLDS)])


def _as_frame(mine: Any, theirs: FloatArray) -> FloatArray:
    """Return the prototype's scores (S, T), transposed if evalcore's have the other shape."""
    return theirs if np.asarray(mine).shape == theirs.shape else theirs.T


def _in_turns(pair: Pair, rounds: int) -> dict[str, float]:
    """Return the median seconds of both functions, and the median ratio within a round; five earlier rounds warm up."""
    samples = np.array([[_timed(work, at) for work in pair] for at in range(rounds + 5)])[5:]
    (wall, cpu), (proto_wall, proto_cpu) = np.median(samples, axis=0)
    wall_ratio, cpu_ratio = np.median(samples[:, 0] / samples[:, 1], axis=0)
    names = ("wall", "cpu", "proto_wall", "proto_cpu", "wall_ratio", "cpu_ratio")
    return dict(zip(names, map(float, (wall, cpu, proto_wall, proto_cpu, wall_ratio, cpu_ratio)), strict=True))


def _timed(work: Callable[[int], Any], at: int) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work(at)
    return time.perf_counter() - wall, time.process_time() - cpu


# --- other tools, each in a separate process --------------------------------------------------------------------------


@dataclass
class Peer:
    """Wall and CPU seconds in which a tool scored, and the mean score of every system."""

    measure: str
    wall: float = 0.0
    cpu: float = 0.0
    means: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def scoring(self) -> Iterator[None]:
        """Time this block, and add its wall and CPU seconds to `wall` and `cpu`."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall += time.perf_counter() - wall
        self.cpu += time.process_time() - cpu


def ir_measures_scores(runs: str, relevance: str) -> Callable[[], dict[str, Any]]:
    """Return a job that scores RBP if a provider of it is installed (cwl_eval), otherwise nDCG."""
    import ir_measures

    qrels = list(ir_measures.read_trec_qrels(relevance))
    measure = ir_measures.RBP(rel=1, p=RHO)
    if not ir_measures.DefaultPipeline.supports(measure):
        measure = ir_measures.nDCG
    topics = len({qrel.query_id for qrel in qrels})
    scorer = ir_measures.evaluator([measure], qrels)

    def work() -> dict[str, Any]:
        peer = Peer(str(measure))
        for path in run_files(Path(runs)):
            with path.open() as lines:
                ranking = list(ir_measures.read_trec_run(lines))
            with peer.scoring():
                values = [one.value for one in scorer.iter_calc(ranking)]
            if "RBP" in peer.measure:
                peer.means[_system(path)] = sum(values) / topics
        return vars(peer)

    return work


def ranx_scores(runs: str, relevance: str) -> Callable[[], dict[str, Any]]:
    """Return a job that scores rbp.80 on binary grades, because ranx multiplies by the grade."""
    import ranx

    grades = _grades(relevance)
    qrels = ranx.Qrels.from_dict(
        {topic: {name: min(grade, 1) for name, grade in row.items()} for topic, row in grades.items()}
    )
    ranx.evaluate(ranx.Qrels.from_dict({"q": {"a": 1}}), ranx.Run.from_dict({"q": {"a": 1.0}}), "rbp.80")

    def work() -> dict[str, Any]:
        peer = Peer("rbp.80")
        for path in run_files(Path(runs)):
            ranking = ranx.Run.from_file(str(path), kind="trec")
            with peer.scoring():
                mean = ranx.evaluate(qrels, ranking, "rbp.80", make_comparable=True)
            peer.means[_system(path)] = float(mean)
        return vars(peer)

    return work


def pytrec_eval_scores(runs: str, relevance: str) -> Callable[[], dict[str, Any]]:
    """Return a job that scores P_10 and nDCG, the most similar measures that pytrec_eval has."""
    import pytrec_eval

    scorer = pytrec_eval.RelevanceEvaluator(_grades(relevance), {"P_10", "ndcg"})

    def work() -> dict[str, Any]:
        peer = Peer("P_10 and nDCG")
        for path in run_files(Path(runs)):
            with path.open() as lines:
                ranking = pytrec_eval.parse_run(lines)
            with peer.scoring():
                scorer.evaluate(ranking)
        return vars(peer)

    return work


def _grades(qrels: str) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for line in Path(qrels).read_text().splitlines():
        topic, _, name, grade = line.split()
        grades.setdefault(topic, {})[name] = int(grade)
    return grades


def _system(path: Path) -> str:
    """Return a system's name as evalcore derives it from the file."""
    from evalcore.data.sources import Source

    return Source(path.name, bytes).stem
