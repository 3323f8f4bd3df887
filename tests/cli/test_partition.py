"""`evalcore partition`, and every command on the folder that it writes."""

from __future__ import annotations

from functools import partial

import pytest

import evalcore as ec
from evalcore.cli import cluster
from evalcore.scale import cluster as clusters

HEALTH = "sample_data/health"
SAME = (
    "score {} -m 'AP, nDCG@10, uRBP(rho=0.8)' -f csv",
    "score {} -m TOMA(nDCG) -q -f csv --systems 'bm25*' --topics '*1'",
    "correlate {} -m AP -m nDCG --resamples 100 -f csv",
    "discriminate {} -m AP --resamples 100 -f csv",
    "sweep {} -m ERR --vary cutoff=1,5,10 -f csv",
)


@pytest.fixture
def parts(run, in_checkout):
    assert run(f"partition {HEALTH} -o parts --topics-per-part 9").code == 0
    return in_checkout / "parts"


def test_it_reports_what_it_wrote(run, in_checkout):
    ran = run(f"partition {HEALTH} -o parts --topics-per-part 9")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("parts: 32 systems · 40 topics · 3,122 assessed documents · 5 parts")
    assert ec.open_partitions("parts").fingerprint == ec.load(HEALTH).fingerprint


def test_named_files(run, in_checkout):
    files = f"--runs {HEALTH}/runs/bm25*.gz --aspect relevance={HEALTH}/qrels.txt"
    assert run(f"partition {files} -o parts").code == 0
    assert run("score parts -m AP -f csv").raw == run(f"score {files} -m AP -f csv").raw


@pytest.mark.parametrize("line", SAME)
def test_commands_answer_as_they_do_on_the_collection(run, parts, line):
    there, here = run(line.format("parts")), run(line.format(HEALTH))
    assert (there.code, there.err) == (0, here.err)
    assert there.raw == here.raw


@pytest.mark.threads  # Dask
@pytest.mark.skipif(not clusters.installed(), reason="dask is not installed: pip install 'ir-evalcore[cluster]'")
def test_on_local_workers(run, parts):
    try:
        for line in SAME[:4]:
            assert run(f"{line.format('parts')} --scheduler local").raw == run(line.format(HEALTH)).raw
        pairs = "discriminate {} -m AP --pairs --resamples 100 -f csv"
        assert run(f"{pairs.format('parts')} --scheduler local").raw == run(pairs.format(HEALTH)).raw
    finally:
        cluster.forget()


@pytest.mark.parametrize(
    ("line", "code", "problem"),
    [
        ("partition -o x", 2, "expected a collection"),
        (f"partition {HEALTH}", 2, "-o/--out"),
        (f"partition {HEALTH} -o sample_data", 1, "expected a new or an empty folder"),
        (f"partition {HEALTH} -o x --topics-per-part 0", 1, "expected at least 1 topic in a part, found 0"),
        (f"partition {HEALTH} -o x --systems 'bm25*'", 2, "expected a whole collection"),
        (f"partition {HEALTH} sample_data/manual -o x", 2, "found several files"),
        ("partition sample_data/manual -o x", 1, "expected rankings of whole documents"),
    ],
)
def test_what_it_cannot_do(run, in_checkout, line, code, problem):
    ran = run(line)
    assert (ran.code, ran.out) == (code, "")
    assert problem in ran.err


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        ("--order file", 2, "--order: expected runs and assessments, found a folder of parts"),
        ("--scheduler tcp://127.0.0.1:9", 1, "expected a Dask scheduler, found no answer"),
        ("--scheduler tcp://127.0.0.1:9", 1, "; without --scheduler this machine computes it\n"),
    ],
)
@pytest.mark.threads  # Dask
def test_what_does_not_go_with_parts(run, parts, monkeypatch, arguments, code, problem):
    monkeypatch.setattr(clusters, "connect", partial(clusters.connect, patience=0.5))
    if "tcp" in arguments and not clusters.installed():
        pytest.skip("dask is not installed: pip install 'ir-evalcore[cluster]'")
    ran = run(f"score parts -m AP {arguments}")
    assert (ran.code, ran.out) == (code, "")
    assert problem in ran.err
