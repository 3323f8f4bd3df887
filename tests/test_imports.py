"""Imports point one way (data, measures | meta | figures), and what is imported is declared.

The rules are read off the source, so an import inside a function or under TYPE_CHECKING counts as well.
"""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from evalcore import errors

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "evalcore").rglob("*.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# What measures read.
STRUCTURES = ("evalcore.structures.documents", "evalcore.structures.passages", "evalcore.structures.links")
PLOTTERS = ("evalcore.figures", "evalcore.figures.report")

# A part, and what it may not import beside plotly, figures and the bare package, which offers everything.
FORBIDDEN = {
    "evalcore.data": ("evalcore.measures", "evalcore.meta", "evalcore.sensitivity"),
    "evalcore.measures": ("evalcore.data", "evalcore.meta", "evalcore.sensitivity"),
    "evalcore.meta": ("evalcore.data", "evalcore.measures", "evalcore.sensitivity"),
}


def within(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def imported(source: str, module: str, is_package: bool = False) -> set[str]:
    """The modules that a source names in its imports, relative ones resolved.

    `from .a import b` in evalcore.x names evalcore.a.b where that is a module, else evalcore.a.
    """
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            base = ".".join(filter(None, [*above, node.module]))
            names = {f"{base}.{alias.name}" for alias in node.names}
            found |= {name if within(name, "evalcore") and is_module(name) else base for name in names}
    return found


def forbidden(module: str, target: str) -> bool:
    if within(target, "streamlit", "ui", "pages"):
        return True
    if within(target, "plotly", "evalcore.figures"):
        return not within(module, *PLOTTERS)
    if within(module, "evalcore.measures") and target in STRUCTURES:
        return False
    part = ".".join(module.split(".")[:2])
    return part in FORBIDDEN and (target == "evalcore" or within(target, *FORBIDDEN[part]))


def wrong(source: str, module: str, is_package: bool = False) -> list[str]:
    return sorted(target for target in imported(source, module, is_package) if forbidden(module, target))


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_point_one_way(path):
    assert wrong(path.read_text(), module_name(path), path.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("evalcore.loading", "import streamlit as st", ["streamlit"]),
        ("evalcore.figures.scatter", "from streamlit import cache_data", ["streamlit"]),
        ("evalcore.figures.scatter", "import plotly.graph_objects as go", []),
        ("evalcore.figures.report", "from evalcore.figures import scatter\nimport plotly", []),
        ("evalcore.cli", "def f():\n    import plotly.io", ["plotly.io"]),
        ("evalcore.cli", "from evalcore import figures", ["evalcore.figures"]),
        ("evalcore.cli", "from . import data, measures, meta", []),
        ("evalcore.measures.rbp", "from evalcore.structures.documents import Rankings", []),
        ("evalcore.measures.rbp", "from evalcore.data import structures", []),
        ("evalcore.measures.rbp", "from evalcore.data import Rankings", ["evalcore.data"]),
        ("evalcore.measures.rbp", "from ..data.structures import Rankings", []),
        ("evalcore.measures.rbp", "from ..meta.correlation import tau", ["evalcore.meta.correlation"]),
        ("evalcore.measures.rbp", "from .base import Measure\nfrom evalcore.errors import InputError", []),
        ("evalcore.data.runs", "import evalcore as ec", ["evalcore"]),
        ("evalcore.data.runs", "from ..measures.rbp import RBP", ["evalcore.measures.rbp"]),
        ("evalcore.meta.tau", "from evalcore.structures.documents import Rankings", ["evalcore.structures.documents"]),
        ("evalcore.meta.tau", "import numpy, scipy.stats\nfrom .align import align", []),
        ("evalcore.meta.topics", "from ..sensitivity import grid", ["evalcore.sensitivity.grid"]),
        ("evalcore.sensitivity.grid", "from evalcore.measures import RBP\nfrom evalcore.meta import tau", []),
    ],
)
def test_the_rule_itself(module, source, found):
    assert wrong(source, module) == found


def test_the_package_has_files():
    assert len(FILES) > 1


def test_evalcore_leaves_plotly_and_streamlit_unloaded():
    code = "from evalcore import *; import sys; print(*{'plotly', 'streamlit'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (run.stdout.split(), run.stderr) == ([], "")


def distribution(requirement: str) -> str:
    return re.split(r"[<>=!~\[; ]", requirement, maxsplit=1)[0]


def test_third_party_imports_are_declared():
    extras = PROJECT["optional-dependencies"]
    optional = [r for name in ("readability", "figures", "ir_measures", "cluster") for r in extras[name]]
    declared = {distribution(r) for r in [*PROJECT["dependencies"], *optional]}
    used = {
        target.split(".")[0]
        for path in FILES
        for target in imported(path.read_text(), module_name(path), path.name == "__init__.py")
    }
    assert used - {"evalcore"} - set(sys.stdlib_module_names) <= declared


def test_no_hint_sends_people_to_the_package_of_others_on_the_index():
    asked = re.compile(r"""pip3? install ['"]?((?:ir-)?evalcore)""")
    written = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "pyproject.toml", *FILES]
    found = {name for path in written for name in asked.findall(path.read_text())}
    assert found <= {PROJECT["name"]} == {errors.DISTRIBUTION}


def test_requirements_repeat_the_floors_of_the_app():
    extras = PROJECT["optional-dependencies"]
    app = [r for r in extras["app"] if not r.startswith("ir-evalcore[")]
    declared = [*PROJECT["dependencies"], *extras["readability"], *extras["figures"], *app]
    lines = [line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines()]
    assert sorted(filter(None, lines)) == sorted(declared)
