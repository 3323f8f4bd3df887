from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import numbers

from evalcore.errors import InputError
from evalcore.measures import RBP, GainDiscount, nDCG, parse, uRBPgr
from evalcore.measures.parts.discounts import Flat, Geometric
from evalcore.notation.values import LONGEST_TEXT, Range, Value, parameter, parse_value


@dataclass(frozen=True)
class Probe(Value, also=("Sonde",)):
    """A value with a parameter of every kind."""

    number: float = parameter(0.5, "a number")
    count: int | None = parameter(None, "a count")
    name: str = parameter("a", "a name")
    flag: bool = parameter(False, "a flag")
    form: Literal["x", "y"] = parameter("x", "a form")
    weights: tuple[float, ...] = parameter((), "weights")
    table: Mapping[float, float] = parameter((), "a table")
    named: Mapping[str, float] = parameter((), "a table by name")
    inner: Value | None = parameter(None, "a value within")


finite = numbers(-1e15, 1e15)
probes = st.builds(
    Probe,
    number=finite | st.integers(-(10**6), 10**6),
    count=st.none() | st.integers(-(2**63) + 1, 2**63 - 1),
    name=st.text(),
    flag=st.booleans(),
    form=st.sampled_from(["x", "y"]),
    weights=st.lists(finite).map(tuple),
    table=st.dictionaries(finite, finite, max_size=3),
    named=st.dictionaries(st.text(), finite, max_size=3),
    inner=st.none() | st.builds(Probe, name=st.text()) | st.builds(Geometric, rho=st.floats(0.01, 0.99)),
)


@given(probes)
def test_every_text_reads_back(probe):
    assert parse_value(str(probe)) == probe
    assert str(parse_value(str(probe))) == str(probe)
    assert hash(parse_value(str(probe))) == hash(probe)


def test_odd_strings(subtests):
    for name in ["", "'", '"', "\"'", "\\", "\n", "\x00", "a, b)=@", "ünï", "\u2028", "{'a': 1}"]:
        with subtests.test(str(name)):
            assert parse_value(str(Probe(name=name))) == Probe(name=name)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (RBP(), "RBP(rho=0.8)"),
        (RBP(rel=2, cutoff=10), "RBP(rho=0.8, rel=2)@10"),
        (nDCG(cutoff=10), "nDCG@10"),
        (nDCG(gains={1: 2, 2: 5}), "nDCG(gains={1: 2, 2: 5})"),
        (uRBPgr(gains=(0, 1)), "uRBPgr(rho=0.8, gains=[0, 1])"),
        (
            GainDiscount(discount=Flat(), cutoff=5),
            "GainDiscount(gain=Grade, discount=Flat, normaliser=Unnormalised)@5",
        ),
        (Probe(named={"a": 0.5}), 'Probe(named={"a": 0.5})'),
        (Probe(weights=(1, 2)), "Probe(weights=[1, 2])"),
    ],
)
def test_texts(value, text):
    assert str(value) == text
    assert parse_value(text) == value


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("RBP", "RBP(rho=0.8)"),
        (" RBP ( 0.8 ) ", "RBP(rho=0.8)"),
        ("RBP(p=0.8)", "RBP(rho=0.8)"),
        ("RBP()@10", "RBP(rho=0.8, cutoff=10)"),
        ("Sonde(weights=(1, 2))", "Probe(weights=[1, 2])"),
        ("nDCG(gains={1:2})", "nDCG(gains={1: 2})"),
        ("nDCG(dcg='log2')", "nDCG"),
        ("Probe(number=-1)", "Probe(number=-1.0)"),
    ],
)
def test_other_ways_to_write_it(text, same):
    assert str(parse_value(text)) == str(parse_value(same))


def test_wrong_texts(subtests):
    for text, message in [
        ("", "expected a call such as RBP"),
        ("RBP(", "expected a call such as RBP"),
        ("RBP; RBP", "expected a call such as RBP"),
        ("rbp", r"^expected a measure, found 'rbp'; did you mean RBP\?$"),
        ("Sigmoid", r"^expected a measure such as AP, nDCG@10 or RBP\(rho=0.8\), found 'Sigmoid'$"),
        ("Geometric", r"^expected a measure such as AP, .*, found 'Geometric', a discount$"),
        ("RBP(phi=0.5)", "^RBP: expected one of rho, rel, aspect, cutoff, found 'phi'$"),
        ("RBP(rho=0.5, p=0.5)", "expected each parameter of RBP at most once, found 'rho' again"),
        ("RBP(rho=0.5, rho=0.6)", "expected each parameter of RBP at most once, found 'rho' again"),
        ("RBP(0.5, rho=0.5)", "expected each parameter of RBP at most once, found 'rho' again"),
        ("RBP(**{})", "^RBP: expected one of rho, rel, aspect, cutoff, found '\\*\\*'$"),
        ("RBP(1, 2, 3, 4, 5)", "expected at most 4 values for RBP, found 5"),
        ("RBP(rho=2)", r"RBP\(rho=...\): expected a number in \(0, 1\), found 2"),
        ("RBP(rho=True)", r"expected a number in \(0, 1\), found True"),
        ("RBP(rel='1')", r"""RBP\(rel=...\): expected a number or None, found '"1"'"""),
        ("RBP(aspect=RBP)", r"RBP\(aspect=...\): expected a string, found 'RBP\(rho=0.8\)'"),
        ("RBP@2.5", "expected a whole number after @, found '2.5'"),
        ("RBP@-1", "expected a whole number after @, found '-1'"),
        ("Rprec@5", "expected a measure with a cut-off for @5, found Rprec"),
        ("nDCG(dcg='log10')", r'nDCG\(dcg=...\): expected one of "log2", "exp-log2", found "log10"'),
        ("nDCG(gains=[1, 2])", r"nDCG\(gains=...\): expected a table such as {1: 0.5} or None, found '\[1, 2\]'"),
        ("nDCG(judged_only=1)", r"nDCG\(judged_only=...\): expected True or False, found '1'"),
        ("uRBPgr(gains=[0, 2])", r"uRBPgr\(gains=...\): expected a number in \[0, 1\], found 2"),
        ("uRBPgr(gains=1)", r"uRBPgr\(gains=...\): expected a list, found '1'"),
        ("GainDiscount(gain=Flat)", r"GainDiscount\(gain=...\): expected Gain, found 'Flat'"),
        ("GainDiscount(gain=1)", r"GainDiscount\(gain=...\): expected Gain, found '1'"),
        ("RBP(rho=1+1)", "expected a call, a number, a string or a list, found '1 \\+ 1'"),
        ("RBP(rho=__import__('os'))", r"^RBP\(rho=...\): expected a number, found '__import__'$"),
        ("RBP(rho=0.5).of", "expected a call, a number, a string or a list"),
        ("RBP(rho=1j)", "expected a call, a number, a string or a list, found '1j'"),
        ("nDCG(gains={{}: 1})", r"expected a table such as {1: 0.5} or None"),
        ("(" * 3000, "expected a call such as RBP"),
        ("RBP(rho=" * 400 + ")" * 400, "expected"),
        ("R" * (LONGEST_TEXT + 1), f"expected text of at most {LONGEST_TEXT} characters"),
    ]:
        with subtests.test(f"{text}, {message}"), pytest.raises(InputError, match=message):
            parse(text)


def test_a_name_that_is_nearly_right_is_suggested(subtests):
    for text, near in [
        ("URBP", "uRBP"),
        ("ndcg@10", "nDCG"),  # not NDCG, its other name
        ("precison", "Precision"),
        ("ExpectedRatioOfRelevantUnit", "ExpectedRatioOfRelevantUnits"),
        ("TOMA(nDGC)", "nDCG"),
        ("CAM([AP, rbp])", "RBP"),
        ("GainDiscount(gain=step(at=1))", "Step"),
        ("GainDiscount(discount=flt)", "Flat"),
        ("Product(AP, gains={'relevance': stp})", "Step"),
        ("TOMA(AP, distance=manhatten)", "Manhattan"),
        ("MAep(navigation=Both([walk]))", "Walk"),
        ("RBP(Rho=0.5)", "rho"),
        ("nDCG(gain={1: 2})", "gains"),
    ]:
        with subtests.test(f"{text}, {near}"):
            with pytest.raises(InputError) as error:
                parse(text)
            suggestions = str(error.value).split("did you mean ")[1].rstrip("?").replace(" or ", ", ").split(", ")
            assert suggestions[0] == near
            assert len(suggestions) <= 3


def test_only_what_fits_is_offered():
    """Measures are offered for a measure, and gains for a gain."""
    with pytest.raises(InputError) as error:
        parse("Exponentials")
    assert "Exponential?" not in str(error.value)
    with pytest.raises(
        InputError, match=r"^GainDiscount\(gain=...\): expected a gain \(Arctan, .*, Table\), found 'erp'$"
    ):
        parse("GainDiscount(gain=erp)")
    with pytest.raises(
        InputError, match=r"^MAep\(gain=...\): expected a gain or a gain model \(.*GivenGain.*Step.*\), "
    ):
        parse("MAep(gain=nothing)")


@given(st.text("abcdefghijklmnopqrstuvwxyzDCGNRBP_", min_size=1, max_size=30).filter(str.isidentifier))
def test_an_unknown_measure_is_reported_in_a_line(name):
    if name not in Value.registry and name not in Value.aliases and name not in ("None", "True", "False"):
        with pytest.raises(InputError) as error:
            parse(name)
        assert len(str(error.value)) < 200


def test_a_text_without_quotes_is_explained():
    message = r'^AP\(aspect=...\): expected a string, found .relevance.; a string needs quotes, "relevance"$'
    with pytest.raises(InputError, match=message):
        parse("AP(aspect=relevance)")
    with pytest.raises(InputError, match='a string needs quotes, "trust"'):
        parse("CAM(AP, aspects=['relevance', trust])")


def test_numbers_of_numpy_and_lists_become_plain_numbers_and_tuples():
    assert str(RBP().with_(rho=np.float64(0.5), cutoff=np.int64(3))) == "RBP(rho=0.5)@3"
    for gains in (np.array([0, 0.5, 1]), [0, 0.5, 1]):
        assert uRBPgr().with_(gains=gains).gains == (0, 0.5, 1)
        assert str(uRBPgr().with_(gains=gains)) == "uRBPgr(rho=0.8, gains=[0, 0.5, 1])"


def test_float_parameters_hold_floats():
    assert isinstance(RBP(rel=2).rel, float)
    assert isinstance(nDCG(cutoff=2).cutoff, int)


def test_with_changes_a_copy():
    assert RBP(rho=0.5).with_(cutoff=3) == RBP(rho=0.5, cutoff=3)
    with pytest.raises(InputError, match=r"^RBP: expected one of rho, rel, aspect, cutoff, found 'phi'"):
        RBP().with_(phi=1)
    with pytest.raises(InputError, match="expected a number in"):
        RBP().with_(rho=7)


def test_values_are_frozen():
    with pytest.raises(AttributeError):
        RBP().rho = 0.5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("range_", "inside", "outside", "text"),
    [
        (Range(0, 1), [0, 1], [-0.1, 1.1], "[0, 1]"),
        (Range(0, 1, open_low=True, open_high=True), [0.5], [0, 1], "(0, 1)"),
        (Range(0, math.inf, open_high=True), [1e300], [math.inf, -1], "[0, inf)"),
    ],
)
def test_ranges(range_, inside, outside, text):
    assert all(value in range_ for value in inside)
    assert not any(value in range_ for value in outside)
    assert str(range_) == text
