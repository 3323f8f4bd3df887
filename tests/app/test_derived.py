"""Results derived from an open collection are found only by who opened it, not by others with the same files."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import evalcore as ec
from evalcore.data import Collection
from evalcore.teaching.exercises import FILE_NAME
from ui.address.coverage import measures_of, on_covered_topics
from ui.address.derived import Derived
from ui.data.filter import averaged_over, led_by

FILES = [
    ("one.run", b"1 Q0 a 1 3 r\n2 Q0 b 1 3 r\n3 Q0 b 1 3 r\n"),
    ("two.run", b"1 Q0 b 1 3 r\n2 Q0 a 1 3 r\n3 Q0 a 1 3 r\n"),
    ("credibility.txt", b"1 0 a 0\n1 0 b 2\n2 0 a 1\n2 0 b 0\n3 0 a 1\n3 0 b 0\n"),
    ("understandability.txt", b"1 0 a 1\n1 0 b 3\n2 0 a 2\n2 0 b 1\n"),
]
WAYS: dict[str, Callable[[Collection], Collection]] = {
    "restricted": lambda one: ec.restrict(one, ["one"]),
    "led": lambda one: ec.lead_by(one, "understandability"),
    "averaged": lambda one: ec.average_over(one, "retrieved"),
}


def opened(title: str) -> Collection:
    """Open the same files as another person would, under another title."""
    return replace(ec.load_files(FILES), title=title)


@pytest.mark.parametrize("way", WAYS)
def test_the_same_files_of_two_visitors_are_kept_separately(way: str) -> None:
    derived, anna, bert = Derived(), opened("Anna's study"), opened("Bert's")
    assert anna.fingerprint == bert.fingerprint
    made = [derived.get(one, way, lambda one=one: WAYS[way](one)) for one in (anna, bert)]  # type: ignore[misc]
    assert [one.title for one in made] == ["Anna's study", "Bert's"]
    assert derived.get(anna, way, lambda: pytest.fail("it is made once")) is made[0]


@pytest.mark.parametrize("way", WAYS)
def test_derived_data_of_a_closed_collection_are_dropped(way: str) -> None:
    derived = Derived()

    def made_and_left() -> weakref.ref[Collection]:
        mine = opened("Anna's study")
        return weakref.ref(derived.get(mine, way, lambda: WAYS[way](mine)))

    part = made_and_left()
    other = opened("Bert's")
    gc.collect()
    derived.get(other, way, lambda: WAYS[way](other))
    gc.collect()
    assert part() is None


def test_the_oldest_entries_are_dropped() -> None:
    derived, mine, made = Derived(most=2), opened("Anna's study"), list[str]()

    def make(how: str) -> Callable[[], Collection]:
        return lambda: made.append(how) or replace(mine)  # type: ignore[func-returns-value]

    for how in ("a", "b", "a", "c", "a", "b"):
        derived.get(mine, how, make(how))
    assert made == ["a", "b", "c", "b"]


@pytest.mark.parametrize(
    "make",
    [
        lambda one: led_by(one, "understandability"),
        lambda one: averaged_over(one, "retrieved"),
        lambda one: on_covered_topics(one, ["AP", 'AP(aspect="understandability")']),
    ],
    ids=["led", "averaged", "covered"],
)
def test_filtered_collections_survive_messages_that_clear_caches(
    make: Callable[[Collection], Collection],
) -> None:
    anna, bert = opened("Anna's study"), opened("Bert's")
    before = make(anna)
    st.cache_resource.clear()
    assert make(anna) is before
    assert (before.title, make(bert).title) == ("Anna's study", "Bert's")


def test_the_topics_of_a_comparison_depend_on_the_visitor() -> None:
    mine, aspect = opened("Anna's study"), 'aspect="understandability"'
    part = on_covered_topics(mine, ["AP", f"AP({aspect})"])
    on_covered_topics(mine, ["RR", f"RR({aspect})"])  # another visitor, with the same topics
    assert measures_of(part, mine) == ("AP", f"AP({aspect})")


def test_exercises_uploaded_with_the_same_files_stay_private(monkeypatch: pytest.MonkeyPatch) -> None:
    def app() -> None:
        import streamlit as st

        from ui.teaching.exercises.sets import _packed

        st.text(_packed(st.session_state["mine"], None, st.session_state["files"]))  # type: ignore[arg-type]

    for name in ("anna", "bert"):
        visit = AppTest.from_function(app)
        visit.session_state["mine"] = opened(name)
        visit.session_state["files"] = (*FILES, (FILE_NAME, f"title = '{name}'".encode()))
        visit.run()
        assert name in visit.text[0].value
        assert name in visit.run().text[0].value
