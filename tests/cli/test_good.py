"""Measures of which low scores are good, and infinite scores, on the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli.conftest import ROOT, Run

import evalcore as ec

SITE = str(ROOT / "sample_data" / "site")
EFFORTS = f"{SITE} -m EffortTo -m InverseEffort"


@pytest.fixture(scope="module")
def means() -> pd.Series:
    return ec.evaluate("EffortTo", ec.load(SITE)).mean()


def table(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text))


def test_an_effort_and_its_inverse_agree(run: Run) -> None:
    found = table(run(f"correlate {EFFORTS} -f csv").out)
    assert found["tau"].item() == pytest.approx(0.8224, abs=1e-4)


def test_the_winner_of_a_sweep_has_the_least_effort(run: Run, means: pd.Series) -> None:
    found = table(run(f"sweep {SITE} -m EffortTo --vary recall=0.5 -f csv").out)
    assert found["winner"].item() == means.idxmin()
    assert found["score"].item() == pytest.approx(means.min())
    scores = table(run(f"sweep {SITE} -m EffortTo --vary recall=0.5 --show scores -f csv").out).set_index("system")
    assert scores["rank"].to_dict() == ec.ranks(means).to_dict()
    assert scores["rank"][np.isinf(scores["score"])].unique().tolist() == [8]


@pytest.mark.parametrize("form", ["csv", "json", "parquet", "trec_eval"])
def test_scores_that_were_written_are_read_with_their_good_end(form: str, run: Run) -> None:
    written = run(f"score {EFFORTS} -q -d 17 -f {form}").raw
    ran = run("correlate --scores - -f csv", written)
    assert (ran.code, ran.err) == (0, "")
    assert table(ran.out)["tau"].item() == pytest.approx(0.8224, abs=1e-4)


def test_infinite_scores_are_shown_as_such(run: Run) -> None:
    shown = run(f"score {SITE} -m EffortTo -f table").out
    assert shown.count("∞") == 5
    assert run(f"score {SITE} -m EffortTo").out.count("\tinf\n") == 5
    records = json.loads(run(f"score {SITE} -m EffortTo -f json").out)
    assert [record["score"] for record in records].count("Infinity") == 5
    assert table(run(f"score {SITE} -m EffortTo -f csv").out)["score"].max() == np.inf


def test_a_measure_of_another_tool_may_be_an_effort(run: Run) -> None:
    scores = b"system,measure,topic,score\na,cost,t1,1\nb,cost,t1,2\na,AP,t1,.5\nb,AP,t1,.4\n"
    assert table(run("correlate --scores - -f csv", scores).out)["tau"].item() == -1
    assert table(run("correlate --scores - --low cost -f csv", scores).out)["tau"].item() == 1
    ran = run("correlate --scores - --low costs", scores)
    assert ran.code == 2
    assert "--low: expected a measure of --scores (cost, AP), found 'costs'" in ran.err


def test_pairs_that_cannot_be_tested_are_counted_in_a_note(run: Run) -> None:
    ran = run(f"discriminate {EFFORTS} --resamples 100 -f csv")
    assert table(ran.out)["untested"].tolist() == [45, 0]  # of 66: 7 systems always get there, 21 pairs
    assert "note: EffortTo: 45 of 66 pairs have an infinite score and cannot be tested" in ran.err
    assert "InverseEffort" not in ran.err
    pairs = run(f"discriminate {SITE} -m EffortTo --resamples 100 --pairs -f csv")
    assert table(pairs.out)["asl"].isna().sum() == 45
    assert "45 of 66 pairs" in pairs.err


def test_a_pairs_difference_is_above_0_where_the_first_is_better(run: Run, means: pd.Series) -> None:
    pairs = table(run(f"discriminate {SITE} -m EffortTo --resamples 100 --pairs -f csv").out)
    known = pairs[np.isfinite(pairs["difference"])]
    assert len(known) == 21
    expected = means[known["system_b"]].to_numpy() - means[known["system_a"]].to_numpy()
    assert known["difference"].tolist() == pytest.approx(expected.tolist())


def test_pearson_explains_why_it_has_no_value(run: Run) -> None:
    ran = run(f"correlate {EFFORTS} -c pearson -f csv")
    assert table(ran.out)["pearson"].isna().all()
    assert "note: EffortTo: 5 of 12 systems have an infinite score: pearson takes finite ones" in ran.err


def test_a_report_has_the_system_with_the_least_effort_on_top(run: Run, tmp_path: Path) -> None:
    few = "t0[67]"  # of its sliders each has 41 places: as many reports
    assert run(f"report {SITE} -m EffortTo -m P@5 --topics {few} -o {tmp_path / 'report.html'}").code == 0
    means = table(run(f"score {SITE} -m EffortTo --topics {few} -f csv").out).set_index("system")["score"]
    text = (tmp_path / "report.html").read_text()
    rows = text[text.rindex("<tbody>") :]
    places = [rows.index(f"<th>{system}</th>") for system in means.sort_values(kind="stable").index]
    assert places == sorted(places)
    assert "<td>∞</td>" in rows
