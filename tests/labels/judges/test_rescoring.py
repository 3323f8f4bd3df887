"""Many labellings scored at once: each gets the scores that the measure gives it alone."""

from __future__ import annotations

import numpy as np
import pytest
from invented_support import invented

import evalcore as ec
from evalcore.labels.judges.rescoring import Rescorer, grade_places, graded_aspect, known_grades, with_labels
from evalcore.measures.base import as_measure
from evalcore.structures.documents import Topics

AT_ONCE = (
    "RBP(rho=0.7)", "nDCG", "nDCG@5", 'nDCG(dcg="exp-log2")', "DCG@10", "P@10", "uRBP", "uRBPgr",
    'uRBP1(aspect="fog", threshold=12)', "Product(P@5)", "TOMA(nDCG)", "GainDiscount(gain=Share)", "ERRlike",
)  # fmt: skip
ONE_BY_ONE = ("AP", "RR", "ERR", "Bpref", "nDCG(judged_only=True)", "CAM(nDCG)", 'TOMA(nDCG, tuples="observed")')


@pytest.mark.parametrize("average", ["all", "retrieved"])
@pytest.mark.parametrize("text", [*AT_ONCE, *ONE_BY_ONE])
def test_means_equal_a_separate_evaluation_of_each_labelling(text: str, average: Topics) -> None:
    collection = ec.average_over(invented(3), average)
    measure = as_measure(text, collection)
    aspect = graded_aspect(measure, collection)
    grades = known_grades(collection, aspect)
    random = np.random.default_rng(0)
    places = random.integers(-1, len(grades), (len(collection.assessments), 4))
    scorer = Rescorer(measure, collection, aspect, grades)
    assert (scorer._weights is not None) == (text in AT_ONCE)
    slow = [
        ec.evaluate(measure, with_labels(collection, aspect, scorer.labels(places[:, at]))).mean() for at in range(4)
    ]
    assert scorer.means(places) == pytest.approx(np.array(slow), abs=1e-12)


def test_labels_are_restored_from_their_positions() -> None:
    labels, grades = np.array([2.0, np.nan, -1.0, 0.0]), np.array([-1.0, 0.0, 2.0])
    scorer = Rescorer(ec.parse("AP"), invented(1), "relevance", grades)
    np.testing.assert_array_equal(scorer.labels(grade_places(labels, grades)), labels)


@pytest.mark.parametrize(("text", "aspect"), [("AP", "credibility"), ('nDCG(aspect="fog")', None), ("AP", "nothing")])
def test_an_aspect_that_the_measure_does_not_read_is_refused(text: str, aspect: str | None) -> None:
    with pytest.raises(ec.InputError, match="expected an aspect that"):
        graded_aspect(text, invented(1), aspect)
