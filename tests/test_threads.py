"""Without threads the library does the same, one piece after the other; `pytest --no-threads` runs its tests so."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore import threads


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    threads.can_start.cache_clear()
    yield
    threads.can_start.cache_clear()


def test_a_collection_is_read_the_same_without_threads(no_threads: None) -> None:
    assert not threads.can_start()
    # As read with threads, in the test of the sample data: 32 systems, 40 topics.
    c = ec.load(SAMPLE)
    assert (len(c.systems), len(c.topics)) == (32, 40)


def test_an_error_of_work_comes_where_its_result_is_asked_for(no_threads: None) -> None:
    with threads.executor(2) as executor:
        job = executor.submit(int, "x")
        with pytest.raises(ValueError, match="invalid literal"):
            job.result()


def test_threads_are_used_where_they_can_start() -> None:
    with threads.executor(1) as executor:
        where = executor.submit(threading.current_thread).result()
    assert (where is threading.current_thread()) is not threads.can_start()
