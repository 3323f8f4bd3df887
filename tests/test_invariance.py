"""The same numbers whatever the order of files and lines, the line ends, and the number of threads."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import evalcore as ec

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TEXTS = (
    "AP", "nDCG@10", "RBP(rho=0.8)", "ERR@20", "Q", "Compat", "uRBP(rho=0.8, aspect=\"ease\")",
    "CAM(nDCG, aspects=[\"relevance\", \"ease\"])", "TOMA(nDCG, aspects=[\"relevance\", \"ease\"])",
)  # fmt: skip
MANIFEST = b"""runs = ["runs/*"]
[aspects.relevance]
file = "qrels.txt"
[aspects.ease]
file = "ease.txt"
grades = [0, 1, 2, 3]
"""
Files = dict[str, bytes]


def files() -> Files:
    """Three topics, five systems; scores with ties, documents nobody assessed."""
    chance = random.Random(7)
    topics, documents = ["1", "2", "10"], [f"d{at}" for at in range(40)]
    judged = [(topic, document) for topic in topics for document in documents if chance.random() < 0.7]
    runs = {}
    for system in range(5):
        lines = []
        for topic in topics:
            listed = chance.sample(documents, 30)
            scores = sorted((chance.randint(1, 12) / 4 for _ in listed), reverse=True)
            lines += [
                f"{topic} Q0 {d} {k} {s} run" for k, (d, s) in enumerate(zip(listed, scores, strict=True), start=1)
            ]
        runs[f"runs/system{system}.txt"] = "\n".join(lines).encode() + b"\n"
    qrels = "".join(f"{topic} 0 {document} {chance.randint(0, 2)}\n" for topic, document in judged)
    ease = "".join(f"{topic} 0 {document} {chance.randint(0, 3)}\n" for topic, document in judged)
    return {"collection.toml": MANIFEST, "qrels.txt": qrels.encode(), "ease.txt": ease.encode(), **runs}


def table(given: Files) -> pd.DataFrame:
    collection = ec.load_files(given.items())
    return pd.concat(ec.evaluate(TEXTS, collection))


def each_data_file(change: Callable[[bytes], bytes]) -> Files:
    return {name: text if name.endswith(".toml") else change(text) for name, text in files().items()}


def shuffled(text: bytes) -> bytes:
    lines = text.splitlines()
    random.Random(3).shuffle(lines)
    return b"\n".join(lines)


@pytest.mark.parametrize(
    "change",
    [
        shuffled,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.replace(b"\n", b"\r"),
        lambda text: text.removesuffix(b"\n"),
        lambda text: text.replace(b" ", b"\t"),
        lambda text: b"\n\n" + text.replace(b"\n", b"  \n\n"),
        lambda text: b"\xef\xbb\xbf" + text,
    ],
    ids=["lines shuffled", "CRLF", "CR", "no last line end", "tabs", "blanks", "byte order mark"],
)
def test_the_form_of_files_changes_no_number(change: Callable[[bytes], bytes]) -> None:
    pd.testing.assert_frame_equal(table(each_data_file(change)), table(files()), check_exact=True)


def test_the_order_of_files_changes_no_number() -> None:
    pd.testing.assert_frame_equal(table(dict(reversed(files().items()))), table(files()), check_exact=True)


def test_a_folder_and_an_upload_give_the_same_numbers(tmp_path: Path) -> None:
    for name, text in files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()}
    found = pd.concat(ec.evaluate(TEXTS, ec.load(tmp_path)))
    pd.testing.assert_frame_equal(found, table(files()), check_exact=True)
    after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before  # a folder is only read


SCRIPT = """
import hashlib, sys
sys.path[:0] = sys.argv[1:3]
from evalcore.data import runs
from evalcore.data.focused import collect
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
