"""Gains over baselines, power curves and shares of variance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore import figures

SCORES = pd.DataFrame({"base": [0.2, 0.3, 0.3, 0.1], "<new>": [0.4, 0.6, 0.5, 0.6], "bad": [np.inf, 0.1, 0.2, 0.0]})


def test_gains_stand_by_system_and_baseline_with_their_intervals():
    table = ec.against_baselines(SCORES.drop(columns="bad"), ["base"], "t-test")
    lines, dots = figures.baseline_gains(table, 0.05).data
    assert list(dots.x) == [pytest.approx(0.3)]
    assert list(lines.x)[:2] == pytest.approx([table["low"].item(), table["high"].item()])
    assert dots.customdata[0][0] == "&lt;new&gt;"
    assert list(dots.marker.symbol) == ["circle"]


def test_an_infinite_gain_stands_on_a_line_of_its_own():
    figure = figures.baseline_gains(ec.against_baselines(SCORES, ["base"], "t-test"), 0.05)
    assert np.isfinite(np.array(figure.data[1].x, dtype=float)).all()
    assert [annotation.text for annotation in figure.layout.annotations] == ["∞"]


def test_power_is_marked_where_it_is_enough():
    curve = pd.Series([0.1, 0.8], index=[10, 100])
    figure = figures.power_curves({"half": curve, "once": curve, "twice": curve}, 0.8, 40, 100.0)
    assert [annotation.text for annotation in figure.layout.annotations] == ["here: 40", "needed: 100"]
    assert [annotation.x for annotation in figure.layout.annotations] == pytest.approx([np.log10(40), 2])


def test_what_chance_puts_below_0_is_drawn_as_nothing():
    shares = pd.DataFrame({"topic": [0.6], "system": [-0.01], "not explained": [0.4]}, index=["AP"])
    topic, system, rest = figures.variance_shares(shares).data
    assert (topic.x[0], system.x[0], rest.x[0]) == (0.6, 0.0, 0.4)
    assert list(system.customdata[0]) == ["AP", "system", "-0.010"]
