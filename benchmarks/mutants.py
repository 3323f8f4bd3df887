"""Mutation testing: `python -m benchmarks.mutants [PATH ...] [--number 100] [--seed 0] [-m EXPRESSION]`.

Change the code in one place (`a < b` to `a <= b`, or a constant by one), check whether a test fails, and restore the
code; then do the same at the next place. The places are a seeded sample, and everything happens in a copy of the
checkout. The tests nearest to the changed module run first, then all that `-m` selects. A mutant is killed by a test
that fails with it and passes without it, or if pytest does not end in time.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOT_COPIED = (".git", ".venv*", ".*cache", ".hypothesis", "__pycache__", "build", "dist", "*.egg-info", "node_modules")
PYTEST = ("-m", "pytest", "-x", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-m")
NEAREST, ALL = 600, 3600  # most seconds for the nearest tests, and for all tests
OPERATORS = {
    "Lt": "<=,>", "LtE": "<,>=", "Gt": ">=,<", "GtE": ">,<=", "Eq": "!=", "NotEq": "==", "In": "not in", "NotIn": "in",
    "Is": "is not", "IsNot": "is", "Add": "-", "Sub": "+", "Mult": "/", "Div": "*", "FloorDiv": "*", "Mod": "*",
    "Pow": "*", "BitAnd": "|", "BitOr": "&",
}  # fmt: skip
OPPOSITES = "min max, minimum maximum, argmin argmax, nanmin nanmax, any all, floor ceil, cumsum cumprod, zeros ones"
SWAPS = {"sum": "max", "sorted": "list"}
SWAPS |= {a: b for pair in OPPOSITES.split(", ") for a, b in (pair.split(), pair.split()[::-1])}


@dataclass(frozen=True)
class Mutant:
    """A range of a source file, in bytes, and its replacement."""

    path: str  # relative to the checkout
    kind: str
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """Return the source with this replacement."""
        raw = source.encode()
        return (raw[: self.start] + self.text.encode() + raw[self.end :]).decode()

    def __str__(self) -> str:
        """Return the file, the line and the change as text."""
        before, here = (ROOT / self.path).read_bytes()[: self.end].decode(), self.end - self.start
        return f"{self.path}:{before.count(chr(10)) + 1} {self.kind}: {before[-here:]} -> {self.text}"


def changes(node: ast.AST, text: Callable[[ast.AST], str]) -> Iterator[tuple[ast.AST, str]]:
    """Yield each possible change of a piece of code: the node to replace, and the text that replaces it."""
    match node:
        case ast.Compare(ops=[op], left=left, comparators=[right]) | ast.BinOp(op=op, left=left, right=right):
            for new in filter(None, OPERATORS.get(type(op).__name__, "").split(",")):
                yield node, f"(({text(left)}) {new} ({text(right)}))"
        case ast.BoolOp(op=op, values=values):
            new = " or " if isinstance(op, ast.And) else " and "
            yield node, f"({new.join(f'({text(value)})' for value in values)})"
        case ast.UnaryOp(operand=operand):
            yield node, f"({text(operand)})"
        case ast.Constant(value=int(value) | float(value)):
            yield node, repr(not value if isinstance(value, bool) else value + 1)
        case ast.keyword(arg="axis", value=value):
            yield value, "1" if text(value) == "0" else "0"
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in SWAPS:
            yield node, text(node).removesuffix(name) + SWAPS[name]
        case ast.Return(value=ast.expr() as value) if text(value) != "None":
            yield node, "return None"
        case ast.If(test=test) | ast.IfExp(test=test) | ast.comprehension(ifs=[test]):
            yield test, f"(not ({text(test)}))"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
            yield node, "pass"


def mutants_of(path: str) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    raw = (ROOT / path).read_bytes()
    starts = [0, *accumulate(len(line) for line in raw.splitlines(keepends=True))]

    def span(node: Any) -> tuple[int, int]:
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    for node in _run(ast.parse(raw)):
        for place, new in changes(node, lambda part: raw[slice(*span(part))].decode()):
            yield Mutant(path, type(node).__name__, *span(place), new)


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield this node and the nodes below it that are executed.

    Annotations, decorators, f-strings and code under TYPE_CHECKING are left out.
    """
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _run(child)


def sample(paths: Sequence[str], number: int, seed: int) -> list[Mutant]:
    """Return a random sample of the mutants of the Python files under these paths, each equally likely."""
    found = (file for path in paths for file in (ROOT / path, *(ROOT / path).rglob("*.py")))
    files = {file.relative_to(ROOT).as_posix() for file in found if file.suffix == ".py"}
    known = [mutant for file in sorted(files) for mutant in mutants_of(file)]
    return random.Random(seed).sample(known, min(number, len(known)))


@dataclass
class Judge:
    """A copy of the checkout and the tests to run in it; tests that fail without a mutant are left out."""

    root: Path
    select: str  # marker expression of pytest
    failing: set[str] = field(default_factory=set)

    def killer_of(self, mutant: Mutant) -> str:
        """Return the test that fails because of the mutant; "" if none does."""
        path = self.root / mutant.path
        source = path.read_text()
        for tests in (nearest(self.root, mutant.path), []):
            while True:
                path.write_text(mutant.applied(source))
                failed = self.failure(tests)
                path.write_text(source)
                if not failed:
                    break
                if failed.startswith("no end") or not self.failure([failed]):
                    return failed
                self.failing.add(failed)
        return ""

    def failure(self, tests: Sequence[str]) -> str:
        """Return the first of these tests (of all tests if none is given) that fails; "" if none fails.

        If pytest does not end in time, or fails without naming a test, the text begins with "no end".
        """
        command = [sys.executable, *PYTEST, self.select, *(f"--deselect={test}" for test in self.failing), *tests]
        ours = {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        env = {"EVALCORE_DATA": str(ROOT.parent / "shared" / "data"), **os.environ, **ours}
        limit = NEAREST if tests else ALL
        try:
            done = subprocess.run(command, cwd=self.root, env=env, text=True, capture_output=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return "no end in time"
        if done.returncode in (0, 5):  # 5: no tests were selected
            return ""
        named = re.search(r"^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$", done.stdout, re.MULTILINE)
        return named[1] if named else f"no end but exit status {done.returncode}"


def nearest(root: Path, path: str) -> list[str]:
    """Return the paths of the module, for its doctests, and of the tests that are named like it or import it."""
    module = ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")
    imports = re.compile(rf"^(from|import) {re.escape(module)}\b", re.MULTILINE)
    tests = sorted((root / "tests").rglob("test_*.py"))
    near = [one for one in tests if one.stem == f"test_{Path(path).stem}" or imports.search(one.read_text())]
    return [path, *(one.relative_to(root).as_posix() for one in near)]


def main() -> None:
    """Judge a sample of mutants, and print one line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", default=["evalcore"], help="folders or files to change (default: evalcore)")
    parser.add_argument("--number", type=int, default=100, help="how many mutants (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn (default: 0)")
    parser.add_argument("--list", action="store_true", help="show them, run nothing")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="only these numbers of the sample")
    parser.add_argument("-m", dest="select", default="not browser and not slow", help='tests to run; "" for all')
    options = parser.parse_args()
    drawn = dict(enumerate(sample(options.paths, options.number, options.seed), start=1))
    chosen = {at: drawn[at] for at in options.only or drawn}
    if options.list:
        print(*(f"{at}. {mutant}" for at, mutant in chosen.items()), sep="\n")
        return
    killed = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        judge = Judge(Path(folder) / "checkout", options.select)
        shutil.copytree(ROOT, judge.root, ignore=shutil.ignore_patterns(*NOT_COPIED))
        if failed := judge.failure(["--collect-only"]):
            sys.exit(f"expected pytest to find the tests of '{options.select}', found {failed}")
        for at, mutant in chosen.items():
            killer = judge.killer_of(mutant)
            killed += bool(killer)
            print(f"{at}. {mutant}: {f'killed by {killer}' if killer else 'SURVIVED'}", flush=True)
    print(f"{killed} of {len(chosen)} killed, seed {options.seed}, tests: {options.select or 'all'}")


if __name__ == "__main__":
    main()
