"""Work in a separate process, which reports progress, has a memory limit, and ends with its parent.

So a long computation does not block everything else. The process receives a function with its arguments, and sends back
progress and then the result, all pickled and through pipes; nothing is written to disk. It is not a sandbox: it runs as
the same user.
"""

from __future__ import annotations

import importlib.util
import io
import math
import os
import pickle
import selectors
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any, BinaryIO, TypeVar

from evalcore.common.progress import Progress, checkpoint, telling
from evalcore.errors import InputError

Result = TypeVar("Result")
LOOK = 0.05  # seconds between two checks whether to go on
BETWEEN = 0.1  # seconds between two reports of progress
NICE = 5  # niceness, for a lower priority than other processes
_OOM = "/proc/self/oom_score_adj"
# Matrices are small here: several threads of linear algebra would only wait for each other and keep cores busy.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def can_start() -> bool:
    """Return whether this system can start processes and poll pipes."""
    return os.name == "posix" and sys.platform not in ("emscripten", "wasi")


def run(job: Callable[..., Result], *given: object, progress: Progress, memory: float = math.inf) -> Result:
    """Call a module-level function with `given` in a separate process, and return its result.

    The function gets `progress` as a keyword argument. Meanwhile `checkpoint` is called in this thread, so that the
    work can be ended. Raises the InputError of the job, InputError if it used more than `memory` MB or was killed, and
    RuntimeError if it failed otherwise.
    """
    where = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **ONE_THREAD}
    command = [sys.executable, "-P", "-m", __name__, *([str(int(memory * 1e6))] if math.isfinite(memory) else [])]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **where}, bufsize=0
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(BrokenPipeError), _writer(process.stdin) as asked:
            pickle.dump((job, given), asked, pickle.HIGHEST_PROTOCOL)
        result: Result = _answer(process, progress, memory)
        return result
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def _writer(pipe: IO[bytes]) -> BinaryIO:
    """Return a buffered writer to a pipe; closing the writer leaves the pipe open."""
    return open(pipe.fileno(), "wb", buffering=1 << 16, closefd=False)


def _answer(process: subprocess.Popen[bytes], progress: Progress, memory: float) -> Any:
    """Pass on the progress of a process, and return its result or raise its error."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        heard = io.BufferedReader(_Heard(process.stdout, selector), 1 << 16)
        while True:
            try:
                kind, *content = pickle.load(heard)
            except (EOFError, pickle.UnpicklingError):
                raise _ended(process.wait(), memory) from None
            if kind == "told":
                progress(*content)
            elif kind == "done":
                return content[0]
            elif kind == "refused":
                raise InputError(*content)
            elif kind == "full":
                raise _too_much(memory)
            else:
                raise RuntimeError(f"error in a separate process:\n{content[0]}")


class _Heard(io.RawIOBase):
    """The messages of a process; `checkpoint` is called while waiting for them, so that the work can be ended."""

    def __init__(self, pipe: IO[bytes], selector: selectors.BaseSelector) -> None:
        self._pipe, self._selector = pipe, selector

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._selector.select(LOOK):
            checkpoint()
        checkpoint()
        return os.readv(self._pipe.fileno(), [buffer])


def _ended(code: int, memory: float) -> Exception:
    if -code in (signal.SIGKILL, signal.SIGABRT):  # killed by the system out of memory; aborted by C++ at its limit
        return _too_much(memory)
    return RuntimeError(f"the separate process ended with exit code {code}")


def _too_much(memory: float) -> InputError:
    most = f"{memory:,.0f} MB" if math.isfinite(memory) else "the available memory"
    return InputError(f"the work needs more than {most}; use less data or allow more memory")


# --- in the process ---------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> None:
    """Run the job that is read from standard input, and write its answer to standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed output must not mix with the answer
    _stand_back(*map(int, arguments))
    try:
        job, given = pickle.load(sys.stdin.buffer)
        threading.Thread(target=_end_with_parent, daemon=True).start()
        with telling(lambda share: None):  # keeps the work in this thread
            answer = "done", job(*given, progress=_telling(answers))
    except InputError as error:
        answer = "refused", error.problem, error.where, error.line  # type: ignore[assignment]
    except MemoryError:
        answer = ("full",)  # type: ignore[assignment]
    except Exception:
        answer = "failed", traceback.format_exc()
    _say(answers, *answer)


def _stand_back(memory: int | None = None) -> None:
    """Lower this process's priority, let it be killed first if memory runs out, and limit its memory (in bytes)."""
    os.nice(NICE)
    with suppress(OSError), open(_OOM, "w") as file:
        file.write("1000")
    if memory is not None and importlib.util.find_spec("resource"):
        import resource

        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _end_with_parent() -> None:
    """Wait until standard input ends, as it does when the parent has ended; then end this process."""
    with suppress(OSError):
        os.read(0, 1)
    os._exit(1)


def _telling(answers: BinaryIO) -> Progress:
    last, before = -BETWEEN, ""

    def tell(share: float, text: str) -> None:
        nonlocal last, before
        if text != before or time.monotonic() > last + BETWEEN:
            last, before = time.monotonic(), text
            _say(answers, "told", share, text)

    return tell


def _say(answers: BinaryIO, *what: object) -> None:
    pickle.dump(what, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


def end(processes: Sequence[subprocess.Popen[bytes]], seconds: float = 10.0) -> None:
    """Terminate processes together, and kill those that have not ended after `seconds` in all."""
    for process in processes:
        process.terminate()
    last = time.monotonic() + seconds
    for process in processes:
        try:
            process.wait(max(last - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
