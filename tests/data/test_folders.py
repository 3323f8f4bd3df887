"""Folders of random mixtures of files are read as the truth they were made from, or lead to a question or an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from data.folders import average_precision, difference, random_folder

SEEDS = range(40)


@pytest.mark.parametrize("seed", [*SEEDS[:10], *(pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS[10:])])
def test_a_random_folder_is_read_as_it_was_meant(seed: int, tmp_path: Path):
    assert difference(random_folder(seed), tmp_path) == ""


def test_the_slow_reading_by_hand():
    # relevant at ranks 1 and 3, one of three not retrieved: (1/1 + 2/3) / 3
    assert average_precision(["a", "x", "b"], {"a": 1, "b": 2, "c": 1, "x": 0}) == pytest.approx(5 / 9, abs=1e-15)


def test_a_wrong_reading_is_noticed(tmp_path: Path):
    folder = random_folder(0)
    pair = next(iter(folder.aspects["relevance"]))
    folder.aspects["relevance"][pair] += 1
    assert difference(folder, tmp_path).startswith("relevance: 1 labels differ")
