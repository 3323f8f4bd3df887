"""Loading times: gzipped runs beside decompression alone, plain runs beside readers of columns, and other tools."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.data import Place, content, plain, run_files
from benchmarks.tables import MISSING, Table, number
from benchmarks.timing import Sample, in_child, interleaved, median, ratio

ROUNDS = 5
Work = Callable[[], Any]
HEADING = ("", "wall s", "CPU s", "again: wall s", "CPU s", "memory MB", "wall ratio", "CPU ratio")
FIRST = (
    "First call in a fresh process, then the same call again in it (what was imported and allocated is there already).",
    "Memory: peak of the first call above what the process held before.",
    "Medians; ratios to the row marked 1, round by round.",
)


def run(place: Place) -> Iterator[Table]:
    """Yield the tables on loading: gzipped runs, plain runs, other tools."""
    for part in (_gzipped, _plain, _others):
        yield part(place)


def _gzipped(place: Place) -> Table:
    runs, aspects = str(place.folder / "runs"), (str(place.relevance), str(place.understandability))
    jobs = {
        "decompress, one thread (zlib)": partial(in_child, "load:decompress", runs, "1"),
        "decompress, two threads": partial(in_child, "load:decompress", runs, "2"),
        "evalcore": partial(in_child, "load:ours", runs, *aspects),
        "evalcore, reopened from its cache": partial(in_child, "load:reopened", runs, *aspects),
    }
    samples = interleaved(jobs, ROUNDS)
    lines = samples["evalcore"][0].result
    return Table(f"Loading {place.description}, {lines / 1e6:.1f} million lines", HEADING, _rows(samples), FIRST)


def _plain(place: Place) -> Table:
    folder = plain(place)
    runs, aspects = str(folder), (str(place.relevance), str(place.understandability))
    jobs = {"evalcore": partial(in_child, "load:ours", runs, *aspects)}
    if find_spec("polars"):
        jobs["polars.read_csv, 3 columns"] = partial(in_child, "load:polars_columns", runs)
        jobs["polars.scan_csv, 3 columns, all files at once"] = partial(in_child, "load:polars_lazily", runs)
    jobs["pyarrow.csv, 3 columns"] = partial(in_child, "load:pyarrow_columns", runs)
    samples = interleaved(jobs, ROUNDS)
    lines, size = samples["evalcore"][0].result, sum(path.stat().st_size for path in run_files(folder))
    title = f"Loading {len(run_files(folder))} plain files, {lines / 1e6:.1f} million lines, {size / 1e6:.0f} MB"
    remark = "evalcore also checks every line, orders the rankings and looks every document up in the pool."
    return Table(title, HEADING, _rows(samples), (*FIRST, remark))


def _others(place: Place) -> Table:
    """Return a table of the times of the other tools, each run once because they take long."""
    samples: dict[str, list[Sample]] = {}
    runs = str(place.folder / "runs")
    samples["evalcore"] = [in_child("load:ours", runs, str(place.relevance), once=True)]
    for module, name in OTHERS.items():
        samples[name] = [in_child(f"load:{module}_runs", runs, once=True)] if find_spec(module) else []
    rows = _rows(samples)
    kept = [0, 1, 2, 5, 6, 7]
    remark = "Once each, in fresh processes; ranx after a warm-up run, in which its functions are compiled."
    return Table(
        f"Other tools on {place.description}",
        [HEADING[at] for at in kept],
        [[row[at] for at in kept] for row in rows],
        (remark,),
    )


OTHERS = {
    "pytrec_eval": "pytrec_eval.parse_run",
    "ir_measures": "ir_measures.read_trec_run",
    "ranx": "ranx.Run.from_file",
}


def _rows(samples: Mapping[str, Sequence[Sample]]) -> list[list[str]]:
    """Return a row of texts for each job, with ratios to the first job."""
    reference = next(iter(samples.values()))
    rows = []
    for name, taken in samples.items():
        if not taken:
            rows.append([name, *[MISSING] + [""] * 6])
            continue
        times = [number(median(taken, what)) for what in ("wall", "cpu", "wall_again", "cpu_again")]
        ratios = [number(ratio(taken, reference, what)) for what in ("wall", "cpu")]
        rows.append([name, *times, f"{median(taken, 'added'):.0f}", *(["1", "1"] if taken is reference else ratios)])
    return rows


# --- jobs for a separate process --------------------------------------------------------------------------------------


def ours(runs: str, relevance: str, understandability: str = "", use_cache: bool = False) -> Work:
    """Return a job that loads with `evalcore.load` and returns the number of lines."""
    from evalcore import load

    aspects = {"relevance": relevance, **({"understandability": understandability} if understandability else {})}

    def work() -> int:
        collection = load(runs=runs, aspects=aspects, use_cache=use_cache)
        return int(collection.report.systems["lines"].sum())

    return work


def reopened(runs: str, relevance: str, understandability: str) -> Work:
    """Return a job that loads the same files from our cache on disk."""
    work = ours(runs, relevance, understandability, use_cache=True)
    work()
    return work


def decompress(runs: str, threads: str) -> Work:
    """Return a job that only decompresses the files, and returns their total size in bytes."""
    files = run_files(Path(runs))

    def work() -> int:
        with ThreadPoolExecutor(int(threads)) as executor:
            return sum(executor.map(lambda path: len(content(path)), files))

    return work


def polars_columns(runs: str) -> Work:
    """Return a job that reads topic, document and score, file by file, keeping all frames."""
    import polars

    files = run_files(Path(runs))

    def work() -> int:
        frames = [
            polars.read_csv(path, separator=" ", has_header=False, columns=[0, 2, 4], quote_char=None) for path in files
        ]
        return sum(map(len, frames))

    return work


def polars_lazily(runs: str) -> Work:
    """Return a job that reads the same columns of all files in one lazy query."""
    import polars

    files = run_files(Path(runs))
    columns = polars.nth(0, 2, 4)

    def work() -> int:
        scans = [polars.scan_csv(path, separator=" ", has_header=False, quote_char=None) for path in files]
        return sum(map(len, polars.collect_all([scan.select(columns) for scan in scans])))

    return work


def pyarrow_columns(runs: str) -> Work:
    """Return a job that reads topic, document and score, file by file, keeping all tables."""
    import pyarrow
    from pyarrow import csv

    files = run_files(Path(runs))
    read = csv.ReadOptions(autogenerate_column_names=True)
    parse = csv.ParseOptions(delimiter=" ", quote_char=False)
    types = {"f0": pyarrow.string(), "f2": pyarrow.string(), "f4": pyarrow.float64()}
    convert = csv.ConvertOptions(include_columns=list(types), column_types=types)

    def work() -> int:
        return sum(map(len, [csv.read_csv(path, read, parse, convert) for path in files]))

    return work


def pytrec_eval_runs(runs: str) -> Work:
    """Return a job that reads runs into nested dictionaries, one at a time, because memory would otherwise dominate."""
    import pytrec_eval

    def work() -> None:
        for path in run_files(Path(runs)):
            with gzip.open(path, "rt") as lines:
                pytrec_eval.parse_run(lines)

    return work


def ir_measures_runs(runs: str) -> Work:
    """Return a job that reads runs into named tuples, one run at a time."""
    import ir_measures

    def work() -> None:
        for path in run_files(Path(runs)):
            with gzip.open(path, "rt") as lines:
                list(ir_measures.read_trec_run(lines))

    return work


def ranx_runs(runs: str) -> Work:
    """Return a job that reads runs into typed dictionaries of numba, one run at a time."""
    import ranx

    files = run_files(Path(runs))
    ranx.Run.from_dict({"q": {"a": 1.0, "b": 0.5}})

    def work() -> None:
        for path in files:
            ranx.Run.from_file(str(path), kind="gz")

    return work
