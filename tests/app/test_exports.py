"""Files that a page offers state what was drawn at random, so that they can be reproduced."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest

from app_support import open_app
from ui.stage import show

DRAWN = {
    "discriminative power": ("discriminative_power", {"resamples": "1,000", "seed": "7"}),
    "pair": ("discriminative_power", {"resamples": "1,000", "seed": "7"}),
    "pairs": ("correlations", {"doubt": "all"}),
}


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], Callable[[], bytes]]:
    """Return the files that a page offers, by kind and name."""
    files: dict[tuple[str, str], Callable[[], bytes]] = {}
    monkeypatch.setattr(show, "_download", lambda kind, name, content: files.update({(kind, name): content}))
    return files


@pytest.mark.parametrize("table", DRAWN)
def test_exported_files_with_random_steps_name_the_seed(
    table: str, offered: dict[tuple[str, str], Callable[[], bytes]]
) -> None:
    page, link = DRAWN[table]
    assert not open_app(page, **link).exception
    seed = link.get("seed", "0")
    rows = list(csv.DictReader(io.StringIO(offered["CSV", table]().decode())))
    assert {row["seed"] for row in rows} == {seed}
    assert f"seed {seed}" in offered["LaTeX", table]().decode().splitlines()[0]
