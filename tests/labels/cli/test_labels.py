"""`evalcore labels`: each question prints what the library computes, and refuses options of other questions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cli_support import HEALTH, Refused, Run
from labels.judges.made import judged

import evalcore as ec
from evalcore.labels import judges, pools
from evalcore.labels.cli import command as labels

ANYWHERE = "labels anywhere -m RBP"


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> ec.Collection:
    """Let the command open a collection with two judges, one of whom favours a team."""
    collection = judged(1, "ben", 0.6)
    monkeypatch.setattr(labels, "open_collection", lambda _: collection)
    return collection


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Assert that a printed table has the columns of the library's, whose names may contain blanks."""
    expected = expected.reset_index().rename(columns=lambda name: str(name).replace(" ", "_"))
    found = found.rename(columns=lambda name: name.replace(" ", "_"))
    pd.testing.assert_frame_equal(found[list(expected)], expected, check_dtype=False, check_column_type=False)


def test_every_option_belongs_to_a_question() -> None:
    owned = {option for question in labels.QUESTIONS for option in question.defaults}
    assert owned == {*labels.OPTIONS, *labels.MEASURES}


# --- agreement ------------------------------------------------------------------------------------------------------


def test_agreement_is_printed_as_the_library_computes_it(run: Run, sample) -> None:
    found, expected = run(f"labels {HEALTH} -f csv").table, judges.source_agreement(sample)
    assert set(found["sources"]) == {", ".join(expected.sources)}
    assert found["value"].tolist() == pytest.approx(expected.coefficients()["value"].tolist(), abs=1e-12)


def test_agreement_by_cell_counts_documents_by_both_labels(run: Run, sample) -> None:
    found, sources = run(f"labels {HEALTH} --by cell -f csv").table, judges.source_agreement(sample)
    first, second = (sample.assessments.sources[sources.aspect].labels[name] for name in sources.sources)
    both = ~np.isnan(first) & ~np.isnan(second)
    assert found["documents"].tolist() == pd.crosstab(first[both], second[both]).to_numpy().ravel().tolist()


def test_disagreements_are_the_documents_with_two_labels(run: Run, sample) -> None:
    found = run(f"labels {HEALTH} --disagreements -f csv").table
    table = judges.source_agreement(sample).confusion().to_numpy()
    assert len(found) == table.sum() - np.trace(table)
    apart = (found.iloc[:, 2] - found.iloc[:, 3]).abs()
    assert (apart > 0).all()
    assert apart.is_monotonic_decreasing


# --- rankings under several judges ----------------------------------------------------------------------------------


def test_rankings_under_judges_are_printed_with_notes_on_the_winners(run: Run, two) -> None:
    ran = run(f"{ANYWHERE} --ranking --resamples 30 -f csv")
    expected = judges.source_rankings("RBP", two, n_resamples=30).pairs
    found = ran.table.assign(no_interval=lambda frame: frame["no_interval"].astype(object).fillna(""))
    pd.testing.assert_frame_equal(found[expected.columns], expected, check_dtype=False)
    for source in ("nist", "b"):
        assert f"Under RBP(rho=0.8) with labels of {source}, " in ran.err


def test_ranks_under_judges_are_printed(run: Run, two) -> None:
    same(
        run(f"{ANYWHERE} --ranks --sources b nist union -f csv").table,
        judges.source_rankings("RBP", two, ["b", "nist", "union"], n_resamples=1).ranks,
    )


def test_trust_in_a_judge_at_the_top_is_printed(run: Run, two) -> None:
    row = run(f"{ANYWHERE} --top 5 --correction none -f csv").table.iloc[0].to_dict()
    expected = judges.source_rankings("RBP", two).top("nist", "b", [5], correction="none")
    assert {name: row[name] for name in expected} == pytest.approx(expected.loc[5].to_dict())
    assert [row[name] for name in ("k", "winner", "rank_of_winner")] == [5, *list(expected.attrs.values())[:2]]


def test_the_effect_of_noise_is_printed(run: Run, sample) -> None:
    line = f"labels {HEALTH} -m nDCG@10 --noise any --levels 0.1 0.4 --draws 5 --seed 2 -f csv"
    curve = judges.noise_curve("nDCG@10", sample, "any", levels=[0.1, 0.4], n_draws=5, seed=2)
    found = run(line).table
    assert found["tau"].tolist() == pytest.approx(curve.table["tau"].tolist())
    assert found["kept_up_to"][0] == pytest.approx(curve.level_where(0.9))


# --- the pool -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["team", "system"])
def test_a_pool_without_a_team_or_system_is_printed(run: Run, sample, what: str) -> None:
    selections = pools.without_groups(sample, pools.teams(sample).of if what == "team" else None, 7)
    expected = pools.without_table(selections, pools.rescored("AP", sample, selections), sample, "AP")
    same(run(f"labels {HEALTH} -m AP --pool --leave-out {what} --within 7 -f csv").table, expected)


def test_a_shallower_pool_is_printed(run: Run, sample) -> None:
    deep = pools.top_documents(sample, [3, 9])
    same(run(f"labels {HEALTH} -m AP --pool -f csv --depth 3 9").table, pools.rescored("AP", sample, deep).table())


# --- few human labels, many of a model ------------------------------------------------------------------------------


def test_combined_scores_are_printed_with_notes_on_the_winners(run: Run, sample) -> None:
    kept = "--share 0.2 --topic-share 0.5 --depth 1"
    ran = run(f"labels {HEALTH} -m nDCG@10 --combine {kept} --seed 3 --resamples 50 -f csv")
    text = "KeptLabels(share=0.2, topics=0.5, depth=1, seed=3)"
    expected = ec.combine("nDCG@10", sample, kept=text, seed=3, n_resamples=50)
    found = ran.table.set_index("system")[expected.table.columns]
    pd.testing.assert_frame_equal(found, expected.table, check_dtype=False, check_index_type=False)
    for line in ("combined", "human alone", "model alone"):
        assert f"Under nDCG@10 ({line}), " in ran.err
    assert f"{expected.n_labels:,} human labels of 20 topics and the model's together are worth" in ran.err


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "complaint"),
    [
        ("labels", 2, "expected a collection, found none"),
        ("labels {} -m AP", 2, "--measure belongs to --ranking, "),
        ("labels {} --by topic --pool", 2, "--by belongs to --agreement, not to --pool"),
        ("labels {} --pool --combine", 2, "not allowed with argument"),
        ("labels {}/../manual", 1, "expected an aspect with several sources of labels, found none"),
        ("labels {} --sources assessors nobody", 1, "found 'nobody'"),
        ("labels {} --coefficient kappa", 2, "need --by topic"),
        ("labels {} -m AP --noise any --sources a b", 2, "expected two names with --noise as-measured"),
        ("labels {} --pool --leave-out team --depth 3", 2, "found --leave-out and --depth"),
        ("labels {} -m P@5 --combine --share 0.5 0.6", 2, "--share: expected one number with --combine, found 2"),
    ],
)
def test_contradictory_or_invalid_options_are_refused(refused: Refused, line: str, code: int, complaint: str) -> None:
    refused(line.format(HEALTH), code, complaint)
