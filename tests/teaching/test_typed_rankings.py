"""A ranking and its labels written as text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore as ec
from evalcore.teaching.typed_rankings import written_collection

TEXT = """
document relevance ease/3
a, 2; 1
x - -

b\t0\t3
---
c 1 2
"""


def test_lines_are_ranks_and_what_stands_below_is_assessed_only():
    c = written_collection(TEXT)
    assert c.rankings.length.tolist() == [[3]]
    assert c.assessments.documents[c.rankings.row].tolist() == ["a", "x", "b"]
    assert c.assessments.scale("relevance").grades == (0, 1, 2)
    assert c.assessments.scale("ease").grades == (0, 1, 2, 3)
    # By hand: gains 2, 0, 0 by rank; ideal 2, 1: 2 / (2 + 1 / log2(3)).
    assert ec.evaluate("nDCG", c).iloc[0, 0] == pytest.approx(2 / (2 + 1 / np.log2(3)))


def test_a_document_without_labels_is_unassessed_like_one_that_is_in_no_pool():
    c = written_collection("document relevance\nx -\na 1\nb 0\na2 1")
    plain = ec.collection({"s": {"t": {"x": 4.0, "a": 3.0, "b": 2.0, "a2": 1.0}}}, {"t": {"a": 1, "b": 0, "a2": 1}})
    for measure in ("RBP(rho=0.8)", "AP", "Bpref", "nDCG"):
        assert ec.evaluate(measure, c).to_numpy() == ec.evaluate(measure, plain).to_numpy()


def test_an_error_of_reading_names_the_place_and_what_was_expected(subtests):
    for text, line, expected in [
        ("document", 1, "expected a first line such as"),
        ("a 1 2\nb 1 2", 1, "expected aspects"),
        ("document x x\na 1 1", 1, "each once"),
        ("document x/0\na 1", 1, "expected a highest grade from 1 to 20"),
        ("document x\n\na 1 2", 3, r"expected a document and 1 label \(x\)"),
        ("document x/2\na 3", 2, "expected a whole grade of x from 0 to 2"),
        ("document x\na 1\na 0", 3, "expected each document once"),
        ("document x\n---\na 1", None, "expected a document above ---"),
        ("document x y\na 1 -\nb 0 -", None, "expected a label of y, found only -"),
    ]:
        with subtests.test(f"{text}, {line}"):
            with pytest.raises(ec.InputError, match=expected) as error:
                written_collection(text)
            assert error.value.line == line


@given(st.text(alphabet="ab1/-,; \n\tdé٣", max_size=40))
@settings(max_examples=100, deadline=None)
def test_any_text_is_an_example_or_a_refusal_with_its_reason(text):
    try:
        c = written_collection(f"document x/3\n{text}")
    except ec.InputError:
        return
    assert np.isfinite(ec.evaluate('nDCG(aspect="x")', c).to_numpy()).all()
