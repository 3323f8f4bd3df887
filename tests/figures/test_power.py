"""Power curves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures


def test_power_is_marked_where_it_is_enough():
    curve = pd.Series([0.1, 0.8], index=[10, 100])
    figure = figures.power_curves({"half": curve, "once": curve, "twice": curve}, 0.8, 40, 100.0)
    assert [annotation.text for annotation in figure.layout.annotations] == ["here: 40", "needed: 100"]
    assert [annotation.x for annotation in figure.layout.annotations] == pytest.approx([np.log10(40), 2])
