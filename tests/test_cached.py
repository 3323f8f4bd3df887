"""A stored property is computed once for each object, and one object never waits for another."""

from __future__ import annotations

import threading

import pytest

from evalcore.common.cached import cached_property


class Slow:
    """An object whose property waits until it may go on."""

    def __init__(self, may: threading.Event) -> None:
        self.may, self.began, self.times = may, threading.Event(), 0

    @cached_property
    def value(self) -> int:
        """A number."""
        self.began.set()
        self.times += 1
        assert self.may.wait(60)
        return self.times


@pytest.mark.threads
def test_a_property_is_computed_while_that_of_another_object_still_computes() -> None:
    waits, goes = Slow(threading.Event()), Slow(threading.Event())
    other = threading.Thread(target=lambda: waits.value, daemon=True)
    other.start()
    assert waits.began.wait(60)
    goes.may.set()
    mine = threading.Thread(target=lambda: goes.value, daemon=True)
    mine.start()
    mine.join(60)
    assert vars(goes)["value"] == 1
    waits.may.set()
    other.join(60)
    assert (waits.value, waits.times) == (1, 1)


def test_the_class_shows_the_description_of_a_property() -> None:
    assert Slow.value.__doc__ == "A number."
