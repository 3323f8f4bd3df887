"""Favour of a judge and noise in labels, drawn."""

from __future__ import annotations

import pandas as pd
import pytest

from evalcore import figures

FAVOUR = pd.DataFrame(
    {
        "difference": [0.03, -0.01],
        "expected": [0.001, 0.0],
        "low": [-0.01, -0.012],
        "high": [0.012, 0.011],
        "favour": [0.029, -0.01],
        "p": [0.001, 0.4],
        "p_corrected": [0.004, 0.9],
    },
    index=["<ann>_1", "ben_1"],
)
NOISE = pd.DataFrame(
    {"kappa": [1.0, 0.8, 0.6], "tau": [1.0, 0.92, 0.8], "tau_low": [1.0, 0.9, 0.7], "tau_high": [1.0, 0.95, 0.9]},
    index=[0.0, 0.1, 0.2],
).assign(winner_stays=[1.0, 0.9, 0.5])


def test_each_system_has_its_difference_beside_what_is_expected() -> None:
    figure = figures.favours(FAVOUR, "llm", figures.system_styles(list(FAVOUR.index)))
    bands, expected, *marks = figure.data
    assert list(bands.x)[:2] == [-0.012, 0.011]  # from below
    assert list(expected.x) == [0.0, 0.001]
    drawn = {mark.customdata[at][0]: mark.x[at] for mark in marks for at in range(len(mark.x))}
    assert drawn == FAVOUR["difference"].to_dict()
    assert "liked less by llm" in figure.layout.xaxis.title.text


def test_favour_beyond_chance_is_filled_and_names_are_harmless() -> None:
    marks = figures.favours(FAVOUR, "<i>", figures.system_styles(list(FAVOUR.index))).data[2:]
    symbols = {mark.customdata[0][1]: mark.marker.symbol[0] for mark in marks}
    assert symbols == {"&lt;ann&gt;_1": "circle", "ben_1": "circle-open"}
    assert all("<i>" not in mark.customdata[0][2] for mark in marks)


def test_the_cursor_stands_on_both_lines_of_noise() -> None:
    figure = figures.noise_levels(NOISE, 0.15, measured=0.12)
    assert list(figure.data[4].y) == pytest.approx([0.86, 0.7])
    assert [shape.x0 for shape in figure.layout.shapes] == [0, 0.15, 0.12]
    assert figure.layout.shapes[0].y0 == 0.9
