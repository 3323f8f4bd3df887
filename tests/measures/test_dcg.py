from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import Small, collections, gains_of, ideal_of

from evalcore.errors import InputError
from evalcore.measures import DCG, RBP, ERRlike, GainDiscount, P, nDCG, parse
from evalcore.measures.dcg import DiscountedSum
from evalcore.measures.parts.discounts import Flat, Geometric, Ideal, Logarithmic, Mass, Reciprocal, Unnormalised
from evalcore.measures.parts.gains import Exponential, Grade, Positive, Probability, Share, Step

cutoffs = st.none() | st.integers(1, 9)


def slow_sum(gain, discount, cutoff, normaliser):
    def score(ranking, judged):
        gains = [gain(g) for g in gains_of(ranking, judged)][:cutoff]
        best = sorted(map(gain, ideal_of(judged)), reverse=True)[:cutoff]
        by = {
            "Unnormalised": 1,
            "Mass": sum(discount(k) for k in range(1, (cutoff or 4000) + 1)),
            "Ideal": sum(g * discount(k) for k, g in enumerate(best, start=1)),
        }[normaliser]
        return sum(g * discount(k) for k, g in enumerate(gains, start=1)) / by if by else 0

    return score


GAINS = {
    "Grade": float,
    "Exponential": lambda g: 2**g - 1,
    "Probability": lambda g: (2**g - 1) / 8,
    "Share": lambda g: g / 3,
    "Step(at=2)": lambda g: float(g >= 2),
    "Mapped(gains={1: 0, 2: 7})": lambda g: {1: 0.0, 2: 7.0}.get(g, g),
}
DISCOUNTS = {
    "Geometric(rho=0.7)": lambda k: 0.7 ** (k - 1),
    "Logarithmic": lambda k: 1 / log2(1 + k),
    "Reciprocal": lambda k: 1 / k,
    "Flat": lambda k: 1.0,
}


@given(
    collections(lowest=-1),
    st.sampled_from(list(GAINS)),
    st.sampled_from(list(DISCOUNTS)),
    st.sampled_from(["Unnormalised", "Mass", "Ideal"]),
    cutoffs,
)
def test_any_gain_with_any_discount_and_any_normaliser(small, gain, discount, normaliser, cutoff):
    measure = parse(f"GainDiscount(gain={gain}, discount={discount}, normaliser={normaliser})").with_(cutoff=cutoff)
    if normaliser == "Mass" and cutoff is None and not discount.startswith("Geometric"):
        with pytest.raises(InputError, match="expected a cut-off"):
            small.scores(measure)
    else:
        slow = slow_sum(GAINS[gain], DISCOUNTS[discount], cutoff, normaliser)
        np.testing.assert_allclose(small.scores(measure), small.by_loop(slow), atol=1e-12)


@given(collections(), st.integers(1, 9))
def test_the_named_measures_are_special_cases(small, K):
    logarithmic, geometric = Logarithmic(), Geometric(rho=0.7)
    for named, parts in [
        (DCG(cutoff=K), GainDiscount(gain=Grade(), discount=logarithmic, cutoff=K)),
        (DCG(dcg="exp-log2"), GainDiscount(gain=Exponential(), discount=logarithmic)),
        (nDCG(cutoff=K), GainDiscount(gain=Grade(), discount=logarithmic, normaliser=Ideal(), cutoff=K)),
        (nDCG(), GainDiscount(gain=Share(), discount=logarithmic, normaliser=Ideal())),  # the ideal undoes the scale
        (P(rel=2, cutoff=K), GainDiscount(gain=Step(at=2), discount=Flat(), normaliser=Mass(), cutoff=K)),
        (RBP(rho=0.7), GainDiscount(gain=Positive(), discount=geometric, normaliser=Mass())),
        (
            RBP(rho=0.7, cutoff=K),
            GainDiscount(gain=Positive(), discount=geometric, normaliser=Mass(all_ranks=True), cutoff=K),
        ),
        (ERRlike(cutoff=K), GainDiscount(gain=Probability(), discount=Reciprocal(), cutoff=K)),
    ]:
        np.testing.assert_allclose(small.scores(named), small.scores(parts), atol=1e-12)
        right = parts.latex().partition(" = ")[2]
        if not isinstance(parts.gain, Share):
            assert named.latex() == rf"\mathrm{{{type(named).__name__}}} = {right}"


def test_if_low_is_good_the_easiest_document_gains_most():
    judged = {"hard": {"difficulty": 3.0}, "easy": {"difficulty": 0.0}}
    small = Small((judged,), ((("easy", "hard"),), (("hard", "easy"),)))
    assert small.scores(DCG(aspect="difficulty")).ravel() == pytest.approx([3, 3 / log2(3)])
    assert small.scores(nDCG(aspect="difficulty"))[0, 0] == 1
    assert r"\left(3 - \mathrm{difficulty}_k\right)" in nDCG(aspect="difficulty").latex(small.pool.scales)


def test_two_statements_of_the_gains_are_refused():
    with pytest.raises(InputError, match="expected `gains` or dcg=exp-log2, found both"):
        nDCG(dcg="exp-log2", gains={1: 2}).of([1])


def test_the_parts_show_in_the_formula():
    measure = nDCG(cutoff=10)
    assert isinstance(measure, DiscountedSum)
    assert measure.normaliser == Ideal()
    assert measure.latex() == (
        r"\mathrm{nDCG} = \frac{1}{\sum_{k=1}^{10} \frac{1}{\log_2\left(1 + k\right)} \cdot g^{*}_k} "
        r"\sum_{k=1}^{10} \frac{1}{\log_2\left(1 + k\right)} \cdot \mathrm{relevance}_k"
    )
    flat = GainDiscount(discount=Reciprocal(), normaliser=Mass(), cutoff=3)
    assert r"\frac{1}{\sum_{k=1}^{3} \frac{1}{k}} \sum_{k=1}^{3}" in flat.latex()
    assert GainDiscount(normaliser=Unnormalised()).latex().startswith(r"\mathrm{GainDiscount} = \sum_{k=1}^{K}")
