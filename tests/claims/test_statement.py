"""Claims: their text reads back to the same claim, and invalid ones are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.claims import Claim, parse_claim
from evalcore.errors import InputError

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
ORDERS = st.lists(NAMES, min_size=2, max_size=5, unique=True).map(lambda names: Claim(tuple(names)))
PLACES = st.builds(lambda name, top: Claim((name,), top), NAMES, st.integers(1, 50))


@given(ORDERS | PLACES)
def test_the_text_of_a_claim_reads_back_to_it(claim: Claim) -> None:
    assert parse_claim(str(claim)) == claim


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("bm25 > tfidf", Claim(("bm25", "tfidf"))),
        ("bm25>tfidf", Claim(("bm25", "tfidf"))),
        ("a > b > c > d > e", Claim(("a", "b", "c", "d", "e"))),
        ('"my run" > ">"', Claim(("my run", ">"))),
        ("a in top 3", Claim(("a",), 3)),
        ("a in top 1", Claim(("a",), 1)),
        ("a first", Claim(("a",), 1)),
        ("first first", Claim(("first",), 1)),
    ],
)
def test_a_claim_is_an_order_of_systems_or_the_rank_of_one(text: str, claim: Claim) -> None:
    assert parse_claim(text) == claim


@pytest.mark.parametrize(
    "text",
    ["", "a", "a >", "> a", "a > > b", "a b", "a in top", "a in top 0", "a in top x", '"a > b', "a > a", "a < b"],
)
def test_an_invalid_claim_is_refused_with_the_expected_form(text: str) -> None:
    with pytest.raises(InputError, match="expected"):
        parse_claim(text)


def test_an_unknown_system_is_named_with_those_near_to_it() -> None:
    with pytest.raises(InputError, match=r"bm25 > tfidg: expected systems .*found 'tfidg'; did you mean tfidf\?"):
        parse_claim("bm25 > tfidg").check(["bm25", "tfidf"])


def test_a_top_of_all_systems_is_refused() -> None:
    with pytest.raises(InputError, match=r'expected "in top N" with N below 2, the number of systems'):
        parse_claim("a in top 2").check(["a", "b"])
