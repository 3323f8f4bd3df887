"""A page made as CONTRIBUTING.md says is one: in menus, with a figure that follows its slider, with As Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

from app_support import ROOT

FILE = re.compile(r"   `([\w/]+\.py)`\n\n   ```python\n(.*?)   ```\n", re.DOTALL)
LINE = re.compile(r"   The line of `ui/address/site.py`\n\n   ```python\n   (.*?)\n   ```\n")
OPENED = """
from streamlit.testing.v1 import AppTest

from ui.data.as_python import BOX

app = AppTest.from_file("app.py", default_timeout=120)
app.switch_page("pages/patience.py")
app.run()
assert not app.exception and not app.error
(slider,) = app.slider
app.session_state[BOX] = True  # As Python is open
slider.set_value(0.1).run()
assert not app.exception
assert app.markdown[0].value.endswith("leads")
assert "ec.evaluate('RBP(rho=0.1)', c)" in app.code[0].value
print(app.title[0].value)
"""


def test_the_page_that_it_has_is_one(tmp_path: Path) -> None:
    for name in ("ui", "pages"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("evalcore", "sample_data"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "app.py", tmp_path)
    text = (ROOT / "CONTRIBUTING.md").read_text()
    for name, code in FILE.findall(text):
        (tmp_path / name).write_text(dedent(code))
    (line,) = LINE.findall(text)
    site = tmp_path / "ui" / "address" / "site.py"
    site.write_text(site.read_text().replace('"Explain": [', f'"Explain": [\n        {line},', 1))
    ran = subprocess.run(
        [sys.executable, "-c", OPENED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert "Who leads for a reader of such patience?" in ran.stdout
