"""TOMA: equal to the printed tables of Maistro et al. (2021), with the properties that its theory promises."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.measures import (
    AP,
    ERR,
    TOMA,
    AboveWorst,
    Chebyshev,
    CustomWeights,
    Euclidean,
    Manhattan,
    Minkowski,
    nDCG,
)
from evalcore.measures.tuple_orders import Distance, TupleOrder, at_least_as_good
from evalcore.structures.documents import Scale
from evalcore.teaching.papers.three_documents import (
    ADMISSIBLE,
    ASPECTS,
    CORRECTNESS,
    LABELS,
    MEASURES,
    MISPRINTS,
    POSITIONS,
    RELEVANCE,
    SCALES,
    table_3,
)

# Table 1: positions of correctness -> distance -> the order, best first; "=" joins tuples of one class. The printed
# signs are reversed (erratum of Maistro et al. 2021, Table 1). Tuples are written as positions, as printed.
TABLE_1 = {
    (0, 1.5, 3): {
        Euclidean: "3,3 > 2,3 > 3,1.5 > 2,1.5 > 1,3 > 1,1.5 > 3,0 > 2,0 > 1,0 > 0,0",
        Manhattan: "3,3 > 2,3 > 3,1.5 > 1,3 > 2,1.5 > 3,0 > 1,1.5 > 2,0 > 1,0 > 0,0",
        Chebyshev: "3,3 > 2,3 > 3,1.5 = 2,1.5 > 1,3 = 1,1.5 > 3,0 = 2,0 = 1,0 = 0,0",
    },
    (0, 1, 2): {
        Euclidean: "3,2 > 3,1 = 2,2 > 2,1 > 3,0 = 1,2 > 2,0 = 1,1 > 1,0 > 0,0",
        Manhattan: "3,2 > 3,1 = 2,2 > 3,0 = 2,1 = 1,2 > 2,0 = 1,1 > 1,0 > 0,0",
        Chebyshev: "3,2 > 3,1 = 2,1 = 2,2 > 3,0 = 2,0 = 1,0 = 1,1 = 1,2 > 0,0",
    },
    (0, 2, 6): {
        Euclidean: "3,6 > 2,6 > 1,6 > 3,2 > 2,2 > 1,2 > 3,0 > 2,0 > 1,0 > 0,0",
        Manhattan: "3,6 > 2,6 > 1,6 > 3,2 > 2,2 > 1,2 = 3,0 > 2,0 > 1,0 > 0,0",
        Chebyshev: "3,6 > 2,6 > 1,6 > 3,2 = 2,2 = 1,2 > 3,0 = 2,0 = 1,0 = 0,0",
    },
}


@pytest.mark.parametrize("distance", [Euclidean, Manhattan, Chebyshev])
@pytest.mark.parametrize("positions", TABLE_1)
def test_the_nine_orders_of_table_1(positions: Any, distance: Any) -> None:
    order = TupleOrder.of({"relevance": range(4), "correctness": positions}, distance(), tuples=np.array(ADMISSIBLE))
    ours: list[set[str]] = [set() for _ in range(order.n_classes)]
    for (r, c), rank in zip(ADMISSIBLE, order.rank_of(np.array(ADMISSIBLE)), strict=True):
        ours[rank - 1].add(f"{r},{positions[c]:g}")
    printed = [set(part.split(" = ")) for part in TABLE_1[positions][distance].split(" > ")]
    assert ours == printed


# Table 3's MM by Eq. 6, by its errata: the rankings in the order of the table.
MM_AP = ".7368 .7368 .6250 .5 .6250 .5 .4 .4 .5 0 .5 0 0 0 0"
MM_NDCG = ".8978 .8772 .9033 .8638 .7861 .7654 .6983 .6290 .7552 .5357 .5602 .3794 .2981 .4516 0"


@pytest.fixture(scope="module")
def example() -> ec.Collection:
    labels = pd.DataFrame(LABELS, index=ASPECTS).T
    orders = [order for length in (3, 2, 1) for order in permutations("123", length)]
    rankings = {"".join(order): [f"d{number}" for number in order] for order in orders}
    return small_collection(labels, rankings, SCALES)


def toma(base: Any, distance: Any, **options: Any) -> TOMA:
    return TOMA(base, aspects=ASPECTS, distance=distance, embedding=POSITIONS, tuples=ADMISSIBLE, **options)


def measures(base: str) -> list[ec.Measure]:
    return [ec.parse(text) for text in MEASURES[base].values()]


@pytest.mark.parametrize(("base", "equation_6"), [("AP", MM_AP), ("NDCG", MM_NDCG)])
def test_scores_equal_table_3_of_the_paper(example: ec.Collection, base: str, equation_6: str) -> None:
    expected = table_3(base)
    ours = pd.DataFrame(
        {
            name: ec.evaluate(measure, example).iloc[0]
            for name, measure in zip(expected.columns, measures(base), strict=True)
        }
    ).loc[expected.index]
    as_printed = ours.assign(MM=ours["MM"] / 2)  # erratum of Maistro et al. 2021, Table 3
    differing = (as_printed - expected).abs() > 0.5001e-4
    wrong = [(row, column) for row, column in zip(*np.nonzero(differing.to_numpy()), strict=True)]
    assert [(expected.index[row], expected.columns[column]) for row, column in wrong] == list(MISPRINTS[base])
    assert ours["MM"].to_numpy() == pytest.approx(np.array(equation_6.split(), dtype=float), abs=0.5001e-4)


@pytest.mark.parametrize("base", ["AP", "NDCG"])
def test_in_the_example_only_toma_reaches_1(example: ec.Collection, base: str) -> None:
    best = [ec.evaluate(measure, example).to_numpy().max() for measure in measures(base)]
    assert best[0] < 1
    assert best[1] < 1
    assert best[2:] == pytest.approx([1, 1, 1])


# --- what the theory promises ------------------------------------------------------------------------------------

DISTANCES = [Euclidean(), Manhattan(), Chebyshev(), Minkowski(3), Minkowski(1.7)]
positions = st.lists(st.integers(0, 400).map(lambda n: n / 40), min_size=2, max_size=6).map(sorted)
embeddings = st.lists(positions, min_size=1, max_size=3)
distances = st.sampled_from(DISTANCES)


def everything(embedding: list[list[float]]) -> np.ndarray:
    return np.array(list(np.ndindex(*map(len, embedding))))


def named(embedding: list[list[float]]) -> dict[str, list[float]]:
    return {f"a{at}": places for at, places in enumerate(embedding)}


@given(embeddings, distances)
def test_the_distance_order_respects_the_partial_order(embedding: list[list[float]], distance: Any) -> None:
    tuples = everything(embedding)
    classes = TupleOrder.of(named(embedding), distance).class_of(tuples)
    better = at_least_as_good(tuples)
    assert (classes[:, None] >= classes[None, :])[better].all()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=12), distances, st.randoms())
def test_the_ranking_by_class_scores_1_whenever_some_weight_is_positive(labels, distance, random) -> None:
    names = [f"d{at}" for at in range(len(labels))]
    table = pd.DataFrame(labels, columns=list(ASPECTS), index=names)
    measure = TOMA(nDCG(), aspects=ASPECTS, distance=distance)
    pool = small_collection(table, {"any": names}, [RELEVANCE, CORRECTNESS]).assessments
    weights = pd.Series(measure.document_gains(pool), index=names)
    random.shuffle(names)
    ideal = weights[names].sort_values(ascending=False, kind="stable").index
    c = small_collection(table, {"ideal": list(ideal)}, [RELEVANCE, CORRECTNESS])
    assert ec.evaluate(measure, c).iloc[0, 0] == pytest.approx(1.0 if weights.max() > 0 else 0.0)


def test_three_aspects_of_a_hundred_levels() -> None:
    levels = [float(level) for level in range(101)]
    order = TupleOrder.of({"a": levels, "b": levels, "c": levels}, Manhattan())
    assert order.n_classes == 301
    assert order.class_of(np.array([[100, 100, 100], [0, 0, 0], [100, 100, 99]])).tolist() == [300, 0, 299]


# --- positions of labels ---------------------------------------------------------------------------------------------


def spread(embedding: Any, **counts: int) -> dict[str, tuple[float, ...]]:
    """Return the positions of labels on scales with these numbers of labels."""
    scales = [Scale(name, grades=tuple(map(float, range(count)))) for name, count in counts.items()]
    table = pd.DataFrame({name: [0.0, 1.0] for name in counts}, index=["d", "e"])
    pool = small_collection(table, {"any": ["d", "e"]}, scales).assessments
    return TOMA(nDCG(), aspects=tuple(counts), embedding=embedding).positions(pool)


def test_by_default_every_aspect_has_the_range_of_the_longest() -> None:
    assert TOMA().embedding == "equal ranges"
    # Table 1, first row
    assert spread("equal ranges", relevance=4, correctness=3) == POSITIONS
    assert spread("equal ranges", a=2, b=3, c=11) == {
        "a": (0, 10),
        "b": (0, 5, 10),
        "c": tuple(range(11)),
    }


def test_equal_steps_are_one_on_every_aspect() -> None:
    assert spread("equal steps", relevance=4, correctness=3) == {"relevance": (0, 1, 2, 3), "correctness": (0, 1, 2)}


def test_an_aspect_that_a_table_does_not_name_is_spread() -> None:
    assert spread({"a": (0, 9)}, a=2, b=2, c=5) == {"a": (0, 9), "b": (0, 4), "c": (0, 1, 2, 3, 4)}


def test_an_empty_table_of_positions_means_the_default() -> None:
    assert TOMA(embedding={}) == TOMA()
    assert str(TOMA()) == "TOMA(nDCG, distance=Euclidean)"


def test_an_unknown_embedding_is_refused_immediately() -> None:
    with pytest.raises(ec.InputError, match="or positions by aspect, found 'equal'"):
        ec.parse('TOMA(nDCG, embedding="equal")')


def test_with_the_largest_gap_a_single_worst_label_puts_a_tuple_in_the_worst_class() -> None:
    # stated in section 4.3.2 for CHEB; with equal steps it is true only for the longest scale (see the erratum)
    tuples = np.array(list(np.ndindex(3, 4)))
    worst = (tuples == 0).any(axis=1)
    ranges = TupleOrder.of(spread("equal ranges", a=3, b=4), Chebyshev()).class_of(tuples)
    assert ((ranges == 0) == worst).all()
    steps = TupleOrder.of(spread("equal steps", a=3, b=4), Chebyshev()).class_of(tuples)
    assert ((steps == 0) == (tuples[:, 1] == 0)).all()


# --- requirements, and what happens when they are not met ---------------------------------------------------------


def test_an_impossible_setting_is_explained(subtests: pytest.Subtests, example: ec.Collection) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"embedding": {"correctness": (0, 2, 1)}}, "positions of correctness that do not decrease"),
        ({"embedding": {"correctness": (0, 1)}}, "positions for 3 labels of correctness, found 2"),
        ({"tuples": ()}, "at least one admissible tuple"),
        ({"tuples": ((0, 9),)}, "grades of correctness (0, 1, 2), found 9"),
        ({"tuples": ((0, 0, 0),)}, "tuples of 2 grades, found one of 3"),
        ({"tuples": ((0, 0), (3, 2))}, "admissible tuples"),
        ({"tuples": "some"}, "product, observed or a list"),
        ({"importance": {"relevance": 0, "correctness": 0}}, "at least one aspect with an importance above 0"),
        ({"importance": {"relevance": -1}}, "an importance of 0 or more"),
        ({"weights": CustomWeights((0, 2, 1))}, "a weight for each of 11 classes, found 3"),
        ({"weights": CustomWeights((0, 2, 1, *[3] * 8))}, "do not decrease from the worst class to the best (Eq. 4)"),
    ]
    for options, problem in wrong:
        with subtests.test(f"{options}, {problem}"):
            with pytest.raises(ec.InputError) as error:
                ec.evaluate(TOMA(nDCG(), aspects=ASPECTS, **{"distance": Euclidean(), **options}), example)
            assert problem in str(error.value)


def test_an_aspect_with_only_one_label_is_refused() -> None:
    table = pd.DataFrame({"relevance": [1, 1], "correctness": [0, 2]}, index=["a", "b"])
    c = small_collection(table, {"s": ["a", "b"]}, [Scale("relevance", grades=(1,)), CORRECTNESS])
    with pytest.raises(ec.InputError, match="at least two labels of relevance to distinguish documents, found 1"):
        ec.evaluate(TOMA(nDCG(), aspects=ASPECTS), c)


def test_a_missing_label_is_the_worst(example: ec.Collection) -> None:
    table = pd.DataFrame({"relevance": [3, 3], "correctness": [np.nan, 0]}, index=["a", "b"])
    c = small_collection(table, {"s": ["a"]}, [RELEVANCE, CORRECTNESS])
    weights = TOMA(nDCG(), aspects=ASPECTS).document_gains(c.assessments)
    assert weights[0] == weights[1]


def test_above_worst_is_every_grade_above_0_of_section_4_1(example: ec.Collection) -> None:
    # Euclidean and Manhattan then give the same labels, hence the same scores (erratum of Maistro et al. 2021, Table
    # 4).
    scores = [ec.evaluate(toma(AP(), distance(), weights=AboveWorst()), example) for distance in (Euclidean, Manhattan)]
    assert scores[0].equals(scores[1])


@pytest.mark.parametrize("distance", DISTANCES, ids=str)
def test_the_distance_of_a_tuple_is_that_of_its_class(distance: Any) -> None:
    order = TupleOrder.of({"a": [0, 1, 3], "b": [0, 0.5]}, distance, {"a": 2})
    tuples = everything([[0, 1, 3], [0, 0.5]])
    assert order.distance_of(tuples) == pytest.approx(order.distances[order.class_of(tuples)])


@pytest.mark.parametrize(
    ("distance", "latex"),
    [
        (Euclidean(), r"\sqrt{a^{2} + 3 \cdot b^{2}}"),
        (Manhattan(), r"a + 3 \cdot b"),
        (Chebyshev(), r"\max\left(a, 3 \cdot b\right)"),
        (Minkowski(1.5), r"\sqrt[1.5]{a^{1.5} + 3 \cdot b^{1.5}}"),
    ],
    ids=str,
)
def test_the_formula_of_a_distance(distance: Distance, latex: str) -> None:
    assert distance.latex([("a", 1), ("b", 3), ("c", 0)]) == latex


def test_err_over_thousands_of_classes() -> None:
    levels = tuple(range(101))
    table = pd.DataFrame({"relevance": [100, 0], "correctness": [100, 99]}, index=["best", "other"])
    c = small_collection(table, {"s": ["best", "other"]}, [Scale(name, grades=levels) for name in ASPECTS])
    score = ec.evaluate(TOMA(ERR(), aspects=ASPECTS), c).iloc[0, 0]
    assert score == pytest.approx(1.0)
