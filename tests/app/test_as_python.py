"""The code that a page offers recomputes what the page shows."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from python_support import snippet

import evalcore as ec
from app_support import ROOT, SAMPLE, metric, open_app


@pytest.mark.slow
def test_the_saved_script_prints_the_numbers_of_the_page(tmp_path):
    app = open_app()
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    script = tmp_path / "view.py"
    script.write_text(snippet(app), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, cwd="/", env={"PYTHONPATH": str(ROOT)}
    )
    assert not ran.stderr
    tau = float(re.findall(r"^tau: (.*)$", ran.stdout, re.MULTILINE)[0])
    assert f"{tau:.3f}" == metric(app, "τ")


def test_other_data_are_refused_and_another_version_is_noted():
    c = ec.load(SAMPLE)
    other = ec.restrict(c, systems=c.systems[:5])
    with pytest.raises(ec.InputError, match=rf"expected the data with fingerprint {c.fingerprint[:12]}, found another"):
        ec.expect(other, fingerprint=c.fingerprint[:12])
    with pytest.warns(UserWarning, match=r"expected evalcore 0\.0\.1, found "):
        ec.expect(c, fingerprint=c.fingerprint[:12], version="0.0.1")
