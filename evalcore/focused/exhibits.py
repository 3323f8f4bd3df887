"""Pehcevski et al. (2007), "INEX 2007 Evaluation Measures": the numbers in its text."""

from __future__ import annotations

import pandas as pd

from evalcore.measures import Entry, EntryScreen, TextAP
from evalcore.structures.documents import Collection
from evalcore.teaching.papers.base import IDENTITY, Exhibit, beside

DOCUMENT = "Pehcevski et al. 2007"
LENGTH = 5000


def entry_points(collection: Collection) -> pd.DataFrame:
    """Tabulate s(x, b), printed and computed, at distances of 0, a document's length, half a screen and a screen."""
    published = {
        "Eq. 8, A = 10, at the best entry point": 1.0,
        "Eq. 8, A = 10, a document's length away": 10 / 11,
        "Eq. 8, A = 0.1, a document's length away": 1 / 11,
        "Eq. 9, n = 1000, half a screen away": 0.5,
        "Eq. 9, n = 1000, a screen away": 0.0,
    }
    computed = {
        "Eq. 8, A = 10, at the best entry point": Entry(A=10.0).of(0, LENGTH),
        "Eq. 8, A = 10, a document's length away": Entry(A=10.0).of(LENGTH, LENGTH),
        "Eq. 8, A = 0.1, a document's length away": Entry(A=0.1).of(LENGTH, LENGTH),
        "Eq. 9, n = 1000, half a screen away": EntryScreen(n=1000).of(500),
        "Eq. 9, n = 1000, a screen away": EntryScreen(n=1000).of(1000),
    }
    return beside(published, computed)


def average_precision(collection: Collection) -> pd.DataFrame:
    """Tabulate AP, printed and computed, if the only part returned has 90 of 100 highlighted characters."""
    computed = TextAP().of([90], [90], relevant=100)
    published = {"according to the text (share of parts)": 0.5, "according to Eq. 3 (share of text)": 0.9}
    return beside(published, {"according to Eq. 3 (share of text)": computed})


FOLLOWS = ""  # order among the papers
EXHIBITS = (
    Exhibit(
        "inex-entry", DOCUMENT, "Equations 8 and 9", "distance to the entry point: two forms of s(x, b)", entry_points,
        "The text says that Eq. 8 has a minimum of zero. At a distance of a document's length, it is A / (1 + A); "
        "it is 0 only without a best entry point.", IDENTITY, expected=1e-12,
    ),
    Exhibit(
        "inex-ap", DOCUMENT, "Equation 3", "average precision of one part out of two", average_precision,
        "The text says that a relevant part that is not retrieved has precision 0, which would give .5. The "
        "formula weights by recall of text and gives .9; evalcore implements the formula.", IDENTITY, expected=1e-12,
    ),
)  # fmt: skip
