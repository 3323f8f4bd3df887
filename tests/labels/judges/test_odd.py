"""Collections of odd labels: the effect of other labels is found, or refused in words."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from odd_support import DECLARED, SHAPES, write
from sources_support import with_sources

import evalcore as ec
from evalcore.labels.judges import noise_curve, source_rankings


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_odd_labels_are_exchanged_or_refused(shape: str, tmp_path) -> None:
    collection = ec.load(write(tmp_path / "odd", shape, DECLARED.get(shape, "")))
    given = collection.assessments.columns[collection.aspects[0]]
    other = np.where(np.arange(len(given)) % 5 == 0, np.nan, np.roll(given, 1))
    two = with_sources(collection, collection.aspects[0], b=other)
    for measure in ("AP", "nDCG@3", "Bpref"):
        with suppress(ec.InputError):
            taus = noise_curve(measure, collection, "any", n_draws=3, levels=[0, 0.3, 1]).table["tau"]
            assert taus.dropna().between(-1, 1).all()
        with suppress(ec.InputError):
            noise_curve(measure, two, "as measured", n_draws=3)
        with suppress(ec.InputError):
            assert len(source_rankings(measure, two, n_resamples=5).pairs) == 1
