"""Measures of ranked document parts: values by hand, and by sets of characters."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from focused.small_passages import Part, SmallPassages, small_passages
from hypothesis import assume, given
from hypothesis import strategies as st

import evalcore as ec
from app_support import SAMPLE
from evalcore.data.small_collections import small_collection
from evalcore.measures import TextAP, TextP, TextR, iAP, iP

# Three parts of 40, 10 and 50 characters with 30, 0 and 20 highlighted, of 80 in all:
# P is 30/40, 30/50, 50/100; R is 30/80, 30/80, 50/80.
SIZES, RSIZES, TREL = [40, 10, 50], [30, 0, 20], 80


@given(st.integers(1, 60), st.integers(0, 60), st.integers(1, 20), st.integers(1, 20))
def test_a_recall_level_is_reached_by_exact_shares(relevant: int, found: int, a: int, b: int) -> None:
    """A computed level, such as 0.1 * 3, counts like a written one."""
    assume(found <= relevant and a * b <= 100)
    reached = Fraction(found, relevant) >= Fraction(a * b, 100)
    wanted = 1.0 if reached and found else 0.0
    assert iP(recall=min(a * (b / 100), 1.0)).of([found or 1], [found], relevant=relevant) == wanted


def test_interpolated_average_precision_over_101_levels() -> None:
    # the 38 levels 0.00 ... 0.37 have 0.75, the 25 levels 0.38 ... 0.62 have 0.5, the other 38 are not reached
    assert iAP().of(SIZES, RSIZES, relevant=TREL) == pytest.approx((38 * 0.75 + 25 * 0.5) / 101, abs=1e-15)


def test_average_precision_is_weighted_by_the_recall_of_text() -> None:
    # parts with highlighted text are at ranks 1 and 3: (0.75 + 0.5) / 2 * 50/80
    assert TextAP().of(SIZES, RSIZES, relevant=TREL) == 0.625 * 0.625
    # 90 of 100 characters in one of two relevant parts: .9 by Eq. 3; by the share of parts it would be .5.
    assert TextAP().of([90], [90], relevant=100) == 0.9


def test_names_of_the_literature_are_read() -> None:
    assert ec.parse("iMAP") == ec.parse("MAiP") == iAP()
    assert str(ec.parse("iP(0.05)")) == "iP(recall=0.05)"
    assert str(iP(recall=0)) == "iP(recall=0)"


@pytest.mark.parametrize(
    ("lists", "relevant", "found"),
    [
        (([1],), None, "expected two lists of equal length, size and rsize, found one of length 1$"),
        (([1], [1, 1]), None, "found one of length 1 and one of length 2$"),
        (([1, 2], [1, None]), None, "expected size and rsize of each part, found None at rank 2"),
        (([5, 5], [5, 6]), None, "found 6 of 5 at rank 2"),
        (([5], [5]), 4, "expected at least the 5 highlighted characters returned, found 4"),
    ],
)
def test_lists_that_do_not_fit_are_refused(
    lists: tuple[list[float | None], ...], relevant: int | None, found: str
) -> None:
    with pytest.raises(ec.InputError, match=found):
        iAP().of(*lists, relevant=relevant)


@pytest.mark.parametrize(
    ("text", "found"), [("iP(recall=1.1)", "[0, 1]"), ("TextP@0", "found 0"), ("iAP(levels=1)", "2")]
)
def test_parameters_out_of_range_are_refused(text: str, found: str) -> None:
    with pytest.raises(ec.InputError) as error:
        ec.parse(text)
    assert found in str(error.value)


def test_a_collection_of_whole_documents_is_refused() -> None:
    plain = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"run": ["a", "b"]})
    with pytest.raises(ec.InputError, match=r"iAP: expected highlighted passages .* whole documents"):
        ec.evaluate("iAP", plain)
    with pytest.raises(ec.InputError, match="expected highlighted passages"):
        iAP().scores(plain.assessments, plain.rankings)


# --- sets of characters -----------------------------------------------------------------------------------------------


class Text:
    """One list of parts on one topic, defined as in the paper: by sets of (document, character)."""

    def __init__(self, small: SmallPassages, t: int, parts: tuple[Part, ...]) -> None:
        self.relevant = {(d, at) for d, marked in small.judged[t].items() for at in marked.characters}
        self.returned = [{(d, at) for at in range(start, end)} for d, start, end in parts]

    def p(self, r: int) -> Fraction:
        seen = set().union(*self.returned[:r])
        return Fraction(len(seen & self.relevant), len(seen)) if seen else Fraction(0)

    def r(self, r: int) -> Fraction:
        seen = set().union(*self.returned[:r])
        return Fraction(len(seen & self.relevant), len(self.relevant)) if self.relevant else Fraction(0)

    def ip(self, x: Fraction) -> Fraction:
        ranks = range(1, len(self.returned) + 1)
        return max((self.p(r) for r in ranks if self.r(r) >= x), default=Fraction(0))

    def iap(self) -> Fraction:
        return sum((self.ip(Fraction(j, 100)) for j in range(101)), Fraction(0)) / 101

    def ap(self) -> Fraction:
        ranks = [r for r, part in enumerate(self.returned, start=1) if part & self.relevant]
        mean = sum((self.p(r) for r in ranks), Fraction(0)) / max(len(ranks), 1)
        return mean * self.r(len(self.returned))


def by_characters(small: SmallPassages, score: object) -> np.ndarray:
    return np.array(
        [[float(score(Text(small, t, parts))) for t, parts in enumerate(lists)] for lists in small.lists]  # type: ignore[operator]
    )


@given(small_passages())
def test_text_scores_equal_those_of_sets_of_characters(small: SmallPassages) -> None:
    collection = small.collection
    for r in (1, 2, 5, 100):
        assert (TextP(cutoff=r).scores_on(collection) == by_characters(small, lambda text, r=r: text.p(r))).all()
        assert (TextR(cutoff=r).scores_on(collection) == by_characters(small, lambda text, r=r: text.r(r))).all()
    for x in (Fraction(0), Fraction(1, 100), Fraction(3, 10), Fraction(1)):
        assert (iP(recall=float(x)).scores_on(collection) == by_characters(small, lambda text, x=x: text.ip(x))).all()
    np.testing.assert_allclose(iAP().scores_on(collection), by_characters(small, Text.iap), atol=1e-14)
    np.testing.assert_allclose(TextAP().scores_on(collection), by_characters(small, Text.ap), atol=1e-14)


def test_a_mean_may_combine_focused_and_document_measures() -> None:
    collection = ec.load(SAMPLE.parent / "manual")
    both, parts = ec.evaluate("CAM([iAP, AP])", collection), ec.evaluate(["iAP", "AP"], collection)
    pd.testing.assert_frame_equal(both, (parts["iAP"] + parts["AP"]) / 2)
