"""A server that is ready has already done what the first visitor would otherwise wait for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from browser_support import ROOT

# In a process of its own: what is imported stays for good.
GET = """
import gc, json, sys
from ui.shell import warm_up
warm_up.get()
from ui.server import library
print(json.dumps([sorted(sys.modules), gc.get_freeze_count(), library.packed.cache_info().currsize]))
"""


@pytest.fixture(scope="module")
def ready() -> tuple[set[str], int, int]:
    """Return the loaded modules of a ready server, its number of frozen objects, and its number of compressed files."""
    out = subprocess.run([sys.executable, "-c", GET], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    modules, frozen, packed = json.loads(out.splitlines()[-1])
    return set(modules), frozen, packed


@pytest.mark.slow
def test_all_of_ui_is_imported_and_plotly_packed(ready: tuple[set[str], int, int]) -> None:
    modules, frozen, packed = ready
    files = (path for path in (ROOT / "ui").rglob("*.py") if path.stem != "__init__")
    assert {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files} <= modules
    assert frozen > 0
    assert packed == 1


def test_rarely_used_packages_are_imported_late(ready: tuple[set[str], int, int]) -> None:
    modules, _, _ = ready
    assert {"scipy.stats", "scipy.optimize", "scipy.linalg", "jinja2"}.isdisjoint(modules)
