"""Collections that are written in a few lines, for worked examples, classes and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError, shorten
from evalcore.structures.documents import Assessments, Collection, LoadingReport, Rankings, Scale, assumed_grades


def small_collection(
    labels: pd.DataFrame,
    rankings: Mapping[str, Sequence[str]],
    scales: Sequence[Scale] = (),
    title: str = "Worked example",
) -> Collection:
    """Make a collection of one topic from labels (documents x aspects) and the ranked documents of each system.

    `rankings` lists the documents of each system from rank 1 on. A document that `labels` does not name is not
    assessed. Aspects without a scale have the grades that occur and 0; high is good. Raises InputError if a document is
    listed twice.

    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"s": ["b", "a"]})
    >>> c.rankings.rank.tolist()
    [1, 2]
    """
    rows = {document: row for row, document in enumerate(labels.index)}
    for name, listed in {"labels": labels.index, **rankings}.items():
        if (documents := pd.Index(list(listed), dtype=object)).has_duplicates:
            again = shorten(str(documents[documents.duplicated()][0]))
            raise InputError(f"expected each document once, found {again} listed twice", name)
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
