"""`evalcore discriminate`: power of measures, and every pair."""

from __future__ import annotations

import io
import json

import pandas as pd
from cli.conftest import ROOT, Run

import evalcore as ec

HEALTH = str(ROOT / "sample_data" / "health")


def test_power_is_the_librarys(run: Run) -> None:
    found = json.loads(run(f"discriminate {HEALTH} -m 'AP, RBP' --resamples 200 --seed 3 --alpha 0.01 -f json").out)
    tables = ec.evaluate(["AP", "RBP"], ec.load(HEALTH))
    expected = ec.discriminative_power(tables, 0.01, 200, 3).reset_index().to_dict("records")
    settings = {"alpha": 0.01, "resamples": 200, "seed": 3}
    assert found == [row | settings for row in expected]


def test_pairs(run: Run) -> None:
    ran = run(f"discriminate {HEALTH} -m AP --systems 'bm25*' --resamples 200 --pairs -f csv")
    table = pd.read_csv(io.StringIO(ran.out))
    assert len(table) == 6 * 5 // 2
    assert (table["significant"] == (table["asl"] < 0.05)).all()
    power = json.loads(run(f"discriminate {HEALTH} -m AP --systems 'bm25*' --resamples 200 -f json").out)[0]
    assert table["significant"].sum() == power["significant"]


def test_a_table_of_scores(small, run: Run) -> None:
    table = b"topic,a,b\nt1,0.3,0.2\nt2,0.5,0.4\nt3,0.9,0.8\n"  # a constant difference: told apart
    (row,) = json.loads(run("discriminate --scores - --resamples 50 -f json", table).out)
    assert (row["measure"], row["pairs"], row["significant"], row["power"]) == ("standard input", 1, 1, 1.0)
