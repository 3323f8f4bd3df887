"""docs/tutorial.ipynb runs from its first cell to its last, and ends in a sentence with doubt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

pytestmark = pytest.mark.threads  # a kernel is a process that threads talk with

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    patch = pytest.MonkeyPatch()
    patch.setenv("EVALCORE_SAMPLE", str(ROOT / "sample_data" / "health"))
    patch.setenv("PYTHONPATH", str(ROOT))
    patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
    patch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    try:
        return nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    finally:
        patch.undo()


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_no_cell_complains(executed: Any) -> None:
    assert [
        output for output in outputs(executed) if output.output_type == "error" or output.get("name") == "stderr"
    ] == []


def test_figures_and_a_formula_are_shown(executed: Any) -> None:
    kinds = [kind for output in outputs(executed) for kind in output.get("data", {})]
    assert kinds.count("application/vnd.plotly.v1+json") == 5
    assert "text/latex" in kinds


def test_it_ends_in_a_sentence_on_the_claim(executed: Any) -> None:
    output = "".join(one.text for one in outputs(executed) if one.output_type == "stream")
    assert "specifications" in output
    assert "p = " in output


def test_it_is_kept_without_what_it_shows() -> None:
    nbformat = pytest.importorskip("nbformat")
    kept = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    assert outputs(kept) == []
