from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import Small, collections, gains_of, ideal_of

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.errors import InputError
from evalcore.measures import AP, Q
from evalcore.structures.documents import Scale


def slow_q(beta, cutoff):
    def score(ranking, judged):
        ideal, gains, total = ideal_of(judged), gains_of(ranking, judged), 0.0
        relevant = sum(gain > 0 for gain in ideal)
        for rank, gain in enumerate(gains[:cutoff], start=1):
            if gain > 0:
                found = sum(one > 0 for one in gains[:rank])
                total += (found + beta * sum(gains[:rank])) / (rank + beta * sum(ideal[:rank]))
        return total / min(relevant, cutoff or relevant) if relevant else 0

    return score


@given(collections(lowest=-1), st.sampled_from([0, 0.5, 1, 10]), st.none() | st.integers(1, 9))
def test_q_measure_equals_a_loop(small, beta, cutoff):
    np.testing.assert_allclose(
        small.scores(Q(beta=beta, cutoff=cutoff)), small.by_loop(slow_q(beta, cutoff)), atol=1e-12
    )


def test_q_measure_equals_the_sample_of_ntcireval():
    """NTCIREVAL's sample.rel and sample.res with gains 1:2:3 (tests/dat of pyNTCIREVAL, printed to 4 decimals)."""
    grades = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0]
    judged = {f"dummy{at:02}": {"relevance": float(grade)} for at, grade in enumerate(grades, start=1)}
    small = Small((judged,), ((("dummy11", "dummy01", "dummy12", "dummy04"),),))
    assert small.scores(Q())[0, 0] == pytest.approx(0.0967, abs=5e-5)
    assert small.scores(Q(cutoff=1000))[0, 0] == pytest.approx(0.0967, abs=5e-5)
    assert small.scores(Q(cutoff=2))[0, 0] == pytest.approx(0.25, abs=5e-5)
    assert small.scores(AP())[0, 0] == pytest.approx(0.1, abs=5e-5)


def test_a_weak_document_further_up_may_lower_q():
    """A property test found this: 5/12 before, and 29/72 after a document of grade 1 moves from rank 7 to rank 5."""
    assert Q().of([0, None, None, None, None, 2, 1]) == pytest.approx((3 / 9 + 5 / 10) / 2)
    assert Q().of([0, None, None, None, 1, 2, None]) == pytest.approx((2 / 8 + 5 / 9) / 2)


def test_beta_is_not_negative():
    with pytest.raises(InputError, match=r"Q\(beta=...\): expected a number in \[0, inf\), found -1"):
        Q(beta=-1)


@given(
    st.lists(st.none() | st.integers(1, 5), min_size=1, max_size=8).filter(any),
    st.none() | st.integers(2, 5),
    st.sampled_from(["high", "low"]),
)
def test_without_gains_it_is_ap_wherever_a_scale_begins_and_its_border_lies(grades, threshold, good):
    """On a scale from 1 to 5, the worst label is 1, and 2 (or the threshold) is the lowest relevant one."""
    scale = Scale("relevance", good=good, grades=(1, 2, 3, 4, 5), threshold=threshold)
    ids = [f"d{at}" for at in range(len(grades))]
    known = pd.DataFrame(
        {"relevance": [np.nan if grade is None else float(grade) for grade in grades]}, index=ids
    ).dropna()
    c = small_collection(known, {"s": ids}, [scale])
    assert ec.evaluate("Q(beta=0)", c).iloc[0, 0] == pytest.approx(ec.evaluate("AP", c).iloc[0, 0])
