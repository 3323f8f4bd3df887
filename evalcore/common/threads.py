"""Threads where they can start; where they cannot, such as in WebAssembly, the same work one piece after the other.

And what two threads must not do at once.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from evalcore.common.later import pa, pd

T = TypeVar("T")
TRIES = 20
_ONE_AT_A_TIME = threading.RLock()


class Inline(Executor):
    """An executor that does each piece of work at once, in the thread that asks for it.

    >>> with Inline() as executor:
    ...     list(executor.map(abs, [-1, 2]))
    [1, 2]
    """

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """The work, done; its error, if any, is raised where its result is asked for."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def executor(workers: int) -> Executor:
    """Some threads, or none where none can start."""
    return ThreadPoolExecutor(max_workers=workers) if can_start() else Inline()


def arrow_table(frame: pd.DataFrame) -> pa.Table:
    """The frame without its index as Arrow has it, which starts threads for long ones."""
    return pa.Table.from_pandas(frame, preserve_index=False, nthreads=None if can_start() else 1)


@cache
def can_start() -> bool:
    """Whether this Python can start a thread."""
    thread = threading.Thread(target=lambda: None)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True


def expression(text: str) -> ast.expr:
    """The tree of a Python expression. Raises what `ast.parse` does.

    Python 3.11 counts how deep a tree is for all threads together: where another thread makes one too, either may end
    in a SystemError, "AST constructor recursion depth mismatch" (python/cpython issue 106905); another try does not.

    >>> ast.dump(expression("a + 1"))
    "BinOp(left=Name(id='a', ctx=Load()), op=Add(), right=Constant(value=1))"
    """
    with _ONE_AT_A_TIME:
        for _ in range(TRIES):
            with suppress(SystemError):
                return ast.parse(text, mode="eval").body
        return ast.parse(text, mode="eval").body
