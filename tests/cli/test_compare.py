"""`evalcore compare`: each question prints what the library computes, and refuses what does not belong to it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cli_support import HEALTH, SITE, Refused, Run

import evalcore as ec
from evalcore.cli.compare import OPTIONS, QUESTIONS
from evalcore.common import constants
from evalcore.meta import BASELINE_TESTS, CORRECTIONS, swaps_in_words


def test_the_choices_equal_those_of_the_library() -> None:
    assert set(constants.CORRELATIONS) == set(ec.CORRELATIONS)
    assert set(constants.PAIRED_TESTS) == set(BASELINE_TESTS)
    assert tuple(CORRECTIONS) == constants.CORRECTIONS


def test_each_option_has_a_question() -> None:
    assert {option for question in QUESTIONS for option in question.defaults} == set(OPTIONS)


@pytest.mark.parametrize("name", constants.CORRELATIONS)
def test_correlations(name: str, run: Run, sample) -> None:
    found = run(f"compare {HEALTH} -m 'RBP, uRBP' --coefficient {name} -f csv").table
    means = {str(ec.parse(text)): ec.evaluate(text, sample).mean() for text in ("RBP", "uRBP")}
    assert len(found) == (1 if ec.CORRELATIONS[name].symmetric else 2)
    for row in found.to_dict("records"):
        expected = ec.CORRELATIONS[name](means[row["test"]], means[row["reference"]])
        assert row[name] == pytest.approx(expected, abs=1e-12)


def test_correlations_with_intervals_are_seeded(run: Run, sample) -> None:
    line = f"compare {HEALTH} -m 'RBP, uRBP' --correlations --resamples 200 -f csv --seed"
    first, other = (run(f"{line} {seed}").table.iloc[0] for seed in (7, 8))
    interval = ec.bootstrap_interval(
        ec.tau, ec.evaluate("RBP", sample), ec.evaluate("uRBP", sample), n_resamples=200, seed=7
    )
    assert (first["low"], first["high"]) == pytest.approx((interval.low, interval.high), abs=1e-12)
    assert (first["resamples"], first["seed"]) == (200, 7)
    assert first["low"] != other["low"]


def test_a_matrix_is_square_and_has_readable_names(run: Run) -> None:
    found = run(f"compare {HEALTH} -m 'RBP(rho=0.5), RBP, AP' --matrix -f csv").table.set_index("test")
    assert list(found.index) == list(found.columns)
    assert (found.to_numpy().diagonal() == 1).all()
    header = run(f"compare {HEALTH} --set 'TOMA, CAM and MM' --matrix").lines[0]
    assert "CAM(nDCG)" in header
    assert "aspects" not in header


def test_swaps(run: Run, sample) -> None:
    ran = run(f"compare {HEALTH} -m AP -m P@5 --swaps -f csv")
    expected = ec.swaps(ec.evaluate("AP", sample), ec.evaluate("P@5", sample))
    assert ran.table["system_a"].tolist() == expected.table["system_a"].tolist()
    assert ran.table["decided"].tolist() == expected.table["decided"].tolist()
    assert swaps_in_words(expected) in ran.err


def test_discriminative_power(run: Run, sample) -> None:
    line = f"compare {HEALTH} -m 'AP, RBP' --discriminative-power --resamples 200 --seed 3 --alpha 0.01 -f csv"
    expected = ec.discriminative_power(ec.evaluate(["AP", "RBP"], sample), 0.01, 200, 3).reset_index()
    pd.testing.assert_frame_equal(run(line).table[list(expected)], expected, check_dtype=False)


def test_pairs(run: Run) -> None:
    found = run(f"compare {HEALTH} -m AP --systems 'bm25*' --resamples 200 --pairs --correction none -f csv").table
    assert len(found) == 6 * 5 // 2
    assert (found["significant"] == (found["asl"] < 0.05)).all()


def test_pairs_control_the_false_discovery_rate_and_find_equivalent_systems(run: Run, sample) -> None:
    found = run(f"compare {HEALTH} -m AP --resamples 200 --pairs --margin 0.1 -f csv").table
    tests = ec.paired_bootstrap(ec.evaluate("AP", sample), 200)
    expected = ec.meta.corrected_pairs(tests, "bootstrap", "Benjamini-Hochberg", 0.1)
    assert found["p_corrected"].to_numpy() == pytest.approx(expected["p"].to_numpy())
    assert found["p_equivalent"].to_numpy() == pytest.approx(expected["p_equivalent"].to_numpy())
    assert 0 < found["equivalent"].sum() == (expected["p_equivalent"] < 0.05).sum()


@pytest.mark.parametrize("test", ["t-test", "wilcoxon"])
def test_pairs_by_another_test_with_its_correction(test: str, run: Run, sample) -> None:
    line = f"compare {HEALTH} -m AP --resamples 50 --test {test} --correction benjamini-hochberg -f csv"
    tests = ec.paired_bootstrap(ec.evaluate("AP", sample), 50)
    name = {"wilcoxon": "Wilcoxon"}.get(test, test)
    p = ec.meta.corrected_pairs(tests, name, "Benjamini-Hochberg")["p"]
    assert run(f"{line} --pairs").table["significant"].sum() == (p < 0.05).sum()
    assert run(f"{line} --discriminative-power").table["significant"].item() == (p < 0.05).sum()


def test_baselines(run: Run, sample) -> None:
    line = f"compare {HEALTH} -m 'AP, RR' --baseline bm25_base --baseline bm25_stem --test t-test --correction holm"
    found = run(f"{line} -f csv").table
    expected = ec.against_baselines(ec.evaluate("RR", sample), ["bm25_base", "bm25_stem"], "t-test", "Holm")
    of_rr = found[found["measure"] == "RR"].drop(columns="measure").reset_index(drop=True)
    pd.testing.assert_frame_equal(of_rr, expected, check_dtype=False)


def test_topics_needed(run: Run, sample) -> None:
    row = run(f"compare {HEALTH} -m AP --topics-needed 0.05 -f csv").table.iloc[0]
    sd = ec.difference_sd(ec.evaluate("AP", sample))
    assert (row["measure"], row["sd"], row["topics"]) == ("AP", pytest.approx(sd, rel=1e-12), 40)
    assert row["power"] == pytest.approx(ec.power(40, 0.05 / sd))
    assert row["topics_needed"] == ec.topics_needed(0.05 / sd)
    assert row["topics_for_interval"] == ec.topics_for_interval(0.05 / sd)


def test_topics_needed_without_scores(run: Run) -> None:
    found = run("compare --topics-needed 0.1 --sd 0.2 -f csv").table
    assert found["topics_needed"].item() == 34  # effect .5: see tests/meta/test_topics_needed.py
    assert "power" not in found


GAPS = "topic,a,b,c\nt1,0.9,0.5,0.1\nt2,,0.5,0.3\nt3,0.2,0.4,0.3\nt4,0.8,0.1,\n"


def test_aggregates(run: Run) -> None:
    line = "compare --scores - --aggregate 'Mean()' --aggregate 'Borda()' -f csv"
    found = run(line, GAPS.encode()).table
    scores = pd.DataFrame({"a": [0.9, np.nan, 0.2, 0.8], "b": [0.5, 0.5, 0.4, 0.1], "c": [0.1, 0.3, 0.3, np.nan]})
    for rule, name in (("Mean()", "Mean"), ("Borda()", "Borda")):
        of_rule = found[found["by"] == name].set_index("system")
        np.testing.assert_allclose(of_rule["estimate"], ec.aggregate(scores, rule)[of_rule.index])
    assert of_rule["missing"].to_dict() == {"a": 1, "b": 0, "c": 1}


# --- measures of which low scores are good, and infinite scores -----------------------------------------------------

EFFORTS = f"compare {SITE} -m EffortTo -m InverseEffort"


def test_a_measure_of_another_tool_may_be_an_effort(run: Run) -> None:
    scores = b"system,measure,topic,score\na,cost,t1,1\nb,cost,t1,2\na,AP,t1,.5\nb,AP,t1,.4\n"
    assert run("compare --scores - -f csv", scores).table["tau"].item() == -1
    assert run("compare --scores - --low cost -f csv", scores).table["tau"].item() == 1


def test_pairs_that_cannot_be_tested_are_counted_in_a_note(run: Run) -> None:
    ran = run(f"{EFFORTS} --discriminative-power --resamples 100 -f csv")
    assert ran.table["untested"].tolist() == [45, 0]  # of 66: 7 systems always get there, 21 pairs
    assert "note: EffortTo: 45 of 66 pairs have an infinite score and cannot be tested" in ran.err
    assert "InverseEffort" not in ran.err


def test_a_correlation_that_ties_keep_below_1_has_a_note(run: Run) -> None:
    rows = [f"t1,{s},{name},{score}" for name in ("AP", "RR") for s, score in (("a", 0.5), ("b", 0.3), ("c", 0.3))]
    scores = "\n".join(["topic,system,measure,score", *rows]).encode()
    ran = run("compare --scores - --coefficient tau_ap", scores)
    assert "note: AP, RR: 2 of 3 systems are tied: such a ranking has \u03c4_AP 0.500 even with itself;" in ran.err
    assert run("compare --scores - --coefficient tau_ap_b", scores).err == ""


# --- scores from elsewhere ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "json", "trec_eval"])
def test_written_scores_keep_their_good_end(form: str, run: Run) -> None:
    written = run(f"score {SITE} -m EffortTo -m InverseEffort -q -d 17 -f {form}").raw
    ran = run("compare --scores - -f csv", written)
    assert (ran.code, ran.err) == (0, "")
    assert ran.table["tau"].item() == pytest.approx(0.8224, abs=1e-4)


def test_extra_rows_of_a_table_are_reported(small, run: Run) -> None:
    ran = run("compare . -m AP --scores - -f csv", b"topic,good,poor,third\nt1,1,0.5,0\nt2,0.5,0.4,0\nt9,0,0,0\n")
    assert ran.code == 0
    assert "evalcore: note: standard input: 1 topic not in this collection, such as 't9'\n" in ran.err
    assert "1 system not in this collection, such as 'third'" in ran.err


def test_a_missing_score_is_refused_or_read_as_0(run: Run, small) -> None:
    holed = b"system,measure,topic,score\na,X,t1,1\nb,X,t1,0\na,Y,t1,1\nb,Y,t1,0\na,Y,t2,1\n"
    assert "found none for Y of 'b' on topic 't2'" in run("compare --scores -", holed).err
    ran = run("compare --scores - --missing zero -f csv", holed)
    assert ran.out == "test,reference,tau\nX,Y,1.0\n"
    assert "1 missing score set to 0" in ran.err


@pytest.mark.parametrize(
    ("line", "code", "complaint"),
    [
        # of one question, with another
        ("compare . -m AP --pairs --matrix", 2, "--matrix belongs to --correlations, not to --pairs"),
        ("compare . -m AP,RR --test wilcoxon", 2, "belongs to --discriminative-power, --pairs, --baseline, not to --c"),
        ("compare . -m AP --aggregate Mean --alpha 0.1", 2, "--alpha belongs to"),
        ("compare . -m AP --pairs --swaps", 2, "argument --swaps: not allowed with argument --pairs"),
        ("compare . -m AP --pairs --sd 1", 2, "--sd belongs to --topics-needed, not to --pairs"),
        # correlations
        ("compare . -m AP", 2, "expected at least two measures to correlate, found only AP"),
        ("compare -m AP --scores -", 2, "expected a collection for measures to score"),
        ("compare -m AP --scores runs .", 2, "put it before --scores, which reads all files that follow"),
        ("compare --scores - --scores -", 2, "--scores: expected standard input (-) once, found it again"),
        ("compare --scores - --low costs", 2, "--low: expected a measure of --scores (X), found 'costs'"),
        ("compare --scores none.csv", 1, "none.csv: expected a folder, a zip or a file, found nothing"),
        ("compare . -m 'AP, RR, P@5' --swaps", 2, "--swaps: expected two measures, found 3"),
        # pairs, baselines
        ("compare . -m AP --pairs --test permutation", 2, "tukey with --pairs and --discriminative-power, found perm"),
        (
            "compare . -m AP --pairs --test tukey --correction holm",
            2,
            "--test tukey already corrects for all pairs: leave out --",
        ),
        (
            "compare . -m AP --pairs --margin 0",
            2,
            "expected a difference above 0 and no --test tukey, found 0",
        ),
        ("compare . -m AP --baseline poor --test tukey", 2, "bootstrap with --baseline, found tukey"),
        # topics needed, aggregates
        ("compare . --topics-needed 0.1 --sd 0.2", 2, "leave out the collection and --scores"),
        ("compare --topics-needed 0.1", 2, "expected a collection or --scores FILE, found neither"),
        ("compare --topics-needed 0.1 --sd 0", 2, "--sd: expected a number above 0, found 0"),
        ("compare . -m AP --aggregate Mean --level 2", 2, "between 0 and 1"),
        # files
        ("compare . -m AP -o x.parquet", 2, "writes table, csv, json; x.parquet has a different extension"),
    ],
)
@pytest.mark.usefixtures("small")
def test_scores_that_cannot_be_compared_are_refused(line: str, code: int, complaint: str, refused: Refused) -> None:
    refused(line, code, complaint, b"system,measure,topic,score\na,X,t,1\nb,X,t,1\n")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "evalcore: standard input: expected a table of scores (CSV) or the output of"),
        (b"map all 0.5\n", "did trec_eval run with -q?"),
    ],
)
def test_a_file_that_is_not_a_table_of_scores_is_refused(content: bytes, complaint: str, refused: Refused) -> None:
    refused("compare --scores -", 1, complaint, content)
