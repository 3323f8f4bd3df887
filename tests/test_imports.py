"""Imports point one way, from part to part, and what is imported is declared.

The rules are read off the source, so an import inside a function or under TYPE_CHECKING counts as well.
"""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from evalcore import errors

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "evalcore").rglob("*.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# A part, and the parts that it may import. `common`, and modules beside the parts (errors, ...), are everybody's.
MAY_IMPORT = {
    "common": "",
    "structures": "",
    "notation": "structures",
    "data": "structures",
    "meta": "",
    "measures": "structures notation",
    "explain": "structures notation measures meta",
    "sensitivity": "structures notation measures meta",
    "figures": "structures notation measures meta data explain sensitivity",
    "cli": "structures notation measures meta data explain sensitivity figures",
}
NEEDS_THE_WHOLE = ("figures", "cli")  # so they may name the bare package

# A subject, and the subjects that it may import besides the core. The core imports none: `evalcore.subjects` registers.
SUBJECTS = {
    "navigation": "teaching",
    "focused": "teaching",
    "labels": "",
    "claims": "",
    "leaderboard": "",
    "teaching": "labels leaderboard",
}
# Modules of the core that name what subjects add, for type checkers alone (and one that is to be written anew).
FOR_TYPE_CHECKERS = {
    "evalcore": "claims labels leaderboard teaching",
    "evalcore.figures": "claims focused labels leaderboard navigation teaching",
    "evalcore.measures": "focused navigation",
    "evalcore.structures.documents": "focused navigation",
}
KNOW_A_SUBJECT = FOR_TYPE_CHECKERS | {"evalcore.figures.report": "claims"}  # of_claim draws a study


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
    if within(target, "plotly"):
        return not within(module, "evalcore.figures", *(f"evalcore.{subject}.figures" for subject in SUBJECTS))
    part = module.split(".")[1] if "." in module else ""
    there = target.split(".")[1] if within(target, "evalcore") and "." in target else ""
    if there in SUBJECTS:
        known = SUBJECTS[part] if part in SUBJECTS else KNOW_A_SUBJECT.get(module, "")
        return there not in (part, *known.split())
    if part not in MAY_IMPORT or not within(target, "evalcore"):
        return False
    if target == "evalcore":
        return part not in NEEDS_THE_WHOLE
    return there in MAY_IMPORT.keys() - {"common", part, *MAY_IMPORT[part].split()}


def wrong(source: str, module: str, is_package: bool = False) -> list[str]:
    return sorted(target for target in imported(source, module, is_package) if forbidden(module, target))


def test_imports_point_one_way(subtests):
    for path in FILES:
        with subtests.test(module_name(path)):
            assert wrong(path.read_text(), module_name(path), path.name == "__init__.py") == []


def test_what_the_core_names_of_subjects_is_for_type_checkers_alone(subtests):
    for module in FOR_TYPE_CHECKERS:
        path = ROOT.joinpath(*module.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                node.body = [ast.Pass()]
        found = {target.split(".")[1] for target in imported(ast.unparse(tree), module, True) if "." in target}
        with subtests.test(module):
            assert not found & set(SUBJECTS)


def test_the_rule_itself(subtests):
    for module, source, found in [
        ("evalcore.common.writing", "import streamlit as st", ["streamlit"]),
        ("evalcore.figures.scatter", "from streamlit import cache_data", ["streamlit"]),
        ("evalcore.figures.scatter", "import plotly.graph_objects as go", []),
        ("evalcore.cli", "def f():\n    import plotly.io", ["plotly.io"]),
        ("evalcore.cli", "from . import data, measures, meta", []),
        ("evalcore.measures.rbp", "from evalcore.structures.documents import Rankings", []),
        ("evalcore.measures.rbp", "from evalcore.structures import documents", []),
        ("evalcore.measures.rbp", "from evalcore.data import Rankings", ["evalcore.data"]),
        ("evalcore.measures.rbp", "from ..structures.documents import Rankings", []),
        ("evalcore.measures.rbp", "from ..meta.correlation import tau", ["evalcore.meta.correlation"]),
        ("evalcore.measures.rbp", "from .base import Measure\nfrom evalcore.errors import InputError", []),
        ("evalcore.data.runs", "import evalcore as ec", ["evalcore"]),
        ("evalcore.data.runs", "from ..measures.rbp import RBP", ["evalcore.measures.rbp"]),
        ("evalcore.meta.tau", "from evalcore.structures import documents", ["evalcore.structures.documents"]),
        ("evalcore.meta.tau", "import numpy, scipy.stats\nfrom .align import align", []),
        ("evalcore.meta.topics", "from ..sensitivity import grids", ["evalcore.sensitivity.grids"]),
        ("evalcore.sensitivity.grids", "from evalcore.measures import RBP\nfrom evalcore.meta import tau", []),
        ("evalcore.focused.exhibits", "import evalcore as ec\nfrom evalcore.cli import main", []),
        ("evalcore.measures.rbp", "from evalcore.navigation.models import Walk", ["evalcore.navigation.models"]),
        (
            "evalcore.navigation.models",
            "from evalcore.focused.text_measures import iP",
            ["evalcore.focused.text_measures"],
        ),
    ]:
        with subtests.test(f"{module}, {source}"):
            assert wrong(source, module) == found


def test_evalcore_leaves_plotly_and_streamlit_unloaded():
    code = "from evalcore import *; import sys; print(*{'plotly', 'streamlit'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (run.stdout.split(), run.stderr) == ([], "")


def distribution(requirement: str) -> str:
    return re.split(r"[<>=!~\[; ]", requirement, maxsplit=1)[0]


def test_third_party_imports_are_declared():
    extras = PROJECT["optional-dependencies"]
    optional = [r for name in ("readability", "fetch", "figures", "notebook") for r in extras[name]]
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
    declared = [*PROJECT["dependencies"], *extras["fetch"], *extras["readability"], *extras["figures"], *app]
    lines = [line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines()]
    assert sorted(filter(None, lines)) == sorted(declared)


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("evalcore.figures", "plotly", "figures"),
        ("evalcore.figures.report", "plotly", "figures"),
        ("evalcore.figures.writer", "jinja2", "figures"),
    ],
)
def test_without_what_it_needs_a_module_names_what_to_install(module, package, extra):
    code = f"import sys; sys.modules['{package}'] = None; import {module}"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stderr.splitlines()[-1].endswith(
        f"InputError: expected the package {package}, found none: pip install 'ir-evalcore[{extra}]'"
    )


def test_no_module_is_hidden_by_a_function_of_its_own_name_or_hides_one_of_python():
    hidden = []
    for path in FILES:
        name = module_name(path)
        package, _, own = name.rpartition(".")
        found = getattr(importlib.import_module(package), own, None) if package else None
        if (found is not None and not isinstance(found, ModuleType)) or own in sys.stdlib_module_names:
            hidden.append(name)
    assert hidden == []


PACKAGES = sorted(path for path in ROOT.glob("evalcore/*/**/__init__.py") if path.parent.name != "cli")


def test_a_part_exports_the_names_it_offers(subtests: pytest.Subtests) -> None:
    """A strict type checker refuses to import a name that a package with `py.typed` does not export."""
    for package in PACKAGES:
        with subtests.test(module_name(package)):
            source = ast.parse(package.read_text())
            ifs = [node for node in source.body if isinstance(node, ast.If)]
            checked = [node for node in ifs if ast.unparse(node.test) == "TYPE_CHECKING"]
            part = module_name(package)
            offered = {
                name.name
                for node in [*source.body, *(inner for block in checked for inner in block.body)]
                if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{part}.")
                for name in node.names
                if not name.name.startswith("_")
            }
            exported = getattr(importlib.import_module(part), "__all__", [])
            left = offered - set(exported)
            assert not left, f"{part} imports these for others, so its __all__ names them: {sorted(left)}"
