"""A composite measure that the library does not know: everything follows from its own declarations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.explain.arithmetic import arithmetic
from evalcore.measures import AP
from evalcore.measures.base import GainMeasure
from evalcore.measures.parts.gains import Gain, Share, Step
from evalcore.notation.values import parameter
from evalcore.sensitivity import parameters_of, trajectory


@dataclass(frozen=True)
class MeanGain(GainMeasure, abstract=True):  # abstract: not among the measures that other tests list
    """A base applied to the weighted mean of the aspects' gains."""

    base: GainMeasure = parameter(AP(), positional=True)
    gains: Mapping[str, Gain] = parameter((("relevance", Share()), ("ease", Step(at=2))))
    weights: tuple[float, ...] = parameter((), role="weight")
    unread: ClassVar[Mapping[str, tuple[str, ...]]] = {"base": ("rel",)}

    def gain_functions(self) -> Mapping[str, Gain]:
        return dict(self.gains)

    def document_gains(self, pool):
        weights = self.weights or (1.0,) * len(self.gain_functions())
        gains = (gain.of(pool.column(name), pool.scale(name)) for name, gain in self.gain_functions().items())
        return sum(weight * gain for weight, gain in zip(weights, gains, strict=True)) / sum(weights)

    def score_gains(self, gains, pool, rankings):
        return self.base.score_gains(gains, pool, rankings)

    def written_out(self, pool=None) -> dict[str, Any]:
        return {} if self.weights else {"weights": (1.0,) * len(self.gain_functions())}

    @property
    def scorer(self) -> GainMeasure:
        return self.base.scorer

    def of_one_aspect(self) -> GainMeasure:
        return self.base


@pytest.fixture
def collection():
    labels = {"relevance": [0, 1, 1, 0], "ease": [0, 1, 2, 3]}
    return small_collection(pd.DataFrame(labels, index=list("abcd")), {"one": ["a", "c"], "two": ["b", "d"]})


def test_the_parameters_of_a_new_composite_can_be_varied(collection):
    found = {one.path: (one.low, one.high, one.levels) for one in parameters_of(MeanGain(), collection)}
    assert found == {
        "base.cutoff": (1, 2, (1, 2)),
        'gains["relevance"].min': (0, 1, ()),
        'gains["relevance"].max': (1, 2, ()),
        'gains["ease"].at': (1, 3, (1, 2, 3)),
        "weights[0]": (0, 4, ()),
        "weights[1]": (0, 4, ()),
    }


def test_the_weights_of_a_new_composite_change_its_scores(collection):
    # with all weight on ease, from 2 on, c and d are relevant: "one" finds c second, "two" d second, so AP is 1/4 each
    found = trajectory(MeanGain(weights=(0, 1)), "weights[0]", [0, 1], collection)
    assert found.means.to_numpy().tolist()[0] == [0.25, 0.25]


def test_the_score_of_a_new_composite_is_explained(collection):
    parts = arithmetic(MeanGain(), collection.assessments, collection.rankings)
    assert parts.score == ec.evaluate(MeanGain(), collection).loc["topic", "one"]


def test_a_new_composite_can_be_reduced_to_one_aspect():
    assert MeanGain(AP(cutoff=5)).of_one_aspect() == AP(cutoff=5)
