"""Properties of every registered measure; a new one is tested here as soon as it is registered."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from measures.small import SCALES, Small, collections
from subject_support import of_subjects

from evalcore import measures
from evalcore.measures import (
    GainMeasure,
    GroupWeights,
    Measure,
    NuggetRecall,
    Score,
    parse,
)
from evalcore.notation.values import Value

# Measures that need parameters, or have forms that deserve a separate test.
FORMS = [
    "RBP(rho=0.5, rel=2)@3",
    "P(rel=2)@3",
    "P(judged_only=True)@3",
    "AP(judged_only=True)@4",
    "RR@2",
    "DCG(dcg=\"exp-log2\")",
    "nDCG(dcg=\"exp-log2\")@3",
    "nDCG(gains={1: 0.5, 3: 10})",
    "nDCG(judged_only=True)@3",
    "nDCG(aspect=\"difficulty\")@5",
    "RR(aspect=\"difficulty\", rel=2)",
    "ERR(max_rel=4)@3",
    "AP(per=\"min(R, K)\")@3",
    "Rprec(multiple=0.4)",
    "SetF(beta=2)",
    "NERR9(min_rel=1)@4",
    "IA(ERR@3)",
    "Q(beta=10)@4",
    "Compat(p=0.5, normalize=False)",
    "Compat@4",
    "GainDiscount(gain=Share, discount=Reciprocal, normaliser=Ideal)",
    "GainDiscount(gain=Step(at=2), discount=Geometric(rho=0.5), normaliser=Mass(all_ranks=True))@4",
    "uRBP(rho=0.8, aspect=\"difficulty\", threshold=2)",
    "uRBPgr(rho=0.8, gains=[0, 0, 0.5, 1])",
    "CAM(AP, aspects=[\"relevance\", \"difficulty\", \"credibility\"], weights=[1, 2, 3])",
    "CAM([RBP(rho=0.5), RBP(rho=0.8, rel=2, aspect=\"difficulty\")])",
    "MM(nDCG@5, aspects=[\"relevance\", \"credibility\"], weights=[0, 1])",
    "GM(nDCG, aspects=[\"relevance\", \"credibility\"], weights=[3, 1])",
    "Product(AP, gains={\"relevance\": Step(at=1), \"fog\": Step(at=12)})",
    "Product(ERR, gains={\"relevance\": Share, \"fog\": Arctan}, exponents={\"fog\": 0.5}, f=Probability)",
    "TOMA(AP, aspects=[\"relevance\", \"difficulty\"], distance=Chebyshev, weights=TopHalf)",
    "TOMA(ERR@5, aspects=[\"relevance\", \"credibility\"], distance=Manhattan, tuples=\"observed\")",
    "TOMA(nDCG, aspects=[\"relevance\", \"credibility\"], distance=Minkowski(order=2.5), weights=GeometricWeights)",
    "TOMA(Compat, aspects=[\"relevance\", \"credibility\"], embedding={\"credibility\": [0, 0.1, 5]})",
    "TOMA(nDCG, aspects=[\"relevance\", \"credibility\"], embedding=\"equal steps\")",
    "TOMA(nDCG, aspects=[\"relevance\", \"credibility\"], importance={\"credibility\": 0}, weights=ByDistance)",
    "Score(\"cost per query\", good=\"low\")",
    "GroupWeights(Score(\"map\"), by=\"domain\", weights=[2, 1])",
    "Log(nDCG@3, least=0.01)",
] + [text for module in of_subjects("measure_forms") for text in module.FORMS]  # fmt: skip
# Measures that a better document at a higher rank may lower, and the reason.
BLENDED = "a weak document above a strong one spoils the blended ratio where the strong one alone had reached it"
OVERTAKES = (
    "who trades places with an unassessed document overtakes better ones in between once such documents are left out"
)
LATER_CREDIT = "the credit of a document further down grows with what stands above it, more than this one gains"
SOONER = "who has found enough stops sooner, above a rank that gives as much"
ON_TO_LESS = "who has found more goes on further, into ranks that give less"
LOWERED = {
    "G": LATER_CREDIT,
    "nDCGrel": LATER_CREDIT,
    "BPM@10": SOONER,
    "IFTGoal": SOONER,
    "IFTRate": ON_TO_LESS,
    "IFT": ON_TO_LESS,
    "Q": BLENDED,
    "Q(beta=10)@4": BLENDED,
}  # fmt: skip
LOWERED_BY_UNASSESSED = LOWERED | {"nDCG(judged_only=True)@3": OVERTAKES}

CLASSES = [cls for cls in Value.registry.values() if issubclass(cls, Measure)]
MEASURES = [cls() for cls in CLASSES if cls.__module__.startswith("evalcore.")] + [parse(text) for text in FORMS]
OF_TABLES = (Score, GroupWeights, NuggetRecall)  # not of rankings: see test_given_scores.py, tests/data/test_nuggets.py
OF_SUBJECTS = tuple(cls for module in of_subjects("measure_forms") for cls in module.OF_OTHER_DATA)
OTHERS = (*OF_SUBJECTS, *OF_TABLES)
OF_DOCUMENTS = [measure for measure in MEASURES if not isinstance(measure, OTHERS)]
OF_GAINS = [measure for measure in OF_DOCUMENTS if isinstance(measure, GainMeasure)]
every_measure = pytest.mark.parametrize("measure", MEASURES, ids=str)
pools = collections(columns=tuple(SCALES))


@every_measure
def test_the_text_of_a_measure_reads_back_to_it(measure):
    assert parse(str(measure)) == measure
    assert hash(parse(str(measure))) == hash(measure)
    assert len(str(measure)) < 200


@every_measure
def test_the_parameters_of_a_measure_are_explained(measure):
    for name, declared in measure.parameters().items():
        assert declared.metadata.get("help"), f"parameter(...) says no meaning of {name}"
    assert type(measure).__doc__, f"{measure}: its docstring says what it is, and its formula"
    assert measure.reference, f'{measure}: author and year stand in `reference: ClassVar[str] = "Cooper 1968"`'


@every_measure
def test_the_formula_of_a_measure_is_printed(measure):
    for scales in (None, SCALES):
        latex = measure.latex(scales)
        assert latex.count("{") == latex.count("}")
        assert latex.count(r"\left") == latex.count(r"\right")
        assert type(measure).__name__ in latex
        assert not re.search(r"None|nan|\\frac\{\}", latex), f"a parameter is printed that has no value: {latex}"


def test_there_are_measures_of_every_kind():
    """Without measures, the loops below would test nothing."""
    assert len(OF_DOCUMENTS) > len(OF_GAINS) > 5


def each(measures: Sequence[Measure] = OF_DOCUMENTS) -> Iterator[Measure]:
    """Yield every measure in turn, noting it; if a test fails, the last one noted is the cause."""
    for measure in measures:
        note(str(measure))
        yield measure


@given(pools)
def test_scores_are_numbers_within_the_bounds(small):
    for measure in each():
        scores = small.scores(measure)
        low, high = measure.bounds
        assert scores.shape == (len(small.lists), len(small.judged)), f"{measure}: scores are systems x topics"
        within = ((low - 1e-12 <= scores) & (scores <= high + 1e-12)).all()
        assert within, f"{measure}: a score is outside `bounds`, which the class sets where it is not (0, 1)"


@given(small=pools, data=st.data())
def test_each_ranking_is_scored_for_itself(small, data):
    """A permutation of systems or topics permutes scores."""
    systems = data.draw(st.permutations(range(len(small.lists))))
    topics = data.draw(st.permutations(range(len(small.judged))))
    judged = tuple(small.judged[t] for t in topics)
    shuffled = Small(judged, tuple(tuple(small.lists[s][t] for t in topics) for s in systems))
    for measure in each():
        before, after = small.scores(measure), shuffled.scores(measure)
        np.testing.assert_allclose(after, before[np.ix_(systems, topics)], atol=1e-12)


@given(pools)
def test_a_better_document_further_up_never_lowers_the_score(small):
    """A better document is at least as good on every column; both are assessed."""
    judged, ranking = small.judged[0], small.lists[0][0]

    def better(one: str, other: str) -> bool:
        return one in judged and other in judged and at_least_as_good(judged[one], judged[other])

    for measure in each():
        if str(measure) not in LOWERED:
            never_lower(measure, judged, ranking, better)


@given(pools)
def test_a_document_that_gains_more_further_up_never_lowers_the_score(small):
    """This includes unassessed documents, for measures with a gain for each document."""
    judged, ranking = small.judged[0], small.lists[0][0]
    pool = Small((judged,), (((),),)).pool
    for measure in each():
        if isinstance(measure, GainMeasure) and str(measure) not in LOWERED_BY_UNASSESSED:
            gains = dict.fromkeys(ranking, 0.0) | dict(zip(pool.documents, measure.document_gains(pool), strict=True))
            never_lower(measure, judged, ranking, lambda one, other, gains=gains: gains[one] > gains[other])


def never_lower(measure: Measure, judged: dict[str, dict[str, float]], ranking: tuple[str, ...], better: Any) -> None:
    """Check that no version of the ranking with a better document at a higher rank scores lower."""
    lists = [ranking]
    for i, j in combinations(range(len(ranking)), 2):
        if better(ranking[j], ranking[i]):
            swapped = list(ranking)
            swapped[i], swapped[j] = ranking[j], ranking[i]
            lists.append(tuple(swapped))
    scores = (1 if measure.good == "high" else -1) * Small((judged,), tuple((one,) for one in lists)).scores(measure)
    assert (scores >= scores[0] - 1e-12).all(), (
        f"{measure}: a better document further up made {lists[int(scores.argmin())]} worse than {ranking}. Where low "
        'scores are good, the class says `good: ClassVar[Good] = "low"`; where this is the measure\'s nature, LOWERED '
        "in this file says why"
    )


def at_least_as_good(values: dict[str, float], others: dict[str, float]) -> bool:
    return all(
        values[name] >= others[name] if SCALES[name].good == "high" else values[name] <= others[name] for name in values
    )


@given(small=pools, data=st.data())
def test_scoring_needs_nothing_but_gains(small, data):
    """`score_gains` accepts any gains, whatever columns the pool has; aspects combined into one gain rely on it."""
    plain = tuple({d: {"credibility": one["credibility"]} for d, one in topic.items()} for topic in small.judged)
    other = Small(plain, small.lists)
    gains = np.array(data.draw(st.lists(st.floats(0, 1), min_size=len(other.pool), max_size=len(other.pool))))
    for measure in each():
        if isinstance(measure, GainMeasure):
            scores = measure.score_gains(gains, other.pool, other.rankings)
            np.testing.assert_allclose(scores, measure.score_gains(gains, small.pool, small.rankings), atol=1e-12)
            assert (scores >= -1e-12).all(), f"{measure}: a score is below 0, of gains that are not"
            without = measure.score_gains(0 * gains, other.pool, other.rankings)
            if measure.good == "high":
                assert not without.any(), (
                    f"{measure}: a ranking in which no document has a gain scores above 0. Where low scores are good, "
                    'the class says `good: ClassVar[Good] = "low"`; else the score of such a ranking is 0'
                )
            else:
                assert (without >= scores - 1e-12).all(), (
                    f"{measure}: where low scores are good, no ranking is worse than one in which no document has a "
                    "gain. What is not found costs at least what it would cost at the end of the list"
                )


def test_every_measure_is_offered_by_the_package():
    for module in pkgutil.walk_packages(measures.__path__, "evalcore.measures."):
        importlib.import_module(module.name)  # a module that the package does not import registers nothing
    own = {name: one.__module__ for name, one in Value.registry.items() if issubclass(one, Measure)}
    left = [n for n, module in own.items() if module.startswith("evalcore.") and not hasattr(measures, n)]
    assert left == [], "name it in _NAMES of evalcore/measures/__init__.py; one of a subject in its subject.toml"
