"""Rooms of the app import one way, from the server at the bottom to the shell; docs/architecture.md has the table."""

import ast
from functools import cache
from pathlib import Path

from test_imports import imported

from evalcore.subjects import SUBJECTS

ROOT = Path(__file__).parents[1]
UI = ROOT / "ui"

# From the bottom to the top: each room may import what stands before it. Pages' own folders come last.
ROOMS = ("subjects", "server", "screen", "widgets", "address", "computing", "stage", "data", "shell")
# Of pages' folders, those that another page's folder imports.
PAGES_ALSO = {
    "aspect_weights": {"tune"},
    "claims": {"teaching"},
    "focused": {"teaching"},
    "home": {"understandability"},
    "labels": {"glossary", "teaching"},
    "measures": {"tune"},
    "navigation": {"teaching"},
    "sensitivity": {"tune"},
    "teaching": {"glossary"},
    "toma": {"tune"},
    "topic": {"moved"},
    "understandability": {"tune"},
}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def imports() -> dict[str, set[str]]:
    """Modules of ui that each module of ui imports, wherever in it."""
    modules = {module_of(path): path for path in UI.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for name, path in modules.items():
        found[name] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "ui":
                names = {f"{node.module}.{alias.name}" for alias in node.names}
                found[name] |= {one if one in modules else node.module for one in names}
            elif isinstance(node, ast.Import):
                found[name] |= {alias.name for alias in node.names if alias.name in modules}
    return found


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_a_room_imports_what_stands_below_it():
    wrong = []
    for module, targets in imports().items():
        here = room(module)
        for target in targets:
            there = room(target)
            below = ROOMS[: ROOMS.index(here)] if here in ROOMS else (*ROOMS, *PAGES_ALSO.get(here, ()))
            if there not in ("", here, *below):
                wrong.append(f"{module} imports {target}")
    assert not wrong, "\n".join(sorted(wrong))


def test_the_app_knows_no_subject():
    """Subjects register what they add: `ui.subjects`."""
    found: dict[str, set[str]] = {}
    for path in sorted([*UI.rglob("*.py"), *(ROOT / "pages").glob("*.py")]):
        module = module_of(path)
        own = room(module)
        targets = imported(path.read_text(encoding="utf-8"), module, path.name == "__init__.py")
        parts = {target.split(".")[1] for target in targets if target.startswith(("evalcore.", "ui."))}
        if own not in SUBJECTS and (known := parts & set(SUBJECTS)):
            found[module] = known
    assert not found


def test_no_module_imports_itself_by_way_of_others():
    left = {module: set(targets) - {module} for module, targets in imports().items()}
    while free := [module for module, targets in left.items() if not targets & left.keys()]:
        for module in free:
            del left[module]
    assert not left, sorted(left)


def test_what_a_page_shows_is_free_of_streamlit():
    for path in (UI / "screen").glob("*.py"):
        assert "import streamlit" not in path.read_text(encoding="utf-8"), path.name
