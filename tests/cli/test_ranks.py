"""`evalcore score --ranks`, and the doubt beside whatever names a first."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from cli_support import HEALTH, Refused, Run

import evalcore as ec


def test_ranks_are_those_of_the_library(run: Run) -> None:
    ran = run(f"score {HEALTH} -m AP -m RR --systems 'bm25*' --ranks --resamples 300 --seed 4 --level 0.9 -f csv")
    scores = ec.evaluate("RR", ec.load(HEALTH)).filter(like="bm25")
    expected = ec.rank_intervals(scores, 300, 0.9, 4)
    table = ran.table.query("measure == 'RR'").drop(columns="measure").set_index("system")
    pd.testing.assert_frame_equal(table, expected.table, check_dtype=False, check_index_type=False)
    assert f"evalcore: note: {ec.first_in_words(expected, 'RR')}\n" in ran.err


def test_the_table_for_a_paper_has_intervals_and_letters_and_names_their_family(run: Run) -> None:
    ran = run(f"score {HEALTH} -m RR -m AP --systems 'bm25*' --ranks -f latex")
    table = ec.rank_intervals(ec.evaluate("AP", ec.load(HEALTH)).filter(like="bm25")).table
    rm3 = table.loc["bm25_rm3"]
    assert (rm3["rank"], rm3["all_low"], rm3["all_high"], rm3["groups"]) == (1, 1, 1, "a")
    assert f"bm25\\_rm3 & {rm3['mean']:.4f} & 1 & 1 & a \\\\" in ran.out
    assert ran.out.count("separable systems among all pairs, here 15.") == 2


def test_a_level_between_whole_percents_stands_in_the_table_as_it_is(run: Run) -> None:
    ran = run(f"score {HEALTH} -m AP --systems 'bm25*' --ranks -f latex --level 0.999")
    assert r"The 99.9\% intervals" in ran.out
    assert r"at level 99.9\% family-wise" in ran.out


def test_one_topic_has_ranks_without_doubt(small, run: Run) -> None:
    ran = run("score . -m AP --topics t1 --ranks -f json")
    first = json.loads(ran.out)[0]
    assert (first["rank"], first["rank_low"], first["share_first"]) == (1, None, None)
    assert ran.err == "evalcore: note: Under AP, good leads; too few topics to show which system is the best\n"


@pytest.mark.parametrize(("options", "code", "complaint"), [
    ("-f trec_eval", 2, "--ranks: expected the format table, csv, json, latex, found trec_eval"),
    ("-q", 2, "--ranks covers all topics together: leave out -q"),
    ("--resamples 0", 1, "expected at least 1 topic and 1 resample, found 2 and 0"),
    ("--level 1", 1, "expected a level between 0 and 1, both excluded, found 1.0"),
])  # fmt: skip
def test_options_that_contradict_ranks_are_refused(
    small, refused: Refused, options: str, code: int, complaint: str
) -> None:
    refused(f"score . -m AP --ranks {options}", code, complaint)


@pytest.mark.parametrize("show", ["settings", "systems", "changes"])
def test_a_sweep_notes_the_confidence_of_the_winner_at_the_default(run: Run, show: str) -> None:
    measure = "uRBP1(rho=0.8, threshold=15)"
    ran = run(f"sweep {HEALTH} -m '{measure}' --vary threshold=10,20 --show {show}")
    found = ec.first_in_words(ec.rank_intervals(ec.evaluate(measure, ec.load(HEALTH))), measure)
    assert f"evalcore: note: {found}\n" in ran.err


@pytest.mark.parametrize("show", ["scores", "parameters"])
def test_without_a_winner_there_is_no_note(run: Run, show: str) -> None:
    assert "lead" not in run(f"sweep {HEALTH} -m RBP --vary rho=0.5,0.8 --show {show}").err
