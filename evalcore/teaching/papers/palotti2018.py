"""Palotti, Zuccon and Hanbury (2018), "MM": the weighted harmonic mean H, computed from both of its forms."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore.measures import MM, RBP, evaluate
from evalcore.meta import best_first
from evalcore.structures.documents import Collection
from evalcore.teaching.papers.base import IDENTITY, Exhibit, beside, two_aspects

DOCUMENT = "Palotti et al. 2018"


def both_forms(collection: Collection) -> pd.DataFrame:
    """Return Eq. H by hand (the mean over topics of 2 r u / (r + u)) beside MM, for the five best systems."""
    names = collection.aspects[:2]
    parts = tuple(RBP(aspect=name) for name in names)
    r, u = (evaluate(part, collection) for part in parts)
    by_hand = (2 * r * u / (r + u).replace(0.0, np.nan)).fillna(0.0).mean()
    mm = evaluate(MM(parts, aspects=names), collection).mean()
    best = best_first(mm).index[:5]
    return beside({name: float(by_hand[name]) for name in best}, {name: float(mm[name]) for name in best})


def with_zeros(collection: Collection) -> pd.DataFrame:
    """Return expected values of Eq. H for simple scores, beside the values that MM computes.

    The paper does not mention a score of 0; the limit of H, 0, is expected there.
    """
    pairs = {"H(0.5, 0.5)": (0.5, 0.5), "H(0.25, 1)": (0.25, 1.0), "H(0, 1)": (0.0, 1.0), "H(0, 0)": (0.0, 0.0)}
    computed = {
        name: float(MM.combine(np.array(values)[:, None, None], np.array([0.5, 0.5]))[0, 0])
        for name, values in pairs.items()
    }
    return beside({"H(0.5, 0.5)": 0.5, "H(0.25, 1)": 0.4, "H(0, 1)": 0.0, "H(0, 0)": 0.0}, computed)


EXHIBITS = (
    Exhibit(
        "palotti-forms", DOCUMENT, "Equation H", "2 r u / (r + u) against the general form, best five systems",
        both_forms,
        "The second printed form has m(l_d) inside a sum over i; m(l_i) is meant, and then both forms agree. "
        "Expected: the mean over topics of the two-aspect form, computed by hand.", IDENTITY,
        "any collection with two graded aspects", two_aspects, expected=1e-12,
    ),
    Exhibit(
        "palotti-zeros", DOCUMENT, "Equation H, zeros", "the harmonic mean of simple scores, and of zeros", with_zeros,
        "The paper does not mention zeros. Here the limit is used, so any score of 0 gives 0.", IDENTITY,
        expected=1e-12,
    ),
)  # fmt: skip
