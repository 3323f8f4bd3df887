"""What docs/architecture.md says of the code is so."""

import re
import subprocess
from pathlib import Path

import test_imports
import test_ui_imports

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def rows(head: str) -> list[list[str]]:
    """The cells of a table by the first cell of its head."""
    lines = PAGE[PAGE.index(f"| {head} |") :].splitlines()[2:]
    table = lines[: next((at for at, line in enumerate(lines) if not line.startswith("|")), len(lines))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_parts_import_what_the_table_lists():
    documented = {part: set(filter(None, targets.split(", "))) for part, targets in rows("part of evalcore")}
    assert documented == {part: set(targets.split()) for part, targets in test_imports.MAY_IMPORT.items()}


def test_rooms_stand_in_the_order_of_the_table():
    assert tuple(room for room, _ in rows("room")) == test_ui_imports.ROOMS


def test_what_is_held_is_listed():
    found = subprocess.run(["grep", "-rl", "^@held.once", "ui"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {place.strip("`") for place, *_ in rows("held")} == set(found.stdout.split())


def test_threads_are_listed():
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "ui").rglob("*.py"))
    names = re.findall(r'Thread\([^)]*name="([^"]+)"|ThreadPoolExecutor\(\d+, "([^"]+)"\)', code)
    assert names
    assert all(f"`{one or other}`" in PAGE for one, other in names)


def test_what_is_named_is_there():
    named = re.findall(r"`((?:evalcore|ui|tests|pages)/[\w./]+\.(?:py|js))`", PAGE)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_it_is_read_in_fifteen_minutes():
    assert len(PAGE.split()) < 2000
