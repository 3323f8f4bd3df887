"""Recomputed tables and figures of five documents, with the published values."""

from functools import cache

import pandas as pd

from evalcore.errors import InputError, did_you_mean
from evalcore.structures.documents import Collection
from evalcore.subjects import modules, placed
from evalcore.teaching.papers.base import IDENTITY, OTHER_DATA, SAME_DATA, Exhibit, Kind

__all__ = [
    "IDENTITY",
    "OTHER_DATA",
    "SAME_DATA",
    "Exhibit",
    "Kind",
    "exhibit_of",
    "exhibits",
    "tally",
    "tally_in_words",
]


@cache
def exhibits() -> tuple[Exhibit, ...]:
    """Return all tables and figures, including those of other subjects, in the order of the documents."""
    from evalcore.teaching.papers import maistro2021, palotti2018, zuccon2016  # they import `base`, and so this module

    own = [zuccon2016.EXHIBITS, palotti2018.EXHIBITS, maistro2021.EXHIBITS]
    more = [(module.FOLLOWS, module.EXHIBITS) for module in modules("exhibits")]
    documents = placed(own, more, lambda those: those[0].document)
    return tuple(exhibit for those in documents for exhibit in those)


def exhibit_of(key: str) -> Exhibit:
    """Return the table or figure with a key. Raises InputError if none has it.

    >>> exhibit_of("zuccon-3").document
    'Zuccon 2016'
    """
    known = {exhibit.key: exhibit for exhibit in exhibits()}
    if key not in known:
        raise InputError(f"expected the key of an exhibit, found {key!r}{did_you_mean(key, known)}")
    return known[key]


def tally(collection: Collection) -> pd.DataFrame:
    """Return a row for each document: the numbers of printed values, of reproduced values and of misprints.

    printed, met, misprints and wrong (neither met nor a known misprint) count single values; other data and identities
    count exhibits. Only exhibits whose kind on this collection is SAME_DATA are computed.
    """
    rows: dict[str, dict[str, int]] = {}
    for exhibit in exhibits():
        row = rows.setdefault(exhibit.document, dict.fromkeys(_COUNTS, 0))
        kind = exhibit.kind_on(collection)
        if kind != SAME_DATA:
            row["other data" if kind == OTHER_DATA else "identities"] += 1
            continue
        agrees = exhibit.compared(collection).dropna(subset=["published", "computed"])["agrees"]
        unmet = int((~agrees).sum())
        row["printed"] += len(agrees)
        row["met"] += len(agrees) - unmet
        row["misprints"] += min(unmet, exhibit.misprints)
        row["wrong"] += max(unmet - exhibit.misprints, 0)
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("document")


_COUNTS = ("printed", "met", "misprints", "wrong", "other data", "identities")


def tally_in_words(counts: pd.Series) -> str:
    """Return a sentence on how many printed values are reproduced; `counts` is a row of `tally`, or the sum of rows.

    >>> tally_in_words(pd.Series({"printed": 75, "met": 65, "misprints": 10, "wrong": 0}))
    '65 of 75 printed values are reproduced; 10 are known misprints'
    """
    if not counts["printed"]:
        return "no printed value can be compared, as the open data lack what the papers need"
    parts = [f"{counts['met']} of {counts['printed']} printed values are reproduced"]
    for name, what in (("misprints", "known misprint{s}"), ("wrong", "not met")):
        count = counts[name]
        be, some, s = ("is", "a " * (name == "misprints"), "") if count == 1 else ("are", "", "s")
        parts += [f"{count} {be} {some}{what.format(s=s)}"] if count else []
    return "; ".join(parts)
