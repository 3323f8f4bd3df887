"""Official tables and curves of focused retrieval; its measures in sweeps and in meta-evaluation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from focused.small_passages import Marked, SmallPassages, small_passages
from hypothesis import given

import evalcore as ec
from evalcore.measures import (
    TASKS,
    DocumentF,
    Entry,
    Task,
    generalised_curves,
    gP,
    iAP,
    interpolated_curves,
    iP,
    official_table,
    precision_recall,
    ranked_documents,
    short_names,
    suggestions,
)

JUDGED = (
    {"d0": Marked(((0, 10),), best_entry=0), "d1": Marked(((20, 30),), best_entry=20)},
    {"d0": Marked(((5, 10),), best_entry=5), "d2": Marked()},
)
EXACT = ((("d0", 0, 10), ("d1", 20, 30)), (("d0", 5, 10),))
WHOLE = ((("d0", 0, 30), ("d1", 0, 30)), (("d0", 0, 30),))
LOST = ((("d3", 0, 30),), (("d2", 0, 30), ("d0", 6, 10)))


@pytest.fixture(scope="module")
def collection() -> ec.Collection:
    return SmallPassages(JUDGED, (LOST, WHOLE, EXACT)).collection  # s0, s1, s2


def test_each_task_has_the_measures_of_the_paper() -> None:
    texts = {name: list(map(str, task.measures)) for name, task in TASKS.items()}
    assert texts["focused"] == ["iP(recall=0)", "iP(recall=0.01)", "iP(recall=0.05)", "iP(recall=0.1)", "iAP"]
    f, entry = "DocumentF", "Entry(A=0.1)"
    assert texts["relevant in context"] == [*(f"gP({f})@{r}" for r in (5, 10, 25, 50)), f"AgP({f})"]
    assert texts["best in context"] == [*(f"gP({entry})@{r}" for r in (5, 10, 25, 50)), f"AgP({entry})"]


@pytest.mark.parametrize("name", TASKS)
def test_official_tables_have_the_best_system_first(collection: ec.Collection, name: str) -> None:
    table = official_table(name, collection)
    assert list(table.index) == ["s2", "s1", "s0"]
    assert list(table) == list(map(str, TASKS[name].measures))
    for text in map(str, table):
        assert (table[text] == ec.evaluate(text, collection).mean()[table.index]).all()


def test_a_task_can_be_ranked_by_another_score(collection: ec.Collection) -> None:
    table = official_table(Task("mine", Entry(A=1)), collection)
    assert list(table)[-1] == "AgP(Entry(A=1))"
    with pytest.raises(
        ec.InputError, match="expected one of focused, relevant in context, best in context, found 'all'"
    ):
        official_table("all", collection)


def test_precision_and_recall_down_a_ranking(collection: ec.Collection) -> None:
    assert collection.passages is not None
    table = precision_recall(collection.passages, "s1", "t0")
    assert table["document"].tolist() == ["d0", "d1"]
    assert table["precision"].tolist() == [10 / 30, 20 / 60]
    assert table["recall"].tolist() == [0.5, 1.0]
    assert table.index.tolist() == [1, 2]
    with pytest.raises(ec.InputError, match="expected a topic of this collection, found 't9'"):
        precision_recall(collection.passages, "s1", "t9")
    with pytest.raises(ec.InputError, match="expected a system of this collection, found 's9'"):
        precision_recall(collection.passages, "s9", "t0")


@given(small_passages())
def test_curves_contain_ip_at_every_level(small: SmallPassages) -> None:
    collection = small.collection
    curves = interpolated_curves(small.passages)
    for level in (0, 1, 5, 10, 100):
        scores = ec.evaluate(iP(recall=level / 100), collection)
        np.testing.assert_allclose(curves.iloc[level], scores.mean(), atol=1e-14)
        curve = interpolated_curves(small.passages, small.topics[-1]).iloc[level]
        assert (curve == scores.iloc[-1]).all()
    np.testing.assert_allclose(curves.mean(), ec.evaluate(iAP(), collection).mean(), atol=1e-14)


@given(small_passages())
def test_curves_contain_gp_at_every_rank(small: SmallPassages) -> None:
    curves = generalised_curves(small.passages, DocumentF(), depth=7)
    assert curves.shape == (7, len(small.systems))
    for rank in (1, 2, 5, 7):
        scores = ec.evaluate(gP(cutoff=rank), small.collection)
        np.testing.assert_allclose(curves.T[rank].to_numpy(), scores.mean().to_numpy(), atol=1e-14)
        curve = generalised_curves(small.passages, DocumentF(), small.topics[0], depth=7)
        np.testing.assert_allclose(curve.T[rank].to_numpy(), scores.to_numpy()[0], atol=1e-14)


def test_documents_of_one_ranking_are_tabulated(collection: ec.Collection) -> None:
    assert collection.passages is not None
    table = ranked_documents(collection.passages, "s0", "t1", Entry(A=0.1))
    assert table["document"].tolist() == ["d2", "d0"]
    assert table[["size", "rsize", "relevant", "best_entry"]].to_numpy().tolist() == [[30, 0, 0, -1], [4, 4, 5, 5]]
    assert table["P"].tolist() == [0.0, 1.0]
    assert table["R"].tolist() == [0.0, 0.8]
    assert table["F"].tolist() == pytest.approx([0.0, 2 * 0.8 / 1.8])
    assert table["Entry(A=0.1)"].tolist() == pytest.approx([0.0, 3 / 4])
    unassessed = ranked_documents(collection.passages, "s0", "t0")
    assert unassessed[["length", "relevant", "F"]].to_numpy().tolist() == [[-1, -1, 0]]


# --- like every other measure -----------------------------------------------------------------------------------------


def test_menus_offer_them_where_they_apply(collection: ec.Collection) -> None:
    sets = suggestions(collection)
    assert list(sets)[:4] == ["First look", "Task focused", "Task relevant in context", "Task best in context"]
    assert [str(one) for one in sets["First look"]][1:4] == ["iAP", "AgP(DocumentF)", "AgP(Entry(A=0.1))"]
    for listed in sets.values():
        assert len(set(short_names(map(str, listed)).values())) == len(listed)
        for frame in ec.evaluate(listed, collection).values():
            assert frame.notna().all(axis=None)
    assert collection.passages is not None
    parts = replace(collection.passages.parts, start=np.full(len(collection.passages.parts), -1))
    by_size = replace(collection, more={"passages": replace(collection.passages, parts=parts)})
    assert "Task best in context" not in suggestions(by_size)
    assert "Task focused" not in suggestions(replace(collection, more={}))
