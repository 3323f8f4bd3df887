"""Default specifications for a collection: those that most people would call reasonable."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from evalcore.claims import choices
from evalcore.claims.choices import Choice, Option, Specifications, parameter_choice
from evalcore.common.arrays import FloatArray
from evalcore.measures.aggregates import CAM, MM
from evalcore.measures.base import HasPoolAndRankings, Measure, combined_aspects, unwrapped
from evalcore.measures.catalogue import BASES, suggestions, usual_gains, usual_thresholds
from evalcore.measures.dcg import nDCG
from evalcore.measures.err import ERR
from evalcore.measures.given_scores import GroupWeights
from evalcore.measures.precision import AP
from evalcore.measures.rbp import RBP
from evalcore.measures.toma import TOMA
from evalcore.measures.tuple_orders import Chebyshev, Euclidean, Manhattan
from evalcore.measures.urbp import uRBP, uRBP1, uRBP2, uRBPgr
from evalcore.structures.documents import Assessments, Scale

RHOS = (0.5, 0.8, 0.95)
CUTOFFS = (10.0, 20.0, None)
FEW_GRADES = 5
THRESHOLDS = 5  # thresholds of a signal


def sensible(collection: HasPoolAndRankings) -> Specifications:
    """Return default specifications for the aspects, sources and scores of a collection.

    One aspect gives nDCG, AP, RBP and ERR, with several persistences of RBP, several cut-offs and, if possible, several
    choices of the lowest relevant grade. More aspects or signals add uRBP and its variants for each of them, with
    several thresholds. More aspects also add CAM, MM and TOMA with several bases and distances, in which the first
    aspect counts once or twice. Unassessed documents are worth nothing or are left out, and each source of labels is
    used. If there are only tables of scores, each column of scores is a measure.
    """
    pool = collection.assessments
    if not pool.aspects or not collection.rankings.length.any():
        given = [m for listed in suggestions(collection).values() for m in listed if _weighs_no_groups(m)]
        return Specifications((choices.measure_choice(list(dict.fromkeys(given))),), "Scores from the tables")
    graded = [pool.scales[name] for name in pool.leading_first] or list(pool.scales.values())
    first = graded[0]
    single: list[Measure] = [measure.with_(aspect=first.name) for measure in (nDCG(), AP(), RBP(), ERR())]
    others = [scale for scale in pool.scales.values() if scale is not first and _grades(scale) > 1]
    biased = {scale.name: list(_biased(pool, first, scale)) for scale in others}
    together = combined_aspects(pool)
    combined: list[Measure] = []
    if len(together) > 1:
        combined = [kind(BASES[0], aspects=together) for kind in (CAM, MM, TOMA)]
    measures = [*single, *(measure for listed in biased.values() for measure in listed), *combined]
    listed = [
        choices.measure_choice(measures),
        *_of_combined(together, first) * bool(combined),
        parameter_choice("rho", RHOS, name="persistence"),
        *(_threshold(pool, scale, biased[scale.name]) for scale in others if _grades(scale) > 2),
        *_borders(pool, first, [*single, *(measure for listed in biased.values() for measure in listed)]),
        parameter_choice("cutoff", CUTOFFS, name="cut-off"),
        *_of_sources(pool),
        choices.unassessed_choice(("0", "left out")),
    ]
    return Specifications(tuple(listed), f"Sensible ways to measure: {', '.join(pool.scales)}")


def _weighs_no_groups(measure: Measure) -> bool:
    """Return whether a measure has no weights of topic groups.

    If scores are missing, the weight of a group would differ between systems.
    """
    return not isinstance(unwrapped(measure)[0], GroupWeights)


def _of_sources(pool: Assessments) -> list[Choice]:
    names = dict.fromkeys(name for source in pool.sources.values() for name in source.labels)
    return [choices.source_choice(list(names))] if len(names) > 1 else []


def _grades(scale: Scale) -> float:
    return math.inf if scale.continuous else len(scale.grades)


def _biased(pool: Assessments, first: Scale, scale: Scale) -> Iterator[Measure]:
    """Yield uRBP1 and uRBP2 for a signal, else uRBP and uRBPgr, with the column of `scale` for understandability."""
    if scale.continuous:
        threshold = usual_thresholds(pool, scale)[0]
        kinds: tuple[Measure, ...] = (uRBP1(threshold=threshold), uRBP2(threshold=threshold))
    else:
        kinds = (uRBP(threshold=scale.border), uRBPgr(gains=usual_gains(scale)))
    yield from (kind.with_(aspect=scale.name, relevance=first.name) for kind in kinds)


def _threshold(pool: Assessments, scale: Scale, measures: Sequence[Measure]) -> Choice:
    """Make a choice of a column's thresholds: its upper grades; for a signal or many grades, between the quartiles."""
    only = [str(measure) for measure in measures if "threshold" in measure.parameters()]
    values = _borders_between(_labels(pool, scale.name), scale.grades[1:], scale.good)
    if _grades(scale) - 1 > FEW_GRADES:
        values = _thresholds(_labels(pool, scale.name))
    return parameter_choice("threshold", values or [scale.border], name=f"{scale.name} threshold", only=only)


def _labels(pool: Assessments, name: str) -> FloatArray:
    """Return all labels of a column, from every judge, without missing ones."""
    judges = pool.sources[name].labels.values() if name in pool.sources else ()
    known = np.concatenate([pool.column(name), *judges])
    return np.asarray(known[np.isfinite(known)])


def _thresholds(labels: FloatArray) -> list[float]:
    """Space thresholds evenly between the quartiles; keep at most one between any two neighbouring labels that occur.

    >>> _thresholds(np.array([0.0, 1, 2, 3, 4, 9]))  # five values from 1.25 to 3.75
    [1.5, 2.5, 3.5]
    """
    low, high = np.quantile(labels, (0.25, 0.75)) if len(labels) else (0.0, 1.0)
    wanted = [float(f"{threshold:.3g}") for threshold in np.linspace(low, high, THRESHOLDS)]
    occurring = np.unique(labels)
    if len(occurring) < 2:
        return list(dict.fromkeys(wanted))
    by_grade = dict[int, float]()
    for threshold in wanted:
        above = int(np.searchsorted(occurring, threshold).clip(1, len(occurring) - 1))
        by_grade.setdefault(above, _between(float(occurring[above - 1]), float(occurring[above]), threshold))
    return list(by_grade.values())


def _between(low: float, high: float, near: float) -> float:
    """Return the middle of two labels, to 3 digits; if that is not between them, `near`, or else the exact middle."""
    middle = float(f"{low + (high - low) / 2:.12g}")
    short = float(f"{middle:.3g}")
    return next((threshold for threshold in (short, near, middle) if low < threshold < high), low + (high - low) / 2)


def _borders_between(labels: FloatArray, grades: Sequence[float], good: str) -> list[float]:
    """Return grades that, as thresholds, divide the labels in different ways, each with some labels on the good side.

    >>> _borders_between(np.array([0.0, 1.0, 3.0]), [1.0, 2.0, 3.0, 4.0], "high")
    [1.0, 2.0]
    """
    parted = dict[int, float]()
    for grade in grades:
        parted.setdefault(int(((labels >= grade) if good == "high" else (labels < grade)).sum()), grade)
    return [grade for count, grade in parted.items() if count]


def _of_combined(names: Sequence[str], first: Scale) -> list[Choice]:
    distances = [str(distance()) for distance in (Euclidean, Manhattan, Chebyshev)]
    weights = [dict.fromkeys(names, 1.0), {name: 2.0 if name == first.name else 1.0 for name in names}]
    labels = ("equal", f"{first.name} twice")
    options = tuple(Option(label, tuple(weight.items())) for label, weight in zip(labels, weights, strict=True))
    return [
        parameter_choice("base", ["nDCG", "AP", "RBP(rho=0.8)"], name="base of combinations"),
        parameter_choice("distance", distances, name="distance of TOMA"),
        Choice("aspect weights", "aspect weights", options),
    ]


def _borders(pool: Assessments, first: Scale, measures: Sequence[Measure]) -> list[Choice]:
    """Return a list with one choice, the lowest relevant grade.

    It is empty for a signal, if low is good, and with fewer than two grades to choose from.
    """
    grades = [grade for grade in first.grades if grade > first.zero]
    borders = _borders_between(_labels(pool, first.name), grades, first.good)[:FEW_GRADES]
    if len(borders) < 2 or first.good == "low" or first.continuous:
        return []
    only = [str(measure) for measure in measures if "rel" in measure.parameters()]
    return [parameter_choice("rel", borders, name="threshold of relevance", only=only)]
