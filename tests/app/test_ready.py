"""Once it runs, the server does what the first visit would wait for."""

from __future__ import annotations

import json
import subprocess
import sys

from browser_support import ROOT

# In a process of its own: what is imported stays for good.
GET = """
import gc, json, sys
from ui.shell import ready
ready.get()
from ui.server import library
print(json.dumps([sorted(sys.modules), gc.get_freeze_count(), library.packed.cache_info().currsize]))
"""


def test_all_of_ui_is_imported_and_plotly_packed() -> None:
    out = subprocess.run([sys.executable, "-c", GET], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    modules, frozen, packed = json.loads(out.splitlines()[-1])
    files = (path for path in (ROOT / "ui").rglob("*.py") if path.stem != "__init__")
    assert {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files} <= set(modules)
    assert frozen > 0
    assert packed == 1
