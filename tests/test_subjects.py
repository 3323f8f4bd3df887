"""A subject is a line of registration and its folders: all that it names exists, and the product works without it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from evalcore.subjects import SUBJECTS, names_in, subjects

ROOT = Path(__file__).parents[1]
TABLES = ("names", "measures", "figures")
MODULES = ("modules", "commands", "questions", "data")
# Tests of the core and of other subjects that know nothing of these two.
OTHERS = (
    "tests/data/test_infer.py", "tests/data/test_kinds.py",
    "tests/measures/test_every_measure.py", "tests/measures/test_slow.py",
    "tests/teaching/app/test_guided_claims.py", "tests/teaching/app/test_guided_path.py",
    "tests/measures/test_rbp.py", "tests/measures/test_evaluation.py", "tests/meta/test_correlation.py",
    "tests/sensitivity/test_paths.py", "tests/explain/test_top_documents.py",
    "tests/cli/test_ranks.py", "tests/claims/test_verdict.py", "tests/labels/judges/test_agreement.py",
    "tests/leaderboard/test_gaps.py", "tests/app/test_toma.py", "evalcore/notation", "evalcore/subjects.py",
)  # fmt: skip
SAMPLES = {"navigation": "site", "focused": "manual"}
STARTS = """
import sys
import evalcore as ec
from evalcore import *
from evalcore import figures, subjects
from evalcore.notation.values import Value
from app_support import open_app

subject = sys.argv[1]
assert subject not in subjects.SUBJECTS
assert f"evalcore.{subject}" not in {cls.__module__[:len(f"evalcore.{subject}")] for cls in Value.registry.values()}
whole = ec.load(ec.sample_folder("health"), use_cache=False)
assert len(ec.evaluate("AP", whole)) == len(whole.topics)
for name in dir(figures):
    getattr(figures, name)
for page in ("home", "guided_path", "glossary", "papers", "measures", "collection"):
    app = open_app(page)
    assert not app.exception, (page, app.exception)
"""


@pytest.mark.parametrize("name", SUBJECTS)
def test_all_that_a_subject_names_is_there(name: str) -> None:
    subject = subjects()[name]
    for table in TABLES:
        for module, names in getattr(subject, table).items():
            assert module.startswith(f"evalcore.{name}")
            assert all(hasattr(import_module(module), one) for one in names.split())
    for table in MODULES:
        for module in getattr(subject, table).values():
            assert import_module(module).__name__.startswith(f"evalcore.{name}")


def test_no_two_subjects_add_one_name() -> None:
    for table in TABLES:
        names = [one for subject in subjects().values() for one in names_in(getattr(subject, table))]
        assert len(names) == len(set(names))


def without(subject: str, place: Path) -> Path:
    """Return a copy of the product without a subject: without its line, its folders and its sample."""
    ignored = shutil.ignore_patterns(".*", "node_modules", "__pycache__", "build", "dist", "site", "*.egg-info")
    tree = place / "product"
    shutil.copytree(ROOT, tree, ignore=ignored)
    shutil.copytree(ROOT / ".streamlit", tree / ".streamlit")
    shutil.copytree(ROOT / "sample_data", tree / "sample_data", dirs_exist_ok=True)
    registration = tree / "evalcore" / "subjects.py"
    text = registration.read_text(encoding="utf-8")
    less, count = re.subn(rf'^    "{subject}",.*\n', "", text, flags=re.MULTILINE)
    assert count == 1
    registration.write_text(less, encoding="utf-8")
    for folder in ("evalcore", "ui", "tests"):
        shutil.rmtree(tree / folder / subject)
    shutil.rmtree(tree / "sample_data" / SAMPLES[subject])
    return tree


@pytest.mark.slow
@pytest.mark.threads
@pytest.mark.parametrize("subject", ["navigation", "focused"])
def test_the_product_does_without_a_subject(subject: str, tmp_path: Path) -> None:
    tree = without(subject, tmp_path)
    environment = {**os.environ, "PYTHONPATH": f"{tree}{os.pathsep}{tree / 'tests'}", "EVALCORE_CACHE": str(tmp_path)}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=tree, env=environment, capture_output=True, text=True, timeout=900
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout

    assert "commands:" in run("-m", "evalcore", "--help")
    run("-c", STARTS, subject)
    run("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow", *OTHERS)


def test_its_toml_is_read_by_what_packs_it() -> None:
    """`setup.py` packs the library's TOML, too."""
    assert all(tomllib.loads((ROOT / "evalcore" / name / "subject.toml").read_text()) for name in SUBJECTS)
    assert '"**/*.toml"' in (ROOT / "setup.py").read_text()
