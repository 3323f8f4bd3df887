"""Jobs that another process imports by name, for the tests of `evalcore.common.own_process`."""

from __future__ import annotations

import os
import time
from pathlib import Path

from evalcore.common.progress import Progress
from evalcore.errors import InputError


def nothing(share: float, text: str) -> None:
    """Ignore progress, for callers that do not need it."""


def process(progress: Progress) -> int:
    return os.getpid()


def telling_much(progress: Progress) -> str:
    print("what a library prints is no answer")
    for at in range(1000):
        progress(at / 1000, "Reading *runs*")
    return "done"


def refused(progress: Progress) -> None:
    raise InputError("expected 6 fields, found 5", "a.run", 17)


def taking(megabytes: int, progress: Progress) -> int:
    return len(b"x" * megabytes * 10**6)


def broken(progress: Progress) -> None:
    raise KeyError("a fault of ours")


def killed(progress: Progress) -> None:
    os.kill(os.getpid(), 9)


def endless(file: str, progress: Progress) -> None:
    Path(file).write_text(str(os.getpid()))
    time.sleep(600)
