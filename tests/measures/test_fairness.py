"""AWRF: against the definition of TREC Fair Ranking, written out with scipy; groups from tables, and refusals."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

import evalcore as ec
from app_support import SAMPLE
from evalcore.cli import main
from evalcore.errors import InputError

NAMES = ("public", "shop", "union")


@st.composite
def collections(draw: st.DrawFn) -> tuple[ec.Collection, dict[str, str], dict[str, dict[str, int]], dict[str, dict]]:
    """Groups of some documents, grades of some, rankings with documents that have neither."""
    documents = [f"d{at}" for at in range(8)]
    groups = {"d0": "shop"} | draw(st.dictionaries(st.sampled_from(documents), st.sampled_from(NAMES)))
    labels = st.dictionaries(st.sampled_from(documents[1:]), st.integers(-1, 2))
    grades = {topic: {"d0": draw(st.integers(0, 2))} | draw(labels) for topic in ("t", "u")}  # each has one of a group
    runs = {
        system: {topic: draw(st.permutations([*documents, "other"]))[: draw(st.integers(1, 9))] for topic in grades}
        for system in ("a", "b")
    }
    scored = {
        system: {topic: {one: 10.0 - at for at, one in enumerate(found)} for topic, found in topics.items()}
        for system, topics in runs.items()
    }
    return ec.collection(scored, grades, signals={"owner": groups}), groups, grades, runs


def as_trec_has_it(ranking, groups, wanted, names) -> float:
    """1 - the squared Jensen-Shannon distance of discounted alignments from a target, without documents of no group."""
    discounts = 1 / np.log2(np.maximum(np.arange(1, len(ranking) + 1), 2))
    given = [
        sum(discount for one, discount in zip(ranking, discounts, strict=True) if groups.get(one) == name)
        for name in names
    ]
    if not sum(given) or not sum(wanted):
        return 0.0
    return 1 - jensenshannon(given, wanted) ** 2


@pytest.mark.slow
@settings(max_examples=40)
@given(collections())
def test_attention_against_the_groups_of_relevant_documents(drawn):
    c, groups, grades, runs = drawn
    assessed = {topic: {one: groups[one] for one in listed if one in groups} for topic, listed in grades.items()}
    found = ec.evaluate('AWRF(aspect="owner")', c)
    names = c.assessments.scale("owner").names
    for topic in found.index.astype(str):
        relevant = [one for one, grade in grades[topic].items() if grade > 0 and one in groups]
        wanted = [sum(groups[one] == name for one in relevant) for name in names]
        for system in map(str, found):
            expected = as_trec_has_it(runs[system][topic], assessed[topic], wanted, names)
            assert found.loc[topic, system] == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@settings(max_examples=40)
@given(collections())
def test_other_targets_and_total_variation(drawn):
    c, groups, grades, runs = drawn
    names = c.assessments.scale("owner").names
    even = ec.evaluate('AWRF(aspect="owner", target="even", distance="total variation")@3', c)
    shares = [0.1, 0.4, 0.5][: len(names)]
    as_given = ec.evaluate(f'AWRF(aspect="owner", shares={shares}, discount=Geometric(rho=0.5))', c)
    for topic in even.index.astype(str):
        for system in map(str, even):
            ranking, known = runs[system][topic], {one: groups[one] for one in grades[topic] if one in groups}
            for table, weights, wanted in (
                (even, [1 / np.log2(max(k, 2)) for k in range(1, 4)], [1 / len(names)] * len(names)),
                (as_given, [0.5 ** (k - 1) for k in range(1, 10)], [share / sum(shares) for share in shares]),
            ):
                listed = list(zip(ranking, weights, strict=False))
                given = np.array([sum(w for one, w in listed if known.get(one) == name) for name in names])
                if not given.sum():
                    assert table.loc[topic, system] == 0
                elif table is even:
                    far = np.abs(given / given.sum() - wanted).sum() / 2
                    assert table.loc[topic, system] == pytest.approx(1 - far)
                else:
                    assert table.loc[topic, system] == pytest.approx(1 - jensenshannon(given, wanted) ** 2, abs=1e-9)


def test_a_ranking_of_one_group_where_the_other_is_wanted_is_worst():
    c = ec.collection(
        {"a": {"t": {"x": 2.0}}, "b": {"t": {"y": 1.0}}},
        {"t": {"x": 1, "y": 0}},
        signals={"owner": {"x": "public", "y": "shop"}},
    )
    assert ec.evaluate("AWRF", c).T["t"].tolist() == pytest.approx([1, 1 - math.log(2)])  # the only groups
    assert ec.evaluate('AWRF(distance="total variation")', c).T["t"].tolist() == [1, 0]


def write(folder: Path, table: str) -> Path:
    (folder / "runs").mkdir()
    (folder / "runs" / "a.run").write_text("t Q0 x 1 3 a\nt Q0 y 2 2 a\n")
    (folder / "qrels.txt").write_text("t 0 x 1\nt 0 y 0\n")
    (folder / "owner.csv").write_text(table)
    return folder


def test_a_table_of_words_is_groups_and_no_signal(tmp_path):
    c = ec.load(write(tmp_path, "document,owner\ny,shop\nx,10 downing street\n"))
    assert (c.signals, c.assessments.groupings) == ((), ("owner",))
    assert c.assessments.scale("owner").names == ("10 downing street", "shop")
    assert ec.evaluate('AWRF(aspect="owner")', c).loc["t", "a"] == pytest.approx(0.8, abs=0.1)
    again = ec.load(tmp_path)  # from the cache
    assert again.assessments.scale("owner").names == c.assessments.scale("owner").names


def test_a_word_among_numbers_is_refused_as_before(tmp_path):
    with pytest.raises(InputError, match="expected a finite number as owner, found"):
        ec.load(write(tmp_path, "document,owner\nx,3\ny,shop\n"))


def test_where_there_are_no_groups_the_reason_is_given(sample):
    with pytest.raises(InputError, match="expected groups of documents called group, found none: give a table"):
        ec.evaluate("AWRF", sample)
    with pytest.raises(InputError, match="fog is a signal, whose numbers are no groups"):
        ec.evaluate('AWRF(aspect="fog")', sample)


def test_no_other_measure_reads_groups_as_numbers(tmp_path):
    c = ec.load(write(tmp_path, "document,owner\ny,shop\nx,public\n"))
    with pytest.raises(InputError, match="found groups of documents: owner; AWRF reads them"):
        ec.evaluate('nDCG(aspect="owner")', c)


def test_shares_fit_the_groups(tmp_path):
    c = ec.load(write(tmp_path, "document,owner\ny,shop\nx,public\n"))
    with pytest.raises(InputError, match="expected a share for each of 2 groups"):
        ec.evaluate('AWRF(aspect="owner", shares=[1])', c)


@pytest.mark.parametrize("form", ["trec", "csv"])
def test_a_converted_collection_has_the_same_groups(form, tmp_path):
    folder = SAMPLE.parent / "diversity"
    assert main(["convert", str(folder), "-o", str(tmp_path / "out"), "--format", form]) == 0
    before, after = ec.load(folder), ec.load(tmp_path / "out")
    assert after.assessments.scale("group") == before.assessments.scale("group")
    assert ec.evaluate("AWRF@10", after).equals(ec.evaluate("AWRF@10", before))
