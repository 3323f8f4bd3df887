"""Without threads the library does the same, one piece after the other: so all its tests run, see conftest.py.

Here is what it does with threads, at each place that has them.
"""

from __future__ import annotations

import threading

import pandas as pd
import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.common import threads


def test_no_thread_can_start_in_a_test_of_the_library() -> None:
    assert not threads.can_start()
    with pytest.raises(RuntimeError, match="can't start new thread"):
        threading.Thread(target=print).start()


def test_an_error_of_work_comes_where_its_result_is_asked_for() -> None:
    with threads.executor(2) as executor:
        job = executor.submit(int, "x")
        with pytest.raises(ValueError, match="invalid literal"):
            job.result()


def test_work_is_done_here_where_no_thread_can_start() -> None:
    with threads.executor(1) as executor:
        assert executor.submit(threading.current_thread).result() is threading.current_thread()


@pytest.mark.threads
def test_threads_are_used_where_they_can_start() -> None:
    with threads.executor(1) as executor:
        assert executor.submit(threading.current_thread).result() is not threading.current_thread()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the threads that have started since."""
    names: list[str] = []
    start = threading.Thread.start

    def listed(self: threading.Thread) -> None:
        names.append(self.name)
        start(self)

    monkeypatch.setattr(threading.Thread, "start", listed)
    return names


@pytest.fixture(scope="module", params=["health", "manual"])
def read_inline(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A sample, and its fingerprint as it is read without threads: runs, digests of files, passages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evalcore.common.threads.can_start", lambda: False)
        return request.param, ec.load(SAMPLE.parent / request.param, use_cache=False).fingerprint


@pytest.mark.threads
def test_runs_and_passages_are_read_alike_by_threads(read_inline: tuple[str, str], started: list[str]) -> None:
    name, fingerprint = read_inline
    assert ec.load(SAMPLE.parent / name, use_cache=False).fingerprint == fingerprint
    assert started


@pytest.mark.threads
def test_files_are_digested_alike_by_threads(started: list[str]) -> None:
    from evalcore.data.cache import digest

    files = [(name, name) for name in "abc"]
    here = digest("settings", files, str.encode)  # type: ignore[arg-type]
    assert started
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evalcore.common.threads.can_start", lambda: False)
        assert digest("settings", files, str.encode) == here  # type: ignore[arg-type]


@pytest.mark.threads
def test_a_long_table_is_arrow_alike_by_threads() -> None:
    long = pd.DataFrame({"a": range(100_000), "b": 0.5})
    there = threads.arrow_table(long)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evalcore.common.threads.can_start", lambda: False)
        assert threads.arrow_table(long) == there
