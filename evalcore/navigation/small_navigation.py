"""Small collections with links, written in a few lines of Python: for worked examples, classes and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.navigation.links import ComponentRuns, Components, Links, Navigation, Worths
from evalcore.structures.documents import Collection


def small_navigation(
    collection: Collection,
    rankings: Mapping[str, Sequence[str]],
    links: Mapping[tuple[str, str], float],
    components: Components | None = None,
) -> Collection:
    """Return a collection of one topic (see `small_collection`) with links and their probabilities added.

    >>> from evalcore.data.small_collections import small_collection
    >>> rankings = {"s": ["a", "b"]}
    >>> plain = small_collection(pd.DataFrame({"relevance": [1]}, index=["b"]), rankings)
    >>> linked = small_navigation(plain, rankings, {("a", "b"): 0.5})
    >>> linked.navigation.links.probability
    array([0.5])
    """
    names = [*collection.assessments.documents, *(page for pair in links for page in pair)]
    listed = [document for ranking in rankings.values() for document in ranking]
    ids = components.ids if components else pd.unique(np.array([*names, *listed], dtype=object))
    code = {name: at for at, name in enumerate(ids)}
    ends = np.array([[code[document] for document in pair] for pair in links], dtype=int).reshape(-1, 2)
    navigation = Navigation(
        components or Components.plain(ids),
        Links(ends[:, 0], ends[:, 1], np.array(list(links.values()), dtype=float), np.zeros(len(ends), dtype=int)),
        ComponentRuns(
            tuple(rankings),
            1,
            np.cumsum([0, *map(len, rankings.values())]),
            np.array([code[document] for document in listed], dtype=int),
        ),
        np.array([code[document] for document in collection.assessments.documents], dtype=int),
        Worths.none(),
    )
    return replace(collection, more={**collection.more, "navigation": navigation})
