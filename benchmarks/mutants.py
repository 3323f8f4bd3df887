"""Do the tests bite? `python -m benchmarks.mutants [PATH ...] [--number 100] [--seed 0] [--list]`.

A seeded sample of mutants (see `mutations`), as many of each kind as of any other, each judged by the tests: first
those that name its module, then those of its folder, then all but the browser's. A mutant is killed by a test that
fails with it, or does not end, and passes without. Everything happens in a copy of the checkout, in a temporary folder.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from benchmarks.mutations import Mutation, mutations

ROOT = Path(__file__).parents[1]
NOT_COPIED = (".*", "__pycache__", "build", "dist", "*.egg-info", "screenshots")
NEVER = ("tests/browser",)
APP = ("ui", "pages")  # judged by the tests of the app
STATUS = "exit status"
TO_GIVE_UP = 60.0  # seconds for a test to end that took too long
MOST_MEMORY = 16 << 30  # of addresses; what is used is far less
MOST_PAGES = 3  # whose tests are the nearest to a file that many pages share
TOLD = "MUTANTS_FAILED"  # names the file to which pytest, which has this module as a plugin, writes what failed
SECONDS = "MUTANTS_SECONDS"  # for one test
PYTEST = (
    sys.executable, "-m", "pytest", "-q", "-m", "not browser",
    "-p", "no:cacheprovider", "-p", "benchmarks.mutants",
)  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A mutation of one file of the checkout."""

    name: str  # of the file, from the checkout on
    mutation: Mutation

    def __str__(self) -> str:
        return f"{self.name}:{self.mutation.line} {self.mutation.kind}"


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    chosen = sample([ROOT / path for path in options.paths], options.number, options.seed)
    if options.only:
        chosen = [chosen[at - 1] for at in options.only]
    if options.list:
        for at, mutant in enumerate(chosen, start=1):
            print(f"{at}. {mutant}\n{_diff(mutant)}")
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # so that nothing is left behind
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        survivors = _judge_all(chosen, Copy.of(ROOT, Path(folder) / "checkout", options.timeout), options.steps)
    killed = len(chosen) - len(survivors)
    print(f"\n{killed} of {len(chosen)} killed ({killed / max(len(chosen), 1):.0%}), seed {options.seed}")
    for mutant in survivors:
        print(f"\nsurvived: {mutant}\n{_diff(mutant)}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", default=["evalcore"], help="folders or files to change (default: evalcore)")
    parser.add_argument("--number", type=int, default=100, help="how many mutants (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn (default: 0)")
    parser.add_argument("--list", action="store_true", help="show them, run nothing")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="of the sample, those with these numbers")
    parser.add_argument(
        "--steps", type=int, choices=(1, 2, 3), default=3, help="1: no tests but the nearest (default: 3)"
    )
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one test (default: 300)")
    return parser.parse_args(arguments)


def sample(paths: Sequence[Path], number: int, seed: int) -> list[Mutant]:
    """Mutants of the Python files below these paths: kind by kind, then any of that kind."""
    by_kind: dict[str, list[Mutant]] = {}
    for path in _files(paths):
        for mutation in mutations(path.read_text()):
            by_kind.setdefault(mutation.kind, []).append(Mutant(path.relative_to(ROOT).as_posix(), mutation))
    for kind, listed in by_kind.items():
        random.Random(f"{seed} {kind}").shuffle(listed)
    chosen: list[Mutant] = []
    while len(chosen) < number and by_kind:
        for kind in sorted(by_kind):
            while by_kind[kind]:
                mutant = by_kind[kind].pop()
                if mutant.mutation.is_python((ROOT / mutant.name).read_text()):
                    chosen.append(mutant)
                    break
            if not by_kind[kind]:
                del by_kind[kind]
    return chosen[:number]


def _files(paths: Sequence[Path]) -> list[Path]:
    found = {file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))}
    if not found:
        raise SystemExit(f"expected Python files in {', '.join(map(str, paths))}, found none")
    return sorted(found)


def _diff(mutant: Mutant) -> str:
    return mutant.mutation.diff((ROOT / mutant.name).read_text(), mutant.name)


def _judge_all(chosen: Sequence[Mutant], copy: Copy, most: int) -> list[Mutant]:
    survivors = []
    for at, mutant in enumerate(chosen, start=1):
        begun = time.perf_counter()
        killer = copy.killer_of(mutant, most)
        verdict = f"killed by {killer}" if killer else "SURVIVED"
        print(f"{at}/{len(chosen)} {mutant}: {verdict} ({time.perf_counter() - begun:.0f} s)", flush=True)
        if not killer:
            survivors.append(mutant)
    return survivors


@dataclass
class Copy:
    """A copy of the checkout; tests that fail in it as it is are left out once they were seen to."""

    root: Path
    timeout: float
    failing: set[str] = field(default_factory=set)

    @staticmethod
    def of(checkout: Path, root: Path, timeout: float) -> Copy:
        """Copy a checkout, and make sure that tests in the copy test the copy."""
        shutil.copytree(checkout, root, ignore=shutil.ignore_patterns(*NOT_COPIED))
        copy = Copy(root, timeout)
        asked = (sys.executable, "-c", "import evalcore; print(evalcore.__file__)")
        found = subprocess.run(asked, cwd=root, env=copy.environment, capture_output=True, text=True, check=True).stdout
        if root not in Path(found.strip()).parents:
            raise SystemExit(f"expected evalcore of the copy in {root}, found {found.strip()}")
        return copy

    @property
    def environment(self) -> dict[str, str]:
        path, data = f"{self.root}{os.pathsep}{ROOT}", str(ROOT.parent / "shared" / "data")
        # Bytecode is told from its source by size and second: a mutant may share both with what it was made of.
        variables = {TOLD: str(self.told), SECONDS: str(self.timeout), "PYTHONDONTWRITEBYTECODE": "1"}
        return {"EVALCORE_DATA": data, **os.environ, "PYTHONPATH": path, **variables}

    @property
    def told(self) -> Path:
        return self.root.with_name("failed")

    def killer_of(self, mutant: Mutant, most: int = 3) -> str:
        """The test that tells the mutant from the code as it is, found in so many steps; empty if none does."""
        passed: list[str] = []
        for tests in filter(None, steps(self.root, mutant.name)[:most]):
            while failed := self._failed(mutant, tests, passed):
                if failed.startswith(STATUS) or not self.failures([failed], only_collect="::" not in failed):
                    return failed
                self.failing |= {failed, *self.failures([failed.partition("::")[0]], first_only=False)}
            passed += tests
        return ""

    def _failed(self, mutant: Mutant, tests: Sequence[str], passed: Sequence[str]) -> str:
        path = self.root / mutant.name
        source = path.read_text()
        try:
            _write(path, mutant.mutation.applied(source))
            return next(iter(self.failures(tests, passed)), "")
        finally:
            _write(path, source)

    def failures(
        self, tests: Sequence[str], passed: Sequence[str] = (), first_only: bool = True, only_collect: bool = False
    ) -> list[str]:
        """Which of these tests fail, but for those that passed before or fail anyway."""
        self.told.write_text("")
        options = [f"--deselect={test}" for test in sorted(self.failing)]
        options += [f"--ignore={path}" for path in (*NEVER, *passed)]
        options += ["--exitfirst"] * first_only + ["--collect-only"] * only_collect
        command = [*PYTEST, f"--basetemp={self.root.with_name('tmp')}", *options, *tests]
        status = _run(command, self.root, self.environment)
        if status in (0, 5):  # 5: no test in what was asked for
            return []
        return self.told.read_text().splitlines() or [f"{STATUS} {status}"]


def _run(command: Sequence[str], folder: Path, environment: dict[str, str]) -> int:
    """The exit status. Whatever the command has started ends with it."""
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT,
        start_new_session=True, preexec_fn=_bound_memory,
    ) as process:  # fmt: skip
        try:
            return process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _bound_memory() -> None:
    """A loop that a mutant keeps from ending must not take all memory there is."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def pytest_runtest_logreport(report: Any) -> None:
    """Tell what failed."""
    if report.failed and TOLD in os.environ:
        with open(os.environ[TOLD], "a") as file:
            file.write(f"{report.nodeid}\n")


pytest_collectreport = pytest_runtest_logreport


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """A test that takes too long fails; one that does not end then either, ends all."""

    def give_up(*_: object) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, TO_GIVE_UP)
        raise TimeoutError("expected the test to end")

    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, float(os.environ.get(SECONDS, "0")))
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


pytest_collection = pytest_runtest_protocol


def _write(path: Path, source: str) -> None:
    """Write a module; its bytecode goes, as a change within a second and of one length would not be noticed."""
    path.write_text(source)
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def steps(root: Path, name: str) -> list[list[str]]:
    """The tests to run for a file, the nearest first: those that name it or test pages that use it, its folder's, all.

    >>> [len(tests) > 0 for tests in steps(ROOT, "evalcore/measures/rbp.py")]
    [True, True, True]
    >>> steps(ROOT, "evalcore/measures/rbp.py")[1]
    ['tests/measures']
    """
    files = sorted(path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py"))
    files = [file for file in files if not file.startswith(NEVER)]
    if Path(name).parts[0] in APP:
        files = [file for file in files if file.startswith("tests/app/")]
    called = {file: Path(file).stem.removeprefix("test_") for file in files}
    parts = set(Path(name).parts)
    nearest = [file for file in files if called[file] == Path(name).stem]
    nearest.sort(key=lambda file: -len(parts & set(Path(file).parts)))
    nearest += [file for file in files if _imports(root / file, Path(name))]
    nearest += [file for file in files if called[file] in Path(name).parts[1:-1]]
    nearest += [file for page in _pages(root, name)[:MOST_PAGES] for file in files if called[file] == page]
    folders = [root / "tests" / part for part in _folders(Path(name))]
    around = [folder.relative_to(root).as_posix() for folder in folders if folder.is_dir()][:1]
    return [[name, *dict.fromkeys(nearest)], around, ["tests", "evalcore"]]


def _imports(test: Path, module: Path) -> bool:
    dotted = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
    return bool(re.search(rf"^from {re.escape(dotted)} import", test.read_text(), re.MULTILINE))


def _pages(root: Path, name: str) -> list[str]:
    """The pages of the app that use a module, those that import it themselves first.

    >>> _pages(ROOT, "ui/toma/plane.py"), _pages(ROOT, "evalcore/measures/rbp.py")
    (['toma'], [])
    """
    code = {path: path.read_text() for part in APP for path in sorted((root / part).rglob("*.py"))}
    at = root / name
    if at not in code:
        return []
    seen, ring = [at], [at]
    while ring:
        ring = [path for path in code if path not in seen and any(_uses(code[path], one, root) for one in ring)]
        seen += ring
    return [path.stem for path in seen if path.parent == root / "pages"]


def _uses(code: str, module: Path, root: Path) -> bool:
    *folder, stem = module.relative_to(root).with_suffix("").parts
    if stem == "__init__":
        *folder, stem = folder
    dotted, names = re.escape(".".join(folder)), rf"(\([^)]*|[\w ,]*)\b{re.escape(stem)}\b"
    return bool(re.search(rf"^from {dotted}(\.{re.escape(stem)} import| import {names})", code, re.MULTILINE))


def _folders(module: Path) -> Iterator[str]:
    """The folders of tests that mirror a module's own, the nearest first."""
    parts = module.parts[1:-1]
    for count in range(len(parts), 0, -1):
        yield "/".join(parts[:count])
    if module.parts[0] in APP:
        yield "app"


if __name__ == "__main__":
    main()
