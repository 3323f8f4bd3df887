"""`evalcore papers` counts and checks what the papers print."""

from __future__ import annotations

import json

from evalcore.teaching.papers import exhibits


def test_it_counts_the_printed_values_of_each_paper(run):
    ran = run(["papers", "--format", "json"])
    assert ran.code == 0
    assert sum(row["printed"] for row in json.loads(ran.out)) == 250
    assert "222 of 250 printed values are reproduced; 28 are known misprints" in ran.err


def test_it_lists_all_with_their_kind(run):
    ran = run(["papers", "--list", "--format", "json"])
    assert [row["key"] for row in json.loads(ran.out)] == [one.key for one in exhibits()]
    assert {row["kind"] for row in json.loads(ran.out)} == {one.kind for one in exhibits()}


def test_it_prints_one_exhibit(run):
    ran = run(["papers", "--exhibit", "inex-ap", "--format", "json"])
    assert ran.code == 0
    assert [row["expected"] for row in json.loads(ran.out)] == [0.5, 0.9]


def test_what_is_lacking_is_named_with_the_command_that_fetches_it(run):
    ran = run(["papers", "--exhibit", "zuccon-6"])
    assert ran.code == 1
    assert "evalcore fetch clef2015" in ran.err
    assert run(["papers", "--exhibit", "zuccon-7"]).code == 1
