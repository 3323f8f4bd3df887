"""Agreement of measures of several aspects, and of the aspects themselves (Maistro et al. 2021, Table 4, upper half).

Each measure is used with each base (nDCG, AP, ...). The correlation of two measures is averaged over the topics
on which it exists; Kendall's tau is tau_b of the scores (erratum of Maistro et al. 2021, Table 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

import pandas as pd

from evalcore.errors import InputError
from evalcore.measures.base import GainMeasure, HasPoolAndRankings, Measure
from evalcore.measures.catalogue import BASES, DISTANCES, several_aspects
from evalcore.measures.evaluation import evaluate
from evalcore.measures.toma import EQUAL_RANGES
from evalcore.meta.correlation import Correlation
from evalcore.meta.matrix import named_pairs
from evalcore.structures.documents import Assessments, Scale

PAIRS = (*product(DISTANCES, ("CAM", "MM")), *combinations(DISTANCES, 2), ("CAM", "MM"))


def several_aspect_measures(
    pool: Assessments, aspects: Sequence[str] = (), bases: Sequence[GainMeasure] = BASES, embedding: str = EQUAL_RANGES
) -> dict[str, dict[str, Measure]]:
    """Map the text of each base to its measures EUCL, MANH, CHEB, CAM and MM, by name, over the same aspects.

    See `several_aspects`. `aspects` are by default all with at least two grades. Raises InputError for fewer than two.
    """
    scales = _scales(pool, aspects)
    return {str(base): several_aspects(base, scales, embedding) for base in bases}


def single_aspect_measures(
    pool: Assessments, aspects: Sequence[str] = (), bases: Sequence[GainMeasure] = BASES
) -> dict[str, dict[str, Measure]]:
    """Map the text of each base to a dict from each aspect to the base on this aspect."""
    scales = _scales(pool, aspects)
    return {str(base): {scale.name: base.with_(aspect=scale.name) for scale in scales} for base in bases}


def measure_correlations(
    collection: HasPoolAndRankings,
    aspects: Sequence[str] = (),
    bases: Sequence[GainMeasure] = BASES,
    correlation: Correlation | str = "tau",
    embedding: str = EQUAL_RANGES,
) -> pd.DataFrame:
    """Return the correlations of EUCL and CAM, EUCL and MM, ... (rows) for each base (columns): Table 4, first block.

    See `named_pairs`. The paper's `embedding` is "equal steps".
    """
    measures = several_aspect_measures(collection.assessments, aspects, bases, embedding)
    return named_pairs(_scores(measures, collection), PAIRS, correlation)


def aspect_correlations(
    collection: HasPoolAndRankings,
    aspects: Sequence[str] = (),
    bases: Sequence[GainMeasure] = BASES,
    correlation: Correlation | str = "tau",
) -> pd.DataFrame:
    """Return the correlations of all pairs of aspects (rows) for each base (columns): Table 4, second block.

    See `named_pairs`.
    """
    measures = single_aspect_measures(collection.assessments, aspects, bases)
    names = [scale.name for scale in _scales(collection.assessments, aspects)]
    return named_pairs(_scores(measures, collection), combinations(names, 2), correlation)


def _scales(pool: Assessments, aspects: Sequence[str]) -> list[Scale]:
    scales = [pool.scale(name) for name in aspects or pool.aspects]
    usable = [scale for scale in scales if len(scale.grades) > 1 or aspects]
    if len(usable) < 2:
        found = ", ".join(scale.name for scale in usable) or "none"
        raise InputError(f"expected at least two aspects with two grades or more, found {found}")
    return usable


def _scores(
    measures: Mapping[str, Mapping[str, Measure]], collection: HasPoolAndRankings
) -> dict[str, dict[str, pd.DataFrame]]:
    return {
        base: {name: evaluate(measure, collection) for name, measure in named.items()}
        for base, named in measures.items()
    }
