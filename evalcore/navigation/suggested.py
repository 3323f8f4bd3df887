"""Sets of measures for collections with links."""

from __future__ import annotations

import numpy as np

from evalcore import measures as m
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.measures.catalogue import FIRST_LOOK
from evalcore.navigation.links import Navigation
from evalcore.structures.documents import Scale


def suggestions(collection: HasPoolAndRankings, scale: Scale) -> dict[str, list[Measure]]:
    """Return sets of measures by name: an overview, measures of users who stay or walk, and gains and efforts.

    The dict is empty for a collection without links.
    """
    navigation: Navigation | None = getattr(collection, "navigation", None)
    if navigation is None:
        return {}
    users = (m.Stay(), m.Walk(stop=0.7), m.Walk(stop=0.3))
    documents = [measure.with_(aspect=scale.name) for measure in (m.AP(), m.nDCG(cutoff=10))]
    first: list[Measure] = [*(m.MAep(navigation=user) for user in users), *documents]
    every: list[Measure] = [kind(navigation=user) for kind in (m.MAep, m.ep, m.EPRUM) for user in users]
    kinds = (m.PRUM, m.ExpectedRatio, m.ECG, m.gr, m.InverseEffort, m.EffortTo)
    parts: list[Measure] = [kind(navigation=m.Walk()) for kind in kinds]
    parts += [m.MAep(navigation=m.Walk(), ideal="effort"), m.MAep(navigation=m.Walk(), interpolation="linear")]
    if (navigation.worths.rsize > 0).any():
        parts.append(m.MAep(navigation=m.Walk(), gain=m.Specificity()))
    if len(navigation.links) and not np.isnan(navigation.links.probability).any():
        parts.append(m.MAep(navigation=m.Browse()))
    return {FIRST_LOOK: first, "Navigation": every, "Gains and efforts": parts}
