"""Every reader of foreign bytes, driven by coverage: `python -m benchmarks.fuzz [target ...] [--seconds 60]`.

Needs `pip install atheris` (libFuzzer), but for `links`, whose inputs are made of what pages declare, `folders`:
mixtures of files whose truth is known, which must be read as that, be asked about, or be refused by file and line, and
`sentences`: claims about small collections, each statement of which is decided again by slow loops.
What counts as a crash is any exception but InputError, any warning, a run of 20 seconds, or 2 GB of memory (of `links`:
an error page, or a page of two minutes; of `folders` and `sentences`: a difference from the truth); each kind of crash
is kept once, as a file to move to `tests/fuzz/corpus/TARGET`.

`python -m benchmarks.fuzz messages [--count 100000] [--seed 1]` sends a server messages at random, beside a visitor who
has files.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks import messages
from benchmarks.tables import Table, number

ROOT = Path(__file__).parents[1]
LONGEST = 4096  # bytes of an input
OURS = ("evalcore", "ui", "fuzz")
MADE = ("links", "folders", "sentences")  # targets whose inputs are made, not mutated
SERVED = "messages"  # what is sent to a server, by itself


@dataclass(frozen=True)
class Outcome:
    """What one target did."""

    name: str
    inputs: int
    seconds: float
    covered: int  # edges of the code
    crashes: list[Path]


def main() -> None:
    options = _options()
    if options.child:
        _child(options.child, options.keep, options.seconds)
        return
    if options.targets == [SERVED]:
        sys.exit(not messages.run(options.count, options.seed))
    keep = options.keep or Path(tempfile.mkdtemp(prefix="fuzz-"))
    names = options.targets or sorted(path.name for path in (ROOT / "tests/fuzz/corpus").iterdir())
    outcomes = [_run(name, keep, options.seconds) for name in names]
    print(_table(outcomes).text(options.markdown))
    for crash in (crash for outcome in outcomes for crash in outcome.crashes):
        print(f"{crash}\n{crash.with_suffix('.txt').read_text()}")
    sys.exit(any(outcome.crashes for outcome in outcomes))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="target")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--count", type=int, default=100_000, help="of messages")
    parser.add_argument("--seed", type=int, default=1, help="of messages")
    parser.add_argument("--keep", type=Path, help="where crashes and new seeds go")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    return parser.parse_args()


def _run(name: str, keep: Path, seconds: int) -> Outcome:
    """One target in a process of its own: libFuzzer never returns."""
    command = [sys.executable, "-m", "benchmarks.fuzz", "--child", name, "--keep", str(keep), "--seconds", str(seconds)]
    begun = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    taken = time.perf_counter() - begun
    inputs = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    if not inputs:
        print(f"{name} ended early:\n{done.stderr[-2000:]}", file=sys.stderr)
    crashes = sorted((keep / "crashes" / name).glob("*.input"))
    count = int(inputs.group(1)) if inputs else 0
    return Outcome(name, count, taken, int(covered[-1]) if covered else 0, crashes)


def _table(outcomes: list[Outcome]) -> Table:
    rows = [
        [
            outcome.name,
            f"{outcome.inputs:,}",
            number(outcome.inputs / outcome.seconds),
            f"{outcome.covered:,}",
            str(len(outcome.crashes)),
        ]
        for outcome in outcomes
    ]
    total = sum(outcome.inputs for outcome in outcomes), sum(len(outcome.crashes) for outcome in outcomes)
    rows.append(["all", f"{total[0]:,}", "", "", str(total[1])])
    return Table("Fuzzing, guided by coverage", ("target", "inputs", "per second", "edges", "kinds of crash"), rows)


def _child(name: str, keep: Path, seconds: int) -> None:
    sys.path.insert(0, str(ROOT / "tests"))
    os.environ["EVALCORE_CACHE"] = str(keep / "cache")
    if name in MADE:
        _made(name, keep, seconds)
        return
    import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

    with atheris.instrument_imports(include=list(OURS)):
        from fuzz.targets import TARGETS

        from evalcore.errors import InputError
    warnings.simplefilter("error")
    corpus, crashes = keep / "found" / name, _crashes(keep, name)
    corpus.mkdir(parents=True, exist_ok=True)
    guarded = _guarded(TARGETS[name], InputError, crashes)
    flags = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=20", "-rss_limit_mb=2048"]
    flags += ["-print_final_stats=1", f"-artifact_prefix={crashes}/"]
    atheris.Setup([sys.argv[0], *flags, str(corpus), str(ROOT / "tests/fuzz/corpus" / name)], guarded)
    atheris.Fuzz()


def _made(name: str, keep: Path, seconds: int) -> None:
    """One input after another, made from the numbers 0, 1, 2, ..."""
    from fuzz.targets import MAKERS, TARGETS

    from evalcore.errors import InputError

    warnings.simplefilter("error")
    guarded = _guarded(TARGETS[name], InputError, _crashes(keep, name))
    end, done = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        guarded(MAKERS[name](Random(done)))
        done += 1
    print(f"number_of_executed_units: {done}", file=sys.stderr)


def _crashes(keep: Path, name: str) -> Path:
    place = keep / "crashes" / name
    place.mkdir(parents=True, exist_ok=True)
    return place


def _guarded(target: Callable[[bytes], None], allowed: type[Exception], crashes: Path) -> Callable[[bytes], None]:
    """The target, which goes on after a crash: one input of each kind is kept."""

    def run(data: bytes) -> None:
        try:
            target(data)
        except allowed:
            return
        except Exception as error:
            _keep(data, error, crashes)

    return run


def _keep(data: bytes, error: Exception, crashes: Path) -> None:
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if str(ROOT) in frame.filename]
    place = [f"{type(error).__name__} {frame.filename}:{frame.lineno}" for frame in ours[-1:]]
    place += [str(getattr(error, "place", ""))]
    path = crashes / f"{hashlib.sha256(''.join(place).encode()).hexdigest()[:12]}.input"
    if not path.exists():
        path.write_bytes(data)
        path.with_suffix(".txt").write_text("".join(traceback.format_exception(error, limit=-6)), errors="replace")


if __name__ == "__main__":
    main()
