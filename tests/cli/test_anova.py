"""`evalcore anova`."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest
from cli.conftest import ROOT, Refused, Run

import evalcore as ec

HEALTH = str(ROOT / "sample_data" / "health")


@pytest.fixture
def families(tmp_path: Path) -> Path:
    """A table of the sample's systems: the family that stands before their underscore, and whether they rerank."""
    lines = [f"{name},{name.split('_')[0]},{'rerank' in name}" for name in ec.load(HEALTH).systems]
    path = tmp_path / "families.csv"
    path.write_text("\n".join(["system,family,reranks", *lines, "nobody,none,False"]))
    return path


def test_topics_and_systems(run: Run) -> None:
    table = pd.read_csv(io.StringIO(run(f"anova {HEALTH} -m 'AP, RR' -f csv").out))
    expected = ec.two_way_anova(ec.evaluate("RR", ec.load(HEALTH))).table
    found = table[table["measure"] == "RR"].set_index("effect")
    assert found.index.tolist() == ["topic", "system", "error"]
    assert found["omega2"].tolist() == pytest.approx(expected["omega2"].tolist(), nan_ok=True)


def test_what_systems_are_made_of(run: Run, families: Path) -> None:
    ran = run(f"anova {HEALTH} -m AP --system-table {families} --factors all --interactions -f csv")
    table = pd.read_csv(io.StringIO(ran.out)).set_index("effect")
    made_of = pd.read_csv(families, index_col="system")
    expected = ec.component_anova(ec.evaluate("AP", ec.load(HEALTH)), made_of, interactions=True).table
    assert table.index.tolist() == expected.index.tolist()
    assert table["f"].tolist() == pytest.approx(expected["f"].tolist(), nan_ok=True)
    assert "families.csv: 1 system not among the systems, not used: 'nobody'" in ran.err


def test_the_collections_own_table(small: Path, run: Run) -> None:
    (small / "systems.csv").write_text("system,kind\ngood,new\npoor,old\n")
    assert run("anova . -m AP --factors kind").lines[2].split()[1] == "kind"


@pytest.mark.parametrize(("options", "code", "complaint"), [
    ("--factors kind", 2, "--factors: expected a systems.csv in the collection, or --system-table FILE, found neither"),
    ("--interactions", 2, "expected --factors with --interactions, found none"),
    ("--system-table x.csv", 2, "expected --factors with --system-table, found none"),
])  # fmt: skip
def test_what_cannot_be_analysed_is_refused(
    small: Path, refused: Refused, options: str, code: int, complaint: str
) -> None:
    refused(f"anova . -m AP {options}", code, complaint)
