"""Figures of noise in labels."""

from __future__ import annotations

import pandas as pd
import pytest

from evalcore import figures

NOISE = pd.DataFrame(
    {"kappa": [1.0, 0.8, 0.6], "tau": [1.0, 0.92, 0.8], "tau_low": [1.0, 0.9, 0.7], "tau_high": [1.0, 0.95, 0.9]},
    index=[0.0, 0.1, 0.2],
).assign(winner_stays=[1.0, 0.9, 0.5])


def test_the_cursor_is_on_both_lines_of_noise() -> None:
    figure = figures.noise_levels(NOISE, 0.15, measured=0.12)
    assert list(figure.data[4].y) == pytest.approx([0.86, 0.7])
    assert [shape.x0 for shape in figure.layout.shapes] == [0, 0.15, 0.12]
    assert figure.layout.shapes[0].y0 == 0.9
