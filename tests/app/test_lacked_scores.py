"""Given scores that some systems lack entirely: pages work on the other systems, and state this."""

from __future__ import annotations

import pytest

from app_support import fresh

BOARD = {"data": "leaderboard sample"}  # 40 models, of which 12 were run again


@pytest.mark.slow
@pytest.mark.parametrize("look", ["Scatter", "Ranks"])
def test_sensitivity_covers_only_systems_that_the_measure_scores(look: str) -> None:
    app = fresh("sensitivity", {**BOARD, "sensitivity.look": look})
    assert not app.exception
    assert [caption.value for caption in app.caption if "12 of 40 systems" in caption.value] != []
