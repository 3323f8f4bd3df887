"""Measuring on a noisy machine: a separate process per sample, alternating rounds, medians, ratios within a round.

A job for a separate process is a function that prepares and returns the work to time. It is named `module:function` and
gets its arguments as text:

    python -m benchmarks.timing load:polars_columns FOLDER
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MB = 1e6


@dataclass(frozen=True)
class Sample:
    """One job in a separate process: its first call, with all one-time costs of a process, and a second call."""

    wall: float  # seconds
    cpu: float  # seconds, all threads
    peak: float  # peak MB of the process during the first call...
    before: float  # ...and MB before it, with everything imported
    wall_again: float
    cpu_again: float
    result: Any

    @property
    def added(self) -> float:
        """Peak MB that the job needed."""
        return self.peak - self.before


def cpu_seconds(work: Callable[[], Any]) -> float:
    """Return the CPU seconds that this process spends on a piece of work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def in_child(job: str, *arguments: str, once: bool = False) -> Sample:
    """Return the `Sample` of a job, run in a separate process; `once` omits the second call.

    Raises RuntimeError if the process fails.
    """
    command = [sys.executable, "-m", "benchmarks.timing", *(["--once"] if once else []), job, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{job} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return Sample(**json.loads(done.stdout.splitlines()[-1]))


def interleaved(jobs: Mapping[str, Callable[[], Sample]], rounds: int) -> dict[str, list[Sample]]:
    """Run the jobs in turn for a number of rounds; return the samples of each job, one per round."""
    samples: dict[str, list[Sample]] = {name: [] for name in jobs}
    for at in range(rounds):
        for name, job in jobs.items():
            say(f"{name} ({at + 1} of {rounds})")
            samples[name].append(job())
    say("")
    return samples


def median(samples: Sequence[Sample], what: str) -> float:
    """Return the median of one field (`what`) of the samples."""
    return statistics.median(getattr(sample, what) for sample in samples)


def ratio(samples: Sequence[Sample], others: Sequence[Sample], what: str) -> float:
    """Return the median over rounds of a ratio: one field (`what`) of a job, divided by the same field of another."""
    pairs = zip(samples, others, strict=True)
    return statistics.median(getattr(sample, what) / getattr(other, what) for sample, other in pairs)


def share_below(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed.

    >>> share_below([1, 2, 3, 4], 0.5)
    2
    """
    ordered = sorted(values)
    return ordered[max(-int(-share * len(ordered) // 1), 1) - 1]


def say(text: str) -> None:
    """If standard error is a terminal, show a text on it in place of the previous text."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _measure(ready: Callable[[], Any], once: bool) -> Sample:
    before = held_now("VmRSS")
    wall, cpu, result = _timed(ready)
    peak = held_now("VmHWM")
    again = (wall, cpu) if once else _timed(ready)[:2]
    return Sample(wall, cpu, peak, before, *again, result)


def _timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - wall, time.process_time() - cpu, result


def held_now(what: str) -> float:
    """Return MB in memory: current (VmRSS) or peak (VmHWM); always the peak if /proc does not exist.

    On Linux, ru_maxrss of a new process begins at the size of its parent; VmHWM does not.
    """
    with contextlib.suppress(OSError):
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(what)) * 1024 / MB
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MB


def _main(arguments: list[str]) -> None:
    once = arguments[0] == "--once"
    job, *rest = arguments[once:]
    module, function = job.split(":")
    output = os.dup(1)
    os.dup2(2, 1)  # output of tools must not mix with the sample
    ready = getattr(import_module(f"benchmarks.{module}"), function)(*rest)
    sample = _measure(ready, once)
    with os.fdopen(output, "w") as out:
        print(json.dumps(asdict(sample)), file=out)


if __name__ == "__main__":
    _main(sys.argv[1:])
