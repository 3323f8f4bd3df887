"""Threads, if they can start; otherwise, as in WebAssembly, the same work one piece after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from evalcore.common.lazy_imports import pa, pd

T = TypeVar("T")


class Inline(Executor):
    """An executor that does each piece of work immediately, in the submitting thread.

    >>> with Inline() as executor:
    ...     list(executor.map(abs, [-1, 2]))
    [1, 2]
    """

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Do the work immediately, and return a future; an error is raised when its result is requested."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def executor(workers: int) -> Executor:
    """Return an executor with this number of threads, or without threads if none can start."""
    return ThreadPoolExecutor(max_workers=workers) if can_start() else Inline()


def arrow_table(frame: pd.DataFrame) -> pa.Table:
    """Convert a frame, without its index, to Arrow; for long frames this starts threads, if they can start."""
    return pa.Table.from_pandas(frame, preserve_index=False, nthreads=None if can_start() else 1)


@cache
def can_start() -> bool:
    """Return whether this Python can start a thread."""
    thread = threading.Thread(target=lambda: None)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True
