"""Equal products of gains compare as equal, also for measures that order documents by them."""

from __future__ import annotations

import math
from fractions import Fraction

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from evalcore.data.small_collections import small_collection
from evalcore.measures import Compat, Product
from evalcore.measures.parts.gains import Mapped, Table
from evalcore.measures.parts.hits import better_count
from evalcore.structures.documents import Scale

GAINS = ["0", "0.1", "0.2", "0.3", "0.4", "0.6", "0.9", "1"]
GRADES = tuple(map(float, range(len(GAINS))))
THREE = Product(
    Compat(), gains={name: Table(gains=tuple(map(float, GAINS))) for name in ("relevance", "trust", "ease")}
)


@given(st.lists(st.tuples(*[st.integers(0, len(GAINS) - 1)] * 3), min_size=1, max_size=12))
def test_documents_are_ordered_by_exact_products(labels):
    names = ["relevance", "trust", "ease"]
    table = pd.DataFrame(labels, columns=names, index=[f"d{at}" for at in range(len(labels))])
    scales = [Scale(name, grades=GRADES) for name in names]
    pool = small_collection(table, {"s": list(table.index)}, scales).assessments
    exact = [math.prod(Fraction(GAINS[label]) for label in row) for row in labels]
    assert better_count(THREE.document_gains(pool), pool).tolist() == [sum(b > a for b in exact) for a in exact]


def test_compatibility_orders_documents_with_equal_products_as_the_ranking_does():
    """0.9 * 0.2 = 0.6 * 0.3: either order of the two is ideal."""
    gains = {name: Mapped(gains={1: first, 2: second}) for name, first, second in [("r", 0.9, 0.6), ("u", 0.2, 0.3)]}
    labels = pd.DataFrame({"r": [1, 2], "u": [1, 2]}, index=["a", "b"])
    collection = small_collection(labels, {"ab": ["a", "b"], "ba": ["b", "a"]})
    assert 0.9 * 0.2 != 0.6 * 0.3
    measure = Product(Compat(p=0.5), gains=gains)
    assert measure.scores(collection.assessments, collection.rankings).tolist() == [[1.0], [1.0]]
