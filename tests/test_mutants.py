"""`make mutants`: what is changed, what counts as noticed, and that nothing is left behind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.mutants import MOST_PAGES, ROOT, Copy, Mutant, sample, steps
from benchmarks.mutations import mutations


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("x = a <= b", {"x = a < b", "x = a >= b"}),
        ("x = (a) not  in (b)", {"x = (a) in (b)"}),
        ("x = a + b", {"x = a - b"}),
        ("x = a // b", {"x = a * b"}),
        ("x = a and b", {"x = a or b"}),
        ("x = not a", {"x = a"}),
        ("x = 3", {"x = 4", "x = 2"}),
        ("x = 0", {"x = 1"}),
        ("x = 0.5", {"x = 1.0"}),
        ("x = True", {"x = False"}),
        ("x = np.minimum(a, b)", {"x = np.maximum(a, b)"}),
        ("x = min(a, b)", {"x = max(a, b)"}),
        ("x = a.of(axis=c)", {"x = a.of(axis=0)"}),
        ("x = a[b:c]", {"x = a[:c]", "x = a[b:]"}),
        ("x = a if b else c", {"x = a if not (b) else c"}),
        ("f(a)", {"pass"}),
        ("x += a", {"pass"}),
        ("if a:\n    x = b", {"pass", "if not (a):\n    x = b"}),
        ("def f(x: int = 1) -> int:\n    '''About 2.'''\n    return x",
         {"def f(x: int = 2) -> int:\n    '''About 2.'''\n    return x",
          "def f(x: int = 0) -> int:\n    '''About 2.'''\n    return x",
          "def f(x: int = 1) -> int:\n    '''About 2.'''\n    return None"}),
        ("x = 'ü'; y = a < b  # ü", {"x = 'ü'; y = a <= b  # ü", "x = 'ü'; y = a > b  # ü"}),
        ("@dataclass(frozen=True)\nclass A: ...", set()),
        ("if TYPE_CHECKING:\n    x = 1", set()),
        ("x = f'{a + 1}'", set()),
    ],
)  # fmt: skip
def test_changes(source, changed):
    assert {mutation.applied(source) for mutation in mutations(source)} == changed


def test_a_change_is_shown_as_a_patch():
    (change,) = mutations("x = 1\ny = a and b\n")[2:]
    assert change.diff("x = 1\ny = a and b\n", "m.py").splitlines() == [
        "--- m.py", "+++ m.py", "@@ -1,2 +1,2 @@", " x = 1", "-y = a and b", "+y = a or b",
    ]  # fmt: skip


def test_a_sample_has_as_many_of_each_kind_and_is_the_same_again():
    chosen = sample([ROOT / "evalcore" / "measures"], 48, seed=1)
    assert chosen == sample([ROOT / "evalcore" / "measures"], 48, seed=1)
    assert chosen != sample([ROOT / "evalcore" / "measures"], 48, seed=2)
    assert set(Counter(one.mutation.kind for one in chosen).values()) == {4}


def test_the_nearest_tests_come_first():
    nearest, around, everything = steps(ROOT, "evalcore/measures/precision.py")
    assert nearest[:2] == ["evalcore/measures/precision.py", "tests/measures/test_precision.py"]
    assert (around, everything) == (["tests/measures"], ["tests", "evalcore"])


def test_the_app_is_judged_by_the_tests_of_the_pages_that_use_a_file():
    assert steps(ROOT, "ui/toma/view.py")[0] == ["ui/toma/view.py", "tests/app/test_toma.py"]
    of_steps = ["tests/app/test_guided_path.py", "tests/app/test_exercises.py"]  # a link for a class opens a step
    assert steps(ROOT, "ui/guided_path/reader.py")[0][1:] == of_steps
    shared = steps(ROOT, "ui/stage/show.py")[0][1:]
    assert 1 <= len(shared) <= MOST_PAGES
    assert all(file.startswith("tests/app/test_") for file in shared)


CODE = "def larger(a, b):\n    return a if a > b else b\n"
TESTS = """
from evalcore.larger import larger

def test_that_fails_anyway():
    assert larger(1, 2) == 3

def test_that_also_does():
    assert larger(1, 2) == 4

def test_larger():
    assert (larger(1, 2), larger(2, 1)) == (2, 2)
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one function, with a test that fails as it is."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # it needs none, and each takes its time to import
    files = {
        "evalcore/__init__.py": "",
        "evalcore/larger.py": CODE,
        "tests/test_larger.py": TESTS,
        "pyproject.toml": '[tool.pytest.ini_options]\nmarkers = ["browser"]\naddopts = "--import-mode=importlib"\n',
    }
    for name, text in files.items():
        path = tmp_path / "checkout" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "checkout"


def test_killed_is_what_a_test_notices_that_passes_otherwise(checkout, tmp_path):
    copy = Copy.of(checkout, tmp_path / "copy" / "checkout", timeout=60)
    killers = {
        mutation.applied(CODE).splitlines()[1].strip(): copy.killer_of(Mutant("evalcore/larger.py", mutation))
        for mutation in mutations(CODE)
    }
    noticed = "tests/test_larger.py::test_larger"
    assert killers == {
        "return None": noticed,
        "return a if not (a > b) else b": noticed,
        "return a if a < b else b": noticed,
        "return a if a >= b else b": "",
    }
    assert copy.failing == {
        "tests/test_larger.py::test_that_fails_anyway",
        "tests/test_larger.py::test_that_also_does",
    }
    assert (checkout / "evalcore/larger.py").read_text() == (copy.root / "evalcore/larger.py").read_text() == CODE


@pytest.mark.parametrize("place", ["inside", "imported"])
def test_a_mutant_that_does_not_end_is_killed(place, checkout, tmp_path):
    loop = "while True:\n    break\n"
    inside = CODE.replace("    return", "    while True:\n        break\n    return")
    code = inside if place == "inside" else loop + CODE
    (checkout / "evalcore" / "larger.py").write_text(code)
    copy = Copy.of(checkout, tmp_path / "copy" / "checkout", timeout=3)
    (endless,) = [mutation for mutation in mutations(code) if mutation.text == "pass"]
    killer = copy.killer_of(Mutant("evalcore/larger.py", endless))
    assert killer == {"inside": "tests/test_larger.py::test_larger", "imported": "evalcore/larger.py"}[place]
