"""`evalcore baseline`, and tests and corrections of `evalcore discriminate`."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from cli.conftest import ROOT, Refused, Run

import evalcore as ec
from evalcore import constants
from evalcore.cli.options import TESTS
from evalcore.meta import BASELINE_TESTS, CORRECTIONS

HEALTH = str(ROOT / "sample_data" / "health")


def test_the_names_of_tests_and_corrections_are_the_librarys() -> None:
    assert set(constants.PAIRED_TESTS) == set(BASELINE_TESTS)
    assert tuple(CORRECTIONS) == constants.CORRECTIONS


def test_the_table_is_that_of_the_library(run: Run) -> None:
    line = f"baseline {HEALTH} -m 'AP, RR' --against bm25_base bm25_stem --test t-test --correction holm -f csv"
    table = pd.read_csv(io.StringIO(run(line).out))
    scores = ec.evaluate("RR", ec.load(HEALTH))
    expected = ec.against_baselines(scores, ["bm25_base", "bm25_stem"], "t-test", "Holm")
    found = table[table["measure"] == "RR"].drop(columns="measure").reset_index(drop=True)
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)
    assert set(table["measure"]) == {"AP", "RR"}


@pytest.mark.parametrize(("options", "code", "complaint"), [
    ("", 2, "expected --against SYSTEM, found none"),
    ("--against nobody", 1, "expected a baseline that is one of the systems, found 'nobody'"),
    ("--against good good", 1, "expected each baseline once, found 'good' again"),
])  # fmt: skip
def test_what_is_no_baseline_is_refused(small, refused: Refused, options: str, code: int, complaint: str) -> None:
    refused(f"baseline . -m AP {options}", code, complaint)


@pytest.mark.parametrize("test", ["t-test", "wilcoxon"])
def test_discriminate_counts_what_a_test_decides_with_its_correction(run: Run, test: str) -> None:
    line = f"discriminate {HEALTH} -m AP --resamples 50 --test {test} --correction benjamini-hochberg -f json"
    (row,) = json.loads(run(line).out)
    tests = ec.paired_bootstrap(ec.evaluate("AP", ec.load(HEALTH)), 50)
    p = ec.meta.corrected_pairs(tests, TESTS[test], "Benjamini-Hochberg")["p"]
    assert (row["significant"], row["pairs"]) == ((p < 0.05).sum(), len(p))
    listed = json.loads(run(f"{line} --pairs").out)
    assert sum(pair["significant"] for pair in listed) == row["significant"]


def test_discriminate_by_tukey_takes_no_correction(run: Run) -> None:
    line = f"discriminate {HEALTH} -m AP --systems 'bm25*' --resamples 50 --test tukey"
    (row,) = json.loads(run(f"{line} -f json").out)
    scores = ec.evaluate("AP", ec.load(HEALTH)).filter(like="bm25")
    assert row["significant"] == (ec.tukey_p(scores, 50)["p"] < 0.05).sum()
    ran = run(f"{line} --correction holm")
    assert (ran.code, ran.out) == (2, "")
    assert "--test tukey: expected no --correction, found holm" in ran.err
