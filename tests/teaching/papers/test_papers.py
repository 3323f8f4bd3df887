"""What can be recomputed of the documents, and what their numbers are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import evalcore as ec
from evalcore.teaching.papers import exhibits

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
    assert BY_KEY["zuccon-table-1"].lacks(clef) == "the FOG of its documents"
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


def test_table_2_is_computed_though_the_document_lacks_its_numbers(sample):
    table = BY_KEY["zuccon-table-2"].compared(sample)
    assert table["published"].isna().all()
    assert table.filter(like=": τ", axis=0)["computed"].filter(regex="τ$").is_monotonic_increasing


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
    computed = BY_KEY["navigation-6-1"].compared(sample)["computed"]
    assert computed["effort-precision"] == pytest.approx(0.63)
    assert computed["the same without navigation"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(("topics", "systems", "same"), [(66, 110, True), (66, 40, False), (50, 110, False)])
def test_section_6_is_of_all_110_systems_of_2015(topics, systems, same):
    exhibit = BY_KEY["zuccon-6"]
    collection: Any = SimpleNamespace(topics=range(topics), systems=range(systems))
    assert exhibit.same_data(collection) == same
    assert "all 110 systems" in exhibit.explains
