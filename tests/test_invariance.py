"""The same numbers whatever the number of threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TEXTS = (
    "AP", "nDCG@10", "RBP(rho=0.8)", "ERR@20", "Q", "Compat", "uRBP(rho=0.8, aspect=\"ease\")",
    "CAM(nDCG, aspects=[\"relevance\", \"ease\"])", "TOMA(nDCG, aspects=[\"relevance\", \"ease\"])",
)  # fmt: skip
SCRIPT = """
import hashlib, sys
sys.path[:0] = sys.argv[1:3]
from evalcore.data import runs
from evalcore.focused.files import collect
runs.WORKERS = collect.WORKERS = int(sys.argv[3])
import evalcore as ec
from evalcore.meta.discrimination import paired_bootstrap
from pathlib import Path
from test_invariance import TEXTS
folder = Path(sys.argv[2]).parent / "sample_data" / "health"
collection = ec.load(folder, use_cache=False)
texts = [text.replace("ease", "understandability") for text in TEXTS]
scores = ec.evaluate(texts, collection)
digest = hashlib.sha256()
for frame in scores.values():
    digest.update(frame.to_numpy().tobytes())
print(digest.hexdigest())
print(paired_bootstrap(scores[texts[0]], n_resamples=500, seed=3).pairs.to_csv())
print(ec.sweep(ec.parse("RBP(rho=0.8)"), "rho", [0.5, 0.8], collection).to_numpy().tobytes().hex()[:2000])
"""


def test_the_number_of_threads_changes_no_number() -> None:
    outputs = set()
    for threads in ("1", "4"):
        limits = dict.fromkeys(
            ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "ARROW_IO_THREADS"), threads
        )
        command = [sys.executable, "-c", SCRIPT, str(ROOT), str(ROOT / "tests"), threads]
        done = subprocess.run(command, env={**os.environ, **limits}, capture_output=True, text=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert len(next(iter(outputs)).splitlines()) > 400
