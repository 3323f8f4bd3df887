"""Run files -> parts: what loading and cutting up gives, without holding the runs."""

from __future__ import annotations

import shutil
import tracemalloc
from typing import Any

import numpy as np
import pytest
from scale.invented import assert_same

import evalcore as ec
from app_support import SAMPLE


@pytest.mark.parametrize("options", [{}, {"topics_per_part": 7, "runs_at_once": 5}, {"topics_per_part": 1}])
def test_a_folder_as_it_is_loaded(tmp_path, options):
    shares: list[float] = []
    folder = ec.partition(SAMPLE, tmp_path / "new", progress=lambda share, text: shares.append(share), **options)
    assert_same(ec.load(SAMPLE), ec.open_partitions(folder).in_memory())
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert not list(tmp_path.glob(".new*"))
    assert not list(folder.glob("*/.*"))


def test_named_files_in_another_order_of_ties(tmp_path):
    named: Any = {"runs": SAMPLE / "runs", "aspects": {"relevance": SAMPLE / "qrels.txt"}, "order": "file"}
    folder = ec.partition(None, tmp_path / "new", topics_per_part=9, **named)
    assert_same(ec.load(**named), ec.open_partitions(folder).in_memory())


def test_real_runs(data_folder, tmp_path):
    folder = ec.partition(data_folder / "clef2016task2", tmp_path / "new", topics_per_part=8)
    assert_same(ec.load(data_folder / "clef2016task2"), ec.open_partitions(folder).in_memory())


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("t1 Q0 d1 1\n", "expected 6 fields"),
        ("zz Q0 d1 1 0.5 tag\n", "expected runs and assessments on the same topics"),
    ],
)
def test_bad_runs_leave_nothing(tmp_path, line, problem):
    (tmp_path / "qrels.txt").write_text("t1 0 d1 1\n")
    (tmp_path / "bad.run").write_text(line)
    with pytest.raises(ec.InputError, match=problem):
        ec.partition(None, tmp_path / "new", runs=tmp_path / "bad.run", aspects={"relevance": tmp_path / "qrels.txt"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.run", "qrels.txt"]


def test_passages_are_refused(tmp_path):
    manual = SAMPLE.parent / "manual"
    with pytest.raises(ec.InputError, match=r"expected rankings of whole documents, found \[passages\]"):
        ec.partition(manual, tmp_path / "new")
    with pytest.raises(ec.InputError, match="expected rankings of whole documents, found passages"):
        ec.partition(ec.load(manual), tmp_path / "new")


def test_memory_does_not_grow_with_the_runs(tmp_path):
    few, many = (_peak(tmp_path / f"{count}", count) for count in (4, 32))
    assert many < 1.5 * few  # held whole, the hits alone would double it


def _peak(place, systems):
    """The most bytes that Python and numpy hold while runs are streamed, in MB."""
    _write_runs(place, systems)
    tracemalloc.start()
    try:
        named = {"runs": place / "runs", "aspects": {"relevance": place / "qrels.txt"}}
        ec.partition(None, place / "new", topics_per_part=1, runs_at_once=2, **named)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
        shutil.rmtree(place)


def _write_runs(place, systems, topics=20, depth=1000):
    (place / "runs").mkdir(parents=True)
    rng = np.random.default_rng(5)
    names = [[f"d{t}-{at}" for at in range(depth)] for t in range(topics)]
    (place / "qrels.txt").write_text("".join(f"t{t} 0 {d} 1\n" for t in range(topics) for d in names[t]))
    for system in range(systems):
        lines = [
            f"t{t} Q0 {names[t][at]} {k} {depth - k} x\n"
            for t in range(topics)
            for k, at in enumerate(rng.permutation(depth).tolist(), start=1)
        ]
        (place / "runs" / f"s{system}.txt").write_text("".join(lines))
