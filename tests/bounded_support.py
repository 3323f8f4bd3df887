"""Code that runs in a process with limits on its resources."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Mapping


def printed_within(most: Mapping[int, int], code: str, *arguments: str) -> str:
    """Return the output of a program under limits, by their numbers in `resource`; the program must not fail."""

    def limit() -> None:
        for number, value in most.items():
            resource.setrlimit(number, (value, value))

    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout
