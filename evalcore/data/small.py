"""A collection written down in a few lines: for worked examples, classes and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evalcore.errors import InputError
from evalcore.later import pd
from evalcore.navigation.links import ComponentRuns, Components, Links, Navigation, Worths
from evalcore.structures.documents import Assessments, Collection, LoadingReport, Rankings, Scale, assumed_grades


def small_collection(
    labels: pd.DataFrame,
    rankings: Mapping[str, Sequence[str]],
    scales: Sequence[Scale] = (),
    title: str = "Worked example",
) -> Collection:
    """One topic: labels of documents (documents x aspects) and, for each system, its documents from rank 1 on.

    A document that `labels` does not name is not assessed. Aspects without a scale have the grades that occur and 0;
    high is good. Raises InputError where a document is listed twice.

    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"s": ["b", "a"]})
    >>> c.rankings.rank.tolist()
    [1, 2]
    """
    rows = {document: row for row, document in enumerate(labels.index)}
    for name, listed in {"labels": labels.index, **rankings}.items():
        if len(set(listed)) < len(listed):
            raise InputError("expected each document once", name)
    pool = Assessments(
        topics=("topic",),
        topic=np.zeros(len(labels), dtype=int),
        documents=labels.index.to_numpy(dtype=object),
        columns={str(name): labels[name].to_numpy(dtype=float) for name in labels},
        scales=_scales(labels, scales),
    )
    hits = [[(k, rows[d]) for k, d in enumerate(listed, start=1) if d in rows] for listed in rankings.values()]
    ranked = Rankings(
        systems=tuple(rankings),
        n_topics=1,
        n_pool=len(labels),
        indptr=np.cumsum([0, *map(len, hits)]),
        rank=np.array([rank for line in hits for rank, _ in line], dtype=int),
        row=np.array([row for line in hits for _, row in line], dtype=int),
        length=np.array([[len(listed)] for listed in rankings.values()]),
    )
    return Collection(title, pool, ranked, LoadingReport(pd.DataFrame(), pd.DataFrame()))


def _scales(labels: pd.DataFrame, given: Sequence[Scale]) -> dict[str, Scale]:
    known = {scale.name: scale for scale in given}
    assumed = {str(name): assumed_grades(labels[name].to_numpy(dtype=float)) for name in labels}
    return {name: known.get(name) or Scale(name, grades=grades) for name, grades in assumed.items()}


def small_navigation(
    collection: Collection,
    rankings: Mapping[str, Sequence[str]],
    links: Mapping[tuple[str, str], float],
    components: Components | None = None,
) -> Collection:
    """A collection of one topic written down in a few lines (see `small_collection`), with links and probabilities.

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
    return replace(collection, navigation=navigation)
