"""The files to measure: real runs if available, otherwise invented ones of the same size."""

from __future__ import annotations

import contextlib
import gzip
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import synthetic
from benchmarks.timing import ROOT

REAL = ROOT.parent / "shared" / "data" / "clef2015"
PLAIN_RUNS = 68  # number of runs of CLEF eHealth 2015


@dataclass(frozen=True)
class Place:
    """A folder with runs in `runs/` and qrels beside it, and a folder for derived files."""

    folder: Path
    scratch: Path
    real: bool

    @property
    def runs(self) -> list[Path]:
        return run_files(self.folder / "runs")

    @property
    def relevance(self) -> Path:
        return _qrels(self.folder, "qrels")

    @property
    def understandability(self) -> Path:
        return _qrels(self.folder, "qread")

    @property
    def description(self) -> str:
        kind = "real runs" if self.real else "invented runs (no real data found)"
        return f"{len(self.runs)} {kind}, {sum(path.stat().st_size for path in self.runs) / 1e6:.0f} MB gzipped"


@contextlib.contextmanager
def opened(given: Path | None) -> Iterator[Place]:
    """Yield the given folder, else the folder in $EVALCORE_DATA, else the real data beside the project.

    If neither of the last two has runs, yield a folder of invented ones.
    """
    with tempfile.TemporaryDirectory(prefix="evalcore-bench-") as name:
        scratch = Path(name)
        real = _real(given)
        os.environ["EVALCORE_CACHE"] = str(scratch / "cache")  # do not touch the user's own cache
        yield Place(real or synthetic.write(scratch / "synthetic"), scratch, real is not None)


def plain(place: Place, count: int = PLAIN_RUNS) -> Path:
    """Return a folder with a number of decompressed runs; if there are too few, some are repeated under other names."""
    target = place.scratch / f"plain-{count}"
    if not target.exists():
        target.mkdir()
        for at in range(count):
            lap, position = divmod(at, len(place.runs))
            source = place.runs[position]
            name = source.name.removesuffix(".gz")
            (target / (f"again{lap}_{name}" if lap else name)).write_bytes(content(source))
    return target


def content(path: Path) -> bytes:
    """Return the content of a file, decompressed if it is gzipped."""
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def run_files(folder: Path) -> list[Path]:
    """Return the files of a folder, sorted by name."""
    return sorted(path for path in folder.iterdir() if path.is_file())


def _real(given: Path | None) -> Path | None:
    if given is not None:
        if not (given / "runs").is_dir():
            raise SystemExit(f"expected a folder with runs/ and qrels in it, found none at {given}")
        return given.resolve()
    named = os.environ.get("EVALCORE_DATA")
    places = [Path(named), Path(named) / "clef2015"] if named else [REAL]
    return next((place.resolve() for place in places if (place / "runs").is_dir()), None)


def _qrels(folder: Path, beginning: str) -> Path:
    files = sorted(folder.glob(f"{beginning}*.txt"))
    if not files:
        raise SystemExit(f"expected {beginning}*.txt in {folder}, found none")
    return next((path for path in files if "graded" in path.name), files[0])
