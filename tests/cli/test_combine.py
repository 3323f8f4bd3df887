"""`evalcore combine`."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from cli.conftest import ROOT, Run

import evalcore as ec
from evalcore.combining import hidden_draws

HEALTH = str(ROOT / "sample_data" / "health")


def test_the_table_is_that_of_the_library_and_the_first_are_named(run: Run) -> None:
    ran = run(f"combine {HEALTH} -m nDCG@10 --share 0.2 --topic-share 0.5 --depth 1 --seed 3 --resamples 50 -f csv")
    found = pd.read_csv(io.StringIO(ran.out)).set_index("system")
    kept = "KeptLabels(share=0.2, topics=0.5, depth=1, seed=3)"
    expected = ec.combine("nDCG@10", ec.load(HEALTH), kept=kept, seed=3, n_resamples=50)
    pd.testing.assert_frame_equal(
        found[expected.table.columns], expected.table, check_dtype=False, check_index_type=False
    )
    for line in ("combined", "human alone", "model alone"):
        assert f"First by nDCG@10, {line}: " in ran.err
    assert f"{expected.n_labels:,} human labels of 20 topics and the model's are worth" in ran.err


def test_draws_are_those_of_the_library(run: Run) -> None:
    found = pd.read_csv(io.StringIO(run(f"combine {HEALTH} -m P@5 --share 0.1 --draws 3 -f csv").out)).set_index(
        "labels"
    )
    expected = hidden_draws("P@5", ec.load(HEALTH), kept="KeptLabels(share=0.1)", draws=3)
    pd.testing.assert_frame_equal(found[expected.columns], expected, check_index_type=False)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (f"combine {HEALTH} -m AP --share 0.5", "expected human labels of whole topics for AP"),
        (f"combine {HEALTH} -m AP --topic-share 2", "expected a number in (0, 1], found 2"),
        (f"combine {HEALTH} -m AP --model nobody", "expected a source of labels of relevance"),
        (f"combine {HEALTH} -m AP --labels-of fog", "expected an aspect that AP reads"),
    ],
)
def test_what_cannot_be_combined_is_refused(run: Run, line: str, why: str) -> None:
    ran = run(line)
    assert (ran.code, why in ran.err) == (1, True)


def test_the_methods_are_the_librarys(run: Run) -> None:
    found = run(f"combine {HEALTH} -m nDCG@10 --share 0.2 --methods")
    expected = ec.combine("nDCG@10", ec.load(HEALTH), kept="KeptLabels(share=0.2)").methods()
    assert " ".join(found.out.split()) == expected
