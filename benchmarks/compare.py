"""`python -m benchmarks compare BASE [ROW ...]`: time the rows below in this checkout and in another, alternately.

BASE is a folder with a checkout, or a git revision of this one. Every sample is a separate process, whose `evalcore`
comes from one checkout; the checkouts alternate, and a ratio compares samples of the same round. A row is Python code:
`work` is timed after `ready`; without `ready`, the whole process is timed from its start. `peer` does the same work
with another tool, named by `needs`. In this code, $NAME is the path of a file or folder in FILES, made on first use.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from string import Template

from benchmarks import data, invented
from benchmarks.tables import Table, number
from benchmarks.timing import ROOT, say

ROUNDS = 5


@dataclass(frozen=True)
class Row:
    """A piece of work that is timed in both checkouts; it makes one row of the printed table."""

    name: str  # name on the command line
    about: str
    work: str
    ready: str = ""
    peer: str = ""
    peer_ready: str = ""
    needs: str = ""


def _command(*arguments: str) -> str:
    return f"from evalcore.cli import main; main({list(arguments)!r})"


_SCORE = ("score", "--runs", "$run", "--aspect", "relevance=$qrels", "-m", "AP")
_LOAD = 'ec.load(runs="$%s", aspects={"relevance": "$%s"}, use_cache=False)'
_POLARS = (
    "for path in sorted(Path('$%s').iterdir()):\n"
    "    polars.read_csv(path, separator=' ', has_header=False, columns=[0, 2, 4], quote_char=None)"
)
_LOADED = "import evalcore as ec; ec.load"  # imports everything that loading needs
_POLARS_READY = "import polars; from pathlib import Path"
_FRAME = (
    "import numpy as np, pandas as pd, evalcore as ec\n"
    "random = np.random.default_rng(0)\n"
    "def invented(systems, topics, noise):\n"
    "    known = np.random.default_rng(1).normal(size=(topics, systems)) + np.linspace(0, 1, systems)\n"
    "    return pd.DataFrame(known + noise * random.normal(size=known.shape))\n"
)
_SCORES = (
    f"{_FRAME}from evalcore.labels.judges import SourceRankings\n"
    "scores = {f'judge{at}': invented(63, 53, 0.02 * at) for at in range(56)}"
)
_LEVELS = "from evalcore.measures.tuple_orders import Minkowski, TupleOrder\nlevels = [at / 100 for at in range(101)]"
_MAEP = (
    "import evalcore as ec\n"
    "from benchmarks.navigation import invented\n"
    "collection, measure = invented(), ec.parse('MAep')\n"
    "ec.parse('gr@1000').scores_on(collection)"
)
_SERVER = "import streamlit.web.bootstrap; from ui.shell import warm_up; warm_up.get()"
_FRAME_AND_CHART = (
    "import streamlit.web.bootstrap, pandas; from plotly.graph_objects import Figure, Scatter; Figure(Scatter())"
)
_POWER = f"{_FRAME}frame = invented(300, 50, 0.1)"
ROWS = (
    Row("score", "`evalcore score` on one run", _command(*_SCORE)),
    Row("score-anew", "the same without its cache", _command(*_SCORE, "--no-cache")),
    Row("help", "`evalcore --help`", _command("--help")),
    Row("measures", "`evalcore measures`", _command("measures")),
    Row("import", "`import evalcore`", "import evalcore"),
    Row("server", "a server until it is ready", _SERVER, peer=_FRAME_AND_CHART, needs="streamlit"),
    Row(
        "plain",
        "load 68 plain files",
        _LOAD % ("plain", "qrels"),
        _LOADED,
        _POLARS % "plain",
        _POLARS_READY,
        "polars",
    ),
    Row(
        "topics",
        "load 95 runs x 424 topics x 100",
        _LOAD % ("many/runs", "many/relevance.txt"),
        _LOADED,
        _POLARS % "many/runs",
        _POLARS_READY,
        "polars",
    ),
    Row("inspect", "`inspect` of 63 runs with 55 label files", _command("inspect", "$judges", "--no-cache")),
    Row("pairs", "1,540 pairs of sources with intervals", "SourceRankings('AP', scores, 1000, 0.95, 0).pairs", _SCORES),
    Row("toma", "TOMA's order, 3 x 101 levels", "TupleOrder.of(dict.fromkeys('abc', levels), Minkowski(3))", _LEVELS),
    Row("maep", "MAep of 40 systems", "measure.scores_on(collection)", _MAEP),
    Row("power", "paired bootstrap of 300 systems", "ec.paired_bootstrap(frame)", _POWER),
    Row(
        "discriminate",
        "discriminative power, 300 systems x 8 measures",
        "ec.discriminative_power({str(at): frame for at in range(8)})",
        _POWER,
    ),
)

FILES: Mapping[str, Callable[[data.Place], Path]] = {
    "run": lambda place: place.runs[0],
    "qrels": lambda place: place.relevance,
    "plain": data.plain,
    "many": lambda place: _made(place.scratch / "many", lambda to: invented.write(to, invented.Size(95, 424, 100))),
    "judges": lambda place: _made(place.scratch / "judges", _judges),
}

# Timed in a separate process; it uses only those parts of a checkout that the row names.
_CHILD = """
import sys, time
ready, work = sys.argv[1:]
space = {}
wall, cpu = time.perf_counter(), 0.0
if ready:
    exec(ready, space)
    wall, cpu = time.perf_counter(), time.process_time()
exec(work, space)
from os import times
children = times()
sample = time.perf_counter() - wall, time.process_time() - cpu + children[2] + children[3]
peak = 0
try:
    with open("/proc/self/status") as lines:
        peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024 / 1e6
except OSError:
    pass
print(*sample, peak, file=sys.stderr)
"""


def main(arguments: Sequence[str]) -> None:
    """Time the rows in both checkouts, and print a table of medians and ratios."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks compare", description=__doc__)
    parser.add_argument("base", help="a folder with another checkout, or a revision of this one")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(row.name for row in ROWS))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--data", type=Path, metavar="folder", help="a folder with runs/, qrels*.txt and qread*.txt")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    options = parser.parse_args(arguments)
    if unknown := set(options.rows) - {row.name for row in ROWS}:
        parser.error(f"expected rows of {', '.join(row.name for row in ROWS)}, found {', '.join(sorted(unknown))}")
    chosen = [row for row in ROWS if row.name in options.rows or not options.rows]
    with _checkout(options.base) as base, data.opened(options.data) as place:
        lines = [line for row in chosen for line in _lines(row, base, place, options.rounds)]
    heading = ("", "CPU s", "wall s", "MB", "CPU ratio", "spread", "wall ratio", "MB ratio")
    remarks = (
        f"Medians of {options.rounds} rounds in turns; ratios to this checkout within a round, and their spread.",
    )
    print(Table(f"Here and at {options.base}", heading, lines, remarks).text(options.markdown))


@contextlib.contextmanager
def _checkout(base: str) -> Iterator[Path]:
    if Path(base).is_dir():
        yield Path(base).resolve()
        return
    with tempfile.TemporaryDirectory(prefix="evalcore-base-") as name:
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "-q", name, base], check=True)
        try:
            yield Path(name)
        finally:
            subprocess.run([*git, "remove", "--force", name], check=True)


def _lines(row: Row, base: Path, place: data.Place, rounds: int) -> Iterator[list[str]]:
    jobs = {"here": (ROOT, row.ready, row.work), "base": (base, row.ready, row.work)}
    if row.peer and find_spec(row.needs):
        jobs["peer"] = (ROOT, row.peer_ready, row.peer)
    filled = {name: (where, _filled(ready, place), _filled(work, place)) for name, (where, ready, work) in jobs.items()}
    samples: dict[str, list[tuple[float, ...]]] = {name: [] for name in jobs}
    for at in range(-1, rounds):  # the first round warms up the file cache of the system and our own
        for name, (where, ready, work) in filled.items():
            say(f"{row.name}: {name} ({at + 1} of {rounds})")
            sample = _sample(where, ready, work)
            samples[name] += [sample] if at >= 0 else []
    say("")
    for name, taken in samples.items():
        wall, cpu, peak = (statistics.median(column) for column in zip(*taken, strict=True))
        ratios = [
            [one / own for one, own in zip(*pair, strict=True)] for pair in zip(taken, samples["here"], strict=True)
        ]
        wall_ratio, cpu_ratio, peak_ratio = (sorted(column) for column in zip(*ratios, strict=True))
        spread = "" if name == "here" else f"{number(cpu_ratio[0])} to {number(cpu_ratio[-1])}"
        title = {"here": row.about, "base": "at the base", "peer": "another tool"}[name]
        shown = [number(statistics.median(cpu_ratio)), spread, number(statistics.median(wall_ratio))]
        yield [title, number(cpu), number(wall), f"{peak:.0f}", *shown, number(statistics.median(peak_ratio))]


def _filled(text: str, place: data.Place) -> str:
    return Template(text).substitute(_Files(place))


class _Files(dict[str, str]):
    """Map each name in FILES to the path of its file or folder, which is made on first use."""

    def __init__(self, place: data.Place) -> None:
        super().__init__()
        self.place = place

    def __missing__(self, name: str) -> str:
        return str(FILES[name](self.place))


def _sample(where: Path, ready: str, work: str) -> tuple[float, ...]:
    """Return seconds, CPU seconds and peak MB of one separate process. Raises RuntimeError if it fails."""
    cache = f"{os.environ['EVALCORE_CACHE']}-{where.name}"
    path = os.pathsep.join([str(where), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "EVALCORE_CACHE": cache, "PYTHONPATH": path}
    begun = time.perf_counter()
    command = [sys.executable, "-c", _CHILD, ready, work]
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)
    whole = time.perf_counter() - begun
    if done.returncode:
        raise RuntimeError(f"{work} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    wall, cpu, peak = map(float, done.stderr.split("\n")[-2].split())
    return (wall if ready else whole), cpu, peak


def _made(folder: Path, make: Callable[[Path], object]) -> Path:
    if not folder.exists():
        make(folder)
    return folder


def _judges(folder: Path) -> None:
    """Write 63 runs, and labels by 55 judges, each of whom changes the grade of one document in ten."""
    size = invented.Size(63, 53, 100, 1, 200)
    invented.write(folder, size)
    grades = invented.qrels(size)
    for judge in range(55):
        lines = (
            f"{topic} 0 {document} {(grade + (at + judge) % 10 // 9) % 4}\n"
            for topic, row in grades.items()
            for at, (document, grade) in enumerate(row.items())
        )
        (folder / f"qrels.judge{judge:02d}.txt").write_text("".join(lines))
    (folder / "relevance.txt").rename(folder / "qrels.txt")
    for run in (folder / "runs").iterdir():
        (folder / "runs" / f"{run.stem}.gz").write_bytes(gzip.compress(run.read_bytes(), 6))
        run.unlink()
