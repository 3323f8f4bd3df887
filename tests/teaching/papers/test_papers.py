"""Results of the documents that can be recomputed, and the documents' own numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest
from scipy.stats import kendalltau

import evalcore as ec
from evalcore.explain.aspect_correlation import several_aspect_measures
from evalcore.teaching.papers import IDENTITY, OTHER_DATA, SAME_DATA, exhibits, tally, tally_in_words

BY_KEY = {one.key: one for one in exhibits()}


def test_every_exhibit_is_recomputed_on_the_sample(subtests, sample):
    for key in BY_KEY:
        with subtests.test(str(key)):
            exhibit = BY_KEY[key]
            assert all([exhibit.explains, exhibit.about, exhibit.needs])
            assert exhibit.lacks(sample) == ""
            assert exhibit.compared(sample)["computed"].notna().any()


def test_an_exhibit_names_what_a_collection_lacks(data_folder):
    clef = ec.load(data_folder / "clef2015")
    assert BY_KEY["zuccon-table-1"].lacks(clef) == "the FOG of the documents"
    assert not BY_KEY["zuccon-6"].lacks(clef)


def test_the_printed_form_of_err_and_the_cascade(sample):
    assert BY_KEY["zuccon-3"].compared(sample)["agrees"].all()


def test_both_forms_of_h_agree(sample):
    assert BY_KEY["palotti-forms"].compared(sample)["agrees"].all()
    assert BY_KEY["palotti-zeros"].compared(sample)["agrees"].all()


def test_table_1_is_met_in_all_nine_orders(sample):
    table = BY_KEY["maistro-table-1"].compared(sample)
    assert len(table) == 90
    assert table["agrees"].all()


def test_the_powers_of_table_4_fit_the_runs_of_table_2_on_19_of_20_columns(sample):
    table = BY_KEY["maistro-table-2"].compared(sample)
    assert list(table.index[~table["agrees"]]) == ["runs of WEB2010, by NDCG"]
    odd = table.loc["runs of WEB2010, by NDCG"]
    assert (odd["published"], odd["computed"]) == (56, 54)  # section 4.3.1: the powers fit 54 runs


def test_the_code_that_correlates_names(sample):
    table = BY_KEY["maistro-names"].compared(sample)
    x, y = "eabcd", "aebcd"  # best first: the slow count of pairs, of the runs' places and of the lists of names
    pairs = [(i, j) for j in range(5) for i in range(j)]
    ranked = sum((x.index(a) - x.index(b)) * (y.index(a) - y.index(b)) > 0 for a, b in combinations("abcde", 2))
    listed = sum((x[i] < x[j]) == (y[i] < y[j]) for i, j in pairs)
    assert table["computed"].tolist() == pytest.approx([2 * ranked / 10 - 1, 2 * listed / 10 - 1])


def test_tables_4_to_6_are_pooled_over_both_bases(sample):
    powers = BY_KEY["maistro-table-4-power"].compared(sample)
    assert len(powers) == 10
    assert powers.notna()["computed"].all()
    assert powers.loc["CAM, NDCG", "published"] == pytest.approx(0.71776)
    assert BY_KEY["maistro-table-5"].compared(sample)["published"].notna().sum() == 30
    assert BY_KEY["maistro-table-6"].compared(sample)["published"].notna().sum() == 20
    measures = [
        measure
        for some in several_aspect_measures(sample.assessments, embedding="equal steps").values()
        for name, measure in some.items()
        if name == "CAM"
    ]
    cut = ec.cut_rankings(sample, 5)
    zero = documents = 0
    for measure in measures:  # the best run of each topic, document by document
        scores, pool = ec.evaluate(measure, cut), sample.assessments
        for at, topic in enumerate(scores.index):
            system = sample.systems.index(scores.loc[topic].round(12).idxmax())
            _, rows = sample.rankings.hits(system, at, 5)
            zero += sum(all(pool.column(name)[row] == 0 for name in sample.aspects) for row in rows)
            documents += min(int(sample.rankings.length[system, at]), 5)
    shown = BY_KEY["maistro-table-5"].compared(sample)["computed"]["CAM, ranks 1-5"]
    assert shown == pytest.approx(zero / documents, abs=1e-9)


def test_table_2_is_computed_though_the_document_lacks_its_numbers(sample):
    table = BY_KEY["zuccon-table-2"].compared(sample)
    assert table["published"].isna().all()
    assert table.filter(like=": τ", axis=0)["computed"].filter(regex="τ$").is_monotonic_increasing


THRESHOLDS = (10, 15, 20)
READERS: dict[str, Callable[[Any], float]] = {
    **{f"uRBP1, th = {th}": partial(lambda th, d: float(d["fog"] < th), th) for th in THRESHOLDS},
    **{f"uRBP2, th = {th}": partial(lambda th, d: 0.5 - math.atan(d["fog"] - th) / math.pi, th) for th in THRESHOLDS},
    "uRBP": lambda d: float(d["understandability"] >= 2),
    "uRBPgr": lambda d: [0, 0.4, 0.8, 1][int(d["understandability"])],
}


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("zuccon-table-1", list(READERS)[:6]),
        ("zuccon-table-2", list(READERS)[:3]),
        ("zuccon-6", list(READERS)[6:]),
    ],
)
def test_the_correlations_of_zuccon_by_loops_over_ranks_and_prefixes(sample, key, names):
    labels, rankings = sample.assessments.frame().to_dict("records"), sample.rankings

    def means(u: Callable[[Any], float]) -> list[float]:
        gains = [u(row) if row["relevance"] >= 1 else 0.0 for row in labels]
        found = [0.0] * len(sample.systems)
        for system in range(len(sample.systems)):
            for topic in range(len(sample.topics)):
                places, rows = rankings.hits(system, topic, int(rankings.length[system, topic]))
                hits = zip(places.tolist(), rows.tolist(), strict=True)
                found[system] += 0.2 * sum(0.8**place * gains[row] for place, row in hits) / len(sample.topics)
        return [round(one, 12) for one in found]

    x, n = means(lambda _: 1.0), len(sample.systems)
    computed = BY_KEY[key].compared(sample)["computed"]
    for name in names:
        y = means(READERS[name])
        first, second = ([at for _, at in sorted((-one, at) for at, one in enumerate(side))] for side in (x, y))
        overlap = 2 / (n - 1) * sum(len({*first[:i]} & {*second[:i]}) / i for i in range(1, n)) - 1
        assert computed[f"RBP - {name}: τ"] == pytest.approx(kendalltau(x, y).statistic)
        assert computed[f"RBP - {name}: τ_AP as printed"] == pytest.approx(overlap)


@pytest.mark.parametrize("base", ["ap", "ndcg"])
def test_table_3_is_met_but_for_the_misprinted_column(sample, base):
    table = BY_KEY[f"maistro-table-3-{base}"].compared(sample)
    others = table[~table.index.str.startswith("MM ")]
    assert others["agrees"].all()
    assert not table["agrees"].all()


def test_entry_points_and_average_precision(sample):
    assert BY_KEY["inex-entry"].compared(sample)["agrees"].all()
    assert BY_KEY["inex-ap"].compared(sample)["computed"].tolist()[1] == pytest.approx(0.9)


def test_the_three_documents_of_section_6_1(sample):
    table = BY_KEY["navigation-6-1"].compared(sample)
    computed = table["computed"]
    printed = table["published"].dropna()
    assert printed.tolist() == [0.4, 0.625, 0.58, 1, 0.5, 0.35, 0, 0.63, 0.63, 0.3]
    assert table["agrees"][printed.index].tolist() == [True, False, True, True, False, False, True, True, True, False]
    assert computed["effort-precision"] == pytest.approx(0.63)
    assert computed["the same without navigation"] == pytest.approx(1 / 3)


KINDS = {
    SAME_DATA: ["navigation-6-1", "maistro-table-1", "maistro-table-3-ap", "maistro-table-3-ndcg"],
    OTHER_DATA: [
        "zuccon-table-1", "zuccon-table-2", "zuccon-6", "maistro-table-4-measures", "maistro-table-4-aspects",
        "maistro-table-4-power", "maistro-table-5", "maistro-table-6",
    ],
    IDENTITY: [
        "zuccon-3", "palotti-forms", "palotti-zeros", "maistro-table-2", "maistro-names", "inex-entry", "inex-ap",
    ],
}  # fmt: skip


def test_every_exhibit_is_of_its_kind(sample):
    for kind, keys in KINDS.items():
        assert [key for key, one in BY_KEY.items() if one.kind_on(sample) == kind] == keys


def test_values_that_no_paper_prints_or_that_are_derived_are_not_counted_as_printed(sample):
    values = [BY_KEY[key].compared(sample)[["published", "computed"]].dropna() for key in KINDS[IDENTITY]]
    assert sum(map(len, values)) == 17 + 20 + 2
    assert tally(sample)["printed"].sum() == 10 + 9 * 10 + 2 * 15 * 5


def test_the_tally_counts_printed_values_of_the_same_data_alone(sample):
    counts = tally(sample)
    unmet = 4 + 10 + 14  # section 6.1, and Table 3 under AP and under NDCG
    assert counts.loc["Maistro et al. 2021"].to_dict() == {
        "printed": 240, "met": 216, "misprints": 24, "wrong": 0, "other data": 5, "identities": 2,
    }  # fmt: skip
    assert list(counts.loc[["Zuccon 2016", "Palotti et al. 2018"], "printed"]) == [0, 0]
    words = f"{250 - unmet} of 250 printed values are reproduced; {unmet} are known misprints"
    assert tally_in_words(counts.sum()) == words


def test_a_value_that_is_no_misprint_and_not_met_is_wrong(monkeypatch, sample):
    from evalcore.teaching import papers

    changed = replace(BY_KEY["maistro-table-3-ap"], misprints=9)
    monkeypatch.setattr(papers, "exhibits", lambda: (changed,))
    assert tally(sample).iloc[0][["misprints", "wrong"]].tolist() == [9, 1]
    assert "1 are not met" not in tally_in_words(tally(sample).sum())
    assert tally_in_words(tally(sample).sum()).endswith("1 is not met")


def test_data_that_is_lacking_is_named_with_the_command_that_fetches_it():
    for key in ("zuccon-table-2", "zuccon-6"):
        assert BY_KEY[key].fetch == "evalcore fetch clef2015"


@pytest.mark.parametrize(("topics", "systems", "same"), [(66, 110, True), (66, 40, False), (50, 110, False)])
def test_section_6_is_of_all_110_systems_of_2015(topics, systems, same):
    exhibit = BY_KEY["zuccon-6"]
    collection: Any = SimpleNamespace(topics=range(topics), systems=range(systems))
    assert (exhibit.kind_on(collection) == SAME_DATA) == same
    assert "all 110 systems" in exhibit.explains
