"""CAM, MM and their relatives: values by hand, and their behaviour with weights and zeros."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.explain.bounds import upper_bounds
from evalcore.measures import CAM, GM, MM, RBP, Product, nDCG, uRBPgr
from evalcore.measures.parts.gains import Exponential, Share, Step, Table
from evalcore.structures.documents import Scale

scores = st.floats(0, 1, allow_subnormal=False)
weights = st.floats(0, 10, allow_subnormal=False)


@given(
    st.lists(st.tuples(scores, weights), min_size=1, max_size=5).filter(lambda pairs: sum(w for _, w in pairs) > 1e-6)
)
def test_harmonic_is_at_most_geometric_is_at_most_arithmetic(pairs: list[tuple[float, float]]) -> None:
    values, shares = np.array(pairs).T
    shares = shares / shares.sum()
    harmonic, geometric, arithmetic = (float(mean.combine(values, shares)) for mean in (MM, GM, CAM))
    assert harmonic <= geometric + 1e-9
    assert geometric <= arithmetic + 1e-9


@pytest.mark.parametrize("rho", [0.5, 0.8])
@pytest.mark.parametrize("limit", [41, 40, 39])
def test_h_rbp_with_the_threshold_u_on_a_scale_of_which_low_is_good(limit: int, rho: float) -> None:
    # Palotti et al. 2018: a document is understandable if its score is below U, 40 in the paper
    labels = pd.DataFrame({"relevance": [1, 0, 2], "understandability": [39, 10, 40]}, index=["a", "b", "c"])
    scale = Scale("understandability", good="low", grades=tuple(range(101)))
    c = small_collection(labels, {"s": ["a", "b", "c"]}, [scale])
    h = MM((RBP(rho=rho), RBP(rho=rho, aspect="understandability", rel=limit)))
    relevance = (1 - rho) * (1 + rho**2)
    understandability = (1 - rho) * sum(rho**at for at, score in enumerate((39, 10, 40)) if score < limit)
    expected = 2 * relevance * understandability / (relevance + understandability)
    assert ec.evaluate(h, c).iloc[0, 0] == pytest.approx(expected)
    assert ec.parse(f"H([RBP(rho={rho}), RBP(rho={rho}, aspect='understandability', rel={limit})])") == h
    assert ec.evaluate(f"H_RBP(rho={rho}, threshold={limit})", c).iloc[0, 0] == pytest.approx(expected)


WRONG_WEIGHTS = {
    "CAM(nDCG, weights=[1])": "a weight for each of 2 aspects, found 1",
    "CAM(nDCG, weights=[0, 0])": "at least one weight above 0",
    "CAM(nDCG, weights=[-1, 2])": "a number in [0, inf]",
    "CAM(uRBPgr(aspect='relevance'))": "two different columns",
}


@pytest.mark.parametrize(("text", "problem"), WRONG_WEIGHTS.items())
def test_invalid_weights_are_explained(text: str, problem: str) -> None:
    with pytest.raises(ec.InputError) as error:
        ec.parse(text).of([1, 0], [0, 1])
    assert problem in str(error.value)


# --- combine labels, then score ------------------------------------------------------------------------------------


def test_the_product_with_a_table_under_rbp_is_urbpgr() -> None:
    labels = pd.DataFrame({"relevance": [1, 1, 0], "understandability": [1, 3, 3]}, index=["a", "b", "c"])
    c = small_collection(labels, {"s": ["a", "b", "c"]}, [Scale("understandability", grades=(0, 1, 2, 3))])
    product = Product(RBP(rho=0.5), gains={"relevance": Step(at=1), "understandability": Table()})
    assert ec.evaluate(product, c).equals(ec.evaluate(uRBPgr(rho=0.5), c))


def test_f_of_the_product_is_not_the_product_of_f() -> None:
    # Erratum of section 4.1: with 2^P - 1, one document of shares 1/2 and 1/2 is worth 2^(1/4) - 1, not (2^(1/2) -
    # 1)^2.
    labels = pd.DataFrame({"relevance": [1, 2], "understandability": [1, 2]}, index=["half", "whole"])
    c = small_collection(labels, {"s": ["half"]}, [Scale(str(name), grades=(0, 1, 2)) for name in labels])
    gains = Product(nDCG(), gains={str(name): Share() for name in labels}, f=Exponential()).document_gains(
        c.assessments
    )
    assert gains == pytest.approx([2**0.25 - 1, 1.0])


# --- upper bounds -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mean", "printed"),
    [(CAM, {"231": 0.8801, "123": 0.9073, "213": 0.9056}), (MM, {"231": 0.8638, "123": 0.8978, "213": 0.9033})],
)
def test_the_bounds_of_the_papers_three_documents(mean: type, printed: dict[str, float]) -> None:
    # Table 3, NDCG, MM by Eq. 6 (see its errata); the ranking of each strategy by hand, as numbers of documents
    labels = pd.DataFrame({"relevance": [1, 3, 3], "correctness": [2, 1, 0]}, index=["d1", "d2", "d3"])
    scales = [Scale("relevance", grades=(0, 1, 2, 3)), Scale("correctness", grades=(0, 1, 2))]
    c = small_collection(labels, {"s": ["d1"]}, scales)
    table = upper_bounds(mean(nDCG(), aspects=tuple(map(str, labels))), c.assessments, list(map(str, labels)))
    by_hand = {
        "relevance > correctness": "231",
        "correctness > relevance": "123",
        "sum": "213",
        "sum of squares": "231",
        "largest label": "231",
    }
    assert list(table.columns) == list(by_hand)
    for strategy, ranking in by_hand.items():
        assert table[strategy].item() == pytest.approx(printed[ranking], abs=5.001e-5)


def test_too_many_aspects_are_refused() -> None:
    c = small_collection(pd.DataFrame({"relevance": [1]}, index=["a"]), {"s": ["a"]})
    with pytest.raises(ec.InputError, match="1 to 6 aspects, found 7"):
        upper_bounds("nDCG", c.assessments, ["relevance"] * 7)


def test_a_mean_of_efforts_is_an_effort_and_one_of_an_effort_and_a_gain_is_refused():
    site = ec.load(Path(__file__).parents[2] / "sample_data" / "site")
    both = "CAM([EffortTo(recall=0.2), EffortTo(recall=0.1)], weights=[1, 3])"
    assert ec.evaluate(both, site).attrs == {"good": "low"}
    with pytest.raises(ec.InputError, match=r"parts whose good scores are all high or all low, found .*\(low\)"):
        ec.evaluate("CAM([EffortTo(), InverseEffort()])", site)
    assert ec.evaluate("CAM([EffortTo(), InverseEffort()], weights=[0, 1])", site).attrs == {"good": "high"}


def test_an_infinite_part_of_weight_0_is_left_out():
    assert CAM.combine(np.array([[np.inf], [2.0]]), np.array([0.0, 1.0])).tolist() == [2.0]


def test_an_average_of_averages_combines_the_scores_of_the_innermost(sample: ec.Collection) -> None:
    measure = ec.parse('MM([CAM(AP, aspects=["relevance", "credibility"]), RBP(rho=0.5)])')
    asked: list[str] = []

    def scores_of(one: ec.Measure) -> np.ndarray:
        asked.append(str(one))
        return one.scores_on(sample)

    by_parts = measure.scores_by(scores_of)
    assert asked == list(map(str, measure.combined)) == ["AP", 'AP(aspect="credibility")', "RBP(rho=0.5)"]
    np.testing.assert_array_equal(by_parts, measure.scores_on(sample))


def test_the_parts_of_an_average_read_the_labels_of_its_source() -> None:
    measure = ec.parse('CAM(RBP(rho=0.5), source="judge")')
    changed = measure.combining(lambda one: one.with_(rho=0.8))
    assert changed == ec.parse('CAM([RBP(rho=0.8), RBP(rho=0.8, aspect="understandability")], source="judge")')
