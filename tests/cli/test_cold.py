"""Imports of a command: what it needs, and nothing else that takes long."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEALTH = ROOT / "sample_data" / "health"
SCORE = (
    "score",
    "--runs",
    str(HEALTH / "runs" / "baseline_boolean.run.gz"),
    "--aspect",
    f"relevance={HEALTH / 'qrels.txt'}",
)
# A command, how many modules of ours it may import, and packages that it may not.
COLD = [
    (("--help",), 60, {"numpy", "pandas", "scipy", "pyarrow"}),
    (("score", "--help"), 30, {"numpy", "pandas", "scipy", "pyarrow"}),
    (("compare", "--help"), 35, {"numpy", "pandas", "scipy", "pyarrow"}),
    (("measures", "AP"), 110, {"pandas", "scipy", "pyarrow"}),
    ((*SCORE, "-m", "AP"), 70, {"pandas", "scipy", "evalcore.navigation.models", "evalcore.data.kinds"}),
]


@pytest.mark.parametrize(("command", "most", "without"), COLD, ids=lambda one: one[0] if isinstance(one, tuple) else "")
def test_a_command_imports_only_what_it_needs(command, most, without, tmp_path):
    code = "import sys; from evalcore.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    for _ in ("first", "what is kept is there"):
        done = subprocess.run(
            [sys.executable, "-c", code, *command],
            cwd=ROOT,
            env={"EVALCORE_CACHE": str(tmp_path / "kept"), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
    found = done.stderr.split("\n")[-2].split()
    assert without.isdisjoint(found)
    assert len([name for name in found if name.split(".")[0] == "evalcore"]) <= most
