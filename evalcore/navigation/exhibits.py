"""Effort-precision and gain-recall with a navigation model: section 6.1's three documents."""

from __future__ import annotations

import pandas as pd

from evalcore.navigation.paper_example import computed_lines
from evalcore.structures.documents import Collection
from evalcore.teaching.papers.base import SAME_DATA, Exhibit, beside


def section_6_1(collection: Collection) -> pd.DataFrame:
    """Tabulate the numbers printed in the example beside the computed ones, including scores that are not printed."""
    published, computed = dict[str, float](), dict[str, float]()
    for line, score in computed_lines():
        values = line.right if score is None else [score] * max(len(line.printed), 1)
        for at, value in enumerate(values, 1):
            row = line.what if len(values) == 1 else f"{line.what} ({at})"
            computed[row] = value
            if line.printed:
                published[row] = line.printed[at - 1]
    return beside(published, computed)


FOLLOWS = "Palotti et al. 2018"  # order among the papers
EXHIBITS = (
    Exhibit(
        "navigation-6-1", "Effort-precision and gain-recall", "Section 6.1",
        "three documents, two of them linked to the third",
        section_6_1,
        "The printed results are right, but the steps are not: 5/8 is printed for 29/50, .5 and .35 for .6 and .42, "
        "and E[1/ce[1]] is called E[ce[1]]; the expected effort itself is 2.02. 0.3 is 1/3, truncated.",
        SAME_DATA, expected=5e-3, misprints=4,
    ),
)  # fmt: skip
