"""The command line called in this process, and a collection of a few lines."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from evalcore.cli import main

ROOT = Path(__file__).parents[1]
HEALTH = str(ROOT / "sample_data" / "health")
SITE = str(ROOT / "sample_data" / "site")


@dataclass(frozen=True)
class Ran:
    """Exit code, output and errors of a command."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode()

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def table(self) -> pd.DataFrame:
        """The output as CSV."""
        return pd.read_csv(io.StringIO(self.out))


Run = Callable[..., Ran]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command line given as a text or as arguments, with bytes as standard input."""

    def call(line: str | list[str], stdin: bytes = b"") -> Ran:
        arguments = shlex.split(line) if isinstance(line, str) else line
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(arguments)
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Ran(code, out, err.decode())

    return call


Refused = Callable[..., None]


@pytest.fixture
def refused(run: Run) -> Refused:
    """Return a function that runs a command line, which must end with a code, print nothing and say what is wrong."""

    def call(line: str, code: int, problem: str, stdin: bytes = b"") -> None:
        ran = run(line, stdin)
        assert (ran.code, ran.out) == (code, "")
        assert problem in ran.err

    return call


@pytest.fixture
def in_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder in which `sample_data` is found as in a checkout."""
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


QRELS = "t1 0 a 1\nt1 0 b 0\nt1 0 c 2\nt2 0 a 1\nt2 0 d 0\n"
QREAD = "t1 0 a 3\nt1 0 b 2\nt1 0 c 0\nt2 0 a 1\nt2 0 d 3\n"
SCORES = b"system,measure,topic,score\na,X,t1,0.5\na,X,t2,1.0\nb,X,t1,0.25\nb,X,t2,0.0\n"
GOOD = "t1 Q0 c 1 9 x\nt1 Q0 a 2 8 x\nt1 Q0 z 3 7 x\nt2 Q0 a 1 5 x\nt2 Q0 d 2 4 x\n"
POOR = "t1 Q0 b 1 9 y\nt1 Q0 a 2 9 y\nt2 Q0 d 1 5 y\nt2 Q0 a 2 4 y\n"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two topics, two aspects and two systems, one of which has a tie."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for name, content in {"qrels.txt": QRELS, "qread.txt": QREAD, "runs/good.txt": GOOD, "runs/poor.txt": POOR}.items():
        (tmp_path / name).write_text(content)
    return tmp_path
