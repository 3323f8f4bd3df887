from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import InputError
from evalcore.measures.parts.gains import Arctan, Exponential, Gain, Grade, Mapped, Probability, Share, Step, Table
from evalcore.notation.values import Value
from evalcore.structures.documents import Scale

HIGH = Scale("relevance", grades=(0, 1, 2, 3))
LOW = Scale("difficulty", good="low", grades=(0, 1, 2, 3))
FOG = Scale("fog", kind="signal", good="low")
EVERY = [cls() for cls in Value.registry.values() if issubclass(cls, Gain)]
grades = st.sampled_from([0.0, 1.0, 2.0, 3.0])


def test_gains_of_labels_by_hand(subtests):
    for gain, scale, values, gains in [
        (Grade(), HIGH, [0, 2, -1], [0, 2, 0]),
        (Grade(), LOW, [0, 2, 3], [3, 1, 0]),
        (Exponential(), HIGH, [0, 1, 3, -2], [0, 1, 7, 0]),
        (Exponential(), LOW, [0, 3], [7, 0]),
        (Probability(), HIGH, [0, 1, 3], [0, 1 / 8, 7 / 8]),
        (Probability(max=4), HIGH, [3], [7 / 16]),
        (Probability(), LOW, [0, 3], [7 / 8, 0]),
        (Share(), HIGH, [0, 1.5, 3], [0, 0.5, 1]),
        (Share(max=4), HIGH, [3], [0.75]),
        (Step(at=2), HIGH, [1.9, 2], [0, 1]),
        (Step(at=2), LOW, [1.9, 2], [1, 0]),
        (Step(), HIGH, [1, 2], [0, 1]),  # the upper half
        (Step(), Scale("fog", kind="signal", good="low", threshold=12), [11.9, 12], [1, 0]),
        (Arctan(at=15), FOG, [15, 14], [0.5, 0.75]),
        (Arctan(at=15), Scale("ease", kind="signal"), [15, 16], [0.5, 0.75]),
        (Table(), HIGH, [0, 1, 2, 3], [0, 0.4, 0.8, 1]),
        (Table(), LOW, [0, 1, 2, 3], [1, 0.8, 0.4, 0]),
        (Table(gains=(0, 1)), Scale("page rank", kind="signal"), [0, 4, 6, 10], [0, 0, 1, 1]),
        (Mapped(gains={1: 0.5, 3: 10}), HIGH, [0, 1, 2, 3], [0, 0.5, 2, 10]),
    ]:
        with subtests.test(f"{gain}, {scale}"):
            np.testing.assert_allclose(gain.of(np.array(values, dtype=float), scale), np.array(gains, dtype=float))


@given(st.integers(2, 12), st.integers(1, 4))
def test_a_border_of_equal_bands_belongs_to_the_band_above(bands, steps):
    """Each band begins with its border: 0.3 is not less than three tenths of a scale from 0 to 1."""
    values = np.arange(bands * steps + 1) / (bands * steps)
    found = Table(gains=tuple(at / bands for at in range(bands))).of(values, Scale("share", kind="signal"))
    assert found.tolist() == [min(place // steps, bands - 1) / bands for place in range(bands * steps + 1)]


@pytest.mark.parametrize("gain", EVERY, ids=str)
@given(values=st.lists(grades | st.just(np.nan)))
def test_every_gain_rises_from_bad_to_good_and_is_0_for_unassessed_documents(gain, values):
    column = np.array(values, dtype=float)
    for scale in (HIGH, LOW):
        gains = gain.of(column, scale)
        assert not gains[np.isnan(column)].any()
        assert (gains >= 0).all()
        ascending = gain.of(np.array(scale.grades, dtype=float), scale)[:: 1 if scale.good == "high" else -1]
        assert (np.diff(ascending) >= 0).all()


@pytest.mark.parametrize("gain", [Step(at=2), Arctan(at=2), Grade(), Exponential(), Probability(), Share()], ids=str)
@given(value=grades)
def test_formula_and_gain_come_from_one_text(gain, value):
    shown = gain.formula(HIGH).latex(x="x", **gain._shown(HIGH))
    assert shown in gain.latex("x", HIGH)
    assert gain.of(np.array([value]), HIGH)[0] == gain.formula(HIGH)(x=value, **gain._constants(HIGH))


@pytest.mark.parametrize(
    ("gain", "scale", "latex"),
    [
        (Grade(), HIGH, "g_k"),
        (Exponential(), HIGH, r"\left(2^{g_k} - 1\right)"),
        (Probability(), HIGH, r"\left(\frac{2^{g_k} - 1}{2^{3}}\right)"),
        (Probability(), Scale("any"), r"\left(\frac{2^{g_k} - 1}{2^{\max}}\right)"),
        (Share(), LOW, r"\left(\frac{\left(3 - g_k\right)}{3}\right)"),
        (Step(at=2), HIGH, r"\left[\, g_k \ge 2 \,\right]"),
        (Step(), FOG, r"\left[\, g_k < \theta \,\right]"),
        (Table(), HIGH, r"g\left(g_k\right),\ g = (0, 0.4, 0.8, 1)"),
        (Mapped(gains={1: 5}), HIGH, r"g\left(g_k\right),\ g(1) = 5"),
    ],
)
def test_the_formula_of_each_gain(gain, scale, latex):
    assert gain.latex("g_k", scale) == latex


@pytest.mark.parametrize(
    ("gain", "scale", "message"),
    [
        (Table(gains=(0, 1)), HIGH, r"^Table\(gains=\[0, 1\]\): expected one gain for each grade of relevance"),
        (Table(gains=(0, 1)), HIGH, r"found 2 gains; equal steps are gains=\[0, 0.3333, 0.6667, 1\]$"),
        (Probability(max=2), HIGH, r"^Probability\(max=2\): expected grades of at most 2 in relevance, found 3"),
        (Share(), FOG, "^Share: expected an aspect with grades, found the signal fog, where low is good"),
        (Grade(), FOG, "^Grade: expected an aspect with grades, found the signal fog, where low is good"),
        (Step(), FOG, "^Step: expected a threshold for fog, which has no grades and no threshold"),
    ],
)
def test_a_column_that_does_not_fit_a_gain_is_refused(gain, scale, message):
    with pytest.raises(InputError, match=message):
        gain.of(np.array([3.0]), scale)


def test_a_scale_of_nothing_but_zeros_gives_no_gain():
    for gain in (Share(), Probability(), Grade()):
        assert gain.of(np.zeros(2), Scale("relevance", grades=(0.0,))).tolist() == [0, 0]
