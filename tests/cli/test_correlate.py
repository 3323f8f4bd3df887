"""`evalcore correlate`: pairs and matrices, of a collection, of tables, of both."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from cli.conftest import ROOT, Refused, Run
from scipy import stats

import evalcore as ec
from evalcore.constants import CORRELATIONS
from evalcore.meta import swaps_in_words

HEALTH = str(ROOT / "sample_data" / "health")


def frame(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text))


def test_the_choices_are_those_of_the_library() -> None:
    assert set(CORRELATIONS) == set(ec.CORRELATIONS)


@pytest.mark.parametrize("name", CORRELATIONS)
def test_pairs_are_the_librarys_correlations(name: str, run: Run, sample) -> None:
    table = frame(run(f"correlate {HEALTH} -m 'RBP, uRBP' -c {name} -f csv").out)
    rbp, urbp = ec.evaluate("RBP", sample).mean(), ec.evaluate("uRBP", sample).mean()
    known = {"RBP(rho=0.8)": rbp, "uRBP(rho=0.8)": urbp}
    assert len(table) == (1 if ec.CORRELATIONS[name].symmetric else 2)
    for row in table.to_dict("records"):
        expected = ec.CORRELATIONS[name](known[row["test"]], known[row["reference"]])
        assert row[name] == pytest.approx(expected, abs=1e-12)


def test_tau_is_scipys(run: Run, sample) -> None:
    found = frame(run(f"correlate {HEALTH} -m 'AP, nDCG@10' -f csv").out)["tau"][0]
    expected = stats.kendalltau(ec.evaluate("AP", sample).mean(), ec.evaluate("nDCG@10", sample).mean()).statistic
    assert found == pytest.approx(expected, abs=1e-12)


def test_intervals_are_seeded_and_say_so(run: Run, sample) -> None:
    line = f"correlate {HEALTH} -m 'RBP, uRBP' --resamples 200 -f json --seed"
    first, again, other = (json.loads(run(f"{line} {seed}").out)[0] for seed in (7, 7, 8))
    assert first == again != other
    assert (first["resamples"], first["seed"]) == (200, 7)
    rbp, urbp = ec.evaluate("RBP", sample), ec.evaluate("uRBP", sample)
    interval = ec.bootstrap_interval(ec.tau, rbp, urbp, n_resamples=200, seed=7)
    assert (first["low"], first["high"]) == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_topic_by_topic(run: Run) -> None:
    row = json.loads(run(f"correlate {HEALTH} -m 'RBP, AP' --over topics -f json").out)[0]
    assert row["lowest"] <= row["median"] <= row["highest"]
    assert row["lowest"] <= row["tau"] <= row["highest"]


def test_a_matrix_is_square_and_named_for_reading(run: Run) -> None:
    table = frame(run(f"correlate {HEALTH} -m 'RBP(rho=0.5), RBP, AP' --matrix -f csv").out).set_index("test")
    assert list(table.index) == list(table.columns)
    assert (table.to_numpy().diagonal() == 1).all()
    header = run(f"correlate {HEALTH} --set 'TOMA, CAM and MM' --matrix").lines[0]
    assert "CAM(nDCG)" in header
    assert "aspects" not in header


@pytest.mark.parametrize("form", ["csv", "json", "parquet", "trec_eval"])
def test_a_table_of_scores_from_standard_input(form: str, small, run: Run) -> None:
    table = run(f"score . -m AP -m nDCG -q -f {form}").raw
    ran = run("correlate --scores - -f csv", table)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "test,reference,tau\nAP,nDCG,1.0\n"


def test_tables_and_measures_side_by_side(small, run: Run) -> None:
    (small / "scores").mkdir()
    run("score . -m map -m AP -q -o scores/theirs.csv")
    ran = run("correlate . -m AP -m RR --scores scores/theirs.csv -f csv")
    assert (ran.code, ran.err) == (0, "")
    sides = {name for line in ran.lines[1:] for name in line.split(",")[:2]}
    assert sides == {"AP", "RR", "map", "AP (scores)"}


def test_what_a_table_has_beyond_the_collection_is_reported(small, run: Run) -> None:
    wide = b"topic,good,poor,third\nt1,1,0.5,0\nt2,0.5,0.4,0\nt9,0,0,0\n"
    ran = run("correlate . -m AP --scores - -f csv", wide)
    assert ran.code == 0
    assert "evalcore: note: standard input: 1 topics that are not in this collection, such as 't9'\n" in ran.err
    assert "1 systems that are not in this collection, such as 'third'" in ran.err


@pytest.mark.parametrize(
    ("line", "stdin", "code", "complaint"),
    [
        ("correlate . -m AP", b"", 2, "expected at least two measures to correlate, found only AP"),
        ("correlate -m AP --scores -", b"", 2, "expected a collection for measures to score"),
        ("correlate --scores - --scores -", b"", 2, "--scores: expected standard input (-) once, found it again"),
        ("correlate . -m 'AP, RR' --level 2", b"", 1, "expected a level between 0 and 1"),
        ("correlate . -m 'AP, RR' --resamples -1", b"", 1, "expected at least 1 topic and 1 resample, found 2 and -1"),
        ("correlate . -m 'AP, RR' --systems good", b"", 1, "expected at least 2 systems and 1 topic"),
        ("correlate --scores -", b"", 1, "evalcore: standard input: expected a table of scores (CSV) or the output of"),
        ("correlate --scores -", b"map all 0.5\n", 1, "was -q given?"),
        (
            "correlate --scores -",
            b"topic,a,b\nt1,1,x\n",
            1,
            "standard input, line 2: expected a number",
        ),
        ("correlate --scores -", b"topic,a,b\nt1,1\n", 1, "standard input, line 2: expected 3 cells, as in the header"),
        ("correlate --scores -", b"PAR1 damaged", 1, "standard input: expected a readable Parquet table, found"),
        (
            "correlate --scores -",
            b"[1, 2]",
            1,
            "standard input: expected a list of records (JSON), found a number in it",
        ),
        (
            "correlate --scores -",
            b"[{",
            1,
            "standard input, line 1: expected a list of records (JSON), found a mistake",
        ),
        ("correlate --scores none.csv", b"", 1, "none.csv: expected a folder, a zip or a file, found nothing"),
    ],
)
def test_what_cannot_be_correlated(line: str, stdin: bytes, code: int, complaint: str, small, refused: Refused) -> None:
    refused(line, code, complaint, stdin)


def test_a_hole_is_refused_or_zero(run: Run, small) -> None:
    holed = b"system,measure,topic,score\na,X,t1,1\nb,X,t1,0\na,Y,t1,1\nb,Y,t1,0\na,Y,t2,1\n"
    assert "found none for Y of 'b' on topic 't2'" in run("correlate --scores -", holed).err
    ran = run("correlate --scores - --missing zero -f csv", holed)
    assert ran.out == "test,reference,tau\nX,Y,1.0\n"
    assert "1 missing scores set to 0" in ran.err


def test_the_pairs_that_swap_with_what_is_decided(run: Run, sample) -> None:
    result = run(f"correlate {HEALTH} -m AP -m P@5 --swaps -f csv")
    expected = ec.swaps(ec.evaluate("AP", sample), ec.evaluate("P@5", sample))
    found = frame(result.out)
    assert found["system_a"].tolist() == expected.table["system_a"].tolist()
    assert found["decided"].tolist() == expected.table["decided"].tolist()
    assert swaps_in_words(expected) in result.err


def test_swaps_are_of_two_measures(run: Run) -> None:
    result = run(f"correlate {HEALTH} -m 'AP, RBP, P@5' --swaps")
    assert (result.code, result.out) == (2, "")
    assert "--swaps: expected two measures, found 3" in result.err
