"""`evalcore score --cluster`: slices of the topics give the scores that the whole collection gives."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cli_support import Run
from measures.test_every_measure import FORMS

import evalcore as ec
from evalcore import slices
from evalcore.data.collection_files import package_of
from evalcore.measures import GainMeasure, Measure
from evalcore.notation.values import Value, values_in

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.threads  # Dask is made of them

ROOT = Path(__file__).parents[2]
HEALTH = "sample_data/health"
EVERY = [
    cls() for cls in Value.registry.values() if issubclass(cls, Measure) and cls.__module__.startswith("evalcore.")
]
EVERY += [ec.parse(text) for text in FORMS]
BOUND = 500e6  # bytes that each process takes at most, as the help says


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Dask in this process: a scheduler and a worker, as threads."""
    with distributed.Client(
        processes=False, n_workers=1, threads_per_worker=2, dashboard_address=slices.UNSEEN
    ) as client:
        yield client


def by_slices(folder: Path, measures: Sequence[Measure], client: Any, size: int, **chosen: Any) -> list[pd.DataFrame]:
    """Scores of a folder in slices of `size` bytes; with size 1, each topic is a slice."""
    depth, average = chosen.pop("depth", None), chosen.pop("average", "all")
    start = slices.opened(package_of(folder, None, None, None, None), lambda *_: None)
    collection = ec.average_over(ec.restrict(start.collection, **chosen), average)
    named = {str(at): measure for at, measure in enumerate(measures)}
    scores, _ = slices.scored(start, collection, named, client, lambda *_: None, depth=depth, size=size)
    return list(scores.values())


def write_folder(folder: Path, seed: int) -> Path:
    """Write runs with ties, repeated documents, topics lacking, unassessed or in pieces; three aspects; a signal."""
    rng = np.random.default_rng(seed)
    (folder / "runs").mkdir(parents=True)
    topics, ids = [f"t{at}" for at in range(7)], [f"d{at}" for at in range(25)]
    for aspect, most in (("qrels", 3), ("qread", 4), ("qcredibility", 3)):
        judged = [(t, d) for t in topics for d in ids if rng.random() < 0.6 and (aspect != "qread" or t > "t1")]
        # high grades on the last topics alone, so that a slice does not tell the scale
        lines = [f"{t} 0 {d} {rng.integers(0, most if t > 't3' else 2)}\n" for t, d in judged]
        (folder / f"{aspect}.txt").write_text("".join(lines))
    (folder / "fog.csv").write_text("docid,fog\n" + "".join(f"{d},{rng.uniform(0, 25):.2f}\n" for d in ids))
    for at in range(4):
        lists = [(t, rng.choice(ids, rng.integers(1, 20))) for t in [*topics, "x1"] if rng.random() < 0.8 or t == "t0"]
        lines = [f"{t} Q0 {d} {k} {rng.integers(0, 6)} s\n" for t, found in lists for k, d in enumerate(found, 1)]
        if at == 0:
            lines = ["# ir_metadata.start\n", "# a: b\n", "# ir_metadata.end\n", *rng.permutation(lines).tolist()]
        content = "".join(lines).encode()
        if at == 1:
            (folder / "runs" / "s1.run.gz").write_bytes(gzip.compress(content))
        else:
            (folder / "runs" / f"s{at}.run").write_bytes(
                b"\xef\xbb\xbf" * (at == 2) + content.rstrip(b"\n" * (at == 3))
            )
    return folder


def fitting(collection: ec.Collection) -> list[Measure]:
    """Every measure that the collection can be scored by."""
    measures = []
    for measure in EVERY:
        try:
            ec.evaluate(measure, collection)
        except ec.InputError:
            continue
        if not any(
            isinstance(one, GainMeasure) and one.needs_whole_pool(collection.assessments) for one in values_in(measure)
        ):
            measures.append(measure)
    return measures


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_every_measure_scores_slices_as_it_scores_the_whole(seed, tmp_path, client):
    folder = write_folder(tmp_path / "c", seed)
    whole = ec.load(folder)
    assert len(whole.aspects) == 3
    measures = fitting(whole)
    assert len(measures) > 60
    for size in (1, 2_000):
        for measure, found in zip(measures, by_slices(folder, measures, client, size), strict=True):
            pd.testing.assert_frame_equal(found, ec.evaluate(measure, whole), check_exact=True, obj=str(measure))


@pytest.fixture
def in_process(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `--cluster local` this process, and slices small."""
    monkeypatch.setattr(slices, "connected", lambda address: nullcontext(client))
    monkeypatch.setattr(slices, "scored", partial(slices.scored, size=100_000))


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(
    "options",
    [
        "",
        "--systems 'bm25*' --topics '*1'",
        "--source llm",
        "-M 5 -l 2 --average retrieved",
        "-f table",
        "-f trec_eval",
    ],
)
def test_the_command_writes_what_it_writes_without_a_cluster(options, run: Run, in_checkout):
    line = f"score {HEALTH} -m 'map, nDCG@10, uRBP(rho=0.8)' {options}"
    sliced, whole = (
        run(f"{line} --cluster local"),
        run(f"{line} -q {options or '-f csv'}" if "-f" in options else f"{line} -q -f csv"),
    )
    assert (sliced.code, sliced.err) == (0, whole.err)
    assert sliced.raw == whole.raw


@pytest.mark.usefixtures("in_process")
def test_the_table_opens_as_scores_alone(run: Run, in_checkout):
    assert run(f"score {HEALTH} -m 'AP, nDCG@10' --cluster local -o scores.csv").code == 0
    opened = ec.load("scores.csv")
    assert opened.has == {"scores"}
    assert (len(opened.systems), len(opened.topics)) == (32, 40)
    whole = ec.load(HEALTH)
    pd.testing.assert_frame_equal(
        ec.evaluate('Score("AP")', opened)[list(whole.systems)],
        ec.evaluate("AP", whole),
        check_exact=True,
        check_names=False,
    )
    ran = run("compare --scores scores.csv -f csv")
    assert (ran.code, ran.raw) == (0, run(f"compare {HEALTH} -m AP -m nDCG@10 -f csv").raw)


A = "runs/a.run"
# The file of a run, its content, and the message about it
WRONG = {
    "a line too short": (A, b"t1 Q0 a 1 9 x\nt2 Q0 b x\n", "found 4: 't2 Q0 b x'; found in the slice of 1 topic (t2)"),
    "no number": (A, b"t1 Q0 a 1 many x\n", "expected a number as score, found 'many', in the line 't1 Q0 a 1 many x'"),
    "two forms": (A, b"t1 Q0 a 1 9 x\nt2 b 1\n", "lines of one file must all have 3 fields or all have 6: 't2 b 1'"),
    "too short, unassessed": (A, b"t1 Q0 a 1 9 x\nnobody Q0\n", "a TREC run has 6 fields"),
    "decimal topics": (A, b"t1.0 Q0 a 1 9 x\n", "its topic t1.0 is t1 among the labels: use the same form in both"),
    "other topics": (A, b"x Q0 a 1 9 x\n", "expected runs and assessments on the same topics"),
    "line ends": (A, b"t1 Q0 a 1 9 x\rt2 Q0 a 1 9 x\r", "its lines end with CR, as on old Macs"),
    "a web page": (A, b"<html>\n<body>404</body>\n", "expected a TREC run, found a web page"),
    "UTF-16": (A, "t1 Q0 a 1 9 x\n".encode("utf-16"), "found zero bytes: save it as UTF-8"),
    "broken off": ("runs/a.run.gz", gzip.compress(b"t1 Q0 a 1 9 x\n" * 9)[:-9], "expected a readable"),
    "a table": ("runs/a.csv", b"topic,document,score\nt1,a,3\n", "slices are cut from TREC runs"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.usefixtures("in_process")
def test_errors_name_their_file_and_nothing_is_written(what, tmp_path, monkeypatch, run: Run):
    name, content, problem = WRONG[what]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(slices, "scored", partial(slices.scored, size=1))
    (tmp_path / "runs").mkdir()
    (tmp_path / "qrels.txt").write_text("t1 0 a 1\nt2 0 a 0\nt2 0 b 1\n")
    (tmp_path / name).write_bytes(content)
    (tmp_path / "collection.toml").write_text('runs = ["runs/*"]\n[aspects.relevance]\nfile = "qrels.txt"\n')
    ran = run("score . -m AP --cluster local -o out.csv")
    assert (ran.code, ran.out) == (1, "")
    assert f"{name}: " in ran.err
    assert problem in ran.err
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("line", "code", "problem"),
    [
        (f"{HEALTH} -m 'TOMA(AP, tuples=\"observed\")'", 1, "needs labels of other topics to score a topic"),
        (f"{HEALTH} -m AP --order urbp-tool", 1, "order urbp-tool needs whole runs"),
        (f"{HEALTH} -m AP --ranks", 2, "--cluster: expected no --ranks, found both"),
        (f"{HEALTH} -m AP --reader", 2, "--cluster: expected no --reader, found both"),
        (f"{HEALTH} sample_data/manual -m AP", 2, "--cluster: expected one folder"),
        ("sample_data/manual -m iAP", 1, "[passages] cannot be cut into slices"),
        ("sample_data/site -m AP", 1, "[navigation] cannot be cut into slices"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("in_process")
def test_measures_and_collections_that_cannot_be_sliced_are_refused(line, code, problem, run: Run, in_checkout):
    ran = run(f"score {line} --cluster local")
    assert (ran.code, ran.out) == (code, "")
    assert problem in ran.err


def test_a_scheduler_that_does_not_answer_is_reported(run: Run, in_checkout, monkeypatch):
    monkeypatch.setattr(slices, "ANSWER", 0.5)
    ran = run(f"score {HEALTH} -m AP --cluster tcp://127.0.0.1:9")
    assert (ran.code, ran.out) == (1, "")
    assert "tcp://127.0.0.1:9: no Dask scheduler answers here" in ran.err
    assert "start one with `dask scheduler`, or use --cluster local" in ran.err


def test_without_dask_the_package_to_install_is_named(run: Run, in_checkout, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = run(f"score {HEALTH} -m AP --cluster local")
    assert (ran.code, ran.out) == (1, "")
    assert "pip install 'ir-evalcore[cluster]'" in ran.err


def test_a_worker_with_another_version_is_refused(monkeypatch):
    monkeypatch.setattr(ec, "__version__", "0.0.1")
    nothing: Any = None  # it is not looked at
    with pytest.raises(ec.InputError, match=r"the worker has evalcore 0\.0\.1, not 9: install the same version there"):
        slices.score_slice("9", nothing, ())


def write_large(folder: Path, systems: int, topics: int, depth: int = 1000, different: int = 4) -> Path:
    """Runs of 46 kB a topic, some of them alike; a tenth of the documents assessed."""
    (folder / "runs").mkdir(parents=True)
    rng = np.random.default_rng(5)
    names = [[f"document-{t:03d}-{at:06d}" for at in range(depth)] for t in range(topics)]
    labels = [f"t{t} 0 {d} {at % 3}\n" for t in range(topics) for at, d in enumerate(names[t][::10])]
    (folder / "qrels.txt").write_text("".join(labels))
    runs = []
    for _ in range(different):
        lists = [(t, enumerate(rng.permutation(depth).tolist(), 1)) for t in range(topics)]
        lines = [f"t{t} Q0 {names[t][at]} {k} {depth - k} a-run-of-many\n" for t, order in lists for k, at in order]
        runs.append(gzip.compress("".join(lines).encode(), 1))
    for system in range(systems):
        (folder / "runs" / f"s{system}.txt.gz").write_bytes(runs[system % different])
    return folder


SCRIPT = """
import os, re, signal, sys
from pathlib import Path
import evalcore as ec
from evalcore import slices
from evalcore.data.collection_files import package_of

def peak():
    # Not getrusage: its maximum begins with what the process had that started this one.
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

def main():
    start = slices.opened(package_of(sys.argv[1], None, None, None, None), lambda *_: None)
    measures = {text: ec.parse(text) for text in ("AP", "nDCG@10")}
    with slices.connected("local") as client:
        pids = list(client.run(os.getpid).values())

        def tell(share, text):
            if share > 0.6 and pids:
                os.kill(pids.pop(), signal.SIGKILL)
                pids.clear()

        scores, _ = slices.scored(start, start.collection, measures, client, tell)
        assert not pids
        print(max(peak(), *client.run(peak).values()))
    for text, frame in scores.items():
        frame.to_pickle(f"{text}.pickle")

if __name__ == "__main__":
    main()
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read in /proc")
def test_data_larger_than_memory_are_scored_although_a_worker_is_killed(tmp_path):
    folder = write_large(tmp_path / "large", 60, 200)
    (tmp_path / "score.py").write_text(SCRIPT)
    size = 60 * len(gzip.decompress((folder / "runs" / "s10.txt.gz").read_bytes()))
    assert size > BOUND
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "score.py", str(folder)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert float(done.stdout) < BOUND
    first = ec.load(
        runs=[folder / "runs" / f"s{at}.txt.gz" for at in range(4)], aspects={"relevance": folder / "qrels.txt"}
    )
    for text, frame in ec.evaluate(["AP", "nDCG@10"], first).items():
        found = pd.read_pickle(tmp_path / f"{text}.pickle")
        for at in range(60):
            assert found[f"s{at}"].tolist() == frame[f"s{at % 4}"].tolist()
