"""`evalcore pool`."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from cli.conftest import ROOT, Run

import evalcore as ec
from evalcore import pools

HEALTH = str(ROOT / "sample_data" / "health")


def read(run: Run, line: str) -> pd.DataFrame:
    ran = run(f"pool {HEALTH} {line} -f csv")
    assert ran.code == 0, ran.err
    return pd.read_csv(io.StringIO(ran.out))


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    expected = expected.reset_index().rename(columns=lambda name: name.replace(" ", "_"))
    pd.testing.assert_frame_equal(found[list(expected)], expected, check_dtype=False, check_column_type=False)


def test_what_teams_brought(run: Run) -> None:
    c = ec.load(HEALTH)
    found = read(run, "")
    same(found, pools.contributions(c, pools.teams(c), pools.pool_depth(c).depth))
    assert set(found["within"]) == {pools.pool_depth(c).depth}


@pytest.mark.parametrize("what", ["team", "system"])
def test_leaving_out_is_that_of_the_library(run: Run, what: str) -> None:
    c = ec.load(HEALTH)
    selections = pools.without_groups(c, pools.teams(c).of if what == "team" else None, 7)
    found = read(run, f"-m AP --leave-out {what} --within 7")
    same(found, pools.without_table(selections, pools.rescored("AP", c, selections), c, "AP"))


def test_depths_and_shares_are_those_of_the_library(run: Run) -> None:
    c = ec.load(HEALTH)
    same(read(run, "-m AP --depth 3 9"), pools.rescored("AP", c, pools.top_documents(c, [3, 9])).table())
    drawn = pools.sampled_shares(c, [0.2, 0.6], 4, 3, stratified=False)
    found = read(run, "-m AP --share 0.2 0.6 --draws 4 --seed 3 --unstratified")
    same(found, pools.share_bands(pools.rescored("AP", c, drawn)))
